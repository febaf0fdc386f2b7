// Makes small ZIP files for tests, without a library. Each field of an entry can be given a wrong
// value.

/// An entry of a ZIP file that a test makes.
public struct ZIPMember: Sendable {
  public var path: [UInt8]
  public var contents: [UInt8]
  /// The bytes in the file; nil for the contents themselves.
  public var stored: [UInt8]?
  public var method: UInt16 = 0
  public var flags: UInt16 = 0
  /// The mode of the file on Unix.
  public var mode: UInt16 = 0o100644
  /// The sizes and the checksum that the list states; nil for the right ones.
  public var statedSize: Int?
  public var statedStoredSize: Int?
  public var statedChecksum: UInt32?
  /// The offset of the local header that the list states; nil for the right one.
  public var statedOffset: Int?
  /// Whether the numbers are in the extra field for large files.
  public var isLarge = false

  public init(_ path: String, _ contents: [UInt8]) {
    (self.path, self.contents) = (Array(path.utf8), contents)
  }

  public init(_ path: String, _ contents: String) { self.init(path, Array(contents.utf8)) }

  /// Returns the entry with its contents in a deflate stream of stored blocks.
  public func deflated() -> ZIPMember {
    var member = self
    member.method = 8
    // A zlib stream has two bytes before the deflate stream, and four behind it.
    member.stored = Array(storedZlib(contents).dropFirst(2).dropLast(4))
    return member
  }
}

/// Returns a ZIP file of these entries. `prefix` stands in front of it.
public func zip(_ members: [ZIPMember], prefix: [UInt8] = [], isLarge: Bool = false) -> [UInt8] {
  var file = prefix
  var directory: [UInt8] = []
  for member in members {
    let offset = file.count - prefix.count
    let stored = member.stored ?? member.contents
    let checksum = member.statedChecksum ?? crc32(member.contents)
    let sizes = (
      member.statedStoredSize ?? stored.count, member.statedSize ?? member.contents.count
    )
    let place = member.statedOffset ?? offset
    file += little32(0x0403_4B50) + little16(20) + little16(member.flags) + little16(member.method)
    file += little32(0) + little32(checksum) + little32(UInt32(truncatingIfNeeded: sizes.0))
    file += little32(UInt32(truncatingIfNeeded: sizes.1))
    file += little16(UInt16(member.path.count)) + little16(0) + member.path + stored
    var extra: [UInt8] = []
    if member.isLarge {
      extra = little16(1) + little16(24) + little64(sizes.1) + little64(sizes.0) + little64(place)
    }
    func number(_ value: Int) -> [UInt8] {
      little32(member.isLarge ? .max : UInt32(truncatingIfNeeded: value))
    }
    directory += little32(0x0201_4B50) + little16(0x0314) + little16(20) + little16(member.flags)
    directory += little16(member.method) + little32(0) + little32(checksum)
    directory += number(sizes.0) + number(sizes.1)
    directory += little16(UInt16(member.path.count)) + little16(UInt16(extra.count)) + little16(0)
    directory += little16(0) + little16(0) + little32(UInt32(member.mode) << 16)
    directory += number(place) + member.path + extra
  }
  let start = file.count - prefix.count
  file += directory
  if isLarge {
    let end = file.count - prefix.count
    file += little32(0x0606_4B50) + little64(44) + little16(45) + little16(45) + little32(0)
    file += little32(0) + little64(members.count) + little64(members.count)
    file += little64(directory.count) + little64(start)
    file += little32(0x0706_4B50) + little32(0) + little64(end) + little32(1)
  }
  let limit = isLarge ? UInt32.max : nil
  file += little32(0x0605_4B50) + little16(0) + little16(0)
  file += little16(UInt16(members.count)) + little16(UInt16(members.count))
  file += little32(limit ?? UInt32(directory.count)) + little32(limit ?? UInt32(start))
  return file + little16(0)
}

private func little16(_ value: UInt16) -> [UInt8] { [UInt8(value & 0xFF), UInt8(value >> 8)] }

private func little32(_ value: UInt32) -> [UInt8] {
  (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
}

private func little64(_ value: Int) -> [UInt8] {
  (0..<8).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
}
