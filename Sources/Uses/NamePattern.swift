// Names that a program puts together: fixed texts with parts between them that only a run knows.
// A pattern that matches the name of an asset makes it impossible to tell whether it is used.

import Bytes

/// Fixed texts in their order. Between two of them, and before the first and after the last if it
/// is open there, any text may stand.
package struct NamePattern: Sendable, Hashable {
  var fixed: [[UInt8]]
  var isOpenBefore: Bool
  var isOpenAfter: Bool
  /// The number of letters and digits that are fixed.
  let weight: Int

  /// Returns nil if a name cannot match: the pattern has no fixed text, or too much of it.
  init?(_ pieces: [[UInt8]], isOpenBefore: Bool, isOpenAfter: Bool) {
    var pieces = pieces
    var (before, after) = (isOpenBefore, isOpenAfter)
    if let first = pieces.first, first.isEmpty {
      pieces.removeFirst()
      before = true
    }
    if let last = pieces.last, last.isEmpty {
      pieces.removeLast()
      after = true
    }
    pieces = pieces.filter { !$0.isEmpty }
    let size = pieces.reduce(0) { $0 + $1.count }
    guard !pieces.isEmpty, pieces.count <= 16, size <= 256 else { return nil }
    // A name has no line ends.
    if pieces.contains(where: { $0.contains { $0 < 32 } }) { return nil }
    // Little of the name is fixed, and trying all divisions would take long.
    weight = pieces.reduce(0) { $0 + $1.count(where: isWordByte) }
    if pieces.count > 3, weight < 3 { return nil }
    (fixed, self.isOpenBefore, self.isOpenAfter) = (pieces, before, after)
  }

  /// Returns the patterns of these pieces: of the whole name, and of the name after the folder.
  static func all(
    _ pieces: [[UInt8]], isOpenBefore: Bool, isOpenAfter: Bool
  ) -> [NamePattern] {
    var pieces = pieces
    var isOpenAfter = isOpenAfter
    if !isOpenAfter, let last = pieces.last {
      let plain = withoutEnding(last)
      pieces[pieces.count - 1] = plain
      if plain.isEmpty, plain.count < last.count, pieces.count > 1 { isOpenAfter = true }
    }
    var patterns = [NamePattern(pieces, isOpenBefore: isOpenBefore, isOpenAfter: isOpenAfter)]
    if let index = pieces.lastIndex(where: { $0.contains(UInt8(ascii: "/")) }),
      let slash = pieces[index].lastIndex(of: UInt8(ascii: "/"))
    {
      let rest = [Array(pieces[index][(slash + 1)...])] + pieces[(index + 1)...]
      patterns.append(NamePattern(rest, isOpenBefore: false, isOpenAfter: isOpenAfter))
    }
    return patterns.compactMap { $0 }
  }

  /// Returns the end of a name without the extension of a picture, the scale and the idiom.
  private static func withoutEnding(_ piece: [UInt8]) -> [UInt8] {
    // A letter in front makes it the name of a file.
    ([97] + piece).withUnsafeBufferPointer { bytes in
      fileName(in: bytes).map { Array($0.dropFirst()) } ?? piece
    }
  }

  /// The pattern for people, with a star for each open part.
  package var text: String {
    let parts = fixed.map { ByteString(bytes: $0).text }.joined(separator: "*")
    return (isOpenBefore ? "*" : "") + parts + (isOpenAfter ? "*" : "")
  }

  /// Returns whether a name matches, in lower case. `isKnown` says whether an open part can be
  /// right; it is asked only if little of the name is fixed. Each compared byte takes one of the
  /// steps; if none are left, no name matches.
  func matches(
    _ name: [UInt8], _ steps: inout Int, isKnown: (ArraySlice<UInt8>) -> Bool
  ) -> Bool {
    matches(name, 0, 0, isOpenBefore, &steps, isKnown)
  }

  private func matches(
    _ name: [UInt8], _ offset: Int, _ index: Int, _ isOpen: Bool, _ steps: inout Int,
    _ isKnown: (ArraySlice<UInt8>) -> Bool
  ) -> Bool {
    func canStand(_ part: Range<Int>) -> Bool {
      if weight >= 3 { return true }
      steps -= part.count
      return isKnown(name[part])
    }
    steps -= 1
    guard index < fixed.count else {
      return offset == name.count || isOpenAfter && canStand(offset..<name.count)
    }
    let size = fixed[index].count
    let last = isOpen ? name.count - size : offset
    if last < offset || name.count - offset < size { return false }
    for start in offset...last where steps > 0 {
      guard starts(name, start, with: fixed[index], &steps) else { continue }
      if start > offset, !canStand(offset..<start) { continue }
      if matches(name, start + size, index + 1, true, &steps, isKnown) { return true }
      // With free parts, the first offset of a text is as good as a later one, except at the end.
      if index + 1 < fixed.count, weight >= 3 { return false }
    }
    return false
  }

  private func starts(
    _ name: [UInt8], _ start: Int, with piece: [UInt8], _ steps: inout Int
  ) -> Bool {
    for offset in piece.indices {
      steps -= 1
      if lowercased(name[start + offset]) != lowercased(piece[offset]) { return false }
    }
    return true
  }
}

// MARK: - Formats

/// Returns the texts between the specifiers of a format such as "icon_%02d@%@"; nil if it has no
/// specifier.
func formatPieces(_ text: ArraySlice<UInt8>) -> [[UInt8]]? {
  let percent = UInt8(ascii: "%")
  guard text.contains(percent) else { return nil }
  return pieces(of: text) { index in
    guard text[index] == percent, let end = specifierEnd(text, after: index + 1) else { return nil }
    return (end, text[end - 1] == percent ? percent : nil)
  }
}

/// Returns the texts between the parts of a template such as "icon_{size}", "icon_${size}",
/// "icon_#{size}" and "icon_$size", as C#, Kotlin, Dart, Ruby and Python write them; nil if it has
/// no such part.
func templatePieces(_ text: ArraySlice<UInt8>) -> [[UInt8]]? {
  pieces(of: text) { index in templateEnd(text, at: index).map { ($0, nil) } }
}

/// Divides a text at the parts that only a run knows; nil if it has none. `part` returns the end of
/// the part that begins at an index; nil if none begins there. If the part means a fixed byte, as
/// "%%" does, `part` returns this byte, too.
private func pieces(
  of text: ArraySlice<UInt8>, _ part: (Int) -> (end: Int, byte: UInt8?)?
) -> [[UInt8]]? {
  var pieces: [[UInt8]] = [[]]
  var index = text.startIndex
  while index < text.endIndex {
    let found = part(index) ?? (index + 1, text[index])
    if let byte = found.byte { pieces[pieces.count - 1].append(byte) } else { pieces.append([]) }
    index = found.end
  }
  return pieces.count > 1 ? pieces : nil
}

/// Returns the end of the part of a template that begins at a byte; nil if none begins there. A
/// part whose bracket does not close takes the rest of the text.
private func templateEnd(_ text: ArraySlice<UInt8>, at index: Int) -> Int? {
  let isDollar = text[index] == UInt8(ascii: "$")
  let start = isDollar || text[index] == UInt8(ascii: "#") ? index + 1 : index
  guard start < text.endIndex else { return nil }
  if text[start] == UInt8(ascii: "{") {
    let close = text[start..<min(text.endIndex, start + 128)].firstIndex(of: UInt8(ascii: "}"))
    return close.map { $0 + 1 } ?? (start > index ? text.endIndex : nil)
  }
  guard isDollar else { return nil }
  var end = start
  while end < text.endIndex, isIdentifierByte(text[end]) { end += 1 }
  return end > start ? end : nil
}

/// Returns the end of a format specifier; nil if the text does not continue as one.
private func specifierEnd(_ text: ArraySlice<UInt8>, after start: Int) -> Int? {
  var index = start
  while index < text.endIndex, index - start < 12 {
    switch text[index] {
    case 48...57, UInt8(ascii: "$"), UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "+"),
      UInt8(ascii: "l"), UInt8(ascii: "h"), UInt8(ascii: "z"), UInt8(ascii: "q"),
      UInt8(ascii: "t"), UInt8(ascii: "j"), UInt8(ascii: "*"):
      index += 1
    case UInt8(ascii: "@"), UInt8(ascii: "d"), UInt8(ascii: "i"), UInt8(ascii: "u"),
      UInt8(ascii: "s"), UInt8(ascii: "S"), UInt8(ascii: "x"), UInt8(ascii: "X"),
      UInt8(ascii: "o"), UInt8(ascii: "c"), UInt8(ascii: "C"), UInt8(ascii: "f"),
      UInt8(ascii: "g"), UInt8(ascii: "D"), UInt8(ascii: "U"), UInt8(ascii: "%"):
      return index + 1
    default: return nil
    }
  }
  return nil
}
