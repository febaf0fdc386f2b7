// Pixels that wait for their atlas come back as they were, and mostly take less memory.

import Support
import Testing

@testable import CatalogCompiler

@Suite struct CompactPixelsTests {
  private func compact(_ pixels: [UInt8]) -> CompactPixels {
    pixels.withUnsafeBytes { CompactPixels($0) }
  }

  private func unpacked(_ pixels: CompactPixels, count: Int) -> [UInt8] {
    var bytes = [UInt8](repeating: 7, count: count)
    bytes.withUnsafeMutableBytes { pixels.unpack(into: $0) }
    return bytes
  }

  /// Runs of random lengths and noise, with sizes around groups of 16 and 128 bytes.
  @Test func pixelsComeBack() {
    var generator = SeededGenerator.forTest(29)
    for count in Array(0...300) + [1_000, 4_096, 100_001] {
      var pixels: [UInt8] = []
      while pixels.count < count {
        let pixel = generator.bytes(4)
        for _ in 0..<generator.pick(1...40) { pixels += pixel }
        pixels += generator.bytes(generator.pick(0...20))
      }
      pixels.removeLast(pixels.count - count)
      #expect(unpacked(compact(pixels), count: count) == pixels, "\(count) bytes, \(generator)")
    }
  }

  @Test func repetitionsAreLeftOut() {
    let clear = [UInt8](repeating: 0, count: 4_000)
    let red = (1...1_000).flatMap { _ in [0, 0, 255, 255] as [UInt8] }
    // One group of 500 is stored, and a byte for eight groups.
    #expect(compact(clear + red).byteCount == 16 + 63)
  }

  /// Pixels without repetitions take little more memory than before.
  @Test func noiseStaysAsLarge() {
    var generator = SeededGenerator.forTest(30)
    #expect(compact(generator.bytes(12_800)).byteCount == 12_800 + 100)
  }
}
