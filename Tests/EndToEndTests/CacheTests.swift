// Tests the place, the owner and the size of the cache, and the output of `carve cache`.

import Foundation
import Support
import Testing

@Suite struct CacheTests {
  private let folder: TemporaryDirectory

  init() throws {
    folder = try TemporaryDirectory()
    for (index, name) in ["Star", "Moon"].enumerated() {
      try imageSet(name, side: 300, UInt8(index))
    }
    try folder.write(#"{"info": {"version": 1, "author": "x"}}"#, to: "A.xcassets/Contents.json")
  }

  /// Writes a set with noise, which cannot be compressed, so that its entry in the cache is as
  /// large as the picture.
  private func imageSet(_ name: String, side: Int, _ seed: UInt8) throws {
    try folder.write(
      noisePNG(side: side, seed: UInt64(seed)), to: "A.xcassets/\(name).imageset/a.png")
    try folder.write(
      #"{"images": [{"idiom": "universal", "filename": "a.png", "scale": "2x"}], "#
        + #""info": {"version": 1, "author": "x"}}"#,
      to: "A.xcassets/\(name).imageset/Contents.json")
  }

  private func carve(_ words: String, _ environment: [String: String] = [:]) throws -> ToolResult {
    try runTool(
      words.split(separator: " ").map(String.init), in: folder.path, environment: environment)
  }

  private func exists(_ path: String) -> Bool {
    FileManager.default.fileExists(atPath: folder.path(path))
  }

  private func shell(_ script: String) throws -> ToolResult {
    try run("/bin/sh", ["-c", script], in: folder.path, environment: ["PATH": "/usr/bin:/bin"])
  }

  @Test(arguments: [
    (["XDG_CACHE_HOME": "@/x/y", "HOME": "@/home"], "x/y/carve"),
    (["HOME": "@/home"], "home/.cache/carve"),
    (["XDG_CACHE_HOME": "relative", "HOME": "@/home"], "home/.cache/carve"),
    (["CARVE_CACHE": "@/mine", "HOME": "@/home"], "mine"),
    (["CARVE_CACHE": "", "XDG_CACHE_HOME": "", "HOME": "@/home"], "home/.cache/carve"),
  ])
  func theUsersFolderIsUsedIfNoOtherIsNamed(_ variables: [String: String], _ place: String) throws {
    let environment = variables.mapValues { $0.replacingOccurrences(of: "@", with: folder.path) }
    let result = try carve("compile --cache A.xcassets -o out.car", environment)
    #expect(result.code == 0 && !result.stderr.contains("warning: nothing"), "\(result.stderr)")
    #expect(try folder.files(below: place).count == 5, "two pictures, a record, size and lock")
    let stats = try carve("cache --stats", environment)
    #expect(stats.stdout.hasPrefix("\(folder.path(place)): 2 pictures, "), "\(stats.stdout)")
    #expect(stats.stdout.contains(": 1 run, "))
  }

  @Test func theFolderMayStandApartOrNot() throws {
    _ = try carve("compile --cache=one A.xcassets -o out.car")
    _ = try carve("compile --cache two A.xcassets -o out.car")
    _ = try carve("compile A.xcassets -o out.car --cache three")
    #expect(exists("one/runs") && exists("two/runs") && exists("three/runs"))
    #expect(try carve("compile A.xcassets/ -o out.car --cache=").code == 2)
    let without = try carve("compile --cache A.xcassets -o out.car")
    #expect(without.code == 0)
    #expect(
      without.stderr.contains("warning: nothing is cached: neither XDG_CACHE_HOME nor HOME is set"))
  }

  @Test func actoolKeepsUnlessToldOtherwise() throws {
    try FileManager.default.createDirectory(
      atPath: folder.path("build"), withIntermediateDirectories: true)
    let line =
      "actool A.xcassets --compile build --platform iphoneos --minimum-deployment-target 15.0"
    let home = ["HOME": folder.path("home")]
    #expect(try carve(line + " --no-cache", home).code == 0)
    #expect(!exists("home"))
    #expect(try carve(line, home).code == 0)
    let whole = try folder.read("build/Assets.car")
    #expect(try !folder.files(below: "home/.cache/carve").isEmpty)
    #expect(try carve(line, home).code == 0)
    #expect(try folder.read("build/Assets.car") == whole)
    // If nothing can be kept, nothing is printed.
    let nowhere = try carve(line, ["HOME": "/dev/null"])
    #expect(nowhere.code == 0 && nowhere.stderr.isEmpty, "\(nowhere.stderr)")
    #expect(try folder.read("build/Assets.car") == whole)
  }

  @Test func aFolderOfOthersIsNotBelieved() throws {
    try FileManager.default.createDirectory(
      atPath: folder.path("kept"), withIntermediateDirectories: true)
    #expect(chmod(folder.path("kept"), 0o777) == 0)
    let open = try carve("compile A.xcassets -o out.car --cache kept")
    #expect(
      open.stderr.contains("warning: nothing is cached in kept: every user may write to the folder")
    )
    #expect(try open.code == 0 && folder.files(below: "kept").isEmpty)
    #expect(chmod(folder.path("kept"), 0o770) == 0)
    let shared = try carve("compile A.xcassets -o out.car --cache kept")
    #expect(
      shared.stderr.contains(
        "warning: nothing is cached in kept: the group of the folder may write to it; 'chmod g-w'"),
      "\(shared.stderr)")
    #expect(try shared.code == 0 && folder.files(below: "kept").isEmpty)
    #expect(try carve("cache --stats --cache kept").code == 4)
    #expect(chmod(folder.path("kept"), 0o700) == 0)
    guard getuid() == 0 else { return }
    #expect(chown(folder.path("kept"), 12345, 12345) == 0)
    let foreign = try carve("compile A.xcassets -o out.car --cache kept")
    #expect(
      foreign.stderr.contains(
        "warning: nothing is cached in kept: the folder belongs to another user"))
    #expect(try carve("cache --clear --cache kept").code == 4)
    #expect(chown(folder.path("kept"), 0, 0) == 0)
    // Another user has put files into the user's own folder.
    _ = try carve("compile A.xcassets -o out.car --cache kept")
    #expect(
      try carve("compile A.xcassets -o out.car --cache kept --timing").stderr.contains("record"))
    for file in try folder.files(below: "kept") {
      #expect(chown(folder.path(file), 12345, 12345) == 0)
    }
    let again = try carve("compile A.xcassets -o out.car --cache kept --timing")
    #expect(again.stderr.contains("cache: 0 hits, 2 misses"), "\(again.stderr)")
  }

  @Test func hitsAndMissesAreCounted() throws {
    let line = "compile A.xcassets --cache kept --timing -o"
    #expect(try carve("\(line) a.car").stderr.contains("cache: 0 hits, 2 misses"))
    #expect(try carve("\(line) b.car").stderr.contains("cache: 2 hits, 0 misses"))
    try imageSet("Sun", side: 200, 9)
    #expect(try carve("\(line) b.car").stderr.contains("cache: 2 hits, 1 miss"))
    // The cache has no pixels of small pictures, because they lie in an atlas.
    try imageSet("Dot", side: 8, 9)
    try imageSet("Dash", side: 8, 10)
    _ = try carve("\(line) b.car")
    let alone = try carve("compile A.xcassets --no-packing --cache kept --timing -o c.car").stderr
    #expect(alone.contains("cache: 3 hits, 2 misses"), "\(alone)")
  }

  @Test func theCacheKeepsToItsRoom() throws {
    for index in 0..<6 {
      try imageSet("Star", side: 300, UInt8(10 + index))
      let result = try carve("compile A.xcassets -o out.car --cache kept --cache-size 1")
      #expect(result.code == 0)
    }
    let sizes = try folder.files(below: "kept").map { try folder.read($0).count }
    #expect(sizes.reduce(0, +) <= 1 << 20, "\(sizes)")
    #expect(sizes.count > 3, "not all of it went")
    let clean = try carve("compile A.xcassets -o clean.car")
    #expect(try clean.code == 0 && folder.read("clean.car") == folder.read("out.car"))
  }

  /// Pictures that exchanged their names are not used for each other, and a record under another
  /// name is not used for another command line.
  @Test func entriesUnderOtherNamesAreMisses() throws {
    _ = try carve("compile A.xcassets -o out.car --cache kept")
    let out = try folder.read("out.car")
    let pictures = try folder.files(below: "kept").filter { $0.split(separator: "/").count == 3 }
      .filter { !$0.contains("/runs/") }
    #expect(pictures.count == 2)
    let contents = try pictures.map { try folder.read($0) }
    for (place, bytes) in zip(pictures, contents.reversed()) { try folder.write(bytes, to: place) }
    let found = try carve("compile A.xcassets -o other.car --cache kept --timing")
    #expect(found.stderr.contains("cache: 0 hits, 2 misses"), "\(found.stderr)")
    #expect(try folder.read("other.car") == out)
    let runs = try folder.files(below: "kept/runs")
    #expect(runs.count == 2)
    let records = try runs.map { try folder.read($0) }
    for (place, bytes) in zip(runs, records.reversed()) { try folder.write(bytes, to: place) }
    let again = try carve("compile A.xcassets -o out.car --cache kept --timing")
    #expect(again.stderr.contains("cache: 2 hits"), "\(again.stderr)")
    try folder.write(records[0], to: "kept/runs/\(String(repeating: "0", count: 32))")
    let verified = try carve("cache --verify --cache kept")
    #expect(
      verified.stdout.contains("1 damaged file removed") || verified.stdout.contains("2 damaged"))
  }

  @Test func damagedEntriesAreFoundAndTakenAway() throws {
    _ = try carve("compile A.xcassets -o out.car --cache kept")
    let whole = try carve("cache --verify --cache kept")
    #expect(whole.stdout == "kept: 3 intact files, 0 damaged files removed\n", "\(whole.stdout)")
    let entries = try folder.files(below: "kept").filter { $0.split(separator: "/").count == 3 }
    var bytes = try folder.read(entries[0])
    bytes[bytes.count / 2] ^= 1
    try folder.write(bytes, to: entries[0])
    try folder.write([UInt8](), to: entries[1])
    let found = try carve("cache --verify --cache kept")
    #expect(found.stdout == "kept: 1 intact file, 2 damaged files removed\n", "\(found.stdout)")
    #expect(!exists(entries[0]) && !exists(entries[1]))
  }

  @Test func clearingLeavesWhatIsNotOfTheCache() throws {
    _ = try carve("compile A.xcassets -o out.car --cache kept")
    try folder.write("mine", to: "kept/notes")
    try folder.write("mine", to: "kept/ab/notes")
    let cleared = try carve("cache --clear --cache kept")
    #expect(cleared.stdout.hasPrefix("kept: 3 files of "), "\(cleared.stdout)")
    #expect(try folder.files(below: "kept") == ["kept/ab/notes", "kept/notes"])
    #expect(try carve("cache --cache gone").stdout == "gone: the cache is empty\n")
    #expect(!exists("gone"))
    try folder.write("mine", to: "file")
    let file = try carve("cache --stats --cache file")
    #expect(file.code == 4 && file.stderr.contains("cannot read file: "), "\(file.stderr)")
    #expect(try carve("cache").code == 2, "no variable says where it is")
  }

  /// The test mounts a disk of its own, if the system allows that to every user.
  @Test func aFullDiskIsASlowerRun() throws {
    let script = """
      mkdir small && mount -t tmpfs -o size=128k none small || exit 77
      for run in 1 2; do "$0" compile A.xcassets -o full.car --cache small/kept || exit; done
      """
    let result = try run(
      "/usr/bin/unshare", ["-rm", "/bin/sh", "-c", script, productFolder + "/carve"],
      in: folder.path,
      environment: ["PATH": "/usr/bin:/bin:/usr/sbin:/sbin"])
    if result.code != 0, !exists("full.car") { return }
    #expect(result.code == 0, "\(result.stderr)")
    #expect(try carve("compile A.xcassets -o clean.car").code == 0)
    #expect(try folder.read("full.car") == folder.read("clean.car"))
  }
}
