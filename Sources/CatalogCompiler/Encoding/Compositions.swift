// Pictures that are made of others, from their files to a block or to a place in an atlas.

import Archive
import ArchiveTools
import Bytes
import CatalogModel
import Codecs
import Vectors

extension Worker {
  func makeComposition(
    _ planned: PlannedRendition, _ composition: Composition
  ) throws(EncodingFailure) -> MadeRendition {
    try share(memory(of: composition)) { () throws(EncodingFailure) in
      let bitmap = try bitmap(of: composition)
      let facts = PictureFacts(bitmap)
      if isSmall(facts, planned) {
        return .small(planned.key.gamut, DecodedPicture(facts: facts, bitmap: bitmap))
      }
      let payload = payload(of: bitmap, settings.demands(of: planned))
      return .block(planned.key.gamut, planned.bitmapBlock(facts, payload: payload))
    }
  }

  /// Each layer is read and scaled to its place, and put on those behind it. The caller has a share of the
  /// memory for it.
  func bitmap(of composition: Composition) throws(EncodingFailure) -> Bitmap {
    asStored(try canvas(of: composition).bitmap())
  }

  private func canvas(
    of composition: Composition
  ) throws(EncodingFailure) -> CompositionCanvas {
    // Each layer costs all pixels of the canvas.
    guard composition.layers.count <= Composition.mostLayers else {
      throw .tooManyLayers(composition.layers.count, most: Composition.mostLayers)
    }
    var canvas = CompositionCanvas(width: composition.width, height: composition.height)
    if let background = composition.background { canvas.fill(background) }
    for layer in composition.layers {
      canvas.add(try bitmap(of: layer), layer)
    }
    if composition.isGray { canvas.removeColor() }
    if let plate = composition.plate { canvas.cut(to: plate) }
    return canvas
  }

  private func bitmap(of layer: CompositionLayer) throws(EncodingFailure) -> Bitmap {
    let bytes = try read(layer.file)
    if layer.file.isVector {
      do throws(VectorError) {
        return try VectorPicture(bytes).bitmap(
          width: layer.width, height: layer.height, &rasterizer)
      } catch {
        throw .undrawable(error)
      }
    }
    return try colors(of: layer.file).scaled(width: layer.width, height: layer.height)
  }

  /// Without the padding that the oldest systems do not know, or as grey where that is known.
  func asStored(_ bitmap: Bitmap) -> Bitmap {
    if settings.target.predatesLZFSE { return bitmap.withoutPadding() }
    var bitmap = bitmap
    if bitmap.isGray { bitmap.compactGray() }
    return bitmap
  }

  // MARK: Stacks without glass

  /// The stack with the size of its canvas.
  func sized(_ stack: LayerStack) throws(EncodingFailure) -> LayerStack {
    guard let picture = stack.sizedBy else { return stack }
    var sized = stack
    let size = try pixelSize(of: picture.file, scale: 1)
    (sized.width, sized.height) = (
      size.width / Int(picture.scale), size.height / Int(picture.scale)
    )
    return sized
  }

  /// Of a picture, or of a vector at a scale.
  private func pixelSize(
    of file: SourceFile, scale: Double
  ) throws(EncodingFailure) -> (width: Int, height: Int) {
    if file.isVector {
      let bytes = try read(file)
      do throws(VectorError) {
        let placement = try VectorPicture(bytes).placement(scale: scale)
        return (placement.width, placement.height)
      } catch {
        throw .undrawable(error)
      }
    }
    let size: (width: Int, height: Int)
    do throws(ImageHeaderError) {
      size = try ImageHeader.read(file.path, in: settings.tree).uprightSize
    } catch {
      throw .noPicture
    }
    // What a header says may be anything; no display has as many.
    guard (1...16_384).contains(size.width), (1...16_384).contains(size.height),
      size.width * size.height <= 1 << 25
    else { throw .unsupported }
    return size
  }

  /// The largest of the layers, which lie at its upper left corner.
  private func sized(_ layers: Composition) throws(EncodingFailure) -> Composition {
    var sized = layers
    for place in layers.layers.indices {
      let layer = layers.layers[place]
      let size = try pixelSize(of: layer.file, scale: layer.drawing?.factor ?? 1)
      (sized.layers[place].width, sized.layers[place].height) = size
      sized.width = max(sized.width, size.width)
      sized.height = max(sized.height, size.height)
    }
    return sized
  }

  func makeFlattened(
    _ planned: PlannedRendition, _ layers: Composition
  ) throws(EncodingFailure) -> [UInt8] {
    let layers = try sized(layers)
    return try share(memory(of: layers)) { () throws(EncodingFailure) in
      let bitmap = try canvas(of: layers).bitmap()
      let name: ByteString =
        "ZZZZFlattenedImage-\(planned.key.scale).\(bitmap.isOpaque ? 1 : 0).0-gamut0"
      return block(planned, bitmap, named: name)
    }
  }

  /// Old tools stored a transparent picture; the form of newer ones is not known.
  func makeRadiosity(
    _ planned: PlannedRendition, _ layers: Composition
  ) throws(EncodingFailure) -> [UInt8] {
    let size = try sized(layers)
    let scale = Int(planned.key.scale)
    let (width, height) = (size.width + 80 * scale, size.height + 80 * scale)
    return try share(PictureMemory.canvas(width: width, height: height)) {
      () throws(EncodingFailure) in
      let canvas = CompositionCanvas(width: width, height: height)
      return block(planned, canvas.bitmap(), named: "ZZZZRadiosityImage-\(scale).0.0")
    }
  }

  private func block(_ planned: PlannedRendition, _ bitmap: Bitmap, named name: ByteString)
    -> [UInt8]
  {
    // As icons: no pixel changes, and every system reads it.
    let payload = payload(of: bitmap, BitmapDemands(isIcon: true, isExact: true))
    return PictureFacts(bitmap).block(
      layout: .flattened, name: name, scale: planned.key.scale, payload: payload)
  }
}
