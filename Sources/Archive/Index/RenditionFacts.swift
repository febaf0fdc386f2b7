// The facts about a rendition that the index stores. The same code reads them from a rendition's
// block when an archive is written and when an archive without an index is opened, so the index in
// a file and the tables built at open are equal.

/// The facts about one rendition.
package struct RenditionFacts: Sendable {
  package var record = RenditionRecord()
  var layout: RenditionLayout { RenditionLayout(rawValue: record.layout) }
  /// The key of the atlas, for a picture that lies in an atlas.
  package var atlas: RenditionKey? {
    get { atlasKey.first }
    set { atlasKey = newValue.map { [$0] } ?? [] }
  }
  /// At most one key. It is an array because a key takes 64 bytes and few pictures need one.
  private var atlasKey: [RenditionKey] = []

  /// Uses the storage of the other facts for the atlas's key if both keys are equal. Pictures of
  /// one atlas usually come one after the other.
  mutating func share(_ other: RenditionFacts) {
    if atlasKey == other.atlasKey { atlasKey = other.atlasKey }
  }

  /// Creates the facts of a rendition that is neither shown nor returned as data.
  package init() {}

  /// Reads the facts of a block, which may end behind its header and its properties. A block that
  /// cannot be read counts as one with nothing to show.
  package init(block: Bytes) {
    guard let facts = try? RenditionFacts(head: block) else { return }
    self = facts
  }

  private init(head block: Bytes) throws(FormatError) {
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
    record.kinds.scale = UInt8(clamping: header.scaleFactor / 100)
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
    atlas = link?.target
  }

  private mutating func read(
    slices body: Bytes, _ layout: RenditionLayout, _ scale: Float
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
      record.stretch(layout, try Slice.read(body), scale)
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
  fileprivate mutating func stretch(_ layout: RenditionLayout, _ slices: [Slice], _ scale: Float) {
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
    case .threePartHorizontalTile: self.init(.threePartHorizontal, .tile, .stretch)
    case .threePartHorizontalScale: self.init(.threePartHorizontal, .stretch, .stretch)
    case .threePartHorizontalUniform: self.init(.threePartHorizontal, .uniform, .stretch)
    case .threePartVerticalTile: self.init(.threePartVertical, .stretch, .tile)
    case .threePartVerticalScale: self.init(.threePartVertical, .stretch, .stretch)
    case .threePartVerticalUniform: self.init(.threePartVertical, .stretch, .uniform)
    case .ninePartTile: self.init(.ninePart, .tile, .tile)
    case .ninePartScale: self.init(.ninePart, .stretch, .stretch)
    case .ninePartHorizontalUniformVerticalScale: self.init(.ninePart, .uniform, .stretch)
    case .ninePartHorizontalScaleVerticalUniform: self.init(.ninePart, .stretch, .uniform)
    case .ninePartEdgesOnly: self.init(.edgesOnly, .stretch, .stretch)
    default: return nil
    }
  }

  private init(_ mode: SlicingMode, _ across: SlicingFill, _ down: SlicingFill) {
    self.mode = mode
    self.across = across
    self.down = down
  }
}
