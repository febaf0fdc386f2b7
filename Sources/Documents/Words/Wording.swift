// Makes pieces of the texts of diagnostics: quotes, lists, counts.

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

package func quoted(_ text: String) -> String {
  let plain = onOneLine(String(text.unicodeScalars.prefix(120)))
  return "\"\(plain)\(text.unicodeScalars.count > 120 ? "…" : "")\""
}

package func onOneLine(_ name: ByteString) -> String { onOneLine(name.text) }

package func quoted(_ name: ByteString) -> String { quoted(name.text) }

package func quotedList(_ names: [ByteString], joinedBy conjunction: String = "or") -> String {
  quotedList(names.map(\.text), joinedBy: conjunction)
}

/// Returns a list such as: "a", "b" or "c"
package func quotedList(_ words: [String], joinedBy conjunction: String = "or") -> String {
  let all = words.map(quoted)
  guard let last = all.last, all.count > 1 else { return all.first ?? "nothing" }
  return all.dropLast().joined(separator: ", ") + " \(conjunction) " + last
}

/// Returns a number with its noun: 1 file, 2,000 files
package func counted(_ count: Int, _ noun: String) -> String {
  "\(grouped(count)) \(noun)\(count == 1 ? "" : "s")"
}

/// Returns a number without an unnecessary fraction.
package func brief(_ number: Double) -> String {
  if number == number.rounded(), abs(number) < 1e15 { return String(Int64(number)) }
  let thousandths = (number * 1000).rounded() / 1000
  return String(thousandths)
}

/// Returns a word without case, hyphens, underscores and spaces, so that different spellings of one
/// word are equal.
package func spellingKey(_ word: String) -> String {
  let bytes = word.utf8
  // This case is frequent, because every key that is missing in a file is searched for in this way.
  // ASCII needs no tables of letters.
  if bytes.allSatisfy({ $0 < 128 }) {
    return String(unsafeUninitializedCapacity: bytes.count) { buffer in
      var count = 0
      for byte in bytes where ![0x2D, 0x5F, 0x20].contains(byte) {
        buffer[count] = (0x41...0x5A).contains(byte) ? byte | 0x20 : byte
        count += 1
      }
      return count
    }
  }
  return String(
    word.lowercased().unicodeScalars.filter { !["-", "_", " "].contains($0) }.map(Character.init))
}
