// Reads macros and constants of C: a macro can make a string literal of an identifier, and a
// constant can contain the name of an asset.

import Bytes

extension CodeScanner {
  /// Reads the code after a number sign of C: a macro begins, or makes a literal of its argument.
  mutating func macroSign() {
    if isInMacro, position < bytes.count, bytes[position] == UInt8(ascii: "#") {
      position += 1
      return
    }
    while position < bytes.count, bytes[position] == 32 || bytes[position] == 9 { position += 1 }
    let rest = rebased(bytes, position..<bytes.count)
    if isInMacro {
      if let first = rest.first, isIdentifierByte(first) { found.makesTexts = true }
    } else if rest.starts(with: "define".utf8) {
      isInMacro = true
    }
  }

  /// Notes an identifier of which a macro can make a string literal, also with others: "tab-dark".
  mutating func noteIdentifierOfC(_ range: Range<Int>, _ key: UInt64) {
    if key == Words.selectorText { found.makesTexts = true }
    let start = range.lowerBound
    found.add(identifiers: lookup.names.named(key), at: start)
    func isPunctuation(_ byte: UInt8) -> Bool { (45...47).contains(byte) }
    guard position < bytes.count, isPunctuation(bytes[position]),
      start == 0 || !isPunctuation(bytes[start - 1])
    else {
      return
    }
    var end = position
    while end < bytes.count, end - start <= TextLookup.longestName,
      isIdentifierByte(bytes[end]) || isPunctuation(bytes[end])
    {
      end += 1
    }
    let text = rebased(bytes, start..<end)
    found.add(identifiers: lookup.names.named(hash(of: text)), at: start)
    if let name = fileName(in: text) {
      found.add(identifiers: lookup.names.named(hash(of: name)), at: start)
    }
  }

  /// Looks up a constant of Objective-C or C.
  mutating func lookUpConstantOfC(_ word: SourceBytes, _ key: UInt64, at start: Int) {
    if word.starts(with: "AC".utf8) {
      found.add(lookup.names.withObjectiveCSymbol(key), .symbol, at: start)
    }
    // The time grows with the square of the length.
    guard word.count <= 2 * TextLookup.longestName else { return }
    for part in Words.constantParts where word.count > part.count + 2 {
      for index in 1..<(word.count - part.count) where word[index] == part[0] {
        if rebased(word, index..<(index + part.count)).elementsEqual(part) {
          let rest = rebased(word, (index + part.count)..<word.count)
          found.add(lookup.names.withIdentifier(foldedHash(of: rest)), .symbol, at: start)
        }
      }
    }
  }
}
