// Makes small picture files for tests, byte by byte.

import Support

/// A GIF with one frame of one pixel.
let smallGIF: [UInt8] =
  Array("GIF89a".utf8) + [3, 0, 2, 0, 0, 0, 0, 0x2C, 0, 0, 0, 0, 1, 0, 1, 0, 0, 0x3B]

/// A PNG in the form that Apple's build tools write.
let optimizedPNG: [UInt8] = {
  let plain = png(width: 2, height: 2)
  return Array(plain.prefix(8)) + pngChunk("CgBI", [0x50, 0, 0x20, 6]) + plain.dropFirst(8)
}()

let wideGamutPNG = png(
  width: 1, height: 1, color: .gray, samples: [0],
  extra: [pngChunk("iCCP", Array("Display P3".utf8) + [0, 0] + storedZlib([1, 2, 3]))])
