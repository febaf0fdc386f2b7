// The error of reading an archive: the fault in its bytes, and its place. The error of writing is
// in Car/ArchiveError.swift.

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
    case .noIndex(let error): "the lookup index cannot be laid out: \(error)"
    }
  }
}

extension FormatError: CustomStringConvertible {
  public var description: String { "\(problem) (offset \(offset))" }
}
