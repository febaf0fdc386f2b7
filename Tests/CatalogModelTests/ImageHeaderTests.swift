// Tests the headers of pictures: their values, and that no damaged file stops the reader.

import CatalogModel
import Support
import Testing
@testable import Host

@Suite struct ImageHeaderTests {
  @Test(arguments: PNGColor.allCases) func aPNGTellsItsColours(color: PNGColor) throws {
    let bytes = png(
      width: 3, height: 2, color: color, samples: [UInt8](repeating: 0, count: 6 * color.channels))
    let header = try ImageHeader.read(bytes)
    #expect([header.width, header.height, header.bitDepth] == [3, 2, 8])
    #expect(header.hasAlpha == (color == .grayAlpha || color == .rgba))
    #expect(!header.isAppleOptimized && !header.isInterlaced)
  }

  @Test func aPNGTellsItsChunks() throws {
    let extra = [
      pngChunk("gAMA", [0, 0, 0xB1, 0x8F]), pngChunk("cICP", [12, 13, 0, 1]),
      pngChunk("acTL", [0, 0, 0, 5, 0, 0, 0, 0]), pngChunk("tRNS", [0, 1]),
    ]
    let bytes = png(width: 1, height: 1, color: .gray, depth: 16, samples: [0, 0], extra: extra)
    let header = try ImageHeader.read(bytes)
    #expect(header.bitDepth == 16)
    #expect(header.gamma == 45455)
    #expect(header.profile == .displayP3)
    #expect(header.frameCount == 5)
    #expect(header.hasAlpha)
    #expect(try ImageHeader.read(optimizedPNG).isAppleOptimized)
    #expect(try ImageHeader.read(wideGamutPNG).profile == .displayP3)
  }

  /// The strongest of the chunks that name a profile counts, in any order of the chunks.
  @Test func theStrongestChunkNamesTheProfile() throws {
    let wide = pngChunk("cICP", [12, 13, 0, 1])
    let standard = pngChunk("sRGB", [0])
    let profile = pngChunk("iCCP", Array("sRGB IEC61966-2.1".utf8) + [0, 0] + storedZlib([1]))
    let point = [UInt8](repeating: 0, count: 8)
    let widePrimaries = pngChunk(
      "cHRM", point + [0, 1, 0x09, 0xA0] + [UInt8](repeating: 0, count: 20))
    let rows: [([[UInt8]], ImageProfile)] = [
      ([wide, profile], .displayP3), ([profile, wide], .displayP3), ([wide, standard], .displayP3),
      ([widePrimaries], .displayP3), ([widePrimaries, standard], .sRGB),
      ([standard, widePrimaries], .sRGB), ([widePrimaries, profile], .sRGB),
    ]
    for (number, (extra, profile)) in rows.enumerated() {
      let file = png(width: 1, height: 1, color: .gray, samples: [0], extra: extra)
      #expect(try ImageHeader.read(file).profile == profile, "row \(number)")
    }
  }

  /// Programs give profiles names such as "ICC Profile". The description in the profile counts
  /// then.
  @Test func aProfileIsKnownByItsDescription() throws {
    func profile(_ name: String, _ contents: String) throws -> ImageProfile {
      let chunk = pngChunk("iCCP", Array(name.utf8) + [0, 0] + storedZlib(Array(contents.utf8)))
      return try ImageHeader.read(
        png(width: 1, height: 1, color: .gray, samples: [0], extra: [chunk])
      ).profile
    }
    #expect(try profile("ICC Profile", "desc Display P3") == .displayP3)
    #expect(try profile("icc", "desc sRGB IEC61966-2.1") == .sRGB)
    #expect(try profile("icc", "desc Adobe RGB (1998)") == .other("icc"))
  }

  /// The EXIF data of a PNG does not turn it, as the compiler does not.
  /// Systems decode baseline, extended and progressive JPEGs of eight bits.
  @Test(
    arguments: [
      (0xC3, 8, "without loss"), (0xC5, 8, "in a hierarchical or arithmetic form"),
      (0xC9, 8, "in a hierarchical or arithmetic form"), (0xC1, 12, "with 12 bits"),
    ] as [(UInt8, UInt8, String)])
  func otherFormsOfJPEGsAreNamed(marker: UInt8, bits: UInt8, form: String) throws {
    var file = jpeg(width: 9, height: 9)
    let frame = try #require(file.firstRange(of: [0xFF, 0xC0]))
    file[frame.lowerBound + 1] = marker
    file[frame.lowerBound + 4] = bits
    let error = ImageHeaderError.unsupported(.jpeg, "its pixels are stored \(form)")
    #expect(throws: error) { try ImageHeader.read(file) }
    let finding = unreadPicture(error, file: "a.jpg")
    #expect(finding.code == .unsupportedImage && finding.severity == .error)
    for marker in [0xC1, 0xC2] as [UInt8] {
      file[frame.lowerBound + 1] = marker
      file[frame.lowerBound + 4] = 8
      #expect(throws: Never.self) { try ImageHeader.read(file) }
    }
  }

  @Test func aPNGIsNotTurned() throws {
    let turned: [UInt8] =
      [0x4D, 0x4D, 0, 42, 0, 0, 0, 8, 0, 1] + [1, 18, 0, 3, 0, 0, 0, 1, 0, 6, 0, 0]
    let file = png(
      width: 2, height: 1, color: .gray, samples: [0, 0], extra: [pngChunk("eXIf", turned)])
    #expect(try ImageHeader.read(file).uprightSize == (2, 1))
  }

  @Test func aJPEGTellsSizeAndOrientation() throws {
    let header = try ImageHeader.read(jpeg(width: 640, height: 480, orientation: 6, components: 1))
    #expect([header.width, header.height, header.orientation] == [640, 480, 6])
    #expect(header.uprightSize == (480, 640))
    #expect(header.colorModel == .gray)
  }

  @Test(arguments: [("heic", ImageKind.heic), ("avif", .avif)])
  func heifTellsItsProperties(brand: String, kind: ImageKind) throws {
    let header = try ImageHeader.read(heif(brand, width: 40, height: 30))
    #expect(header.kind == kind)
    #expect([header.width, header.height, header.bitDepth] == [40, 30, 10])
    #expect(header.profile == .displayP3)
  }

  @Test func smallFormatsTellTheirSize() throws {
    let psd: [UInt8] =
      Array("8BPS".utf8) + [0, 1, 0, 0, 0, 0, 0, 0, 0, 4, 0, 0, 0, 7, 0, 0, 0, 9, 0, 16, 0, 3]
    let tiff: [UInt8] =
      [0x49, 0x49, 42, 0, 8, 0, 0, 0, 2, 0] + [0, 1, 3, 0, 1, 0, 0, 0, 9, 0, 0, 0]
      + [1, 1, 3, 0, 1, 0, 0, 0, 7, 0, 0, 0]
    let webp: [UInt8] =
      Array("RIFF".utf8) + [22, 0, 0, 0] + Array("WEBPVP8X".utf8)
      + [10, 0, 0, 0, 0x12, 0, 0, 0, 8, 0, 0, 6, 0, 0]
    for (bytes, kind) in [(psd, ImageKind.psd), (tiff, .tiff), (webp, .webp)] {
      let header = try ImageHeader.read(bytes)
      #expect(header.kind == kind)
      #expect([header.width, header.height] == [9, 7], "\(kind)")
    }
    #expect(try ImageHeader.read(psd).bitDepth == 16)
    #expect(try ImageHeader.read(webp).frameCount > 1)
    #expect(try ImageHeader.read(smallGIF).width == 3)
  }

  @Test(arguments: [
    (#"<svg width="24" height='16px'/>"#, 24, 16),
    ("<?xml version=\"1.0\"?>\n<!-- c -->\n<svg viewBox=\"0 0 10.5 20\"></svg>", 11, 20),
    (#"<svg width="100%" height="100%" viewBox="0,0,3,4"/>"#, 3, 4), ("<svg/>", 0, 0),
    ("%PDF-1.4\n<< /MediaBox [0 0 24.5 32] >>", 25, 32), ("%PDF-1.4\n", 0, 0),
  ])
  func vectorsTellTheirSize(text: String, width: Int, height: Int) throws {
    let header = try ImageHeader.read(Array(text.utf8))
    #expect(header.kind.isVector)
    #expect([header.width, header.height] == [width, height])
  }

  @Test func anSVGMayBeginLate() throws {
    let comment = "<!-- \(String(repeating: "Licence <a@b.c>, ", count: 300)) -->"
    let document = "<!DOCTYPE svg [<!ENTITY a 'b'>]>"
    for text in [comment, "\u{FEFF}<?xml version='1.0'?>\n\(document) \(comment)"] {
      #expect(try ImageHeader.read(Array("\(text)<svg width='9'/>".utf8)).kind == .svg)
    }
    let others = ["<html>\(comment)<svg/>", "text \(comment)<svg/>", "<!-- short -->"]
    for text in others {
      #expect(throws: ImageHeaderError.unknownKind) { try ImageHeader.read(Array(text.utf8)) }
    }
  }

  @Test func filesThatAreNoPicturesAreRefused() {
    #expect(throws: ImageHeaderError.empty) { try ImageHeader.read([]) }
    #expect(throws: ImageHeaderError.unknownKind) { try ImageHeader.read(Array("hello".utf8)) }
    let pointer = "version https://git-lfs.github.com/spec/v1\n"
    #expect(throws: ImageHeaderError.pointer) { try ImageHeader.read(Array(pointer.utf8)) }
    var wrong = png(width: 2, height: 2)
    wrong[29] ^= 1
    #expect(throws: ImageHeaderError.broken(.png, "the checksum of its header is wrong")) {
      try ImageHeader.read(wrong)
    }
  }

  /// Reads every prefix of a file of each kind, and a thousand damaged copies.
  @Test(arguments: [
    png(width: 3, height: 3), optimizedPNG, wideGamutPNG, jpeg(width: 9, height: 9, orientation: 3),
    heif("heic", width: 9, height: 9), smallGIF,
  ])
  func damagedFilesAreReadOrRefused(bytes: [UInt8]) throws {
    var random = SeededGenerator.forTest(0x1234)
    let whole = try ImageHeader.read(bytes)
    for count in 0..<bytes.count {
      let header = try? ImageHeader.read(Array(bytes.prefix(count)))
      #expect(header == nil || header?.kind == whole.kind, "\(count) bytes")
      #expect(header == nil || count > 8, "\(count) bytes")
    }
    var refused = 0
    for _ in 0..<1000 {
      var damaged = bytes
      for _ in 0..<random.pick(1...4) {
        damaged[random.pick(0...bytes.count - 1)] = UInt8(random.pick(0...255))
      }
      if (try? ImageHeader.read(damaged)) == nil { refused += 1 }
    }
    #expect((1..<1000).contains(refused))
  }

  /// A PNG with many chunks is complete even if other data follows it, and not if it is cut.
  @Test func aPNGWithManyChunksCanBeComplete() throws {
    let start = png(width: 3, height: 3).dropLast(12)
    let chunk = pngChunk("IDAT", [UInt8](repeating: 0, count: 5000))
    let chunks = [UInt8]([[UInt8]](repeating: chunk, count: 500).joined())
    let file = start + chunks + pngChunk("IEND", [])
    for (bytes, isComplete) in [(file, true), (file + [0], true), (start + chunks, false)] {
      let tree = FileTree.memory(["a.png": .bytes(Array(bytes))])
      let header = try ImageHeader.read("a.png", in: tree)
      #expect(header.isComplete("a.png", in: tree) == isComplete)
    }
  }

  @Test func aCutFileIsNotComplete() throws {
    let whole = png(width: 30, height: 30)
    let photo = jpeg(width: 9, height: 9)
    let heic = heif("heic", width: 9, height: 9)
    let cases: [(ArraySlice<UInt8>, Bool)] = [
      (whole[...], true), (whole.dropLast(1), false), (whole + [1, 2, 3], true),
      (whole.dropLast(40), false),
      (photo[...], true), (photo.dropLast(2), false), (photo + [1, 2, 3], true),
      // The end follows the start of the scan at once, or there is no scan.
      (photo.dropLast(5) + [0xFF, 0xD9], false), (photo.dropLast(15) + [0xFF, 0xD9], false),
      // No JPEG of this size has so few bytes.
      (jpeg(width: 65_500, height: 65_500)[...], false),
      (heic[...], true), (heic.dropLast(1), false),
    ]
    for (bytes, isComplete) in cases {
      let file = Array(bytes)
      let tree = FileTree.memory(["a.png": .bytes(file)])
      let header = try ImageHeader.read("a.png", in: tree)
      #expect(header.isComplete("a.png", in: tree) == isComplete, "\(header.kind) \(file.count)")
      #expect(header.isComplete(file) == isComplete, "\(header.kind) \(file.count)")
    }
  }
}
