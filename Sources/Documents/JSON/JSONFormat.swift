// Writes JSON text as Xcode does: two spaces, " : ", sorted keys, an empty line in an empty
// container, a newline at the end. Formatting a formatted text changes nothing.

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
    writeList(elements, "[", "]", indent: indent, to: &text) { element, text in
      write(element, indent: indent + 2, to: &text)
    }
  case .object(let members):
    let ordered = members.sorted { $0.key < $1.key }
    writeList(ordered, "{", "}", indent: indent, to: &text) { member, text in
      text += jsonString(member.key.text) + " : "
      write(member.value, indent: indent + 2, to: &text)
    }
  }
}

private func writeList<Item>(
  _ items: [Item], _ open: String, _ close: String, indent: Int, to text: inout String,
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
