// An editor for tests: a server over files in memory, and the values that it answers.

import Bytes
import CatalogCompiler
import CatalogModel
import Documents
import Host
import Synchronization

@testable import LanguageServer

/// Files in memory that can change while a server reads them.
final class ChangingFiles: Sendable {
  private let files: Mutex<[ByteString: MemoryFile]>
  private let reads = Mutex<[ByteString]>([])

  init(_ files: [ByteString: MemoryFile]) { self.files = Mutex(files) }

  subscript(path: ByteString) -> MemoryFile? {
    get { files.withLock { $0[path] } }
    set { files.withLock { $0[path] = newValue } }
  }

  private var now: FileTree { .memory(files.withLock { $0 }) }

  /// The paths of all calls since the last look.
  func takeReads() -> Set<ByteString> {
    reads.withLock { reads in
      defer { reads = [] }
      return Set(reads)
    }
  }

  var tree: FileTree {
    FileTree(
      list: { (path) throws(FileError) in try self.now.list(path) },
      status: { (path) throws(FileError) in try self.now.status(path) },
      read: { (path, limit) throws(FileError) in try self.now.read(path, limit) },
      readPart: { (path, offset, count) throws(FileError) in
        try self.now.readPart(path, offset, count)
      },
      realPath: { (path) throws(FileError) in try self.now.realPath(path) }
    ).observed { path, _ in self.reads.withLock { $0.append(path) } }
  }
}

struct TestEditor {
  let files: ChangingFiles
  private var server: LanguageServer
  private var number = 0
  /// The codes of the findings that were published, by file.
  private(set) var codes: [ByteString: [String]] = [:]
  /// The texts that were shown to the user.
  private(set) var shown: [String] = []

  init(_ files: [ByteString: MemoryFile], pages: PageAddress = .manual) {
    self.files = ChangingFiles(files)
    var surroundings = ServerSurroundings(
      tree: self.files.tree, platforms: ["iphoneos"], target: TestEditor.target)
    surroundings.pages = pages
    server = LanguageServer(in: surroundings, version: "1")
    _ = request(
      "initialize",
      [
        "capabilities": [
          "general": ["positionEncodings": ["utf-8"]],
          "workspace": [
            "workspaceEdit": ["documentChanges": true, "resourceOperations": ["rename"]]
          ],
        ], "rootUri": "file:///w",
      ])
  }

  @Sendable static func target(_: FoundSettings?) -> Result<CatalogTarget, SettingsError> {
    var options = LintOptions()
    options.jobs = 1
    return .success(
      CatalogTarget(options: options, targets: [CompileTarget(platform: .iOS)], icons: .all))
  }

  /// Returns the result of a request, or the number of its error.
  mutating func request(_ method: String, _ params: JSONOutput) -> JSONValue {
    let answer = answer(method, params)
    return answer["result"] ?? answer["error"]?["code"] ?? .null
  }

  /// Returns the answer to a request.
  mutating func answer(_ method: String, _ params: JSONOutput) -> JSONValue {
    number += 1
    let message: JSONOutput = [
      "id": .integer(number), "method": .string(method), "params": params,
    ]
    let answers = server.answer(Message(Array(message.line.utf8)))
    return (try? parseJSON(Array((answers.first ?? .null).line.utf8))) ?? .null
  }

  mutating func note(_ method: String, _ params: JSONOutput) {
    let message: JSONOutput = ["method": .string(method), "params": params]
    _ = server.answer(Message(Array(message.line.utf8)))
  }

  mutating func open(_ path: ByteString, _ text: String, version: Int = 1) {
    note(
      "textDocument/didOpen",
      [
        "textDocument": [
          "uri": .string(address(of: path)), "text": .string(text), "version": .integer(version),
        ]
      ])
  }

  mutating func change(_ path: ByteString, _ text: String) {
    note(
      "textDocument/didChange",
      [
        "textDocument": ["uri": .string(address(of: path))],
        "contentChanges": [["text": .string(text)]],
      ])
  }

  mutating func noteChange(of path: ByteString) {
    note(
      "workspace/didChangeWatchedFiles", ["changes": [["uri": .string(address(of: path))]]])
  }

  mutating func publish() { take(server.publish()) }

  mutating func settle() {
    publish()
    if server.isUnsettled { take(server.settle()) }
  }

  private mutating func take(_ messages: [JSONOutput]) {
    for message in messages {
      let value = try? parseJSON(Array(message.line.utf8))
      if value?.text("method") == "window/showMessage", let text = value?["params"]?.text("message")
      {
        shown.append(text)
      }
      guard let value, let file = path(of: value["params"]?.name("uri"))
      else { continue }
      codes[file] = value["params"]?.list("diagnostics").compactMap { $0.text("code") }.sorted()
    }
  }
}
