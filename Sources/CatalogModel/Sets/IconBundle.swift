// Layered icons of Icon Composer: the values of their icon.json, and how a value depends on the
// appearance and the platform. Reading/ReadIconBundle.swift reads them.

import Bytes
import Traits

/// The three looks for which Apple's tool writes a layered icon.
package enum IconLook: String, CaseIterable, Sendable, Hashable {
  case light, dark, tinted
}

/// A value that can differ between looks and between platforms.
package struct Specialized<Value: Sendable & Hashable>: Sendable, Hashable {
  package struct Row: Sendable, Hashable {
    package var look: IconLook?
    /// The platform or shape of the row: "macOS", "iOS", "watchOS", "square" ….
    package var idiom: String?
    package var value: Value
  }

  package var rows: [Row] = []

  package init() {}

  /// Returns the value for a look on a platform. A row for the look comes before a row for the
  /// platform, and this before a row for neither.
  package func value(_ look: IconLook, _ platform: Platform) -> Value? {
    let ranked = rows.compactMap { row -> (rank: Int, value: Value)? in
      guard row.look == nil || row.look == look else { return nil }
      guard let closeness = platform.closeness(of: row.idiom) else { return nil }
      return ((row.look == nil ? 0 : 4) + closeness, row.value)
    }
    // The first of two equally ranked rows wins.
    return ranked.enumerated().max { a, b in
      a.element.rank == b.element.rank ? a.offset > b.offset : a.element.rank < b.element.rank
    }?.element.value
  }

  /// Returns whether there is a row for this look.
  package func has(_ look: IconLook) -> Bool { rows.contains { $0.look == look } }
}

extension Platform {
  /// Returns a number that is higher for a row that fits the platform more closely; nil for a row
  /// of other platforms.
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

/// A colour, not premultiplied. Its components have three decimals, as in archives.
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
  /// Red, green, blue, alpha; or grey, alpha.
  package var components: [Double]

  package init(_ space: Space, _ components: [Double]) {
    self.space = space
    self.components = components.map { ($0 * 1000).rounded() / 1000 }
  }

  /// Whether the colour is opaque white.
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
  /// A gradient from this colour to a second one that the system derives from it.
  case automaticGradient(IconColor)
  case linearGradient([IconColor], start: IconPoint, stop: IconPoint)

  package static let top = IconPoint(0.5, 0)
  package static let bottom = IconPoint(0.5, 1)

  /// Whether the fill is opaque white.
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

/// The way in which two pictures are mixed. `number` is its number in archives.
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
  /// The width of the picture, in pixels or in units of its page.
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
  /// The layers, front to back.
  package var layers: [IconLayer] = []
  package var hidden = Specialized<Bool>()
  package var opacity = Specialized<Double>()
  package var blendMode = Specialized<IconBlendMode>()
  package var position = Specialized<IconPosition>()
  package var shadow = Specialized<IconShadow>()
  package var translucency = Specialized<Double>()
  package var blur = Specialized<Double>()
  package var specular = Specialized<Bool>()
  /// Whether each layer is lit separately.
  package var isLitOneByOne = Specialized<Bool>()
  package var pointer: ByteString

  package init(pointer: ByteString) { self.pointer = pointer }
}

package struct IconBundle: Sendable, Hashable {
  package var fill = Specialized<IconFill>()
  /// The groups, front to back.
  package var groups: [IconGroup] = []
  /// Whether icon.json could be read.
  package var isRead = false

  package init() {}
}
