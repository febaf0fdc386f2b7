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
  /// platform, and this before a row for neither. The tinted look without a row of its own, or for
  /// any look, has the value of the light look, and never that of the dark one.
  package func value(_ look: IconLook, _ platform: Platform) -> Value? {
    let ranked = rows.compactMap { row -> (rank: Int, value: Value)? in
      guard let closeness = platform.closeness(of: row.idiom) else { return nil }
      if row.look == look { return (8 + closeness, row.value) }
      if row.look == nil { return (4 + closeness, row.value) }
      return look == .tinted && row.look == .light ? (closeness, row.value) : nil
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

  /// Whether the colour is opaque white, or so near to it that Apple's tool takes it for white.
  package var isWhite: Bool { components.allSatisfy { $0 >= 0.99 } }
  /// Whether the colour is opaque and light in every component, such as cream.
  fileprivate var isLight: Bool {
    components.last == 1 && components.dropLast().allSatisfy { $0 >= IconPicture.leastLight }
  }
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

  /// Whether the fill is opaque white, or a gradient from white to a light colour.
  package var isWhite: Bool {
    switch self {
    case .solid(let color): color.isWhite
    case .linearGradient(let colors, _, _):
      colors.contains { $0.isWhite } && colors.allSatisfy { $0.isLight }
    default: false
    }
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
    case none, automatic, neutral
    case layerColor = "layer-color"
  }

  package var kind = Kind.neutral
  /// The opacity, which can be above 1.
  package var opacity = 0.5

  package init() {}
}

/// The light on the edges of a group.
package enum IconSpecular: String, CaseIterable, Sendable, Hashable {
  case off, automatic, inside, outside
}

/// The refraction of the layers behind a group.
package struct IconRefractivity: Sendable, Hashable {
  package var isEnabled: Bool
  /// The strength, which can be negative.
  package var strength: Double
  package var depth: Double

  package init(isEnabled: Bool, strength: Double, depth: Double) {
    self.isEnabled = isEnabled
    self.strength = strength
    self.depth = depth
  }

  /// Whether something is refracted.
  package var refracts: Bool { isEnabled && (strength != 0 || depth != 0) }
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

  /// Whether Icon Composer has the mode. Apple's tools refuse the others in documents.
  package var isInIconComposer: Bool {
    switch self {
    case .normal, .darken, .multiply, .plusDarker, .lighten, .screen, .plusLighter, .overlay,
      .softLight, .hardLight:
      true
    default: false
    }
  }

  package var number: UInt32 {
    switch self {
    case .plusDarker: 26
    case .plusLighter: 27
    default: UInt32(IconBlendMode.allCases.firstIndex(of: self) ?? 0)
    }
  }
}

/// A picture of a layer. The file exists.
package struct IconPicture: Sendable, Hashable {
  package var file: SourceFile
  /// The width of the picture, in pixels or in units of its page.
  package var width: Double
  package var height: Double
  /// Whether the picture is a vector without a paint that is darker than `leastLight`.
  package var isLight = false

  /// The least value of each component of a light colour. The limit that Apple's tool uses lies
  /// between 0.67 and 0.86.
  package static let leastLight = 0.75

  package init(_ file: SourceFile, width: Double, height: Double) {
    self.file = file
    self.width = width
    self.height = height
  }
}

package struct IconLayer: Sendable, Hashable {
  package var name: ByteString = ""
  /// The pictures of the looks.
  package var picture = Specialized<IconPicture>()
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
  package var specular = Specialized<IconSpecular>()
  package var refractivity = Specialized<IconRefractivity>()
  /// Whether each layer is lit separately.
  package var isLitOneByOne = Specialized<Bool>()
  package var pointer: ByteString

  package init(pointer: ByteString) { self.pointer = pointer }
}

extension IconLayer {
  /// Returns whether the layer is shown in a look. A layer without a picture is not.
  package func isShown(_ look: IconLook, _ platform: Platform) -> Bool {
    hidden.value(look, platform) != true && picture.value(look, platform) != nil
  }
}

extension IconGroup {
  /// Returns whether a layer of the group is shown in a look.
  package func isShown(_ look: IconLook, _ platform: Platform) -> Bool {
    hidden.value(look, platform) != true && layers.contains { $0.isShown(look, platform) }
  }
}

/// A value of an icon that is not stored in archives.
package struct UnstoredIconValue: Sendable, Hashable {
  /// The value in words: its key, in quotation marks.
  package var subject: String
  package var reason: String
  package var pointer: ByteString
}

package struct IconBundle: Sendable, Hashable {
  package var fill = Specialized<IconFill>()
  /// The groups, front to back.
  package var groups: [IconGroup] = []
  /// The values that are not stored in archives, each kind once.
  package var unstored: [UnstoredIconValue] = []
  /// Whether icon.json could be read.
  package var isRead = false

  package init() {}
}
