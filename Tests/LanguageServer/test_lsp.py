#!/usr/bin/env python3
"""Talks to `carve lsp` through pygls, a library for clients and servers of the Language Server
Protocol, and sends broken messages by hand.

usage: test_lsp.py TOOL
"""
import asyncio
import json
import os
import pathlib
import struct
import subprocess
import sys
import tempfile
import unittest
import zlib

from lsprotocol import types
from pygls.lsp.client import LanguageClient

TOOL = ""


def png(side):
    """Returns a PNG with alpha."""
    def chunk(kind, body):
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))
    rows = b"".join(b"\0" + bytes([side, x & 255, 0, 255]) * side for x in range(side))
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", side, side, 8, 6, 0, 0, 0))
            + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))


INFO = '"info" : { "author" : "xcode", "version" : 1 }'

STAR = """{
  "images" : [
    {
      "filename" : "star@2x.png",
      "idiom" : "universal",
      "scale" : "2x"
    },
    {
      "filename" : "gone.png",
      "idiom" : "univresal",
      "scale" : "3x"
    }
  ],
  %s
}
""" % INFO


class Workspace:
    """A folder with catalogues and sources."""

    def __init__(self):
        self.place = tempfile.TemporaryDirectory()
        self.root = pathlib.Path(self.place.name).resolve()

    def write(self, path, content):
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        if isinstance(content, str):
            content = content.encode()
        file.write_bytes(content)
        return file

    def fill(self):
        self.write("App/A.xcassets/Contents.json", "{ %s }\n" % INFO)
        self.write("App/A.xcassets/Star.imageset/Contents.json", STAR)
        self.write("App/A.xcassets/Star.imageset/star@2x.png", png(8))
        self.write("App/A.xcassets/Star.imageset/star@3x.png", png(12))
        self.write(
            "App/A.xcassets/Brand.colorset/Contents.json",
            '{ "colors" : [ { "idiom" : "universal", "color" : { "color-space" : "srgb", '
            '"components" : { "red" : "1.0", "green" : "0.5", "blue" : "0.0", "alpha" : "1.0" } } }'
            ' ], %s }\n' % INFO)
        self.write(
            "App/View.swift",
            'let a = Image("Star")\nlet b = Color(.brand).opacity(0.5)\n'
            'let c = Image(systemName: "Star")\n')
        return self


class Client(LanguageClient):
    """A client that keeps the findings of each file."""

    def __init__(self):
        super().__init__("test", "1")
        self.findings = {}
        self.news = asyncio.Condition()
        self.requests = []

        @self.feature(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
        async def published(params):
            async with self.news:
                self.findings[params.uri] = params.diagnostics
                self.news.notify_all()

        @self.feature(types.CLIENT_REGISTER_CAPABILITY)
        def register(params):
            self.requests.append(params)

        @self.feature(types.WINDOW_SHOW_MESSAGE)
        def show(params):
            self.requests.append(params)

    async def until(self, uri, condition):
        """Waits for findings about a file."""
        async def wait():
            async with self.news:
                await self.news.wait_for(lambda: uri in self.findings and condition(
                    {finding.code for finding in self.findings[uri]}))
        try:
            await asyncio.wait_for(wait(), 60)
        except asyncio.TimeoutError:
            raise AssertionError(f"{uri}: {self.findings.get(uri)}") from None


def applied(text, edits):
    """Returns a text after edits of the protocol. The texts of the tests are in ASCII."""
    lines = [0]
    for place, character in enumerate(text):
        if character == "\n":
            lines.append(place + 1)
    for edit in sorted(edits, key=lambda e: (e.range.start.line, e.range.start.character), reverse=True):
        start = lines[edit.range.start.line] + edit.range.start.character
        end = lines[edit.range.end.line] + edit.range.end.character
        text = text[:start] + edit.new_text + text[end:]
    return text


class Session(unittest.IsolatedAsyncioTestCase):
    abilities = types.ClientCapabilities(
        workspace=types.WorkspaceClientCapabilities(
            did_change_watched_files=types.DidChangeWatchedFilesClientCapabilities(
                dynamic_registration=True),
            workspace_edit=types.WorkspaceEditClientCapabilities(
                document_changes=True,
                resource_operations=[types.ResourceOperationKind.Rename])))

    async def asyncSetUp(self):
        self.workspace = Workspace().fill()
        self.client = Client()
        await self.client.start_io(TOOL, "lsp")
        self.answer = await self.client.initialize_async(types.InitializeParams(
            capabilities=self.abilities, process_id=os.getpid(),
            root_uri=self.workspace.root.as_uri(),
            workspace_folders=[types.WorkspaceFolder(self.workspace.root.as_uri(), "test")]))
        self.client.initialized(types.InitializedParams())

    async def asyncTearDown(self):
        await self.client.shutdown_async(None)
        self.client.exit(None)
        await self.client.stop()
        self.assertEqual(self.client._server.returncode, 0)
        self.workspace.place.cleanup()

    # Helpers

    def uri(self, path="App/A.xcassets/Star.imageset/Contents.json"):
        return (self.workspace.root / path).as_uri()

    def document(self, path="App/A.xcassets/Star.imageset/Contents.json"):
        return types.TextDocumentIdentifier(self.uri(path))

    def open(self, path="App/A.xcassets/Star.imageset/Contents.json", text=None, language="json"):
        file = self.workspace.root / path
        if text is None:
            text = file.read_text()
        self.text = text
        self.client.text_document_did_open(types.DidOpenTextDocumentParams(
            types.TextDocumentItem(file.as_uri(), language, 1, text)))
        return file.as_uri()

    def position(self, part, after=True, text=None):
        """Returns the position behind (or before) the first occurrence of a text."""
        text = self.text if text is None else text
        place = text.index(part) + (len(part) if after else 0)
        before = text[:place]
        return types.Position(before.count("\n"), place - (before.rfind("\n") + 1))

    def replace(self, old, new, path="App/A.xcassets/Star.imageset/Contents.json"):
        """Changes the first occurrence of a text, as an editor does."""
        change = types.TextDocumentContentChangePartial(
            range=types.Range(self.position(old, after=False), self.position(old)), text=new)
        self.text = self.text.replace(old, new, 1)
        self.client.text_document_did_change(types.DidChangeTextDocumentParams(
            types.VersionedTextDocumentIdentifier(uri=self.uri(path), version=2), [change]))

    async def labels(self, position, path="App/A.xcassets/Star.imageset/Contents.json"):
        items = await self.client.text_document_completion_async(
            types.CompletionParams(self.document(path), position))
        return {item.label: item for item in items}

    async def actions(self, part, path="App/A.xcassets/Star.imageset/Contents.json"):
        place = types.Range(self.position(part), self.position(part))
        found = await self.client.text_document_code_action_async(types.CodeActionParams(
            self.document(path), place, types.CodeActionContext([])))
        return {action.title: action for action in found}

    def after(self, action, path="App/A.xcassets/Star.imageset/Contents.json"):
        return applied(self.text, action.edit.changes[self.uri(path)])

    # Tests

    async def test_abilities(self):
        abilities = self.answer.capabilities
        self.assertEqual(abilities.text_document_sync.change, types.TextDocumentSyncKind.Incremental)
        self.assertTrue(abilities.hover_provider)
        self.assertEqual(self.answer.server_info.name, "carve")
        await self.labels(types.Position(0, 0))
        self.assertEqual(self.client.requests[0].registrations[0].method,
                         "workspace/didChangeWatchedFiles")

    async def test_findings_follow_the_text(self):
        uri = self.open()
        await self.client.until(uri, lambda codes: "misspelled-value" in codes or "unknown-value" in codes)
        await self.client.until(uri, lambda codes: "missing-file" in codes)
        self.replace("univresal", "universal")
        await self.client.until(uri, lambda codes: not codes & {"misspelled-value", "unknown-value"})
        self.replace("gone.png", "star@3x.png")
        await self.client.until(uri, lambda codes: not codes)
        # Half typed texts have a finding, and none of the others.
        self.replace('"scale" : "3x"', '"scale" : "3x')
        await self.client.until(uri, lambda codes: codes == {"json-syntax"})
        self.replace('"scale" : "3x', '"scale" : "3x"')
        await self.client.until(uri, lambda codes: not codes)

    async def test_findings_are_those_of_lint(self):
        uri = self.open()
        report = await self.client.text_document_diagnostic_async(
            types.DocumentDiagnosticParams(self.document()))
        lint = subprocess.run(
            [TOOL, "lint", "--diagnostics", "json", str(self.workspace.root / "App/A.xcassets")],
            capture_output=True, text=True, check=False)
        expected = json.loads(lint.stdout)["diagnostics"]
        file = str(self.workspace.root / "App/A.xcassets/Star.imageset/Contents.json")
        self.assertEqual(
            sorted(item.code for item in report.items),
            sorted(item["code"] for item in expected if item["file"] == file))
        self.assertTrue(report.items)

    async def test_findings_of_other_files(self):
        """A duplicate name in another group shows up, and goes with its folder."""
        uri = self.open()
        await self.client.until(uri, lambda codes: bool(codes) and "name-clash" not in codes)
        copy = "App/A.xcassets/Group/Star.imageset/Contents.json"
        self.workspace.write(copy, STAR)
        changes = [types.FileEvent(self.uri(copy), types.FileChangeType.Created)]
        self.client.workspace_did_change_watched_files(types.DidChangeWatchedFilesParams(changes))
        await self.client.until(uri, lambda codes: "name-clash" in codes)
        await self.client.until(self.uri(copy), lambda codes: "missing-file" in codes)
        clash = next(item for item in self.client.findings[uri] if item.code == "name-clash")
        self.assertEqual(clash.related_information[0].location.uri, self.uri(copy))
        (self.workspace.root / copy).unlink()
        (self.workspace.root / copy).parent.rmdir()
        changes = [types.FileEvent(self.uri(copy), types.FileChangeType.Deleted)]
        self.client.workspace_did_change_watched_files(types.DidChangeWatchedFilesParams(changes))
        await self.client.until(uri, lambda codes: "name-clash" not in codes)
        await self.client.until(self.uri(copy), lambda codes: not codes)

    async def test_settings(self):
        self.workspace.write(
            "App/.carve.json", '{ "severities" : { "missing-file" : "error", "unassigned-file" : "off" } }')
        uri = self.open()
        await self.client.until(uri, lambda codes: "missing-file" in codes)
        severities = {item.code: item.severity for item in self.client.findings[uri]}
        self.assertEqual(severities["missing-file"], types.DiagnosticSeverity.Error)

    async def test_completion(self):
        self.open()
        inside = self.position('"filename" : "star@2x.png",')
        keys = await self.labels(inside)
        self.assertIn('"appearances"', keys)
        self.assertNotIn('"filename"', keys)
        self.assertIn("appearance", keys['"appearances"'].documentation)
        words = await self.labels(self.position('"idiom" : "uni'))
        self.assertIn('"watch-marketing"', words)
        files = await self.labels(self.position('"filename" : "gone'))
        self.assertEqual(list(files), ['"star@3x.png"'])
        chosen = applied(self.text, [files['"star@3x.png"'].text_edit])
        self.assertEqual(json.loads(chosen)["images"][1]["filename"], "star@3x.png")
        # A key that is half typed, at the end of a broken text.
        broken = self.text[:self.text.index('"idiom" : "univresal"')] + '"dis'
        self.open(text=broken)
        keys = await self.labels(self.position('"dis'))
        self.assertIn('"display-gamut"', keys)
        self.assertTrue(
            applied(broken, [keys['"display-gamut"'].text_edit]).endswith('"display-gamut" : '))

    async def test_hover(self):
        self.open()
        async def hover(part):
            answer = await self.client.text_document_hover_async(
                types.HoverParams(self.document(), self.position(part)))
            return answer.contents.value if answer else None
        self.assertIn("kind of device", await hover('"idi'))
        picture = await hover('"star@2')
        self.assertIn("PNG, 8×8 pixels, with alpha", picture)
        self.assertRegex(picture, r"in an archive [0-9,]+ bytes; shown on every iPhone, every iPad")
        self.assertIn("star%402x.png)", picture)
        self.assertIn("not in the folder", await hover('"gone'))
        self.assertIsNone(await hover("{"))

    async def test_actions(self):
        self.open()
        spelled = await self.actions('"univres')
        mended = next((a for t, a in spelled.items() if "universal" in t), None)
        if mended:
            self.assertEqual(json.loads(self.after(mended))["images"][1]["idiom"], "universal")
        text = STAR.replace('      "filename" : "gone.png",\n', "").replace("univresal", "universal")
        self.open(text=text)
        found = await self.actions('"scale" : "3')
        mended = self.after(found['Assign "star@3x.png"'])
        self.assertEqual(mended, text.replace(
            '"idiom" : "universal",\n      "scale" : "3x"',
            '"filename" : "star@3x.png",\n      "idiom" : "universal",\n      "scale" : "3x"'))
        # Without the entry, the file gets a new one, and the missing slot is offered.
        text = """{
  "images" : [
    {
      "filename" : "star@2x.png",
      "idiom" : "universal",
      "scale" : "2x"
    }
  ],
  %s
}
""" % INFO
        self.open(text=text)
        found = await self.actions('"scale" : "2')
        entry = """,
    {
      "filename" : "star@3x.png",
      "idiom" : "universal",
      "scale" : "3x"
    }
  ]"""
        self.assertEqual(
            self.after(found['Add an entry for "star@3x.png"']),
            text.replace("\n  ]", entry))
        self.assertEqual(
            self.after(found["Add the missing slot for 3x"]),
            text.replace("\n  ]", entry.replace('      "filename" : "star@3x.png",\n', "")))

    async def test_links_and_definition(self):
        self.open()
        picture = self.uri("App/A.xcassets/Star.imageset/star@2x.png").replace("%40", "@")
        links = await self.client.text_document_document_link_async(
            types.DocumentLinkParams(self.document()))
        self.assertEqual([link.target.replace("%40", "@") for link in links], [picture.replace("%40", "@")])
        place = await self.client.text_document_definition_async(
            types.DefinitionParams(self.document(), self.position('"star@2')))
        self.assertEqual(place.uri.replace("%40", "@"), picture)

    async def test_symbols(self):
        self.open()
        outline = await self.client.text_document_document_symbol_async(
            types.DocumentSymbolParams(self.document()))
        self.assertEqual([symbol.name for symbol in outline], ["images", "info"])
        self.assertEqual(outline[0].children[0].name, "star@2x.png, universal, 2x")
        found = await self.client.workspace_symbol_async(types.WorkspaceSymbolParams("bra"))
        self.assertEqual([(symbol.name, symbol.container_name) for symbol in found],
                         [("Brand", "colorset")])

    async def test_formatting(self):
        path = "App/A.xcassets/Brand.colorset/Contents.json"
        self.open(path)
        edits = await self.client.text_document_formatting_async(types.DocumentFormattingParams(
            self.document(path), types.FormattingOptions(2, True)))
        subprocess.run([TOOL, "lint", "--fix=format", str(self.workspace.root / "App/A.xcassets")],
                       capture_output=True, check=False)
        self.assertEqual(
            applied(self.text, edits), (self.workspace.root / path).read_text())

    async def test_sources(self):
        path = "App/View.swift"
        self.open(path, language="swift")
        async def definition(part):
            found = await self.client.text_document_definition_async(
                types.DefinitionParams(self.document(path), self.position(part)))
            return [place.uri for place in found]
        self.assertEqual(await definition('Image("St'), [self.uri()])
        self.assertEqual(
            await definition("Color(.br"), [self.uri("App/A.xcassets/Brand.colorset/Contents.json")])
        self.assertEqual(await definition('systemName: "St'), [])
        self.assertEqual(await definition("opac"), [])
        hover = await self.client.text_document_hover_async(
            types.HoverParams(self.document(path), self.position("Color(.br")))
        self.assertIn("#FF8000", hover.contents.value)
        # The words of the source that is not saved count.
        self.replace('Image("Star")', 'UIColor(named: "Brand")', path)
        self.assertEqual(
            await definition('"Bra'), [self.uri("App/A.xcassets/Brand.colorset/Contents.json")])

    async def test_rename(self):
        self.open()
        offered = await self.client.text_document_prepare_rename_async(
            types.PrepareRenameParams(self.document(), self.position('"idi')))
        self.assertEqual(offered.placeholder, "Star")
        answer = await self.client.text_document_rename_async(
            types.RenameParams(self.document(), self.position('"idi'), "Comet"))
        edit, move = answer.document_changes
        self.assertEqual(edit.text_document.uri, self.uri("App/View.swift"))
        source = (self.workspace.root / "App/View.swift").read_text()
        self.assertEqual(applied(source, edit.edits), source.replace('Image("Star")', 'Image("Comet")'))
        self.assertEqual(move.kind, "rename")
        self.assertTrue(move.new_uri.endswith("/A.xcassets/Comet.imageset"))
        with self.assertRaisesRegex(Exception, "exists already|cannot be the name"):
            await self.client.text_document_rename_async(
                types.RenameParams(self.document(), self.position('"idi'), "a/b"))

    async def test_rename_of_a_constant(self):
        path = "App/View.swift"
        self.open(path, language="swift")
        answer = await self.client.text_document_rename_async(
            types.RenameParams(self.document(path), self.position("Color(.br"), "Accent"))
        edit, move = answer.document_changes
        self.assertEqual(
            applied(self.text, edit.edits), self.text.replace(".brand", ".accent"))
        self.assertTrue(move.new_uri.endswith("/A.xcassets/Accent.colorset"))

    async def test_vanished_files(self):
        uri = self.open()
        file = self.workspace.root / "App/A.xcassets/Star.imageset/star@2x.png"
        file.unlink()
        self.client.text_document_did_save(types.DidSaveTextDocumentParams(self.document()))
        await self.client.until(uri, lambda codes: "missing-file" in codes)
        for entry in sorted(self.workspace.root.rglob("*"), reverse=True):
            entry.unlink() if entry.is_file() else entry.rmdir()
        for _ in range(2):
            self.client.text_document_did_close(types.DidCloseTextDocumentParams(self.document()))
        with self.assertRaisesRegex(Exception, "No such file or directory"):
            await self.client.text_document_hover_async(
                types.HoverParams(self.document(), types.Position(0, 0)))


class Raw(unittest.TestCase):
    """Messages that no library sends."""

    def setUp(self):
        self.server = subprocess.Popen([TOOL, "lsp"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                       stderr=subprocess.PIPE)

    def tearDown(self):
        self.server.kill()
        self.server.communicate()

    def send(self, body):
        if not isinstance(body, bytes):
            body = json.dumps(body).encode()
        self.server.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        self.server.stdin.flush()

    def receive(self):
        length = 0
        while True:
            line = self.server.stdout.readline().strip()
            if not line:
                break
            length = int(line.split(b":")[1])
        return json.loads(self.server.stdout.read(length))

    def request(self, number, method, params=None):
        self.send({"jsonrpc": "2.0", "id": number, "method": method, "params": params or {}})

    def start(self):
        self.request(0, "initialize", {"capabilities": {}})
        self.assertIn("capabilities", self.receive()["result"])

    def code(self):
        return self.receive()["error"]["code"]

    def test_order(self):
        self.request(1, "textDocument/hover")
        self.assertEqual(self.code(), -32002)
        self.start()
        self.request(2, "initialize")
        self.assertEqual(self.code(), -32600)
        self.request(3, "shutdown")
        self.assertEqual(self.receive(), {"jsonrpc": "2.0", "id": 3, "result": None})
        self.request(4, "workspace/symbol", {"query": ""})
        self.assertEqual(self.code(), -32600)
        self.send({"jsonrpc": "2.0", "method": "exit"})
        self.assertEqual(self.server.wait(), 0)

    def test_end_without_shutdown(self):
        self.start()
        self.server.stdin.close()
        self.assertEqual(self.server.wait(), 1)
        self.server.stdin = None

    def test_broken_messages(self):
        self.send(b"{")
        self.assertEqual(self.code(), -32700)
        self.send([1])
        self.assertEqual(self.code(), -32600)
        self.send({"jsonrpc": "2.0", "id": None, "method": "initialize"})
        self.assertEqual(self.code(), -32600)
        self.send(b"[" * 100000)
        self.assertEqual(self.code(), -32700)
        self.start()
        self.request("a", "no/such")
        self.assertEqual(self.receive()["id"], "a")
        self.request(1, "textDocument/hover", {"textDocument": {"uri": "untitled:1"}})
        self.assertEqual(self.code(), -32602)
        self.send({"jsonrpc": "2.0", "method": "textDocument/didClose", "params": 7})
        self.send({"jsonrpc": "2.0", "id": 9, "result": 1})
        self.request(2, "workspace/symbol", {"query": "x"})
        self.assertEqual(self.receive()["result"], [])

    def test_large_messages(self):
        self.start()
        self.send(b" " * (40 << 20))
        self.assertEqual(self.code(), -32600)
        self.request(1, "workspace/symbol", {"query": "x"})
        self.assertEqual(self.receive()["id"], 1)
        self.server.stdin.write(b"x" * 10000)
        self.server.stdin.flush()
        self.assertEqual(self.server.wait(), 1)

    def test_cancelled_requests(self):
        self.start()
        bodies = [{"jsonrpc": "2.0", "id": n, "method": "workspace/symbol", "params": {"query": "x"}}
                  for n in range(1, 4)]
        bodies.append({"jsonrpc": "2.0", "method": "$/cancelRequest", "params": {"id": 2}})
        bodies.append({"jsonrpc": "2.0", "method": "$/cancelRequest", "params": {"id": 77}})
        texts = [json.dumps(body).encode() for body in bodies]
        self.server.stdin.write(
            b"".join(b"Content-Length: %d\r\n\r\n" % len(text) + text for text in texts))
        self.server.stdin.flush()
        answers = [self.receive() for _ in range(3)]
        codes = {answer["id"]: answer.get("error", {}).get("code") for answer in answers}
        self.assertEqual(codes, {1: None, 2: -32800, 3: None})


if __name__ == "__main__":
    TOOL = os.path.realpath(sys.argv.pop(1))
    unittest.main(verbosity=1)
