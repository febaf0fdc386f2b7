// Finds the known word that is nearest to a mistyped one.

import Bytes

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
  guard word.utf8.count <= 64 else { return [] }
  let typed = Array(spellingKey(word).utf8)
  guard !typed.isEmpty else { return [] }
  let limit = max(1, typed.count / 3)
  // A sorted list of at most `count` candidates. There are many names, but only few near ones.
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

/// Returns `; did you mean 'X'?`, or an empty string if no candidate is near.
package func suggestion(for word: String, in candidates: [String], prefix: String = "") -> String {
  guard let candidate = nearest(to: word, in: candidates) else { return "" }
  return "; did you mean '\(prefix)\(candidate)'?"
}

/// Returns the number of edits that turn one word into the other. An edit is an insertion, a
/// deletion, a replacement or a swap of neighbours.
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
