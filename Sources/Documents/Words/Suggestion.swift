// The nearest known word to a mistyped one.

import Bytes

/// The candidate closest to `word`, if any is close enough to be meant.
///
/// Close enough is a third of the word's length in edits, at least one; or a candidate that
/// starts with the word. Case, hyphens, underscores and spaces count for nothing. Ties go to the
/// candidate listed first.
package func nearest(to word: String, in candidates: [String]) -> String? {
  nearestFew(to: word, in: candidates, atMost: 1).first
}

/// The candidates that are close enough to be meant, the closest first.
package func nearestFew(to word: String, in candidates: [String], atMost count: Int) -> [String] {
  guard word.utf8.count <= 64 else { return [] }
  let typed = Array(spellingKey(word).utf8)
  guard !typed.isEmpty else { return [] }
  let limit = max(1, typed.count / 3)
  // No more than are asked for, sorted: names are many, and few are near.
  var best: [(candidate: String, distance: Int)] = []
  for candidate in candidates {
    let known = Array(spellingKey(candidate).utf8)
    guard known.count <= 64 else { continue }
    var distance = editDistance(typed, known)
    if distance > limit {
      guard typed.count >= 3, known.starts(with: typed) else { continue }
      distance = limit + 1
    }
    let place = best.firstIndex { distance < $0.distance } ?? best.endIndex
    if place >= count || best.contains(where: { $0.candidate.utf8.elementsEqual(candidate.utf8) }) {
      continue
    }
    best.insert((candidate, distance), at: place)
    if best.count > count { best.removeLast() }
  }
  return best.map(\.candidate)
}

/// `; did you mean 'X'?`, or nothing where no candidate is near.
package func suggestion(for word: String, in candidates: [String], prefix: String = "") -> String {
  guard let candidate = nearest(to: word, in: candidates) else { return "" }
  return "; did you mean '\(prefix)\(candidate)'?"
}

/// Insertions, deletions, replacements and swaps of neighbours that turn one word into the other.
func editDistance(_ a: [UInt8], _ b: [UInt8]) -> Int {
  var older = [Int](repeating: 0, count: b.count + 1)
  var previous = Array(0...b.count)
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
