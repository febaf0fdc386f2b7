// Why a picture file could not be decoded, with the place in the file.

/// A picture that cannot be decoded: which chunk, at which offset of the file, and why.
package struct PictureError: Error, Sendable, Equatable {
  package enum Reason: Sendable, Equatable {
    /// The file does not start like a picture that Carve decodes.
    case unknownKind
    /// The file ends before what it announces.
    case truncated
    /// The checksum stored with the chunk is not that of its bytes.
    case wrongChecksum
    /// A chunk that every picture of the kind has is not there.
    case missing
    /// A field holds a value that the format does not allow.
    case invalid(String)
    /// The picture is larger than `maximumPixels` allows.
    case tooLarge(width: Int, height: Int, maximumPixels: Int)
    /// The compressed pixels do not inflate to the announced size.
    case corruptPixels
    /// The decoder of the format gave up; its own words.
    case refused(String)
  }

  /// The chunk, "IHDR" for instance; empty where the fault is not within one.
  package var chunk: String
  /// The offset in the file at which the chunk, or the fault, begins.
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
