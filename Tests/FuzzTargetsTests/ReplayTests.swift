// Every seed and every input that once crashed a reader, thrown at it again.

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

  /// Cut short, or with a byte changed, a good input must not trap either.
  @Test(arguments: FuzzTarget.all) func damagedSeedsReturn(target: FuzzTarget) throws {
    var random = SeededGenerator.forTest(0x5EED)
    print("\(target.name): \(random)")
    for file in files("Seeds", target) {
      let seed = [UInt8](try Data(contentsOf: file))
      seed.withUnsafeBytes { target.run($0) }
      for _ in 0..<20 where !seed.isEmpty {
        var damaged = Array(seed.prefix(random.pick(0...seed.count)))
        if !damaged.isEmpty {
          damaged[random.pick(0...damaged.count - 1)] = UInt8(random.pick(0...255))
        }
        damaged.withUnsafeBytes { target.run($0) }
      }
    }
  }
}

extension FuzzTarget: CustomTestStringConvertible {
  public var testDescription: String { name }
}
