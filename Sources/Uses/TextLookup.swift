// Looks up texts of sources in the names of assets: a text as a whole, as the name of a picture
// file, and the words in it.

import Bytes

struct TextLookup {
  let names: AssetNames

  /// The longest text that can be a name, in bytes.
  static let longestName = 256

  /// Looks up a text that may be a name as a whole. Returns whether it is the name of an asset.
  @discardableResult
  func findFullText(_ text: SourceBytes, _ kind: UseKind, at offset: Int, _ found: inout Evidence)
    -> Bool
  {
    let text = trimmed(text)
    guard !text.isEmpty, text.count <= TextLookup.longestName else { return false }
    var exact = names.named(hash(of: text))
    if let name = fileName(in: text) { exact += names.named(hash(of: name)) }
    found.add(exact, kind, at: offset)
    if !found.isCut {
      let similar = names.similar(foldedHash(of: text)).filter { !exact.contains($0) }
      found.add(similar, .similarText, at: offset)
    }
    if text.count <= 64 { found.words.insert(hash(of: text.lazy.map { lowercased($0) })) }
    return !exact.isEmpty
  }

  /// Looks up the words and the parts of a longer text.
  func findParts(of text: SourceBytes, at offset: Int, _ found: inout Evidence) {
    var start = 0
    while start < text.count {
      var end = start
      while end < text.count, !isDivider(text[end]) { end += 1 }
      findPart(text, start..<end, at: offset, &found)
      start = end + 1
    }
  }

  private func findPart(
    _ text: SourceBytes, _ range: Range<Int>, at offset: Int, _ found: inout Evidence
  ) {
    let part = trimmed(rebased(text, range))
    guard !part.isEmpty else { return }
    if part.count <= TextLookup.longestName {
      found.add(names.named(hash(of: part)), .word, at: offset + range.lowerBound)
      if let name = fileName(in: part) {
        found.add(names.named(hash(of: name)), .word, at: offset + range.lowerBound)
      }
    }
    if part.contains(where: { $0 <= 32 }), consistsOfNames(text, range) {
      addNames(in: text, range, at: offset, &found)
    }
    var index = range.lowerBound
    while index < range.upperBound {
      guard isNameByte(text[index]) else {
        index += 1
        continue
      }
      var end = index
      while end < range.upperBound, isNameByte(text[end]) { end += 1 }
      let word = rebased(text, index..<end)
      if end - index < range.count, end - index <= TextLookup.longestName, !isProse(word) {
        found.add(names.named(hash(of: word)), .word, at: offset + index)
        if let name = fileName(in: word) {
          found.add(names.named(hash(of: name)), .word, at: offset + index)
        }
      }
      index = end
    }
  }

  /// Returns whether each word of a part is the name of an asset, as in "star moon sun".
  private func consistsOfNames(_ text: SourceBytes, _ range: Range<Int>) -> Bool {
    var index = range.lowerBound
    while index < range.upperBound {
      let word = nextWord(in: text, index..<range.upperBound)
      if !word.isEmpty, names.named(hash(of: rebased(text, word))).isEmpty { return false }
      index = word.upperBound
    }
    return true
  }

  private func addNames(
    in text: SourceBytes, _ range: Range<Int>, at offset: Int, _ found: inout Evidence
  ) {
    var index = range.lowerBound
    while index < range.upperBound {
      let word = nextWord(in: text, index..<range.upperBound)
      found.add(names.named(hash(of: rebased(text, word))), .word, at: offset + word.lowerBound)
      index = word.upperBound
    }
  }

  /// Returns the next word between blanks; empty at the end if the range has no further word.
  private func nextWord(in text: SourceBytes, _ range: Range<Int>) -> Range<Int> {
    var start = range.lowerBound
    while start < range.upperBound, text[start] <= 32 { start += 1 }
    var end = start
    while end < range.upperBound, text[end] > 32 { end += 1 }
    return start..<end
  }

  /// Looks up the pieces of a text that the code divides. Each byte that belongs to no letter and
  /// no digit may divide it.
  func findPieces(of text: SourceBytes, at offset: Int, _ found: inout Evidence) {
    var dividers = [Bool](repeating: false, count: 128)
    for byte in text where byte < 128 && !isWordByte(byte) { dividers[Int(byte)] = true }
    for divider in dividers.indices where dividers[divider] {
      var start = 0
      while start < text.count {
        var end = start
        while end < text.count, text[end] != UInt8(divider) { end += 1 }
        let piece = trimmed(rebased(text, start..<end))
        if !piece.isEmpty, piece.count <= TextLookup.longestName {
          found.add(names.named(hash(of: piece)), .word, at: offset)
          if let name = fileName(in: piece) {
            found.add(names.named(hash(of: name)), .word, at: offset)
          }
        }
        start = end + 1
      }
    }
  }

  /// Returns whether a word looks like one of a sentence: letters, capitals only at its beginning,
  /// and perhaps a full stop.
  private func isProse(_ word: SourceBytes) -> Bool {
    for (index, byte) in word.enumerated() {
      if byte == UInt8(ascii: "."), index + 1 == word.count { continue }
      if !isLetter(byte) || index > 0 && byte &- 65 < 26 { return false }
    }
    return true
  }

  private func isDivider(_ byte: UInt8) -> Bool {
    switch byte {
    case 0..<32, UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "<"), UInt8(ascii: ">"),
      UInt8(ascii: "="), UInt8(ascii: ":"), UInt8(ascii: ";"), UInt8(ascii: ","),
      UInt8(ascii: "("), UInt8(ascii: ")"), UInt8(ascii: "["), UInt8(ascii: "]"),
      UInt8(ascii: "{"), UInt8(ascii: "}"), UInt8(ascii: "|"), UInt8(ascii: "&"),
      UInt8(ascii: "?"), UInt8(ascii: "`"), UInt8(ascii: "!"), UInt8(ascii: "*"):
      true
    default: false
    }
  }

  private func isNameByte(_ byte: UInt8) -> Bool {
    isWordByte(byte) || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "-")
      || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "/") || byte == UInt8(ascii: "@")
      || byte == UInt8(ascii: "~")
  }
}

/// Returns the part of a buffer.
@inline(__always)
func rebased(_ bytes: SourceBytes, _ range: Range<Int>) -> SourceBytes {
  SourceBytes(rebasing: bytes[range])
}

func trimmed(_ text: SourceBytes) -> SourceBytes {
  var (start, end) = (0, text.count)
  while start < end, text[start] <= 32 { start += 1 }
  while end > start, text[end - 1] <= 32 { end -= 1 }
  return rebased(text, start..<end)
}

/// Returns the name of the picture that a text names as a file: "star" for "Pictures/star@2x.png".
/// Nil if the text has no folder, no extension of a picture, no scale and no idiom.
func fileName(in text: SourceBytes) -> SourceBytes? {
  var (start, end) = (0, text.count)
  if let slash = text.lastIndex(of: UInt8(ascii: "/")) { start = slash + 1 }
  if let dot = text[start..<end].lastIndex(of: UInt8(ascii: ".")), dot > start,
    isPictureExtension(rebased(text, (dot + 1)..<end))
  {
    end = dot
  }
  if let tilde = text[start..<end].lastIndex(of: UInt8(ascii: "~")), tilde > start { end = tilde }
  if end - start > 3, text[end - 3] == UInt8(ascii: "@"), isDigit(text[end - 2]),
    text[end - 1] == UInt8(ascii: "x")
  {
    end -= 3
  }
  if start == 0, end == text.count || end == start { return nil }
  return end > start ? rebased(text, start..<end) : nil
}

private let pictureExtensions = Set(
  ["png", "jpg", "jpeg", "pdf", "svg", "heic", "heif", "gif", "tiff", "tif", "webp", "icns", "bmp"]
    .map { hash(of: ($0 as String).utf8) })

private func isPictureExtension(_ text: SourceBytes) -> Bool {
  text.count <= 4 && pictureExtensions.contains(hash(of: text.lazy.map { lowercased($0) }))
}
