// Scans documents: interface files, property lists, JSON, style sheets, tables of strings, and any
// other text. A document is divided at quotes and angle brackets; each part may be a name, and the
// words in a longer part may be names.

import Bytes

/// The kinds of documents; their parts prove different things.
enum TextKind: Sendable, Hashable {
  /// An interface file: the attributes of pictures and colours name assets.
  case interface
  case propertyList
  /// XML and HTML.
  case markup
  /// A model of Core Data, which names properties.
  case model
  /// A document with names in quotes, such as JSON, and YAML and style sheets.
  case data
  /// Build settings: only those about assets count.
  case settings
  /// Any other text.
  case text
}

struct TextScanner {
  private let bytes: SourceBytes
  private let kind: TextKind
  private let lookup: TextLookup
  private(set) var found = Evidence()
  private var position = 0
  /// The name of the element that is open, and of the last attribute.
  private var element = 0..<0
  private var attribute = 0..<0
  /// Whether the attribute of an interface file names a picture or a colour. An attribute can have
  /// any number of values.
  private var isAboutAssets = false
  private var isInTag = false
  /// The text of the last key of a property list.
  private var key = 0..<0
  /// The ends of the parts of the file in which a quote or an apostrophe has no other end.
  private var unquotedEnds = (double: 0, single: 0)
  /// A name that an element asks for. The end of the element decides whether it counts.
  private var asked: AskedName?

  init(_ bytes: SourceBytes, _ kind: TextKind, _ names: AssetNames) {
    (self.bytes, self.kind) = (bytes, kind)
    lookup = TextLookup(names: names)
  }

  mutating func scan() {
    if kind == .settings { return scanSettings() }
    var start = 0
    while position < bytes.count {
      let byte = bytes[position]
      switch byte {
      case UInt8(ascii: "<"):
        part(start..<position, isQuoted: false)
        openTag()
        start = position
      case UInt8(ascii: ">") where isInTag:
        part(start..<position, isQuoted: false)
        closeTag()
        position += 1
        start = position
      case UInt8(ascii: "\""), UInt8(ascii: "'"):
        part(start..<position, isQuoted: false)
        quoted(byte)
        start = position
      case 10, 13:
        part(start..<position, isQuoted: false)
        position += 1
        start = position
      default:
        if isInTag { readAttribute() } else { position += 1 }
      }
    }
    part(start..<position, isQuoted: false)
  }

  // MARK: Elements

  private var isMarkup: Bool {
    kind == .interface || kind == .propertyList || kind == .markup || kind == .model
  }

  private mutating func openTag() {
    position += 1
    guard isMarkup, position < bytes.count else { return }
    let isEnd = bytes[position] == UInt8(ascii: "/")
    let start = isEnd ? position + 1 : position
    guard start < bytes.count, isLetter(bytes[start]) else { return }
    position = start
    while position < bytes.count, isIdentifierByte(bytes[position]) || bytes[position] == 58 {
      position += 1
    }
    element = start..<position
    attribute = 0..<0
    isAboutAssets = false
    asked = nil
    isInTag = true
  }

  private mutating func closeTag() {
    isInTag = false
    // The picture of an element with contents lies in the interface file itself.
    if var name = asked, bytes[position - 1] == UInt8(ascii: "/") || name.kind == .color {
      name.namesBundle = false
      found.add(name)
    }
    asked = nil
  }

  private mutating func readAttribute() {
    guard isLetter(bytes[position]) else {
      position += 1
      return
    }
    let start = position
    while position < bytes.count,
      isIdentifierByte(bytes[position]) || bytes[position] == 58
        || bytes[position] == 45
    {
      position += 1
    }
    attribute = start..<position
    isAboutAssets = kind == .interface && namesAssets(attribute)
  }

  private func isNamed(_ range: Range<Int>, _ word: StaticString) -> Bool {
    range.count == word.utf8CodeUnitCount
      && word.withUTF8Buffer { rebased(bytes, range).elementsEqual($0) }
  }

  // MARK: Parts

  private mutating func quoted(_ quote: UInt8) {
    let isDouble = quote == UInt8(ascii: "\"")
    guard position >= (isDouble ? unquotedEnds.double : unquotedEnds.single) else {
      position += 1
      return
    }
    let start = position + 1
    var end = start
    // An apostrophe in a sentence is no quote: a quoted part ends on its line, or with its tag.
    while end < bytes.count, bytes[end] != quote, bytes[end] != 10, isInTag || bytes[end] != 60 {
      end += bytes[end] == UInt8(ascii: "\\") && kind != .interface ? 2 : 1
    }
    end = min(end, bytes.count)
    guard end < bytes.count, bytes[end] == quote else {
      if isDouble { unquotedEnds.double = end } else { unquotedEnds.single = end }
      position += 1
      return
    }
    part(start..<end, isQuoted: true)
    position = end + 1
    if kind == .data { noteKey(start..<end) }
  }

  /// Notes a key of JSON.
  private mutating func noteKey(_ range: Range<Int>) {
    var next = position
    while next < bytes.count, bytes[next] == 32 || bytes[next] == 9 { next += 1 }
    guard next < bytes.count, bytes[next] == UInt8(ascii: ":") else { return }
    found.givenKeys.insert(hash(of: trimmed(rebased(bytes, range))))
  }

  private mutating func part(_ range: Range<Int>, isQuoted: Bool) {
    let text = trimmed(rebased(bytes, range))
    guard !text.isEmpty, text.contains(where: isWordByte) else { return }
    let isAttribute = isInTag && isQuoted
    if isInTag, !isQuoted { return }
    let strength = strength(text, isAttribute: isAttribute, isQuoted: isQuoted)
    let unescaped = unescaped(text)
    let offset = range.lowerBound
    var evidence = Evidence()
    swap(&evidence, &found)
    func look(_ text: SourceBytes) {
      if !lookup.findFullText(text, strength, at: offset, &evidence) {
        lookup.findParts(of: text, at: offset, &evidence)
      }
      if let pieces = formatPieces(Array(text.prefix(TextLookup.longestName))[...]) {
        for pattern in NamePattern.all(pieces, isOpenBefore: false, isOpenAfter: false) {
          evidence.add(pattern, at: offset)
        }
      }
    }
    if let unescaped { unescaped.withUnsafeBufferPointer { look($0) } } else { look(text) }
    swap(&evidence, &found)
    if kind == .model {
      // The values of an attribute come from a database.
      if isAttribute, isNamed(element, "attribute"), isNamed(attribute, "name") {
        found.decoded.insert(hash(of: text))
      }
    } else if isQuoted || kind == .propertyList {
      found.given.insert(hash(of: text))
    }
    if isAttribute { ask(text, at: offset) } else { askKey(range, text) }
  }

  /// Returns the kind of use if a part is a name.
  private func strength(_ text: SourceBytes, isAttribute: Bool, isQuoted: Bool) -> UseKind {
    switch kind {
    case .interface:
      if isAttribute { return isAboutAssets ? .interface : .word }
      return isNamed(element, "string") ? .interface : .word
    case .propertyList: return .propertyList
    case .markup: return isQuoted || !element.isEmpty ? .data : .word
    case .data: return isQuoted ? .data : .word
    case .settings: return .setting
    case .text, .model: return .word
    }
  }

  /// Returns whether the name of an attribute says that its values name pictures or colours.
  private func namesAssets(_ attribute: Range<Int>) -> Bool {
    if isNamed(attribute, "name") || isNamed(attribute, "value") || isNamed(attribute, "icon") {
      return true
    }
    let name = rebased(bytes, attribute)
    for word: StaticString in ["mage", "olor", "con"] {
      let length = word.utf8CodeUnitCount
      guard name.count >= length else { continue }
      for start in 0...(name.count - length)
      where isNamed((attribute.lowerBound + start)..<(attribute.lowerBound + start + length), word)
      {
        return true
      }
    }
    return false
  }

  /// Remembers a name that an element of an interface file asks for.
  private mutating func ask(_ text: SourceBytes, at offset: Int) {
    guard kind == .interface else { return }
    if isNamed(attribute, "catalog") {
      // "system" is the catalogue of Apple's symbols.
      asked = nil
      element = 0..<0
    } else if isNamed(attribute, "name"),
      isNamed(element, "image") || isNamed(element, "namedColor")
    {
      asked = AskedName(
        name: ByteString(bytes: UnsafeRawBufferPointer(text)),
        kind: isNamed(element, "image") ? .image : .color, offset: offset)
    }
  }

  /// Remembers the key of a property list, or a name that its value asks for.
  private mutating func askKey(_ range: Range<Int>, _ text: SourceBytes) {
    guard kind == .propertyList else { return }
    if isNamed(element, "key") {
      key = range
      found.givenKeys.insert(hash(of: text))
      return
    }
    let isColor = isNamed(key, "UIColorName") || isNamed(key, "NSAccentColorName")
    guard isColor || isNamed(key, "UIImageName"), isNamed(element, "string"),
      !text.contains(UInt8(ascii: "$"))
    else { return }
    found.add(
      AskedName(
        name: ByteString(bytes: UnsafeRawBufferPointer(text)), kind: isColor ? .color : .image,
        offset: range.lowerBound))
  }

  /// Returns a text without references such as "&amp;" and escapes; nil if it has none.
  private func unescaped(_ text: SourceBytes) -> [UInt8]? {
    guard text.count <= TextLookup.longestName * 2,
      text.contains(where: { $0 == UInt8(ascii: "&") || $0 == UInt8(ascii: "\\") })
    else { return nil }
    var result: [UInt8] = []
    var index = 0
    let entities: [(StaticString, UInt8)] = [
      ("&amp;", 38), ("&lt;", 60), ("&gt;", 62), ("&quot;", 34), ("&apos;", 39), ("\\/", 47),
      ("\\\"", 34), ("\\\\", 92), ("\\_", 95),
    ]
    next: while index < text.count {
      if let (character, length) = numberedCharacter(in: text, at: index) {
        result += character
        index += length
        continue
      }
      for (word, byte) in entities where text.count - index >= word.utf8CodeUnitCount {
        let length = word.utf8CodeUnitCount
        if word.withUTF8Buffer({ rebased(text, index..<(index + length)).elementsEqual($0) }) {
          result.append(byte)
          index += length
          continue next
        }
      }
      result.append(text[index])
      index += 1
    }
    return result
  }

  /// Returns the bytes of a character such as "\u00e9", and the length of its number; nil if none
  /// begins at a byte.
  private func numberedCharacter(
    in text: SourceBytes, at index: Int
  ) -> (bytes: [UInt8], length: Int)? {
    func unit(at start: Int) -> UInt16? {
      guard text.count - start >= 6, text[start] == UInt8(ascii: "\\"),
        text[start + 1] | 0x20 == UInt8(ascii: "u")
      else { return nil }
      let digits = rebased(text, (start + 2)..<(start + 6))
      return UInt16(String(decoding: digits, as: UTF8.self), radix: 16)
    }
    guard let first = unit(at: index) else { return nil }
    var units = [first]
    if UTF16.isLeadSurrogate(first), let second = unit(at: index + 6) { units.append(second) }
    return (Array(String(decoding: units, as: UTF16.self).utf8), units.count * 6)
  }

  // MARK: Build settings

  /// Scans lines of a project or a file of settings. Those about assets prove a use; the value of
  /// another setting can get into them by its name.
  private mutating func scanSettings() {
    while position < bytes.count {
      var end = position
      while end < bytes.count, bytes[end] != 10, bytes[end] != 59 { end += 1 }
      setting(position..<end)
      position = end + 1
    }
  }

  private mutating func setting(_ range: Range<Int>) {
    let line = trimmed(rebased(bytes, range))
    // The condition of a setting, such as "[sdk=iphoneos*]", has an equals sign, too.
    var equals = 0
    var isInCondition = false
    while equals < line.count, isInCondition || line[equals] != UInt8(ascii: "=") {
      if line[equals] == UInt8(ascii: "[") { isInCondition = true }
      if line[equals] == UInt8(ascii: "]") { isInCondition = false }
      equals += 1
    }
    guard equals < line.count, !line.starts(with: "//".utf8) else { return }
    let key = trimmed(rebased(line, 0..<equals))
    if TextScanner.projectKeys.contains(hash(of: key)) { return }
    let marks: [StaticString] = [
      "ASSETCATALOG_", "INFOPLIST_KEY_", "\"ASSETCATALOG_", "\"INFOPLIST_KEY_",
    ]
    let isAboutAssets = marks.contains { mark in mark.withUTF8Buffer { key.starts(with: $0) } }
    let kind = isAboutAssets ? UseKind.setting : .word
    var value = trimmed(withoutComment(rebased(line, (equals + 1)..<line.count)))
    if value.count > 1, value.first == 34, value.last == 34 {
      value = rebased(value, 1..<(value.count - 1))
    }
    let offset = range.lowerBound
    if lookup.findFullText(value, kind, at: offset, &found) { return }
    // A list of names.
    for word in value.split(whereSeparator: { $0 == 32 || $0 == 44 || $0 == 34 }) {
      lookup.findFullText(SourceBytes(rebasing: word), kind, at: offset, &found)
    }
  }

  /// Returns the value of a setting without the comment after it.
  private func withoutComment(_ value: SourceBytes) -> SourceBytes {
    for index in 0..<max(value.count - 2, 0)
    where value[index] <= 32 && value[index + 1] == UInt8(ascii: "/")
      && value[index + 2] == UInt8(ascii: "/")
    {
      return rebased(value, 0..<index)
    }
    return value
  }

  /// The keys of the objects of a project, which are no settings.
  private static let projectKeys = Set(
    [
      "isa", "path", "name", "fileRef", "lastKnownFileType", "explicitFileType", "sourceTree",
      "productName", "remoteInfo",
    ].map { hash(of: ($0 as String).utf8) })
}
