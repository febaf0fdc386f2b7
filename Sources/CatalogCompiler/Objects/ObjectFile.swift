// Reads and writes objects: a description, and the parts with their offsets. The reader trusts
// nothing in an object: it can come from another machine, and be cut short, changed or forged.

import Archive
import Bytes
import CDeflate
import CatalogModel
import Documents
import Host
import Imaging
import Traits

/// The bytes of a file, which are valid as long as their owner is retained.
package struct ObjectInput: Sendable {
  package let path: ByteString
  let bytes: FileBytes
  private let owner: (any AnyObject & Sendable)?

  package init(
    path: ByteString, _ bytes: UnsafeRawBufferPointer, owner: (any AnyObject & Sendable)?
  ) {
    (self.path, self.bytes, self.owner) = (path, FileBytes(bytes), owner)
  }
}

/// An object that was read.
package struct ObjectFile: Sendable {
  package let input: ObjectInput
  package let scope: ObjectScope
  package private(set) var options: CompileOptions
  package let settings: ObjectSettings
  package let assetCount: Int
  let answers: StoredAnswers
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
      guard let description = try? parseJSON(Array(bytes[header.head..<header.answers])) else {
        throw .damaged
      }
      try ObjectFile.checkMaker(description, isTrusted)
      guard let scope = ObjectScope(stored: description), let settings = description["settings"],
        let options = ObjectSettings.options(stored: settings),
        let held = try? StoredAnswers(
          UnsafeRawBufferPointer(rebasing: bytes[header.answers..<header.index]))
      else { throw .damaged }
      self.scope = scope
      self.options = options
      self.options.isPlatformChosen = description["platform-is-chosen"] != .bool(false)
      answers = held
      assetCount = description.wholeNumber("assets") ?? 0
      self.header = header
    } catch {
      throw ObjectError("\(input.path): \(error.message)")
    }
    self.input = input
    settings = ObjectSettings(options)
  }

  private static func checkMaker(_ description: JSONValue, _ isTrusted: Bool) throws(ObjectError) {
    let maker = (description.text("carve") ?? "?", description.wholeNumber("revision") ?? -1)
    if isTrusted || maker == (carveVersion, encoderRevision) { return }
    throw ObjectError(
      "it was made by Carve \(maker.0) (encoder \(maker.1)), but this is Carve \(carveVersion) "
        + "(encoder \(encoderRevision)); compile it again with this version"
    )
  }

  /// Returns the keys of the renditions and the bytes of their blocks.
  func rows() throws(RecordDamage) -> [(key: ObjectKey, block: FileBytes)] {
    let bytes = input.bytes.buffer
    var cursor = RecordReader(UnsafeRawBufferPointer(rebasing: bytes[header.index...]))
    var rows: [(ObjectKey, FileBytes)] = []
    rows.reserveCapacity(blockCount)
    for _ in 0..<blockCount {
      let key = ObjectKey(try cursor.digest())
      let (start, length) = (try cursor.count(), try cursor.count())
      guard start >= ObjectFormat.headerSize, start + length <= header.head,
        length >= ObjectBlock.headSize
      else { throw RecordDamage() }
      let block = UnsafeRawBufferPointer(rebasing: bytes[start..<start + length])
      try ObjectBlock(block).check(block)
      rows.append((key, FileBytes(block)))
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

// MARK: - Format

// The layout of an object (.caro). All numbers are little-endian.
//
//   0    header: magic, format, size, checksum of everything after the header, offsets
//        where head, answers and index begin, checksum of the header before it     8 × 8 bytes
//   64   blocks: the results for renditions that are made from files               ObjectBlock
//        head: JSON with the version of Carve, the settings, the catalogue and the part of it
//        answers: the answers of the disk                                          AnswerRecorder
//        index: for each rendition its key, the offset and length of its block  32 bytes each
//
// An object contains no absolute path, no time, and no number that depends on the machine.

package enum ObjectFormat {
  /// The text "CARVEOBJ", read as a little-endian number.
  static let magic: UInt64 = 0x4a42_4f45_5652_4143
  static let version: UInt64 = 1
  static let headerSize = 64
  static let rowSize = 32

  /// Returns whether a file with these first bytes is an object, complete or not.
  package static func begins(_ bytes: UnsafeRawBufferPointer) -> Bool {
    var reader = RecordReader(bytes)
    return (try? reader.number()) == magic
  }

  static func checksum(_ bytes: UnsafeRawBufferPointer, after start: UInt32 = 0) -> UInt32 {
    carve_crc32(start, bytes.baseAddress, bytes.count)
  }
}

/// The description of a block, which is stored in 96 bytes before the bytes of the block.
struct ObjectBlock {
  static let headSize = 96

  /// Whether the block is the pixels of a picture that goes into an atlas, not a rendition.
  var isForAtlas: Bool
  var gamut: Gamut
  var facts: PictureFacts?
  var key: CacheKey?

  var head: [UInt8] {
    var bytes: [UInt8] = [
      isForAtlas ? 1 : 0, gamut.rawValue, facts == nil ? 0 : 1, key == nil ? 0 : 1,
    ]
    bytes += [0, 0, 0, 0]
    bytes += facts.map(CacheEntry.head) ?? [UInt8](repeating: 0, count: CacheEntry.factsSize)
    bytes.append(digest: key?.digest ?? Digest128(first: 0, second: 0))
    return bytes
  }
}

extension ObjectBlock {
  /// Reads the description at the beginning of the bytes.
  init(_ bytes: UnsafeRawBufferPointer) throws(RecordDamage) {
    var cursor = RecordReader(bytes)
    isForAtlas = try cursor.byte() == 1
    guard let gamut = Gamut(rawValue: try cursor.byte()) else { throw RecordDamage() }
    self.gamut = gamut
    let hasFacts = try cursor.byte() == 1
    let hasKey = try cursor.byte() == 1
    _ = try cursor.take(4)
    var stored = RecordReader(try cursor.take(CacheEntry.factsSize))
    facts = hasFacts ? CacheEntry.facts(&stored) : nil
    let digest = try cursor.digest()
    key = hasKey ? CacheKey(digest) : nil
    guard hasFacts == (facts != nil), facts != nil || !isForAtlas else { throw RecordDamage() }
    if isForAtlas, let facts {
      // Decoders make rows of this length, and atlases are drawn from such rows.
      guard facts.bytesPerRow == facts.layout.bytesPerRow(width: facts.width) else {
        throw RecordDamage()
      }
    }
  }
}

extension ObjectBlock {
  /// Refuses bytes that are no rendition, and a small picture with more pixels than its bytes can
  /// decompress to. Memory for the pixels is allocated before they are decompressed.
  func check(_ bytes: UnsafeRawBufferPointer) throws(RecordDamage) {
    let contents = FileBytes(UnsafeRawBufferPointer(rebasing: bytes[ObjectBlock.headSize...]))
    guard isForAtlas, let facts else {
      if !Rendition.isSound(contents) { throw RecordDamage() }
      return
    }
    guard
      Bitmap.isJustified(
        width: facts.width, height: facts.height, bytesPerPixel: facts.layout.bytesPerPixel,
        payload: contents.count)
    else { throw RecordDamage() }
  }
}

/// The key by which the link finds the block of a rendition. The answers in the object determine
/// the contents of the files, and its settings everything else, so the key only needs to state
/// which entry is meant, and for which name, part and variant.
struct ObjectKey: Hashable, Sendable {
  let digest: Digest128

  init(_ digest: Digest128) { self.digest = digest }

  /// Creates the key of a rendition; nil if it is made from no file, because such a block is made
  /// again at the link. `known` turns a path into one that begins with the name of the object's
  /// catalogue.
  init?(_ planned: PlannedRendition, known: (ByteString) -> ByteString) {
    guard let files = planned.content.files else { return nil }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(512)
    bytes.append(name: known(planned.jsonFile))
    bytes.append(name: planned.pointer)
    bytes.append(name: planned.facet)
    let (high, low) = planned.key.packed
    let details = planned.details
    for number in [
      planned.kind.map { UInt64($0.rawValue) } ?? 255, UInt64(planned.element),
      UInt64(planned.part), UInt64(details.dimension1), UInt64(details.dimension2),
      UInt64(details.glyphWeight), UInt64(details.glyphSize), high, low, UInt64(files.count),
    ] { bytes.append(number: number) }
    for file in files { bytes.append(name: known(file.path)) }
    digest = bytes.withUnsafeBytes { Digest128($0) }
  }
}

// MARK: - Header

// Reads the header of an object: checks that the file is a complete object of this format, and
// finds its parts.

struct ObjectHeader: Sendable {
  let checksum: UInt64
  let head: Int
  let answers: Int
  let index: Int

  /// Reads the header of a file, whose bytes are all given.
  init(_ bytes: UnsafeRawBufferPointer, isTrusted: Bool) throws(ObjectError) {
    guard ObjectFormat.begins(bytes) else {
      let isArchive = bytes.starts(with: "BOMStore".utf8)
      let what =
        bytes.isEmpty ? "it is empty" : isArchive ? "it is an archive" : "it is not an object"
      throw ObjectError("\(what); 'carve compile --object' makes an object from a catalogue")
    }
    guard bytes.count >= ObjectFormat.headerSize else {
      throw ObjectError("it is cut short; compile it again")
    }
    var reader = RecordReader(bytes)
    var words: [UInt64] = []
    for _ in 0..<8 { words.append((try? reader.number()) ?? 0) }
    guard words[1] == ObjectFormat.version else {
      throw ObjectError(
        "it was made by another version of Carve; compile it again with this version")
    }
    let sum = ObjectFormat.checksum(UnsafeRawBufferPointer(rebasing: bytes[..<56]))
    guard isTrusted || words[7] == sum,
      let size = isTrusted ? bytes.count : Int(exactly: words[2])
    else { throw .damaged }
    if size > bytes.count {
      throw ObjectError(
        "it is cut short: \(grouped(bytes.count)) of \(grouped(size)) bytes are there; "
          + "compile it again")
    }
    let body = UnsafeRawBufferPointer(rebasing: bytes[ObjectFormat.headerSize...])
    guard size == bytes.count, isTrusted || words[3] == ObjectFormat.checksum(body),
      let head = Int(exactly: words[4]), let answers = Int(exactly: words[5]),
      let index = Int(exactly: words[6]), ObjectFormat.headerSize <= head, head <= answers,
      answers <= index, index <= size, (size - index) % ObjectFormat.rowSize == 0
    else { throw .damaged }
    (checksum, self.head, self.answers, self.index) = (words[3], head, answers, index)
  }
}

extension ObjectError {
  static let damaged = ObjectError("it is damaged; compile it again")
}

// MARK: - Values

// Reads and writes the entries of folders and the errors of files.

extension [UInt8] {
  mutating func add(_ entry: FileEntry) {
    append(name: entry.name)
    append(FileKind.stored.firstIndex(of: entry.kind).map { UInt8($0) } ?? 0)
    append(entry.isLink ? 1 : 0)
    append(number: UInt64(entry.size))
  }

  mutating func add(_ error: FileError) {
    var (code, value) = (UInt64(FileError.stored.count), UInt64(0))
    switch error {
    case .tooLarge(let size, _): value = UInt64(size)
    case .failed(let number): (code, value) = (code + 1, UInt64(bitPattern: Int64(number)))
    // Objects have no number for this error; it is stored as an invalid name.
    case .pathIsNotUTF8: code = UInt64(FileError.stored.firstIndex(of: .invalidName) ?? 0)
    default: code = UInt64(FileError.stored.firstIndex(of: error) ?? 0)
    }
    append(number: code)
    append(number: value)
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

extension RecordReader {
  mutating func entry() throws(RecordDamage) -> FileEntry {
    let name = try self.name()
    let kind = Int(try byte())
    let isLink = try byte() == 1
    let size = try count()
    guard !name.isEmpty, !name.contains(UInt8(ascii: "/")), name.count <= 1_024,
      name != ".", name != "..", kind < FileKind.stored.count
    else { throw RecordDamage() }
    return FileEntry(name: name, kind: FileKind.stored[kind], size: size, isLink: isLink)
  }

  mutating func failure() throws(RecordDamage) -> FileError {
    let code = try count()
    let value = try number()
    if code < FileError.stored.count { return FileError.stored[code] }
    if code == FileError.stored.count {
      guard let size = Int(exactly: value) else { throw RecordDamage() }
      return .tooLarge(size: size, limit: 0)
    }
    return .failed(errno: Int32(truncatingIfNeeded: Int64(bitPattern: value)))
  }
}

// MARK: - Writing

// Writes an object while its pictures are encoded: first the blocks as they are finished, then
// their description.

/// An object while it is written to disk.
final class ObjectOutput: EncodingOutput {
  private let plan: RenditionPlan
  private let scope: ObjectScope
  private let answers: AnswerRecorder
  private let settings: ObjectSettings
  private let isPlatformChosen: Bool
  private let assetCount: Int
  private let file: FileSink
  private var checksum: UInt32 = 0
  private var index: [UInt8] = []
  private(set) var count = 0

  init(
    _ plan: RenditionPlan, _ answers: AnswerRecorder, _ options: CompileOptions, assetCount: Int,
    into file: FileSink
  ) {
    (self.plan, self.answers, self.assetCount, self.file) = (plan, answers, assetCount, file)
    scope = answers.scope
    settings = ObjectSettings(options)
    isPlatformChosen = options.isPlatformChosen
    [UInt8](repeating: 0, count: ObjectFormat.headerSize).withUnsafeBytes { file.append($0) }
  }

  var byteCount: Int { file.byteCount }

  private func append(_ bytes: [UInt8]) {
    bytes.withUnsafeBytes {
      checksum = ObjectFormat.checksum($0, after: checksum)
      file.append($0)
    }
  }

  func add(
    _ encoded: [EncodedRendition], for block: SharedBlock, _ settings: EncodingSettings
  ) {
    var keys: [ObjectKey] = []
    block.forEach { index in
      if let key = ObjectKey(plan.renditions[index], known: scope.known) { keys.append(key) }
    }
    if keys.isEmpty { return }
    for rendition in encoded { add(rendition, as: keys) }
  }

  private func add(_ rendition: EncodedRendition, as keys: [ObjectKey]) {
    let start = file.byteCount
    switch rendition {
    case .block(let gamut, let block, let facts):
      append(ObjectBlock(isForAtlas: false, gamut: gamut, facts: facts).head)
      append(block)
    case .linked(let gamut, let block, let facts):
      append(ObjectBlock(isForAtlas: false, gamut: gamut, facts: facts).head)
      append(Array(block.buffer))
    case .small(let gamut, let picture):
      append(
        ObjectBlock(isForAtlas: true, gamut: gamut, facts: picture.facts, key: picture.key).head)
      append(picture.packed)
    }
    let length = file.byteCount - start
    for key in keys {
      index.append(digest: key.digest)
      index.append(number: UInt64(start))
      index.append(number: UInt64(length))
    }
    count += 1
  }

  /// Adds nothing: the link makes the atlases.
  func addRest(_ encoding: Encoding) -> [Diagnostic] { [] }

  func finish() throws(CompileError) -> (names: Int, renditions: Int) {
    do throws(OutputError) { try writeRest() } catch { throw .output(error) }
    return (Set(plan.renditions.map(\.facet)).count, plan.renditions.count)
  }

  /// Writes the rest of the object, and gives the file its name.
  private func writeRest() throws(OutputError) {
    let head = file.byteCount
    append(Array(description.line.utf8))
    let answers = file.byteCount
    append(self.answers.stored())
    let indexStart = file.byteCount
    append(index)
    var header: [UInt8] = []
    for number in [
      ObjectFormat.magic, ObjectFormat.version, UInt64(file.byteCount), UInt64(checksum),
      UInt64(head), UInt64(answers), UInt64(indexStart),
    ] { header.append(number: number) }
    header.append(number: UInt64(header.withUnsafeBytes { ObjectFormat.checksum($0) }))
    header.withUnsafeBytes { file.overwrite(at: 0, $0) }
    try file.commit()
  }

  private var description: JSONOutput {
    func words(_ list: [ByteString]) -> JSONOutput { .array(list.map { .name($0) }) }
    return [
      "carve": .string(carveVersion), "revision": .integer(encoderRevision),
      "catalog": .name(scope.name), "group": words(scope.group),
      "without": .array(scope.without.map(words)), "assets": .integer(assetCount),
      "settings": settings.stored, "platform-is-chosen": .bool(isPlatformChosen),
    ]
  }
}
