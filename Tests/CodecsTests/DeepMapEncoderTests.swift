// Deepmaps of the second generation: the bytes of Apple's tool, round trips, and what is refused.

import Foundation
import Support
import Testing

@testable import Codecs

/// Random pictures of every kind that suits a method, with sizes around the limits.
private struct Sketch {
  let format: PixelFormat
  let width: Int
  let height: Int
  var bytes: [UInt8] = []

  init(_ generator: inout SeededGenerator) {
    format = generator.pick(0...2) == 0 ? .ga8 : .argb
    width = generator.pick(1...(generator.pick(0...9) == 0 ? 300 : 60))
    height = generator.pick(1...(generator.pick(0...9) == 0 ? 200 : 50))
    let size = format.bytesPerPixel
    let kind = generator.pick(0...5)
    let colors = [1, 2, 7, 40, 41, 200, 256, 257, 300][generator.pick(0...8)]
    let palette = (0..<colors).map { _ in generator.bytes(size) }
    let step = generator.pick(1...6)
    var last = palette[0]
    for y in 0..<height {
      for x in 0..<width {
        switch kind {
        case 0: last = palette[generator.pick(0...colors - 1)]
        case 1: if generator.pick(0...9) == 0 { last = palette[generator.pick(0...colors - 1)] }
        case 2: last = palette[(x / step + y / step) % colors]
        case 3: last = (1...size).map { UInt8(truncatingIfNeeded: x * $0 / step + y) }
        case 4: last = (1...size).map { UInt8(truncatingIfNeeded: x / $0 + generator.pick(0...2)) }
        default: last = generator.bytes(size)
        }
        bytes += last
      }
    }
  }

  init(_ format: PixelFormat, _ width: Int, _ height: Int, bytes: [UInt8]) {
    self.format = format
    self.width = width
    self.height = height
    self.bytes = bytes
  }

  func encode(
    _ encoder: inout BitmapEncoder, isExact: Bool = false
  ) -> (payload: [UInt8], kind: Compression) {
    var payload: [UInt8] = []
    let kind = bytes.withUnsafeBytes { pixels in
      encoder.encode(
        BitmapRows(
          pixels, format: format, width: width, height: height,
          bytesPerRow: width * format.bytesPerPixel, isOpaque: false,
          isHalfGray: format == .ga16),
        demands: BitmapDemands(isExact: isExact), appendingTo: &payload)
    }
    return (payload, kind)
  }

  func decode(_ payload: [UInt8]) throws -> [UInt8] {
    try decoded(payload, room: bytes.count) { source, target in
      try BitmapPayload.decode(
        source, format: format, width: width, height: height,
        bytesPerRow: width * format.bytesPerPixel, into: target,
        rowStride: width * format.bytesPerPixel)
      return target.count
    }
  }
}

struct DeepMapEncoderTests {
  @Test("Digests of payloads are those of Apple's rule written down apart, with its own packer")
  func digests() {
    var generator = SeededGenerator(seed: 15)
    var encoder = BitmapEncoder(optimization: .identical, oldestReader: .deepMap2)
    for (number, expected) in Self.expected.enumerated() {
      let (payload, kind) = Sketch(&generator).encode(&encoder)
      let digest = kind == .deepMap2 ? ReferenceInputs.digest(payload) : 0
      #expect(digest == expected, "picture \(number): 0x\(String(digest, radix: 16))")
    }
  }

  @Test(
    "Exact pixels come back; others are off by one at most, and the same for every aim but space")
  func roundTrips() throws {
    var generator = SeededGenerator.forTest(21)
    var encoders = Optimization.allCases.map { aim in
      BitmapEncoder(optimization: aim, oldestReader: .deepMap2)
    }
    for _ in 0..<20 {
      let sketch = Sketch(&generator)
      var apples: [UInt8]?
      for index in encoders.indices {
        let exact = sketch.encode(&encoders[index], isExact: true)
        #expect(try sketch.decode(exact.payload) == sketch.bytes, "\(generator)")
        let other = try sketch.decode(sketch.encode(&encoders[index]).payload)
        let worst = zip(other, sketch.bytes).map { abs(Int($0) - Int($1)) }.max() ?? 0
        #expect(worst <= 1, "\(generator)")
        guard [.standard, .identical].contains(encoders[index].optimization) else { continue }
        #expect(apples == nil || apples == other, "\(generator)")
        apples = other
      }
    }
  }

  @Test("Logarithms are the floats nearest to the true ones")
  func logarithms() {
    for size in 0...32_768 {
      #expect(NaturalLogarithms.ofWideSizes[size] == Float(Foundation.log(Double(size + 1))))
    }
    #expect(NaturalLogarithms.ofNarrowSizes == Array(NaturalLogarithms.ofWideSizes[..<1024]))
  }

  @Test(
    "Pictures above 4 MiB are cut into chunks, tiles hold 2 MiB, and a pixel is stored as it is")
  func cuts() throws {
    var encoder = BitmapEncoder(optimization: .identical, oldestReader: .deepMap2)
    var generator = SeededGenerator(seed: 2)
    let noise = generator.bytes(1024 * 2)
    let tall = Sketch(.ga8, 1024, 1030, bytes: (0..<1030).flatMap { _ in noise })
    let (payload, kind) = tall.encode(&encoder, isExact: true)
    #expect(kind == .deepMap2)
    let parsed = try payload.withUnsafeBytes { bytes -> (Int, Range<Int>) in
      let payload = try BitmapPayload(bytes)
      return (payload.chunkCount, try payload.span(of: 3..<4, height: 1030))
    }
    #expect(parsed == (2, 0..<1024))
    #expect(try tall.decode(payload) == tall.bytes)
    let pixel = Sketch(.argb, 1, 1, bytes: [1, 2, 3, 4]).encode(&encoder).payload
    #expect(pixel.suffix(16) == [0x64, 0x6D, 0x70, 0x32, 1, 1, 10, 4, 1, 0, 1, 0, 1, 2, 3, 4])
  }

  @Test("Some rows are decoded without the tiles that hold none of them")
  func tiles() throws {
    var encoder = BitmapEncoder(optimization: .identical, oldestReader: .deepMap2)
    let (width, height) = (1024, 600)
    let slope = (0..<width * height).flatMap { place in
      let (x, y) = (place % width, place / width)
      return [UInt8(truncatingIfNeeded: x / 2 + y), UInt8(truncatingIfNeeded: x / 3), 7, 255]
    }
    let picture = Sketch(.argb, width, height, bytes: slope)
    var payload = picture.encode(&encoder).payload
    let whole = try picture.decode(payload)
    // Two mebibytes hold 291 rows of residuals. The test destroys the first tile.
    for place in 48..<2000 { payload[place] = 9 }
    #expect(throws: CodecError.self) { try picture.decode(payload) }
    let part = try decoded(payload, room: 291 * 4 * width) { source, target in
      let payload = try BitmapPayload(source)
      let span = try payload.span(of: 300..<582, height: height)
      #expect(span == 291..<582)
      #expect(try payload.span(of: 300..<583, height: height) == 291..<600)
      var scratch = DecodingScratch()
      try payload.decode(
        format: .argb, width: width, height: height, rows: span, bytesPerRow: 4 * width,
        into: target, rowStride: 4 * width, &scratch)
      return target.count
    }
    #expect(part == Array(whole[291 * 4 * width..<582 * 4 * width]))
  }

  @Test(
    "Halves come back exactly where that is asked, whatever they are", arguments: [false, true])
  func halves(_ isGray: Bool) throws {
    let values: [Float16] = [0, 1, 0.5, -0.25, 3, .infinity, .nan, -.infinity, 65504, 0x1p-24]
    let format: PixelFormat = isGray ? .ga16 : .rgbw
    let count = 40 * 30 * format.bytesPerPixel / 2
    let bytes = (0..<count).flatMap { index -> [UInt8] in
      let bits = values[index / 7 % values.count].bitPattern
      return [UInt8(bits & 255), UInt8(bits >> 8)]
    }
    let sketch = Sketch(format, 40, 30, bytes: bytes)
    for aim in [Optimization.standard, .identical, .space] {
      var encoder = BitmapEncoder(optimization: aim, oldestReader: .deepMap2)
      let (payload, kind) = sketch.encode(&encoder, isExact: true)
      #expect(isGray ? kind == .deepMap2 : kind != .uncompressed)
      #expect(try sketch.decode(payload) == bytes)
    }
  }

  @Test("Palettes are in the order of Apple's tool", arguments: [3, 8, 41, 256])
  func palettes(_ count: Int) {
    var generator = SeededGenerator(seed: UInt64(count))
    let colors = Set((0..<count).map { _ in UInt32(truncatingIfNeeded: generator.next()) }).sorted()
    let sorted = sortedByFold(colors)
    let keys = sorted.map { color in
      [0, 8, 16, 24].reduce(0) { $0 ^ (color >> $1 & 255) }
    }
    #expect(keys == keys.sorted())
    #expect(Set(sorted) == Set(colors))
  }

  /// The expected digests; 0 if another compression is chosen.
  private static let expected: [UInt64] = [
    0x66DB_9505_682A_4BC9, 0x4425_7991_79B7_EF8D, 0x5C38_0428_EA07_6AEC, 0x73F4_BE8D_6232_0EA9,
    0x00BE_1D13_21B9_DA60, 0x3E4B_E051_C74B_0C6A, 0xD704_F331_D464_A775, 0xA4AF_3276_750D_264D,
    0x1688_EC29_0D14_D19A, 0x0A53_9C60_7401_806F, 0x9990_861E_7F9B_A507, 0x4C24_6A97_97E0_C50F,
    0x93AE_6151_EAB4_F2F7, 0xEC63_A00D_9946_788F, 0x433B_AA43_156E_7B8C, 0x4576_4DC4_C622_CC2C,
    0x640E_C9D9_C8E8_E7C7, 0x5A05_CE34_3808_7461, 0xE13C_437C_109D_0FC8, 0xBDA0_18CC_CA98_A379,
    0xA332_843F_B609_D610, 0x288F_83EA_45CB_F948, 0x690C_5204_63DC_039B, 0xA161_4A24_89B8_0AAF,
    0x090A_E6EF_58EC_2386, 0x02B5_1425_1B73_260C, 0xCA7A_CF9C_6D48_3D30, 0x48F2_C60F_DC8A_ECF2,
    0x6C0D_4D82_E1A3_4D70, 0xA72A_B43A_3562_C8F0, 0x7524_4845_94DC_393A, 0xAC74_4389_8976_02D7,
    0xE29B_2EAF_BEF7_56D7, 0x743F_1A2F_5358_D798, 0x1DC3_96F1_1750_4F0D, 0x5DBE_9E60_F303_1CC9,
    0xA48D_5369_E25E_5B3A, 0xA29A_62F9_A0F2_FB4B, 0x5A9A_7F79_03AD_AE93, 0x2536_16A7_0252_2FF3,
    0xBD9D_2C1A_9555_BEBB, 0x29FB_3786_5655_C8AD, 0xD4F9_6630_C0C0_7036, 0xBA08_63E9_CC11_81F5,
    0xD3E9_109C_85E5_C053, 0x460D_39F6_D1F2_7038, 0x3848_8663_7FBC_8695, 0x037D_5D18_13BF_3966,
    0x50FC_423A_8052_1294, 0x272D_3144_59D6_9AAF, 0x90EC_0C43_BFF7_4BA1, 0x5092_D7DC_2E25_93DE,
    0x8CF5_3541_C5A5_15F6, 0x49E5_97D5_39D0_F340, 0x82ED_2E19_0BF1_B6C2, 0x5735_6F4B_3BA4_B412,
    0xB428_9C28_E720_76D4, 0xB3BC_2619_4ACA_2EE5, 0x3373_47BB_1F0A_C60C, 0x6011_35C3_FBFE_7667,
    0x1BC3_C15F_1E42_5D51, 0x7FED_35C8_7268_F36A, 0xF2AB_701F_AFE8_6C85, 0x0460_FB12_29C5_0D9E,
    0x4B84_2B4B_F51C_C48F, 0xA2E8_9E3C_998E_1E71, 0xDE35_2F26_6345_0B81, 0x2A26_E5D8_6E08_AF26,
    0xD545_FEF9_E1CF_76A7, 0x6EEE_A99A_BDEC_E256, 0x0834_E4FA_0A21_F986, 0xEDBE_1F00_8B01_E453,
    0x2802_224A_A90E_334F, 0xB617_9586_1352_E939, 0xB19E_8A6E_E177_8981, 0xD3E9_1A00_2E80_67BF,
    0x8B96_F51F_8CC2_5619, 0x8DF7_2C21_8FEF_42C7, 0x923D_9972_3BC1_5973, 0xB25D_1DF9_93C0_F1DC,
    0x6AA6_B4AC_B95D_AB6D, 0x05E5_7B5A_FA45_5566, 0xC3CD_86E7_0DA4_5540, 0x2745_14A1_00F8_9AEF,
    0xF9E6_5250_40B3_2519, 0x92F2_0164_5ACE_1742, 0xB68F_5E11_F338_C0A5, 0x2ECD_C2E8_A218_1B09,
    0x886C_12A1_253B_69AE, 0xCC08_6548_D196_5449, 0xCB3C_F758_16E0_C8B5, 0x1E4F_3857_4B70_A22A,
    0xA3CD_9C9B_BBA4_F1DA, 0x2623_3724_6810_3DD9, 0x27CD_CC15_04DE_2C6D, 0xC37D_DF89_069B_3018,
    0xBB80_A4DE_93F7_4938, 0xD5EC_9390_F354_2E36, 0x5E65_14AF_F931_01A1, 0x4AA7_6FF5_6886_1FB2,
    0xB0F9_9DF4_E5B7_2074, 0xD654_F8A6_6E1A_3F33, 0xF78E_2DFD_B42B_5034, 0x5B84_9B68_68E3_BB0A,
    0x91FB_A805_F6D8_3940, 0x44EC_DF83_8EC5_2351, 0x8F63_2547_CDB3_467F, 0x9CF2_94C7_9829_9783,
    0x1927_7807_72D6_A0EC, 0x161E_2276_A6D7_DC53, 0xC008_959D_26FB_E827, 0xCEBA_096A_1A3C_8030,
    0x9C15_4115_8AF4_D2E1, 0x8853_A0A4_47EB_AB60, 0xD7C5_F148_62B1_AF5B, 0x58C9_DFEE_91E6_5BB1,
    0x7038_44E5_6778_D4E4, 0x02B2_7F0D_965E_85EF, 0xE7DA_7026_96F3_55F0, 0x64AE_9FB3_DA7C_03F9,
    0x2422_08C6_99A9_C056, 0x925F_60EE_70E7_C1B9, 0xCDF7_B5B8_9012_101A, 0x26B7_8369_65E9_61CC,
    0xC2D8_624A_2F5B_DF68, 0x43F2_E8C5_239D_707B, 0x6959_43C5_D5CB_325C, 0x0C72_159C_84D4_07E5,
    0x60D8_C461_CC84_4B21, 0xF105_687F_180C_7CC7, 0x77A7_B6A7_47FF_F7AB, 0xC87E_2100_D4BB_A5DA,
    0x05AE_37FC_DC63_3DE7, 0x3DC5_44B3_2A82_2BC0, 0x4289_B6A2_5807_4131, 0x1CF8_9264_62E0_4E8A,
    0x1ADD_5D2F_EC76_07F7, 0xDCFF_C6DD_BD1E_7039, 0xC206_C8A2_9EDB_98F6, 0x2E3B_4A03_8CDD_806E,
    0x8717_DBEC_600F_C464, 0x8DE2_4A6A_79B7_67F5, 0xF426_0095_AD17_58D3, 0xF596_EAA0_AD8B_BFDE,
    0x6556_6563_8E7D_8C5C, 0x4FC5_2799_C55D_B886, 0xECFA_7E08_C360_1F03, 0x170F_762A_CB28_C161,
    0xDCBF_A649_EE40_6B60, 0x0147_6E2D_EDD0_E28E, 0xEDFB_E01E_E1A0_7EBB, 0xD70E_2410_46A5_2B97,
    0xCD01_D499_68FD_B97B, 0xF2D7_2F06_4938_C7FC, 0x20EF_0B75_258E_B1A9, 0xB52E_D8EF_44BD_9686,
    0x815A_7685_BF7D_0E07, 0x15E5_D899_E672_D2A8, 0xBCBB_C558_B47A_3C67, 0xC0A1_6F2C_80AE_7FAF,
    0xC7B5_AC48_E8E3_F805, 0x7FBB_E5D6_FC6D_9881, 0x0D89_A4F8_9E01_E912, 0xAD2E_F44E_FC4F_2960,
    0x203C_DDEE_FCF4_C6CF, 0xF553_5568_3C4D_11E9, 0xF118_3F14_3E75_7858, 0x24E6_6A11_F5C4_1A22,
    0x7516_8F8E_F57E_045D, 0x7989_6548_D574_9BE6, 0xB34A_4B5A_EC8F_56EC, 0x3F3B_74EA_018E_E59C,
    0x4BFA_F989_2578_17F0, 0x8EBA_5253_292B_BE94, 0x2870_76DE_C892_68DF, 0xAA00_291C_DB90_9761,
    0xE387_F51C_412C_8468, 0x0B58_C00C_DCF8_56F5, 0x9F29_D565_4468_BDDA, 0x50C4_DCF0_2049_06D3,
    0x6E61_0002_14CD_C6A7, 0x852A_49E3_1233_8500, 0x9B77_754B_7359_501B, 0xF99C_0000_E38D_DEC9,
    0x9B08_95EE_935E_AF55, 0x64B7_3A9D_BF12_6ADC, 0xC883_E0B6_3DF2_0CA7, 0x15BF_AE5F_90CF_3D7C,
    0x5855_3BEB_ECEA_E024, 0xD28C_8B07_77B6_E075, 0xF6C0_0771_71CC_8621, 0xCCF6_914D_9A78_7295,
    0xBAE1_8AA6_549F_35B2, 0x3CE5_205A_B70E_F551, 0x330A_D550_340D_F344, 0xB831_6012_C08D_C602,
    0x4F67_BCCD_62F4_30A2, 0xF519_9A8F_FD41_9316, 0x3D31_4FC5_4450_0B13, 0x0B5F_1E07_6DC5_3992,
  ]
}
