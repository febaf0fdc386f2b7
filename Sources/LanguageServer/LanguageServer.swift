// The language server: answers the messages of an editor, one after the other. The caller reads
// them (MessageReader, Inbox) and asks for findings if no message waits, so that nothing grows
// without bound.

import Bytes
import CatalogModel
import Documents
import Host

package struct LanguageServer {
  var workspace: Workspace
  private let version: String
  private var state = State.created
  /// The abilities of the editor.
  private(set) var editor = EditorAbilities()
  /// The findings that the editor knows, by the folder of their catalogues and by their file.
  private var published: [ByteString: [ByteString: [Diagnostic]]] = [:]
  /// The exit status, once the editor asked for the end.
  package private(set) var exitStatus: Int32?

  private enum State { case created, initialized, shutDown }

  /// The greatest size of a text, and of all open texts together.
  private static let mostTextBytes = 64 << 20
  private static let mostTextBytesTogether = 256 << 20
  /// The greatest number of files with published findings, for each folder of catalogues.
  private static let mostPublished = 2000

  package init(in surroundings: ServerSurroundings, version: String) {
    workspace = Workspace(surroundings)
    self.version = version
  }

  /// The answer to a message that is too large to be read.
  package static let tooLarge = failure(
    .null, RequestError(.invalidRequest, "the message is too large"))

  /// Answers a message.
  package mutating func answer(_ message: Message) -> [JSONOutput] {
    switch message {
    case .invalid(let answer): return [answer]
    case .response: return []
    case .notification(let method, let params): return note(method, params)
    case .request(let id, let method, let params):
      do throws(RequestError) { return [response(id, try result(method, params))] } catch {
        return [failure(id, error)]
      }
    }
  }

  // MARK: Notifications

  private mutating func note(_ method: String, _ params: JSONValue) -> [JSONOutput] {
    if method == "exit" { exitStatus = state == .shutDown ? 0 : 1 }
    guard state == .initialized else { return [] }
    switch method {
    case "initialized": return editor.registersWatches ? [watchRequest] : []
    case "textDocument/didOpen":
      guard let path = documentPath(params), let text = params["textDocument"]?.name("text") else {
        return []
      }
      defer { noteVersion(params, of: path) }
      return open(path, text.bytes)
    case "textDocument/didChange":
      guard let path = documentPath(params), let old = workspace.texts[path] else { return [] }
      let text = changed(
        old, by: params.list("contentChanges"), countsBytes: editor.countsBytes,
        limit: LanguageServer.mostTextBytes)
      guard let text, fits(text, at: path) else { return refuse(path) }
      workspace.texts[path] = text
      noteVersion(params, of: path)
      workspace.change(path)
    case "textDocument/didSave":
      if let path = documentPath(params) { workspace.refresh([path]) }
    case "textDocument/didClose":
      guard let path = documentPath(params), workspace.texts[path] != nil else { return [] }
      workspace.texts[path] = nil
      workspace.refresh([path])
    case "workspace/didChangeWatchedFiles":
      workspace.refresh(params.list("changes").compactMap { path(of: $0.name("uri")) })
    case "workspace/didChangeWorkspaceFolders":
      let removed = params["event"]?.list("removed").compactMap { path(of: $0.name("uri")) } ?? []
      let added = params["event"]?.list("added").compactMap { path(of: $0.name("uri")) } ?? []
      workspace.noteFolders(workspace.folders.filter { !removed.contains($0) } + added)
    default: break
    }
    return []
  }

  private mutating func open(_ path: ByteString, _ text: [UInt8]) -> [JSONOutput] {
    guard fits(text, at: path) else { return refuse(path) }
    workspace.texts[path] = text
    // The catalogues of the document are read now, so that their findings are published.
    _ = workspace.state(of: path)
    workspace.refresh([path])
    return []
  }

  private func noteVersion(_ params: JSONValue, of path: ByteString) {
    workspace.texts.note(version: params["textDocument"]?.wholeNumber("version"), of: path)
  }

  private func fits(_ text: [UInt8], at path: ByteString) -> Bool {
    let others = workspace.texts.byteCount - (workspace.texts[path]?.count ?? 0)
    return text.count <= LanguageServer.mostTextBytes
      && others + text.count <= LanguageServer.mostTextBytesTogether
  }

  /// Forgets a document whose text is too large, and says so.
  private mutating func refuse(_ path: ByteString) -> [JSONOutput] {
    workspace.texts[path] = nil
    workspace.refresh([path])
    return [
      warning("\(onOneLine(path)) or its change is too large, and is not followed; reopen it")
    ]
  }

  private func warning(_ text: String) -> JSONOutput {
    notification("window/showMessage", ["type": 2, "message": .string(text)])
  }

  private func documentPath(_ params: JSONValue) -> ByteString? {
    path(of: params["textDocument"]?.name("uri"))
  }

  /// The request that asks the editor to report changes of files.
  private var watchRequest: JSONOutput {
    let patterns = [
      "**/*.xcassets", "**/*.xcassets/**", "**/*.xcstickers", "**/*.xcstickers/**", "**/*.icon",
      "**/*.icon/**", "**/\(ProjectSettings.fileName)",
    ]
    let options: JSONOutput = [
      "watchers": .array(patterns.map { ["globPattern": .string($0)] })
    ]
    return [
      "jsonrpc": "2.0", "id": "carve-watch", "method": "client/registerCapability",
      "params": [
        "registrations": [
          [
            "id": "carve-watch", "method": "workspace/didChangeWatchedFiles",
            "registerOptions": options,
          ]
        ]
      ],
    ]
  }

  // MARK: Requests

  private mutating func result(
    _ method: String, _ params: JSONValue
  ) throws(RequestError) -> JSONOutput {
    if method == "initialize" { return try initialize(params) }
    switch state {
    case .created: throw RequestError(.notInitialized, "the server is not initialized")
    case .shutDown: throw RequestError(.invalidRequest, "the server is shut down")
    case .initialized: break
    }
    switch method {
    case "shutdown":
      state = .shutDown
      return .null
    case "workspace/symbol": return symbols(params)
    case "textDocument/diagnostic": return try report(params)
    case "textDocument/completion": return try completion(params)
    case "textDocument/hover": return try hover(params)
    case "textDocument/definition": return try definition(params)
    case "textDocument/codeAction": return try actions(params)
    case "textDocument/prepareRename": return try prepareRename(params)
    case "textDocument/rename": return try rename(params)
    case "textDocument/documentLink": return try document(params).links
    case "textDocument/documentSymbol": return try document(params).symbols
    case "textDocument/formatting": return try document(params).formatting
    default:
      throw RequestError(.methodNotFound, "there is no method \(quoted(method))")
    }
  }

  private mutating func initialize(_ params: JSONValue) throws(RequestError) -> JSONOutput {
    guard state == .created else {
      throw RequestError(.invalidRequest, "the server is initialized already")
    }
    state = .initialized
    editor = EditorAbilities(params["capabilities"])
    var folders = params.list("workspaceFolders").compactMap { path(of: $0.name("uri")) }
    if folders.isEmpty { folders = [path(of: params.name("rootUri"))].compactMap { $0 } }
    workspace.noteFolders(folders)
    let folderSupport: JSONOutput = ["supported": true, "changeNotifications": true]
    let capabilities: JSONOutput = [
      "positionEncoding": editor.countsBytes ? "utf-8" : "utf-16",
      "textDocumentSync": ["openClose": true, "change": 2, "save": true],
      "completionProvider": ["triggerCharacters": ["\"", ":"]],
      "hoverProvider": true, "definitionProvider": true, "documentSymbolProvider": true,
      "workspaceSymbolProvider": true, "documentFormattingProvider": true,
      "documentLinkProvider": ["resolveProvider": false],
      "codeActionProvider": ["codeActionKinds": ["quickfix"]],
      "renameProvider": ["prepareProvider": true],
      "diagnosticProvider": [
        "identifier": "carve", "interFileDependencies": true, "workspaceDiagnostics": false,
      ],
      "workspace": ["workspaceFolders": folderSupport],
    ]
    return [
      "capabilities": capabilities,
      "serverInfo": ["name": "carve", "version": .string(version)],
    ]
  }

  // MARK: Documents

  /// Returns the document that a request names.
  func document(_ params: JSONValue) throws(RequestError) -> Document {
    guard let path = documentPath(params), let kind = DocumentKind(path) else {
      throw RequestError(.invalidParams, "the document is not a Contents.json or icon.json")
    }
    return document(path, kind, try text(path, atMost: FileLimit.contents))
  }

  private func document(
    _ path: ByteString, _ kind: DocumentKind, _ places: TextPlaces
  ) -> Document {
    var document = Document(path: path, kind: kind, places: places, tree: workspace.tree)
    document.pages = workspace.pages
    return document
  }

  /// Returns the source that a request names; nil if it names no source.
  func source(_ params: JSONValue) -> (path: ByteString, language: SourceLanguage)? {
    guard let path = documentPath(params), let language = SourceLanguage(path) else { return nil }
    return (path, language)
  }

  func text(_ path: ByteString, atMost limit: Int) throws(RequestError) -> TextPlaces {
    do throws(FileError) {
      return TextPlaces(
        try workspace.tree.read(path, limit), countsBytes: editor.countsBytes)
    } catch {
      throw RequestError(.requestFailed, "\(onOneLine(path)): \(error.reason)")
    }
  }

  private func completion(_ params: JSONValue) throws(RequestError) -> JSONOutput {
    let document = try document(params)
    return document.completion(at: document.places.offset(params["position"]))
  }

  private mutating func hover(_ params: JSONValue) throws(RequestError) -> JSONOutput {
    if let (path, language) = source(params) { return try sourceHover(params, in: path, language) }
    let document = try document(params)
    return document.hover(at: document.places.offset(params["position"]))
  }

  private mutating func definition(_ params: JSONValue) throws(RequestError) -> JSONOutput {
    if let (path, language) = source(params) {
      return try sourceDefinition(params, in: path, language)
    }
    let document = try document(params)
    let offset = document.places.offset(params["position"])
    if let file = document.definition(at: offset) { return location(file) }
    guard let name = document.colorReference(at: offset) else { return .null }
    let colors = workspace.state(of: document.path)?.contents.assets.filter {
      $0.type == .colorSet && $0.name == name
    }
    return colors?.first.map { location($0.contentsFile) } ?? .null
  }

  func location(_ file: ByteString) -> JSONOutput {
    let start: JSONOutput = ["line": 0, "character": 0]
    return ["uri": .string(address(of: file)), "range": ["start": start, "end": start]]
  }

  private mutating func actions(_ params: JSONValue) throws(RequestError) -> JSONOutput {
    let document = try document(params)
    let folder = parentFolder(document.path)
    let findings = workspace.findings(about: document.path)
    let state = workspace.state(of: document.path)
    return document.actions(
      for: findings, in: document.places.range(params["range"]),
      asset: state?.contents.assets.first { $0.folder == folder }, platform: state?.platform)
  }

  private mutating func report(_ params: JSONValue) throws(RequestError) -> JSONOutput {
    let document = try document(params)
    let findings = workspace.findings(about: document.path)
    return ["kind": "full", "items": .array(findings.map { document.json($0) })]
  }

  // MARK: Publishing

  /// Whether `publish` has something to do.
  package var hasNews: Bool { workspace.hasChanged || !workspace.troubles.isEmpty }

  /// Whether `settle` has something to do.
  package var isUnsettled: Bool { workspace.isUnsettled }

  /// Makes the checks that wait until the user pauses, and returns the notifications about them.
  package mutating func settle() -> [JSONOutput] {
    workspace.settle()
    return publish()
  }

  /// Returns the notifications about findings that changed. The caller asks for them if no message
  /// waits.
  package mutating func publish() -> [JSONOutput] {
    let messages = workspace.takeChanged().flatMap { publish($0.group, sets: $0.sets) }
    return workspace.takeTroubles().map { warning($0) } + messages
  }

  /// Publishes the findings about the catalogues in a folder, if one of their documents is open;
  /// only those in some sets, if sets are given.
  private mutating func publish(
    _ group: ByteString, sets changed: Set<ByteString>?
  ) -> [JSONOutput] {
    let open = workspace.texts.paths.filter { Workspace.group(of: $0) == group }
    let sets = open.isEmpty || published[group] == nil ? nil : changed
    func isMeant(_ file: ByteString) -> Bool { sets?.contains { file.isInside($0) } ?? true }
    var byFile: [ByteString: [Diagnostic]] = [:]
    if !open.isEmpty {
      for finding in workspace.findings(in: group, sets: sets) {
        byFile[finding.file, default: []].append(finding)
      }
    }
    var known = published[group] ?? [:]
    let old = sets == nil ? known : known.filter { isMeant($0.key) }
    let room = max(0, LanguageServer.mostPublished - known.count + old.count)
    var new: [ByteString: [Diagnostic]] = [:]
    for file in open where isMeant(file) { new[file] = byFile[file] ?? [] }
    for file in byFile.keys.sorted().filter({ new[$0] == nil }).prefix(room) {
      new[file] = byFile[file]
    }
    for file in old.keys { known[file] = nil }
    published[group] = open.isEmpty ? nil : known.merging(new, uniquingKeysWith: { _, b in b })
    return Set(old.keys).union(new.keys).sorted().compactMap { file in
      // The places of findings in an open text change with the text.
      if old[file] == new[file], workspace.texts[file] == nil { return nil }
      return notification(
        "textDocument/publishDiagnostics",
        [
          "uri": .string(address(of: file)),
          "diagnostics": .array(json(new[file] ?? [], in: file)),
        ])
    }
  }

  /// Returns findings with their places. Columns of findings count characters. In a text that is
  /// not open, they are used as the editor's columns, which is right unless rare characters come
  /// before them.
  private func json(_ findings: [Diagnostic], in file: ByteString) -> [JSONOutput] {
    if findings.isEmpty { return [] }
    if let text = workspace.texts[file], let kind = DocumentKind(file) {
      let document = document(file, kind, TextPlaces(text, countsBytes: editor.countsBytes))
      return findings.map { document.json($0) }
    }
    return findings.map { finding in
      let position: JSONOutput = [
        "line": .integer(max(0, (finding.line ?? 1) - 1)),
        "character": .integer(max(0, (finding.column ?? 1) - 1)),
      ]
      return finding.json(at: ["start": position, "end": position], pages: workspace.pages)
    }
  }
}

/// The abilities of an editor, as it states them when it starts the server.
struct EditorAbilities: Sendable {
  /// Whether it counts bytes instead of UTF-16 in a line.
  var countsBytes = false
  /// Whether it can be asked to report changes of files.
  var registersWatches = false
  /// Whether it can rename files for the server.
  var renamesFiles = false

  init() {}

  init(_ capabilities: JSONValue?) {
    let encodings = capabilities?["general"]?.list("positionEncodings") ?? []
    countsBytes = encodings.contains(.string("utf-8"))
    let workspace = capabilities?["workspace"]
    registersWatches = workspace?["didChangeWatchedFiles"]?.flag("dynamicRegistration") ?? false
    let edit = workspace?["workspaceEdit"]
    renamesFiles =
      edit?.flag("documentChanges") ?? false
      && edit?.list("resourceOperations").contains(.string("rename")) ?? false
  }
}
