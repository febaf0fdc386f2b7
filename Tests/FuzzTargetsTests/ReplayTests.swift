// Gives every seed, and every input that has ever crashed a reader, to its reader.

import Foundation
import FuzzTargets
import Support
import Testing

private func files(_ kind: String, _ target: FuzzTarget) -> [URL] {
  let folder = URL(fileURLWithPath: "\(packageRoot)/Tests/Fuzz/\(kind)/\(target.name)")
  let found = try? FileManager.default.contentsOfDirectory(
    at: folder, includingPropertiesForKeys: nil)
  return (found ?? []).sorted { $0.path < $1.path }
}

@Suite struct ReplayTests {
  @Test func pastCrashesReturn() throws {
    for target in FuzzTarget.all {
      for file in files("Crashes", target) {
        try Data(contentsOf: file).withUnsafeBytes { target.run($0) }
      }
    }
  }

  /// A good input that is cut or has a changed byte must not trap either.
  @Test(arguments: FuzzTarget.all) func damagedSeedsReturn(target: FuzzTarget) throws {
    var random = SeededGenerator.forTest(0x5EED)
    print("\(target.name): \(random)")
    let rounds = ProcessInfo.processInfo.environment["CARVE_DAMAGES"].flatMap { Int($0) } ?? 20
    for file in files("Seeds", target) {
      let seed = [UInt8](try Data(contentsOf: file))
      seed.withUnsafeBytes { target.run($0) }
      for _ in 0..<rounds where !seed.isEmpty {
        var damaged = Array(seed.prefix(random.pick(0...seed.count)))
        if !damaged.isEmpty {
          damaged[random.pick(0...damaged.count - 1)] = UInt8(random.pick(0...255))
        }
        damaged.withUnsafeBytes { target.run($0) }
      }
    }
  }
}

extension ReplayTests {
  /// Objects have checksums and lengths. A cut object fails these checks, so bytes are changed
  /// instead.
  @Test func changedObjectsReturn() throws {
    let target = try #require(FuzzTarget.all.first { $0.name == "object" })
    var random = SeededGenerator.forTest(0x0B1E)
    print("changed objects: \(random)")
    let rounds = ProcessInfo.processInfo.environment["CARVE_DAMAGES"].flatMap { Int($0) } ?? 20
    for file in files("Seeds", target) {
      let seed = [UInt8](try Data(contentsOf: file))
      for _ in 0..<rounds {
        var changed = seed
        // The description of the blocks lies behind the blocks.
        let start = random.pick(0...1) == 0 ? 64 : seed.count * 3 / 4
        for _ in 0...random.pick(0...6) {
          changed[random.pick(start...seed.count - 1)] = UInt8(random.pick(0...255))
        }
        changed.withUnsafeBytes { target.run($0) }
      }
    }
  }
}

extension FuzzTarget: CustomTestStringConvertible {
  public var testDescription: String { name }
}
