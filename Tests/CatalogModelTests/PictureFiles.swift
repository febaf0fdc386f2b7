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
