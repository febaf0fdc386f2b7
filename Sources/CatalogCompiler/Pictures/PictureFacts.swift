// The facts about a decoded picture that its block, the cache and objects state.

import CatalogModel
import Imaging

/// The facts about a decoded picture that its block states, independent of its name.
struct PictureFacts: Sendable, Hashable {
  private var sizes: Sizes
  var layout: BitmapLayout
  var isOpaque: Bool
  var hasWiderSource: Bool
  @BoxedOptional private var unusual: DrawnFacts? = nil

  /// The sizes in few bytes, because tens of thousands of small pictures can wait for their atlas.
  private struct Sizes: Hashable {
    var width: UInt32
    var height: UInt32
    var bytesPerRow: UInt32
  }

  var width: Int { Int(sizes.width) }
  var height: Int { Int(sizes.height) }
  var bytesPerRow: Int { Int(sizes.bytesPerRow) }

  /// The facts about a vector's bitmap: the columns and rows that rounding the size up has added,
  /// and the features that it does not show.
  var drawn: DrawnFacts {
    get { unusual ?? DrawnFacts() }
    set { unusual = newValue == DrawnFacts() ? nil : newValue }
  }

  static let mostPixels = 1 << 28

  init(
    width: Int, height: Int, layout: BitmapLayout, bytesPerRow: Int? = nil, isOpaque: Bool,
    hasWiderSource: Bool = false
  ) {
    // No decoder makes larger pictures.
    sizes = Sizes(
      width: UInt32(clamping: width), height: UInt32(clamping: height),
      bytesPerRow: UInt32(clamping: bytesPerRow ?? layout.bytesPerRow(width: width)))
    self.layout = layout
    self.isOpaque = isOpaque
    self.hasWiderSource = hasWiderSource
  }

  /// Creates the facts that a file of a cache or an object states; nil for sizes that no decoder
  /// gives. Callers allocate memory for these sizes.
  init?(
    stored width: Int, _ height: Int, layout: UInt8?, bytesPerRow: Int, isOpaque: Bool,
    hasWiderSource: Bool
  ) {
    let sides = 1...1 << 20
    guard let layout = layout.flatMap(BitmapLayout.init), sides.contains(width),
      sides.contains(height), width * height <= PictureFacts.mostPixels,
      [layout.bytesPerRow(width: width), width * layout.bytesPerPixel].contains(bytesPerRow)
    else { return nil }
    self.init(
      width: width, height: height, layout: layout, bytesPerRow: bytesPerRow, isOpaque: isOpaque,
      hasWiderSource: hasWiderSource)
  }

  init(_ bitmap: Bitmap) {
    self.init(
      width: bitmap.width, height: bitmap.height, layout: bitmap.layout,
      bytesPerRow: bitmap.bytesPerRow, isOpaque: bitmap.isOpaque,
      hasWiderSource: bitmap.hasWiderSource)
  }
}

extension Bitmap {
  init(_ facts: PictureFacts, _ pixels: [UInt8]) {
    self.init(
      width: facts.width, height: facts.height, layout: facts.layout,
      bytesPerRow: facts.bytesPerRow, isOpaque: facts.isOpaque, isGray: facts.layout.isGray,
      hasWiderSource: facts.hasWiderSource, pixels: pixels)
  }
}
