// Reads the sizes of PDF and SVG files, as far as their first kilobytes contain them.

import Vectors

/// Returns whether a file is a PDF. Some other bytes may precede its header.
func isPDF(_ start: [UInt8]) -> Bool { position(of: "%PDF-", in: start.prefix(1024)) != nil }

/// Returns the size of the first MediaBox near the start whose numbers are written in place.
func pdfHeader(_ source: inout ImageSource) -> ImageHeader {
  var header = ImageHeader(kind: .pdf, width: 0, height: 0)
  let start = source.start
  guard let box = position(of: "/MediaBox", in: start[...]) else { return header }
  let after = start[(box + 9)...].prefix(200)
  guard let open = after.firstIndex(of: UInt8(ascii: "[")),
    let close = after.firstIndex(of: UInt8(ascii: "]")), open < close
  else { return header }
  let text = String(decoding: after[(open + 1)..<close], as: UTF8.self)
  let numbers = text.split { $0 == " " || $0.isNewline }.compactMap { Double($0) }
  guard numbers.count == 4 else { return header }
  header.width = wholePoints(abs(numbers[2] - numbers[0]))
  header.height = wholePoints(abs(numbers[3] - numbers[1]))
  return header
}

/// Returns whether the first element is <svg>. Comments, a declaration and a document type may
/// precede it.
func isSVG(_ start: [UInt8]) -> Bool {
  let start = SVG.utf8(start)
  guard let tag = position(of: "<svg", in: start[...]) ?? position(of: ":svg", in: start[...])
  else { return false }
  let before = start[..<tag].drop { $0 == 0xEF || $0 == 0xBB || $0 == 0xBF || $0 <= 32 }
  return tag == 0 || before.isEmpty || before.first == UInt8(ascii: "<")
}

/// Returns the width and height of the root element, or those of its view box.
func svgHeader(_ source: inout ImageSource) -> ImageHeader {
  var header = ImageHeader(kind: .svg, width: 0, height: 0)
  header.hasAlpha = true
  let start = SVG.utf8(source.start)
  guard let tag = position(of: "<svg", in: start[...]) else { return header }
  let element = String(decoding: start[tag...].prefix { $0 != UInt8(ascii: ">") }, as: UTF8.self)
  let box = (attribute("viewBox", of: element) ?? "")
    .split { $0 == " " || $0 == "," || $0.isNewline }.compactMap { Double($0) }
  func side(_ name: String, _ index: Int) -> Int {
    if let length = attribute(name, of: element).flatMap(points) { return wholePoints(length) }
    return box.count == 4 ? wholePoints(box[index]) : 0
  }
  header.width = side("width", 2)
  header.height = side("height", 3)
  return header
}

private func wholePoints(_ length: Double) -> Int {
  length.isFinite && length > 0 && length < 1e6 ? Int(length.rounded(.up)) : 0
}

/// Returns a length in pixels; nil for relative lengths such as percentages.
private func points(_ text: String) -> Double? {
  let digits = text.prefix { "0123456789.+-eE".contains($0) }
  let unit = text.dropFirst(digits.count)
  let factors = [
    "": 1, "px": 1, "pt": 4.0 / 3, "pc": 16, "in": 96, "cm": 96 / 2.54, "mm": 96 / 25.4,
  ]
  guard let number = Double(digits), let factor = factors[String(unit)] else { return nil }
  return number * factor
}

/// Returns the value of an attribute in the text of an element.
private func attribute(_ name: String, of element: String) -> String? {
  let bytes = Array(element.utf8)
  var from = 0
  while let place = position(of: name, in: bytes[from...]) {
    from = place + name.utf8.count
    guard place > 0, bytes[place - 1] <= 32 else { continue }
    var offset = from
    while offset < bytes.count, bytes[offset] <= 32 { offset += 1 }
    guard offset < bytes.count, bytes[offset] == UInt8(ascii: "=") else { continue }
    offset += 1
    while offset < bytes.count, bytes[offset] <= 32 { offset += 1 }
    guard offset < bytes.count, [0x22, 0x27].contains(bytes[offset]) else { continue }
    let quote = bytes[offset]
    let value = bytes[(offset + 1)...].prefix { $0 != quote }
    return String(decoding: value, as: UTF8.self)
  }
  return nil
}

/// Returns the offset of a text in some bytes.
func position(of text: String, in bytes: ArraySlice<UInt8>) -> Int? {
  let wanted = Array(text.utf8)
  guard let first = wanted.first, bytes.count >= wanted.count else { return nil }
  var offset = bytes.startIndex
  while offset <= bytes.endIndex - wanted.count {
    if bytes[offset] == first, bytes[offset...].starts(with: wanted) { return offset }
    offset += 1
  }
  return nil
}
