// The error of a picture file that could not be decoded, with its place in the file.

/// The error of a picture that cannot be decoded: the chunk, its offset in the file, and the
/// reason.
package struct PictureError: Error, Sendable, Equatable {
  package enum Reason: Sendable, Equatable {
    /// The file does not begin like a picture that Carve decodes.
    case unknownKind
    /// The file ends before the end of the data that it announces.
    case truncated
    /// The checksum of a chunk does not agree with its bytes.
    case wrongChecksum
    /// A chunk that every picture of this kind must have is missing.
    case missing
    /// A field has a value that the format does not allow.
    case invalid(String)
    /// The picture has more pixels than `maximumPixels`.
    case tooLarge(width: Int, height: Int, maximumPixels: Int)
    /// The compressed pixels do not inflate to the announced size.
    case corruptPixels
    /// The decoder of the format failed, with this message.
    case refused(String)
  }

  /// The name of the chunk, for example "IHDR"; empty if the error is not in a chunk.
  package var chunk: String
  /// The offset in the file at which the chunk, or the error, begins.
  package var offset: Int
  package var reason: Reason

  package init(chunk: String = "", offset: Int, reason: Reason) {
    self.chunk = chunk
    self.offset = offset
    self.reason = reason
  }
}

extension PictureError: CustomStringConvertible {
  package var description: String {
    let place = chunk.isEmpty ? "byte \(offset)" : "chunk \(chunk) at byte \(offset)"
    switch reason {
    case .unknownKind: return "not a picture of a known kind"
    case .truncated: return "\(place): the file ends too early"
    case .wrongChecksum: return "\(place): wrong checksum"
    case .missing: return "chunk \(chunk) is missing (looked until byte \(offset))"
    case .invalid(let what): return "\(place): invalid \(what)"
    case .tooLarge(let width, let height, let limit):
      return "\(place): \(width) × \(height) pixels are more than the limit of \(limit)"
    case .corruptPixels: return "\(place): the compressed pixels are damaged"
    case .refused(let words): return "\(place): \(words)"
    }
  }
}
