import Bytes
import Support
import Testing

@testable import Vectors

/// Tests malicious files: each limit ends in its error, nothing traps, and nothing runs for long.
@Suite struct PDFLimitTests {
  private func failure(_ bytes: [UInt8]) -> VectorError? {
    do { _ = try PDFSketch.drawing(bytes) } catch { return error as? VectorError }
    return nil
  }

  private func overBudget(_ bytes: [UInt8]) -> OverBudget? {
    guard case .overBudget(let error) = failure(bytes) else { return nil }
    return error
  }

  /// Returns a deflate stream of one block that repeats a byte. Each repetition of 258 bytes takes
  /// two bits.
  private func bomb(megabytes: Int) -> [UInt8] {
    // A dynamic code of four symbols: the byte 0, the end, a length of 258, and the distance 1.
    var bits: [Bool] = []
    func put(_ value: Int, _ count: Int) { for i in 0..<count { bits.append(value >> i & 1 == 1) } }
    put(1, 1)
    put(2, 2)
    put(29, 5)
    put(0, 5)
    put(14, 4)
    // The code lengths of the code length code, in the order 16 17 18 0 8 7 9 6 10 5 11 4 12 3 13 2
    // 14 1.
    for length in [0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0, 2] { put(length, 3) }
    // The code of 18 is 0, the code of 1 is 10 and the code of 2 is 11, each beginning with its
    // highest bit.
    func zeros(_ count: Int) {
      put(0, 1)
      put(count - 11, 7)
    }
    func one() {
      put(1, 1)
      put(0, 1)
    }
    func two() {
      put(1, 1)
      put(1, 1)
    }
    two()  // the byte 0 has the code 10
    zeros(138)
    zeros(117)
    two()  // the end has the code 11
    zeros(28)
    one()  // the length 258 has the code 0
    one()  // the distance 1 has the code 0
    put(1, 1)
    put(0, 1)
    while bits.count % 8 != 0 { bits.append(false) }
    var bytes: [UInt8] = [0x78, 0x01]
    for start in stride(from: 0, to: bits.count, by: 8) {
      bytes.append((0..<8).reduce(0) { $0 | (bits[start + $1] ? 1 << UInt8($1) : 0) })
    }
    return bytes + [UInt8](repeating: 0, count: megabytes << 20 / 258 / 4)
  }

  @Test func streamsThatInflateForEver() throws {
    var sketch = PDFSketch("")
    sketch.page = "/MediaBox [0 0 8 8] /Contents 5 0 R"
    sketch.addStream("/Filter /FlateDecode", bomb(megabytes: 300))
    let text = sketch.bytes
    let old = Array("/Contents 4 0 R".utf8)
    let place = try #require(text.indices.first { text[$0...].starts(with: old) })
    var bytes = text
    bytes.replaceSubrange(place..<place + old.count, with: Array("/Unused_ 4 0 R".utf8) + [32])
    #expect(overBudget(bytes)?.account == .memory)
    #expect(overBudget(bytes)?.shares.first?.expense == .decompressedBytes)
  }

  @Test func filtersInChains() throws {
    var sketch = PDFSketch("/F Do")
    let filters = String(repeating: "/RunLengthDecode ", count: 40)
    let form = sketch.addStream("/Subtype /Form /Filter [\(filters)]", [129, 129, 129, 129, 128])
    sketch.resources = "/XObject << /F \(form) 0 R >>"
    // Each of the forty filters makes its input 64 times as long.
    #expect(overBudget(sketch.bytes)?.shares.first?.expense == .decompressedBytes)
  }

  @Test func tooManyOperators() {
    // Forms that draw forms: ten to the power eight operators, most of which do almost nothing.
    var sketch = PDFSketch("/F5 Do")
    sketch.resources = "/XObject << "
    for level in 5...10 { sketch.resources += "/F\(level) \(level) 0 R " }
    sketch.resources += ">>"
    for level in 5..<10 {
      sketch.addStream("/Subtype /Form", String(repeating: "/F\(level + 1) Do ", count: 10))
    }
    sketch.addStream("/Subtype /Form", String(repeating: "n ", count: 1_000))
    #expect(overBudget(sketch.bytes)?.account == .work)
  }

  @Test func deepNesting() {
    var sketch = PDFSketch("/F5 Do")
    sketch.resources = "/XObject << "
    for level in 5...60 { sketch.resources += "/F\(level) \(level) 0 R " }
    sketch.resources += ">>"
    for level in 5...60 { sketch.addStream("/Subtype /Form", "/F\(level + 1) Do") }
    #expect(failure(sketch.bytes) == .overLimit(.nesting, most: 32))
  }

  @Test func largeImages() {
    for (size, isLimit) in [("/Width 60000 /Height 60000", true), ("/Width -1 /Height 5", false)] {
      var sketch = PDFSketch("/I Do")
      let image = sketch.addStream(
        "/Subtype /Image \(size) /ColorSpace /DeviceRGB /BitsPerComponent 8", [0])
      sketch.resources = "/XObject << /I \(image) 0 R >>"
      #expect((overBudget(sketch.bytes)?.account == .memory) == isLimit)
    }
  }

  /// An operator that opens each of the objects, and after that a red square.
  @Test func objectsThatMeanThemselvesDoNotSpoilTheRest() throws {
    for object in ["5 0 R", "<< /Length 5 0 R >> stream\nx\nendstream", "[5 0 R]", "6 0 R"] {
      var sketch = PDFSketch(
        "/F Do /F gs /F cs /F sh /Pattern cs /F scn 0 0 1 1 re f BT /F 1 Tf (a) Tj ET "
          + "1 0 0 rg 6 6 2 2 re f")
      sketch.add(object)
      sketch.add("5 0 R")
      sketch.resources = ["XObject", "ExtGState", "ColorSpace", "Shading", "Pattern", "Font"]
        .map { "/\($0) << /F 5 0 R >>" }.joined(separator: " ")
      #expect(try sketch.picture().rgba(7, 0) == red, "\(object)")
      // A node of pages that lists itself has the page behind itself.
      sketch.pages = "/Parent 2 0 R /Kids [2 0 R 3 0 R]"
      #expect(try sketch.picture().rgba(7, 0) == red, "\(object)")
    }
  }

  @Test func deepArraysAndWildNumbersDoNotSpoilTheRest() throws {
    let square = "1 0 0 rg 6 6 2 2 re f "
    let deep = String(repeating: "[", count: 100_000) + String(repeating: "<<", count: 100_000)
    #expect(try PDFSketch(square + deep + " ) ) ) ( ( (").picture().rgba(7, 0) == red)
    let numbers = [
      "1e99", "999999999999999999999999999999999999", "-99999999999999999999", ".", "-", "+.",
      "nan",
      "0.00000000000000000000000000000000000000001", "--", "1.7976931348623157E308",
    ]
    for number in numbers {
      let content =
        "q \(number) \(number) m \(number) 0 l 0 \(number) \(number) 5 5 \(number) c S \(number) w "
        + "\(number) 0 0 \(number) 1 \(number) cm 0 0 \(number) 1 re f [\(number)] \(number) d 0 0 m 5 5 l S Q "
      #expect(try PDFSketch(content + square).picture().rgba(7, 0) == red, "\(number)")
    }
  }

  /// Tests a file with many features, of which random parts are exchanged or removed.
  @Test func damagedFilesAreReadOrRefused() throws {
    var random = SeededGenerator.forTest(0x9DF)
    print("damaged PDFs: \(random)")
    var sketch = PDFSketch(
      """
      q 0.5 0 0 0.5 1 1 cm /F Do Q /Pattern cs /P scn 0 0 8 8 re f /S sh /M gs 0 0 4 4 re W n
      BT /T 4 Tf (AB) Tj ET /I Do BI /W 1 /H 1 /BPC 8 /CS /G ID x EI 0 0 8 8 re B*
      """)
    let form = sketch.addStream(
      "/Subtype /Form /BBox [0 0 8 8] /Group << /S /Transparency >>", "0 0 9 9 re f")
    let font = sketch.addStream(
      "", FontSketch.trueType([FontSketch.square], map: FontSketch.byteMap([65: 1])))
    let cff = sketch.addStream("", FontSketch.cff([FontSketch.squareString], charset: [34]))
    let mesh = sketch.addStream(
      """
      /ShadingType 6 /ColorSpace /DeviceRGB /BitsPerCoordinate 8 /BitsPerComponent 8 /BitsPerFlag 8
      /Decode [0 8 0 8 0 1 0 1 0 1]
      """, [UInt8](repeating: 77, count: 80))
    let image = sketch.addStream(
      "/Subtype /Image /Width 2 /Height 2 /ColorSpace /DeviceGray /BitsPerComponent 8",
      [1, 2, 3, 4])
    sketch.resources = """
      /XObject << /F \(form) 0 R /I \(image) 0 R >> /Shading << /S \(mesh) 0 R >>
      /Font << /T << /Subtype /TrueType /FontDescriptor << /Flags 4 /FontFile2 \(font) 0 R
      /FontFile3 \(cff) 0 R >> /FirstChar 65 /Widths [500 500] >> >>
      /ExtGState << /M << /SMask << /S /Luminosity /G \(form) 0 R >> >> >>
      /Pattern << /P << /PatternType 2 /Shading << /ShadingType 2 /ColorSpace /DeviceRGB
      /Coords [0 0 8 0] /Function << /FunctionType 2 /Domain [0 1] /N 2 >> >> >> >>
      """
    let whole = sketch.bytes
    #expect(try PDFSketch.drawing(whole).page.count > 5)
    var (drawn, refused) = (0, 0)
    for _ in 0..<400 {
      let bytes = damaged(whole, &random)
      guard let drawing = try? PDFSketch.drawing(bytes) else {
        refused += 1
        continue
      }
      if drawing.width < 64, drawing.height < 64, (try? Picture(drawing, .pdf)) != nil {
        drawn += 1
      }
    }
    #expect(drawn > 0 && refused > 0)
  }

  private func damaged(_ whole: [UInt8], _ random: inout SeededGenerator) -> [UInt8] {
    var bytes = Array(
      whole.prefix(random.pick(0...3) == 0 ? random.pick(0...whole.count) : whole.count))
    for _ in 0..<random.pick(1...6) where !bytes.isEmpty {
      let place = random.pick(0...bytes.count - 1)
      switch random.pick(0...3) {
      case 0: bytes[place] = UInt8(random.pick(0...255))
      case 1: bytes[place] = UInt8(random.pick(48...57))
      case 2: bytes.remove(at: place)
      default: bytes.insert(bytes[random.pick(0...bytes.count - 1)], at: place)
      }
    }
    return bytes
  }
}
