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

  /// A catalogue is what is read: an archive in it would be a stray file of the next run.
  @Test(arguments: [
    "B.xcassets", "B.xcassets/", "B.xcassets/Group/a.car", "./B.xcassets/../B.xcassets/",
  ])
  func aCatalogueIsNoPlaceForAnArchive(place: String) throws {
    let folder = try TemporaryDirectory()
    try folder.write("{}", to: "B.xcassets/Group/Contents.json")
    for command in [["compile"], ["thin", "--device", "iPhone8,1"]] {
      let catalog = sampleCatalogs + "/Colors.xcassets"
      let result = try runTool(command + [catalog, "-o", place], in: folder.path)
      #expect(result.code == 2, "\(result.stderr)")
      #expect(result.stderr.contains("would lie in a catalogue, which is read and not written"))
    }
    #expect(try folder.files(below: "B.xcassets") == ["B.xcassets/Group/Contents.json"])
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
