"""A headless Chromium, controlled by its own protocol over two pipes, without port or library."""
import base64
import json
import os
import select
import shutil
import subprocess
import tempfile
import time


class BrowserError(Exception):
    """An error that the browser reported, or a missing answer."""


class PageLeft(BrowserError):
    """The page was replaced by another one before it answered."""


# The messages with which the browser says that a page was replaced.
LEFT = ("navigated or closed", "context was destroyed", "Cannot find context",
        "Cannot find default execution context")


def find():
    """Returns the path of the browser on this machine, or None."""
    for name in (os.environ.get("CARVE_CHROMIUM"), "chromium", "chromium-browser", "google-chrome"):
        if name and shutil.which(name):
            return shutil.which(name)
    return None


class Browser:
    def __init__(self, path, width=1440, height=900, dark=False):
        self.profile = tempfile.mkdtemp(prefix="carve-preview-")
        to_child, self.output = os.pipe()
        self.input, from_child = os.pipe()
        keep = {3: to_child, 4: from_child}

        def pass_pipes():
            copies = {number: os.dup(pipe) for number, pipe in keep.items()}
            for number, pipe in copies.items():
                os.dup2(pipe, number)

        self.process = subprocess.Popen(
            [path, "--headless=new", "--no-sandbox", "--disable-gpu", "--remote-debugging-pipe",
             "--force-color-profile=srgb", "--hide-scrollbars", "--no-first-run",
             "--disable-dev-shm-usage", "--disable-extensions", "--disable-component-update",
             "--disable-background-networking", f"--user-data-dir={self.profile}",
             f"--window-size={width},{height}", "about:blank"],
            preexec_fn=pass_pipes, pass_fds=(3, 4, to_child, from_child), close_fds=True,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(to_child)
        os.close(from_child)
        self.buffer = b""
        self.number = 0
        self.events = []
        target = self.call("Target.createTarget", {"url": "about:blank"}, None)["targetId"]
        self.session = self.call(
            "Target.attachToTarget", {"targetId": target, "flatten": True}, None)["sessionId"]
        for domain in ("Page", "Runtime", "Network", "Log", "Accessibility", "DOM"):
            self.call(f"{domain}.enable")
        self.size(width, height)
        self.scheme("dark" if dark else "light")

    def size(self, width, height, factor=1):
        self.call("Emulation.setDeviceMetricsOverride", {
            "width": width, "height": height, "deviceScaleFactor": factor, "mobile": False})

    def scheme(self, name):
        self.call("Emulation.setEmulatedMedia", {
            "features": [{"name": "prefers-color-scheme", "value": name}]})

    def call(self, method, parameters=None, session="page", timeout=60):
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters or {}}
        if session == "page":
            message["sessionId"] = self.session
        self._write(json.dumps(message).encode() + b"\0")
        wanted = self.number
        end = time.monotonic() + timeout
        while True:
            answer = self._read(end)
            if answer is None:
                raise BrowserError(f"{method}: no answer within {timeout} s")
            if answer.get("id") == wanted:
                if "error" in answer:
                    text = answer["error"]["message"]
                    kind = PageLeft if any(part in text for part in LEFT) else BrowserError
                    raise kind(f"{method}: {text}")
                return answer["result"]
            if "method" in answer:
                self.events.append(answer)

    def _write(self, data):
        while data:
            data = data[os.write(self.output, data):]

    def _read(self, end):
        while b"\0" not in self.buffer:
            left = end - time.monotonic()
            if left <= 0 or not select.select([self.input], [], [], left)[0]:
                return None
            part = os.read(self.input, 1 << 20)
            if not part:
                raise BrowserError("the browser has ended")
            self.buffer += part
        message, self.buffer = self.buffer.split(b"\0", 1)
        return json.loads(message)

    def wait(self, method, timeout=60):
        """Waits for the next event with this name and returns it."""
        end = time.monotonic() + timeout
        while True:
            for place, event in enumerate(self.events):
                if event["method"] == method:
                    return self.events.pop(place)
            answer = self._read(end)
            if answer is None:
                raise BrowserError(f"no {method} within {timeout} s")
            if "method" in answer:
                self.events.append(answer)

    def open(self, url, timeout=60):
        self.events = [e for e in self.events if e["method"] != "Page.loadEventFired"]
        self.call("Page.navigate", {"url": url})
        self.wait("Page.loadEventFired", timeout)

    def run(self, script, timeout=60):
        """Returns the value of an expression. Waits for it if it is a promise."""
        result = self.call("Runtime.evaluate", {
            "expression": script, "awaitPromise": True, "returnByValue": True}, timeout=timeout)
        if "exceptionDetails" in result:
            details = result["exceptionDetails"]
            raise BrowserError(details.get("exception", {}).get("description", details["text"]))
        return result["result"].get("value")

    def picture(self, path):
        """Writes the content of the window to a PNG file."""
        data = self.call("Page.captureScreenshot", {"format": "png"})["data"]
        with open(path, "wb") as file:
            file.write(base64.b64decode(data))

    def troubles(self):
        """Returns the errors and warnings of the console."""
        found = []
        for event in self.events:
            params = event["params"]
            if event["method"] == "Runtime.exceptionThrown":
                details = params["exceptionDetails"]
                found.append(details.get("exception", {}).get("description", details["text"]))
            bad = ("error", "warning")
            if event["method"] == "Log.entryAdded" and params["entry"]["level"] in bad:
                found.append(params["entry"]["text"])
            if event["method"] == "Runtime.consoleAPICalled" and params["type"] in bad:
                found.append(" ".join(str(one.get("value")) for one in params["args"]))
        return found

    def requests(self):
        """Returns the requested addresses."""
        return [event["params"]["request"]["url"] for event in self.events
                if event["method"] == "Network.requestWillBeSent"]

    def close(self):
        try:
            self.call("Browser.close", None, None, timeout=5)
        except (BrowserError, OSError):
            pass
        try:
            self.process.wait(5)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        os.close(self.output)
        os.close(self.input)
        shutil.rmtree(self.profile, ignore_errors=True)
