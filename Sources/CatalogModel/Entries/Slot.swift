// The common part of all entries of a set: the variant, the file, and the place in Contents.json;
// and how the variant is read and written.

import Bytes
import Documents
import Traits

/// A file that an entry names.
package struct SourceFile: Sendable, Hashable {
  /// The path of the folder with the name. If the name differs from the file's only in case, the
  /// path has the file's spelling.
  package let path: ByteString
  /// The name, if it is not the last component of the path; this is rare.
  private var otherName: ByteString?
  /// The size in bytes.
  package var size: Int
  /// Whether the file exists and is a regular file.
  package var exists: Bool

  package init(name: ByteString, path: ByteString, exists: Bool, size: Int) {
    self.path = path
    self.exists = exists
    self.size = size
    if lastComponent(path) != name { otherName = name }
  }

  /// The name as Contents.json spells it.
  package var name: ByteString { otherName ?? lastComponent(path) }

  /// The extension in lower case; empty if the name has no extension.
  package var fileExtension: ByteString { pathExtension(otherName ?? path) }

  package var isVector: Bool {
    let ending = fileExtension
    return ending.equals(ascii: "pdf") || ending.equals(ascii: "svg")
  }
}

/// The variant for which an entry is made.
package struct Slot: Sendable, Hashable {
  /// The key. Its scale is 0 for a vector without a scale, and 1 for a bitmap without one.
  package var key = VariantKey()
  /// The scale in Contents.json; nil if the entry names none.
  package var scale: UInt8?
  /// The idiom in Contents.json ("ios-marketing"). The idiom of the key can be a wider one.
  package var idiom = "universal"
  /// The platform in Contents.json; nil if the entry is for every platform.
  package var platform: Platform?
  /// The language tag. The key has the number of this language.
  package var locale: String?
  /// Whether Xcode marked the entry as unassigned. Such an entry is not compiled.
  package var isUnassigned = false
  /// Whether the entry deliberately shows nothing. This is an extension of Carve.
  package var isNothing = false
  /// The JSON pointer of the entry: "/images/2".
  package var pointer: ByteString = ""

  package init() {}
}

// MARK: - Reading

/// The keys of all kinds of entries besides those of the slot.
private let keysBesideSlot = [
  "compression-type", "color-space", "alignment-insets", "resizing", "size", "role", "orientation",
  "extent", "minimum-system-version", "color", "filename", "universal-type-identifier",
  "pixel-format", "cube-face", "matching-style",
]

extension SetReader {
  /// Reads the slot of an entry; nil if a value is unknown, because the variant is then unknown and
  /// cannot be compiled. In that case no other key of the entry needs to be read.
  func slot(_ entry: Fields, file: SourceFile?) -> Slot? {
    var slot = Slot()
    slot.pointer = entry.pointer
    var isValid = true
    /// Reads a key and stores its value. An unknown value makes the slot invalid.
    func read<Value>(_ key: String, _ table: [(String, Value)], _ store: (Value) -> Void) {
      switch lookUp(key, of: entry, in: table) {
      case .absent: break
      case .unknown: isValid = false
      case .row(_, let value): store(value)
      }
    }
    switch lookUp("idiom", of: entry, in: idioms) {
    case .absent: break
    case .unknown: isValid = false
    case .row(let word, let idiom): (slot.idiom, slot.key.idiom) = (word, idiom)
    }
    read("scale", scales) { slot.scale = $0 }
    read("subtype", subtypes) { slot.key.subtype = $0 }
    let display = slot.key.subtype
    read("screen-width", screenWidths) { slot.key.subtype = $0 }
    if display != 0, slot.key.subtype != display, widthRanges[display] != slot.key.subtype {
      findings.add(
        .unknownValue,
        "\"screen-width\" and \"subtype\" name two different displays, so the entry is left out; "
          + "keep one of them", at: entry.pointer(of: "screen-width"))
      isValid = false
    }
    read("width-class", sizeClasses) { slot.key.width = $0 }
    read("height-class", sizeClasses) { slot.key.height = $0 }
    read("language-direction", directions) { slot.key.direction = $0 }
    read("display-gamut", gamuts) { slot.key.gamut = $0 }
    read("content-size", contentSizes) { slot.key.contentSize = $0 }
    read("memory", memories) { slot.key.memory = $0 }
    read("graphics-feature-set", graphics) { slot.key.graphics = $0 }
    read("platform", platforms) { slot.platform = $0 }
    readLocale(of: entry, into: &slot, isValid: &isValid)
    if !readAppearances(entry, &slot.key) { isValid = false }
    slot.isUnassigned = entry.bool("unassigned") ?? false
    slot.isNothing = entry.bool("no-content") ?? false
    slot.key.scale = slot.scale ?? (file?.isVector == true ? 0 : 1)
    if isValid { return slot }
    leaveOutEntry()
    // The unknown value has been reported, and the caller omits the entry. Its other keys are not
    // read, so they are marked as known here.
    for key in keysBesideSlot where entry.has(key) { _ = entry.find(key) }
    entry.finish()
    return nil
  }

  private enum Lookup<Value> {
    case absent, unknown
    /// The known spelling of the word, and its value.
    case row(String, Value)
  }

  private func lookUp<Value>(
    _ key: String, of entry: Fields, in table: [(String, Value)]
  ) -> Lookup<Value> {
    guard let found = entry.find(key, as: .words(table.map(\.0))) else { return .absent }
    var text = ""
    switch found.value {
    case .string(let string): text = string.text
    case .integer(let number): text = String(number)
    default:
      entry.wrongType(found, "a string")
      return .unknown
    }
    if text.isEmpty {
      reportEmpty(found)
      return .absent
    }
    if case .string = found.value, let row = table.first(where: { $0.0 == text }) {
      return .row(row.0, row.1)
    }
    guard let row = table.first(where: { matches(text, $0.0, of: key) }) else {
      // An iPod has the idiom of phones. Its letters alone would suggest the iPad.
      let isPod = key == "idiom" && spellingKey(text).hasPrefix("ipod")
      entry.reportUnknown(
        found, text: text, among: table.map(\.0), meaning: isPod ? "iphone" : nil)
      return .unknown
    }
    reportSpelling(of: found, text, row.0)
    return .row(row.0, row.1)
  }

  private func reportSpelling(of found: Fields.Found, _ text: String, _ word: String) {
    findings.add(
      .misspelledValue,
      "the value \(quoted(text)) of \(quoted(found.key)) is spelled \(quoted(word))",
      at: found.pointer,
      fix: Fix("write \(quoted(word))", [.replace(pointer: found.pointer, with: .text(word))]))
  }

  /// Reports an empty text for a trait, which leaves the trait open.
  private func reportEmpty(_ found: Fields.Found) {
    findings.add(
      .unknownValue, "the value of \(quoted(found.key)) is empty, so the key counts as absent",
      at: found.pointer,
      fix: Fix("remove the key", [.remove(pointer: found.pointer)], kind: .review))
  }

  /// Returns whether a text is another spelling of a known word.
  private func matches(_ text: String, _ word: String, of key: String) -> Bool {
    switch key {
    case "scale":
      [word, String(word.dropLast()), "@" + word].contains { areSpellings(text, $0) }
    case "memory": [word, String(word.dropLast(2))].contains { areSpellings(text, $0) }
    case "screen-width": oldScreenWidths[text] == word
    default: areSpellings(text, word)
    }
  }

  private func readLocale(
    of entry: Fields, into slot: inout Slot, isValid: inout Bool
  ) {
    guard let found = entry.find("locale", as: .string) else { return }
    guard case .string(let tag) = found.value else {
      entry.wrongType(found, "a string")
      isValid = false
      return
    }
    let text = tag.text
    if text.isEmpty { return reportEmpty(found) }
    let locale = usualSpelling(ofLanguageTag: text)
    let language = locale.utf8.prefix { $0 != UInt8(ascii: "-") }
    guard isLanguageTag(locale), 2...3 ~= language.count else {
      findings.add(
        .unknownValue,
        "\(quoted(text)) is not the tag of a language, such as \"fr\", \"de-CH\" or \"zh-Hant\"",
        at: found.pointer)
      isValid = false
      return
    }
    if locale != text { reportSpelling(of: found, text, locale) }
    slot.locale = locale
    slot.key.locale = nameIdentifier(locale.utf8)
  }

  /// Reads the appearances. Returns false if one is unknown, because the variant is then unknown.
  private func readAppearances(_ entry: Fields, _ key: inout VariantKey) -> Bool {
    if entry.isDescribed { return describeAppearances(entry) }
    guard let found = entry.find("appearances") else { return true }
    guard case .array(let elements) = found.value else {
      entry.wrongType(found, "an array")
      return false
    }
    let appearances = entry.objects(elements, of: found)
    var isKnown = appearances.count == elements.count
    var named: Set<String> = []
    for appearance in appearances {
      let before = key
      if let axis = readAppearance(appearance, &key) {
        if !named.insert(axis).inserted {
          findings.add(
            .unknownValue,
            before == key
              ? "the entry names \(quoted(axis)) twice, with one value; remove one of the two"
              : "the entry names two values of \(quoted(axis)); keep one of them",
            at: appearance.pointer)
          isKnown = false
        }
      } else {
        isKnown = false
      }
      appearance.finish()
    }
    return isKnown
  }

  private func describeAppearances(_ entry: Fields) -> Bool {
    for appearance in entry.objects("appearances") ?? [] {
      for key in ["appearance", "value"] { appearance.describer?.require(key) }
      _ = appearance.word("appearance", of: appearanceAxes)
      _ = appearance.word("value", of: styles + contrasts)
    }
    return true
  }

  /// Returns the axis of an appearance; nil if the axis or the value is unknown.
  private func readAppearance(_ appearance: Fields, _ key: inout VariantKey) -> String? {
    if let missing = ["appearance", "value"].first(where: { !appearance.has($0) }) {
      findings.add(
        .missingKey, "the appearance has no \(quoted(missing))", at: appearance.pointer,
        subject: ByteString(missing))
      for key in ["appearance", "value"] { _ = appearance.find(key) }
      return nil
    }
    let axis = appearance.word("appearance", of: appearanceAxes)
    switch axis {
    case "luminosity":
      switch appearance.word("value", of: styles) {
      case "light": key.style = .light
      case "dark": key.style = .dark
      case "tinted": key.style = .tinted
      default: return nil
      }
    case "contrast":
      switch appearance.word("value", of: contrasts) {
      case "high": key.contrast = .high
      case "normal": key.contrast = .normal
      default: return nil
      }
    default:
      _ = appearance.find("value")
      return nil
    }
    return axis
  }
}

// MARK: - Writing

extension Slot {
  /// Returns the members of an entry of Contents.json that stand for a variant, as `SetReader.slot`
  /// reads them, with the idiom's word on a platform. Returns nil if one of the constraints has no
  /// word. The scale and the oldest system are not among the members.
  package static func members(
    for key: VariantKey, locale: String?, on platform: Platform
  ) -> [JSONMember]? {
    var members: [JSONMember] = []
    func add(_ name: ByteString, _ word: String) {
      members.append(JSONMember(key: name, value: .text(word)))
    }
    /// Adds the first word of a value; returns false if it has no word.
    func add<Value: Equatable>(
      _ name: ByteString, _ value: Value, _ plain: Value, _ table: [(String, Value)]
    ) -> Bool {
      if value == plain { return true }
      guard let word = table.first(where: { $0.1 == value })?.0 else { return false }
      add(name, word)
      return true
    }
    add("idiom", word(for: key.idiom, on: platform))
    guard add("subtype", key.subtype, 0, subtypes),
      add("width-class", key.width, .any, sizeClasses),
      add("height-class", key.height, .any, sizeClasses),
      add("language-direction", key.direction, .none, directions),
      add("display-gamut", key.gamut, .sRGB, gamuts),
      add("content-size", key.contentSize, .any, contentSizes),
      add("memory", key.memory, 0, memories),
      add("graphics-feature-set", key.graphics, .gles2, graphics),
      (key.locale == 0) == (locale == nil)
    else { return nil }
    if let locale { add("locale", locale) }
    var appearances: [JSONValue] = []
    func add(appearance axis: String, _ word: String) {
      appearances.append(
        .object([
          JSONMember(key: "appearance", value: .text(axis)),
          JSONMember(key: "value", value: .text(word)),
        ]))
    }
    if key.style != .any { add(appearance: "luminosity", key.style.name) }
    if key.contrast != .normal { add(appearance: "contrast", key.contrast.name) }
    if !appearances.isEmpty {
      members.append(JSONMember(key: "appearances", value: .array(appearances)))
    }
    return members
  }

  private static func word(for idiom: Idiom, on platform: Platform) -> String {
    if idiom == .marketing {
      return platform == .watchOS
        ? "watch-marketing" : platform == .tvOS ? "tv-marketing" : "ios-marketing"
    }
    return idioms.first { $0.1 == idiom }?.0 ?? "universal"
  }
}

// MARK: - Words and their values

private let idioms: [(String, Idiom)] = [
  ("universal", .universal), ("iphone", .phone), ("ipad", .pad), ("mac", .mac), ("tv", .tv),
  ("watch", .watch), ("car", .car), ("vision", .vision), ("reality", .vision),
  ("ios-marketing", .marketing), ("watch-marketing", .marketing), ("tv-marketing", .marketing),
]
private let appearanceAxes = ["luminosity", "contrast"]
private let styles = ["light", "dark", "tinted"]
private let contrasts = ["high", "normal"]
private let scales: [(String, UInt8)] = [("1x", 1), ("2x", 2), ("3x", 3)]
private let sizeClasses: [(String, SizeClass)] = [
  ("compact", .compact), ("regular", .regular), ("any", .any),
]
private let directions: [(String, Direction)] = [
  ("left-to-right", .leftToRight), ("right-to-left", .rightToLeft),
]
private let gamuts: [(String, Gamut)] = [("sRGB", .sRGB), ("display-P3", .p3)]
private let memories: [(String, UInt8)] = [1, 2, 3, 4, 6, 8, 12, 16].map { ("\($0)GB", $0) }
private let contentSizes: [(String, ContentSize)] = ContentSize.allCases.map { ($0.name, $0) }
private let platforms: [(String, Platform)] = [.iOS, .macOS, .tvOS, .watchOS, .visionOS].map {
  ($0.names.catalog, $0)
}
private let graphics: [(String, GraphicsClass)] =
  [
    ("metal1v2", .apple1), ("metal1v3", .apple1), ("metal2v2", .apple2), ("metal2v3", .apple2),
    ("metal3v1", .apple3v1), ("metal3v2", .apple3), ("metal4v1", .apple4),
    ("apple3v1", .apple3v1),
  ]
  + [
    .apple1, .apple2, .apple3, .apple4, .apple5, .apple6, .apple7, .apple8, .apple9, .apple10,
  ].map { ("\($0)", $0) }

/// The subtypes: the heights of the displays of phones and pads in pixels, and the case sizes of
/// watches. A word with the height of a pad in points means the same; Xcode writes one for the
/// largest display. A value has the first of its words.
private let subtypes: [(String, UInt16)] =
  [
    ("retina4", 568), ("667h", 569), ("736h", 570), ("38mm", 320), ("40mm", 340), ("41mm", 430),
    ("42mm", 384), ("44mm", 390), ("45mm", 484), ("46mm", 496), ("49mm", 502), ("1366h", 2732),
    ("mac-catalyst", 32401),
  ]
  + [
    1792, 2079, 2160, 2224, 2266, 2340, 2360, 2388, 2420, 2436, 2532,
    2556, 2622, 2688, 2732, 2736, 2752, 2778, 2796, 2868,
  ].map { ("\($0)h", $0) }
  + [1112, 1133, 1180, 1194].map { ("\($0)h", 2 * $0) }

/// The widths of watch displays in points, as ranges. Each range begins at the width of a watch
/// with that subtype.
private let screenWidths: [(String, UInt16)] = [
  ("<=145", 320), (">145", 384), (">161", 340), (">183", 390),
]
/// The subtype at which the range of widths begins that has the display of a watch.
private let widthRanges: [UInt16: UInt16] = [430: 340, 484: 390, 496: 390, 502: 390]
private let oldScreenWidths = ["{130,145}": "<=145", "{146,165}": ">145"]
