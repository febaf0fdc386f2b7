// Image stacks of tvOS and solid image stacks of visionOS, and their layers.

public struct ImageStack: Sendable, Hashable {
  /// The folders of the layers, front to back.
  public var layers: [LayerReference] = []
  public var canvasSize: PointSize?
  /// On visionOS.
  public var isSolid: Bool

  public init(isSolid: Bool) { self.isSolid = isSolid }
}

public struct LayerReference: Sendable, Hashable {
  public var filename: String
  public var pointer: String

  public init(filename: String, pointer: String) {
    self.filename = filename
    self.pointer = pointer
  }
}

public struct ImageStackLayer: Sendable, Hashable {
  /// The name of an image set elsewhere; nil where the layer holds Content.imageset.
  public var referencedImage: String?
  public var frameSize: PointSize?
  /// The layer's middle, in points of the canvas.
  public var frameCenter: Point?

  public init() {}
}

public struct Point: Sendable, Hashable {
  public var x: Double
  public var y: Double

  public init(x: Double, y: Double) {
    self.x = x
    self.y = y
  }
}
