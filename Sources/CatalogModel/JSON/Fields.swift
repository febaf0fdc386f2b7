// Reads the members of a JSON object as typed values. It accepts other spellings and reports all
// unknown keys: a key is known once a reader has requested it; `finish()` reports the rest.

import Bytes
import Documents

/// The findings about one file, while they are collected.
final class Findings {
  let file: ByteString
  private(set) var list: [Diagnostic] = []
  /// The number of findings that were not kept because the list was full.
  private(set) var leftOut = 0

  /// A limit far above the number that a person reads about one file.
  private static let limit = 1000

  init(file: ByteString) { self.file = file }

  /// Whether further findings are only counted. Errors are always kept.
  var isFull: Bool { list.count >= Findings.limit }

  /// Adds a finding about a value, or about the file if `pointer` is nil.
  func add(
    _ code: DiagnosticCode, _ message: String, at pointer: ByteString? = nil, isKey: Bool = false,
    subject: ByteString? = nil, notes: [Note] = [], fix: Fix? = nil, severity: Severity? = nil
  ) {
    var diagnostic = Diagnostic(code, message, file: file, pointer: pointer, notes: notes)
    if isFull, (severity ?? diagnostic.severity) != .error {
      leftOut += 1
      return
    }
    diagnostic.isAboutKey = isKey
    diagnostic.subject = subject
    diagnostic.fix = fix
    if let severity { diagnostic.severity = severity }
    list.append(diagnostic)
  }

  func add(_ diagnostics: [Diagnostic]) { list += diagnostics }

  /// Takes back that an object lacks a key, because the key was found under another name.
  fileprivate func removeMissing(_ key: String, at pointer: ByteString) {
    list.removeAll {
      [.missingKey, .colorIncomplete].contains($0.code) && $0.pointer == pointer
        && $0.subject == ByteString(key)
    }
  }
}

/// An object of a JSON file, while its members are read.
final class Fields {
  let pointer: ByteString
  let findings: Findings
  private let members: [JSONMember]
  private var isTaken: [Bool]
  /// The number of members that no reader has requested.
  private var leftCount: Int
  private var knownKeys: [String] = []
  /// The describer of the object, if its reader is only described; nil if the object is read.
  let describer: FieldDescriber?
  /// The canonical spellings of the keys that are not ASCII. They are empty for the other keys,
  /// which are compared in place, and for keys that are longer than every known key.
  private lazy var spellings = members.map { member in
    member.key.isASCII || member.key.count > Fields.longestKey
      ? "" : spellingKey(member.key.text)
  }

  /// The greatest length of a key that can be another spelling of a known one. A key is part of
  /// every pointer below it. Without this limit, a misspelled key could be of any length (hyphens
  /// do not count), and each finding below it would repeat that length.
  private static let longestKey = 64

  init(_ members: [JSONMember], pointer: ByteString, findings: Findings) {
    self.members = members
    self.pointer = pointer
    self.findings = findings
    describer = nil
    isTaken = [Bool](repeating: false, count: members.count)
    leftCount = members.count
    // A slot has 16 keys.
    knownKeys.reserveCapacity(24)
  }

  /// Creates an object whose reader is described. It has no members, but says that it has all.
  init(describing describer: FieldDescriber, findings: Findings) {
    (members, pointer, isTaken, leftCount) = ([], "", [], 0)
    self.findings = findings
    self.describer = describer
  }

  /// Whether the reader of the object is only described.
  var isDescribed: Bool { describer != nil }

  /// A value and its place.
  struct Found {
    let key: ByteString
    let value: JSONValue
    private let parent: ByteString
    /// Whether `parent` is the place of the value itself.
    private let isPlaced: Bool

    /// Creates the member of an object.
    fileprivate init(_ member: JSONMember, of parent: ByteString) {
      (key, value) = (member.key, member.value)
      (self.parent, isPlaced) = (parent, false)
    }

    /// Creates a value that is not a member, or that stands for one.
    init(key: ByteString, value: JSONValue, pointer: ByteString) {
      (self.key, self.value) = (key, value)
      (parent, isPlaced) = (pointer, true)
    }

    /// The place of the value. Most values need none, so it is made only on request.
    var pointer: ByteString { isPlaced ? parent : "\(parent)/\(pointerToken(key))" }
  }

  /// Returns the member with that key, or with a key that differs only in case and hyphens. `kind`
  /// is the kind of the value in descriptions.
  func find(_ key: String, as kind: @autoclosure () -> FieldKind = .any) -> Found? {
    if let describer {
      describer.add(key, kind())
      return nil
    }
    knownKeys.append(key)
    if let index = exactIndex(of: key) { return take(index) }
    guard leftCount > 0, let index = spelledIndex(of: key, { !isTaken[$0] }) else { return nil }
    let found = take(index)
    findings.add(
      .misspelledKey, "the key \(quoted(found.key)) is spelled \(quoted(key))", at: found.pointer,
      isKey: true,
      fix: Fix("write \(quoted(key))", [.rename(pointer: found.pointer, to: ByteString(key))]))
    return found
  }

  private func take(_ index: Int) -> Found {
    if !isTaken[index] {
      isTaken[index] = true
      leftCount -= 1
    }
    return Found(members[index], of: pointer)
  }

  /// Returns the pointer of a member, even if its key has another spelling.
  func pointer(of key: String) -> ByteString {
    pointer + "/" + pointerToken(index(of: key).map { members[$0].key } ?? ByteString(key))
  }

  private func index(of key: String) -> Int? {
    exactIndex(of: key) ?? spelledIndex(of: key) { _ in true }
  }

  /// Returns the index of a key, which is ASCII as every key that is read.
  private func exactIndex(of key: String) -> Int? {
    // A closure would copy the values, too.
    var index = members.count
    while index > 0 {
      index -= 1
      if members[index].key.equals(ascii: key) { return index }
    }
    return nil
  }

  /// Returns the last index of a known key in any spelling, among the members that are admitted.
  private func spelledIndex(of key: String, _ isAdmitted: (Int) -> Bool) -> Int? {
    lazy var spelling = spellingKey(key)
    return members.indices.last { index in
      guard isAdmitted(index) else { return false }
      let name = members[index].key
      if !name.isASCII { return spellings[index] == spelling }
      return name.count <= Fields.longestKey && areSpellings(name.text, key)
    }
  }

  /// Returns whether the object has the member, even under another spelling. The key does not
  /// become known.
  func has(_ key: String) -> Bool { isDescribed || index(of: key) != nil }

  /// Returns whether the object has an array under the key, even under another spelling.
  func hasArray(_ key: String) -> Bool {
    if let index = index(of: key), case .array = members[index].value { true } else { false }
  }

  /// Returns whether the object has a member with exactly this key.
  func hasExactly(_ key: String) -> Bool { exactIndex(of: key) != nil }

  /// Reports the members whose keys no reader has requested. `elsewhere` returns the name of the
  /// object to which a key belongs. `others` are keys that may be meant although the object does
  /// not have them.
  func finish(
    suggesting others: [String] = [], _ elsewhere: (ByteString) -> String? = { _ in nil }
  ) {
    if isDescribed { return }
    var suggested: Set<String> = []
    for index in members.indices where !isTaken[index] {
      let key = members[index].key
      if let owner = elsewhere(key) {
        findings.add(
          .unknownKey,
          "the key \(quoted(key)) belongs to \(owner), and is not read here; remove it",
          at: "\(pointer)/\(pointerToken(key))", isKey: true)
        continue
      }
      // The search for the nearest word is expensive, so it is left out if the list is full.
      let near = findings.isFull ? [] : nearestFew(to: key.text, in: knownKeys + others, atMost: 2)
      let advice =
        home(of: key).map { "; it belongs to \($0)" }
        ?? near.first.map { "; did you mean \(quoted($0))?" } ?? ""
      let memberPointer: ByteString = "\(pointer)/\(pointerToken(key))"
      // A second member of that name would hide the first one.
      let meant = likeliest(of: near, to: key.text).flatMap { word in
        has(word) || !suggested.insert(word).inserted ? nil : word
      }
      if let advised = meant ?? near.first { findings.removeMissing(advised, at: pointer) }
      findings.add(
        .unknownKey, "unknown key \(quoted(key))\(advice)", at: memberPointer, isKey: true,
        subject: near.first.map { ByteString($0) },
        fix: meant.map {
          Fix(
            "write \(quoted($0))", [.rename(pointer: memberPointer, to: ByteString($0))],
            kind: .review)
        })
    }
  }

  /// Returns the part of a Contents.json to which a key belongs, if this object is another part.
  private func home(of key: ByteString) -> String? {
    let text = key.text
    let isProperties = pointer == "/properties"
    if !isProperties, propertyKeys.contains(text) { return "\"properties\"" }
    let isOfSet = isProperties || pointer.isEmpty || pointer == "/info"
    return isOfSet && entryKeys.contains(text) ? "an entry" : nil
  }

  func wrongType(_ found: Found, _ wanted: String) {
    findings.add(
      .wrongType, "\(quoted(found.key)) must be \(wanted), and is \(found.value.kind)",
      at: found.pointer)
  }
}

/// The keys of properties, and of entries, that no other part of a Contents.json has.
private let propertyKeys: Set<String> = [
  "template-rendering-intent", "preserves-vector-representation", "localizable", "auto-scaling",
  "on-demand-resource-tags", "provides-namespace",
]
private let entryKeys: Set<String> = [
  "idiom", "scale", "subtype", "screen-width", "appearances", "display-gamut", "width-class",
  "height-class", "language-direction", "graphics-feature-set", "memory", "unassigned",
]

extension Fix {
  /// Returns the fix that replaces a value with a word that the author probably meant.
  static func writing(
    _ word: ByteString, at pointer: ByteString, kind: FixKind = .review
  ) -> Fix {
    Fix(
      "write \(quoted(word))", [.replace(pointer: pointer, with: .string(word))], kind: kind)
  }
}

// MARK: - Typed values

extension Fields {
  /// Returns a string: a text for people, or a keyword.
  func string(_ key: String) -> String? { name(key)?.text }

  /// Returns the name of a file or of an asset.
  func name(_ key: String) -> ByteString? {
    guard let found = find(key, as: .string) else { return nil }
    if case .string(let name) = found.value { return name }
    wrongType(found, "a string")
    return nil
  }

  /// Returns a boolean. It accepts words and numbers that mean one, with a finding.
  func bool(_ key: String) -> Bool? {
    guard let found = find(key, as: .bool) else { return nil }
    let meant: Bool? =
      switch found.value {
      case .bool(let flag): flag
      case .integer(0), .string("false"), .string("NO"), .string("no"): false
      case .integer(1), .string("true"), .string("YES"), .string("yes"): true
      default: nil
      }
    if case .bool = found.value { return meant }
    guard let meant else {
      wrongType(found, "true or false")
      return nil
    }
    findings.add(
      .misspelledValue, "\(quoted(key)) must be true or false, and is \(found.value.kind)",
      at: found.pointer,
      fix: Fix("write \(meant)", [.replace(pointer: found.pointer, with: .bool(meant))]))
    return meant
  }

  /// Returns a finite number. It accepts a string that contains one, with a finding.
  func number(_ key: String) -> Double? {
    guard let found = find(key, as: .number) else { return nil }
    let number: Double? =
      switch found.value {
      case .integer(let number): Double(number)
      case .number(let number, _): number
      case .string(let text): Double(text.text)
      default: nil
      }
    guard let number else {
      wrongType(found, "a number")
      return nil
    }
    guard number.isFinite, abs(number) <= 1e9 else {
      findings.add(.numberRange, "\(quoted(key)) is out of range", at: found.pointer)
      return nil
    }
    if case .string = found.value { wrongType(found, "a number") }
    return number
  }

  /// Returns the members of an object.
  func object(_ key: String) -> Fields? {
    if let describer {
      return Fields(describing: describer.addObject(key, inArray: false), findings: findings)
    }
    guard let found = find(key) else { return nil }
    if case .object(let members) = found.value {
      return Fields(members, pointer: found.pointer, findings: findings)
    }
    wrongType(found, "an object")
    return nil
  }

  /// Returns the objects of an array.
  func objects(_ key: String) -> [Fields]? {
    if let describer {
      return [Fields(describing: describer.addObject(key, inArray: true), findings: findings)]
    }
    guard let found = find(key) else { return nil }
    guard case .array(let elements) = found.value else {
      wrongType(found, "an array")
      return nil
    }
    return objects(elements, of: found)
  }

  /// Returns the elements that are objects, with a finding about each of the others.
  func objects(_ elements: [JSONValue], of found: Found) -> [Fields] {
    let list = elements.isEmpty ? "" : found.pointer + "/"
    return elements.enumerated().compactMap { index, element in
      let pointer = list + ByteString(String(index))
      if case .object(let members) = element {
        return Fields(members, pointer: pointer, findings: findings)
      }
      findings.add(
        .wrongType,
        "an entry of \(quoted(found.key)) must be an object, and is \(element.kind)",
        at: pointer)
      return nil
    }
  }

  func names(_ key: String) -> [ByteString]? {
    guard let found = find(key, as: .array(of: .string)) else { return nil }
    guard case .array(let elements) = found.value else {
      wrongType(found, "an array of strings")
      return nil
    }
    return elements.enumerated().compactMap { index, element in
      if case .string(let text) = element { return text }
      findings.add(
        .wrongType, "an entry of \(quoted(found.key)) must be a string, and is \(element.kind)",
        at: "\(found.pointer)/\(index)")
      return nil
    }
  }

  /// Returns one of some words. It accepts the words in any case and with any hyphens, with a
  /// finding.
  func word(_ key: String, of words: [String], aliases: [String: String] = [:]) -> String? {
    guard let found = find(key, as: .words(words)) else { return nil }
    guard case .string(let name) = found.value else {
      wrongType(found, "a string")
      return nil
    }
    if let word = words.first(where: { ByteString($0) == name }) { return word }
    let text = name.text
    if let meant = aliases[text] ?? words.first(where: { areSpellings($0, text) }) {
      findings.add(
        .misspelledValue, "the value \(quoted(text)) of \(quoted(key)) is spelled \(quoted(meant))",
        at: found.pointer,
        fix: Fix(
          "write \(quoted(meant))",
          [.replace(pointer: found.pointer, with: .string(ByteString(meant)))]))
      return meant
    }
    reportUnknown(found, text: text, among: words)
    return nil
  }

  /// Reports a value that is not one of some words. `meant` is the word for it, if it is known.
  func reportUnknown(
    _ found: Found, text: String, among words: [String], meaning meant: String? = nil
  ) {
    let near = meant.map { [$0] } ?? nearestFew(to: text, in: words, atMost: 2)
    let isShort = words.count <= 12
    let advised = isShort && isAmbiguous(near, for: text) ? nil : near.first
    let advice =
      advised.map { "did you mean \(quoted($0))?" }
      ?? (isShort ? "known are \(quotedList(words, joinedBy: "and"))" : "")
    findings.add(
      .unknownValue,
      "unknown value \(quoted(text)) of \(quoted(found.key))\(advice.isEmpty ? "" : "; \(advice)")",
      at: found.pointer,
      fix: likeliest(of: near, to: text).map { .writing(ByteString($0), at: found.pointer) })
  }

  /// Returns a case of an enumeration whose raw values are words.
  func choice<Choice: RawRepresentable<String> & CaseIterable>(
    _ key: String, _: Choice.Type = Choice.self, aliases: [String: String] = [:]
  ) -> Choice? {
    word(key, of: Choice.allCases.map(\.rawValue), aliases: aliases)
      .flatMap { Choice(rawValue: $0) }
  }
}
