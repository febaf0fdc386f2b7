// The errors of reading and writing archives: the fault in the bytes and its place, and contents
// that an archive cannot hold.

import Bytes

/// An error about bytes that do not follow the format, with the offset in the file at which the
/// fault was found.
public struct FormatError: Error, Sendable, Hashable {
  public enum Problem: Sendable, Hashable {
    /// A range that does not lie within the bytes that should contain it.
    case outside(String, length: Int, available: Int)
    /// A block that does not begin with its four letters.
    case magic(String, expected: String)
    /// A number that the format does not allow.
    case number(String, found: Int, expected: String)
    /// A count that differs from the number of items that were found.
    case count(String, stated: Int, found: Int)
    /// A named block or tree that every archive must have, and that this archive does not have.
    case missing(String)
    /// A page of a tree that is reached a second time.
    case repeated(String)
    /// The variants of an asset distinguish more combinations of traits than can be compared.
    case tooManyCombinations(most: Int)
    /// No lookup index can be laid out for the archive, although it can be read.
    case noIndex(IndexError)
  }

  public let offset: Int
  public let problem: Problem

  package init(_ problem: Problem, at offset: Int) {
    self.problem = problem
    self.offset = offset
  }
}

extension FormatError.Problem: CustomStringConvertible {
  public var description: String {
    switch self {
    case .outside(let what, let length, let available):
      "\(what) needs \(length) bytes, and \(available) are left"
    case .magic(let what, let expected): "\(what) does not begin with \"\(expected)\""
    case .number(let what, let found, let expected): "\(what) is \(found), expected \(expected)"
    case .count(let what, let stated, let found): "\(what): \(stated) stated, \(found) found"
    case .missing(let what): "\(what) is missing"
    case .repeated(let what): "\(what) is reached twice"
    case .tooManyCombinations(let most):
      "the variants of an asset distinguish more than \(most) combinations of traits"
    case .noIndex(let error): "the lookup index cannot be laid out: \(error)"
    }
  }
}

extension FormatError {
  /// Throws an error if a count or a length of a structure is larger than in any sound archive. Any
  /// number of keys may name one block, and then its contents are read and printed for each key.
  static func check(
    _ what: String, _ found: Int, atMost most: Int, at offset: Int
  ) throws(FormatError) {
    if found > most {
      throw FormatError(.number(what, found: found, expected: "at most \(most)"), at: offset)
    }
  }
}

extension FormatError: CustomStringConvertible {
  public var description: String { "\(problem) (offset \(offset))" }
}

// MARK: - Errors of writing

/// An error of writing an archive.
package enum ArchiveError: Error, Sendable, Hashable {
  /// There are more names than numbers: names are numbered with 16 bits.
  case tooManyNames(count: Int)
  /// The archive is too long: addresses in the file have 32 bits.
  case tooLarge(bytes: Int)
  case duplicateName(ByteString)
  /// Two renditions of an identifier have the same key.
  case duplicateKey(identifier: UInt16)
  /// A key has a value for which the given key format has no column.
  case noColumn(attribute: String, value: UInt16)
  /// A rendition refers to a block that was not written.
  case unknownBlock(number: UInt32)
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
    case .duplicateKey(let identifier):
      "two renditions of identifier \(identifier) have the same key"
    case .noColumn(let attribute, let value):
      "the key format has no column for \(attribute), although a key has the value \(value) for it"
    case .unknownBlock(let number): "block \(number) was not written"
    case .index(let error): "the lookup index cannot be laid out: \(error)"
    case .format(let error): "\(error)"
    }
  }
}

// MARK: - Errors of the lookup index

public enum IndexError: Error, Sendable, Hashable {
  /// The bytes do not begin as an index does.
  case notAnIndex
  /// The index has a version that this Carve does not know.
  case otherVersion(Int)
  /// The sections do not fill the index, a record of one does not fit the others, or a style has no
  /// meaning.
  case sections
  /// The count of a quantity is larger than its field can hold.
  case tooLarge(IndexQuantity, count: Int, atMost: Int)
  case checksum
}

/// A quantity that an index counts in a field of limited size.
public enum IndexQuantity: Sendable, Hashable {
  case nameLength, cellBits, renditions, records, bytes

  /// The name of the quantity as the subject of a sentence.
  var words: String {
    switch self {
    case .nameLength: "the number of bytes of a name"
    case .cellBits: "the number of bits of the numbers of a signature and an asset"
    case .renditions: "the number of renditions"
    case .records: "the number of records of a table"
    case .bytes: "the number of bytes of the index"
    }
  }
}
