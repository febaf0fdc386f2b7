// Gives every seed, and every input that has ever crashed a reader, to its reader.

import Foundation
import FuzzTargets
import Support
import Testing

/// Returns the entries of a folder below Tests/Fuzz. Throws an error if the folder does not exist.
/// Foundation does not list the entries of a link to a folder.
private func entries(_ folder: String) throws -> [URL] {
  let place = URL(fileURLWithPath: "\(packageRoot)/Tests/Fuzz/\(folder)")
  return try FileManager.default.contentsOfDirectory(
    at: place.resolvingSymlinksInPath(), includingPropertiesForKeys: nil
  ).sorted { $0.path < $1.path }
}

/// Returns the seeds of a target, at least one.
private func seeds(of target: FuzzTarget) throws -> [[UInt8]] {
  var seeds = try entries("Seeds/\(target.seeds)").map { [UInt8](try Data(contentsOf: $0)) }
  // The target `index` reads only indexes of today's version.
  if target.seeds == "archive" {
    var sources = SampleSources()
    sources.image("Star")
    seeds.append(try sources.compiled().bytes)
  }
  try #require(seeds.contains { !$0.isEmpty }, "\(target.name) has no seeds")
  return seeds
}

@Suite struct ReplayTests {
  @Test func pastCrashesReturn() throws {
    var count = 0
    for folder in try entries("Crashes") {
      let name = folder.lastPathComponent
      let target = try #require(FuzzTarget.all.first { $0.name == name }, "no target \(name)")
      for file in try entries("Crashes/\(name)") {
        try Data(contentsOf: file).withUnsafeBytes { target.run($0) }
        count += 1
      }
    }
    #expect(count > 0)
  }

  @Test func everyFolderOfSeedsHasATarget() throws {
    let folders = Set(try entries("Seeds").map(\.lastPathComponent))
    #expect(folders == Set(FuzzTarget.all.map(\.seeds)))
  }

  /// A good input that is cut or has a changed byte must not trap either.
  @Test(arguments: FuzzTarget.all) func damagedSeedsReturn(target: FuzzTarget) throws {
    var random = SeededGenerator.forTest(0x5EED)
    print("\(target.name): \(random)")
    let rounds = ProcessInfo.processInfo.environment["CARVE_DAMAGES"].flatMap { Int($0) } ?? 20
    for seed in try seeds(of: target) {
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
    let target = FuzzTarget.object
    var random = SeededGenerator.forTest(0x0B1E)
    print("changed objects: \(random)")
    let rounds = ProcessInfo.processInfo.environment["CARVE_DAMAGES"].flatMap { Int($0) } ?? 20
    for seed in try seeds(of: target) {
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
