// Writes a colour of an archive as text.

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
