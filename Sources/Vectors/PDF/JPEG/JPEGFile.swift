// JPEG pictures outside of PDFs.

import Bytes

package enum JPEGFile {
  /// Samples of one component, gray, or three, red, green and blue, close together.
  package struct Picture: Sendable {
    package var width: Int
    package var height: Int
    package var components: Int
    package var samples: [UInt8]
  }

  /// Nil where it is no JPEG, or in a form that is not read: of four components, or of more than eight bits.
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
