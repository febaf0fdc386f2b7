// Image stacks of tvOS, alone and as icons of brand assets: the stack, its layers, and the two
// pictures that systems show without motion: the flattened layers and a glow.

import Archive
import Bytes
import CatalogModel
import Documents
import Host
import Traits

/// A picture of a layer, or a vector and the scale at which it is drawn.
private struct StackPicture {
  var file: SourceFile
  var drawingScale: DrawingScale?
}

/// One layer of a stack, with its pictures by scale.
private struct StackLayer {
  var facet: ByteString
  var set: ImageSet
  var asset: AssetSet
  var pictures: [UInt8: StackPicture] = [:]

  /// Adds a vector for every scale of the platform that has no picture of its own.
  mutating func addVectors(_ vectors: [UInt8: SourceFile], scales: [UInt8]) {
    let missing = scales.filter { pictures[$0] == nil }
    for (scale, file) in RenditionPlan.drawings(of: vectors, at: missing) {
      pictures[scale.bitmap] = StackPicture(file: file, drawingScale: scale)
    }
  }

  /// The picture of the smallest scale, which states the size in points.
  var sizedBy: SizedBy? {
    pictures.min { $0.key < $1.key }.map { scale, picture in
      SizedBy(file: picture.file, scale: picture.drawingScale?.slot ?? scale)
    }
  }
}

/// The name and the idiom of a stack in the archive. The large icon of an app has the name of the
/// small one.
private struct StackPlace {
  var facet: ByteString
  var idiom: Idiom
  var canvas: PointSize?
  var layout = RenditionLayout.layerStack
}

extension RenditionPlan {
  mutating func addImageStack(
    _ stack: ImageStack, of asset: AssetSet, for target: CompileTarget
  ) {
    guard target.admits(.tv) else { return }
    add(stack, of: asset, at: StackPlace(facet: asset.name, idiom: .tv), for: target)
  }

  /// Adds an icon of visionOS, without the textures that give its layers depth.
  mutating func addSolidStack(
    _ stack: ImageStack, of asset: AssetSet, for target: CompileTarget
  ) {
    guard allowsIncomplete.contains(.solidImageStack) else {
      return refuse(
        asset,
        "the form of the textures of its layers is not known"
          + (namesOptions ? "; --allow-incomplete solidimagestack compiles the rest" : ""))
    }
    let before = renditions.count
    var place = StackPlace(facet: asset.name, idiom: .vision)
    place.layout = .solidStack
    add(stack, of: asset, at: place, for: target)
    if renditions.count > before {
      reportUnproven(
        nil, of: asset,
        "no archive of Apple's tool with a solid stack; the stack is written without the two "
          + "textures of each layer"
      )
    }
  }

  /// Adds the icons and top shelf pictures of an app.
  mutating func addBrandAssets(
    _ brand: BrandAssets, of asset: AssetSet, for target: CompileTarget
  ) {
    let children = asset.childrenByFolder
    let smallName = brand.smallIcon?.filename.flatMap { children[$0] }?.name
    for entry in brand.assets where !entry.slot.isUnassigned {
      guard let child = entry.filename.flatMap({ children[$0] }) else { continue }
      switch child.contents {
      case .imageStack(let stack):
        let isLarge = entry.isStoreIcon
        let place = StackPlace(
          facet: isLarge ? smallName ?? child.name : child.name, idiom: isLarge ? .marketing : .tv,
          canvas: entry.size)
        add(stack, of: child, at: place, for: target)
      case .images(let set):
        reportUnappliedSettings(of: child)
        addImages(set, of: child, for: target)
      default: refuse(child)
      }
    }
  }

  private mutating func add(
    _ stack: ImageStack, of asset: AssetSet, at place: StackPlace, for target: CompileTarget
  ) {
    var place = place
    place.canvas = stack.canvasSize ?? place.canvas
    // The reader has reported layers that are missing.
    let children = asset.childrenByFolder
    let parts = stack.layers.map { children[$0.filename] }
    for (reference, part) in zip(stack.layers, parts) {
      guard let part, part.hasFrame(beside: place.canvas) else { continue }
      let name = quoted(withoutFolders(part.name))
      return refuse(
        asset, "the place of the frame of \(name) is not known", at: reference.pointer)
    }
    var layers: [StackLayer] = []
    var faulty: FolderReference?
    for (reference, part) in zip(stack.layers, parts) {
      if let layer = part.flatMap({ layer(of: $0, in: asset, at: place, for: target) }) {
        layers.append(layer)
      } else {
        faulty = faulty ?? reference
      }
    }
    if let faulty {
      // A stack that has no pictures yet gives no diagnostic.
      if parts.contains(where: { $0?.hasContent == true }) {
        let name = quoted(withoutExtension(faulty.filename))
        // A finding about the name of the folder comes before this one.
        refuse(
          asset, "its layer \(name) has no picture that can be compiled",
          at: faulty.pointer + "/filename")
      }
      return
    }
    if layers.isEmpty { return }
    for layer in layers { addPictures(of: layer, idiom: place.idiom) }
    addStack(layers, of: asset, at: place)
  }

  /// Returns the pictures of a layer: those of the set that it refers to, or of its own.
  private mutating func images(of layer: ImageStackLayer, _ part: AssetSet) -> ImageSet? {
    var images: ImageSet?
    if let name = layer.referencedImage {
      images = imageSets[name]
      if images == nil { reportUnknownImage(name, of: part) }
    } else {
      // The usual set of a layer is called Content.
      let sets = part.children.filter { if case .images = $0.contents { true } else { false } }
      let content = sets.first { withoutFolders($0.name) == "Content" } ?? sets.first
      for other in sets where other.folder != content?.folder {
        refuse(other, "a layer shows one image set, and \(quoted(part.name)) has another one")
      }
      if let child = content, case .images(let set) = child.contents {
        images = set
        reportUnappliedSettings(of: child)
        if set.entries.contains(where: { $0.resizing != nil }) {
          report("resizing", of: child, "a layer shows its whole picture")
        }
        if set.entries.contains(where: { $0.insets != nil }) {
          report("alignment-insets", of: child, "a layer shows its whole picture")
        }
      }
    }
    return images
  }

  /// Returns a layer with its pictures; nil if it has none.
  private mutating func layer(
    of part: AssetSet, in stack: AssetSet, at place: StackPlace, for target: CompileTarget
  ) -> StackLayer? {
    guard case .imageStackLayer(let layer) = part.contents else { return nil }
    guard let images = images(of: layer, part) else { return nil }
    var result = StackLayer(
      facet: "\(stack.name)/\(withoutFolders(part.name))/Content", set: images, asset: part)
    var left = 0
    var vectors: [UInt8: SourceFile] = [:]
    let entries = images.entries.filter { entry in
      !entry.slot.isUnassigned && entry.file?.exists == true
        && [place.idiom, .tv, .universal].contains(entry.slot.key.idiom)
    }
    for (key, _, entry) in archivedEntries(entries, { $0.slot }, for: target, as: place.idiom) {
      guard let file = entry.file else { continue }
      var plain = VariantKey()
      (plain.idiom, plain.scale) = (place.idiom, key.scale)
      guard key == plain else {
        left += 1
        continue
      }
      let scale = max(1, key.scale)
      if file.isVector {
        if vectors[scale] == nil { vectors[scale] = file }
      } else if result.pictures[scale] == nil {
        result.pictures[scale] = StackPicture(file: file)
      }
    }
    result.addVectors(vectors, scales: target.platform.vectorScales)
    if left > 0 {
      diagnostics.append(
        Diagnostic(
          .unsupportedSet,
          "\(counted(left, "picture")) of the layer \(quoted(withoutFolders(part.name))) "
            + "\(left == 1 ? "is" : "are") left out: a layer has one picture for each scale",
          file: part.contentsFile))
    }
    return result.pictures.isEmpty ? nil : result
  }

  private mutating func reportUnknownImage(_ name: ByteString, of part: AssetSet) {
    diagnostics.append(
      Diagnostic(
        .danglingReference, "there is no image set \(quoted(name))", file: part.contentsFile,
        pointer: "/properties/content-reference/name"))
  }

  private mutating func addPictures(of layer: StackLayer, idiom: Idiom) {
    for (scale, picture) in layer.pictures.sorted(by: { $0.key < $1.key }) {
      var rendition = made(
        .picture(picture.file, PictureProcessing(drawingScale: picture.drawingScale)), layer.facet,
        Part.regular,
        idiom, scale, layer.asset)
      rendition.kind = .image
      rendition.flags = .automatic
      rendition.standsAlone = idiom != .vision
      renditions.append(rendition)
    }
  }

  private mutating func addStack(
    _ layers: [StackLayer], of asset: AssetSet, at place: StackPlace
  ) {
    // Archives list the layers from back to front.
    let rows = layers.reversed()
    var stack = LayerStack(layout: place.layout)
    stack.layers = rows.map { PlannedLayer(facet: $0.facet, part: Part.regular) }
    stack.typeIdentifier = "public.layeredimage"
    if let canvas = place.canvas {
      (stack.width, stack.height) = (Int(canvas.width), Int(canvas.height))
    } else {
      stack.sizedBy = layers.compactMap(\.sizedBy)
    }
    let idiom = place.idiom == .marketing ? Idiom.marketing : .universal
    var planned = made(.stack(stack), place.facet, Part.regular, idiom, 1, asset)
    planned.kind = .image
    planned.statedName = "Contents.json"
    renditions.append(planned)
    let scales = layers.map { Set($0.pictures.keys) }.reduce(nil as Set<UInt8>?) {
      $0?.intersection($1) ?? $1
    }
    for scale in (scales ?? []).sorted() {
      var picture = Composition(width: 0, height: 0)
      picture.layers = rows.compactMap { layer in
        layer.pictures[scale].map { picture in
          var layer = CompositionLayer(picture.file)
          layer.drawingScale = picture.drawingScale
          return layer
        }
      }
      let flattened = (PlannedContent.flattened(picture), Part.flattened)
      let glow = (PlannedContent.radiosity(picture), Part.radiosity)
      for (content, part) in place.idiom == .vision ? [flattened] : [flattened, glow] {
        renditions.append(made(content, place.facet, part, place.idiom, scale, asset))
      }
    }
  }

  private func made(
    _ content: PlannedContent, _ facet: ByteString, _ part: UInt16, _ idiom: Idiom, _ scale: UInt8,
    _ asset: AssetSet
  ) -> PlannedRendition {
    var key = VariantKey()
    key.idiom = idiom
    key.scale = scale
    return PlannedRendition(
      facet: facet, kind: nil, part: part, key: key, content: content, jsonFile: asset.contentsFile,
      pointer: "")
  }
}

extension AssetSet {
  /// Returns whether the set is a layer whose frame does not fill the canvas. If the size of the
  /// canvas is unknown, every frame counts as such.
  fileprivate func hasFrame(beside canvas: PointSize?) -> Bool {
    guard case .imageStackLayer(let layer) = contents, let frame = layer.frameSize else {
      return false
    }
    return frame != canvas
  }
}

// MARK: - Layers

// Renditions that consist of other renditions: the layers, and their places in the stack.

/// A stack of renditions, or a group of renditions in a stack.
package struct LayerStack: Sendable, Hashable {
  var layout: RenditionLayout
  /// The size of the canvas; 0 for a group, which has the canvas of its stack.
  var width = 0
  var height = 0
  /// The pictures of which the largest determines the size of the canvas; empty if the size is
  /// stated.
  var sizedBy: [SizedBy] = []
  /// The layers from back to front, as archives list them.
  var layers: [PlannedLayer] = []
  var typeIdentifier: String?
  /// Whether the refraction of the layers is stored. Tools before 2026 do not know it.
  var storesRefraction = false
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
  var refraction = LayerRefraction()
}

package struct LayerFrame: Sendable, Hashable {
  var x = 0
  var y = 0
  var width = 0
  var height = 0
}
