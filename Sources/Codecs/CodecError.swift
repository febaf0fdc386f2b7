// The errors of decoding, which all codecs share.

/// The reason why compressed bytes could not be decoded. Offsets count from the start of the
/// source.
public enum CodecError: Error, Sendable {
  /// The source ends too early.
  case truncated(at: Int)
  /// The source contains a value that its format does not allow.
  case corrupt(at: Int)
  /// The destination is too small: the result needs at least `needed` bytes.
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

  /// Returns the same error for a source in which the failed part starts at `offset`.
  func moved(by offset: Int) -> CodecError {
    switch self {
    case .truncated(let at): .truncated(at: at &+ offset)
    case .corrupt(let at): .corrupt(at: at &+ offset)
    case .outputTooSmall, .unsupported: self
    }
  }
}
