// Reads members of values and types: the symbols that Xcode and other programs generate for assets.

import Bytes

extension CodeScanner {
  /// Notes a member, or a part of a key path.
  mutating func member(_ word: SourceBytes, _ key: UInt64, at start: Int, isKeyPath: Bool) {
    if Words.lists.contains(key) { found.takesAll = found.takesAll ?? start }
    let isImplicit = !isKeyPath && base == .none
    let owner = rebased(bytes, qualifier)
    let ownerKey = hash(of: owner)
    let isOfAssets = isInAssets
    let named = lookup.names.withIdentifier(foldedHash(of: word))
    if !named.isEmpty {
      let exact = isImplicit && !isInCases ? lookup.names.withSwiftSymbol(key) : []
      if !exact.isEmpty { found.add(exact, .symbol, at: start) }
      if isOfAssets {
        found.add(named, .symbol, at: start)
      } else if isKeyPath || base != .identifier || isUppercase(owner.first ?? 0) {
        found.add(named.filter { !exact.contains($0) }, .member, at: start)
      } else {
        found.add(members: named, at: start)
      }
    } else {
      noteAskedSymbol(word, at: start, isImplicit: isImplicit, owner: ownerKey)
    }
  }

  /// Notes a generated symbol for which no catalogue has an asset.
  mutating func noteAskedSymbol(
    _ word: SourceBytes, at start: Int, isImplicit: Bool, owner: UInt64
  ) {
    let next = position < bytes.count ? bytes[position] : 0
    let isCall = next == UInt8(ascii: "(")
    guard language == .swift, next != UInt8(ascii: "."), !isUppercase(word[0]),
      !Words.general.contains(hash(of: word))
    else { return }
    var kind: NameKind?
    if isImplicit {
      let bracket = brackets[brackets.count - 1]
      if !isCall, bracket.byte == UInt8(ascii: "("), !bracket.callee.isEmpty, isFirstInCall {
        kind =
          Words.symbolCalls[
            CallName(callee: bracket.calleeKey, label: bracket.labelKey)]
      }
    } else if !isCall && owner == Words.imageResource || isOfR(Words.image, owner) {
      kind = .image
    } else if !isCall && owner == Words.colorResource || isOfR(Words.color, owner) {
      kind = .color
    }
    guard let kind else { return }
    found.add(
      AskedName(
        name: ByteString(bytes: UnsafeRawBufferPointer(word)), kind: kind, offset: start,
        isSymbol: true))
  }

  /// Returns whether only blanks are between the beginning of the argument and the member.
  var isFirstInCall: Bool {
    var before = identifier.lowerBound - 2
    while before >= 0, bytes[before] <= 32 { before -= 1 }
    return before >= 0
      && (bytes[before] == UInt8(ascii: "(") || bytes[before] == UInt8(ascii: ":"))
  }

  /// Returns whether the qualifier is this member of `R`.
  func isOfR(_ member: UInt64, _ owner: UInt64) -> Bool {
    let start = qualifier.lowerBound
    guard owner == member, start >= 2 else { return false }
    return bytes[start - 1] == UInt8(ascii: ".") && bytes[start - 2] == UInt8(ascii: "R")
      && (start == 2 || !isIdentifierByte(bytes[start - 3]) && bytes[start - 3] != 46)
  }

  func isUppercase(_ byte: UInt8) -> Bool { byte &- 65 < 26 }
}
