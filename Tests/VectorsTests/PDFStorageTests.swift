import Testing

@testable import Vectors

/// Tests the places of objects that a file states, while the file contains other, unused objects
/// with the same numbers. Also tests rows that are stored as differences.
@Suite struct PDFStorageTests {
  private static let sketch = PDFSketch("1 0 0 rg 0 0 8 8 re f")

  /// A file to which parts are added one after another.
  private struct Growing {
    var bytes: [UInt8]

    /// Adds an object and returns its offset.
    mutating func add(_ number: Int, _ body: [UInt8]) -> Int {
      defer { bytes += Array("\(number) 0 obj\n".utf8) + body + Array("\nendobj\n".utf8) }
      return bytes.count
    }

    mutating func add(_ number: Int, _ body: String) -> Int { add(number, Array(body.utf8)) }

    mutating func add(table: String, trailer: String) {
      let start = bytes.count
      bytes += Array(
        "xref\n\(table)trailer << \(trailer) >>\nstartxref\n\(start)\n%%EOF\n".utf8)
    }
  }

  /// A page of another size, which a search would take as the latest version.
  private static let stray = "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 3 3] >>"

  private static func entry(_ offset: Int) -> String {
    "\(PDFSketch.padded(offset)) 00000 n \n"
  }

  private func previous(_ bytes: [UInt8]) throws -> Int {
    let parts = String(decoding: bytes, as: UTF8.self).split(separator: "startxref\n")
    return try #require(parts.last?.split(separator: "\n").first.flatMap { Int($0) })
  }

  @Test func partsBeforeAreFollowed() throws {
    var file = Growing(bytes: Self.sketch.bytes)
    let first = try previous(file.bytes)
    _ = file.add(3, Self.stray)
    let content = file.add(4, PDFSketch.stream("", Array("0 1 0 rg 0 0 8 8 re f".utf8)))
    file.add(
      table: "4 1\n" + Self.entry(content), trailer: "/Size 5 /Root 1 0 R /Prev \(first)")
    let drawing = try PDFSketch.drawing(file.bytes)
    try #require(drawing.width == 8)
    #expect(try Picture(drawing, .pdf).rgba(4, 4) == green)
  }

  @Test func anObjectInUseAtNothingIsLeftToPartsBefore() throws {
    var file = Growing(bytes: Self.sketch.bytes)
    let first = try previous(file.bytes)
    _ = file.add(3, Self.stray)
    file.add(table: "3 1\n" + Self.entry(0), trailer: "/Size 5 /Root 1 0 R /Prev \(first)")
    #expect(try PDFSketch.drawing(file.bytes).width == 8)
  }

  /// The page is in an object stream. A table refers to it through a cross-reference stream, or
  /// there is only the cross-reference stream.
  @Test(arguments: [false, true]) func objectsInOthers(isHybrid: Bool) throws {
    let objects = Self.sketch.allObjects
    var file = Growing(bytes: Array("%PDF-1.5\n".utf8))
    var places = [1, 2, 4].map { file.add($0, objects[$0 - 1]) }
    let head = "3 0 "
    places.append(
      file.add(
        5,
        PDFSketch.stream(
          "/Type /ObjStm /N 1 /First \(head.utf8.count)", Array(head.utf8) + objects[2])))
    _ = file.add(3, Self.stray)
    let rows = places.map { [1, UInt8($0 >> 8), UInt8($0 & 255), 0] }
    let page: [UInt8] = [2, 0, 5, 0]
    let all = [rows[0], rows[1], page, rows[2], rows[3]]
    let start = file.add(
      6,
      PDFSketch.stream(
        isHybrid
          ? "/Type /XRef /Size 7 /W [1 2 1] /Index [3 1]"
          : "/Type /XRef /Size 7 /W [1 2 1] /Index [1 5] /Root 1 0 R",
        isHybrid ? page : all.flatMap { $0 }))
    if isHybrid {
      let table = [places[0], places[1]].map(Self.entry).joined()
      let others = [places[2], places[3]].map(Self.entry).joined()
      file.add(
        table: "1 2\n" + table + "4 2\n" + others,
        trailer: "/Size 7 /Root 1 0 R /XRefStm \(start)")
    } else {
      file.bytes += Array("startxref\n\(start)\n%%EOF\n".utf8)
    }
    #expect(try PDFSketch.drawing(file.bytes).width == 8)
  }

  // MARK: Predictors

  private static let picture: [[UInt8]] = (0..<6).map { row in
    (0..<15).map { UInt8(truncatingIfNeeded: $0 * $0 * 7 + row * 53 + row * $0 * 11) }
  }

  private static func paeth(_ left: Int, _ above: Int, _ corner: Int) -> Int {
    let estimate = left + above - corner
    // The nearest of the three; of equally near ones, the first.
    return [left, above, corner].min { abs($0 - estimate) < abs($1 - estimate) } ?? 0
  }

  /// Tests each filter of PNG for pixels of three bytes.
  @Test(arguments: 0...4) func filtersOfRows(kind: Int) {
    var stored: [UInt8] = []
    for (y, row) in Self.picture.enumerated() {
      stored.append(UInt8(kind))
      for x in row.indices {
        let left = x >= 3 ? Int(row[x - 3]) : 0
        let above = y > 0 ? Int(Self.picture[y - 1][x]) : 0
        let corner = x >= 3 && y > 0 ? Int(Self.picture[y - 1][x - 3]) : 0
        let expected = [0, left, above, (left + above) / 2, Self.paeth(left, above, corner)][kind]
        stored.append(row[x] &- UInt8(truncatingIfNeeded: expected))
      }
    }
    let prediction = Prediction(pixelBytes: 3, rowBytes: 15, colors: 3, bits: 8)
    prediction.undoPNG(&stored)
    #expect(stored == Self.picture.flatMap { $0 })
  }

  /// Tests differences from the sample of the same colour on the left, for every number of bits.
  @Test(arguments: [1, 2, 4, 8, 16]) func differences(bits: Int) {
    let colors = 3
    let count = 8 * colors
    let most = 1 << bits
    var bytes: [UInt8] = []
    var expected: [UInt8] = []
    for row in 0..<3 {
      let samples = (0..<count).map { ($0 * $0 * 5 + row * 3 + $0) % most }
      let stored = samples.indices.map { place in
        (samples[place] - (place >= colors ? samples[place - colors] : 0) + most) % most
      }
      expected += Self.packed(samples, bits)
      bytes += Self.packed(stored, bits)
    }
    Prediction(
      pixelBytes: max(1, colors * bits / 8), rowBytes: count * bits / 8, colors: colors, bits: bits
    ).undoDifferences(&bytes)
    #expect(bytes == expected)
  }

  private static func packed(_ samples: [Int], _ bits: Int) -> [UInt8] {
    let all = samples.flatMap { sample in (0..<bits).reversed().map { sample >> $0 & 1 } }
    return stride(from: 0, to: all.count, by: 8).map { start in
      UInt8(all[start..<start + 8].reduce(0) { $0 << 1 | $1 })
    }
  }

  /// The dictionary of a stream selects the predictor.
  @Test func predictorsOfStreams() throws {
    var sketch = PDFSketch("8 0 0 8 0 0 cm /I Do")
    let image = sketch.addStream(
      "/Subtype /Image /Width 2 /Height 1 /ColorSpace /DeviceRGB /BitsPerComponent 8"
        + " /Filter /FlateDecode /DecodeParms << /Predictor 2 /Colors 3 /Columns 2 >>",
      PDFSketch.deflated([255, 0, 0, 1, 255, 0]))
    sketch.resources = "/XObject << /I \(image) 0 R >>"
    #expect(try sketch.picture().rgba(7, 4) == [0, 255, 0, 255])
  }
}
