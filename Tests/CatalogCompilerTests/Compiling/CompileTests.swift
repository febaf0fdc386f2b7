// The output of a compilation: the right renditions, the same bytes in all circumstances, and no
// output if there are errors.

import Archive
import Bytes
import CatalogModel
import Codecs
import Support
import Testing
import Traits

@testable import CatalogCompiler
@testable import Host

@Suite struct CompileTests {
  @Test(
    arguments: [
      (#""on-demand-resource-tags":["a"]"#, "on-demand-resource-tags"),
      (#""compression-type":"gpu-optimized-best""#, "compression-type"),
      (#""auto-scaling":"auto""#, "auto-scaling"), (#""compression-type":"automatic""#, nil),
    ] as [(String, String?)])
  func settingsThatAreNotAppliedAreReported(property: String, key: String?) throws {
    var sources = SampleSources()
    sources.image("Star", scales: [1])
    sources.add(
      "Star.imageset/Contents.json",
      #"{"images":[{"filename":"Star@1x.png"}],"properties":{\#(property)}}"#)
    let report = try sources.compiled().report
    let found = report.diagnostics.filter { $0.code == .settingNotApplied }
    #expect(found.count == (key == nil ? 0 : 1))
    #expect(found.allSatisfy { $0.message.contains(key ?? "") && $0.severity == .note })
  }

  @Test(arguments: [
    ("None.imageset/Contents.json", #"{"images":[{"filename":"none.png"}]}"#, "1 asset"),
    ("Sign.symbolset/Contents.json", #"{"symbols":[{"filename":"sign.svg"}]}"#, "1 asset"),
    ("Mac.imageset/Contents.json", #"{"images":[{"idiom":"mac","filename":"a.png"}]}"#, "1 asset"),
    ("Odd.imageset/Contents.json", #"{"images":[{"filename":"odd.gif"}]}"#, "1 asset"),
    // A new app has no pictures and no values yet: nothing can be missing.
    ("Contents.json", "{}", "there are no assets"),
    ("None.imageset/Contents.json", #"{"images":[{"scale":"1x"}]}"#, "1 asset"),
    ("None.colorset/Contents.json", #"{"colors":[{"idiom":"universal"}]}"#, "1 asset"),
    ("None.appiconset/Contents.json", #"{"images":[{"idiom":"universal"}]}"#, "1 asset"),
  ])
  func anArchiveInWhichNothingIsCompiledIsSaidToBeEmpty(
    path: String, json: String, reason: String
  ) throws {
    var sources = SampleSources()
    sources.add(path, json)
    if path.hasPrefix("Mac") {
      sources.files["A.xcassets/Mac.imageset/a.png"] = .bytes(png(width: 1, height: 1))
    }
    if path.hasPrefix("Odd") {
      sources.add("Odd.imageset/odd.gif", "GIF89a\u{1}\0\u{1}\0\0\0\0;")
    }
    let (report, bytes) = try sources.compiled()
    let found = report.diagnostics.filter { $0.code == .emptyArchive }
    let namesFile = json.contains("filename") || json.contains("components")
    #expect(found.map(\.severity) == [namesFile ? .warning : .note], "\(report.diagnostics)")
    #expect(found.allSatisfy { $0.message.contains(reason) && $0.file == "A.xcassets" })
    #expect(try renditions(bytes).isEmpty)
    sources.image("Star")
    #expect(try !sources.compiled().report.diagnostics.contains { $0.code == .emptyArchive })
  }

  @Test(arguments: [
    ("version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n", "run 'git lfs pull'"),
    ("<html>", "save it as PNG, JPEG or HEIF"), ("", "the file is empty"),
  ])
  func filesThatAreNoPicturesAreErrorsWithAdvice(text: String, way: String) throws {
    var sources = SampleSources()
    sources.image("Star", scales: [1])
    sources.add("Star.imageset/Star@1x.png", text)
    let report = try sources.compiled().report
    #expect(report.diagnostics.map(\.code) == [.brokenImage])
    #expect(report.isRefused && report.diagnostics.allSatisfy { $0.message.contains(way) })
  }

  @Test func everyFileBecomesARendition() throws {
    var sources = SampleSources()
    sources.image("Star")
    let (report, bytes) = try sources.compiled { $0.packsSprites = false }
    #expect(report.nameCount == 1)
    let found = try renditions(bytes)
    #expect(Set(found.map(\.header.name)) == ["Star@1x.png", "Star@2x.png", "Star@3x.png"])
    #expect(Set(found.map { $0.key[.scale] }) == [1, 2, 3])
    #expect(found.allSatisfy { $0.header.layout == .onePartScale })
  }

  @Test(
    arguments: [
      (OSVersion(7), .zip, 180), (OSVersion(8), .lzvn, 180), (OSVersion(9), .lzfse, 192),
    ] as [(OSVersion, Codecs.Compression, Int)])
  func theOldestSystemDecodesThePicture(
    system: OSVersion, kind: Codecs.Compression, row: Int
  ) throws {
    var sources = SampleSources()
    sources.image("Star", scales: [1], points: 45)
    let bytes = try sources.compiled { $0.target.minimum = system }.bytes
    try bytes.withUnsafeBytes { file in
      let archive = try Archive(file)
      let rendition = try archive.rendition(try #require(try archive.renditions().first))
      let payload = try BitmapPayload(rendition.payload.buffer)
      #expect(payload.compression == kind)
      #expect(try rendition.bytesPerRow().map { Int($0) } == row)
      var pixels = [UInt8](repeating: 0, count: 45 * 45 * 4)
      try pixels.withUnsafeMutableBytes {
        try payload.decode(
          format: .argb, width: 45, height: 45, bytesPerRow: row, into: $0, rowStride: 180)
      }
      #expect(pixels == [[UInt8]](repeating: [0, 10, 200, 255], count: 45 * 45).flatMap { $0 })
    }
  }

  @Test func smallPicturesShareAnAtlasAndALonelyOneDoesNot() throws {
    var sources = SampleSources()
    sources.image("Sun", scales: [1], red: 1)
    sources.image("Moon", scales: [1], red: 2)
    sources.image("Lone", scales: [2])
    let found = try renditions(try sources.compiled().bytes)
    let layouts = Dictionary(grouping: found, by: \.header.layout).mapValues(\.count)
    #expect(layouts == [.atlas: 1, .internalLink: 2, .onePartScale: 1])
  }

  @Test(arguments: [1, 2, 5])
  func theNumberOfThreadsDoesNotShow(jobs: Int) throws {
    let sources = SampleSources.many
    let one = try sources.compiled { $0.jobs = 1 }
    let other = try sources.compiled { $0.jobs = jobs }
    #expect(one.bytes == other.bytes)
  }

  @Test func memoryDoesNotShow() throws {
    let sources = SampleSources.many
    let plenty = try sources.compiled()
    let scarce = try sources.compiled { $0.memory = 1 }
    #expect(plenty.bytes == scarce.bytes)
  }

  @Test func theCacheDoesNotShow() throws {
    let folder = try TemporaryDirectory()
    let sources = SampleSources.many
    let without = try sources.compiled().bytes
    let first = try sources.compiled { $0.cache = ByteString(folder.path("cache")) }.bytes
    let second = try sources.compiled { $0.cache = ByteString(folder.path("cache")) }.bytes
    #expect(first == without)
    #expect(second == without)
  }

  @Test func damagedEntriesOfTheCacheAreMadeAgain() throws {
    let folder = try TemporaryDirectory()
    let sources = SampleSources.many
    let whole = try sources.compiled { $0.cache = ByteString(folder.path("cache")) }.bytes
    let entries = try folder.files(below: "cache").filter { $0.split(separator: "/").count == 3 }
    #expect(entries.count > 20)
    for (number, entry) in entries.enumerated() {
      var bytes = try folder.read(entry)
      if number % 2 == 0 { bytes.removeLast(9) } else { bytes[number % bytes.count] ^= 0x10 }
      _ = try folder.write(bytes, to: entry)
    }
    let again = try sources.compiled { $0.cache = ByteString(folder.path("cache")) }.bytes
    #expect(again == whole)
  }

  @Test func thePathOfTheCatalogueDoesNotShow() throws {
    var elsewhere = SampleSources(root: "some/where/else.xcassets")
    var here = SampleSources()
    for name in ["B", "A", "C"] {
      elsewhere.image(name, red: 9)
      here.image(name, red: 9)
    }
    #expect(try elsewhere.compiled().bytes == here.compiled().bytes)
  }

  @Test func anErrorLeavesNoFile() throws {
    var sources = SampleSources()
    sources.image("Star")
    sources.files["A.xcassets/Star.imageset/Star@2x.png"] = .bytes(
      Array(png(width: 20, height: 20).dropLast(30)))
    let folder = try TemporaryDirectory()
    _ = try folder.write("the old archive", to: "out.car")
    let options = CompileOptions(target: CompileTarget(platform: .iOS))
    let report = try compile(
      .archive(of: [sources.root]), in: .memory(sources.files), options: options,
      to: .path(ByteString(folder.path("out.car"))))
    #expect(report.isRefused)
    #expect(report.diagnostics.contains { $0.severity == .error })
    #expect(try folder.read("out.car") == Array("the old archive".utf8))
  }

  @Test func aPictureOfAnotherKindIsLeftOutAndSaidSo() throws {
    var sources = SampleSources()
    sources.image("Star")
    sources.files["A.xcassets/Star.imageset/Star@2x.png"] = .bytes(
      Array("8BPS".utf8) + [0, 1, 0, 0, 0, 0, 0, 0, 0, 3, 0, 0, 0, 20, 0, 0, 0, 20, 0, 8, 0, 3])
    let (report, bytes) = try sources.compiled()
    #expect(
      report.diagnostics.contains { $0.code == .unsupportedFormat && $0.severity == .warning })
    #expect(Set(try renditions(bytes).map { $0.key[.scale] }) == [1, 3])
  }

  @Test func aFileInSeveralSlotsIsStoredOnce() throws {
    var sources = SampleSources()
    sources.add(
      "Star.imageset/Contents.json",
      """
      {"images":[{"idiom":"iphone","scale":"2x","filename":"a.png"},
      {"idiom":"ipad","scale":"2x","filename":"a.png"},
      {"idiom":"ipad","scale":"1x","filename":"a.png"}]}
      """)
    sources.files["A.xcassets/Star.imageset/a.png"] = .bytes(
      png(width: 300, height: 300, red: 7))
    let bytes = try sources.compiled().bytes
    let ranges = try bytes.withUnsafeBytes { try Archive($0).renditions().map(\.range) }
    // The scale is part of the block: the two renditions at 2x share one block, the one at 1x has
    // another.
    #expect(ranges.count == 3)
    #expect(Set(ranges).count == 2)
  }

  @Test func renditionsOfOtherPlatformsAreLeftOut() throws {
    var sources = SampleSources()
    sources.add(
      "Star.imageset/Contents.json",
      """
      {"images":[{"idiom":"iphone","scale":"2x","filename":"a.png"},
      {"idiom":"mac","scale":"2x","filename":"a.png"},
      {"idiom":"ipad","scale":"2x","filename":"a.png"}]}
      """)
    sources.files["A.xcassets/Star.imageset/a.png"] = .bytes(png(width: 4, height: 4))
    func idioms(_ target: CompileTarget) throws -> Set<UInt16> {
      Set(try renditions(sources.compiled { $0.target = target }.bytes).map { $0.key[.idiom] })
    }
    #expect(try idioms(CompileTarget(platform: .iOS)).subtracting([0]) == [1, 2])
    #expect(try idioms(CompileTarget(platform: .iOS, families: [.ipad])) == [2])
    #expect(try idioms(CompileTarget(platform: .macOS)) == [0])
  }

  @Test func namesWithOneHashGetNumbersOfTheirOwn() throws {
    // The names are found by trying numbered names until two have the same hash.
    let names = try #require(collidingNames())
    var sources = SampleSources()
    for name in names { sources.image(name, scales: [1]) }
    let bytes = try sources.compiled { $0.packsSprites = false }.bytes
    #expect(Set(try renditions(bytes).map(\.key.identifier)).count == 2)
  }
}

private func collidingNames() -> [String]? {
  var seen: [UInt16: String] = [:]
  for number in 0..<100_000 {
    let name = "N\(number)"
    guard let numbers = try? NameNumbers([ByteString(name)]), let hash = numbers[ByteString(name)]
    else { return nil }
    if let other = seen.updateValue(name, forKey: hash) { return [other, name] }
  }
  return nil
}

extension SampleSources {
  /// Pictures for several atlases, of which some are large and some have equal pixels.
  static var many: SampleSources {
    var sources = SampleSources()
    for index in 0..<30 {
      sources.image("Icon\(index)", points: 8 + index, red: UInt8(index % 3 == 0 ? 10 : index))
    }
    sources.image("Large", scales: [1, 2], points: 150)
    return sources
  }
}
