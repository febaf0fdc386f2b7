// Layered icons: a stack for each look, which consists of groups of pictures, with colours and
// gradients under names of their own. Names, numbers and rows are those that Apple's tool writes.

import Archive
import Bytes
import CatalogModel
import Documents
import Host
import Traits

extension RenditionPlan {
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
    for value in icon.unstored {
      diagnostics.append(
        Diagnostic(
          .settingNotApplied,
          "\(quoted(asset.name)) is stored without \(value.subject): \(value.reason)",
          file: asset.contentsFile, pointer: value.pointer))
    }
    if isChosen {
      for look in IconLook.allCases { addStacks(of: parts, look, asset) }
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

  /// Adds the stack of an icon in a look, and the stacks of its groups.
  private mutating func addStacks(of parts: IconParts, _ look: IconLook, _ asset: AssetSet) {
    for group in parts.groups {
      var stack = LayerStack(layout: .iconGroup, layers: parts.layerRows(of: group, look))
      stack.storesRefraction = parts.refracts
      add(.stack(stack), group.facet, Part.iconGroup, look, asset, group.source.pointer) {
        $0.statedName = "IconGroup"
      }
    }
    var stack = LayerStack(layout: .iconStack, width: 1024, height: 1024)
    stack.layers = [parts.background(look)] + parts.groupRows(look)
    stack.storesRefraction = parts.refracts
    stack.typeIdentifier = "public.layeredimage"
    add(.stack(stack), asset.name, Part.iconStack, look, asset, "") {
      $0.statedName = withoutFolders(asset.name) + ".iconstack"
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
      jsonFile: asset.contentsFile, pointer: pointer)
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
        : .picture(picture.file, PictureProcessing(reduction: .width(atMost: 1024)))
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

extension RenditionPlan {
  /// Adds bitmaps for systems without stacks. If there is an icon set of the same name, its
  /// pictures are used.
  private mutating func addIconBitmaps(
    _ parts: IconParts, of asset: AssetSet, for target: CompileTarget
  ) {
    guard drawsIcons, !iconSetNames.contains(asset.name) else { return }
    let isMac = target.platform == .macOS
    let bitmaps = isMac ? RenditionPlan.macBitmaps : RenditionPlan.phoneBitmaps(for: target)
    if bitmaps.isEmpty { return }
    let looks = IconLook.allCases.filter { look in bitmaps.contains { $0.look == look } }
    let side = bitmaps.map(\.pixels).max() ?? 0
    if let obstacle = parts.obstacle(Set(looks), side: side) {
      diagnostics.append(
        Diagnostic(
          .settingNotApplied,
          "\(quoted(asset.name)) is stored without bitmaps: \(obstacle.reason); add an icon set of "
            + "that name for systems without layered icons",
          file: asset.contentsFile, pointer: obstacle.pointer))
      return
    }
    for bitmap in bitmaps {
      var key = bitmap.key
      key.scale = bitmap.scale
      var rendition = PlannedRendition(
        facet: asset.name, kind: .icon, part: Part.icon, key: key,
        details: KeyDetails(dimension2: bitmap.number),
        content: .glass(
          parts.glass(bitmap.look, isMac: isMac, side: bitmap.pixels, hasGlass: drawsGlass)),
        jsonFile: asset.contentsFile, pointer: "")
      rendition.statedName = "\(withoutFolders(asset.name))\(bitmap.points)x\(bitmap.points).png"
      renditions.append(rendition)
    }
    addSizeTables(of: bitmaps.filter { $0.look == .light }, of: asset)
    diagnostics.append(
      Diagnostic(
        drawsGlass ? .iconGlassApproximated : .iconDrawnPlainly,
        "the bitmaps of \(quoted(asset.name)) are "
          + (drawsGlass
            ? parts.approximation(isMac: isMac, looks: looks.map(\.glass))
            : "drawn plainly, without the glass of Apple's renderer")
          + "; add an icon set of that name to replace them, or --no-icon-bitmaps to leave them "
          + "out",
        file: asset.contentsFile))
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
          jsonFile: asset.contentsFile, pointer: ""))
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

// MARK: - Parts

// The parts of a layered icon: its groups and pictures with their names, its paints, and the rows
// of its stacks in each look.

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
  let platform: Platform
  private let folder: ByteString
  private(set) var paints: IconPaints
  private(set) var groups: [NamedGroup] = []
  private(set) var pictures: [IconPictureFile] = []
  private var backgrounds: [IconLook: PaintName] = [:]
  /// The names of the pictures, by the paths of their files.
  private var pictureNames: [ByteString: ByteString] = [:]
  private var usedNames: Set<ByteString> = []

  /// Whether something is refracted in some look.
  private(set) var refracts = false

  init(_ icon: IconBundle, named name: ByteString, _ platform: Platform) {
    self.icon = icon
    self.platform = platform
    folder = name + "_Assets/"
    paints = IconPaints(folder)
    numberBackgrounds()
    var uses: [ByteString: Int] = [:]
    var facets: Set<ByteString> = []
    // A group of which nothing is shown has no name and no number.
    for group in icon.groups where IconLook.allCases.contains(where: { isShown(group, $0) }) {
      // A group can have the name that another one gets with its number.
      var facet: ByteString
      repeat {
        uses[group.name, default: 0] += 1
        let number = uses[group.name, default: 1]
        facet = "\(name)/\(group.name)\(number > 1 ? " \(number)" : "")"
      } while !facets.insert(facet).inserted
      var shown = group
      shown.layers = group.layers.filter { layer in
        IconLook.allCases.contains { layer.isShown($0, platform) }
      }
      for layer in shown.layers { numberParts(of: layer) }
      groups.append(NamedGroup(facet: facet, source: shown))
      refracts =
        refracts
        || IconLook.allCases.contains { group.refractivity.value($0, platform)?.refracts == true }
    }
  }

  private func isShown(_ group: IconGroup, _ look: IconLook) -> Bool {
    group.isShown(look, platform)
  }

  // MARK: Paints

  private mutating func numberBackgrounds() {
    let light = backgroundFill(.light)
    backgrounds[.light] = paints.name(of: light)
    let dark = backgroundFill(.dark)
    backgrounds[.dark] = paints.name(of: dark, isNew: dark == .systemDark)
    if icon.fill.has(.tinted) { backgrounds[.tinted] = paints.name(of: backgroundFill(.tinted)) }
  }

  /// Returns the fill of the background. An icon without a fill has a white background, which is
  /// the first colour of every icon.
  private func backgroundFill(_ look: IconLook) -> IconFill {
    if look == .dark {
      guard icon.fill.has(.dark), let fill = icon.fill.value(.dark, platform) else {
        return .systemDark
      }
      return fill == .automatic || fill == .none ? .systemDark : fill
    }
    switch icon.fill.value(look, platform) {
    case nil, IconFill.none?: return .solid(IconColor(.extendedGray, [1, 1]))
    case .automatic?: return .systemLight
    case let fill?: return fill
    }
  }

  /// Returns the row at the back of a stack.
  func background(_ look: IconLook) -> PlannedLayer {
    // The paints were numbered when the parts were made. A look without a background of its own has
    // that of the light look.
    let paint = backgrounds[look] ?? backgrounds[.light]
    return PlannedLayer(facet: paint?.facet ?? "", part: paint?.part ?? Part.color)
  }

  /// Numbers the fills of a layer, and names its pictures.
  private mutating func numberParts(of layer: IconLayer) {
    for look in IconLook.allCases where look == .light || layer.fill.has(look) {
      if let fill = layer.fill.value(look, platform) { _ = paints.name(of: fill) }
    }
    for look in IconLook.allCases {
      guard let file = layer.picture.value(look, platform)?.file,
        pictureNames[file.path] == nil
      else { continue }
      let facet = unusedName(of: file)
      pictureNames[file.path] = facet
      usedNames.insert(facet)
      pictures.append(IconPictureFile(facet: facet, file: file, pointer: layer.pointer))
    }
  }

  /// Returns the name of a picture: that of its file, in ASCII. If another picture has this name, a
  /// number is added.
  private func unusedName(of file: SourceFile) -> ByteString {
    let name = folder + plainName(withoutExtension(lastComponent(file.name)))
    var unused = name
    var number = 1
    while usedNames.contains(unused) {
      number += 1
      unused = "\(name) \(number)"
    }
    return unused
  }

  /// Returns the name as archives of Apple's tool hold it, with an underscore for every character
  /// that is not ASCII.
  private func plainName(_ name: ByteString) -> ByteString {
    ByteString(String(name.text.map { $0.isASCII ? $0 : "_" }))
  }

  /// Returns the fill of a layer in a look; nil if the layer shows its own colours.
  private func shownFill(of layer: IconLayer, _ look: IconLook) -> IconFill? {
    if look == .dark, !icon.fill.has(.dark), !layer.fill.has(.dark), showsWhite(layer),
      !backgroundFill(.light).isBlack
    {
      return backgroundFill(.light)
    }
    let fill = layer.fill.value(look, platform)
    return fill == .automatic || fill == IconFill.none ? nil : fill
  }

  /// Returns whether a layer is white in the light look, or may be given any colour.
  private func showsWhite(_ layer: IconLayer) -> Bool {
    guard let fill = layer.fill.value(.light, platform) else {
      return layer.picture.value(.light, platform)?.isLight == true
    }
    return fill == .automatic || fill.isWhite
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
      let specular = source.specular.value(look, platform) ?? .automatic
      row.effects.isSpecular = specular != .off
      row.effects.placement = specular.placement
      row.effects.translucency = Float(source.translucency.value(look, platform) ?? 0.5)
      let shadow = source.shadow.value(look, platform) ?? IconShadow()
      row.effects.shadow = shadow.kind.number
      row.effects.shadowOpacity = Float(shadow.opacity)
      if let refractivity = source.refractivity.value(look, platform), refractivity.isEnabled {
        row.refraction.strength = Float(refractivity.strength)
        row.refraction.depth = Float(refractivity.depth)
      }
      return row
    }
  }

  /// Returns the layers of a group that are shown in a look, with their pictures, from back to
  /// front.
  func shownLayers(
    of group: NamedGroup, _ look: IconLook
  ) -> [(layer: IconLayer, picture: IconPicture)] {
    group.source.layers.reversed().compactMap { layer in
      guard layer.isShown(look, platform), let picture = layer.picture.value(look, platform) else {
        return nil
      }
      return (layer, picture)
    }
  }

  /// Returns the rows of a group's layers in a look, from back to front.
  func layerRows(of group: NamedGroup, _ look: IconLook) -> [PlannedLayer] {
    let outer = group.source.position.value(look, platform) ?? IconPosition()
    return shownLayers(of: group, look).map { layer, picture in
      // Every picture was named when the parts were made.
      var row = PlannedLayer(facet: pictureNames[picture.file.path] ?? "", part: Part.regular)
      let position = layer.position.value(look, platform) ?? IconPosition()
      row.frame = LayerFrame(picture, position, in: outer)
      row.blendMode = (layer.blendMode.value(look, platform) ?? .normal).number
      row.opacity = Float(layer.opacity.value(look, platform) ?? 1)
      let isGlass = layer.glass.value(look, platform) ?? true
      row.attributes = LayerAttributes(bits: isGlass ? 1 : 0, fill: fillName(of: layer, look))
      return row
    }
  }
}

extension IconShadow.Kind {
  fileprivate var number: UInt32 {
    switch self {
    case .none: 0
    case .automatic: 1
    case .layerColor: 2
    case .neutral: 3
    }
  }
}

extension IconSpecular {
  /// The number of the place of the light in archives.
  fileprivate var placement: UInt32 {
    switch self {
    case .off, .automatic: 0
    case .inside: 1
    case .outside: 2
    }
  }
}

extension LayerFrame {
  /// Creates the frame on a canvas of 1,024 units, from its upper left corner. A size that ends
  /// with one half becomes the even size beside it, as in archives of Apple's tool.
  init(_ picture: IconPicture, _ position: IconPosition, in group: IconPosition) {
    let scale = position.scale * group.scale
    let across = picture.width * scale
    let down = picture.height * scale
    let left = (1024 - across) / 2 + position.x * group.scale + group.x
    let top = (1024 - down) / 2 + position.y * group.scale + group.y
    func whole(_ value: Double) -> Int { Int(max(-1e9, min(value, 1e9))) }
    self.init(
      x: whole(left.rounded(.down)), y: whole(top.rounded(.down)),
      width: whole(across.rounded(.toNearestOrEven)), height: whole(down.rounded(.toNearestOrEven)))
  }
}

// MARK: - Colours

// Numbers the colours and gradients of a layered icon as Apple's tool does.

/// The name and the part of a rendition that paints: a colour or a gradient.
struct PaintName: Sendable, Hashable {
  var facet: ByteString
  var part: UInt16
}

/// The colours and gradients of an icon, in the order of their first use.
struct IconPaints: Sendable {
  private let folder: ByteString
  private(set) var colors: [(facet: ByteString, color: ColorPayload)] = []
  private(set) var gradients: [(facet: ByteString, gradient: GradientPayload)] = []
  private var numbers: [IconColor: Int] = [:]
  private var names: [IconFill: PaintName] = [:]

  init(_ folder: ByteString) {
    self.folder = folder
    // This colour is always the first one, even if the icon does not use it.
    _ = colorName(IconColor(.extendedGray, [1, 1]))
  }

  /// Returns the name of a fill that has a number.
  func known(_ fill: IconFill) -> PaintName? { names[fill] }

  /// Returns the name of a fill, and numbers it if it is new. Returns nil if the fill paints
  /// nothing. `isNew` numbers a gradient even if an equal one has a number.
  mutating func name(of fill: IconFill, isNew: Bool = false) -> PaintName? {
    if !isNew, let known = names[fill] { return known }
    let name: PaintName? =
      switch fill {
      case .none, .automatic: nil
      case .solid(let color): PaintName(facet: colorName(color), part: Part.color)
      case .systemLight: gradient([1, 0.925])
      case .systemDark: gradient([0.192, 0.078])
      case .automaticGradient(let color):
        gradient(.automatic, [color], IconFill.top, IconFill.bottom)
      case .linearGradient(let colors, let start, let stop):
        gradient(.linear, colors, start, stop)
      }
    names[fill] = name
    return name
  }

  private mutating func gradient(_ grays: [Double]) -> PaintName {
    gradient(.linear, grays.map { IconColor(.gray, [$0, 1]) }, IconFill.top, IconFill.bottom)
  }

  private mutating func gradient(
    _ style: GradientPayload.Style, _ colors: [IconColor], _ start: IconPoint, _ stop: IconPoint
  ) -> PaintName {
    let last = Float(max(1, colors.count - 1))
    let stops = colors.enumerated().map { place, color in
      GradientPayload.Stop(position: Float(place) / last, color: colorName(color))
    }
    let payload = GradientPayload(
      style: style, start: (Float(start.x), Float(start.y)), end: (Float(stop.x), Float(stop.y)),
      stops: stops)
    let facet: ByteString = "\(folder)Gradient-\(gradients.count + 1)"
    gradients.append((facet, payload))
    return PaintName(facet: facet, part: Part.gradient)
  }

  private mutating func colorName(_ color: IconColor) -> ByteString {
    if let known = numbers[color] { return "\(folder)Color-\(known)" }
    let number = colors.count + 1
    numbers[color] = number
    let facet: ByteString = "\(folder)Color-\(number)"
    let payload = ColorPayload(
      space: color.space.archived, components: color.components.map { Double(Float($0)) })
    colors.append((facet, payload))
    return facet
  }
}

extension IconColor.Space {
  fileprivate var archived: ColorSpaceID {
    switch self {
    case .sRGB: .sRGB
    case .gray: .grayGamma22
    case .displayP3: .displayP3
    case .extendedSRGB: .extendedSRGB
    case .extendedGray: .extendedGray
    }
  }
}
