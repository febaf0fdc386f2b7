// The report about an app: its bundles, what devices download, copies, loose pictures.

import ArchiveTools
import Bytes
import CDeflate
import Host
import Support
import Testing
import Traits

@testable import Apps

/// Returns an Info.plist in XML with these entries.
private func infoPlist(_ entries: String) -> [UInt8] {
  Array(
    """
    <?xml version="1.0" encoding="UTF-8"?>
    <plist version="1.0"><dict>\(entries)</dict></plist>
    """.utf8)
}

private func archive(_ fill: (inout SampleSources) -> Void) throws -> [UInt8] {
  var sources = SampleSources()
  fill(&sources)
  return try sources.compiled().bytes
}

extension ZIPMember {
  fileprivate var isArchive: Bool { path.reversed().starts(with: "rac.".utf8) }
}

/// An app with an extension, a framework, a watch app and an App Clip.
private let shop = Result { () throws -> [ZIPMember] in
  let main = try archive { sources in
    sources.image("Star", points: 60, red: 10)
    sources.image("Copy", points: 60, red: 20)
  }
  let share = try archive { $0.image("Again", points: 60, red: 20) }
  let app = "Payload/Shop.app"
  let loose = png(width: 64, height: 64, red: 1, green: 2, blue: 3)
  return [
    ZIPMember(
      "\(app)/Info.plist",
      infoPlist(
        """
        <key>CFBundleName</key><string>Shop</string>
        <key>CFBundleIdentifier</key><string>org.example.shop</string>
        <key>CFBundleShortVersionString</key><string>2.1</string>
        <key>MinimumOSVersion</key><string>17.0</string>
        <key>DTPlatformName</key><string>iphoneos</string>
        <key>UIDeviceFamily</key><array><integer>1</integer></array>
        """)),
    ZIPMember("\(app)/Assets.car", main).deflated(),
    ZIPMember("\(app)/en.lproj/a.strings", "x"), ZIPMember("\(app)/de.lproj/a.strings", "x"),
    ZIPMember("\(app)/photo@2x~iphone.png", loose),
    ZIPMember("\(app)/flutter_assets/2.0x/dot.png", loose),
    ZIPMember(
      "\(app)/PlugIns/Share.appex/Info.plist",
      infoPlist(
        """
        <key>CFBundleName</key><string>Share</string>
        <key>UIDeviceFamily</key><array><integer>1</integer><integer>2</integer></array>
        """)),
    ZIPMember("\(app)/PlugIns/Share.appex/Assets.car", share),
    ZIPMember("\(app)/Frameworks/Kit.framework/Assets.car", share),
    ZIPMember("\(app)/Frameworks/Kit.framework/Kit.bundle/x.txt", "x"),
    ZIPMember("\(app)/Watch/Wrist.app/Info.plist", infoPlist("")),
    ZIPMember("\(app)/AppClips/Clip.app/Info.plist", infoPlist("")),
  ]
}

@Suite struct AppReportTests {
  private func report(_ members: [ZIPMember]) throws -> AppReport {
    try zip(members).withUnsafeBytes { bytes in
      AppReport(try AppFiles(zip: bytes), jobs: 2)
    }
  }

  @Test func bundlesHaveTheirKindsAndFacts() throws {
    let report = try report(shop.get())
    let kinds = report.bundles.map { "\($0.bundle.path): \($0.bundle.kind.rawValue)" }
    #expect(
      kinds == [
        "Payload/Shop.app: app", "Payload/Shop.app/AppClips/Clip.app: App Clip",
        "Payload/Shop.app/Frameworks/Kit.framework: framework",
        "Payload/Shop.app/Frameworks/Kit.framework/Kit.bundle: resource bundle",
        "Payload/Shop.app/PlugIns/Share.appex: extension",
        "Payload/Shop.app/Watch/Wrist.app: watch app",
      ])
    let app = report.bundles[0].bundle
    #expect((app.name, app.version, app.identifier) == ("Shop", "2.1", "org.example.shop"))
    #expect((app.platform, app.oldestSystem) == (.iOS, OSVersion(17)))
    #expect((app.families, app.languages) == ([1], ["de", "en"]))
    #expect(report.troubles.isEmpty)
  }

  @Test func aFrameworkIsShownWhereItsAppRuns() throws {
    let report = try report(shop.get())
    let traits = report.bundles.map(\.bundle).filter { $0.kind == .framework }.map(\.traits)
    #expect(traits.map(\.deviceFamilies) == [[1]])
  }

  @Test func devicesDownloadWhatThinningKeeps() throws {
    let members = try shop.get()
    let report = try report(members)
    let phone = try #require(Device(named: "iPhone17,1"))
    let program = report.programs[0]
    let listed = program.devices.first { $0.device == phone }?.bytes
    var sum = 0
    for member in members where member.isArchive {
      try member.contents.withUnsafeBytes { bytes in
        var thinner = try Thinner(bytes)
        var app = AppTraits()
        app.deviceFamilies = [1]
        app.languages = ["de", "en"]
        let reach = try thinner.reach(of: phone, app: app, os: OSVersion(17))
        sum += try thinner.bytes(for: ThinningTarget([reach])).count
      }
    }
    #expect(listed == sum)
    let phones = try #require(program.families.first { $0.idiom == .phone })
    #expect(phones.smallest.bytes < program.archiveBytes)
    #expect(phones.largest.bytes >= phones.smallest.bytes)
  }

  @Test func equalPicturesAreFoundAcrossBundles() throws {
    let report = try report(shop.get())
    // One colour in three sizes, in three archives; and one loose picture twice.
    let groups = report.duplicates.map { Set($0.pictures.map(\.asset)) }
    #expect(groups.filter { $0 == ["Copy", "Again"] }.count == 3)
    #expect(groups.filter { $0 == [""] }.count == 1)
    let equal = try #require(report.duplicates.first { $0.pictures[0].asset != "" })
    #expect(equal.saved == equal.pictures.map(\.bytes).reduce(0, +) - equal.pictures[0].bytes)
    // A phone keeps one scale, so the copies of other scales cost it nothing.
    #expect(equal.savedOnDevices.values.allSatisfy { $0 <= equal.saved })
  }

  @Test func loosePicturesAreMeasured() throws {
    let report = try report(shop.get())
    let loose = try #require(report.programs[0].loose)
    #expect(loose.count == 2 && loose.compiledCount == 2)
    #expect(loose.catalog.map(\.bytes).allSatisfy { $0 > 0 })
    let pictures = report.bundles[0].loose
    #expect(pictures.map(\.key.scale) == [2, 2])
    #expect(pictures.map(\.key.idiom) == [.universal, .phone])
    #expect(
      pictures.map(\.stem) == ["Payload/Shop.app/flutter_assets/dot", "Payload/Shop.app/photo"])
  }

  /// Traits of Android, scales that no catalogue has, and two files of one variant.
  @Test(arguments: [
    ["res/drawable/a.png", "res/drawable-night/a.png", "res/drawable-ldrtl/a.png"],
    ["a@3x.png", "a@4x.png"], ["res/drawable/a.png", "res/drawable-land/a.png"],
    ["a.png", "a@1x.png"], ["1.5x/a.png", "a.png", "de.lproj/a.png"],
  ])
  func variantsOfALoosePictureDoNotCollide(names: [String]) throws {
    let members =
      try shop.get()
      + names.map {
        ZIPMember("Payload/Shop.app/\($0)", png(width: 24, height: 24, red: UInt8($0.count)))
      }
    let report = try report(members)
    #expect(report.troubles == [])
    let loose = try #require(report.programs[0].loose)
    #expect(loose.compiledCount == 2 + names.count && !loose.catalog.isEmpty)
  }

  @Test func aDamagedLoosePictureIsNamedAndTheOthersMeasured() throws {
    let members = try shop.get() + [ZIPMember("Payload/Shop.app/broken.png", "no picture")]
    let report = try report(members)
    #expect(report.troubles.map(\.path) == ["Payload/Shop.app/broken.png"])
    let loose = try #require(report.programs[0].loose)
    #expect(loose.count == 3 && loose.compiledCount == 2)
    #expect(!loose.catalog.isEmpty)
  }

  @Test func anUnreadableLoosePictureIsNamedWithTheReason() throws {
    var broken = ZIPMember("Payload/Shop.app/broken.png", png(width: 4, height: 4))
    broken.statedChecksum = 1
    let report = try report(try shop.get() + [broken])
    #expect(
      report.troubles.contains(
        AppTrouble(
          path: "Payload/Shop.app/broken.png",
          reason: "its checksum is wrong, so its bytes are damaged")))
    #expect(!report.troubles.contains { $0.reason.contains("object") })
  }

  @Test func archivesBeyondTheLimitAreNotMeasured() throws {
    var sources = SampleSources()
    sources.image("Star", points: 4)
    let archive = try sources.compiled().bytes
    let members = (0..<5).map { ZIPMember("A.app/\($0).car", archive) }
    let report = try zip(members).withUnsafeBytes { bytes in
      AppReport(try AppFiles(zip: bytes), jobs: 2, mostArchives: 2)
    }
    #expect(report.archives.count == 5 && report.archives.count { $0.sizes != nil } == 2)
    #expect(report.troubles.map(\.path) == ["A.app/2.car"])
    #expect(
      report.troubles.first?.reason
        == "it and further archives are not measured, because 2 were")
  }

  /// The pixels of all pictures count, whether the ZIP file made them smaller or not.
  @Test(arguments: [true, false])
  func picturesThatAreTooLargeForTheAppAreNamed(isDeflated: Bool) throws {
    // The pixels are missing: the picture is left out because of its header.
    let header =
      Array(png(width: 1, height: 1).prefix(8))
      + pngChunk("IHDR", [0, 0, 0x10, 0, 0, 0, 0x10, 0, 8, 6, 0, 0, 0])
      + pngChunk("IDAT", [UInt8](repeating: 0, count: 10_000))
    let bound = carve_deflate_bound(header.count)
    let packed = [UInt8](unsafeUninitializedCapacity: bound) { room, count in
      count = carve_deflate(header, header.count, 9, room.baseAddress, bound)
    }
    let bombs = (0..<10).map { number in
      var member = ZIPMember("Payload/A.app/bomb\(number).png", header)
      if !isDeflated { return member }
      member = member.deflated()
      // A zlib stream has two bytes before the deflate stream, and four behind it.
      member.stored = packed.dropFirst(2).dropLast(4)
      return member
    }
    let troubles = try report(bombs).troubles
    let tooLarge = troubles.filter { $0.reason.contains("the app is too small for so many") }
    #expect(tooLarge.map(\.path) == (4..<10).map { "Payload/A.app/bomb\($0).png" })
  }

  @Test func resourceForksAreNoFilesOfTheApp() throws {
    let members = try shop.get()
    let forks = [
      "__MACOSX/Payload/Shop.app/._Assets.car", "Payload/Shop.app/._photo@2x~iphone.png",
    ].map { ZIPMember($0, "a fork") }
    let report = try report(members + forks)
    #expect(report.troubles.isEmpty)
    #expect(report.fileCount == members.count && report.archives.count == 3)
  }

  @Test func aFrameworkHasTheFactsOfItsVersion() throws {
    let facts = infoPlist("<key>CFBundleShortVersionString</key><string>2.6</string>")
    let report = try report([
      ZIPMember("A.app/Contents/Frameworks/S.framework/Versions/B/Resources/Info.plist", facts)
    ])
    #expect(report.bundles.map(\.bundle.version) == ["2.6"])
  }

  @Test func aDamagedArchiveIsNamedAndTheRestReported() throws {
    var members = try shop.get()
    let place = try #require(members.firstIndex { $0.isArchive })
    members[place] = ZIPMember("Payload/Shop.app/Assets.car", "not an archive")
    let report = try report(members)
    #expect(report.troubles.map(\.path) == ["Payload/Shop.app/Assets.car"])
    #expect(report.archives.count == 3 && report.archives.filter { $0.sizes != nil }.count == 2)
  }

  @Test func aFolderGivesTheSameReport() throws {
    let folder = try TemporaryDirectory()
    for member in try shop.get() {
      try folder.write(member.contents, to: String(decoding: member.path, as: UTF8.self))
    }
    let onDisk = AppReport(try AppFiles(folder: ByteString(folder.path)), jobs: 1)
    let inZIP = try report(shop.get())
    #expect(onDisk.bundles.map(\.bundle.path) == inZIP.bundles.map(\.bundle.path))
    #expect(onDisk.programs.map(\.archiveBytes) == inZIP.programs.map(\.archiveBytes))
    #expect(onDisk.duplicates == inZIP.duplicates)
  }

  @Test func aFolderThatIsABundleIsFound() throws {
    let folder = try TemporaryDirectory()
    let members = try shop.get()
    for member in members {
      try folder.write(member.contents, to: String(decoding: member.path, as: UTF8.self))
    }
    for ending in ["", "/"] {
      let files = try AppFiles(folder: ByteString(folder.path + "/Payload/Shop.app" + ending))
      let found = AppReport(files, .list, jobs: 1)
      #expect(found.bundles.first?.bundle.path == "Shop.app")
      #expect(found.bundles.first?.bundle.name == "Shop")
      #expect(try found.bundles.count == report(members).bundles.count)
    }
  }

  @Test func aListReadsNoArchive() throws {
    let list = try zip(shop.get()).withUnsafeBytes { bytes in
      AppReport(try AppFiles(zip: bytes), .list, jobs: 1)
    }
    #expect(list.archives.count == 3 && list.archives.allSatisfy { $0.sizes == nil })
    #expect(list.duplicates.isEmpty && list.programs[0].loose == nil)
  }

  @Test func entriesThatLieTooDeepAreNamed() throws {
    let deep = String(repeating: "a/", count: 65) + "b"
    let files = try zip([ZIPMember(deep, "x"), ZIPMember("c", "y")]).withUnsafeBytes {
      try AppFiles(zip: $0)
    }
    #expect(files.files.map(\.path) == ["c"])
    #expect(files.troubles.map(\.reason) == ["it lies more than 64 folders deep"])
  }

  /// An entry may not inflate to much more than 64 times its size.
  @Test func aBombIsNotInflated() throws {
    var bomb = ZIPMember("A.app/Assets.car", "").deflated()
    bomb.stored = [UInt8](repeating: 0, count: 100_000)
    bomb.statedSize = 80 << 20
    let report = try report([bomb])
    #expect(report.troubles.map(\.reason) == ["its 83886080 bytes are more than 73508864"])
  }

  @Test func similarPicturesAreFoundBySizeAndByRounding() throws {
    /// A picture with a gradient, of any size, with a small change.
    func gradient(_ side: Int, change: UInt8 = 0) -> [UInt8] {
      var samples: [UInt8] = []
      for y in 0..<side {
        for x in 0..<side {
          samples += [UInt8(x * 200 / side) + change, UInt8(y * 200 / side), 40, 255]
        }
      }
      return png(width: side, height: side, color: .rgba, samples: samples)
    }
    let report = try report([
      ZIPMember("A.app/one.png", gradient(96)), ZIPMember("A.app/two.png", gradient(96, change: 2)),
      ZIPMember("A.app/three.png", gradient(192)),
      ZIPMember("A.app/four.png", gradient(96, change: 9)),
    ])
    let groups = report.similar.map { Set($0.pictures.map(\.path)) }
    #expect(groups == [["A.app/one.png", "A.app/two.png", "A.app/three.png"]])
  }
}
