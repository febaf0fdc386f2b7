// Where `-o` writes: folders that are made, names that are archives, places where nothing can be written.

import Foundation
import Support
import Testing

@Suite struct OutputPlaceTests {
  @Test func aFolderIsMadeWhereItsNameEndsWithASlash() throws {
    let folder = try TemporaryDirectory()
    let catalog = sampleCatalogs + "/Colors.xcassets"
    let result = try runTool(["compile", catalog, "-o", "build/deep/"], in: folder.path)
    #expect(result.code == 0, "\(result.stderr)")
    #expect(try folder.files(below: "build") == ["build/deep/Assets.car"])
    let plain = try runTool(["compile", catalog, "-o", "other"], in: folder.path)
    #expect(plain.code == 0)
    #expect(
      plain.stderr.contains("note: other is the archive itself; 'other/' means other/Assets.car\n"))
    #expect(
      !(try runTool(["compile", catalog, "-o", "other"], in: folder.path)).stderr.contains(
        "note: other"))
  }

  @Test func aBadPlaceIsNoticedBeforeAnythingIsCompiled() throws {
    let folder = try TemporaryDirectory()
    try folder.write("{", to: "A.xcassets/S.imageset/Contents.json")
    let result = try runTool(["compile", "A.xcassets", "-o", "none/a.car"], in: folder.path)
    #expect(result.code == 4)
    #expect(
      result.stderr
        == "carve compile: error: none/a.car: cannot create: No such file or directory\n")
  }
}
