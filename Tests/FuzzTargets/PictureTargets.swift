// Fuzz targets for the decoders of pictures. Wrong checksums would stop nearly every input, so they
// are corrected first.

import Bytes
import CDeflate
import CatalogCompiler
import Codecs
import Imaging
@testable import ArchiveTools

extension FuzzTarget {
  /// Decodes a picture file, unchanged and with corrected checksums of its chunks.
  static let picture = FuzzTarget("picture") { bytes in
    decode(bytes)
    var repaired = Array(bytes)
    repairChecksums(&repaired)
    repaired.withUnsafeBytes { decode($0) }
  }

  /// Decodes filtered rows in a sound file around them. The first bytes choose the kind and the
  /// width of the rows.
  static let pictureRows = FuzzTarget("picture-rows") { bytes in
    guard bytes.count > 8 else { return }
    let kinds: [(color: UInt8, depth: UInt8, bits: Int)] = [
      (0, 1, 1), (0, 2, 2), (0, 4, 4), (0, 8, 8), (2, 8, 24), (3, 1, 1), (3, 4, 4), (3, 8, 8),
      (4, 8, 16), (6, 8, 32), (0, 16, 16), (6, 16, 64),
    ]
    let kind = kinds[Int(bytes[0]) % kinds.count]
    let width = 1 + Int(bytes[1]) % 80
    let rowBytes = (width * kind.bits + 7) / 8 + 1
    let rows = bytes[8...].prefix((bytes.count - 8) / rowBytes * rowBytes)
    guard !rows.isEmpty else { return }
    var file: [UInt8] = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]
    if bytes[2] & 7 == 0 { append("CgBI", [0, 0, 0, 2], to: &file) }
    let size = bigEndian(width) + bigEndian(rows.count / rowBytes)
    append("IHDR", size + [kind.depth, kind.color, 0, 0, bytes[2] & 8 == 0 ? 0 : 1], to: &file)
    if bytes[2] & 16 != 0 { append("cICP", [12, 13, 0, 1], to: &file) }
    append("PLTE", Array(bytes[2..<8]), to: &file)
    if bytes[2] & 32 != 0 {
      append("tRNS", Array(bytes[2..<2 + (kind.color == 2 ? 6 : 2)]), to: &file)
    }
    append("IDAT", deflated(Array(rows)), to: &file)
    append("IEND", [], to: &file)
    file.withUnsafeBytes { decode($0) }
  }

  /// Extracts the files of an archive.
  static let extraction = FuzzTarget("extraction") { bytes in
    _ = try? extractArchive(bytes, drawingScale: nil, jobs: 1) { (_) throws(Never) in }
  }

  private static func decode(_ bytes: UnsafeRawBufferPointer) {
    var decoder = PictureDecoder()
    var slowDecoder = PictureDecoder()
    slowDecoder.usesFastPath = false
    for gamut in [PictureOptions.DecodedGamut.sRGB, .displayP3] {
      let options = PictureOptions(maximumPixels: 1 << 16, gamut: gamut)
      guard let bitmap = try? decoder.decode(bytes, options: options) else { continue }
      // A file that only one of the two paths can decode is allowed. If both decode it, the
      // pictures must be equal.
      if let twin = try? slowDecoder.decode(bytes, options: options) {
        precondition(bitmap == twin, "the two paths disagree")
        slowDecoder.recycle(twin)
      }
      _ = bitmap.pngFile()
      decoder.recycle(bitmap)
    }
    decodeEmbedded(bytes, &decoder)
  }

  /// Decodes a picture as vectors do, without a library. If the libraries decode it too, and no
  /// colours are converted, the pictures must be equal.
  private static func decodeEmbedded(
    _ bytes: UnsafeRawBufferPointer, _ decoder: inout PictureDecoder
  ) {
    let budget = Budget(input: bytes.count)
    guard let embedded = try? PNGDecoder.decode(Array(bytes), budget: budget),
      embedded.profile.isEmpty, embedded.codePoints.isEmpty
    else { return }
    let options = PictureOptions(maximumPixels: 1 << 16, allowsGray: false)
    guard let bitmap = try? decoder.decode(bytes, options: options) else { return }
    precondition(bitmap.width == embedded.width && bitmap.height == embedded.height)
    for y in 0..<bitmap.height {
      for x in 0..<bitmap.width {
        let place = 4 * (y * bitmap.width + x)
        let stored = y * bitmap.bytesPerRow + 4 * x
        let alpha = Int(embedded.pixels[place + 3])
        precondition(Int(bitmap.pixels[stored + 3]) == alpha, "an alpha differs")
        for channel in 0..<3 {
          let expected = (Int(embedded.pixels[place + channel]) * alpha + 127) / 255
          let found = Int(bitmap.pixels[stored + 2 - channel])
          precondition(abs(found - expected) <= 1, "a colour differs")
        }
      }
    }
  }
}

func bigEndian(_ value: Int) -> [UInt8] {
  [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
}

func append(_ name: String, _ body: [UInt8], to file: inout [UInt8]) {
  let named = Array(name.utf8) + body
  file += bigEndian(body.count) + named
  file += bigEndian(Int(carve_crc32(0, named, named.count)))
}

func deflated(_ rows: [UInt8]) -> [UInt8] {
  let bound = carve_deflate_bound(rows.count)
  return [UInt8](unsafeUninitializedCapacity: bound) { target, count in
    count = carve_deflate(rows, rows.count, 1, target.baseAddress, bound)
  }
}

private func repairChecksums(_ file: inout [UInt8]) {
  var place = 8
  while file.count - place >= 12 {
    let length = file[place..<place + 4].reduce(0) { $0 << 8 | Int($1) }
    guard length <= file.count - place - 12 else { return }
    let end = place + 8 + length
    let sum = file[(place + 4)..<end].withUnsafeBytes { carve_crc32(0, $0.baseAddress, $0.count) }
    file.replaceSubrange(end..<end + 4, with: bigEndian(Int(sum)))
    place = end + 4
  }
}
