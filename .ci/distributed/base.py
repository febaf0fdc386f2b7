# The common part of every engine's test: the tool and the folder of the command line, checks,
# commands, and servers that are always stopped.
import contextlib
import os
import pathlib
import signal
import socket
import subprocess
import sys
import time

tool, out = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
samples = pathlib.Path(__file__).resolve().parent.parent.parent / "SampleCatalogs"
servers = []


def fail(words):
    sys.exit(f"FAILED: {words}")


def check(is_true, words):
    if not is_true:
        fail(words)


def run(command, folder, code=0):
    try:
        done = subprocess.run([str(word) for word in command], cwd=folder, text=True, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=600)
    except subprocess.TimeoutExpired as late:
        fail(f"{' '.join(map(str, command))} does not end:\n{(late.stdout or b'').decode()[-3000:]}")
    if (done.returncode == 0) != (code == 0):
        fail(f"{' '.join(map(str, command))} ended with {done.returncode}:\n{done.stdout[-3000:]}")
    return done.stdout


def report(engine, words, start):
    print(f"{engine:<16}{words:<62}{time.monotonic() - start:5.1f} s", flush=True)


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def is_open(port):
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def serve(command, log, answers):
    """Starts a server and waits until it answers."""
    with open(log, "w") as file:
        server = subprocess.Popen([str(word) for word in command], stdout=file, stderr=file, cwd=out,
                                  start_new_session=True)
    servers.append(server)
    for _ in range(600):
        if server.poll() is not None:
            fail(f"{command[0]} ended:\n{pathlib.Path(log).read_text()[-2000:]}")
        if answers():
            return server
        time.sleep(0.1)
    fail(f"{command[0]} does not answer")


def stop_servers():
    while servers:
        server = servers.pop()
        server.terminate()
        try:
            server.wait(10)
        except subprocess.TimeoutExpired:
            pass
        # The process may have ended, or the processes that it started.
        with contextlib.suppress(ProcessLookupError):
            os.killpg(server.pid, signal.SIGKILL)
        server.wait()
