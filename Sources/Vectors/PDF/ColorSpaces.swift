// The colour spaces of PDF, and the conversion of their colours to sRGB.

import Bytes
import Colors

indirect enum ColorSpace {
  case gray, rgb, cmyk
  case profile(ICCProfile, components: Int)
  case lab(LabSpace)
  case indexed(base: ColorSpace, colors: [Color])
  /// A Separation or DeviceN space: a function gives the colour in another space. `paints` is false
  /// for the colorant None.
  case tint(components: Int, alternate: ColorSpace, function: PDFFunction, paints: Bool)
  /// A pattern, with the colour space of the colour for uncoloured cells.
  case pattern(ColorSpace?)

  var components: Int {
    switch self {
    case .gray, .indexed: 1
    case .rgb, .lab: 3
    case .cmyk: 4
    case .profile(_, let components), .tint(let components, _, _, _): components
    case .pattern(let inner): inner?.components ?? 0
    }
  }

  /// The values that are set together with the space.
  var initialValues: [Double] {
    switch self {
    case .cmyk: [0, 0, 0, 1]
    case .tint(let components, _, _, _): [Double](repeating: 1, count: components)
    default: [Double](repeating: 0, count: components)
    }
  }

  /// Returns the usual Decode array for images with `bits` bits for each component.
  func defaultDecode(bits: Int) -> [Double] {
    switch self {
    case .indexed: return [0, Double(1 << bits - 1)]
    case .lab(let space): return [0, 100] + space.range
    default: break
    }
    var ends: [Double] = []
    for _ in 0..<components { ends += [0, 1] }
    return ends
  }

  /// Whether the colours come from printing inks, for which there is no profile.
  var usesInks: Bool {
    switch self {
    case .cmyk: true
    case .indexed(let base, _): base.usesInks
    case .tint(_, let alternate, _, _): alternate.usesInks
    case .pattern(let inner): inner?.usesInks ?? false
    default: false
    }
  }

  func color(_ values: [Double]) -> Color {
    func value(_ index: Int) -> Double {
      guard index < values.count, values[index] == values[index] else { return 0 }
      return min(max(values[index], 0), 1)
    }
    switch self {
    case .gray: return Color(value(0), value(0), value(0))
    case .rgb: return Color(value(0), value(1), value(2))
    case .cmyk:
      return Inks.color(cyan: value(0), magenta: value(1), yellow: value(2), black: value(3))
    case .profile(let profile, _): return profile.color(values)
    case .lab(let space): return space.color(values)
    case .indexed(_, let colors):
      guard let last = colors.indices.last, let first = values.first else { return .black }
      return colors[whole(first, from: 0, to: last)]
    case .tint(_, let alternate, let function, _): return alternate.color(function.evaluate(values))
    case .pattern: return .black
    }
  }
}

struct LabSpace {
  var white: [Double]
  /// The lowest and highest values of a and b.
  var range: [Double]

  func color(_ values: [Double]) -> Color {
    func clipped(_ index: Int, low: Double, high: Double) -> Double {
      index < values.count && values[index] == values[index]
        ? min(max(values[index], low), max(low, high)) : 0
    }
    let m = (clipped(0, low: 0, high: 100) + 16) / 116
    let l = m + clipped(1, low: range[0], high: range[1]) / 500
    let n = m - clipped(2, low: range[2], high: range[3]) / 200
    func g(_ x: Double) -> Double { x >= 6 / 29.0 ? x * x * x : 108 / 841.0 * (x - 4 / 29.0) }
    // The values are relative to the white point of the space, which becomes that of sRGB: (0.9505,
    // 1, 1.089).
    let (x, y, z) = (0.9505 * g(l), g(m), 1.089 * g(n))
    return Color(
      standardValue(3.240_6 * x - 1.537_2 * y - 0.498_6 * z),
      standardValue(-0.968_9 * x + 1.875_8 * y + 0.041_5 * z),
      standardValue(0.055_7 * x - 0.204_0 * y + 1.057_0 * z))
  }
}

// MARK: - Reading colour spaces

extension PDFFile {
  /// Returns the colour space that a name or array describes; nil if it is not valid. Names may
  /// refer to resources.
  func colorSpace(
    _ value: PDFValue, resources: PDFDictionary = PDFDictionary(), depth: Int = 0
  ) -> ColorSpace? {
    guard depth < 8, budget.spend(.objects) else { return nil }
    if let number = value.reference, let known = colorSpaces[number] { return known }
    let space = readColorSpace(value, resources: resources, depth: depth)
    if let number = value.reference, let space { colorSpaces[number] = space }
    return space
  }

  private func readColorSpace(
    _ value: PDFValue, resources: PDFDictionary, depth: Int
  ) -> ColorSpace? {
    let resolved = resolve(value)
    if let name = resolved.name {
      if let device = Self.device(name) { return device }
      let named = dictionary(resources["ColorSpace"])?[name] ?? .null
      if named.isNull || named.name == name { return nil }
      return colorSpace(named, resources: resources, depth: depth + 1)
    }
    guard let parts = resolved.array, let family = parts.first.flatMap({ name($0) }) else {
      return nil
    }
    func part(_ index: Int) -> PDFValue { index < parts.count ? parts[index] : .null }
    switch family {
    case "ICCBased": return profile(part(1), resources: resources, depth: depth)
    case "CalGray": return .gray
    case "CalRGB": return calibrated(dictionary(part(1)))
    case "CalCMYK": return .cmyk
    case "Lab":
      let settings = dictionary(part(1)) ?? PDFDictionary()
      let range = numbers(settings["Range"]) ?? []
      return .lab(
        LabSpace(
          white: numbers(settings["WhitePoint"]) ?? [0.9505, 1, 1.089],
          range: range.count == 4 ? range : [-100, 100, -100, 100]))
    case "Indexed", "I": return indexed(parts, resources: resources, depth: depth)
    case "Separation", "DeviceN":
      guard let alternate = colorSpace(part(2), resources: resources, depth: depth + 1),
        let tint = function(part(3))
      else { return nil }
      let names = family == "DeviceN" ? array(part(1)) ?? [] : [part(1)]
      budget.spend(.values, names.count)
      let paints = !names.allSatisfy { name($0) == "None" }
      return .tint(
        components: min(names.count, 32), alternate: alternate, function: tint, paints: paints)
    case "Pattern":
      return .pattern(colorSpace(part(1), resources: resources, depth: depth + 1))
    default: return Self.device(family)
    }
  }

  /// Returns a CalRGB space. If it does not state its primaries, the device space is used.
  private func calibrated(_ settings: PDFDictionary?) -> ColorSpace {
    guard let settings, let matrix = numbers(settings["Matrix"]),
      let profile = ICCProfile.calibrated(
        gamma: numbers(settings["Gamma"]) ?? [1, 1, 1], matrix: matrix,
        white: numbers(settings["WhitePoint"]) ?? [])
    else { return .rgb }
    return .profile(profile, components: 3)
  }

  private static func device(_ name: String) -> ColorSpace? {
    switch name {
    case "DeviceGray", "G", "CalGray": .gray
    case "DeviceRGB", "RGB", "CalRGB": .rgb
    case "DeviceCMYK", "CMYK": .cmyk
    case "Pattern": .pattern(nil)
    default: nil
    }
  }

  private func profile(
    _ value: PDFValue, resources: PDFDictionary, depth: Int
  ) -> ColorSpace? {
    guard let stream = stream(value) else { return nil }
    let count = int(stream.dictionary["N"]) ?? 0
    let key = stream.number * 8 + min(max(count, 0), 7)
    let kind: ICCProfile.Kind
    if stream.number > 0, let known = profiles[key] {
      kind = known
    } else {
      let bytes = decoded(stream)
      budget.spend(.decompressedBytes, 4 * bytes.count + 1_000)
      budget.borrow(.tableEntries, bytes: 4 * bytes.count)
      kind = ICCProfile.read(bytes, components: count)
      if stream.number > 0 { profiles[key] = kind }
    }
    switch kind {
    case .standard: return .rgb
    case .calculated(let profile): return .profile(profile, components: count)
    case .unknown: break
    }
    switch count {
    case 1: return .gray
    case 3:
      // Only an alternate space with three components, such as Lab, can replace the profile.
      if let other = colorSpace(
        stream.dictionary["Alternate"], resources: resources, depth: depth + 1),
        other.components == 3
      {
        return other
      }
      return .rgb
    case 4: return .cmyk
    default: return nil
    }
  }

  private func indexed(
    _ parts: [PDFValue], resources: PDFDictionary, depth: Int
  ) -> ColorSpace? {
    guard parts.count >= 4,
      let base = colorSpace(parts[1], resources: resources, depth: depth + 1),
      base.components > 0, let high = int(parts[2])
    else { return nil }
    let table: [UInt8]
    switch resolve(parts[3]) {
    case .string(let bytes): table = bytes
    case .stream(let stream): table = decoded(stream)
    default: return nil
    }
    guard budget.spend(.gradientStops, 4 * 256) else { return nil }
    let ends = base.defaultDecode(bits: 8)
    var colors: [Color] = []
    for index in 0...min(max(high, 0), 255) {
      let values = (0..<base.components).map { component -> Double in
        let offset = index * base.components + component
        let byte = offset < table.count ? Double(table[offset]) : 0
        let low = ends[2 * component]
        return low + byte / 255 * (ends[2 * component + 1] - low)
      }
      colors.append(base.color(values))
    }
    return .indexed(base: base, colors: colors)
  }
}
