// Tests that commands find the archive in a bundle, with and without a folder for resources.

import Foundation
import Support
import Testing

@Suite struct BundleInputTests {
  @Test(arguments: [
    "App.app/Contents/Resources", "Phone.app", "Kit.framework/Resources",
    "carve_Kit.bundle/Contents/Resources", "carve_Kit.bundle",
  ])
  func anArchiveIsFoundInABundle(place: String) throws {
    let folder = try TemporaryDirectory()
    try folder.write([], to: "\(place)/other")
    let archive = folder.path("\(place)/Assets.car")
    let compiled = try runTool(["compile", sampleCatalogs + "/Scales.xcassets", "-o", archive])
    try #require(compiled.code == 0)
    let bundle = String(place.split(separator: "/")[0])
    let commands = [
      ["info", bundle], ["validate", bundle], ["resolve", bundle, "Rocket"],
      ["preview", bundle, "-o", "page.html", "--devices", "iPhone8,1"],
    ]
    for words in commands {
      let result = try runTool(words, in: folder.path)
      #expect(result.code == 0, "\(words): \(result.stderr)")
    }
    let info = try runTool(["info", bundle], in: folder.path)
    #expect(info.stdout.contains("Rocket"))
  }

  @Test func aBundleWithoutAnArchiveIsAFolder() throws {
    let folder = try TemporaryDirectory()
    try folder.write([], to: "App.app/Contents/Resources/other")
    let result = try runTool(["info", "App.app"], in: folder.path)
    #expect(result.code == 4 && result.stderr.contains("it is a folder"))
  }
}
