// Reads the layered icons of an archive into the values from which Imaging draws them: stacks,
// groups, layers, paints and pictures.

import Archive
import Bytes
import Imaging
import Traits
import Vectors

/// The layered icons of an archive.
package struct LayeredIcons: Sendable {
  /// The stack of one icon in one look.
  package struct Stack: Sendable {
    package var name: ByteString
    package var style: Style
    fileprivate var rendition: Rendition
  }

  /// The stacks in the order of the archive.
  package private(set) var stacks: [Stack] = []
  private let plate: GlassPlate
  private let names: FacetNames
  /// The groups by the numbers of their names.
  private var groups: [UInt16: IconGroups] = [:]
  private var paints: [ByteString: Rendition] = [:]
  /// The pictures by the numbers of their names.
  private var pictures: [UInt16: Rendition] = [:]

  package init(_ archive: Archive) throws(FormatError) {
    names = try FacetNames(of: archive)
    plate = archive.header.keySemantics == .mac ? .mac : .square
    let numbers = try VariantNumbers(of: archive)
    for (entry, rendition) in try archive.readableRenditions().readable {
      let identifier = entry.key.identifier
      guard let name = names[entry.key], let variant = numbers.variant(of: entry.key) else {
        continue
      }
      switch rendition.header.layout {
      case .iconStack:
        stacks.append(Stack(name: name, style: variant.style, rendition: rendition))
      case .iconGroup:
        groups[identifier, default: IconGroups()].add(rendition, for: variant.style)
      case .namedGradient, .color: paints[name] = rendition
      default:
        guard entry.key.part == Part.regular, rendition.isVectorFile || rendition.isPicture,
          pictures[identifier] == nil || variant.gamut == .sRGB
        else { continue }
        pictures[identifier] = rendition
      }
    }
  }

  /// Returns a stack as values, with the pictures that its layers name by number.
  package func icon(
    of stack: Stack, _ allowance: PictureAllowance
  ) throws(FormatError) -> (icon: GlassIcon, pictures: [GlassPicture]) {
    var icon = GlassIcon(plate: plate, background: nil)
    var found = FoundPictures()
    for row in try stack.rendition.layerRows(atMost: GlassIcon.mostLayers) {
      switch row.target.part {
      case Part.iconGroup:
        guard let group = groups[row.target.identifier]?.group(for: stack.style) else { continue }
        icon.groups.append(try self.group(row, group, &found, allowance))
        if icon.layerCount > GlassIcon.mostLayers {
          throw FormatError(
            .number(
              "the number of layers of an icon", found: icon.layerCount,
              expected: "at most \(GlassIcon.mostLayers)"), at: group.bytes.origin)
        }
      default:
        guard let name = names[row.target] else { continue }
        if icon.background == nil { icon.background = try paint(name) }
      }
    }
    icon.show(stack.style)
    return (icon, found.pictures)
  }

  /// Draws a stack. Returns nil if a vector in it cannot be drawn.
  package func bitmap(
    of stack: Stack, side: Int, hasGlass: Bool, _ allowance: PictureAllowance
  ) throws(FormatError) -> Bitmap? {
    var (icon, pictures) = try icon(of: stack, allowance)
    icon.hasGlass = hasGlass
    try allowance.pay(4 * side * side * (icon.layerCount + 1))
    var renderer = GlassRenderer(icon, pictures: pictures)
    var rasterizer = Rasterizer()
    return try? renderer.bitmap(side: side, &rasterizer)
  }

  /// The pictures of one stack, each once.
  private struct FoundPictures {
    var pictures: [GlassPicture] = []
    var numbers: [UInt16: Int] = [:]
    let budget = SharedBudget()
  }

  private func group(
    _ row: LayerRow, _ rendition: Rendition, _ found: inout FoundPictures,
    _ allowance: PictureAllowance
  ) throws(FormatError) -> GlassGroup {
    var group = GlassGroup(
      opacity: row.reference.opacity, blendMode: row.reference.blendMode, row.attributes,
      row.effects)
    for row in try rendition.layerRows(atMost: GlassIcon.mostLayers) {
      let identifier = row.target.identifier
      guard let number = try picture(identifier, &found, allowance) else { continue }
      var layer = GlassLayer(
        picture: number, x: Double(row.reference.x), y: Double(row.reference.y),
        width: Double(row.reference.width), height: Double(row.reference.height))
      layer.set(
        opacity: row.reference.opacity, blendMode: row.reference.blendMode, row.attributes)
      if let fill = row.attributes?.fill, !fill.isEmpty { layer.fill = try paint(fill) }
      group.layers.append(layer)
    }
    return group
  }

  /// Returns the number of a picture; nil if the archive has no such picture, or one that is not
  /// decoded.
  private func picture(
    _ identifier: UInt16, _ found: inout FoundPictures, _ allowance: PictureAllowance
  ) throws(FormatError) -> Int? {
    if let known = found.numbers[identifier] { return known }
    guard let rendition = pictures[identifier],
      let picture = try GlassPicture(rendition, allowance, found.budget)
    else { return nil }
    found.pictures.append(picture)
    found.numbers[identifier] = found.pictures.count - 1
    return found.pictures.count - 1
  }

  // MARK: Paints

  private func paint(_ name: ByteString) throws(FormatError) -> GlassPaint? {
    guard let rendition = paints[name] else { return nil }
    if let color = try ColorPayload(rendition.payload) { return .color(GlassColor(color)) }
    guard let gradient = try GradientPayload(rendition.payload) else { return nil }
    let colors = try gradient.stops.map { (stop) throws(FormatError) -> GlassColor? in
      let payload = try paints[stop.color].map(LayeredIcons.color) ?? nil
      return payload.map { GlassColor($0) }
    }
    return GlassPaint(gradient, colors: colors)
  }

  private static func color(_ rendition: Rendition) throws(FormatError) -> ColorPayload? {
    try ColorPayload(rendition.payload)
  }
}

extension GlassPicture {
  /// Reads the picture of a layer; nil if it is neither drawn nor decoded.
  fileprivate init?(
    _ rendition: Rendition, _ allowance: PictureAllowance, _ budget: SharedBudget
  ) throws(FormatError) {
    if rendition.isVectorFile {
      try allowance.pay(rendition.fileMemory)
      guard let file = try? rendition.fileContents(), let vector = try? VectorPicture(file, budget)
      else {
        return nil
      }
      self = .vector(vector)
    } else {
      try allowance.pay(for: rendition)
      guard let bitmap = try Bitmap(rendition) else { return nil }
      self = .bitmap(bitmap)
    }
  }
}

extension GlassIcon {
  /// Shows the icon as systems do in a look.
  fileprivate mutating func show(_ style: Style) {
    switch style {
    case .dark: show(GlassLook.dark)
    case .tinted: show(GlassLook.tinted)
    case .any, .light: break
    }
  }
}

extension Rendition {
  /// Whether the rendition is a bitmap of its own.
  fileprivate var isPicture: Bool { header.layout == .onePartScale }
}
