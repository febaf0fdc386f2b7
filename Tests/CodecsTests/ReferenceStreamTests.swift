// The reference effort gives the bytes of the open-source encoder: digests of streams that liblzfse
// 1.0 wrote for the same inputs, and two whole streams.

import Support
import Testing

@testable import Codecs

/// Inputs on both sides of every limit of that encoder: 8 and 4096 bytes, 271 and 400 literals
/// without a match, 315 and 2520, 40 and 2359 bytes of a match, 10,000 sequences and 40,000
/// literals.
struct ReferenceInputs {
  static let all: [[UInt8]] = {
    var inputs = Sample.all.map(\.bytes).filter { $0.count >= 8 }
    for seed in 0..<60 as Range<UInt64> { inputs.append(mixed(seed)) }
    return inputs
  }()

  /// Returns noise, runs, and repetitions of near and far stretches.
  private static func mixed(_ seed: UInt64) -> [UInt8] {
    var generator = SeededGenerator(seed: seed)
    let size = [300, 4000, 6000, 30_000, 90_000, 300_000][Int(seed % 6)]
    let values = generator.pick(0...255)
    var bytes: [UInt8] = []
    while bytes.count < size {
      let first = bytes.count
      switch generator.pick(0...5) {
      case 0:
        for _ in 0...generator.pick(0...300) { bytes.append(UInt8(generator.pick(0...values))) }
      case 1:
        bytes += repeatElement(UInt8(generator.pick(0...255)), count: generator.pick(1...3000))
      case 2 where first > 10: again(generator.pick(1...first), generator.pick(1...500))
      case 3 where first > 10: again(generator.pick(1...20) % first + 1, generator.pick(1...6000))
      case 4 where seed % 4 == 0: bytes += generator.bytes(generator.pick(1...9000))
      default: bytes.append(UInt8(generator.pick(0...values)))
      }
    }
    return Array(bytes.prefix(size))

    func again(_ distance: Int, _ count: Int) {
      for _ in 0..<count { bytes.append(bytes[bytes.count - min(distance, bytes.count)]) }
    }
  }

  static func digest(_ bytes: [UInt8]) -> UInt64 {
    bytes.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
  }
}

struct ReferenceStreamTests {
  private func encode(_ bytes: [UInt8], _ encoder: inout LZFSEEncoder) -> [UInt8] {
    var output: [UInt8] = []
    bytes.withUnsafeBytes { encoder.encode($0, appendingTo: &output) }
    return output
  }

  @Test("Whole streams are those of the open-source encoder")
  func streams() {
    var encoder = LZFSEEncoder(effort: .reference)
    #expect(encode(Fixtures.pattern(6000), &encoder) == Fixtures.bytes(Fixtures.entropyCoded))
    #expect(encode(Fixtures.pattern(700), &encoder) == Fixtures.bytes(Fixtures.byteCoded))
  }

  @Test("Digests of streams are those of the open-source encoder")
  func digests() {
    var encoder = LZFSEEncoder(effort: .reference)
    let inputs = ReferenceInputs.all
    #expect(inputs.count == Self.expected.count)
    // In the second round the table contains places of the same input.
    for (number, (input, expected)) in [1, 2].flatMap({ _ in zip(inputs, Self.expected) })
      .enumerated()
    {
      let stream = encode(input, &encoder)
      let digest = stream.count < input.count ? ReferenceInputs.digest(stream) : 0
      #expect(digest == expected, "input \(number % inputs.count)")
    }
  }

  @Test(
    "A table whose places reach the end of 32 bits gives the same streams",
    arguments: [
      .max - 300_001, .max - 300_000, .max - 299_999, .max - 270_000, .max,
    ] as [UInt32])
  func lastPlaces(next: UInt32) {
    let inputs = ReferenceInputs.all.filter { $0.count == 300_000 }
    #expect(inputs.count == 10)
    var used = RecentPlaces(next: next)
    var fresh = RecentPlaces()
    let memory = LZFSEBlockWriter.Memory()
    defer {
      used.deallocate()
      fresh.deallocate()
      memory.deallocate()
    }
    for input in inputs {
      #expect(stream(input, memory, &used) == stream(input, memory, &fresh))
      #expect(bareStream(input, &used) == bareStream(input, &fresh))
    }

    func stream(
      _ input: [UInt8], _ memory: LZFSEBlockWriter.Memory, _ recent: inout RecentPlaces
    ) -> [UInt8] {
      input.withUnsafeBytes { bytes -> [UInt8] in
        guard let base = bytes.baseAddress else { return [] }
        var writer = LZFSEBlockWriter(memory, source: base, count: bytes.count, appendingTo: [])
        ReferenceSearch.run(
          base, count: bytes.count, windows: .none, recent: &recent, into: &writer)
        writer.flush()
        return writer.output
      }
    }

    func bareStream(_ input: [UInt8], _ recent: inout RecentPlaces) -> [UInt8] {
      var output: [UInt8] = []
      let isWritten = input.withUnsafeBytes {
        LZVN.encodeAsReference($0, recent: &recent, appendingTo: &output)
      }
      #expect(isWritten)
      return output
    }
  }

  /// The digests are those of that encoder if it reads through a buffer of 768 KiB, which
  /// reproduces every chunk of that size in archives of Apple's tool. Without the buffer all three
  /// digests differ.
  @Test(
    "A stream sees its input through a buffer",
    arguments: [
      (1_400_003, 1, 0, 0x0D3B_5584_EBDC_17F9), (1_400_003, 50021, 255, 0xAD3E_ABFD_312D_59BE),
      (2_800_006, 299, 3, 0x6591_5276_7BB6_9BFC),
    ] as [(Int, UInt32, UInt32, UInt64)])
  func windows(count: Int, period: UInt32, mask: UInt32, expected: UInt64) {
    let input = (0..<UInt32(count)).map { place in
      var value = place % period &* 2_654_435_761
      value = (value ^ value &>> 15) &* 2_246_822_519
      return UInt8((value ^ value &>> 13) & mask)
    }
    var encoder = LZFSEEncoder(effort: .reference)
    var stream: [UInt8] = []
    input.withUnsafeBytes { encoder.encode($0, windows: .stream, appendingTo: &stream) }
    #expect(ReferenceInputs.digest(stream) == expected)
    #expect(ReferenceInputs.digest(encode(input, &encoder)) != expected)
  }

  /// The digests of the inputs in order; 0 if the stream is not shorter than its input.
  private static let expected: [UInt64] = [
    0, 0, 0, 0,
    0, 0, 0, 0,
    0, 0, 0, 0,
    0, 0, 0, 0,
    0, 0x675D_59A4_A60C_0A98, 0, 0x2894_86ED_EBCA_E572,
    0, 0x4F80_9134_9DF1_D651, 0x394D_AC36_0BD0_1658, 0xB6F8_CF5E_716B_6B6C,
    0, 0xCA45_41F0_038C_AE5E, 0x4264_C239_743C_8E2A, 0x57BC_1DC9_6720_74D5,
    0, 0xF9A9_01D9_3F5D_46DC, 0x927D_F8FA_8B0D_9409, 0x5141_0E3F_24D0_DF14,
    0, 0x2EC9_D74C_9ECF_0A5F, 0x9581_DD07_A001_A06A, 0xF12E_3D7B_ABCD_96B1,
    0, 0x85E9_908B_AC79_2547, 0x8883_F780_25E4_2FBC, 0x6486_F2F2_7972_9806,
    0, 0x02E5_ADFB_E601_613E, 0x374A_81D9_7DCF_25BB, 0x0097_7A56_1C20_1D5B,
    0, 0x3C35_06E3_D94D_BE6E, 0xEC4B_A11B_AA95_1D68, 0x77D3_3DAC_AB54_ED16,
    0x6B99_D0E2_8799_0C1B, 0x6B95_115F_4831_EB98, 0x0081_F220_C942_DFC5, 0x3A0A_9598_8D48_F494,
    0x6F61_9A5F_C9F3_AD5F, 0x6B55_E8AD_2732_BD5E, 0x7893_C919_BFD0_2154, 0x17F6_8436_A624_52C3,
    0xBF10_325F_042C_3189, 0xE85E_174F_46E6_7281, 0x675F_09E0_FB55_3A35, 0x6BF6_83E4_CC97_A534,
    0xD943_6FB2_A03D_EF01, 0x0747_478E_9FDC_1F9D, 0x471E_E35C_9348_BBC4, 0x8DD1_A0B4_28BA_D052,
    0x157D_D401_D56E_FBB6, 0x3C7E_EEA8_2539_2E3F, 0x733D_35AB_F5C9_6D79, 0x3DD3_9A95_2170_3022,
    0x4974_5D74_6181_CE0A, 0xB371_8B84_2DC4_939C, 0xD436_5F17_1608_EF0C, 0x198E_D845_36F0_B59E,
    0, 0x6CEE_9489_613C_36A0, 0xF37A_D5FB_1AC4_AE37, 0xD556_3EF0_A5DE_1883,
    0x68BB_F336_B8BA_FCE5, 0xE807_B0E7_F261_609F, 0x8B32_D4ED_F6E2_151A, 0x1EB9_AA9E_636B_1B05,
    0xD9CE_5296_F4B6_1E00, 0xC42A_6B97_D099_6271, 0x6C5A_E1F0_D7BB_E742, 0x2891_46E2_2A9E_69ED,
    0x0769_8125_3CB0_4B7A, 0xD542_638E_A620_70C7, 0xB142_5487_9339_4CCF, 0x97B8_2D8E_8D33_645A,
    0x1484_BD78_32F9_0080, 0xAAB5_E053_0675_7AEE, 0xEBF0_52FA_8626_7A01, 0x542A_BE57_5992_DC66,
    0x8082_801D_4EDE_45FC, 0x24F7_2593_0529_D814, 0xAF41_9CDD_0C86_5349, 0x8ECE_B433_5C50_A972,
    0x31AC_7A9E_13E2_7D27, 0xF0E6_804B_1BE6_01C8, 0x036C_F328_4DDE_FB11, 0x7701_68BB_2216_1273,
    0x7505_6A73_5CFA_1FE3, 0xFE74_9DD7_9EF6_169A, 0xBD51_EE7F_18F1_4637, 0xF2FA_8830_6DA6_8BDF,
    0x36FE_F986_D1BB_6C64, 0x594A_DCEE_02D1_EE6E, 0x10DD_AC35_225D_FAE2, 0xE8C0_6C05_64E4_0A4B,
  ]
}
