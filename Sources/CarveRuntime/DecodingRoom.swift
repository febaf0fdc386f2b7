// The memory of decoding: what the codecs need, an atlas that is kept, and rows that are about to be
// converted. It lives for one call, or in a decoder for many.

import Codecs

struct DecodingRoom: ~Copyable {
  /// Whether atlases are decoded whole and the last one kept.
  private let keepsAtlas: Bool
  var scratch = DecodingScratch()
  private var atlas = UnsafeMutableRawBufferPointer(start: nil, count: 0)
  private var kept: UInt32?
  private var rows = UnsafeMutableRawBufferPointer(start: nil, count: 0)
  /// Pixels in the layout of a target, before they are drawn.
  private var converted = UnsafeMutableRawBufferPointer(start: nil, count: 0)
  /// How many atlases were decoded to be kept.
  private(set) var decodedCount = 0

  init(keepsAtlas: Bool = false) { self.keepsAtlas = keepsAtlas }

  deinit {
    atlas.deallocate()
    rows.deallocate()
    converted.deallocate()
  }

  /// Gives all memory back.
  mutating func release() {
    scratch.release()
    kept = nil
    DecodingRoom.fit(&atlas, 0)
    DecodingRoom.fit(&rows, 0)
    DecodingRoom.fit(&converted, 0)
  }

  /// Where the first pixel of a picture lies, and how far apart its rows are. The pixels are those
  /// that are stored, and there until the room is used again.
  mutating func pixels(
    of picture: StoredPicture, _ limits: DecodeLimits
  ) throws(CatalogError) -> (first: UnsafeRawPointer, stride: Int) {
    let stride = picture.bestStride
    // The picture's rectangle lies in the whole, and all rows of it are decoded.
    let first = picture.x * picture.stored.bytesPerPixel
    if keepsAtlas, let number = picture.atlas {
      let size = try DecodingRoom.size(stride, picture.wholeHeight, picture, limits)
      return (try atlas(number, picture, size, stride) + (first + picture.y * stride), stride)
    }
    let span = try picture.span()
    let size = try DecodingRoom.size(stride, span.count, picture, limits)
    if rows.count < size { DecodingRoom.fit(&rows, size) }
    try picture.decode(span, into: rows, rowStride: stride, &scratch)
    guard let base = rows.baseAddress else { throw .bufferTooSmall(needed: size) }
    return (UnsafeRawPointer(base) + (first + (picture.y - span.lowerBound) * stride), stride)
  }

  /// Room for converted pixels, which stays until it is asked for again.
  mutating func target(_ size: Int) -> UnsafeMutableRawBufferPointer {
    if converted.count < size { DecodingRoom.fit(&converted, size) }
    return converted
  }

  /// The size is compared too: whoever reads the pixels goes by what the file says now.
  private mutating func atlas(
    _ number: UInt32, _ picture: StoredPicture, _ size: Int, _ stride: Int
  ) throws(CatalogError) -> UnsafeRawPointer {
    if kept != number || atlas.count != size {
      kept = nil
      if atlas.count != size { DecodingRoom.fit(&atlas, size) }
      try picture.decodeAll(into: atlas, rowStride: stride, &scratch)
      decodedCount += 1
      kept = number
    }
    guard let base = atlas.baseAddress else { throw .bufferTooSmall(needed: size) }
    return UnsafeRawPointer(base)
  }

  private static func size(
    _ stride: Int, _ rows: Int, _ picture: StoredPicture, _ limits: DecodeLimits
  ) throws(CatalogError) -> Int {
    guard stride * rows <= limits.scratchBytes else {
      throw .overLimit(width: picture.wholeWidth, height: picture.wholeHeight)
    }
    // Wide copies of the codecs may go beyond the last row.
    return stride * rows + 64
  }

  private static func fit(_ buffer: inout UnsafeMutableRawBufferPointer, _ size: Int) {
    buffer.deallocate()
    buffer = UnsafeMutableRawBufferPointer(start: nil, count: 0)
    if size > 0 { buffer = .allocate(byteCount: size, alignment: 16) }
  }
}
