// SHA-256, SHA-384 and SHA-512 (FIPS 180-4) of bytes in memory, and HMAC with SHA-256. SHA-256 is
// for digests that are compared with those of other programs; encrypted PDFs need all three.
// Digests that only Carve compares use BLAKE2b, which is faster.

package struct SHA256 {
  private var state: [UInt32] = [
    0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c, 0x1f83_d9ab,
    0x5be0_cd19,
  ]

  private static let constants: [UInt32] = [
    0x428a_2f98, 0x7137_4491, 0xb5c0_fbcf, 0xe9b5_dba5, 0x3956_c25b, 0x59f1_11f1, 0x923f_82a4,
    0xab1c_5ed5, 0xd807_aa98, 0x1283_5b01, 0x2431_85be, 0x550c_7dc3, 0x72be_5d74, 0x80de_b1fe,
    0x9bdc_06a7, 0xc19b_f174, 0xe49b_69c1, 0xefbe_4786, 0x0fc1_9dc6, 0x240c_a1cc, 0x2de9_2c6f,
    0x4a74_84aa, 0x5cb0_a9dc, 0x76f9_88da, 0x983e_5152, 0xa831_c66d, 0xb003_27c8, 0xbf59_7fc7,
    0xc6e0_0bf3, 0xd5a7_9147, 0x06ca_6351, 0x1429_2967, 0x27b7_0a85, 0x2e1b_2138, 0x4d2c_6dfc,
    0x5338_0d13, 0x650a_7354, 0x766a_0abb, 0x81c2_c92e, 0x9272_2c85, 0xa2bf_e8a1, 0xa81a_664b,
    0xc24b_8b70, 0xc76c_51a3, 0xd192_e819, 0xd699_0624, 0xf40e_3585, 0x106a_a070, 0x19a4_c116,
    0x1e37_6c08, 0x2748_774c, 0x34b0_bcb5, 0x391c_0cb3, 0x4ed8_aa4a, 0x5b9c_ca4f, 0x682e_6ff3,
    0x748f_82ee, 0x78a5_636f, 0x84c8_7814, 0x8cc7_0208, 0x90be_fffa, 0xa450_6ceb, 0xbef9_a3f7,
    0xc671_78f2,
  ]

  /// Returns the 32 bytes of the digest.
  package static func digest(_ bytes: [UInt8]) -> [UInt8] {
    bytes.withUnsafeBytes { digest(of: $0) }.state.flatMap { word in
      [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: word >> UInt32($0)) }
    }
  }

  /// Returns the digest of the bytes in upper-case hexadecimal digits.
  package static func hexadecimal(_ bytes: UnsafeRawBufferPointer) -> String {
    digest(of: bytes).state.map { word in
      let digits = String(word, radix: 16, uppercase: true)
      return String(repeating: "0", count: 8 - digits.count) + digits
    }.joined()
  }

  private static func digest(of bytes: UnsafeRawBufferPointer) -> SHA256 {
    var digest = SHA256()
    let whole = bytes.count / 64 * 64
    var schedule = [UInt32](repeating: 0, count: 64)
    for start in stride(from: 0, to: whole, by: 64) {
      digest.add(UnsafeRawBufferPointer(rebasing: bytes[start..<start + 64]), &schedule)
    }
    var tail = Array(bytes[whole...]) + [0x80]
    while tail.count % 64 != 56 { tail.append(0) }
    let bits = UInt64(bytes.count) * 8
    for shift in stride(from: UInt64(56), through: 0, by: -8) {
      tail.append(UInt8(truncatingIfNeeded: bits >> shift))
    }
    tail.withUnsafeBytes { tail in
      for start in stride(from: 0, to: tail.count, by: 64) {
        digest.add(UnsafeRawBufferPointer(rebasing: tail[start..<start + 64]), &schedule)
      }
    }
    return digest
  }

  private mutating func add(_ block: UnsafeRawBufferPointer, _ schedule: inout [UInt32]) {
    func rotated(_ word: UInt32, _ count: UInt32) -> UInt32 { word >> count | word << (32 - count) }
    for index in 0..<16 {
      schedule[index] = UInt32(
        bigEndian: block.loadUnaligned(fromByteOffset: index * 4, as: UInt32.self))
    }
    for index in 16..<64 {
      let early = schedule[index - 15]
      let late = schedule[index - 2]
      let first = rotated(early, 7) ^ rotated(early, 18) ^ early >> 3
      let second = rotated(late, 17) ^ rotated(late, 19) ^ late >> 10
      schedule[index] = schedule[index - 16] &+ first &+ schedule[index - 7] &+ second
    }
    var (a, b, c, d) = (state[0], state[1], state[2], state[3])
    var (e, f, g, h) = (state[4], state[5], state[6], state[7])
    for round in 0..<64 {
      let sum = rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25)
      let first = h &+ sum &+ (e & f ^ ~e & g) &+ SHA256.constants[round] &+ schedule[round]
      let second = (rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22)) &+ (a & b ^ a & c ^ b & c)
      (h, g, f, e, d, c, b, a) = (g, f, e, d &+ first, c, b, a, first &+ second)
    }
    for (index, word) in [a, b, c, d, e, f, g, h].enumerated() { state[index] &+= word }
  }
}

// MARK: - SHA-384 and SHA-512

package enum SHA512 {
  private static let constants: [UInt64] = [
    0x428A_2F98_D728_AE22, 0x7137_4491_23EF_65CD, 0xB5C0_FBCF_EC4D_3B2F,
    0xE9B5_DBA5_8189_DBBC, 0x3956_C25B_F348_B538, 0x59F1_11F1_B605_D019,
    0x923F_82A4_AF19_4F9B, 0xAB1C_5ED5_DA6D_8118, 0xD807_AA98_A303_0242,
    0x1283_5B01_4570_6FBE, 0x2431_85BE_4EE4_B28C, 0x550C_7DC3_D5FF_B4E2,
    0x72BE_5D74_F27B_896F, 0x80DE_B1FE_3B16_96B1, 0x9BDC_06A7_25C7_1235,
    0xC19B_F174_CF69_2694, 0xE49B_69C1_9EF1_4AD2, 0xEFBE_4786_384F_25E3,
    0x0FC1_9DC6_8B8C_D5B5, 0x240C_A1CC_77AC_9C65, 0x2DE9_2C6F_592B_0275,
    0x4A74_84AA_6EA6_E483, 0x5CB0_A9DC_BD41_FBD4, 0x76F9_88DA_8311_53B5,
    0x983E_5152_EE66_DFAB, 0xA831_C66D_2DB4_3210, 0xB003_27C8_98FB_213F,
    0xBF59_7FC7_BEEF_0EE4, 0xC6E0_0BF3_3DA8_8FC2, 0xD5A7_9147_930A_A725,
    0x06CA_6351_E003_826F, 0x1429_2967_0A0E_6E70, 0x27B7_0A85_46D2_2FFC,
    0x2E1B_2138_5C26_C926, 0x4D2C_6DFC_5AC4_2AED, 0x5338_0D13_9D95_B3DF,
    0x650A_7354_8BAF_63DE, 0x766A_0ABB_3C77_B2A8, 0x81C2_C92E_47ED_AEE6,
    0x9272_2C85_1482_353B, 0xA2BF_E8A1_4CF1_0364, 0xA81A_664B_BC42_3001,
    0xC24B_8B70_D0F8_9791, 0xC76C_51A3_0654_BE30, 0xD192_E819_D6EF_5218,
    0xD699_0624_5565_A910, 0xF40E_3585_5771_202A, 0x106A_A070_32BB_D1B8,
    0x19A4_C116_B8D2_D0C8, 0x1E37_6C08_5141_AB53, 0x2748_774C_DF8E_EB99,
    0x34B0_BCB5_E19B_48A8, 0x391C_0CB3_C5C9_5A63, 0x4ED8_AA4A_E341_8ACB,
    0x5B9C_CA4F_7763_E373, 0x682E_6FF3_D6B2_B8A3, 0x748F_82EE_5DEF_B2FC,
    0x78A5_636F_4317_2F60, 0x84C8_7814_A1F0_AB72, 0x8CC7_0208_1A64_39EC,
    0x90BE_FFFA_2363_1E28, 0xA450_6CEB_DE82_BDE9, 0xBEF9_A3F7_B2C6_7915,
    0xC671_78F2_E372_532B, 0xCA27_3ECE_EA26_619C, 0xD186_B8C7_21C0_C207,
    0xEADA_7DD6_CDE0_EB1E, 0xF57D_4F7F_EE6E_D178, 0x06F0_67AA_7217_6FBA,
    0x0A63_7DC5_A2C8_98A6, 0x113F_9804_BEF9_0DAE, 0x1B71_0B35_131C_471B,
    0x28DB_77F5_2304_7D84, 0x32CA_AB7B_40C7_2493, 0x3C9E_BE0A_15C9_BEBC,
    0x431D_67C4_9C10_0D4C, 0x4CC5_D4BE_CB3E_42B6, 0x597F_299C_FC65_7E2A,
    0x5FCB_6FAB_3AD6_FAEC, 0x6C44_198C_4A47_5817,
  ]

  private static let start: [UInt64] = [
    0x6A09_E667_F3BC_C908, 0xBB67_AE85_84CA_A73B, 0x3C6E_F372_FE94_F82B,
    0xA54F_F53A_5F1D_36F1, 0x510E_527F_ADE6_82D1, 0x9B05_688C_2B3E_6C1F,
    0x1F83_D9AB_FB41_BD6B, 0x5BE0_CD19_137E_2179,
  ]

  /// The initial state of SHA-384.
  private static let shortStart: [UInt64] = [
    0xCBBB_9D5D_C105_9ED8, 0x629A_292A_367C_D507, 0x9159_015A_3070_DD17,
    0x152F_ECD8_F70E_5939, 0x6733_2667_FFC0_0B31, 0x8EB4_4A87_6858_1511,
    0xDB0C_2E0D_64F9_8FA7, 0x47B5_481D_BEFA_4FA4,
  ]

  /// Returns the 64 bytes of the digest.
  package static func digest(_ message: [UInt8]) -> [UInt8] { digest(message, start) }

  /// Returns the 48 bytes of the shorter digest, SHA-384.
  package static func shortDigest(_ message: [UInt8]) -> [UInt8] {
    Array(digest(message, shortStart).prefix(48))
  }

  private static func digest(_ message: [UInt8], _ start: [UInt64]) -> [UInt8] {
    var padded = message + [0x80]
    while padded.count % 128 != 120 { padded.append(0) }
    append(UInt64(message.count) &* 8, to: &padded)
    var state = start
    for at in stride(from: 0, to: padded.count, by: 128) { mix(padded, at: at, into: &state) }
    var result: [UInt8] = []
    for word in state { append(word, to: &result) }
    return result
  }

  private static func append(_ word: UInt64, to bytes: inout [UInt8]) {
    for shift in stride(from: 56, through: 0, by: -8) {
      bytes.append(UInt8(truncatingIfNeeded: word >> UInt64(shift)))
    }
  }

  private static func turned(_ x: UInt64, _ bits: UInt64) -> UInt64 { x >> bits | x << (64 - bits) }

  private static func mix(_ bytes: [UInt8], at start: Int, into state: inout [UInt64]) {
    var words: [UInt64] = []
    for i in 0..<16 {
      words.append((0..<8).reduce(0) { $0 << 8 | UInt64(bytes[start + 8 * i + $1]) })
    }
    for i in 16..<80 {
      let (x, y) = (words[i - 15], words[i - 2])
      let first = turned(x, 1) ^ turned(x, 8) ^ x >> 7
      let second = turned(y, 19) ^ turned(y, 61) ^ y >> 6
      words.append(words[i - 16] &+ first &+ words[i - 7] &+ second)
    }
    var s = state
    for i in 0..<80 {
      let big = turned(s[4], 14) ^ turned(s[4], 18) ^ turned(s[4], 41)
      let choice = s[4] & s[5] ^ ~s[4] & s[6]
      let sum = s[7] &+ big &+ choice &+ constants[i] &+ words[i]
      let small = turned(s[0], 28) ^ turned(s[0], 34) ^ turned(s[0], 39)
      let majority = s[0] & s[1] ^ s[0] & s[2] ^ s[1] & s[2]
      s = [sum &+ small &+ majority, s[0], s[1], s[2], s[3] &+ sum, s[4], s[5], s[6]]
    }
    for i in 0..<8 { state[i] &+= s[i] }
  }
}

// MARK: - Message authentication

// HMAC-SHA-256 (RFC 2104): proof that bytes come from a program that has a secret.

package enum HMAC {
  private static let blockSize = 64

  /// Returns the code of a message, 32 bytes long.
  package static func sha256(of message: [UInt8], secret: [UInt8]) -> [UInt8] {
    var key = secret.count > blockSize ? SHA256.digest(secret) : secret
    key += [UInt8](repeating: 0, count: blockSize - key.count)
    let inner = SHA256.digest(key.map { $0 ^ 0x36 } + message)
    return SHA256.digest(key.map { $0 ^ 0x5C } + inner)
  }

  /// Compares two codes. The time does not depend on the place where they differ, so that no
  /// program finds a code byte by byte.
  package static func areEqual(_ a: some Collection<UInt8>, _ b: some Collection<UInt8>) -> Bool {
    guard a.count == b.count else { return false }
    return zip(a, b).reduce(0 as UInt8) { $0 | ($1.0 ^ $1.1) } == 0
  }
}
