// XML as a flat tree: the elements, and the attributes whose names have a meaning in SVG. External
// entities are never read; internal entities are expanded up to a limit.

import Bytes
import Codecs

/// A range of the text of a document.
struct ByteRange: Equatable {
  var start: Int32
  var end: Int32

  init(_ start: Int, _ end: Int) {
    self.start = Int32(truncatingIfNeeded: start)
    self.end = Int32(truncatingIfNeeded: end)
  }

  static let none = ByteRange(0, 0)

  var isEmpty: Bool { start >= end }
  var range: Range<Int> { Int(start)..<Int(end) }
}

struct Markup {
  struct Node {
    var element: ElementName
    /// The name as written, without its prefix.
    var name: ByteRange
    var parent: Int32
    var firstChild: Int32 = -1
    var next: Int32 = -1
    var attributes: Span
  }

  struct Attribute {
    var name: AttributeName
    var value: ByteRange
  }

  /// The document, followed by the texts in which entities were replaced.
  var text: [UInt8]
  var nodes: [Node] = []
  var attributes: [Attribute] = []
  /// The contents of style elements.
  var styles: [ByteRange] = []
  /// Whether the document uses an entity that contains elements, which are not drawn.
  var hasEntityWithMarkup = false

  init(_ document: [UInt8], _ budget: Budget) throws(VectorError) {
    // Places in the text are stored as 32-bit numbers.
    guard document.count < 1 << 30 else { throw .malformed(.notSVG, offset: 1 << 30) }
    budget.spend(.lexedBytes, 2 * document.count)
    try budget.checkVector()
    text = SVG.utf8(try SVG.unpacked(document, budget))
    var reader = MarkupReader(self, budget)
    try reader.read()
    self = reader.markup
    guard let root = nodes.first, root.element == .svg else { throw .malformed(.notSVG, offset: 0) }
  }
}

extension SVG {
  /// Returns the document, decompressed if it is a gzip file.
  static func unpacked(_ document: [UInt8], _ budget: Budget) throws(VectorError) -> [UInt8] {
    guard document.starts(with: [0x1F, 0x8B]), document.count > 18 else { return document }
    // The last four bytes of a gzip file hold the size of its contents. Deflate expands a byte to
    // at most 1,032 bytes.
    let size = document.suffix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
    guard size <= document.count * 1_032 else { throw .malformed(.badStream, offset: 0) }
    budget.spend(.decompressedBytes, size)
    budget.borrow(.decompressedBytes, bytes: size)
    try budget.checkVector()
    var text = [UInt8](repeating: 0, count: size)
    let written: Int? = text.withUnsafeMutableBytes { room in
      document.withUnsafeBytes { try? Inflate.decode($0, wrapper: .gzip, into: room) }
    }
    guard written == size else { throw .malformed(.badStream, offset: 0) }
    return text
  }

  /// Returns the text as UTF-8. A text in UTF-16 begins with a byte order mark, or with `<` and a
  /// zero byte.
  package static func utf8(_ text: [UInt8]) -> [UInt8] {
    let isLittle = text.starts(with: [0xFF, 0xFE]) || text.starts(with: [0x3C, 0])
    let isBig = text.starts(with: [0xFE, 0xFF]) || text.starts(with: [0, 0x3C])
    guard isLittle || isBig else { return text }
    let first = text[0] >= 0xFE ? 2 : 0
    var result: [UInt8] = []
    result.reserveCapacity(text.count)
    let units = stride(from: first, to: text.count - 1, by: 2).lazy.map { place -> UInt16 in
      let (one, two) = (UInt16(text[place]), UInt16(text[place + 1]))
      return isBig ? one << 8 | two : two << 8 | one
    }
    _ = transcode(
      units.makeIterator(), from: UTF16.self, to: UTF8.self, stoppingOnError: false,
      into: { result.append($0) })
    return result
  }
}
