// The blocks of an archive that hold the pixels of each file. With them, the pixels can be replaced
// if a file changes and nothing else does. Bitmaps of vectors are included, because an atlas that
// is made again needs all its pictures. Scaled-down pictures and compositions are not included.

import Archive
import Bytes
import CatalogModel
import Codecs
import Imaging
import Traits

/// The place of a file's pixels in one gamut.
struct PixelPlace: Sendable {
  /// The number of the path.
  var path: Int
  var gamut: Gamut
  var demands: BitmapDemands
  var facts: PictureFacts
  /// The scale at which a vector is drawn; nil for pictures that have pixels.
  var drawingScale: DrawingScale?
  /// The block of the picture, or of its atlas.
  var block: BlockID
  /// The place in the atlas, from the left and from the bottom; nil if the picture is in no atlas.
  var frame: (x: Int, y: Int)?
  /// Whether the file has uses besides those that have a place.
  var isUsedElsewhere = false
}

/// An atlas. Each of its pictures has a `PixelPlace`.
struct PixelAtlas: Sendable {
  var block: BlockID
  var demands: BitmapDemands
  var facts: PictureFacts
}

package struct PixelPlaces: Sendable {
  private var numbers = PathNumbers()
  private var places: [UInt32] = []
  private var atlases: [UInt32] = []
  /// The paths of files that are used for other renditions, too.
  private var usedElsewhere: Set<ByteString>
  /// The blocks that also hold pictures without a place.
  private var mixedBlocks: Set<UInt32> = []

  init(of plan: RenditionPlan) {
    usedElsewhere = Set(
      plan.renditions.lazy.filter { !$0.isPlainPicture }.flatMap(\.content.readFiles).map(\.path))
  }

  mutating func add(
    _ planned: PlannedRendition, _ facts: PictureFacts?, _ demands: BitmapDemands,
    in block: BlockID, at frame: (x: Int, y: Int)? = nil
  ) {
    guard let facts, let processing = planned.processing, processing.reduction == nil,
      let path = planned.source?.path
    else {
      mixedBlocks.insert(block.number)
      return
    }
    places +=
      PixelPlace(
        path: numbers.number(of: path), gamut: planned.key.gamut, demands: demands, facts: facts,
        drawingScale: processing.drawingScale, block: block, frame: frame
      ).words
  }

  mutating func add(atlas: PictureFacts, _ demands: BitmapDemands, in block: BlockID) {
    atlases += PixelAtlas(block: block, demands: demands, facts: atlas).words
  }

  /// Returns the places as a record stores them. `row` returns the row of a path, and `archive` is
  /// the row of the archive.
  func stored(archive: Int, _ row: (ByteString) -> Int?) -> [UInt32] {
    let size = PixelPlace.size
    var words = [
      UInt32(archive), UInt32(places.count / size), UInt32(atlases.count / size), 0,
    ]
    let first = words.count
    words += places
    let paths = numbers.paths
    let rows = paths.map { row($0) }
    let shared = pathsOfSharedPixels
    for place in stride(from: first, to: words.count, by: size) {
      let path = Int(words[place])
      let isMixed = mixedBlocks.contains(words[place + 1])
      words[place] = rows[path].flatMap { UInt32(exactly: $0) } ?? .max
      if isMixed || shared.contains(path) || usedElsewhere.contains(paths[path]) {
        words[place + 7] |= PixelPlace.elsewhere
      }
    }
    return words + atlases
  }

  /// The numbers of the paths whose pixels are also those of another file, because both have the
  /// same contents. They differ as soon as one of the files changes.
  private var pathsOfSharedPixels: Set<Int> {
    struct Pixels: Hashable {
      var block, x, y: UInt32
    }
    var first = [Pixels: UInt32](minimumCapacity: places.count / PixelPlace.size)
    var shared: Set<Int> = []
    for place in stride(from: 0, to: places.count, by: PixelPlace.size) {
      let path = places[place]
      let pixels = Pixels(block: places[place + 1], x: places[place + 2], y: places[place + 3])
      guard let other = first.updateValue(path, forKey: pixels), other != path else { continue }
      shared.formUnion([Int(path), Int(other)])
    }
    return shared
  }
}

extension PlannedContent {
  /// Every file that is read for the content.
  fileprivate var readFiles: [SourceFile] {
    if case .stack(let stack) = self { return stack.sizedBy.map(\.file) }
    return files ?? []
  }
}

// MARK: - Numbers in records

extension PixelPlace {
  static let size = 8
  fileprivate static let noFrame = UInt32.max
  fileprivate static let elsewhere: UInt32 = 1 << 13

  var words: [UInt32] {
    let scale = drawingScale.map { UInt32($0.bitmap) << 16 | UInt32($0.slot) << 24 } ?? 0
    let bits = facts.bits | demands.bits | UInt32(gamut.rawValue) << 12 | scale
    return [
      UInt32(path), block.number, frame.map { UInt32($0.x) } ?? PixelPlace.noFrame,
      frame.map { UInt32($0.y) } ?? PixelPlace.noFrame, UInt32(facts.width),
      UInt32(facts.height), UInt32(facts.bytesPerRow),
      bits | (isUsedElsewhere ? PixelPlace.elsewhere : 0),
    ]
  }

  /// Reads a place; nil if the numbers are not valid.
  init?(_ words: ArraySlice<UInt32>) {
    let words = Array(words)
    let bits = words[7]
    guard let facts = PictureFacts(words), let gamut = Gamut(rawValue: UInt8(bits >> 12 & 1)) else {
      return nil
    }
    self.init(
      path: Int(words[0]), gamut: gamut, demands: BitmapDemands(bits: bits), facts: facts,
      drawingScale: bits >> 16 == 0
        ? nil : DrawingScale(bitmap: UInt8(bits >> 16 & 0xFF), slot: UInt8(bits >> 24)),
      block: BlockID(words[1]),
      frame: words[2] == PixelPlace.noFrame ? nil : (Int(words[2]), Int(words[3])),
      isUsedElsewhere: bits & PixelPlace.elsewhere != 0)
  }
}

extension PixelAtlas {
  fileprivate var words: [UInt32] {
    [
      0, block.number, 0, 0, UInt32(facts.width), UInt32(facts.height), UInt32(facts.bytesPerRow),
      facts.bits | demands.bits,
    ]
  }

  init?(_ words: ArraySlice<UInt32>) {
    let words = Array(words)
    guard let facts = PictureFacts(words) else { return nil }
    self.init(block: BlockID(words[1]), demands: BitmapDemands(bits: words[7]), facts: facts)
  }
}

extension PictureFacts {
  fileprivate var bits: UInt32 {
    UInt32(layout.rawValue) | (isOpaque ? 1 << 8 : 0) | (hasWiderSource ? 1 << 9 : 0)
  }

  /// Reads the facts of a picture from the numbers of its place.
  fileprivate init?(_ words: [UInt32]) {
    self.init(
      stored: Int(words[4]), Int(words[5]), layout: UInt8(words[7] & 0xFF),
      bytesPerRow: Int(words[6]), isOpaque: words[7] >> 8 & 1 == 1,
      hasWiderSource: words[7] >> 9 & 1 == 1)
  }
}

extension BitmapDemands {
  fileprivate var bits: UInt32 { (isIcon ? 1 << 10 : 0) | (isExact ? 1 << 11 : 0) }

  fileprivate init(bits: UInt32) {
    self.init(isIcon: bits >> 10 & 1 == 1, isExact: bits >> 11 & 1 == 1)
  }
}

/// The places as a record stores them, with rows of the record in place of the numbers of paths.
/// Numbers of blocks are not checked.
struct StoredPlaces {
  let archive: Int
  private let words: [UInt32]
  private let count: Int

  /// Reads the places; nil if the count of the numbers is wrong.
  init?(_ words: [UInt32]) {
    guard words.count >= 4 else { return nil }
    count = Int(words[1])
    let size = PixelPlace.size * (count + Int(words[2]))
    guard words.count == 4 + size else { return nil }
    (archive, self.words) = (Int(words[0]), words)
  }

  private func row(_ number: Int) -> ArraySlice<UInt32> {
    words[4 + PixelPlace.size * number..<4 + PixelPlace.size * (number + 1)]
  }

  /// All places that are valid.
  var all: [PixelPlace] { (0..<count).compactMap { PixelPlace(row($0)) } }

  /// Returns the places of the files in these rows; nil if one of the files has another use.
  func places(of rows: Set<Int>) -> [PixelPlace]? {
    var found: [PixelPlace] = []
    for number in 0..<count where rows.contains(Int(words[4 + PixelPlace.size * number])) {
      guard let place = PixelPlace(row(number)), !place.isUsedElsewhere else { return nil }
      found.append(place)
    }
    return Set(found.map(\.path)) == rows ? found : nil
  }

  /// Returns all pictures in an atlas, in the order in which they are drawn.
  func places(in atlas: BlockID) -> [PixelPlace] {
    (0..<count).compactMap { number in
      guard words[5 + PixelPlace.size * number] == atlas.number else { return nil }
      return PixelPlace(row(number))
    }
  }

  func atlas(_ block: BlockID) -> PixelAtlas? {
    for number in count..<(words.count - 4) / PixelPlace.size
    where words[5 + PixelPlace.size * number] == block.number {
      return PixelAtlas(row(number))
    }
    return nil
  }
}
