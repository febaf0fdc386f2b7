// Access to bytes in a file. A field has an offset and a byte order; it is defined once, and both
// the reader and the writer use it. No other code knows how a number is stored.

import Bytes

package enum ByteOrder: Sendable { case little, big }

/// The place of one member of a record. A test checks that the members of each record leave no gaps
/// and do not overlap.
package protocol RecordMember: Sendable {
  var offset: Int { get }
  var size: Int { get }
}

/// The place of a number in a record.
package struct Field<Value: FixedWidthInteger & BitwiseCopyable & Sendable>: RecordMember {
  package let offset: Int
  package let order: ByteOrder
  package var size: Int { MemoryLayout<Value>.size }

  package init(_ offset: Int, _ order: ByteOrder = .little) {
    self.offset = offset
    self.order = order
  }

  func decoded(_ stored: Value) -> Value {
    order == .little ? Value(littleEndian: stored) : Value(bigEndian: stored)
  }

  func encoded(_ value: Value) -> Value {
    order == .little ? value.littleEndian : value.bigEndian
  }
}

/// The place of a run of bytes in a record: text that ends at a zero byte, or bytes that are not a
/// number.
package struct BytesField: RecordMember {
  package let offset: Int
  package let size: Int

  package init(_ offset: Int, size: Int) {
    self.offset = offset
    self.size = size
  }
}

/// Immutable bytes of a file. The code that creates the value keeps the memory alive and unchanged;
/// therefore the value may be sent to other threads. Every access is checked, except through
/// `trusted`.
package struct FileBytes: @unchecked Sendable {
  package let buffer: UnsafeRawBufferPointer
  /// The offset of the first byte in the file.
  package let origin: Int

  package init(_ buffer: UnsafeRawBufferPointer, origin: Int = 0) {
    self.buffer = buffer
    self.origin = origin
  }

  package var count: Int { buffer.count }
  package var isEmpty: Bool { buffer.isEmpty }
  /// The range of these bytes in the file.
  package var range: Range<Int> { origin..<origin + buffer.count }

  /// Returns a part of these bytes. `offset` counts from the first of these bytes; `what` names the
  /// part in the error.
  @inline(__always)
  package func slice(
    at offset: Int, count length: Int, _ what: @autoclosure () -> String
  ) throws(FormatError) -> FileBytes {
    guard offset >= 0, length >= 0, offset <= count, length <= count - offset else {
      throw outside(what(), length: length, at: offset)
    }
    return FileBytes(
      UnsafeRawBufferPointer(rebasing: buffer[offset..<offset + length]), origin: origin + offset)
  }

  /// Returns the bytes from an offset to the end.
  package func suffix(from offset: Int, _ what: @autoclosure () -> String) throws(FormatError)
    -> FileBytes
  {
    try slice(at: offset, count: max(0, count - offset), what())
  }

  @inline(never)
  private func outside(_ what: String, length: Int, at offset: Int) -> FormatError {
    let at = max(0, min(offset, count))
    return FormatError(.outside(what, length: length, available: count - at), at: origin + at)
  }

  /// Returns the number in a field of the record that begins at `base`.
  @inline(__always)
  package func load<Value>(_ field: Field<Value>, at base: Int = 0) throws(FormatError) -> Value {
    let size = MemoryLayout<Value>.size
    guard base >= 0, base <= count, field.offset + size <= count - base else {
      throw outside("a field", length: field.offset + size, at: base)
    }
    return field.decoded(buffer.loadUnaligned(fromByteOffset: base + field.offset, as: Value.self))
  }

  /// Returns the number in a field without a check. The caller has checked that the record lies
  /// within these bytes.
  func trusted<Value>(_ field: Field<Value>, at base: Int = 0) -> Value {
    field.decoded(buffer.loadUnaligned(fromByteOffset: base + field.offset, as: Value.self))
  }

  /// Returns the text in a run of a record: up to the first zero byte, or the whole run if it
  /// contains no zero byte.
  package func text(_ run: BytesField, at base: Int = 0) throws(FormatError) -> String {
    try slice(at: base + run.offset, count: run.size, "a text").text
  }

  /// Returns the name in a run of a record: the bytes up to the first zero byte, or the whole run
  /// if it contains no zero byte.
  package func name(_ run: BytesField, at base: Int = 0) throws(FormatError) -> ByteString {
    ByteString(
      bytes: try slice(at: base + run.offset, count: run.size, "a text").uptoZero.buffer)
  }

  /// The bytes up to the first zero byte, or all bytes if none of them is zero.
  var uptoZero: FileBytes {
    let end = buffer.firstIndex(of: 0) ?? count
    return FileBytes(UnsafeRawBufferPointer(rebasing: buffer[..<end]), origin: origin)
  }

  /// The text up to the first zero byte, or the whole text. Bytes that are not UTF-8 become U+FFFD.
  package var text: String { String(decoding: uptoZero.buffer, as: UTF8.self) }

  package func hasPrefix(_ magic: StaticString) -> Bool {
    guard count >= magic.utf8CodeUnitCount else { return false }
    for index in 0..<magic.utf8CodeUnitCount where buffer[index] != magic.utf8Start[index] {
      return false
    }
    return true
  }

  func require(_ magic: StaticString, _ what: @autoclosure () -> String) throws(FormatError) {
    if !hasPrefix(magic) {
      throw FormatError(.magic(what(), expected: magic.description), at: origin)
    }
  }

  /// Whether every byte is zero.
  var isBlank: Bool { buffer.allSatisfy { $0 == 0 } }

  /// Returns whether `a` comes before `b` in the order of `memcmp`. If one begins with the other,
  /// the shorter one comes first.
  static func precedes(_ a: UnsafeRawBufferPointer, _ b: UnsafeRawBufferPointer) -> Bool {
    let common = min(a.count, b.count)
    var offset = 0
    while offset + 8 <= common {
      let one = a.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
      let other = b.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
      if one != other { return one.bigEndian < other.bigEndian }
      offset += 8
    }
    while offset < common {
      if a[offset] != b[offset] { return a[offset] < b[offset] }
      offset += 1
    }
    return a.count < b.count
  }

  static func areEqual(_ a: UnsafeRawBufferPointer, _ b: UnsafeRawBufferPointer) -> Bool {
    a.count == b.count && !precedes(a, b) && !precedes(b, a)
  }
}

/// Zeros to copy from. Runs of zeros are appended often.
private let blank = [UInt8](repeating: 0, count: 4096)

extension UnsafeMutableRawBufferPointer {
  /// Writes a number into a field of the record that begins at `base`. The record lies within this
  /// buffer.
  func store<Value>(_ value: Value, _ field: Field<Value>, at base: Int = 0) {
    storeBytes(of: field.encoded(value), toByteOffset: base + field.offset, as: Value.self)
  }
}

extension [UInt8] {
  package mutating func append<Value: FixedWidthInteger>(
    _ value: Value, _ order: ByteOrder, as type: Value.Type = Value.self
  ) {
    let stored = order == .little ? value.littleEndian : value.bigEndian
    Swift.withUnsafeBytes(of: stored) { append(contentsOf: $0) }
  }

  /// Writes a number into a field of the record that begins at `base`.
  package mutating func store<Value>(_ value: Value, _ field: Field<Value>, at base: Int = 0) {
    let stored = field.encoded(value)
    withUnsafeMutableBytes { bytes in
      bytes.storeBytes(of: stored, toByteOffset: base + field.offset, as: Value.self)
    }
  }

  /// Writes text into a run. If the text would leave no room for a zero byte, it is cut between two
  /// characters.
  package mutating func store(_ text: String, _ run: BytesField, at base: Int = 0) {
    var offset = base + run.offset
    let limit = offset + run.size - 1
    for scalar in text.unicodeScalars {
      let units = UTF8.encode(scalar).map(Array.init) ?? []
      if offset + units.count > limit { return }
      for unit in units {
        self[offset] = unit
        offset += 1
      }
    }
  }

  /// Writes a name into a run. If the name is too long, it is cut as a text is.
  package mutating func store(_ name: ByteString, _ run: BytesField, at base: Int = 0) {
    let bytes = name.bytes
    var count = Swift.min(bytes.count, run.size - 1)
    // A byte 10xxxxxx continues the character before it, so the name is not cut in front of such a
    // byte.
    while count > 0, count < bytes.count, bytes[count] & 0xC0 == 0x80 { count -= 1 }
    replaceSubrange(base + run.offset..<base + run.offset + count, with: bytes[..<count])
  }

  package mutating func store(magic: StaticString, at base: Int = 0) {
    for index in 0..<magic.utf8CodeUnitCount { self[base + index] = magic.utf8Start[index] }
  }

  package mutating func append(zeros count: Int) {
    var left = count
    while left > 0 {
      let part = Swift.min(left, blank.count)
      append(contentsOf: blank[..<part])
      left -= part
    }
  }

  mutating func append(magic: StaticString) {
    append(contentsOf: UnsafeBufferPointer(start: magic.utf8Start, count: magic.utf8CodeUnitCount))
  }
}
