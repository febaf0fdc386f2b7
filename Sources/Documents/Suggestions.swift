// The nearest known word for a misspelled one, and spellings that mean the same word.

import Bytes

// MARK: - Spellings

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

// MARK: - Near words

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

/// The nearest of some known words for many words. The work has a limit: words that are asked for
/// after it is reached get no advice.
package struct SpellingAdvice: Sendable {
  /// The greatest number of steps; a step compares two letters, and takes some nanoseconds.
  package static let mostSteps = 1 << 27

  private let words: [SpelledWord]
  /// The number of letters in words of each length, by the length.
  private var letterCounts = [Int](repeating: 0, count: longestSpelling + 1)
  private var stepsLeft: Int

  package init(_ known: some Sequence<ByteString>, mostSteps: Int = SpellingAdvice.mostSteps) {
    words = known.map { SpelledWord($0.text) }
    for word in words where word.key.count <= longestSpelling {
      letterCounts[word.key.count] += word.key.count
    }
    stepsLeft = mostSteps
  }

  /// Returns the word that is closest to `word`; nil if no word is close enough, or if the limit is
  /// reached.
  package mutating func nearest(to word: ByteString) -> ByteString? {
    let (length, limit) = (word.count, mostEdits(ofLength: word.count))
    guard length <= longestSpelling else { return nil }
    let near = max(0, length - limit)...min(longestSpelling, length + limit)
    let steps = words.count + length * letterCounts[near].reduce(0, +)
    guard steps <= stepsLeft else { return nil }
    stepsLeft -= steps
    return nearestFew(to: word.text, in: words, atMost: 1).first.map { ByteString($0) }
  }

  /// Returns `; did you mean 'X'?`, or an empty string.
  package mutating func suggestion(for word: ByteString) -> String {
    nearest(to: word).map { "; did you mean '\($0)'?" } ?? ""
  }
}

/// The greatest length of a word that is compared.
private let longestSpelling = 64

/// Returns the greatest number of edits of a word that is near. In a word of one letter, one edit
/// replaces all of it.
private func mostEdits(ofLength length: Int) -> Int { length == 1 ? 0 : max(1, length / 3) }

private func nearestFew(
  to word: String, in candidates: some Sequence<SpelledWord>, atMost count: Int
) -> [String] {
  guard word.utf8.count <= longestSpelling else { return [] }
  let typed = Array(spellingKey(word).utf8)
  guard !typed.isEmpty else { return [] }
  let limit = mostEdits(ofLength: typed.count)
  // A sorted list of at most `count` candidates. There are many names, but only few near ones.
  var best: [(candidate: String, distance: Int)] = []
  for candidate in candidates {
    let known = candidate.key
    guard known.count <= longestSpelling else { continue }
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

/// Returns whether two candidates of `nearestFew` are equally close to the word.
package func isAmbiguous(_ near: [String], for word: String) -> Bool {
  guard near.count > 1 else { return false }
  let typed = Array(spellingKey(word).utf8)
  let distances = near.prefix(2).map { editDistance(typed, Array(spellingKey($0).utf8)) }
  return distances[0] == distances[1]
}

/// Returns the first of two candidates of `nearestFew` if the word probably is a misspelling of it;
/// nil if there is no candidate, if both are equally close, so that the word can mean either, if
/// more than a quarter of the word differs, or if the numbers in it differ.
package func likeliest(of near: [String], to word: String) -> String? {
  guard let first = near.first else { return nil }
  let typed = Array(spellingKey(word).utf8)
  func distance(_ candidate: String) -> Int {
    editDistance(typed, Array(spellingKey(candidate).utf8))
  }
  func digits(_ text: String) -> [UInt8] { text.utf8.filter { (48...57).contains($0) } }
  guard distance(first) <= max(1, typed.count / 4), digits(first) == digits(word) else {
    return nil
  }
  return isAmbiguous(near, for: word) ? nil : first
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

// MARK: - Near names

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
