// Reads colour spaces from names and arrays.

import Bytes

extension PDFFile {
  /// Returns the colour space that a name or array describes; nil if it is not valid. Names may
  /// refer to resources.
  func colorSpace(
    _ value: PDFValue, resources: PDFDictionary = PDFDictionary(), depth: Int = 0
  ) -> ColorSpace? {
    guard depth < 8, budget.spend(.objects) else { return nil }
    if let number = value.reference, let known = colorSpaces[number] { return known }
    let space = readColorSpace(value, resources, depth)
    if let number = value.reference, let space { colorSpaces[number] = space }
    return space
  }

  private func readColorSpace(
    _ value: PDFValue, _ resources: PDFDictionary, _ depth: Int
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
    case "ICCBased": return profile(part(1), resources, depth)
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
    case "Indexed", "I": return indexed(parts, resources, depth)
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
    _ value: PDFValue, _ resources: PDFDictionary, _ depth: Int
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
    _ parts: [PDFValue], _ resources: PDFDictionary, _ depth: Int
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
        let place = index * base.components + component
        let byte = place < table.count ? Double(table[place]) : 0
        let low = ends[2 * component]
        return low + byte / 255 * (ends[2 * component + 1] - low)
      }
      colors.append(base.color(values))
    }
    return .indexed(base: base, colors: colors)
  }
}
