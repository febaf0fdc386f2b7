"""Checks `carve preview --serve`: the page follows the catalogue, on this machine only."""
import http.client
import os
import re
import subprocess
import time

import catalogs
import pictures


def add(catalog, name):
    place = os.path.join(catalog, f"{name}.imageset")
    os.makedirs(place, exist_ok=True)
    pictures.write(os.path.join(place, "p.png"), 8, 8, catalogs.noise(name, True))
    catalogs.write_set(catalog, name, "imageset",
                       {"images": [catalogs.entry("p.png", idiom="universal", scale="2x")]})


def status(port, path="/", method="GET", host=None):
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
    connection.putrequest(method, path, skip_host=True)
    connection.putheader("Host", host or f"127.0.0.1:{port}")
    connection.endheaders()
    answer = connection.getresponse()
    answer.read()
    connection.close()
    return answer.status


def becomes(bench, script, seconds=30):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        try:
            if bench.browser.run(script):
                return True
        except Exception:  # noqa: BLE001: the page is being loaded anew
            pass
        time.sleep(0.1)
    return False


def serve(bench):
    catalog = bench.place("Served.xcassets")
    add(catalog, "First")
    process = subprocess.Popen([bench.tool, "preview", "--serve", catalog], stdout=subprocess.PIPE,
                               stderr=subprocess.DEVNULL, text=True)
    try:
        line = process.stdout.readline()
        port = int(re.search(r"http://127\.0\.0\.1:(\d+)/", line).group(1))
        for wanted, found in (
                (200, status(port)), (404, status(port, "/etc/passwd")),
                (405, status(port, method="POST")), (403, status(port, host="evil.example"))):
            bench.check.same(found, wanted, "the server's answer")
        bench.browser.open("about:blank")
        bench.browser.events.clear()
        bench.browser.open(f"http://127.0.0.1:{port}/#style=dark&query=s")
        bench.check.same(bench.browser.run("data.assets.map(one => one.n)"), ["First"],
                         "the served page")
        add(catalog, "Second")
        bench.check.that(becomes(bench, "data.assets.length === 2"), "the page follows a change")
        bench.check.same(bench.browser.run("[looks.styles[state.style], state.query]"),
                         ["dark", "s"], "what was chosen stays")
        broken = os.path.join(catalog, "Second.imageset", "Contents.json")
        with open(broken, "w", encoding="utf-8") as file:
            file.write("{ not json")
        bench.check.that(becomes(bench, "!document.getElementById('banner').hidden"),
                         "trouble is told")
        banner = bench.browser.run("document.getElementById('banner').textContent")
        bench.check.that("Second.imageset/Contents.json:1:" in banner and "error" in banner,
                         f"the page shows the message of a broken save: {banner}")
        bench.check.same(bench.browser.run("data.assets.length"), 2, "the old page stays")
        add(catalog, "Second")
        bench.check.that(becomes(bench, "document.getElementById('banner').hidden"),
                         "the trouble goes")
        asked = {url.split("/")[2] for url in bench.browser.requests() if url.startswith("http")}
        bench.check.same(asked, {f"127.0.0.1:{port}"}, "who is asked")
        bench.browser.open("about:blank")
    finally:
        process.kill()
        process.wait()


CHECKS = {"serve": serve}
