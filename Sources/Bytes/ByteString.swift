// Names and paths: text that is compared, hashed, ordered and divided by its bytes. Swift's String
// compares by canonical equivalence and divides between grapheme clusters: the two forms of "é"
// would be one name, and a "/" before a combining mark would be no separator. Paths.swift contains
// the functions for paths.

/// A name or a path, as the bytes that a file system, an archive or a document contains.
///
/// Most names are UTF-8. Other bytes are kept, too: two different names that are not UTF-8 stay
/// different.
package struct ByteString: Sendable {
  /// The bytes as UTF-8 in a String, which stores up to 15 bytes without memory of its own. A byte
  /// that is not part of valid UTF-8 is stored as the private character U+10FF00 + byte
  /// (`escapeBase`). A name that contains such a character is stored in the same way, byte by byte,
  /// so that two different names never have the same storage. An example:
  ///
  ///     bytes      61 FF         "a" and a byte that is not UTF-8
  ///     storage    U+0061 U+10FFFF
  private var storage: String

  private init(storage: String) { self.storage = storage }

  package init() { storage = "" }

  package init(_ text: String) {
    var text = text
    // A string of another language may not be contiguous.
    text.makeContiguousUTF8()
    if text.utf8.holds(0xF4), ByteString.holdsEscape(text.utf8) {
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
    if bytes.isASCII {
      storage = String(decoding: utf8, as: UTF8.self)
    } else if let text = String(validating: utf8, as: UTF8.self),
      !(utf8.contains(0xF4) && ByteString.holdsEscape(utf8))
    {
      storage = text
    } else {
      storage = ByteString.escaped(utf8)
    }
  }

  /// Creates a name of the bytes before the zero byte.
  package init(cString: UnsafePointer<CChar>) {
    var count = 0
    while cString[count] != 0 { count += 1 }
    self.init(bytes: UnsafeRawBufferPointer(start: cString, count: count))
  }
}

// MARK: - Bytes that are not UTF-8

extension ByteString {
  private static let escapeBase: UInt32 = 0x10_FF00

  /// Whether the storage contains the bytes unchanged.
  private var isPlain: Bool {
    !(storage.utf8.holds(0xF4) && ByteString.holdsEscape(storage.utf8))
  }

  /// Returns whether valid UTF-8 contains a character that represents a byte.
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
    var offset = 0
    while offset < bytes.count {
      let length = sequenceLength(bytes[offset])
      let end = min(offset + length, bytes.count)
      let sequence = UnsafeBufferPointer(rebasing: bytes[offset..<end])
      if length > 0, let scalar = String(validating: sequence, as: UTF8.self)?.unicodeScalars.first,
        scalar.value < escapeBase
      {
        text.append(scalar)
        offset = end
      } else {
        if let escape = Unicode.Scalar(escapeBase + UInt32(bytes[offset])) { text.append(escape) }
        offset += 1
      }
    }
    return String(text)
  }

  /// Returns the length of the UTF-8 sequence that begins with a byte; 0 if no sequence begins with
  /// it.
  private static func sequenceLength(_ byte: UInt8) -> Int {
    switch byte {
    case 0..<0x80: 1
    case 0xC2..<0xE0: 2
    case 0xE0..<0xF0: 3
    case 0xF0..<0xF5: 4
    default: 0
    }
  }

  /// Whether the bytes are UTF-8, as in every name that a person has typed.
  package var isUTF8: Bool {
    isPlain || String(validating: bytes, as: UTF8.self) != nil
  }

  /// Creates a name from its `word`.
  package init(word: String) { storage = word }

  /// The name as a String from which `init(word:)` makes the same name again, even if its bytes are
  /// not UTF-8. Code that handles words of a command line as Strings loses no byte in this way.
  package var word: String { storage }

  /// The UTF-8 of the storage. Its ASCII bytes are those of the name.
  var utf8: String.UTF8View { storage.utf8 }

  package var bytes: [UInt8] {
    if isPlain { return Array(storage.utf8) }
    return storage.unicodeScalars.flatMap { scalar in
      scalar.value < ByteString.escapeBase
        ? Array(String(scalar).utf8) : [UInt8(truncatingIfNeeded: scalar.value)]
    }
  }

  /// Appends the bytes to others.
  package func append(to others: inout [UInt8]) {
    if isPlain { others.append(contentsOf: storage.utf8) } else { others += bytes }
  }

  /// The name as text for people. A byte that is not UTF-8 is shown by its number, as \xFF.
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
  /// Returns whether the name has the bytes of an ASCII text. A name of as many bytes is equivalent
  /// to it only if the bytes are equal.
  package func equals(ascii text: String) -> Bool {
    storage.utf8.count == text.utf8.count && storage == text
  }

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
    // The end of the name is hashed, too, so that several names differ from their concatenation.
    hasher.combine(0xFF as UInt8)
  }

  /// Orders names as `memcmp` does. If one name begins with the other, the shorter one comes first.
  package static func < (a: ByteString, b: ByteString) -> Bool {
    let precedes: Bool?? = a.storage.utf8.withContiguousStorageIfAvailable { one in
      b.storage.utf8.withContiguousStorageIfAvailable { other -> Bool in
        let index = firstDifference(UnsafeRawBufferPointer(one), UnsafeRawBufferPointer(other))
        guard index < min(one.count, other.count) else { return one.count < other.count }
        let (x, y) = (one[index], other[index])
        // The order of the storage differs from the order of the bytes only if one of the
        // characters represents a byte.
        if max(x, y) >= 0xF4 || x & y >= 0x80, !(a.isPlain && b.isPlain) {
          return a.bytes.lexicographicallyPrecedes(b.bytes)
        }
        return x < y
      }
    }
    return (precedes ?? nil) ?? a.bytes.lexicographicallyPrecedes(b.bytes)
  }

  /// Returns the position at which two texts begin to differ; the length of the shorter one if they
  /// do not.
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
    var offset = 0
    while offset + 8 <= count,
      a.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
        == b.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
    {
      offset += 8
    }
    while offset < count, a[offset] == b[offset] { offset += 1 }
    return offset
  }

  /// A form that is equal for two names that a file system with normalised names, such as that of a
  /// Mac, treats as one.
  ///
  /// String compares by canonical equivalence, which is right here and wrong everywhere else.
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

  /// Builds a name: an inserted name keeps its bytes, another value is inserted as its description.
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

  /// The text in quotes, so that the names in a list are separated.
  package var debugDescription: String { text.debugDescription }
}

// MARK: - Parts

extension ByteString {
  package var isEmpty: Bool { storage.isEmpty }

  package var isASCII: Bool {
    let found: Bool? = storage.utf8.withContiguousStorageIfAvailable {
      UnsafeRawBufferPointer($0).isASCII
    }
    return found ?? storage.utf8.allSatisfy { $0 < 0x80 }
  }

  /// The number of bytes.
  package var count: Int { isPlain ? storage.utf8.count : bytes.count }

  package static func + (a: ByteString, b: ByteString) -> ByteString {
    ByteString(storage: a.storage + b.storage)
  }

  package static func += (a: inout ByteString, b: ByteString) { a.storage += b.storage }

  /// Returns the bytes after the first `count` bytes.
  package func dropFirst(_ count: Int = 1) -> ByteString { part { $0.dropFirst(count) } }

  /// Returns the bytes before the last `count` bytes.
  package func dropLast(_ count: Int = 1) -> ByteString { part { $0.dropLast(count) } }

  package func prefix(_ count: Int) -> ByteString { part { $0.prefix(count) } }

  private func part(_ cut: (Substring.UTF8View) -> Substring.UTF8View) -> ByteString {
    guard isPlain else {
      // This is rare. A text with one ASCII character for each byte is cut, and the same range of
      // the bytes is returned.
      let rest = String(decoding: bytes.map { $0 & 0x7F }, as: UTF8.self)
      let kept = cut(rest[...].utf8)
      let start = rest.utf8.distance(from: rest.startIndex, to: kept.startIndex)
      return ByteString(bytes: Array(bytes[start..<start + kept.count]))
    }
    let kept = cut(storage[...].utf8)
    // A cut inside a character leaves bytes that are not UTF-8.
    if let text = String(kept) { return ByteString(storage: text) }
    return ByteString(bytes: Array(kept))
  }

  /// Returns the bytes after the last byte of this value, which is ASCII; nil if no byte has it.
  func afterLast(_ byte: UInt8) -> ByteString? {
    storage.utf8.lastPlace(of: byte).map { droppingUTF8($0 + 1) }
  }

  /// Returns the bytes before the last byte of this value, which is ASCII; nil if no byte has it.
  func beforeLast(_ byte: UInt8) -> ByteString? {
    storage.utf8.lastPlace(of: byte).map { index in
      ByteString(storage: String(Substring(storage.utf8.prefix(index))))
    }
  }

  /// Returns the name without the first `count` bytes of the storage, which end at the end of a
  /// character.
  func droppingUTF8(_ count: Int) -> ByteString {
    ByteString(storage: String(Substring(storage.utf8.dropFirst(count))))
  }

  /// Creates a name that `fill` writes into memory of this size.
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
    byte < 0x80 ? storage.utf8.holds(byte) : bytes.contains(byte)
  }

  /// Returns the parts between separators, which are ASCII.
  package func split(
    separator: Unicode.Scalar, omittingEmptySubsequences: Bool = true
  ) -> [ByteString] {
    precondition(separator.isASCII)
    let byte = UInt8(truncatingIfNeeded: separator.value)
    return storage.utf8.split(
      separator: byte, omittingEmptySubsequences: omittingEmptySubsequences
    ).map { ByteString(storage: String(Substring($0))) }
  }

  /// Returns the bytes before the first separator, which is ASCII; all bytes if there is no
  /// separator.
  package func before(_ separator: Unicode.Scalar) -> ByteString {
    precondition(separator.isASCII)
    let end = storage.utf8.prefix { $0 != UInt8(truncatingIfNeeded: separator.value) }
    return ByteString(storage: String(Substring(end)))
  }

  /// Returns the bytes after the first separator, which is ASCII; nil if there is no separator.
  package func after(_ separator: Unicode.Scalar) -> ByteString? {
    let start = before(separator).storage.utf8.count
    return start < storage.utf8.count ? droppingUTF8(start + 1) : nil
  }

  /// Returns the name with each character in lower case. Names that differ only in case have the
  /// same result.
  package func lowercased() -> ByteString { ByteString(storage: storage.lowercased()) }

  package func uppercased() -> ByteString { ByteString(storage: storage.uppercased()) }

  /// Calls `body` with the bytes and a zero byte after them.
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
  /// Creates the text of a name for people.
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

extension String.UTF8View {
  // Unlike the methods of collections, which read byte by byte through an index, these search in
  // the memory of the text.

  /// Returns whether the text has a byte.
  fileprivate func holds(_ byte: UInt8) -> Bool {
    withContiguousStorageIfAvailable { UnsafeRawBufferPointer($0).holds(byte) } ?? contains(byte)
  }

  /// Returns the position of the last byte of this value.
  func lastPlace(of byte: UInt8) -> Int? {
    let found: Int?? = withContiguousStorageIfAvailable { $0.lastIndex(of: byte) }
    return found ?? Array(self).lastIndex(of: byte)
  }
}

extension UnsafeRawBufferPointer {
  /// Returns whether one of the bytes has this value.
  package func holds(_ byte: UInt8) -> Bool {
    let (ones, tops) = (0x0101_0101_0101_0101 as UInt64, 0x8080_8080_8080_8080 as UInt64)
    let pattern = UInt64(byte) &* ones
    var offset = 0
    while offset &+ 8 <= count {
      // A byte of this value becomes zero, and only a zero byte borrows from its top bit.
      let difference = loadUnaligned(fromByteOffset: offset, as: UInt64.self) ^ pattern
      if (difference &- ones) & ~difference & tops != 0 { return true }
      offset &+= 8
    }
    return self[offset...].contains(byte)
  }

  fileprivate var isASCII: Bool {
    var offset = 0
    while offset &+ 8 <= count {
      let word = loadUnaligned(fromByteOffset: offset, as: UInt64.self)
      if word & 0x8080_8080_8080_8080 != 0 { return false }
      offset &+= 8
    }
    return self[offset...].allSatisfy { $0 < 0x80 }
  }
}
