// Nine-patches of Android: pictures with a border of one pixel whose black marks state how the
// picture stretches. The border is cut off, and the marks become the slices of a catalogue.

import CatalogModel
import Documents
import Imaging

/// A nine-patch without its border.
struct NinePatch: Sendable {
  /// The picture as a PNG file.
  var file: [UInt8]
  var width: Int
  var height: Int
  var resizing: Resizing
  /// The layout bounds, if red marks state them.
  var insets: Insets?
  /// Whether the picture stretches in several places, of which a catalogue states one.
  var hasSeveralParts = false

  /// The largest number of pixels with the border, so that decoding takes at most some hundred MB.
  /// Screens of phones have a quarter of them.
  static let mostPixels = 1 << 24

  /// Reads a PNG file.
  init(_ bytes: [UInt8]) throws(NinePatchError) {
    let whole = try NinePatch.decode(bytes)
    (width, height) = (whole.width - 2, whole.height - 2)
    let edges = Edges(whole)
    guard let across = edges.marks(\.top), let down = edges.marks(\.left),
      let right = edges.marks(\.right), let bottom = edges.marks(\.bottom),
      let columns = across.stretch(length: width), let rows = down.stretch(length: height),
      var picture = whole.cut(x: 1, y: 1, width: width, height: height)
    else { throw .otherPixels }
    hasSeveralParts = across.black.count > 1 || down.black.count > 1
    resizing = Resizing(
      mode: .ninePart, center: .stretch, centerWidth: Double(columns.count),
      centerHeight: Double(rows.count),
      capInsets: Insets(
        top: Double(rows.lowerBound), left: Double(columns.lowerBound),
        bottom: Double(height - rows.upperBound), right: Double(width - columns.upperBound)))
    if !bottom.red.isEmpty || !right.red.isEmpty {
      insets = Insets(
        top: Double(right.start), left: Double(bottom.start),
        bottom: Double(right.end(height)), right: Double(bottom.end(width)))
    }
    picture.isOpaque = picture.hasFullAlpha
    file = picture.pngFile()
  }

  private static func decode(_ bytes: [UInt8]) throws(NinePatchError) -> Bitmap {
    var decoder = PictureDecoder()
    let options = PictureOptions(maximumPixels: mostPixels, allowsGray: false)
    let decoded = bytes.withUnsafeBytes { bytes in
      Result { () throws(PictureError) in try decoder.decode(bytes, options: options) }
    }
    switch decoded {
    case .success(let whole) where whole.width > 2 && whole.height > 2: return whole
    case .success: throw .noBorder
    case .failure(let error):
      if case .tooLarge(let width, let height, mostPixels) = error.reason {
        throw .tooLarge(width: width, height: height)
      }
      throw .damaged(error)
    }
  }
}

/// The reason why a file is no nine-patch.
enum NinePatchError: Error, Sendable, Equatable {
  case damaged(PictureError)
  case tooLarge(width: Int, height: Int)
  case noBorder
  case otherPixels
}

extension NinePatchError: CustomStringConvertible {
  var description: String {
    switch self {
    case .damaged(let error): "it is damaged: \(error)"
    case .tooLarge(let width, let height):
      "it has \(width) × \(height) pixels, and nine-patches of more than "
        + "\(grouped(NinePatch.mostPixels)) are not read"
    case .noBorder: "it has no pixels inside of a border"
    case .otherPixels: "its border has other pixels than marks"
    }
  }
}

/// The marks on one edge of the border.
private struct Marks {
  /// The ranges of black pixels, which stretch or, at the right and the bottom, hold contents.
  var black: [Range<Int>] = []
  /// The ranges of red pixels, which lie outside of the layout bounds.
  var red: [Range<Int>] = []

  /// Returns the part that stretches: from the first mark to the last one, or the whole length.
  func stretch(length: Int) -> Range<Int>? {
    guard let first = black.first, let last = black.last else { return 0..<length }
    return first.lowerBound..<last.upperBound
  }

  var start: Int { red.first.map { $0.lowerBound == 0 ? $0.count : 0 } ?? 0 }

  func end(_ length: Int) -> Int { red.last.map { $0.upperBound == length ? $0.count : 0 } ?? 0 }
}

private struct Edges {
  private let bitmap: Bitmap

  init(_ bitmap: Bitmap) { self.bitmap = bitmap }

  var top: [Int] { (1..<bitmap.width - 1).map { 4 * $0 } }
  var bottom: [Int] { top.map { $0 + (bitmap.height - 1) * bitmap.bytesPerRow } }
  var left: [Int] { (1..<bitmap.height - 1).map { $0 * bitmap.bytesPerRow } }
  var right: [Int] { left.map { $0 + 4 * (bitmap.width - 1) } }

  /// Returns the marks of an edge; nil if a pixel is neither a mark nor clear.
  func marks(_ edge: KeyPath<Edges, [Int]>) -> Marks? {
    var marks = Marks()
    for (index, offset) in self[keyPath: edge].enumerated() {
      let pixel = bitmap.pixels[offset..<offset + 4]
      if pixel.elementsEqual([0, 0, 0, 255]) {
        Edges.extend(&marks.black, to: index)
      } else if pixel.elementsEqual([0, 0, 255, 255]) {
        Edges.extend(&marks.red, to: index)
      } else if pixel.last != 0, !pixel.allSatisfy({ $0 == 255 }) {
        return nil
      }
    }
    return marks
  }

  private static func extend(_ ranges: inout [Range<Int>], to index: Int) {
    if let last = ranges.last, last.upperBound == index {
      ranges[ranges.count - 1] = last.lowerBound..<index + 1
    } else {
      ranges.append(index..<index + 1)
    }
  }
}
