// Reads the header of a picture in each format, as far as the properties in ImageHeader.swift need
// it.

import Codecs
import Vectors

// MARK: - PNG: the chunks before the pixels, with Apple's CgBI form and animations

func pngHeader(_ source: inout ImageSource) throws(ImageHeaderError) -> ImageHeader {
  var header = ImageHeader(kind: .png, width: 0, height: 0)
  var offset = 8
  var hasSize = false
  var profileRank = pngProfileChunks.count
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
      try readHeaderChunk(&source, at: body, length: length, into: &header)
      hasSize = true
    case "CgBI": header.isAppleOptimized = true
    case "acTL" where length >= 8: header.frameCount = max(1, try source.number(body, bytes: 4))
    case "tRNS": header.hasAlpha = true
    case "gAMA" where length == 4: header.gamma = try source.number(body, bytes: 4)
    default:
      guard let rank = pngProfileChunks.firstIndex(of: type), rank < profileRank,
        let profile = try pngProfile(&source, type: type, at: body, length: length)
      else { break }
      (header.profile, profileRank) = (profile, rank)
    }
    offset = body + length + 4
  }
  guard hasSize else { throw .broken(.png, "it has no header chunk") }
  return header
}

private func readHeaderChunk(
  _ source: inout ImageSource, at body: Int, length: Int, into header: inout ImageHeader
) throws(ImageHeaderError) {
  guard length == 13 else { throw .broken(.png, "its header chunk has \(length) bytes, not 13") }
  let stored = UInt32(truncatingIfNeeded: try source.number(body + 13, bytes: 4))
  guard try source.bytes(body - 4, 17).withUnsafeBytes(Checksum.crc32) == stored else {
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

/// The chunks that name a profile, the strongest first.
private let pngProfileChunks = ["cICP", "iCCP", "sRGB", "cHRM"]

/// Returns the profile that a chunk names; nil if it names none. EXIF data of a PNG is not read:
/// pictures are compiled as they are stored.
private func pngProfile(
  _ source: inout ImageSource, type: String, at body: Int, length: Int
) throws(ImageHeaderError) -> ImageProfile? {
  switch type {
  case "cICP" where length == 4:
    let primaries = try source.byte(body)
    return primaries == 12 ? .displayP3 : primaries == 1 ? .sRGB : .other("")
  case "iCCP":
    let bytes = try source.bytes(body, min(1 << 16, length))
    let name = bytes.prefix(80).prefix { $0 != 0 }
    let named = imageProfile(named: String(decoding: name, as: UTF8.self))
    guard case .other = named else { return named }
    // Many programs give all profiles the same name. The profile follows a byte for the method.
    let described = descriptionOfProfile(compressed: bytes.dropFirst(name.count + 2))
    return described == .other("") ? named : described
  case "sRGB": return .sRGB
  case "cHRM" where length == 32:
    // The x coordinate of red is 0.68 in Display P3 and 0.64 in sRGB. The chunk stores it times
    // 100,000.
    let red = try source.number(body + 8, bytes: 4)
    return abs(red - 68000) < 200 ? .displayP3 : abs(red - 64000) < 200 ? .sRGB : nil
  default: return nil
  }
}

/// Returns the profile in a zlib stream, by the description at its beginning.
private func descriptionOfProfile(compressed bytes: ArraySlice<UInt8>) -> ImageProfile {
  let profile = [UInt8](unsafeUninitializedCapacity: 1 << 14) { destination, count in
    destination.initialize(repeating: 0)
    count = bytes.withUnsafeBytes {
      Inflate.salvage(zlib: $0, into: UnsafeMutableRawBufferPointer(destination)).written
    }
  }
  return imageProfile(icc: profile)
}

// MARK: - JPEG: the segments before the scan, with the EXIF orientation and the ICC profile

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
        try readFrame(&source, at: offset + 4, length: length - 2, into: &header)
        return header
      }
      try readApplicationSegment(
        &source, marker: marker, at: offset + 4, length: length - 2, into: &header)
      offset += 2 + length
    }
  }
}

/// Returns whether a marker is an SOF marker: C0 to CF without DHT, JPG and DAC.
private func isFrame(_ marker: Int) -> Bool {
  (0xC0...0xCF).contains(marker) && ![0xC4, 0xC8, 0xCC].contains(marker)
}

private func readFrame(
  _ source: inout ImageSource, at body: Int, length: Int, into header: inout ImageHeader
) throws(ImageHeaderError) {
  guard length >= 6 else { throw .broken(.jpeg, "its frame header is too short") }
  header.bitDepth = try source.byte(body)
  header.height = try source.number(body + 1, bytes: 2)
  header.width = try source.number(body + 3, bytes: 2)
  let marker = try source.byte(body - 3)
  // Systems decode baseline, extended and progressive pictures of eight bits.
  guard (0xC0...0xC2).contains(marker), header.bitDepth == 8 else {
    let form =
      marker == 0xC3
      ? "without loss"
      : marker > 0xC2 ? "in a hierarchical or arithmetic form" : "with \(header.bitDepth) bits"
    throw .unsupported(.jpeg, "its pixels are stored \(form)")
  }
  header.isInterlaced = marker == 0xC2
  switch try source.byte(body + 5) {
  case 1: header.colorModel = .gray
  case 3: header.colorModel = .rgb
  case 4: header.colorModel = .cmyk
  default: header.colorModel = .other
  }
}

private func readApplicationSegment(
  _ source: inout ImageSource, marker: Int, at body: Int, length: Int,
  into header: inout ImageHeader
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

// MARK: - TIFF: the first directory; EXIF data has the same structure

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

// MARK: - HEIF with HEVC or AV1: the properties of the largest item, from the boxes of "meta"

/// Returns the kind that the brands of an "ftyp" box name; nil for other formats, such as films.
func heifKind(_ start: [UInt8]) -> ImageKind? {
  guard start.count >= 12 else { return nil }
  let size = start[..<4].reduce(0) { $0 << 8 | Int($1) }
  var brands: [String] = []
  for offset in stride(from: 8, to: min(size, start.count, 256) - 3, by: 4) where offset != 12 {
    brands.append(String(decoding: start[offset..<offset + 4], as: UTF8.self))
  }
  if brands.contains(where: { ["avif", "avis"].contains($0) }) { return .avif }
  let known = ["heic", "heix", "hevc", "hevx", "heim", "heis", "mif1", "msf1", "avci"]
  return brands.contains { known.contains($0) } ? .heic : nil
}

func heifHeader(_ source: inout ImageSource) throws(ImageHeaderError) -> ImageHeader {
  var header = ImageHeader(kind: source.kind, width: 0, height: 0)
  guard let meta = try box("meta", &source, from: 0, to: source.size) else {
    throw .broken(source.kind, "it describes no picture")
  }
  // The body of "meta" starts with a version and flags, 4 bytes.
  guard let iprp = try box("iprp", &source, from: meta.lowerBound + 4, to: meta.upperBound),
    let ipco = try box("ipco", &source, from: iprp.lowerBound, to: iprp.upperBound)
  else { throw .broken(source.kind, "it gives its pictures no properties") }
  var offset = ipco.lowerBound
  var count = 0
  while offset < ipco.upperBound, count < 256 {
    let (type, body, end) = try nextBox(&source, at: offset, before: ipco.upperBound)
    try readProperty(&source, type: type, at: body, before: end, into: &header)
    offset = end
    count += 1
  }
  return header
}

private func readProperty(
  _ source: inout ImageSource, type: String, at body: Int, before end: Int,
  into header: inout ImageHeader
) throws(ImageHeaderError) {
  switch type {
  case "ispe":
    // Tiles and thumbnails have their own sizes; the largest size is that of the picture.
    let width = try source.number(body + 4, bytes: 4)
    let height = try source.number(body + 8, bytes: 4)
    if max(width, height) > max(header.width, header.height) {
      (header.width, header.height) = (width, height)
    }
  case "pixi" where try source.byte(body + 4) > 0:
    header.bitDepth = try source.byte(body + 5)
    if try source.byte(body + 4) == 1, header.width == 0 { header.colorModel = .gray }
  case "auxC": if try isAlpha(&source, at: body, before: end) { header.hasAlpha = true }
  case "irot":
    header.orientation = [1, 8, 3, 6][try source.byte(body) & 3]
  case "colr":
    let form = try source.text(body, 4)
    if form == "nclx" {
      let primaries = try source.number(body + 4, bytes: 2)
      header.profile = primaries == 12 ? .displayP3 : primaries == 1 ? .sRGB : .other("")
    } else {
      header.profile = imageProfile(
        icc: try source.bytes(body + 4, max(0, min(4096, end - body - 4))))
    }
  default: break
  }
}

private func isAlpha(
  _ source: inout ImageSource, at body: Int, before end: Int
) throws(ImageHeaderError) -> Bool {
  let name = try source.text(body + 4, max(0, min(64, end - body - 4)))
  return name.contains("alpha") || name.contains("auxid:1")
}

/// Returns the body of the first box with that type.
private func box(
  _ wanted: String, _ source: inout ImageSource, from start: Int, to end: Int
) throws(ImageHeaderError) -> Range<Int>? {
  var offset = start
  var count = 0
  while offset < end, count < 64 {
    let (type, body, next) = try nextBox(&source, at: offset, before: end)
    if type == wanted { return body..<next }
    offset = next
    count += 1
  }
  return nil
}

/// Returns whether all boxes on the uppermost level lie within the file.
func hasAllBoxes(_ source: inout ImageSource) -> Bool {
  var offset = 0
  // A file with more boxes than this counts as complete.
  for _ in 0..<64 where offset < source.size {
    guard let next = try? nextBox(&source, at: offset, before: source.size) else { return false }
    offset = next.end
  }
  return true
}

private func nextBox(
  _ source: inout ImageSource, at offset: Int, before end: Int
) throws(ImageHeaderError) -> (type: String, body: Int, end: Int) {
  var size = try source.number(offset, bytes: 4)
  let type = try source.text(offset + 4, 4)
  var body = offset + 8
  if size == 1 {
    guard try source.number(offset + 8, bytes: 4) == 0 else {
      throw .broken(source.kind, "a box is larger than any file")
    }
    size = try source.number(offset + 12, bytes: 4)
    body = offset + 16
  } else if size == 0 {
    size = end - offset
  }
  guard size >= body - offset, size <= end - offset else { throw .cut(source.kind, at: end) }
  return (type, body, offset + size)
}

// MARK: - GIF, WebP, Photoshop, BMP: headers with fixed places

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

// MARK: - PDF and SVG: the size, as far as the first kilobytes contain it

/// Returns the size of the first MediaBox near the start whose numbers are written in place.
func pdfHeader(_ source: inout ImageSource) -> ImageHeader {
  var header = ImageHeader(kind: .pdf, width: 0, height: 0)
  let start = source.start
  guard let box = position(of: "/MediaBox", in: start[...]) else { return header }
  let after = start[(box + 9)...].prefix(200)
  guard let open = after.firstIndex(of: UInt8(ascii: "[")),
    let close = after.firstIndex(of: UInt8(ascii: "]")), open < close
  else { return header }
  let text = String(decoding: after[(open + 1)..<close], as: UTF8.self)
  let numbers = text.split { $0 == " " || $0.isNewline }.compactMap { Double($0) }
  guard numbers.count == 4 else { return header }
  header.width = wholePoints(abs(numbers[2] - numbers[0]))
  header.height = wholePoints(abs(numbers[3] - numbers[1]))
  return header
}

/// Returns whether the first element is <svg>. Comments, a declaration and a document type may
/// precede it.
func isSVG(_ file: [UInt8]) -> Bool {
  let start = SVG.utf8(file)
  guard let tag = position(of: "<svg", in: start[...]) ?? position(of: ":svg", in: start[...])
  else { return file.count >= ImageSource.windowSize && precedesElements(start[...]) }
  let before = start[..<tag].drop { $0 == 0xEF || $0 == 0xBB || $0 == 0xBF || $0 <= 32 }
  return tag == 0 || before.isEmpty || before.first == UInt8(ascii: "<")
}

/// Returns whether the text ends before the first element: in a long comment, for example.
private func precedesElements(_ text: ArraySlice<UInt8>) -> Bool {
  var rest = text
  while true {
    rest = rest.drop { $0 <= 32 || [0xEF, 0xBB, 0xBF].contains($0) || $0 == UInt8(ascii: "]") }
    if rest.isEmpty { return true }
    let end: String
    if rest.starts(with: "<!--".utf8) {
      end = "-->"
    } else if rest.starts(with: "<?".utf8) {
      end = "?>"
    } else if rest.starts(with: "<!".utf8) || rest.starts(with: ">".utf8) {
      end = ">"
    } else {
      return false
    }
    guard let start = position(of: end, in: rest) else { return true }
    rest = rest[(start + end.utf8.count)...]
  }
}

/// Returns the width and height of the root element, or those of its view box.
func svgHeader(_ source: inout ImageSource) -> ImageHeader {
  var header = ImageHeader(kind: .svg, width: 0, height: 0)
  header.hasAlpha = true
  let start = SVG.utf8(source.start)
  guard let tag = position(of: "<svg", in: start[...]) else { return header }
  let element = String(decoding: start[tag...].prefix { $0 != UInt8(ascii: ">") }, as: UTF8.self)
  let box = (attribute("viewBox", of: element) ?? "")
    .split { $0 == " " || $0 == "," || $0.isNewline }.compactMap { Double($0) }
  func side(_ name: String, _ index: Int) -> Int {
    if let length = attribute(name, of: element).flatMap(points) { return wholePoints(length) }
    return box.count == 4 ? wholePoints(box[index]) : 0
  }
  header.width = side("width", 2)
  header.height = side("height", 3)
  return header
}

private func wholePoints(_ length: Double) -> Int {
  length.isFinite && length > 0 && length < 1e6 ? Int(length.rounded(.up)) : 0
}

/// Returns a length in pixels; nil for relative lengths such as percentages.
private func points(_ text: String) -> Double? {
  let digits = text.prefix { "0123456789.+-eE".contains($0) }
  let unit = text.dropFirst(digits.count)
  let factors = [
    "": 1, "px": 1, "pt": 4.0 / 3, "pc": 16, "in": 96, "cm": 96 / 2.54, "mm": 96 / 25.4,
  ]
  guard let number = Double(digits), let factor = factors[String(unit)] else { return nil }
  return number * factor
}

/// Returns the value of an attribute in the text of an element.
private func attribute(_ name: String, of element: String) -> String? {
  let bytes = Array(element.utf8)
  var from = 0
  while let start = position(of: name, in: bytes[from...]) {
    from = start + name.utf8.count
    guard start > 0, bytes[start - 1] <= 32 else { continue }
    var offset = from
    while offset < bytes.count, bytes[offset] <= 32 { offset += 1 }
    guard offset < bytes.count, bytes[offset] == UInt8(ascii: "=") else { continue }
    offset += 1
    while offset < bytes.count, bytes[offset] <= 32 { offset += 1 }
    guard offset < bytes.count, [0x22, 0x27].contains(bytes[offset]) else { continue }
    let quote = bytes[offset]
    let value = bytes[(offset + 1)...].prefix { $0 != quote }
    return String(decoding: value, as: UTF8.self)
  }
  return nil
}

/// Returns the offset of a text in some bytes.
func position(of text: String, in bytes: ArraySlice<UInt8>) -> Int? {
  let wanted = Array(text.utf8)
  guard let first = wanted.first, bytes.count >= wanted.count else { return nil }
  var offset = bytes.startIndex
  while offset <= bytes.endIndex - wanted.count {
    if bytes[offset] == first, bytes[offset...].starts(with: wanted) { return offset }
    offset += 1
  }
  return nil
}
