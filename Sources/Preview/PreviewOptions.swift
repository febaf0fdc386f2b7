// What is to be shown of an archive, and what its page can say that the archive does not know.

import Bytes
import Traits

package struct PreviewOptions: Sendable {
  /// The heading of the page.
  package var title: String
  /// Names with `*` and `?`; without any every asset is shown.
  package var globs: [ByteString] = []
  /// Without any, every device that reads such archives.
  package var devices: [Device] = []
  /// Whether pictures with a longer side are made smaller.
  package var makesThumbnails = false
  /// Where a variant comes from, for those who have the catalogue.
  package var source: (@Sendable (ByteString, AssetKind, VariantKey) -> ByteString?)?

  package init(title: String) { self.title = title }

  /// The longest side of a picture where they are made smaller.
  package static let thumbnailSide = 256

  func shows(_ name: ByteString) -> Bool {
    globs.isEmpty || globs.contains { matches(glob: $0.bytes[...], name.bytes[...]) }
  }
}

/// `*` stands for any bytes, `?` for one. Takes time in proportion to the product of the lengths.
func matches(glob: ArraySlice<UInt8>, _ name: ArraySlice<UInt8>) -> Bool {
  var (place, pattern) = (name.startIndex, glob.startIndex)
  var star: (pattern: Int, place: Int)?
  while place < name.endIndex {
    if pattern < glob.endIndex, glob[pattern] == UInt8(ascii: "*") {
      star = (pattern + 1, place)
      pattern += 1
    } else if pattern < glob.endIndex,
      glob[pattern] == UInt8(ascii: "?") || glob[pattern] == name[place]
    {
      pattern += 1
      place += 1
    } else if let (after, start) = star {
      star = (after, start + 1)
      (pattern, place) = (after, start + 1)
    } else {
      return false
    }
  }
  return glob[pattern...].allSatisfy { $0 == UInt8(ascii: "*") }
}
