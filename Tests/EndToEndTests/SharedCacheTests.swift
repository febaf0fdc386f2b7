// Tests one cache under many simultaneous runs, and under runs that are killed: the result is that
// of a run without a cache. `make kills` tries 200 kills (CARVE_KILLS).

import Foundation
import Support
import Testing

@Suite struct SharedCacheTests {
  private let folder: TemporaryDirectory
  private static let line = ["compile", "A.xcassets", "--cache", "kept", "-o"]

  init() throws {
    folder = try TemporaryDirectory()
    for name in ["Scales", "Colors", "Data", "Vectors"] {
      try folder.copy("\(sampleCatalogs)/\(name).xcassets", to: "A.xcassets/\(name)")
    }
    try folder.write(#"{"info": {"version": 1, "author": "x"}}"#, to: "A.xcassets/Contents.json")
    for (name, side) in [("Small", 20), ("Large", 300)] {
      try paint(name, side, 0)
      try folder.write(
        #"{"images": [{"idiom": "universal", "filename": "a.png", "scale": "2x"}], "#
          + #""info": {"version": 1, "author": "x"}}"#,
        to: "A.xcassets/Scales/\(name).imageset/Contents.json")
    }
    let clean = try runTool(["compile", "A.xcassets", "-o", "clean.car"], in: folder.path)
    #expect(clean.code == 0, "\(clean.stderr)")
  }

  private func paint(_ name: String, _ side: Int, _ seed: UInt8) throws {
    try folder.write(
      patternPNG(width: side, height: side, seed: seed),
      to: "A.xcassets/Scales/\(name).imageset/a.png")
  }

  private func start(_ output: String) throws -> Process { try start(Self.line + [output]) }

  private func start(_ words: [String]) throws -> Process {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: productFolder + "/carve")
    process.arguments = words
    process.currentDirectoryURL = URL(fileURLWithPath: folder.path)
    process.environment = programVariables()
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    return process
  }

  @Test func sixteenRunsAtOnceShareOneCache() throws {
    let clean = try folder.read("clean.car")
    for _ in 0..<2 {
      // Every second process writes to the same place as its neighbour.
      let processes = try (0..<16).map { try start("out\($0 / 2).car") }
      for process in processes {
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
      }
      for index in 0..<8 { #expect(try folder.read("out\(index).car") == clean) }
    }
    let verified = try runTool(["cache", "--verify", "--cache", "kept"], in: folder.path)
    #expect(
      verified.stdout.hasSuffix("intact files, 0 damaged files removed\n"), "\(verified.stdout)")
  }

  @Test func killedRunsLeaveNothingWrong() throws {
    let kills = ProcessInfo.processInfo.environment["CARVE_KILLS"].flatMap { Int($0) } ?? 6
    var random = SystemRandomNumberGenerator()
    for kill in 0..<kills {
      // The cache of a run is empty, partly filled or complete.
      if kill % 5 == 4 { try? FileManager.default.removeItem(atPath: folder.path("kept")) }
      if kill % 4 == 0 { try? FileManager.default.removeItem(atPath: folder.path("out.car")) }
      // In most runs one picture changed and the archive of the last run exists.
      if kill % 3 != 0 { try paint("Small", 20, UInt8(truncatingIfNeeded: kill)) }
      if kill % 3 != 1 { try paint("Large", 300, UInt8(truncatingIfNeeded: kill)) }
      let plain = try runTool(["compile", "A.xcassets", "-o", "clean.car"], in: folder.path)
      #expect(plain.code == 0)
      let clean = try folder.read("clean.car")
      let process = try start("out.car")
      let wait = UInt32.random(in: 0..<60_000, using: &random)
      usleep(wait)
      Foundation.kill(process.processIdentifier, SIGKILL)
      process.waitUntilExit()
      let next = try runTool(Self.line + ["out.car"], in: folder.path)
      #expect(next.code == 0, "after \(wait) microseconds: \(next.stderr)")
      #expect(try folder.read("out.car") == clean, "killed after \(wait) microseconds")
    }
    try expectNothingUnfinished()
  }

  /// After a kill, the object or archive is the old one, the new one, or does not exist.
  @Test func killedObjectsAndLinksLeaveNothingWrong() throws {
    let clean = try folder.read("clean.car")
    let groups = ["Scales", "Colors", "Data", "Vectors"]
    let kills = ProcessInfo.processInfo.environment["CARVE_KILLS"].flatMap { Int($0) } ?? 6
    let lines =
      groups.map {
        ["compile", "--object", "A.xcassets/\($0)", "--cache", "kept", "-o", "\($0).caro"]
      } + [["link"] + groups.map { "\($0).caro" } + ["--cache", "kept", "-o", "out.car"]]
    for line in lines { #expect(try runTool(line, in: folder.path).code == 0) }
    #expect(try folder.read("out.car") == clean)
    var random = SystemRandomNumberGenerator()
    for kill in 0..<kills {
      let place = kill % 2 == 0 ? lines.count - 1 : kill / 2 % groups.count
      if kill % 3 == 0 { try? FileManager.default.removeItem(atPath: folder.path("kept")) }
      if kill % 4 < 2, let output = lines[place].last {
        try FileManager.default.removeItem(atPath: folder.path(output))
      }
      let process = try start(lines[place])
      let wait = UInt32.random(in: 0..<40_000, using: &random)
      usleep(wait)
      Foundation.kill(process.processIdentifier, SIGKILL)
      process.waitUntilExit()
      for line in lines[place...] {
        let next = try runTool(line, in: folder.path)
        #expect(next.code == 0, "after \(wait) microseconds: \(next.stderr)")
      }
      #expect(try folder.read("out.car") == clean, "killed after \(wait) microseconds")
    }
    try expectNothingUnfinished()
  }

  private func expectNothingUnfinished() throws {
    let left = try folder.files(below: ".").filter { $0.contains(".carve-") }
    #expect(left.isEmpty, "\(left)")
    let verified = try runTool(["cache", "--verify", "--cache", "kept"], in: folder.path)
    #expect(
      verified.stdout.hasSuffix("intact files, 0 damaged files removed\n"), "\(verified.stdout)")
  }
}
