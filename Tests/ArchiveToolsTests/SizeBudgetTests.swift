// Limits of sizes: the forms of a size, the limits that a file can contain, and the devices that
// exceed them.

import Archive
import Bytes
import Support
import Testing
import Traits

@testable import ArchiveTools

@Suite("Budgets") struct SizeBudgetTests {
  @Test(
    "sizes are decimal, or binary with an i",
    arguments: [
      ("12", 12), ("12b", 12), ("1.5KB", 1500), ("2 MB", 2_000_000), ("1G", 1_000_000_000),
      ("1KiB", 1024), ("1.5MiB", 1_572_864), ("1gib", 1_073_741_824), ("0", 0), ("0.4", 0),
      ("", nil), ("MB", nil), ("12parsecs", nil), ("-1", nil), ("1e9GB", nil), ("1.2.3", nil),
    ] as [(String, Int?)])
  func readsSizes(text: String, bytes: Int?) { #expect(SizeBudget.bytes(of: text) == bytes) }

  private func budget(_ json: String) throws -> SizeBudget {
    try SizeBudget(json: Array(json.utf8), file: "b.json")
  }

  @Test("a file holds limits of four kinds") func readsFiles() throws {
    let all = try budget(
      #"{"total":"1KB","devices":{"iPad5,3":7},"assets":{"A":"2"},"groups":{"G":3},"notes":[]}"#)
    #expect(all.total == 1000 && all.devices == ["iPad5,3": 7])
    #expect(all.assets == ["A": 2] && all.groups == ["G": 3])
    let report = try budget(
      #"{"devices":[{"device":"iPad5,3","kept":{"bytes":9},"assets":[{"asset":"A","kept":{"bytes":4}}]}]}"#
    )
    #expect(report.devices == ["iPad5,3": 9] && report.earlierAssets == ["iPad5,3": ["A": 4]])
    // A report about all devices has one for each group.
    let groups = try budget(
      #"{"groups":[{"models":["iPad5,3","iPad5,4"],"devices":[{"device":"iPad5,3","kept":{"bytes":9},"assets":[{"asset":"A","kept":{"bytes":4}}]}]}],"decisions":7}"#
    )
    #expect(groups.devices == ["iPad5,3": 9, "iPad5,4": 9])
    #expect(groups.earlierAssets == ["iPad5,3": ["A": 4], "iPad5,4": ["A": 4]])
    let named = try budget(#"{"file":7,"pictures":"2KB"}"#)
    #expect(named.total == 7 && named.pictures == 2000)
  }

  @Test(
    "an error has its place",
    arguments: [
      (#"{"asset":{}}"#, .unknownKey("asset"), "b.json:1:2"),
      ("{\n\"assets\":1}", .notAnObject("assets"), "b.json:2:10"),
      ("[]", .notAnObject("the whole"), "b.json:1:1"),
      (#"{"total":"x"}"#, .notASize("x"), "b.json:1:10"),
      (#"{"groups":{"a/b":-1}}"#, .notASize("a value"), "b.json:1:18"),
      ("{", .notJSON("the text ends too early"), "b.json:1:2"),
    ] as [(String, BudgetError, String)])
  func namesPlaces(json: String, error: BudgetError, place: String) {
    #expect(throws: BudgetFileError(error: error, place: place)) { try budget(json) }
  }

  @Test("a misspelt key gets a suggestion") func suggests() {
    #expect(
      "\(BudgetError.unknownKey("asets"))"
        == "'asets' is not a part of a budget; did you mean 'assets'?")
    #expect(
      "\(BudgetError.unknownKey("zzz"))"
        == "'zzz' is not a part of a budget; use file, pictures, devices, assets and groups")
  }

  private var report: ThinningReport {
    var report = ThinningReport()
    for (device, bytes) in [("iPhone8,1", 100), ("iPad5,3", 300)] {
      var savings = DeviceSavings(identifier: device, name: device, platform: .iOS)
      savings.kept = Amount(3, bytes: bytes)
      for (name, share) in [("G/A", 50), ("G/B", 30), ("GA", 20)] {
        var asset = AssetSavings(name: ByteString(name))
        asset.kept = Amount(1, bytes: bytes * share / 100)
        savings.assets.append(asset)
      }
      report.devices.append(savings)
    }
    return report
  }

  private func excesses(_ json: String, twins: [Device] = []) throws -> [String] {
    try budget(json).uses(in: report, twins: twins).filter(\.isExceeded).map { "\($0)" }
  }

  @Test("devices above a limit are named, with the excess") func findsExcesses() throws {
    #expect(try excesses(#"{"pictures":300}"#) == [])
    #expect(
      try excesses(#"{"pictures":99}"#) == [
        "iPhone8,1: pictures take 100 bytes, 1 over their budget of 99",
        "iPad5,3: pictures take 300 bytes, 201 over their budget of 99",
      ])
    // The device's own limit takes precedence.
    #expect(try excesses(#"{"pictures":99,"devices":{"iPhone8,1":100,"iPad5,3":300}}"#) == [])
    // The limit for the file does not apply to the renditions that devices keep.
    #expect(try excesses(#"{"total":99}"#) == [])
    let file = try budget(#"{"file":"1KB"}"#)
    #expect(file.use(ofFile: "a.car", byteCount: 1000)?.isExceeded == false)
    #expect(try budget("{}").use(ofFile: "a.car", byteCount: 1000) == nil)
    #expect(
      file.use(ofFile: "a.car", byteCount: 1001).map { "\($0)" }
        == "a.car: the file has 1,001 bytes, 1 over its budget of 1,000")
    #expect(
      try excesses(#"{"assets":{"G/A":149,"GA":60}}"#)
        == ["iPad5,3: \"G/A\" takes 150 bytes, 1 over its budget of 149"])
    // "GA" does not belong to the group "G".
    #expect(try excesses(#"{"groups":{"G":240}}"#) == [])
    #expect(
      try excesses(#"{"groups":{"G/":239}}"#)
        == ["iPad5,3: the group \"G/\" takes 240 bytes, 1 over its budget of 239"])
    #expect(
      try excesses(
        #"{"devices":[{"device":"iPad5,3","kept":{"bytes":300},"assets":["#
          + #"{"asset":"G/A","kept":{"bytes":149}},{"asset":"G/B","kept":{"bytes":90}}]}]}"#)
        == [
          "iPad5,3: \"G/A\" grew by 1 bytes, from 149 to 150",
          "iPad5,3: \"GA\" grew by 60 bytes, from 0 to 60",
        ])
  }

  @Test("each device has a row for each limit, also for what it does not keep") func listsUses()
    throws
  {
    let limits = try budget(#"{"pictures":200,"assets":{"GA":60,"Gone":5},"groups":{"G":999}}"#)
    let uses = limits.uses(in: report)
    #expect(
      uses.map(\.device) == ["iPhone8,1", "iPad5,3"].flatMap { Array(repeating: $0, count: 4) })
    #expect(
      uses.prefix(4).map(\.subject) == [.pictures, .group("G"), .asset("GA"), .asset("Gone")])
    #expect(uses.map(\.bytes) == [100, 80, 20, 0, 300, 240, 60, 0])
    #expect(uses.map(\.isExceeded) == [false, false, false, false, true, false, false, false])
  }

  @Test("groups are namespaces, and folders of a catalogue") func holdsFolders() throws {
    let folders: [ByteString: Set<ByteString>] = ["Toolbar": ["GA", "G/B"]]
    let limits = try budget(#"{"groups":{"Toolbar/":149,"G":239}}"#)
    #expect(
      limits.uses(in: report, folders: folders).filter(\.isExceeded).map { "\($0)" } == [
        "iPad5,3: the group \"G\" takes 240 bytes, 1 over its budget of 239",
        "iPad5,3: the group \"Toolbar/\" takes 150 bytes, 1 over its budget of 149",
      ])
  }

  @Test("twins are held to limits of their own") func holdsTwins() throws {
    let twins = ["iPhone8,1", "iPhone9,1", "iPhone9,3"].compactMap { Device(named: $0) }
    #expect(
      try excesses(#"{"devices":{"iPhone9,1":10}}"#, twins: twins)
        == ["iPhone9,1: pictures take 100 bytes, 90 over their budget of 10"])
  }

  @Test("compressed sizes are those of deflate", arguments: [0, 1, 1000, 1 << 20, 3_000_000])
  func measuresCompressedSizes(count: Int) {
    let zeros = [UInt8](repeating: 0, count: count).withUnsafeBytes { compressedSize(of: $0) }
    var random = SeededGenerator(seed: 5)
    let noise = random.bytes(count).withUnsafeBytes { compressedSize(of: $0) }
    // Deflate stores 258 equal bytes in two bits at best. Noise it can only store unchanged, in
    // blocks with headers.
    #expect(zeros >= count / 1032 && zeros <= count / 900 + 40)
    #expect(noise >= count && noise <= count + count / 1000 + 20)
    let text = Array(String(repeating: "abcdefghij", count: count / 10).utf8)
    #expect(text.withUnsafeBytes { compressedSize(of: $0) } <= count / 200 + 60)
  }
}
