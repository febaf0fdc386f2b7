// Scans a source in Swift, Objective-C, C++ or a language with similar texts and comments. It
// follows texts, brackets, labels of arguments and members, and understands nothing else of the
// language. A source that breaks the rules of its language is scanned to its end all the same.

import Bytes

struct CodeScanner {
  private let bytes: Bytes8
  private let language: CodeLanguage
  private let lookup: TextLookup
  private(set) var found = Evidence()
  private var place = 0
  private var frames: [CodeFrame] = [CodeFrame(bracket: 0)]
  private var skippedFrames = 0
  private var last = CodeToken.none
  /// The last identifier, and the identifier that qualifies it: the one before a dot.
  private var identifier = 0..<0
  private var qualifier = 0..<0
  /// The token before the last dot: none, an identifier, or the end of a value.
  private var base = CodeToken.none
  private var lastDeclared = 0..<0
  private var lastDeclaredKey = emptyHash
  /// The hash of the identifier to which the last value was assigned.
  private var assignedKey = emptyHash
  /// The hash of the last text, and of a text before a colon.
  private var lastText = emptyHash
  private var keyBeforeColon: UInt64?
  /// The hash of the last identifier, and whether it belongs to a type of generated symbols.
  private var lastKey = emptyHash
  private var isInAssets = false
  /// The number of texts around the code that is being scanned.
  private var depth = 0
  private let isGenerated: Bool
  /// Whether identifiers name cases of an enumeration.
  private var isInCases = false
  /// Whether a line has ended after a case: only a comma continues the list of cases.
  private var endsCases = false
  /// Whether the code is the body of a macro of C.
  private var isInMacro = false
  /// Whether texts of several lines are read; false if one of them has no end.
  private var readsLongTexts = true
  /// The end of the last line whose words were looked up.
  private var lookedUpEnd = 0
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
    if isGenerated { found.beginAliases() }
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
    // A comment can precede the comma.
    if endsCases, byte > 32, byte != UInt8(ascii: "/") {
      if byte != UInt8(ascii: ",") { isInCases = false }
      endsCases = false
    }
    switch byte {
    case 10, 13: endLine()
    case 0...32: place += 1
    case UInt8(ascii: "/"): slash()
    case UInt8(ascii: "\""): text(hashes: 0)
    case UInt8(ascii: "#"): number()
    case UInt8(ascii: "'"): apostrophe()
    case UInt8(ascii: "`"): backquote()
    case UInt8(ascii: "-") where language == .lua && doubles(byte),
      UInt8(ascii: "[") where language == .lua && doubles(byte):
      luaText(byte)
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

  private func doubles(_ byte: UInt8) -> Bool {
    place + 1 < bytes.count && bytes[place + 1] == byte
  }

  private mutating func endLine() {
    if isInCases, last != .comma { endsCases = true }
    if isInMacro {
      let before = place > 0 && bytes[place - 1] == 13 ? place - 2 : place - 1
      isInMacro = before >= 0 && bytes[before] == UInt8(ascii: "\\")
    }
    place += 1
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
    (found.identifiers, found.members) = ([:], [:])
  }

  // MARK: Marks

  private mutating func mark(_ byte: UInt8) {
    place += 1
    switch byte {
    case UInt8(ascii: "."):
      base = last == .identifier ? .identifier : last == .close || last == .text ? .close : .none
      last = .dot
    case UInt8(ascii: "\\"): last = .backslash
    case UInt8(ascii: "+"):
      frames[frames.count - 1].isJoined = true
      last = .plus
    case UInt8(ascii: "="):
      // "+=" adds to a text, too.
      if last == .plus { return }
      if last == .identifier { assignedKey = lastKey }
      last = isComparison ? .other : .equals
    case UInt8(ascii: ","):
      endArgument()
      last = .comma
    case UInt8(ascii: ":"): colon()
    // A text after "@" is one of Objective-C; optional marks do not separate members.
    case UInt8(ascii: "@"): break
    case UInt8(ascii: "?"), UInt8(ascii: "!"):
      if byte == UInt8(ascii: "?") { question() }
      let isChain = place < bytes.count && bytes[place] == UInt8(ascii: ".")
      if !isChain || last != .identifier && last != .close { last = .other }
    case UInt8(ascii: ";"):
      isInCases = false
      last = .other
    default: last = .other
    }
  }

  /// Whether the equals sign before this place belongs to "==", "!=", "<=" or ">=".
  private var isComparison: Bool {
    if place < bytes.count, bytes[place] == UInt8(ascii: "=") { return true }
    guard place > 1 else { return false }
    switch bytes[place - 2] {
    case UInt8(ascii: "="), UInt8(ascii: "!"), UInt8(ascii: "<"), UInt8(ascii: ">"): return true
    default: return false
    }
  }

  /// Reads a colon: after a label, a key, or the second value of a condition.
  private mutating func colon() {
    let top = frames.count - 1
    isInCases = false
    guard frames[top].conditions == 0 else {
      frames[top].conditions -= 1
      endPart()
      keyBeforeColon = nil
      last = last == .text ? .colon : .other
      return
    }
    if last == .identifier { name(argument: identifier) }
    keyBeforeColon = last == .text ? lastText : nil
    last = .colon
  }

  /// Reads a question mark: of a condition, of a value that replaces nil, or of an optional value.
  private mutating func question() {
    let next = place < bytes.count ? bytes[place] : 0
    if next == UInt8(ascii: "?") {
      place += 1
      endPart()
      return
    }
    let isAfterBlank = place > 1 && bytes[place - 2] <= 32
    // In Swift, a question mark after a value belongs to it.
    guard next != UInt8(ascii: "."), isAfterBlank || language != .swift else { return }
    let top = frames.count - 1
    frames[top].conditions += 1
    if next == UInt8(ascii: ":") {
      endPart()
    } else {
      // The condition gives no name.
      frames[top].dynamic = []
      (frames[top].takes, frames[top].isJoined) = (false, false)
    }
  }

  private mutating func skipNumber() {
    while place < bytes.count, isIdentifierByte(bytes[place]) { place += 1 }
    last = .other
  }

  private mutating func number() {
    guard language == .swift else {
      if language == .python, skipsComments { return skipLine(looksUp: true) }
      place += 1
      last = .other
      if language == .c { macroSign() }
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

  /// Reads the code after a number sign of C: a macro begins, or makes a text of its argument.
  private mutating func macroSign() {
    if isInMacro, place < bytes.count, bytes[place] == UInt8(ascii: "#") {
      place += 1
      return
    }
    while place < bytes.count, bytes[place] == 32 || bytes[place] == 9 { place += 1 }
    let rest = rebased(bytes, place..<bytes.count)
    if isInMacro {
      if let first = rest.first, isIdentifierByte(first) { found.makesTexts = true }
    } else if rest.starts(with: "define".utf8) {
      isInMacro = true
    }
  }

  private mutating func slash() {
    let next = place + 1 < bytes.count ? bytes[place + 1] : 0
    let before = place > 0 ? bytes[place - 1] : 0
    let hasComments = skipsComments && language != .python && language != .lua
    // In a regular expression, "\/" is a slash.
    let isEscaped = before == UInt8(ascii: "\\") && language != .c
    if next == UInt8(ascii: "/"), hasComments {
      if isEscaped
        || language != .c && (before == UInt8(ascii: ":") || before == UInt8(ascii: "["))
      {
        lookUpLine(around: place)
        place += 2
        last = .other
      } else {
        skipLine(looksUp: language == .page)
      }
    } else if next == UInt8(ascii: "*"), hasComments, !isEscaped {
      skipComment()
    } else {
      place += 1
      last = .other
    }
  }

  /// Moves to the end of the line. `looksUp` states that the line may be code and no comment; then
  /// its words are looked up.
  private mutating func skipLine(looksUp: Bool) {
    var start = place
    while place < bytes.count, bytes[place] != 10, bytes[place] != 13 { place += 1 }
    guard looksUp else { return }
    let mark = bytes[start]
    while start < place, bytes[start] == mark { start += 1 }
    lookup.parts(of: rebased(bytes, start..<place), at: start, &found)
  }

  /// Reads a comment ("--") or a long text ("[[star]]") of Lua.
  private mutating func luaText(_ byte: UInt8) {
    if byte == UInt8(ascii: "-"), skipsComments { return skipLine(looksUp: true) }
    place += 2
    last = .other
    guard byte == UInt8(ascii: "[") else { return }
    let start = place
    while place < bytes.count, !(bytes[place] == UInt8(ascii: "]") && doubles(bytes[place])) {
      place += 1
    }
    let text = rebased(bytes, start..<place)
    lookup.parts(of: text, at: start, &found)
    lookup.pieces(of: text, at: start, &found)
    place = min(place + 2, bytes.count)
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
    let follows = followsValue
    place += 1
    defer { last = .open }
    guard frames.count < CodeScanner.mostFrames else {
      skippedFrames += 1
      return
    }
    let top = frames.count - 1
    var frame = CodeFrame(bracket: byte)
    frame.wasInCases = isInCases
    switch byte {
    case UInt8(ascii: "("):
      isInCases = false
      if last == .identifier {
        (frame.callee, frame.qualifier) = (identifier, qualifier)
        frame.calleeKey = lastKey
        frame.takesNames = Words.callees.contains(lastKey)
      }
      if frame.callee.isEmpty || Words.transforms.contains(frame.calleeKey) {
        frame.isName = frames[top].isName || frames[top].isNaming
      }
    case UInt8(ascii: "["):
      frame.isSubscript = follows
      // In Objective-C, the value of `[item icon]`.
      if !follows, language == .c { frame.isName = frames[top].isName || frames[top].isNaming }
    default:
      frame.owner = language != .c ? lastDeclaredKey : last == .identifier ? lastKey : emptyHash
    }
    frames.append(frame)
  }

  /// Whether the bracket that begins here follows a value without a blank.
  private var followsValue: Bool {
    guard place > 0 else { return false }
    switch bytes[place - 1] {
    case UInt8(ascii: ")"), UInt8(ascii: "]"), UInt8(ascii: "?"), UInt8(ascii: "!"),
      UInt8(ascii: "\""), UInt8(ascii: "."), UInt8(ascii: "}"):
      return true
    case let byte: return isIdentifierByte(byte)
    }
  }

  private mutating func close() {
    if place < bytes.count { place += 1 }
    last = .close
    if skippedFrames > 0 {
      isInCases = false
      skippedFrames -= 1
      return
    }
    let top = frames.count - 1
    let key = frames[top].key
    endArgument()
    guard frames.count > 1 else {
      isInCases = false
      return
    }
    let frame = frames.removeLast()
    isInCases = frame.bracket == UInt8(ascii: "(") && frame.wasInCases
    if let key { note(key, below: top - 1) }
    if var asked = frame.asked {
      asked.namesBundle = frame.hasBundle
      asked.isOwnBundle = frame.isOwnBundle
      found.add(asked)
    }
  }

  private mutating func name(argument label: Range<Int>) {
    let top = frames.count - 1
    frames[top].label = label
    frames[top].labelKey = lastKey
    frames[top].dynamic = []
    frames[top].isBundleLabel = Words.bundles.contains(lastKey)
    if frames[top].isBundleLabel { frames[top].hasBundle = true }
  }

  private mutating func endArgument() {
    endPart()
    let top = frames.count - 1
    frames[top].label = 0..<0
    frames[top].labelKey = emptyHash
    frames[top].isBundleLabel = false
    frames[top].conditions = 0
  }

  /// Ends a part of an argument. If the part joins a text with others, a pattern has the name.
  private mutating func endPart() {
    let top = frames.count - 1
    if !(frames[top].takes && frames[top].isJoined) {
      for name in frames[top].dynamic { found.add(name) }
    }
    frames[top].dynamic = []
    (frames[top].takes, frames[top].isJoined) = (false, false)
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
      frames[top].calleeKey = key
      frames[top].takesNames = Words.callees.contains(key)
    }
    if frames[top].isBundleLabel { readBundle(key) }
    switch before {
    case .dot, .backslash: member(word, key, at: start, isKeyPath: before == .backslash)
    default: plain(word, key, range, before)
    }
    if before != .backslash { rememberName(key, start) }
    if language == .c { noteIdentifier(range, key) }
  }

  private mutating func readBundle(_ key: UInt64) {
    let top = frames.count - 1
    if key == Words.main || key == Words.nothing { frames[top].hasBundle = false }
    if key == Words.module { (frames[top].hasBundle, frames[top].isOwnBundle) = (false, true) }
  }

  /// Remembers an identifier by which a call may take a name, or which is a key.
  private mutating func rememberName(_ key: UInt64, _ start: Int) {
    let top = frames.count - 1
    let isSubscript = frames[top].isSubscript
    let isName =
      frames[top].isName
      && (frames[top].bracket == UInt8(ascii: "(") || frames[top].label.isEmpty)
    guard isSubscript || isName || frames[top].isNaming, !isGenerated else { return }
    if Words.transforms.contains(key) || Words.keywords[key] == .other { return }
    if isSubscript {
      frames[top].key = DynamicName(identifier: key, kind: .keyConstant, offset: start)
      return
    }
    let name = DynamicName(identifier: key, kind: .identifier, offset: start)
    if frames[top].dynamic.count < CodeScanner.mostNames {
      frames[top].dynamic.append(name)
    } else {
      found.add(name)
    }
  }

  private static let mostNames = 16

  /// Notes the key of a value in a dictionary, if a call takes the value as a name, or if the value
  /// is given to an argument, a variable or a function. `parent` is the bracket around that of the
  /// key.
  private mutating func note(_ key: DynamicName, below parent: Int) {
    if isGenerated || parent < 0 { return }
    if frames[parent].isName || frames[parent].isNaming { return found.add(key) }
    var index = parent
    while index > 0, parent - index < 16, isGroup(frames[index]) { index -= 1 }
    let frame = frames[index]
    var targets: Set<UInt64> = []
    if !frame.label.isEmpty {
      targets = [frame.labelKey, propertyOfSetter(rebased(bytes, frame.label))]
    }
    if frame.bracket == UInt8(ascii: "{") || frame.bracket == 0 {
      targets.formUnion([assignedKey, lastDeclaredKey])
      for frame in frames[...index].suffix(16) { targets.insert(frame.owner) }
    }
    for target in targets where target != emptyHash {
      found.keyed.insert(KeyedName(identifier: target, key: key.identifier, kind: key.kind))
    }
  }

  /// Returns whether a bracket has the value of the expression in it.
  private func isGroup(_ frame: CodeFrame) -> Bool {
    guard frame.bracket != UInt8(ascii: "{"), frame.label.isEmpty else { return false }
    return !frame.isCall || Words.transforms.contains(frame.calleeKey)
      || language == .c && frame.bracket == UInt8(ascii: "[")
  }

  /// Notes an identifier of C of which a macro can make a text, also with others: "tab-dark".
  private mutating func noteIdentifier(_ range: Range<Int>, _ key: UInt64) {
    if key == Words.selectorText { found.makesTexts = true }
    let start = range.lowerBound
    found.add(identifiers: lookup.names.named(key), at: start)
    func isMark(_ byte: UInt8) -> Bool { (45...47).contains(byte) }
    guard place < bytes.count, isMark(bytes[place]), start == 0 || !isMark(bytes[start - 1]) else {
      return
    }
    var end = place
    while end < bytes.count, end - start <= TextLookup.longestName,
      isIdentifierByte(bytes[end]) || isMark(bytes[end])
    {
      end += 1
    }
    let text = rebased(bytes, start..<end)
    found.add(identifiers: lookup.names.named(hash(of: text)), at: start)
    if let name = fileName(in: text) {
      found.add(identifiers: lookup.names.named(hash(of: name)), at: start)
    }
  }

  private mutating func plain(
    _ word: Bytes8, _ key: UInt64, _ range: Range<Int>, _ before: CodeToken
  ) {
    let declaration = declares
    declares = .none
    if isInCases, before == .keyword || before == .comma { enumCase(word, key, range) }
    if declaration != .none {
      found.declared.insert(key)
      (lastDeclared, lastDeclaredKey) = (range, key)
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
    if key == Words.openMembers { found.hasOpenMembers = true }
    if language == .c { constant(word, key, at: range.lowerBound) }
    if word.count > 6, Words.lists.contains(key), before == .dot { found.takesAll = place }
  }

  private mutating func enumCase(_ word: Bytes8, _ key: UInt64, _ range: Range<Int>) {
    found.declared.insert(key)
    (lastDeclared, lastDeclaredKey) = (range, key)
    found.words.insert(hash(of: word.lazy.map { lowercased($0) }))
    found.add(lookup.names.named(key), .enumCase, at: range.lowerBound)
    found.add(lookup.names.withIdentifier(foldedHash(of: word)), .enumCase, at: range.lowerBound)
  }

  /// Looks up a constant of Objective-C or C.
  private mutating func constant(_ word: Bytes8, _ key: UInt64, at start: Int) {
    if word.starts(with: "AC".utf8) {
      found.add(lookup.names.withObjectiveCSymbol(key), .symbol, at: start)
    }
    // The time grows with the square of the length.
    guard word.count <= 2 * TextLookup.longestName else { return }
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
      } else {
        found.add(members: named, at: start)
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
      if !isCall, frame.bracket == UInt8(ascii: "("), !frame.callee.isEmpty, isFirstInCall {
        kind =
          Words.symbolCalls[
            CallName(callee: frame.calleeKey, label: frame.labelKey)]
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
  private var isFirstInCall: Bool {
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
    case .script, .python, .lua, .page: text(quote: UInt8(ascii: "'"), hashes: 0)
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

  /// Reads a text between quotes; in Swift also with number signs, or of several lines.
  fileprivate mutating func text(quote: UInt8 = UInt8(ascii: "\""), hashes: Int) {
    let isLong =
      language != .c && readsLongTexts && place + 2 < bytes.count && bytes[place + 1] == quote
      && bytes[place + 2] == quote
    if isLong {
      place += 2
      literal(quote: quote, count: 3, hashes: hashes, end: nil)
    } else {
      literal(quote: quote, count: 1, hashes: hashes, end: 10)
    }
  }

  fileprivate mutating func backquote() {
    if language.isScript, readsLongTexts, place == 0 || bytes[place - 1] != UInt8(ascii: "/") {
      return literal(quote: UInt8(ascii: "`"), count: 1, hashes: 0, end: nil)
    }
    // The quote belongs to a regular expression, or in Swift to an identifier.
    if language.isScript { lookUpLine(around: place) }
    place += 1
  }

  /// Reads a text from its opening quote. It ends at as many quotes, at the byte `end`, or with the
  /// file.
  private mutating func literal(quote: UInt8, count: Int, hashes: Int, end: UInt8?) {
    let start = place
    place += 1
    let isAfterSlash = start > 0 && bytes[start - 1] == UInt8(ascii: "/")
    var text = CodeLiteral(start: start, isAfterPlus: last == .plus, isLong: end == nil)
    remember(&text)
    var isClosed = false
    while place < bytes.count {
      let byte = bytes[place]
      if byte == end { break }
      if byte == quote, closes(quote, count, hashes) {
        place += count + hashes
        isClosed = true
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
    if !isClosed, end != nil || isAfterSlash { lookUpLine(around: start) }
    if !isClosed, end == nil {
      // The quote begins no text: the rest of the file is code.
      readsLongTexts = false
      place = start + 1
    }
    guard isClosed, language != .c else { return }
    if isAfterSlash { lookUpLine(around: start) }
    if isBeforeSlash { lookUpLine(around: place - 1) }
  }

  /// Whether a slash is here that begins no comment.
  private var isBeforeSlash: Bool {
    guard place < bytes.count, bytes[place] == UInt8(ascii: "/") else { return false }
    let next = place + 1 < bytes.count ? bytes[place + 1] : 0
    return next != UInt8(ascii: "/") && next != UInt8(ascii: "*")
  }

  /// Looks up the words of a line. A quote in a regular expression such as `/"/` begins a text for
  /// the scanner, which then takes the next text for code.
  private mutating func lookUpLine(around start: Int) {
    guard start >= lookedUpEnd else { return }
    var (first, end) = (start, start)
    while first > 0, bytes[first - 1] != 10 { first -= 1 }
    while end < bytes.count, bytes[end] != 10 { end += 1 }
    lookedUpEnd = end
    lookup.parts(of: rebased(bytes, first..<end), at: first, &found)
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
    _ hashes: Int, _ quote: UInt8, _ end: UInt8?, _ text: inout CodeLiteral
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
  private mutating func number(_ kind: UInt8, _ text: inout CodeLiteral) {
    let isBraced = place < bytes.count && bytes[place] == UInt8(ascii: "{")
    if isBraced { place += 1 }
    let most = isBraced ? 8 : kind == UInt8(ascii: "x") ? 2 : kind == UInt8(ascii: "U") ? 8 : 4
    var (value, count): (UInt32, Int) = (0, 0)
    while place < bytes.count, count < most, let digit = hexDigit(bytes[place]) {
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

  /// Scans the code in a text up to its closing bracket.
  private mutating func interpolation(_ text: inout CodeLiteral, _ end: UInt8?) {
    text.divide()
    guard depth < 16, frames.count < CodeScanner.mostFrames - 1 else {
      place += 1
      return
    }
    depth += 1
    let (outerLast, outerIdentifier, outerCases) = (last, identifier, isInCases)
    let outerKey = lastKey
    let count = frames.count
    let isWhole = text.isValue(at: place, in: bytes)
    last = .other
    open(bytes[place])
    // A pattern has the names of which the value is a part.
    if !isWhole { frames[frames.count - 1].isName = false }
    while place < bytes.count, frames.count > count {
      if let end, bytes[place] == end { break }
      step()
    }
    while frames.count > count { frames.removeLast() }
    (last, identifier, isInCases) = (outerLast, outerIdentifier, outerCases)
    lastKey = outerKey
    depth -= 1
  }

  /// Notes that an identifier, a label or a key is given a text.
  private mutating func remember(_ text: inout CodeLiteral) {
    let frame = frames[frames.count - 1]
    text.isFirst = last == .open
    switch last {
    case .colon:
      found.given.insert(frame.labelKey)
      found.given.insert(lastKey)
      if let keyBeforeColon { found.givenKeys.insert(keyBeforeColon) }
    case .equals:
      found.given.insert(lastKey)
      found.given.insert(lastDeclaredKey)
      text.constants = [lastKey, lastDeclaredKey]
    case .open: found.given.insert(frame.calleeKey)
    case .identifier where isInMacro: text.constants = [lastKey]
    default: break
    }
    let (callee, label) = (frame.calleeKey, frame.labelKey)
    let isCall = frame.bracket != UInt8(ascii: "{") && (last == .open || last == .colon)
    // In C++ and in other languages, `Image("a")` and `Color("a")` are no calls of the systems.
    if isCall, language == .swift || language == .c && label != emptyHash {
      text.kind = Words.calls[CallName(callee: callee, label: label)]
      if callee == Words.imageName, label == emptyHash, frame.qualifier.count <= 16,
        hash(of: bytes[frame.qualifier]) == Words.imageClass
      {
        text.kind = .image
      }
    }
    text.isAdded = Words.additions.contains(callee) || Words.additions.contains(label)
    frames[frames.count - 1].takes = true
    if isGenerated { text.kind = nil }
  }

  private mutating func finish(_ text: inout CodeLiteral) {
    var next = place
    while next < bytes.count, bytes[next] <= 32 { next += 1 }
    let isBeforePlus = next < bytes.count && bytes[next] == UInt8(ascii: "+")
    if isGenerated {
      if text.pieces.isEmpty, lastDeclared.count <= 4 * TextLookup.longestName {
        let name = hash(of: text.current)
        found.add(NameAlias(identifier: foldedHash(of: bytes[lastDeclared]), name: name))
      }
      return
    }
    let isOpenBefore = text.isAfterPlus || text.isAdded
    if text.pieces.isEmpty {
      // A part of a name is no name that a call asks for.
      if isOpenBefore || isBeforePlus { text.kind = nil }
      whole(text)
      noteKey(text)
      if isDivided(rebased(bytes, next..<bytes.count), language) {
        text.current.withUnsafeBufferPointer { lookup.pieces(of: $0, at: text.start, &found) }
      }
      let template = language.isScript ? templatePieces(text.current[...]) : nil
      let pieces = (template ?? [text.current]).flatMap { formatPieces($0[...]) ?? [$0] }
      if pieces.count > 1 {
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

  /// Notes a text that is a key, as in `item["icon"]`, `value(forKey: "icon")` and
  /// `[item objectForKey:@"icon"]`.
  private mutating func noteKey(_ text: CodeLiteral) {
    lastText = hash(of: text.current)
    for constant in text.constants where constant != emptyHash {
      found.constants.insert(NameAlias(identifier: constant, name: lastText))
    }
    let top = frames.count - 1
    let label = rebased(bytes, frames[top].label)
    let isPath = label.suffix(7).elementsEqual("KeyPath".utf8)
    let isKey = isPath || label.suffix(3).elementsEqual("Key".utf8)
    guard top > 0, isKey || frames[top].isSubscript && text.isFirst else { return }
    if Words.writers.contains(frames[top].calleeKey) { return }
    let dot = isPath ? text.current.lastIndex(of: UInt8(ascii: ".")) : nil
    let key = hash(of: text.current[(dot.map { $0 + 1 } ?? 0)...])
    note(DynamicName(identifier: key, kind: .key, offset: text.start), below: top - 1)
  }

  private mutating func whole(_ text: CodeLiteral) {
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
