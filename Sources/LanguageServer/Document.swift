// A Contents.json or icon.json whose text an editor shows: the files that it names, links to them,
// its outline, its format, and the places of findings. Other files have completion, hover, actions
// and new names.

import Bytes
import CatalogModel
import Documents
import Host

/// The kind of a document.
enum DocumentKind {
  case contents(SetType?), icon

  /// Returns nil for a file that is not described.
  init?(_ path: ByteString) {
    switch lastComponent(path) {
    case "icon.json": self = .icon
    case "Contents.json":
      self = .contents(FolderRole.setType(pathExtension(parentFolder(path))))
    default: return nil
    }
  }

  var description: ObjectDescription? {
    switch self {
    case .icon: iconDescription()
    case .contents(let type): contentsDescription(of: type)
    }
  }

  func meaning(of key: String) -> String? {
    switch self {
    case .icon: ContentSchema.icon.meaning(of: key)
    case .contents: ContentSchema.contents.meaning(of: key)
    }
  }

  /// Returns the folder with the files that a document names.
  func folder(of path: ByteString) -> ByteString {
    let folder = parentFolder(path)
    if case .icon = self { return joined(folder, "Assets") }
    return folder
  }

  static let fileKeys: Set<ByteString> = ["filename", "image-name"]
}

struct Document {
  let path: ByteString
  let kind: DocumentKind
  let places: TextPlaces
  let tree: FileTree
  /// The value of the text; nil if it is not JSON.
  let root: PlacedJSON?
  /// The pages to which the codes of findings link.
  var pages = PageAddress.manual

  init(path: ByteString, kind: DocumentKind, places: TextPlaces, tree: FileTree) {
    (self.path, self.kind, self.places, self.tree) = (path, kind, places, tree)
    root = placedJSON(places.bytes)
  }

  var bytes: [UInt8] { places.bytes }

  /// The folder with the files that the text names.
  var folder: ByteString { kind.folder(of: path) }

  // MARK: Files

  /// The files that the text names, and the places of their names.
  var fileValues: [(name: ByteString, range: Range<Int>)] {
    var found: [(name: ByteString, range: Range<Int>)] = []
    func search(_ value: PlacedJSON) {
      for child in value.children {
        if let key = child.key, DocumentKind.fileKeys.contains(key), let name = name(child.value) {
          found.append((name, child.value.range))
        }
        search(child.value)
      }
    }
    if let root { search(root) }
    return found
  }

  /// Returns the name of a file that a value is; nil if it is no name in the folder.
  func name(_ value: PlacedJSON) -> ByteString? {
    guard let name = text(value), !name.isEmpty, !name.contains(UInt8(ascii: "/")), name != "..",
      name != "."
    else { return nil }
    return name
  }

  /// Returns the text of a value that is a string.
  func text(_ value: PlacedJSON) -> ByteString? {
    guard !value.isContainer, value.range.lowerBound < bytes.count,
      bytes[value.range.lowerBound] == UInt8(ascii: "\""),
      case .string(let text)? = try? parseJSON(Array(bytes[value.range]))
    else { return nil }
    return text
  }

  /// The files of the folder that the text does not name.
  var unnamedFiles: [ByteString] {
    let named = Set(fileValues.map(\.name))
    let entries = (try? tree.list(folder)) ?? []
    return entries.filter { entry in
      !entry.name.isHidden && entry.name != "Contents.json" && entry.name.isUTF8
        && !named.contains(entry.name)
    }.map(\.name)
  }

  /// Returns the path of a named file; nil if there is no such file.
  func file(_ name: ByteString) -> ByteString? {
    let file = joined(folder, name)
    guard let status = try? tree.status(file) else { return nil }
    if status.kind == .folder { return joined(file, "Contents.json") }
    return status.kind == .file ? file : nil
  }

  var links: JSONOutput {
    .array(
      fileValues.compactMap { value in
        file(value.name).map {
          ["range": places.range(value.range), "target": .string(address(of: $0))]
        }
      })
  }

  /// Returns the file that is named at a byte.
  func definition(at offset: Int) -> ByteString? {
    fileValues.first { ($0.range.lowerBound...$0.range.upperBound).contains(offset) }
      .flatMap { file($0.name) }
  }

  /// Returns the name of the colour that a colour at a byte refers to.
  func colorReference(at offset: Int) -> ByteString? {
    guard let (path, child) = root?.path(to: offset), path.last == "reference" else { return nil }
    return text(child.value)
  }

  // MARK: Outline and format

  var symbols: JSONOutput {
    guard let root else { return [] }
    var found: [JSONOutput] = []
    for member in root.children {
      guard let key = member.key, let range = member.keyRange else { continue }
      let entries = member.value.children.enumerated().compactMap { index, entry -> JSONOutput? in
        guard entry.key == nil else { return nil }
        let words = entry.value.children.compactMap { text($0.value)?.text }
        let title = words.isEmpty ? "\(index)" : words.joined(separator: ", ")
        return symbol(title, 19, entry.value.range, entry.value.range, [])
      }
      found.append(
        symbol(key.text, 18, range.lowerBound..<member.value.range.upperBound, range, entries))
    }
    return .array(found)
  }

  private func symbol(
    _ name: String, _ kind: Int, _ range: Range<Int>, _ selection: Range<Int>,
    _ children: [JSONOutput]
  ) -> JSONOutput {
    [
      "name": .string(name.isEmpty ? "\"\"" : onOneLine(name)), "kind": .integer(kind),
      "range": places.range(range), "selectionRange": places.range(selection),
      "children": .array(children),
    ]
  }

  /// The edits that format the text as Xcode does; none if it is not JSON.
  var formatting: JSONOutput {
    guard let text = formattedContents(bytes), text != bytes else { return [] }
    return [places.edit(to: text)]
  }

  // MARK: Findings

  /// Returns the place of a finding about the document.
  func range(of finding: Diagnostic) -> Range<Int> {
    if let pointer = finding.pointer, !pointer.isEmpty, let child = root?.child(at: pointer) {
      return finding.isAboutKey ? child.keyRange ?? child.value.range : child.value.range
    }
    guard let line = finding.line else { return 0..<0 }
    return places.restOfLine(from: places.offset(line: line, column: finding.column ?? 1))
  }

  func json(_ finding: Diagnostic) -> JSONOutput {
    finding.json(at: places.range(range(of: finding)), pages: pages)
  }
}

extension Diagnostic {
  /// The finding as a diagnostic of the protocol. Its code links to a page if the pages have an
  /// address that editors can open.
  func json(at range: JSONOutput, pages: PageAddress) -> JSONOutput {
    let number =
      switch severity {
      case .error: 1
      case .warning: 2
      case .note: 3
      }
    var members: [JSONOutput.Member] = [
      .init("range", range), .init("severity", .integer(number)), .init("source", "carve"),
      .init("code", .string(code.rawValue)), .init("message", .string(onOneLine(message))),
    ]
    if pages.canBeOpened {
      members.append(.init("codeDescription", ["href": .string(pages.address(of: code))]))
    }
    if !notes.isEmpty {
      let related = notes.map { note -> JSONOutput in
        let line = JSONOutput.integer(max(0, (note.line ?? 1) - 1))
        let position: JSONOutput = ["line": line, "character": 0]
        return [
          "location": [
            "uri": .string(address(of: note.file)), "range": ["start": position, "end": position],
          ],
          "message": .string(onOneLine(note.message)),
        ]
      }
      members.append(.init("relatedInformation", .array(related)))
    }
    return .object(members)
  }
}
