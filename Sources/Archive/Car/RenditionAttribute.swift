// The attributes that a rendition key can hold, and the orders in which archives list them.

/// One attribute of rendition keys. An attribute whose number has no name here is read and kept.
package struct RenditionAttribute: RawRepresentable, Sendable, Hashable {
  package let rawValue: UInt8
  /// The numbers of attributes are below this number.
  package static let limit = 32

  package init?(rawValue: UInt8) {
    guard rawValue < RenditionAttribute.limit else { return nil }
    self.rawValue = rawValue
  }

  private init(_ rawValue: UInt8) { self.rawValue = rawValue }

  package static let look = Self(0)
  package static let element = Self(1)
  package static let part = Self(2)
  package static let size = Self(3)
  package static let direction = Self(4)
  /// Replaces, in a key format, an attribute that old systems do not know.
  package static let placeholder = Self(5)
  package static let value = Self(6)
  package static let appearance = Self(7)
  /// The number of an atlas.
  package static let dimension1 = Self(8)
  /// The position of an icon's size, or the mip level of a texture.
  package static let dimension2 = Self(9)
  package static let state = Self(10)
  package static let layer = Self(11)
  package static let scale = Self(12)
  package static let localization = Self(13)
  package static let presentationState = Self(14)
  package static let idiom = Self(15)
  package static let subtype = Self(16)
  package static let identifier = Self(17)
  package static let previousValue = Self(18)
  package static let previousState = Self(19)
  package static let horizontalSizeClass = Self(20)
  package static let verticalSizeClass = Self(21)
  package static let memoryClass = Self(22)
  package static let graphicsClass = Self(23)
  package static let displayGamut = Self(24)
  package static let deploymentTarget = Self(25)
  package static let glyphWeight = Self(26)
  package static let glyphSize = Self(27)

  /// The attribute's name in Apple's reports.
  package var name: String {
    let names = RenditionAttribute.names
    return Int(rawValue) < names.count ? "kCRTheme\(names[Int(rawValue)])Name" : "\(rawValue)"
  }

  private static let names = [
    "Look", "Element", "Part", "Size", "Direction", "Placeholder", "Value", "Appearance",
    "Dimension1", "Dimension2", "State", "Layer", "Scale", "Localization", "PresentationState",
    "Idiom", "Subtype", "Identifier", "PreviousValue", "PreviousState", "SizeClassHorizontal",
    "SizeClassVertical", "MemoryClass", "GraphicsClass", "DisplayGamut", "DeploymentTarget",
    "GlyphWeight", "GlyphSize",
  ]
}

extension RenditionAttribute {
  /// The order of columns if the key semantics are those of iOS.
  static let phoneOrder: [Self] = [
    .appearance, .localization, .scale, .idiom, .subtype, .glyphWeight, .glyphSize, .dimension2,
    .dimension1, .deploymentTarget, .displayGamut, .direction, .horizontalSizeClass,
    .verticalSizeClass, .graphicsClass, .memoryClass, .identifier, .element, .part, .state, .value,
  ]
  /// The order of columns if the key semantics are those of macOS. Apple's lists end with the glyph
  /// size. The attributes behind it are listed so that no constraint of a variant can get lost.
  static let macOrder: [Self] = [
    .appearance, .localization, .element, .part, .size, .direction, .value, .identifier,
    .dimension1, .dimension2, .state, .presentationState, .layer, .scale, .displayGamut,
    .previousState, .previousValue, .deploymentTarget, .glyphWeight, .glyphSize, .idiom, .subtype,
    .horizontalSizeClass, .verticalSizeClass, .graphicsClass, .memoryClass,
  ]
  /// The attributes that are listed even if all their values are zero, as in Apple's tool of 2026.
  static let phoneConstants: Set<Self> = [
    .appearance, .localization, .scale, .idiom, .subtype, .dimension2, .dimension1, .identifier,
    .element, .part,
  ]
  static let macConstants: Set<Self> = [
    .appearance, .localization, .element, .part, .size, .identifier, .dimension2, .layer, .scale,
  ]
}
