// Writes changed pictures as PNG files for places where a page cannot be opened: before, after and
// the changes, side by side.

import ArchiveTools
import Bytes
import CarveRuntime
import Codecs
import Host
import Imaging

/// A picture for a comment on a change.
package struct DifferencePicture: Sendable {
  /// A file name without a folder, which is safe to create.
  package var fileName: ByteString
  package var bytes: [UInt8]
}

extension PageDifference {
  /// Calls `body` with a picture for each variant that looks different, in the order of their
  /// names. Returns the names of the assets with pictures that cannot be drawn.
  package func drawPictures<Failure: Error>(
    from old: UnsafeRawBufferPointer, to new: UnsafeRawBufferPointer,
    _ body: (DifferencePicture) throws(Failure) -> Void
  ) throws(Failure) -> [ByteString] {
    guard let older = try? Catalog(lending: old), let newer = try? Catalog(lending: new) else {
      return []
    }
    let before = PictureMaker(source: PictureSource(old), catalog: older, longestSide: nil)
    let after = PictureMaker(source: PictureSource(new), catalog: newer, longestSide: nil)
    var names = ExtractedNames()
    var undrawn: [ByteString] = []
    for change in changes {
      let (earlier, later) = (change.before?.pictures.last, change.after?.pictures.last)
      let first = earlier.flatMap { before.bitmap($0.request) }
      let second = later.flatMap { after.bitmap($0.request) }
      if earlier != nil && first == nil || later != nil && second == nil {
        if undrawn.last != change.variant.name { undrawn.append(change.variant.name) }
      }
      if first == nil, second == nil { continue }
      let sheet = ComparisonSheet(first.map(PageBitmap.init), second.map(PageBitmap.init))
      let key = change.variant.key.summary(language: languages[change.variant.key.locale])
      let path = names.path(
        asset: "", file: "\(change.variant.name), \(key).png", pathExtension: "png", words: [])
      try body(DifferencePicture(fileName: path, bytes: sheet.bitmap.pngFile(.fast)))
    }
    return undrawn
  }
}

/// A bitmap of premultiplied blue, green, red and alpha, one byte each, blue in the lowest.
struct PageBitmap: Sendable {
  let width: Int
  let height: Int
  private(set) var pixels: [UInt32]

  init(width: Int, height: Int, _ pixels: [UInt32]) {
    self.width = width
    self.height = height
    self.pixels = pixels
  }

  init(_ bitmap: Bitmap) {
    width = bitmap.width
    height = bitmap.height
    let read = PageBitmap.reader(of: bitmap.layout)
    let size = bitmap.layout.bytesPerPixel
    pixels = bitmap.pixels.withUnsafeBytes { stored in
      var pixels: [UInt32] = []
      pixels.reserveCapacity(bitmap.width * bitmap.height)
      for y in 0..<bitmap.height {
        let row = y * bitmap.bytesPerRow
        for x in 0..<bitmap.width { pixels.append(read(stored, row + x * size)) }
      }
      return pixels
    }
  }

  /// Returns a function that reads the pixel at an offset.
  private static func reader(
    of layout: BitmapLayout
  ) -> (UnsafeRawBufferPointer, Int) -> UInt32 {
    func gray(_ value: UInt8, _ alpha: UInt8) -> UInt32 {
      UInt32(value) * 0x1_0101 | UInt32(alpha) << 24
    }
    func half(_ bytes: UnsafeRawBufferPointer, _ offset: Int) -> UInt8 {
      let word = UInt16(bytes[offset]) | UInt16(bytes[offset + 1]) << 8
      return UInt8(max(0, min(1, HalfFloat.value(word) ?? 0)) * 255 + 0.5)
    }
    switch layout {
    case .bgra8:
      return { bytes, offset in
        UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
      }
    case .ga8: return { bytes, offset in gray(bytes[offset], bytes[offset + 1]) }
    case .ga16: return { bytes, offset in gray(bytes[offset + 1], bytes[offset + 3]) }
    case .ga16Half: return { bytes, offset in gray(half(bytes, offset), half(bytes, offset + 2)) }
    case .rgbw:
      return { bytes, offset in
        let colors = UInt32(half(bytes, offset + 4)) | UInt32(half(bytes, offset + 2)) << 8
        return colors | UInt32(half(bytes, offset)) << 16 | UInt32(half(bytes, offset + 6)) << 24
      }
    }
  }

  /// Returns a pixel; nil outside the picture.
  subscript(x: Int, y: Int) -> UInt32? {
    x < width && y < height ? pixels[y * width + x] : nil
  }

  /// Returns a smaller picture, in which each square of `factor` by `factor` pixels is replaced by
  /// its mean.
  func reduced(by factor: Int) -> PageBitmap {
    if factor == 1 { return self }
    let columns = (width + factor - 1) / factor
    let rows = (height + factor - 1) / factor
    var means: [UInt32] = []
    means.reserveCapacity(columns * rows)
    for row in 0..<rows {
      for column in 0..<columns {
        means.append(mean(left: column * factor, top: row * factor, side: factor))
      }
    }
    return PageBitmap(width: columns, height: rows, means)
  }

  private func mean(left: Int, top: Int, side: Int) -> UInt32 {
    var sums = SIMD4<UInt32>(repeating: 0)
    let (right, bottom) = (min(left + side, width), min(top + side, height))
    for y in top..<bottom {
      for x in left..<right {
        let pixel = pixels[y * width + x]
        sums &+= SIMD4(pixel & 255, pixel >> 8 & 255, pixel >> 16 & 255, pixel >> 24)
      }
    }
    let count = UInt32((right - left) * (bottom - top))
    let means = (sums &+ SIMD4(repeating: count / 2)) / SIMD4(repeating: count)
    return means[0] | means[1] << 8 | means[2] << 16 | means[3] << 24
  }
}

/// Up to three pictures side by side on a checked background.
struct ComparisonSheet {
  private let panels: [PageBitmap]
  private static let gap = 12
  /// The colour of marks: opaque and rare in pictures.
  private static let mark: UInt32 = 0xFFE6_1E99
  /// The longest side of a picture; larger pictures are drawn smaller.
  private static let longestSide = 1024

  init(_ before: PageBitmap?, _ after: PageBitmap?) {
    let all = [before, after].compactMap { $0 }
    let side = all.map { max($0.width, $0.height) }.max() ?? 1
    let factor = (side + ComparisonSheet.longestSide - 1) / ComparisonSheet.longestSide
    let small = all.map { $0.reduced(by: max(1, factor)) }
    guard let before, let after else {
      panels = small
      return
    }
    panels =
      small + [ComparisonSheet.changes(from: before, to: after, small: small[1], factor: factor)]
  }

  /// Returns a picture of the changes: equal parts are faint, and each square with a changed pixel
  /// is marked.
  private static func changes(
    from before: PageBitmap, to after: PageBitmap, small: PageBitmap, factor: Int
  ) -> PageBitmap {
    let (width, height) = (max(before.width, after.width), max(before.height, after.height))
    let columns = (width + factor - 1) / factor
    let rows = (height + factor - 1) / factor
    var marked: [UInt32] = []
    marked.reserveCapacity(columns * rows)
    for row in 0..<rows {
      for column in 0..<columns {
        marked.append(small[column, row].map { $0 >> 2 & 0x3F3F_3F3F } ?? 0)
      }
    }
    for y in 0..<height {
      let row = y / factor * columns
      for x in 0..<width where before[x, y] != after[x, y] { marked[row + x / factor] = mark }
    }
    return PageBitmap(width: columns, height: rows, marked)
  }

  /// All pictures on one opaque background.
  var bitmap: Bitmap {
    let gap = ComparisonSheet.gap
    let width = panels.reduce(gap) { $0 + $1.width + gap }
    let height = (panels.map(\.height).max() ?? 0) + 2 * gap
    let stride = BitmapLayout.bgra8.bytesPerRow(width: width)
    var bytes = [UInt8](repeating: 255, count: stride * height)
    for y in 0..<height {
      for x in 0..<width where (x / 8 + y / 8) % 2 != 0 {
        for channel in 0..<3 { bytes[y * stride + x * 4 + channel] = 232 }
      }
    }
    var left = gap
    for panel in panels {
      ComparisonSheet.draw(panel, at: left, top: gap, into: &bytes, stride: stride)
      left += panel.width + gap
    }
    return Bitmap(
      width: width, height: height, layout: .bgra8, isOpaque: true, isGray: false, pixels: bytes)
  }

  private static func draw(
    _ panel: PageBitmap, at left: Int, top: Int, into bytes: inout [UInt8], stride: Int
  ) {
    for y in 0..<panel.height {
      for x in 0..<panel.width {
        let pixel = panel.pixels[y * panel.width + x]
        let target = (top + y) * stride + (left + x) * 4
        let rest = 255 - Int(pixel >> 24)
        for channel in 0..<3 {
          let behind = (Int(bytes[target + channel]) * rest + 127) / 255
          let own = Int(pixel >> (8 * UInt32(channel)) & 255)
          bytes[target + channel] = UInt8(min(255, own + behind))
        }
      }
    }
  }
}
