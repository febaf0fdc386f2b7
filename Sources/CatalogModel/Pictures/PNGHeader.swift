// Reads PNG: the chunks before the pixels, with Apple's CgBI form and animations.

func pngHeader(_ source: inout ImageSource) throws(ImageHeaderError) -> ImageHeader {
  var header = ImageHeader(kind: .png, width: 0, height: 0)
  var offset = 8
  var hasSize = false
  while true {
    let length = try source.number(offset, bytes: 4)
    let type = try source.text(offset + 4, 4)
    guard length <= Int32.max else { throw .broken(.png, "a chunk has a length of \(length)") }
    if type == "IDAT" || type == "IEND" { break }
    if !hasSize, type != "IHDR", type != "CgBI" {
      throw .broken(.png, "it does not start with a header chunk")
    }
    let body = offset + 8
    switch type {
    case "IHDR":
      try readHeaderChunk(&source, body, length, &header)
      hasSize = true
    case "CgBI": header.isAppleOptimized = true
    case "acTL" where length >= 8: header.frameCount = max(1, try source.number(body, bytes: 4))
    case "tRNS": header.hasAlpha = true
    case "gAMA" where length == 4: header.gamma = try source.number(body, bytes: 4)
    default: try readProfileChunk(&source, type, body, length, &header)
    }
    offset = body + length + 4
  }
  guard hasSize else { throw .broken(.png, "it has no header chunk") }
  return header
}

private func readHeaderChunk(
  _ source: inout ImageSource, _ body: Int, _ length: Int, _ header: inout ImageHeader
) throws(ImageHeaderError) {
  guard length == 13 else { throw .broken(.png, "its header chunk has \(length) bytes, not 13") }
  let stored = UInt32(truncatingIfNeeded: try source.number(body + 13, bytes: 4))
  guard crc32(try source.bytes(body - 4, 17)) == stored else {
    throw .broken(.png, "the checksum of its header is wrong")
  }
  header.width = try source.number(body, bytes: 4)
  header.height = try source.number(body + 4, bytes: 4)
  header.bitDepth = try source.byte(body + 8)
  let color = try source.byte(body + 9)
  header.isInterlaced = try source.byte(body + 12) != 0
  let depths: [Int]
  switch color {
  case 0: (header.colorModel, depths) = (.gray, [1, 2, 4, 8, 16])
  case 2: (header.colorModel, depths) = (.rgb, [8, 16])
  case 3: (header.colorModel, depths) = (.palette, [1, 2, 4, 8])
  case 4: (header.colorModel, depths) = (.gray, [8, 16])
  case 6: (header.colorModel, depths) = (.rgb, [8, 16])
  default: throw .broken(.png, "it has the unknown colour type \(color)")
  }
  guard depths.contains(header.bitDepth) else {
    throw .broken(.png, "it has \(header.bitDepth) bits with colour type \(color)")
  }
  header.hasAlpha = color == 4 || color == 6
}

/// Reads the chunks about colour and orientation. The strongest of cICP, iCCP, sRGB and cHRM, in
/// this order, gives the profile.
private func readProfileChunk(
  _ source: inout ImageSource, _ type: String, _ body: Int, _ length: Int,
  _ header: inout ImageHeader
) throws(ImageHeaderError) {
  switch type {
  case "cICP" where length == 4:
    let primaries = try source.byte(body)
    header.profile = primaries == 12 ? .displayP3 : primaries == 1 ? .sRGB : .other("")
  case "iCCP" where header.profile == .none || header.profile == .sRGB:
    let name = try source.bytes(body, min(80, length)).prefix { $0 != 0 }
    header.profile = imageProfile(named: String(decoding: name, as: UTF8.self))
  case "sRGB" where header.profile == .none: header.profile = .sRGB
  case "cHRM" where length == 32 && header.profile == .none:
    // The x coordinate of red is 0.68 in Display P3 and 0.64 in sRGB. The chunk stores it times
    // 100,000.
    let red = try source.number(body + 8, bytes: 4)
    if abs(red - 68000) < 200 { header.profile = .displayP3 }
    if abs(red - 64000) < 200 { header.profile = .sRGB }
  case "eXIf":
    if let orientation = try exifOrientation(&source, at: body, count: length) {
      header.orientation = orientation
    }
  default: break
  }
}

/// Returns the checksum of PNG chunks.
func crc32(_ bytes: some Sequence<UInt8>) -> UInt32 {
  var crc = ~UInt32(0)
  for byte in bytes {
    crc ^= UInt32(byte)
    for _ in 0..<8 { crc = crc & 1 == 1 ? 0xEDB8_8320 ^ crc >> 1 : crc >> 1 }
  }
  return ~crc
}
