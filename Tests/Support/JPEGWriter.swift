// Makes the start of JPEG files for tests: the parts that state the size and the orientation.

/// Returns the segments of a JPEG file without pixels.
public func jpeg(
  width: Int, height: Int, orientation: UInt8 = 1, components: UInt8 = 3
) -> [UInt8] {
  let frame: [UInt8] =
    [8, UInt8(height >> 8), UInt8(height & 255), UInt8(width >> 8), UInt8(width & 255), components]
    + (0..<components).flatMap { [$0, 0x11, 0] }
  return [0xFF, 0xD8] + exif(orientation) + segment(0xC0, frame)
    + segment(0xDA, [1, 1, 0, 0, 63, 0])
    + [1, 2, 3, 0xFF, 0xD9]
}

/// Returns a JPEG file with a segment that states its orientation.
public func turned(_ jpeg: [UInt8], orientation: UInt8) -> [UInt8] {
  jpeg.prefix(2) + exif(orientation) + jpeg.dropFirst(2)
}

/// Returns a JPEG file with an ICC profile.
public func profiled(_ jpeg: [UInt8], profile: [UInt8]) -> [UInt8] {
  jpeg.prefix(2) + segment(0xE2, Array("ICC_PROFILE\0".utf8) + [1, 1] + profile)
    + jpeg.dropFirst(2)
}

private func exif(_ orientation: UInt8) -> [UInt8] {
  segment(
    0xE1,
    Array("Exif\0\0MM".utf8) + [0, 42, 0, 0, 0, 8, 0, 1]
      + [1, 0x12, 0, 3, 0, 0, 0, 1, 0, orientation, 0, 0, 0, 0, 0, 0])
}

private func segment(_ marker: UInt8, _ body: [UInt8]) -> [UInt8] {
  let length = body.count + 2
  return [0xFF, marker, UInt8(length >> 8), UInt8(length & 255)] + body
}
