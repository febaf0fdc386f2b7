// The facts about a rendition that the index stores. The same code reads them from a rendition's
// block when an archive is written and when an archive without an index is opened, so the index in
// a file and the tables built at open are equal.

/// The facts about one rendition.
package struct RenditionFacts: Sendable {
  package var record = RenditionRecord()
  var layout: RenditionLayout { RenditionLayout(rawValue: record.layout) }
  /// Creates the facts of a rendition that is neither shown nor returned as data.
  package init() {}

  /// Reads the facts of a block, which may end after its header and its properties. A block that
  /// cannot be read counts as one with nothing to show.
  package init(block: FileBytes) {
    guard let facts = try? RenditionFacts(head: block) else { return }
    self = facts
  }

  private init(head block: FileBytes) throws(FormatError) {
    let rendition = try Rendition(unnamedHead: block)
    let header = rendition.header
    let bodies = try rendition.describingBodies()
    let link =
      header.layout == .internalLink
      ? try bodies.link.map { (body) throws(FormatError) in try InternalLink(body) } : nil
    record.flags = header.flags.rawValue
    record.layout = header.layout.rawValue
    record.pixelWidth = header.width
    record.pixelHeight = header.height
    // The block can state any number, and a reader of the index takes at most 3.
    record.kinds.scale = UInt8(min(header.scaleFactor / 100, 3))
    record.kinds.content = RenditionFacts.content(of: header).rawValue
    record.kinds.templateIntent =
      header.flags.contains(.template) ? 2 : header.flags.contains(.automatic) ? 0 : 1
    record.kinds.preservesVector = header.flags.contains(.preservesVector) ? 1 : 0
    let scale = Float(max(1, record.kinds.scale))
    if let body = bodies.slices { try read(slices: body, link?.layout ?? header.layout, scale) }
    if let body = bodies.metrics, let metrics = try Metrics.first(body) {
      record.insets.top = Float(metrics.top) / scale
      record.insets.left = Float(metrics.left) / scale
      record.insets.bottom = Float(metrics.bottom) / scale
      record.insets.right = Float(metrics.right) / scale
    }
  }

  private mutating func read(
    slices body: FileBytes, _ layout: RenditionLayout, _ scale: Float
  ) throws(FormatError) {
    let count = try RenditionProperty.recordCount(body, size: Slice.Record.size, "slices")
    // Pictures that are stored as files have no size in the header. Their slices reach from edge to
    // edge, so the slices give the size.
    if record.pixelWidth == 0, record.pixelHeight == 0 {
      for base in stride(from: 4, to: 4 + count * Slice.Record.size, by: Slice.Record.size) {
        let right =
          Int(body.trusted(Slice.Record.x, at: base))
          + Int(body.trusted(Slice.Record.width, at: base))
        let top =
          Int(body.trusted(Slice.Record.y, at: base))
          + Int(body.trusted(Slice.Record.height, at: base))
        record.pixelWidth = max(record.pixelWidth, UInt32(clamping: right))
        record.pixelHeight = max(record.pixelHeight, UInt32(clamping: top))
      }
    }
    // No style has more parts than this. The limit bounds the work, because any number of keys may
    // share one block.
    if count > 1, count <= SlicingStyle.mostParts {
      record.stretch(layout, slices: try Slice.read(body), scale: scale)
    }
  }

  private static func content(of header: CSIHeader) -> RenditionContent {
    switch header.layout {
    case .color: return .color
    case .data: return .data
    case .thinningPlaceholder: return .nothing
    case .internalLink: return .atlasLink
    case .vector, .symbol: return header.pixelFormat == .pdf ? .pdf : .svg
    case .atlas, .flattened: break
    default: if !header.layout.isImage { return .other }
    }
    switch header.pixelFormat {
    case .jpeg: return .jpeg
    case .heif: return .heif
    case .pdf: return .pdf
    case .svg: return .svg
    default: return header.pixelFormat.bytesPerPixel == nil ? .other : .bitmap
    }
  }
}

extension RenditionRecord {
  /// Sets the numbers by which the picture stretches. Changes nothing for a picture that is
  /// stretched as a whole.
  fileprivate mutating func stretch(_ layout: RenditionLayout, slices: [Slice], scale: Float) {
    guard let style = SlicingStyle(layout), slices.count == style.parts else { return }
    kinds.slicing = style.mode.rawValue
    kinds.across = style.across.rawValue
    kinds.down = style.down.rawValue
    let center = slices[style.parts / 2]
    centerWidth = Float(center.width) / scale
    centerHeight = Float(center.height) / scale
    switch style.mode {
    case .threePartHorizontal:
      caps.left = Float(slices[0].width) / scale
      caps.right = Float(slices[2].width) / scale
    case .threePartVertical:
      caps.top = Float(slices[0].height) / scale
      caps.bottom = Float(slices[2].height) / scale
    case .ninePart, .edgesOnly:
      caps.top = Float(slices[0].height) / scale
      caps.left = Float(slices[0].width) / scale
      caps.bottom = Float(slices[8].height) / scale
      caps.right = Float(slices[8].width) / scale
    }
  }
}

/// The way in which a layout with several parts stretches.
struct SlicingStyle {
  var mode: SlicingMode
  var across: SlicingFill
  var down: SlicingFill

  static let mostParts = 9

  /// The number of parts: three (first, middle, last) or nine (row by row from the top).
  var parts: Int { mode == .threePartHorizontal || mode == .threePartVertical ? 3 : 9 }

  init?(_ layout: RenditionLayout) {
    switch layout {
    case .threePartHorizontalTile: self.init(.threePartHorizontal, across: .tile, down: .stretch)
    case .threePartHorizontalScale:
      self.init(.threePartHorizontal, across: .stretch, down: .stretch)
    case .threePartHorizontalUniform:
      self.init(.threePartHorizontal, across: .uniform, down: .stretch)
    case .threePartVerticalTile: self.init(.threePartVertical, across: .stretch, down: .tile)
    case .threePartVerticalScale: self.init(.threePartVertical, across: .stretch, down: .stretch)
    case .threePartVerticalUniform: self.init(.threePartVertical, across: .stretch, down: .uniform)
    case .ninePartTile: self.init(.ninePart, across: .tile, down: .tile)
    case .ninePartScale: self.init(.ninePart, across: .stretch, down: .stretch)
    case .ninePartHorizontalUniformVerticalScale:
      self.init(.ninePart, across: .uniform, down: .stretch)
    case .ninePartHorizontalScaleVerticalUniform:
      self.init(.ninePart, across: .stretch, down: .uniform)
    case .ninePartEdgesOnly: self.init(.edgesOnly, across: .stretch, down: .stretch)
    default: return nil
    }
  }

  private init(_ mode: SlicingMode, across: SlicingFill, down: SlicingFill) {
    self.mode = mode
    self.across = across
    self.down = down
  }
}

// MARK: - Facts that an index states

// The facts about renditions that the index of an archive states. With them, a caller does not have
// to read every block. The index is used only if it describes these trees and its checksum is
// right. All other facts are read from the blocks.

/// The facts about the entries of an archive. The caller keeps the archive's bytes alive and
/// unchanged.
package struct IndexedFacts: Sendable {
  private let index: IndexReader?
  /// For each row, the number of its record plus 1; 0 if the block of the entry has
  /// to be read.
  private var records: [UInt32]

  package init(of archive: Archive, _ entries: RenditionTable) {
    records = Array(repeating: 0, count: entries.count)
    index = IndexIdentity.index(in: archive.store).flatMap { index in
      (try? IndexReader.validateChecksum(of: index.bytes)) == nil ? nil : index
    }
    if let index { find(entries, in: index, blocks: archive.store.capacity) }
  }

  private mutating func find(_ entries: RenditionTable, in index: IndexReader, blocks: Int) {
    // For each block, the number of a record about it plus 1. All records about a block are equal.
    var recordOfBlock = [UInt32](repeating: 0, count: blocks)
    for number in 0..<index.renditionCount {
      if let block = index.block(of: number), block < blocks {
        recordOfBlock[block] = UInt32(number) + 1
      }
    }
    for row in entries.indices {
      let number = recordOfBlock[Int(entries.block(at: row).number)]
      // A record without a layout belongs to a block that could not be read.
      if number != 0, let record = index.record(of: Int(number) - 1), record.layout != 0 {
        records[row] = number
      }
    }
  }

  private func record(_ row: Int) -> RenditionRecord? {
    records[row] == 0 ? nil : index?.record(of: Int(records[row]) - 1)
  }

  /// Returns the facts about some of the entries, in the order of `rows`.
  package func selecting(_ rows: [Int]) -> IndexedFacts {
    var copy = self
    copy.records = rows.map { records[$0] }
    return copy
  }

  /// Returns whether the facts about the entry of a row are known without its block.
  func isKnown(_ row: Int) -> Bool { records[row] != 0 }

  /// Returns the outline of the entry of a row; nil if its block has to be read.
  func outline(_ row: Int) -> RenditionOutline? {
    record(row).map { record in
      RenditionOutline(
        flags: RenditionFlags(rawValue: record.flags),
        layout: RenditionLayout(rawValue: record.layout))
    }
  }

  /// Returns all facts about the entry of a row; nil if its block has to be read.
  func facts(_ row: Int) -> RenditionFacts? {
    record(row).map { record in
      var facts = RenditionFacts()
      facts.record = record
      return facts
    }
  }
}

extension Archive {
  /// Returns the outlines of all entries. An outline is read from the block of the entry if the
  /// facts do not contain it.
  package func outlines(
    of entries: RenditionTable, _ facts: IndexedFacts?
  ) throws(FormatError) -> [RenditionOutline] {
    var outlines: [RenditionOutline] = []
    outlines.reserveCapacity(entries.count)
    guard let facts else {
      for row in entries.indices { outlines.append(try outline(entries[row])) }
      return outlines
    }
    for row in entries.indices {
      if let known = facts.outline(row) {
        outlines.append(known)
      } else {
        outlines.append(try outline(entries[row]))
      }
    }
    return outlines
  }
}
