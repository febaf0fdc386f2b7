// The axes on which a variant can be keyed, strongest first, and the values of each axis. The raw
// values of the traits are stored in Carve's index and, except for style and contrast, in Apple's
// keys. Rule.swift has the chains in which values fall back.

/// An axis of a variant key. The cases are in the order in which the rule compares them.
public enum Axis: UInt8, CaseIterable, Sendable, Hashable {
  case style, contrast, language, memory, subtype, graphics, scale, os, direction, gamut, idiom
  case width, height, contentSize
}

public enum Idiom: UInt8, CaseIterable, Sendable, Hashable {
  case universal = 0
  case phone, pad, tv, car, watch, marketing, mac, vision
}

public enum SizeClass: UInt8, CaseIterable, Sendable, Hashable {
  case any = 0
  case compact, regular
}

public enum Style: UInt8, CaseIterable, Sendable, Hashable {
  case any = 0
  case light, dark, tinted
}

public enum Contrast: UInt8, CaseIterable, Sendable, Hashable {
  case normal = 0
  case high
}

public enum Gamut: UInt8, CaseIterable, Sendable, Hashable {
  case sRGB = 0
  case p3
}

public enum Direction: UInt8, CaseIterable, Sendable, Hashable {
  case none = 0
  case rightToLeft = 4
  case leftToRight = 5

  /// The direction whose picture can be drawn mirrored instead. Nil for a picture that is the same
  /// in both directions.
  public var opposite: Direction {
    switch self {
    case .none: .none
    case .rightToLeft: .leftToRight
    case .leftToRight: .rightToLeft
    }
  }
}

/// A category of Dynamic Type. A larger category falls back to the smaller ones.
public enum ContentSize: UInt8, CaseIterable, Sendable, Hashable {
  case any = 0
  case xs, s, m, l, xl, xxl, xxxl, ax1, ax2, ax3, ax4, ax5
}

/// A class of graphics processor. A higher raw value is a newer class.
public enum GraphicsClass: UInt8, CaseIterable, Sendable, Hashable {
  case gles2 = 0
  case apple1, apple2, apple3v1, apple3, apple4, apple5, apple6, apple7, apple8, apple9, apple10
}
