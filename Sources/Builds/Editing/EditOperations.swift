// The operations of an edit as their words: `NAME[:TRAITS]=VALUE` on a command line, and elements
// of a script.

import Archive
import ArchiveTools
import Bytes
import Documents
import Traits

/// One operation of an edit. Names are those that the archive has when the operation is applied.
package enum EditOperation: Sendable, Hashable {
  case replace(ByteString, VariantChoice, with: ByteString)
  case recolor(ByteString, VariantChoice, to: ColorPayload)
  case remove(ByteString)
  case rename(ByteString, to: ByteString)
  /// Adds the assets of a catalogue or an archive.
  case add(ByteString)
  /// Puts a layered icon or an icon set in the place of the archive's icon.
  case icon(ByteString)
}

extension EditOperation {
  /// The file or the folder that the operation reads; nil if it reads none.
  package var file: ByteString? {
    switch self {
    case .replace(_, _, let file), .add(let file), .icon(let file): file
    case .recolor, .remove, .rename: nil
    }
  }

  /// Reads `NAME[:TRAITS]=FILE`, or `NAME[:TRAITS]=COLOR`.
  package static func replacing(_ word: ByteString) throws(EditError) -> EditOperation {
    let (name, choice, value) = try assignment(word, "NAME[:TRAITS]=FILE")
    if let color = ColorPayload(text: value.text) { return .recolor(name, choice, to: color) }
    return .replace(name, choice, with: value)
  }

  /// Reads `NAME[:TRAITS]=COLOR`.
  package static func recoloring(_ word: ByteString) throws(EditError) -> EditOperation {
    let (name, choice, value) = try assignment(word, "NAME[:TRAITS]=COLOR")
    return .recolor(name, choice, to: try color(value.text))
  }

  /// Reads `OLD=NEW`.
  package static func renaming(_ word: ByteString) throws(EditError) -> EditOperation {
    guard let sign = word.bytes.firstIndex(of: UInt8(ascii: "=")) else {
      throw .refused("'\(onOneLine(word))' is no OLD=NEW")
    }
    return .rename(
      ByteString(bytes: Array(word.bytes[..<sign])),
      to: ByteString(bytes: Array(word.bytes[(sign + 1)...])))
  }

  private static func color(_ text: String) throws(EditError) -> ColorPayload {
    if let color = ColorPayload(text: text) { return color }
    throw .refused(
      "'\(onOneLine(text))' is not a colour; write #RRGGBB, #RRGGBBAA or display-p3(R, G, B, A) "
        + "with components from 0 to 1")
  }

  private static func choice(_ text: String) throws(EditError) -> VariantChoice {
    do throws(TraitError) { return try VariantChoice(text) } catch {
      let near = error.unknownWord.map { suggestion(for: $0, in: error.choices) } ?? ""
      throw .refused("\(error)\(near)")
    }
  }

  /// Divides a word at the equals sign after the name or after its traits. A name ends at the
  /// first colon or equals sign; other names can be given in a script.
  private static func assignment(
    _ word: ByteString, _ form: String
  ) throws(EditError) -> (name: ByteString, choice: VariantChoice, value: ByteString) {
    let bytes = word.bytes
    let (colon, equals, comma) = (UInt8(ascii: ":"), UInt8(ascii: "="), UInt8(ascii: ","))
    guard let nameEnd = bytes.firstIndex(where: { $0 == colon || $0 == equals }) else {
      throw .refused("'\(onOneLine(word))' is no \(form)")
    }
    let name = ByteString(bytes: Array(bytes[..<nameEnd]))
    if bytes[nameEnd] == equals {
      return (name, .all, ByteString(bytes: Array(bytes[(nameEnd + 1)...])))
    }
    // Each trait is KEY=VALUE; commas separate the traits, and another equals sign ends them.
    var end = nameEnd + 1
    var isValue = false
    while end < bytes.count, !(bytes[end] == equals && isValue) {
      if bytes[end] == equals { isValue = true }
      if bytes[end] == comma { isValue = false }
      end += 1
    }
    guard end < bytes.count else { throw .refused("'\(onOneLine(word))' is no \(form)") }
    let traits = ByteString(bytes: Array(bytes[(nameEnd + 1)..<end]))
    return (name, try choice(traits.text), ByteString(bytes: Array(bytes[(end + 1)...])))
  }
}

// MARK: - Scripts

extension EditOperation {
  /// Reads a script: a JSON array with one object for each operation. A relative path begins in the
  /// folder of the file. Errors begin with the place.
  package static func script(
    _ bytes: [UInt8], file: ByteString
  ) throws(EditError) -> [EditOperation] {
    let root: JSONValue
    do throws(JSONSyntaxError) { root = try parseJSON(bytes) } catch {
      let place = linesAndColumns(of: [error.offset], in: bytes)[error.offset]
      let words = place.map { ":\($0.line):\($0.column)" } ?? ""
      throw .refused("\(onOneLine(file))\(words): it is not JSON: \(error.words)")
    }
    if let key = firstRepeatedKey(in: bytes, of: root) {
      throw .refused("\(onOneLine(file)): \(quoted(key)) occurs twice in one object")
    }
    guard case .array(let elements) = root else {
      throw .refused("\(onOneLine(file)): it is not an array of operations")
    }
    var operations: [EditOperation] = []
    for (number, element) in elements.enumerated() {
      do throws(EditError) {
        operations.append(try operation(element, in: parentFolder(file)))
      } catch {
        let place = writtenPlace(of: "/\(number)", in: bytes, file: file)
        throw .refused("\(place): operation \(number + 1): \(error)")
      }
    }
    return operations
  }

  private static let verbs: [ByteString] = [
    "replace", "recolor", "remove", "rename", "add", "icon",
  ]

  private static func operation(
    _ value: JSONValue, in folder: ByteString
  ) throws(EditError) -> EditOperation {
    guard case .object(let members) = value else { throw .refused("it is not an object") }
    let given = verbs.filter { value[$0] != nil }
    guard given.count == 1, let verb = given.first else {
      throw .refused("it has to have one of the keys \(quotedList(verbs))")
    }
    let allowed: [ByteString] =
      switch verb {
      case "replace": ["with", "traits"]
      case "recolor": ["to", "traits"]
      case "rename": ["to"]
      default: []
      }
    for member in members where member.key != verb && !allowed.contains(member.key) {
      throw .refused(
        "\(quoted(member.key)) is not a key of \(quoted(verb))"
          + suggestion(for: member.key, in: allowed))
    }
    func text(_ key: ByteString) throws(EditError) -> ByteString {
      guard case .string(let text)? = value[key] else {
        throw .refused("\(quoted(key)) has to be a string")
      }
      return text
    }
    func path(_ key: ByteString) throws(EditError) -> ByteString {
      let path = try text(key)
      return path.isAbsolute ? path : joined(folder, path)
    }
    let name = try text(verb)
    let choice = value["traits"] == nil ? VariantChoice.all : try choice(try text("traits").text)
    switch verb {
    case "replace": return .replace(name, choice, with: try path("with"))
    case "recolor": return .recolor(name, choice, to: try color(try text("to").text))
    case "rename": return .rename(name, to: try text("to"))
    case "add": return .add(try path(verb))
    case "icon": return .icon(try path(verb))
    default: return .remove(name)
    }
  }
}
