// Reads the values of icon.json: fills, colours, positions, and the values that replace them in
// some looks.

import Bytes
import Documents

extension IconReader {
  /// Reads a value, and the values that replace it in some looks and on some platforms.
  func specialized<Value: Sendable & Hashable>(
    _ fields: Fields, _ key: String, _ read: (Fields.Found, Fields) -> Value?
  ) -> Specialized<Value> {
    var result = Specialized<Value>()
    if let found = fields.find(key), let value = read(found, fields) {
      result.rows.append(.init(look: nil, idiom: nil, value: value))
    }
    guard fields.has(key + "-specializations") else { return result }
    for row in fields.objects(key + "-specializations") ?? [] {
      let look: IconLook? = row.choice("appearance")
      let idiom = row.word(
        "idiom", of: ["macOS", "iOS", "watchOS", "square", "circle", "iPhone", "iPad"])
      let isKnown =
        (look != nil || !row.has("appearance")) && (idiom != nil || !row.has("idiom"))
      if let found = row.find("value") {
        if let value = read(found, row), isKnown {
          result.rows.append(.init(look: look, idiom: idiom, value: value))
        }
      } else {
        findings.add(.missingKey, "the specialization has no \"value\"", at: row.pointer)
      }
      row.finish()
    }
    return result
  }

  func bool(_ found: Fields.Found, _ fields: Fields) -> Bool? {
    if case .bool(let flag) = found.value { return flag }
    fields.wrongType(found, "true or false")
    return nil
  }

  func number(
    _ found: Fields.Found, _ fields: Fields, in range: ClosedRange<Double>
  ) -> Double? {
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

  func word(_ found: Fields.Found, _ fields: Fields, _ words: [String]) -> String? {
    guard case .string(let name) = found.value else {
      fields.wrongType(found, "a string")
      return nil
    }
    if let word = words.first(where: { ByteString($0) == name }) { return word }
    let text = name.text
    fields.reportUnknown(found, text, words)
    return nil
  }

  func choice<Choice: RawRepresentable<String> & CaseIterable>(
    _ found: Fields.Found, _ fields: Fields
  ) -> Choice? {
    word(found, fields, Choice.allCases.map(\.rawValue)).flatMap { Choice(rawValue: $0) }
  }

  private func object(_ found: Fields.Found, _ fields: Fields) -> Fields? {
    guard case .object(let members) = found.value else {
      fields.wrongType(found, "an object")
      return nil
    }
    return Fields(members, pointer: found.pointer, findings: findings)
  }

  private func member(
    _ key: String, of fields: Fields, in range: ClosedRange<Double>
  ) -> Double? {
    fields.find(key).flatMap { number($0, fields, in: range) }
  }

  func position(_ found: Fields.Found, _ fields: Fields) -> IconPosition? {
    guard let fields = object(found, fields) else { return nil }
    defer { fields.finish() }
    var position = IconPosition()
    if fields.has("scale") {
      guard let scale = member("scale", of: fields, in: 0.001...1000) else { return nil }
      position.scale = scale
    }
    guard let found = fields.find("translation-in-points") else { return position }
    guard case .array(let elements) = found.value, elements.count == 2 else {
      fields.wrongType(found, "an array of two numbers")
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
    guard let fields = object(found, fields) else { return nil }
    var shadow = IconShadow()
    shadow.kind = fields.choice("kind") ?? .neutral
    shadow.opacity = member("opacity", of: fields, in: 0...1) ?? 0.5
    fields.finish()
    return shadow
  }

  func translucency(_ found: Fields.Found, _ fields: Fields) -> Double? {
    guard let fields = object(found, fields) else { return nil }
    let isEnabled = fields.bool("enabled") ?? true
    let value = member("value", of: fields, in: 0...1) ?? 0.5
    fields.finish()
    return isEnabled ? value : 0
  }

  func fill(_ found: Fields.Found, _ fields: Fields) -> IconFill? {
    if case .string = found.value {
      return switch word(found, fields, ["none", "automatic", "system-light", "system-dark"]) {
      case "none": .some(.none)
      case "automatic": .automatic
      case "system-light": .systemLight
      case "system-dark": .systemDark
      default: nil
      }
    }
    guard let fields = object(found, fields) else { return nil }
    defer { fields.finish() }
    if let found = fields.find("solid") { return color(found, fields).map { .solid($0) } }
    let (start, stop) = orientation(fields)
    if let found = fields.find("automatic-gradient") {
      return color(found, fields).map { .automaticGradient($0) }
    }
    guard let found = fields.find("linear-gradient") else {
      findings.add(
        .missingKey,
        "the fill is not \"solid\", \"automatic-gradient\" or \"linear-gradient\"",
        at: fields.pointer)
      return nil
    }
    guard case .array(let elements) = found.value, (1...100).contains(elements.count) else {
      fields.wrongType(found, "an array of colours")
      return nil
    }
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
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    let numbers = parts.count == 2 ? parts[1].split(separator: ",").map { Double($0) } : []
    guard let space = IconColor.Space(rawValue: String(parts[0])),
      numbers.count == (space.isGray ? 2 : 4),
      numbers.allSatisfy({ $0.map { $0.isFinite && abs($0) <= 1000 } ?? false })
    else {
      findings.add(
        .unknownValue, "\(quoted(text)) is not a colour such as \"srgb:1,0.5,0,1\"",
        at: found.pointer)
      return nil
    }
    return IconColor(space, numbers.compactMap { $0 })
  }
}
