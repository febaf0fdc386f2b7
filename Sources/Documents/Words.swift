// Words for people: quoted names and lists, counts, short numbers, text that is safe to print, and
// the nearest known word for a misspelled one.

import Bytes

// MARK: - Quotes, lists and lines

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
  words.isEmpty ? "nothing" : listed(words.map(quoted), joinedBy: conjunction)
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

/// Returns a number with all its digits, and without a fraction if it has none.
package func withAllDigits(_ number: Double) -> String {
  Int(exactly: number).map { String($0) } ?? "\(number)"
}

/// Returns a word without case, hyphens, underscores and spaces, so that different spellings of one
/// word are equal.
package func spellingKey(_ word: String) -> String {
  // ASCII needs no tables of letters.
  if word.utf8.allSatisfy({ $0 < 128 }) {
    var bytes = word.utf8.makeIterator()
    return String(unsafeUninitializedCapacity: word.utf8.count) { buffer in
      var count = 0
      while let byte = nextOfSpelling(&bytes) {
        buffer[count] = byte
        count += 1
      }
      return count
    }
  }
  return String(
    word.lowercased().unicodeScalars.filter { !["-", "_", " "].contains($0) }.map(Character.init))
}

/// Returns whether two words are spellings of one word: whether their `spellingKey` is equal.
package func areSpellings(_ word: String, _ other: String) -> Bool {
  // Every key that is missing in a file is compared with the keys of the file. Words of ASCII are
  // compared in place, and most of them differ in their first letters.
  var bytes = word.utf8.makeIterator()
  var otherBytes = other.utf8.makeIterator()
  while true {
    let byte = nextOfSpelling(&bytes)
    let otherByte = nextOfSpelling(&otherBytes)
    if (byte ?? 0) | (otherByte ?? 0) >= 128 { return spellingKey(word) == spellingKey(other) }
    if byte != otherByte { return false }
    if byte == nil { return true }
  }
}

/// Returns the next byte of a text that counts in a spelling, a letter of ASCII in lower case; nil
/// at the end of the text.
private func nextOfSpelling(_ bytes: inout String.UTF8View.Iterator) -> UInt8? {
  while let byte = bytes.next() {
    switch byte {
    case UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: " "): continue
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): return byte | 0x20
    default: return byte
    }
  }
  return nil
}

// MARK: - Numbers

/// Returns a number with commas between thousands.
package func grouped(_ number: Int) -> String {
  var text = ""
  for (index, digit) in String(number.magnitude).reversed().enumerated() {
    if index > 0, index % 3 == 0 { text.append(",") }
    text.append(digit)
  }
  return (number < 0 ? "-" : "") + String(text.reversed())
}

/// Returns the change of a number: +1,200, -5 or 0.
package func signed(_ number: Int) -> String {
  number > 0 ? "+\(grouped(number))" : grouped(number)
}

/// Returns a size in decimal units, in the form of Apple's report.
package func decimalSize(_ bytes: Int) -> String {
  if bytes == 0 { return "Zero KB" }
  let (unit, name) = bytes < 1_000_000 ? (1_000, "KB") : (1_000_000, "MB")
  let tenths = (bytes * 10 + unit / 2) / unit
  return tenths % 10 == 0 ? "\(tenths / 10) \(name)" : "\(tenths / 10).\(tenths % 10) \(name)"
}

/// Returns rows as a table in Markdown. The first row has the heads of the columns; the columns in
/// `right` are aligned on the right.
package func markdownTable(_ rows: [[String]], right: Set<Int> = []) -> String {
  guard let head = rows.first else { return "" }
  func line(_ cells: [String]) -> String { "| \(cells.joined(separator: " | ")) |\n" }
  let marks = head.indices.map { right.contains($0) ? "--:" : "---" }
  var text = line(head.map(\.escapedForMarkdown)) + "|\(marks.joined(separator: "|"))|\n"
  for row in rows.dropFirst() { text += line(row.map { onOneLine($0).escapedForMarkdown }) }
  return text
}

/// The greatest width of an aligned column.
private let mostColumnWidth = 80

/// Returns rows with aligned columns. The columns in `right` are aligned on the right.
package func alignedColumns(_ rows: [[String]], right: Set<Int> = []) -> [String] {
  let rows = rows.map { $0.map(onOneLine) }
  let columns = rows.map(\.count).max() ?? 0
  // A few long cells must not lengthen all rows.
  let widths = (0..<columns).map { column in
    min(rows.map { $0.count > column ? $0[column].count : 0 }.max() ?? 0, mostColumnWidth)
  }
  return rows.map { row in
    var line = ""
    for (column, cell) in row.enumerated() {
      let gap = String(repeating: " ", count: max(0, widths[column] - cell.count))
      if column > 0 { line += "  " }
      line += right.contains(column) ? gap + cell : cell + gap
    }
    while line.last == " " { line.removeLast() }
    return line
  }
}

/// Breaks a text at blanks. A line is longer than `length` only if a single word is.
package func wrap(_ text: String, to length: Int) -> [String] {
  var lines: [String] = []
  var line = ""
  for word in text.split(whereSeparator: { $0 == " " || $0 == "\n" }) {
    if !line.isEmpty, line.count + 1 + word.count > length {
      lines.append(line)
      line = ""
    }
    line += (line.isEmpty ? "" : " ") + word
  }
  return line.isEmpty ? lines : lines + [line]
}

// MARK: - Suggestions

/// Returns the candidate that is closest to `word`; nil if no candidate is close enough.
///
/// A candidate is close enough if the number of edits is at most a third of the word's length (at
/// least one edit is allowed), or if it starts with the word. Case, hyphens, underscores and spaces
/// are ignored. Of equally close candidates, the first one counts.
package func nearest(to word: String, in candidates: [String]) -> String? {
  nearestFew(to: word, in: candidates, atMost: 1).first
}

/// Returns the candidates that are close enough, the closest first.
package func nearestFew(to word: String, in candidates: [String], atMost count: Int) -> [String] {
  nearestFew(to: word, in: candidates.lazy.map { SpelledWord($0) }, atMost: count)
}

/// A word with the bytes by which it is compared, for words that are compared often.
package struct SpelledWord: Sendable {
  fileprivate let word: String
  fileprivate let key: [UInt8]

  package init(_ word: String) {
    self.word = word
    key = Array(spellingKey(word).utf8)
  }
}

/// Returns the candidate that is closest to `word`; nil if no candidate is close enough.
package func nearest(to word: String, in candidates: [SpelledWord]) -> String? {
  nearestFew(to: word, in: candidates, atMost: 1).first
}

private func nearestFew(
  to word: String, in candidates: some Sequence<SpelledWord>, atMost count: Int
) -> [String] {
  guard word.utf8.count <= 64 else { return [] }
  let typed = Array(spellingKey(word).utf8)
  guard !typed.isEmpty else { return [] }
  // In a word of one letter, one edit replaces all of it.
  let limit = typed.count == 1 ? 0 : max(1, typed.count / 3)
  // A sorted list of at most `count` candidates. There are many names, but only few near ones.
  var best: [(candidate: String, distance: Int)] = []
  for candidate in candidates {
    let known = candidate.key
    guard known.count <= 64 else { continue }
    // Words have at least as many edits as the difference of their lengths.
    let isNear = abs(typed.count - known.count) <= limit
    var distance = isNear ? editDistance(typed, known) : Int.max
    if distance > limit {
      guard typed.count >= 3, known.starts(with: typed) else { continue }
      distance = limit + 1
    }
    let index = best.firstIndex { distance < $0.distance } ?? best.endIndex
    if index >= count
      || best.contains(where: { $0.candidate.utf8.elementsEqual(candidate.word.utf8) })
    {
      continue
    }
    best.insert((candidate.word, distance), at: index)
    if best.count > count { best.removeLast() }
  }
  return best.map(\.candidate)
}

/// Returns the first of two candidates of `nearestFew`; nil if there is no candidate, or if both
/// are equally close, so that the word can mean either.
package func likeliest(of near: [String], to word: String) -> String? {
  guard let first = near.first, near.count > 1 else { return near.first }
  let typed = Array(spellingKey(word).utf8)
  func distance(_ candidate: String) -> Int {
    editDistance(typed, Array(spellingKey(candidate).utf8))
  }
  return distance(first) < distance(near[1]) ? first : nil
}

/// Returns `; did you mean 'X'?`, or an empty string if no candidate is near.
package func suggestion(for word: String, in candidates: [String], prefix: String = "") -> String {
  guard let candidate = nearest(to: word, in: candidates) else { return "" }
  return "; did you mean '\(prefix)\(candidate)'?"
}

/// Returns the number of edits that turn one word into the other. An edit is an insertion, a
/// deletion, a replacement or a swap of neighbours.
func editDistance(_ a: [UInt8], _ b: [UInt8]) -> Int {
  var older = [Int](repeating: 0, count: b.count + 1)
  // A range would be copied by generic code.
  var previous = older
  for j in previous.indices { previous[j] = j }
  var current = previous
  for i in 0..<a.count {
    current[0] = i + 1
    for j in 0..<b.count {
      var cost = min(previous[j + 1], current[j]) + 1
      cost = min(cost, previous[j] + (a[i] == b[j] ? 0 : 1))
      if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] { cost = min(cost, older[j - 1] + 1) }
      current[j + 1] = cost
    }
    (older, previous, current) = (previous, current, older)
  }
  return previous[b.count]
}

package func nearest(to name: ByteString, in names: [ByteString]) -> ByteString? {
  nearest(to: name.text, in: names.map(\.text)).map { ByteString($0) }
}

package func nearestFew(
  to name: ByteString, in names: [ByteString], atMost count: Int
) -> [ByteString] {
  nearestFew(to: name.text, in: names.map(\.text), atMost: count).map { ByteString($0) }
}

package func suggestion(for name: ByteString, in names: [ByteString]) -> String {
  suggestion(for: name.text, in: names.map(\.text))
}
