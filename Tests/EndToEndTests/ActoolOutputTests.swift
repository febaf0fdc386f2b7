// Tests the contents of the archives of a build step, and the files beside them: loose icons,
// languages, packs, devices.

import Foundation
import Support
import Testing

@Suite struct ActoolOutputTests {
  private let build = "actool Assets.xcassets --compile out --platform iphoneos --warnings"

  @discardableResult
  private func run(_ line: String, in folder: TemporaryDirectory) throws -> ToolResult {
    let result = try runTool(line.split(separator: " ").map(String.init), in: folder.path)
    #expect(result.code == 0, "\(result.stdout)\(result.stderr)")
    return result
  }

  private func names(_ archive: String, in folder: TemporaryDirectory) throws -> Set<String> {
    let info = try runTool(["info", archive, "--json"], in: folder.path).output
    let entries = try JSONSerialization.jsonObject(with: Data(info)) as? [[String: Any]] ?? []
    return Set(entries.compactMap { $0["RenditionName"] as? String })
  }

  @Test(
    arguments: [
      "--minimum-deployment-target 15.0 --standalone-icon-behavior all",
      "--minimum-deployment-target 10.0",
    ])
  func everySizeLiesBesideTheArchiveForOldSystemsAndOnRequest(options: String) throws {
    let folder = try appFolder()
    try run("\(build) --app-icon AppIcon \(options)", in: folder)
    #expect(
      try folder.files(below: "out").map { String($0.dropFirst(4)) } == [
        "AppIcon20x20@2x.png", "AppIcon20x20@2x~ipad.png", "AppIcon20x20@3x.png",
        "AppIcon20x20~ipad.png", "AppIcon29x29@2x.png", "AppIcon29x29@2x~ipad.png",
        "AppIcon29x29@3x.png", "AppIcon29x29~ipad.png", "AppIcon40x40@2x.png",
        "AppIcon40x40@2x~ipad.png", "AppIcon40x40@3x.png", "AppIcon40x40~ipad.png",
        "AppIcon60x60@2x.png", "AppIcon60x60@3x.png", "AppIcon76x76@2x~ipad.png",
        "AppIcon76x76~ipad.png", "AppIcon83.5x83.5@2x~ipad.png", "Assets.car",
      ])
    #expect(
      try folder.read("out/AppIcon40x40@3x.png")
        == folder.read("Assets.xcassets/AppIcon.appiconset/icon-120.png"))
  }

  @Test func aLanguageKeepsItsRegionsAndThatOfTheDevelopers() throws {
    let folder = try appFolder()
    let set = "Assets.xcassets/Word.imageset"
    let tags = ["de", "en", "fr", "pt-BR"]
    var rows = [#"{ "idiom" : "universal", "filename" : "any.png" }"#]
    rows += tags.map {
      #"{ "idiom" : "universal", "locale" : "\#($0)", "filename" : "\#($0).png" }"#
    }
    for (index, name) in (["any"] + tags).enumerated() {
      try folder.write(
        png(width: 1, height: 1, color: .gray, samples: [UInt8(index)]), to: "\(set)/\(name).png")
    }
    try folder.write(
      #"{ "properties" : { "localizable" : true }, "images" : [ \#(rows.joined(separator: ", ")) ] }"#,
      to: "\(set)/Contents.json")
    let list = "--output-partial-info-plist obj/info.plist"
    try run("\(build) \(list) --include-language pt --development-region English", in: folder)
    let kept = try names("out/Assets.car", in: folder)
    #expect(kept.isSuperset(of: ["any.png", "en.png", "pt-BR.png"]))
    #expect(kept.isDisjoint(with: ["de.png", "fr.png"]))
    let info =
      try PropertyListSerialization.propertyList(
        from: Data(folder.read("obj/info.plist")), format: nil) as? [String: Any]
    #expect(info?["CFBundleLocalizations"] as? [String] == ["en", "pt-BR"])
  }

  @Test func aConfigurationHidesTheModel() throws {
    let folder = try appFolder()
    let images = [("phone", "iphone"), ("pad", "ipad")]
    for (index, image) in images.enumerated() {
      try folder.write(
        png(width: 1, height: 1, color: .gray, samples: [UInt8(index)]),
        to: "Assets.xcassets/Device.imageset/\(image.0).png")
    }
    let rows = images.map {
      #"{ "idiom" : "\#($0.1)", "scale" : "2x", "filename" : "\#($0.0).png" }"#
    }
    try folder.write(
      "{ \"images\" : [ \(rows.joined(separator: ", ")) ] }",
      to: "Assets.xcassets/Device.imageset/Contents.json")
    func kept(_ filters: String) throws -> Set<String> {
      try run("\(build) \(filters)", in: folder)
      return try names("out/Assets.car", in: folder).intersection(["phone.png", "pad.png"])
    }
    let model = "--filter-for-device-model iPad5,3"
    #expect(try kept("") == ["phone.png", "pad.png"])
    #expect(try kept(model) == ["pad.png"])
    let configuration = "--filter-for-thinning-device-configuration iPhone8,1-B"
    #expect(try kept("\(model) \(configuration)") == ["phone.png"])
    #expect(try kept("\(configuration) \(model)") == ["phone.png"])
  }

  @Test func anAssetGoesIntoThePackOfItsVeryTags() throws {
    let folder = try appFolder()
    let dot = png(width: 1, height: 1, color: .gray, samples: [1])
    for (name, tags) in [("One", "\"level1\""), ("Three", "\"level1\", \"level 2\", \"extra\"")] {
      try folder.write(dot, to: "Assets.xcassets/\(name).imageset/\(name).png")
      try folder.write(
        #"{ "images" : [ { "idiom" : "universal", "filename" : "\#(name).png" } ], "#
          + #""properties" : { "on-demand-resource-tags" : [ \#(tags) ] } }"#,
        to: "Assets.xcassets/\(name).imageset/Contents.json")
    }
    let packs = "--enable-on-demand-resources YES --asset-pack-output-specifications packs.plist"
    let result = try run("\(build) \(packs) --output-format human-readable-text", in: folder)
    #expect(
      try names("out/Packs/level.assetpack/Assets.car", in: folder)
        .isSuperset(of: ["rocket.png", "rocket@2x.png"]))
    let main = try names("out/Assets.car", in: folder)
    #expect(main.isSuperset(of: ["One.png", "Three.png", "moon.png"]))
    #expect(!main.contains("rocket.png"))
    #expect(
      result.stdout.contains(
        "packs.plist: warning: No asset pack has the tags \"level1\"; their assets stay in the app's"
      ))
    // Without on-demand resources there is only one archive.
    try run(build, in: folder)
    #expect(try names("out/Assets.car", in: folder).contains("rocket.png"))
  }

  /// Settings decide which findings are errors, so they are an input.
  @Test func theSettingsAreADependency() throws {
    let folder = try appFolder()
    try folder.write("{}", to: ".carve.json")
    try run("\(build) --export-dependency-info obj/deps", in: folder)
    let text = String(decoding: try folder.read("obj/deps"), as: UTF8.self)
    #expect(text.contains("\u{10}\(folder.path(".carve.json"))\0"))
  }

  @Test func bothPropertyListsSayTheSame() throws {
    let folder = try appFolder()
    let lists = try ["xml1", "binary1"].map { format in
      let result = try run("\(build) --app-icon AppIcon --output-format \(format)", in: folder)
      return try PropertyListSerialization.propertyList(from: Data(result.output), format: nil)
        as? NSDictionary
    }
    #expect(lists[0] != nil && lists[0] == lists[1])
    let binary = try run("\(build) --output-format binary1", in: folder).output
    #expect(binary.starts(with: Array("bplist00".utf8)))
  }
}
