// Tests archives with one damaged rendition on the command line: it is named, the other renditions
// are used, and the exit status is 1.

import Support
import Testing

@Suite struct DamagedArchiveTests {
  private let folder: TemporaryDirectory

  init() throws {
    folder = try TemporaryDirectory()
    let end = "\"info\": { \"author\": \"xcode\", \"version\": 1 } }"
    for name in ["First", "Second"] {
      let set = "In.xcassets/\(name).dataset"
      try folder.write("bytes of \(name)", to: "\(set)/\(name).bin")
      try folder.write(
        "{ \"data\": [{ \"filename\": \"\(name).bin\", \"idiom\": \"universal\" }], \(end)",
        to: "\(set)/Contents.json")
    }
    let compiled = try runTool(
      ["compile", "In.xcassets", "-o", "a.car", "--no-index"], in: folder.path)
    #expect(compiled.code == 0, "\(compiled.stderr)")
    var bytes = try folder.read("a.car")
    // The block of the rendition contains the file's name after the four letters with which all
    // such blocks begin.
    let name = try #require(bytes.firstRange(of: Array("Second.bin".utf8))).lowerBound
    let start = try #require(bytes[..<name].lastRange(of: "ISTC")).lowerBound
    bytes[start] = 0
    try folder.write(bytes, to: "a.car")
  }

  @Test func `info lists the others`() throws {
    for options in [[], ["--json"]] {
      let result = try runTool(["info", "a.car"] + options, in: folder.path)
      #expect(result.code == 1 && result.stdout.contains("First"))
      #expect(!result.stdout.contains("Second"))
      #expect(result.stderr.contains("a.car: \"Second\" (1x) is damaged: "), "\(result.stderr)")
    }
  }

  @Test func `assetutil lists the others, also in a file`() throws {
    for options in [[], ["-o", "items.json"]] {
      let result = try runTool(["assetutil", "-I"] + options + ["a.car"], in: folder.path)
      #expect(result.code == 1)
      #expect(
        result.stderr.contains("a.car: \"Second\" (1x) is damaged: "), "\(result.stderr)")
      let items = options.isEmpty ? Array(result.stdout.utf8) : try folder.read("items.json")
      #expect(items.firstRange(of: Array("First".utf8)) != nil)
    }
  }

  @Test func `extract writes the others`() throws {
    let result = try runTool(["extract", "a.car", "-o", "out"], in: folder.path)
    #expect(result.code == 1 && result.stdout == "out: 1 file\n")
    #expect(result.stderr.contains("a.car: \"Second\" (1x) is damaged: "), "\(result.stderr)")
    #expect(try folder.read("out/First/First.bin") == Array("bytes of First".utf8))
  }

  @Test func `preview shows the others`() throws {
    let result = try runTool(["preview", "a.car", "-o", "page.html"], in: folder.path)
    #expect(result.code == 1 && result.stdout.hasPrefix("page.html: "))
    #expect(result.stderr.contains("a.car: \"Second\" (1x) is damaged: "), "\(result.stderr)")
  }

  @Test func `diff names the archive that is damaged`() throws {
    let compiled = try runTool(
      ["compile", "In.xcassets", "-o", "good.car", "--no-index"], in: folder.path)
    #expect(compiled.code == 0)
    for words in [["good.car", "a.car"], ["a.car", "good.car"]] {
      let result = try runTool(["diff"] + words, in: folder.path)
      #expect(result.code == 1)
      #expect(
        result.stderr.contains("error: a.car: \"Second\" (1x) is damaged: "), "\(result.stderr)")
    }
  }

  /// Pixels that cannot be decoded are no change of a picture.
  @Test func `diff names the picture that is damaged`() throws {
    let samples = (0..<40 * 40 * 4).map { UInt8(truncatingIfNeeded: $0 &* $0 / 7) | 1 }
    let picture = png(width: 40, height: 40, color: .rgba, samples: samples)
    try folder.write(picture, to: "P.xcassets/Star.imageset/s.png")
    try folder.write(
      #"{"images":[{"filename":"s.png","scale":"2x"}]}"#,
      to: "P.xcassets/Star.imageset/Contents.json")
    _ = try runTool(["compile", "P.xcassets", "-o", "good.car", "--no-packing"], in: folder.path)
    var bytes = try folder.read("good.car")
    let start = try #require(bytes.firstRange(of: Array("MLEC".utf8))).lowerBound
    bytes[start + 32] = 0xFF
    try folder.write(bytes, to: "bad.car")
    let result = try runTool(["diff", "good.car", "bad.car"], in: folder.path)
    #expect(result.code == 1 && result.stdout.contains("~ Star (2x): pixels"), "\(result.stdout)")
    #expect(result.stderr.hasPrefix("bad.car: \"Star\" (2x) is damaged: "), "\(result.stderr)")
    let extracted = try runTool(["extract", "bad.car", "-o", "out"], in: folder.path)
    #expect(extracted.stderr == result.stderr)
  }

  @Test func `thin refuses and writes nothing`() throws {
    let result = try runTool(
      ["thin", "a.car", "--device", "iPhone8,1", "-o", "b.car"], in: folder.path)
    #expect(result.code == 1)
    #expect(result.stderr.contains("a.car: \"Second\" (1x) is damaged: "), "\(result.stderr)")
    #expect((try? folder.read("b.car")) == nil)
  }
}

extension Collection where Element == UInt8, Index == Int {
  fileprivate func lastRange(of text: String) -> Range<Int>? {
    let wanted = Array(text.utf8)
    return (startIndex..<endIndex - wanted.count).reversed()
      .first { self[$0..<$0 + wanted.count].elementsEqual(wanted) }
      .map { $0..<$0 + wanted.count }
  }
}
