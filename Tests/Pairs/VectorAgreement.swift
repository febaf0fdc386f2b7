// Compares the bitmaps of vectors in two archives of the same sources: their slots, their fields,
// and their pixels by the kind of drawing.

import Archive
import Traits
import Vectors

struct VectorAgreement {
  private var shares: [String: Agreement.Share] = [:]
  private(set) var comparisons: [Comparison] = []
  /// Descriptions of the bitmaps that are missing or differ.
  private(set) var remarks: [String] = []
  /// The number of slots of symbol sets, which are not compared.
  private var symbols = 0

  /// Whether the other archive has a format for grey pixels. Older tools stored grey pictures in
  /// colour.
  private var storesGrays = true

  private static let columns = ["slots", "sizes", "slices", "flags", "formats"]

  init() {}

  init(ours: Contents, apples: Contents) {
    storesGrays = apples.coreUIVersion >= 489
    for (place, theirs) in apples.entries.sorted(by: { $0.key.words < $1.key.words })
    where theirs.header.flags.contains(.vector) && theirs.header.layout != .vector {
      if place.key[.glyphWeight] != 0 {
        symbols += 1
      } else if let mine = ours.entries[place] {
        count("slots", true, place)
        compare(mine, theirs, place, ours)
      } else {
        count("slots", false, place)
      }
    }
  }

  private mutating func compare(
    _ mine: Entry, _ theirs: Entry, _ place: Place, _ ours: Contents
  ) {
    let isSameSize =
      mine.header.width == theirs.header.width && mine.header.height == theirs.header.height
    count("sizes", isSameSize, place)
    count("slices", mine.slices == theirs.slices, place)
    count("flags", mine.header.flags == theirs.header.flags, place)
    if storesGrays { count("formats", mine.header.pixelFormat == theirs.header.pixelFormat, place) }
    guard isSameSize, let (drawing, source) = ours.vector(beside: place),
      let ours = mine.pixels?.words, let apples = theirs.pixels?.words
    else { return }
    let (width, height) = (Int(mine.header.width), Int(mine.header.height))
    comparisons.append(
      Comparison(
        name: place.facet, kind: kind(of: drawing, source, Double(width) / drawing.width),
        scale: Int(place.key[.scale]), width: width, height: height, ours: ours, apples: apples))
  }

  private mutating func count(_ column: String, _ isSame: Bool, _ place: Place) {
    shares[column, default: Agreement.Share()].count(isSame)
    if !isSame { remarks.append("\(column) differ: \(place.words)") }
  }

  mutating func add(_ other: VectorAgreement) {
    for (column, share) in other.shares { shares[column, default: Agreement.Share()].add(share) }
    comparisons += other.comparisons
    remarks += other.remarks
    symbols += other.symbols
  }

  var line: String {
    VectorAgreement.columns.map { column in
      let share = shares[column] ?? Agreement.Share()
      return "\(column) \(share.same)/\(share.all)"
    }.joined(separator: ", ") + (symbols > 0 ? "; without \(symbols) of symbol sets" : "")
  }
}

extension Contents {
  /// Returns the vector of a bitmap, if it is kept.
  fileprivate func vector(beside place: Place) -> (Drawing, PagePlacement.Source)? {
    for (part, scale) in [(Part.regular, 0), (Part.vector, 1), (Part.vector, 0)]
      as [(UInt16, UInt16)]
    {
      var vector = place
      vector.key[.part] = part
      vector.key[.scale] = scale
      guard let file = entries[vector]?.vector else { continue }
      return try? VectorFile.read(file)
    }
    return nil
  }
}
