// Makes the blocks of pictures that are drawn from several files: flattened stacks, and layered
// icons.

import Archive
import Bytes
import CatalogModel
import Codecs
import Imaging
import Vectors

extension RenditionEncoder {
  /// Reads each layer and draws it over the layers behind it. The layers share a budget. The caller
  /// must hold a share of the memory for it.
  private func canvas(
    of composition: Composition
  ) throws(EncodingFailure) -> CompositionCanvas {
    // The cost of each layer grows with all pixels of the canvas.
    guard composition.layers.count <= Composition.mostLayers else {
      throw .tooManyLayers(composition.layers.count, most: Composition.mostLayers)
    }
    var canvas = CompositionCanvas(width: composition.width, height: composition.height)
    let budget = SharedBudget(
      pixels: composition.layers.reduce(0) { $0 + $1.width * $1.height })
    rasterizer.shared = budget
    defer { rasterizer.shared = nil }
    for layer in composition.layers {
      do throws(EncodingFailure) { canvas.add(try bitmap(of: layer, budget)) } catch {
        throw .damagedLayer(layer.file, error)
      }
    }
    return canvas
  }

  private func bitmap(
    of layer: CompositionLayer, _ budget: SharedBudget
  ) throws(EncodingFailure) -> Bitmap {
    let bytes = try read(layer.file)
    if layer.file.isVector {
      do throws(VectorError) {
        let picture = try VectorPicture(bytes, budget)
        defer { budget.giveBack(picture.spending) }
        return try picture.bitmap(width: layer.width, height: layer.height, &rasterizer)
      } catch {
        throw .undrawable(error)
      }
    }
    return try colors(of: layer.file).scaled(width: layer.width, height: layer.height)
  }

  /// Returns the bitmap in the layout that the target reads: without padding for systems that
  /// predate LZFSE, otherwise as grey and alpha if it has no colours.
  func asStored(_ bitmap: Bitmap) -> Bitmap {
    if settings.target.predatesLZFSE { return bitmap.withoutPadding() }
    var bitmap = bitmap
    if bitmap.isGray { bitmap.compactGray() }
    return bitmap
  }

  // MARK: Stacks without glass

  /// Returns the stack with the size of its canvas.
  func sized(_ stack: LayerStack) throws(EncodingFailure) -> LayerStack {
    var sized = stack
    let budget = SharedBudget()
    for picture in stack.sizedBy {
      let size = try pixelSize(of: picture.file, scale: 1, budget)
      sized.width = max(sized.width, size.width / Int(picture.scale))
      sized.height = max(sized.height, size.height / Int(picture.scale))
    }
    return sized
  }

  /// Returns the size of a picture, or of a vector at a scale.
  private func pixelSize(
    of file: SourceFile, scale: Double, _ budget: SharedBudget
  ) throws(EncodingFailure) -> (width: Int, height: Int) {
    if file.isVector {
      let bytes = try read(file)
      do throws(VectorError) {
        let picture = try VectorPicture(bytes, budget)
        budget.giveBack(picture.spending)
        let placement = try picture.placement(scale: scale)
        return (placement.width, placement.height)
      } catch {
        throw .undrawable(error)
      }
    }
    let size: (width: Int, height: Int)
    do throws(ImageHeaderError) {
      size = try ImageHeader.read(file.path, in: settings.tree).uprightSize
    } catch {
      throw .header(error)
    }
    try checkSize(size.width, size.height)
    return size
  }

  private func checkSize(_ width: Int, _ height: Int) throws(EncodingFailure) {
    if Composition.canDraw(width, height) { return }
    throw .tooLarge(width: width, height: height, most: Composition.mostPixels)
  }

  /// Returns the composition with the sizes of its layers. They lie at the upper left corner, and
  /// the canvas is as large as the largest of them.
  private func sized(_ composition: Composition) throws(EncodingFailure) -> Composition {
    var sized = composition
    let budget = SharedBudget()
    for (index, layer) in composition.layers.enumerated() {
      let size: (width: Int, height: Int)
      do throws(EncodingFailure) {
        size = try pixelSize(of: layer.file, scale: layer.drawingScale?.factor ?? 1, budget)
      } catch {
        throw .damagedLayer(layer.file, error)
      }
      (sized.layers[index].width, sized.layers[index].height) = size
      sized.width = max(sized.width, size.width)
      sized.height = max(sized.height, size.height)
      // A wide layer and a high one make a canvas with far more pixels than both.
      try checkSize(sized.width, sized.height)
    }
    return sized
  }

  func makeFlattened(
    _ planned: PlannedRendition, _ composition: Composition
  ) throws(EncodingFailure) -> [UInt8] {
    let composition = try sized(composition)
    return try share(memory(of: composition)) { () throws(EncodingFailure) in
      let bitmap = try canvas(of: composition).bitmap()
      let name: ByteString =
        "ZZZZFlattenedImage-\(planned.key.scale).\(bitmap.isOpaque ? 1 : 0).0-gamut0"
      return block(planned, bitmap, named: name)
    }
  }

  /// Returns the block of the glow around a stack. Old versions of Apple's tool stored a
  /// transparent picture here; the form in newer versions is not known.
  func makeRadiosity(
    _ planned: PlannedRendition, _ composition: Composition
  ) throws(EncodingFailure) -> [UInt8] {
    let size = try sized(composition)
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
    // The demands of an icon: no pixel changes, and every system can read the payload.
    let payload = payload(of: bitmap, BitmapDemands(isIcon: true, isExact: true))
    return PictureFacts(bitmap).block(
      layout: .flattened, name: name, scale: planned.key.scale, payload: payload)
  }
}

// MARK: - Layered icons

extension RenditionEncoder {
  /// Makes a bitmap of a layered icon. The caller must hold a share of the memory for it.
  func makeGlass(
    _ planned: PlannedRendition, _ drawing: GlassDrawing
  ) throws(EncodingFailure) -> EncodedRendition {
    let bitmap = asStored(try bitmap(of: drawing))
    let facts = PictureFacts(bitmap)
    if settings.putsIntoAtlas(facts, of: planned) {
      let pixels = bitmap.pixels.withUnsafeBytes { CompactPixels($0) }
      return .small(planned.key.gamut, DecodedPicture(facts: facts, pixels: pixels))
    }
    let payload = payload(of: bitmap, settings.demands(of: planned))
    return .block(planned.key.gamut, planned.bitmapBlock(facts, payload: payload))
  }

  /// Draws a layered icon. The pictures of its layers and its bitmaps are kept for the renditions
  /// that follow. If it cannot be drawn, those are not tried. The caller must hold a share of the
  /// memory for it.
  func bitmap(of drawing: GlassDrawing) throws(EncodingFailure) -> Bitmap {
    guard drawing.icon.layerCount <= GlassIcon.mostLayers else {
      throw .tooManyLayers(drawing.icon.layerCount, most: GlassIcon.mostLayers)
    }
    if let known = settings.drawnIcons?[drawing] { return known }
    do throws(EncodingFailure) {
      var renderer = try renderer(of: drawing)
      let bitmap: Bitmap
      do throws(VectorError) {
        bitmap = try settings.work.measure(.draw, size: \.pixels.count) { () throws(VectorError) in
          try renderer.bitmap(side: drawing.side, &rasterizer)
        }
      } catch {
        throw .undrawable(error)
      }
      glass = (drawing.files, .success(renderer))
      settings.drawnIcons?.keep(bitmap, of: drawing)
      return bitmap
    } catch {
      glass = (drawing.files, .failure(error))
      throw error
    }
  }

  /// Returns the renderer of the bitmap before, or one for pictures that are read now.
  private func renderer(of drawing: GlassDrawing) throws(EncodingFailure) -> GlassRenderer {
    if let glass, glass.files == drawing.files {
      let known = try glass.result.get()
      return known.icon == drawing.icon
        ? known : GlassRenderer(drawing.icon, pictures: known.pictures)
    }
    let budget = SharedBudget()
    let pictures = try drawing.files.map { (file) throws(EncodingFailure) in
      try picture(of: file, budget)
    }
    return GlassRenderer(drawing.icon, pictures: pictures)
  }

  private func picture(
    of file: SourceFile, _ budget: SharedBudget
  ) throws(EncodingFailure) -> GlassPicture {
    guard file.isVector else {
      do throws(EncodingFailure) { return .bitmap(try colors(of: file)) } catch {
        throw .damagedLayer(file, error)
      }
    }
    let bytes = try read(file)
    do throws(VectorError) {
      return .vector(try VectorPicture(bytes, budget))
    } catch {
      throw .undrawableLayer(file, error)
    }
  }
}
