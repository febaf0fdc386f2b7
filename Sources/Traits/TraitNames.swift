// The spellings of traits on the command line and in JSON, in both directions. TraitParsing.swift
// reads whole requests; AxisTable.swift has the names of the axes.

/// A trait with a closed list of values, each of which has one spelling.
public protocol NamedTrait: CaseIterable, Sendable, Equatable {
  var name: String { get }
}

extension NamedTrait {
  /// Returns the value with this spelling; nil if it is unknown.
  public init?(named name: String) {
    guard let value = Self.allCases.first(where: { $0.name == name }) else { return nil }
    self = value
  }

  /// Every spelling, in the order of the values.
  public static var names: [String] { allCases.map { $0.name } }
}

extension Idiom: NamedTrait {
  public var name: String {
    switch self {
    case .universal: "universal"
    case .phone: "phone"
    case .pad: "pad"
    case .tv: "tv"
    case .car: "car"
    case .watch: "watch"
    case .marketing: "marketing"
    case .mac: "mac"
    case .vision: "vision"
    }
  }
}

extension SizeClass: NamedTrait {
  public var name: String {
    switch self {
    case .any: "any"
    case .compact: "compact"
    case .regular: "regular"
    }
  }
}

extension Style: NamedTrait {
  public var name: String {
    switch self {
    case .any: "any"
    case .light: "light"
    case .dark: "dark"
    case .tinted: "tinted"
    }
  }
}

extension Contrast: NamedTrait {
  public var name: String { self == .high ? "high" : "normal" }
}

extension Gamut: NamedTrait {
  public var name: String { self == .p3 ? "P3" : "sRGB" }
}

extension Direction: NamedTrait {
  public var name: String {
    switch self {
    case .none: "none"
    case .leftToRight: "ltr"
    case .rightToLeft: "rtl"
    }
  }
}

extension GraphicsClass: NamedTrait {
  public var name: String {
    switch self {
    case .gles2: "GLES2"
    case .apple1: "APPLE1"
    case .apple2: "APPLE2"
    case .apple3v1: "APPLE3v1"
    case .apple3: "APPLE3"
    case .apple4: "APPLE4"
    case .apple5: "APPLE5"
    case .apple6: "APPLE6"
    case .apple7: "APPLE7"
    case .apple8: "APPLE8"
    case .apple9: "APPLE9"
    case .apple10: "APPLE10"
    }
  }
}

extension ContentSize: NamedTrait {
  public var name: String {
    switch self {
    case .any: "any"
    case .xs: "XS"
    case .s: "S"
    case .m: "M"
    case .l: "L"
    case .xl: "XL"
    case .xxl: "XXL"
    case .xxxl: "XXXL"
    case .ax1: "AX1"
    case .ax2: "AX2"
    case .ax3: "AX3"
    case .ax4: "AX4"
    case .ax5: "AX5"
    }
  }
}

extension AssetKind: NamedTrait {
  public var name: String {
    switch self {
    case .image: "image"
    case .color: "color"
    case .data: "data"
    case .symbol: "symbol"
    case .icon: "icon"
    }
  }
}
