// A preserved vector that the run time draws at the size of a compiled bitmap has the pixels of
// that bitmap.

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
    }
  }
}
