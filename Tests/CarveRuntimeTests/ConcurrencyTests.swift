// Tests many threads on one catalogue at once: each finds the same as it would alone. `make tsan`
// runs them under the thread sanitizer.

import CarveRuntime
import CatalogModel
import Synchronization
import Testing
import Traits
@testable import Host

@Suite struct ConcurrencyTests {
  @Test func viewsAreMadeSharedAndDroppedByManyThreads() throws {
    var builder = sampleBuilder()
    let catalog = try builder.catalog()
    let wrong = Atomic(0)
    parallelForEach(count: 400, jobs: 4) { index, worker in
      let traits = environment {
        $0.scale = UInt8(1 + index % 3)
        $0.style = index % 2 == 0 ? .dark : .any
        $0.subtype = UInt16(index % 90)
        $0.languages = [UInt16(worker)]
      }
      let view = catalog.view(for: traits)
      let seed = Int(traits.scale) + (traits.style == .dark ? 10 : 0)
      let expected = TestPicture(width: 4 * Int(traits.scale), seed: seed)
      guard let star = view.find("Group/Star"), view.environment == traits else {
        wrong.add(1, ordering: .relaxed)
        return
      }
      var pixels = [UInt8](repeating: 0, count: expected.pixels.count)
      pixels.withUnsafeMutableBytes { buffer in
        try? catalog.decode(
          star, as: .bgra8, into: buffer, rowStride: star.pixelSize.width * 4)
      }
      if pixels != expected.pixels { wrong.add(1, ordering: .relaxed) }
    }
    #expect(wrong.load(ordering: .relaxed) == 0)
  }
}
