// Tests sets with parts (sprite atlases, layered icons, stacks) in edits, merges, comparisons and
// catalogues of archives, also beside another set of the same name.

import Foundation
import Support
import Testing

@Suite struct SetPartTests {
  private let folder: TemporaryDirectory

  init() throws {
    folder = try TemporaryDirectory()
    let manager = FileManager.default
    for name in ["Kinds", "Data", "LayeredIcon"] {
      try manager.copyItem(
        atPath: "\(sampleCatalogs)/\(name).xcassets", toPath: folder.path("\(name).xcassets"))
    }
  }

  @discardableResult
  private func carve(_ words: String, code: Int32 = 0) throws -> ToolResult {
    let result = try runTool(words.split(separator: " ").map(String.init), in: folder.path)
    #expect(result.code == code, "carve \(words): \(result.stderr)")
    return result
  }

  private func compileForTV(_ name: String) throws {
    try carve("compile \(name).xcassets -o \(name).car --platform appletvos")
  }

  /// Adds a colour with the name of another set.
  private func addColor(_ name: String, to catalog: String) throws {
    let white = #"{"red":"1.0","green":"1.0","blue":"1.0","alpha":"1.0"}"#
    try folder.write(
      #"{"colors":[{"idiom":"universal","color":{"components":\#(white)}}]}"#,
      to: "\(catalog)/\(name).colorset/Contents.json")
  }

  @Test func theListOfASpriteAtlasIsMergedAndRemoved() throws {
    try compileForTV("Kinds")
    try compileForTV("Data")
    try carve("merge Data.car Kinds.car -o Both.car")
    #expect(try carve("info Both.car").stdout.contains(#/Sky +Contents/#))
    try carve("validate Both.car")
    try carve("edit Data.car --add Kinds.car -o Added.car")
    try carve("validate Added.car")
    #expect(try carve("info Added.car").stdout.contains(#/Sky +Contents/#))
    try carve("edit Kinds.car --remove Sky -o Less.car")
    #expect(try !carve("info Less.car").stdout.contains("127"))
  }

  @Test func anotherSetOfTheNameOfAnIconIsRecovered() throws {
    try addColor("Boat", to: "LayeredIcon.xcassets")
    try carve("compile LayeredIcon.xcassets -o Icon.car --app-icon Boat")
    try carve("extract Icon.car --catalog Out")
    let found = FileManager.default.enumerator(atPath: folder.path("Out"))?.allObjects
    let paths = found?.compactMap { $0 as? String } ?? []
    #expect(paths.contains { $0.hasSuffix("Boat.colorset/Contents.json") }, "\(paths)")
    #expect(paths.contains { $0.hasSuffix("Boat.icon/icon.json") })
    // Both assets of the name go, and no part of the icon stays.
    try carve("edit Icon.car --remove Boat -o Less.car")
    #expect(try carve("info Less.car").stdout.contains("0 names, 0 renditions"))
  }

  @Test func anotherSetOfTheNameOfAStackIsRecovered() throws {
    try addColor("Poster", to: "Kinds.xcassets")
    try compileForTV("Kinds")
    try carve("extract Kinds.car --catalog Out")
    let found = FileManager.default.enumerator(atPath: folder.path("Out"))?.allObjects
    let paths = found?.compactMap { $0 as? String } ?? []
    #expect(paths.contains { $0.hasSuffix("Poster.colorset/Contents.json") }, "\(paths)")
    #expect(paths.contains { $0.hasSuffix("Poster.imagestack/Contents.json") })
  }

  @Test func bitmapsOfAReplacedLayerAreNamed() throws {
    try compileForTV("Kinds")
    try folder.write(png(width: 120, height: 72, red: 99), to: "f.png")
    let result = try carve("edit Kinds.car --replace Poster/Front/Content=f.png -o New.car")
    #expect(result.stderr.contains("note: the bitmaps of 'Poster' still show its old layers"))
    #expect(try !carve("edit Kinds.car --remove Sky -o New.car").stderr.contains("bitmaps"))
  }

  /// The layers of an icon are compared also if no bitmap shows them.
  @Test func layersOfAnIconAreCompared() throws {
    let compile = "compile LayeredIcon.xcassets --app-icon Boat --no-icon-bitmaps"
    try carve("\(compile) -o Old.car")
    let path = "LayeredIcon.xcassets/Boat.icon/icon.json"
    let text = String(decoding: try folder.read(path), as: UTF8.self)
    try folder.write(
      text.replacing(#""name" : "sail""#, with: #""name" : "sail", "opacity" : 0.25"#), to: path)
    try carve("\(compile) -o New.car")
    let result = try carve("diff Old.car New.car")
    #expect(result.stdout.contains("layers"), "\(result.stdout)")
  }

  /// All sizes of an icon have one key; each has a file of its own.
  @Test func eachSizeOfAnIconIsCompared() throws {
    for (catalog, red) in [("A", UInt8(1)), ("B", 200)] {
      var rows: [String] = []
      for size in [20, 29, 40, 60] {
        let picture = png(width: 2 * size, height: 2 * size, red: size == 29 ? red : 7)
        try folder.write(picture, to: "\(catalog).xcassets/AppIcon.appiconset/\(size).png")
        rows.append(
          #"{"idiom":"iphone","size":"\#(size)x\#(size)","scale":"2x","filename":"\#(size).png"}"#)
      }
      try folder.write(
        #"{"images":[\#(rows.joined(separator: ","))]}"#,
        to: "\(catalog).xcassets/AppIcon.appiconset/Contents.json")
    }
    let result = try carve("diff A.xcassets B.xcassets")
    #expect(result.stdout.contains("AppIcon") && result.stdout.contains("pixels"), "\(result)")
  }

  @Test func anEditDoesNotReplaceAFileThatItReads() throws {
    try compileForTV("Kinds")
    try compileForTV("Data")
    let before = try folder.read("Kinds.car")
    #expect(try carve("edit Data.car --add Kinds.car -o Kinds.car", code: 2).stdout.isEmpty)
    #expect(try carve("merge Data.car Kinds.car -o Kinds.car", code: 2).stdout.isEmpty)
    #expect(try folder.read("Kinds.car") == before)
  }
}
