// Reads real archives of many tools completely, if CARVE_CORPUS names a folder of them.

import CarveRuntime
import Support
import Testing
import Traits

@Suite(.enabled(if: corpusRoot != nil, "CARVE_CORPUS names no folder"))
struct RealArchiveTests {
  @Test(arguments: corpusFiles(endingWith: ".car"))
  func everyVariantIsReadable(path: String) throws {
    let catalog = try Catalog(path: path)
    for asset in catalog.assets {
      #expect(catalog.id(of: asset.name, asset.kind) == asset.id)
      for place in catalog.keys(of: asset.id).indices {
        let variant = try #require(catalog.variant(place, of: asset.id))
        switch variant.content {
        case .bitmap, .atlasLink, .jpeg:
          var pixels = [UInt8](
            repeating: 0, count: try catalog.decodedSize(of: variant, as: .bgra8))
          try pixels.withUnsafeMutableBytes {
            try catalog.decode(
              variant, as: .bgra8, into: $0, rowStride: variant.pixelSize.width * 4)
          }
        case .color: _ = try catalog.color(of: variant)
        case .data, .heif, .pdf, .svg: _ = try catalog.fileSize(of: variant)
        case .other, .nothing: break
        }
      }
    }
  }
}
