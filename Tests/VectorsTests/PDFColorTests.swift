import Bytes
import Testing

@testable import Vectors

/// Tests colour spaces and functions.
@Suite struct PDFColorTests {
  private func fill(_ color: String, spaces: String = "", _ sketch: PDFSketch? = nil) throws
    -> [Int]
  {
    var page = sketch ?? PDFSketch("")
    page.content = "\(color) 0 0 8 8 re f"
    page.resources = "/ColorSpace << \(spaces) >>"
    return try page.picture().rgba(4, 4)
  }

  private func isNear(_ a: [Int], _ b: [Int], by most: Int = 1) -> Bool {
    zip(a, b).allSatisfy { abs($0 - $1) <= most }
  }

  @Test func deviceColors() throws {
    #expect(try fill("0.2 g") == [51, 51, 51, 255])
    #expect(try fill("1 0.2 0 rg") == [255, 51, 0, 255])
    #expect(try fill("/DeviceRGB cs") == black)
    #expect(try fill("/DeviceRGB cs 0 1 0 sc") == green)
    #expect(try fill("/DeviceGray cs 1 scn") == white)
    #expect(try fill("/A cs 0 0 1 sc", spaces: "/A [/CalRGB << /WhitePoint [1 1 1] >>]") == blue)
    #expect(try fill("/A cs 0.4 sc", spaces: "/A [/CalGray <<>>]") == [102, 102, 102, 255])
    // Linear light with the primaries of sRGB: the value 0.5 becomes 188 of 255.
    let light =
      "/A [/CalRGB << /WhitePoint [.9505 1 1.089] /Gamma [1 1 1] /Matrix [.4124 .2126 .0193 .3576 .7152"
      + " .1192 .1805 .0722 .9505] >>]"
    #expect(try fill("/A cs 0.5 1 0 sc", spaces: light) == [188, 255, 0, 255])
    // Values are limited to their range, and missing values are 0.
    #expect(try fill("7 -3 nan rg") == red)
    #expect(try fill("1 rg") == red)
  }

  @Test func strokesHaveColorsOfTheirOwn() throws {
    let picture = try PDFSketch("1 0 0 rg /DeviceRGB CS 0 1 0 SC 8 w 0 4 m 8 4 l S").picture()
    #expect(picture.rgba(4, 4) == green)
    #expect(try PDFSketch("0 0 1 RG 8 w 0 4 m 8 4 l S").picture().rgba(4, 4) == blue)
    #expect(try PDFSketch("0 1 1 0 K 8 w 0 4 m 8 4 l S").picture().rgba(4, 4)[0] > 220)
  }

  /// Tests inks, with two values that are known from Apple's tool.
  @Test func inks() throws {
    #expect(try fill("0 0 0 0 k") == white)
    #expect(try fill("0 0 0 1 k") == [26, 25, 25, 255])
    #expect(try fill("/DeviceCMYK cs") == [26, 25, 25, 255])
    #expect(try fill("0.698 0.675 0.639 0.74 k") == [27, 26, 25, 255])
    let cyan = try fill("1 0 0 0 k")
    #expect(cyan[0] < 60 && cyan[1] > 120 && cyan[2] > 200)
    #expect(try PDFSketch("0 0 0 1 k 0 0 8 8 re f").drawing().unsupported == [.approximateColor])
    #expect(try PDFSketch("0 0 0 rg 0 0 8 8 re f").drawing().unsupported == [])
  }

  @Test func lab() throws {
    let space = "/A [/Lab << /WhitePoint [0.9505 1 1.089] /Range [-128 127 -128 127] >>]"
    #expect(try isNear(fill("/A cs 100 0 0 sc", spaces: space), white))
    #expect(try isNear(fill("/A cs 53.24 80.09 67.2 sc", spaces: space), red, by: 2))
    #expect(try isNear(fill("/A cs 50 0 0 sc", spaces: space), [119, 119, 119, 255]))
  }

  @Test func indexed() throws {
    var sketch = PDFSketch("")
    let table = sketch.addStream("", [255, 0, 0, 0, 255, 0, 0, 0, 255])
    #expect(
      try fill("/A cs 2 sc", spaces: "/A [/Indexed /DeviceRGB 2 \(table) 0 R]", sketch) == blue)
    let text = "/A [/Indexed /DeviceRGB 1 <FF000000FF00>]"
    #expect(try fill("/A cs 1 sc", spaces: text) == green)
    #expect(try fill("/A cs 9 sc", spaces: text) == green)
  }

  @Test func separations() throws {
    let tint = "<< /FunctionType 2 /Domain [0 1] /C0 [1 1 1] /C1 [1 0 0] /N 1 >>"
    let space = "/A [/Separation /Spot /DeviceRGB \(tint)]"
    #expect(try fill("/A cs", spaces: space) == red)
    #expect(try fill("/A cs 0.4 scn", spaces: space) == [255, 153, 153, 255])
    #expect(try fill("/A cs", spaces: "/A [/Separation /None /DeviceRGB \(tint)]") == nothing)
    var sketch = PDFSketch("")
    let two = sketch.addStream(
      "/FunctionType 4 /Domain [0 1 0 1] /Range [0 1 0 1 0 1]", "{ 0 }")
    let both = "/A [/DeviceN [/X /Y] /DeviceRGB \(two) 0 R]"
    #expect(try fill("/A cs 0.2 1 scn", spaces: both, sketch) == [51, 255, 0, 255])
  }

  // MARK: Profiles

  /// Returns a profile with the given primaries, as columns of X, Y and Z, and one gamma.
  private func profile(
    _ columns: [[Double]], gamma: Double, description: String = "x", gray: Bool = false
  ) -> [UInt8] {
    func number(_ value: Int) -> [UInt8] { [24, 16, 8, 0].map { UInt8(value >> $0 & 255) } }
    func fixed(_ value: Double) -> [UInt8] { number(Int(value * 65536)) }
    let curve = Array("curv".utf8) + number(0) + number(1)
    let power = Int(gamma * 256)
    let whole = curve + [UInt8(power >> 8), UInt8(power & 255), 0, 0]
    var parts: [(String, [UInt8])] = [("desc", Array("desc    \(description)".utf8))]
    if gray {
      parts.append(("kTRC", whole))
    } else {
      for (name, column) in zip(["r", "g", "b"], columns) {
        parts.append((name + "XYZ", Array("XYZ ".utf8) + number(0) + column.flatMap(fixed)))
        parts.append((name + "TRC", whole))
      }
    }
    var table = number(parts.count)
    var body: [UInt8] = []
    for (name, bytes) in parts {
      table += Array(name.utf8) + number(132 + 12 * parts.count + body.count) + number(bytes.count)
      body += bytes
    }
    var header = [UInt8](repeating: 0, count: 128)
    header.replaceSubrange(16..<24, with: Array((gray ? "GRAYXYZ " : "RGB XYZ ").utf8))
    header.replaceSubrange(36..<40, with: Array("acsp".utf8))
    return header + table + body
  }

  private func fill(_ profile: [UInt8], _ components: Int, _ color: String) throws -> [Int] {
    var sketch = PDFSketch("")
    let stream = sketch.addStream("/N \(components)", profile)
    return try fill("/A cs \(color) sc", spaces: "/A [/ICCBased \(stream) 0 R]", sketch)
  }

  private static let standard = [
    [0.4361, 0.2225, 0.0139], [0.3851, 0.7169, 0.0971], [0.1431, 0.0606, 0.7141],
  ]
  private static let wide = [
    [0.5151, 0.2412, -0.0011], [0.2920, 0.6922, 0.0419], [0.1571, 0.0666, 0.7841],
  ]

  @Test func profilesAreConverted() throws {
    let steep = profile(Self.standard, gamma: 1.8)
    #expect(try isNear(fill(steep, 3, "1 1 1"), white))
    // 0.5 to the power 1.8 is 0.287 of the light, which is 0.573 in sRGB.
    #expect(try isNear(fill(steep, 3, "0.5 0.5 0.5"), [146, 146, 146, 255]))
    #expect(try isNear(fill(profile(Self.wide, gamma: 2.2), 3, "1 1 1"), white, by: 2))
    let muted = try fill(profile(Self.wide, gamma: 2.2), 3, "0.6 0.4 0.4")
    #expect(muted[0] > 155 && muted[1] < 102)
    #expect(try isNear(fill(profile([], gamma: 1, gray: true), 1, "0.5"), [188, 188, 188, 255]))
  }

  @Test func standardProfilesChangeNothing() throws {
    let named = profile(Self.wide, gamma: 1.8, description: "sRGB IEC61966-2.1")
    #expect(try fill(named, 3, "0.2 0.4 0.6") == [51, 102, 153, 255])
    // The stream is not a profile, so the number of components decides.
    #expect(try fill([1, 2, 3], 3, "0.2 0.4 0.6") == [51, 102, 153, 255])
    #expect(try fill([1, 2, 3], 1, "0.2") == [51, 51, 51, 255])
    #expect(try fill([1, 2, 3], 4, "0 0 0 1") == [26, 25, 25, 255])
  }

  // MARK: Functions

  private func evaluate(_ entries: String, _ input: [Double]) throws -> [Double] {
    try evaluate(entries, nil, input)
  }

  private func evaluate(
    _ entries: String, _ stream: [UInt8]?, _ input: [Double]
  ) throws -> [Double] {
    try #require(try function(entries, stream)).evaluate(input)
  }

  private func function(_ entries: String, _ stream: [UInt8]?) throws -> PDFFunction? {
    var sketch = PDFSketch("")
    let number =
      stream.map { sketch.addStream(entries, $0) } ?? sketch.add("<< \(entries) >>")
    let file = try sketch.bytes.withUnsafeBytes { try PDFFile($0, Budget(input: $0.count)) }
    return file.function(.reference(number))
  }

  private func calculate(_ program: String, _ input: [Double], results: Int = 1) throws -> [Double]
  {
    let range = (0..<results).map { _ in "-1000 1000" }.joined(separator: " ")
    let domain = input.map { _ in "-1000 1000" }.joined(separator: " ")
    return try evaluate(
      "/FunctionType 4 /Domain [\(domain)] /Range [\(range)]", Array(program.utf8), input)
  }

  @Test func sampledFunctions() throws {
    let entries = "/FunctionType 0 /Domain [0 1] /Range [0 1] /Size [3] /BitsPerSample 8"
    #expect(try evaluate(entries, [0, 255, 51], [0.25]) == [0.5])
    #expect(try evaluate(entries, [0, 255, 51], [1]) == [0.2])
    #expect(try evaluate(entries + " /Decode [1 0]", [0, 255, 51], [0]) == [1])
    #expect(try evaluate(entries + " /Encode [2 0]", [0, 255, 51], [0]) == [0.2])
    let nibbles = "/FunctionType 0 /Domain [0 1] /Range [0 1] /Size [2] /BitsPerSample 4"
    #expect(try evaluate(nibbles, [0x0F], [0.5]) == [0.5])
    let huge =
      "/FunctionType 0 /Domain [0 1] /Range [0 1] /Size [99999999999999999999] /BitsPerSample 1"
    #expect(try evaluate(huge, [0x80], [0]) == [1])
    let two = "/FunctionType 0 /Domain [0 1 0 1] /Range [0 1 0 1] /Size [2 2] /BitsPerSample 8"
    let corners: [UInt8] = [0, 255, 255, 255, 0, 0, 255, 0]
    #expect(try evaluate(two, corners, [1, 0]) == [1, 1])
    #expect(try evaluate(two, corners, [0.5, 0.5]) == [0.5, 0.5])
  }

  @Test func exponentialAndStitchedFunctions() throws {
    #expect(
      try evaluate("/FunctionType 2 /Domain [0 1] /C0 [0 1] /C1 [1 0] /N 2", [0.5]) == [0.25, 0.75])
    let part = "<< /FunctionType 2 /Domain [0 1] /N 1 >>"
    let back = "<< /FunctionType 2 /Domain [0 1] /C0 [1] /C1 [0] /N 1 >>"
    let entries =
      "/FunctionType 3 /Domain [0 1] /Functions [\(part) \(back)] /Bounds [0.25] /Encode [0 1 0 1]"
    #expect(try evaluate(entries, [0.125]) == [0.5])
    #expect(try evaluate(entries, [0.25]) == [1])
    #expect(try evaluate(entries, [0.625]) == [0.5])
    // At a bound the part after it applies, from the start of its own arguments.
    let low = "<< /FunctionType 2 /Domain [0 1] /C1 [0.5] /N 1 >>"
    let jump = entries.replacing("[\(part) ", with: "[\(low) ")
    #expect(try evaluate(jump, [0.25]) == [1])
    #expect(try evaluate(jump, [0.125]) == [0.25])
    #expect(try evaluate(entries, [2]) == [0])
  }

  @Test(
    arguments: [
      ("{ 2 add }", [1.0], 3.0), ("{ sub }", [5, 3], 2), ("{ mul }", [5, 3], 15),
      ("{ div }", [5, 2], 2.5), ("{ idiv }", [7, 2], 3), ("{ mod }", [-5, 3], -2),
      ("{ neg abs }", [-4], 4), ("{ sqrt }", [9], 3), ("{ ceiling }", [1.2], 2),
      ("{ floor }", [-1.2], -2), ("{ round }", [1.5], 2), ("{ truncate }", [-1.7], -1),
      ("{ cvi }", [2.9], 2), ("{ cvr }", [2.5], 2.5), ("{ sin }", [30], 0.5),
      ("{ cos }", [60], 0.5),
      ("{ atan }", [1, -1], 135), ("{ exp }", [2, 5], 32), ("{ ln }", [1], 0),
      ("{ log }", [1000], 3), ("{ eq { 1 } { 2 } ifelse }", [4, 4], 1),
      ("{ ne { 1 } { 2 } ifelse }", [4, 4], 2), ("{ gt { 1 } { 2 } ifelse }", [5, 4], 1),
      ("{ ge not { 7 } if }", [3, 4], 7), ("{ lt { 1 } { 2 } ifelse }", [5, 4], 2),
      ("{ le { 1 } { 2 } ifelse }", [5, 4], 2), ("{ and }", [12, 10], 8), ("{ or }", [12, 10], 14),
      ("{ xor }", [12, 10], 6), ("{ not }", [5], -6), ("{ 2 bitshift }", [3], 12),
      ("{ -1 bitshift }", [6], 3), ("{ true { 3 } { 4 } ifelse add }", [1], 4),
      ("{ pop }", [1, 2], 1),
      ("{ exch sub }", [1, 5], 4), ("{ dup mul }", [3], 9), ("{ 2 copy add add add }", [1, 2], 6),
      ("{ 1 index pop sub }", [8, 3], 5), ("{ 3 1 roll pop pop }", [1, 2, 3], 3),
      ("{ 3 -1 roll }", [1, 2, 3], 1),
      ("{ false { 1 } { false { 2 } { 3 } ifelse } ifelse }", [0], 3),
    ] as [(String, [Double], Double)])
  func calculations(program: String, input: [Double], result: Double) throws {
    let found = try calculate(program, input)
    #expect(abs((found.first ?? .nan) - result) < 1e-9, "\(program) gave \(found)")
  }

  @Test func brokenCalculationsAreHarmless() throws {
    #expect(try calculate("{ pop pop pop }", [1]) == [0])
    #expect(try calculate("{ 1000000000 copy }", [1]).count == 1)
    #expect(try calculate("{ 0 div }", [1]) == [0])
    #expect(try calculate("{ 300 300 exp }", [1]).allSatisfy { $0.isFinite })
    let many = String(repeating: "dup ", count: 200)
    #expect(try calculate("{ \(many) }", [1]).count == 1)
    for program in ["", "{", "{ foo }", "{ { 1 }", "{ { 1 } }", "{ (a) }"] {
      let entries = "/FunctionType 4 /Domain [0 1] /Range [0 1]"
      #expect(try function(entries, Array(program.utf8)).map { _ in 1 } == nil, "\(program)")
    }
  }

  @Test func longCalculationsAreRefused() throws {
    let program = "{ " + String(repeating: "1 pop ", count: 6000) + "}"
    var sketch = PDFSketch("/A cs " + String(repeating: "1 sc 0 0 8 8 re f ", count: 6000))
    let tint = sketch.addStream("/FunctionType 4 /Domain [0 1] /Range [0 1]", program)
    sketch.resources = "/ColorSpace << /A [/Separation /X /DeviceGray \(tint) 0 R] >>"
    do {
      _ = try sketch.drawing()
      Issue.record("drawn")
    } catch {
      guard case .overBudget(let reason) = error as? VectorError else { throw error }
      #expect(reason.shares.first?.expense == .functionSteps)
    }
  }
}
