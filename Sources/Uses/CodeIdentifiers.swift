// Reads words of code: identifiers, keywords and the declarations that they begin. Names of assets
// among the declared identifiers are evidence.

import Bytes

extension CodeScanner {
  /// Reads an identifier or a keyword.
  mutating func word() {
    let start = position
    while position < bytes.count, isIdentifierByte(bytes[position]) { position += 1 }
    let range = start..<position
    let word = rebased(bytes, range)
    let key = hash(of: word)
    let before = last
    qualifier = before == .dot && base == .identifier ? identifier : 0..<0
    isInAssets = !qualifier.isEmpty && (isInAssets || Words.owners.contains(lastKey))
    lastKey = key
    identifier = range
    last = .identifier
    let top = brackets.count - 1
    if brackets[top].byte == UInt8(ascii: "["), brackets[top].callee.isEmpty, before == .open {
      brackets[top].callee = range
      brackets[top].calleeKey = key
      brackets[top].takesNames = Words.callees.contains(key)
    }
    if brackets[top].isBundleLabel { readBundle(key) }
    switch before {
    case .dot, .backslash: member(word, key, at: start, isKeyPath: before == .backslash)
    default: unqualifiedWord(word, key, range, before)
    }
    if before != .backslash { noteDynamicName(key, start) }
    if language == .c { noteIdentifierOfC(range, key) }
  }

  /// Notes a word that is no member: a keyword, a declared name or another identifier.
  mutating func unqualifiedWord(
    _ word: SourceBytes, _ key: UInt64, _ range: Range<Int>, _ before: CodeToken
  ) {
    let declaration = declarations.next
    declarations.next = .none
    if isInCases, before == .keyword || before == .comma { enumCase(word, key, range) }
    if declaration != .none {
      found.declared.insert(key)
      (declarations.last, declarations.lastKey) = (range, key)
      if declaration == .type {
        found.add(lookup.names.named(key), .typeName, at: range.lowerBound)
      }
      if declaration == .value {
        declarations.values.append((range, key))
        if declaresString(after: position) { declarations.strings.append(key) }
      }
    }
    // A keyword before a colon is a label.
    if let keyword = Words.keywords[key],
      position == bytes.count || bytes[position] != UInt8(ascii: ":")
    {
      last = .keyword
      switch keyword {
      case .value: declarations.next = .value
      case .type: declarations.next = .type
      case .cases: isInCases = true
      case .function: declarations.usesFunctionName = true
      case .decoding: (declarations.decodes, last) = (true, .identifier)
      case .other: break
      }
    }
    if key == Words.openMembers { found.hasOpenMembers = true }
    if language == .c { lookUpConstantOfC(word, key, at: range.lowerBound) }
    if word.count > 6, Words.lists.contains(key), before == .dot { found.takesAll = position }
  }

  /// Notes a case of an enumeration.
  mutating func enumCase(_ word: SourceBytes, _ key: UInt64, _ range: Range<Int>) {
    found.declared.insert(key)
    (declarations.last, declarations.lastKey) = (range, key)
    found.words.insert(hash(of: word.lazy.map { lowercased($0) }))
    found.add(lookup.names.named(key), .enumCase, at: range.lowerBound)
    found.add(lookup.names.withIdentifier(foldedHash(of: word)), .enumCase, at: range.lowerBound)
  }

  /// Returns whether a declaration has the type String and no value.
  func declaresString(after start: Int) -> Bool {
    var offset = start
    func skipBlanks() {
      while offset < bytes.count, bytes[offset] == 32 { offset += 1 }
    }
    skipBlanks()
    guard offset < bytes.count, bytes[offset] == UInt8(ascii: ":") else { return false }
    offset += 1
    skipBlanks()
    let type = "String".utf8
    guard bytes.count - offset >= type.count,
      rebased(bytes, offset..<(offset + type.count)).elementsEqual(type)
    else { return false }
    offset += type.count
    if offset < bytes.count, bytes[offset] == UInt8(ascii: "?") { offset += 1 }
    skipBlanks()
    return offset == bytes.count || bytes[offset] == 10 || bytes[offset] == 13
  }
}
