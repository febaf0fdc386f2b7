// Renditions that are made of others: which, and how they lie over one another.

import Archive
import Bytes
import CatalogModel

/// A stack of renditions, or a group of them in a stack.
package struct LayerStack: Sendable, Hashable {
  var layout: RenditionLayout
  /// The canvas; 0 for a group, which has that of its stack.
  var width = 0
  var height = 0
  /// The picture that has the size of the canvas, where nothing else says it.
  var sizedBy: SizedBy?
  /// Back to front, as archives list them.
  var layers: [PlannedLayer] = []
  var typeIdentifier: String?
}

/// A picture and the pixels that it has for each point.
package struct SizedBy: Sendable, Hashable {
  var file: SourceFile
  var scale: UInt8
}

/// A rendition in a stack. Which of a name's renditions is shown is decided where the stack is shown.
package struct PlannedLayer: Sendable, Hashable {
  var facet: ByteString
  var part: UInt16
  /// From the upper left corner of the canvas. A layer of no size fills it.
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
  /// The block of a stack: it has no payload but that of a file without contents.
  func stackBlock(_ stack: LayerStack, numbers: NameNumbers) -> [UInt8] {
    var header = CSIHeader(layout: stack.layout, name: storedName)
    header.width = UInt32(clamping: stack.width)
    header.height = UInt32(clamping: stack.height)
    header.scaleFactor = 100
    header.pixelFormat = .data
    header.flags = flags
    let references = stack.layers.map { layer in
      var frame = layer.frame
      // What is stacked without glass says its size, also where it fills the canvas.
      if [.layerStack, .solidStack].contains(stack.layout), frame.width == 0 {
        frame = LayerFrame(width: stack.width, height: stack.height)
      }
      var reference = LayerReference(
        x: Int32(clamping: frame.x), y: Int32(clamping: frame.y),
        width: UInt32(clamping: frame.width), height: UInt32(clamping: frame.height),
        key: [
          Facet.Pair(.element, Element.universal), Facet.Pair(.part, layer.part),
          // Every name of the plan was numbered, those of layers too.
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

  /// The block of a list of names.
  func namesBlock(_ names: [ByteString]) -> [UInt8] {
    var header = CSIHeader(layout: .namedContents, name: storedName)
    header.scaleFactor = 100
    return RenditionHead(header, [.nothingDrawn, .upright, .names(names)]).block(payload: [])
  }
}
