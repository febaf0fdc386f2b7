// The error of reading: what is wrong in the bytes of an archive, and where.
// Errors of writing are in Car/ArchiveError.swift.

/// Bytes that are not what the format says, with the offset in the file where that shows.
public struct FormatError: Error, Sendable, Hashable {
  public enum Problem: Sendable, Hashable {
    /// A range of a file that ends behind its container.
    case outside(String, length: Int, available: Int)
    /// A block that does not begin with its four letters.
    case magic(String, expected: String)
    /// A number that the format does not allow.
    case number(String, found: Int, expected: String)
    /// A count that differs from what is there.
    case count(String, stated: Int, found: Int)
    /// A named block that every archive has.
    case missing(String)
    /// A tree page that is reached a second time.
    case repeated(String)
    /// An archive that can be read, and for which no index can be laid out.
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
