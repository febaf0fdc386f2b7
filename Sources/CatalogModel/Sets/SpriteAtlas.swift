// Sprite atlases: image sets packed into shared pictures. The image sets are assets of their own
// and name the atlas that contains them.

package struct SpriteAtlas: Sendable, Hashable {
  package var compression: CompressionType?
  package var providesNamespace = false

  package init(compression: CompressionType? = nil, providesNamespace: Bool = false) {
    self.compression = compression
    self.providesNamespace = providesNamespace
  }
}
