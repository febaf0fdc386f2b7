// Sprite atlases: image sets packed onto shared pictures. The image sets are assets of their own and
// name the atlas they lie in.

public struct SpriteAtlas: Sendable, Hashable {
  public var compression: Compression?
  public var providesNamespace = false

  public init(compression: Compression? = nil, providesNamespace: Bool = false) {
    self.compression = compression
    self.providesNamespace = providesNamespace
  }
}
