// Makes catalogues of loose pictures: names of Apple, Flutter and Android, appearances that are
// guessed, nine-patches, clashes and hostile names.

import Bytes
import Foundation
import Host
import Imaging
import Support
import Testing
import Traits

@testable import Apps

/// Returns the catalogue of files.
private func adopted(_ files: [String: [UInt8]]) throws -> AdoptedCatalog {
  var tree: [ByteString: MemoryFile] = [:]
  for (path, bytes) in files { tree[ByteString("in/" + path)] = .bytes(bytes) }
  return try AdoptedCatalog(of: "in", in: .memory(tree))
}

private func picture(_ side: Int, red: UInt8 = 9) -> [UInt8] {
  png(width: side, height: side, red: red, green: 3)
}

/// Returns the paths of the pictures of a catalogue.
private func pictures(_ catalog: AdoptedCatalog) -> [String] {
  catalog.files.map(\.path.text).filter { !$0.hasSuffix("Contents.json") }.sorted()
}

private func document(_ catalog: AdoptedCatalog, _ set: String) throws -> [[String: Any]] {
  let path = ByteString("\(set).imageset/Contents.json")
  let file = try #require(catalog.files.first { $0.path == path })
  guard case .bytes(let bytes) = file.file else { return [] }
  let root = try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any]
  return root?["images"] as? [[String: Any]] ?? []
}

@Suite struct AdoptionTests {
  @Test func `names state scales, devices, appearances, directions and languages`() {
    func check(_ path: ByteString, _ stem: ByteString, _ scale: Double?, _ words: String) {
      let name = PictureName(path)
      var found: [String] = []
      if name.key.idiom != .universal { found.append(name.key.idiom.name) }
      if name.key.style != .any { found.append(name.key.style.name) }
      if name.key.direction != .none { found.append(name.key.direction.name) }
      if let locale = name.locale { found.append(locale) }
      if name.isNinePatch { found.append("9") }
      found += name.ignored.map { "?\($0)" }
      #expect(name.stem == stem && name.scale == scale, "\(path): \(name)")
      #expect(found.joined(separator: " ") == words, "\(path)")
    }
    check("a/star.png", "a/star", nil, "")
    check("star@2x.png", "star", 2, "")
    check("star@3x~ipad.png", "star", 3, "pad")
    check("star~ipad@2x.png", "star", 2, "pad")
    check("star~iphone.png", "star", nil, "phone")
    check("a/2.0x/star.png", "a/star", 2, "")
    check("a/1.5x/star.png", "a/star", 1.5, "")
    check("res/drawable-xhdpi/ic.png", "res/ic", 2, "")
    check("res/drawable-hdpi/ic.png", "res/ic", 1.5, "")
    check("res/drawable/ic.png", "res/ic", nil, "")
    check("res/mipmap-xxxhdpi/ic.png", "res/ic", 4, "")
    check("res/drawable-night-xxhdpi/ic.9.png", "res/ic", 3, "dark 9")
    check("res/drawable-ldrtl-xhdpi-v17/ic.png", "res/ic", 2, "rtl ?v17")
    check("res/drawable-fr-rCA-xhdpi/ic.png", "res/ic", 2, "fr-CA")
    check("res/drawable-b+sr+Latn/ic.png", "res/ic", nil, "sr-Latn")
    check("res/drawable-sw600dp-land/ic.png", "res/ic", nil, "?sw600dp ?land")
    check("de.lproj/flag@2x.png", "flag", 2, "de")
    check("EN.lproj/flag.png", "flag", nil, "en")
    check("fr_ca.lproj/flag.png", "flag", nil, "fr-CA")
    check("Base.lproj/flag.png", "flag", nil, "")
    check("@2x.png", "@2x", nil, "")
    check("drawables/a.png", "drawables/a", nil, "")
  }

  @Test func `variants of a picture become one set`() throws {
    let catalog = try adopted([
      "star.png": picture(10), "star@2x.png": picture(20), "star@3x.png": picture(30),
      "star-dark@2x.png": picture(20, red: 200), "a/moon.png": picture(8),
      "a/2.0x/moon.png": picture(16), "a/4.0x/moon.png": picture(32), "x.webp": [1],
      "broken.png": [1, 2],
    ])
    #expect(
      pictures(catalog) == [
        "a/moon.imageset/moon.png", "a/moon.imageset/moon@2x.png",
        "star.imageset/star-dark@2x.png", "star.imageset/star.png",
        "star.imageset/star@2x.png", "star.imageset/star@3x.png",
      ])
    let text = catalog.report.text("Out.xcassets")
    #expect(
      text == """
        Out.xcassets: 2 image sets of 6 pictures
        guessed: 2 pictures without a scale: 1x
        guessed: star-dark: it is taken for the dark appearance of "star"
        left out: x.webp: catalogues hold no .webp files
        left out: broken.png: the file is not a picture of any known kind; save it as PNG, JPEG or HEIF
        left out: a/4.0x/moon.png: catalogues have no pictures at 4x
        missing: moon: 3x
        missing: star: 3x (dark)

        """)
    let dark = try document(catalog, "star").filter { $0["appearances"] != nil }
    #expect(dark.count == 1 && dark[0]["scale"] as? String == "2x")
  }

  @Test func `sizes that do not fit their scales are said`() throws {
    let catalog = try adopted(["a.png": picture(10), "a@2x.png": picture(25)])
    #expect(
      catalog.report.text("o").contains(
        #"a@2x.png: its size does not fit 2x beside "a.png""#))
  }

  @Test func `equal names in two folders get different names`() throws {
    let catalog = try adopted(["a/star.png": picture(4), "b/star.png": picture(5)])
    #expect(
      pictures(catalog) == ["a/star.imageset/star.png", "b/b_star.imageset/star.png"])
    #expect(catalog.report.text("o").contains(#"this one is called "b_star""#))
    // The folders above them may have equal names, too.
    let more = try adopted([
      "a/res/star.png": picture(4), "b/res/star.png": picture(5), "c/res/star.png": picture(6),
      "star.png": picture(7),
    ])
    #expect(
      pictures(more) == [
        "a/res/star.imageset/star.png", "b/res/res_star.imageset/star.png",
        "c/res/res_star_2.imageset/star.png", "star_2.imageset/star.png",
      ])
  }

  @Test func `a picture for one orientation does not take the place of the plain one`() throws {
    let catalog = try adopted([
      "drawable-land-xhdpi/bg.png": picture(40), "drawable-xhdpi/bg.png": picture(20),
    ])
    #expect(
      catalog.report.text("o").contains(
        "left out: drawable-land-xhdpi/bg.png: another picture of its set has the same traits"))
  }

  // MARK: Nine-patches

  /// Returns a nine-patch of 12 × 10 pixels inside of its border, with marks at these places.
  private func ninePatch(
    across: Range<Int>, down: Range<Int>, red: Range<Int>? = nil, fault: Bool = false
  ) -> [UInt8] {
    var samples: [UInt8] = []
    for y in 0..<12 {
      for x in 0..<14 {
        let isBorder = x == 0 || y == 0 || x == 13 || y == 11
        if !isBorder {
          samples += [UInt8(x * 10), UInt8(y * 10), 77, 255]
        } else if y == 0 && across.contains(x - 1) && x > 0
          || x == 0 && down.contains(y - 1) && y > 0
        {
          samples += [0, 0, 0, 255]
        } else if y == 11, x > 0, let red, red.contains(x - 1) {
          samples += [255, 0, 0, 255]
        } else {
          samples += fault && x == 5 && y == 0 ? [0, 90, 0, 255] : [0, 0, 0, 0]
        }
      }
    }
    return png(width: 14, height: 12, color: .rgba, samples: samples)
  }

  @Test func `the marks of a nine-patch become slices`() throws {
    let nine = try NinePatch(ninePatch(across: 3..<8, down: 4..<6, red: 0..<2))
    #expect((nine.width, nine.height) == (12, 10))
    #expect(nine.resizing.capInsets.left == 3 && nine.resizing.capInsets.right == 4)
    #expect(nine.resizing.capInsets.top == 4 && nine.resizing.capInsets.bottom == 4)
    #expect(nine.resizing.centerWidth == 5 && nine.resizing.centerHeight == 2)
    #expect(nine.insets?.left == 2 && nine.insets?.right == 0)
    var decoder = PictureDecoder()
    let cut = try nine.file.withUnsafeBytes { try decoder.decode($0, options: PictureOptions()) }
    #expect(cut.width == 12 && cut.height == 10)
    // The first pixel is the one inside of the border: blue, green, red, alpha.
    #expect(cut.pixels.prefix(4) == [77, 10, 10, 255])
    #expect(throws: NinePatchError.otherPixels) {
      try NinePatch(ninePatch(across: 7..<9, down: 4..<6, fault: true))
    }
    #expect(throws: NinePatchError.noBorder) { try NinePatch(picture(2)) }
  }

  @Test func `a nine-patch that cannot be read is named with its fault`() throws {
    // The header states the size; no pixel is decoded.
    var large = picture(4)
    large.replaceSubrange(16..<24, with: [0, 0, 0x3e, 0x80, 0, 0, 0x3e, 0x80])
    large.replaceSubrange(29..<33, with: checksum(of: large[12..<29]))
    #expect(throws: NinePatchError.tooLarge(width: 16_000, height: 16_000)) {
      try NinePatch(large)
    }
    var damaged = ninePatch(across: 1..<2, down: 2..<3)
    damaged[45] ^= 0xff
    let catalog = try adopted(["a.9.png": damaged, "b.9.png": large])
    let text = catalog.report.text("o")
    #expect(text.contains("a.9.png: it is damaged: chunk IDAT at byte 33: "), "\(text)")
    #expect(
      text.contains(
        "b.9.png: it has 16000 × 16000 pixels, and nine-patches of more than 16,777,216 are not "
          + "read; it is not sliced"), "\(text)")
  }

  private func checksum(of bytes: ArraySlice<UInt8>) -> [UInt8] {
    var sum = UInt32.max
    for byte in bytes {
      sum ^= UInt32(byte)
      for _ in 0..<8 { sum = sum & 1 == 0 ? sum >> 1 : sum >> 1 ^ 0xedb8_8320 }
    }
    return [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: ~sum >> $0) }
  }

  // MARK: Damage and hostile names

  @Test func `a picture with an error is left out and named`() throws {
    let catalog = try adopted([
      "cut.png": picture(20).dropLast(14), "icon@2x.png": picture(20),
      "page.pdf": Array("%PDF-1.4\n%%EOF\n".utf8), "lfs.svg": [],
    ])
    #expect(pictures(catalog) == ["icon.imageset/icon@2x.png"])
    let text = catalog.report.text("o")
    #expect(text.contains("left out: cut.png: the PNG file ends before the picture does\n"))
    #expect(text.contains("left out: page.pdf: the file cannot be drawn: "), "\(text)")
    #expect(text.contains("left out: lfs.svg: the file is empty\n"))
  }

  /// The second picture of a variant takes the place of the first one.
  @Test func `all damaged pictures of one variant are left out`() throws {
    let cut = picture(20).dropLast(14)
    let catalog = try adopted([
      "a.jpg": Array(cut), "a.png": Array(cut), "1x/a.png": picture(4), "b.png": picture(20),
    ])
    #expect(!pictures(catalog).contains { $0.hasPrefix("a.imageset") })
    let text = catalog.report.text("o")
    #expect(text.contains("left out: a.jpg: ") && text.contains("left out: a.png: "), "\(text)")
  }

  @Test func `a folder with the name of a set becomes a group`() throws {
    let catalog = try adopted([
      "Old.imageset/a.png": picture(4), "x.icon.imageset/b.png": picture(5),
    ])
    #expect(
      pictures(catalog) == ["_Old_imageset/a.imageset/a.png", "_x.icon_imageset/b.imageset/b.png"])
  }

  @Test func `an empty language is not a language`() throws {
    let catalog = try adopted(["drawable-b+/a.png": picture(4), "a.png": picture(4)])
    #expect(pictures(catalog) == ["a.imageset/a.png"])
    #expect(
      catalog.report.text("o").contains(
        "left out: drawable-b+/a.png: another picture of its set has the same traits"))
    #expect(PictureName("x/.lproj/a.png").locale == nil)
  }

  @Test func `a nine-patch in a folder is cut and sliced`() throws {
    let catalog = try adopted([
      "drawable-xhdpi/button.9.png": ninePatch(across: 1..<2, down: 2..<3),
      "drawable-xhdpi/plain.9.png": ninePatch(across: 1..<2, down: 2..<3, fault: true),
    ])
    let entry = try #require(try document(catalog, "button").first)
    let resizing = try #require(entry["resizing"] as? [String: Any])
    #expect(resizing["mode"] as? String == "9-part")
    #expect(
      catalog.report.text("o").contains(
        "drawable-xhdpi/plain.9.png: its border has other pixels than marks; it is not sliced"))
  }
}
