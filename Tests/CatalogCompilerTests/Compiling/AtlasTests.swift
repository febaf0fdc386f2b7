// Atlases: the pictures that lie in one atlas, and its codec.

import Archive
import Codecs
import Support
import Testing
import Traits

@testable import CatalogCompiler

/// An atlas: its name, its codec, and the names and frames of its links.
struct FoundAtlas {
  var name: String
  var compression: Compression
  var links: [(file: String, frame: [UInt32])]
}

func atlases(_ bytes: [UInt8]) throws -> [FoundAtlas] {
  try bytes.withUnsafeBytes { file in
    let archive = try Archive(file)
    var found: [RenditionKey: FoundAtlas] = [:]
    let all = try archive.renditions().map { ($0.key, try archive.rendition($0)) }
    for (key, rendition) in all where rendition.header.layout == .atlas {
      found[key] = FoundAtlas(
        name: rendition.header.name.text,
        compression: try BitmapPayload(rendition.payload.buffer).compression, links: [])
    }
    for (_, rendition) in all {
      guard let link = try rendition.link() else { continue }
      found[link.target]?.links.append(
        (rendition.header.name.text, [link.x, link.y, link.width, link.height]))
    }
    return found.values.sorted { $0.name < $1.name }
  }
}

@Suite struct AtlasTests {
  private static let mac = CompileTarget(platform: .macOS, minimum: OSVersion(11))

  /// An icon of a Mac with sides of 16 and 32 pixels at 1x.
  private func addIcon(to sources: inout SampleSources) {
    for side in [16, 32] {
      sources.files["A.xcassets/Icon.appiconset/\(side).png"] = .bytes(
        png(width: side, height: side, red: UInt8(side)))
    }
    sources.add(
      "Icon.appiconset/Contents.json",
      """
      {"images":[{"size":"16x16","scale":"1x","idiom":"mac","filename":"16.png"},
      {"size":"32x32","scale":"1x","idiom":"mac","filename":"32.png"}]}
      """)
  }

  @Test func `icons and images of a Mac lie in one atlas, with the codec of images`() throws {
    var sources = SampleSources()
    addIcon(to: &sources)
    sources.image("Star", scales: [1], points: 32, red: 9)
    sources.image("Moon", scales: [1], points: 20, red: 8)
    let found = try atlases(sources.compiled { $0.target = Self.mac }.bytes)
    #expect(found.map(\.name) == ["ZZZZPackedAsset-1.1.0-gamut0"])
    let atlas = try #require(found.first)
    #expect(atlas.compression == .deepMap2)
    // Of equal areas the image is placed before the icon.
    let places = atlas.links.sorted { ($0.frame[1], $0.frame[0]) < ($1.frame[1], $1.frame[0]) }
    #expect(places.prefix(2).map(\.file) == ["Star@1x.png", "32.png"])
    #expect(Set(places.map(\.file)) == ["Star@1x.png", "32.png", "Moon@1x.png", "16.png"])
  }

  @Test func `an atlas of icons alone has the codec of icons`() throws {
    var sources = SampleSources()
    addIcon(to: &sources)
    let found = try atlases(sources.compiled { $0.target = Self.mac }.bytes)
    #expect(found.count == 1 && found[0].compression != .deepMap2)
  }

  /// On a phone the icons have an idiom, and the images usually have none.
  @Test func `an image of phones shares the atlas of their icons`() throws {
    var sources = SampleSources()
    sources.files["A.xcassets/Icon.appiconset/40.png"] = .bytes(png(width: 40, height: 40, red: 1))
    sources.add(
      "Icon.appiconset/Contents.json",
      #"{"images":[{"size":"20x20","scale":"2x","idiom":"iphone","filename":"40.png"}]}"#)
    sources.image("All", scales: [2], points: 9)
    sources.image("Phone", scales: [2], points: 8)
    sources.add(
      "Phone.imageset/Contents.json",
      #"{"images":[{"idiom":"iphone","scale":"2x","filename":"Phone@2x.png"}]}"#)
    let found = try atlases(sources.compiled().bytes)
    #expect(found.map { Set($0.links.map(\.file)) } == [["40.png", "Phone@2x.png"]])
  }

  @Test func `an opaque bitmap of a vector lies with pictures that are not opaque`() throws {
    var sources = SampleSources()
    sources.add(
      "Tile.imageset/Contents.json", #"{"images":[{"idiom":"universal","filename":"t.svg"}]}"#)
    sources.add(
      "Tile.imageset/t.svg",
      #"<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9">"#
        + #"<rect width="9" height="9" fill="red"/></svg>"#)
    sources.image("Solid", scales: [1])
    sources.image("Other", scales: [1], points: 7)
    for name in ["Clear", "Glass"] {
      sources.image(name, scales: [1])
      sources.files["A.xcassets/\(name).imageset/\(name)@1x.png"] = .bytes(
        png(width: 8, height: 8, red: name == "Glass" ? 90 : 60, green: 1, alpha: 128))
    }
    let found = try atlases(sources.compiled { $0.target = Self.mac }.bytes)
    let files = found.map { Set($0.links.map(\.file)) }
    #expect(files.contains(["t.svg", "Clear@1x.png", "Glass@1x.png"]), "\(files)")
    #expect(files.contains(["Solid@1x.png", "Other@1x.png"]), "\(files)")
  }
}
