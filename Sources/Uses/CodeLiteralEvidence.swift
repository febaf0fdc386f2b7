// Looks up a string literal that was read: as a name, as parts of a name that code puts together,
// and as the name that a call asks for.

import Bytes

extension CodeScanner {
  /// Adds the evidence of a literal that was read to its end.
  mutating func finishLiteral(_ literal: inout StringLiteral) {
    var next = position
    while next < bytes.count, bytes[next] <= 32 { next += 1 }
    let isBeforePlus = next < bytes.count && bytes[next] == UInt8(ascii: "+")
    if isGenerated {
      if literal.pieces.isEmpty, declarations.last.count <= 4 * TextLookup.longestName {
        let name = hash(of: literal.current)
        found.add(NameAlias(identifier: foldedHash(of: bytes[declarations.last]), name: name))
      }
      return
    }
    let isOpenBefore = literal.isAfterPlus || literal.isAdded
    if literal.pieces.isEmpty {
      // A part of a name is no name that a call asks for.
      if isOpenBefore || isBeforePlus { literal.kind = nil }
      lookUpFullLiteral(literal)
      noteKeyLiteral(literal)
      if isDivided(rebased(bytes, next..<bytes.count), language) {
        literal.current.withUnsafeBufferPointer {
          lookup.findPieces(of: $0, at: literal.start, &found)
        }
      }
      let template = language.isScript ? templatePieces(literal.current[...]) : nil
      let pieces = (template ?? [literal.current]).flatMap { formatPieces($0[...]) ?? [$0] }
      if pieces.count > 1 {
        addPatterns(of: pieces, isOpenBefore, isBeforePlus, at: literal.start)
      } else if isOpenBefore || isBeforePlus || literal.hasSeparatorAtEnd {
        let (before, after) = literal.separators
        addPatterns(
          of: [literal.current], isOpenBefore || before, isBeforePlus || after, at: literal.start)
      }
    } else {
      let pieces = (literal.pieces + [literal.current]).flatMap { formatPieces($0[...]) ?? [$0] }
      addPatterns(of: pieces, isOpenBefore, isBeforePlus, at: literal.start)
      for piece in literal.pieces + [literal.current] {
        piece.withUnsafeBufferPointer { lookup.findParts(of: $0, at: literal.start, &found) }
      }
    }
  }

  /// Looks up a literal without interpolations as a name.
  mutating func lookUpFullLiteral(_ literal: StringLiteral) {
    let lookup = lookup
    var evidence = Evidence()
    swap(&evidence, &found)
    let isName = literal.current.withUnsafeBufferPointer { bytes in
      let isName = lookup.findFullText(
        bytes, literal.kind == nil ? .literal : .call, at: literal.start, &evidence)
      if !isName { lookup.findParts(of: bytes, at: literal.start, &evidence) }
      return isName
    }
    swap(&evidence, &found)
    guard let kind = literal.kind, !literal.current.contains(UInt8(ascii: "%")) else { return }
    let name = literal.current.withUnsafeBufferPointer {
      ByteString(bytes: UnsafeRawBufferPointer(trimmed($0)))
    }
    guard isName || !name.isEmpty && name.count <= TextLookup.longestName else { return }
    brackets[brackets.count - 1].asked = AskedName(name: name, kind: kind, offset: literal.start)
  }

  /// Adds the patterns of a name whose pieces are fixed.
  mutating func addPatterns(
    of pieces: [[UInt8]], _ isOpenBefore: Bool, _ isOpenAfter: Bool, at start: Int
  ) {
    for pattern in NamePattern.all(
      pieces, isOpenBefore: isOpenBefore, isOpenAfter: isOpenAfter)
    {
      found.add(pattern, at: start)
    }
  }
}
