# Bazel, with any service that runs its actions or keeps their results.
import re
import shutil
import subprocess
import time

from .base import check, out, report, run
from .workspace import change, check_outputs, object_count


class Bazel:
    def __init__(self, name, folder, options):
        self.name, self.folder, self.options = name, folder, options
        self.base = [shutil.which("bazel"), "--nohome_rc", f"--output_user_root={out / 'bazel'}"]

    def build(self, target="//:assets", code=0):
        # There are more jobs than processors: otherwise the second worker gets no actions.
        return run([*self.base, "build", "--jobs=8", "--color=no", *self.options, target], self.folder, code)

    def counts(self, text):
        """Returns the number of actions for each way of execution, from the last lines of Bazel."""
        line = re.findall(r"INFO: \d+ process(?:es)?: (.*)\.", text)
        check(line, f"{self.name} does not say what it ran:\n{text[-2000:]}")
        counts = {what: int(count) for count, what in re.findall(r"(\d+) ([a-z][a-z -]*)", line[-1])}
        counts.pop("internal", None)
        return counts

    def expect(self, words, wanted):
        start = time.monotonic()
        counts = self.counts(self.build())
        check(wanted(counts), f"{self.name}, {words}: {counts}")
        report(self.name, f"{words}: {', '.join(f'{n} {what}' for what, n in counts.items()) or 'nothing'}", start)

    def clean(self):
        run([*self.base, "clean"], self.folder)

    def run_all(self, made, hit):
        """Runs the first build, a build without changes, a build after a clean, and one after a
        file changed.
        """
        count = object_count() + 1
        self.expect("first build", lambda counts: counts == {made: count})
        check_outputs(self.folder / "bazel-bin", self.folder, self.name)
        self.expect("nothing changed", lambda counts: not counts)
        self.clean()
        self.expect("after a clean", lambda counts: counts == {hit: count})
        check_outputs(self.folder / "bazel-bin", self.folder, self.name)
        change(self.folder)
        self.expect("one file changed", lambda counts: list(counts) == [made] and 1 <= counts[made] <= 2)
        check_outputs(self.folder / "bazel-bin", self.folder, self.name)
        start = time.monotonic()
        text = self.build("//:undeclared", code=1)
        check("is not in the folder" in text and "[missing-file]" in text,
              f"{self.name}: an undeclared file did not fail so:\n{text[-2000:]}")
        report(self.name, "an undeclared file: the build fails and names it", start)

    def shut_down(self):
        # The command has a session of its own, so that a second Ctrl-C does not stop it.
        subprocess.run([*self.base, "shutdown"], cwd=self.folder, start_new_session=True, stdout=subprocess.DEVNULL,
                       stderr=subprocess.DEVNULL)
