// JPEG pictures outside of PDFs.

import Bytes

package enum JPEGFile {
  /// A picture with interleaved samples of one component (grey) or three components (red, green and
  /// blue).
  package struct Picture: Sendable {
    package var width: Int
    package var height: Int
    package var components: Int
    package var samples: [UInt8]
  }

  /// Decodes a picture. Returns nil if it is not a JPEG, or has four components or more than eight
  /// bits.
  package static func decode(_ bytes: [UInt8]) -> Picture? {
    let size = JPEGDecoder.size(of: bytes)
    let budget = Budget(input: bytes.count, pixels: size.width * size.height)
    let picture = JPEGDecoder.decode(bytes, colorTransform: nil, budget: budget)
    guard let picture, picture.components == 1 || picture.components == 3 else { return nil }
    return Picture(
      width: picture.width, height: picture.height, components: picture.components,
      samples: picture.samples)
  }
}
