// Random keys and requests for property tests. Each axis has few values, so that keys often have
// equal ones.

import Traits

public let languageTags = ["en", "es", "es-MX", "zh-Hant", "ar"]

extension SeededGenerator {
  public mutating func one<Value>(of values: [Value]) -> Value {
    values[pick(0...values.count - 1)]
  }

  /// Returns a key that constrains about `axes` axes.
  public mutating func key(axes: Int = 3) -> VariantKey {
    var key = VariantKey()
    key.scale = one(of: [0, 1, 2, 3])
    for _ in 0..<pick(0...axes) { constrain(&key, on: one(of: Axis.allCases)) }
    return key
  }

  private mutating func constrain(_ key: inout VariantKey, on axis: Axis) {
    switch axis {
    case .style: key.style = one(of: Style.allCases)
    case .contrast: key.contrast = .high
    case .language: key.locale = nameIdentifier(one(of: languageTags).utf8)
    case .memory: key.memory = one(of: [1, 2, 3, 4, 6])
    case .subtype: key.subtype = one(of: [320, 340, 384, 390, 484, 568, 2436, 3840])
    case .graphics: key.graphics = one(of: GraphicsClass.allCases)
    case .scale: key.scale = one(of: [0, 1, 2, 3])
    case .os: key.osGeneration = one(of: [3, 5, 11])
    case .direction: key.direction = one(of: Direction.allCases)
    case .gamut: key.gamut = .p3
    case .idiom: key.idiom = one(of: Idiom.allCases)
    case .width: key.width = one(of: SizeClass.allCases)
    case .height: key.height = one(of: SizeClass.allCases)
    case .contentSize: key.contentSize = one(of: [.s, .xl, .ax3])
    }
  }

  public mutating func keys(_ count: ClosedRange<Int> = 1...8, axes: Int = 3) -> [VariantKey] {
    (0..<pick(count)).map { _ in key(axes: axes) }
  }

  /// Returns a request with a value on every axis.
  public mutating func environment() -> Environment {
    var environment = Environment()
    environment.idiom = one(of: Idiom.allCases)
    environment.subtype = one(of: [0, 320, 390, 484, 514, 568, 2436])
    environment.scale = one(of: [1, 2, 3])
    environment.width = one(of: SizeClass.allCases)
    environment.height = one(of: SizeClass.allCases)
    environment.style = one(of: Style.allCases)
    environment.contrast = one(of: Contrast.allCases)
    environment.gamut = one(of: Gamut.allCases)
    environment.direction = one(of: Direction.allCases)
    environment.memory = one(of: [0, 1, 3, 4, 255])
    environment.graphics = one(of: [
      .unlimited, GraphicsSupport(upTo: .apple3), GraphicsSupport([.apple5, .apple3, .apple2]),
    ])
    environment.languages = localeChain(of: (0..<pick(0...2)).map { _ in one(of: languageTags) })
    environment.osGeneration = one(of: [0, 3, 4, 11, 255])
    environment.contentSize = one(of: ContentSize.allCases)
    return environment
  }
}
