// Pieces of the texts of diagnostics: quotes, lists, and the nearest known word.

/// A name or a path as part of a line, whatever it holds: nothing in it ends the line or commands a
/// terminal.
public func onOneLine(_ text: String) -> String {
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

func quoted(_ text: String) -> String {
  let plain = onOneLine(String(text.unicodeScalars.prefix(120)))
  return "\"\(plain)\(text.unicodeScalars.count > 120 ? "…" : "")\""
}

/// "a", "b" or "c"
func quotedList(_ words: [String], joinedBy conjunction: String = "or") -> String {
  let all = words.map(quoted)
  guard let last = all.last, all.count > 1 else { return all.first ?? "nothing" }
  return all.dropLast().joined(separator: ", ") + " \(conjunction) " + last
}

/// 1 file, 2 files
public func counted(_ count: Int, _ noun: String) -> String {
  "\(count) \(noun)\(count == 1 ? "" : "s")"
}

/// A number without a needless fraction.
func brief(_ number: Double) -> String {
  if number == number.rounded(), abs(number) < 1e15 { return String(Int64(number)) }
  let thousandths = (number * 1000).rounded() / 1000
  return String(thousandths)
}

/// A word without case, hyphens, underscores and spaces: what spellings of one word have in common.
func spellingKey(_ word: String) -> String {
  String(
    word.lowercased().unicodeScalars.filter { !["-", "_", " "].contains($0) }.map(Character.init))
}

/// The known word that a mistyped one was most likely meant to be.
func nearest(to word: String, among known: [String]) -> String? {
  guard word.utf8.count <= 64 else { return nil }
  let typed = spellingKey(word)
  let length = typed.utf8.count
  var best: (word: String, distance: Int)?
  for candidate in known {
    let spelling = spellingKey(candidate)
    // Words differ by as many letters as one is longer, at least.
    let limit = max(1, candidate.utf8.count / 3)
    guard abs(spelling.utf8.count - length) <= limit else { continue }
    let distance = editDistance(typed, spelling)
    if distance < best?.distance ?? Int.max { best = (candidate, distance) }
  }
  guard let best, best.distance <= max(1, best.word.utf8.count / 3) else { return nil }
  return best.word
}

/// Insertions, deletions, replacements and swaps of neighbours that lead from one to the other.
func editDistance(_ a: String, _ b: String) -> Int {
  let a = Array(a.utf8)
  let b = Array(b.utf8)
  var beforeLast: [Int] = []
  var last = Array(0...b.count)
  for i in 0..<a.count {
    var row = [i + 1]
    for j in 0..<b.count {
      var distance = min(row[j] + 1, last[j + 1] + 1, last[j] + (a[i] == b[j] ? 0 : 1))
      if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] {
        distance = min(distance, beforeLast[j - 1] + 1)
      }
      row.append(distance)
    }
    beforeLast = last
    last = row
  }
  return last[b.count]
}
