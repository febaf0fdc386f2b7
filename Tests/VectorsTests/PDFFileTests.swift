import Testing

@testable import Vectors

/// Tests the structure of whole and damaged files.
@Suite struct PDFFileTests {
  private static let sketch = PDFSketch("1 0 0 rg 0 0 8 8 re f")

  private func isRed(_ bytes: [UInt8]) throws -> Bool {
    let drawing = try PDFSketch.drawing(bytes)
    return try Picture(drawing, .pdf).rgba(4, 4) == red
  }

  @Test func tableOfCrossReferences() throws { #expect(try isRed(Self.sketch.bytes)) }

  @Test func headerMayStandBehindOtherBytes() throws {
    let junk = [UInt8](repeating: UInt8(ascii: "x"), count: 900)
    #expect(try isRed(junk + Self.sketch.bytes))
    #expect(throws: VectorError.malformed(.notPDF, offset: 0)) {
      try PDFSketch.drawing(junk + junk + Self.sketch.bytes)
    }
  }

  /// If offsets are wrong, missing or cut off, the file is searched for objects.
  @Test(arguments: ["startxref\n", "xref\n", "trailer", "0 5\n", "0000000009 00000 n"])
  func damagedReferencesAreMadeAnew(word: String) throws {
    let bytes = Self.sketch.bytes
    let marker = Array(word.utf8)
    let places = bytes.indices.filter { bytes[$0...].starts(with: marker) }
    let place = try #require(places.last)
    var damaged = bytes
    for index in place..<place + marker.count { damaged[index] = UInt8(ascii: "#") }
    #expect(try isRed(damaged))
    #expect(try isRed(Array(bytes[..<place])))
  }

  @Test func unusedObjectsMayLieAtNothing() throws {
    let text = String(decoding: Self.sketch.bytes, as: UTF8.self)
    // The entry of object 0 becomes an object in use at offset 0.
    let changed = text.replacing("0000000000 65535 f", with: "0000000000 00000 n")
    #expect(changed != text)
    #expect(try isRed(Array(changed.utf8)))
  }

  /// A later part of the file replaces an object.
  @Test func updatesWin() throws {
    var file = Self.sketch.bytes
    let text = String(decoding: file, as: UTF8.self)
    let previous = try #require(
      text.split(separator: "startxref\n").last?.split(separator: "\n").first)
    let offset = file.count
    file += Array("4 0 obj\n".utf8) + PDFSketch.stream("", Array("0 1 0 rg 0 0 8 8 re f".utf8))
    file += Array("\nendobj\n".utf8)
    let start = file.count
    file += Array(
      """
      xref
      4 1
      \(PDFSketch.padded(offset)) 00000 n\u{20}
      trailer << /Size 5 /Root 1 0 R /Prev \(previous) >>
      startxref
      \(start)
      %%EOF
      """.utf8)
    #expect(try Picture(PDFSketch.drawing(file), .pdf).rgba(4, 4) == green)
  }

  /// Tests objects in a stream, and cross-references in a stream, with and without a predictor.
  @Test(arguments: [false, true]) func objectStreams(isPredicted: Bool) throws {
    let inner = Self.sketch.allObjects
    var header = ""
    var body: [UInt8] = []
    for number in 1...3 {
      header += "\(number) \(body.count) "
      body += inner[number - 1] + [32]
    }
    var file = Array("%PDF-1.5\n".utf8)
    let content = file.count
    file += Array("4 0 obj\n".utf8) + inner[3] + Array("\nendobj\n".utf8)
    let container = file.count
    let packed = PDFSketch.deflated(Array(header.utf8) + body)
    file += Array("5 0 obj\n".utf8)
    file += PDFSketch.stream(
      "/Type /ObjStm /N 3 /First \(header.utf8.count) /Filter /FlateDecode", packed)
    file += Array("\nendobj\n".utf8)
    let start = file.count
    var rows: [[UInt8]] = [[0, 0, 0, 0]]
    for index in 0..<3 { rows.append([2, 0, 5, UInt8(index)]) }
    for offset in [content, container, start] {
      rows.append([1, UInt8(offset >> 8), UInt8(offset & 255), 0])
    }
    if isPredicted {
      // The PNG filter Up: each row minus the row above.
      var above: [UInt8] = [0, 0, 0, 0]
      rows = rows.map { row in
        defer { above = row }
        return [2] + zip(row, above).map { $0 &- $1 }
      }
    }
    let parameters = isPredicted ? "/DecodeParms << /Predictor 12 /Columns 4 >>" : ""
    file += Array("6 0 obj\n".utf8)
    file += PDFSketch.stream(
      "/Type /XRef /Size 7 /W [1 2 1] /Root 1 0 R /Filter /FlateDecode \(parameters)",
      PDFSketch.deflated(rows.flatMap { $0 }))
    file += Array("\nendobj\nstartxref\n\(start)\n%%EOF".utf8)
    #expect(try isRed(file))
    // Without the cross-references the objects in the stream are found as well.
    #expect(try isRed(Array(file[..<start])))
  }

  @Test func lengthsMayLie() throws {
    let text = String(decoding: Self.sketch.bytes, as: UTF8.self)
    for length in ["/Length 3 ", "/Length 999", "/Length 99 0 R", "/Length 4 0 R"] {
      #expect(try isRed(Array(text.replacing("/Length 21 ", with: length).utf8)))
    }
  }

  @Test func encryptedFilesAreRefused() throws {
    let text = String(decoding: Self.sketch.bytes, as: UTF8.self)
    let changed = text.replacing("/Root 1 0 R", with: "/Root 1 0 R /Encrypt << /V 1 >>")
    #expect(throws: VectorError.malformed(.encrypted, offset: 0)) {
      try PDFSketch.drawing(Array(changed.utf8))
    }
  }

  @Test(arguments: ["", "%PDF-1.4", "%PDF-1.4\n1 0 obj << /Type /Catalog /Pages 1 0 R >> endobj"])
  func filesWithoutAPageAreRefused(text: String) {
    #expect(throws: VectorError.self) { try PDFSketch.drawing(Array(text.utf8)) }
  }

  // MARK: Filters

  private static let shape = "0 0 1 rg 2 2 4 4 re f"

  private static let runLengths: [UInt8] = [UInt8(shape.utf8.count - 1)] + Array(shape.utf8) + [128]

  private func isBlue(filter: String, _ bytes: [UInt8], parameters: String = "") throws -> Bool {
    var sketch = PDFSketch("")
    let number = sketch.addStream("/Filter \(filter) \(parameters)", bytes)
    sketch.page += " /Contents \(number) 0 R"
    // If a key occurs twice, the first one counts.
    let text = sketch.bytes
    let changed = Self.replace(text, "/Contents 4 0 R", with: "/Unused 444 0 R")
    let picture = try Picture(PDFSketch.drawing(changed), .pdf)
    return picture.rgba(4, 4) == blue && picture.rgba(1, 1) == nothing
  }

  private static func replace(_ bytes: [UInt8], _ old: String, with new: String) -> [UInt8] {
    let old = Array(old.utf8)
    guard let place = bytes.indices.first(where: { bytes[$0...].starts(with: old) }) else {
      return bytes
    }
    var result = bytes
    result.replaceSubrange(place..<place + old.count, with: Array(new.utf8))
    return result
  }

  @Test func filters() throws {
    let plain = Array(Self.shape.utf8)
    #expect(try isBlue(filter: "/FlateDecode", PDFSketch.deflated(plain)))
    #expect(try isBlue(filter: "/RunLengthDecode", Self.runLengths))
    let hex = Array(plain.map { String(Int($0) + 256, radix: 16).dropFirst() }.joined().utf8)
    #expect(try isBlue(filter: "/ASCIIHexDecode", hex + [UInt8(ascii: ">")]))
    #expect(try isBlue(filter: "[/ASCII85Decode]", Array(Self.ascii85(plain).utf8)))
    let both = Array(Self.ascii85(PDFSketch.deflated(plain)).utf8)
    #expect(try isBlue(filter: "[/A85 /Fl]", both))
    #expect(try isBlue(filter: "/LZWDecode", Self.lzw(plain, early: true)))
    #expect(
      try isBlue(
        filter: "/LZWDecode", Self.lzw(plain, early: false),
        parameters: "/DecodeParms << /EarlyChange 0 >>"))
  }

  @Test func cutStreamsGiveWhatTheyHave() throws {
    let packed = PDFSketch.deflated(Array(Self.shape.utf8))
    #expect(try isBlue(filter: "/FlateDecode", packed.dropLast(4)))
  }

  private static func ascii85(_ bytes: [UInt8]) -> String {
    var result = ""
    var rest = bytes[...]
    while !rest.isEmpty {
      let part = Array(rest.prefix(4))
      rest = rest.dropFirst(4)
      var value = (part + [0, 0, 0, 0]).prefix(4).reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
      var digits: [UInt8] = []
      for _ in 0..<5 {
        digits.insert(UInt8(value % 85) + 33, at: 0)
        value /= 85
      }
      result += String(decoding: digits.prefix(part.count + 1), as: UTF8.self)
    }
    return result + "~>"
  }

  /// Returns the data compressed by LZW. No code has more than two bytes, so that the table grows
  /// with each code.
  private static func lzw(_ bytes: [UInt8], early: Bool) -> [UInt8] {
    // The blanks in front make the table grow past the size at which codes become longer.
    let source = [UInt8](repeating: 32, count: 700) + bytes
    var table: [[UInt8]: Int] = [:]
    for byte in 0...255 { table[[UInt8(byte)]] = byte }
    var next = 258
    var bits: [Bool] = []
    func put(_ code: Int) {
      let full = next + (early ? 1 : 0)
      let width = full > 2048 ? 12 : full > 1024 ? 11 : full > 512 ? 10 : 9
      for bit in (0..<width).reversed() { bits.append(code >> bit & 1 == 1) }
    }
    put(256)
    var current: [UInt8] = []
    // Only single bytes and pairs are used, so that every code adds an entry.
    for byte in source {
      if current.count < 2, table[current + [byte]] != nil {
        current.append(byte)
      } else {
        put(table[current] ?? 0)
        table[current + [byte]] = table[current + [byte]] ?? next
        next += 1
        current = [byte]
      }
    }
    put(table[current] ?? 0)
    next += 1
    put(257)
    while bits.count % 8 != 0 { bits.append(false) }
    return stride(from: 0, to: bits.count, by: 8).map { start in
      bits[start..<start + 8].reduce(0) { $0 << 1 | ($1 ? 1 : 0) }
    }
  }
}
