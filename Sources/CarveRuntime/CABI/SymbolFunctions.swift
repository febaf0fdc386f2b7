// The functions of carve.h for symbols. The compiler compares each function with its declaration
// there, which fixes the names.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

import CCarve
import Traits

@c @implementation
public func carve_find_symbol(
  _ view: OpaquePointer?, _ name: UnsafePointer<CChar>?, _ length: Int, _ weight: Int32,
  _ symbolSize: Int32, _ rendition: UnsafeMutablePointer<carve_rendition>?
) -> Int32 {
  guard let view, let rendition, CallerStructure(rendition) != nil, let name = text(name, length),
    let weight = UInt16(exactly: weight), let size = UInt16(exactly: symbolSize),
    let glyph = Glyph(weight: weight, size: size)
  else { return Int32(CARVE_BAD_ARGUMENT) }
  return decisions(view)._withUnsafeGuaranteedRef { decisions in
    answer(decisions.drawingChoice(utf8: name, glyph), decisions.index, in: rendition)
  }
}

/// The checked style and rendering of a requested symbol.
private struct RequestedSymbolStyle {
  var style = SymbolStyle()
  var rendering = SymbolRendering.monochrome
  var pointSize: Double?

  /// nil if the style or the rendering has no meaning.
  init?(_ style: UnsafePointer<carve_symbol_style>?) {
    guard let style else { return }
    guard let wanted = CallerStructure(style)?.read(over: carve_symbol_style()),
      let rendering = SymbolRendering(rawValue: wanted.rendering),
      let size = SymbolSize(
        rawValue: wanted.symbol_size == 0 ? UInt8(CARVE_SYMBOL_MEDIUM) : wanted.symbol_size),
      wanted.weight == 0 || (1...9).contains(wanted.weight),
      wanted.point_size >= 0, wanted.point_size <= 100_000
    else { return nil }
    self.style = SymbolStyle(weight: wanted.weight == 0 ? 4 : wanted.weight, size: size)
    self.rendering = rendering
    pointSize = wanted.point_size > 0 ? wanted.point_size : nil
  }
}

@c @implementation
public func carve_get_symbol(
  _ view: OpaquePointer?, _ name: UnsafePointer<CChar>?, _ length: Int,
  _ style: UnsafePointer<carve_symbol_style>?, _ symbol: UnsafeMutablePointer<carve_symbol>?,
  _ limits: UnsafePointer<carve_limits>?, _ error: UnsafeMutablePointer<carve_error>?
) -> Int32 {
  guard let view, let name = text(name, length),
    let symbol = symbol.flatMap({ CallerStructure($0) }),
    let limits = DecodeLimits(limits), let request = RequestedSymbolStyle(style)
  else {
    return reportArgument(
      "no view, name or place for the symbol, or an invalid style or limits", to: error)
  }
  let seen = CarveRuntime.view(view)
  guard let found = seen.symbol(utf8: name, request.style) else {
    return report(CARVE_NONE, "no such symbol", to: error)
  }
  do throws(CatalogError) {
    let page = try seen.catalog.page(of: found, pointSize: request.pointSize, limits: limits)
    symbol.store(carve_symbol(page, isExact: found.isExact))
    return Int32(CARVE_OK)
  } catch let trouble {
    return report(trouble, to: error)
  }
}

/// Draws a symbol into pixels of the C caller, with memory that may serve the next symbol too.
private func draw(
  _ view: OpaquePointer?, _ name: UnsafeRawBufferPointer?, _ request: RequestedSymbolStyle?,
  _ content: ContentRequest?, _ tint: OptionalTint?, _ width: UInt32, _ height: UInt32,
  _ room: inout DecodingRoom, _ error: UnsafeMutablePointer<carve_error>?
) -> Int32 {
  guard let view, let name, let request, let content, let tint else {
    return reportArgument(
      "no view, name or pixels, or an invalid style, layout, space or tint", to: error)
  }
  let seen = CarveRuntime.view(view)
  guard let found = seen.symbol(utf8: name, request.style) else {
    return report(CARVE_NONE, "no such symbol", to: error)
  }
  let target = VectorTarget(
    layout: content.layout, space: content.space, tint: tint.tint, isMirrored: found.isMirrored,
    pixels: content.pixels, rowStride: content.stride)
  do throws(CatalogError) {
    try seen.catalog.drawSymbol(
      found, request.rendering, PixelSize(width: Int(width), height: Int(height)), target,
      content.limits, &room)
    return Int32(CARVE_OK)
  } catch let trouble {
    return report(trouble, to: error)
  }
}

@c @implementation
public func carve_draw_symbol(
  _ view: OpaquePointer?, _ name: UnsafePointer<CChar>?, _ length: Int,
  _ style: UnsafePointer<carve_symbol_style>?, _ layout: Int32, _ space: Int32, _ width: UInt32,
  _ height: UInt32, _ tint: UnsafePointer<carve_color>?, _ pixels: UnsafeMutableRawPointer?,
  _ size: Int, _ stride: Int, _ limits: UnsafePointer<carve_limits>?,
  _ error: UnsafeMutablePointer<carve_error>?
) -> Int32 {
  var room = DecodingRoom()
  return draw(
    view, text(name, length), RequestedSymbolStyle(style),
    ContentRequest(layout, space, pixels, size, stride, limits), OptionalTint(tint), width, height,
    &room, error)
}

@c @implementation
public func carve_decoder_draw_symbol(
  _ handle: OpaquePointer?, _ view: OpaquePointer?, _ name: UnsafePointer<CChar>?, _ length: Int,
  _ style: UnsafePointer<carve_symbol_style>?, _ layout: Int32, _ space: Int32, _ width: UInt32,
  _ height: UInt32, _ tint: UnsafePointer<carve_color>?, _ pixels: UnsafeMutableRawPointer?,
  _ size: Int, _ stride: Int, _ limits: UnsafePointer<carve_limits>?,
  _ error: UnsafeMutablePointer<carve_error>?
) -> Int32 {
  guard let handle else { return reportArgument("no decoder", to: error) }
  let decoder = decoder(handle).takeUnretainedValue()
  if let view, CarveRuntime.view(view).storage !== decoder.catalog.storage {
    return reportArgument("a view of an archive other than the decoder's", to: error)
  }
  return draw(
    view, text(name, length), RequestedSymbolStyle(style),
    ContentRequest(layout, space, pixels, size, stride, limits), OptionalTint(tint), width, height,
    &decoder.room, error)
}

extension carve_symbol {
  fileprivate init(_ page: SymbolPage, isExact: Bool) {
    self.init(
      size: 0, is_exact: isExact ? 1 : 0, is_interpolated: page.isInterpolated ? 1 : 0,
      has_hierarchy: page.hasHierarchy ? 1 : 0, has_colors: page.hasColors ? 1 : 0,
      width: page.width, height: page.height, depth: page.depth, cap_height: page.capHeight,
      left_margin: page.leftMargin, right_margin: page.rightMargin,
      template_version: page.templateVersion)
  }
}
