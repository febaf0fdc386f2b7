// Tests `carve compile` as a user types it: the place of the archive, thinning in the same run, and
// dependencies for make.

import Foundation
import Support
import Testing

@Suite struct CompileCommandTests {
  private let sizes = sampleCatalogs + "/SizeClasses.xcassets"

  @Test(arguments: ["iPhone8,1", "iPad5,3", "iPhone8,1,iPad5,3"])
  func thinningWhileCompilingIsThinningAfterwards(devices: String) throws {
    let folder = try TemporaryDirectory()
    let words = [
      ["compile", sizes, "-o", "direct.car", "--device", devices],
      ["compile", sizes, "-o", "full.car"],
      ["thin", "full.car", "-o", "later.car", "--device", devices],
    ]
    for command in words { #expect(try runTool(command, in: folder.path).code == 0) }
    #expect(try folder.read("direct.car") == folder.read("later.car"))
    #expect(try folder.read("direct.car").count < folder.read("full.car").count)
  }

  @Test func aFolderMeansTheArchiveInIt() throws {
    let folder = try TemporaryDirectory()
    let result = try runTool(["compile", sizes, "-o", "."], in: folder.path)
    #expect(result.stdout.hasPrefix("./Assets.car: 2 names, "))
    #expect(try folder.read("Assets.car").starts(with: "BOMStore".utf8))
  }

  @Test func theSameBytesLeaveTheFileUntouched() throws {
    let folder = try TemporaryDirectory()
    let words = ["compile", sizes, "-o", "a.car"]
    #expect(try runTool(words, in: folder.path).code == 0)
    let before = try FileManager.default.attributesOfItem(atPath: folder.path("a.car"))
    #expect(try runTool(words, in: folder.path).code == 0)
    let after = try FileManager.default.attributesOfItem(atPath: folder.path("a.car"))
    #expect(before[.systemFileNumber] as? Int == after[.systemFileNumber] as? Int)
    #expect(before[.modificationDate] as? Date == after[.modificationDate] as? Date)
  }

  @Test func theDependencyFileNamesEverySource() throws {
    let folder = try TemporaryDirectory()
    _ = try folder.copy(sizes, to: "My Assets.xcassets")
    let result = try runTool(
      ["compile", "My Assets.xcassets", "-o", "a.car", "--depfile", "a.d"], in: folder.path)
    #expect(result.code == 0)
    let text = String(decoding: try folder.read("a.d"), as: UTF8.self)
    #expect(text.hasPrefix("a.car:"))
    #expect(text.contains(#"My\ Assets.xcassets/Star.imageset/star-any@2x.png"#))
    let make = try run("/usr/bin/make", ["-n", "-f", "a.d", "a.car"], in: folder.path)
    #expect(make.code == 0, "\(make.stderr)")
  }

  @Test func aFullDiskIsAnInputOutputFailure() throws {
    let result = try runTool(["compile", sizes, "-o", "/dev/full"])
    #expect(result.code == 4)
    #expect(result.stderr.hasPrefix("carve compile: error: /dev/full: cannot write: "))
  }

  @Test func systemsBeforeCataloguesAreRefused() throws {
    let result = try runTool(["compile", sizes, "-o", "x", "--minimum-deployment-target", "6.1"])
    #expect(result.code == 2)
    #expect(result.stderr.contains("the oldest system is 7"))
  }
}
