// The attributes that a rendition key can hold, and the orders in which archives list them.

/// One attribute of rendition keys. Numbers without a name here are read and kept.
public struct RenditionAttribute: RawRepresentable, Sendable, Hashable {
  public let rawValue: UInt8
  /// Attributes are numbered from 0 below this.
  public static let limit = 32

  public init?(rawValue: UInt8) {
    guard rawValue < RenditionAttribute.limit else { return nil }
    self.rawValue = rawValue
  }

  private init(_ rawValue: UInt8) { self.rawValue = rawValue }

  public static let look = Self(0)
  public static let element = Self(1)
  public static let part = Self(2)
  public static let size = Self(3)
  public static let direction = Self(4)
  /// Stands in a key format for an attribute that old systems do not know.
  public static let placeholder = Self(5)
  public static let value = Self(6)
  public static let appearance = Self(7)
  /// The number of an atlas.
  public static let dimension1 = Self(8)
  /// The place of an icon's size, the mip level of a texture.
  public static let dimension2 = Self(9)
  public static let state = Self(10)
  public static let layer = Self(11)
  public static let scale = Self(12)
  public static let localization = Self(13)
  public static let presentationState = Self(14)
  public static let idiom = Self(15)
  public static let subtype = Self(16)
  public static let identifier = Self(17)
  public static let previousValue = Self(18)
  public static let previousState = Self(19)
  public static let horizontalSizeClass = Self(20)
  public static let verticalSizeClass = Self(21)
  public static let memoryClass = Self(22)
  public static let graphicsClass = Self(23)
  public static let displayGamut = Self(24)
  public static let deploymentTarget = Self(25)
  public static let glyphWeight = Self(26)
  public static let glyphSize = Self(27)

  /// The attribute's name in Apple's reports.
  public var name: String {
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
  /// The order of columns where the key semantics are those of iOS.
  static let phoneOrder: [Self] = [
    .appearance, .localization, .scale, .idiom, .subtype, .glyphWeight, .glyphSize, .dimension2,
    .dimension1, .deploymentTarget, .displayGamut, .direction, .horizontalSizeClass,
    .verticalSizeClass, .graphicsClass, .memoryClass, .identifier, .element, .part, .state, .value,
  ]
  /// The order of columns where the key semantics are those of macOS. Apple's lists end at the glyph
  /// size; what follows is there so that no constraint of a variant can get lost.
  static let macOrder: [Self] = [
    .appearance, .localization, .element, .part, .size, .direction, .value, .identifier,
    .dimension1, .dimension2, .state, .presentationState, .layer, .scale, .displayGamut,
    .previousState, .previousValue, .deploymentTarget, .glyphWeight, .glyphSize, .idiom, .subtype,
    .horizontalSizeClass, .verticalSizeClass, .graphicsClass, .memoryClass,
  ]
  /// Listed even where every value is zero, as Apple's tool of 2026 does.
  static let phoneConstants: Set<Self> = [
    .appearance, .localization, .scale, .idiom, .subtype, .dimension2, .dimension1, .identifier,
    .element, .part,
  ]
  static let macConstants: Set<Self> = [
    .appearance, .localization, .element, .part, .size, .identifier, .dimension2, .layer, .scale,
  ]
}
