// Reads JPEG: the segments before the scan, with the EXIF orientation and the ICC profile.

func jpegHeader(_ source: inout ImageSource) throws(ImageHeaderError) -> ImageHeader {
  var header = ImageHeader(kind: .jpeg, width: 0, height: 0)
  var offset = 2
  while true {
    guard try source.byte(offset) == 0xFF else {
      throw .broken(.jpeg, "a segment does not start at its place")
    }
    let marker = try source.byte(offset + 1)
    switch marker {
    case 0xFF: offset += 1  // fill byte
    case 0x01, 0xD0...0xD8: offset += 2
    case 0xD9, 0xDA: throw .broken(.jpeg, "its pixels start before their size is stated")
    default:
      let length = try source.number(offset + 2, bytes: 2)
      guard length >= 2 else { throw .broken(.jpeg, "a segment has a length of \(length)") }
      if isFrame(marker) {
        try readFrame(&source, offset + 4, length - 2, &header)
        return header
      }
      try readApplicationSegment(&source, marker, offset + 4, length - 2, &header)
      offset += 2 + length
    }
  }
}

/// Returns whether a marker is an SOF marker: C0 to CF without DHT, JPG and DAC.
private func isFrame(_ marker: Int) -> Bool {
  (0xC0...0xCF).contains(marker) && ![0xC4, 0xC8, 0xCC].contains(marker)
}

private func readFrame(
  _ source: inout ImageSource, _ body: Int, _ length: Int, _ header: inout ImageHeader
) throws(ImageHeaderError) {
  guard length >= 6 else { throw .broken(.jpeg, "its frame header is too short") }
  header.bitDepth = try source.byte(body)
  header.height = try source.number(body + 1, bytes: 2)
  header.width = try source.number(body + 3, bytes: 2)
  let marker = try source.byte(body - 3)
  header.isInterlaced = [0xC2, 0xC6, 0xCA, 0xCE].contains(marker)
  switch try source.byte(body + 5) {
  case 1: header.colorModel = .gray
  case 3: header.colorModel = .rgb
  case 4: header.colorModel = .cmyk
  default: header.colorModel = .other
  }
}

private func readApplicationSegment(
  _ source: inout ImageSource, _ marker: Int, _ body: Int, _ length: Int,
  _ header: inout ImageHeader
) throws(ImageHeaderError) {
  if marker == 0xE1, length > 6, try source.text(body, 4) == "Exif" {
    if let orientation = try exifOrientation(&source, at: body + 6, count: length - 6) {
      header.orientation = orientation
    }
  } else if marker == 0xE2, length > 14, try source.text(body, 11) == "ICC_PROFILE" {
    // A long profile continues in further segments, but its description is in the first.
    if try source.byte(body + 12) == 1 {
      header.profile = imageProfile(icc: try source.bytes(body + 14, length - 14))
    }
  }
}
