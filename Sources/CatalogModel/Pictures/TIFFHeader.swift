// Reads TIFF: the first directory. EXIF data has the same structure and is read for the
// orientation.

func tiffHeader(_ source: inout ImageSource) throws(ImageHeaderError) -> ImageHeader {
  var header = ImageHeader(kind: .tiff, width: 0, height: 0)
  let directory = try TIFFDirectory(&source, at: 0, count: source.size)
  var samples = 1
  for entry in directory.entries {
    switch entry.tag {
    case 256: header.width = entry.value
    case 257: header.height = entry.value
    case 258:
      // More than two depths do not fit into the entry. The entry then contains their offset, and
      // the first depth is read.
      header.bitDepth =
        entry.count > 2 && entry.type == 3
        ? try source.number(entry.value, bytes: 2, little: directory.isLittle) : entry.value
    case 262:
      switch entry.value {
      case 0, 1: header.colorModel = .gray
      case 2, 6: header.colorModel = .rgb
      case 3: header.colorModel = .palette
      case 5: header.colorModel = .cmyk
      default: header.colorModel = .other
      }
    case 274: header.orientation = (1...8).contains(entry.value) ? entry.value : 1
    case 277: samples = entry.value
    case 338: header.hasAlpha = entry.count > 0
    case 34675 where entry.count <= 1 << 20:
      header.profile = imageProfile(
        icc: try source.bytes(entry.value, min(entry.count, 4096)))
    default: break
    }
  }
  if samples == 2 || (samples == 4 && header.colorModel == .rgb) { header.hasAlpha = true }
  return header
}

/// Returns the orientation in EXIF data; nil if the data names no orientation or cannot be read.
func exifOrientation(
  _ source: inout ImageSource, at offset: Int, count: Int
) throws(ImageHeaderError) -> Int? {
  do throws(ImageHeaderError) {
    let directory = try TIFFDirectory(&source, at: offset, count: count)
    return directory.entries.first { $0.tag == 274 && (1...8).contains($0.value) }?.value
  } catch {
    // EXIF data is often damaged although the picture itself is intact.
    if case .unreadable = error { throw error }
    return nil
  }
}

private struct TIFFDirectory {
  struct Entry {
    var tag: Int
    var type: Int
    var count: Int
    /// The value, or the offset of the value.
    var value: Int
  }

  let isLittle: Bool
  private(set) var entries: [Entry] = []

  init(_ source: inout ImageSource, at base: Int, count: Int) throws(ImageHeaderError) {
    let order = try source.number(base, bytes: 2)
    guard order == 0x4949 || order == 0x4D4D else {
      throw .broken(source.kind, "its byte order is unknown")
    }
    isLittle = order == 0x4949
    let first = try source.number(base + 4, bytes: 4, little: isLittle)
    guard first >= 8, first <= count - 2 else {
      throw .broken(source.kind, "its directory lies outside of the file")
    }
    let directory = base + first
    let number = try source.number(directory, bytes: 2, little: isLittle)
    for index in 0..<number {
      let row = directory + 2 + index * 12
      let type = try source.number(row + 2, bytes: 2, little: isLittle)
      let isShort = type == 3
      entries.append(
        Entry(
          tag: try source.number(row, bytes: 2, little: isLittle), type: type,
          count: try source.number(row + 4, bytes: 4, little: isLittle),
          value: try source.number(row + 8, bytes: isShort ? 2 : 4, little: isLittle)))
      if index > 512 { break }
    }
  }
}
