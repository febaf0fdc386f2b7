// The errors of writing an archive: contents that an archive cannot hold.

import Bytes

/// An error of writing an archive.
package enum ArchiveError: Error, Sendable, Hashable {
  /// There are more names than numbers: names are numbered with 16 bits.
  case tooManyNames(count: Int)
  /// The archive is too long: addresses in the file have 32 bits.
  case tooLarge(bytes: Int)
  case duplicateName(ByteString)
  case duplicateKey(RenditionKey)
  /// A key has a value for which the given key format has no column.
  case noColumn(RenditionAttribute, value: UInt16)
  /// A rendition refers to a block that was not written.
  case unknownBlock(BlockID)
  /// The lookup index cannot be laid out. The archive can be written without one.
  case index(IndexError)
  /// The archive that is rewritten cannot be read.
  case format(FormatError)

  static let mostNames = 65_535

  /// Calls `body`, which reads an archive that is being rewritten, and turns its error into an
  /// ArchiveError.
  static func reading<Result>(
    _ body: () throws(FormatError) -> Result
  ) throws(ArchiveError) -> Result {
    do { return try body() } catch { throw ArchiveError.format(error) }
  }
}

extension ArchiveError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .tooManyNames(let count):
      """
      the catalogue has \(count) names, but one archive can hold at most \
      \(ArchiveError.mostNames); split it into \
      \((count + ArchiveError.mostNames - 1) / ArchiveError.mostNames) archives
      """
    case .tooLarge(let bytes):
      """
      the archive would have \(bytes) bytes, but its addresses end at \(UInt32.max); \
      split the catalogue into two archives
      """
    case .duplicateName(let name): "the name \"\(name)\" is used twice"
    case .duplicateKey(let key):
      "two renditions of identifier \(key.identifier) have the same key"
    case .noColumn(let attribute, let value):
      "the key format has no column for \(attribute.name), although a key has the value "
        + "\(value) for it"
    case .unknownBlock(let block): "block \(block.number) was not written"
    case .index(let error): "the lookup index cannot be laid out: \(error)"
    case .format(let error): "\(error)"
    }
  }
}
