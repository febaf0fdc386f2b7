// Reads the values of the keys of icon.json: numbers and words, fills and colours, positions,
// shadows, and the values that a key has in some looks and on some platforms.

import Bytes
import Documents

extension IconReader {
  /// Reads a value, and the values that replace it in some looks and on some platforms.
  func specialized<Value: Sendable & Hashable>(
    _ key: String, of fields: Fields, _ read: (Fields.Found, Fields) -> Value?
  ) -> Specialized<Value> {
    var result = Specialized<Value>()
    if let describer = fields.describer {
      describe(key, of: describer, read)
      return result
    }
    if let found = fields.find(key), let value = read(found, fields) {
      result.rows.append(.init(look: nil, idiom: nil, value: value))
    }
    guard fields.has(key + "-specializations") else { return result }
    for row in fields.objects(key + "-specializations") ?? [] {
      guard let (look, idiom) = conditions(of: row) else { continue }
      guard let found = row.find("value") else {
        findings.add(.missingKey, "the specialization has no \"value\"", at: row.pointer)
        continue
      }
      if let value = read(found, row) {
        if result.rows.contains(where: { $0.look == look && $0.idiom == idiom }) {
          let what = [look?.rawValue, idiom].compactMap { $0 }.joined(separator: ", ")
          findings.add(
            .duplicateSlot,
            "\(quoted(key)) has two values for \(what.isEmpty ? "any look" : what); the first one "
              + "counts", at: row.pointer, severity: .warning)
        } else {
          result.rows.append(.init(look: look, idiom: idiom, value: value))
        }
      }
      row.finish()
    }
    return result
  }

  /// Describes a value by its reader, alone and in the rows that replace it.
  private func describe<Value>(
    _ key: String, of describer: FieldDescriber, _ read: (Fields.Found, Fields) -> Value?
  ) {
    let inner = FieldDescriber()
    let found = Fields.Found(key: ByteString(key), value: .null, pointer: "")
    _ = read(found, Fields(describing: inner, findings: findings))
    let kind = inner.value ?? .any
    describer.add(key, kind)
    let rows = describer.addObject(key + "-specializations", inArray: true)
    rows.add("value", kind)
    rows.require("value")
    _ = conditions(of: Fields(describing: rows, findings: findings))
  }

  /// Reads the look and the platform of a row; returns nil if the row is not used. Icon Composer
  /// knows conditions about languages, but reads and writes none.
  private func conditions(of row: Fields) -> (look: IconLook?, idiom: String?)? {
    for key in ["localization", "language-direction"] where row.find(key, as: .string) != nil {
      keepOut(key, at: row.pointer(of: key), because: "Icon Composer does not read it either")
      return nil
    }
    let appearance = row.word("appearance", of: IconLook.allCases.map(\.rawValue) + ["base"])
    let idiom = row.word("idiom", of: ["macOS", "iOS", "watchOS", "square", "circle"])
    if row.isDescribed { return nil }
    if appearance == nil && row.has("appearance") || idiom == nil && row.has("idiom") { return nil }
    return (appearance.flatMap { IconLook(rawValue: $0) }, idiom)
  }

  func bool(_ found: Fields.Found, _ fields: Fields) -> Bool? {
    if case .bool(let flag) = found.value { return flag }
    if let describer = fields.describer {
      describer.addValue(.bool)
      return nil
    }
    fields.wrongType(found, "true or false")
    return nil
  }

  func number(
    _ found: Fields.Found, _ fields: Fields, in range: ClosedRange<Double>
  ) -> Double? {
    if let describer = fields.describer {
      describer.addValue(.number)
      return nil
    }
    let number: Double
    switch found.value {
    case .integer(let value): number = Double(value)
    case .number(let value, _): number = value
    default:
      fields.wrongType(found, "a number")
      return nil
    }
    guard range.contains(number) else {
      findings.add(
        .numberRange,
        "\(quoted(found.key)) must lie between \(brief(range.lowerBound)) and "
          + "\(brief(range.upperBound))", at: found.pointer)
      return nil
    }
    return number
  }

  func word(_ found: Fields.Found, of fields: Fields, among words: [String]) -> String? {
    if let describer = fields.describer {
      describer.addValue(.words(words))
      return nil
    }
    guard case .string(let name) = found.value else {
      fields.wrongType(found, "a string")
      return nil
    }
    if let word = words.first(where: { ByteString($0) == name }) { return word }
    let text = name.text
    fields.reportUnknown(found, text: text, among: words)
    return nil
  }

  func choice<Choice: RawRepresentable<String> & CaseIterable>(
    _ found: Fields.Found, _ fields: Fields
  ) -> Choice? {
    word(found, of: fields, among: Choice.allCases.map(\.rawValue)).flatMap { Choice(rawValue: $0) }
  }

  /// Reads a blend mode. Archives can hold more of them than Icon Composer knows.
  func blendMode(_ found: Fields.Found, _ fields: Fields) -> IconBlendMode? {
    let known = IconBlendMode.allCases.filter(\.isInIconComposer).map(\.rawValue)
    // Only the words that Apple's tools accept are suggested.
    guard case .string(let text) = found.value, let mode = IconBlendMode(rawValue: text.text)
    else {
      return word(found, of: fields, among: known).flatMap { IconBlendMode(rawValue: $0) }
    }
    if !mode.isInIconComposer {
      findings.add(
        .refusedByApple,
        "Apple's tools refuse the blend mode \(quoted(mode.rawValue)); known are "
          + quotedList(known, joinedBy: "and"), at: found.pointer)
    }
    return mode
  }

  private func object(_ found: Fields.Found, _ fields: Fields) -> Fields? {
    guard case .object(let members) = found.value else {
      fields.wrongType(found, "an object")
      return nil
    }
    return Fields(members, pointer: found.pointer, findings: findings)
  }

  /// Describes a value that is an object, by the reader of its members. Returns false if the value
  /// is read.
  private func describesObject(_ fields: Fields, _ read: (Fields) -> Void) -> Bool {
    guard let describer = fields.describer else { return false }
    let inner = FieldDescriber()
    read(Fields(describing: inner, findings: findings))
    describer.addValue(.object(inner.description))
    return true
  }

  private func member(
    _ key: String, of fields: Fields, in range: ClosedRange<Double>
  ) -> Double? {
    fields.find(key, as: .number).flatMap { number($0, fields, in: range) }
  }

  /// Reports the keys that an object lacks and that Apple's tools require.
  private func require(_ keys: [String], of fields: Fields, _ what: String) {
    for key in keys { fields.describer?.require(key) }
    for key in keys where !fields.has(key) {
      findings.add(
        .refusedByApple, "Apple's tools refuse \(what) without \(quoted(key))", at: fields.pointer)
    }
  }

  func position(_ found: Fields.Found, _ fields: Fields) -> IconPosition? {
    if describesObject(fields, { _ = position($0) }) { return nil }
    return object(found, fields).flatMap { position($0) }
  }

  private func position(_ fields: Fields) -> IconPosition? {
    defer { fields.finish() }
    require(["scale", "translation-in-points"], of: fields, "a position")
    var position = IconPosition()
    let scale = member("scale", of: fields, in: 0.001...1000)
    let translation = fields.find("translation-in-points", as: .array(of: .number))
    if let scale { position.scale = scale } else if fields.has("scale") { return nil }
    guard let found = translation else { return position }
    guard case .array(let elements) = found.value else {
      fields.wrongType(found, "an array of two numbers")
      return nil
    }
    guard elements.count == 2 else {
      findings.add(
        .wrongType,
        "\(quoted(found.key)) must have two numbers, and has \(counted(elements.count, "element"))",
        at: found.pointer)
      return nil
    }
    let numbers = elements.enumerated().compactMap { index, value in
      number(
        Fields.Found(key: found.key, value: value, pointer: "\(found.pointer)/\(index)"), fields,
        in: -100_000...100_000)
    }
    guard numbers.count == 2 else { return nil }
    (position.x, position.y) = (numbers[0], numbers[1])
    return position
  }

  func shadow(_ found: Fields.Found, _ fields: Fields) -> IconShadow? {
    if describesObject(fields, { _ = shadow($0) }) { return nil }
    return object(found, fields).flatMap { shadow($0) }
  }

  private func shadow(_ fields: Fields) -> IconShadow? {
    var shadow = IconShadow()
    require(["kind", "opacity"], of: fields, "a shadow")
    shadow.kind = fields.choice("kind") ?? .neutral
    shadow.opacity = member("opacity", of: fields, in: 0...100) ?? 0.5
    fields.finish()
    return shadow
  }

  func translucency(_ found: Fields.Found, _ fields: Fields) -> Double? {
    if describesObject(fields, { _ = translucency($0) }) { return nil }
    return object(found, fields).flatMap { translucency($0) }
  }

  private func translucency(_ fields: Fields) -> Double? {
    require(["enabled", "value"], of: fields, "a translucency")
    let isEnabled = fields.bool("enabled") ?? true
    let value = member("value", of: fields, in: 0...1) ?? 0.5
    fields.finish()
    return isEnabled ? value : 0
  }

  /// Reads a boolean, or the word for the place of the light.
  func specular(_ found: Fields.Found, _ fields: Fields) -> IconSpecular? {
    let places = ["automatic", "inside", "outside"]
    if let describer = fields.describer {
      describer.addValue(.oneOf([.bool, .words(places)]))
      return nil
    }
    switch found.value {
    case .bool(let isOn): return isOn ? .automatic : .off
    case .string:
      return word(found, of: fields, among: places)
        .flatMap { IconSpecular(rawValue: $0) }
    default:
      fields.wrongType(found, "true, false or a string")
      return nil
    }
  }

  func refractivity(_ found: Fields.Found, _ fields: Fields) -> IconRefractivity? {
    if describesObject(fields, { _ = refractivity($0) }) { return nil }
    return object(found, fields).flatMap { refractivity($0) }
  }

  private func refractivity(_ fields: Fields) -> IconRefractivity? {
    require(["enabled", "strength", "depth"], of: fields, "a refractivity")
    let refractivity = IconRefractivity(
      isEnabled: fields.bool("enabled") ?? false,
      strength: member("strength", of: fields, in: -100...100) ?? 0,
      depth: member("depth", of: fields, in: -100...100) ?? 0)
    fields.finish()
    return refractivity
  }

  func mirroring(_ found: Fields.Found, _ fields: Fields) -> Bool? {
    if describesObject(fields, { _ = mirroring($0) }) { return nil }
    return object(found, fields).flatMap { mirroring($0) }
  }

  private func mirroring(_ fields: Fields) -> Bool? {
    let isMirrorable = fields.bool("mirrorable")
    if isMirrorable == nil, !fields.has("mirrorable") {
      findings.add(.missingKey, "the mirroring has no \"mirrorable\"", at: fields.pointer)
    }
    fields.finish()
    return isMirrorable
  }

  func fill(_ found: Fields.Found, _ fields: Fields) -> IconFill? {
    let words = ["none", "automatic", "system-light", "system-dark"]
    if describesObject(fields, { _ = fill($0) }) {
      fields.describer?.addValue(.words(words))
      return nil
    }
    if case .string = found.value {
      return switch word(found, of: fields, among: words) {
      case "none": .some(.none)
      case "automatic": .automatic
      case "system-light": .systemLight
      case "system-dark": .systemDark
      default: nil
      }
    }
    return object(found, fields).flatMap { fill($0) }
  }

  private func fill(_ fields: Fields) -> IconFill? {
    defer { fields.finish() }
    // Every member is looked at before one decides, so that none is reported as unknown.
    let kinds = [
      ("solid", FieldKind.string), ("automatic-gradient", .string),
      ("linear-gradient", .array(of: .string)),
    ].compactMap { kind, value in
      fields.find(kind, as: value).map { (kind: kind, found: $0) }
    }
    let (start, stop) = orientation(fields)
    for other in kinds.dropFirst() {
      findings.add(
        .unknownKey, "the fill has \(quoted(kinds[0].kind)), so \(quoted(other.kind)) is not read",
        at: other.found.pointer, isKey: true)
    }
    switch kinds.first?.kind {
    case "solid": return color(kinds[0].found, fields).map { .solid($0) }
    case "automatic-gradient": return color(kinds[0].found, fields).map { .automaticGradient($0) }
    default: break
    }
    guard let found = kinds.first?.found else {
      findings.add(
        .missingKey,
        "the fill is not \"solid\", \"automatic-gradient\" or \"linear-gradient\"",
        at: fields.pointer)
      return nil
    }
    guard case .array(let elements) = found.value else {
      fields.wrongType(found, "an array of colours")
      return nil
    }
    if elements.count != 2 {
      findings.add(
        .refusedByApple,
        "Apple's tools refuse a gradient of \(counted(elements.count, "colour")): it must have 2",
        at: found.pointer)
    }
    guard (1...100).contains(elements.count) else { return nil }
    let colors = elements.enumerated().compactMap { index, value in
      color(
        Fields.Found(key: found.key, value: value, pointer: "\(found.pointer)/\(index)"), fields)
    }
    return colors.count == elements.count
      ? .linearGradient(colors, start: start, stop: stop) : nil
  }

  private func orientation(_ fields: Fields) -> (start: IconPoint, stop: IconPoint) {
    guard let orientation = fields.object("orientation") else {
      return (IconFill.top, IconFill.bottom)
    }
    func point(_ key: String, _ standard: IconPoint) -> IconPoint {
      guard let point = orientation.object(key) else { return standard }
      let x = member("x", of: point, in: -1000...1000) ?? standard.x
      let y = member("y", of: point, in: -1000...1000) ?? standard.y
      point.finish()
      return IconPoint(x, y)
    }
    let ends = (point("start", IconFill.top), point("stop", IconFill.bottom))
    orientation.finish()
    return ends
  }

  /// Reads a colour such as "srgb:1.00000,0.50000,0.00000,1.00000".
  private func color(_ found: Fields.Found, _ fields: Fields) -> IconColor? {
    guard case .string(let name) = found.value else {
      fields.wrongType(found, "a colour such as \"srgb:1,0.5,0,1\"")
      return nil
    }
    let text = name.text
    if IconReader.namedColors.contains(text) {
      keepOut(text, at: found.pointer)
      return nil
    }
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    let numbers = parts.count == 2 ? IconReader.numbers(parts[1]) : []
    guard let space = IconColor.Space(rawValue: String(parts[0])),
      numbers.count == (space.isGray ? 2 : 4),
      numbers.allSatisfy({ $0.map { $0.isFinite && abs($0) <= 1000 } ?? false })
    else {
      findings.add(
        .unknownValue, "\(quoted(text)) is not a colour such as \"srgb:1,0.5,0,1\"",
        at: found.pointer)
      return nil
    }
    let components = numbers.compactMap { $0 }
    reportRange(of: components, in: space, at: found.pointer)
    return IconColor(space, components)
  }

  private func reportRange(
    of components: [Double], in space: IconColor.Space, at pointer: ByteString
  ) {
    let isExtended = space == .extendedSRGB || space == .extendedGray
    let names = space.isGray ? ["white", "alpha"] : ["red", "green", "blue", "alpha"]
    let odd = zip(names, components).first { name, value in
      !(0...1).contains(value) && (!isExtended || name == "alpha")
    }
    guard let odd else { return }
    findings.add(
      .colorOutOfRange,
      "\(quoted(odd.0)) is \(brief(odd.1)), and must lie between 0 and 1 in \(space.rawValue)",
      at: pointer)
  }

  private static func numbers(_ text: Substring) -> [Double?] {
    text.split(separator: ",", omittingEmptySubsequences: false).map { Double($0) }
  }

  /// The colours of the system, which Icon Composer 2 knows by name.
  private static let namedColors = [
    "red", "green", "blue", "orange", "yellow", "brown", "pink", "purple", "gray", "teal", "indigo",
    "mint", "cyan",
  ].map { "named:system-\($0)" }
}
