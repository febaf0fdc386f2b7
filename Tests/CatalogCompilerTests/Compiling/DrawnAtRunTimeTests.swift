// A preserved vector that the run time draws at the size of a compiled bitmap has the pixels of
// that bitmap.

import CCarve
import CarveRuntime
import Support
import Testing
import Traits

@testable import CatalogCompiler
@testable import Host

@Suite struct DrawnAtRunTimeTests {
  private static let svg = """
    <svg xmlns="http://www.w3.org/2000/svg" width="10.4" height="7.3" viewBox="0 0 10 8">
    <circle cx="4" cy="4" r="3.3" fill="#c03060"/>
    <path d="M1 1L9 7" stroke="#2040ff" stroke-width="0.7" opacity="0.6"/></svg>
    """

  private static let pdf: String = {
    let content = "0.2 0.6 0.1 rg 1 1 m 9.1 2.2 l 4 6.5 l f 1 0 0 RG 0.5 w 0 0 m 10 6 l S"
    return """
      %PDF-1.4
      1 0 obj <</Type/Catalog/Pages 2 0 R>> endobj
      2 0 obj <</Type/Pages/Kids[3 0 R]/Count 1>> endobj
      3 0 obj <</Type/Page/Parent 2 0 R/MediaBox[0 0 10.4 7.3]/Contents 4 0 R>> endobj
      4 0 obj <</Length \(content.utf8.count)>> stream
      \(content)
      endstream endobj
      trailer <</Root 1 0 R>>

      """
  }()

  @Test(arguments: [("a.svg", svg), ("a.pdf", pdf)], [false, true])
  func theSizeOfABitmapGivesItsPixels(file: (name: String, text: String), isPreserved: Bool) throws
  {
    var sources = SampleSources()
    sources.add(
      "V.imageset/Contents.json",
      """
      {"images":[{"filename":"\(file.name)"}],
      "properties":{"preserves-vector-representation":\(isPreserved)}}
      """)
    sources.add("V.imageset/\(file.name)", file.text)
    let (_, bytes) = try sources.compiled {
      $0.target = CompileTarget(platform: .iOS)
      $0.packsSprites = false
    }
    let catalog = try Catalog(bytes: bytes)
    let id = AssetID("V")
    let variants = catalog.keys(of: id).indices.compactMap { catalog.variant($0, of: id) }
    let vector = try #require(variants.first { $0.isVector })
    let bitmaps = variants.filter { !$0.isVector }
    #expect(bitmaps.map(\.scale).sorted() == [1, 2, 3])
    for bitmap in bitmaps {
      // A lookup finds the bitmap; the vector with its traits is found beside it.
      var window = Environment()
      window.scale = UInt8(bitmap.scale)
      let view = catalog.view(for: window)
      #expect(view.find("V")?.choice == bitmap.choice)
      #expect(view.findVector("V")?.choice == vector.choice)
      #expect(view.findVector(id)?.choice == vector.choice)
      let size = bitmap.pixelSize
      var stored = [UInt8](repeating: 0, count: size.width * size.height * 4)
      var drawn = stored
      try stored.withUnsafeMutableBytes {
        try catalog.decode(bitmap, as: .bgra8, into: $0, rowStride: size.width * 4)
      }
      try drawn.withUnsafeMutableBytes {
        try catalog.drawVector(
          vector, as: .bgra8, width: size.width, height: size.height, into: $0,
          rowStride: size.width * 4)
      }
      #expect(stored == drawn && stored.contains { $0 != 0 }, "\(bitmap.scale)x")
      // Drawing the bitmap at a size draws the vector that is kept beside it.
      drawn = [UInt8](repeating: 0, count: drawn.count)
      try drawn.withUnsafeMutableBytes {
        try catalog.drawVector(
          bitmap, as: .bgra8, width: size.width, height: size.height, into: $0,
          rowStride: size.width * 4)
      }
      #expect(stored == drawn, "\(bitmap.scale)x")
      #expect(try catalog.vectorPage(of: bitmap) == catalog.vectorPage(of: vector))
    }
  }

  /// Compiles one set with a vector for any style, and one for dark if that is given, and pictures
  /// of one scale.
  private func catalog(_ entries: String) throws -> Catalog {
    var sources = SampleSources()
    sources.add(
      "V.imageset/Contents.json",
      #"{"images":[\#(entries)],"properties":{"preserves-vector-representation":true}}"#)
    sources.add("V.imageset/a.svg", DrawnAtRunTimeTests.svg)
    sources.add("V.imageset/b.pdf", DrawnAtRunTimeTests.pdf)
    sources.files["A.xcassets/V.imageset/a.png"] = .bytes(png(width: 20, height: 15))
    sources.image("Plain")
    return try Catalog(bytes: try sources.compiled().bytes)
  }

  private func vector(in catalog: Catalog, _ name: String = "V", dark: Bool) -> Variant? {
    var window = Environment()
    window.scale = 2
    window.style = dark ? .dark : .light
    return catalog.view(for: window).findVector(name)
  }

  @Test func theVectorHasTheTraitsOfTheBitmap() throws {
    let dark = #""appearances":[{"appearance":"luminosity","value":"dark"}]"#
    let both = try catalog(#"{"filename":"a.svg"},{"filename":"b.pdf",\#(dark)}"#)
    #expect(vector(in: both, dark: false)?.content == .svg)
    #expect(vector(in: both, dark: true)?.content == .pdf)
    // The dark picture is a bitmap of its own, of which no vector is kept.
    let one = try catalog(#"{"filename":"a.svg"},{"filename":"a.png","scale":"2x",\#(dark)}"#)
    #expect(vector(in: one, dark: false)?.content == .svg)
    #expect(vector(in: one, dark: true) == nil)
    #expect(vector(in: one, "Plain", dark: false) == nil)
    #expect(vector(in: one, "Absent", dark: false) == nil)
    var window = Environment()
    window.scale = 2
    let plain = try #require(one.view(for: window).find("Plain"))
    #expect(throws: CatalogError.self) { try one.vectorPage(of: plain) }
  }

  @Test func theFunctionOfCFindsTheSame() throws {
    let bytes: [UInt8] = try {
      var sources = SampleSources()
      sources.add(
        "V.imageset/Contents.json",
        #"{"images":[{"filename":"a.svg"}],"properties":{"preserves-vector-representation":true}}"#)
      sources.add("V.imageset/a.svg", DrawnAtRunTimeTests.svg)
      sources.image("Plain")
      return try sources.compiled().bytes
    }()
    var catalog: OpaquePointer?
    var view: OpaquePointer?
    var traits = carve_traits()
    carve_traits_init(&traits, MemoryLayout<carve_traits>.size)
    traits.scale = 2
    #expect(carve_open_bytes(bytes, bytes.count, 0, &catalog, nil) == CARVE_OK)
    #expect(carve_view_for(catalog, &traits, &view, nil) == CARVE_OK)
    defer {
      carve_view_close(view)
      carve_close(catalog)
    }
    var found = carve_rendition()
    found.size = UInt32(MemoryLayout<carve_rendition>.size)
    let image = Int32(CARVE_IMAGE)
    #expect(carve_find(view, "V", 1, image, &found) == CARVE_OK && found.scale == 2)
    var page = carve_vector()
    page.size = UInt32(MemoryLayout<carve_vector>.size)
    #expect(carve_get_vector(catalog, &found, &page, nil, nil) == CARVE_OK)
    #expect(carve_find_vector(view, "V", 1, image, &found) == CARVE_OK)
    #expect(Int(found.content) == Int(CARVE_CONTENT_SVG) && found.scale == 0)
    #expect(carve_find_vector(view, "Plain", 5, image, &found) == CARVE_NONE)
    #expect(carve_find_vector(view, "Absent", 6, image, &found) == CARVE_NONE)
    #expect(carve_find_vector(view, "V", 1, 99, &found) == CARVE_BAD_ARGUMENT)
    #expect(carve_find_vector(nil, "V", 1, image, &found) == CARVE_BAD_ARGUMENT)
    #expect(carve_find_vector(view, "V", 1, image, nil) == CARVE_BAD_ARGUMENT)
  }
}
