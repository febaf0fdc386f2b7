// Tests kinds of sets other than pictures, colours and data with the tool: thinned and proved,
// extracted, compared, resolved.

import Foundation
import Support
import Testing

@Suite struct KindTests {
  private func compiled(
    _ sample: String, _ more: String..., in folder: TemporaryDirectory
  ) throws -> String {
    let result = try runTool(
      ["compile", "\(sampleCatalogs)/\(sample).xcassets", "-o", folder.path("\(sample).car")] + more
    )
    #expect(result.code == 0, "\(result.stderr)")
    return folder.path("\(sample).car")
  }

  @Test func drawingsOfSymbolsStayIfTheyCanBeShown() throws {
    let folder = try TemporaryDirectory()
    let archive = try compiled("Symbols", in: folder)
    let thin = try runTool(
      ["thin", archive, "--device", "iPhone15,2", "--prove", "-o", folder.path("thin.car")])
    #expect(thin.code == 0, "\(thin.stdout)\(thin.stderr)")
    let info = try runTool(["info", folder.path("thin.car")]).stdout
    #expect(info.components(separatedBy: "Vector Glyph").count == 5)
    #expect(!info.contains("not drawn"))
    let diff = try runTool(["diff", archive, folder.path("thin.car")])
    #expect(diff.code == 0 && !diff.stdout.contains("Signal"))
  }

  @Test func symbolsAreResolvedAsTheDrawingThatStandsForAll() throws {
    let folder = try TemporaryDirectory()
    let archive = try compiled("Symbols", in: folder)
    for source in ["\(sampleCatalogs)/Symbols.xcassets", archive] {
      let answer = try runTool(
        ["resolve", source, "Signal", "--kind", "symbol", "--traits", "scale=2"])
      #expect(answer.stdout.hasPrefix("signal.svg ("), "\(answer.stdout)\(answer.stderr)")
    }
  }

  @Test func layeredIconsAreThinnedAndExtracted() throws {
    let folder = try TemporaryDirectory()
    let archive = try compiled("LayeredIcon", "--app-icon", "Boat", "--keep-vectors", in: folder)
    let thin = try runTool(
      ["thin", archive, "--device", "iPhone15,2", "--prove", "-o", folder.path("thin.car")])
    #expect(thin.code == 0, "\(thin.stdout)\(thin.stderr)")
    // Stacks stay whole; the bitmaps of tablets are removed.
    let info = try runTool(["info", folder.path("thin.car")]).stdout
    #expect(info.contains("IconImageStack") && info.contains("Named Gradient"))
    #expect(!info.contains("pad"))
    let extracted = try runTool(["extract", archive, "-o", folder.path("files")])
    #expect(extracted.code == 0)
    let sail = try folder.read("files/Boat_Assets/sail/image.svg")
    let source = FileManager.default.contents(
      atPath: "\(sampleCatalogs)/LayeredIcon.xcassets/Boat.icon/Assets/sail.svg")
    #expect(source.map { Array($0) } == sail)
  }

  @Test func aStackOfATelevisionIsThinned() throws {
    let folder = try TemporaryDirectory()
    let archive = try compiled("Kinds", "--platform", "appletvos", in: folder)
    #expect(try runTool(["validate", archive]).code == 0)
    let info = try runTool(["info", archive]).stdout
    #expect(info.contains("Poster/Front/Content") && info.contains("ImageStack"))
    let thin = try runTool(
      ["thin", archive, "--device", "AppleTV14,1", "--prove", "-o", folder.path("thin.car")])
    #expect(thin.code == 0, "\(thin.stdout)\(thin.stderr)")
  }

  @Test func entriesOfCarvesOwnAreResolvedAlike() throws {
    let folder = try TemporaryDirectory()
    try folder.copy(
      "\(sampleCatalogs)/Scales.xcassets/Rocket.imageset", to: "A.xcassets/R.imageset")
    _ = try folder.write(
      """
      {"images":[{"idiom":"universal","scale":"2x","filename":"rocket@2x.png"},
      {"idiom":"universal","scale":"2x","content-size":"AX1","filename":"rocket@3x.png"},
      {"idiom":"universal","scale":"2x","height-class":"compact","no-content":true}]}
      """, to: "A.xcassets/R.imageset/Contents.json")
    let compiled = try runTool(["compile", "A.xcassets", "-o", "A.car"], in: folder.path)
    #expect(compiled.code == 0 && compiled.stderr.contains("[carve-extension]"))
    let rows = [
      ("scale=2", "rocket@2x.png ("), ("scale=2,content-size=AX3", "rocket@3x.png ("),
      ("scale=2,height=compact", "nothing, on purpose ("),
    ]
    for (traits, start) in rows {
      for source in ["A.xcassets", "A.car"] {
        let answer = try runTool(["resolve", source, "R", "--traits", traits], in: folder.path)
        #expect(answer.stdout.hasPrefix(start), "\(source) \(traits): \(answer.stdout)")
      }
    }
    let thin = try runTool(
      ["thin", "A.car", "--device", "iPhone15,2", "--prove", "-o", "thin.car"], in: folder.path)
    #expect(thin.code == 0, "\(thin.stdout)\(thin.stderr)")
    let after = try runTool(
      ["resolve", "thin.car", "R", "--traits", "scale=2,height=compact"], in: folder.path)
    #expect(after.stdout.hasPrefix("nothing, on purpose ("))
  }
}
