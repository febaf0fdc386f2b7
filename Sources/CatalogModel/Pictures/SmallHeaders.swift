// Reads the formats whose headers have fixed places: GIF, WebP, Photoshop, BMP.

func gifHeader(_ source: inout ImageSource) throws(ImageHeaderError) -> ImageHeader {
  var header = ImageHeader(
    kind: .gif, width: try source.number(6, bytes: 2, little: true),
    height: try source.number(8, bytes: 2, little: true))
  header.colorModel = .palette
  let flags = try source.byte(10)
  var offset = 13 + (flags & 0x80 != 0 ? 3 << (flags & 7 + 1) : 0)
  // The extensions before the first frame tell whether it is transparent and whether the picture
  // repeats.
  for _ in 0..<8 {
    guard offset + 2 <= source.size, try source.byte(offset) == 0x21 else { break }
    let label = try source.byte(offset + 1)
    if label == 0xF9, try source.byte(offset + 2) == 4 {
      header.hasAlpha = try source.byte(offset + 3) & 1 == 1
    }
    if label == 0xFF, try source.byte(offset + 2) == 11,
      try source.text(offset + 3, 8) == "NETSCAPE"
    {
      // Only an animation has a number of repetitions.
      header.frameCount = 2
    }
    offset += 2
    while try source.byte(offset) != 0 { offset += 1 + (try source.byte(offset)) }
    offset += 1
  }
  return header
}

func webpHeader(_ source: inout ImageSource) throws(ImageHeaderError) -> ImageHeader {
  var header = ImageHeader(kind: .webp, width: 0, height: 0)
  switch try source.text(12, 4) {
  case "VP8 ":
    guard try source.number(23, bytes: 3) == 0x9D012A else {
      throw .broken(.webp, "its first frame has no start code")
    }
    header.width = try source.number(26, bytes: 2, little: true) & 0x3FFF
    header.height = try source.number(28, bytes: 2, little: true) & 0x3FFF
  case "VP8L":
    let bits = try source.number(21, bytes: 4, little: true)
    header.width = bits & 0x3FFF + 1
    header.height = bits >> 14 & 0x3FFF + 1
    header.hasAlpha = bits >> 28 & 1 == 1
  case "VP8X":
    let flags = try source.byte(20)
    header.hasAlpha = flags & 0x10 != 0
    header.frameCount = flags & 2 != 0 ? 2 : 1
    if flags & 0x20 != 0 { header.profile = .other("") }
    header.width = try source.number(24, bytes: 3, little: true) + 1
    header.height = try source.number(27, bytes: 3, little: true) + 1
  default: throw .broken(.webp, "it starts with an unknown chunk")
  }
  return header
}

func psdHeader(_ source: inout ImageSource) throws(ImageHeaderError) -> ImageHeader {
  var header = ImageHeader(
    kind: .psd, width: try source.number(18, bytes: 4), height: try source.number(14, bytes: 4))
  header.bitDepth = try source.number(22, bytes: 2)
  let channels = try source.number(12, bytes: 2)
  switch try source.number(24, bytes: 2) {
  case 0, 1, 8: header.colorModel = .gray
  case 2: header.colorModel = .palette
  case 3: header.colorModel = .rgb
  case 4: header.colorModel = .cmyk
  default: header.colorModel = .other
  }
  header.hasAlpha = header.colorModel == .rgb ? channels > 3 : false
  return header
}

func bmpHeader(_ source: inout ImageSource) throws(ImageHeaderError) -> ImageHeader {
  let isOld = try source.number(14, bytes: 4, little: true) == 12
  let side = isOld ? 2 : 4
  let width = try source.number(18, bytes: side, little: true)
  var height = try source.number(18 + side, bytes: side, little: true)
  // A negative height means that the rows are stored from top to bottom.
  if !isOld, height > Int32.max { height = (1 << 32) - height }
  return ImageHeader(kind: .bmp, width: width, height: height)
}
