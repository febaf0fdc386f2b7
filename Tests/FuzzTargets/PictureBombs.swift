// Pictures that demand more than their bytes contain. Among them are the well-known ones: chunks of
// text that decode to gigabytes, pictures of 30,000 × 30,000 pixels in some kilobytes.

import CDeflate

extension Bomb {
  static let pictures: [Bomb] = [
    // 9 × 10⁸ pixels of one bit, as in the "deflate bombs" of the web.
    picture("png-1-bit-30000") { flatPNG(width: 30_000, height: 30_000, depth: 1, color: 0) },
    picture("png-rgba-8000", megabytes: 1_024) {
      flatPNG(width: 8_000, height: 8_000, depth: 8, color: 6)
    },
    picture("png-16-bit-5000") { flatPNG(width: 5_000, height: 5_000, depth: 16, color: 6) },
    picture("png-one-column") { flatPNG(width: 1, height: 1_000_000, depth: 8, color: 6) },
    picture("png-one-row") { flatPNG(width: 20_000_000, height: 1, depth: 1, color: 3) },
    // Headers that state more pixels than their bytes can contain.
    picture("png-unjustified") { header(width: 16_384, height: 16_384) + pixels([0, 0, 0]) + end },
    picture("png-largest-sides") {
      header(width: 0x7fff_ffff, height: 0x7fff_ffff) + pixels([]) + end
    },
    picture("png-interlaced") {
      header(width: 16_000, height: 16_000, interlaced: true)
        + pixels([UInt8](repeating: 0, count: 1 << 16))
        + end
    },
    // More pixels than the header states.
    picture("png-pixels-beyond") {
      header(width: 1, height: 1) + pixels([UInt8](repeating: 0, count: 64 << 20)) + end
    },
    picture("png-ztxt") {
      header(width: 1, height: 1) + chunk("zTXt", Array("Comment\0\0".utf8) + unfolding(64 << 20))
        + pixels([0, 0, 0, 0, 0]) + end
    },
    picture("png-itxt") {
      header(width: 1, height: 1)
        + chunk("iTXt", Array("Comment\0\u{1}\0\0\0".utf8) + unfolding(64 << 20))
        + pixels([0, 0, 0, 0, 0]) + end
    },
    picture("png-many-ztxt") {
      let text = chunk("zTXt", Array("Comment\0\0".utf8) + unfolding(4 << 20))
      return header(width: 1, height: 1) + (0..<500).flatMap { _ in text }
        + pixels([0, 0, 0, 0, 0])
        + end
    },
    picture("png-iccp") {
      header(width: 1, height: 1) + chunk("iCCP", Array("profile\0\0".utf8) + unfolding(64 << 20))
        + pixels([0, 0, 0, 0, 0]) + end
    },
    // A profile that libpng has to read completely.
    picture("png-iccp-16-bit") {
      header(width: 1, height: 1, depth: 16)
        + chunk("iCCP", Array("profile\0\0".utf8) + unfolding(64 << 20))
        + pixels([UInt8](repeating: 0, count: 9)) + end
    },
    picture("png-million-chunks") {
      header(width: 1, height: 1) + (0..<80_000).flatMap { _ in chunk("teST", []) }
        + pixels([0, 0, 0, 0, 0]) + end
    },
    picture("png-million-pixel-chunks") {
      let whole = unfolding(5)
      return header(width: 1, height: 1) + (0..<80_000).flatMap { _ in chunk("IDAT", []) }
        + chunk("IDAT", whole) + end
    },
    picture("png-palette-8000", megabytes: 1_024) {
      flatPNG(width: 8_000, height: 8_000, depth: 1, color: 3)
    },
    two("png-two-at-once", flatPNG(width: 6_000, height: 6_000, depth: 8, color: 6)),
    Bomb("jpeg-header-65535", "header", compiling) { imageSet("a.jpg", hugeJPEG) },
    Bomb("jpeg-million-segments", "jpeg", ["lint", "A.xcassets"]) {
      imageSet("a.jpg", [0xff, 0xd8] + repeatedBytes([0xff, 0xe1, 0, 2], 100_000))
    },
    Bomb("jpeg-endless-scans", "jpeg", ["lint", "A.xcassets"]) { imageSet("a.jpg", scans) },
    Bomb("heif-nested-boxes", "header", ["lint", "A.xcassets"]) { imageSet("a.heic", nestedBoxes) },
    Bomb("tiff-directory-loop", "header", ["lint", "A.xcassets"]) {
      imageSet("a.tiff", [0x49, 0x49, 42, 0, 8, 0, 0, 0, 0, 0, 8, 0, 0, 0])
    },
    Bomb("tiff-many-entries", "header", ["lint", "A.xcassets"]) {
      imageSet(
        "a.tiff",
        [0x49, 0x49, 42, 0, 8, 0, 0, 0, 0xff, 0xff] + [UInt8](repeating: 1, count: 65_535 * 12))
    },
  ]

  private static func two(_ name: String, _ make: @autoclosure @escaping @Sendable () -> [UInt8])
    -> Bomb
  {
    Bomb(name, nil, compiling + ["--jobs", "2", "--memory", "64"]) {
      let files = imageSet("a.png", make())
      return files
        + files.filter { $0.path.contains("P.imageset") }.map {
          ($0.path.replacing("P.imageset", with: "Q.imageset"), $0.bytes)
        }
    }
  }

  private static func repeatedBytes(_ piece: [UInt8], _ count: Int) -> [UInt8] {
    (0..<count).flatMap { _ in piece }
  }

  /// A baseline JPEG whose frame has the largest sides.
  private static var hugeJPEG: [UInt8] {
    var file: [UInt8] = [0xff, 0xd8, 0xff, 0xc0, 0, 11, 8, 0xff, 0xff, 0xff, 0xff, 1, 1, 0x11, 0]
    file += [0xff, 0xda, 0, 8, 1, 1, 0, 0, 63, 0]
    return file + [UInt8](repeating: 0, count: 1000) + [0xff, 0xd9]
  }

  /// A progressive JPEG of 16,000 × 16,000 pixels with thousands of empty scans.
  private static var scans: [UInt8] {
    var file: [UInt8] = [0xff, 0xd8, 0xff, 0xc2, 0, 11, 8, 0x3e, 0x80, 0x3e, 0x80, 1, 1, 0x11, 0]
    let scan: [UInt8] = [0xff, 0xda, 0, 8, 1, 1, 0, 1, 63, 0, 0]
    for _ in 0..<5_000 { file += scan }
    return file + [0xff, 0xd9]
  }

  private static var nestedBoxes: [UInt8] {
    var file = chunkless("ftyp", Array("heic".utf8) + [0, 0, 0, 0] + Array("heic".utf8))
    // Each box contains the next one. All of them end at the end of the file.
    for depth in 0..<20_000 { file += bigEndian((20_000 - depth) * 8) + Array("meta".utf8) }
    return file
  }

  private static func chunkless(_ kind: String, _ body: [UInt8]) -> [UInt8] {
    bigEndian(body.count + 8) + Array(kind.utf8) + body
  }

  static let end = chunk("IEND", [])

  static func header(
    width: Int, height: Int, depth: UInt8 = 8, color: UInt8 = 6, interlaced: Bool = false
  ) -> [UInt8] {
    [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]
      + chunk(
        "IHDR", bigEndian(width) + bigEndian(height) + [depth, color, 0, 0, interlaced ? 1 : 0])
  }

  static func pixels(_ rows: [UInt8]) -> [UInt8] { chunk("IDAT", deflated(rows)) }

  /// Returns a zlib stream of this number of zeros.
  static func unfolding(_ count: Int) -> [UInt8] { deflated([UInt8](repeating: 0, count: count)) }

  static func chunk(_ name: String, _ body: [UInt8]) -> [UInt8] {
    var bytes: [UInt8] = []
    append(name, body, to: &bytes)
    return bytes
  }

  /// Returns a picture of one colour.
  private static func flatPNG(width: Int, height: Int, depth: UInt8, color: UInt8) -> [UInt8] {
    let channels = [0: 1, 2: 3, 3: 1, 4: 2][Int(color)] ?? 4
    let row = (width * channels * Int(depth) + 7) / 8 + 1
    let palette = color == 3 ? chunk("PLTE", [1, 2, 3, 4, 5, 6]) : []
    return header(width: width, height: height, depth: depth, color: color) + palette
      + pixels([UInt8](repeating: 0, count: row * height)) + end
  }
}
