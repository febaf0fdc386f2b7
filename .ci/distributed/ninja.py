# ninja: an action for each catalogue or group, and one link.
import filecmp
import os
import re
import shutil
import time

from .base import check, out, report, run, samples, tool
from .workspace import GROUPS, catalogs, change, check_outputs, lay_out, object_count


def ninja():
    folder = lay_out(out / "ninja")
    text = (samples / "Builds" / "Ninja" / "objects.ninja").read_text()
    rules = text[:text.index("build ")].replace("carve ", f"{tool} ").replace(
        "--object $in", "--object $in --include-all-app-icons")
    steps, objects = "", []
    for name in catalogs():
        for group in [None, *GROUPS.get(name, [])]:
            objects.append(f"o{len(objects)}.caro")
            steps += f"build {objects[-1]}: object {name}{'/' + group if group else ''}\n"
            if not group:
                steps += "  without =" + "".join(f" --without {name}/{part}" for part in GROUPS.get(name, [])) + "\n"
    (folder / "build.ninja").write_text(f"{rules}{steps}build Assets.car assets.h: link {' '.join(objects)}\n")

    def step(words, wanted):
        start = time.monotonic()
        text = run([shutil.which("ninja"), "-v"], folder)
        ran = [text.count(" compile --object "), len(re.findall(r" link o0\.caro", text))]
        check(ran == wanted, f"ninja, {words}: {ran[0]} objects and {ran[1]} links, not {wanted}")
        report("ninja", f"{words}: {ran[0]} objects, {ran[1]} links", start)

    step("first build", [object_count(), 1])
    check_outputs(folder, folder, "ninja")
    step("nothing changed", [0, 0])
    # Some file systems store only whole seconds.
    time.sleep(1)
    change(folder)
    step("one file changed", [1, 1])
    check_outputs(folder, folder, "ninja")
    ninja_sample()


def ninja_sample():
    """Builds the file of the sample, beside its catalogues."""
    start = time.monotonic()
    place = out / "sample"
    shutil.rmtree(place, ignore_errors=True)
    shutil.copytree(samples / "Builds" / "Ninja", place / "Builds" / "Ninja")
    shutil.copytree(samples / "Builds" / "Assets.xcassets", place / "Builds" / "Assets.xcassets")
    shutil.copytree(samples / "Namespaces.xcassets", place / "Namespaces.xcassets")
    folder = place / "Builds" / "Ninja"
    (place / "bin").mkdir()
    (place / "bin" / "carve").symlink_to(tool)
    os.environ["PATH"] = f"{place / 'bin'}:{os.environ['PATH']}"
    run([shutil.which("ninja"), "-f", "objects.ninja"], folder)
    run([tool, "compile", "../Assets.xcassets", "../../Namespaces.xcassets", "-o", "one.car"], folder)
    check(filecmp.cmp(folder / "Assets.car", folder / "one.car", shallow=False), "objects.ninja: other bytes")
    check("no work to do" in run([shutil.which("ninja"), "-f", "objects.ninja"], folder), "objects.ninja: work to do")
    report("ninja", "the sample, as it lies there", start)
