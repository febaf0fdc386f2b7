// Tests the meaning of words of Contents.json and of bytes of headers. Each row is a rule from
// Apple's documents or from a standard, and not a copy of the reader's tables.

import Documents
import Support
import Testing
import Traits

@testable import CatalogModel

@Suite struct MeaningTests {
  // MARK: Pictures

  /// HEIF counts quarter turns counterclockwise. EXIF says how the picture has to be turned
  /// clockwise: 6 is one quarter turn, 8 is three.
  @Test(arguments: [(0, 1, false), (1, 8, true), (2, 3, false), (3, 6, true)])
  func quarterTurnsOfHEIF(rotation: UInt8, orientation: Int, isSwapped: Bool) throws {
    let header = try ImageHeader.read(heif("heic", width: 40, height: 30, rotation: rotation))
    #expect(header.orientation == orientation)
    #expect(header.width == 40 && header.height == 30)
    #expect(
      [header.uprightSize.width, header.uprightSize.height] == (isSwapped ? [30, 40] : [40, 30]))
  }

  // MARK: Inputs of a run

  /// Every folder and every file below the catalogue is an input, including the Contents.json of
  /// groups.
  @Test func foldersAndFilesOfGroupsAreInputs() {
    let contents = TreeBuilder().folder("Group", "{}").imageSet("Group/Star", [""])
      .folder("Plain").imageSet("Plain/Moon", [""]).file("Contents.json", Array("{}".utf8)).read()
    let paths = [
      "", "/Contents.json", "/Group", "/Group/Contents.json", "/Group/Star.imageset",
      "/Group/Star.imageset/Contents.json", "/Group/Star.imageset/Star0.png", "/Plain",
      "/Plain/Moon.imageset", "/Plain/Moon.imageset/Contents.json",
      "/Plain/Moon.imageset/Moon0.png",
    ]
    #expect(contents.inputs == paths.map { "A.xcassets" + $0 })
    #expect(contents.inputCount == paths.count)
  }

  /// A file that was searched for and does not exist would change the output if it were created.
  @Test func missingFilesAreListed() {
    let contents = TreeBuilder().file("Contents.json", Array("{}".utf8)).folder("Bare.imageset")
      .folder("Gone.imageset", images(#"{"filename":"a.png"},{"filename":"b.png","scale":"2x"}"#))
      .picture("Gone.imageset/b.png").read()
    #expect(
      contents.missing == [
        "A.xcassets/Bare.imageset/Contents.json", "A.xcassets/Gone.imageset/a.png",
      ])
  }

  // MARK: Colours

  /// A text with a decimal point is a fraction of 1. A decimal or hexadecimal whole number is a
  /// fraction of 255.
  @Test(
    arguments: [
      ("0.5", 0.5), ("1.0", 1), ("255", 1), ("0xFF", 1), ("0x80", 128 / 255.0), ("51", 0.2),
      ("0X33", 0.2), ("1", 1 / 255.0), (" 51 ", 0.2), ("5e-1", 0.5), ("x", nil), ("0xx", nil),
    ] as [(String, Double?)])
  func componentsAreShares(text: String, value: Double?) {
    #expect(componentValue(text) == value)
  }

  @Test(arguments: [
    (#"{"reference":"systemRedColor"}"#, "universal", "systemRedColor"),
    (#"{"platform":"ios","reference":"systemRedColor"}"#, "ios", "systemRedColor"),
    (#"{"platform":"osx","reference":"a"}"#, "osx", "a"),
    (#"{"platform":"macos","reference":"a"}"#, "osx", "a"),
    (#"{"platform":"tvos","reference":"a"}"#, "tvos", "a"),
  ])
  func referencesNameAPlatform(color: String, platform: String, name: String) {
    let colors = TreeBuilder().colorSet("Tint", [#"{"color":\#(color)}"#]).read().colors("Tint")
    #expect(colors?.entries.first?.value == .reference(platform: platform, name: name))
  }

  // MARK: Sets

  private func contents(_ set: String, _ json: String, _ files: [String] = []) -> AssetContents? {
    files.reduce(TreeBuilder().folder(set, json)) { $0.picture("\(set)/\($1)") }.read().assets
      .first?
      .contents
  }

  @Test func levelsOfMipmapsCountFromTheBase() {
    let rows = ["base", "mipmap-level-1", "mipmap-level-2", "mipmap-level-16"].map {
      #"{"filename":"a.png","mipmap-level":"\#($0)"}"#
    }
    let json = #"{"levels":[\#(rows.joined(separator: ","))],"properties":{"level-mode":"fixed"}}"#
    guard case .mipmaps(let set)? = contents("M.mipmapset", json, ["a.png"]) else {
      return #expect(Bool(false))
    }
    #expect(set.levels.map(\.level) == [0, 1, 2, 16] && set.mode == .fixed)
  }

  @Test func texturesSayTheirFaceAndFormat() {
    let json = """
      {"textures":[{"filename":"U.mipmapset","pixel-format":"astc-4x4","cube-face":"y-","color-space":"display-p3"}],
      "properties":{"interpretation":"data","origin":"bottom-left"}}
      """
    guard case .textures(let set)? = contents("T.cubetextureset", json) else {
      return #expect(Bool(false))
    }
    #expect(set.isCube && set.interpretation == "data" && set.originIsBottomLeft)
    let entry = set.entries.first
    #expect(entry?.cubeFace == "y-" && entry?.pixelFormat == "astc-4x4")
    #expect(entry?.colorSpace == "display-p3" && entry?.filename == "U.mipmapset")
  }

  @Test func rolesOfBrandAssetsAreKeptApart() {
    let rows = ["primary-app-icon", "top-shelf-image", "top-shelf-image-wide"].map {
      #"{"idiom":"tv","role":"\#($0)","size":"400x240","filename":"\#($0).imagestack"}"#
    }
    guard
      case .brandAssets(let brand)? = contents(
        "B.brandassets", #"{"assets":[\#(rows.joined(separator: ","))]}"#)
    else { return #expect(Bool(false)) }
    #expect(brand.assets.map(\.role) == [.primaryAppIcon, .topShelf, .topShelfWide])
    #expect(brand.assets.first?.filename == "primary-app-icon.imagestack")
    #expect(brand.assets.first?.size == PointSize(width: 400, height: 240))
  }

  @Test func launchImagesSaySystemExtentAndOrientation() {
    let json = """
      {"images":[{"idiom":"iphone","scale":"2x","filename":"a.png","orientation":"landscape",
      "extent":"full-screen","minimum-system-version":"8.0","subtype":"736h"}]}
      """
    guard case .launchImages(let set)? = contents("L.launchimage", json, ["a.png"]) else {
      return #expect(Bool(false))
    }
    let entry = set.entries.first
    #expect(entry?.orientation == "landscape" && entry?.extent == "full-screen")
    #expect(entry?.minimumSystemVersion == "8.0" && entry?.slot.key.subtype == 570)
  }

  @Test(arguments: ["meters", "centimeters", "feet", "inches", "yards"])
  func referenceImagesHaveASizeInTheWorld(unit: String) {
    let json =
      #"{"images":[{"filename":"a.png"}],"properties":{"width":3,"height":2,"unit":"\#(unit)"}}"#
    guard case .arImage(let image)? = contents("R.arreferenceimage", json, ["a.png"]) else {
      return #expect(Bool(false))
    }
    #expect(image.width == 3 && image.height == 2 && image.unit?.rawValue == unit)
  }

  @Test(arguments: [
    (#""images":[]"#, ["the image has no \"properties\" with its \"width\" in the world"]),
    (#""images":[],"properties":{}"#, ["the image has no \"width\" in the world"]),
    (#""images":[],"properties":{"width":1}"#, []), (#""images":[],"properties":7"#, []),
  ])
  func referenceImagesNeedAWidth(json: String, expected: [String]) {
    let found = TreeBuilder().folder("R.arreferenceimage", "{\(json)}").read().diagnostics
    #expect(found.filter { $0.code == .missingKey }.map(\.message) == expected)
  }

  @Test func settingsOfASetAreInheritedByItsEntries() {
    let json = """
      {"data":[{"filename":"a.png"},{"filename":"a.png","compression-type":"lossless",
      "universal-type-identifier":"public.png"}],"properties":{"compression-type":"lossy"}}
      """
    guard case .data(let set)? = contents("D.dataset", json, ["a.png"]) else {
      return #expect(Bool(false))
    }
    #expect(set.entries.map(\.compression) == [.lossy, .lossless])
    #expect(set.entries.map(\.typeIdentifier) == [nil, "public.png"])
  }
}
