// Scans a source in Swift, Objective-C, C++ or a language with similar texts and comments. It
// follows texts, brackets, labels of arguments and members, and understands nothing else of the
// language. A source that breaks the rules of its language is scanned to its end all the same.

import Bytes

/// The families of languages that differ in their texts.
enum CodeLanguage: Sendable, Hashable {
  case swift, c, script
}

/// A bracket that is open, with the identifiers before and in it.
private struct Frame {
  var bracket: UInt8
  /// The identifier before the bracket; for "[" the first identifier in it.
  var callee = 0..<0
  /// The identifier before the callee and a dot.
  var qualifier = 0..<0
  /// The label of the argument.
  var label = 0..<0
  /// The name that the call asks for, if it is known.
  var asked: AskedName?
  var hasBundle = false
  var isOwnBundle = false
  /// Whether the label names a bundle.
  var isBundleLabel = false
  /// Whether the argument has a text; nil if it has none.
  var takes: Bool?
  /// The identifier by which the argument gives a name.
  var dynamic: DynamicName?

  /// Whether the bracket may be that of a call.
  var isCall: Bool { bracket != UInt8(ascii: "{") && !callee.isEmpty }
}

/// The kind of the token before a place.
private enum Token {
  case none, identifier, keyword, dot, backslash, plus, open, close, comma, colon, equals, text
  case other
}

struct CodeScanner {
  private let bytes: Bytes8
  private let language: CodeLanguage
  private let lookup: TextLookup
  private(set) var found = Evidence()
  private var place = 0
  private var frames: [Frame] = [Frame(bracket: 0)]
  private var skippedFrames = 0
  private var last = Token.none
  /// The last identifier, and the one before it and a dot.
  private var identifier = 0..<0
  private var qualifier = 0..<0
  /// The token before the last dot: none, an identifier, or the end of a value.
  private var base = Token.none
  private var lastDeclared = 0..<0
  /// The hash of the last identifier, and whether it belongs to a type of generated symbols.
  private var lastKey = emptyHash
  private var isInAssets = false
  /// The number of texts around the code that is being scanned.
  private var depth = 0
  private let isGenerated: Bool
  /// Whether identifiers name cases of an enumeration.
  private var isInCases = false
  private var declares = Declaration.none
  private var declaredNames: [(range: Range<Int>, hash: UInt64)] = []
  private var usesFunctionName = false
  private var decodes = false
  private var properties: [UInt64] = []
  /// The offset at which a comment begins that does not end.
  private(set) var openComment: Int?
  private let skipsComments: Bool

  private enum Declaration { case none, value, type }

  init(_ bytes: Bytes8, _ language: CodeLanguage, _ names: AssetNames, skipsComments: Bool = true) {
    self.bytes = bytes
    self.language = language
    self.skipsComments = skipsComments
    lookup = TextLookup(names: names)
    isGenerated = language == .swift && isGeneratedSource(bytes)
    if isGenerated { found.aliases = [] }
  }

  private static let mostFrames = 512

  mutating func scan() {
    while place < bytes.count { step() }
    while frames.count > 1 { close() }
    finish()
  }

  /// Scans one token.
  private mutating func step() {
    let byte = bytes[place]
    switch byte {
    case 10:
      if last != .comma { isInCases = false }
      place += 1
    case 0...32: place += 1
    case UInt8(ascii: "/"): slash()
    case UInt8(ascii: "\""): text(hashes: 0)
    case UInt8(ascii: "#"): number()
    case UInt8(ascii: "'"): apostrophe()
    case UInt8(ascii: "`"):
      if language == .script { quoted(by: byte, end: nil) } else { place += 1 }
    case UInt8(ascii: "("), UInt8(ascii: "["), UInt8(ascii: "{"): open(byte)
    case UInt8(ascii: ")"), UInt8(ascii: "]"), UInt8(ascii: "}"): close()
    default:
      if isDigit(byte) {
        skipNumber()
      } else if isIdentifierByte(byte) {
        word()
      } else {
        mark(byte)
      }
    }
  }

  private mutating func finish() {
    if usesFunctionName {
      for name in declaredNames {
        found.add(lookup.names.named(name.hash), .declaration, at: name.range.lowerBound)
      }
    }
    if decodes { found.decoded.formUnion(properties) }
    guard isGenerated else { return }
    // Constants that are not used elsewhere prove nothing.
    found.hits = []
    found.asked = []
    found.takesAll = nil
  }

  // MARK: Marks

  private mutating func mark(_ byte: UInt8) {
    place += 1
    switch byte {
    case UInt8(ascii: "."):
      base = last == .identifier ? .identifier : last == .close || last == .text ? .close : .none
      last = .dot
    case UInt8(ascii: "\\"): last = .backslash
    case UInt8(ascii: "+"): last = .plus
    case UInt8(ascii: "="):
      // "+=" adds to a text, too.
      if last != .plus { last = .equals }
    case UInt8(ascii: ","):
      endArgument()
      last = .comma
    case UInt8(ascii: ":"):
      if last == .identifier { name(argument: identifier) }
      isInCases = false
      last = .colon
    // A text behind "@" is one of Objective-C; optional marks do not separate members.
    case UInt8(ascii: "@"): break
    case UInt8(ascii: "?"), UInt8(ascii: "!"):
      let isChain = place < bytes.count && bytes[place] == UInt8(ascii: ".")
      if !isChain || last != .identifier && last != .close { last = .other }
    case UInt8(ascii: ";"):
      isInCases = false
      last = .other
    default: last = .other
    }
  }

  private mutating func skipNumber() {
    while place < bytes.count, isIdentifierByte(bytes[place]) { place += 1 }
    last = .other
  }

  private mutating func number() {
    guard language == .swift else {
      place += 1
      last = .other
      return
    }
    var count = 0
    while place + count < bytes.count, bytes[place + count] == UInt8(ascii: "#") { count += 1 }
    if place + count < bytes.count, bytes[place + count] == UInt8(ascii: "\"") {
      place += count
      text(hashes: count)
    } else {
      place += count
      last = .other
    }
  }

  private mutating func slash() {
    let next = place + 1 < bytes.count ? bytes[place + 1] : 0
    if next == UInt8(ascii: "/"), skipsComments {
      while place < bytes.count, bytes[place] != 10 { place += 1 }
    } else if next == UInt8(ascii: "*"), skipsComments {
      skipComment()
    } else {
      place += 1
      last = .other
    }
  }

  private mutating func skipComment() {
    let start = place
    var depth = 0
    while place < bytes.count {
      let next = place + 1 < bytes.count ? bytes[place + 1] : 0
      if bytes[place] == UInt8(ascii: "/"), next == UInt8(ascii: "*") {
        if depth == 0 || language == .swift { depth += 1 }
        place += 2
      } else if bytes[place] == UInt8(ascii: "*"), next == UInt8(ascii: "/") {
        depth -= 1
        place += 2
        if depth == 0 { return }
      } else {
        place += 1
      }
    }
    place = bytes.count
    openComment = openComment ?? start
  }

  // MARK: Brackets

  private mutating func open(_ byte: UInt8) {
    place += 1
    defer { last = .open }
    guard frames.count < CodeScanner.mostFrames else {
      skippedFrames += 1
      return
    }
    var frame = Frame(bracket: byte)
    if byte == UInt8(ascii: "("), last == .identifier {
      (frame.callee, frame.qualifier) = (identifier, qualifier)
    }
    frames.append(frame)
  }

  private mutating func close() {
    if place < bytes.count { place += 1 }
    last = .close
    isInCases = false
    if skippedFrames > 0 {
      skippedFrames -= 1
      return
    }
    endArgument()
    guard frames.count > 1 else { return }
    let frame = frames.removeLast()
    if var asked = frame.asked {
      asked.namesBundle = frame.hasBundle
      asked.isOwnBundle = frame.isOwnBundle
      found.add(asked)
    }
  }

  private mutating func name(argument label: Range<Int>) {
    let top = frames.count - 1
    let key = hash(of: bytes[label])
    frames[top].label = label
    frames[top].dynamic = nil
    frames[top].isBundleLabel = Words.bundles.contains(key)
    if frames[top].isBundleLabel { frames[top].hasBundle = true }
  }

  private mutating func endArgument() {
    let top = frames.count - 1
    if let dynamic = frames[top].dynamic, frames[top].takes == nil, frames[top].isCall {
      let call = CallName(
        callee: hash(of: bytes[frames[top].callee]), label: hash(of: bytes[frames[top].label]))
      if Words.calls[call] != nil, !isGenerated { found.add(dynamic) }
    }
    frames[top].label = 0..<0
    frames[top].isBundleLabel = false
    frames[top].takes = nil
    frames[top].dynamic = nil
  }

  // MARK: Identifiers

  private mutating func word() {
    let start = place
    while place < bytes.count, isIdentifierByte(bytes[place]) { place += 1 }
    let range = start..<place
    let word = rebased(bytes, range)
    let key = hash(of: word)
    let before = last
    qualifier = before == .dot && base == .identifier ? identifier : 0..<0
    isInAssets = !qualifier.isEmpty && (isInAssets || Words.owners.contains(lastKey))
    lastKey = key
    identifier = range
    last = .identifier
    let top = frames.count - 1
    if frames[top].bracket == UInt8(ascii: "["), frames[top].callee.isEmpty, before == .open {
      frames[top].callee = range
    }
    if frames[top].isBundleLabel { readBundle(key) }
    switch before {
    case .dot, .backslash: member(word, key, at: start, isKeyPath: before == .backslash)
    default: plain(word, key, range, before)
    }
    if frames[top].takes == nil, frames[top].isCall, before != .backslash {
      rememberName(key, start)
    }
  }

  private mutating func readBundle(_ key: UInt64) {
    let top = frames.count - 1
    if key == Words.main || key == Words.nothing { frames[top].hasBundle = false }
    if key == Words.module { (frames[top].hasBundle, frames[top].isOwnBundle) = (false, true) }
  }

  /// Remembers the identifier by which a call may take a name.
  private mutating func rememberName(_ key: UInt64, _ start: Int) {
    if Words.transforms.contains(key) { return }
    frames[frames.count - 1].dynamic = DynamicName(identifier: key, offset: start)
  }

  private mutating func plain(_ word: Bytes8, _ key: UInt64, _ range: Range<Int>, _ before: Token) {
    let declaration = declares
    declares = .none
    if isInCases, before == .keyword || before == .comma { enumCase(word, key, range) }
    if declaration != .none {
      found.declared.insert(key)
      lastDeclared = range
      if declaration == .type {
        found.add(lookup.names.named(key), .typeName, at: range.lowerBound)
      }
      if declaration == .value {
        declaredNames.append((range, key))
        if isPlainText(after: place) { properties.append(key) }
      }
    }
    // A keyword before a colon is a label.
    if let keyword = Words.keywords[key], place == bytes.count || bytes[place] != UInt8(ascii: ":")
    {
      last = .keyword
      switch keyword {
      case .value: declares = .value
      case .type: declares = .type
      case .cases: isInCases = true
      case .function: usesFunctionName = true
      case .decoding: (decodes, last) = (true, .identifier)
      case .other: break
      }
    }
    if language == .c { constant(word, key, at: range.lowerBound) }
    if word.count > 6, Words.lists.contains(key), before == .dot { found.takesAll = place }
  }

  private mutating func enumCase(_ word: Bytes8, _ key: UInt64, _ range: Range<Int>) {
    found.declared.insert(key)
    lastDeclared = range
    found.words.insert(hash(of: word.lazy.map { lowercased($0) }))
    found.add(lookup.names.named(key), .enumCase, at: range.lowerBound)
    found.add(lookup.names.withIdentifier(foldedHash(of: word)), .enumCase, at: range.lowerBound)
  }

  /// Looks up a constant of Objective-C or C.
  private mutating func constant(_ word: Bytes8, _ key: UInt64, at start: Int) {
    if word.starts(with: "AC".utf8) {
      found.add(lookup.names.withObjectiveCSymbol(key), .symbol, at: start)
    }
    for part in Words.constantParts where word.count > part.count + 2 {
      for place in 1..<(word.count - part.count) where word[place] == part[0] {
        if rebased(word, place..<(place + part.count)).elementsEqual(part) {
          let rest = rebased(word, (place + part.count)..<word.count)
          found.add(lookup.names.withIdentifier(foldedHash(of: rest)), .symbol, at: start)
        }
      }
    }
  }

  /// Returns whether a declaration has the type String and no value.
  private func isPlainText(after start: Int) -> Bool {
    var place = start
    func skipBlanks() {
      while place < bytes.count, bytes[place] == 32 { place += 1 }
    }
    skipBlanks()
    guard place < bytes.count, bytes[place] == UInt8(ascii: ":") else { return false }
    place += 1
    skipBlanks()
    let type = "String".utf8
    guard bytes.count - place >= type.count,
      rebased(bytes, place..<(place + type.count)).elementsEqual(type)
    else { return false }
    place += type.count
    if place < bytes.count, bytes[place] == UInt8(ascii: "?") { place += 1 }
    skipBlanks()
    return place == bytes.count || bytes[place] == 10 || bytes[place] == 13
  }

  // MARK: Members

  private mutating func member(_ word: Bytes8, _ key: UInt64, at start: Int, isKeyPath: Bool) {
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
      }
    } else {
      askSymbol(word, at: start, isImplicit: isImplicit, owner: ownerKey)
    }
  }

  /// Remembers a generated symbol for which no catalogue has an asset.
  private mutating func askSymbol(
    _ word: Bytes8, at start: Int, isImplicit: Bool, owner: UInt64
  ) {
    let next = place < bytes.count ? bytes[place] : 0
    let isCall = next == UInt8(ascii: "(")
    guard language == .swift, next != UInt8(ascii: "."), !isUppercase(word[0]),
      !Words.general.contains(hash(of: word))
    else { return }
    var kind: NameKind?
    if isImplicit {
      let frame = frames[frames.count - 1]
      if !isCall, frame.bracket == UInt8(ascii: "("), !frame.callee.isEmpty, isFirst(in: frame) {
        kind =
          Words.symbolCalls[
            CallName(callee: hash(of: bytes[frame.callee]), label: hash(of: bytes[frame.label]))]
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

  /// Returns whether only blanks stand between the beginning of the argument and the member.
  private func isFirst(in frame: Frame) -> Bool {
    var before = identifier.lowerBound - 2
    while before >= 0, bytes[before] <= 32 { before -= 1 }
    return before >= 0
      && (bytes[before] == UInt8(ascii: "(") || bytes[before] == UInt8(ascii: ":"))
  }

  /// Returns whether the qualifier is this member of `R`.
  private func isOfR(_ member: UInt64, _ owner: UInt64) -> Bool {
    let start = qualifier.lowerBound
    guard owner == member, start >= 2 else { return false }
    return bytes[start - 1] == UInt8(ascii: ".") && bytes[start - 2] == UInt8(ascii: "R")
      && (start == 2 || !isIdentifierByte(bytes[start - 3]) && bytes[start - 3] != 46)
  }

  private func isUppercase(_ byte: UInt8) -> Bool { byte &- 65 < 26 }
}

// MARK: - Texts

extension CodeScanner {
  fileprivate mutating func apostrophe() {
    switch language {
    case .swift:
      place += 1
    case .script: quoted(by: UInt8(ascii: "'"), end: 10)
    case .c:
      // A character such as '"' ends on its line.
      var end = place + 1
      while end < bytes.count, end - place < 12, bytes[end] != UInt8(ascii: "'"), bytes[end] != 10 {
        end += bytes[end] == UInt8(ascii: "\\") ? 2 : 1
      }
      let isCharacter = end < bytes.count && bytes[end] == UInt8(ascii: "'")
      place = isCharacter ? end + 1 : place + 1
      last = .other
    }
  }

  /// Reads a text between double quotes; in Swift also with number signs, or of several lines.
  fileprivate mutating func text(hashes: Int) {
    let isLong =
      language == .swift && place + 2 < bytes.count && bytes[place + 1] == UInt8(ascii: "\"")
      && bytes[place + 2] == UInt8(ascii: "\"")
    if isLong {
      place += 2
      literal(quote: UInt8(ascii: "\""), count: 3, hashes: hashes, end: nil)
    } else {
      literal(quote: UInt8(ascii: "\""), count: 1, hashes: hashes, end: 10)
    }
  }

  /// Reads a text between other quotes.
  fileprivate mutating func quoted(by quote: UInt8, end: UInt8?) {
    literal(quote: quote, count: 1, hashes: 0, end: end)
  }

  /// Reads a text from its opening quote. It ends at as many quotes, at the byte `end`, or with the
  /// file.
  private mutating func literal(quote: UInt8, count: Int, hashes: Int, end: UInt8?) {
    let start = place
    place += 1
    var text = Literal(start: start, isAfterPlus: last == .plus, isLong: end == nil)
    remember(&text)
    while place < bytes.count {
      let byte = bytes[place]
      if byte == end { break }
      if byte == quote, closes(quote, count, hashes) {
        place += count + hashes
        break
      }
      if byte == UInt8(ascii: "\\"), isEscape(hashes) {
        escape(hashes, quote, end, &text)
      } else if quote == UInt8(ascii: "`"), byte == UInt8(ascii: "$"), place + 1 < bytes.count,
        bytes[place + 1] == UInt8(ascii: "{")
      {
        place += 1
        interpolation(&text, end)
      } else {
        text.add(byte)
        place += 1
      }
    }
    finish(&text)
    last = .text
  }

  private func closes(_ quote: UInt8, _ count: Int, _ hashes: Int) -> Bool {
    guard place + count + hashes <= bytes.count else { return false }
    for offset in 0..<count where bytes[place + offset] != quote { return false }
    for offset in 0..<hashes where bytes[place + count + offset] != UInt8(ascii: "#") {
      return false
    }
    return true
  }

  private func isEscape(_ hashes: Int) -> Bool {
    guard place + hashes + 1 < bytes.count else { return false }
    for offset in 0..<hashes where bytes[place + 1 + offset] != UInt8(ascii: "#") { return false }
    return true
  }

  private mutating func escape(
    _ hashes: Int, _ quote: UInt8, _ end: UInt8?, _ text: inout Literal
  ) {
    place += 1 + hashes
    let byte = bytes[place]
    if byte == UInt8(ascii: "("), language == .swift {
      interpolation(&text, end)
      return
    }
    if byte == end { return }
    place += 1
    switch byte {
    case UInt8(ascii: "n"), UInt8(ascii: "t"), UInt8(ascii: "r"): text.add(10)
    case UInt8(ascii: "u"), UInt8(ascii: "x"), UInt8(ascii: "U"): number(byte, &text)
    case 48...55 where language == .c: text.add(octal(byte))
    case 10, 13: break
    default: text.add(byte)
    }
  }

  /// Reads the number of an escaped character.
  private mutating func number(_ kind: UInt8, _ text: inout Literal) {
    let isBraced = place < bytes.count && bytes[place] == UInt8(ascii: "{")
    if isBraced { place += 1 }
    let most = isBraced ? 8 : kind == UInt8(ascii: "x") ? 2 : kind == UInt8(ascii: "U") ? 8 : 4
    var (value, count): (UInt32, Int) = (0, 0)
    while place < bytes.count, count < most, let digit = hexadecimal(bytes[place]) {
      value = value << 4 | UInt32(digit)
      place += 1
      count += 1
    }
    if isBraced, place < bytes.count, bytes[place] == UInt8(ascii: "}") { place += 1 }
    if kind == UInt8(ascii: "x"), language == .c {
      text.add(UInt8(truncatingIfNeeded: value))
    } else if let scalar = Unicode.Scalar(value) {
      for byte in String(Character(scalar)).utf8 { text.add(byte) }
    }
  }

  private mutating func octal(_ first: UInt8) -> UInt8 {
    var value = Int(first - 48)
    var count = 1
    while place < bytes.count, count < 3, (48...55).contains(bytes[place]) {
      value = value * 8 + Int(bytes[place] - 48)
      place += 1
      count += 1
    }
    return UInt8(truncatingIfNeeded: value)
  }

  private func hexadecimal(_ byte: UInt8) -> UInt8? {
    if isDigit(byte) { return byte - 48 }
    let letter = byte | 0x20
    return letter &- 97 < 6 ? letter - 87 : nil
  }

  /// Scans the code in a text up to its closing bracket.
  private mutating func interpolation(_ text: inout Literal, _ end: UInt8?) {
    text.divide()
    guard depth < 16, frames.count < CodeScanner.mostFrames - 1 else {
      place += 1
      return
    }
    depth += 1
    let (outerLast, outerIdentifier, outerCases) = (last, identifier, isInCases)
    let count = frames.count
    last = .other
    open(bytes[place])
    while place < bytes.count, frames.count > count {
      if let end, bytes[place] == end { break }
      step()
    }
    while frames.count > count { frames.removeLast() }
    (last, identifier, isInCases) = (outerLast, outerIdentifier, outerCases)
    depth -= 1
  }

  /// Notes that an identifier or a label is given a text.
  private mutating func remember(_ text: inout Literal) {
    let frame = frames[frames.count - 1]
    switch last {
    case .colon:
      found.given.insert(hash(of: bytes[frame.label]))
      found.given.insert(hash(of: bytes[identifier]))
    case .equals:
      found.given.insert(hash(of: bytes[identifier]))
      found.given.insert(hash(of: bytes[lastDeclared]))
    case .open: found.given.insert(hash(of: bytes[frame.callee]))
    default: break
    }
    let callee = hash(of: bytes[frame.callee])
    let label = hash(of: bytes[frame.label])
    let isCall = frame.bracket != UInt8(ascii: "{") && (last == .open || last == .colon)
    if isCall {
      text.kind = Words.calls[CallName(callee: callee, label: label)]
      if callee == Words.imageName, label == emptyHash,
        hash(of: bytes[frame.qualifier]) == Words.imageClass
      {
        text.kind = .image
      }
    }
    text.isAdded = Words.additions.contains(callee) || Words.additions.contains(label)
    frames[frames.count - 1].takes = true
    if isGenerated { text.kind = nil }
  }

  private mutating func finish(_ text: inout Literal) {
    var next = place
    while next < bytes.count, bytes[next] <= 32 { next += 1 }
    let isBeforePlus = next < bytes.count && bytes[next] == UInt8(ascii: "+")
    if isGenerated {
      if text.pieces.isEmpty {
        let name = hash(of: text.current)
        found.aliases?.append(
          NameAlias(identifier: foldedHash(of: bytes[lastDeclared]), name: name))
      }
      return
    }
    let isOpenBefore = text.isAfterPlus || text.isAdded
    if text.pieces.isEmpty {
      // A part of a name is no name that a call asks for.
      if isOpenBefore || isBeforePlus { text.kind = nil }
      whole(text)
      if let pieces = formatPieces(text.current[...]) {
        add(pieces, isOpenBefore, isBeforePlus, at: text.start)
      } else if isOpenBefore || isBeforePlus || text.hasSeparatorAtEnd {
        let (before, after) = text.separators
        add([text.current], isOpenBefore || before, isBeforePlus || after, at: text.start)
      }
    } else {
      let pieces = (text.pieces + [text.current]).flatMap { formatPieces($0[...]) ?? [$0] }
      add(pieces, isOpenBefore, isBeforePlus, at: text.start)
      for piece in text.pieces + [text.current] {
        piece.withUnsafeBufferPointer { lookup.parts(of: $0, at: text.start, &found) }
      }
    }
  }

  private mutating func whole(_ text: Literal) {
    let lookup = lookup
    var evidence = Evidence()
    swap(&evidence, &found)
    let isName = text.current.withUnsafeBufferPointer { bytes in
      let isName = lookup.whole(
        bytes, text.kind == nil ? .literal : .call, at: text.start, &evidence)
      if !isName { lookup.parts(of: bytes, at: text.start, &evidence) }
      return isName
    }
    swap(&evidence, &found)
    guard let kind = text.kind, !text.current.contains(UInt8(ascii: "%")) else { return }
    let name = text.current.withUnsafeBufferPointer {
      ByteString(bytes: UnsafeRawBufferPointer(trimmed($0)))
    }
    guard isName || !name.isEmpty && name.count <= TextLookup.longestName else { return }
    frames[frames.count - 1].asked = AskedName(name: name, kind: kind, offset: text.start)
  }

  private mutating func add(
    _ pieces: [[UInt8]], _ isOpenBefore: Bool, _ isOpenAfter: Bool, at start: Int
  ) {
    for pattern in NamePattern.all(
      pieces, isOpenBefore: isOpenBefore, isOpenAfter: isOpenAfter)
    {
      found.add(pattern, at: start)
    }
  }
}

/// A text while it is read.
private struct Literal {
  var start: Int
  var isAfterPlus: Bool
  var isLong: Bool
  /// The kind of asset for which a call takes the text.
  var kind: NameKind?
  /// Whether the text is an argument of a function that adds it to another text.
  var isAdded = false
  /// The texts before the parts that only a run knows.
  var pieces: [[UInt8]] = []
  var current: [UInt8] = []

  init(start: Int, isAfterPlus: Bool, isLong: Bool) {
    (self.start, self.isAfterPlus, self.isLong) = (start, isAfterPlus, isLong)
  }

  mutating func add(_ byte: UInt8) { current.append(byte) }

  mutating func divide() {
    pieces.append(current)
    current = []
  }

  /// Whether the text begins or ends as a part of a name does: "_dark", "icon-", "Group/".
  var separators: (before: Bool, after: Bool) {
    func separates(_ byte: UInt8?) -> Bool {
      byte == UInt8(ascii: "_") || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "/")
        || byte == UInt8(ascii: ".")
    }
    return (separates(current.first), separates(current.last))
  }

  var hasSeparatorAtEnd: Bool {
    let (before, after) = separators
    guard before || after, current.count <= 64 else { return false }
    return current.contains(where: isWordByte)
      && current.allSatisfy { isWordByte($0) || $0 == 95 || (45...47).contains($0) || $0 == 32 }
  }
}
