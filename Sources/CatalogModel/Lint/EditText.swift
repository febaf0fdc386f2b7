// Applies edits to the text of a JSON file in the formatting of its author. Every byte outside of
// the edited places stays the same.
//
// PlacedJSON.swift divides the text into pieces that contain every byte. Each child of an object or
// array owns the bytes between two separators (brackets or commas):
//
//     {\n  "a": 1,\n  "b": 2,\n  "c": 3\n}
//      └─ outer ┘ └─ outer ┘ └─ outer ┘└┘ end
//
// `lead` is the part of `outer` before the key, `trail` is the part after the value. The editor
// writes a changed container again: the opening bracket, the outer text of each child that stays,
// a comma between two children, `end`, and the closing bracket. So a removed child takes its own
// line with it, and no comma is left over:
//
//     remove /b    {\n  "a": 1,\n  "c": 3\n}
//     rename /b    {\n  "a": 1,\n  "x": 2,\n  "c": 3\n}
//
// A moved member gets the lead of the last child of its new object, and so the same indentation.
// A container is copied byte by byte if there is no edit and no unneeded comma in or below it.

import Bytes
import Documents

/// Returns the text after some edits; nil if the text is not JSON.
func edited(_ bytes: [UInt8], _ edits: [Edit]) -> [UInt8]? {
  placedJSON(bytes).flatMap { TextEditor(bytes, $0, edits).text() }
}

private struct TextEditor {
  private let bytes: [UInt8]
  private let root: PlacedJSON
  private var edits: [ByteString: [Edit]] = [:]
  /// The pointers of the values with an edit below them.
  private var changed: Set<ByteString> = []
  /// The members that move, grouped by the object of the root that receives them. The objects are
  /// in the order of the edits.
  private var moved: [(object: ByteString, members: [MovedMember])] = []

  private typealias MovedMember = (child: PlacedChild, pointer: ByteString)

  init(_ bytes: [UInt8], _ root: PlacedJSON, _ edits: [Edit]) {
    self.bytes = bytes
    self.root = root
    for edit in edits {
      let pointer: ByteString
      switch edit {
      case .rename(let edited, _), .replace(let edited, _), .remove(let edited): pointer = edited
      case .move(let edited, let object):
        pointer = edited
        if let child = child(at: edited) { add((child, edited), to: object) }
        changed.insert("/\(pointerToken(object))")
      }
      self.edits[pointer, default: []].append(edit)
      for parent in sequence(first: pointer, next: { parentPointer($0) }).dropFirst() {
        changed.insert(parent)
      }
    }
  }

  private mutating func add(_ member: MovedMember, to object: ByteString) {
    if let index = moved.firstIndex(where: { $0.object == object }) {
      moved[index].members.append(member)
    } else {
      moved.append((object, [member]))
    }
  }

  private func child(at pointer: ByteString) -> PlacedChild? {
    var value = root
    var found: PlacedChild?
    for token in pointerTokens(pointer) {
      let index = value.children.first?.key == nil ? Int(token.text) : nil
      let next = value.children.enumerated().last { $0.element.key == token || $0.offset == index }
      guard let next else { return nil }
      found = next.element
      value = next.element.value
    }
    return found
  }

  func text() -> [UInt8] {
    Array(bytes[..<root.range.lowerBound]) + text(of: root, at: "")
      + bytes[root.range.upperBound...]
  }

  private func text(of value: PlacedJSON, at pointer: ByteString) -> [UInt8] {
    for case .replace(_, let new) in edits[pointer] ?? [] {
      return Array(formattedJSON(new).dropLast())
    }
    // A comma after the last child is always removed, because it is not JSON.
    guard value.isContainer,
      changed.contains(pointer) || value.hasTrailingComma || hasTrailingComma(below: value)
    else {
      return Array(bytes[value.range])
    }
    var parts: [[UInt8]] = []
    for (index, child) in value.children.enumerated() {
      let childPointer: ByteString = "\(pointer)/\(child.token(index: index))"
      let childEdits = edits[childPointer] ?? []
      if childEdits.contains(where: { $0.removesValue }) { continue }
      parts.append(bytes[child.lead] + text(of: (child, childPointer)) + bytes[child.trail])
    }
    parts += additions(to: value, at: pointer)
    var text = [bytes[value.range.lowerBound]]
    for (index, part) in parts.enumerated() {
      text += (index > 0 ? [UInt8(ascii: ",")] : []) + part
    }
    if !parts.isEmpty || value.children.isEmpty { text += bytes[value.end] }
    return text + [bytes[value.range.upperBound - 1]]
  }

  /// Returns whether a container below the value has a comma after its last child.
  private func hasTrailingComma(below value: PlacedJSON) -> Bool {
    value.children.contains { $0.value.hasTrailingComma || hasTrailingComma(below: $0.value) }
  }

  private func newKey(_ edits: [Edit]) -> ByteString? {
    for case .rename(_, let key) in edits { return key }
    return nil
  }

  /// Returns the members that move into an object. For the root, returns the objects that have to
  /// be created for moved members.
  private func additions(to value: PlacedJSON, at pointer: ByteString) -> [[UInt8]] {
    let lead = value.children.last.map { Array(bytes[$0.lead]) } ?? []
    var parts: [[UInt8]] = []
    for (object, members) in moved {
      let isThere = root.children.contains { $0.key == object }
      if isThere, pointer == "/\(pointerToken(object))" {
        for member in members where !value.children.contains(where: { $0.key == member.child.key })
        {
          parts.append(lead + text(of: member))
        }
      } else if !isThere, pointer.isEmpty {
        parts.append(lead + newObject(named: object, members: members, lead: lead))
      }
    }
    return parts
  }

  /// Returns the key and the value of a child after their edits, without the space around them.
  private func text(of member: MovedMember) -> [UInt8] {
    let (child, pointer) = member
    let value = text(of: child.value, at: pointer)
    guard let keyRange = child.keyRange else { return value }
    let key =
      newKey(edits[pointer] ?? []).map { Array(jsonString($0.text).utf8) } ?? Array(bytes[keyRange])
    return key + bytes[keyRange.upperBound..<child.value.range.lowerBound] + value
  }

  /// Returns a new object. It is on lines of its own if its neighbours do.
  private func newObject(
    named name: ByteString, members: [MovedMember], lead: [UInt8]
  ) -> [UInt8] {
    let colon = members.first.flatMap { member in
      member.child.keyRange.map {
        Array(bytes[$0.upperBound..<member.child.value.range.lowerBound])
      }
    }
    // The members are indented by one step more than the neighbours of the new object. The
    // neighbours are indented by one step, because they are members of the root.
    let step = lead.lastIndex(of: 10).map { lead + lead[($0 + 1)...] } ?? []
    let list = members.map { step + text(of: $0) }
    return Array(jsonString(name.text).utf8) + (colon ?? [UInt8(ascii: ":")]) + [UInt8(ascii: "{")]
      + list.joined(separator: [UInt8(ascii: ",")]) + lead + [UInt8(ascii: "}")]
  }
}

extension Edit {
  fileprivate var removesValue: Bool {
    switch self {
    case .remove, .move: true
    case .rename, .replace: false
    }
  }
}

extension PlacedJSON {
  /// Whether a comma follows the last child.
  fileprivate var hasTrailingComma: Bool {
    children.last.map { $0.outer.upperBound < end.lowerBound } ?? false
  }
}
