// Tests the output of `--timing`: as text, as JSON for programs, and as a trace for viewers.

import Foundation
import Support
import Testing

@Suite struct TimingTests {
  private let folder: TemporaryDirectory

  init() throws {
    folder = try TemporaryDirectory()
    try folder.copy("\(sampleCatalogs)/Scales.xcassets", to: "A.xcassets")
  }

  private func compile(_ more: String...) throws -> ToolResult {
    try runTool(["compile", "A.xcassets", "-o", "out.car"] + more, in: folder.path)
  }

  private func object(_ result: ToolResult) throws -> [String: Any] {
    try #require(
      try JSONSerialization.jsonObject(with: Data(result.output)) as? [String: Any],
      "\(result.stdout)")
  }

  @Test func theTreeHasPassesAndWhatThreadsDidInThem() throws {
    let result = try compile("--timing", "--cache", "kept")
    let lines = result.stderr.split(separator: "\n").map(String.init)
    for name in ["read", "plan", "encode", "write", "place"] {
      #expect(
        lines.contains { $0.hasPrefix("\(name): ") && $0.contains(" ms  ") && $0.contains(" %") })
    }
    for name in ["read files", "digest", "look up", "decode", "compress", "keep"] {
      #expect(lines.contains { $0.hasPrefix("  \(name): ") }, "\(name) in \(lines)")
    }
    let counts = lines.last ?? ""
    #expect(counts.hasPrefix("cache: ") && counts.contains(" miss"))
    #expect(!counts.contains(", 0 misses") && !counts.hasSuffix(", 0 bytes added"))
    let again = try compile("--timing", "--cache", "kept")
    #expect(again.stderr.contains("record: ") && !again.stderr.contains("encode: "))
  }

  @Test func theFirstChangedPathIsNamed() throws {
    #expect(try !compile("--timing", "--cache", "kept").stderr.contains("changed since"))
    try folder.write("other", to: "A.xcassets/New.imageset/a.txt")
    let added = try compile("--timing", "--cache", "kept").stderr
    #expect(added.contains("changed since the last run: A.xcassets\n"), "\(added)")
    try folder.write(
      #"{"info": {"version": 1, "author": "x"}}"#, to: "A.xcassets/New.imageset/Contents.json")
    try folder.write("others", to: "A.xcassets/New.imageset/a.txt")
    let times = try object(try compile("--timing=json", "--cache", "kept"))
    let changes = try #require(times["changes"] as? [String: Any])
    #expect(changes["count"] as? Int ?? 0 >= 1)
    #expect((changes["first"] as? String)?.hasPrefix("A.xcassets/New.imageset") == true)
    let unchanged = try compile("--timing", "--cache", "kept").stderr
    #expect(!unchanged.contains("changed since"), "\(unchanged)")
  }

  @Test func programsGetNumbers() throws {
    let result = try compile("--timing=json", "--cache", "kept", "-j", "2")
    let times = try object(result)
    let passes = try #require(times["passes"] as? [[String: Any]])
    #expect(
      passes.compactMap { $0["pass"] as? String } == ["read", "plan", "encode", "write", "place"])
    let seconds = passes.compactMap { $0["seconds"] as? Double }
    let shares = passes.compactMap { $0["share"] as? Double }
    #expect(seconds.allSatisfy { $0 >= 0 } && abs(shares.reduce(0, +) - 1) < 1e-6)
    #expect(abs(seconds.reduce(0, +) - (times["seconds"] as? Double ?? 0)) < 1e-6)
    #expect(times["threads"] as? Int == 2)
    let size = try folder.read("out.car").count
    #expect(passes[3]["bytes"] as? Int == size)
    let parts = try #require(passes[2]["parts"] as? [[String: Any]])
    let read = try #require(parts.first { $0["pass"] as? String == "read files" })
    #expect(read["items"] as? Int ?? 0 > 1 && read["bytes"] as? Int ?? 0 > 100)
    let cache = try #require(times["cache"] as? [String: Int])
    #expect(cache["hits"] != nil && cache["misses"] ?? 0 > 0 && cache["addedBytes"] ?? 0 > 0)
    // The line that is otherwise the result goes to standard error.
    #expect(result.stderr.contains("out.car: "))
  }

  @Test func viewersGetATrace() throws {
    let trace = try object(try compile("--timing=trace", "-j", "2"))
    let events = try #require(trace["traceEvents"] as? [[String: Any]])
    let names = events.filter { $0["ph"] as? String == "M" }
    #expect(names.first.flatMap { ($0["args"] as? [String: String])?["name"] } == "passes")
    let work = events.filter { $0["ph"] as? String == "X" }
    let encode = try #require(work.first { $0["name"] as? String == "encode" })
    func times(_ event: [String: Any]) -> (start: Double, end: Double) {
      let start = event["ts"] as? Double ?? -1
      return (start, start + (event["dur"] as? Double ?? -1))
    }
    let decodes = work.filter { $0["name"] as? String == "decode" }
    #expect(!decodes.isEmpty)
    for event in decodes {
      #expect(
        times(event).start >= times(encode).start - 1 && times(event).end <= times(encode).end + 1)
      #expect((event["tid"] as? Int ?? 0) > 0)
    }
  }

  /// An icon has tens of bitmaps. If a layer cannot be decoded, it is tried once for each look.
  @Test func aDamagedLayerIsNotDecodedForEachBitmap() throws {
    try folder.write(
      #"{"groups": [{"layers": [{"image-name": "a.png"}]}]}"#, to: "Boat.icon/icon.json")
    var damaged = png(width: 64, height: 64, red: 7)
    damaged[damaged.count - 20] ^= 0xFF
    try folder.write(damaged, to: "Boat.icon/Assets/a.png")
    let result = try runTool(
      [
        "compile", "Boat.icon", "-o", "out.car", "--app-icon", "Boat", "--timing=json", "-j", "1",
      ], in: folder.path)
    #expect(result.code == 1)
    #expect(result.stderr.components(separatedBy: "Boat.icon/Assets/a.png: error").count == 2)
    let passes = try #require(try object(result)["passes"] as? [[String: Any]])
    let parts = try #require(passes[2]["parts"] as? [[String: Any]])
    let decoded = try #require(parts.first { $0["pass"] as? String == "decode" })
    // The picture of the layer is a rendition, too.
    #expect((1...4).contains(decoded["items"] as? Int ?? 0))
  }

  @Test func onlyTheseFormsAreKnown() throws {
    let result = try compile("--timing=perf")
    #expect(result.code == 2 && result.stderr.contains("text, json, trace"))
  }

  /// An archive may go to standard output, where times would also go.
  @Test func anArchiveOnAPipeIsNotMixedWithTimes() throws {
    let result = try runTool(
      ["compile", "A.xcassets", "-o", "/dev/stdout", "--timing=json"], in: folder.path)
    #expect(try compile().code == 0 && folder.read("out.car") == result.output)
    #expect(result.stderr.contains(#""passes""#))
  }
}
