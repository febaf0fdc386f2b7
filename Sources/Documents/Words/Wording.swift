// Pieces of the texts of diagnostics: quotes, lists, and the nearest known word.

/// A name or a path as part of a line, whatever it holds: nothing in it ends the line or commands a
/// terminal.
package func onOneLine(_ text: String) -> String {
  func isControl(_ scalar: Unicode.Scalar) -> Bool {
    scalar.value < 32 || (127..<160).contains(scalar.value)
  }
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

/// "a", "b" or "c"
package func quotedList(_ words: [String], joinedBy conjunction: String = "or") -> String {
  let all = words.map(quoted)
  guard let last = all.last, all.count > 1 else { return all.first ?? "nothing" }
  return all.dropLast().joined(separator: ", ") + " \(conjunction) " + last
}

/// 1 file, 2,000 files
package func counted(_ count: Int, _ noun: String) -> String {
  "\(grouped(count)) \(noun)\(count == 1 ? "" : "s")"
}

/// A number without a needless fraction.
package func brief(_ number: Double) -> String {
  if number == number.rounded(), abs(number) < 1e15 { return String(Int64(number)) }
  let thousandths = (number * 1000).rounded() / 1000
  return String(thousandths)
}

/// A word without case, hyphens, underscores and spaces: what spellings of one word have in common.
package func spellingKey(_ word: String) -> String {
  String(
    word.lowercased().unicodeScalars.filter { !["-", "_", " "].contains($0) }.map(Character.init))
}
