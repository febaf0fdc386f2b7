// XML as a flat tree: elements and the attributes whose names mean something in SVG. External entities
// are never read; internal ones are expanded, up to a limit.

import Bytes

/// A part of the text of a document.
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
    /// As written, without its prefix.
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

  /// The document, and behind it texts in which entities were replaced.
  var text: [UInt8]
  var nodes: [Node] = []
  var attributes: [Attribute] = []
  /// What style elements hold.
  var styles: [ByteRange] = []

  init(_ document: [UInt8], _ budget: Budget) throws(VectorError) {
    // Places in the text are numbers of 32 bits.
    guard document.count < 1 << 30 else { throw .malformed(.notSVG, offset: 1 << 30) }
    budget.spend(.lexedBytes, 2 * document.count)
    try budget.checkVector()
    text = SVG.utf8(document)
    var reader = MarkupReader(self, budget)
    try reader.read()
    self = reader.markup
    guard let root = nodes.first, root.element == .svg else { throw .malformed(.notSVG, offset: 0) }
  }
}

extension SVG {
  /// Texts of two bytes a letter begin with a mark, or with `<` and a zero byte.
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
