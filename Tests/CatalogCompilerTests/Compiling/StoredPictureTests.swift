// Pictures that are stored unchanged, and pictures whose pixels must be stored exactly.

import Archive
import CarveRuntime
import Support
import Testing
import Traits

@testable import CatalogCompiler

@Suite struct StoredPictureTests {
  private static let files: [(name: String, bytes: [UInt8], StoredFormat, RenditionContent)] = [
    ("a.jpg", jpeg(width: 30, height: 20), .jpeg, .jpeg),
    ("a.heic", heif("heic", width: 30, height: 20), .heif, .heif),
  ]

  @Test(arguments: files) func theFileIsTheBlock(
    file: (name: String, bytes: [UInt8], format: StoredFormat, content: RenditionContent)
  ) throws {
    var sources = SampleSources()
    sources.add(
      "Photo.imageset/Contents.json",
      #"{"images":[{"filename":"\#(file.name)","scale":"2x"}]}"#)
    sources.files["A.xcassets/Photo.imageset/\(file.name)"] = .bytes(file.bytes)
    let bytes = try sources.compiled().bytes
    let headers = try renditions(bytes).map(\.header)
    let header = try #require(headers.first)
    #expect(headers.count == 1 && header.name == file.name)
    #expect(header.pixelFormat == file.format && header.colorSpace == .sRGB)
    #expect(header.scaleFactor == 200 && header.layout == .onePartScale)
    let catalog = try CarveRuntime.Catalog(bytes: bytes)
    let variant = try #require(catalog.view(for: Environment()).find("Photo"))
    #expect(variant.content == file.content)
    #expect(variant.pixelSize.width == 30 && variant.pixelSize.height == 20)
    let points = try #require(variant.pointSize)
    #expect(points.width == 15 && points.height == 10)
    #expect(try catalog.file(of: variant) == file.bytes)
  }

  @Test(arguments: files) func aCutFileIsAnError(
    file: (name: String, bytes: [UInt8], format: StoredFormat, content: RenditionContent)
  ) throws {
    var sources = SampleSources()
    sources.add(
      "Photo.imageset/Contents.json", #"{"images":[{"filename":"\#(file.name)"}]}"#)
    sources.files["A.xcassets/Photo.imageset/\(file.name)"] = .bytes(Array(file.bytes.dropLast(2)))
    let report = try sources.compiled().report
    #expect(report.isRefused && report.diagnostics.map(\.code) == [.cutImage])
  }

  /// The content of these files is known only when they are encoded, after their names are planned.
  @Test func aNameWithoutPicturesIsNotInTheArchive() throws {
    var sources = SampleSources()
    for name in ["Left", "Kept"] {
      sources.add("\(name).imageset/Contents.json", #"{"images":[{"filename":"a.png"}]}"#)
    }
    sources.files["A.xcassets/Left.imageset/a.png"] = .bytes(
      Array("GIF89a".utf8) + [1, 0, 1, 0, 0, 0, 0, 0x3B])
    sources.files["A.xcassets/Kept.imageset/a.png"] = .bytes(png(width: 2, height: 2))
    let (report, bytes) = try sources.compiled()
    #expect(report.diagnostics.map(\.code) == [.unsupportedFormat] && !report.isRefused)
    let names = try bytes.withUnsafeBytes { try Archive($0).facets().map(\.name) }
    #expect(names == ["Kept"] && report.nameCount == 1)
  }

  @Test func aPictureThatAnotherRenditionNeedsIsNotLeftOut() throws {
    var sources = SampleSources()
    sources.add("S.spriteatlas/Contents.json", "{}")
    sources.add("S.spriteatlas/A.imageset/Contents.json", #"{"images":[{"filename":"a.png"}]}"#)
    sources.files["A.xcassets/S.spriteatlas/A.imageset/a.png"] = .bytes(
      Array("GIF89a".utf8) + [1, 0, 1, 0, 0, 0, 0, 0x3B])
    let report = try sources.compiled().report
    #expect(report.isRefused)
    let found = report.diagnostics.filter { $0.severity == .error }
    #expect(found.map(\.code) == [.unsupportedFormat] && found.first?.notes.count == 1)
  }

  /// The same colours in two sets. They are stored in fewer bytes if they are rounded, which one of
  /// the sets does not allow.
  @Test func losslessPixelsAreThoseOfTheFile() throws {
    let side = 200
    let samples = (0..<side * side).flatMap { place -> [UInt8] in
      [UInt8(place % side), UInt8(place / side), UInt8((place * 7 + place / 31) & 15), 255]
    }
    var sources = SampleSources()
    for (name, property) in [("Free", ""), ("Exact", #""compression-type":"lossless""#)] {
      sources.files["A.xcassets/\(name).imageset/\(name).png"] = .bytes(
        png(width: side, height: side, color: .rgba, samples: samples))
      sources.add(
        "\(name).imageset/Contents.json",
        #"{"images":[{"filename":"\#(name).png"}],"properties":{\#(property)}}"#)
    }
    let catalog = try CarveRuntime.Catalog(bytes: try sources.compiled().bytes)
    let view = catalog.view(for: Environment())
    func pixels(_ name: String) throws -> [UInt8] {
      let variant = try #require(view.find(name))
      var pixels = [UInt8](repeating: 0, count: samples.count)
      try pixels.withUnsafeMutableBytes {
        try catalog.decode(variant, as: .rgba8, into: $0, rowStride: side * 4)
      }
      return pixels
    }
    #expect(try pixels("Exact") == samples)
    #expect(try pixels("Free") != samples)
  }
}
