# nginx as a cache of Bazel, and of the tool's own --remote-cache.
import filecmp
import os
import re
import shutil
import time

from .base import check, free_port, is_open, out, report, run, serve, stop_servers, tool
from .bazel import Bazel
from .workspace import catalogs, lay_out, one_step


def nginx():
    """Starts a server that keeps the files it receives; returns its address and the folder with the
    files.
    """
    port = free_port()
    place = out / "nginx"
    shutil.rmtree(place, ignore_errors=True)
    (place / "cache").mkdir(parents=True)
    (place / "nginx.conf").write_text(f"""\
{'user root;' if os.geteuid() == 0 else ''}
daemon off; pid {place}/pid; error_log {place}/error.log; events {{}}
http {{
  client_body_temp_path {place}/body; proxy_temp_path {place}/proxy; fastcgi_temp_path {place}/fastcgi;
  uwsgi_temp_path {place}/uwsgi; scgi_temp_path {place}/scgi; access_log off;
  server {{
    listen 127.0.0.1:{port}; root {place}/cache; client_max_body_size 0;
    location / {{ dav_methods PUT; create_full_put_path on; }}
  }}
}}
""")
    serve([shutil.which("nginx"), "-p", place, "-c", place / "nginx.conf"], out / "nginx.log",
          lambda: is_open(port))
    return f"http://127.0.0.1:{port}", place / "cache"


def http_cache():
    address, kept = nginx()
    folder = lay_out(out / "cached")
    bazel = Bazel("Bazel, HTTP", folder, [f"--remote_cache={address}", "--spawn_strategy=sandboxed"])
    try:
        local = [word for word in ["linux-sandbox", "processwrapper-sandbox"]]
        bazel.build("//tools:carve")
        made = next((word for word in local if word in bazel.counts(bazel.build("//:assets_1"))), None)
        check(made, "Bazel has no sandbox here")
        # The cache is emptied, as if nothing had been built.
        bazel.clean()
        shutil.rmtree(kept)
        kept.mkdir()
        bazel.run_all(made, "remote cache hit")
    finally:
        bazel.shut_down()
        stop_servers()


def own_cache():
    """Runs one step on several machines that share a server: every picture is compressed exactly
    once.
    """
    folder = lay_out(out / "shared")
    address, kept = nginx()
    expected = one_step(folder) / "Assets.car"

    def step(words, machine, wanted, warning=None):
        start = time.monotonic()
        (folder / "Assets.car").unlink(missing_ok=True)
        text = run([tool, "compile", *catalogs(), "--include-all-app-icons", "-o", "Assets.car", "--timing",
                    "--cache", machine, "--remote-cache", address], folder)
        check(filecmp.cmp(folder / "Assets.car", expected, shallow=False), f"remote cache, {words}: other bytes")
        hits, misses = map(int, re.search(r"cache: (\d+) hits?.*?(\d+) miss", text.replace(",", "")).groups())
        check(wanted(hits, misses), f"remote cache, {words}: {hits} hits, {misses} misses")
        said = [line for line in text.splitlines() if "warning: remote cache" in line]
        check(len(said) == (1 if warning else 0) and (not warning or warning in said[0]),
              f"remote cache, {words}: it says {said}")
        report("remote cache", f"{words}: {hits} hits, {misses} misses" + (", one warning" if warning else ""), start)

    try:
        step("first machine", "first", lambda hits, misses: misses > 50)
        step("second machine", "second", lambda hits, misses: hits > 50 and misses == 0)
        for entry in (kept / "cas").iterdir():
            entry.write_bytes(bytes(byte ^ 1 for byte in entry.read_bytes()))
        step("every entry is damaged", "third", lambda hits, misses: misses > 50, "does not match its name")
        step("they were sent again", "fourth", lambda hits, misses: hits > 50 and misses == 0)
    finally:
        stop_servers()
    step("the server is gone", "fifth", lambda hits, misses: misses > 50, "Connection refused")
