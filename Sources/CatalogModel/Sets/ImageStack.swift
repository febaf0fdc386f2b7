// Image stacks of tvOS and solid image stacks of visionOS, and their layers.

import Bytes
import Documents
import Traits

package struct ImageStack: Sendable, Hashable {
  /// The folders of the layers, front to back.
  package var layers: [FolderReference] = []
  package var canvasSize: PointSize?
  /// Whether this is a solid image stack, a type of visionOS.
  package var isSolid: Bool

  package init(isSolid: Bool) { self.isSolid = isSolid }
}

package struct ImageStackLayer: Sendable, Hashable {
  /// The name of an image set elsewhere in the catalogue; nil if the layer contains
  /// Content.imageset.
  package var referencedImage: ByteString?
  package var frameSize: PointSize?
  /// The centre of the layer, in points of the canvas.
  package var frameCenter: Point?

  package init() {}
}

package struct Point: Sendable, Hashable {
  package var x: Double
  package var y: Double

  package init(x: Double, y: Double) {
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
      let (x, y) = (reader.side("x", of: center), reader.side("y", of: center))
      if let x, let y { frameCenter = Point(x: x, y: y) }
      center.finish()
    }
    info?.finish()
    properties?.finish()
  }
}

extension SetReader {
  fileprivate func sides(_ fields: Fields) -> PointSize? {
    let width = side("width", of: fields)
    let height = side("height", of: fields)
    fields.finish()
    guard let width, let height else { return nil }
    return PointSize(width: width, height: height)
  }

  /// Returns a length that an object must have.
  fileprivate func side(_ key: String, of fields: Fields) -> Double? {
    let value = fields.number(key)
    if value == nil, !fields.has(key) {
      findings.add(
        .missingKey,
        "\(quoted(lastToken(of: fields))) has no \(quoted(key)), so it does not count",
        at: fields.pointer, subject: ByteString(key))
    }
    return value
  }

  private func lastToken(of fields: Fields) -> ByteString {
    pointerTokens(fields.pointer).last ?? ""
  }

  /// Returns the name of the asset to which a `content-reference` points.
  func referencedName(_ fields: Fields) -> ByteString? {
    _ = fields.string("type")
    _ = fields.word("matching-style", of: ["fully-qualified-name"])
    let name = fields.name("name")
    if name == nil, !fields.has("name") {
      findings.add(
        .missingKey,
        "\(quoted(lastToken(of: fields))) has no \"name\" of an asset, so it does not count",
        at: fields.pointer, subject: "name")
    }
    fields.finish()
    return name
  }
}
