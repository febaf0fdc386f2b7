// One file can need an entry with compressed pixels for one rendition, and none for another one,
// which is small enough for an atlas. Threads make the two in any order.

import Bytes
import Foundation
import Host
import Support
import Testing

@testable import CatalogCompiler

@Suite struct PictureCacheTests {
  private static let facts = PictureFacts(width: 3, height: 2, layout: .bgra8, isOpaque: false)
  private static let key = CacheKey("a picture") { $0.add(7) }

  /// Keeps entries for one key in a new folder, and returns the payload that the next run finds.
  private func payloadAfterKeeping(_ payloads: [[UInt8]]) throws -> [UInt8]? {
    let folder = try TemporaryDirectory()
    var options = CompileOptions(target: CompileTarget(platform: .iOS))
    options.cache = ByteString(folder.path("cache"))
    let cache = try #require(PictureCache(options))
    for payload in payloads {
      cache.keep(Self.facts, payload: payload, as: Self.key, LendableLock())
      #expect(
        cache.picture(Self.key, LendableLock(), ifAccepted: { _ in true }) { _ in true } != nil)
    }
    cache.settle()
    return try #require(PictureCache(options)).picture(Self.key) { $0.facts == Self.facts }?.payload
  }

  @Test func anEntryWithPixelsIsNotReplacedByOneWithout() throws {
    #expect(try payloadAfterKeeping([[1, 2, 3], []]) == [1, 2, 3])
    #expect(try payloadAfterKeeping([[], [1, 2, 3]]) == [1, 2, 3])
    #expect(try payloadAfterKeeping([[], []]) == [])
  }
}
