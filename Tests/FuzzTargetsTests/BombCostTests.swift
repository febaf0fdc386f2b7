// Gives each bomb (a small file that demands much work or memory) to its reader and to the tool. It
// must cost no more than its size allows, and end with a clear answer.

import Foundation
import FuzzTargets
import Support
import Testing

/// The tests do not run under a sanitizer, because a sanitizer takes memory of its own.
@Suite(.enabled(if: ProcessInfo.processInfo.environment["CARVE_SANITIZER"] == nil))
struct BombCostTests {
  @Test(arguments: Bomb.all) func aBombCostsWhatItsSizeAllows(bomb: Bomb) throws {
    let files = bomb.files
    for reader in bomb.readers {
      let first = try #require(files.first)
      let excess = first.bytes.withUnsafeBytes { bytes in
        reader.bound.excess(of: reader.cost(of: bytes), input: bytes.count)
      }
      #expect(excess == nil, "\(reader.name)")
    }
    let folder = try TemporaryDirectory()
    for file in files { try folder.write(file.bytes, to: file.path) }
    // If the tool does not end or takes too much memory, the system ends it, and it has no exit
    // code of its own.
    let limits = "ulimit -t 60; ulimit -v \(bomb.megabytes << 10); exec \"$@\""
    let result = try run(
      "/bin/sh", ["-c", limits, "sh", productFolder + "/carve"] + bomb.command, in: folder.path)
    #expect([0, 1].contains(result.code), "\(result.code): \(result.stderr.prefix(500))")
    if result.code == 1 { #expect(!(result.stderr + result.stdout).isEmpty) }
  }

  @Test func bombsAreManyAndHaveNamesOfTheirOwn() {
    #expect(Bomb.all.count >= 60)
    #expect(Set(Bomb.all.map(\.name)).count == Bomb.all.count)
  }

  /// A check that cannot fail proves nothing: work and memory beyond a bound are found.
  @Test func costsAboveTheBoundAreFound() {
    let bound = CostBound(time: 1_000, timePerByte: 0, memory: 1_000, memoryPerByte: 1)
    let work = Cost(instructions: 4_000_000, nanoseconds: 9, memory: 0)
    #expect(bound.excess(of: work, input: 10)?.contains("µs") == true)
    let time = Cost(instructions: 0, nanoseconds: 1_100_000, memory: 0)
    #expect(bound.excess(of: time, input: 10)?.contains("µs") == true)
    let memory = Cost(instructions: 9, nanoseconds: 9, memory: 1_011)
    #expect(bound.excess(of: memory, input: 10)?.contains("memory") == true)
    #expect(bound.excess(of: memory, input: 11) == nil)
    let little = Cost.of { _ = [UInt8](repeating: 1, count: 1 << 20).map { $0 &+ 1 } }
    #expect(little.memory >= 1 << 20 && little.nanoseconds + little.instructions > 0)
  }
}

extension Bomb: CustomTestStringConvertible {
  public var testDescription: String { name }
}
