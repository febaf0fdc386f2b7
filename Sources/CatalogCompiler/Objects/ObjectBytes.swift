// Reads and writes numbers, texts and lists in objects. The reader checks every length.

import Bytes
import Codecs
import Host

/// The error of bytes that cannot be part of an object.
struct ObjectDamage: Error {}

/// A reader of the values that the `add` functions of `[UInt8]` wrote.
struct ObjectCursor {
  private let bytes: UnsafeRawBufferPointer
  private var place = 0

  init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

  var isAtEnd: Bool { place == bytes.count }

  mutating func take(_ count: Int) throws(ObjectDamage) -> UnsafeRawBufferPointer {
    guard count >= 0, count <= bytes.count - place else { throw ObjectDamage() }
    defer { place += count }
    return UnsafeRawBufferPointer(rebasing: bytes[place..<place + count])
  }

  mutating func byte() throws(ObjectDamage) -> UInt8 { try take(1)[0] }

  mutating func word() throws(ObjectDamage) -> UInt64 {
    UInt64(littleEndian: try take(8).loadUnaligned(as: UInt64.self))
  }

  /// Reads a number that is not negative and small enough to be added to others.
  mutating func number() throws(ObjectDamage) -> Int {
    guard let number = Int(exactly: try word()), number <= 1 << 56 else { throw ObjectDamage() }
    return number
  }

  /// Reads bytes after their count.
  mutating func run() throws(ObjectDamage) -> UnsafeRawBufferPointer { try take(try number()) }

  /// Reads a name. No path is longer than the limit. A path with a zero byte would be another path
  /// to the system.
  mutating func name() throws(ObjectDamage) -> ByteString {
    let bytes = try run()
    guard bytes.count <= 1 << 14, !bytes.contains(0) else { throw ObjectDamage() }
    return ByteString(bytes: bytes)
  }
}

extension [UInt8] {
  mutating func add(_ name: ByteString) { add(run: name.bytes) }

  mutating func add(run bytes: [UInt8]) {
    append(little: UInt64(bytes.count))
    append(contentsOf: bytes)
  }

  mutating func add(_ entry: FileEntry) {
    add(entry.name)
    append(FileKind.stored.firstIndex(of: entry.kind).map { UInt8($0) } ?? 0)
    append(entry.isLink ? 1 : 0)
    append(little: UInt64(entry.size))
  }

  mutating func add(_ error: FileError) {
    var (code, value) = (UInt64(FileError.stored.count), UInt64(0))
    switch error {
    case .tooLarge(let size, _): value = UInt64(size)
    case .failed(let number): (code, value) = (code + 1, UInt64(bitPattern: Int64(number)))
    // Objects have no number for this error; it is stored as an invalid name.
    case .nameIsNotUTF8: code = UInt64(FileError.stored.firstIndex(of: .invalidName) ?? 0)
    default: code = UInt64(FileError.stored.firstIndex(of: error) ?? 0)
    }
    append(little: code)
    append(little: value)
  }
}

extension FileKind {
  /// The kinds of files. The index of a kind is its number in objects.
  fileprivate static let stored: [FileKind] = [.file, .folder, .other, .nowhere]
}

extension FileError {
  /// The errors without a value. The index of an error is its number in objects.
  fileprivate static let stored: [FileError] = [
    .notFound, .notPermitted, .notAFile, .notAFolder, .linkLoop, .invalidName,
  ]
}

extension ObjectCursor {
  mutating func entry() throws(ObjectDamage) -> FileEntry {
    let name = try self.name()
    let kind = Int(try byte())
    let isLink = try byte() == 1
    let size = try number()
    guard !name.isEmpty, !name.contains(UInt8(ascii: "/")), name.count <= 1_024,
      name != ".", name != "..", kind < FileKind.stored.count
    else { throw ObjectDamage() }
    return FileEntry(name: name, kind: FileKind.stored[kind], size: size, isLink: isLink)
  }

  mutating func failure() throws(ObjectDamage) -> FileError {
    let code = try number()
    let value = try word()
    if code < FileError.stored.count { return FileError.stored[code] }
    if code == FileError.stored.count {
      guard let size = Int(exactly: value) else { throw ObjectDamage() }
      return .tooLarge(size: size, limit: 0)
    }
    return .failed(errno: Int32(truncatingIfNeeded: Int64(bitPattern: value)))
  }
}
