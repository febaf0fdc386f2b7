// The value that a window requests on each axis. Rule.swift has the chains in which values fall
// back.

/// The graphics classes that a device can use: its own class and the recorded fallbacks.
public struct GraphicsSupport: Sendable, Hashable {
  /// A mask in which bit n is the class of raw value n. The rule prefers newer classes.
  public var classes: UInt32

  @inlinable public init(_ classes: [GraphicsClass]) {
    self.classes = classes.reduce(1) { $0 | 1 << UInt32($1.rawValue) }
  }

  /// Creates the support of a device that can use this class and every older one.
  @inlinable public init(upTo newest: GraphicsClass) {
    classes = (2 << UInt32(newest.rawValue)) - 1
  }

  /// Creates the support of the classes whose bits are set. Every device supports the oldest class,
  /// and bits of no class are ignored.
  @inlinable public init(mask: UInt32) {
    classes = (mask | 1) & GraphicsSupport.unlimited.classes
  }

  /// The newest class that the device can use.
  public var newest: GraphicsClass {
    GraphicsClass.allCases.last { classes >> UInt32($0.rawValue) & 1 == 1 } ?? .gles2
  }

  /// The names of the classes that the device can use, newest first.
  public var names: [String] {
    let supported = GraphicsClass.allCases.reversed().filter {
      classes >> UInt32($0.rawValue) & 1 == 1
    }
    return supported.map { $0.name }
  }

  public static let unlimited = GraphicsSupport(upTo: .apple10)
}

/// The traits of one window on one device. The default value leaves every trait unspecified.
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
  /// The memory in gigabytes: 255 if it is not limited, 0 for a device with less than one.
  public var memory: UInt8 = 255
  public var graphics: GraphicsSupport = .unlimited
  /// The numbers of the acceptable localizations, best first. The chain ends with "no
  /// localization", which is not in this list.
  public var languages: [UInt16] = []
  /// The generation of the running system; 255 if it is not limited.
  public var osGeneration: UInt8 = 255
  public var contentSize: ContentSize = .any

  public init() {}
}
