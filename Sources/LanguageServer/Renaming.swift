// A new name for an asset: its folder, the entries of other sets that name the folder or the asset,
// and the sources of the workspace that use it. The editor makes the changes.

import AssetSymbols
import Bytes
import CatalogModel
import Documents
import Host

extension LanguageServer {
  /// Returns the name that an editor offers to change at a position; null if no asset is there.
  mutating func prepareRename(_ params: JSONValue) throws(RequestError) -> JSONOutput {
    if let (path, language) = source(params) {
      let (places, assets) = try usedAssets(params, in: path, language)
      guard let used = assets.first else { return .null }
      return [
        "range": places.range(used.range),
        "placeholder": .string(withoutExtension(lastComponent(used.asset.folder)).text),
      ]
    }
    let document = try document(params)
    guard let folder = setFolder(document) else { return .null }
    let offset = document.places.offset(params["position"])
    return [
      "range": document.places.range(document.word(at: offset)),
      "placeholder": .string(withoutExtension(lastComponent(folder)).text),
    ]
  }

  mutating func rename(_ params: JSONValue) throws(RequestError) -> JSONOutput {
    guard let word = params.name("newName") else {
      throw RequestError(.invalidParams, "the request has no new name")
    }
    guard editor.renamesFiles else {
      throw RequestError(.requestFailed, "the editor cannot rename files for the server")
    }
    var folder: ByteString?
    if let (path, language) = source(params) {
      folder = try usedAssets(params, in: path, language).assets.first?.asset.folder
    } else {
      folder = setFolder(try document(params))
    }
    guard let folder else { throw RequestError(.requestFailed, "there is no asset to rename here") }
    var renaming = Renaming(
      folder, to: try newFolder(folder, word), countsBytes: editor.countsBytes,
      tree: workspace.tree)
    return try renaming.edit(in: &workspace)
  }

  /// Returns the folder of the set of a document; nil if it is that of a group or a catalogue.
  private func setFolder(_ document: Document) -> ByteString? {
    guard case .contents(let type?) = document.kind, type != .iconBundle else { return nil }
    return parentFolder(document.path)
  }

  /// Returns the path of a folder with another name.
  private func newFolder(
    _ folder: ByteString, _ word: ByteString
  ) throws(RequestError) -> ByteString {
    let ending = "." + pathExtension(folder)
    let name = word.hasSuffix(ending) ? word.dropLast(ending.count) : word
    guard !name.isEmpty, !name.isHidden, name.isUTF8, !name.contains(UInt8(ascii: "/")),
      !name.contains(0), name.count + ending.count <= 255
    else {
      throw RequestError(.requestFailed, "\(quoted(word)) cannot be the name of an asset")
    }
    let new = joined(parentFolder(folder), name + ending)
    if new != folder, (try? workspace.tree.status(new)) != nil {
      throw RequestError(.requestFailed, "\(quoted(name + ending)) exists already")
    }
    return new
  }
}

extension Document {
  /// Returns the range of the string or word at a byte, without quotes.
  fileprivate func word(at offset: Int) -> Range<Int> {
    func isPart(_ byte: UInt8) -> Bool {
      byte > 32 && !"\"{}[]:,".utf8.contains(byte)
    }
    var (start, end) = (offset, offset)
    while start > 0, isPart(bytes[start - 1]) { start -= 1 }
    while end < bytes.count, isPart(bytes[end]) { end += 1 }
    return start..<end
  }
}

/// One change of a name.
private struct Renaming {
  private let folder: ByteString
  private let newFolder: ByteString
  private let countsBytes: Bool
  private let tree: FileTree
  private var edits: [(file: ByteString, edits: [JSONOutput])] = []

  init(_ folder: ByteString, to newFolder: ByteString, countsBytes: Bool, tree: FileTree) {
    (self.folder, self.newFolder) = (folder, newFolder)
    (self.countsBytes, self.tree) = (countsBytes, tree)
  }

  /// Returns the edit of the workspace. The texts change before the folder gets its name, because
  /// the edits state the old paths.
  mutating func edit(in workspace: inout Workspace) throws(RequestError) -> JSONOutput {
    if folder == newFolder { return ["documentChanges": []] }
    editParent()
    if let state = workspace.state(of: folder),
      let asset = state.contents.assets.first(where: { $0.folder == folder })
    {
      let names = try AssetNames(asset, newFolder, in: state)
      editColors(of: state.contents, names)
      try editSources(names, in: &workspace)
    }
    var changes = edits.map { item -> JSONOutput in
      [
        "textDocument": ["uri": .string(address(of: item.file)), "version": .null],
        "edits": .array(item.edits),
      ]
    }
    changes.append([
      "kind": "rename", "oldUri": .string(address(of: folder)),
      "newUri": .string(address(of: newFolder)),
    ])
    return ["documentChanges": .array(changes)]
  }

  /// Returns an edit that replaces a part of a text.
  private func edit(_ range: Range<Int>, _ new: String, in places: TextPlaces) -> JSONOutput {
    ["range": places.range(range), "newText": .string(new)]
  }

  /// Edits the set around a part, such as the stack around a layer.
  private mutating func editParent() {
    let file = joined(parentFolder(folder), "Contents.json")
    guard let kind = DocumentKind(file), let bytes = try? tree.read(file, FileLimit.contents) else {
      return
    }
    let places = TextPlaces(bytes, countsBytes: countsBytes)
    let document = Document(path: file, kind: kind, places: places, tree: tree)
    let found = document.fileValues.filter { $0.name == lastComponent(folder) }
    if found.isEmpty { return }
    let name = jsonString(lastComponent(newFolder).text)
    edits.append((file, found.map { edit($0.range, name, in: places) }))
  }

  /// Edits the colours that refer to the asset.
  private mutating func editColors(of contents: CatalogContents, _ names: AssetNames) {
    guard names.kind == .color else { return }
    for asset in contents.assets {
      guard case .colors(let set) = asset.contents else { continue }
      let pointers = set.entries.compactMap { entry -> ByteString? in
        guard case .reference(_, let name)? = entry.value, ByteString(name) == names.old else {
          return nil
        }
        return entry.slot.pointer + "/color/reference"
      }
      guard !pointers.isEmpty, let bytes = try? tree.read(asset.contentsFile, FileLimit.contents),
        let root = placedJSON(bytes)
      else { continue }
      let places = TextPlaces(bytes, countsBytes: countsBytes)
      let ranges = pointers.compactMap { root.child(at: $0)?.value.range }
      let name = jsonString(names.new.text)
      edits.append((asset.contentsFile, ranges.map { edit($0, name, in: places) }))
    }
  }

  // MARK: Sources

  private mutating func editSources(
    _ names: AssetNames, in workspace: inout Workspace
  ) throws(RequestError) {
    guard names.kind != nil else { return }
    for file in sources(below: workspace.folders, in: tree) {
      guard let bytes = try? tree.read(file, FileLimit.document) else { continue }
      var places: TextPlaces?
      var found: [JSONOutput] = []
      for (range, new) in names.replacements(in: bytes, of: file, &workspace) {
        guard let new else {
          throw RequestError(
            .requestFailed,
            "\(onOneLine(file)) uses the constant of the asset, and \(quoted(names.new)) would "
              + "have none, because another asset has it")
        }
        let known = places ?? TextPlaces(bytes, countsBytes: countsBytes)
        places = known
        found.append(edit(range, new, in: known))
      }
      if !found.isEmpty { edits.append((file, found)) }
    }
  }
}

/// The names of an asset before and after the change.
private struct AssetNames {
  let asset: AssetSet
  let old: ByteString
  let new: ByteString
  let kind: AssetUse.Kind?
  private let oldSymbol: SymbolName?
  private let newSymbol: SymbolName?

  init(_ asset: AssetSet, _ newFolder: ByteString, in state: CatalogState) throws(RequestError) {
    self.asset = asset
    old = asset.name
    let last = withoutExtension(lastComponent(asset.folder))
    new = asset.name.dropLast(last.count) + withoutExtension(lastComponent(newFolder))
    kind =
      switch asset.kind {
      case .image?, .symbol?, .icon?: .image
      case .color?: .color
      case .data?: .data
      case nil: nil
      }
    oldSymbol = state.symbolNames.first { $0.asset.folder == asset.folder }
    var contents = state.contents
    if let place = contents.assets.firstIndex(where: { $0.folder == asset.folder }) {
      contents.assets[place].name = new
    }
    newSymbol = SymbolAssets(contents).names.first { $0.asset.folder == asset.folder }
  }

  /// Returns the places of the asset's names in a source, and the new names; nil for a constant
  /// that the asset would not have any more.
  func replacements(
    in bytes: [UInt8], of file: ByteString, _ workspace: inout Workspace
  ) -> [(Range<Int>, String?)] {
    guard let language = SourceLanguage(file) else { return interfaceReplacements(in: bytes) }
    var found: [(Range<Int>, String?)] = []
    for use in assetUses(in: bytes, language) where use.kind == kind && mayMean(use) {
      guard let used = workspace.assets(of: use, in: file).first,
        used.asset.folder == asset.folder
      else { continue }
      switch use.name {
      case .text: found.append((used.range, new.text))
      case .constant: found.append((used.range, newSymbol?.objectiveC))
      case .swift:
        let written = String(decoding: bytes[used.range], as: UTF8.self)
        if written == oldSymbol?.swift?.joined(separator: ".") {
          found.append((used.range, newSymbol?.swift?.joined(separator: ".")))
        }
      }
    }
    return found
  }

  private func mayMean(_ use: AssetUse) -> Bool {
    switch use.name {
    case .text(let name): name == old
    case .constant(let name): name == oldSymbol?.objectiveC
    case .swift(let path): oldSymbol?.swift.map { path.starts(with: $0) } ?? false
    }
  }

  // MARK: Interfaces

  private static let pictureAttributes: Set<ByteString> = [
    "image", "selectedImage", "backgroundImage", "highlightedImage", "disabledImage",
    "landscapeImage", "largeContentSizeImage",
  ]
  private static let tags: [AssetUse.Kind: [ByteString]] = [
    .image: ["image"], .color: ["namedColor", "color"],
  ]

  /// Returns the places of the name in attributes of a XIB or a storyboard.
  private func interfaceReplacements(in bytes: [UInt8]) -> [(Range<Int>, String?)] {
    let marks = Array("\"&<>".utf8)
    let word = old.bytes
    guard kind != .data, !word.contains(where: marks.contains),
      !new.bytes.contains(where: marks.contains)
    else { return [] }
    let pattern = Array("=\"".utf8) + word + [UInt8(ascii: "\"")]
    var found: [(Range<Int>, String?)] = []
    for place in places(of: pattern, in: bytes) {
      var start = place
      while start > 0, (97...122).contains(bytes[start - 1] | 32) { start -= 1 }
      let attribute = ByteString(bytes: Array(bytes[start..<place]))
      let isPicture = kind == .image && AssetNames.pictureAttributes.contains(attribute)
      guard isPicture || attribute == "name" && isTag(before: start, in: bytes) else { continue }
      found.append(((place + 2)..<(place + 2 + word.count), new.text))
    }
    return found
  }

  /// Returns whether the tag around a byte names an asset of this kind.
  private func isTag(before offset: Int, in bytes: [UInt8]) -> Bool {
    var start = offset
    while start > 0, offset - start < 4096, bytes[start - 1] != UInt8(ascii: "<") { start -= 1 }
    guard start > 0, let kind else { return false }
    let name = bytes[start..<offset].prefix { (97...122).contains($0 | 32) }
    return AssetNames.tags[kind]?.contains(ByteString(bytes: Array(name))) ?? false
  }
}

/// Returns the places of a pattern in a text.
private func places(of pattern: [UInt8], in bytes: [UInt8]) -> [Int] {
  guard let first = pattern.first, bytes.count >= pattern.count else { return [] }
  var found: [Int] = []
  var place = 0
  let last = bytes.count - pattern.count
  while place <= last {
    guard let next = bytes[place...last].firstIndex(of: first) else { break }
    if bytes[next..<(next + pattern.count)].elementsEqual(pattern) { found.append(next) }
    place = next + 1
  }
  return found
}

// MARK: - Finding sources

/// The greatest numbers of folders and files that are looked at.
private let mostFolders = 20_000
private let mostSources = 20_000

/// The folders whose files other programs make or fetch.
private let foreignFolders: Set<ByteString> = [
  "node_modules", "Pods", "Carthage", "DerivedData", "build", "Build",
]

/// Returns the sources and interfaces below some folders.
private func sources(below folders: [ByteString], in tree: FileTree) -> [ByteString] {
  let endings: Set<ByteString> = ["swift", "m", "mm", "h", "xib", "storyboard"]
  var found: [ByteString] = []
  var waiting = folders
  var left = mostFolders
  while let folder = waiting.popLast(), left > 0 {
    left -= 1
    for entry in (try? tree.list(folder)) ?? [] where !entry.isLink && !entry.name.isHidden {
      let path = joined(folder, entry.name)
      if entry.kind == .folder {
        let isCatalog = catalogEndings.contains(pathExtension(entry.name))
        if !isCatalog, !foreignFolders.contains(entry.name) { waiting.append(path) }
      } else if entry.kind == .file, endings.contains(pathExtension(entry.name)) {
        if found.count < mostSources { found.append(path) }
      }
    }
  }
  return found.sorted()
}
