// Tests compiling with a cache after edits: the result is that of a clean run, byte for byte, and
// if only pixels changed, nothing else is made again.

import Foundation
import Support
import Testing

@Suite struct ChangedPictureTests {
  private let folder: TemporaryDirectory

  init() throws {
    folder = try TemporaryDirectory()
    try folder.write(#"{"info": {"version": 1, "author": "x"}}"#, to: "A.xcassets/Contents.json")
    try folder.write(#"{"info": {"version": 1, "author": "x"}}"#, to: "A.xcassets/In/Contents.json")
    for (name, side) in [("Small", 20), ("Tiny", 9), ("Third", 31), ("Large", 230), ("Wide", 310)] {
      try imageSet(name, side, seed: UInt8(side & 0xFF))
    }
    for name in ["Compass", "Bell"] {
      try folder.copy(
        "\(sampleCatalogs)/Vectors.xcassets/\(name).imageset", to: "A.xcassets/\(name).imageset")
    }
  }

  private func picture(_ side: Int, seed: UInt8, opaque: Bool = false) -> [UInt8] {
    patternPNG(width: side, height: side, seed: seed, isOpaque: opaque)
  }

  private func imageSet(_ path: String, _ side: Int, seed: UInt8) throws {
    try folder.write(picture(side, seed: seed), to: "A.xcassets/\(path).imageset/a.png")
    // Two slots of one file share a block, or the file lies in an atlas twice.
    try folder.write(
      #"{"images": [{"idiom": "universal", "filename": "a.png", "scale": "2x"}, "#
        + #"{"idiom": "ipad", "filename": "a.png", "scale": "2x"}], "#
        + #""info": {"version": 1, "author": "x"}}"#,
      to: "A.xcassets/\(path).imageset/Contents.json")
  }

  private func paint(_ name: String, _ side: Int, seed: UInt8) throws {
    try folder.write(picture(side, seed: seed), to: "A.xcassets/\(name).imageset/a.png")
  }

  /// Returns the messages of a run about the catalogue, without its times.
  private func findings(_ run: ToolResult) -> [Substring] {
    run.stderr.split(separator: "\n").filter { $0.contains(/: (note|warning|error):/) }
  }

  /// Compiles with the cache and without, and compares all outputs. Returns the times of the run
  /// with the cache.
  @discardableResult
  private func compile(
    _ step: String = "", _ more: [String] = [], keeping: [String] = []
  ) throws -> String {
    let line = ["compile", "A.xcassets", "--no-warn", "file-in-several-slots"] + more
    let kept = try runTool(
      line + keeping + ["-o", "out.car", "--cache", "kept", "--timing"], in: folder.path)
    let clean = try runTool(line + ["-o", "clean.car"], in: folder.path)
    #expect(kept.code == clean.code, "\(step): \(kept.stderr)")
    #expect(
      kept.stdout == clean.stdout.replacingOccurrences(of: "clean.car", with: "out.car"), "\(step)")
    #expect(findings(kept) == findings(clean), "\(step)")
    if clean.code == 0 {
      #expect(try folder.read("out.car") == folder.read("clean.car"), "\(step)")
    }
    return kept.stderr
  }

  /// A small picture lies in an atlas for all devices and in one for tablets, with bitmaps of
  /// vectors.
  @Test(arguments: [("Large", 230, 1), ("Wide", 310, 1), ("Small", 20, 2), ("Tiny", 9, 2)])
  func onlyTheChangedPictureIsMade(_ name: String, _ side: Int, _ blocks: Int) throws {
    #expect(try compile().contains("plan: "))
    for seed in UInt8(100)..<103 {
      let before = try folder.read("out.car")
      try paint(name, side, seed: seed)
      let took = try compile()
      #expect(took.contains(/record: .*\n *encode: .* [12] items?\n/), "\(took)")
      #expect(took.contains(" \(blocks) item"), "\(took)")
      #expect(!took.contains("read: ") && !took.contains("plan: "), "\(took)")
      #expect(try folder.read("out.car") != before)
      let again = try compile()
      #expect(again.contains("record: ") && !again.contains("encode: "), "\(again)")
    }
    // Both pictures change, and the cache of pictures is removed: only the record of the run
    // remains.
    try paint("Large", 230, seed: 7)
    try paint("Third", 31, seed: 7)
    _ = try run(
      "/bin/sh", ["-c", "rm -r kept/[0-9a-f][0-9a-f]"], in: folder.path,
      environment: ["PATH": "/usr/bin:/bin"])
    let both = try compile()
    #expect(both.contains(/record: .*\n *encode: .* 3 items\n/), "\(both)")
    // Another file with the same pixels changes nothing.
    let before = try folder.read("out.car")
    var bytes = picture(230, seed: 7)
    bytes.insert(
      contentsOf: [0, 0, 0, 1] + Array("teXt".utf8) + [0, 0xEB, 0x0D, 0x93, 0x1B], at: 33)
    try folder.write(bytes, to: "A.xcassets/Large.imageset/a.png")
    try compile()
    #expect(try folder.read("out.car") == before)
  }

  @Test func anotherKindOfPictureIsPlannedAnew() throws {
    try compile()
    try paint("Small", 22, seed: 1)
    #expect(try compile().contains("plan: "), "another size takes another place")
    try folder.write(
      picture(22, seed: 1, opaque: true), to: "A.xcassets/Small.imageset/a.png")
    #expect(try compile().contains("plan: "), "what is opaque lies in another atlas")
    try folder.write([1, 2, 3], to: "A.xcassets/Small.imageset/a.png")
    #expect(try compile().contains("plan: "))
    try paint("Small", 22, seed: 1)
    try compile()
    // A vector has several bitmaps.
    let vector = try #require(
      try folder.files(below: "A.xcassets/Compass.imageset").first { $0.hasSuffix(".svg") })
    let text = String(decoding: try folder.read(vector), as: UTF8.self)
    try folder.write(Array((text + "\n").utf8), to: vector)
    #expect(try compile().contains("plan: "))
  }

  @Test func filesThatDidNotChangeAreNotReadForAnotherSize() throws {
    // Files whose times are too young are always read.
    usleep(100_000)
    try compile()
    try paint("Large", 232, seed: 1)
    usleep(100_000)
    let changed = try compile()
    #expect(changed.contains("plan: "))
    // The picture, and the two vectors, which are stored as they are.
    #expect(changed.contains(/read files: .* 3 items/), "\(changed)")
    #expect(changed.contains(/decode: .* 1 item/), "\(changed)")
    // A new picture changes no atlas of the others.
    try imageSet("New", 240, seed: 2)
    let added = try compile()
    #expect(added.contains(/read files: .* 3 items/), "\(added)")
    // Times alone prove nothing if the bytes have to be compared: all six pictures are read.
    try compile("", keeping: ["--cache-verify"])
    try paint("Large", 234, seed: 3)
    let compared = try compile("", keeping: ["--cache-verify"])
    #expect(compared.contains(/read files: .* 8 items/), "\(compared)")
  }

  @Test(arguments: [
    "rm out.car", "printf x >> out.car", "printf xyz | dd of=out.car conv=notrunc bs=1 seek=9999",
    ": > out.car", "cp clean.car other; mv other out.car",
    "truncate -s 3000 out.car", "cp A.xcassets/Wide.imageset/a.png out.car",
    "touch -d 2001-01-01 out.car", "rm -r kept", "rm kept/runs/*",
  ])
  func anotherArchiveInThePlaceIsNotBelieved(_ change: String) throws {
    try compile()
    try paint("Large", 230, seed: 8)
    let changed = try run(
      "/bin/sh", ["-c", change], in: folder.path, environment: ["PATH": "/usr/bin:/bin"])
    #expect(changed.code == 0, "\(changed.stderr)")
    try compile(change)
    try paint("Large", 230, seed: 9)
    try compile(change)
  }

  /// The pixels of equal files are stored once, so they part if one of the files changes, and meet
  /// if a file becomes equal to another one.
  @Test(arguments: [("Small", "Tiny"), ("Large", "Wide")], [[], ["--optimization", "space"]])
  func equalFilesPartAndMeet(_ names: (String, String), _ options: [String]) throws {
    let side = names.0 == "Small" ? 20 : 230
    for name in [names.0, names.1] { try paint(name, side, seed: 1) }
    try compile("equal", options)
    let equal = try folder.read("out.car").count
    try paint(names.0, side, seed: 2)
    #expect(try compile("part", options).contains("plan: "))
    #expect(try folder.read("out.car").count > equal)
    try paint(names.1, side, seed: 3)
    #expect(!(try compile("apart", options).contains("plan: ")))
    try paint(names.0, side, seed: 3)
    #expect(try compile("meet", options).contains("plan: "))
    // Other bytes with the same pixels.
    try paint(names.0, side, seed: 4)
    try compile("apart again", options)
    var bytes = picture(side, seed: 4)
    bytes.insert(
      contentsOf: [0, 0, 0, 1] + Array("teXt".utf8) + [0, 0xEB, 0x0D, 0x93, 0x1B], at: 33)
    try folder.write(bytes, to: "A.xcassets/\(names.1).imageset/a.png")
    try compile("equal pixels", options)
  }

  /// The run that was recorded had a warning, which is an error of this run.
  @Test func aRefusedRunLeavesTheArchive() throws {
    try folder.write(
      #"{"images": [{"idiom": "universal", "filename": "a.png", "scale": "2x"}, "#
        + #"{"idiom": "universal", "filename": "missing.png", "scale": "3x"}]}"#,
      to: "A.xcassets/Large.imageset/Contents.json")
    try compile()
    let before = try folder.read("out.car")
    try paint("Large", 230, seed: 99)
    let refused = try runTool(
      ["compile", "A.xcassets", "--werror", "-o", "out.car", "--cache", "kept"], in: folder.path)
    #expect(refused.code == 1 && refused.stderr.hasSuffix("nothing was written\n"))
    #expect(try folder.read("out.car") == before)
    try compile()
    #expect(try folder.read("out.car") != before)
  }

  /// The rule of make names files with settings, also one that is new.
  @Test func newSettingsAreInTheDepfile() throws {
    let words = [
      "compile", "A.xcassets", "-o", "out.car", "--cache", "kept", "--depfile", "out.d",
    ]
    _ = try runTool(words, in: folder.path)
    #expect(try !String(decoding: folder.read("out.d"), as: UTF8.self).contains(".carve.json"))
    try folder.write("{}", to: ".carve.json")
    _ = try runTool(words, in: folder.path)
    #expect(try String(decoding: folder.read("out.d"), as: UTF8.self).contains(".carve.json"))
  }

  @Test func outputsBesideTheArchiveStay() throws {
    let more = ["--depfile", "out.d", "--swift", "IDs.swift"]
    try compile(keeping: more)
    let texts = try (folder.read("out.d"), folder.read("IDs.swift"))
    try paint("Large", 230, seed: 10)
    #expect(!(try compile(keeping: more)).contains("plan: "))
    #expect(try folder.read("IDs.swift") == texts.1)
    try folder.write("other", to: "IDs.swift")
    try paint("Large", 230, seed: 11)
    try compile(keeping: more)
    #expect(try folder.read("IDs.swift") == texts.1)
  }

  /// Makes random edits in a random order. The seed is printed after a failure.
  @Test func randomEditsGiveTheBytesOfACleanRun() throws {
    let seed = UInt64.random(in: 0...(.max))
    var random = SeededGenerator(seed: seed)
    var options: [String] = []
    var sides = ["Small": 20, "Tiny": 9, "Third": 31, "Large": 230, "Wide": 310]
    for step in 0..<30 {
      for _ in 0..<(step % 4 == 3 ? 2 : 1) {
        let name = sides.keys.sorted().randomElement(using: &random) ?? "Small"
        let color = UInt8.random(in: 0...255, using: &random)
        try edit(Int.random(in: 0..<13, using: &random), name, color, &sides, &options)
      }
      try compile("seed \(seed), step \(step)", options)
    }
  }

  private func edit(
    _ kind: Int, _ name: String, _ color: UInt8, _ sides: inout [String: Int],
    _ options: inout [String]
  ) throws {
    let files = FileManager.default
    let set = folder.path("A.xcassets/\(name).imageset")
    let side = sides[name] ?? 20
    switch kind {
    case 0: sides[name] = Int(color) + 3
    case 1:
      let all = [
        [], ["--no-index"], ["--optimization", "space"], ["--optimization", "identical"],
      ]
      options = all[Int(color) % all.count]
    case 2 where sides.count > 3:
      try files.removeItem(atPath: set)
      sides[name] = nil
      return
    case 3:
      sides["New\(color)"] = side
      return try imageSet("New\(color)", side, seed: color)
    case 4 where sides["In/\(name)"] == nil && !name.contains("/"):
      try files.moveItem(atPath: set, toPath: folder.path("A.xcassets/In/\(name).imageset"))
      sides[name] = nil
      sides["In/\(name)"] = side
      return
    case 5: return try changeProperties(of: name)
    case 6:
      try folder.write([color], to: "A.xcassets/\(name).imageset/a.png")
      return
    // Two sets get equal files, which are stored once.
    case 12:
      guard let other = sides.keys.sorted().first(where: { $0 != name }) else { break }
      sides[name] = sides[other]
      let bytes = try folder.read("A.xcassets/\(other).imageset/a.png")
      try folder.write(bytes, to: "A.xcassets/\(name).imageset/a.png")
      return
    case 7: return try paintInPlace("\(set)/a.png", side, seed: color)
    default: break
    }
    try paint(name, sides[name] ?? 20, seed: color)
  }

  private func changeProperties(of name: String) throws {
    let file = "A.xcassets/\(name).imageset/Contents.json"
    let text = String(decoding: try folder.read(file), as: UTF8.self)
    let info = #""info": "#
    let properties = #""properties": {"template-rendering-intent": "template"}, "#
    let other =
      text.contains(properties)
      ? text.replacingOccurrences(of: properties, with: "")
      : text.replacingOccurrences(of: info, with: properties + info)
    try folder.write(Array(other.utf8), to: file)
  }

  /// Changes the file and keeps its modification time.
  private func paintInPlace(_ path: String, _ side: Int, seed: UInt8) throws {
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
    try handle.truncate(atOffset: 0)
    try handle.write(contentsOf: Data(picture(side, seed: seed)))
    try handle.close()
    let date = attributes[.modificationDate] ?? Date()
    try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: path)
  }
}
