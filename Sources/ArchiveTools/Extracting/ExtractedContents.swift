// The bytes of an extracted file: pixels decoded and written as PNG, colours as JSON, files as they
// were before they were compressed.

import Archive
import Codecs
import Colors
import Documents
import Vectors

extension Extraction {
  func contents(of item: Item, _ desk: inout ExtractionDesk) throws(Obstacle) -> [UInt8] {
    switch item.kind {
    case .bitmap: return try bitmap(item.rendition).pngFile()
    case .link(let link): return try cut(link, &desk).pngFile()
    case .color: return try colorFile(item)
    case .file: return try item.rendition.fileContents()
    case .drawing(let scale): return try drawn(item.rendition, scale, &desk.rasterizer).pngFile()
    }
  }

  private func drawn(
    _ rendition: Rendition, _ scale: Int, _ rasterizer: inout Rasterizer
  ) throws(Obstacle) -> Bitmap {
    let bytes = try rendition.fileContents()
    do throws(VectorError) {
      let isSymbol = rendition.header.layout == .symbol
      let picture = try isSymbol ? VectorPicture(symbol: bytes) : VectorPicture(bytes)
      return try picture.bitmap(scale: Double(scale), &rasterizer).bitmap
    } catch {
      throw .unsupported("a vector that cannot be drawn: \(error.words)")
    }
  }

  private func cut(
    _ link: InternalLink, _ desk: inout ExtractionDesk
  ) throws(Obstacle) -> Bitmap {
    let key = link.target
    if desk.lastAtlas?.key != key {
      desk.lastAtlas = nil
      guard let entry = atlases[key] else { throw .damaged("its atlas is not in the archive") }
      let archive = archive
      let atlas = try Extraction.reading { () throws(FormatError) in
        try archive.rendition(entry)
      }
      desk.lastAtlas = (key, try bitmap(atlas))
    }
    guard let part = desk.lastAtlas?.pixels.cut(link) else {
      throw .damaged("its frame leaves the atlas")
    }
    return part
  }

  private func bitmap(_ rendition: Rendition) throws(Obstacle) -> Bitmap {
    let header = rendition.header
    let payload: BitmapPayload
    do throws(CodecError) { payload = try BitmapPayload(rendition.payload.buffer) } catch {
      throw Obstacle(error)
    }
    if header.pixelFormat == .rgb5 { return try fiveBits(rendition, payload) }
    let layout = try Extraction.reading { () throws(FormatError) in
      try BitmapLayout(stored: rendition, payload.compression)
    }
    guard let layout else { throw .unsupported("pixels of the format \(header.pixelFormat)") }
    let decoded = try Extraction.reading { () throws(FormatError) in try Bitmap(rendition) }
    if let decoded { return decoded }
    // Once more for the reason: rows that nobody keeps.
    _ = try rows(of: rendition, payload, layout.coded)
    throw .damaged("its pixels cannot be decoded")
  }

  /// The decoded rows without gaps.
  private func rows(
    of rendition: Rendition, _ payload: BitmapPayload, _ format: PixelFormat
  ) throws(Obstacle) -> [UInt8] {
    let (width, height) = (Int(rendition.header.width), Int(rendition.header.height))
    guard
      Bitmap.isJustified(
        width: width, height: height, bytesPerPixel: format.bytesPerPixel,
        payload: rendition.payload.count)
    else {
      throw .damaged("\(width) × \(height) pixels are not in \(rendition.payload.count) bytes")
    }
    let stride = width * format.bytesPerPixel
    let stated = try Extraction.reading { () throws(FormatError) in
      try rendition.bytesPerRow().map { Int($0) } ?? stride
    }
    var rows = [UInt8](repeating: 0, count: stride * height)
    let failure = rows.withUnsafeMutableBytes { target -> CodecError? in
      do throws(CodecError) {
        try payload.decode(
          format: format, width: width, height: height, bytesPerRow: stated, into: target,
          rowStride: stride)
        return nil
      } catch {
        return error
      }
    }
    if let failure { throw Obstacle(failure) }
    return rows
  }

  /// One bit that means nothing, then five each of red, green and blue.
  private func fiveBits(
    _ rendition: Rendition, _ payload: BitmapPayload
  ) throws(Obstacle) -> Bitmap {
    let rows = try rows(of: rendition, payload, .rgb5)
    return Bitmap(rendition, layout: .bgra8, isOpaque: true) { index, pixels in
      let word = Int(rows[2 * index]) | Int(rows[2 * index + 1]) << 8
      for shift in [0, 5, 10] { pixels.append(UInt8((word >> shift & 31) * 255 / 31)) }
      pixels.append(255)
    }
  }

  private func colorFile(_ item: Item) throws(Obstacle) -> [UInt8] {
    let rendition = item.rendition
    let stored = try Extraction.reading { () throws(FormatError) in
      try ColorPayload(rendition.payload)
    }
    guard let color = stored else { throw .unsupported("a colour of unknown kind") }
    let names =
      color.components.count == 4 ? ["red", "green", "blue", "alpha"] : ["white", "alpha"]
    var members: [JSONOutput.Member] = [.init("name", .string(item.name))]
    if let appearance = words.appearance(of: item.key) {
      members.append(.init("appearance", .string(appearance)))
    }
    members.append(.init("color-space", .string(color.space.catalogName)))
    members.append(
      .init(
        "components",
        .object(zip(names, color.components).map { .init($0, .number($1)) })))
    if let system = color.systemName { members.append(.init("reference", .string(system))) }
    return Array((JSONOutput.object(members).text + "\n").utf8)
  }

  static func reading<Value>(
    _ body: () throws(FormatError) -> Value
  ) throws(Obstacle) -> Value {
    do throws(FormatError) { return try body() } catch { throw .damaged("\(error)") }
  }
}

extension Obstacle {
  init(_ error: CodecError) {
    switch error {
    case .unsupported(let what): self = .unsupported("\(what)")
    default: self = .damaged("\(error)")
    }
  }
}

extension Bitmap {
  /// A bitmap of the size of a rendition whose pixels are appended one by one.
  fileprivate init(
    _ rendition: Rendition, layout: BitmapLayout, isOpaque: Bool,
    _ append: (Int, inout [UInt8]) -> Void
  ) {
    let (width, height) = (Int(rendition.header.width), Int(rendition.header.height))
    let gap = layout.bytesPerRow(width: width) - width * layout.bytesPerPixel
    var pixels: [UInt8] = []
    for y in 0..<height {
      for x in 0..<width { append(y * width + x, &pixels) }
      pixels += repeatElement(0, count: gap)
    }
    self.init(
      width: width, height: height, layout: layout, isOpaque: isOpaque, isGray: false,
      pixels: pixels)
  }
}

extension ColorSpaceID {
  /// The word for the space in catalogues.
  fileprivate var catalogName: String {
    switch self {
    case .sRGB: "srgb"
    case .grayGamma22: "gray-gamma-22"
    case .displayP3: "display-p3"
    case .extendedSRGB: "extended-srgb"
    case .extendedLinearSRGB: "extended-linear-srgb"
    case .extendedGray: "extended-gray"
    default: "\(rawValue)"
    }
  }
}
