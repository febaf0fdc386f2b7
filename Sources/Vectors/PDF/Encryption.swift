// Encrypted PDFs: computes the key of a file whose user password is empty, and decrypts its
// objects. Other files need a password, and Carve asks for none.

import Bytes
import Codecs

struct PDFEncryption {
  private enum Method {
    case none, rc4, aes
  }

  private let key: [UInt8]
  private let strings: Method
  private let streams: Method
  /// Whether one key is used for all objects, instead of a key for each object.
  private let isForAll: Bool

  private static let padding: [UInt8] = [
    0x28, 0xBF, 0x4E, 0x5E, 0x4E, 0x75, 0x8A, 0x41, 0x64, 0x00, 0x4E, 0x56, 0xFF, 0xFA, 0x01, 0x08,
    0x2E, 0x2E, 0x00, 0xB6, 0xD0, 0x68, 0x3E, 0x80, 0x2F, 0x0C, 0xA9, 0xFE, 0x64, 0x53, 0x69, 0x7A,
  ]

  /// Reads the encryption dictionary. Returns nil if the file is encrypted in another way or with a
  /// user password.
  init?(_ settings: PDFDictionary, _ file: PDFFile) {
    guard file.name(settings["Filter"]) == "Standard", let version = file.int(settings["V"]),
      let revision = file.int(settings["R"]), file.budget.spend(.lexedBytes, 1 << 20)
    else { return nil }
    isForAll = version == 5
    switch version {
    case 1, 2: (strings, streams) = (.rc4, .rc4)
    case 4, 5:
      guard let text = Self.method(settings["StrF"], settings: settings, file: file),
        let data = Self.method(settings["StmF"], settings: settings, file: file)
      else { return nil }
      (strings, streams) = (text, data)
    default: return nil
    }
    let found =
      version == 5
      ? Self.longKey(settings, file, revision: revision)
      : Self.shortKey(settings, file, version: version, revision: revision)
    guard let found else { return nil }
    key = found
  }

  private static func method(
    _ name: PDFValue, settings: PDFDictionary, file: PDFFile
  ) -> Method? {
    guard let name = file.name(name), name != "Identity" else { return Method.none }
    let filter = file.dictionary(file.dictionary(settings["CF"])?[name] ?? .null)
    switch file.name(filter?["CFM"] ?? .null) {
    case "None": return Method.none
    case "V2": return .rc4
    case "AESV2", "AESV3": return .aes
    default: return nil
    }
  }

  // MARK: Keys

  /// Computes a key of at most 16 bytes from the empty password, the O entry, the permissions and
  /// the file identifier. Returns nil if the user password is not empty.
  private static func shortKey(
    _ settings: PDFDictionary, _ file: PDFFile, version: Int, revision: Int
  ) -> [UInt8]? {
    guard let owner = file.resolve(settings["O"]).string, owner.count >= 32,
      let user = file.resolve(settings["U"]).string, user.count >= 16
    else { return nil }
    let bits = version == 1 ? 40 : version == 4 ? 128 : file.int(settings["Length"]) ?? 40
    let count = min(max(bits / 8, 5), 16)
    let rights = UInt32(truncatingIfNeeded: file.int(settings["P"]) ?? 0)
    let name = file.array(file.trailer["ID"])?.first.flatMap { file.resolve($0).string } ?? []
    var text = padding + owner.prefix(32)
    text += [0, 8, 16, 24].map { UInt8(truncatingIfNeeded: rights >> UInt32($0)) }
    text += name
    if revision >= 4, file.bool(settings["EncryptMetadata"]) == false {
      text += [0xFF, 0xFF, 0xFF, 0xFF]
    }
    var key = Array(MD5.digest(text).prefix(count))
    if revision >= 3 {
      for _ in 0..<50 { key = Array(MD5.digest(key).prefix(count)) }
    }
    var check = revision >= 3 ? MD5.digest(padding + name) : padding
    check = RC4.apply(check, key: key)
    if revision >= 3 {
      for turn in UInt8(1)..<20 { check = RC4.apply(check, key: key.map { $0 ^ turn }) }
    }
    return check.prefix(16).elementsEqual(user.prefix(16)) ? key : nil
  }

  /// Computes a key of 32 bytes, which the file stores encrypted with a digest of the password.
  /// Returns nil if the user password is not empty.
  private static func longKey(
    _ settings: PDFDictionary, _ file: PDFFile, revision: Int
  ) -> [UInt8]? {
    guard revision == 5 || revision == 6, let user = file.resolve(settings["U"]).string,
      user.count >= 48, let stored = file.resolve(settings["UE"]).string, stored.count >= 32
    else { return nil }
    func digest(_ salt: ArraySlice<UInt8>) -> [UInt8] {
      let first = SHA256.digest(Array(salt))
      return revision == 5 ? first : hardened(first)
    }
    guard digest(user[32..<40]).elementsEqual(user.prefix(32)),
      let cipher = AES(key: digest(user[40..<48]))
    else { return nil }
    return cipher.decrypt(
      Array(stored.prefix(32)), start: [UInt8](repeating: 0, count: 16))
  }

  /// Computes the digest of revision 6 for an empty password, which takes at least 64 rounds.
  private static func hardened(_ first: [UInt8]) -> [UInt8] {
    var digest = first
    // The number of rounds depends on the data: at most 256 more rounds follow the first 64.
    for turn in 0..<320 {
      var text: [UInt8] = []
      for _ in 0..<64 { text += digest }
      guard let cipher = AES(key: Array(digest.prefix(16))) else { return [] }
      let mixed = cipher.encrypt(text, start: Array(digest[16..<32]))
      switch mixed.prefix(16).reduce(0, { $0 + Int($1) }) % 3 {
      case 0: digest = SHA256.digest(mixed)
      case 1: digest = SHA512.shortDigest(mixed)
      default: digest = SHA512.digest(mixed)
      }
      if turn >= 63, Int(mixed.last ?? 0) <= turn - 31 { break }
    }
    return Array(digest.prefix(32))
  }

  // MARK: Objects

  /// Returns a value of an object with its strings and its stream decrypted.
  func decrypted(_ value: PDFValue, number: Int, generation: Int, budget: Budget) -> PDFValue {
    switch value {
    case .string(let bytes):
      return .string(
        decrypted(bytes, method: strings, number: number, generation: generation, budget: budget))
    case .array(let values):
      guard budget.spend(.values, values.count) else { return .null }
      return .array(
        values.map { decrypted($0, number: number, generation: generation, budget: budget) })
    case .dictionary(let dictionary):
      return .dictionary(decrypted(dictionary, number, generation, budget))
    case .stream(let stream):
      // Cross-reference streams are never encrypted.
      if stream.dictionary["Type"].name == "XRef" { return value }
      let dictionary = decrypted(stream.dictionary, number, generation, budget)
      let bytes = decrypted(
        Array(stream.bytes), method: streams, number: number, generation: generation, budget: budget
      )
      return .stream(PDFStream(dictionary: dictionary, bytes: bytes[...], number: stream.number))
    default: return value
    }
  }

  private func decrypted(
    _ dictionary: PDFDictionary, _ number: Int, _ generation: Int, _ budget: Budget
  ) -> PDFDictionary {
    var result = PDFDictionary()
    for entry in dictionary.entries where budget.spend(.values) {
      result.append(
        entry.key,
        decrypted(entry.value, number: number, generation: generation, budget: budget))
    }
    return result
  }

  private func decrypted(
    _ bytes: [UInt8], method: Method, number: Int, generation: Int, budget: Budget
  ) -> [UInt8] {
    guard method != .none else { return bytes }
    // Each byte goes through ten rounds or more.
    budget.borrow(.copiedBytes, bytes: bytes.count)
    guard budget.spend(.lexedBytes, 4 * bytes.count + 64) else { return [] }
    var own = key
    if !isForAll {
      own += [0, 8, 16].map { UInt8(truncatingIfNeeded: number >> $0) }
      own += [0, 8].map { UInt8(truncatingIfNeeded: generation >> $0) }
      if method == .aes { own += Array("sAlT".utf8) }
      own = Array(MD5.digest(own).prefix(min(key.count + 5, 16)))
    }
    if method == .rc4 { return RC4.apply(bytes, key: own) }
    guard bytes.count >= 32, let cipher = AES(key: own) else { return [] }
    let text = cipher.decrypt(Array(bytes[16...]), start: Array(bytes.prefix(16)))
    // The last byte is the number of bytes that were added to fill the last block.
    guard let added = text.last, added >= 1, added <= 16 else { return text }
    return Array(text.dropLast(Int(added)))
  }
}
