// The options of a page: what it shows of an archive, and facts that the archive does not contain.

import Bytes
import Documents
import Traits

package struct PreviewOptions: Sendable {
  /// The heading of the page.
  package var title: String
  /// Patterns of names with `*` and `?`. If the list is empty, every asset is shown.
  package var globs: [ByteString] = []
  /// The devices of the page. If the list is empty, every device that reads such archives is
  /// shown.
  package var devices: [Device] = []
  /// The longest side of a picture in the page; larger ones are reduced. Nil keeps all sizes.
  package var longestSide: Int? = PreviewOptions.usualSide
  /// Whether the page is compared with another archive.
  package var comparesArchives = false
  /// Returns the source file of a variant, if the catalogue is known.
  package var source: (@Sendable (ByteString, AssetKind, VariantKey) -> ByteString?)?

  package init(title: String) { self.title = title }

  /// The longest side if no option chooses one. Icons and most pictures of windows are smaller; a
  /// page with photographs for a whole screen would otherwise take most of its bytes for them.
  package static let usualSide = 512
  /// The longest side of thumbnails.
  package static let thumbnailSide = 256

  func shows(_ name: ByteString) -> Bool {
    globs.isEmpty || globs.contains { matches(glob: $0, name) }
  }
}
