// Numbers the colours and gradients of a layered icon as Apple's tool does.

import Archive
import Bytes
import CatalogModel

/// The name and the part of a rendition that paints: a colour or a gradient.
struct PaintName: Sendable, Hashable {
  var facet: ByteString
  var part: UInt16
}

/// The colours and gradients of an icon, in the order of their first use.
struct IconPaints: Sendable {
  private let folder: ByteString
  private(set) var colors: [(facet: ByteString, color: ColorPayload)] = []
  private(set) var gradients: [(facet: ByteString, gradient: GradientPayload)] = []
  private var numbers: [IconColor: Int] = [:]
  private var names: [IconFill: PaintName] = [:]

  init(_ folder: ByteString) {
    self.folder = folder
    // This colour is always the first one, even if the icon does not use it.
    _ = colorName(IconColor(.extendedGray, [1, 1]))
  }

  /// Returns the name of a fill that has a number.
  func known(_ fill: IconFill) -> PaintName? { names[fill] }

  /// Returns the name of a fill, and numbers it if it is new. Returns nil if the fill paints
  /// nothing. `isNew` numbers a gradient even if an equal one has a number.
  mutating func name(of fill: IconFill, isNew: Bool = false) -> PaintName? {
    if !isNew, let known = names[fill] { return known }
    let name: PaintName? =
      switch fill {
      case .none, .automatic: nil
      case .solid(let color): PaintName(facet: colorName(color), part: Part.color)
      case .systemLight: gradient([1, 0.925])
      case .systemDark: gradient([0.192, 0.078])
      case .automaticGradient(let color):
        gradient(.automatic, [color], IconFill.top, IconFill.bottom)
      case .linearGradient(let colors, let start, let stop):
        gradient(.linear, colors, start, stop)
      }
    names[fill] = name
    return name
  }

  private mutating func gradient(_ grays: [Double]) -> PaintName {
    gradient(.linear, grays.map { IconColor(.gray, [$0, 1]) }, IconFill.top, IconFill.bottom)
  }

  private mutating func gradient(
    _ style: GradientPayload.Style, _ colors: [IconColor], _ start: IconPoint, _ stop: IconPoint
  ) -> PaintName {
    let last = Float(max(1, colors.count - 1))
    let stops = colors.enumerated().map { place, color in
      GradientPayload.Stop(position: Float(place) / last, color: colorName(color))
    }
    let payload = GradientPayload(
      style: style, start: (Float(start.x), Float(start.y)), end: (Float(stop.x), Float(stop.y)),
      stops: stops)
    let facet: ByteString = "\(folder)Gradient-\(gradients.count + 1)"
    gradients.append((facet, payload))
    return PaintName(facet: facet, part: Part.gradient)
  }

  private mutating func colorName(_ color: IconColor) -> ByteString {
    if let known = numbers[color] { return "\(folder)Color-\(known)" }
    let number = colors.count + 1
    numbers[color] = number
    let facet: ByteString = "\(folder)Color-\(number)"
    let payload = ColorPayload(
      space: color.space.archived, components: color.components.map { Double(Float($0)) })
    colors.append((facet, payload))
    return facet
  }
}

extension IconColor.Space {
  fileprivate var archived: ColorSpaceID {
    switch self {
    case .sRGB: .sRGB
    case .gray: .grayGamma22
    case .displayP3: .displayP3
    case .extendedSRGB: .extendedSRGB
    case .extendedGray: .extendedGray
    }
  }
}
