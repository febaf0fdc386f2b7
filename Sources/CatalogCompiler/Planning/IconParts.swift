// The parts of a layered icon: its groups and pictures with their names, its paints, and the rows
// of its stacks in each look.

import Archive
import Bytes
import CatalogModel
import Documents
import Host
import Traits

/// Returns the name without its namespaces.
func withoutFolders(_ name: ByteString) -> ByteString {
  name.components.last ?? name
}

/// A picture of a layered icon, and its name in the archive.
struct IconPictureFile {
  var facet: ByteString
  var file: SourceFile
  var pointer: ByteString
}

/// A group that is shown in at least one look.
struct NamedGroup {
  var facet: ByteString
  var source: IconGroup
}

/// The parts of an icon, numbered as Apple's tool numbers them.
struct IconParts {
  private let icon: IconBundle
  private let platform: Platform
  private let folder: ByteString
  private(set) var paints: IconPaints
  private(set) var groups: [NamedGroup] = []
  private(set) var pictures: [IconPictureFile] = []
  private var backgrounds: [IconLook: PaintName] = [:]

  init(_ icon: IconBundle, named name: ByteString, _ platform: Platform) {
    self.icon = icon
    self.platform = platform
    folder = name + "_Assets/"
    paints = IconPaints(folder)
    numberBackgrounds()
    var uses: [ByteString: Int] = [:]
    for group in icon.groups where isShown(group.hidden) {
      uses[group.name, default: 0] += 1
      let number = uses[group.name, default: 1]
      let suffix = number > 1 ? " \(number)" : ""
      var shown = group
      shown.layers = group.layers.filter { isShown($0.hidden) && $0.image?.exists == true }
      for layer in shown.layers { numberFills(of: layer) }
      groups.append(NamedGroup(facet: "\(name)/\(group.name)\(suffix)", source: shown))
    }
  }

  /// Returns whether a part is shown in at least one look.
  private func isShown(_ hidden: Specialized<Bool>) -> Bool {
    IconLook.allCases.contains { hidden.value($0, platform) != true }
  }

  // MARK: Paints

  private mutating func numberBackgrounds() {
    let light = backgroundFill(.light)
    backgrounds[.light] = paints.name(of: light)
    let dark = backgroundFill(.dark)
    backgrounds[.dark] = paints.name(of: dark, isNew: dark == .systemDark)
    if icon.fill.has(.tinted) { backgrounds[.tinted] = paints.name(of: backgroundFill(.tinted)) }
  }

  private func backgroundFill(_ look: IconLook) -> IconFill {
    if look == .dark {
      guard icon.fill.has(.dark), let fill = icon.fill.value(.dark, platform) else {
        return .systemDark
      }
      return fill == .automatic || fill == .none ? .systemDark : fill
    }
    let fill = icon.fill.value(look, platform) ?? .automatic
    return fill == .automatic || fill == .none ? .systemLight : fill
  }

  /// Returns the row at the back of a stack.
  func background(_ look: IconLook) -> PlannedLayer {
    // The paints were numbered when the parts were made. A look without a background of its own has
    // that of the light look.
    let paint = backgrounds[look] ?? backgrounds[.light]
    return PlannedLayer(facet: paint?.facet ?? "", part: paint?.part ?? Part.color)
  }

  private mutating func numberFills(of layer: IconLayer) {
    for look in IconLook.allCases where look == .light || layer.fill.has(look) {
      if let fill = layer.fill.value(look, platform) { _ = paints.name(of: fill) }
    }
    guard let image = layer.image else { return }
    let facet = folder + plainName(withoutExtension(lastComponent(image.name)))
    if !pictures.contains(where: { $0.facet == facet && $0.file.path == image.path }) {
      pictures.append(IconPictureFile(facet: facet, file: image, pointer: layer.pointer))
    }
  }

  private func plainName(_ name: ByteString) -> ByteString {
    ByteString(String(name.text.map { $0.isASCII ? $0 : "_" }))
  }

  /// Returns the fill of a layer in a look; nil if the layer shows its own colours.
  private func shownFill(of layer: IconLayer, _ look: IconLook) -> IconFill? {
    let light = layer.fill.value(.light, platform)
    if look == .dark, !icon.fill.has(.dark), !layer.fill.has(.dark),
      light == .automatic || light?.isWhite == true, !backgroundFill(.light).isBlack
    {
      return backgroundFill(.light)
    }
    let fill = layer.fill.value(look, platform)
    return fill == .automatic || fill == IconFill.none ? nil : fill
  }

  private func fillName(of layer: IconLayer, _ look: IconLook) -> ByteString {
    shownFill(of: layer, look).flatMap { paints.known($0)?.facet } ?? ""
  }

  // MARK: Rows

  /// Returns the rows of the groups in a look, from back to front.
  func groupRows(_ look: IconLook) -> [PlannedLayer] {
    groups.reversed().compactMap { group in
      let source = group.source
      if source.hidden.value(look, platform) == true { return nil }
      var row = PlannedLayer(facet: group.facet, part: Part.iconGroup)
      row.blendMode = (source.blendMode.value(look, platform) ?? .normal).number
      row.opacity = Float(source.opacity.value(look, platform) ?? 1)
      let isLitOneByOne = source.isLitOneByOne.value(look, platform) ?? true
      row.attributes = LayerAttributes(
        bits: isLitOneByOne ? 2 : 0, blur: Float(source.blur.value(look, platform) ?? 0))
      row.effects.isSpecular = source.specular.value(look, platform) ?? true
      row.effects.translucency = Float(source.translucency.value(look, platform) ?? 0.5)
      let shadow = source.shadow.value(look, platform) ?? IconShadow()
      row.effects.shadow = shadow.kind.number
      row.effects.shadowOpacity = Float(shadow.opacity)
      return row
    }
  }

  /// Returns the layers of a group that are shown in a look, from back to front.
  private func shownLayers(of group: NamedGroup, _ look: IconLook) -> [IconLayer] {
    group.source.layers.reversed().filter {
      $0.image != nil && $0.hidden.value(look, platform) != true
    }
  }

  /// Returns the rows of a group's layers in a look, from back to front.
  func layerRows(of group: NamedGroup, _ look: IconLook) -> [PlannedLayer] {
    let outer = group.source.position.value(look, platform) ?? IconPosition()
    return shownLayers(of: group, look).compactMap { layer in
      guard let image = layer.image else { return nil }
      let facet = folder + plainName(withoutExtension(lastComponent(image.name)))
      var row = PlannedLayer(facet: facet, part: Part.regular)
      let position = layer.position.value(look, platform) ?? IconPosition()
      row.frame = LayerFrame(layer, position, in: outer)
      row.blendMode = (layer.blendMode.value(look, platform) ?? .normal).number
      row.opacity = Float(layer.opacity.value(look, platform) ?? 1)
      let isGlass = layer.glass.value(look, platform) ?? true
      row.attributes = LayerAttributes(bits: isGlass ? 1 : 0, fill: fillName(of: layer, look))
      return row
    }
  }
}

// MARK: - Bitmaps

extension IconParts {
  /// Returns the icon in a look as a plain composition of `side` × `side` pixels.
  func composition(_ look: IconLook, side: Int) -> Composition {
    var picture = Composition(width: side, height: side)
    // On a Mac, the icon is a plate with free space around it.
    let inset = platform == .macOS ? 100.0 / 1024 * Double(side) : 0
    let unit = (Double(side) - 2 * inset) / 1024
    if platform == .macOS { picture.plate = RoundedPlate(inset: inset, radius: 185.4 * unit) }
    picture.background = CompositionPaint(backgroundFill(look))
    picture.isGray = look == .tinted
    for group in groups.reversed() {
      let source = group.source
      if source.hidden.value(look, platform) == true { continue }
      let opacity = source.opacity.value(look, platform) ?? 1
      let shadow = source.shadow.value(look, platform) ?? IconShadow()
      for (layer, row) in zip(shownLayers(of: group, look), layerRows(of: group, look)) {
        guard let file = layer.image else { continue }
        func pixels(_ value: Int) -> Int {
          Int(max(-100_000, min((Double(value) * unit).rounded(), 100_000)))
        }
        var part = CompositionLayer(
          file, x: Int(inset.rounded()) + pixels(row.frame.x),
          y: Int(inset.rounded()) + pixels(row.frame.y), width: pixels(row.frame.width),
          height: pixels(row.frame.height))
        guard (1...4096).contains(part.width), (1...4096).contains(part.height) else { continue }
        part.opacity = Double(row.opacity) * opacity
        part.blendMode = layer.blendMode.value(look, platform) ?? .normal
        part.paint = shownFill(of: layer, look).flatMap { CompositionPaint($0) }
        part.shadow = shadow.kind == .none ? 0 : shadow.opacity
        picture.layers.append(part)
      }
    }
    return picture
  }
}

extension IconShadow.Kind {
  fileprivate var number: UInt32 {
    switch self {
    case .none: 0
    case .layerColor: 2
    case .neutral: 3
    }
  }
}

extension LayerFrame {
  /// Creates the frame on a canvas of 1,024 units, from its upper left corner.
  init(_ layer: IconLayer, _ position: IconPosition, in group: IconPosition) {
    let scale = position.scale * group.scale
    let across = layer.width * scale
    let down = layer.height * scale
    let left = (1024 - across) / 2 + position.x * group.scale + group.x
    let top = (1024 - down) / 2 + position.y * group.scale + group.y
    func whole(_ value: Double) -> Int { Int(max(-1e9, min(value, 1e9))) }
    self.init(
      x: whole(left.rounded(.down)), y: whole(top.rounded(.down)), width: whole(across.rounded()),
      height: whole(down.rounded()))
  }
}
