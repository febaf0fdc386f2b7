// Tests the reports about archives, devices, thinned archives, budgets and times.

import Archive
import ArchiveTools
import Bytes
import CatalogModel
import Documents
import Support
import Testing
import Traits

@testable import CatalogCompiler
@testable import Host
@testable import Queries

@Suite struct InfoReportTests {
  /// Calls `body` with the report about the archive of a sample.
  private func withReport(
    _ sample: String, _ body: (ArchiveReport) throws -> Void
  ) throws {
    try sampleArchiveBytes(sample).withUnsafeBytes { try body(ArchiveReport(Archive($0))) }
  }

  private func number(_ text: Substring) -> Int? { Int(text.filter { $0 != "," }) }

  private func objects(_ output: JSONOutput) throws -> [JSONValue] {
    guard case .array(let list) = try parseJSON(Array(output.spacedText.utf8)) else { return [] }
    return list
  }

  /// The numbers at the ends of the rows; the sum of the parts is the whole.
  @Test func aRowForEachRenditionAndOneForEachPartOfTheFile() throws {
    try withReport("Colors.xcassets") { report in
      let lines = report.lines(about: Array(report.renditions.indices))
      let counts = lines[1].split(separator: " ").compactMap(number)
      #expect(
        counts == [report.facetCount, report.renditions.count, report.archive.bytes.count])
      let header = try #require(lines.firstIndex { $0.hasPrefix("NAME") })
      let rows = lines[(header + 1)...].filter { !$0.isEmpty }
      #expect(rows.count == report.renditions.count + 3)
      #expect(!lines.contains { $0.hasSuffix(" ") })
      #expect(rows.contains { $0.contains("Color") && $0.contains("  #") })
      let bytes = rows.compactMap { $0.split(separator: " ").last.flatMap(number) }
      #expect(bytes.suffix(3).reduce(0, +) == counts[2])
      #expect(bytes.dropLast(3).reduce(0, +) == bytes[bytes.count - 3])
    }
  }

  @Test func aSelectionIsByPartsOfWordsAndBySize() throws {
    try withReport("SizeClasses.xcassets") { report in
      var selection = RenditionSelection()
      #expect(report.places(selection) == Array(report.renditions.indices))
      selection.names = ["STA", "nothing"]
      selection.kinds = ["image"]
      let stars = report.places(selection)
      #expect(stars.count == 6 && stars.allSatisfy { report.renditions[$0].name == "Star" })
      let lines = report.lines(about: stars)
      #expect(lines.last?.hasPrefix("6 of these ") == true)
      selection.kinds = ["data"]
      #expect(report.places(selection).isEmpty)
      selection = RenditionSelection()
      selection.order = .bytes
      let sorted = report.places(selection).map { report.charges[$0] }
      #expect(sorted.count > 2 && sorted == sorted.sorted(by: >))
      selection.minimumSize = sorted[1]
      #expect(
        report.places(selection).map { report.charges[$0] } == sorted.filter { $0 >= sorted[1] })
      selection.minimumSize = 1 << 40
      #expect(report.lines(about: report.places(selection)).last?.hasPrefix("0 of these") == true)
    }
  }

  @Test func variantsAreInTheWordsOfExplain() throws {
    try withReport("Appearances.xcassets") { report in
      #expect(report.renditions.contains { $0.variant == "2x, dark, high contrast" })
      #expect(!report.renditions.contains { $0.variant.contains("UIAppearance") })
    }
  }

  @Test func theJSONHasTheKeysOfAssetutil() throws {
    try withReport("Scales.xcassets") { report in
      let all = report.json()
      let list = try objects(all.output)
      #expect(all.damaged.isEmpty && list.count == report.renditions.count + 1)
      let header = try #require(list.first)
      #expect(header["StorageVersion"] == .integer(17) && header["Platform"] == .string("ios"))
      #expect(header["DumpToolVersion"] == nil && header["Timestamp"] == nil)
      guard case .array(let columns)? = header["Key Format"] else {
        return #expect(header["Key Format"] != nil)
      }
      #expect(columns.contains(.string("kCRThemeScaleName")))
      let images = list.filter { $0["AssetType"] == .string("Image") }
      #expect(!images.isEmpty)
      for image in images {
        for key: ByteString in [
          "Name", "RenditionName", "Idiom", "Encoding", "ColorModel", "SHA1Digest",
        ] {
          guard case .string? = image[key] else { return #expect(image[key] != nil, "\(key)") }
        }
        for key: ByteString in [
          "PixelWidth", "PixelHeight", "Scale", "SizeOnDisk", "NameIdentifier",
        ] {
          guard case .integer? = image[key] else { return #expect(image[key] != nil, "\(key)") }
        }
      }
      let dump = try objects(report.json(named: "Rocket", isDump: true).output)
      #expect(dump.first?["DumpToolVersion"] != nil && dump.first?["Timestamp"] == .integer(0))
      #expect(dump.count > 1 && dump.dropFirst().allSatisfy { $0["Name"] == .string("Rocket") })
      let key = try #require(report.renditions.last?.entry.key)
      #expect(try objects(report.json(keys: [key]).output).count == 2)
    }
  }
}

@Suite struct DeviceReportTests {
  @Test(arguments: [
    "iPad5,3", "iPad16,5", "iPhone18,5", "AppleTV14,1", "Mac", "Watch7,12", "iPhone19,2",
    "iPhone19,4", "Watch8,2",
  ])
  func theCardOfADeviceIsAsExpected(model: String) throws {
    let device = try knownDevice(model)
    let reach = try Reach(of: device, app: AppTraits(), os: nil)
    golden(device.card(reach), "device-\(model).txt")
    let members = JSONOutput.object(device.members + device.cardMembers(reach)).text
    golden(members + "\n", "device-\(model).json")
  }

  /// Facts that are not confirmed have a question mark in the table.
  @Test func suppositionsAreMarkedInTheTable() throws {
    let lines = deviceTable(Device.all).split(separator: "\n")
    let row = try #require(lines.first { $0.hasPrefix("iPhone19,2 ") })
    #expect(row.contains(" P3? ") && row.contains(" 12 GB? ") && row.contains(" 2622? "))
    let marked = lines.filter { $0.contains("?") }.count
    #expect(marked == Device.all.filter { !$0.supposed.isEmpty }.count)
  }

  /// A name is enough if all models of the name are equal, as `carve_traits_for_device` takes it.
  @Test(arguments: [
    ("iPhone15,2", "iPhone15,2"), ("iPhone 14 Pro", "iPhone15,2"), ("iphone 6s", "iPhone8,1"),
    ("iPad Air 2", "iPad5,3"),
  ]) func aDeviceIsFoundByModelOrName(word: String, model: String) throws {
    #expect(try knownDevice(word).identifier == model)
  }

  @Test(arguments: [
    ("iPad Pro 11-inch", "and they differ: iPad8,1 (iPad Pro 11-inch), iPad8,2 ("),
    ("Apple Watch Series", "is the beginning of several names: Watch"),
    ("iPhone 14 Prp", "did you mean 'iPhone15,2', the iPhone 14 Pro?"),
  ]) func aNameOfSeveralDevicesNamesThem(word: String, hint: String) {
    let error = #expect(throws: QueryError.self) { try knownDevice(word) }
    #expect(error?.message.contains(hint) == true, "\(error?.message ?? "")")
  }

  @Test func everyDeviceHasALine() {
    let lines = deviceTable(Device.all).split(separator: "\n")
    #expect(lines.count == Device.all.count + 1 && lines[0].hasPrefix("MODEL"))
    #expect(zip(lines.dropFirst(), Device.all).allSatisfy { $0.hasPrefix($1.identifier + " ") })
  }
}

@Suite struct ThinResultTests {
  private func result(
    bytes: Int, of full: Int, index: Int = 0, uses: [BudgetUse] = [], proof: TimedProof? = nil
  ) -> ThinResult {
    ThinResult(
      path: "t.car", written: WrittenArchive(byteCount: bytes, indexByteCount: index),
      fullByteCount: full, report: nil, proof: proof, budget: BudgetTable(uses))
  }

  @Test func theLineHasBothSizes() {
    let good = result(bytes: 1_000, of: 20_000)
    #expect(good.isGood && good.growth == nil && good.troubles.isEmpty)
    #expect(good.texts(nil) == ["t.car: 1,000 of 20,000 bytes"])
    #expect(good.texts(.full) == good.texts(nil))
    #expect(
      JSONOutput.object(good.members).line
        == #"{"archive":{"path":"t.car","bytes":1000,"fullBytes":20000}}"#)
  }

  @Test func anArchiveThatGrewIsNoted() {
    #expect(
      result(bytes: 1_200, of: 1_000).growth
        == "t.car is 200 bytes larger than the full archive")
    #expect(
      result(bytes: 1_200, of: 1_000, index: 300).growth
        == "t.car is 200 bytes larger than the full archive: its index takes 300 (--no-index)")
    #expect(result(bytes: 1_000, of: 1_000).growth == nil)
  }

  @Test func anArchiveThatIsNotWrittenDidNotGrow() throws {
    let device = try #require(Device(named: "iPhone8,1"))
    let full = try archive(of: [RandomAsset(name: "A", kind: .image, keys: [VariantKey()])])
    let other = try archive(of: [RandomAsset(name: "B", kind: .image, keys: [VariantKey()])])
    let proof = TimedProof(proof: try proof(full, other, for: [device]), seconds: 0)
    let bad = result(bytes: 1_200, of: 1_000, proof: proof)
    #expect(!bad.isProved && bad.growth == nil && bad.troubles.count == 1)
  }

  @Test func aLimitThatIsExceededIsATrouble() throws {
    let excess = try #require(SizeBudget(total: 10).use(ofFile: "t.car", byteCount: 12))
    let bad = result(bytes: 12, of: 20, uses: [excess])
    #expect(!bad.isGood && bad.troubles == ["\(excess)"])
    #expect(JSONOutput.object(bad.members).line.contains(#""excesses":["#))
    let use = try #require(SizeBudget(total: 12).use(ofFile: "t.car", byteCount: 12))
    let good = result(bytes: 12, of: 20, uses: [use])
    #expect(good.isGood && good.troubles.isEmpty)
    #expect(!JSONOutput.object(good.members).line.contains("excesses"))
  }

  @Test func aTableShowsLimitUseAndRest() {
    let table = BudgetTable(
      [
        BudgetUse(device: "", subject: .file("t.car"), limit: 12_000, bytes: 2_000),
        BudgetUse(device: "iPad5,3", subject: .pictures, limit: 1_000, bytes: 1_500),
        BudgetUse(device: "iPad5,3", subject: .group("Icons"), limit: 10, bytes: 10),
        BudgetUse(device: "iPad5,3", subject: .asset("A|B"), limit: 10, bytes: 0),
      ], leftOutIcons: ["AppIcon", "Beta"])
    #expect(
      table.text == """
        budget for  of         limit   used    left
        t.car       the file  12,000  2,000  10,000
        iPad5,3     pictures   1,000  1,500    -500
        iPad5,3     Icons/        10     10       0
        iPad5,3     A|B           10      0      10
        not counted: "AppIcon" and "Beta" are compiled only with --app-icon AppIcon --app-icon Beta
        """)
    #expect(
      table.markdown == """
        | budget for | of | limit | used | left |
        |---|---|--:|--:|--:|
        | t.car | the file | 12,000 | 2,000 | 10,000 |
        | iPad5,3 | pictures | 1,000 | 1,500 | -500 |
        | iPad5,3 | Icons/ | 10 | 10 | 0 |
        | iPad5,3 | A\\|B | 10 | 0 | 10 |

        not counted: "AppIcon" and "Beta" are compiled only with --app-icon AppIcon --app-icon Beta

        """)
    let json = JSONOutput.object(table.members).line
    #expect(
      json.contains(
        #"{"device":null,"kind":"file","name":"t.car","limit":12000,"used":2000,"left":10000}"#))
    #expect(json.contains(#""leftOutIcons":["AppIcon","Beta"]"#))
    #expect(table.excesses.count == 1)
    #expect(BudgetTable().text == nil && BudgetTable().members.isEmpty)
  }
}

@Suite struct BudgetLimitTests {
  private func idle(_ json: String, _ names: LimitedNames) throws -> [String] {
    try SizeBudget(json: Array(json.utf8), file: "b.json").idleLimits(among: names).map(\.reason)
  }

  @Test func limitsOfNamesThatDoNotExistHaveTheirPlace() throws {
    let json = "{\n\"assets\": {\"a/b\": 1}, \"devices\": {\"iPad5,33\": 1}}"
    let budget = try SizeBudget(json: Array(json.utf8), file: "b.json")
    let idle = budget.idleLimits(among: LimitedNames(assets: []))
    #expect(idle.map(\.place) == ["b.json:2:35", "b.json:2:12"])
  }

  @Test func limitsOfNamesThatDoNotExistAreNamed() throws {
    let names = LimitedNames(assets: ["Icons/Star", "Moon"], folders: ["Art": ["Moon"]])
    #expect(try idle(#"{"file": 1, "assets": {"Moon": 1, "(atlases)": 1}}"#, names) == [])
    #expect(
      try idle(#"{"assets": {"Mon": 1, "Xylophone": 2}}"#, names) == [
        "there is no asset 'Mon'; did you mean 'Moon'?", "there is no asset 'Xylophone'",
      ])
    #expect(try idle(#"{"groups": {"Icons": 1, "Icons/": 1, "Art": 1}}"#, names) == [])
    #expect(
      try idle(#"{"groups": {"Icon": 1}}"#, names)
        == ["no namespace and no folder is called 'Icon'; did you mean 'Icons'?"])
    #expect(
      try idle(#"{"groups": {"Xylophone": 1}}"#, names)
        == ["no namespace and no folder is called 'Xylophone'; there are Art, Icons"])
    #expect(
      try idle(#"{"groups": {"Art": 1}}"#, LimitedNames(assets: ["Moon"], folders: [:]))
        == ["no namespace and no folder is called 'Art'; there are none"])
    #expect(
      try idle(#"{"groups": {"Art": 1}}"#, LimitedNames(assets: ["Moon"])) == [
        "no namespace is called 'Art', and an archive does not have the folders of its "
          + "catalogue; there are none"
      ])
    #expect(
      try idle(
        #"{"assets": {"AppIcon": 1}}"#,
        LimitedNames(assets: ["Moon"], folders: [:], leftOutIcons: ["AppIcon"]))
        == ["the icon 'AppIcon' is left out; --app-icon AppIcon compiles it"])
    let devices = try idle(#"{"devices": {"iPad5,3": 1, "iPad5,33": 1}}"#, names)
    #expect(devices.count == 1 && devices[0].contains("there is no device 'iPad5,33'"))
  }

  @Test func foldersHaveTheirAssetsWithOrWithoutNamespace() throws {
    var sources = SampleSources()
    sources.set("Art/Old/Star.imageset", "images", [("a.png", "")])
    sources.set("Named/Moon.imageset", "images", [("a.png", "")])
    sources.add("Named/Contents.json", #"{"properties":{"provides-namespace":true}}"#)
    let folders = readCatalogs([sources.root], in: sources.tree).namesByFolder
    #expect(folders == ["Art": ["Star"], "Art/Old": ["Star"], "Named": ["Named/Moon"]])
  }
}

@Suite struct TimingReportTests {
  private func pass(_ name: String, _ start: Double, _ seconds: Double) -> PassTiming {
    PassTiming(pass: name, start: start, seconds: seconds, items: nil, bytes: nil)
  }

  private var report: TimingReport {
    var encode = pass("encode", 10.25, 0.75)
    encode.items = 1_200
    encode.bytes = 0
    encode.parts = [pass("decode", 0, 0.6)]
    encode.parts[0].bytes = 5_000
    var report = TimingReport(passes: [pass("read", 10, 0.25), encode], threads: 2)
    report.cache = CacheCounts()
    report.cache?.misses = 1
    report.cache?.hits = 2
    return report
  }

  @Test func thePassesHaveTheirSharesOfTheRunAndWorkOfAllThreads() {
    #expect(
      report.lines == [
        "read:      250.0 ms  25.0 %", "encode:    750.0 ms  75.0 %  1,200 items",
        "  decode:  600.0 ms  40.0 %               5,000 bytes",
        "cache: 2 hits, 1 miss, 0 bytes added",
      ])
  }

  @Test func programsGetTheSameNumbers() throws {
    let json = try parseJSON(Array(report.json.text.utf8))
    #expect(json["threads"] == .integer(2))
    guard case .array(let passes)? = json["passes"], passes.count == 2 else {
      return #expect(json["passes"] != nil)
    }
    #expect(passes[1]["items"] == .integer(1_200) && passes[0]["parts"] == nil)
    #expect(json["cache"]?["misses"] == .integer(1))
  }

  /// Times are microseconds since the run began; each thread has its name.
  @Test func aTraceHasAnEventForEachPassAndSpan() {
    var report = report
    report.spans = [
      WorkTimes.Span(work: .decode, thread: 3, start: 10.5, seconds: 0.125, bytes: 7)
    ]
    let text = report.trace.line
    #expect(text.contains(#""name":"decode","ph":"X","pid":1,"tid":3,"ts":500000,"dur":125000"#))
    #expect(text.contains(#""tid":3,"args":{"name":"thread 3"}"#))
    #expect(text.contains(#""name":"read","ph":"X","pid":1,"tid":0,"ts":0,"dur":250000"#))
  }
}

@Suite struct FilterParameterTests {
  @Test func parametersMakeAFilter() throws {
    let filter = try ItemFilter([
      (.idiom, "pad"), (.hostedidioms, "phone,car"), (.subtype, "2436"),
      (.subtypefallbacks, "568:*:667"), (.scale, "2"), (.gamut, "P3"), (.memory, "3"),
      (.deploymentTarget, "5"), (.preserved, "Star,Moon"), (.graphicsFallbacks, "MTL1,2:GLES2,0"),
      (.graphicsclass, "APPLE5"),
    ])
    #expect(filter.idiom == .pad && filter.hostedIdioms == [.phone, .car])
    #expect(filter.subtype == 2436 && filter.subtypeFallbacks == [568, 667])
    #expect(filter.scale == 2 && filter.gamut == .p3 && filter.osGeneration == 5)
    // Class 3 means 4 GB.
    #expect(filter.memory == 4 && filter.preservedNames == ["Star", "Moon"])
    #expect(filter.graphics == GraphicsSupport([.apple5, .apple1, .gles2]))
    #expect(try ItemFilter([(.graphicsclass, "MTL2,2")]).graphics == GraphicsSupport(upTo: .apple2))
    #expect(try ItemFilter([]).isEmpty && ItemFilter([(.gamut, "all")]).isEmpty)
  }

  @Test(arguments: [
    (FilterParameter.idiom, "fridge", "'fridge' is not an idiom; choose from "),
    (.scale, "two", "option '--scale' takes a whole number, not 'two'"),
    (.deploymentTarget, "-", "option '--deployment-target' takes a whole number"),
    (.gamut, "cmyk", "'cmyk' is not a gamut; choose from srgb, p3, all"),
    (.memory, "15", "'15' is not a memory class"),
    (.graphicsclass, "MTL9,9", "'MTL9,9' is not a graphics class such as MTL2,2 or APPLE5"),
  ])
  func aWrongValueIsNamed(parameter: FilterParameter, value: String, message: String) {
    let error = #expect(throws: QueryError.self) { try ItemFilter([(parameter, value)]) }
    #expect(error?.message.hasPrefix(message) == true, "\(error?.message ?? "")")
  }
}
