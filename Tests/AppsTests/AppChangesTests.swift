// The changes from one build of an app to the next, limits, icons, and descriptions for other
// tools.

import Archive
import ArchiveTools
import Bytes
import Imaging
import Support
import Synchronization
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

private let facts = infoPlist(
  """
  <key>CFBundleName</key><string>Shop</string>
  <key>MinimumOSVersion</key><string>17.0</string>
  <key>DTPlatformName</key><string>iphoneos</string>
  <key>UIDeviceFamily</key><array><integer>1</integer></array>
  """)

/// Returns an app whose archive has these images: names and sides in points.
private func app(
  _ images: [(name: String, points: Int)], at root: String = "Payload/Shop.app",
  _ more: [ZIPMember] = []
) throws -> [ZIPMember] {
  var sources = SampleSources()
  for (number, image) in images.enumerated() {
    sources.image(image.name, points: image.points, red: UInt8(10 * number))
  }
  return [
    ZIPMember("\(root)/Info.plist", facts),
    ZIPMember("\(root)/Assets.car", try sources.compiled().bytes),
  ] + more
}

private func report(_ members: [ZIPMember]) throws -> AppReport {
  try zip(members).withUnsafeBytes { AppReport(try AppFiles(zip: $0), jobs: 2) }
}

@Suite struct AppChangesTests {
  @Test func equalBuildsHaveNoChanges() throws {
    let build = try report(app([("Star", 20)]))
    let changes = AppChanges(from: build, to: build)
    #expect(changes.isEmpty && !changes.devices.isEmpty)
    #expect(changes.excesses(over: .bytes(0)).isEmpty)
  }

  @Test func changesHaveTheirCauses() throws {
    let loose = ZIPMember(
      "Payload/Shop.app/a.png", png(width: 8, height: 8, red: 1, green: 2, blue: 3))
    let before = try report(app([("Star", 20), ("Old", 20)]))
    let after = try report(app([("Star", 60), ("New", 20)], [loose]))
    let changes = AppChanges(from: before, to: after)
    let causes = Dictionary(uniqueKeysWithValues: changes.assets.map { ($0.asset, $0.cause) })
    #expect(causes["Old"] == "removed" && causes["New"] == "new")
    #expect(causes["Star"] == "larger")
    #expect(changes.loose.map(\.path) == ["a.png"] && changes.loose.map(\.cause) == ["new"])
    #expect(changes.archives.map(\.path) == ["Assets.car"])
    // Every device downloads the loose picture and its part of the archive.
    let device = try #require(changes.devices.first)
    let program = after.programs[0]
    let archives = try #require(program.devices.first { $0.device == device.device }?.bytes)
    #expect(device.bytes.after == archives + program.looseBytes)
    #expect(program.looseBytes == loose.contents.count)
  }

  @Test func anArchiveOfXcodeIsComparedWithAnIPA() throws {
    let ipa = try report(app([("Star", 20)]))
    let archive = try report(app([("Star", 20)], at: "Products/Applications/Shop.app"))
    #expect(AppChanges(from: ipa, to: archive).isEmpty)
  }

  @Test func growthIsLimitedInBytesAndPercent() throws {
    let changes = AppChanges(
      from: try report(app([("Star", 20)])), to: try report(app([("Star", 20), ("New", 60)])))
    let growth = changes.devices.map(\.bytes.growth)
    let most = try #require(growth.max())
    #expect(most > 0)
    #expect(changes.excesses(over: .bytes(most)).isEmpty)
    let excesses = changes.excesses(over: .bytes(most - 1))
    #expect(excesses.flatMap(\.devices).count == growth.count { $0 == most })
    #expect(!changes.excesses(over: .percent(0)).isEmpty)
    #expect(changes.excesses(over: .percent(1e8)).isEmpty)
  }

  /// A program that supports more devices than before did not grow on them.
  @Test func aDeviceThatRunsTheProgramOnlyNowHasNoGrowth() throws {
    let before = try report(app([("Star", 20)]))
    var members = try app([("Star", 20)])
    members[0] = ZIPMember(
      "Payload/Shop.app/Info.plist",
      Array(
        String(decoding: facts, as: UTF8.self).replacing(">17.0<", with: ">15.0<").utf8))
    let changes = AppChanges(from: before, to: try report(members))
    #expect(changes.devices.contains { $0.bytes.before == nil && $0.bytes.after ?? 0 > 0 })
    #expect(changes.excesses(over: .percent(50)).isEmpty)
    // All devices of a new program grow from 0.
    members[0] = ZIPMember("Payload/Other.app/Info.plist", facts)
    members[1] = ZIPMember("Payload/Other.app/Assets.car", members[1].contents)
    let other = AppChanges(from: try report([]), to: try report(members))
    #expect(!other.excesses(over: .percent(50)).isEmpty)
  }

  @Test(arguments: [
    ("2%", GrowthLimit.percent(2)), ("0.5%", .percent(0.5)), ("200KB", .bytes(200_000)),
    ("0", .bytes(0)), ("%", nil), ("-1%", nil), ("two", nil), ("", nil),
  ])
  func limitsAreRead(text: String, limit: GrowthLimit?) {
    #expect(GrowthLimit(text) == limit)
  }

  @Test func budgetsCountAllArchivesOfAProgram() throws {
    var members = try app([("Star", 20)])
    members.append(
      ZIPMember("Payload/Shop.app/Frameworks/Kit.framework/Assets.car", members[1].contents))
    let report = try report(members)
    let bytes = report.programs[0].devices.map(\.bytes)
    let (least, most) = (try #require(bytes.min()), try #require(bytes.max()))
    #expect(report.excesses(over: SizeBudget(total: most)).isEmpty)
    #expect(report.excesses(over: SizeBudget(total: most - 1)).map(\.bytes) == [most])
    let excesses = report.excesses(over: SizeBudget(total: least - 1))
    #expect(excesses.allSatisfy { $0.subject == .download && $0.bytes >= least })
    // Both archives have the asset.
    let kept = report.archives[0].sizes?.devices[0].savings.kept.bytes ?? 0
    let budget = try SizeBudget(json: Array(#"{"assets": {"Star": 1}}"#.utf8), file: "b.json")
    let first = try #require(report.excesses(over: budget).first)
    #expect(first.subject == .asset("Star") && first.bytes == 2 * kept)
    #expect(report.assetNames == ["Star"])
  }
}

@Suite struct AppIconTests {
  private func icon(_ members: [ZIPMember], _ style: Style) throws -> Bitmap {
    try zip(members).withUnsafeBytes { bytes in
      let files = try AppFiles(zip: bytes)
      let icon = try files.icon(of: AppReport(files, .list, jobs: 1), style: style)
      var decoder = PictureDecoder()
      return try icon.withUnsafeBytes { try decoder.decode($0) }
    }
  }

  /// An app whose icon is a picture of the archive, or loose files.
  private func app(_ key: String, _ more: [ZIPMember]) -> [ZIPMember] {
    [
      ZIPMember(
        "A.app/Info.plist",
        infoPlist(
          """
          <key>CFBundleIcons</key><dict><key>CFBundlePrimaryIcon</key><dict>\(key)</dict></dict>
          """))
    ] + more
  }

  @Test func theLargestLooseIconIsTaken() throws {
    let files = "<key>CFBundleIconFiles</key><array><string>Icon60</string></array>"
    let members = app(
      files,
      [
        ZIPMember("A.app/Icon60@2x.png", png(width: 12, height: 12, red: 1, green: 2, blue: 3)),
        ZIPMember("A.app/Icon60@3x.png", png(width: 18, height: 18, red: 9, green: 2, blue: 3)),
        ZIPMember("A.app/Other.png", png(width: 90, height: 90, red: 9, green: 2, blue: 3)),
      ])
    let picture = try icon(members, .any)
    #expect(picture.width == 18 && picture.height == 18)
    #expect(throws: IconTrouble.noStyle(.dark, name: "Icon60")) { try icon(members, .dark) }
  }

  /// Old apps state the ending; another picture may begin with the icon's name.
  @Test func anIconIsFoundByItsWholeName() throws {
    let files = "<key>CFBundleIconFiles</key><array><string>Icon.png</string></array>"
    let members = app(
      files,
      [
        ZIPMember("A.app/Icon@2x.png", png(width: 12, height: 12, red: 1, green: 2, blue: 3)),
        ZIPMember("A.app/IconBar.png", png(width: 90, height: 90, red: 9, green: 2, blue: 3)),
      ])
    #expect(try icon(members, .any).width == 12)
  }

  /// An Info.plist of tvOS has the name in place of a dictionary.
  @Test func theIconOfAnAppleTVIsNamed() throws {
    let icons = "<key>CFBundlePrimaryIcon</key><string>Logo</string>"
    var sources = SampleSources()
    sources.image("Logo", points: 40, red: 30)
    let members = [
      ZIPMember("A.app/Info.plist", infoPlist("<key>CFBundleIcons</key><dict>\(icons)</dict>")),
      ZIPMember("A.app/Assets.car", try sources.compiled().bytes),
    ]
    #expect(try icon(members, .any).width % 40 == 0)
  }

  @Test func theIconOfTheArchiveIsTaken() throws {
    var sources = SampleSources()
    sources.image("Logo", points: 40, red: 30)
    let members = app(
      "<key>CFBundleIconName</key><string>Logo</string>",
      [ZIPMember("A.app/Assets.car", try sources.compiled().bytes)])
    let picture = try icon(members, .any)
    #expect(picture.width > 40 && picture.width % 40 == 0)
    #expect(throws: IconTrouble.noStyle(.tinted, name: "Logo")) { try icon(members, .tinted) }
  }

  @Test func anAppWithoutAnIconHasNone() throws {
    let trouble = IconTrouble.noIcon(named: [], archived: [])
    #expect(throws: trouble) { try icon(app("", []), .any) }
  }

  /// The message names what Info.plist states, and the icons that there are.
  @Test func theIconsThatInfoPlistDoesNotNameAreListed() throws {
    var sources = SampleSources()
    sources.add(
      "Logo.appiconset/Contents.json",
      #"{"images":[{"filename":"i.png","idiom":"iphone","size":"60x60","scale":"2x"}]}"#)
    sources.files["A.xcassets/Logo.appiconset/i.png"] = .bytes(png(width: 120, height: 120, red: 9))
    let archive = ZIPMember("A.app/Assets.car", try sources.compiled().bytes)
    let other = "<key>CFBundleIconName</key><string>Other</string>"
    let none = IconTrouble.noIcon(named: [], archived: ["Logo"])
    #expect(throws: none) { try icon(app("", [archive]), .any) }
    #expect(throws: IconTrouble.noIcon(named: ["Other"], archived: ["Logo"])) {
      try icon(app(other, [archive]), .any)
    }
    #expect(
      "\(none)" == "no Info.plist names an icon, and none is a PNG file; the archives have the "
        + #"icon "Logo", which CFBundleIconName can name"#)
  }
}

@Suite struct ParsedAssetsTests {
  @Test func eachRenditionHasARowAndEachPictureAFile() throws {
    var sources = SampleSources()
    sources.image("Star", points: 300, red: 10)
    let archive = try sources.compiled().bytes
    let files = Mutex<[ByteString]>([])
    func parsed(at path: ByteString) throws -> ParsedAssets {
      try archive.withUnsafeBytes { bytes in
        try parsedAssets(bytes, at: path, jobs: 2) { file in
          files.withLock { $0.append(file.path) }
        }
      }
    }
    let assets = try parsed(at: "A.app/Assets.car")
    guard case .array(let rows) = assets.rows else {
      Issue.record("no rows")
      return
    }
    #expect(rows.last?.line == #"{"imageId":"","size":0,"name":"0 Color","vector":false}"#)
    let texts = rows.dropLast().map(\.line)
    let pictures = files.withLock { $0 }
    #expect(pictures.count == texts.count && Set(pictures).count == texts.count)
    for (text, picture) in zip(texts, texts.indices.map { _ in pictures }) {
      #expect(text.contains(#""vector":false,"width":"#) && text.contains(#""type":0"#))
      #expect(picture.contains { text.contains("\"\($0.dropLast(4))\"") })
    }
    // The ids depend on the place of the archive and on nothing else.
    #expect(try parsed(at: "A.app/Assets.car").rows == assets.rows)
    #expect(try parsed(at: "B.app/Assets.car").rows != assets.rows)
  }
}
