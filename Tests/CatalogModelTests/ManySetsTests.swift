// Tests that reading many sets takes time in proportion to their number.

import Bytes
import Glibc
import Testing

@testable import CatalogModel
@testable import Host

@Suite struct ManySetsTests {
  /// Returns the processor time of reading a catalogue with a number of colours.
  private func cost(ofSets count: Int) -> Double {
    var files: [ByteString: MemoryFile] = ["A.xcassets": .folder]
    let contents = Array(#"{"colors":[]}"#.utf8)
    for number in 0..<count {
      files["A.xcassets/C\(number).colorset/Contents.json"] = .bytes(contents)
    }
    let tree = FileTree.memory(files)
    func now() -> Double {
      var time = timespec()
      clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
      return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
    let start = now()
    let assets = readCatalogs(["A.xcassets"], in: tree, options: ReadingOptions(jobs: 1)).assets
    #expect(assets.count == count)
    return now() - start
  }

  @Test func theTimeGrowsWithTheNumberOfSets() {
    let few = (0..<3).map { _ in cost(ofSets: 1_000) }.min() ?? 0
    let many = cost(ofSets: 16_000)
    // If each set copied the list of all sets, it would take more than 60 times as long.
    #expect(many < 32 * few, "\(few), \(many)")
  }
}
