// Compares two archives that differ in one thing. The difference names this thing and nothing else.

import Archive
import Bytes
import CatalogCompiler
import Imaging
import Support
import Testing
import Traits

@testable import ArchiveTools

@Suite("Differences") struct DifferenceTests {
  private func sources(
    _ set: String, _ json: String, _ files: [String: [UInt8]] = [:]
  ) -> SampleSources {
    var sources = SampleSources()
    sources.add("\(set)/Contents.json", json)
    for (name, bytes) in files { sources.files["A.xcassets/\(set)/\(name)"] = .bytes(bytes) }
    return sources
  }

  private func image(
    _ entry: String = "", file: String = "a.png", picture: [UInt8]? = nil, set: String = ""
  ) -> SampleSources {
    sources(
      "Star.imageset", #"{\#(set)"images":[{"filename":"\#(file)"\#(entry)}]}"#,
      [file: picture ?? png(width: 40, height: 40, red: 9, green: 1)])
  }

  private func color(_ red: String) -> SampleSources {
    let components = #""red":"\#(red)","green":"0.0","blue":"0.0","alpha":"1.0""#
    return sources(
      "Tint.colorset", #"{"colors":[{"color":{"components":{\#(components)}}}]}"#)
  }

  private func data(_ text: String, type: String = "public.text") -> SampleSources {
    sources(
      "Facts.dataset",
      #"{"data":[{"filename":"a.txt","universal-type-identifier":"\#(type)"}]}"#,
      ["a.txt": Array(text.utf8)])
  }

  private func nine(_ left: Int, _ center: String = "stretch") -> String {
    #","resizing":{"mode":"9-part","center":{"mode":"\#(center)","width":1,"height":1},"#
      + #""cap-insets":{"left":\#(left),"right":3,"top":3,"bottom":3}}"#
  }

  private func difference(
    _ old: SampleSources, _ new: SampleSources, devices: [Device] = [], packs: Bool = false,
    change: (inout CompileOptions) -> Void = { _ in }
  ) throws -> ArchiveDifference {
    let before = try old.compiled { $0.packsSprites = packs }.bytes
    let after = try new.compiled {
      $0.packsSprites = packs
      change(&$0)
    }.bytes
    return try before.withUnsafeBytes { before in
      try after.withUnsafeBytes { after in
        try ArchiveDifference(from: before, to: after, devices: devices)
      }
    }
  }

  @Test("an aspect that differs is named") func namesAspects() throws {
    let photo = jpeg(width: 40, height: 40)
    let rows: [(SampleSources, SampleSources, [String])] = [
      (
        image(), image(set: #""properties":{"template-rendering-intent":"template"},"#),
        ["flags automatic → template"]
      ),
      (
        image(), image(picture: png(width: 41, height: 40, red: 9, green: 1)),
        ["size 40×40 → 41×40"]
      ),
      (image(), image(file: "b.png"), ["file name a.png → b.png"]),
      (
        image(), image(picture: png(width: 40, height: 40, red: 9, green: 9, blue: 9)),
        ["pixel format ARGB → GA8", "colour space", "pixels"]
      ),
      (image(nine(3)), image(nine(4)), ["slices"]),
      (image(), image(#","alignment-insets":{"top":1}"#), ["insets"]),
      (image(), image(picture: png(width: 40, height: 40, red: 10, green: 1)), ["pixels"]),
      (data("one"), data("one", type: "public.json"), ["type public.text → public.json"]),
      (data("one"), data("two"), ["contents"]),
      (color("0.500010"), color("0.500014"), ["colour"]),
      (color("0.5"), color("0.25"), ["colour sRGB 0.5 0 0 1 → sRGB 0.25 0 0 1"]),
      (
        image(nine(3), file: "a.jpg", picture: photo),
        image(nine(3, "tile"), file: "a.jpg", picture: photo),
        ["layout"]
      ),
    ]
    for (old, new, aspects) in rows {
      let found = try difference(old, new)
      #expect(found.renditions.map(\.aspects) == [aspects])
      #expect(found.renditions.map(\.change) == [.changed])
      #expect(!found.isEmpty && found.addedNames.isEmpty && found.removedNames.isEmpty)
      #expect(try difference(old, old).isEmpty && difference(new, new).isEmpty)
    }
  }

  /// An atlas that cannot be decoded any more shows its pictures no more, although the links to it
  /// are the same.
  @Test("pictures of a damaged atlas differ") func namesPicturesOfADamagedAtlas() throws {
    var sources = SampleSources()
    for (name, red) in [("One", 10), ("Two", 200)] as [(String, UInt8)] {
      sources.image(name, points: 20, red: red)
    }
    let sound = try sources.compiled().bytes
    var damaged = sound
    let atlases = try sound.withUnsafeBytes { file in
      let opened = try OpenedArchive(Archive(file))
      return opened.inventory.atlases.map { opened.inventory.entries[$0].range }
    }
    try #require(!atlases.isEmpty)
    for range in atlases {
      for offset in range.lowerBound + range.count / 2..<range.upperBound { damaged[offset] = 0 }
    }
    for (old, new) in [(sound, damaged), (damaged, sound)] {
      let found = try old.withUnsafeBytes { old in
        try new.withUnsafeBytes { try ArchiveDifference(from: old, to: $0, devices: []) }
      }
      #expect(!found.isEmpty)
      let assets = found.renditions.filter { $0.aspects.contains(ArchiveDifference.pixels) }
      #expect(Set(assets.map(\.asset)).isSuperset(of: ["One", "Two"]))
    }
    let same = try damaged.withUnsafeBytes { file in
      try ArchiveDifference(from: file, to: file, devices: [])
    }
    #expect(same.isEmpty)
  }

  @Test("languages are compared by their names, not by their numbers")
  func comparesNamesOfLanguages() throws {
    let usual = try image(#","locale":"de""#).compiled { $0.writesIndex = false }.bytes
    var renumbered = usual
    let offsets = try usual.withUnsafeBytes { file in
      let archive = try Archive(file)
      let format = archive.keyFormat
      let column = try #require(format.columns.firstIndex(of: .localization))
      var offsets: [Int] = []
      try archive.renditionTree().forEach { (entry) throws(FormatError) in
        if try format.key(entry.key)[.localization] != 0 {
          offsets.append(entry.key.origin + 2 * column)
        }
      }
      let table = try #require(try archive.tree(named: "LOCALIZATIONKEYS"))
      try table.forEach { (entry) throws(FormatError) in
        offsets.append(try archive.store.bytes(of: entry.value).origin)
      }
      return offsets
    }
    try #require(offsets.count == 2)
    for offset in offsets { renumbered.replaceSubrange(offset..<offset + 2, with: [7, 0]) }
    let found = try usual.withUnsafeBytes { usual in
      try renumbered.withUnsafeBytes { try ArchiveDifference(from: usual, to: $0, devices: []) }
    }
    #expect(found.isEmpty, "\(found.text)")
  }

  // MARK: Colours

  private func bitmap(_ layout: BitmapLayout, _ bytes: [UInt8], width: Int = 1) -> Bitmap {
    Bitmap(
      width: width, height: 1, layout: layout, bytesPerRow: bytes.count, isOpaque: false,
      isGray: false, pixels: bytes)
  }

  @Test("the greatest difference counts in steps of a byte") func measuresColors() {
    let blue = bitmap(.bgra8, [10, 20, 30, 255])
    #expect(blue.greatestDifference(from: blue) == 0)
    #expect(blue.greatestDifference(from: bitmap(.bgra8, [10, 22, 29, 255])) == 2)
    #expect(blue.greatestDifference(from: bitmap(.bgra8, [10, 20, 30, 0])) == 255)
    let grey = bitmap(.ga8, [20, 255])
    #expect(grey.greatestDifference(from: bitmap(.ga8, [17, 255])) == 3)
    // Grey pixels of one picture, and colours of the other.
    #expect(grey.greatestDifference(from: blue) == 10)
    let words = bitmap(.ga16, [0, 0, 255, 255])
    #expect(words.greatestDifference(from: bitmap(.ga16, [1, 0, 255, 255])) == 1)
    #expect(words.greatestDifference(from: bitmap(.ga16, [255, 255, 255, 255])) == 255)
    // Half floats: 1 is 0x3C00, and 0.5 is 0x3800.
    let wide = bitmap(.rgbw, [0, 0x3C, 0, 0x3C, 0, 0x3C, 0, 0x3C])
    #expect(wide.greatestDifference(from: wide) == 0)
    #expect(
      wide.greatestDifference(from: bitmap(.rgbw, [0, 0x38, 0, 0x3C, 0, 0x3C, 0, 0x3C])) == 128)
    // 0x7E00 is no number.
    #expect(
      wide.greatestDifference(from: bitmap(.rgbw, [0, 0x7E, 0, 0x3C, 0, 0x3C, 0, 0x3C])) == 255)
    #expect(
      blue.greatestDifference(from: bitmap(.bgra8, [0, 0, 0, 0, 0, 0, 0, 0], width: 2)) == nil)
  }

  /// Two pictures of these reds.
  private func reds(_ star: UInt8, _ moon: UInt8) -> SampleSources {
    var sources = SampleSources()
    for (name, red) in [("Star", star), ("Moon", moon)] {
      sources.add("\(name).imageset/Contents.json", #"{"images":[{"filename":"a.png"}]}"#)
      sources.files["A.xcassets/\(name).imageset/a.png"] = .bytes(
        png(width: 40, height: 40, red: red, green: 1))
    }
    return sources
  }

  @Test("the picture that changed most is the first") func sortsByDifference() throws {
    let found = try difference(reds(9, 9), reds(29, 109))
    #expect(found.renditions.map(\.asset) == ["Moon", "Star"])
    #expect(found.renditions.map(\.greatest) == [100, 20])
    #expect(found.text.contains("~ Moon (1x): pixels (by up to 100/255), "))
    #expect(found.json.line.contains(#""greatestDifference":100"#))
    let other = try difference(reds(9, 9), reds(109, 29)).renditions
    #expect(other.map(\.asset) == ["Star", "Moon"])
  }

  @Test("differences by rounding are counted, and listed only if requested")
  func foldsRounding() throws {
    var found = try difference(reds(9, 9), reds(11, 60), packs: true)
    #expect(found.renditions.map(\.isWithinRounding) == [false, true])
    #expect(found.text.contains("renditions: 1 changed") && !found.text.contains("~ Star"))
    #expect(found.text.contains("1 picture differs by at most 2/255"))
    #expect(found.markdown.contains("1 picture differs by at most 2/255"))
    #expect(!found.markdown.contains("| Star |"))
    found.listsRounding = true
    #expect(found.text.contains("renditions: 2 changed") && found.text.contains("~ Star (1x)"))
    #expect(!found.text.contains("--rounding") && found.markdown.contains("| Star |"))
    let small = try difference(reds(9, 9), reds(11, 9), packs: true)
    #expect(small.text.hasPrefix("both archives show the same, except for rounding\n"))
    let other = try difference(reds(9, 9), reds(12, 9), packs: true)
    #expect(!other.text.contains("except for rounding"))
    // A picture that lies alone is not rounded with others.
    let alone = try difference(reds(9, 9), reds(11, 9))
    #expect(alone.renditions.map(\.aspects) == [["pixels"]] && alone.text.contains("~ Star"))
  }

  @Test("pictures in atlases are packed otherwise, and equal files are no change")
  func namesPacking() throws {
    let before = try reds(9, 9).compiled().bytes
    let after = try reds(11, 60).compiled().bytes
    func found(_ isUnchanged: @escaping (ByteString, VariantKey) -> Bool?) throws
      -> [RenditionDifference]
    {
      try before.withUnsafeBytes { before in
        try after.withUnsafeBytes {
          try ArchiveDifference(from: before, to: $0, devices: [], isUnchanged: isUnchanged)
            .renditions
        }
      }
    }
    let all = try found { _, _ in nil }
    #expect(all.map(\.asset) == ["Moon", "Star"])
    #expect(all.map(\.aspects) == [["pixels"], ["packed otherwise"]])
    let some = try found { name, key in name == "Star" && key.scale == 1 ? true : nil }
    #expect(some.map(\.asset) == ["Moon"])
    let edited = try found { _, _ in false }
    #expect(edited.map(\.aspects) == [["pixels"], ["pixels"]])
    #expect(edited.allSatisfy { !$0.isWithinRounding })
  }

  @Test("renditions of one asset are told apart in words") func namesVariants() throws {
    #expect(try difference(color("0.5"), color("0.25")).renditions.map(\.variant) == ["1x"])
    var symbol = SampleSources()
    symbol.symbol("Sign", SymbolSample.variable().text)
    let drawings = try difference(data("one"), symbol).renditions.filter { $0.asset == "Sign" }
    #expect(drawings.count == 3)
    for (drawing, weight) in zip(drawings, ["ultralight", "regular", "black"]) {
      #expect(drawing.variant == "vector, from iOS 13, \(weight) weight, small size")
    }
  }

  @Test("names and variants that came or went are named") func namesChanges() throws {
    var both = image()
    both.image("Moon", scales: [1])
    let grown = try difference(image(), both)
    #expect(grown.addedNames == ["Moon"] && grown.removedNames.isEmpty)
    #expect(grown.markdown.contains("<summary>names: 1 added</summary>"))
    #expect(grown.markdown.contains("| + | Moon |\n"))
    #expect(grown.renditions.map(\.asset) == ["Moon"])
    #expect(grown.renditions.map(\.change) == [.added])
    #expect(grown.renditions.allSatisfy { $0.before == 0 && $0.after > 0 })
    let shrunk = try difference(both, image())
    #expect(shrunk.removedNames == ["Moon"] && shrunk.addedNames.isEmpty)
    #expect(shrunk.renditions.map(\.change) == [.removed])
    #expect(shrunk.renditions.allSatisfy { $0.before > 0 && $0.after == 0 })
    #expect(grown.after == shrunk.before && grown.before == shrunk.after)
    #expect(grown.after.file > grown.before.file)
  }

  @Test("the descriptions of archives are compared") func comparesDescriptions() throws {
    let found = try difference(image(), image()) { $0.target.minimum = OSVersion(16) }
    #expect(
      found.fields == [
        FieldDifference(field: "platform version", before: "15.0", after: "16.0")
      ])
    #expect(found.isEmpty)
    let mac = try difference(image(), image()) { $0.target = CompileTarget(platform: .macOS) }
    let fields = mac.fields.map(\.field)
    #expect(fields == ["key semantics", "platform", "platform version", "key format"])
  }

  @Test("devices pay for what they keep, and those that pay the same stand together")
  func saysWhatDevicesPay() throws {
    var two = SampleSources()
    two.image("Star", scales: [2], points: 20)
    var three = two
    three.image("Moon", scales: [3], points: 20)
    let devices = ["iPhone8,1", "iPhone9,1", "iPhone15,2"].compactMap { Device(named: $0) }
    three.image("Star", scales: [2, 3], points: 20)
    let found = try difference(two, three, devices: devices).devices
    #expect(
      found.map { $0.devices.map(\.identifier) } == [["iPhone8,1", "iPhone9,1"], ["iPhone15,2"]])
    #expect(found.allSatisfy { $0.before > 0 && $0.after > $0.before })
  }

  @Test("a picture of two variants is paid for once") func chargesEqualPicturesOnce() throws {
    let one = image()
    let dark = #","appearances":[{"appearance":"luminosity","value":"dark"}]"#
    let two = sources(
      "Star.imageset", #"{"images":[{"filename":"a.png"},{"filename":"a.png"\#(dark)}]}"#,
      ["a.png": png(width: 40, height: 40, red: 9, green: 1)])
    let device = try #require(Device(named: "iPhone15,2"))
    let found = try difference(one, two, devices: [device])
    #expect(found.renditions.map(\.change) == [.added])
    let paid = try #require(found.devices.first)
    #expect(paid.before > 0 && paid.after == paid.before)
  }

  @Test("the arguments of thinning are compared") func comparesThinningArguments() throws {
    let full = try image().compiled { $0.packsSprites = false }.bytes
    // The place of the first text in the metadata. The same letters also occur in the name of the
    // block.
    let place = try #require(
      full.indices.first { full[$0...].starts(with: Array("META".utf8) + [0]) })
    let found = ["scale 2", "scale 3"].map { words in
      var bytes = full
      bytes.replaceSubrange(place + 4..<place + 4 + words.utf8.count, with: words.utf8)
      return bytes
    }
    let difference = try found[0].withUnsafeBytes { before in
      try found[1].withUnsafeBytes { try ArchiveDifference(from: before, to: $0, devices: []) }
    }
    #expect(
      difference.fields == [
        FieldDifference(field: "thinning arguments", before: "scale 2", after: "scale 3")
      ])
  }
}
