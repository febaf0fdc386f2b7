// Writes JSON: results, with members in the given order and no numbers that JSON does not have; and
// the files of catalogues, as Xcode writes them. JSONParser.swift reads JSON.

import Bytes

// MARK: - Results

/// A value that is printed as JSON.
package indirect enum JSONOutput: Sendable, Equatable {
  case null
  case bool(Bool)
  case integer(Int)
  case number(Double)
  case string(String)
  case array([JSONOutput])
  case object([Member])

  /// Returns whether two values are equal. They are if their texts have the same bytes, because a
  /// value may contain a name.
  package static func == (a: JSONOutput, b: JSONOutput) -> Bool {
    a.line.utf8.elementsEqual(b.line.utf8)
  }

  /// Returns a name as text for people.
  package static func name(_ name: ByteString) -> JSONOutput { .string(name.text) }

  package struct Member: Sendable, Equatable {
    package var key: String
    package var value: JSONOutput

    package init(_ key: String, _ value: JSONOutput) {
      self.key = key
      self.value = value
    }

    package init(_ key: ByteString, _ value: JSONOutput) { self.init(key.text, value) }

    package static func == (a: Member, b: Member) -> Bool {
      a.key.utf8.elementsEqual(b.key.utf8) && a.value == b.value
    }
  }
}

extension JSONOutput: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
  package init(stringLiteral value: String) { self = .string(value) }
  package init(integerLiteral value: Int) { self = .integer(value) }
  package init(booleanLiteral value: Bool) { self = .bool(value) }
  package init(arrayLiteral elements: JSONOutput...) { self = .array(elements) }
  /// Creates an object. The members keep the order in which they are written.
  package init(dictionaryLiteral elements: (String, JSONOutput)...) {
    self = .object(elements.map { Member($0.0, $0.1) })
  }
}

extension JSONOutput {
  /// The value on one line, for one result among many.
  package var line: String {
    var text = ""
    write(indent: nil, to: &text)
    return harmlessJSON(text)
  }

  /// The value indented by two spaces, without a newline at the end.
  package var text: String {
    var text = ""
    write(indent: 0, to: &text)
    return harmlessJSON(text)
  }

  /// The value with indentation and a space before the colons. Apple's tools print JSON in this
  /// way, and scripts search for it.
  package var spacedText: String {
    var text = ""
    write(indent: 0, colon: " : ", to: &text)
    return harmlessJSON(text)
  }

  private func write(indent: Int?, colon: String = ": ", to text: inout String) {
    switch self {
    case .null: text += "null"
    case .bool(let flag): text += flag ? "true" : "false"
    case .integer(let number): text += String(number)
    case .number(let number): text += JSONOutput.digits(number)
    case .string(let string): text += jsonString(string)
    case .array(let values):
      JSONOutput.writeList(values, open: "[", close: "]", indent: indent, to: &text) {
        value, inner, text in
        value.write(indent: inner, colon: colon, to: &text)
      }
    case .object(let members):
      JSONOutput.writeList(members, open: "{", close: "}", indent: indent, to: &text) {
        member, inner, text in
        text += jsonString(member.key) + (inner == nil ? ":" : colon)
        member.value.write(indent: inner, colon: colon, to: &text)
      }
    }
  }

  private static func writeList<Item>(
    _ items: [Item], open: String, close: String, indent: Int?, to text: inout String,
    _ writeItem: (Item, Int?, inout String) -> Void
  ) {
    text += open
    let inner = indent.map { $0 + 2 }
    for (index, item) in items.enumerated() {
      if index > 0 { text += "," }
      if let inner { text += "\n" + String(repeating: " ", count: inner) }
      writeItem(item, inner, &text)
    }
    if let indent, !items.isEmpty { text += "\n" + String(repeating: " ", count: indent) }
    text += close
  }

  /// Returns the shortest digits that give the same number; "null" if JSON has no such number.
  private static func digits(_ number: Double) -> String {
    guard number.isFinite else { return "null" }
    if let whole = Int(exactly: number), abs(whole) < 1 << 53 { return String(whole) }
    return "\(number)"
  }
}

// MARK: - Files of catalogues

/// Returns JSON text as Xcode writes it: two spaces, " : ", sorted keys, an empty line in an empty
/// container, a newline at the end. Formatting a formatted text changes nothing.
package func formattedJSON(_ value: JSONValue) -> [UInt8] {
  var text = ""
  write(value, indent: 0, to: &text)
  text += "\n"
  return Array(text.utf8)
}

private func write(_ value: JSONValue, indent: Int, to text: inout String) {
  switch value {
  case .null: text += "null"
  case .bool(let flag): text += flag ? "true" : "false"
  case .integer(let number): text += String(number)
  case .number(_, let digits): text += digits
  case .string(let string): text += jsonString(string.text)
  case .array(let elements):
    writeList(elements, open: "[", close: "]", indent: indent, to: &text) { element, text in
      write(element, indent: indent + 2, to: &text)
    }
  case .object(let members):
    let ordered = members.sorted { $0.key < $1.key }
    writeList(ordered, open: "{", close: "}", indent: indent, to: &text) { member, text in
      text += jsonString(member.key.text) + " : "
      write(member.value, indent: indent + 2, to: &text)
    }
  }
}

private func writeList<Item>(
  _ items: [Item], open: String, close: String, indent: Int, to text: inout String,
  _ writeItem: (Item, inout String) -> Void
) {
  text += open + "\n"
  for (position, item) in items.enumerated() {
    text += String(repeating: " ", count: indent + 2)
    writeItem(item, &text)
    text += position + 1 < items.count ? ",\n" : ""
  }
  text += "\n" + String(repeating: " ", count: indent) + close
}

/// Escapes the control characters that JSON allows in a text. The text keeps its meaning, and a
/// terminal that shows it does not obey them. They can occur in strings only.
package func harmlessJSON(_ text: String) -> String {
  guard mayHoldWideControl(text) else { return text }
  var plain = ""
  for scalar in text.unicodeScalars {
    if scalar.isASCII || !isControl(scalar) {
      plain.unicodeScalars.append(scalar)
    } else {
      let digits = String(scalar.value, radix: 16)
      plain += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
    }
  }
  return plain
}

/// Returns a string in quotes, with the escapes that JSON requires.
package func jsonString(_ string: String) -> String {
  var text = "\""
  for scalar in string.unicodeScalars {
    switch scalar {
    case "\"": text += "\\\""
    case "\\": text += "\\\\"
    case "\n": text += "\\n"
    case "\r": text += "\\r"
    case "\t": text += "\\t"
    case "\u{8}": text += "\\b"
    case "\u{C}": text += "\\f"
    default:
      if scalar.value < 32 || scalar.value == 127 {
        let digits = String(scalar.value, radix: 16)
        text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      } else {
        text.unicodeScalars.append(scalar)
      }
    }
  }
  return text + "\""
}
