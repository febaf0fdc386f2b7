// Tests the runs that a cache remembers: if nothing changed, the answer is the same without the
// work, and if anything may have changed, it is compiled again.

import Foundation
import Support
import Testing

@Suite struct RememberedCompileTests {
  private let folder: TemporaryDirectory

  init() throws {
    folder = try TemporaryDirectory()
    try imageSet(Self.picture(width: 30, height: 20, seed: 1), named: "Star")
    try imageSet(Self.picture(width: 9, height: 9, seed: 2), named: "Moon")
    try folder.write(#"{"info": {"version": 1, "author": "x"}}"#, to: "A.xcassets/Contents.json")
  }

  /// Returns a picture. Pictures of one size have one length, because they are not compressed.
  private static func picture(width: Int, height: Int, seed: UInt8) -> [UInt8] {
    patternPNG(width: width, height: height, seed: seed, isOpaque: false)
  }

  private func imageSet(_ bytes: [UInt8], named name: String) throws {
    try folder.write(bytes, to: "A.xcassets/\(name).imageset/a.png")
    // The second scale is missing, which is a finding.
    try folder.write(
      #"{"images": [{"idiom": "universal", "filename": "a.png", "scale": "2x"}], "#
        + #""info": {"version": 1, "author": "x"}}"#,
      to: "A.xcassets/\(name).imageset/Contents.json")
  }

  private func compile(_ more: String...) throws -> ToolResult {
    try runTool(
      ["compile", "A.xcassets", "-o", "out.car", "--cache", "kept", "--timing"] + more,
      in: folder.path)
  }

  /// Returns whether a run answered from the record, and checks that its other output is that of a
  /// run without a cache.
  private func isRemembered(_ result: ToolResult, _ more: String...) throws -> Bool {
    let plain = try runTool(
      ["compile", "A.xcassets", "-o", "plain.car"] + more, in: folder.path)
    func words(_ text: String) -> [String] {
      text.split(separator: "\n").map(String.init).filter {
        $0.firstMatch(of: #/^ *[a-z ]+: +[0-9.]+ ms|^cache: |^changed since the last run: /#) == nil
      }
    }
    #expect(words(result.stderr) == words(plain.stderr))
    #expect(
      result.stdout == plain.stdout.replacingOccurrences(of: "plain.car", with: "out.car"))
    #expect(result.code == plain.code)
    if result.code == 0 { #expect(try folder.read("out.car") == folder.read("plain.car")) }
    #expect(result.stderr.contains("record: ") != result.stderr.contains("plan: "))
    // Changed pictures are encoded, even if the rest of the run is remembered.
    return result.stderr.contains("record: ") && !result.stderr.contains("encode: ")
  }

  @Test func nothingChangedIsAnsweredFromTheRecord() throws {
    #expect(try !isRemembered(compile()))
    #expect(try isRemembered(compile()))
    #expect(try isRemembered(compile("--cache-verify")))
    #expect(try isRemembered(compile("-j", "2")))
    // Another option makes another run, and each run has its own record.
    #expect(try !isRemembered(compile("--no-index"), "--no-index"))
    #expect(try !isRemembered(compile()), "the other run has replaced the archive")
    #expect(try isRemembered(compile()))
  }

  @Test func findingsAreJudgedAnew() throws {
    try folder.write([1, 2, 3], to: "A.xcassets/Star.imageset/unused.png")
    let codes = try compile("--diagnostics", "json")
    #expect(codes.stderr.contains("unassigned-file"), "\(codes.stderr)")
    #expect(try isRemembered(compile()))
    #expect(try isRemembered(compile("--werror"), "--werror"))
    #expect(
      try isRemembered(
        compile("--no-warn", "unassigned-file"), "--no-warn", "unassigned-file"))
    #expect(try isRemembered(compile("--diagnostics", "sarif"), "--diagnostics", "sarif"))
  }

  @Test func timesAloneChangeNothing() throws {
    #expect(try !isRemembered(compile()))
    for path in try folder.files(below: "A.xcassets") + ["A.xcassets", "out.car"] {
      try FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSince1970: 1_000_000)],
        ofItemAtPath: folder.path(path))
    }
    #expect(try isRemembered(compile()))
    // A file that is created and deleted changes the times of its folder.
    try folder.write("x", to: "A.xcassets/Star.imageset/b.png")
    try FileManager.default.removeItem(atPath: folder.path("A.xcassets/Star.imageset/b.png"))
    #expect(try isRemembered(compile()))
  }

  @Test func otherBytesUnderEqualTimesAreSeen() throws {
    let file = folder.path("A.xcassets/Star.imageset/a.png")
    let old = Date(timeIntervalSince1970: 1_000_000)
    func setTime() throws {
      try FileManager.default.setAttributes([.modificationDate: old], ofItemAtPath: file)
    }
    try setTime()
    #expect(try !isRemembered(compile()))
    #expect(try isRemembered(compile()))
    // The file is changed in place, so that it stays the same file with the same length.
    let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: file))
    try handle.write(contentsOf: Data(Self.picture(width: 30, height: 20, seed: 3)))
    try handle.close()
    try setTime()
    #expect(try !isRemembered(compile()))
    #expect(try isRemembered(compile()))
  }

  @Test(arguments: [
    "rm out.car", "printf x >> out.car", "printf xyz | dd of=out.car conv=notrunc bs=1 seek=99",
    "rm -r A.xcassets/Moon.imageset", "cp -r A.xcassets/Moon.imageset A.xcassets/Sun.imageset",
    "mv A.xcassets/Moon.imageset A.xcassets/Sun.imageset", "chmod 0 kept/runs/*",
    "for f in kept/runs/*; do head -c 99 $f > x; cat x > $f; done",
    "for f in kept/runs/*; do printf garbage > $f; done", "rm -r kept",
    ": > kept/runs/x; rm kept/runs/*",
    "for f in kept/runs/*; do printf x | dd of=$f conv=notrunc bs=1 seek=70; done",
    "mkdir A.xcassets/Star.imageset/en.lproj",
    "mv A.xcassets/Star.imageset B; ln -s ../B A.xcassets/Star.imageset",
  ])
  func everyChangeIsCompiled(_ change: String) throws {
    #expect(try !isRemembered(compile()))
    #expect(try isRemembered(compile()))
    let changed = try run(
      "/bin/sh", ["-c", change], in: folder.path, environment: ["PATH": "/usr/bin:/bin"])
    #expect(changed.code == 0, "\(changed.stderr)")
    let again = try compile()
    // Root may read files that have no permissions.
    if !(change.hasPrefix("chmod") && getuid() == 0) {
      #expect(try !isRemembered(again), "\(change)")
    }
    if !change.hasPrefix("chmod") { #expect(try isRemembered(compile())) }
  }

  @Test func allOutputsBelongToTheRecord() throws {
    let more = ["--swift", "IDs.swift", "--c", "ids.h", "--depfile", "out.d"]
    func compileAll() throws -> Bool {
      let result = try runTool(
        ["compile", "A.xcassets", "-o", "out.car", "--cache", "kept", "--timing"] + more,
        in: folder.path)
      #expect(result.code == 0, "\(result.stderr)")
      return result.stderr.contains("record: ")
    }
    #expect(try !compileAll())
    let texts = try ["IDs.swift", "ids.h", "out.d"].map { try folder.read($0) }
    #expect(try compileAll())
    for (name, text) in zip(["IDs.swift", "ids.h", "out.d"], texts) {
      try folder.write("other", to: name)
      #expect(try !compileAll(), "\(name)")
      #expect(try folder.read(name) == text)
      #expect(try compileAll())
    }
    let thinned = [
      "compile", "A.xcassets", "-o", "thin.car", "--device", "iPhone8,1", "--cache", "kept",
    ]
    let first = try runTool(thinned + ["--timing"], in: folder.path)
    let second = try runTool(thinned + ["--timing"], in: folder.path)
    #expect(first.stdout == second.stdout && first.code == 0)
    #expect(second.stderr.contains("record: ") && !first.stderr.contains("record: "))
  }

  @Test func aRefusedRunIsNotRemembered() throws {
    try folder.write("{", to: "A.xcassets/Star.imageset/Contents.json")
    #expect(try !isRemembered(compile()))
    #expect(try !isRemembered(compile()))
  }
}
