// XML as a flat tree: elements and the attributes whose names mean something in SVG. External entities
// are never read; internal ones are expanded, up to a limit.

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

  init(_ document: [UInt8]) throws(VectorError) {
    guard document.count < 1 << 30 else {
      throw .overLimit(.decompressedBytes, most: 1 << 30)
    }
    text = document
    var reader = MarkupReader(self)
    try reader.read()
    self = reader.markup
    guard let root = nodes.first, root.element == .svg else { throw .malformed(.notSVG, offset: 0) }
  }
}
