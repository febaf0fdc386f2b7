// The compact key of one variant: a constraint on each axis.

/// The constraints under which a variant of an asset may be shown. The default value constrains
/// only the scale, which every bitmap has.
public struct VariantKey: Sendable, Hashable {
  /// The number of the localization; 0 if the variant is not localized.
  public var locale: UInt16 = 0
  /// The display subtype (568, 1792 …); 0 if the variant has none.
  public var subtype: UInt16 = 0
  /// The memory in gigabytes that the device must have; 0 for any.
  public var memory: UInt8 = 0
  public var graphics: GraphicsClass = .gles2
  /// 1, 2 or 3; 0 for a vector picture, which fits every scale.
  public var scale: UInt8 = 1
  /// The oldest system generation that may show the variant; 0 for all.
  public var osGeneration: UInt8 = 0
  public var style: Style = .any
  public var contrast: Contrast = .normal
  public var direction: Direction = .none
  public var gamut: Gamut = .sRGB
  public var idiom: Idiom = .universal
  public var width: SizeClass = .any
  public var height: SizeClass = .any
  public var contentSize: ContentSize = .any

  @inlinable public init() {}
}

extension VariantKey {
  /// Returns the number that the key has on one axis.
  @inlinable public func value(on axis: Axis) -> UInt16 {
    switch axis {
    case .style: UInt16(style.rawValue)
    case .contrast: UInt16(contrast.rawValue)
    case .language: locale
    case .memory: UInt16(memory)
    case .subtype: subtype
    case .graphics: UInt16(graphics.rawValue)
    case .scale: UInt16(scale)
    case .os: UInt16(osGeneration)
    case .direction: UInt16(direction.rawValue)
    case .gamut: UInt16(gamut.rawValue)
    case .idiom: UInt16(idiom.rawValue)
    case .width: UInt16(width.rawValue)
    case .height: UInt16(height.rawValue)
    case .contentSize: UInt16(contentSize.rawValue)
    }
  }
}

extension VariantKey: Comparable {
  /// The key in 16 bytes, with a separate field for each axis. No bit is free: a new axis needs a
  /// wider key, and with it the next version of the index. The order of these numbers is the order
  /// in which variants are numbered.
  @inlinable public var packed: (high: UInt64, low: UInt64) {
    let appearance = UInt64(style.rawValue) << 8 | UInt64(contrast.rawValue)
    let device = UInt64(memory) << 24 | UInt64(graphics.rawValue) << 16
    let high = appearance << 48 | UInt64(locale) << 32 | device | UInt64(subtype)
    let display = UInt64(scale) << 56 | UInt64(osGeneration) << 48
    let flow = UInt64(direction.rawValue) << 40 | UInt64(gamut.rawValue) << 32
    let window = UInt64(idiom.rawValue) << 24 | UInt64(width.rawValue) << 16
    let size = UInt64(height.rawValue) << 8 | UInt64(contentSize.rawValue)
    return (high, display | flow | window | size)
  }

  /// Reads a packed key. Returns nil if a field is no value of its axis.
  @inlinable public init?(high: UInt64, low: UInt64) {
    func byte(_ word: UInt64, _ shift: UInt64) -> UInt8 { UInt8(truncatingIfNeeded: word >> shift) }
    guard let style = Style(rawValue: byte(high, 56)),
      let contrast = Contrast(rawValue: byte(high, 48)),
      let graphics = GraphicsClass(rawValue: byte(high, 16)),
      let direction = Direction(rawValue: byte(low, 40)),
      let gamut = Gamut(rawValue: byte(low, 32)),
      let idiom = Idiom(rawValue: byte(low, 24)), let width = SizeClass(rawValue: byte(low, 16)),
      let height = SizeClass(rawValue: byte(low, 8)),
      let contentSize = ContentSize(rawValue: byte(low, 0))
    else { return nil }
    locale = UInt16(truncatingIfNeeded: high >> 32)
    subtype = UInt16(truncatingIfNeeded: high)
    memory = byte(high, 24)
    scale = byte(low, 56)
    osGeneration = byte(low, 48)
    self.style = style
    self.contrast = contrast
    self.graphics = graphics
    self.direction = direction
    self.gamut = gamut
    self.idiom = idiom
    self.width = width
    self.height = height
    self.contentSize = contentSize
  }

  @inlinable public static func < (a: VariantKey, b: VariantKey) -> Bool { a.packed < b.packed }
}
