// How decoding fails: the kinds of trouble that every codec shares.

/// Why compressed bytes gave no result. Offsets count from the start of the source that was given.
public enum CodecError: Error, Sendable {
  /// The source ends where more of it was needed.
  case truncated(at: Int)
  /// The source says something that its format does not allow.
  case corrupt(at: Int)
  /// The destination is too small; `needed` is the least number of bytes known to be missing from
  /// a destination that would do.
  case outputTooSmall(needed: Int)
  /// The source is in a format that Carve does not decode.
  case unsupported(StaticString)
}

extension CodecError: Equatable {
  public static func == (a: CodecError, b: CodecError) -> Bool {
    switch (a, b) {
    case (.truncated(let x), .truncated(let y)), (.corrupt(let x), .corrupt(let y)),
      (.outputTooSmall(let x), .outputTooSmall(let y)):
      return x == y
    case (.unsupported(let x), .unsupported(let y)): return x.description == y.description
    default: return false
    }
  }
}

extension CodecError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .truncated(let offset): "compressed data ends early, at byte \(offset)"
    case .corrupt(let offset): "compressed data is corrupt at byte \(offset)"
    case .outputTooSmall(let needed): "decoded data needs \(needed) bytes, more than announced"
    case .unsupported(let name): "\(name.description) is not supported"
    }
  }

  /// The same error seen from a source in which the failed part starts at `offset`.
  func moved(by offset: Int) -> CodecError {
    switch self {
    case .truncated(let at): .truncated(at: at &+ offset)
    case .corrupt(let at): .corrupt(at: at &+ offset)
    case .outputTooSmall, .unsupported: self
    }
  }
}
