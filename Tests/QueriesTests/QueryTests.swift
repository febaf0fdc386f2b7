// Tests the words for queries (devices, windows and traits), batch requests, the table of windows
// and the explanation.

import Bytes
import CatalogCompiler
import Documents
import Support
import Testing
import Traits

@testable import Queries

@Suite struct QueryTests {
  typealias Change = @Sendable (inout QueryWords) -> Void

  private static let contradictions: [(Change, String)] = [
    ({ $0.devices = ["iPad5,33"] }, "did you mean 'iPad5,3', the iPad Air 2?"),
    ({ $0.devices = ["toaster"] }, "'carve devices' lists all models"),
    ({ $0.devices = ["ipad air 22"] }, "did you mean 'iPad5,3', the iPad Air 2?"),
    (
      {
        $0.devices = ["iPad5,3"]
        $0.traits = "scale=2"
      }, "give only one of them"
    ),
    (
      {
        $0.devices = ["iPhone12,1"]
        $0.window = "split-1/2"
      }, "choose from full"
    ),
    (
      {
        $0.devices = ["iPad5,3"]
        $0.window = "split-1/2"
        $0.orientation = "portrait"
      }, "use '--orientation landscape'"
    ),
    (
      {
        $0.devices = ["AppleTV5,3"]
        $0.window = "slide-over"
      }, "leave --window out"
    ),
    ({ $0.window = "full" }, "need a --device"), ({ $0.os = "17" }, "need a --device"),
    ({ $0.traits = "scael=2" }, "did you mean 'scale'?"),
    ({ $0.traits = "style=drak" }, "did you mean 'dark'?"), ({ $0.traits = "scale" }, "KEY=VALUE"),
    (
      {
        $0.traits = "scale=2"
        $0.style = "dark"
      }, "'style=dark'"
    ),
    (
      {
        $0.devices = ["iPhone6,1"]
        $0.os = "13"
      }, "does not take iOS 13"
    ),
    (
      {
        $0.devices = ["iPhone6,1"]
        $0.os = "new"
      }, "'new' is not a version"
    ),
    (
      {
        $0.devices = ["iPad5,3"]
        $0.windows = "all"
        $0.window = "full"
      }, "give one of them"
    ),
  ]

  @Test(arguments: contradictions)
  func aContradictionNamesTheWayOut(_ change: Change, _ hint: String) throws {
    let error = #expect(throws: QueryError.self) { try queries(change) }
    guard case .usage(let message)? = error else { return #expect(error == .usage(hint)) }
    #expect(message.contains(hint), "\(message)")
  }

  @Test(arguments: [
    ("iPhone8,1", ["iPhone8,1"]), ("iPhone8,1,iPad5,3", ["iPhone8,1", "iPad5,3"]),
    ("Mac,iPad5,3", ["Mac", "iPad5,3"]), ("", []), ("iPad5", ["iPad5"]),
  ])
  func aListOfModelsIsDividedBetweenModels(list: String, models: [String]) {
    #expect(deviceModels(list) == models)
  }

  @Test func withoutWordsThereIsOneQueryForNothingInParticular() throws {
    let all = try queries { _ in }
    #expect(all.count == 1 && all[0].device == nil)
    #expect(all[0].environments(distinguishedBy: []) == [Environment()])
    #expect(QueryWords().isEmpty)
    for change: Change in [
      { $0.devices = ["Mac"] }, { $0.traits = "" }, { $0.os = "1" }, { $0.contrast = "high" },
    ] {
      var words = QueryWords()
      change(&words)
      #expect(!words.isEmpty)
    }
  }

  @Test func aDeviceHasTheTraitsThatItsUserChose() throws {
    let query = try #require(
      try queries {
        $0.devices = ["iPhone8,1"]
        $0.style = "dark"
        $0.contrast = "high"
        $0.languages = "ar"
        $0.os = "12"
      }.first)
    let environment = try #require(query.environments(distinguishedBy: []).first)
    #expect(environment.style == .dark && environment.contrast == .high)
    #expect(environment.direction == .rightToLeft && environment.scale == 2)
    #expect(environment.traitTexts.contains("os=12"))
  }

  @Test func aWindowHasItsSizeClass() throws {
    func width(_ window: String?, _ orientation: String?) throws -> SizeClass? {
      try queries {
        $0.devices = ["iPad5,3"]
        $0.window = window
        $0.orientation = orientation
      }.first?.width
    }
    #expect(try width(nil, nil) == .regular)
    #expect(try width("slide-over", nil) == .compact)
    #expect(try width("split-1/2", "landscape") == .compact)
  }

  // MARK: Batches

  @Test(arguments: [
    ("{}", "\"asset\" is missing"), ("[]", "not an object"), ("{\"asset\":1}", "not a string"),
    ("nonsense", "not JSON"), (#"{"asset":"a","kind":"film"}"#, "choose from image"),
    (#"{"asset":"a","kind":1}"#, "\"kind\" has a wrong type"),
    (#"{"asset":"a","traits":{"scale":9}}"#, "choose from 1, 2, 3"),
    (#"{"asset":"a","traits":{"scale":[]}}"#, "neither a word nor a number"),
    (#"{"asset":"a","colour":1}"#, "is not known"),
    (#"{"asset":"a","kind":"data","asset":"b"}"#, #""asset" occurs twice in one object"#),
    (#"{"asset":"a","traits":{"scale":1,"sc\u0061le":1}}"#, #""scale" occurs twice"#),
  ])
  func aLineThatIsNoRequestIsExplained(line: String, reason: String) throws {
    let source = try star().catalog()
    let error = #expect(throws: BatchRequestError.self) {
      try BatchRequest(jsonLine: Array(line.utf8)).resolution(in: source)
    }
    #expect(error?.message.contains(reason) == true, "\(error?.message ?? "")")
  }

  @Test func aRequestIsAnsweredForItsIdiom() throws {
    var sources = SampleSources()
    sources.set(
      "Star.imageset", "images",
      [("m.png", #""idiom":"mac","scale":"1x""#), ("p.png", #""idiom":"iphone","scale":"2x""#)])
    let source = try sources.catalog()
    for (idiom, file) in [("phone", "p.png"), ("mac", "m.png")] {
      let line = #"{"asset":"Star","traits":{"idiom":"\#(idiom)","scale":2}}"#
      let request = try BatchRequest(jsonLine: Array(line.utf8))
      #expect(request.kind == .image && request.traits.map(\.value) == [idiom, "2"])
      #expect(try request.resolution(in: source).label == file)
    }
  }

  // MARK: Tables and explanations

  private func star() -> SampleSources {
    var sources = SampleSources()
    sources.set(
      "Star.imageset", "images",
      [
        ("one.png", #""idiom":"universal","scale":"1x""#),
        ("two.png", #""idiom":"universal","scale":"2x""#),
        ("mac.png", #""idiom":"mac","scale":"2x""#),
        (
          "dark.png",
          #""idiom":"universal","scale":"2x","appearances":[{"appearance":"luminosity","value":"dark"}]"#
        ),
      ])
    return sources
  }

  @Test func everyCandidateHasItsVerdictAndItsPlace() throws {
    let source = try star().catalog()
    let query = try #require(try queries { $0.traits = "scale=2,idiom=mac" }.first)
    let resolution = try query.resolution(of: "Star", .image, in: source.table(for: query))
    var report = ExplanationReport()
    golden(report.text(of: resolution, to: query), "explanation.txt")
    let members = JSONOutput.object(report.members(of: resolution)).text
    golden(members + "\n", "explanation.json")
  }

  /// The candidates of an archive have no places.
  @Test func anArchiveExplainsWithoutPlaces() throws {
    let source = try star().archive()
    let query = try #require(try queries { $0.traits = "scale=3,style=dark" }.first)
    let resolution = try query.resolution(of: "Star", .image, in: source.table(for: query))
    var report = ExplanationReport()
    let lines = report.text(of: resolution, to: query).split(separator: "\n")
    #expect(lines.first == "Star (image): dark.png (2x, dark)")
    #expect(lines.contains { $0.hasPrefix("*") && $0.contains("dark.png") })
    #expect(!lines.contains { $0.contains("Contents.json") })
    let text = JSONOutput.object(report.members(of: resolution)).line
    #expect(!text.contains(#""source""#) && text.contains(#""wins":true"#))
  }

  @Test func nothingIsShownIfAnAxisRemovesEveryVariant() throws {
    var sources = SampleSources()
    sources.set("Star.imageset", "images", [("p.png", #""idiom":"ipad","scale":"1x""#)])
    let source = try sources.catalog()
    let query = try #require(try queries { $0.traits = "idiom=phone" }.first)
    let resolution = try query.resolution(of: "Star", .image, in: source.table(for: query))
    var report = ExplanationReport()
    let text = report.text(of: resolution, to: query)
    #expect(text.contains("may not be shown: idiom"))
    #expect(text.hasSuffix("nothing is shown: idiom removes the last variant\n"))
    let members = JSONOutput.object(report.members(of: resolution)).line
    #expect(members.contains(#""eligible":false,"lostOn":"idiom""#))
  }

  @Test func aTableHasARowForEachWindow() throws {
    let source = try star().catalog()
    let all = try queries {
      $0.devices = ["iPhone8,1,AppleTV5,3"]
      $0.windows = "all"
    }
    let table = AssetInWindows(of: "Star", .image, for: all, in: source)
    let lines = table.text.split(separator: "\n")
    #expect(lines.count == all.count + 1 && all.count > 2)
    #expect(lines[0].hasPrefix("DEVICE  "))
    #expect(lines[1].hasPrefix("iPhone8,1 ") && lines[1].hasSuffix("two.png"))
    #expect(table.showsSomething)
    let objects = try table.lines.split(separator: "\n").map { try parseJSON(Array($0.utf8)) }
    #expect(objects.count == all.count)
    #expect(objects[0]["device"] == .string("iPhone8,1") && objects[0]["found"] == .bool(true))
    let absent = AssetInWindows(of: "Nothing", .image, for: all, in: source)
    #expect(!absent.showsSomething && absent.text.contains("nothing (name)"))
  }

  /// A window whose answer is not known may show something.
  @Test func anAmbiguousRowNamesTheAnswersAndTheAxis() throws {
    let all = try queries {
      $0.devices = ["iPad16,8"]
      $0.windows = "all"
    }
    let source = try sampleCatalog("WideGamut.xcassets")
    let table = AssetInWindows(of: "Sunset", .image, for: all, in: source)
    #expect(table.showsSomething)
    #expect(table.text.contains(" or ") && table.text.contains("(unknown: gamut)"))
    #expect(table.lines.contains(#""unknown":["gamut"]"#))
  }

  // MARK: Files of two catalogues

  @Test func equalFilesAreFoundByVariant() throws {
    func table(_ red: UInt8, scales: [Int] = [1, 2]) throws -> CandidateTable {
      var sources = SampleSources()
      sources.image("Star", scales: scales, red: red)
      sources.image("Moon", scales: [1])
      return try sources.catalog().table(for: Platform.iOS)
    }
    func key(_ scale: UInt8) -> VariantKey {
      var key = VariantKey()
      key.scale = scale
      return key
    }
    let changed = UnchangedSources(before: [try table(9)], after: [try table(10)])
    #expect(changed.isUnchanged("Moon", key(1)) == true)
    #expect(changed.isUnchanged("Star", key(1)) == false)
    #expect(changed.isUnchanged("Absent", key(1)) == nil)
    #expect(changed.isUnchanged("Moon", key(3)) == nil)
    let grown = UnchangedSources(before: [try table(9, scales: [1])], after: [try table(9)])
    #expect(grown.isUnchanged("Star", key(1)) == true)
    #expect(grown.isUnchanged("Star", key(2)) == false)
  }

  /// The bitmaps of a vector are made of its file.
  @Test func aVectorIsTheFileOfItsBitmaps() throws {
    let query = try #require(try queries { $0.traits = "scale=2" }.first)
    let table = try sampleCatalog("Vectors.xcassets").table(for: query)
    let same = UnchangedSources(before: [table], after: [table])
    var key = VariantKey()
    for scale: UInt8 in [1, 2, 3] {
      key.scale = scale
      #expect(same.isUnchanged("Bell", key) == true)
    }
    var resolution = try query.resolution(of: "Bell", .image, in: table)
    #expect(resolution.winner?.key.scale == 2)
    resolution.asksForVector = true
    #expect(resolution.winner?.key.scale == 0 && resolution.sentence.hasPrefix("bell.pdf (vector"))
    let stars = try sampleCatalog("SizeClasses.xcassets").table(for: query)
    var star = try query.resolution(of: "Star", .image, in: stars)
    star.asksForVector = true
    #expect(star.sentence == "nothing: no vector is kept for these traits")
    #expect(star.reason == "vector")
  }

  // MARK: Transitions

  private func transitions(
    _ device: String, from: String? = nil, to: String? = nil
  ) throws -> [WindowTransition] {
    let source = try sampleCatalog("SizeClasses.xcassets")
    var words = QueryWords()
    words.devices = [device]
    let pairs = try words.transitions(from: from, to: to) { source.localeNumber($0) }
    return pairs.map { WindowTransition(from: $0.from, to: $0.to, in: source) }
  }

  @Test func unfoldingAPhoneChangesWhatItsClassesChoose() throws {
    let all = try transitions("iPhone19,4")
    golden(all[0].heading + all.map(\.text).joined(), "transitions-iPhone19,4.txt")
    golden(all.map(\.json.line).joined(separator: "\n") + "\n", "transitions-iPhone19,4.json")
    let one = try transitions("iPhone19,4", to: "unfolded,landscape")
    #expect(one.count == 1 && one[0].to.window?.points?.width == 951)
    #expect(one[0].changes.map(\.name) == ["Panel", "Star"])
    // Back again, the same assets change.
    let back = try transitions("iPhone19,4", from: "unfolded,landscape", to: "full")
    #expect(back[0].changes.map(\.name) == ["Panel", "Star"])
    #expect(
      try transitions("iPhone19,4", from: "unfolded", to: "unfolded,landscape")[0].changes.isEmpty)
    #expect(try transitions("Mac").isEmpty)
  }

  /// A window of free size is listed, and so it can be asked for.
  @Test func aWindowOfFreeSizeCanBeAskedFor() throws {
    let listed = try transitions("iPhone19,4").filter { $0.to.window?.mode == .freeWindow }
    let asked = try transitions("iPhone19,4", from: nil, to: "free-window")
    #expect(!asked.isEmpty && asked.map(\.to.shown) == listed.map(\.to.shown))
    #expect(try transitions("iPhone19,4", from: nil, to: "free-window,portrait").count == 1)
  }

  /// The windows of an older phone do not unfold.
  @Test(arguments: [
    ("iPhone18,1", "full", "unfolded", "has no unfolded window"),
    ("iPhone19,4", "full", "split-1/2", "has no split-1/2 window"),
    ("iPhone19,4", "full", "unfolded,sideways", "not 'unfolded,sideways'"),
    ("iPhone19,4", "full", "", "not ''"), ("iPhone19,4", ",", "full", "not ','"),
    ("iPhone19,4", "free-window", "full", "a window of one size, not 'free-window'"),
    ("iPhone18,1", "full", "free-window", "has no free-window window"),
    ("iPhone19,4,iPhone18,1", "full", "full", "name one with --device"),
    ("iPhone18,1", "full", "full", "name the same window"),
  ])
  func aWindowThatIsNotThereIsRefused(
    device: String, from: String, to: String, reason: String
  ) throws {
    let error = #expect(throws: QueryError.self) { try transitions(device, from: from, to: to) }
    #expect(error?.message.contains(reason) == true, "\(error?.message ?? "")")
  }

  @Test func aModelThatIsNewerThanTheTableHasAStandIn() throws {
    #expect(try knownDevice("iPhone19,9").identifier == "iPhone19,7")
    #expect(
      remarksAboutStandIns(["iPhone19,9,iPhone12,1", "iPad5,3"]) == [
        "'iPhone19,9' is not known; it counts as the nearest known model, iPhone19,7 "
          + "(iPhone 18 Pro Max)"
      ])
  }

  @Test func theFirstCatalogueGivesTheLineOfAVariant() throws {
    var sources = SampleSources()
    sources.image("Star", scales: [1, 2])
    sources.add(
      "Star.imageset/Contents.json",
      """
      {"images":[
      {"idiom":"universal","scale":"1x","filename":"Star@1x.png"},
      {"idiom":"universal","scale":"2x","filename":"Star@2x.png"}]}
      """)
    var places = SourcePlaces()
    places.add(try sources.catalog().table(for: Platform.iOS))
    var other = sources
    other.root = "B.xcassets"
    for (path, file) in sources.files {
      other.files["B" + ByteString(bytes: Array(path.bytes.dropFirst()))] = file
    }
    places.add(try other.catalog().table(for: Platform.iOS))
    var key = VariantKey()
    key.scale = 2
    #expect(
      places.place(of: "Star", .image, key) == "A.xcassets/Star.imageset/Contents.json:3")
    #expect(places.place(of: "Moon", .image, key) == nil)
  }
}
