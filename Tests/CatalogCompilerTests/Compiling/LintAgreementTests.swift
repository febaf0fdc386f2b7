// `lint` and `compile` say the same about a file: with one severity and one sentence.

import Bytes
import CatalogModel
import Support
import Testing
import Traits

@testable import CatalogCompiler
@testable import Host

@Suite struct LintAgreementTests {
  private func lines(_ found: [Diagnostic], _ codes: Set<DiagnosticCode>) -> [String] {
    found.filter { codes.contains($0.code) }
      .map { "\($0.severity) \($0.code.rawValue) \($0.file): \($0.message)" }
  }

  /// Expects that both commands report the same, and returns it.
  private func agreed(
    _ sources: SampleSources, _ codes: Set<DiagnosticCode>, on platform: TargetPlatform = .iOS
  ) throws -> [String] {
    let report = try sources.compiled { $0.target = CompileTarget(platform: platform) }.report
    let tree = FileTree.memory(sources.files)
    var options = LintOptions()
    options.platform = platform.system
    let linted = lint(readCatalogs([sources.root], in: tree), in: tree, options: options)
    let found = Set(lines(report.diagnostics, codes)).sorted()
    #expect(Set(lines(linted, codes)).sorted() == found)
    return found
  }

  private let gif: [UInt8] =
    Array("GIF89a".utf8) + [2, 0, 2, 0, 0, 0, 0, 0x2C, 0, 0, 0, 0, 2, 0, 2, 0, 0, 2, 0, 0x3B]
  private let pdf = Array("%PDF-1.4\nnothing else".utf8)
  private let pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n"

  private func holding(_ bytes: [UInt8], _ set: String) -> SampleSources {
    var sources = SampleSources()
    sources.add(
      "\(set)/Contents.json", #"{"images":[{"filename":"a.png"}],"properties":{"width":1}}"#)
    sources.files["A.xcassets/\(set)/a.png"] = .bytes(bytes)
    return sources
  }

  @Test func anImageSetLeavesOutAPictureOfAnotherFormat() throws {
    let found = try agreed(
      holding(gif, "S.imageset"), [.unsupportedFormat, .wrongContent, .brokenImage])
    #expect(
      found == [
        "warning unsupported-format A.xcassets/S.imageset/a.png: a .imageset cannot hold a GIF "
          + "picture; it is left out"
      ])
  }

  /// Another platform would not help.
  @Test func anArchiveWhoseOnlyPictureIsLeftOutNamesTheOtherFindings() throws {
    let found = try holding(gif, "S.imageset").compiled().report.diagnostics
    #expect(
      lines(found, [.emptyArchive]) == [
        "warning empty-archive A.xcassets: the archive is empty: no asset of the catalogues "
          + "(1 asset) is compiled; other findings say why"
      ])
  }

  @Test func groupsAtlasesAndLayersNeedTheirPictures() throws {
    var group = holding(gif, "G.arresourcegroup/P.arreferenceimage")
    group.add(
      "G.arresourcegroup/Contents.json", #"{"resources":[{"filename":"P.arreferenceimage"}]}"#)
    let atlas = holding(gif, "A.spriteatlas/S.imageset")
    var stack = holding(gif, "T.imagestack/L.imagestacklayer/Content.imageset")
    stack.add("T.imagestack/Contents.json", #"{"layers":[{"filename":"L.imagestacklayer"}]}"#)
    stack.add("T.imagestack/L.imagestacklayer/Contents.json", "{}")
    let cases: [(SampleSources, TargetPlatform, String)] = [
      (group, .iOS, "arreferenceimage"), (atlas, .iOS, "imageset"), (stack, .tvOS, "imageset"),
    ]
    for (sources, platform, type) in cases {
      let found = try agreed(
        sources, [.unsupportedFormat, .wrongContent, .brokenImage], on: platform)
      #expect(found.count == 1)
      #expect(
        found.allSatisfy {
          $0.hasPrefix("error unsupported-format")
            && $0.hasSuffix("a .\(type) cannot hold a GIF picture; save it as PNG")
        }, "\(found)")
    }
  }

  @Test func aVectorThatIsNamedAsABitmapIsNotDrawn() throws {
    let codes: Set<DiagnosticCode> = [.unsupportedFormat, .wrongContent, .brokenImage]
    #expect(
      try agreed(holding(pdf, "S.imageset"), codes) == [
        "warning wrong-content A.xcassets/S.imageset/a.png: the file is named \".png\", but holds a "
          + "PDF; it is left out"
      ])
    #expect(
      try agreed(holding(pdf, "A.spriteatlas/S.imageset"), codes) == [
        "error wrong-content A.xcassets/A.spriteatlas/S.imageset/a.png: the file is named "
          + "\".png\", but holds a PDF"
      ])
  }

  @Test func aPointerIsNoData() throws {
    var sources = SampleSources()
    sources.add("D.dataset/Contents.json", #"{"data":[{"filename":"a.json"}]}"#)
    sources.add("D.dataset/a.json", pointer)
    var object = SampleSources()
    object.add("G.arresourcegroup/Contents.json", #"{"resources":[{"filename":"O.arobject"}]}"#)
    object.add(
      "G.arresourcegroup/O.arobject/Contents.json", #"{"properties":{"content":"a.bin"}}"#)
    object.add("G.arresourcegroup/O.arobject/a.bin", pointer)
    for (sources, file) in [
      (sources, "D.dataset/a.json"), (object, "G.arresourcegroup/O.arobject/a.bin"),
    ] {
      #expect(
        try agreed(sources, [.brokenImage]) == [
          "error broken-image A.xcassets/\(file): the file is a Git LFS pointer: run 'git lfs pull' "
            + "to fetch the file"
        ])
    }
  }

  private func vector(_ json: String) -> SampleSources {
    var sources = SampleSources()
    sources.add("S.imageset/Contents.json", #"{"images":[{"filename":"a.svg",\#(json)}]}"#)
    sources.add(
      "S.imageset/a.svg",
      #"<svg xmlns="http://www.w3.org/2000/svg" width="12" height="12"><path d="M0 0h12v12z"/></svg>"#
    )
    return sources
  }

  @Test(
    arguments: [
      (
        #""alignment-insets":{"top":6,"bottom":6}"#,
        "insets-exceed-picture A.xcassets/S.imageset/Contents.json: the alignment insets leave "
          + "nothing of 24×24 pixels at 2x"
      ),
      (#""alignment-insets":{"top":6,"bottom":5}"#, nil),
      (
        #""resizing":{"mode":"9-part","center":{"mode":"stretch","width":3,"height":3},"#
          + #""cap-insets":{"left":5,"right":5,"top":1,"bottom":1}}"#,
        "caps-exceed-picture A.xcassets/S.imageset/Contents.json: caps and centre need 26×10 pixels, "
          + "and the picture has 24×24 at 2x"
      ),
      (
        #""resizing":{"mode":"9-part","center":{"mode":"stretch","width":2,"height":3},"#
          + #""cap-insets":{"left":5,"right":5,"top":1,"bottom":1}}"#, nil
      ),
    ] as [(String, String?)])
  func slicesAndInsetsThatDoNotFitAVectorAreReported(json: String, line: String?) throws {
    let found = try agreed(
      vector(json), [.insetsExceedPicture, .capsExceedPicture], on: .visionOS)
    #expect(found.map { String($0.dropFirst("warning ".count)) } == [line].compactMap { $0 })
  }

  /// A vector may cost much to read, and many entries may name it.
  @Test func theSlicesOfAllEntriesOfAVectorAreCheckedAfterOneReading() throws {
    let entries = (0..<20).map { number in
      #"{"filename":"a.svg","locale":"\#(["de", "fr"][number % 2])","memory":"\#(number / 2 + 1)GB","#
        + #""alignment-insets":{"top":9,"bottom":9}}"#
    }
    var sources = vector("")
    sources.add(
      "S.imageset/Contents.json",
      #"{"images":[\#(entries.joined(separator: ","))],"properties":{"localizable":true}}"#)
    let memory = FileTree.memory(sources.files)
    let reads = Guarded<[ByteString]>([])
    let tree = memory.observed(by: { path, answer in
      if case .read = answer { reads.withLock { $0.append(path) } }
    })
    var plan = RenditionPlan(
      of: readCatalogs([sources.root], in: memory).assets, for: CompileTarget(platform: .iOS),
      icons: .all)
    plan.reportMisfits(in: tree, jobs: 2)
    #expect(plan.diagnostics.contains { $0.code == .insetsExceedPicture })
    #expect(reads.withLock { $0 } == ["A.xcassets/S.imageset/a.svg"])
  }
}
