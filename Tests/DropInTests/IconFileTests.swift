// Tests the icons of an app: their choice, the names of the files beside the archive, and the keys
// of the property list.

import Bytes
import CatalogCompiler
import CatalogModel
import Documents
import Support
import Testing
import Traits

@testable import DropIn

@Suite struct IconFileTests {
  private func choice(
    _ sources: SampleSources, _ platform: TargetPlatform, _ change: (inout BuildRequest) -> Void
  ) -> IconChoice {
    var request = BuildRequest(target: CompileTarget(platform: platform))
    change(&request)
    return IconChoice(request, among: readCatalogs([sources.root], in: .memory(sources.files)))
  }

  /// Adds a group whose name is a part of the names in it.
  private func addGroup(_ name: String, to sources: inout SampleSources) {
    sources.add("\(name)/Contents.json", #"{"properties":{"provides-namespace":true}}"#)
  }

  /// Adds a stack with two layers, the second of which can lack a picture.
  private func addStack(
    _ path: String, idiom: String, isWhole: Bool = true, to sources: inout SampleSources
  ) {
    let layer = path.hasSuffix(".solidimagestack") ? "solidimagestacklayer" : "imagestacklayer"
    sources.add(
      "\(path)/Contents.json",
      #"{"layers":[{"filename":"Front.\#(layer)"},{"filename":"Back.\#(layer)"}]}"#)
    for name in ["Front", "Back"] {
      let image = "\(path)/\(name).\(layer)/Content.imageset"
      sources.add("\(path)/\(name).\(layer)/Contents.json", "{}")
      sources.add(
        "\(image)/Contents.json",
        #"{"images":[{"idiom":"\#(idiom)","scale":"1x","filename":"a.png"}]}"#)
      if isWhole || name == "Front" {
        sources.files["\(sources.root)/\(image)/a.png"] = .bytes(png(width: 40, height: 24))
      }
    }
  }

  /// Sets of this type are icons of documents.
  @Test func anIconSetIsNoIconOfAnApp() throws {
    var sources = SampleSources()
    addIcon("AppIcon", [("mac", 16, 1)], to: &sources)
    sources.files["A.xcassets/Text.iconset/icon_16x16.png"] = .bytes(png(width: 16, height: 16))
    let outcome = try built(sources, .macOS) {
      $0.primaryIcon = "AppIcon"
      $0.includesAllIcons = true
    }
    #expect(try outcome.list["CFBundleIconName"]?.string == "AppIcon")
    let named = choice(sources, .macOS) { $0.primaryIcon = "Text" }
    #expect(named.messages.first?.description.contains("named  \"Text\"") == true)
  }

  /// Files and the texts that name them have no folders; the name in the archive has them.
  @Test func filesOfIconsInGroupsHaveNoFoldersInTheirNames() throws {
    var sources = SampleSources()
    for group in ["G", "H"] {
      addGroup(group, to: &sources)
      addIcon("\(group)/Alt", [("iphone", 60, 2)], to: &sources)
    }
    addIcon("G/Mac", [("mac", 16, 1)], to: &sources)
    sources.add(
      "G/Start.launchimage/Contents.json",
      #"{"images":[{"idiom":"iphone","scale":"2x","filename":"a.png","extent":"full-screen"}]}"#)
    sources.files["A.xcassets/G/Start.launchimage/a.png"] = .bytes(png(width: 640, height: 960))
    let phone = try built(sources) {
      $0.primaryIcon = "G/Alt"
      $0.alternateIcons = ["H/Alt"]
      $0.launchImage = "G/Start"
    }
    #expect(try phone.files == ["Alt60x60@2x.png", "Assets.car", "Start@2x.png"])
    let icons = try phone.list["CFBundleIcons"]?.dictionary
    let primary = icons?["CFBundlePrimaryIcon"]?.dictionary
    #expect(primary?["CFBundleIconName"]?.string == "G/Alt")
    #expect(primary?["CFBundleIconFiles"]?.array?.map(\.string) == ["Alt60x60"])
    #expect(try phone.list["UILaunchImageFile"]?.string == "Start")
    // The second icon cannot have files of the same names.
    let other = icons?["CFBundleAlternateIcons"]?.dictionary?["H/Alt"]?.dictionary
    #expect(other?["CFBundleIconName"]?.string == "H/Alt" && other?["CFBundleIconFiles"] == nil)
    #expect(
      phone.result.report.messages.contains {
        $0.severity == .warning && $0.description.contains("\"H/Alt\" beside the archive")
      })
    let mac = try built(sources, .macOS) { $0.primaryIcon = "G/Mac" }
    #expect(try mac.files == ["Assets.car", "Mac.icns"])
    #expect(try mac.list["CFBundleIconName"]?.string == "G/Mac")
    #expect(try mac.list["CFBundleIconFile"]?.string == "Mac")
  }

  /// The property list does not name an icon that is in no output.
  @Test(arguments: ["solid", "layered", "layer", "shelf"])
  func onlyIconsThatAreThereAreNamed(absent: String) throws {
    var sources = SampleSources()
    let isTelevision = absent == "layer" || absent == "shelf"
    switch absent {
    case "solid": addStack("AppIcon.solidimagestack", idiom: "vision", to: &sources)
    case "layered":
      sources.add("AppIcon.icon/icon.json", #"{"fill":{"solid":"srgb:1,0,0,1"},"groups":[]}"#)
    default:
      sources.add(
        "AppIcon.brandassets/Contents.json",
        """
        {"assets":[{"filename":"Small.imagestack","idiom":"tv","role":"primary-app-icon","size":"400x240"},
        {"filename":"Shelf.imageset","idiom":"tv","role":"top-shelf-image","size":"1920x720"}]}
        """)
      addStack(
        "AppIcon.brandassets/Small.imagestack", idiom: "tv", isWhole: absent != "layer",
        to: &sources)
      sources.add(
        "AppIcon.brandassets/Shelf.imageset/Contents.json",
        #"{"images":[{"idiom":"iphone","filename":"a.png"}]}"#)
      sources.files["A.xcassets/AppIcon.brandassets/Shelf.imageset/a.png"] = .bytes(
        png(width: 2, height: 2))
    }
    let outcome = try built(sources, isTelevision ? .tvOS : .visionOS) {
      $0.primaryIcon = "AppIcon"
    }
    #expect(try outcome.list["TVTopShelfImage"] == nil)
    let icons = try outcome.list["CFBundleIcons"]?.dictionary
    #expect(icons?["CFBundlePrimaryIcon"]?.string == (absent == "shelf" ? "Small" : nil))
    #expect(icons?.count == (absent == "shelf" ? 1 : nil))
  }

  /// Icons that are stacks in the archive, without a picture of their own name, are named.
  @Test func stacksAreIconsToo() throws {
    var sources = SampleSources()
    addGroup("G", to: &sources)
    sources.add(
      "G/Brand.brandassets/Contents.json",
      #"{"assets":[{"filename":"App Icon.imagestack","idiom":"tv","role":"primary-app-icon","size":"400x240"}]}"#
    )
    addStack("G/Brand.brandassets/App Icon.imagestack", idiom: "tv", to: &sources)
    addStack("Other.imagestack", idiom: "tv", to: &sources)
    let television = try built(sources, .tvOS) {
      $0.primaryIcon = "G/Brand"
      $0.includesAllIcons = true
    }
    let icons = try television.list["CFBundleIcons"]?.dictionary
    #expect(icons?["CFBundlePrimaryIcon"]?.string == "G/App Icon")
    #expect(icons?["CFBundleAlternateIcons"]?.dictionary?.keys.sorted() == ["Other"])
    var layered = SampleSources()
    layered.add(
      "Boat.icon/icon.json",
      #"{"fill":{"solid":"srgb:1,0,0,1"},"groups":[{"layers":[{"image-name":"a.png"}]}]}"#)
    layered.files["A.xcassets/Boat.icon/Assets/a.png"] = .bytes(png(width: 64, height: 64))
    let mac = try built(layered, .macOS) {
      $0.primaryIcon = "Boat"
      $0.compiling.drawsIcons = false
    }
    #expect(try mac.list["CFBundleIconName"]?.string == "Boat")
    #expect(try mac.list["CFBundleIconFile"] == nil)
  }

  /// Two icons of one type are ambiguous only under their full name. An icon of stickers has the
  /// file names of an app icon set.
  @Test func ambiguousNamesAreFullNames() throws {
    var sources = SampleSources()
    for group in ["One", "Two"] {
      addGroup("\(group)/G", to: &sources)
      addIcon("\(group)/G/AppIcon", [("iphone", 60, 2)], to: &sources)
    }
    addIcon("AppIcon", [("iphone", 60, 2)], to: &sources)
    #expect(choice(sources, .iOS) { $0.primaryIcon = "AppIcon" }.messages == [])
    let clash = choice(sources, .iOS) { $0.primaryIcon = "G/AppIcon" }.messages
    #expect(clash.map { $0.description.hasPrefix("There are multiple stickers") } == [true])
    for (path, file) in sources.files where path.hasPrefix("A.xcassets/AppIcon.appiconset") {
      let name = path.dropFirst("A.xcassets/AppIcon.appiconset".utf8.count)
      sources.files["A.xcassets/AppIcon.stickersiconset" + name] = file
    }
    let stickers = choice(sources, .iOS) { $0.primaryIcon = "AppIcon" }.messages
    #expect(stickers.map { $0.description.hasPrefix("There are multiple stickers") } == [true])
    #expect(choice(sources, .macOS) { $0.primaryIcon = "AppIcon" }.messages == [])
  }

  /// The App Store's picture is an entry of the platform.
  @Test(
    arguments: [
      (#""idiom":"watch-marketing""#, true), (#""idiom":"universal","platform":"watchos""#, true),
      (#""idiom":"ios-marketing""#, false), (#""idiom":"universal","platform":"ios""#, false),
    ])
  func thePictureForTheStoreIsOneOfThePlatform(entry: String, isMissing: Bool) throws {
    var sources = SampleSources()
    sources.add(
      "AppIcon.appiconset/Contents.json",
      #"{"images":[{"idiom":"iphone","size":"60x60","scale":"2x","filename":"a.png"},"#
        + #"{\#(entry),"size":"1024x1024","scale":"1x","filename":"b.png"}]}"#)
    for name in ["a", "b"] {
      sources.files["A.xcassets/AppIcon.appiconset/\(name).png"] = .bytes(png(width: 1, height: 1))
    }
    var request = BuildRequest(target: CompileTarget(platform: .iOS))
    request.primaryIcon = "AppIcon"
    let contents = readCatalogs([sources.root], in: .memory(sources.files))
    let values = AppValues(request, IconChoice(request, among: contents), contents)
    #expect(values.findings.contains { $0.code == .missingStoreIcon } == isMissing)
  }

  /// A picture above the limit for scaling is copied if it has the size, and otherwise refused with
  /// the limit.
  @Test func anImmenseIconIsCopiedOrRefusedByItsSize() throws {
    let wide = png(width: 4100, height: 2)
    for (side, isCopied) in [(4100, true), (4200, false)] {
      var sources = SampleSources()
      sources.add(
        "AppIcon.stickersiconset/Contents.json",
        #"{"images":[{"idiom":"iphone","size":"\#(side)x2","scale":"1x","filename":"a.png"}]}"#)
      sources.files["A.xcassets/AppIcon.stickersiconset/a.png"] = .bytes(wide)
      let outcome = try built(sources, fails: !isCopied) { $0.primaryIcon = "AppIcon" }
      let file = "AppIcon\(side)x2.png"
      #expect(try outcome.files == (isCopied ? [file] : []))
      if isCopied { #expect(try outcome.folder.read("out/\(file)") == wide) }
      let found = outcome.result.report.findings.filter { $0.code == .unsupportedImage }
      #expect(found.map { $0.message.contains("at most 4,096") } == (isCopied ? [] : [true]))
    }
  }

  // MARK: Without an output folder

  /// Without a folder nothing is compiled; the property list and the dependencies follow from the
  /// catalogues.
  @Test func thePropertyListNeedsNoOutputFolder() throws {
    var sources = SampleSources()
    addIcon("AppIcon", [("iphone", 60, 2)], to: &sources)
    let outcome = try built(sources) {
      $0.folder = nil
      $0.primaryIcon = "AppIcon"
    }
    #expect(try outcome.files == [])
    let primary = try outcome.list["CFBundleIcons"]?.dictionary?["CFBundlePrimaryIcon"]?.dictionary
    #expect(primary?["CFBundleIconName"]?.string == "AppIcon")
    #expect(primary?["CFBundleIconFiles"]?.array?.map(\.string) == ["AppIcon60x60"])
    let records = try outcome.records
    #expect(records[0x10]?.contains("A.xcassets/AppIcon.appiconset/Contents.json") == true)
    #expect(records[0x40] == [outcome.folder.path("info.plist")])
    #expect(outcome.result.report.outputFiles == [ByteString(outcome.folder.path("info.plist"))])
    let failed = try built(sources, fails: true) {
      $0.folder = nil
      $0.primaryIcon = "Nope"
    }
    #expect(failed.result.report.messages.map(\.severity) == [.error])
    #expect(try failed.folder.files(below: "").contains { $0.hasSuffix("info.plist") } == false)
  }
}
