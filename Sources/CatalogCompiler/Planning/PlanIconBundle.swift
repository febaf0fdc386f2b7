// Layered icons: a stack for each look, which consists of groups of pictures, with colours and
// gradients under names of their own. Names, numbers and rows are those that Apple's tool writes.

import Archive
import Bytes
import CatalogModel
import Documents
import Host
import Traits

extension Plan {
  /// Adds a layered icon. If the icon is not chosen, only its colours, gradients and pictures are
  /// added.
  mutating func addIconBundle(
    _ icon: IconBundle, of asset: AssetSet, for target: CompileTarget, isChosen: Bool
  ) {
    guard icon.isRead else { return }
    guard target.platform.demands.hasLayeredIcons else {
      return refuse(asset, "archives of \(target.platform.rawValue) have no layered icons")
    }
    let platform = target.platform.system
    let parts = IconParts(icon, named: asset.name, platform)
    for look in IconLook.allCases {
      let background = parts.background(look)
      let rows = parts.groupRows(look)
      guard isChosen else { continue }
      for group in parts.groups {
        let stack = LayerStack(layout: .iconGroup, layers: parts.layerRows(of: group, look))
        add(.stack(stack), group.facet, Part.iconGroup, look, asset, group.source.pointer) {
          $0.statedName = "IconGroup"
        }
      }
      var stack = LayerStack(layout: .iconStack, width: 1024, height: 1024)
      stack.layers = [background] + rows
      stack.typeIdentifier = "public.layeredimage"
      add(.stack(stack), asset.name, Part.iconStack, look, asset, "") {
        $0.statedName = withoutFolders(asset.name) + ".iconstack"
      }
    }
    addPaints(parts.paints, of: asset)
    addPictures(parts.pictures, of: asset)
    if isChosen { addIconBitmaps(parts, of: asset, for: target) }
    if platform == .watchOS, isChosen {
      reportUnproven(
        nil, of: asset,
        "no archive of Apple's tool with a layered icon for watchOS; the icon is written as for iOS"
      )
    }
  }

  private mutating func add(
    _ content: PlannedContent, _ facet: ByteString, _ part: UInt16, _ look: IconLook?,
    _ asset: AssetSet, _ pointer: ByteString, _ change: (inout PlannedRendition) -> Void = { _ in }
  ) {
    var key = VariantKey()
    switch look {
    case .light: key.style = .light
    case .dark: key.style = .dark
    case .tinted: key.style = .tinted
    case nil: break
    }
    var rendition = PlannedRendition(
      facet: facet, kind: nil, part: part, key: key, content: content,
      file: joined(asset.folder, "icon.json"), pointer: pointer)
    change(&rendition)
    renditions.append(rendition)
  }

  private mutating func addPaints(_ paints: IconPaints, of asset: AssetSet) {
    for (facet, color) in paints.colors {
      add(.paint(color), facet, Part.color, nil, asset, "") { $0.kind = .color }
    }
    for (facet, gradient) in paints.gradients {
      add(.gradient(gradient), facet, Part.gradient, nil, asset, "")
    }
  }

  private mutating func addPictures(_ pictures: [IconPictureFile], of asset: AssetSet) {
    for picture in pictures {
      let isVector = picture.file.isVector
      let content: PlannedContent =
        isVector
        ? .vector(picture.file)
        : .picture(picture.file, Treatment(reduction: .width(atMost: 1024)))
      add(content, picture.facet, Part.regular, nil, asset, picture.pointer) {
        $0.kind = .image
        $0.flags = isVector ? .vector : .automatic
        $0.statedName = isVector ? "image.svg" : "image.png"
        $0.standsAlone = true
      }
    }
  }
}

// MARK: - Bitmaps

/// A bitmap of a layered icon.
private struct IconBitmap {
  var points: Int
  /// The number of the size among all sizes.
  var number: UInt16
  var scale: UInt8
  var key = VariantKey()
  var look = IconLook.light
  /// The size in pixels. It is stated because the size in points can be a fraction (83.5).
  var pixels: Int
}

extension Plan {
  /// Adds bitmaps for systems without stacks. If there is an icon set of the same name, its
  /// pictures are used.
  private mutating func addIconBitmaps(
    _ parts: IconParts, of asset: AssetSet, for target: CompileTarget
  ) {
    guard drawsIcons, !iconSetNames.contains(asset.name) else { return }
    let bitmaps = target.platform == .macOS ? Plan.macBitmaps : Plan.phoneBitmaps(for: target)
    for bitmap in bitmaps {
      var key = bitmap.key
      key.scale = bitmap.scale
      var rendition = PlannedRendition(
        facet: asset.name, kind: .icon, part: Part.icon, key: key,
        details: KeyDetails(dimension2: bitmap.number),
        content: .composition(parts.composition(bitmap.look, side: bitmap.pixels)),
        file: joined(asset.folder, "icon.json"), pointer: "")
      rendition.statedName = "\(withoutFolders(asset.name))\(bitmap.points)x\(bitmap.points).png"
      renditions.append(rendition)
    }
    addSizeTables(of: bitmaps.filter { $0.look == .light }, of: asset)
    diagnostics.append(
      Diagnostic(
        .iconDrawnPlainly,
        "the bitmaps of \(quoted(asset.name)) are drawn plainly, without the glass of Apple's "
          + "renderer; add an icon set of that name to replace them, or --no-icon-bitmaps to "
          + "leave them out",
        file: joined(asset.folder, "icon.json")))
  }

  private mutating func addSizeTables(of bitmaps: [IconBitmap], of asset: AssetSet) {
    var tables: [VariantKey: Set<MultisizePayload.Size>] = [:]
    for bitmap in bitmaps {
      tables[bitmap.key, default: []].insert(
        .init(
          width: UInt32(bitmap.points), height: UInt32(bitmap.points),
          index: UInt32(bitmap.number)))
    }
    for (key, sizes) in tables {
      renditions.append(
        PlannedRendition(
          facet: asset.name, kind: .icon, part: Part.multisize, key: key,
          content: .iconSizes(sizes.sorted { $0.index < $1.index }),
          file: joined(asset.folder, "icon.json"), pointer: ""))
    }
  }

  private static var macBitmaps: [IconBitmap] {
    let sides = [16, 32, 64, 128, 256, 512, 1024]
    return sides.enumerated().map { place, side in
      let scale: UInt8 = side == 1024 ? 1 : 2
      return IconBitmap(
        points: side, number: UInt16(place + 1), scale: scale, pixels: side * Int(scale))
    }
  }

  private static func phoneBitmaps(for target: CompileTarget) -> [IconBitmap] {
    let looks: [(IconLook, Style)] = [(.light, .any), (.dark, .dark), (.tinted, .tinted)]
    let sizes: [(points: Int, number: UInt16, scale: UInt8, pixels: Int)] = [
      (60, 1, 2, 120), (60, 1, 3, 180), (76, 2, 2, 152), (83, 3, 2, 167),
    ]
    var bitmaps: [IconBitmap] = []
    for idiom in [Idiom.phone, .pad] where target.admits(idiom) {
      var key = VariantKey()
      key.idiom = idiom
      for (look, style) in looks {
        key.style = style
        for size in sizes {
          bitmaps.append(
            IconBitmap(
              points: size.points, number: size.number, scale: size.scale, key: key, look: look,
              pixels: size.pixels))
        }
        if idiom == .phone {
          var plus = key
          plus.subtype = 1792
          bitmaps.append(
            IconBitmap(points: 90, number: 4, scale: 2, key: plus, look: look, pixels: 180))
        }
      }
      key.style = .any
      bitmaps.append(IconBitmap(points: 1024, number: 5, scale: 1, key: key, pixels: 1024))
    }
    return bitmaps
  }
}
