// Tests the calls of actool that are found in logs, and the explanations of calls by a trial.

import Bytes
import CatalogCompiler
import CatalogModel
import Documents
import Support
import Testing

@testable import DropIn
@testable import Host

private func call(_ word: String, in folder: ByteString? = nil) -> ActoolCall {
  ActoolCall([word], in: folder)
}

@Suite struct BuildLogTests {
  @Test(arguments: [
    ("actool A.xcassets", [ActoolCall(["A.xcassets"])]),
    ("cd /x && env A=b xcrun actool --complie out", [ActoolCall(["--complie", "out"], in: "/x")]),
    ("/usr/bin/actool a\\ b 'c d' \"e\\\"f\"; ls", [ActoolCall(["a b", "c d", "e\"f"])]),
    ("x-actool a | actool a; actool b", [ActoolCall(["a"]), ActoolCall(["b"])]),
    ("actool a 2>&1 | tee 2", [ActoolCall(["a"])]),
    ("actool a 2>/dev/null b >>log &>all c", [ActoolCall(["a", "b", "c"])]),
    ("actool 2 < in", [ActoolCall(["2"])]), ("clang -c actool.c", []), ("note: actool", []),
    ("cd a; cd b; actool c; cd /d; actool c", [call("c", in: "a/b"), call("c", in: "/d")]),
    ("+ cd a\n+ actool c\nmake\nactool d", [call("c", in: "a"), call("d", in: "a")]),
    ("(cd a && actool c)\nactool d", [call("c", in: "a"), ActoolCall(["d"])]),
    ("error: xcrun actool failed with exit code 1", []), ("echo actool a", []),
    ("A=b actool c", [ActoolCall(["c"])]), ("[3/7] actool c", [ActoolCall(["c"])]),
    ("nice -n 5 xcrun --sdk iphoneos actool c", [ActoolCall(["c"])]),
    ("xcrun -sdk macosx --run actool c", [ActoolCall(["c"])]),
    ("timeout 60s xctoolrunner actool c; sudo -n actool d", [call("c"), call("d")]),
    ("env -u X -i /usr/bin/carve actool c", [ActoolCall(["c"])]),
    // A shell computes these folders.
    ("cd \"$A\" && actool c", [ActoolCall(["c"])]), ("cd - && actool c", [ActoolCall(["c"])]),
    ("cd ~/a && actool c", [ActoolCall(["c"])]), ("cd a b; actool c", [ActoolCall(["c"])]),
  ])
  func callsAreFoundWithTheirFolders(text: String, calls: [ActoolCall]) {
    #expect(actoolCalls(inLog: text) == calls)
  }

  @Test func aFolderBelongsToItsStep() {
    let log = """
      CompileAssetCatalogVariant thinned (in target 'App')
          cd /Users/me/App
          /usr/bin/actool A.xcassets \\
            --notices \\
           --jobs 2
      Other step
          /usr/bin/actool B.xcassets
      """
    #expect(
      actoolCalls(inLog: log) == [
        ActoolCall(["A.xcassets", "--notices", "--jobs", "2"], in: "/Users/me/App"),
        ActoolCall(["B.xcassets"]),
      ])
    #expect(ActoolCall(command: ["xcrun", "actool", "a"])?.words == ["a"])
    #expect(ActoolCall(command: ["a"]) == nil)
  }

  @Test func aDocumentThatIsNamedTwiceIsReadOnce() {
    var request = BuildRequest(target: CompileTarget(platform: .iOS))
    request.documents = ["A.xcassets", "B.xcassets", "./A.xcassets"]
    request.makePathsAbsolute { "/x/" + ($0.hasPrefix("./") ? $0.dropFirst(2) : $0) }
    #expect(request.documents == ["/x/A.xcassets", "/x/B.xcassets"])
  }

  @Test func endlessLinesAndFoldersOfALogCostNoMoreThanTheirLength() throws {
    let lines = String(repeating: "nice\\\n", count: 1_000_000)
    #expect(actoolCalls(inLog: lines + "actool b").map(\.words) == [["b"]])
    let changes = String(repeating: "cd abcdefg\nactool x\n", count: 10_000)
    let folders = actoolCalls(inLog: changes).compactMap { $0.folder?.bytes.count }
    #expect(folders.max().map { (1000...1024).contains($0) } == true)
    #expect(folders.count < 200)
  }

  @Test func logsMayBePacked() throws {
    let packed: [UInt8] = [
      0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3,
      // A stored block of five bytes.
      1, 5, 0, 0xFA, 0xFF, 0x68, 0x65, 0x6C, 0x6C, 0x6F,
      0x86, 0xA6, 0x10, 0x36, 5, 0, 0, 0,
    ]
    #expect(try textOfLog(packed, atMost: 5) == "hello")
    #expect(try textOfLog(Array("hello".utf8), atMost: 5) == "hello")
    #expect(throws: BuildLogError.tooLarge(limit: 4)) { try textOfLog(packed, atMost: 4) }
    for count in [2, 17, 20, packed.count - 1] {
      #expect(throws: BuildLogError.self) { try textOfLog(Array(packed[..<count]), atMost: 100) }
    }
    // Two packed files in one.
    #expect(throws: BuildLogError.self) {
      try textOfLog(packed + packed.dropLast(4) + [9, 0, 0, 0], atMost: 100)
    }
  }

  @Test func aPackedLogIsRefusedIfItIsMuchLongerThanItsFile() throws {
    // Only the stated size counts: nothing is unpacked.
    let file: [UInt8] = [0x1F, 0x8B] + Array(repeating: 0, count: 9_994)
    func stating(_ size: Int) -> [UInt8] {
      file + (0..<4).map { UInt8(truncatingIfNeeded: size >> (8 * $0)) }
    }
    #expect(throws: BuildLogError.tooDense(limit: 1_280_000)) {
      try textOfLog(stating(1_280_001), atMost: 1 << 30)
    }
    #expect(throws: BuildLogError.damaged) { try textOfLog(stating(1_280_000), atMost: 1 << 30) }
    #expect(BuildLogError.tooDense(limit: 9).reason.contains("gunzip"))
  }
}

@Suite struct BuildExplanationTests {
  private let options = [
    BuildOption(name: "compile", takesValue: true, effect: .same),
    BuildOption(name: "platform", takesValue: true, effect: .same),
    BuildOption(name: "notices", takesValue: false, effect: .differs("less")),
    BuildOption(
      name: "compress-pngs", takesValue: false, effect: .ignored("no need", changesFiles: ".png")),
    BuildOption(name: "jobs", takesValue: true, effect: .own),
  ]

  private func trial(
    _ sources: SampleSources, _ change: (inout BuildRequest) -> Void = { _ in }
  ) -> BuildTrial {
    var request = BuildRequest(target: CompileTarget(platform: .iOS))
    request.documents = [sources.root]
    // A trial does not need the folder, and does not make it.
    request.folder = "/no/such/folder"
    change(&request)
    return BuildTrial(request, in: .memory(sources.files), policy: DiagnosticPolicy())
  }

  private func explanation(_ words: [String], _ trial: BuildTrial) -> BuildExplanation {
    BuildExplanation(ActoolCall(words), options: options, trial)
  }

  @Test func aBuildWithoutDifferenceIsTheSame() {
    var sources = SampleSources()
    sources.image("Star")
    sources.image("Moon")
    let explanation = explanation(
      ["A.xcassets", "--compile=out", "--compress-pngs", "--jobs", "2"], trial(sources))
    #expect(explanation.verdict == .same)
    #expect(
      explanation.lines == [
        "actool A.xcassets --compile=out --compress-pngs --jobs 2",
        "  --compile out    as Apple's tool",
        "  --compress-pngs  accepted, without effect: no need",
        "  --jobs 2         Carve does it; Apple's tool does not",
        "  assets:", "    .imageset  2  as Apple's tool",
        "  the output will be the same as that of Apple's tool",
      ])
  }

  @Test func pointsThatDifferAreListed() {
    var sources = SampleSources()
    sources.image("Star")
    sources.add("Pack.stickerpack/Contents.json", #"{"stickers":[]}"#)
    let explanation = explanation(["A.xcassets", "--notices"], trial(sources))
    #expect(
      explanation.verdict
        == .differs(["--notices: less", ".stickerpack: unsupported-set"]))
    #expect(explanation.lines.contains("    .imageset     1  as Apple's tool"))
    #expect(explanation.lines.contains("    .stickerpack  1  left out (unsupported-set)"))
    #expect(explanation.lines.contains("  the output will differ in 2 points:"))
    #expect(
      explanation.lines.suffix(2) == ["    --notices: less", "    .stickerpack: unsupported-set"])
  }

  /// For phones, launch images are files beside the archive.
  @Test func aLaunchImageBesideTheArchiveIsWritten() {
    var sources = SampleSources()
    for name in ["Start", "Other"] {
      sources.add(
        "\(name).launchimage/Contents.json",
        #"{"images":[{"idiom":"iphone","scale":"2x","filename":"a.png","extent":"full-screen"}]}"#)
      sources.files["A.xcassets/\(name).launchimage/a.png"] = .bytes(png(width: 640, height: 960))
    }
    let explanation = explanation(["A.xcassets"], trial(sources) { $0.launchImage = "Start" })
    #expect(explanation.verdict == .same)
    #expect(
      explanation.lines.contains("    .launchimage  2  as Apple's tool; 1 left out"),
      "\(explanation.lines)")
  }

  /// Faults of pictures are found only when they are decoded.
  @Test func aSetWhosePictureIsBrokenIsRefused() {
    var sources = SampleSources()
    sources.image("Star")
    sources.image("Broken")
    for path in sources.files.keys where path.text.hasSuffix(".png") && path.text.contains("Broken")
    {
      sources.files[path] = .bytes([1, 2, 3])
    }
    let explanation = explanation(["A.xcassets"], trial(sources))
    guard case .refused(let reasons) = explanation.verdict else {
      Issue.record("not refused: \(explanation.lines)")
      return
    }
    #expect(reasons.contains { $0.hasSuffix("[broken-image]") }, "\(reasons)")
  }

  @Test func aCallThatIsNotUnderstoodIsRefused() {
    let explanation = explanation(
      ["--complie", "out"], BuildTrial(refusal: "unknown option '--complie'"))
    #expect(explanation.verdict == .refused(["unknown option '--complie'"]))
    #expect(
      explanation.lines == [
        "actool --complie out", "  --complie  refused: no such option; did you mean '--compile'?",
        "  cannot be built:", "    unknown option '--complie'",
      ])
    let missing = BuildTrial(
      {
        var request = BuildRequest(target: CompileTarget(platform: .iOS))
        request.documents = ["/no/such.xcassets"]
        return request
      }(), in: .disk, policy: DiagnosticPolicy())
    #expect(
      BuildExplanation(ActoolCall([]), options: options, missing).verdict
        == .refused([
          #"Failed to read file attributes for "/no/such.xcassets": No such file or directory"#
        ]))
  }

  @Test func theFolderOfACallIsShown() {
    let trial = BuildTrial(refusal: "x")
    let call = ActoolCall(["a"], in: "/Users/me")
    #expect(
      BuildExplanation(call, isFolderHere: false, options: options, trial).lines[1]
        == "  in /Users/me, which does not exist here, so paths start at the current folder")
    #expect(BuildExplanation(call, options: options, trial).lines[1] == "  in /Users/me")
  }

  @Test func jsonHasTheVerdictAndItsPoints() throws {
    var sources = SampleSources()
    sources.image("Star")
    let json = explanation(["A.xcassets", "--notices"], trial(sources)).json
    guard case .object(let members) = json else { return }
    let byKey = Dictionary(uniqueKeysWithValues: members.map { ($0.key, $0.value) })
    #expect(byKey["verdict"] == .string("differs"))
    #expect(byKey["points"] == .array([.string("--notices: less")]))
    #expect(byKey["folder"] == .null)
  }
}
