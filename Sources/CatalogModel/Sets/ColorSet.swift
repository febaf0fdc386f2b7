// Colour sets: one colour per mode, as components or as a reference to a colour of the system.

public enum ColorSpaceName: String, CaseIterable, Sendable, Hashable {
  case srgb
  case displayP3 = "display-p3"
  case extendedSRGB = "extended-srgb"
  case extendedLinearSRGB = "extended-linear-srgb"
  case grayGamma22 = "gray-gamma-22"
  case extendedGray = "extended-gray"

  public var isGray: Bool { self == .grayGamma22 || self == .extendedGray }
}

/// A colour as its author wrote it.
public struct Color: Sendable, Hashable {
  public var space: ColorSpaceName
  /// Red, green, blue, alpha, or white, alpha where the space is a gray one. 1 is full.
  public var components: [Double]

  public init(space: ColorSpaceName, components: [Double]) {
    self.space = space
    self.components = components
  }
}

public enum ColorValue: Sendable, Hashable {
  case color(Color)
  /// A colour that only Apple's systems know: ("ios", "systemBlueColor").
  case reference(platform: String, name: String)
}

public struct ColorEntry: Sendable, Hashable {
  public var slot: Slot
  /// nil for an empty slot.
  public var value: ColorValue?

  public init(slot: Slot, value: ColorValue?) {
    self.slot = slot
    self.value = value
  }
}

public struct ColorSet: Sendable, Hashable {
  public var entries: [ColorEntry] = []
  public var isLocalizable = false

  public init() {}
}
