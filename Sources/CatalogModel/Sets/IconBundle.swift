// Layered icons of Icon Composer: what their icon.json says, and how its values follow the appearance and
// the platform. Reading is in ReadIconBundle.swift.

import Bytes

/// The three looks for which Apple's tool writes a layered icon.
package enum IconLook: String, CaseIterable, Sendable, Hashable {
  case light, dark, tinted
}

/// A value that may be another in some looks and on some platforms.
package struct Specialized<Value: Sendable & Hashable>: Sendable, Hashable {
  package struct Row: Sendable, Hashable {
    package var look: IconLook?
    /// "macOS", "iOS", "watchOS", "square" ….
    package var idiom: String?
    package var value: Value
  }

  package var rows: [Row] = []

  package init() {}

  /// A value made for a look comes before one made for a platform, and that before any other.
  package func value(_ look: IconLook, _ platform: IconPlatform) -> Value? {
    let ranked = rows.compactMap { row -> (rank: Int, value: Value)? in
      guard row.look == nil || row.look == look else { return nil }
      guard let closeness = platform.closeness(of: row.idiom) else { return nil }
      return ((row.look == nil ? 0 : 4) + closeness, row.value)
    }
    // Of two equal ones the first.
    return ranked.enumerated().max { a, b in
      a.element.rank == b.element.rank ? a.offset > b.offset : a.element.rank < b.element.rank
    }?.element.value
  }

  /// Whether a look has a value of its own.
  package func has(_ look: IconLook) -> Bool { rows.contains { $0.look == look } }
}

/// A platform as icon.json names it.
package enum IconPlatform: String, Sendable, Hashable {
  case macOS, iOS, watchOS

  /// How close a row is to the platform; nil for rows of others.
  fileprivate func closeness(of idiom: String?) -> Int? {
    switch idiom {
    case nil: 0
    case rawValue: 2
    case "square": self == .watchOS ? nil : 1
    case "circle": self == .watchOS ? 1 : nil
    default: nil
    }
  }
}

/// A colour, not premultiplied, with the precision of archives: three decimals.
package struct IconColor: Sendable, Hashable {
  package enum Space: String, CaseIterable, Sendable, Hashable {
    case sRGB = "srgb"
    case gray
    case displayP3 = "display-p3"
    case extendedSRGB = "extended-srgb"
    case extendedGray = "extended-gray"

    package var isGray: Bool { self == .gray || self == .extendedGray }
  }

  package var space: Space
  /// Red, green, blue, alpha; or gray, alpha.
  package var components: [Double]

  package init(_ space: Space, _ components: [Double]) {
    self.space = space
    self.components = components.map { ($0 * 1000).rounded() / 1000 }
  }

  /// Opaque and without a shade.
  package var isWhite: Bool { components.allSatisfy { $0 == 1 } }
  package var isBlack: Bool { components.last == 1 && components.dropLast().allSatisfy { $0 == 0 } }
}

package struct IconPoint: Sendable, Hashable {
  package var x: Double
  package var y: Double

  package init(_ x: Double, _ y: Double) {
    self.x = x
    self.y = y
  }
}

package enum IconFill: Sendable, Hashable {
  case none, automatic, systemLight, systemDark
  case solid(IconColor)
  /// One colour, of which the system makes the second.
  case automaticGradient(IconColor)
  case linearGradient([IconColor], start: IconPoint, stop: IconPoint)

  package static let top = IconPoint(0.5, 0)
  package static let bottom = IconPoint(0.5, 1)

  /// What is filled with it is white.
  package var isWhite: Bool {
    if case .solid(let color) = self { color.isWhite } else { false }
  }

  package var isBlack: Bool {
    if case .solid(let color) = self { color.isBlack } else { false }
  }
}

package struct IconPosition: Sendable, Hashable {
  package var scale = 1.0
  package var x = 0.0
  package var y = 0.0

  package init(scale: Double = 1, x: Double = 0, y: Double = 0) {
    self.scale = scale
    self.x = x
    self.y = y
  }
}

package struct IconShadow: Sendable, Hashable {
  package enum Kind: String, CaseIterable, Sendable, Hashable {
    case none, neutral
    case layerColor = "layer-color"
  }

  package var kind = Kind.neutral
  package var opacity = 0.5

  package init() {}
}

/// How two pictures mix; the numbers are those of archives.
package enum IconBlendMode: String, CaseIterable, Sendable, Hashable {
  case normal, multiply, screen, overlay, darken, lighten
  case colorDodge = "color-dodge"
  case colorBurn = "color-burn"
  case softLight = "soft-light"
  case hardLight = "hard-light"
  case difference, exclusion, hue, saturation, color, luminosity
  case plusDarker = "plus-darker"
  case plusLighter = "plus-lighter"

  package var number: UInt32 {
    switch self {
    case .plusDarker: 26
    case .plusLighter: 27
    default: UInt32(IconBlendMode.allCases.firstIndex(of: self) ?? 0)
    }
  }
}

package struct IconLayer: Sendable, Hashable {
  package var name: ByteString = ""
  package var image: SourceFile?
  /// Of the picture, in pixels or units of its page.
  package var width = 0.0
  package var height = 0.0
  package var fill = Specialized<IconFill>()
  package var glass = Specialized<Bool>()
  package var hidden = Specialized<Bool>()
  package var opacity = Specialized<Double>()
  package var blendMode = Specialized<IconBlendMode>()
  package var position = Specialized<IconPosition>()
  package var pointer: ByteString

  package init(pointer: ByteString) { self.pointer = pointer }
}

package struct IconGroup: Sendable, Hashable {
  package var name: ByteString = "Group"
  /// Front to back.
  package var layers: [IconLayer] = []
  package var hidden = Specialized<Bool>()
  package var opacity = Specialized<Double>()
  package var blendMode = Specialized<IconBlendMode>()
  package var position = Specialized<IconPosition>()
  package var shadow = Specialized<IconShadow>()
  package var translucency = Specialized<Double>()
  package var blur = Specialized<Double>()
  package var specular = Specialized<Bool>()
  /// Whether the layers are lit one by one.
  package var isLitOneByOne = Specialized<Bool>()
  package var pointer: ByteString

  package init(pointer: ByteString) { self.pointer = pointer }
}

package struct IconBundle: Sendable, Hashable {
  package var fill = Specialized<IconFill>()
  /// Front to back.
  package var groups: [IconGroup] = []
  /// Whether icon.json was read.
  package var isRead = false

  package init() {}
}
