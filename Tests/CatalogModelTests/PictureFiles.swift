// Small picture files for tests, byte by byte.

import Support

/// The start of a GIF with one pixel, and its end.
let smallGIF: [UInt8] =
  Array("GIF89a".utf8) + [3, 0, 2, 0, 0, 0, 0, 0x2C, 0, 0, 0, 0, 1, 0, 1, 0, 0, 0x3B]

/// A PNG as Apple's build tools leave it.
let optimizedPNG: [UInt8] = {
  let plain = png(width: 2, height: 2)
  return Array(plain.prefix(8)) + pngChunk("CgBI", [0x50, 0, 0x20, 6]) + plain.dropFirst(8)
}()

let wideGamutPNG = png(
  width: 1, height: 1, color: .gray, samples: [0],
  extra: [pngChunk("iCCP", Array("Display P3".utf8) + [0, 0] + storedZlib([1, 2, 3]))])

/// The segments of a JPEG without pixels.
func jpeg(width: Int, height: Int, orientation: UInt8 = 1, components: UInt8 = 3) -> [UInt8] {
  let exif: [UInt8] =
    Array("Exif\0\0MM".utf8) + [0, 42, 0, 0, 0, 8, 0, 1]
    + [1, 0x12, 0, 3, 0, 0, 0, 1, 0, orientation, 0, 0, 0, 0, 0, 0]
  let frame: [UInt8] =
    [8, UInt8(height >> 8), UInt8(height & 255), UInt8(width >> 8), UInt8(width & 255), components]
    + (0..<components).flatMap { [$0, 0x11, 0] }
  return [0xFF, 0xD8] + segment(0xE1, exif) + segment(0xC0, frame)
    + segment(0xDA, [1, 1, 0, 0, 63, 0])
    + [1, 2, 3, 0xFF, 0xD9]
}

private func segment(_ marker: UInt8, _ body: [UInt8]) -> [UInt8] {
  let length = body.count + 2
  return [0xFF, marker, UInt8(length >> 8), UInt8(length & 255)] + body
}

/// A box of an ISO media file.
func box(_ type: String, _ body: [UInt8]) -> [UInt8] {
  let length = UInt32(body.count + 8)
  return [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: length >> $0) } + type.utf8 + body
}

func heif(_ brand: String, width: UInt8, height: UInt8) -> [UInt8] {
  let size = box("ispe", [0, 0, 0, 0, 0, 0, 0, width, 0, 0, 0, height])
  let color = box("colr", Array("nclx".utf8) + [0, 12, 0, 13, 0, 0, 0x80])
  let pixels = box("pixi", [0, 0, 0, 0, 3, 10, 10, 10])
  let properties = box("iprp", box("ipco", size + color + pixels))
  return box("ftyp", Array("\(brand)".utf8) + [0, 0, 0, 0] + Array("mif1".utf8))
    + box("meta", [0, 0, 0, 0] + properties) + box("mdat", [1, 2, 3])
}
