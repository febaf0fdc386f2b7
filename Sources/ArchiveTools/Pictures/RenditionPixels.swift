// Decodes the pixels of a rendition for code that looks into pictures: packing atlases again,
// proving that a picture did not change, comparing archives. Also finds out whether a picture is
// opaque. Codecs contains the decoders.

import Archive
import Codecs
import Imaging

extension Bitmap {
  /// Returns the bytes of a rendition as a bitmap and as a file of it; 0 if it holds no bitmap that
  /// is decoded.
  static func memory(of rendition: Rendition) -> Int {
    let (width, height) = (Int(rendition.header.width), Int(rendition.header.height))
    let isRead = isJustified(
      width: width, height: height, bytesPerPixel: 8, payload: rendition.payload.count)
    // The pixels, the rows of the file, and the file.
    return isRead ? 3 * BitmapLayout.bgra8.bytesPerRow(width: width) * height : 0
  }

  /// Decodes the pixels of a rendition; nil if it holds no bitmap, or one that Codecs does not
  /// decode.
  init?(_ rendition: Rendition) throws(FormatError) {
    let header = rendition.header
    let stored = rendition.payload.buffer
    guard let payload = try? BitmapPayload(stored),
      let layout = try BitmapLayout(stored: rendition, payload.compression)
    else { return nil }
    let width = Int(header.width)
    let stated = try rendition.bytesPerRow().map { Int($0) } ?? width * layout.bytesPerPixel
    self.init(
      payload: stored, layout: layout, width: width, height: Int(header.height),
      statedBytesPerRow: stated)
  }

  /// Returns whether the frame of a link lies in this atlas.
  func holds(_ link: InternalLink) -> Bool {
    UInt64(link.x) + UInt64(link.width) <= UInt64(width)
      && UInt64(link.y) + UInt64(link.height) <= UInt64(height)
  }

  /// Returns the picture to which a link into this atlas leads; nil if it leaves the atlas.
  func cut(_ link: InternalLink) -> Bitmap? {
    cut(x: Int(link.x), y: Int(link.y), width: Int(link.width), height: Int(link.height))
  }
}

extension BitmapLayout {
  /// Returns the layout of a rendition's pixels; nil if it has no pixels, or pixels of an obsolete
  /// format.
  init?(stored rendition: Rendition, _ compression: Compression) throws(FormatError) {
    let header = rendition.header
    switch header.pixelFormat {
    case .argb: self = try rendition.holdsWideTexture() ? .rgbw : .bgra8
    case .grayAlpha8: self = .ga8
    case .grayAlpha16: self = compression.holdsHalfGray ? .ga16Half : .ga16
    case .wide: self = .rgbw
    default: return nil
    }
  }
}

extension Rendition {
  /// Returns whether the rendition is a texture of half floats. Its format is that of 8-bit
  /// colours, but its rows are longer.
  fileprivate func holdsWideTexture() throws(FormatError) -> Bool {
    guard header.layout == .textureImage, let row = try bytesPerRow() else { return false }
    return Int(row) >= 8 * Int(header.width)
  }
}

// MARK: - Opacity

// Finds out from its pixels whether a picture in an atlas is opaque.

/// Returns, for each link into an atlas, whether every pixel of its frame has full alpha. A link is
/// left out if its atlas cannot be decoded. Each atlas is decoded once, and only one is in memory
/// at a time.
package func opaqueParts(
  of atlases: [RenditionKey: Rendition], _ links: [(key: RenditionKey, link: InternalLink)],
  _ allowance: PictureAllowance
) throws(FormatError) -> [RenditionKey: Bool] {
  var members: [RenditionKey: [(key: RenditionKey, link: InternalLink)]] = [:]
  for member in links { members[member.link.target, default: []].append(member) }
  var opacity: [RenditionKey: Bool] = [:]
  for (target, members) in members {
    guard let atlas = atlases[target] else { continue }
    if (try? BitmapPayload(atlas.payload.buffer))?.isOpaque == true {
      for (key, _) in members { opacity[key] = true }
      continue
    }
    try allowance.pay(for: atlas)
    guard let table = try Bitmap(atlas).map(OpacityTable.init) else { continue }
    for (key, link) in members { opacity[key] = table.isOpaque(link) }
  }
  return opacity
}

/// The number of pixels without full alpha in every rectangle at the upper left corner of a
/// picture. With it, the time for a frame does not depend on its size, and any number of links may
/// lead to the same pixels of an atlas.
private struct OpacityTable {
  private let width: Int
  private let height: Int
  private var counts: [UInt32]

  init(_ picture: Bitmap) {
    (width, height) = (picture.width, picture.height)
    counts = [UInt32](repeating: 0, count: (width + 1) * (height + 1))
    for y in 0..<height {
      var count: UInt32 = 0
      for x in 0..<width {
        if !picture.hasFullAlpha(x, y) { count += 1 }
        counts[(y + 1) * (width + 1) + x + 1] = counts[y * (width + 1) + x + 1] + count
      }
    }
  }

  /// Returns whether every pixel of a link's frame has full alpha; nil if the frame leaves the
  /// picture.
  func isOpaque(_ link: InternalLink) -> Bool? {
    let (left, right) = (Int(link.x), Int(link.x) + Int(link.width))
    // A frame counts from the bottom.
    let (top, bottom) = (height - Int(link.y) - Int(link.height), height - Int(link.y))
    guard link.width > 0, link.height > 0, right <= width, top >= 0 else { return nil }
    func count(_ x: Int, _ y: Int) -> UInt32 { counts[y * (width + 1) + x] }
    return count(right, bottom) + count(left, top) == count(left, bottom) + count(right, top)
  }
}
