// Counts the agreement of two archives of the same sources, and prints it as a row of a table.

struct Agreement {
  /// The number of equal or present items, and of all.
  struct Share {
    var same = 0
    var all = 0

    mutating func count(_ isSame: Bool) {
      all += 1
      if isSame { same += 1 }
    }

    mutating func add(_ other: Share) {
      same += other.same
      all += other.all
    }
  }

  private var shares: [String: Share] = [:]
  /// Descriptions of the differences between renditions with the same name and key.
  private(set) var remarks: [String] = []

  private static let columns = [
    "names", "keys", "sizes", "slices", "insets", "flags", "colours", "symbols", "layers", "pixels",
    "frames", "blocks", "atlases",
  ]

  init() {}

  init(ours: Contents, apples: Contents) {
    for name in apples.names { count("names", ours.names.contains(name)) }
    for (place, theirs) in apples.entries {
      let mine = ours.entries[place]
      count("keys", mine != nil)
      if let mine { compare(mine, theirs, place) }
    }
    for (key, theirs) in apples.atlases {
      let mine = ours.atlases[key]
      count("atlases", mine?.block == theirs.block)
      if let mine, mine.block != theirs.block {
        remarks.append("atlas @\(key[.scale])x: " + mine.beside(theirs))
      }
    }
  }

  private mutating func compare(_ mine: Entry, _ theirs: Entry, _ place: Place) {
    let sameSize =
      mine.header.width == theirs.header.width && mine.header.height == theirs.header.height
    count("sizes", sameSize)
    count("slices", mine.slices == theirs.slices)
    count("insets", mine.metrics == theirs.metrics)
    count("flags", mine.header.flags == theirs.header.flags)
    if let color = theirs.color { count("colours", mine.color == color) }
    if let glyph = theirs.glyph { count("symbols", mine.glyph?.agrees(with: glyph) == true) }
    if let layers = theirs.layers { count("layers", mine.layers == layers) }
    if let pixels = theirs.pixels { count("pixels", mine.pixels?.shows(pixels) == true) }
    if let frame = theirs.frame { count("frames", mine.frame == frame) }
    count("blocks", mine.block == theirs.block)
    if mine.block != theirs.block {
      remarks.append("block of \(place.words): " + mine.beside(theirs))
    }
  }

  private mutating func count(_ column: String, _ isSame: Bool) {
    shares[column, default: Share()].count(isSame)
  }

  mutating func add(_ other: Agreement) {
    for (column, share) in other.shares { shares[column, default: Share()].add(share) }
    remarks += other.remarks
  }

  static var heading: String {
    padded("pair", to: 34) + columns.map { padded($0, to: 10) }.joined()
  }

  func row(_ name: String) -> String {
    padded(name, to: 34)
      + Agreement.columns.map { column in
        let share = shares[column] ?? Share()
        return padded(share.all == 0 ? "-" : "\(share.same)/\(share.all)", to: 10)
      }.joined()
  }
}

/// Returns a text with blanks after it, so that it has a width.
func padded(_ text: String, to width: Int) -> String {
  text + String(repeating: " ", count: max(1, width - text.count))
}
