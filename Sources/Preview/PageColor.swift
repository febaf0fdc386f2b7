// A colour as browsers write it, and the nearest sRGB colour, from which contrast is computed.

import Archive
import CarveRuntime
import Colors
import Documents

struct PageColor: Sendable {
  let value: ColorValue

  /// The colour for a style sheet.
  var css: String {
    let (red, green, blue) = (value.red, value.green, value.blue)
    func color(_ space: String, _ parts: [Double]) -> String {
      let numbers = parts.map { "\($0)" }.joined(separator: " ")
      return "color(\(space) \(numbers) / \(value.alpha))"
    }
    switch value.space {
    case .displayP3: return color("display-p3", [red, green, blue])
    case .extendedLinearSRGB: return color("srgb-linear", [red, green, blue])
    case .grayGamma22:
      let gray = sRGBOfLight(power(max(0, red), 2.2))
      return color("srgb", [gray, gray, gray])
    default: return color("srgb", [red, green, blue])
    }
  }

  var spaceName: String {
    switch value.space {
    case .displayP3: "Display P3"
    case .extendedLinearSRGB: "extended linear sRGB"
    case .grayGamma22: "grey of gamma 2.2"
    case .extendedSRGB: "extended sRGB"
    case .extendedGray: "extended grey"
    default: "sRGB"
    }
  }

  /// Red, green and blue from 0 to 255 in sRGB, and alpha from 0 to 1.
  var standard: [Double] {
    let given = [value.red, value.green, value.blue]
    var encoded = given
    switch value.space {
    case .displayP3:
      let light = SIMD3(lightOfSRGB(given[0]), lightOfSRGB(given[1]), lightOfSRGB(given[2]))
      if let toSRGB = ColorProfile.sRGBColorants.inverse {
        let matrix = toSRGB * ColorProfile.displayP3Colorants
        encoded = matrix.map { sRGBOfLight(($0 * light).sum()) }
      }
    case .extendedLinearSRGB: encoded = given.map { sRGBOfLight($0) }
    case .grayGamma22: encoded = given.map { sRGBOfLight(power(max(0, $0), 2.2)) }
    default: break
    }
    return encoded.map { (min(1, max(0, $0)) * 255).rounded() } + [min(1, max(0, value.alpha))]
  }

  var json: JSONOutput {
    var members: [JSONOutput.Member] = [
      .init("css", .string(css)), .init("space", .string(spaceName)),
      .init("rgb", .array(standard.map { .number($0) })),
      .init(
        "parts", .array([value.red, value.green, value.blue, value.alpha].map { .number($0) })),
    ]
    if let name = value.systemName { members.append(.init("system", .string(name))) }
    return .object(members)
  }
}
