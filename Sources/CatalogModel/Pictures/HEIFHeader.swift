// Reads HEIF files with HEVC or AV1 content: the properties of the largest item, from the boxes of
// "meta".

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
    let (type, body, end) = try nextBox(&source, offset, ipco.upperBound)
    try readProperty(type, body, end, &source, &header)
    offset = end
    count += 1
  }
  return header
}

private func readProperty(
  _ type: String, _ body: Int, _ end: Int, _ source: inout ImageSource,
  _ header: inout ImageHeader
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
  case "auxC": if try isAlpha(&source, body, end) { header.hasAlpha = true }
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
  _ source: inout ImageSource, _ body: Int, _ end: Int
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
    let (type, body, next) = try nextBox(&source, offset, end)
    if type == wanted { return body..<next }
    offset = next
    count += 1
  }
  return nil
}

private func nextBox(
  _ source: inout ImageSource, _ offset: Int, _ end: Int
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
