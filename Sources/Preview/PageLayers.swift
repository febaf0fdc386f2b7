// The separate layers of icons and of image stacks, which an archive stores beside the picture that
// they form together.

import Archive
import ArchiveTools
import Bytes
import CarveRuntime
import Documents
import Traits

/// A layer or a group of layers.
private struct PageLayer {
  var name: ByteString
  var depth: Int
  var row: LayerRow
}

struct PageLayers {
  private let names: FacetNames
  private let words: KeyWords
  private let catalog: Catalog
  private let numbers: VariantNumbers
  private var stacks: [ByteString: [(key: RenditionKey, rendition: Rendition)]] = [:]
  /// The layered icons as values; nil if they cannot be read.
  let icons: LayeredIcons?
  private var groups: [ByteString: IconGroups] = [:]
  private var gradients: [ByteString: GradientPayload] = [:]

  /// The depth to which groups inside groups are followed.
  private static let mostDepth = 8
  /// The number of layers of one stack that are listed.
  private static let mostLayers = 256

  init?(_ archive: Archive, _ catalog: Catalog) {
    guard let names = try? FacetNames(of: archive), let words = try? KeyWords(of: archive),
      let numbers = try? VariantNumbers(of: archive), let found = try? archive.readableRenditions()
    else { return nil }
    self.names = names
    self.words = words
    self.numbers = numbers
    self.catalog = catalog
    icons = try? LayeredIcons(archive)
    for (entry, rendition) in found.readable {
      guard let name = names[entry.key] else { continue }
      switch rendition.header.layout {
      case .iconStack, .layerStack, .solidStack:
        stacks[name, default: []].append((entry.key, rendition))
      case .iconGroup:
        groups[name, default: IconGroups()].add(rendition, for: style(of: entry.key))
      case .namedGradient, .gradient:
        let gradient = (try? GradientPayload(rendition.payload)) ?? nil
        gradients[name] = gradients[name] ?? gradient
      default: break
      }
    }
  }

  private func style(of key: RenditionKey) -> Style { numbers.variant(of: key)?.style ?? .any }

  /// The pictures of layered icons: each look with and without glass.
  var requests: [PictureRequest] {
    (0..<min(icons?.stacks.count ?? 0, PageLayers.mostIcons)).flatMap {
      [PictureRequest.icon($0, hasGlass: true), .icon($0, hasGlass: false)]
    }
  }

  /// The number of looks of layered icons that are drawn.
  private static let mostIcons = 256

  /// Returns the stacks of a name, one for each look; nil if the name has none.
  func json(of name: ByteString) -> JSONOutput? {
    guard let stacks = stacks[name] else { return nil }
    let list = stacks.map { key, rendition -> JSONOutput in
      var layers: [PageLayer] = []
      add(rendition, look: style(of: key), depth: 0, to: &layers)
      let title = words.words(for: key).joined(separator: ", ")
      return ["title": .string(title), "layers": .array(layers.map(json))]
    }
    return .array(list)
  }

  /// Returns the pictures of a layered icon in every look; nil if the name has no picture.
  func looks(of name: ByteString, _ pictures: PagePictures) -> JSONOutput? {
    var looks: [JSONOutput] = []
    for (number, stack) in (icons?.stacks ?? []).enumerated() where stack.name == name {
      guard case .success(let glass)? = pictures[.icon(number, hasGlass: true)],
        case .success(let plain)? = pictures[.icon(number, hasGlass: false)]
      else { continue }
      let look = stack.style == .any ? "light" : "\(stack.style)"
      looks.append(["look": .string(look), "glass": .integer(glass), "plain": .integer(plain)])
    }
    return looks.isEmpty ? nil : .array(looks)
  }

  private func add(
    _ rendition: Rendition, look: Style, depth: Int, to layers: inout [PageLayer]
  ) {
    for row in (try? rendition.layerRows(atMost: PageLayers.mostLayers)) ?? [] {
      guard layers.count < PageLayers.mostLayers else { return }
      let name = names[row.target] ?? ""
      layers.append(PageLayer(name: name, depth: depth, row: row))
      if depth < PageLayers.mostDepth, row.target.part == Part.iconGroup,
        let group = groups[name]?.group(for: look)
      {
        add(group, look: look, depth: depth + 1, to: &layers)
      }
    }
  }

  private func json(_ layer: PageLayer) -> JSONOutput {
    let (row, target) = (layer.row, layer.row.target)
    var members: [JSONOutput.Member] = [
      .init("n", .name(layer.name)), .init("depth", .integer(layer.depth)),
      .init("kind", .string(PageLayers.kind(target))),
      .init("opacity", .number(Double(row.reference.opacity))),
    ]
    let assetKind = target.part == Part.color ? "color" : "image"
    members.append(.init("id", .string("\(assetKind):\(layer.name)")))
    if row.reference.width > 0 {
      members += [
        .init("w", .integer(Int(row.reference.width))),
        .init("h", .integer(Int(row.reference.height))),
      ]
    }
    if row.reference.blendMode != 0 {
      members.append(.init("blend", .string("mode \(row.reference.blendMode)")))
    }
    if let attributes = row.attributes {
      if attributes.bits & 1 != 0 { members.append(.init("glass", true)) }
      if !attributes.fill.isEmpty { members.append(.init("fill", .name(attributes.fill))) }
    }
    if let effects = row.effects, effects.shadow != 0 {
      let share = Int((Double(effects.shadowOpacity) * 100).rounded())
      members.append(.init("shadow", .string("\(share) %")))
    }
    if let effects = row.effects, effects.placement != 0 {
      members.append(.init("light", .string(effects.placement == 1 ? "inside" : "outside")))
    }
    if let refraction = row.refraction, refraction.strength != 0 || refraction.depth != 0 {
      let (strength, depth) = (Double(refraction.strength), Double(refraction.depth))
      members.append(.init("refraction", .string("\(brief(strength)), depth \(brief(depth))")))
    }
    if let gradient = gradients[layer.name] { members.append(.init("g", json(gradient))) }
    return .object(members)
  }

  private func json(_ gradient: GradientPayload) -> JSONOutput {
    let stops = gradient.stops.map { stop -> JSONOutput in
      let shown = catalog.view(for: Traits.Environment()).find(stop.color.text, .color)
      let color = shown.flatMap { try? catalog.color(of: $0) }
      return [
        "at": .number(Double(stop.position)),
        "css": .string(color.map { PageColor(value: $0).css } ?? "transparent"),
      ]
    }
    return [
      "start": [.number(Double(gradient.startX)), .number(Double(gradient.startY))],
      "end": [.number(Double(gradient.endX)), .number(Double(gradient.endY))],
      "stops": .array(stops),
    ]
  }

  private static func kind(_ key: RenditionKey) -> String {
    switch key.part {
    case Part.iconGroup: "group"
    case Part.gradient: "gradient"
    case Part.color: "colour"
    default: "picture"
    }
  }
}
