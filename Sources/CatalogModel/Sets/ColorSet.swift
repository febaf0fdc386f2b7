// Colour sets: one colour for each variant, as components or as a reference to a colour of the
// system.

import Bytes
import Documents

package enum ColorSpaceName: String, CaseIterable, Sendable, Hashable {
  case srgb
  case displayP3 = "display-p3"
  case extendedSRGB = "extended-srgb"
  case extendedLinearSRGB = "extended-linear-srgb"
  case grayGamma22 = "gray-gamma-22"
  case extendedGray = "extended-gray"

  package var isGray: Bool { self == .grayGamma22 || self == .extendedGray }

  /// The keys of the components in Contents.json, in the order of `Color.components`.
  package var componentKeys: [String] {
    isGray ? ["white", "alpha"] : ["red", "green", "blue", "alpha"]
  }
}

/// A colour in the space and with the components that its author wrote.
package struct Color: Sendable, Hashable {
  package var space: ColorSpaceName
  /// Red, green, blue, alpha; or white, alpha in a grey space. 1 is the full value.
  package var components: [Double]

  package init(space: ColorSpaceName, components: [Double]) {
    self.space = space
    self.components = components
  }
}

package enum ColorDefinition: Sendable, Hashable {
  case color(Color)
  /// A colour that only Apple's systems define: ("ios", "systemBlueColor").
  case reference(platform: String, name: String)
}

package struct ColorEntry: Sendable, Hashable {
  package var slot: Slot
  /// The definition of the colour; nil for an empty slot.
  package var value: ColorDefinition?
  /// Whether the entry has no key `color`.
  package var isEmpty = false

  package init(slot: Slot, value: ColorDefinition?) {
    self.slot = slot
    self.value = value
  }
}

package struct ColorSet: Sendable, Hashable {
  package var entries: [ColorEntry] = []
  package var isLocalizable = false

  package init() {}

  /// The entries that are compiled: those with a colour, except for unassigned ones.
  package var compiledEntries: [ColorEntry] {
    entries.filter { $0.value != nil && !$0.slot.isUnassigned }
  }
}

// MARK: - Reading

extension ColorSet {
  init(reading root: Fields, in reader: SetReader) {
    let info = reader.readInfo(root)
    let properties = reader.readProperties(root)
    isLocalizable = properties?.bool("localizable") ?? false
    entries = (root.objects("colors") ?? []).compactMap { fields in
      guard let slot = reader.slot(fields, file: nil) else { return nil }
      let value = fields.object("color").flatMap { reader.colorValue($0) }
      var entry = ColorEntry(slot: slot, value: value)
      entry.isEmpty = !fields.has("color")
      if value == nil, !entry.isEmpty { reader.leaveOutEntry() }
      fields.finish()
      return entry
    }
    info?.finish()
    properties?.finish()
  }
}

extension SetReader {
  fileprivate func colorValue(_ fields: Fields) -> ColorDefinition? {
    let reference = fields.string("reference")
    defer {
      fields.finish { key in
        reference != nil && ["color-space", "components"].contains(key)
          ? "a colour without a \"reference\"" : nil
      }
    }
    if reference != nil || fields.isDescribed {
      let platform = fields.word(
        "platform", of: ["universal", "ios", "osx", "tvos", "watchos", "visionos"],
        aliases: ["macos": "osx"])
      if let name = reference { return .reference(platform: platform ?? "universal", name: name) }
    }
    let space: ColorSpaceName? = fields.choice("color-space")
    if space == nil, !fields.isDescribed, fields.has("color-space") {
      _ = fields.find("components")
      return nil
    }
    guard let components = fields.object("components") else {
      // Another finding is about components or a reference of a wrong type.
      if !fields.has("components"), !fields.has("reference") {
        findings.add(
          .missingKey, "the colour has neither \"components\" nor a \"reference\"",
          at: fields.pointer, subject: fields.has("platform") ? "reference" : "components")
      }
      _ = fields.find("platform")
      return nil
    }
    defer { components.finish() }
    let resolved =
      space ?? (components.has("white") && !components.has("red") ? .extendedGray : .srgb)
    if components.isDescribed { _ = component("white", of: components, in: resolved) }
    if let value = otherComponents(components, in: resolved) { return value }
    let values = resolved.componentKeys.map { component($0, of: components, in: resolved) }
    return .color(Color(space: resolved, components: values))
  }

  /// Returns black if all components are those of another kind of space. One finding says so,
  /// instead of one about each component.
  private func otherComponents(
    _ fields: Fields, in space: ColorSpaceName
  ) -> ColorDefinition? {
    if fields.isDescribed { return nil }
    let own = space.componentKeys.dropLast()
    let others = (space.isGray ? ColorSpaceName.srgb : .extendedGray).componentKeys.dropLast()
    let found = others.filter(fields.has)
    guard !found.isEmpty, !own.contains(where: fields.has) else { return nil }
    findings.add(
      .colorIncomplete,
      "the colour has \(quotedList(found, joinedBy: "and")), and the components of "
        + "\(space.rawValue) are \(quotedList(Array(own), joinedBy: "and")); it counts as black",
      at: fields.pointer)
    for key in found { _ = fields.find(key) }
    let alpha = fields.has("alpha") ? component("alpha", of: fields, in: space) : 1
    return .color(Color(space: space, components: own.map { _ in 0 } + [alpha]))
  }

  /// Reads a component. A string with a decimal point is a fraction of 1. A string with a whole or
  /// hexadecimal number is divided by 255. A JSON number is used without change.
  private func component(
    _ key: String, of fields: Fields, in space: ColorSpaceName
  ) -> Double {
    guard let found = fields.find(key, as: .oneOf([.string, .number])) else {
      findings.add(
        .colorIncomplete,
        "the colour has no \(quoted(key)); it counts as \(key == "alpha" ? 1 : 0)",
        at: fields.pointer, subject: ByteString(key))
      return key == "alpha" ? 1 : 0
    }
    let value: Double? =
      switch found.value {
      case .integer(let number): Double(number)
      case .number(let number, _): Double(Float(number))
      case .string(let text): componentValue(text.text)
      default: nil
      }
    guard let value, value.isFinite, abs(value) <= 1e6 else {
      findings.add(
        .wrongType, "\(quoted(key)) is not a number that a component can have", at: found.pointer)
      return key == "alpha" ? 1 : 0
    }
    if case .string("1") = found.value {
      findings.add(
        .colorNearZero, "\(quoted(key)) is \"1\", which means 1/255; the full value is \"1.0\"",
        at: found.pointer, fix: .writing("1.0", at: found.pointer))
    }
    let isExtended = space != .srgb && space != .displayP3 && space != .grayGamma22
    if !(0...1).contains(value), !isExtended || key == "alpha" {
      findings.add(
        .colorOutOfRange,
        "\(quoted(key)) is \(brief(value)), and must lie between 0 and 1 in \(space.rawValue)",
        at: found.pointer)
    }
    return value
  }
}

/// Returns the value of a component that is written as a string; nil if the string is not a number.
func componentValue(_ text: String) -> Double? {
  let text = String(text.trimmingSpaces())
  if text.hasPrefix("0x") || text.hasPrefix("0X") {
    return UInt32(text.dropFirst(2), radix: 16).map { Double($0) / 255 }
  }
  if text.utf8.contains(UInt8(ascii: ".")) || text.lowercased().contains("e") {
    // Apple's tool reads fractions in single precision and divides whole numbers in double
    // precision.
    return Float(text).map { Double($0) }
  }
  return Int32(text).map { Double($0) / 255 }
}

extension String {
  fileprivate func trimmingSpaces() -> Substring {
    var rest = self[...]
    while rest.first == " " { rest.removeFirst() }
    while rest.last == " " { rest.removeLast() }
    return rest
  }
}
