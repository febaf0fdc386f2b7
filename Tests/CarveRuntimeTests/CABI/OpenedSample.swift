// Opens catalogues in memory through handles of C, for the tests of this folder.

import CCarve
import Testing
import Traits

/// Opens a catalogue of bytes, which the library copies.
func opened(_ bytes: [UInt8]) throws -> OpaquePointer {
  var catalog: OpaquePointer?
  var error = carve_error()
  #expect(carve_open_bytes(bytes, bytes.count, 0, &catalog, &error) == CARVE_OK)
  return try #require(catalog)
}

/// Opens the sample, with the colours, files and slices that only the tests of C use.
func openedSample(indexed: Bool = true) throws -> OpaquePointer {
  var builder = sampleBuilder()
  builder.addColor("Text", VariantKey(), [0.5, 1], space: .extendedGray, systemName: "labelColor")
  builder.addFile(
    "Typed", VariantKey(), Array("{}".utf8), properties: [.uti("public.json"), .orientation(1)])
  builder.addFile(
    "Turned", key { $0.scale = 2 }, [1, 2, 3], format: .jpeg, layout: .onePartScale,
    properties: [.slices([]), .orientation(6)])
  builder.addImage(
    "Button", VariantKey(), TestPicture(width: 10, height: 10, seed: 1), layout: .ninePartTile,
    slices: DecodeTests.nine, flags: .template)
  builder.addFile("Flag", VariantKey(), Array(flagSVG.utf8), format: .svg, layout: .vector)
  return try opened(try builder.bytes(indexed: indexed))
}

func view(of catalog: OpaquePointer, _ text: String = "") throws -> OpaquePointer {
  var traits = carve_traits()
  var view: OpaquePointer?
  #expect(carve_traits_parse(text, &traits, MemoryLayout<carve_traits>.size, nil) == CARVE_OK)
  #expect(carve_view_for(catalog, &traits, &view, nil) == CARVE_OK)
  return try #require(view)
}

func emptyRendition() -> carve_rendition {
  var rendition = carve_rendition()
  rendition.size = UInt32(MemoryLayout<carve_rendition>.size)
  return rendition
}

func find(_ view: OpaquePointer, _ name: String, _ kind: Int) throws -> carve_rendition {
  var rendition = emptyRendition()
  #expect(
    carve_find(view, name, name.utf8.count, Int32(kind), &rendition) == CARVE_OK, "\(name)")
  return rendition
}

func text(_ start: UnsafePointer<CChar>?, _ length: Int) -> String {
  String(decoding: UnsafeRawBufferPointer(start: start, count: length), as: UTF8.self)
}

func message(of error: carve_error) -> String {
  withUnsafeBytes(of: error.message) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
}
