// Names and paths: text that is compared, hashed, ordered and taken apart by its bytes. Swift's String
// compares by canonical equivalence and splits between grapheme clusters, so that "é" in its two forms would be
// one name, and a "/" before a combining mark would be no separator. What paths mean is in Paths.swift.

/// A name or a path, as the bytes that a file system, an archive or a document has.
///
/// Most are UTF-8. Other bytes are kept, too: two names that are not UTF-8 and differ are two names.
package struct ByteString: Sendable {
  /// UTF-8 in the storage of a String: 15 bytes need no memory of their own. A byte that belongs to no valid
  /// UTF-8 stands as the private character U+10FF00 + byte (ByteString.escapeBase). These characters
  /// themselves are kept in the same way, byte by byte, so that two different names never look alike here.
  private var storage: String

  private init(storage: String) { self.storage = storage }

  package init() { storage = "" }

  package init(_ text: String) {
    var text = text
    // A string that came from another language may lie elsewhere.
    text.makeContiguousUTF8()
    if text.utf8.contains(0xF4), ByteString.holdsEscape(text.utf8) {
      self.init(bytes: Array(text.utf8))
    } else {
      self.init(storage: text)
    }
  }

  package init(_ text: Substring) { self.init(String(text)) }

  package init(bytes: [UInt8]) {
    self = bytes.withUnsafeBytes { ByteString(bytes: $0) }
  }

  package init(bytes: UnsafeRawBufferPointer) {
    let utf8 = bytes.bindMemory(to: UInt8.self)
    if let text = String(validating: utf8, as: UTF8.self),
      !(utf8.contains(0xF4) && ByteString.holdsEscape(utf8))
    {
      storage = text
    } else {
      storage = ByteString.escaped(utf8)
    }
  }

  /// The bytes before the NUL.
  package init(cString: UnsafePointer<CChar>) {
    var count = 0
    while cString[count] != 0 { count += 1 }
    self.init(bytes: UnsafeRawBufferPointer(start: cString, count: count))
  }
}

// MARK: - Bytes that are no UTF-8

extension ByteString {
  private static let escapeBase: UInt32 = 0x10_FF00

  /// Whether the storage has the bytes as they are.
  private var isPlain: Bool {
    !(storage.utf8.contains(0xF4) && ByteString.holdsEscape(storage.utf8))
  }

  /// Whether valid UTF-8 holds a character that stands for a byte.
  private static func holdsEscape(_ utf8: some Collection<UInt8>) -> Bool {
    // U+10FF00 to U+10FFFF are F4 8F BC 80 to F4 8F BF BF.
    var last: (UInt8, UInt8) = (0, 0)
    for byte in utf8 {
      if last == (0xF4, 0x8F), byte >= 0xBC { return true }
      last = (last.1, byte)
    }
    return false
  }

  private static func escaped(_ bytes: UnsafeBufferPointer<UInt8>) -> String {
    var text = String.UnicodeScalarView()
    var place = 0
    while place < bytes.count {
      let length = sequenceLength(bytes[place])
      let end = min(place + length, bytes.count)
      let sequence = UnsafeBufferPointer(rebasing: bytes[place..<end])
      if length > 0, let scalar = String(validating: sequence, as: UTF8.self)?.unicodeScalars.first,
        scalar.value < escapeBase
      {
        text.append(scalar)
        place = end
      } else {
        if let escape = Unicode.Scalar(escapeBase + UInt32(bytes[place])) { text.append(escape) }
        place += 1
      }
    }
    return String(text)
  }

  /// The length of the UTF-8 sequence that a byte begins; 0 if it begins none.
  private static func sequenceLength(_ byte: UInt8) -> Int {
    switch byte {
    case 0..<0x80: 1
    case 0xC2..<0xE0: 2
    case 0xE0..<0xF0: 3
    case 0xF0..<0xF5: 4
    default: 0
    }
  }

  /// Whether the bytes are UTF-8: those of a name that people gave.
  package var isUTF8: Bool {
    isPlain || String(validating: bytes, as: UTF8.self) != nil
  }

  /// The storage, whose ASCII is that of the bytes.
  var utf8: String.UTF8View { storage.utf8 }

  package var bytes: [UInt8] {
    if isPlain { return Array(storage.utf8) }
    return storage.unicodeScalars.flatMap { scalar in
      scalar.value < ByteString.escapeBase
        ? Array(String(scalar).utf8) : [UInt8(truncatingIfNeeded: scalar.value)]
    }
  }

  /// What people read: a byte that is no UTF-8 is shown by its number, as \xFF.
  package var text: String {
    if isPlain { return storage }
    if let text = String(validating: bytes, as: UTF8.self) { return text }
    var text = ""
    for scalar in storage.unicodeScalars {
      if scalar.value < ByteString.escapeBase {
        text.unicodeScalars.append(scalar)
      } else {
        text += "\\x" + String(scalar.value - ByteString.escapeBase, radix: 16, uppercase: true)
      }
    }
    return text
  }
}

// MARK: - Comparing

extension ByteString: Hashable, Comparable {
  package static func == (a: ByteString, b: ByteString) -> Bool {
    let (one, other) = (a.storage.utf8, b.storage.utf8)
    guard one.count == other.count else { return false }
    return firstDifference(one, other) == one.count
  }

  package func hash(into hasher: inout Hasher) {
    let hashed: Void? = storage.utf8.withContiguousStorageIfAvailable {
      hasher.combine(bytes: UnsafeRawBufferPointer($0))
    }
    if hashed == nil { storage.utf8.forEach { hasher.combine($0) } }
    // Several names in a row are not the name of them joined.
    hasher.combine(0xFF as UInt8)
  }

  /// The order of `memcmp`, the shorter first if one begins the other.
  package static func < (a: ByteString, b: ByteString) -> Bool {
    let (one, other) = (a.storage.utf8, b.storage.utf8)
    let place = firstDifference(one, other)
    guard place < min(one.count, other.count) else { return one.count < other.count }
    let x = one[one.index(one.startIndex, offsetBy: place)]
    let y = other[other.index(other.startIndex, offsetBy: place)]
    // Only where one stands for a byte is the order of the storage another one.
    if max(x, y) >= 0xF4 || x & y >= 0x80, !(a.isPlain && b.isPlain) {
      return a.bytes.lexicographicallyPrecedes(b.bytes)
    }
    return x < y
  }

  /// Where two texts begin to differ; the length of the shorter if they do not.
  private static func firstDifference(_ a: String.UTF8View, _ b: String.UTF8View) -> Int {
    let found: Int?? = a.withContiguousStorageIfAvailable { one in
      b.withContiguousStorageIfAvailable { other in
        firstDifference(UnsafeRawBufferPointer(one), UnsafeRawBufferPointer(other))
      }
    }
    return (found ?? nil) ?? zip(a, b).prefix { $0 == $1 }.count { _ in true }
  }

  private static func firstDifference(
    _ a: UnsafeRawBufferPointer, _ b: UnsafeRawBufferPointer
  ) -> Int {
    let count = min(a.count, b.count)
    var place = 0
    while place + 8 <= count,
      a.loadUnaligned(fromByteOffset: place, as: UInt64.self)
        == b.loadUnaligned(fromByteOffset: place, as: UInt64.self)
    {
      place += 8
    }
    while place < count, a[place] == b[place] { place += 1 }
    return place
  }

  /// What two names have in common if a file system that normalises names, as a Mac's, takes them for one.
  ///
  /// String compares by canonical equivalence, which is what is asked for here and nowhere else.
  package var canonicalForm: CanonicalForm { CanonicalForm(text: storage) }

  package struct CanonicalForm: Sendable, Hashable {
    private let text: String
    fileprivate init(text: String) { self.text = text }
  }
}

// MARK: - Literals and text

extension ByteString: ExpressibleByStringInterpolation, CustomStringConvertible,
  CustomDebugStringConvertible
{
  package init(stringLiteral text: String) { self.init(text) }

  /// Names in a literal give their bytes, other values their description.
  package struct StringInterpolation: StringInterpolationProtocol {
    fileprivate var text: String

    package init(literalCapacity: Int, interpolationCount: Int) {
      text = ""
      text.reserveCapacity(literalCapacity + 16 * interpolationCount)
    }

    package mutating func appendLiteral(_ literal: String) { text += literal }
    package mutating func appendInterpolation(_ name: ByteString) { text += name.storage }
    package mutating func appendInterpolation(_ text: String) {
      self.text += ByteString(text).storage
    }
    package mutating func appendInterpolation(_ value: some CustomStringConvertible) {
      text += ByteString(value.description).storage
    }
  }

  package init(stringInterpolation: StringInterpolation) {
    self.init(storage: stringInterpolation.text)
  }

  package var description: String { text }

  /// In quotes, so that lists of names are told apart.
  package var debugDescription: String { text.debugDescription }
}

// MARK: - Parts

extension ByteString {
  package var isEmpty: Bool { storage.isEmpty }

  /// The number of bytes.
  package var count: Int { isPlain ? storage.utf8.count : bytes.count }

  package static func + (a: ByteString, b: ByteString) -> ByteString {
    ByteString(storage: a.storage + b.storage)
  }

  package static func += (a: inout ByteString, b: ByteString) { a.storage += b.storage }

  /// What is left after some bytes at the start.
  package func dropFirst(_ count: Int = 1) -> ByteString { part { $0.dropFirst(count) } }

  /// What is left before some bytes at the end.
  package func dropLast(_ count: Int = 1) -> ByteString { part { $0.dropLast(count) } }

  package func prefix(_ count: Int) -> ByteString { part { $0.prefix(count) } }

  private func part(_ cut: (Substring.UTF8View) -> Substring.UTF8View) -> ByteString {
    guard isPlain else {
      // Rare: by the bytes themselves.
      let rest = String(decoding: bytes.map { $0 & 0x7F }, as: UTF8.self)
      let kept = cut(rest[...].utf8)
      let start = rest.utf8.distance(from: rest.startIndex, to: kept.startIndex)
      return ByteString(bytes: Array(bytes[start..<start + kept.count]))
    }
    let kept = cut(storage[...].utf8)
    // A cut within a character leaves bytes that are no UTF-8.
    if let text = String(kept) { return ByteString(storage: text) }
    return ByteString(bytes: Array(kept))
  }

  /// The bytes after the last byte of that value, which is ASCII; nil if no byte has it.
  func afterLast(_ byte: UInt8) -> ByteString? {
    guard let place = storage.utf8.lastIndex(of: byte) else { return nil }
    return ByteString(storage: String(Substring(storage.utf8[storage.utf8.index(after: place)...])))
  }

  /// The bytes before the last byte of that value, which is ASCII; nil if no byte has it.
  func beforeLast(_ byte: UInt8) -> ByteString? {
    guard let place = storage.utf8.lastIndex(of: byte) else { return nil }
    return ByteString(storage: String(Substring(storage.utf8[..<place])))
  }

  /// What follows so many bytes of the storage, which end where a character ends.
  func droppingUTF8(_ count: Int) -> ByteString {
    ByteString(storage: String(Substring(storage.utf8.dropFirst(count))))
  }

  /// A name that is written into memory of just its size.
  init(capacity: Int, _ fill: (UnsafeMutableBufferPointer<UInt8>) -> Int) {
    storage = String(unsafeUninitializedCapacity: capacity, initializingUTF8With: fill)
  }

  package func hasPrefix(_ start: ByteString) -> Bool {
    storage.utf8.starts(with: start.storage.utf8)
  }

  package func hasSuffix(_ end: ByteString) -> Bool {
    storage.utf8.reversed().starts(with: end.storage.utf8.reversed())
  }

  package func contains(_ byte: UInt8) -> Bool {
    byte < 0x80 ? storage.utf8.contains(byte) : bytes.contains(byte)
  }

  /// The parts between bytes that are ASCII.
  package func split(
    separator: Unicode.Scalar, omittingEmptySubsequences: Bool = true
  ) -> [ByteString] {
    precondition(separator.isASCII)
    let byte = UInt8(truncatingIfNeeded: separator.value)
    return storage.utf8.split(
      separator: byte, omittingEmptySubsequences: omittingEmptySubsequences
    ).map { ByteString(storage: String(Substring($0))) }
  }

  /// The bytes before the first such byte, which is ASCII; all bytes if no byte has it.
  package func before(_ separator: Unicode.Scalar) -> ByteString {
    precondition(separator.isASCII)
    let end = storage.utf8.prefix { $0 != UInt8(truncatingIfNeeded: separator.value) }
    return ByteString(storage: String(Substring(end)))
  }

  /// The bytes after the first such byte, which is ASCII; nil if no byte has it.
  package func after(_ separator: Unicode.Scalar) -> ByteString? {
    let start = before(separator).storage.utf8.count
    return start < storage.utf8.count ? droppingUTF8(start + 1) : nil
  }

  /// The name with the lower case of each character: what names have in common that differ in case only.
  package func lowercased() -> ByteString { ByteString(storage: storage.lowercased()) }

  package func uppercased() -> ByteString { ByteString(storage: storage.uppercased()) }

  /// Calls with the bytes and a NUL behind them.
  package func withCString<Result>(_ body: (UnsafePointer<CChar>) -> Result) -> Result {
    if isPlain { return storage.withCString(body) }
    return (bytes + [0]).map { CChar(bitPattern: $0) }.withUnsafeBufferPointer { buffer in
      // An array that is not empty has an address.
      guard let start = buffer.baseAddress else { return storage.withCString(body) }
      return body(start)
    }
  }
}

extension String {
  /// The name as people read it.
  package init(_ name: ByteString) { self = name.text }
}

extension Sequence<ByteString> {
  package func joined(separator: ByteString = "") -> ByteString {
    var text = ByteString()
    var isFirst = true
    for part in self {
      if !isFirst { text += separator }
      text += part
      isFirst = false
    }
    return text
  }
}
