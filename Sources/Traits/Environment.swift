// What a window asks for: a value on each axis. How a value falls back is in Rule.swift.

/// The graphics classes that a device can use: its own and its recorded fallbacks.
public struct GraphicsSupport: Sendable, Hashable {
  /// Bit n stands for the class of raw value n. Newer classes are preferred.
  public var classes: UInt32

  @inlinable public init(_ classes: [GraphicsClass]) {
    self.classes = classes.reduce(1) { $0 | 1 << UInt32($1.rawValue) }
  }

  /// A device of this class that can use every older one.
  @inlinable public init(upTo newest: GraphicsClass) {
    classes = (2 << UInt32(newest.rawValue)) - 1
  }

  /// The classes of these bits. The oldest class is always among them.
  @inlinable public init(mask: UInt32) { classes = mask | 1 }

  /// The newest class that the device can use.
  public var newest: GraphicsClass {
    GraphicsClass.allCases.last { classes >> UInt32($0.rawValue) & 1 == 1 } ?? .gles2
  }

  /// The names of the classes that the device can use, the newest first.
  public var names: [String] {
    let own = GraphicsClass.allCases.reversed().filter { classes >> UInt32($0.rawValue) & 1 == 1 }
    return own.map { $0.name }
  }

  public static let unlimited = GraphicsSupport(upTo: .apple10)
}

/// The traits of one window on one device. The default value is the unspecified request.
public struct Environment: Sendable, Hashable {
  public var idiom: Idiom = .universal
  public var subtype: UInt16 = 0
  public var scale: UInt8 = 1
  public var width: SizeClass = .any
  public var height: SizeClass = .any
  public var style: Style = .any
  public var contrast: Contrast = .normal
  public var gamut: Gamut = .sRGB
  public var direction: Direction = .leftToRight
  /// Gigabytes; 255 where nothing limits them, 0 for a device below one.
  public var memory: UInt8 = 255
  public var graphics: GraphicsSupport = .unlimited
  /// The numbers of the acceptable localizations, best first, without the closing "none".
  public var languages: [UInt16] = []
  /// The running system's generation; 255 where nothing limits it.
  public var osGeneration: UInt8 = 255
  public var contentSize: ContentSize = .any

  public init() {}
}
