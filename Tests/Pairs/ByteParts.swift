// Divides the bytes of an archive into the parts that hold them, and prints the parts beside those
// of Apple's archive.

import Archive

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

  private var bytes: [Part: Int] = [:]

  private var sum: Int { bytes.values.reduce(0, +) }

  init() {}

  init(_ file: [UInt8]) throws {
    try file.withUnsafeBytes { file in
      let archive = try Archive(file)
      var blocks: Set<BlockID> = []
      for entry in try archive.renditions() where blocks.insert(entry.block).inserted {
        let rendition = try archive.rendition(entry)
        bytes[Part(rendition), default: 0] += rendition.bytes.count
      }
      bytes[.index] = try archive.store.bytes(named: Archive.indexName)?.count ?? 0
      bytes[.tables] = file.count - sum
    }
  }

  mutating func add(_ other: ByteParts) { bytes.merge(other.bytes, uniquingKeysWith: +) }

  static var heading: String {
    padded("bytes / Apple's", to: 34)
      + (Part.allCases.map(\.rawValue) + ["all"]).map { padded($0, to: 19) }.joined() + "ratio"
  }

  func row(_ name: String, beside apples: ByteParts) -> String {
    let cells = Part.allCases.map { (bytes[$0] ?? 0, apples.bytes[$0] ?? 0) }
    let thousandths = sum * 1_000 / max(1, apples.sum)
    let rest = "\(thousandths % 1_000 + 1_000)".dropFirst()
    return padded(name, to: 34)
      + (cells + [(sum, apples.sum)]).map { padded("\($0.0)/\($0.1)", to: 19) }.joined()
      + "\(thousandths / 1_000).\(rest)"
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
