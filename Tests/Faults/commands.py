"""The commands whose calls fail in Tests/Faults/run, with their inputs and their expected outputs.

Every command reads below the folder `in` and writes below the folder `out` of its own folder. The
commands of `before` run with the first form of the inputs, the command itself with the second form.
"""

import errno
import http.server
import os
import re
import signal
import struct
import subprocess
import threading
import time
import urllib.request
import zlib

__all__ = ["COMMANDS", "errno"]


def png(width, height, seed):
    """Returns a picture of a pattern."""
    rows = b"".join(
        b"\0" + b"".join(
            bytes(((x * 7 + seed * 31) & 255, (y * 5 + seed) & 255, (x * y + seed) & 255, 255 - (x & 63)))
            for x in range(width))
        for y in range(height))

    def chunk(kind, content):
        return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))

    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 6, 0, 0, 0))
            + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))


def put(folder, name, content):
    path = os.path.join(folder, name)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as file:
        file.write(content if isinstance(content, bytes) else content.encode())


INFO = '"info": {"version": 1, "author": "xcode"}'
IMAGE = '{"images": [{"idiom": "universal", "filename": "a.png", "scale": "2x"}, ' \
        '{"idiom": "universal", "filename": "b.png", "scale": "3x"}], ' + INFO + "}"
COLOR = '{"colors": [{"idiom": "universal", "color": {"color-space": "srgb", "components": ' \
        '{"red": "%s", "green": "0.5", "blue": "0.25", "alpha": "1.000"}}}], ' + INFO + "}"
VECTOR = '<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8">' \
         '<path d="M0 0h8v8z" fill="#%02x8040"/></svg>'
ALIKE = '{"images": [{"idiom": "universal", "filename": "a.svg"}], ' \
        '"properties": {"preserves-vector-representation": true}, ' + INFO + "}"


def write_plain(folder, form):
    """Writes a picture, a colour, data and a vector; all of them differ in the second form."""
    put(folder, "A.xcassets/Contents.json", "{" + INFO + "}")
    put(folder, "A.xcassets/Star.imageset/Contents.json", IMAGE)
    put(folder, "A.xcassets/Star.imageset/a.png", png(12, 12, form))
    put(folder, "A.xcassets/Star.imageset/b.png", png(18, 18, form))
    put(folder, "A.xcassets/Leaf.colorset/Contents.json", COLOR % (form / 4))


def write_kinds(folder, form):
    """Writes the plain catalogue with data and a vector."""
    write_plain(folder, form)
    put(folder, "A.xcassets/Poem.dataset/Contents.json",
        '{"data": [{"idiom": "universal", "filename": "poem.txt"}], ' + INFO + "}")
    put(folder, "A.xcassets/Poem.dataset/poem.txt", "A line.\n" * (50 * form))
    put(folder, "A.xcassets/Bell.imageset/Contents.json", ALIKE)
    put(folder, "A.xcassets/Bell.imageset/a.svg", VECTOR % (form * 40))


def write_same(folder, form):
    write_plain(folder, 1)


def write_picture(folder, form):
    """Writes the plain catalogue; one picture differs in the second form."""
    if form == 1:
        write_plain(folder, 1)
    else:
        put(folder, "A.xcassets/Star.imageset/a.png", png(12, 12, 2))


def write_linked(folder, form):
    """Writes a catalogue with a picture and a folder behind links."""
    write_plain(folder, form)
    if form == 1:
        os.makedirs(os.path.join(folder, "elsewhere"))
        os.rename(os.path.join(folder, "A.xcassets/Leaf.colorset"), os.path.join(folder, "elsewhere/Leaf.colorset"))
        os.symlink("../elsewhere/Leaf.colorset", os.path.join(folder, "A.xcassets/Leaf.colorset"))
        os.rename(os.path.join(folder, "A.xcassets/Star.imageset/b.png"), os.path.join(folder, "elsewhere/b.png"))
        os.symlink("../../elsewhere/b.png", os.path.join(folder, "A.xcassets/Star.imageset/b.png"))


def write_app(folder, form):
    """Writes the inputs of actool: an icon, an accent colour, a pack of resources."""
    write_plain(folder, form)
    catalog = "A.xcassets/"
    put(folder, catalog + "AccentColor.colorset/Contents.json", COLOR % 0.75)
    put(folder, catalog + "AppIcon.appiconset/Contents.json",
        '{"images": [{"idiom": "iphone", "size": "60x60", "scale": "2x", "filename": "i.png"}], ' + INFO + "}")
    put(folder, catalog + "AppIcon.appiconset/i.png", png(120, 120, form))
    put(folder, catalog + "Levels/Contents.json", '{"properties": {"on-demand-resource-tags": ["one"]}}')
    put(folder, catalog + "Levels/Moon.imageset/Contents.json", IMAGE)
    put(folder, catalog + "Levels/Moon.imageset/a.png", png(10, 10, form))
    put(folder, catalog + "Levels/Moon.imageset/b.png", png(15, 15, form))
    put(folder, "packs.plist", """<plist version="1.0"><array><dict><key>bundle-id</key>
<string>com.example.pack</string><key>tags</key><array><string>one</string></array>
<key>bundle-path</key><string>out/Packs/one.assetpack</string></dict></array></plist>""")


class Command:
    """A command, and the expectations of its runs."""

    def __init__(self, name, line, write_inputs=write_plain, before=(), has_threads=False, codes=(0,), reasons=(),
                 says_what_it_finds=False, variables=None):
        self.name, self.words, self.write_inputs = name, line.split(), write_inputs
        self.before = [words.split() for words in before]
        self.has_threads, self.codes = has_threads, codes
        # A command that is stopped while it works ends by the signal.
        self.codes_at_end = (*codes, -signal.SIGTERM) if self.is_slow else codes
        # The texts that a message may contain instead of the system's reason.
        self.reasons = ["permission is denied", "No such file", *reasons]
        # Whether the output depends on existing files: it differs if the command has run before, or
        # if a file is missing.
        self.says_what_it_finds = says_what_it_finds
        self.variables = variables or {}

    is_slow = is_filled = False
    wanted = None

    def plain(self, text):
        return text

    def error_lines(self, result):
        return [line for line in result.err.split("\n")
                if "error" in line and not line.endswith(("; nothing was written", "; the catalogue cannot be read"))]

    def is_kept(self, name):
        """Returns whether a file belongs to the cache."""
        return name.startswith("kept/")

    def is_entry(self, name):
        """Returns whether a file of the cache has the same bytes after every run; the records of
        runs do not.
        """
        return self.is_kept(name) and re.fullmatch("kept/[0-9a-f]{2}/[0-9a-f]{30}", name) is not None

    def outputs(self, old, new):
        return [name for name in {**old, **new} if not self.is_kept(name)]

    def belongs(self, name, old, new):
        return name in new or self.is_kept(name) and (
            name in old or re.fullmatch("kept/(size|lock|runs/[0-9a-f]{32})", name) is not None)

    def names(self, old, new, inputs):
        """Returns the words that a message may name: files, sets, folders."""
        found = set()
        for name in [*old, *new, *inputs]:
            if not self.is_kept(name):
                found.update(part.split(".")[0] for part in name.split("/"))
        return found - {"in", "Contents"} | {"in/", "out", "standard output", "temporary file"}


    def start(self):
        """Called before each run, when the old files are in their places."""

    def launch(self, tool, folder, variables):
        """Runs the command; returns its status and its output on both streams."""
        process = subprocess.Popen(
            [tool] + self.words, cwd=folder, env=variables, stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        try:
            out, err = process.communicate(timeout=20)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
            raise
        return process.returncode, out.decode(errors="replace"), err.decode(errors="replace")


class Remote(Command):
    """A compilation that shares a cache with other machines. Before each run, the server has no
    pictures, or those that one run has sent; in the second case, runs find the pictures.
    """

    def __init__(self, *given, **more):
        super().__init__(*given, **more)
        self.files, self.known = {}, None
        command = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self):
                content = command.files.get(self.path)
                self.send_response(404 if content is None else 200)
                self.send_header("Content-Length", str(len(content or b"")))
                self.end_headers()
                self.wfile.write(content or b"")

            def do_PUT(self):
                command.files[self.path] = self.rfile.read(int(self.headers["Content-Length"]))
                self.send_response(201)
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, *_):
                pass

        class Server(http.server.ThreadingHTTPServer):
            daemon_threads = True

            def handle_error(self, *_):
                pass

        self.Server, self.Handler, self.server = Server, Handler, None

    def start(self):
        if self.server is None:
            self.server = self.Server(("127.0.0.1", 0), self.Handler)
            threading.Thread(target=self.server.serve_forever, daemon=True).start()
            self.variables["CARVE_REMOTE_CACHE"] = f"http://127.0.0.1:{self.server.server_address[1]}"
        self.files.clear()
        if self.is_filled:
            self.files.update(self.known or {})

    is_filled = False

    def launch(self, tool, folder, variables):
        result = super().launch(tool, folder, variables)
        if self.known is None:
            self.known = dict(self.files)
        return result


class FilledRemote(Remote):
    """A compilation whose server has every picture."""

    is_filled = True


class Lasting(Command):
    """A command that runs until it is stopped: the test waits until the command is ready, changes
    its inputs, expects the command to follow the change, and stops it.
    """

    is_slow = True
    # The number of attempts to write the inputs again if the command reports that it could not read
    # them.
    attempts = 6

    def launch(self, tool, folder, variables):
        inputs = os.path.join(folder, "in")
        self.write_inputs(inputs, 1)
        with open(os.path.join(folder, "said-out"), "wb+") as out, open(os.path.join(folder, "said-err"), "wb+") as err:
            process = subprocess.Popen(
                [tool] + self.words, cwd=folder, env=variables, stdin=subprocess.DEVNULL, stdout=out, stderr=err)

            def said():
                with open(out.name, "rb") as one, open(err.name, "rb") as other:
                    return one.read().decode(errors="replace"), other.read().decode(errors="replace")

            def wait(is_done, seconds):
                end = time.time() + seconds
                while time.time() < end:
                    if process.poll() is not None:
                        return False
                    if is_done():
                        return True
                    time.sleep(0.002)
                return False

            try:
                self.is_followed = False
                if wait(lambda: self.ready in said()[0], 10):
                    self.begin(said()[0])
                    for attempt in range(self.attempts):
                        self.write_inputs(inputs, 2)
                        if wait(lambda: self.follows(folder), 1.5):
                            self.is_followed = True
                            # The command writes a record of its result.
                            time.sleep(0.03)
                            break
                self.ended_itself = process.poll() is not None
                if not self.ended_itself:
                    process.send_signal(signal.SIGTERM)
                code = process.wait(timeout=10)
            finally:
                if process.poll() is None:
                    process.kill()
                    process.wait()
                self.write_inputs(inputs, 2)
            return (code, *said())

    def begin(self, said):
        pass


class Watch(Lasting):
    ready = "watching "

    def follows(self, folder):
        """Returns whether the archive is that of the changed inputs."""
        if self.wanted is None:
            time.sleep(0.5)
            return True
        try:
            with open(os.path.join(folder, "out/a.car"), "rb") as file:
                return file.read() == self.wanted
        except OSError:
            return False

    wanted = None


class Serve(Lasting):
    ready = "interrupt to end"

    def begin(self, said):
        self.address = re.search("http://[0-9.:]+/", said)[0]

    def follows(self, folder):
        """Returns whether the page is that of the changed inputs."""
        try:
            with urllib.request.urlopen(self.address, timeout=1) as answer:
                page = answer.read()
        except OSError:
            return False
        if self.wanted is None:
            time.sleep(1)
            with urllib.request.urlopen(self.address) as answer:
                self.wanted = answer.read()
            return True
        return page == self.wanted

    wanted = None


class BuildStep(Command):
    """actool, which prints all messages in a property list."""

    def error_lines(self, result):
        text = re.sub("<key>com.apple.actool.(warnings|notices)</key>.*?</array>", "", result.out, flags=re.S)
        found = re.findall("<dict>(.*?)</dict>", text.split("compilation-results")[0], flags=re.S)
        return [" ".join(one.split()) for one in found] + Command.error_lines(self, result)


CACHED = " --cache out/kept"
ALL = "compile in/A.xcassets -o out/a.car --swift out/a.swift --c out/a.h --depfile out/a.d --jobs 1"
OBJECTS = ["compile --object in/A.xcassets -o out/a.caro --jobs 1"]
PHONE = " --device iPhone8,1"

COMMANDS = {command.name: command for command in [
    Command("compile-new", ALL, write_kinds),
    Command("compile", ALL, before=[ALL]),
    Command("compile-same", ALL, write_same, before=[ALL]),
    Command("compile-cached", ALL + CACHED, write_kinds),
    Command("compile-remembered", ALL + CACHED, write_same, before=[ALL + CACHED]),
    Command("compile-picture", ALL + CACHED, write_picture, before=[ALL + CACHED]),
    Command("compile-links", ALL + CACHED, write_linked, before=[ALL]),
    Command("compile-thinned", ALL + PHONE, before=[ALL + PHONE]),
    Command("compile-threads", ALL.replace("--jobs 1", "--jobs 2"), write_kinds, before=[ALL], has_threads=True),
    Command("object", OBJECTS[0], before=OBJECTS),
    Command("link", "link out/a.caro -o out/a.car --swift out/a.swift --depfile out/a.d",
            write_same, before=OBJECTS),
    Command("thin", "thin out/a.car -o out/b.car" + PHONE, write_same, before=["compile in/A.xcassets -o out/a.car"]),
    Command("thin-all", "thin out/a.car --all-devices -o out/all", write_same,
            before=["compile in/A.xcassets -o out/a.car"]),
    BuildStep("actool", "actool in/A.xcassets --compile out --platform iphoneos --minimum-deployment-target 15.0 "
              "--app-icon AppIcon --accent-color AccentColor --target-device iphone "
              "--output-partial-info-plist out/info.plist --export-dependency-info out/dependencies "
              "--enable-on-demand-resources YES --asset-pack-output-specifications in/packs.plist",
              write_app, variables={"CARVE_CACHE": "out/kept"}),
    BuildStep("actool-symbols", "actool in/A.xcassets --compile out --platform iphoneos --target-device iphone "
              "--minimum-deployment-target 15.0 --generate-swift-asset-symbols out/a.swift "
              "--bundle-identifier com.example.app", write_app),
    Command("preview", "preview in/A.xcassets -o out/page.html --devices iPhone8,1", before=[
        "preview in/A.xcassets -o out/page.html --devices iPhone8,1"]),
    Command("preview-change", "preview out/a.car in/A.xcassets -o out/page.html --devices iPhone8,1 "
            "--png out/pictures", before=["compile in/A.xcassets -o out/a.car"]),
    # A lock that cannot be had (EAGAIN) is the folder of another run.
    Command("extract", "extract out/a.car -o out/files", write_same, before=["compile in/A.xcassets -o out/a.car"],
            reasons=["Device or resource busy"]),
    Command("edit", "edit out/a.car --add in/A.xcassets -o out/b.car --index", write_same,
            before=["compile in/A.xcassets -o out/a.car --no-index"]),
    Command("info", "info out/a.car", write_same, before=["compile in/A.xcassets -o out/a.car"]),
    Remote("compile-remote", ALL + CACHED, write_plain),
    FilledRemote("compile-shared", ALL + CACHED, write_plain),
    Watch("watch", "compile in/A.xcassets -o out/a.car --jobs 1 --watch" + CACHED,
          before=["compile in/A.xcassets -o out/a.car --jobs 1" + CACHED]),
    Serve("serve", "preview --serve in/A.xcassets --devices iPhone8,1"),
    Command("cache-verify", "cache --verify" + CACHED, write_same, before=[ALL + CACHED], says_what_it_finds=True),
    Command("cache-clear", "cache --clear" + CACHED, write_same, before=[ALL + CACHED], says_what_it_finds=True),
]}
