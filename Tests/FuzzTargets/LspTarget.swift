// Gives any bytes to the language server: as its whole input, and as the text of a document about
// which everything is asked.

import Bytes
import CatalogCompiler
import CatalogModel
import Documents
import Host
import LanguageServer

extension FuzzTarget {
  /// Reads the input of a server that has a small catalogue, until its end.
  static let lsp = FuzzTarget("lsp", bound: CostBound(time: 20_000_000, timePerByte: 40)) { bytes in
    let files: [ByteString: MemoryFile] = [
      "/w/A.xcassets/Contents.json": .bytes(Array("{}".utf8)),
      "/w/A.xcassets/Star.imageset/Contents.json": .bytes(Array("{}".utf8)),
      "/w/A.xcassets/Star.imageset/star.png": .sparse(size: 100),
    ]
    let surroundings = ServerSurroundings(tree: .memory(files), platforms: ["iphoneos"]) { _ in
      var options = LintOptions()
      options.jobs = 1
      return .success(CatalogTarget(options: options, targets: [], icons: .all))
    }
    // An input that begins with a header is a session. Other bytes are the text of a document.
    let isSession = bytes.starts(with: "Content-Length".utf8)
    var server = LanguageServer(in: surroundings, version: "1")
    var reader = MessageReader()
    if isSession {
      reader.add(bytes)
    } else {
      for message in session(about: String(decoding: bytes, as: UTF8.self)) {
        reader.add(framed(message))
      }
    }
    var inbox = Inbox()
    while server.exitStatus == nil {
      if case .message(let body) = reader.next() {
        if let answer = inbox.add(body) { _ = framed(answer) }
      } else if inbox.isEmpty {
        break
      }
      while let message = inbox.next() {
        for answer in server.answer(message) { _ = framed(answer) }
      }
      for message in server.publish() + server.settle() { _ = framed(message) }
    }
  }

  /// Returns messages that open a text in place of a Contents.json and ask everything about it.
  private static func session(about text: String) -> [JSONOutput] {
    let uri: JSONOutput = "file:///w/A.xcassets/Star.imageset/Contents.json"
    var number = 0
    func request(_ method: String, _ params: JSONOutput) -> JSONOutput {
      number += 1
      return ["id": .integer(number), "method": .string(method), "params": params]
    }
    let middle = text.utf8.count / 2
    let lines = text.utf8.prefix(middle).count { $0 == 10 }
    let place: JSONOutput = ["line": .integer(lines), "character": 7]
    let document: JSONOutput = ["uri": uri]
    let there: JSONOutput = ["textDocument": document, "position": place]
    let edit: JSONOutput = ["documentChanges": true, "resourceOperations": ["rename"]]
    let abilities: JSONOutput = ["workspace": ["workspaceEdit": edit]]
    let start = request("initialize", ["capabilities": abilities, "rootUri": "file:///w"])
    let opened: JSONOutput = [
      "method": "textDocument/didOpen",
      "params": ["textDocument": ["uri": uri, "text": .string(text)]],
    ]
    let range: JSONOutput = ["start": place, "end": place]
    let change: JSONOutput = ["range": range, "text": "\""]
    let changed: JSONOutput = [
      "method": "textDocument/didChange",
      "params": ["textDocument": document, "contentChanges": [change]],
    ]
    let asked = [
      "completion", "hover", "definition", "documentLink", "documentSymbol", "formatting",
      "diagnostic", "prepareRename",
    ].map { request("textDocument/\($0)", there) }
    let actions = request("textDocument/codeAction", ["textDocument": document, "range": range])
    let renamed = request(
      "textDocument/rename", ["textDocument": document, "position": place, "newName": "Comet"])
    return [start, opened] + asked + [actions, renamed, changed] + asked
  }
}
