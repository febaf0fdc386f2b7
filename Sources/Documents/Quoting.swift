// Quotes and lists of names, and texts that can be printed without harm: on one line, in Markdown
// and for a shell.

import Bytes

/// Returns whether a character ends a line, controls a terminal, or reorders the text around it:
/// the control characters, U+2028 and U+2029, and the embeddings, overrides and isolates of
/// bidirectional text. The marks U+061C, U+200E and U+200F are not included: names in Arabic and
/// Hebrew contain them, and they move no other text.
package func isControl(_ scalar: Unicode.Scalar) -> Bool {
  switch scalar.value {
  case 0..<32, 127..<160, 0x2028...0x202E, 0x2066...0x2069: true
  default: false
  }
}

/// Returns whether a text may contain a control character beyond ASCII. It looks only for two
/// bytes, so that the check of most texts is fast.
package func mayHoldWideControl(_ text: String) -> Bool {
  text.utf8.contains { $0 == 0xC2 || $0 == 0xE2 }
}

/// Returns a name or a path as part of a line. Control characters are replaced, so that the result
/// neither ends the line nor controls a terminal.
package func onOneLine(_ text: String) -> String {
  guard text.unicodeScalars.contains(where: isControl) else { return text }
  var plain = ""
  for scalar in text.unicodeScalars {
    plain.unicodeScalars.append(isControl(scalar) ? "\u{FFFD}" : scalar)
  }
  return plain
}

package func onOneLine(_ name: ByteString) -> String { onOneLine(name.text) }

extension String {
  /// The text in one line of Markdown, without marks, links and elements.
  package var escapedForMarkdown: String {
    var text = ""
    for scalar in onOneLine(self).unicodeScalars {
      if "|\\`*_<>[]~&".unicodeScalars.contains(scalar) { text.append("\\") }
      text.unicodeScalars.append(scalar)
    }
    return text
  }
}

/// Returns a name or a path in quotes, as part of a line. A long one is cut.
package func quoted(_ text: String) -> String {
  let plain = onOneLine(String(text.unicodeScalars.prefix(120)))
  return "\"\(plain)\(text.unicodeScalars.count > 120 ? "…" : "")\""
}

package func quoted(_ name: ByteString) -> String { quoted(name.text) }

/// Returns a list such as: "a", "b" or "c"
package func quotedList(_ words: [String], joinedBy conjunction: String = "or") -> String {
  words.isEmpty ? "nothing" : listed(words.map(quoted), joinedBy: conjunction)
}

package func quotedList(_ names: [ByteString], joinedBy conjunction: String = "or") -> String {
  quotedList(names.map(\.text), joinedBy: conjunction)
}

/// Returns a list such as: one, two and three
package func listed(_ parts: [String], joinedBy conjunction: String) -> String {
  guard let last = parts.last, parts.count > 1 else { return parts.first ?? "" }
  return parts.dropLast().joined(separator: ", ") + " \(conjunction) " + last
}

/// Returns a text in single quotes, which every shell reads as one word.
package func inShellQuotes(_ text: String) -> String {
  // A quote with a combining accent is another Character, but the shell would still read it.
  "'" + text.unicodeScalars.map { $0 == "'" ? #"'\''"# : String($0) }.joined() + "'"
}
