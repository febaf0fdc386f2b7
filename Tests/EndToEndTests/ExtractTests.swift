// Tests that `carve extract` returns, under their names, the files that `carve compile` read.

import Foundation
import Support
import Testing

private func contents(_ json: String) -> String {
  "{ \(json), \"info\": { \"author\": \"xcode\", \"version\": 1 } }"
}

private func image(_ file: String, _ scale: Int) -> String {
  "{ \"filename\": \"\(file)\", \"idiom\": \"universal\", \"scale\": \"\(scale)x\" }"
}

/// Makes a catalogue with two small pictures that share an atlas, a large one, a colour and a file.
private func makeCatalog(in folder: borrowing TemporaryDirectory) throws {
  let sets = [("Small/One", 8), ("Small/Two", 9), ("Large", 200)]
  for (name, side) in sets {
    let set = "In.xcassets/\(name).imageset"
    let picture = png(width: side, height: side, red: UInt8(side), green: 3, blue: 200)
    try folder.write(picture, to: "\(set)/a.png")
    try folder.write(contents("\"images\": [\(image("a.png", 1))]"), to: "\(set)/Contents.json")
  }
  let light = "\"red\": \"0.5\", \"green\": \"0\", \"blue\": \"1\", \"alpha\": \"1\""
  let color = "{ \"color-space\": \"srgb\", \"components\": { \(light) } }"
  let entry = "{ \"idiom\": \"universal\", \"color\": \(color) }"
  let colors = contents("\"colors\": [\(entry)]")
  try folder.write(colors, to: "In.xcassets/Accent.colorset/Contents.json")
  let data = "\"data\": [{ \"filename\": \"d.txt\", \"idiom\": \"universal\" }]"
  try folder.write(contents(data), to: "In.xcassets/Text.dataset/Contents.json")
  try folder.write("some text", to: "In.xcassets/Text.dataset/d.txt")
}

@Suite struct ExtractTests {
  @Test func `extracted files equal their sources`() throws {
    let folder = try TemporaryDirectory()
    try makeCatalog(in: folder)
    let compiled = try runTool(["compile", "In.xcassets", "-o", "a.car"], in: folder.path)
    #expect(compiled.code == 0, "\(compiled.stderr)")
    let result = try runTool(["extract", "a.car", "-o", "out"], in: folder.path)
    #expect(result.code == 0 && result.stdout == "out: 5 files\n", "\(result.stderr)")
    #expect(try folder.read("out/Text/d.txt") == Array("some text".utf8))
    let color = String(decoding: try folder.read("out/Accent/Accent.json"), as: UTF8.self)
    #expect(color.contains("\"red\"") && color.contains("0.5") && color.contains("srgb"))
    for name in ["One", "Two", "Large"] {
      // Groups without a namespace do not appear in the names of assets.
      #expect(try folder.read("out/\(name)/a.png").starts(with: [0x89, 0x50, 0x4e, 0x47]))
    }
  }

  @Test func `extracted pictures compile to the same archive`() throws {
    let folder = try TemporaryDirectory()
    try makeCatalog(in: folder)
    _ = try runTool(["compile", "In.xcassets", "-o", "a.car"], in: folder.path)
    _ = try runTool(["extract", "a.car", "-o", "out"], in: folder.path)
    for name in ["Small/One", "Small/Two", "Large"] {
      let asset = name.split(separator: "/").last.map(String.init) ?? name
      try folder.write(
        try folder.read("out/\(asset)/a.png"), to: "In.xcassets/\(name).imageset/a.png")
    }
    let again = try runTool(["compile", "In.xcassets", "-o", "b.car"], in: folder.path)
    #expect(again.code == 0, "\(again.stderr)")
    #expect(try folder.read("a.car") == folder.read("b.car"))
  }

  @Test func `vectors come out as they were, and drawn at the scale that is asked for`() throws {
    let folder = try TemporaryDirectory()
    let start = "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"5\" height=\"3\">"
    let icon = start + String(repeating: "<rect width=\"5\" height=\"3\" fill=\"red\"/>", count: 9)
    let files = ["Icon": icon + "</svg>", "Word": icon + "<text>A</text></svg>"]
    for (name, text) in files {
      let set = "In.xcassets/\(name).imageset"
      try folder.write(text, to: "\(set)/a.svg")
      try folder.write(
        contents("\"images\": [{ \"filename\": \"a.svg\" }]"), to: "\(set)/Contents.json")
    }
    _ = try runTool(["compile", "In.xcassets", "-o", "a.car"], in: folder.path)
    let info = try runTool(["info", "a.car"], in: folder.path)
    let last = info.stdout.split(separator: "\n").suffix(2)
    #expect(info.stdout.contains("SVG lzfse"))
    #expect(last.count == 2 && !last[last.startIndex].contains("drawn"))
    #expect(
      last.last == "Word (vector) has features that are not drawn, or not drawn exactly: text")
    let result = try runTool(["extract", "a.car", "-o", "out", "--png", "7"], in: folder.path)
    #expect(result.code == 0 && result.stdout == "out: 10 files\n", "\(result.stderr)")
    for (name, text) in files {
      #expect(try folder.read("out/\(name)/a.svg") == Array(text.utf8))
      let drawn = try folder.read("out/\(name)/a@7x.png")
      #expect(Array(drawn[16..<24]) == [0, 0, 0, 35, 0, 0, 0, 21])
    }
  }

  @Test func `a drawing has no more pixels than the compiler allows`() throws {
    let folder = try TemporaryDirectory()
    try folder.write(
      #"<svg xmlns="http://www.w3.org/2000/svg" width="9000" height="9000"><path d="M0 0H9V9z"/></svg>"#,
      to: "A.xcassets/Big.imageset/a.svg")
    try folder.write(
      #"{"images":[{"filename":"a.svg"}],"properties":{"preserves-vector-representation":true}}"#,
      to: "A.xcassets/Big.imageset/Contents.json")
    _ = try runTool(["compile", "A.xcassets", "-o", "a.car", "--no-rasters"], in: folder.path)
    let result = try runTool(["extract", "a.car", "-o", "out", "--png", "1"], in: folder.path)
    #expect(result.stderr.contains("too many pixels (more than 67108864)"), "\(result.stderr)")
    #expect(try folder.files(below: "out") == ["out/Big/a.svg"])
  }

  @Test func `a file that is no archive is refused`() throws {
    let folder = try TemporaryDirectory()
    try folder.write("no archive", to: "a.car")
    let result = try runTool(["extract", "a.car", "-o", "out"], in: folder.path)
    #expect(result.code == 1 && result.stderr.contains("a.car"))
  }

  @Test func `a new folder appears whole or not at all`() throws {
    let folder = try TemporaryDirectory()
    try makeCatalog(in: folder)
    try folder.write(String(repeating: "long", count: 2000), to: "In.xcassets/Text.dataset/d.txt")
    _ = try runTool(["compile", "In.xcassets", "-o", "a.car"], in: folder.path)
    let result = try runTool(["extract", "a.car", "-o", "new/deep/out/"], in: folder.path)
    #expect(result.code == 0 && result.stdout == "new/deep/out/: 5 files\n", "\(result.stderr)")
    #expect(try folder.files(below: "new").count == 5)
    // The system allows files of at most 1 KB, so the text cannot be written.
    let limited = "ulimit -f 1; exec '\(productFolder)/carve' extract a.car -o"
    let failed = try run(
      "/bin/sh", ["-c", "trap '' XFSZ; \(limited) failed"], in: folder.path)
    #expect(failed.code == 4, "\(failed.stderr)")
    #expect(!FileManager.default.fileExists(atPath: folder.path("failed")))
    let left = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    #expect(left.sorted() == ["In.xcassets", "a.car", "new"])
    // A folder that is there gets the files that can be written.
    try folder.write("mine", to: "there/mine.txt")
    _ = try runTool(["extract", "a.car", "-o", "there"], in: folder.path)
    #expect(try folder.files(below: "there").count == 6)
  }
}
