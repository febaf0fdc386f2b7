// Reads ZIP files: the list of entries in the central directory, and the contents of each entry.
// Entries are inflated to memory when they are read. An entry whose place, size or name is not
// what a correct tool writes is refused with the reason; the others stay readable.

import Archive
import Bytes
import CDeflate

/// The reason why a file cannot be read as a ZIP file at all.
package enum ZIPError: Error, Sendable, Hashable {
  case notAZIPFile
  /// The list of entries does not lie where the end of the file says.
  case lostDirectory(at: Int)
  /// The file is one part of several.
  case divided
}

extension ZIPError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .notAZIPFile:
      "is not a ZIP file, or its end is missing (an interrupted download, for example)"
    case .lostDirectory(let offset):
      "has no list of entries at byte \(offset), where its end says that the list is"
    case .divided: "is one part of a ZIP file that was divided into several files"
    }
  }
}

/// An entry that is a file, or a link.
package struct ZIPEntry: Sendable, Hashable {
  /// The path below the root of the ZIP file. It contains no "..", and does not begin with a slash.
  package let path: ByteString
  /// The number of bytes after inflating.
  package let size: Int
  package let isLink: Bool
  fileprivate let isDeflated: Bool
  fileprivate let checksum: UInt32
  /// The range of the stored bytes in the file.
  fileprivate let stored: Range<Int>

  /// The number of bytes in the ZIP file.
  package var storedSize: Int { stored.count }
}

/// An entry that cannot be read.
package struct RefusedEntry: Error, Sendable, Hashable {
  package var path: ByteString
  package var reason: String
}

/// A ZIP file. The code that creates the value keeps the bytes alive and unchanged.
package struct ZIPFile: Sendable {
  /// The readable entries, ordered by their paths. Folders are not listed.
  package private(set) var entries: [ZIPEntry] = []
  /// The entries that cannot be read, in the order of the file.
  package private(set) var refused: [RefusedEntry] = []
  private let bytes: FileBytes

  /// Reads the list of entries.
  package init(_ file: UnsafeRawBufferPointer) throws(ZIPError) {
    bytes = FileBytes(file)
    let directory = try ZIPDirectory(of: bytes)
    var listed: [(entry: ZIPEntry, range: Range<Int>)] = []
    let (records, fault) = directory.records(in: bytes)
    for record in records {
      if record.path.endsWithSlash { continue }
      do throws(RefusedEntry) {
        listed.append(try ZIPFile.entry(record, directory, bytes))
      } catch {
        refused.append(error)
      }
    }
    if let fault {
      refused.append(
        RefusedEntry(
          path: "the list of entries",
          reason: "it is damaged at byte \(fault); the entries that follow are not read"))
    }
    keepSeparate(listed)
  }

  /// Keeps the entries that overlap no other entry. A small file whose entries all name the same
  /// bytes could otherwise inflate to any size.
  private mutating func keepSeparate(_ listed: [(entry: ZIPEntry, range: Range<Int>)]) {
    var end = 0
    var paths: Set<ByteString> = []
    for (entry, range) in listed.sorted(by: { $0.range.lowerBound < $1.range.lowerBound }) {
      if range.lowerBound < end {
        refuse(entry, "its bytes overlap those of another entry")
      } else if !paths.insert(entry.path).inserted {
        refuse(entry, "another entry has the same path")
      } else {
        entries.append(entry)
      }
      end = max(end, range.upperBound)
    }
    entries.sort { $0.path < $1.path }
  }

  private mutating func refuse(_ entry: ZIPEntry, _ reason: String) {
    refused.append(RefusedEntry(path: entry.path, reason: reason))
  }

  /// The largest ratio of deflate: 258 bytes from two bits, and some bits for each block.
  private static let largestRatio = 1032

  /// Checks a record of the list, and finds its bytes.
  private static func entry(
    _ record: ZIPRecord, _ directory: ZIPDirectory, _ bytes: FileBytes
  ) throws(RefusedEntry) -> (entry: ZIPEntry, range: Range<Int>) {
    func refuse(_ reason: String) -> RefusedEntry {
      RefusedEntry(path: record.path, reason: reason)
    }
    if let fault = record.nameFault { throw refuse(fault) }
    if record.isEncrypted { throw refuse("it is encrypted") }
    guard record.method == 0 || record.method == 8 else {
      throw refuse("it is compressed by method \(record.method); only deflate (8) is read")
    }
    // The offset may be any number; the sum of two places in the file cannot overflow.
    let start = directory.base + min(max(0, record.headerOffset), bytes.count)
    guard record.headerOffset >= 0, start <= directory.start - LocalHeader.size,
      (try? bytes.load(LocalHeader.signature, at: start)) == LocalHeader.magic,
      let nameLength = try? bytes.load(LocalHeader.nameLength, at: start),
      let extraLength = try? bytes.load(LocalHeader.extraLength, at: start)
    else { throw refuse("it does not lie where the list of entries says") }
    let first = start + LocalHeader.size + Int(nameLength) + Int(extraLength)
    guard record.storedSize >= 0, first <= directory.start,
      record.storedSize <= directory.start - first
    else { throw refuse("its bytes extend beyond the file") }
    let isDeflated = record.method == 8
    guard record.size >= 0,
      isDeflated
        ? record.size / largestRatio <= record.storedSize : record.size == record.storedSize
    else {
      throw refuse("it states \(record.size) bytes, but has only \(record.storedSize)")
    }
    let stored = first..<first + record.storedSize
    let entry = ZIPEntry(
      path: record.path, size: record.size, isLink: record.isLink, isDeflated: isDeflated,
      checksum: record.checksum, stored: stored)
    return (entry, start..<stored.upperBound)
  }

  /// Returns the contents of an entry. Fails if they have another size or checksum than the list
  /// says, or more bytes than the limit.
  package func contents(
    of entry: ZIPEntry, limit: Int = .max
  ) throws(RefusedEntry) -> [UInt8] {
    func refuse(_ reason: String) -> RefusedEntry {
      RefusedEntry(path: entry.path, reason: reason)
    }
    if entry.size > limit { throw refuse("its \(entry.size) bytes are more than \(limit)") }
    guard
      let stored = try? bytes.slice(
        at: entry.stored.lowerBound, count: entry.stored.count, "an entry")
    else { throw refuse("its bytes extend beyond the file") }
    let contents: [UInt8]
    if entry.isDeflated && entry.size > 0 {
      var isWhole = false
      contents = [UInt8](unsafeUninitializedCapacity: entry.size) { target, count in
        isWhole = carve_inflate(
          stored.buffer.baseAddress, stored.count, true, target.baseAddress, entry.size)
        count = isWhole ? entry.size : 0
      }
      if !isWhole { throw refuse("its compressed bytes are damaged") }
    } else {
      contents = Array(stored.buffer.prefix(entry.size))
    }
    let checksum = contents.withUnsafeBytes { carve_crc32(0, $0.baseAddress, $0.count) }
    guard checksum == entry.checksum else {
      throw refuse("its checksum is wrong, so its bytes are damaged")
    }
    return contents
  }
}

// MARK: - Records

/// The fields of the header in front of the bytes of an entry.
private enum LocalHeader {
  static let magic: UInt32 = 0x0403_4B50
  static let size = 30
  static let signature = Field<UInt32>(0)
  static let nameLength = Field<UInt16>(26)
  static let extraLength = Field<UInt16>(28)
}

/// The fields of a record in the list of entries.
private enum CentralHeader {
  static let magic: UInt32 = 0x0201_4B50
  static let size = 46
  static let signature = Field<UInt32>(0)
  static let system = Field<UInt16>(4)
  static let flags = Field<UInt16>(8)
  static let method = Field<UInt16>(10)
  static let checksum = Field<UInt32>(16)
  static let storedSize = Field<UInt32>(20)
  static let size32 = Field<UInt32>(24)
  static let nameLength = Field<UInt16>(28)
  static let extraLength = Field<UInt16>(30)
  static let commentLength = Field<UInt16>(32)
  static let attributes = Field<UInt32>(38)
  static let headerOffset = Field<UInt32>(42)
}

/// The fields of the end of a ZIP file.
private enum EndRecord {
  static let magic: UInt32 = 0x0605_4B50
  static let size = 22
  static let signature = Field<UInt32>(0)
  static let part = Field<UInt16>(4)
  static let directorySize = Field<UInt32>(12)
  static let directoryOffset = Field<UInt32>(16)
  static let commentLength = Field<UInt16>(20)
}

/// The fields of the end of a ZIP file with numbers of 64 bits, and of the record in front of
/// `EndRecord` that names its offset.
private enum LargeEndRecord {
  static let magic: UInt32 = 0x0606_4B50
  static let size = 56
  static let signature = Field<UInt32>(0)
  static let directorySize = Field<UInt64>(40)
  static let directoryOffset = Field<UInt64>(48)

  static let locatorMagic: UInt32 = 0x0706_4B50
  static let locatorSize = 20
  static let recordOffset = Field<UInt64>(8)
}

/// The position of the list of entries.
private struct ZIPDirectory {
  /// The offset of its first byte.
  var start: Int
  var size: Int
  /// The number of bytes in front of the ZIP file: a program that unpacks itself has some.
  var base: Int

  init(of bytes: FileBytes) throws(ZIPError) {
    guard let end = ZIPDirectory.end(of: bytes) else { throw .notAZIPFile }
    guard let part = try? bytes.load(EndRecord.part, at: end),
      let size32 = try? bytes.load(EndRecord.directorySize, at: end),
      let offset32 = try? bytes.load(EndRecord.directoryOffset, at: end)
    else { throw .notAZIPFile }
    var (stop, offset) = (end, Int(offset32))
    size = Int(size32)
    // A file with more than 65,535 entries has the large record, too; then the size and the offset
    // in the small one may be right.
    if let large = ZIPDirectory.largeEnd(of: bytes, before: end) {
      (stop, size, offset) = large
    } else if part == .max || size32 == .max || offset32 == .max {
      throw .lostDirectory(at: offset)
    } else if part != 0 {
      throw .divided
    }
    guard size >= 0, offset >= 0, size <= stop, offset <= stop - size else {
      throw .lostDirectory(at: max(0, offset))
    }
    start = stop - size
    base = start - offset
    guard size == 0 || (try? bytes.load(CentralHeader.signature, at: start)) == CentralHeader.magic
    else { throw .lostDirectory(at: start) }
  }

  /// Returns the offset of the end record: the last one whose comment reaches to the file's end.
  private static func end(of bytes: FileBytes) -> Int? {
    var offset = bytes.count - EndRecord.size
    let first = max(0, offset - Int(UInt16.max))
    while offset >= first {
      if (try? bytes.load(EndRecord.signature, at: offset)) == EndRecord.magic,
        let comment = try? bytes.load(EndRecord.commentLength, at: offset),
        offset + EndRecord.size + Int(comment) == bytes.count
      {
        return offset
      }
      offset -= 1
    }
    return nil
  }

  /// Returns the offset of the large end record, and the size and the stated offset of the list.
  private static func largeEnd(
    of bytes: FileBytes, before end: Int
  ) -> (record: Int, size: Int, offset: Int)? {
    let locator = end - LargeEndRecord.locatorSize
    guard locator >= 0,
      (try? bytes.load(LargeEndRecord.signature, at: locator)) == LargeEndRecord.locatorMagic
    else { return nil }
    // Bytes in front of the ZIP file move the record, which usually lies just before its locator.
    let stated = (try? bytes.load(LargeEndRecord.recordOffset, at: locator)).flatMap {
      Int(exactly: $0)
    }
    for record in [stated, locator - LargeEndRecord.size].compactMap({ $0 }) {
      guard record >= 0,
        (try? bytes.load(LargeEndRecord.signature, at: record)) == LargeEndRecord.magic,
        let size = try? bytes.load(LargeEndRecord.directorySize, at: record),
        let offset = try? bytes.load(LargeEndRecord.directoryOffset, at: record),
        let size = Int(exactly: size), let offset = Int(exactly: offset)
      else { continue }
      return (record, size, offset)
    }
    return nil
  }

  /// Returns the records of the list, up to the first one that is damaged, and the offset of that
  /// one; nil if all are sound. The number of entries that the end of the file states does not
  /// matter.
  func records(in bytes: FileBytes) -> (records: [ZIPRecord], fault: Int?) {
    var records: [ZIPRecord] = []
    var offset = start
    while offset < start + size, let record = ZIPRecord(bytes, at: &offset) {
      records.append(record)
    }
    return (records, offset < start + size ? offset : nil)
  }
}

/// A record in the list of entries, as it is stated.
private struct ZIPRecord {
  var path: ByteString
  var method: UInt16
  var checksum: UInt32
  var size: Int
  var storedSize: Int
  var headerOffset: Int
  var isEncrypted: Bool
  var isLink: Bool

  /// Reads the record at an offset, and moves the offset to the next one. Returns nil if there
  /// is no record.
  init?(_ bytes: FileBytes, at offset: inout Int) {
    do throws(FormatError) {
      guard try bytes.load(CentralHeader.signature, at: offset) == CentralHeader.magic else {
        return nil
      }
      let nameLength = Int(try bytes.load(CentralHeader.nameLength, at: offset))
      let extraLength = Int(try bytes.load(CentralHeader.extraLength, at: offset))
      let commentLength = Int(try bytes.load(CentralHeader.commentLength, at: offset))
      let name = try bytes.slice(at: offset + CentralHeader.size, count: nameLength, "a name")
      let extra = try bytes.slice(
        at: offset + CentralHeader.size + nameLength, count: extraLength, "an extra field")
      path = ByteString(bytes: name.buffer)
      method = try bytes.load(CentralHeader.method, at: offset)
      checksum = try bytes.load(CentralHeader.checksum, at: offset)
      size = Int(try bytes.load(CentralHeader.size32, at: offset))
      storedSize = Int(try bytes.load(CentralHeader.storedSize, at: offset))
      headerOffset = Int(try bytes.load(CentralHeader.headerOffset, at: offset))
      isEncrypted = try bytes.load(CentralHeader.flags, at: offset) & 1 != 0
      let system = try bytes.load(CentralHeader.system, at: offset)
      let attributes = try bytes.load(CentralHeader.attributes, at: offset)
      // 3 is Unix, whose file modes begin with the type; 0xA is the type of links.
      isLink = system >> 8 == 3 && attributes >> 28 == 0xA
      readLargeNumbers(extra)
      offset += CentralHeader.size + nameLength + extraLength + commentLength
    } catch {
      return nil
    }
  }

  /// Replaces the numbers that do not fit into 32 bits by those of the extra field with tag 1.
  private mutating func readLargeNumbers(_ extra: FileBytes) {
    var offset = 0
    while let tag = try? extra.load(Field<UInt16>(0), at: offset),
      let length = try? extra.load(Field<UInt16>(2), at: offset)
    {
      if tag == 1 {
        var next = offset + 4
        for number in [\ZIPRecord.size, \.storedSize, \.headerOffset]
        where self[keyPath: number] == Int(UInt32.max) {
          guard next + 8 <= offset + 4 + Int(length),
            let large = try? extra.load(Field<UInt64>(0), at: next)
          else { return }
          // A number beyond all files is refused later because it is negative.
          self[keyPath: number] = Int(exactly: large) ?? -1
          next += 8
        }
        return
      }
      offset += 4 + Int(length)
    }
  }

  /// The largest length of a path, which is that of most systems.
  private static let longestPath = 4096

  /// The reason why the path is not used; nil if it is a path below the root.
  var nameFault: String? {
    if path.isEmpty { return "it has no name" }
    if path.count > ZIPRecord.longestPath {
      return "its name has \(path.count) bytes; \(ZIPRecord.longestPath) are possible"
    }
    if path.contains(0) { return "its name contains a zero byte" }
    if path.isAbsolute || path.contains(UInt8(ascii: "\\")) {
      return "its name is not a relative path"
    }
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    if parts.contains(where: { $0 == ".." || $0 == "." || $0.isEmpty }) {
      return "its name leads out of the folder, or is not a plain path"
    }
    return nil
  }
}
