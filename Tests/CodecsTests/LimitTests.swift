// Limits of the codecs that are met exactly: a palette of as many colours as a byte numbers, and
// matches as far away as zlib lets them be.

import Testing

@testable import Codecs

@Suite struct LimitTests {
  /// The bytes of a picture with this many colours, each twice.
  private func picture(colors: Int) -> [UInt8] {
    var row: [UInt8] = []
    for color in 0..<colors {
      row += [UInt8(color & 255), UInt8(color >> 8), UInt8(color * 7 & 255), 255]
    }
    return row + row
  }

  /// 256 colours have numbers of eight bits, one more has numbers of sixteen; each pixel comes
  /// back.
  @Test(arguments: [1, 2, 3, 4, 5, 16, 17, 255, 256, 257, 300])
  func everyColourOfAPaletteComesBack(colors: Int) throws {
    let pixels = picture(colors: colors)
    var encoder = LZFSEEncoder()
    var packed: [UInt8] = []
    let isPacked = pixels.withUnsafeBytes {
      Palette.encode(
        $0, format: .argb, width: colors, height: 2, rowStride: colors * 4, mostColors: 1 << 14,
        with: &encoder, appendingTo: &packed)
    }
    #expect(isPacked)
    var decoded = [UInt8](repeating: 0, count: pixels.count)
    try packed.withUnsafeBytes { packed in
      try decoded.withUnsafeMutableBytes {
        try Palette.decode(
          packed, format: .argb, width: colors, height: 2, into: $0, rowStride: colors * 4)
      }
    }
    #expect(decoded == pixels)
    let bits = [(2, 1), (4, 2), (16, 4), (256, 8)].first { colors <= $0.0 }?.1
    #expect(Palette.indexBits(colors: colors) == bits ?? 16)
  }

  /// No palette is made of more colours than are allowed.
  @Test(arguments: [(256, true), (257, false)])
  func aPaletteHasAsManyColoursAsAreAllowed(colors: Int, isPacked: Bool) {
    var encoder = LZFSEEncoder()
    var packed: [UInt8] = []
    let made = picture(colors: colors).withUnsafeBytes {
      Palette.encode(
        $0, format: .argb, width: colors, height: 2, rowStride: colors * 4, with: &encoder,
        appendingTo: &packed)
    }
    #expect(made == isPacked && packed.isEmpty == !isPacked)
  }

  /// Bytes below 128, as a linear congruential generator gives them.
  private func noise(_ count: Int, seed: UInt32) -> [UInt8] {
    var state = seed
    return (0..<count).map { _ in
      state = state &* 1_664_525 &+ 1_013_904_223
      return UInt8(state >> 25)
    }
  }

  /// The output of zlib 1.2.13 at its sixth level for 40 bytes that repeat at this distance. With a
  /// decoy, their first three bytes also stand between. Its farthest match is 32,768 − 262 =
  /// 32,506 bytes away.
  @Test(
    arguments: [
      (32505, false, 28747, 0xBB17_9EBE), (32506, false, 28755, 0x89B3_8C9A),
      (32507, false, 28845, 0x76AC_CE09), (32508, false, 28846, 0x8E2E_B8A8),
      (32768, false, 29080, 0x6747_23E9), (32769, false, 29081, 0xCF73_3D24),
      (32505, true, 28755, 0xFDAB_8872), (32506, true, 28760, 0x9D9E_6C4F),
      (32507, true, 28845, 0x50B8_A767), (32508, true, 28846, 0x916C_7F58),
      (32768, true, 29080, 0x31D9_078D), (32769, true, 29081, 0x4E43_A37E),
    ] as [(Int, Bool, Int, UInt32)])
  func matchesReachAsFarAsThoseOfZlib(distance: Int, hasDecoy: Bool, size: Int, check: UInt32) {
    let mark = noise(40, seed: 7).map { $0 + 128 }
    var bytes = noise(100, seed: 1) + mark + noise(distance - mark.count, seed: 2) + mark
    bytes += noise(50, seed: 3)
    if hasDecoy {
      let place = 100 + distance - 1000
      bytes.replaceSubrange(place..<place + 3, with: mark[..<3])
    }
    var encoder = GzipEncoder()
    var member: [UInt8] = []
    bytes.withUnsafeBytes { encoder.encode($0, appendingTo: &member) }
    #expect(member.count == size)
    #expect(member.withUnsafeBytes { Checksum.crc32($0) } == check)
  }
}
