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

// MARK: - Reading

extension ImageStack {
  init(isSolid: Bool, reading root: Fields, in reader: SetReader) {
    self.isSolid = isSolid
    let info = reader.readInfo(root)
    let properties = reader.readProperties(root)
    canvasSize = properties?.object("canvasSize").flatMap { reader.sides($0) }
    layers = (root.objects("layers") ?? []).compactMap { fields in
      let layer = reader.folderReference(fields)
      fields.finish()
      return layer
    }
    info?.finish()
    properties?.finish()
  }
}

extension ImageStackLayer {
  init(reading root: Fields, in reader: SetReader) {
    let info = reader.readInfo(root)
    let properties = reader.readProperties(root)
    referencedImage = properties?.object("content-reference").flatMap {
      reader.referencedName($0)
    }
    frameSize = properties?.object("frame-size").flatMap { reader.sides($0) }
    if let center = properties?.object("frame-center") {
      if let x = center.number("x"), let y = center.number("y") { frameCenter = Point(x: x, y: y) }
      center.finish()
    }
    info?.finish()
    properties?.finish()
  }
}

extension SetReader {
  fileprivate func sides(_ fields: Fields) -> PointSize? {
    let width = fields.number("width")
    let height = fields.number("height")
    fields.finish()
    guard let width, let height else { return nil }
    return PointSize(width: width, height: height)
  }

  /// The name of the asset that a `content-reference` points to.
  func referencedName(_ fields: Fields) -> String? {
    _ = fields.string("type")
    _ = fields.word("matching-style", of: ["fully-qualified-name"])
    let name = fields.string("name")
    fields.finish()
    return name
  }
}
