// Changes that an editor offers for a Contents.json: the fixes of findings, a file for an empty
// entry, an entry for a file that no entry names, and the entries for missing scales.

import Apps
import Bytes
import CatalogModel
import Documents
import Traits

extension Document {
  /// The greatest number of files that are offered.
  private static let mostFiles = 20

  /// Returns the actions for a range of the text. `asset` is the set of the document.
  func actions(
    for findings: [Diagnostic], in wanted: Range<Int>, asset: AssetSet?, platform: Platform?
  ) -> JSONOutput {
    .array(
      fixes(of: findings, in: wanted) + assignments(in: wanted, on: platform)
        + missingEntries(of: asset, platform, findings, in: wanted))
  }

  private func fixes(of findings: [Diagnostic], in wanted: Range<Int>) -> [JSONOutput] {
    findings.compactMap { finding in
      guard let fix = finding.fix, range(of: finding).touches(wanted),
        let mended = CatalogModel.text(bytes, after: fix), mended != bytes
      else { return nil }
      return action(
        fix.summary, to: mended, about: [finding], isPreferred: fix.kind == .certain)
    }
  }

  /// Returns an action that replaces the text by another one.
  private func action(
    _ summary: String, to text: [UInt8], about findings: [Diagnostic] = [], isPreferred: Bool
  ) -> JSONOutput {
    var members: [JSONOutput.Member] = [
      .init("title", .string(onOneLine(summary.prefix(1).uppercased() + summary.dropFirst()))),
      .init("kind", "quickfix"),
      .init("edit", ["changes": .object([.init(address(of: path), [places.edit(to: text)])])]),
    ]
    if isPreferred { members.append(.init("isPreferred", true)) }
    if !findings.isEmpty {
      members.append(.init("diagnostics", .array(findings.map { json($0) })))
    }
    return .object(members)
  }

  // MARK: Files

  /// The keys of the arrays whose entries name files of the folder.
  private static let entryKeys: Set<ByteString> = ["images", "symbols", "data"]

  /// Returns the actions that give a file that no entry names to the entry in a range, or to a new
  /// entry.
  private func assignments(in wanted: Range<Int>, on platform: Platform?) -> [JSONOutput] {
    guard case .contents = kind, let root,
      let list = root.children.first(where: {
        $0.key.map(Document.entryKeys.contains) == true && $0.value.isContainer
          && ($0.keyRange ?? $0.value.range).lowerBound <= wanted.upperBound
          && wanted.lowerBound <= $0.value.range.upperBound
      })
    else { return [] }
    let files = unnamedFiles.filter { (try? tree.status(joined(folder, $0)))?.kind == .file }
      .prefix(Document.mostFiles)
    if files.isEmpty { return [] }
    let entries = list.value.children.filter { $0.key == nil && $0.value.isContainer }
    if let entry = entries.first(where: { $0.value.range.touches(wanted) }),
      !entry.value.children.contains(where: { $0.key == "filename" })
    {
      let scale = entry.value.children.first { $0.key == "scale" }.flatMap { text($0.value) }
      return files.compactMap { file in
        inserting("filename", file, into: entry.value).map { text in
          let isMeant = scale == Document.scale(of: file) || files.count == 1
          return action("assign \(quoted(file))", to: text, isPreferred: isMeant)
        }
      }
    }
    return files.compactMap { file in
      let key = PictureName(file).key
      var members = [JSONMember(key: "filename", value: .string(file))]
      members += Slot.members(for: key, locale: nil, on: platform ?? .iOS) ?? []
      if list.key == "images", let scale = Document.scale(of: file) {
        members.append(JSONMember(key: "scale", value: .string(scale)))
      }
      return appending([.object(members)], to: list.value).map { text in
        action("add an entry for \(quoted(file))", to: text, isPreferred: false)
      }
    }
  }

  /// Returns the scale that the name of a picture states; nil for a vector.
  private static func scale(of file: ByteString) -> ByteString? {
    if ["pdf", "svg"].contains(pathExtension(file)) { return nil }
    let scale = PictureName(file).scale ?? 1
    return scale > 1 && scale <= 3 ? ByteString("\(Int(scale))x") : "1x"
  }

  // MARK: Missing entries

  /// Returns the action that adds the entries for missing scales.
  private func missingEntries(
    of asset: AssetSet?, _ platform: Platform?, _ findings: [Diagnostic], in wanted: Range<Int>
  ) -> [JSONOutput] {
    guard let asset, let root, let list = root.children.last(where: { $0.key == "images" }),
      case .object(let top)? = try? parseJSON(bytes),
      case .array(let entries)? = top.last(where: { $0.key == "images" })?.value
    else { return [] }
    let about = findings.filter { $0.code == .missingScale && range(of: $0).touches(wanted) }
    if about.isEmpty { return [] }
    let known = Set(entries.map(\.sorted))
    var added: [JSONValue] = []
    var names: [String] = []
    for missing in missingScales(of: asset, platform: platform) {
      guard let index = Int(lastComponent(missing.like.pointer).text),
        entries.indices.contains(index), case .object(let like) = entries[index]
      else { continue }
      for scale in missing.scales {
        let members = like.filter { $0.key != "filename" }.map { member in
          member.key == "scale" ? JSONMember(key: "scale", value: .text("\(scale)x")) : member
        }
        let entry = JSONValue.object(members)
        // An empty slot is there already.
        if known.contains(entry.sorted) { continue }
        added.append(entry)
        names.append("\(scale)x")
      }
    }
    guard !added.isEmpty, let text = appending(added, to: list.value) else { return [] }
    let noun = added.count == 1 ? "slot" : "slots"
    let title = "add the missing \(noun) for \(names.joined(separator: " and "))"
    return [action(title, to: text, about: about, isPreferred: false)]
  }

  // MARK: Insertion

  /// Returns the text with one more member in an object, in the formatting of the others; nil if
  /// that does not give the intended value.
  private func inserting(
    _ key: ByteString, _ value: ByteString, into object: PlacedJSON
  ) -> [UInt8]? {
    var text = bytes
    let pair = jsonString(key.text)
    let word = jsonString(value.text)
    if let next = object.children.first(where: { $0.key.map { key < $0 } ?? false }) {
      guard let start = next.keyRange?.lowerBound else { return nil }
      let new = Array("\(pair)\(colon(of: next))\(word),".utf8) + bytes[next.lead]
      text.insert(contentsOf: new, at: start)
    } else if let last = object.children.last {
      let new = [UInt8(ascii: ",")] + bytes[last.lead] + "\(pair)\(colon(of: last))\(word)".utf8
      text.insert(contentsOf: new, at: last.value.range.upperBound)
    } else {
      text.replaceSubrange(object.range, with: "{ \(pair) : \(word) }".utf8)
    }
    return (try? parseJSON(text)) == nil ? nil : text
  }

  private func colon(of child: PlacedChild) -> String {
    guard let key = child.keyRange, key.upperBound <= child.value.range.lowerBound else {
      return " : "
    }
    return String(decoding: bytes[key.upperBound..<child.value.range.lowerBound], as: UTF8.self)
  }

  /// Returns the text with more elements in an array, in the formatting of the others; nil if the
  /// text is not JSON then.
  private func appending(_ values: [JSONValue], to array: PlacedJSON) -> [UInt8]? {
    var text = bytes
    if let last = array.children.last {
      let lead = Array(bytes[last.lead])
      var new: [UInt8] = []
      for value in values { new += [UInt8(ascii: ",")] + lead + layout(value, after: lead) }
      text.insert(contentsOf: new, at: last.value.range.upperBound)
    } else {
      let all = formattedJSON(.array(values)).dropLast()
      let indent = [UInt8](repeating: 32, count: indentation(of: array.range.lowerBound))
      text.replaceSubrange(array.range, with: Document.indented(Array(all), by: indent))
    }
    return (try? parseJSON(text)) == nil ? nil : text
  }

  /// Returns a value as it is written after some space: on lines of its own if the space has one.
  private func layout(_ value: JSONValue, after lead: [UInt8]) -> [UInt8] {
    let lines = Array(formattedJSON(value).dropLast())
    guard let end = lead.lastIndex(of: 10) else {
      return Array(JSONOutput(value).line.utf8)
    }
    return Document.indented(lines, by: Array(lead[(end + 1)...]))
  }

  private static func indented(_ text: [UInt8], by indent: [UInt8]) -> [UInt8] {
    text.flatMap { $0 == 10 ? [$0] + indent : [$0] }
  }

  /// Returns the number of spaces at the start of the line of a byte.
  private func indentation(of offset: Int) -> Int {
    let start = bytes[..<offset].lastIndex(of: 10).map { $0 + 1 } ?? 0
    return bytes[start...].prefix { $0 == 32 }.count
  }
}

extension JSONOutput {
  /// Creates the output of a value of a catalogue.
  fileprivate init(_ value: JSONValue) {
    switch value {
    case .null: self = .null
    case .bool(let flag): self = .bool(flag)
    case .integer(let number): self = .integer(Int(number))
    case .number(let number, _): self = .number(number)
    case .string(let text): self = .string(text.text)
    case .array(let elements): self = .array(elements.map { JSONOutput($0) })
    case .object(let members): self = .object(members.map { Member($0.key, JSONOutput($0.value)) })
    }
  }
}

extension JSONValue {
  /// The value with the members of its objects in the order of their keys.
  fileprivate var sorted: JSONValue {
    switch self {
    case .array(let elements): .array(elements.map(\.sorted))
    case .object(let members):
      .object(
        members.map { JSONMember(key: $0.key, value: $0.value.sorted) }
          .sorted { $0.key < $1.key })
    default: self
    }
  }
}

extension Range<Int> {
  func touches(_ other: Range<Int>) -> Bool {
    lowerBound <= other.upperBound && other.lowerBound <= upperBound
  }
}
