// The sample of slicing stretches without a fault: between the caps of the speech bubble, its
// edge is straight, and its middle is stretched whole.

import Bytes
import CarveRuntime
import Support
import Testing
import Traits

@testable import CatalogCompiler
@testable import Host

@Suite struct SampleSlicingTests {
  @Test(arguments: [1, 2, 3])
  func theBubbleIsStraightBetweenItsCaps(scale: Int) throws {
    let folder = try TemporaryDirectory()
    _ = try compile(
      .archive(of: ["\(ByteString(sampleCatalogs))/Slicing.xcassets"]), in: .disk,
      options: CompileOptions(target: CompileTarget(platform: .iOS), icons: .all),
      to: .path(ByteString(folder.path("out.car"))))
    let catalog = try Catalog(bytes: try folder.read("out.car"))
    var window = Environment()
    window.scale = UInt8(scale)
    let bubble = try #require(catalog.view(for: window).find("Bubble"))
    let caps = try #require(bubble.slicing).caps
    let size = bubble.pixelSize
    var pixels = [UInt8](repeating: 0, count: size.width * size.height * 4)
    try pixels.withUnsafeMutableBytes {
      try catalog.decode(bubble, as: .rgba8, into: $0, rowStride: size.width * 4)
    }
    func alpha(_ x: Int, _ y: Int) -> UInt8 { pixels[(y * size.width + x) * 4 + 3] }
    let rows = Int(caps.top) * scale..<size.height - Int(caps.bottom) * scale
    let columns = Int(caps.left) * scale..<size.width - Int(caps.right) * scale
    #expect(rows.count > 3 && columns.count > 3)
    // Rows that belong to no part would be missing in the gradient.
    #expect(bubble.slicing?.centerHeight == Float(rows.count) / Float(scale))
    #expect(bubble.slicing?.centerWidth == Float(columns.count) / Float(scale))
    for y in rows {
      for x in 0..<size.width { #expect(alpha(x, y) == alpha(x, rows.lowerBound), "\(x), \(y)") }
    }
    for x in columns {
      for y in 0..<size.height { #expect(alpha(x, y) == alpha(columns.lowerBound, y)) }
    }
  }
}
