// Reads requests written as KEY=VALUE pairs into environments, and makes the messages about
// requests that cannot be read. AxisTable.swift has the keys, TraitNames.swift the spellings of the
// values.

/// An error in a request.
public enum TraitError: Error, Sendable, Hashable {
  case notAPair(String)
  case unknownTrait(String)
  case unknownValue(String, of: Axis)
  case repeated(Axis)

  /// The unknown word, if the message can suggest a similar one; otherwise nil.
  public var unknownWord: String? {
    switch self {
    case .unknownTrait(let word), .unknownValue(let word, _): word
    case .notAPair, .repeated: nil
    }
  }

  /// The words that are allowed instead; empty if the allowed values form no list.
  public var choices: [String] {
    switch self {
    case .unknownTrait: Axis.requestNames
    case .unknownValue(_, let key): key.choices
    case .notAPair, .repeated: []
    }
  }
}

extension TraitError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .notAPair(let text): "'\(text)' is not a trait; write KEY=VALUE"
    case .unknownTrait(let word):
      "'\(word)' is not a trait; choose from \(choices.joined(separator: ", "))"
    case .unknownValue(let word, let key):
      "'\(word)' is not a value of '\(key.name)'; \(key.row.expectation)"
    case .repeated(let key): "'\(key.name)' is given twice"
    }
  }
}

extension Environment {
  /// Reads `KEY=VALUE,KEY=VALUE`. Traits that are left out stay unspecified.
  public init(
    traits text: some StringProtocol,
    localeNumber: (String) -> UInt16 = { nameIdentifier($0.utf8) }
  ) throws(TraitError) {
    var pairs: [(key: String, value: String)] = []
    for part in text.split(separator: ",", omittingEmptySubsequences: true) {
      guard let equals = part.firstIndex(of: "=") else { throw .notAPair(String(part)) }
      pairs.append((String(part[..<equals]), String(part[part.index(after: equals)...])))
    }
    try self.init(pairs: pairs, localeNumber: localeNumber)
  }

  /// Reads pairs of keys and values in any order.
  public init(
    pairs: [(key: String, value: String)],
    localeNumber: (String) -> UInt16 = { nameIdentifier($0.utf8) }
  ) throws(TraitError) {
    self.init()
    var seen: Set<Axis> = []
    var version: String?
    for pair in pairs {
      guard let key = Axis(named: pair.key) else { throw .unknownTrait(pair.key) }
      guard seen.insert(key).inserted else { throw .repeated(key) }
      switch key {
      case .os: version = pair.value
      case .language:
        languages = try localeChain(pair.value, numbered: localeNumber)
      default: try set(key, to: pair.value)
      }
    }
    // The version is read last, because its generation depends on the idiom.
    if let version {
      guard let number = OSVersion(version) else { throw .unknownValue(version, of: .os) }
      osGeneration = Platform(of: idiom).generation(of: number)
    }
  }

  private mutating func set(_ key: Axis, to value: String) throws(TraitError) {
    func named<Trait: NamedTrait>(_: Trait.Type) throws(TraitError) -> Trait {
      guard let trait = Trait(named: value) else { throw .unknownValue(value, of: key) }
      return trait
    }
    func number<Number: FixedWidthInteger>(
      _ range: ClosedRange<Number>
    ) throws(TraitError) -> Number {
      guard value.utf8.allSatisfy({ $0 >= 48 && $0 <= 57 }), let number = Number(value),
        range.contains(number)
      else { throw .unknownValue(value, of: key) }
      return number
    }
    switch key {
    case .idiom: idiom = try named(Idiom.self)
    case .subtype: subtype = try number(0...65535)
    case .scale: scale = try number(1...3)
    case .width: width = try named(SizeClass.self)
    case .height: height = try named(SizeClass.self)
    case .style: style = try named(Style.self)
    case .contrast: contrast = try named(Contrast.self)
    case .gamut: gamut = try named(Gamut.self)
    case .direction: direction = try named(Direction.self)
    case .memory: memory = try number(0...254)
    case .graphics: graphics = GraphicsSupport(upTo: try named(GraphicsClass.self))
    case .contentSize: contentSize = try named(ContentSize.self)
    case .language, .os: break
    }
  }
}

// MARK: - Languages

/// Returns the tag and its shortened forms, one subtag less each time: zh-Hant-TW, zh-Hant, zh.
public func shortened(languageTag tag: some StringProtocol) -> [String] {
  var tags: [String] = []
  var rest = tag[...]
  while !rest.isEmpty {
    tags.append(String(rest))
    guard let cut = rest.lastIndex(where: { $0 == "-" || $0 == "_" }) else { break }
    rest = rest[..<cut]
    // A single letter introduces an extension and means nothing without the subtag after it.
    while let last = rest.lastIndex(where: { $0 == "-" || $0 == "_" }),
      rest.distance(from: last, to: rest.endIndex) == 2
    {
      rest = rest[..<last]
    }
  }
  return tags
}

/// Returns the usual spelling of a language tag: "zh-Hant-TW" for "ZH_hant_tw". Hyphens join the
/// subtags; scripts begin with a capital, and regions of two letters consist of capitals.
public func usualSpelling(ofLanguageTag tag: String) -> String {
  var bytes: [UInt8] = []
  bytes.reserveCapacity(tag.utf8.count)
  let isSeparator = { (byte: UInt8) in byte == 0x2D || byte == 0x5F }
  var isExtension = false
  for subtag in tag.utf8.split(omittingEmptySubsequences: false, whereSeparator: isSeparator) {
    let isFirst = bytes.isEmpty
    if !isFirst { bytes.append(0x2D) }
    for (index, byte) in subtag.enumerated() {
      let isLetter = 0x41...0x5A ~= byte & 0xDF && byte < 0x80
      let isCapital =
        !isFirst && !isExtension && (subtag.count == 2 || subtag.count == 4 && index == 0)
      bytes.append(!isLetter ? byte : isCapital ? byte & 0xDF : byte | 0x20)
    }
    // A single letter introduces an extension, whose subtags have no capitals.
    if subtag.count == 1 { isExtension = true }
  }
  return String(decoding: bytes, as: UTF8.self)
}

/// Returns whether a text consists of the letters, digits and separators of a language tag.
public func isLanguageTag(_ text: String) -> Bool {
  !text.isEmpty
    && text.utf8.allSatisfy { byte in
      byte == 45 || byte == 95 || (48...57 ~= byte) || (65...90 ~= byte) || (97...122 ~= byte)
    }
}

/// Returns the numbers of the localizations for a list of preferred languages, best first, without
/// repetition. Each tag is looked for as it is given, and in its usual spelling.
public func localeChain(
  of languages: [String], numbered number: (String) -> UInt16 = { nameIdentifier($0.utf8) }
) -> [UInt16] {
  var chain: [UInt16] = []
  for tag in languages.flatMap({ shortened(languageTag: $0) }) {
    for spelling in [tag, usualSpelling(ofLanguageTag: tag)] {
      let locale = number(spelling)
      if locale != 0, !chain.contains(locale) { chain.append(locale) }
    }
  }
  return chain
}

private func localeChain(
  _ text: String, numbered number: (String) -> UInt16
) throws(TraitError) -> [UInt16] {
  let tags = text.split(separator: ":", omittingEmptySubsequences: false)
  guard tags.allSatisfy({ isLanguageTag(String($0)) }) else {
    throw .unknownValue(text, of: .language)
  }
  return localeChain(of: tags.map(String.init), numbered: number)
}
