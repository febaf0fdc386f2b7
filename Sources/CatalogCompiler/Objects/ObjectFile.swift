// Reads an object: its description, and the places of its parts. Nothing in an object is trusted:
// it can come from another machine, and be cut short, changed or forged.

import Archive
import Bytes
import CatalogModel
import Codecs
import Documents
import Host

/// The bytes of a file, which are valid as long as their owner is retained.
package struct ObjectInput: Sendable {
  package let path: ByteString
  let bytes: Bytes
  private let owner: (any AnyObject & Sendable)?

  package init(
    path: ByteString, _ bytes: UnsafeRawBufferPointer, owner: (any AnyObject & Sendable)?
  ) {
    (self.path, self.bytes, self.owner) = (path, Bytes(bytes), owner)
  }
}

/// An object that was read.
package struct ObjectFile: Sendable {
  package let input: ObjectInput
  package let scope: ObjectScope
  package let options: CompileOptions
  package let settings: ObjectSettings
  package let assetCount: Int
  let answers: HeldAnswers
  private let header: ObjectHeader

  package var blockCount: Int { (input.bytes.count - header.index) / ObjectFormat.rowSize }
  /// The checksum of everything after the header. It is equal for objects with the same bytes.
  var checksum: UInt64 { header.checksum }
  package var byteCount: Int { input.bytes.count }

  /// Reads an object. If `isTrusted` is true, checksums and the version of Carve are not compared.
  package init(_ input: ObjectInput, isTrusted: Bool = false) throws(ObjectError) {
    let bytes = input.bytes.buffer
    do throws(ObjectError) {
      let header = try ObjectHeader(bytes, isTrusted: isTrusted)
      guard let says = try? parseJSON(Array(bytes[header.head..<header.answers])) else {
        throw .damaged
      }
      try ObjectFile.checkMaker(says, isTrusted)
      guard let scope = ObjectScope(stored: says), let settings = says["settings"],
        let options = ObjectSettings.options(stored: settings),
        let held = try? HeldAnswers(
          UnsafeRawBufferPointer(rebasing: bytes[header.answers..<header.index]))
      else { throw .damaged }
      self.scope = scope
      self.options = options
      answers = held
      assetCount = says.whole("assets") ?? 0
      self.header = header
    } catch {
      throw ObjectError("\(input.path): \(error.message)")
    }
    self.input = input
    settings = ObjectSettings(options)
  }

  private static func checkMaker(_ says: JSONValue, _ isTrusted: Bool) throws(ObjectError) {
    let maker = (says.text("carve") ?? "?", says.whole("revision") ?? -1)
    if isTrusted || maker == (carveVersion, encoderRevision) { return }
    throw ObjectError(
      "it was made by Carve \(maker.0) (encoder \(maker.1)), but this is Carve \(carveVersion) "
        + "(encoder \(encoderRevision)); compile it again with this version"
    )
  }

  /// Returns the keys of the renditions and the bytes of their blocks.
  func rows() throws(ObjectDamage) -> [(key: ObjectKey, block: Bytes)] {
    let bytes = input.bytes.buffer
    var cursor = ObjectCursor(UnsafeRawBufferPointer(rebasing: bytes[header.index...]))
    var rows: [(ObjectKey, Bytes)] = []
    rows.reserveCapacity(blockCount)
    for _ in 0..<blockCount {
      let key = ObjectKey(Digest128(first: try cursor.word(), second: try cursor.word()))
      let (start, length) = (try cursor.number(), try cursor.number())
      guard start >= ObjectFormat.headerSize, start + length <= header.head,
        length >= ObjectBlock.headSize
      else { throw ObjectDamage() }
      let block = UnsafeRawBufferPointer(rebasing: bytes[start..<start + length])
      try ObjectBlock(block).check(byteCount: length)
      rows.append((key, Bytes(block)))
    }
    return rows
  }
}

extension ObjectScope {
  fileprivate init?(stored value: JSONValue) {
    guard let name = value.name("catalog"), !name.isEmpty, !name.isAbsolute,
      let group = value.names("group"), case .array(let lists)? = value["without"],
      !name.contains(0)
    else { return nil }
    var without: [[ByteString]] = []
    for list in lists {
      guard let words = JSONValue.object([JSONMember(key: "a", value: list)]).names("a") else {
        return nil
      }
      without.append(words)
    }
    self.init(catalog: name, name: name, group: group, without: without)
  }
}
