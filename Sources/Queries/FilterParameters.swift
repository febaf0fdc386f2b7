// The parameters by which Apple's assetutil thins, and the filter that their values make.

import Archive
import ArchiveTools
import Bytes
import Traits

/// A parameter with the name of its option.
package enum FilterParameter: String, Sendable {
  case idiom, hostedidioms, subtype, subtypefallbacks, scale, graphicsclass
  case gamut = "display-gamut"
  case graphicsFallbacks = "graphicsclassfallbacks"
  case memory
  case deploymentTarget = "deployment-target"
  case preserved = "preserve-assets-named"
}

extension ItemFilter {
  /// Makes the filter of some parameters and their values.
  package init(_ pairs: [(FilterParameter, String)]) throws(QueryError) {
    self.init()
    let fallbacks = pairs.last { $0.0 == .graphicsFallbacks }?.1
    for (parameter, value) in pairs {
      switch parameter {
      case .idiom: idiom = try ItemFilter.idiom(value)
      case .hostedidioms:
        for name in value.split(separator: ",") {
          hostedIdioms.append(try ItemFilter.idiom(String(name)))
        }
      case .subtype: subtype = try ItemFilter.number(value, parameter)
      case .subtypefallbacks:
        for number in value.split(separator: ":") where number != "*" {
          subtypeFallbacks.append(try ItemFilter.number(String(number), parameter))
        }
      case .scale: scale = try ItemFilter.number(value, parameter)
      case .gamut: gamut = try ItemFilter.gamut(value)
      case .graphicsclass: graphics = try ItemFilter.graphics(value, fallbacks)
      case .memory: memory = try ItemFilter.memory(value)
      case .deploymentTarget: osGeneration = try ItemFilter.number(value, parameter)
      case .graphicsFallbacks: continue
      case .preserved: preservedNames = ByteString(value).split(separator: ",")
      }
    }
  }

  private static func number<Number: FixedWidthInteger>(
    _ text: String, _ parameter: FilterParameter
  ) throws(QueryError) -> Number {
    guard let number = Number(text) else {
      throw .usage("option '--\(parameter.rawValue)' takes a whole number, not '\(text)'")
    }
    return number
  }

  private static func idiom(_ text: String) throws(QueryError) -> Idiom {
    guard let idiom = Idiom(named: text) else {
      throw .usage("'\(text)' is not an idiom; choose from \(Idiom.names.joined(separator: ", "))")
    }
    return idiom
  }

  private static func gamut(_ text: String) throws(QueryError) -> Gamut? {
    switch text.lowercased() {
    case "all": return nil
    case "srgb": return .sRGB
    case "p3": return .p3
    default: throw .usage("'\(text)' is not a gamut; choose from srgb, p3, all")
    }
  }

  private static func memory(_ text: String) throws(QueryError) -> UInt8 {
    let number: UInt16 = try number(text, .memory)
    guard let gigabytes = VariantNumbers.gigabytes(ofClass: number) else {
      throw .usage("'\(text)' is not a memory class")
    }
    return gigabytes
  }

  private static func graphics(
    _ own: String, _ fallbacks: String?
  ) throws(QueryError) -> GraphicsSupport {
    let newest = try graphicsClass(own)
    guard let fallbacks, fallbacks != "*" else { return GraphicsSupport(upTo: newest) }
    var classes = [newest]
    for name in fallbacks.split(separator: ":") { classes.append(try graphicsClass(String(name))) }
    return GraphicsSupport(classes)
  }

  private static func graphicsClass(_ text: String) throws(QueryError) -> GraphicsClass {
    let names: [String: GraphicsClass] = [
      "GLES2,0": .gles2, "MTL1,2": .apple1, "MTL2,2": .apple2, "MTL3,1": .apple3v1,
      "MTL3,2": .apple3, "MTL4,1": .apple4, "MTL5,1": .apple5,
    ]
    if let known = names[text] ?? GraphicsClass(named: text) { return known }
    if let number = UInt8(text), let known = GraphicsClass(rawValue: number) { return known }
    throw .usage("'\(text)' is not a graphics class such as MTL2,2 or APPLE5")
  }
}
