// Rewrites the icon.json of a layered icon for the tools of Xcode 26. Values that these tools
// refuse, or do not know, are left out or replaced by the nearest value that they know. The rest of
// the text keeps the formatting of its author. The same list of changes tells the reader of icons
// whether an icon needs Xcode 27.

import Bytes
import Documents
import Host

/// A layered icon for Xcode 26, as files that are not yet written.
package struct OlderIcon: Sendable {
  /// The new text of icon.json; nil if the file is not the JSON of an icon.
  package var text: [UInt8]?
  /// A note for each change, in the order of the file; errors if there is no new text.
  package var findings: [Diagnostic]
  /// The paths of the other files that belong to the new icon, below its folder.
  package var files: [ByteString]

  /// The number of changes. Findings about the form of the text do not count.
  package var changeCount: Int { findings.count { $0.code == .needsXcode27 } }
}

/// Returns the icon in `folder` for Xcode 26. Throws if its files cannot be read.
package func iconForXcode26(
  _ folder: ByteString, in tree: FileTree
) throws(FileError) -> OlderIcon {
  let file = joined(folder, "icon.json")
  let bytes = try tree.read(file, FileLimit.contents)
  let document = JSONDocument(bytes, file: file)
  guard let root = document.value, case .object = root, document.isRewritable else {
    var findings = document.diagnostics
    for index in findings.indices where !document.isRewritable {
      findings[index].severity = .error
    }
    if let root = document.value, document.isRewritable {
      findings.append(
        Diagnostic(
          .wrongType, "the file must hold an object, and holds \(root.kind)", file: file,
          pointer: ""))
      findings[findings.count - 1].severity = .error
    }
    return OlderIcon(text: nil, findings: located(findings, in: bytes), files: [])
  }
  let (changes, isCut) = IconChange.forXcode26(root)
  let edits = changes.flatMap(\.edits)
  // A form that is accepted although it is not strict JSON is mended, too.
  let text =
    edits.isEmpty && document.diagnostics.isEmpty ? bytes : document.text(after: edits)
  var findings = document.diagnostics
  findings += changes.map { change in
    var finding = Diagnostic(
      .needsXcode27, change.subject + " " + change.outcome, file: file, pointer: change.pointer)
    finding.isAboutKey = change.isAboutKey
    return finding
  }
  if isCut || text == nil {
    var obstacle = Diagnostic(
      isCut ? .jsonTooLarge : .numberRange,
      isCut
        ? "the icon needs more than \(IconChanges.limit) changes for Xcode 26"
        : "the file has a number that cannot be written again as it is", file: file)
    obstacle.severity = .error
    return OlderIcon(text: nil, findings: [obstacle], files: [])
  }
  let found = try iconFiles(in: folder, tree, naming: pictureNames(in: root))
  findings += found.localized.map { path in
    Diagnostic(
      .needsXcode27, "the localised pictures in \(quoted(path.text)) are left out",
      file: joined(folder, path))
  }
  return OlderIcon(
    text: text, findings: inPrintingOrder(located(findings, in: bytes)), files: found.files)
}

/// Returns the names of files that the layers of an icon name.
private func pictureNames(in root: JSONValue) -> Set<ByteString> {
  var names: Set<ByteString> = []
  forEachElement(of: root["groups"] ?? .null, at: "") { group, _ in
    forEachElement(of: group["layers"] ?? .null, at: "") { layer, _ in
      if let name = layer.name("image-name") { names.insert(name) }
      forEachElement(of: layer["image-name-specializations"] ?? .null, at: "") { row, _ in
        if let name = row.name("value") { names.insert(name) }
      }
    }
  }
  return names
}

/// Returns the paths of all files of an icon that are not hidden, except icon.json.
package func iconFiles(
  in folder: ByteString, _ tree: FileTree
) throws(FileError) -> [ByteString] {
  try iconFiles(in: folder, tree, naming: nil).files
}

/// Returns the paths of the files of an icon except icon.json. Hidden files belong to it if a layer
/// names them. Xcode 26 does not know localised pictures, so their folders are listed apart, unless
/// `named` is nil.
private func iconFiles(
  in folder: ByteString, _ tree: FileTree, naming named: Set<ByteString>?
) throws(FileError) -> (files: [ByteString], localized: [ByteString]) {
  var files: [ByteString] = []
  var localized: [ByteString] = []
  var folders: [ByteString] = [""]
  while let below = folders.popLast() {
    let isAssets = below == "Assets"
    for entry in try tree.list(below.isEmpty ? folder : joined(folder, below)) {
      let isNamed = isAssets && named?.contains(entry.name) == true
      if entry.name.isHidden, !isNamed { continue }
      let path = below.isEmpty ? entry.name : joined(below, entry.name)
      switch entry.kind {
      case .file: if path != "icon.json" { files.append(path) }
      case .folder:
        if named != nil, isAssets, pathExtension(entry.name) == "lproj" {
          localized.append(path)
        } else if !entry.isLink, path.components.count < 8 {
          folders.append(path)
        }
      case .nowhere, .other: break
      }
    }
  }
  return (files.sorted(), localized.sorted())
}

// MARK: - The changes

/// A change that makes an icon readable for Xcode 26.
struct IconChange {
  var pointer: ByteString
  /// The key or the value that changes, quoted.
  var subject: String
  /// The rest of the sentence: "is left out".
  var outcome: String
  var edits: [Edit]
  /// Whether the tools of Xcode 26 refuse the icon without this change, or crash.
  var isRefused: Bool
  var isAboutKey: Bool

  /// Returns the changes of an icon.json, in no particular order, and whether there are more of
  /// them.
  static func forXcode26(_ root: JSONValue) -> (changes: [IconChange], isCut: Bool) {
    var list = IconChanges()
    list.visit(root)
    return (list.all, list.isCut)
  }
}

private struct IconChanges {
  private(set) var all: [IconChange] = []
  /// Whether changes are left out because there are too many.
  private(set) var isCut = false

  /// A limit far above that of real icons.
  static let limit = 10_000
  /// The longest key whose rows are visited, above that of every known key. The key is part of the
  /// pointer of each change below it.
  private static let longestKey = 64

  private mutating func add(
    _ pointer: ByteString, _ subject: String, _ outcome: String, _ edits: [Edit],
    isRefused: Bool = false, isAboutKey: Bool = false
  ) {
    if all.count >= IconChanges.limit {
      isCut = true
      return
    }
    all.append(
      IconChange(
        pointer: pointer, subject: subject, outcome: outcome, edits: edits, isRefused: isRefused,
        isAboutKey: isAboutKey))
  }

  private mutating func remove(
    _ key: ByteString, at pointer: ByteString, isRefused: Bool = false
  ) {
    add(
      pointer, quoted(key.text), "is left out", [.remove(pointer: pointer)], isRefused: isRefused,
      isAboutKey: true)
  }

  mutating func visit(_ root: JSONValue) {
    visit(root, at: "") { list, key, value, pointer in
      switch key {
      case "features": list.remove(key, at: pointer, isRefused: true)
      case "implicit-asset-mirroring", "languages": list.remove(key, at: pointer)
      case "supported-platforms":
        if value["squares"] == .string("unique") {
          list.replace("squares", "unique", with: .string("shared"), at: pointer + "/squares")
        }
      case "fill": list.visitFill(value, at: pointer)
      case "groups":
        forEachElement(of: value, at: pointer) { group, pointer in
          list.visitGroup(group, at: pointer)
        }
      default: break
      }
    }
  }

  private mutating func visitGroup(_ group: JSONValue, at pointer: ByteString) {
    visit(group, at: pointer) { list, key, value, pointer in
      switch key {
      case "refractivity", "refractivity-strength", "refractivity-depth",
        "specular-highlight-placement", "asset-mirroring":
        list.remove(key, at: pointer)
      case "specular":
        if case .string(let word) = value { list.visitSpecular(word, at: pointer) }
      case "shadow": list.visitShadow(value, at: pointer)
      case "layers":
        forEachElement(of: value, at: pointer) { layer, pointer in
          list.visitLayer(layer, at: pointer)
        }
      default: break
      }
    }
  }

  /// Writes the word for the place of the light as a boolean.
  private mutating func visitSpecular(_ word: ByteString, at pointer: ByteString) {
    switch word {
    case "automatic", "inside", "outside", "none":
      replace("specular", word, with: .bool(word != "none"), at: pointer, isRefused: true)
    default:
      add(
        pointer, "the unknown value \(quoted(word.text)) of \"specular\"", "is left out",
        [.remove(pointer: IconChanges.owner(of: pointer))], isRefused: true)
    }
  }

  /// Returns the pointer of the row that has a value, or of the value itself if it is in no row.
  private static func owner(of pointer: ByteString) -> ByteString {
    lastComponent(pointer) == "value" ? parentPointer(pointer) ?? pointer : pointer
  }

  private mutating func visitLayer(_ layer: JSONValue, at pointer: ByteString) {
    visit(layer, at: pointer) { list, key, value, pointer in
      switch key {
      case "asset-mirroring": list.remove(key, at: pointer)
      case "fill": list.visitFill(value, at: pointer)
      default: break
      }
    }
  }

  private mutating func replace(
    _ key: String, _ word: ByteString, with value: JSONValue, at pointer: ByteString,
    isRefused: Bool = false
  ) {
    let new =
      switch value {
      case .string(let text): quoted(text.text)
      case .bool(let flag): "\(flag)"
      default: "1"
      }
    add(
      pointer, "\(quoted(key)): \(quoted(word.text))", "is written as \(new)",
      [.replace(pointer: pointer, with: value)], isRefused: isRefused)
  }

  private mutating func visitShadow(_ shadow: JSONValue, at pointer: ByteString) {
    if shadow["kind"] == .string("automatic") {
      replace("kind", "automatic", with: .string("neutral"), at: pointer + "/kind")
    }
    if let opacity = shadow["opacity"]?.number, opacity > 1 {
      add(
        pointer + "/opacity", "the opacity \(brief(opacity)) of the shadow", "is written as 1",
        [.replace(pointer: pointer + "/opacity", with: .integer(1))])
    }
  }

  /// Leaves out a fill with a named colour: the layer then has its own colours, or the fill for any
  /// look.
  private mutating func visitFill(_ fill: JSONValue, at pointer: ByteString) {
    var strings: [ByteString] = []
    for key: ByteString in ["solid", "automatic-gradient", "linear-gradient"] {
      switch fill[key] {
      case .string(let text)?: strings.append(text)
      case .array(let elements)?:
        for case .string(let text) in elements { strings.append(text) }
      default: break
      }
    }
    guard let named = strings.first(where: { $0.hasPrefix("named:") }) else { return }
    add(
      pointer, "the fill with the colour \(quoted(named.text))", "is left out",
      [.remove(pointer: IconChanges.owner(of: pointer))], isRefused: true)
  }

  /// Calls `body` with each member of an object. The values for some looks are passed under the key
  /// for any look.
  private mutating func visit(
    _ value: JSONValue, at pointer: ByteString,
    _ body: (inout IconChanges, ByteString, JSONValue, ByteString) -> Void
  ) {
    guard case .object(let members) = value else { return }
    for member in members where member.key.count <= IconChanges.longestKey {
      let memberPointer: ByteString = "\(pointer)/\(pointerToken(member.key))"
      guard member.key.hasSuffix(IconChanges.suffix), case .array(let rows) = member.value else {
        body(&self, member.key, member.value, memberPointer)
        continue
      }
      let key = member.key.dropLast(IconChanges.suffix.count)
      let first = all.count
      for (index, row) in rows.enumerated() {
        let rowPointer: ByteString = "\(memberPointer)/\(index)"
        visitConditions(of: row, at: rowPointer)
        if let value = row["value"] { body(&self, key, value, rowPointer + "/value") }
      }
      collapse(from: first, list: memberPointer, rows: rows.count, key: member.key)
    }
  }

  /// Visits the conditions of a row. Xcode 27 does not read those about languages either.
  private mutating func visitConditions(of row: JSONValue, at pointer: ByteString) {
    if row["appearance"] == .string("base") {
      add(
        pointer + "/appearance", "\"appearance\": \"base\"", "is left out",
        [.remove(pointer: pointer + "/appearance")])
    }
    for key: ByteString in ["localization", "language-direction"] where row[key] != nil {
      add(
        "\(pointer)/\(key)", "the value for one \(quoted(key.text))", "is left out",
        [.remove(pointer: pointer)], isAboutKey: true)
    }
  }

  /// Replaces the removal of values, and of every row, by the removal of the list.
  private mutating func collapse(
    from first: Int, list: ByteString, rows: Int, key: ByteString
  ) {
    var removed: Set<ByteString> = []
    var isValueRemoved = false
    for change in all[first...] {
      for case .remove(let pointer) in change.edits {
        if lastComponent(pointer) == "value" { isValueRemoved = true }
        if parentPointer(pointer) == list { removed.insert(pointer) }
      }
    }
    guard isValueRemoved || removed.count == rows && rows > 0 else { return }
    // A key without values means nothing to Xcode 26, so one change says what many would.
    if isValueRemoved {
      all.removeSubrange(first...)
      remove(key, at: list)
    } else {
      for index in first..<all.count { all[index].edits = [] }
      all[first].edits = [.remove(pointer: list)]
    }
  }

  private static let suffix: ByteString = "-specializations"
}

private func forEachElement(
  of value: JSONValue, at pointer: ByteString, _ body: (JSONValue, ByteString) -> Void
) {
  guard case .array(let elements) = value else { return }
  for (index, element) in elements.enumerated() { body(element, "\(pointer)/\(index)") }
}
