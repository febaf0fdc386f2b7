// Writes an object while its pictures are encoded: first the blocks as they are finished, then
// their description.

import Bytes
import CatalogModel
import Codecs
import Documents
import Host

/// An object while it is written to disk.
final class ObjectWriter {
  let scope: ObjectScope
  let notes: TreeNotes
  private let file: FileSink
  private var checksum: UInt32 = 0
  private var index: [UInt8] = []
  private(set) var blockCount = 0

  init(_ scope: ObjectScope, _ notes: TreeNotes, to file: FileSink) {
    (self.scope, self.notes, self.file) = (scope, notes, file)
    [UInt8](repeating: 0, count: ObjectFormat.headerSize).withUnsafeBytes { file.append($0) }
  }

  var byteCount: Int { file.byteCount }

  private func append(_ bytes: [UInt8]) {
    bytes.withUnsafeBytes {
      checksum = ObjectFormat.checksum($0, after: checksum)
      file.append($0)
    }
  }

  /// Adds the result of making renditions that share a block.
  func add(_ made: MadeRendition, of renditions: [PlannedRendition]) {
    let keys = renditions.compactMap { ObjectKey($0, known: scope.known) }
    if keys.isEmpty { return }
    let start = file.byteCount
    switch made {
    case .block(let gamut, let block, let facts):
      append(ObjectBlock(isSmall: false, gamut: gamut, facts: facts).head)
      append(block)
    case .held(let gamut, let block, let facts):
      append(ObjectBlock(isSmall: false, gamut: gamut, facts: facts).head)
      append(Array(block.buffer))
    case .small(let gamut, let picture):
      append(
        ObjectBlock(isSmall: true, gamut: gamut, facts: picture.facts, key: picture.key).head)
      append(picture.packed)
    }
    let length = file.byteCount - start
    for key in keys {
      for number in [key.digest.first, key.digest.second, UInt64(start), UInt64(length)] {
        index.append(little: number)
      }
    }
    blockCount += 1
  }

  /// Writes the rest of the object, and gives the file its name.
  func finish(_ settings: ObjectSettings, assetCount: Int) throws(OutputError) {
    let head = file.byteCount
    append(Array(self.head(settings, assetCount).line.utf8))
    let answers = file.byteCount
    append(notes.stored())
    let indexStart = file.byteCount
    append(index)
    var header: [UInt8] = []
    for number in [
      ObjectFormat.magic, ObjectFormat.version, UInt64(file.byteCount), UInt64(checksum),
      UInt64(head), UInt64(answers), UInt64(indexStart),
    ] { header.append(little: number) }
    header.append(little: UInt64(header.withUnsafeBytes { ObjectFormat.checksum($0) }))
    header.withUnsafeBytes { file.overwrite(at: 0, $0) }
    try file.commit()
  }

  private func head(_ settings: ObjectSettings, _ assetCount: Int) -> JSONOutput {
    func words(_ list: [ByteString]) -> JSONOutput { .array(list.map { .name($0) }) }
    return [
      "carve": .string(carveVersion), "revision": .integer(encoderRevision),
      "catalog": .name(scope.name), "group": words(scope.group),
      "without": .array(scope.without.map(words)), "assets": .integer(assetCount),
      "settings": settings.stored,
    ]
  }
}
