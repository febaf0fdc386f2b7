// Tests the results of a build step without the tool: property list, loose icons, dependency
// records.

import Archive
import ArchiveTools
import AssetSymbols
import Bytes
import CatalogCompiler
import CatalogModel
import Documents
import Support
import Testing
import Traits

@testable import DropIn
@testable import Host

@Suite struct BuildStepTests {
  private var icons: SampleSources {
    var sources = SampleSources()
    let entries: [(String, Double, Int)] = [
      ("iphone", 60, 2), ("iphone", 20, 3), ("ipad", 76, 2), ("ipad", 83.5, 2), ("ipad", 20, 1),
    ]
    addIcon("AppIcon", entries, to: &sources)
    addIcon("Other", entries, to: &sources)
    return sources
  }

  // MARK: Icons beside the archive

  /// A file is for tablets if its entry is. The list of phones names only their own files, the list
  /// of tablets names all.
  @Test func looseIconsAreForThePhoneOrForTheTablet() throws {
    let outcome = try built(icons, minimum: OSVersion(10)) { $0.primaryIcon = "AppIcon" }
    #expect(
      try outcome.files == [
        "AppIcon20x20@3x.png", "AppIcon20x20~ipad.png", "AppIcon60x60@2x.png",
        "AppIcon76x76@2x~ipad.png", "AppIcon83.5x83.5@2x~ipad.png", "Assets.car",
      ])
    func stems(_ key: ByteString) throws -> [String?]? {
      let primary = try outcome.list[key]?.dictionary?["CFBundlePrimaryIcon"]?.dictionary
      #expect(primary?["CFBundleIconName"]?.string == "AppIcon")
      return primary?["CFBundleIconFiles"]?.array?.map(\.string)
    }
    #expect(try stems("CFBundleIcons") == ["AppIcon20x20", "AppIcon60x60"])
    #expect(
      try stems("CFBundleIcons~ipad") == [
        "AppIcon20x20", "AppIcon60x60", "AppIcon76x76", "AppIcon83.5x83.5",
      ])
  }

  /// From iOS 11 on, the archive has all sizes, and only the two files that other programs use are
  /// written beside it.
  @Test(arguments: [(OSVersion(10, 3), 5), (OSVersion(11), 2)])
  func oldSystemsHaveEverySizeBesideTheArchive(minimum: OSVersion, count: Int) throws {
    let outcome = try built(icons, minimum: minimum) { $0.primaryIcon = "AppIcon" }
    let loose = try outcome.files.filter { $0.hasSuffix(".png") }
    #expect(loose.count == count, "\(loose)")
    if count == 2 { #expect(loose == ["AppIcon60x60@2x.png", "AppIcon76x76@2x~ipad.png"]) }
  }

  /// Alternates have their own key beside the primary icon. Both lists name all of their files.
  @Test func alternatesAreNamedWithAllTheirFiles() throws {
    let outcome = try built(icons, minimum: OSVersion(10)) {
      $0.primaryIcon = "AppIcon"
      $0.alternateIcons = ["Other"]
    }
    for key in ["CFBundleIcons", "CFBundleIcons~ipad"] as [ByteString] {
      let icons = try #require(try outcome.list[key]?.dictionary)
      #expect(icons.keys.sorted() == ["CFBundleAlternateIcons", "CFBundlePrimaryIcon"])
      let others = try #require(icons["CFBundleAlternateIcons"]?.dictionary)
      #expect(others.keys.sorted() == ["Other"])
      let other = others["Other"]?.dictionary
      #expect(other?["CFBundleIconName"]?.string == "Other")
      #expect(
        other?["CFBundleIconFiles"]?.array?.map(\.string) == [
          "Other20x20", "Other60x60", "Other76x76", "Other83.5x83.5",
        ])
    }
  }

  /// The two pictures of the top shelf have different keys.
  @Test func theTopShelfHasAPictureAndAWideOne() throws {
    var sources = SampleSources()
    sources.add(
      "Brand.brandassets/Contents.json",
      """
      {"assets":[{"filename":"Wide.imageset","idiom":"tv","role":"top-shelf-image-wide","size":"2320x720"},
      {"filename":"Shelf.imageset","idiom":"tv","role":"top-shelf-image","size":"1920x720"}]}
      """)
    for name in ["Wide", "Shelf"] {
      sources.add(
        "Brand.brandassets/\(name).imageset/Contents.json",
        #"{"images":[{"idiom":"tv","scale":"1x","filename":"a.png"}]}"#)
      sources.files["A.xcassets/Brand.brandassets/\(name).imageset/a.png"] = .bytes(
        png(width: 4, height: 2))
    }
    let shelf = try built(sources, .tvOS) { $0.primaryIcon = "Brand" }.list["TVTopShelfImage"]
    #expect(
      shelf?.dictionary?.mapValues(\.string) == [
        "TVTopShelfPrimaryImage": "Shelf", "TVTopShelfPrimaryImageWide": "Wide",
      ])
  }

  // MARK: Dependencies

  /// Kind 0x10 was read, 0x11 was searched for but does not exist, 0x40 was written.
  @Test func readMissingAndWrittenFilesAreRecorded() throws {
    var sources = SampleSources()
    sources.image("Star", scales: [2])
    sources.add(
      "Gone.imageset/Contents.json", #"{"images":[{"idiom":"universal","filename":"gone.png"}]}"#)
    sources.add("Contents.json", "{}")
    sources.add("Bare.imageset/readme.txt", "")
    sources.add("Group/Contents.json", #"{"info":{"version":1}}"#)
    let outcome = try built(sources) { _ in }
    let records = try outcome.records
    let read = try #require(records[0x10])
    for path in ["Star.imageset/Star@2x.png", "Star.imageset/Contents.json", "Group/Contents.json"]
    {
      #expect(read.contains("A.xcassets/\(path)"), "\(path)")
    }
    #expect(
      records[0x11] == [
        "A.xcassets/Bare.imageset/Contents.json", "A.xcassets/Gone.imageset/gone.png",
      ])
    let folder = outcome.folder
    #expect(records[0x40] == [folder.path("info.plist"), folder.path("out/Assets.car")].sorted())
    #expect(records[0] == ["test-1"] && records.count == 4)
  }

  // MARK: Selection of assets

  /// A pack has the assets with exactly its tags, not those with fewer or more tags.
  @Test func aPackHasTheAssetsOfItsVeryTags() throws {
    var sources = SampleSources()
    for (name, tags) in [("One", #""a""#), ("Two", #""a","b""#), ("Three", #""a","b","c""#)] {
      sources.image(name, scales: [2])
      sources.add(
        "\(name).imageset/Contents.json",
        #"{"images":[{"idiom":"universal","scale":"2x","filename":"\#(name)@2x.png"}],"#
          + #""properties":{"on-demand-resource-tags":[\#(tags)]}}"#)
    }
    let contents = readCatalogs([sources.root], in: .memory(sources.files))
    var request = BuildRequest(target: CompileTarget(platform: .iOS))
    request.usesOnDemandResources = true
    request.assetPacks = "packs.plist"
    request.makePathsAbsolute { $0 == "." ? "/build" : "/build/" + $0 }
    var files = sources.files
    files["/build/packs.plist"] = .bytes(
      Array(
        """
        <plist version="1.0"><array><dict><key>tags</key><array><string>b</string><string>a</string>
        </array><key>bundle-path</key><string>ab</string></dict></array></plist>
        """.utf8))
    let division = PackDivision(request, contents, .memory(files))
    // A folder that is not absolute lies in the folder of the call.
    #expect(division.packs.map(\.path) == ["/build/ab"])
    #expect(division.packs.first?.contents.assets.map(\.name) == ["Two"])
    #expect(division.main.assets.map(\.name) == ["One", "Three"])
    #expect(division.messages.map(\.severity) == [.warning, .warning])
  }

  /// A requested language keeps its regions, and a region keeps its language. Variants without a
  /// language stay.
  @Test(arguments: [
    (["pt"], ["any", "pt", "pt-BR"]), (["pt-BR"], ["any", "pt", "pt-BR"]),
    (["PT-br"], ["any", "pt", "pt-BR"]),
    (["pt-PT"], ["any", "pt"]), (["p"], ["any"]), ([], ["any", "de", "pt", "pt-BR"]),
  ])
  func languagesKeepTheirRegions(wanted: [String], kept: [String]) throws {
    var sources = SampleSources()
    var rows = [#"{"idiom":"universal","filename":"any.png"}"#]
    rows += ["de", "pt", "pt-BR"].map {
      #"{"idiom":"universal","locale":"\#($0)","filename":"\#($0).png"}"#
    }
    for name in ["any", "de", "pt", "pt-BR"] {
      sources.files["A.xcassets/W.imageset/\(name).png"] = .bytes(png(width: 2, height: 2))
    }
    sources.add(
      "W.imageset/Contents.json",
      #"{"properties":{"localizable":true},"images":[\#(rows.joined(separator: ","))]}"#)
    var contents = readCatalogs([sources.root], in: .memory(sources.files))
    var request = BuildRequest(target: CompileTarget(platform: .iOS))
    request.languages = wanted
    BuildStep(request, in: .memory(sources.files), version: "") { $0 }.keepLanguages(&contents)
    guard case .images(let set)? = contents.assets.first?.contents else {
      return #expect(Bool(false))
    }
    #expect(set.entries.compactMap { $0.file?.name.dropLast(4) }.map(String.init).sorted() == kept)
  }

  @Test func languagesOfPartsAreChosen() throws {
    var sources = SampleSources()
    sources.add(
      "Brand.brandassets/Contents.json",
      #"{"assets":[{"filename":"S.imageset","idiom":"tv","role":"top-shelf-image","size":"1920x720"}]}"#
    )
    sources.add(
      "Brand.brandassets/S.imageset/Contents.json",
      #"{"properties":{"localizable":true},"images":[{"idiom":"tv","scale":"1x","filename":"a.png"},{"idiom":"tv","scale":"1x","locale":"de","filename":"a.png"},{"idiom":"tv","scale":"1x","locale":"fr","filename":"a.png"}]}"#
    )
    sources.files["A.xcassets/Brand.brandassets/S.imageset/a.png"] = .bytes(
      png(width: 1920, height: 720))
    var contents = readCatalogs([sources.root], in: .memory(sources.files))
    #expect(contents.assets.flatMap(\.locales) == ["de", "fr"])
    var request = BuildRequest(target: CompileTarget(platform: .tvOS))
    request.languages = ["fr"]
    BuildStep(request, in: .memory(sources.files), version: "") { $0 }.keepLanguages(&contents)
    #expect(contents.assets.flatMap(\.locales) == ["fr"])
  }

  /// Only the named complication is put into the archive.
  @Test func theNamedComplicationIsCompiled() throws {
    var sources = SampleSources()
    for name in ["One", "Two"] {
      sources.add(
        "\(name).complicationset/Contents.json",
        #"{"assets":[{"idiom":"watch","filename":"C.imageset","role":"circular"}]}"#)
      sources.add(
        "\(name).complicationset/C.imageset/Contents.json",
        #"{"images":[{"idiom":"watch","scale":"2x","filename":"a.png"}]}"#)
      sources.files["A.xcassets/\(name).complicationset/C.imageset/a.png"] = .bytes(
        png(width: 20, height: 20))
    }
    let outcome = try built(sources, .watchOS) { $0.complication = "Two" }
    let names = try outcome.folder.read("out/Assets.car").withUnsafeBytes {
      try Archive($0).facets().map(\.name)
    }
    #expect(names == ["Two/C"])
  }

  // MARK: Pieces

  /// The first versions with their own `ImageResource`, from Apple's documents.
  @Test(
    arguments: [
      (TargetPlatform.macOS, 14), (.iOS, 17), (.iOSSimulator, 17), (.tvOS, 17), (.watchOS, 10),
    ] as [(TargetPlatform, UInt16)])
  func resourceTypesAreDefinedForSystemsThatLackThem(platform: TargetPlatform, first: UInt16) throws
  {
    func defines(_ major: UInt16) throws -> Bool {
      let folder = try TemporaryDirectory()
      var symbols = GeneratedSources()
      symbols.swift = ByteString(folder.path("a.swift"))
      let outputs = OutputSet()
      let target = CompileTarget(platform: platform, minimum: OSVersion(major))
      let contents = CatalogContents()
      try symbols.write(SymbolAssets(contents), of: contents, for: target, to: outputs)
      try outputs.commit()
      let text = String(decoding: try folder.read("a.swift"), as: UTF8.self)
      return text.contains("struct ImageResource")
    }
    #expect(try defines(first - 1))
    #expect(try !defines(first))
  }

  /// A layered icon is drawn for the files beside the archive, unless an icon set of its name has
  /// the pictures or no bitmaps are requested.
  @Test func layeredIconsAreDrawnBesideTheArchive() throws {
    var sources = SampleSources()
    sources.add(
      "Boat.icon/icon.json",
      #"{"fill":{"solid":"srgb:1,0,0,1"},"groups":[{"layers":[{"image-name":"a.png"}]}]}"#)
    sources.files["\(sources.root)/Boat.icon/Assets/a.png"] = .bytes(png(width: 64, height: 64))
    let mac = try built(sources, .macOS) { $0.primaryIcon = "Boat" }
    #expect(try mac.files == ["Assets.car", "Boat.icns"])
    #expect(try mac.list["CFBundleIconFile"]?.string == "Boat")
    let parts = try elements(mac.folder.read("out/Boat.icns"))
    #expect(
      parts.map(\.type) == [
        "is32", "s8mk", "ic11", "il32", "l8mk", "ic12", "ic07", "ic13", "ic08", "ic14", "ic09",
        "ic10",
      ])
    let phone = try built(sources) { $0.primaryIcon = "Boat" }
    #expect(
      try phone.files == ["Assets.car", "Boat60x60@2x.png", "Boat76x76@2x~ipad.png"])
    let none = try built(sources, .macOS) { request in
      request.primaryIcon = "Boat"
      request.compiling.drawsIcons = false
    }
    #expect(try none.files == ["Assets.car"])
    addIcon("Boat", [("iphone", 60, 2)], to: &sources)
    #expect(try built(sources) { $0.primaryIcon = "Boat" }.files.contains("Boat60x60@2x.png"))
  }

  /// A JPEG becomes a PNG of the wanted size.
  @Test func aJPEGIsAnIconToo() throws {
    let pixels = try #require(IconPixels(jpegFile("baseline"), width: 120, height: 120))
    #expect(pixels.png.starts(with: [0x89, 0x50, 0x4E, 0x47]))
    #expect(pixels.straightPlanes().map(\.count) == [14_400, 14_400, 14_400, 14_400])
    #expect(IconPixels(jpegFile("inks"), width: 120, height: 120) == nil)
  }

  /// Each size of the Mac icon has the letters that the system expects.
  @Test func everySizeOfTheMacsIconHasItsLetters() throws {
    let letters = [
      "16@2": "ic11", "32@2": "ic12", "128@1": "ic07", "128@2": "ic13", "256@1": "ic08",
      "256@2": "ic14",
      "512@1": "ic09", "512@2": "ic10", "16@1": "is32", "32@1": "il32",
    ]
    for (name, type) in letters {
      let numbers = name.split(separator: "@").compactMap { Int($0) }
      let side = numbers[0] * numbers[1]
      let source = SourceFile(name: "a.png", path: "a.png", exists: true, size: 1)
      let bytes = png(width: side, height: side, red: 7, green: 9)
      let pixels = try #require(IconPixels(bytes, width: side, height: side))
      var file = MacIconFile()
      file.add(MacIconPicture(size: numbers[0], scale: numbers[1], source: source), pixels)
      #expect(Array(file.bytes[8..<12]) == Array(type.utf8), "\(name)")
    }
  }

  /// The planes of the two smallest sizes: runs of 3 to 130 equal bytes, and up to 128 unpacked
  /// bytes. The colours are not premultiplied.
  @Test func planesOfTheMacsIconAreWhatTheyWere() throws {
    let side = 16
    var samples: [UInt8] = []
    for place in 0..<side * side {
      // Rows of one colour, rows of many colours, and half-transparent rows.
      let row = place / side
      samples +=
        row < 9
        ? [200, 0, 7, 255] : row < 14 ? [UInt8(place), UInt8(row), 9, 255] : [99, 201, 3, 128]
    }
    let bytes = png(width: side, height: side, color: .rgba, samples: samples)
    let source = SourceFile(name: "a.png", path: "a.png", exists: true, size: 1)
    let pixels = try #require(IconPixels(bytes, width: side, height: side))
    var file = MacIconFile()
    file.add(MacIconPicture(size: 16, scale: 1, source: source), pixels)
    let parts = try elements(file.bytes)
    #expect(parts.map(\.type) == ["is32", "s8mk"])
    let planes = unpacked(parts[0].bytes)
    let count = side * side
    #expect(planes.count == 3 * count && parts[1].bytes.count == count)
    for place in 0..<count {
      let alpha = parts[1].bytes[place]
      #expect(alpha == samples[4 * place + 3])
      for channel in 0..<3 {
        let wanted = Int(samples[4 * place + channel])
        let found = Int(planes[channel * count + place])
        // In a half-transparent pixel, the stored value has half the precision.
        #expect(abs(found - wanted) <= (alpha == 255 ? 0 : 1), "\(place) \(channel)")
      }
    }
  }

  /// Returns the elements after the header. Each has four letters, a length that includes them, and
  /// bytes.
  private func elements(_ file: [UInt8]) throws -> [(type: String, bytes: [UInt8])] {
    func number(_ place: Int) -> Int { file[place..<place + 4].reduce(0) { $0 << 8 | Int($1) } }
    #expect(Array(file[..<4]) == Array("icns".utf8) && number(4) == file.count)
    var parts: [(String, [UInt8])] = []
    var place = 8
    while place + 8 <= file.count {
      let length = number(place + 4)
      parts.append(
        (
          String(decoding: file[place..<place + 4], as: UTF8.self),
          Array(file[place + 8..<place + length])
        ))
      place += length
    }
    return parts
  }

  private func unpacked(_ bytes: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    var place = 0
    while place < bytes.count {
      let head = Int(bytes[place])
      if head < 128 {
        result += bytes[place + 1...place + 1 + head]
        place += 2 + head
      } else {
        result += [UInt8](repeating: bytes[place + 1], count: head - 125)
        place += 2
      }
    }
    return result
  }

  /// The types of findings, which scripts of build systems compare.
  @Test(arguments: [
    (DiagnosticCode.nameClash, "Ambiguous Content"), (.duplicateSlot, "Ambiguous Content"),
    (.unassignedFile, "Inapplicable Content"), (.unreachableVariant, "Inapplicable Content"),
    (.missingFile, "Missing Content"), (.emptySet, "Missing Content"),
    (.unsupportedSet, "Unsupported Configuration"), (.vectorFeature, "Unsupported Configuration"),
    (.brokenImage, "Malformed Content"),
  ])
  func findingsComeUnderApplesHeadings(code: DiagnosticCode, heading: String) {
    #expect(code.appleType == heading)
  }
}
