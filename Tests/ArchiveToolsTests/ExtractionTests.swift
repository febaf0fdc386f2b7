// Extracted files are equal to the files that were compiled: pixels, colours, bytes and names.

import Archive
import Bytes
import Codecs
import Foundation
import Imaging
import Support
import Testing

@testable import ArchiveTools
@testable import CatalogCompiler

@Suite("Extraction") struct ExtractionTests {
  private struct Never: Error {}

  private func extracted(
    _ archive: [UInt8]
  ) throws -> (files: [String: [UInt8]], skipped: [SkippedRendition]) {
    let files = Guarded<[String: [UInt8]]>([:])
    let skipped = try archive.withUnsafeBytes { bytes in
      try extractArchive(bytes, drawingScale: nil, jobs: 1) { (file) throws(Never) in
        files.withLock { $0[file.path.text] = file.bytes }
      }
    }
    return (files.withLock { $0 }, skipped)
  }

  private func pixels(_ png: [UInt8]) throws -> [UInt8] {
    var decoder = PictureDecoder()
    var options = PictureOptions()
    options.allowsGray = false
    let bitmap = try png.withUnsafeBytes { try decoder.decode($0, options: options) }
    #expect(bitmap.layout == .bgra8)
    var rows: [UInt8] = []
    for y in 0..<bitmap.height {
      rows += bitmap.pixels[y * bitmap.bytesPerRow..<y * bitmap.bytesPerRow + bitmap.width * 4]
    }
    return rows
  }

  /// The frame that a link states is compared with its atlas before it is paid for.
  @Test("a frame outside of its atlas costs no other picture")
  func aFalseFrameCostsNoOtherPicture() throws {
    var sources = SampleSources()
    for number in 0..<8 { sources.image("Star\(number)", points: 20, red: UInt8(30 * number)) }
    var archive = try sources.compiled().bytes
    let all = try extracted(archive).files.count
    // The body of a link begins with its name; its frame has x, y, width and height.
    let link = try #require(archive.firstRange(of: Array("KLNI".utf8)))
    for offset in link.lowerBound + 16..<link.lowerBound + 24 {
      archive[offset] = offset % 4 < 2 ? 0xFF : 0
    }
    let (files, skipped) = try extracted(archive)
    #expect(files.count == all - 1)
    #expect(skipped.map { "\($0.reason)" }.allSatisfy { $0.contains("its frame extends") })
    #expect(skipped.count == 1)
  }

  @Test("pictures come out pixel by pixel, from atlases and from blocks of their own")
  func extractsPictures() throws {
    var sources = SampleSources()
    let sides = ["Tiny": 5, "Small": 21, "Large": 200]
    var originals: [String: [UInt8]] = [:]
    for (name, side) in sides {
      for (kind, pixel) in [
        ("Colour", { x, y in [UInt8(x & 255), UInt8(y & 255), 77, 255] }),
        ("Gray", { x, y in [UInt8(x & 255), UInt8(x & 255), UInt8(x & 255), 255] }),
        ("Clear", { x, y in [255, 0, 0, UInt8(x & 1) * 255] }),
      ] as [(String, (Int, Int) -> [UInt8])] {
        let samples = (0..<side * side).flatMap { pixel($0 % side, $0 / side) }
        let file = png(width: side, height: side, color: .rgba, samples: samples)
        sources.files["A.xcassets/\(name)\(kind).imageset/\(name)\(kind).png"] = .bytes(file)
        sources.add(
          "\(name)\(kind).imageset/Contents.json",
          #"{"images":[{"filename":"\#(name)\#(kind).png"}]}"#)
        originals["\(name)\(kind)/\(name)\(kind).png"] = file
      }
    }
    for minimum in [8, 9, 15] as [UInt16] {
      let archive = try sources.compiled {
        $0.target.minimum = .init(minimum)
        $0.keepsExactPixels = true
      }.bytes
      let (files, skipped) = try extracted(archive)
      #expect(skipped.isEmpty && Set(files.keys) == Set(originals.keys))
      for (path, file) in originals {
        #expect(try pixels(files[path] ?? []) == pixels(file), "\(path) for iOS \(minimum)")
      }
    }
  }

  @Test("grey of 16 bits is halves where its codec knows nothing else, and integers elsewhere")
  func readsGrayAsStored() throws {
    var header = CSIHeader(layout: .onePartScale, name: "gray")
    header.pixelFormat = .grayAlpha16
    header.width = 2
    header.height = 1
    let head = RenditionHead(header, [.bytesPerRow(8)])
    for compression in Compression.allCases {
      let isHalf = [Compression.deepMap, .deepMap2].contains(compression)
      let block = head.block(payload: [])
      let layout = try block.withUnsafeBytes { bytes in
        try BitmapLayout(stored: Rendition(FileBytes(bytes)), compression)
      }
      #expect(layout == (isHalf ? .ga16Half : .ga16), "\(compression)")
    }
    // The half floats 0.5 and 1; then the same as integers.
    for (layout, words, gray) in [
      (BitmapLayout.ga16Half, [0x3800, 0x3C00] as [UInt16], 128), (.ga16, [0x8080, 0xFFFF], 128),
    ] {
      var pixels = words.flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] }
      pixels += repeatElement(0, count: 32 - pixels.count)
      let bitmap = Bitmap(
        width: 1, height: 1, layout: layout, isOpaque: false, isGray: true, pixels: pixels)
      let back = try self.pixels(bitmap.pngFile())
      #expect(abs(Int(back[0]) - gray) <= 1 && back[3] == 255, "\(layout) \(back)")
    }
  }

  @Test("pixels of five bits come out in the order of the old format")
  func extractsFiveBits() throws {
    var header = CSIHeader(layout: .onePartScale, name: "five.png")
    header.pixelFormat = .rgb5
    (header.width, header.height, header.scaleFactor) = (2, 1, 100)
    // An unused bit, then red, green and blue: a full red, and a blue of half intensity.
    var payload = Array("MLEC".utf8)
    for number in [0, 0, 4] as [UInt32] {
      for shift in stride(from: UInt32(0), to: 32, by: 8) {
        payload.append(UInt8(number >> shift & 255))
      }
    }
    payload += [0x00, 0x7C, 0x10, 0x00]
    var writer = ArchiveWriter(into: MemorySink())
    let block = writer.append(RenditionHead(header, [.bytesPerRow(4)]), payload: payload)
    var contents = ArchiveContents(
      header: CatalogHeader(coreUIVersion: 972, mainVersion: "", toolVersion: "A test"),
      metadata: nil)
    contents.facets = [Facet(name: "Five", part: Part.regular, identifier: 7)]
    contents.renditions = [
      (
        RenditionKey([
          .element: Element.universal, .part: Part.regular, .identifier: 7, .scale: 1,
        ]), block
      )
    ]
    let (files, skipped) = try extracted(try writer.finish(contents).bytes)
    #expect(skipped.isEmpty)
    let pixels = try pixels(files["Five/five.png"] ?? [])
    #expect(pixels == [0, 0, 255, 255, 131, 0, 0, 255])
  }

  @Test("colours come out with their space and components in order")
  func extractsColors() throws {
    var sources = SampleSources()
    sources.add(
      "Tint.colorset/Contents.json",
      """
      {"colors":[{"color":{"color-space":"display-p3","components":
      {"red":"0.125","green":"0.25","blue":"0.375","alpha":"0.5"}}},
      {"appearances":[{"appearance":"luminosity","value":"dark"}],
      "color":{"platform":"ios","reference":"systemRedColor"}}]}
      """)
    let (files, _) = try extracted(sources.compiled().bytes)
    let objects = try files.mapValues {
      try #require(try JSONSerialization.jsonObject(with: Data($0)) as? [String: Any])
    }
    #expect(objects.count == 2)
    let plain = try #require(objects.values.first { $0["appearance"] == nil })
    #expect(plain["color-space"] as? String == "display-p3" && plain["name"] as? String == "Tint")
    #expect(
      plain["components"] as? [String: Double]
        == ["red": 0.125, "green": 0.25, "blue": 0.375, "alpha": 0.5])
    let dark = try #require(objects.values.first { $0["appearance"] != nil })
    #expect(dark["appearance"] as? String == "UIAppearanceDark")
    #expect(dark["reference"] as? String == "systemRedColor")
  }

  @Test("files come out as they were, and tables of sizes are said to be none")
  func extractsFiles() throws {
    let photo = jpeg(width: 30, height: 20)
    let vectors = [
      "a.pdf": smallPDF,
      "b.svg": #"<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>"#,
    ]
    var sources = SampleSources()
    for (name, text) in vectors {
      sources.add("\(name).imageset/\(name)", text)
      sources.add(
        "\(name).imageset/Contents.json", #"{"images":[{"filename":"\#(name)"}]}"#)
    }
    sources.files["A.xcassets/Photo.imageset/p.jpeg"] = .bytes(photo)
    sources.add("Photo.imageset/Contents.json", #"{"images":[{"filename":"p.jpeg"}]}"#)
    sources.add("Facts.dataset/f.json", "[1]")
    sources.add("Facts.dataset/Contents.json", #"{"data":[{"filename":"f.json"}]}"#)
    sources.files["A.xcassets/Icon.appiconset/i.png"] = .bytes(png(width: 40, height: 40))
    sources.add(
      "Icon.appiconset/Contents.json",
      #"{"images":[{"idiom":"iphone","size":"20x20","scale":"2x","filename":"i.png"}]}"#)
    let (files, skipped) = try extracted(
      sources.compiled { $0.rasterizesVectors = false }.bytes)
    #expect(files["a.pdf/a.pdf"] == Array((vectors["a.pdf"] ?? "").utf8))
    #expect(files["b.svg/b.svg"] == Array((vectors["b.svg"] ?? "").utf8))
    #expect(files["Photo/p.jpg"] == photo)
    #expect(files["Facts/f.json"] == Array("[1]".utf8))
    #expect(files["Icon/i.png"] != nil && files.count == 5)
    #expect(
      skipped.map { "\($0.name): \($0.reason)" } == ["Icon: a table of an icon's sizes"]
        && skipped.allSatisfy { !$0.isDamage })
  }

  @Test("names of variants differ, also where only the case does, and none leads out")
  func namesFiles() {
    var names = ExtractedNames()
    func path(_ asset: String, _ file: String, _ words: [String] = []) -> String {
      names.path(
        asset: ByteString(asset), file: ByteString(file), pathExtension: "png", words: words
      ).text
    }
    #expect(path("Star", "a.png") == "Star/a.png")
    #expect(path("star", "A.PNG", ["scale2"]) == "star/A~scale2.png")
    #expect(path("Star", "a.png") == "Star/a-2.png")
    #expect(path("Star", "a.png") == "Star/a-3.png")
    #expect(path("../x", "../../y.gif") == "_./x/_._.._y.png")
    #expect(path("", ".hidden") == "_hidden.png")
    #expect(path("Folder/Deep", "a\n:b") == "Folder/Deep/a__b.png")
  }

  @Test("several threads make the same files and leave the same out") func isTheSameOnManyThreads()
    throws
  {
    var generator = SeededGenerator.forTest(0xE87)
    var sources = SampleSources()
    for number in 0..<60 {
      sources.image("Star \(number)", points: generator.pick(1...30))
    }
    let archive = try sources.compiled().bytes
    let (files, skipped) = try extracted(archive)
    #expect(files.count == 180)
    for jobs in [3, 8] {
      let found = Guarded<[String: [UInt8]]>([:])
      let left = try archive.withUnsafeBytes { bytes in
        try extractArchive(bytes, drawingScale: nil, jobs: jobs) { (file) throws(Never) in
          found.withLock { $0[file.path.text] = file.bytes }
        }
      }
      #expect(found.withLock { $0 } == files && left == skipped, "\(generator)")
    }
  }

  @Test("an error of one thread ends the others' work") func stopsAtAnError() throws {
    var sources = SampleSources()
    for number in 0..<40 { sources.image("Star \(number)", points: 40) }
    let archive = try sources.compiled { $0.packsSprites = false }.bytes
    let made = Guarded(0)
    _ = archive.withUnsafeBytes { bytes in
      #expect(throws: ExtractError<Never>.self) {
        try extractArchive(bytes, drawingScale: nil, jobs: 2) { (_) throws(Never) in
          made.withLock { $0 += 1 }
          throw Never()
        }
      }
    }
    #expect(made.withLock { $0 } <= 4)
  }
}
