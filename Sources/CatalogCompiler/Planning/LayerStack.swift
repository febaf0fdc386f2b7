// Renditions that consist of other renditions: the layers, and their places in the stack.

import Archive
import Bytes
import CatalogModel

/// A stack of renditions, or a group of renditions in a stack.
package struct LayerStack: Sendable, Hashable {
  var layout: RenditionLayout
  /// The size of the canvas; 0 for a group, which has the canvas of its stack.
  var width = 0
  var height = 0
  /// The picture that determines the size of the canvas; nil if the size is stated.
  var sizedBy: SizedBy?
  /// The layers from back to front, as archives list them.
  var layers: [PlannedLayer] = []
  var typeIdentifier: String?
}

/// A picture, and the number of its pixels for each point.
package struct SizedBy: Sendable, Hashable {
  var file: SourceFile
  var scale: UInt8
}

/// A layer of a stack. It has a name; the choice among the renditions of that name is made when the
/// stack is shown.
package struct PlannedLayer: Sendable, Hashable {
  var facet: ByteString
  var part: UInt16
  /// The place from the upper left corner of the canvas. A layer with the size 0 fills the canvas.
  var frame = LayerFrame()
  var blendMode: UInt32 = 0
  var opacity: Float = 1
  var attributes = LayerAttributes()
  var effects = LayerEffects()
}

package struct LayerFrame: Sendable, Hashable {
  var x = 0
  var y = 0
  var width = 0
  var height = 0
}

extension PlannedRendition {
  /// Returns the block of a stack. Its payload is that of an empty file.
  func stackBlock(_ stack: LayerStack, numbers: NameNumbers) -> [UInt8] {
    var header = CSIHeader(layout: stack.layout, name: storedName)
    header.width = UInt32(clamping: stack.width)
    header.height = UInt32(clamping: stack.height)
    header.scaleFactor = 100
    header.pixelFormat = .data
    header.flags = flags
    let references = stack.layers.map { layer in
      var frame = layer.frame
      // The layers of stacks without glass state their size even if they fill the canvas.
      if [.layerStack, .solidStack].contains(stack.layout), frame.width == 0 {
        frame = LayerFrame(width: stack.width, height: stack.height)
      }
      var reference = LayerReference(
        x: Int32(clamping: frame.x), y: Int32(clamping: frame.y),
        width: UInt32(clamping: frame.width), height: UInt32(clamping: frame.height),
        key: [
          Facet.Pair(.element, Element.universal), Facet.Pair(.part, layer.part),
          // Every name of the plan has a number, and so has every layer.
          Facet.Pair(.identifier, numbers[layer.facet] ?? 0),
        ])
      reference.blendMode = layer.blendMode
      reference.opacity = layer.opacity
      return reference
    }
    let type = stack.typeIdentifier.map { [RenditionProperty.uti($0)] } ?? []
    let properties: [RenditionProperty] =
      [
        .layers(references), .layerAttributes(stack.layers.map(\.attributes)),
        .layerEffects(stack.layers.map(\.effects)), .drawn,
      ] + type + [.upright]
    return RenditionHead(header, properties).block(payload: FilePayload.head(length: 0))
  }

  /// Returns the block of a list of names.
  func namesBlock(_ names: [ByteString]) -> [UInt8] {
    var header = CSIHeader(layout: .namedContents, name: storedName)
    header.scaleFactor = 100
    return RenditionHead(header, [.nothingDrawn, .upright, .names(names)]).block(payload: [])
  }
}
