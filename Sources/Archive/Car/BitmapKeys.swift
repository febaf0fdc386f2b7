// The tree BITMAPKEYS: for every identifier and key column, a mask of the values that the
// renditions of the identifier use. Apple's run time reads the mask before it looks for keys, so a
// mask must never lack a bit.

/// The masks of all identifiers.
struct BitmapKeys {
  /// The identifiers in ascending order.
  private(set) var identifiers: [UInt32] = []
  private let columns: [RenditionAttribute]
  private var masks: [UInt32] = []

  enum Record {
    static let version = Field<UInt32>(0)
    static let reserved = Field<UInt32>(4)
    /// The number of bytes that follow this field.
    static let length = Field<UInt32>(8)
    static let count = Field<UInt32>(12)
    static let size = 16
    static let mask = Field<UInt32>(0)
    static let maskSize = 4
    static let members: [any RecordMember] = [version, reserved, length, count]
  }

  static let nodeSize = TreeStyle.smallNodeSize
  static let everything = UInt32.max

  /// Computes the masks of the identifiers for which `included` returns true.
  init(
    _ keys: some Sequence<RenditionKey>, format: KeyFormat, includes included: (UInt16) -> Bool
  ) {
    columns = format.columns
    var rows = [Int32](repeating: -1, count: Int(UInt16.max) + 1)
    var present = [UInt16]()
    for key in keys where rows[Int(key.identifier)] < 0 && included(key.identifier) {
      rows[Int(key.identifier)] = 0
      present.append(key.identifier)
    }
    present.sort()
    for (row, identifier) in present.enumerated() { rows[Int(identifier)] = Int32(row) }
    identifiers = present.map { UInt32($0) }
    masks = Array(repeating: 0, count: present.count * columns.count)
    let width = columns.count
    let (open, full) = BitmapKeys.split(columns)
    masks.withUnsafeMutableBufferPointer { masks in
      for row in present.indices {
        for index in full { masks[row * width + index] = BitmapKeys.everything }
      }
      var bits = open.map { BitmapKeys.bit(of: 0, in: $0.1) }
      var last = RenditionKey()
      let decisive = RenditionKey.bits(exceptIn: [.identifier])
      for key in keys where rows[Int(key.identifier)] >= 0 {
        let base = Int(rows[Int(key.identifier)]) * width
        // The masks do not depend on the identifier, and keys that differ only in the identifier
        // usually follow one another.
        if !key.agrees(with: last, in: decisive) {
          bits = open.map { BitmapKeys.bit(of: key[$0.1], in: $0.1) }
          last = key
        }
        for (bit, (index, _)) in open.enumerated() { masks[base + index] |= bits[bit] }
      }
    }
  }

  /// Returns the columns whose masks distinguish values, and the columns whose masks are always
  /// full.
  private static func split(
    _ columns: [RenditionAttribute]
  ) -> (open: [(Int, RenditionAttribute)], full: [Int]) {
    let numbered = Array(columns.enumerated())
    let full = numbered.filter { _, column in
      bit(of: 0, in: column) == everything && bit(of: 1, in: column) == everything
    }
    return (
      numbered.filter { column in !full.contains { $0.offset == column.offset } }.map {
        ($0.offset, $0.element)
      }, full.map(\.offset)
    )
  }

  /// Returns the bit of a value in a column; all bits if the mask of the column does not
  /// distinguish values.
  static func bit(of value: UInt16, in column: RenditionAttribute) -> UInt32 {
    switch column {
    case .element, .part, .value, .appearance, .identifier, .previousValue: everything
    case .localization: value == 0 ? 1 : 2
    // The bits that Apple's tool uses for other subtypes are not known. A full mask hides no
    // rendition.
    case .subtype: value == 0 ? 1 : value == 1792 ? 1 << 16 : everything
    default: 1 << UInt32(value % 32)
    }
  }

  /// The length of an identifier's block.
  var blockLength: Int { Record.size + Record.maskSize * columns.count }

  /// Writes the block of an identifier into memory that is filled with zeros.
  func store(_ index: Int, in block: UnsafeMutableRawBufferPointer) {
    block.store(1, Record.version)
    block.store(UInt32(4 + 4 * columns.count), Record.length)
    block.store(UInt32(columns.count), Record.count)
    for column in 0..<columns.count {
      block.store(
        masks[index * columns.count + column], Record.mask,
        at: Record.size + column * Record.maskSize)
    }
  }

  /// Returns the masks of an identifier, one for each column.
  func masks(at index: Int) -> ArraySlice<UInt32> {
    masks[index * columns.count..<(index + 1) * columns.count]
  }
}
