// The functions of carve.h that return facts about an archive, but no pixels: names, languages,
// sizes on the screen, the reason why a lookup finds nothing, and the traits of devices. The
// compiler compares each function with its declaration there, which fixes the names.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

import Archive
import CCarve
import Traits

@c @implementation
public func carve_traits_for_device(
  _ device: UnsafePointer<CChar>?, _ window: UnsafePointer<CChar>?,
  _ orientation: UnsafePointer<CChar>?, _ traits: UnsafeMutablePointer<carve_traits>?,
  _ size: Int, _ error: UnsafeMutablePointer<carve_error>?
) -> Int32 {
  guard let device, let traits else {
    return reportArgument("no device, or no place for the traits", to: error)
  }
  do throws(DevicePresetError) {
    let environment = try Environment(
      device: String(cString: device), window: window.map { String(cString: $0) } ?? "full",
      orientation: orientation.map { String(cString: $0) })
    if fillTraits(traits, size, to: environment) { return Int32(CARVE_OK) }
    return reportArgument("traits of an unknown size", to: error)
  } catch let trouble {
    return report(CARVE_BAD_ARGUMENT, trouble.description, to: error)
  }
}

@c @implementation
public func carve_obstacle(
  _ view: OpaquePointer?, _ name: UnsafePointer<CChar>?, _ length: Int, _ kind: Int32
) -> Int32 {
  guard let view, let name = text(name, length),
    let kind = UInt8(exactly: kind).flatMap(AssetKind.init)
  else { return Int32(CARVE_OBSTACLE_ARGUMENT) }
  let seen = CarveRuntime.view(view)
  guard let id = seen.catalog.id(ofUTF8: name, kind) else { return Int32(CARVE_OBSTACLE_NAME) }
  if seen.choice(for: id) != nil { return Int32(CARVE_OBSTACLE_NONE) }
  return seen.obstacle(for: id).map { Int32($0.obstacle) } ?? Int32(CARVE_OBSTACLE_NAME)
}

@c @implementation
public func carve_obstacle_text(_ obstacle: Int32) -> UnsafePointer<CChar>? {
  switch Int(obstacle) {
  case CARVE_OBSTACLE_NONE: constant("none")
  case CARVE_OBSTACLE_NAME: constant("name")
  case CARVE_OBSTACLE_IDIOM: constant("idiom")
  case CARVE_OBSTACLE_SUBTYPE: constant("subtype")
  case CARVE_OBSTACLE_SCALE: constant("scale")
  case CARVE_OBSTACLE_WIDTH: constant("width")
  case CARVE_OBSTACLE_HEIGHT: constant("height")
  case CARVE_OBSTACLE_STYLE: constant("style")
  case CARVE_OBSTACLE_CONTRAST: constant("contrast")
  case CARVE_OBSTACLE_GAMUT: constant("gamut")
  case CARVE_OBSTACLE_DIRECTION: constant("direction")
  case CARVE_OBSTACLE_MEMORY: constant("memory")
  case CARVE_OBSTACLE_GRAPHICS: constant("graphics")
  case CARVE_OBSTACLE_LANGUAGE: constant("language")
  case CARVE_OBSTACLE_OS: constant("os")
  case CARVE_OBSTACLE_CONTENT_SIZE: constant("content-size")
  default: constant("no obstacle")
  }
}

extension Axis {
  /// The number of the axis in C.
  fileprivate var obstacle: Int {
    switch self {
    case .idiom: CARVE_OBSTACLE_IDIOM
    case .subtype: CARVE_OBSTACLE_SUBTYPE
    case .scale: CARVE_OBSTACLE_SCALE
    case .width: CARVE_OBSTACLE_WIDTH
    case .height: CARVE_OBSTACLE_HEIGHT
    case .style: CARVE_OBSTACLE_STYLE
    case .contrast: CARVE_OBSTACLE_CONTRAST
    case .gamut: CARVE_OBSTACLE_GAMUT
    case .direction: CARVE_OBSTACLE_DIRECTION
    case .memory: CARVE_OBSTACLE_MEMORY
    case .graphics: CARVE_OBSTACLE_GRAPHICS
    case .language: CARVE_OBSTACLE_LANGUAGE
    case .os: CARVE_OBSTACLE_OS
    case .contentSize: CARVE_OBSTACLE_CONTENT_SIZE
    }
  }
}

/// Writes a text and a zero byte if the buffer has room for both, and writes the length of the text
/// in any case.
private func copy(
  _ bytes: some Collection<UInt8>, to buffer: UnsafeMutablePointer<CChar>?, _ size: Int,
  _ length: UnsafeMutablePointer<Int>
) -> Int32 {
  length.pointee = bytes.count
  guard let buffer else { return Int32(size == 0 ? CARVE_OK : CARVE_BAD_ARGUMENT) }
  guard bytes.count < size else { return Int32(CARVE_BUFFER_TOO_SMALL) }
  for (index, byte) in bytes.enumerated() { buffer[index] = CChar(bitPattern: byte) }
  buffer[bytes.count] = 0
  return Int32(CARVE_OK)
}

@c @implementation
public func carve_stored_name(
  _ catalog: OpaquePointer?, _ rendition: UnsafePointer<carve_rendition>?,
  _ name: UnsafeMutablePointer<CChar>?, _ size: Int, _ length: UnsafeMutablePointer<Int>?,
  _ error: UnsafeMutablePointer<carve_error>?
) -> Int32 {
  guard let length, size >= 0 else { return reportArgument("no place for the name", to: error) }
  var status = Int32(CARVE_OK)
  let read = with(catalog, rendition, error) { (catalog, variant) throws(CatalogError) in
    let stored = catalog.storedName(of: variant) ?? ""
    status = copy(stored.utf8, to: name, size, length)
  }
  if read != CARVE_OK || status == CARVE_OK { return read }
  return report(
    Int(status), "the name has \(length.pointee) bytes and a zero byte", to: error)
}

@c @implementation
public func carve_localization_count(_ catalog: OpaquePointer?) -> Int {
  guard let catalog else { return 0 }
  return CarveRuntime.catalog(catalog).localizations.count
}

@c @implementation
public func carve_localization_at(
  _ catalog: OpaquePointer?, _ index: Int, _ number: UnsafeMutablePointer<UInt16>?,
  _ tag: UnsafeMutablePointer<CChar>?, _ size: Int, _ length: UnsafeMutablePointer<Int>?
) -> Int32 {
  guard let catalog, let length, size >= 0 else { return Int32(CARVE_BAD_ARGUMENT) }
  let all = CarveRuntime.catalog(catalog).localizations
  guard all.indices.contains(index) else { return Int32(CARVE_NONE) }
  number?.pointee = all[index].number
  return copy(all[index].name.utf8, to: tag, size, length)
}

@c @implementation
public func carve_point_size(
  _ rendition: UnsafePointer<carve_rendition>?, _ width: UnsafeMutablePointer<Double>?,
  _ height: UnsafeMutablePointer<Double>?
) -> Int32 {
  guard let rendition, CallerStructure(rendition) != nil, let width, let height else {
    return Int32(CARVE_BAD_ARGUMENT)
  }
  let scale = Double(rendition.pointee.scale)
  guard scale > 0, rendition.pointee.pixel_width > 0 else { return Int32(CARVE_NONE) }
  width.pointee = Double(rendition.pointee.pixel_width) / scale
  height.pointee = Double(rendition.pointee.pixel_height) / scale
  return Int32(CARVE_OK)
}

@c @implementation
public func carve_color_space_name(_ space: UInt32) -> UnsafePointer<CChar>? {
  constant(ColorSpaceID(rawValue: space).constantName)
}
