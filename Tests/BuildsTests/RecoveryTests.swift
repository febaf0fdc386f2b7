// Makes catalogues of archives, compiles them, and compares the two archives: those of all sample
// catalogues, and of catalogues with random slots. Also checks that no name leads out of the
// folder.

import Archive
import ArchiveTools
import Bytes
import CatalogCompiler
import Foundation
import Host
import Support
import Synchronization
import Testing
import Traits

@testable import Builds

private struct Never: Error {}

/// Returns the files that are made of an archive, by path, and the report.
private func recovered(
  _ archive: [UInt8], jobs: Int = 1
) throws -> (files: [ByteString: [UInt8]], report: RecoveryReport) {
  let files = Mutex<[ByteString: [UInt8]]>([:])
  let report = try archive.withUnsafeBytes { bytes in
    try recoverCatalogs(of: bytes, jobs: jobs) { (file) throws(Never) in
      files.withLock { #expect($0.updateValue(file.bytes, forKey: file.path) == nil) }
    }
  }
  return (files.withLock { $0 }, report)
}

/// Compiles the catalogues among files.
private func compiled(
  _ files: [ByteString: MemoryFile], _ roots: [ByteString], for platform: TargetPlatform
) throws -> [UInt8] {
  let folder = try TemporaryDirectory()
  var options = CompileOptions(target: CompileTarget(platform: platform), icons: .all)
  options.keepsVectors = true
  let report = try compile(
    .archive(of: roots), in: .memory(files), options: options,
    to: .path(ByteString(folder.path("a.car"))))
  #expect(!report.isRefused, "\(report.diagnostics.map(\.text))")
  return report.isRefused ? [] : try folder.read("a.car")
}

private func compiledAgain(
  _ files: [ByteString: [UInt8]], for platform: TargetPlatform
) throws -> [UInt8] {
  let roots = Set(files.keys.compactMap { $0.components.first }).sorted()
  return try compiled(files.mapValues { .bytes($0) }, roots, for: platform)
}

private func differences(_ first: [UInt8], _ second: [UInt8]) throws -> [RenditionDifference] {
  try first.withUnsafeBytes { first in
    try second.withUnsafeBytes { second in
      let difference = try ArchiveDifference(from: first, to: second, devices: [])
      #expect(difference.addedNames.isEmpty && difference.removedNames.isEmpty)
      return difference.renditions
    }
  }
}

@Suite struct RecoveryTests {
  /// Half floats have colours between those of a PNG.
  @Test func aWideColorThatAFileCannotHoldIsRemarked() throws {
    let folder = try TemporaryDirectory()
    _ = try compile(
      .archive(of: ["\(ByteString(sampleCatalogs))/WideGamut.xcassets"]), in: .disk,
      options: CompileOptions(target: CompileTarget(platform: .iOS)),
      to: .path(ByteString(folder.path("a.car"))))
    let archive = try folder.read("a.car")
    let (files, report) = try recovered(archive)
    let changed = try differences(archive, try compiledAgain(files, for: .iOS))
    #expect(changed.count == 2)
    #expect(
      Set(report.remarks.map(\.reason)) == [
        "its PNG file cannot hold all of its wide colours exactly"
      ])
    #expect(report.remarks.count == 2 && report.remarks.allSatisfy { $0.variant.contains("P3") })
  }

  @Test(arguments: soundSamples) func `a sample becomes the same archive again`(name: String) throws
  {
    for platform in [TargetPlatform.iOS, .macOS, .tvOS] {
      let folder = try TemporaryDirectory()
      var options = CompileOptions(target: CompileTarget(platform: platform), icons: .all)
      options.keepsVectors = true
      let path = ByteString(folder.path("a.car"))
      let report = try compile(
        .archive(of: ["\(sampleCatalogs)/\(name)"]), in: .disk, options: options, to: .path(path))
      if report.isRefused { continue }
      let bytes = try folder.read("a.car")
      let files = try recovered(bytes).files
      let again = try compiledAgain(files, for: platform)
      for difference in try differences(bytes, again) {
        // Several bitmaps of an icon have one name; wide colours are rounded to 16 bits; a
        // reference image is converted to grey twice; the layers of a stack are stored with rounded
        // colours.
        let isExplained =
          difference.change == .changed
          && (difference.aspects.allSatisfy { $0.hasPrefix("file name") }
            || (difference.greatest ?? 256) <= 2
            || name == "Kinds.xcassets" && difference.asset == "Painting")
        #expect(isExplained, "\(name) \(platform.rawValue): \(difference)")
      }
    }
  }

  @Test func `the number of threads makes no difference`() throws {
    var sources = SampleSources()
    for number in 0..<40 { sources.image("N\(number)", points: 4 + number) }
    let bytes = try sources.compiled().bytes
    #expect(try recovered(bytes, jobs: 1).files == recovered(bytes, jobs: 4).files)
  }

  @Test func `catalogues with random slots become the same archive again`() throws {
    var generator = SeededGenerator.forTest(0xCA7A)
    for _ in 0..<12 {
      var sources = SampleSources()
      for number in 0..<generator.pick(1...6) { add(number, to: &sources, &generator) }
      let bytes = try compiled(sources.files, [sources.root], for: .iOS)
      let (files, report) = try recovered(bytes)
      #expect(!report.hasDamage)
      let again = try compiledAgain(files, for: .iOS)
      #expect(try differences(bytes, again) == [], "\(generator)")
    }
  }

  /// Adds an image set or a colour set with random slots.
  private func add(
    _ number: Int, to sources: inout SampleSources, _ generator: inout SeededGenerator
  ) {
    let name = generator.one(of: ["Star", "Group.a", "Ümlaut", "a b"]) + "\(number)"
    var slots: [String] = []
    for scale in 1...3 where generator.pick(0...3) > 0 {
      slots.append(#""scale":"\#(scale)x""#)
    }
    let traits = [
      #""idiom":"ipad""#, #""idiom":"universal","language-direction":"right-to-left""#,
      #""idiom":"universal","width-class":"compact""#, #""idiom":"iphone","subtype":"736h""#,
      #""idiom":"universal","memory":"2GB""#, #""idiom":"universal","locale":"de""#,
      #""idiom":"universal","appearances":[{"appearance":"luminosity","value":"dark"}]"#,
      #""idiom":"universal","graphics-feature-set":"metal3v1""#,
    ]
    var entries: [String] = []
    for idiom in [#""idiom":"universal""#, generator.one(of: traits)] {
      for slot in slots { entries.append("\(idiom),\(slot)") }
    }
    let side = generator.pick(9...80)
    var rows: [String] = []
    for (place, entry) in entries.enumerated() {
      let file = "p\(place).png"
      sources.files["\(sources.root)/\(name).imageset/\(file)"] = .bytes(
        png(width: side, height: side, red: UInt8(generator.pick(0...255)), green: 20))
      let insets = #","alignment-insets":{"top":1,"left":2,"bottom":3,"right":0}"#
      let parts =
        #","resizing":{"mode":"9-part","center":{"mode":"tile","width":2,"height":1},"#
        + #""cap-insets":{"top":2,"left":3,"bottom":1,"right":2}}"#
      let more = generator.one(of: ["", insets, parts, insets + parts])
      rows.append(#"{"filename":"\#(file)",\#(entry)\#(more)}"#)
    }
    let intent = generator.one(of: ["template", "original"])
    sources.add(
      "\(name).imageset/Contents.json",
      #"{"images":[\#(rows.joined(separator: ","))],"properties":{"localizable":true,"#
        + #""template-rendering-intent":"\#(intent)"}}"#)
    let space = generator.one(of: ["srgb", "display-p3", "extended-srgb", "extended-linear-srgb"])
    let red = generator.one(of: [#""0.125""#, #""0xB4""#, #""189""#, "0.3", #""1.0""#])
    sources.add(
      "C\(number).colorset/Contents.json",
      #"{"colors":[{"idiom":"universal","color":{"color-space":"\#(space)","components":{"#
        + #""red":\#(red),"green":"0.1","blue":"0","alpha":"0.75"}}}]}"#)
  }

  // MARK: Names

  private static let hostileNames = [
    "..", "../../up", "a/../b", "/root", "a//b", "", ".hidden", "x\u{0}y", "Contents.json/a",
    "Group.imageset/a", "e\u{301}/A", "\u{E9}/A", "case", "CASE", "\u{1B}[31m",
    String(repeating: "long", count: 80), "a\\b", "C:\\x",
  ]

  @Test func `no name leads out of the folder`() throws {
    var places = RecoveredPlaces()
    var seen: Set<ByteString.CanonicalForm> = []
    for name in Self.hostileNames + Self.hostileNames {
      let (folder, _) = places.folder(
        for: ByteString(name), .imageSet, below: RecoveredPlaces.catalog)
      #expect(folder.isInside(RecoveredPlaces.catalog))
      let parts = folder.components
      #expect(!parts.contains("..") && !folder.contains(0) && parts.allSatisfy { $0.count <= 255 })
      #expect(!parts.contains { $0.isHidden }, "\(folder)")
      #expect(seen.insert(folder.lowercased().canonicalForm).inserted, "\(folder)")
    }
    for name in Self.hostileNames {
      let file = RecoveredPlaces.fileName(ByteString(name), "png")
      #expect(!file.contains(UInt8(ascii: "/")) && !file.contains(0) && !file.isHidden)
      #expect(file.hasSuffix(".png"), "\(file)")
    }
  }

  @Test func `a set whose name no folder can have gets a name of its own`() throws {
    let long = String(repeating: "n", count: 250)
    var places = RecoveredPlaces(names: [".Logo", "_Logo"])
    func folder(_ name: String) -> ByteString {
      places.folder(for: ByteString(name), .imageSet, below: "A").folder
    }
    #expect(folder(".Logo") == "A/_Logo 2.imageset")
    let color = places.folder(for: ".Logo", .colorSet, below: "A").folder
    #expect(color == "A/_Logo 2.colorset")
    #expect(folder("_Logo") == "A/_Logo.imageset")
    #expect(lastComponent(folder(long + "1")) != lastComponent(folder(long + "2")))
    // A group that makes room has no namespace.
    #expect(folder("_LOGO") == "A/More 2/_LOGO.imageset")
    #expect(folder("More 2/Star") == "A/More 2/More 2/Star.imageset")
  }

  @Test func `a file never takes the name of the document`() throws {
    var sources = SampleSources()
    sources.add("Facts.dataset/Contents.json", #"{"data":[{"filename":"Contents.jsox"}]}"#)
    sources.add("Facts.dataset/Contents.jsox", "facts")
    var bytes = try sources.compiled().bytes
    let name = Array("Contents.jso".utf8)
    for place in bytes.indices where bytes[place...].starts(with: name) {
      bytes[place + name.count] = UInt8(ascii: "n")
    }
    let files = try recovered(bytes).files
    #expect(files["Assets.xcassets/Facts.dataset/Contents-2.json"] == Array("facts".utf8))
  }

  @Test func `names that disks take for equal lie in different groups`() throws {
    var sources = SampleSources()
    for (place, name) in ["Case", "CASE", "e\u{301}", "\u{E9}"].enumerated() {
      sources.image(name, points: 8 + place)
    }
    let bytes = try sources.compiled().bytes
    let files = try recovered(bytes).files
    #expect(files.keys.contains { $0.hasPrefix("Assets.xcassets/More 2/") })
    #expect(try differences(bytes, compiledAgain(files, for: .iOS)) == [])
  }

  @Test func `the report names the command that compiles the catalogue`() throws {
    var sources = SampleSources()
    sources.image("Star", points: 9, red: 1)
    let report = try recovered(sources.compiled().bytes).report
    #expect(report.sets.count == 1 && !report.hasDamage)
    #expect(
      report.text("out").contains(
        "compile it with: carve compile out/Assets.xcassets --platform iphoneos "
          + "--minimum-deployment-target 15"))
  }

  /// Without these options the compiler would leave parts of the archive out, or add some.
  @Test func `the command has the options that the archive needs`() throws {
    var catalyst = SampleSources()
    catalyst.add(
      "Star.imageset/Contents.json", #"{"images":[{"idiom":"ipad","filename":"a.png"}]}"#)
    catalyst.files["A.xcassets/Star.imageset/a.png"] = .bytes(png(width: 9, height: 9))
    let pad = try catalyst.compiled {
      $0.target = CompileTarget(platform: .macOS, families: [.ipad])
    }.bytes
    #expect(try recovered(pad).report.text("out").contains(" --target-device ipad "))
    var stack = SampleSources()
    stack.add(
      "AppIcon.solidimagestack/Contents.json",
      #"{"layers":[{"filename":"L.solidimagestacklayer"}]}"#)
    stack.add("AppIcon.solidimagestack/L.solidimagestacklayer/Contents.json", "{}")
    let content = "AppIcon.solidimagestack/L.solidimagestacklayer/Content.imageset"
    stack.add(
      "\(content)/Contents.json",
      #"{"images":[{"idiom":"vision","scale":"2x","filename":"a.png"}]}"#)
    stack.files["A.xcassets/\(content)/a.png"] = .bytes(png(width: 64, height: 64))
    let solid = try stack.compiled {
      $0.target = CompileTarget(platform: .visionOS)
      $0.icons = .all
      $0.allowsIncomplete = [.solidImageStack]
    }.bytes
    #expect(
      try recovered(solid).report.text("out").contains(" --allow-incomplete solidimagestack "))
    for draws in [true, false] {
      var icon = SampleSources()
      icon.add(
        "Icon.icon/icon.json",
        #"{"groups":[{"layers":[{"image-name":"a.svg","name":"a"}]}],"supported-platforms":{"squares":"shared"}}"#
      )
      icon.add(
        "Icon.icon/Assets/a.svg",
        #"<svg xmlns="http://www.w3.org/2000/svg" width="1024" height="1024"><path d="M0 0H9V9z"/></svg>"#
      )
      let bytes = try icon.compiled {
        $0.icons = .all
        $0.drawsIcons = draws
      }.bytes
      let text = try recovered(bytes).report.text("out")
      #expect(text.contains(" --no-icon-bitmaps ") == !draws, "\(text)")
    }
  }
}
