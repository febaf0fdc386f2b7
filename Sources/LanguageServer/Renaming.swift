// A new name for an asset: its folder, the entries of other sets that name the folder or the asset,
// and the sources of the workspace that use it. The editor makes the changes.

import AssetSymbols
import Bytes
import CatalogModel
import Documents
import Host
import Traits
import Uses

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
    return try workspace.readingAllGroups { (workspace) throws(RequestError) in
      try renaming.edit(in: &workspace)
    }
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
    if new == folder { return new }
    let exists: Bool
    do throws(FileError) { exists = try workspace.tree.exists(new) } catch {
      throw RequestError(
        .requestFailed, "\(quoted(name + ending)) cannot be looked up: \(error.reason)")
    }
    if exists { throw RequestError(.requestFailed, "\(quoted(name + ending)) exists already") }
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
      let names = try NameChange(asset, newFolder, in: state)
      editReferences(of: state.contents, names)
      try editSources(names, in: &workspace)
    }
    var changes = edits.map { item -> JSONOutput in
      [
        "textDocument": [
          "uri": .string(address(of: item.file)),
          "version": workspace.texts.version(of: item.file).map { .integer($0) } ?? .null,
        ],
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

  /// Edits the colours, layers and items that refer to the asset.
  private mutating func editReferences(of contents: CatalogContents, _ names: NameChange) {
    for asset in contents.assets.flatMap({ withParts($0) }) {
      let pointers = asset.references(to: names)
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

  /// Edits the sources. `carve lint --sources` says which files are searched and where they use the
  /// asset. A use whose text cannot be changed safely stays, and the user is told its place.
  private mutating func editSources(
    _ names: NameChange, in workspace: inout Workspace
  ) throws(RequestError) {
    guard names.kind != nil else { return }
    if workspace.folders.isEmpty {
      workspace.tell("no folder is open in the editor, so no source was searched for the asset")
      return
    }
    let uses = try UsesInSources(of: folder, in: &workspace)
    var unchanged: [SourcePlace] = []
    for file in uses.files {
      guard let bytes = try? tree.read(file, NamingFiles.mostBytes) else {
        throw Renaming.cannotSearch(file, "it cannot be read", others: 0)
      }
      var places: TextPlaces?
      func known() -> TextPlaces {
        let known = places ?? TextPlaces(bytes, countsBytes: countsBytes)
        places = known
        return known
      }
      let found = uses.places[file] ?? []
      let stated = StatedUses(
        found.map { use in
          StatedUse(
            use: use, offset: known().offset(line: use.place.line, column: use.place.column),
            asked: uses.asked[use.place])
        })
      var new: [Int: (range: Range<Int>, text: String)] = [:]
      for (range, text) in names.replacements(in: bytes, of: file, stated, &workspace) {
        new[range.lowerBound] = (range, try names.checked(text, for: file))
      }
      for use in stated.outside(new.values.map(\.range)) {
        switch names.meaning(of: use, in: bytes, of: file, &workspace) {
        case .asset(let range): new[range.lowerBound] = (range, names.new.text)
        case .other: break
        case .unclear: unchanged.append(use.use.place)
        }
      }
      if new.isEmpty { continue }
      let edits = new.sorted { $0.key < $1.key }.map {
        edit($0.value.range, $0.value.text, in: known())
      }
      self.edits.append((file, edits))
    }
    if unchanged.isEmpty { return }
    let shown = unchanged.prefix(5).map { "\(onOneLine($0.file)):\($0.line)" }
    let more = unchanged.count > shown.count ? " and \(unchanged.count - shown.count) more" : ""
    workspace.tell(
      "\(counted(unchanged.count, "place")) that may mean the asset \(quoted(names.old)) "
        + "\(unchanged.count == 1 ? "stays" : "stay") as before: \(shown.joined(separator: ", "))"
        + more)
  }

  fileprivate static func cannotSearch(
    _ file: ByteString, _ reason: String, others: Int
  ) -> RequestError {
    let more = others > 0 ? ", and \(others) more" : ""
    return RequestError(
      .requestFailed,
      "nothing is renamed, because not every source can be searched for the asset: "
        + "\(onOneLine(file)) (\(reason))\(more)")
  }
}

extension AssetSet {
  /// Returns the pointers of the values in the set that name another asset.
  fileprivate func references(to names: NameChange) -> [ByteString] {
    let content: ByteString = "/properties/content-reference/name"
    switch contents {
    case .colors(let set) where names.kind == .color:
      return set.entries.compactMap { entry in
        guard case .reference(_, let name)? = entry.value, ByteString(name) == names.old else {
          return nil
        }
        return entry.slot.pointer + "/color/reference"
      }
    case .imageStackLayer(let layer) where names.kind == .image:
      return layer.referencedImage == names.old ? [content] : []
    case .gameCenter(let item) where names.kind == .image:
      return item.referencedImage == names.old ? [content] : []
    default: return []
    }
  }
}

/// The uses of one asset in the sources of a workspace.
private struct UsesInSources {
  /// The sources in which constants are looked for, and all files with uses, by their paths.
  let files: [ByteString]
  /// The places that prove a use, by file.
  let places: [ByteString: [Use]]
  /// The kinds of assets for which calls and interface files ask, by place.
  let asked: [SourcePlace: NameKind]

  init(of folder: ByteString, in workspace: inout Workspace) throws(RequestError) {
    let jobs = availableProcessors()
    let request = UseRequest(
      contents: workspace.allContents(), sources: workspace.folders, current: "/", jobs: jobs)
    let report = findUses(request, in: workspace.tree)
    if let first = report.unread.first {
      throw Renaming.cannotSearch(
        first.path, first.reason, others: report.unread.count - 1)
    }
    let uses = report.assets.first { $0.asset.folder == folder }?.uses ?? []
    if uses.count >= UseReport.mostUses {
      throw RequestError(
        .requestFailed,
        "nothing is renamed, because the asset has \(grouped(UseReport.mostUses)) uses or more")
    }
    places = Dictionary(grouping: uses.filter { $0.kind.isProof }) { $0.place.file }
    asked = Dictionary(
      report.asked.filter { !$0.isSymbol }.map { ($0.place, $0.kind) },
      uniquingKeysWith: { first, _ in first })
    let sources = NamingFiles(below: workspace.folders, in: workspace.tree, jobs: jobs).files
      .map(\.path).filter { SourceLanguage($0) != nil }
    files = Set(sources).union(places.keys).sorted()
  }
}

/// A use that `carve lint --sources` counts.
private struct StatedUse {
  let use: Use
  let offset: Int
  /// The kind of asset for which the place asks; nil if it does not say.
  let asked: NameKind?
}

/// The uses in one source, in the order of their places.
private struct StatedUses {
  private let uses: [StatedUse]

  init(_ uses: [StatedUse]) {
    self.uses = uses.sorted { $0.offset < $1.offset }
  }

  /// Returns the uses that are the text in a range. The place of a string may be that of its
  /// quotes.
  func inside(_ range: Range<Int>) -> ArraySlice<StatedUse> {
    uses[first(from: range.lowerBound - 4)..<first(from: range.upperBound)]
  }

  /// Returns the uses that are in none of the ranges.
  func outside(_ ranges: [Range<Int>]) -> [StatedUse] {
    var isInside = [Bool](repeating: false, count: uses.count)
    for index in ranges.lazy.flatMap({ inside($0).indices }) { isInside[index] = true }
    return uses.indices.filter { !isInside[$0] }.map { uses[$0] }
  }

  /// Returns the index of the first use at a byte or after it.
  private func first(from offset: Int) -> Int {
    uses.partitioningIndex { $0.offset >= offset }
  }
}

/// The names of an asset before and after the change.
private struct NameChange {
  let asset: AssetSet
  let old: ByteString
  let new: ByteString
  let kind: SourceName.Kind?
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
    if let index = contents.assets.firstIndex(where: { $0.folder == asset.folder }) {
      contents.assets[index].name = new
    }
    newSymbol = SymbolAssets(contents).names.first { $0.asset.folder == asset.folder }
  }

  /// Returns the places of the asset's names in a source, and the new names; nil for a constant
  /// that the asset would not have any more. A name whose kind the source does not say counts if it
  /// is among the uses, and can mean no other asset.
  func replacements(
    in bytes: [UInt8], of file: ByteString, _ uses: StatedUses, _ workspace: inout Workspace
  ) -> [(Range<Int>, String?)] {
    guard let language = SourceLanguage(file) else { return [] }
    var found: [(Range<Int>, String?)] = []
    for use in assetUses(in: bytes, language) where mayMean(use) {
      if use.kind != kind, use.kind != nil { continue }
      let assets = workspace.assets(of: use, in: file)
      guard let used = assets.first, used.asset.folder == asset.folder else { continue }
      if use.kind == nil {
        if assets.contains(where: { $0.asset.folder != asset.folder }) { continue }
        guard uses.inside(use.range).contains(where: { $0.asked?.use ?? kind == kind }) else {
          continue
        }
      }
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

  /// Returns a new name that a source can have.
  func checked(_ name: String?, for file: ByteString) throws(RequestError) -> String {
    guard let name else {
      throw RequestError(
        .requestFailed,
        "\(onOneLine(file)) uses the constant of the asset, and \(quoted(new)) would have none, "
          + "because another asset has it")
    }
    if name == new.text, !newIsPlain {
      throw RequestError(
        .requestFailed,
        "\(onOneLine(file)) names the asset in a text, and \(quoted(new)) has a sign that is not "
          + "written into texts of sources")
    }
    return name
  }

  private func mayMean(_ use: SourceName) -> Bool {
    switch use.name {
    case .text(let name): name == old
    case .constant(let name): name == oldSymbol?.objectiveC
    case .swift(let path): oldSymbol?.swift.map { path.starts(with: $0) } ?? false
    }
  }

  // MARK: Texts

  /// Whether the new name can be written between quotes in a source as it is.
  var newIsPlain: Bool {
    !new.bytes.contains { $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "\\") || $0 < 32 }
  }

  /// The meaning of a text in a source.
  enum Meaning {
    /// The asset, whose name has this range.
    case asset(Range<Int>)
    case other
    /// Perhaps the asset: the text also has other meanings, or is not the plain name.
    case unclear
  }

  /// Returns the meaning of the text at a use.
  func meaning(
    of stated: StatedUse, in bytes: [UInt8], of file: ByteString, _ workspace: inout Workspace
  ) -> Meaning {
    if let asked = stated.asked, asked.use != kind { return .other }
    let isSetting = stated.use.kind == .setting
    let start = isSetting ? valueOfSetting(at: stated.offset, in: bytes) : stated.offset
    guard let range = range(at: start, in: bytes) else { return .unclear }
    let use = SourceName(name: .text(old), kind: stated.asked?.use, range: range)
    let assets = workspace.assets(of: use, in: file)
    if stated.asked != nil, let first = assets.first, first.asset.folder != asset.folder {
      return .other
    }
    let isAlone = assets.allSatisfy { $0.asset.folder == asset.folder }
    let isName =
      switch stated.use.kind {
      case .call, .setting: true
      case .interface: isAttributeOfAsset(before: range.lowerBound, in: bytes)
      case .propertyList: stated.asked != nil
      default: false
      }
    return isName && (stated.asked != nil || isAlone) ? .asset(range) : .unclear
  }

  /// Returns the range of the plain name at a place, which may be that of its quotes; nil if it is
  /// written otherwise, or if the new name would need to be.
  private func range(at offset: Int, in bytes: [UInt8]) -> Range<Int>? {
    let marks = Array("'&<>$".utf8)
    guard newIsPlain, !new.bytes.contains(where: { marks.contains($0) }) else { return nil }
    var start = offset
    while start < min(offset + 4, bytes.count), "\"'@#`".utf8.contains(bytes[start]) { start += 1 }
    let end = start + old.bytes.count
    guard end <= bytes.count, bytes[start..<end].elementsEqual(old.bytes) else { return nil }
    // The name may be followed by the ending of a file, but not by more of a longer name.
    func isPart(_ byte: UInt8) -> Bool {
      (48...57).contains(byte) || (97...122).contains(byte | 32) || byte >= 0x80
        || "_-/".utf8.contains(byte)
    }
    return end < bytes.count && isPart(bytes[end]) ? nil : start..<end
  }

  /// Returns the place of the value of a setting, as in "NAME = Star;".
  private func valueOfSetting(at offset: Int, in bytes: [UInt8]) -> Int {
    var start = offset
    while start < bytes.count, bytes[start] != UInt8(ascii: "="), bytes[start] != 10 { start += 1 }
    start += 1
    while start < bytes.count, bytes[start] == 32 || bytes[start] == 9 { start += 1 }
    return start
  }

  private static let pictureAttributes: Set<ByteString> = [
    "image", "selectedImage", "backgroundImage", "highlightedImage", "disabledImage",
    "landscapeImage", "largeContentSizeImage",
  ]
  private static let tags: [SourceName.Kind: [ByteString]] = [
    .image: ["image"], .color: ["namedColor", "color"],
  ]

  /// Returns whether a text of an interface file is the value of an attribute for assets of this
  /// kind.
  private func isAttributeOfAsset(before offset: Int, in bytes: [UInt8]) -> Bool {
    guard offset >= 2, bytes[offset - 1] == UInt8(ascii: "\""),
      bytes[offset - 2] == UInt8(ascii: "=")
    else { return false }
    var start = offset - 2
    while start > 0, (97...122).contains(bytes[start - 1] | 32) { start -= 1 }
    let attribute = ByteString(bytes: Array(bytes[start..<(offset - 2)]))
    if kind == .image, NameChange.pictureAttributes.contains(attribute) { return true }
    return attribute == "name" && isTag(before: start, in: bytes)
  }

  /// Returns whether the tag around a byte names an asset of this kind.
  private func isTag(before offset: Int, in bytes: [UInt8]) -> Bool {
    var start = offset
    while start > 0, offset - start < 4096, bytes[start - 1] != UInt8(ascii: "<") { start -= 1 }
    guard start > 0, let kind else { return false }
    let name = bytes[start..<offset].prefix { (97...122).contains($0 | 32) }
    return NameChange.tags[kind]?.contains(ByteString(bytes: Array(name))) ?? false
  }
}

extension NameKind {
  var use: SourceName.Kind {
    switch self {
    case .image: .image
    case .color: .color
    case .data: .data
    }
  }
}
