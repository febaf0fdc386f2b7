// Writes a colour of an archive as text, and reads the colours that users write.

import Archive
import Documents

extension ColorPayload {
  /// The colour as `#FF8000`, `#FF800080` or `P3 1 0.5 0 0.8`, or as the name of a system colour.
  package var text: String {
    if let systemName { return systemName }
    let isPlain = components.allSatisfy { (0...1).contains($0) }
    if space == .sRGB, components.count == 4, isPlain {
      let bytes = components.map { Int(($0 * 255).rounded()) }
      // The short form is used only if bytes express the components exactly.
      let isExact = zip(components, bytes).allSatisfy { abs($0 * 255 - Double($1)) < 0.01 }
      if isExact {
        let shown = bytes[3] == 255 ? bytes.prefix(3) : bytes.prefix(4)
        return "#" + shown.map { hexadecimal($0) }.joined()
      }
    }
    let numbers = components.map { brief($0) }
    return ([space.shortName] + numbers).filter { !$0.isEmpty }.joined(separator: " ")
  }
}

// MARK: - Reading

extension ColorPayload {
  /// Reads `#RRGGBB`, `#RRGGBBAA`, or a colour space with its components from 0 to 1:
  /// `display-p3(1, 0.5, 0, 0.8)`. The last component, alpha, may be left out. Returns nil for
  /// other texts.
  package init?(text: String) {
    if text.first == "#" {
      let digits = Array(text.utf8.dropFirst())
      guard digits.count == 6 || digits.count == 8 else { return nil }
      var components: [Double] = []
      for offset in stride(from: 0, to: digits.count, by: 2) {
        let pair = String(decoding: digits[offset..<offset + 2], as: UTF8.self)
        guard digits[offset] != UInt8(ascii: "+"), let byte = UInt8(pair, radix: 16) else {
          return nil
        }
        components.append(Double(byte) / 255)
      }
      if components.count == 3 { components.append(1) }
      self.init(space: .sRGB, components: components)
      return
    }
    guard let open = text.firstIndex(of: "("), text.last == ")",
      let space = ColorSpaceID(catalogName: String(text[..<open]))
    else { return nil }
    let inner = text[text.index(after: open)...].dropLast()
    var components = inner.split(separator: ",", omittingEmptySubsequences: false).map { part in
      Double(String(part.filter { $0 != " " })) ?? .nan
    }
    let isGray = space == .grayGamma22 || space == .extendedGray
    if components.count == (isGray ? 1 : 3) { components.append(1) }
    guard components.count == (isGray ? 2 : 4), components.allSatisfy({ $0.isFinite }) else {
      return nil
    }
    let isExtended = ![ColorSpaceID.sRGB, .displayP3, .grayGamma22].contains(space)
    let limited = isExtended ? components.suffix(1) : components[...]
    guard limited.allSatisfy({ (0...1).contains($0) }), components.allSatisfy({ abs($0) <= 1e6 })
    else { return nil }
    self.init(space: space, components: components)
  }
}

extension ColorSpaceID {
  private static let catalogNames: [ColorSpaceID: String] = [
    .sRGB: "srgb", .displayP3: "display-p3", .extendedSRGB: "extended-srgb",
    .extendedLinearSRGB: "extended-linear-srgb", .grayGamma22: "gray-gamma-22",
    .extendedGray: "extended-gray",
  ]

  /// The name of the space in catalogues; the number of a space that catalogues do not have.
  var catalogName: String { ColorSpaceID.catalogNames[self] ?? "\(rawValue)" }

  fileprivate init?(catalogName: String) {
    guard let space = ColorSpaceID.catalogNames.first(where: { $0.value == catalogName }) else {
      return nil
    }
    self = space.key
  }
}

// MARK: - Words

private func hexadecimal(_ byte: Int) -> String {
  let digits = String(byte, radix: 16, uppercase: true)
  return digits.utf8.count == 1 ? "0" + digits : digits
}

extension ColorSpaceID {
  fileprivate var shortName: String {
    switch self {
    case .sRGB: "sRGB"
    case .displayP3: "P3"
    case .extendedSRGB: "extended sRGB"
    case .extendedLinearSRGB: "extended linear sRGB"
    case .grayGamma22: "grey"
    case .extendedGray: "extended grey"
    default: ""
    }
  }
}
