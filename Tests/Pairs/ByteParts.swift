// Divides the bytes of an archive into the parts that hold them, and prints the parts beside those
// of Apple's archive.

import Archive
import ArchiveTools
import Bytes
import Traits

/// The bytes of each part of an archive.
struct ByteParts {
  enum Part: String, CaseIterable {
    /// Bitmaps that are in no atlas, JPEG and HEIF files.
    case pictures
    /// PDF and SVG files, and symbols.
    case vectors
    /// Atlases and the links into them.
    case atlases
    /// Colours, data, tables of icon sizes, stacks.
    case others
    /// Names, keys, the rest of the container.
    case tables
    case index
  }

  /// A rendition, however its archive numbers the sizes of an icon.
  private struct Identity: Hashable {
    var place: Place
    var width: UInt32
    var height: UInt32

    init(_ entry: RenditionEntry, _ name: ByteString?, _ header: CSIHeader) {
      var key = entry.key
      for attribute in [RenditionAttribute.identifier, .dimension1, .dimension2] {
        key[attribute] = 0
      }
      place = Place(facet: releasedName(name?.text ?? ""), key: key)
      width = header.width
      height = header.height
    }
  }

  private(set) var bytes: [Part: Int] = [:]
  /// The bytes that are charged to each rendition.
  private var charges: [Identity: Int] = [:]

  var sum: Int { bytes.values.reduce(0, +) }

  init(_ file: [UInt8]) throws {
    try file.withUnsafeBytes { file in
      let archive = try Archive(file)
      let opened = try OpenedArchive(archive)
      let charged = try opened.charges().bytes
      var blocks: Set<BlockID> = []
      for (number, entry) in try archive.renditions().enumerated() {
        let rendition = try archive.rendition(entry)
        if blocks.insert(entry.block).inserted {
          bytes[Part(rendition), default: 0] += rendition.bytes.count
        }
        let identity = Identity(entry, opened.inventory.name(of: number), rendition.header)
        charges[identity, default: 0] += charged[number]
      }
      bytes[.index] = try archive.store.bytes(named: Archive.indexName)?.count ?? 0
      bytes[.tables] = file.count - sum
    }
  }

  /// Returns the bytes without those of renditions that another archive does not have.
  func sum(inBothWith other: ByteParts) -> Int {
    sum - charges.reduce(0) { $0 + (other.charges[$1.key] == nil ? $1.value : 0) }
  }
}

/// The bytes of archives of Carve beside those of Apple's archives of the same sources.
struct PairedBytes {
  private var ours: [ByteParts.Part: Int] = [:]
  private var apples: [ByteParts.Part: Int] = [:]
  /// The bytes without renditions that only one archive of a pair has: some releases of Apple's
  /// tool write other bitmaps of icons than others.
  private var oursInBoth = 0
  private var applesInBoth = 0

  init() {}

  init(ours: ByteParts, apples: ByteParts) {
    self.ours = ours.bytes
    self.apples = apples.bytes
    oursInBoth = ours.sum(inBothWith: apples)
    applesInBoth = apples.sum(inBothWith: ours)
  }

  mutating func add(_ other: PairedBytes) {
    ours.merge(other.ours, uniquingKeysWith: +)
    apples.merge(other.apples, uniquingKeysWith: +)
    oursInBoth += other.oursInBoth
    applesInBoth += other.applesInBoth
  }

  static var heading: String {
    padded("bytes / Apple's", to: 34)
      + (ByteParts.Part.allCases.map(\.rawValue) + ["all"]).map { padded($0, to: 19) }.joined()
      + "ratio  in both"
  }

  func row(_ name: String) -> String {
    let cells =
      ByteParts.Part.allCases.map { (ours[$0] ?? 0, apples[$0] ?? 0) }
      + [(ours.values.reduce(0, +), apples.values.reduce(0, +))]
    return padded(name, to: 34)
      + cells.map { padded("\($0.0)/\($0.1)", to: 19) }.joined()
      + "\(ratio(cells[cells.count - 1]))  \(ratio((oursInBoth, applesInBoth)))"
  }

  /// Returns the ratio with three decimals.
  private func ratio(_ bytes: (ours: Int, apples: Int)) -> String {
    let thousandths = bytes.ours * 1_000 / max(1, bytes.apples)
    return "\(thousandths / 1_000).\("\(thousandths % 1_000 + 1_000)".dropFirst())"
  }
}

extension ByteParts.Part {
  init(_ rendition: Rendition) {
    switch rendition.header.layout {
    case .atlas, .internalLink: self = .atlases
    case .vector, .symbol: self = .vectors
    case .flattened: self = .pictures
    case let layout where layout.isImage: self = .pictures
    default: self = .others
    }
  }
}
