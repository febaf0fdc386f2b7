// Archives that are cut, changed, or made to mislead: every reader returns, with an error that
// states the place, and without more memory than the file justifies.

import Support
import Testing

@testable import Archive

/// Reads all contents of an archive. The first error ends it.
private func readEverything(_ bytes: UnsafeRawBufferPointer) throws(FormatError) -> Int {
  let archive = try Archive(bytes)
  _ = try archive.metadata()
  var count = try archive.facets().count + archive.appearances().count
  count += try archive.localizations().count
  let numbers = try VariantNumbers(of: archive)
  try archive.forEachRendition { (entry) throws(FormatError) in
    let rendition = try archive.rendition(entry)
    count += try rendition.allProperties().count + rendition.references().count
    count += try ColorPayload(rendition.payload)?.components.count ?? 0
    count += try MultisizePayload(rendition.payload)?.sizes.count ?? 0
    count += try FilePayload(rendition.payload)?.contents.count ?? 0
    _ = numbers.variant(of: entry.key)
  }
  return count
}

@Suite struct HostileTests {
  /// Any number of keys may share a block, so the length of the block must not be multiplied by the
  /// number of keys.
  @Test(arguments: [100, 1 << 16]) func propertiesAreNotReadWithoutEnd(length: Int) {
    let head = RenditionHead(
      CSIHeader(layout: .data, name: "A"),
      [.other(tag: 3000, body: [UInt8](repeating: 0, count: length))])
    head.block(payload: []).withUnsafeBytes { block in
      do throws(FormatError) {
        #expect(try Rendition(FileBytes(block)).properties.count == length + 8)
        #expect(length == 100)
      } catch {
        #expect(length > 100 && error.description.contains("at most 65536"), "\(error)")
      }
    }
  }

  /// Reads and validates an archive. An archive without violations can be read.
  private func survive(_ bytes: [UInt8], _ comment: @autoclosure () -> String) {
    bytes.withUnsafeBytes { bytes in
      do throws(FormatError) {
        _ = try readEverything(bytes)
      } catch {
        #expect((0...bytes.count).contains(error.offset), "\(comment()): \(error)")
        #expect(!Archive.validate(bytes, limit: 5).isEmpty, "\(comment()): \(error)")
        return
      }
      _ = Archive.validate(bytes, limit: 5)
    }
  }

  @Test func `an archive cut at any byte is refused`() throws {
    let bytes = try Sample.rich()
    for length in 0..<bytes.count {
      let error = bytes.withUnsafeBytes { bytes -> FormatError? in
        do throws(FormatError) {
          _ = try readEverything(UnsafeRawBufferPointer(rebasing: bytes[..<length]))
          return nil
        } catch {
          return error
        }
      }
      let found = try #require(error, "cut at \(length)")
      #expect((0...length).contains(found.offset))
    }
  }

  @Test func `an archive with any byte changed is read or refused`() throws {
    let bytes = try Sample.rich()
    var random = SeededGenerator.forTest(0xB17)
    for place in bytes.indices where bytes[place] != 0 || random.pick(0...15) == 0 {
      for value in [bytes[place] ^ 0xFF, UInt8(truncatingIfNeeded: random.next())] {
        guard value != bytes[place] else { continue }
        var damaged = bytes
        damaged[place] = value
        survive(damaged, "byte \(place) is \(value), \(random)")
      }
    }
  }

  @Test func `an archive with several words changed is read or refused`() throws {
    let bytes = try Sample.rich()
    var random = SeededGenerator.forTest(0x3072)
    let values: [UInt32] = [0, 1, 2, 8, 511, 4096, 0x7FFF_FFFF, .max]
    for _ in 0..<1500 {
      var damaged = bytes
      for _ in 0..<random.pick(1...6) {
        let value = values.randomElement(using: &random) ?? 0
        let field = Field<UInt32>(0, random.next() % 2 == 0 ? .big : .little)
        damaged.store(value, field, at: random.pick(0...(bytes.count - 4) / 4) * 4)
      }
      survive(damaged, "\(random)")
    }
  }

  /// Returns an archive of many pages, the offset of the header of its tree of renditions, and a
  /// function for the offset of an entry of the block index.
  private func paged() throws -> (bytes: [UInt8], tree: Int, indexEntry: (UInt32) -> Int) {
    let bytes = try Sample.archive(names: Sample.names(600), renditions: 600)
    return try bytes.withUnsafeBytes { raw in
      let archive = try Archive(raw)
      let tree = try #require(try archive.tree(named: Archive.renditionsName))
      let index = archive.store.index.origin
      return (bytes, tree.header.origin, { index + 4 + Int($0) * IndexEntry.size })
    }
  }

  private func error(_ bytes: [UInt8]) -> FormatError? {
    bytes.withUnsafeBytes { bytes -> FormatError? in
      do throws(FormatError) {
        _ = try readEverything(bytes)
        return nil
      } catch {
        return error
      }
    }
  }

  @Test func `a branch that leads to itself is found`() throws {
    var (bytes, tree, entry) = try paged()
    let root = bytes.withUnsafeBytes { FileBytes($0).trusted(TreeHeader.root, at: tree) }
    let page = bytes.withUnsafeBytes {
      Int(FileBytes($0).trusted(IndexEntry.address, at: entry(root)))
    }
    bytes.store(root, TreePair.value, at: page + TreePage.size)
    let problem = try #require(error(bytes)?.problem)
    #expect(problem == .repeated("page \(root) of RENDITIONS"))
    #expect(error(bytes)?.offset == page)
  }

  @Test(arguments: [0, 1, 599, 601, UInt32.max]) func `a tree that states a wrong count is found`(
    count: UInt32
  ) throws {
    var (bytes, tree, _) = try paged()
    bytes.store(count, TreeHeader.count, at: tree)
    guard case .count(_, let stated, _) = try #require(error(bytes)).problem else {
      Issue.record("\(String(describing: error(bytes)))")
      return
    }
    #expect(stated == Int(count))
  }

  @Test func `many entries that share one long key do not fill the memory`() throws {
    var (bytes, tree, entry) = try paged()
    // Every key is changed to be the whole file.
    let (capacity, keyLength) = try bytes.withUnsafeBytes {
      let archive = try Archive($0)
      return (archive.store.capacity, UInt32(2 * archive.keyFormat.columns.count))
    }
    for block in 2..<UInt32(capacity) where block % 2 == 0 {
      let at = entry(block)
      let length = bytes.withUnsafeBytes { FileBytes($0).trusted(IndexEntry.length, at: at) }
      if length != keyLength { continue }
      bytes.store(UInt32(0), IndexEntry.address, at: at)
      bytes.store(UInt32(bytes.count), IndexEntry.length, at: at)
    }
    _ = tree
    #expect(error(bytes) != nil)
  }

  @Test func `overlapping blocks are named with the place`() throws {
    var (bytes, _, entry) = try paged()
    let first = entry(2)
    let address = bytes.withUnsafeBytes { FileBytes($0).trusted(IndexEntry.address, at: first) }
    bytes.store(address + 8, IndexEntry.address, at: entry(3))
    let violations = bytes.withUnsafeBytes { Archive.validate($0) }
    #expect(
      violations.first == Violation(offset: Int(address) + 8, what: "block 3 overlaps block 2"))
  }

  @Test func `a separator that is not the last key is a violation`() throws {
    var (bytes, tree, entry) = try paged()
    let root = bytes.withUnsafeBytes { FileBytes($0).trusted(TreeHeader.root, at: tree) }
    let page = bytes.withUnsafeBytes {
      Int(FileBytes($0).trusted(IndexEntry.address, at: entry(root)))
    }
    let key = bytes.withUnsafeBytes {
      FileBytes($0).trusted(TreePair.key, at: page + TreePage.size)
    }
    bytes.store(key + 1, TreePair.key, at: page + TreePage.size)
    let violations = bytes.withUnsafeBytes { Archive.validate($0) }
    #expect(violations.contains { $0.what.contains("is not its child's last key") })
    #expect(error(bytes) == nil)
  }

  @Test func `a wrong count, mask or identity is a violation`() throws {
    let bytes = try Sample.rich()
    let places = try bytes.withUnsafeBytes { raw -> [Int] in
      let store = try Archive(raw).store
      let header = try #require(try store.bytes(named: CatalogHeader.name))
      let tree = try #require(try Archive(raw).tree(named: Archive.bitmapKeysName))
      var mask = 0
      try tree.forEach { (entry) throws(FormatError) in
        mask = try store.range(of: entry.value).upperBound - 40
      }
      let index = try #require(try store.bytes(named: Archive.indexName))
      return [
        header.origin + CatalogHeaderRecord.renditionCount.offset, mask,
        index.origin + IndexHeader.identityOffset,
      ]
    }
    for place in places {
      var damaged = bytes
      damaged[place] ^= 4
      #expect(!damaged.withUnsafeBytes { Archive.validate($0) }.isEmpty, "byte \(place)")
    }
  }
}
