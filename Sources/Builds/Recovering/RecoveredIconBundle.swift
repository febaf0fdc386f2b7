// The layered icons of recovered catalogues: an icon.json and the pictures of its layers, from the
// stacks, groups, colours and gradients of an archive. Positions of groups become part of those of
// their layers.

import Archive
import ArchiveTools
import Bytes
import CatalogModel
import Documents
import Traits

/// The greatest number of layers of a group, and of groups of an icon; real icons have some ten.
private let mostLayers = 200

/// A row of a stack or a group, with the fill of a layer.
private struct IconRow {
  var row: LayerRow
  var attributes: LayerAttributes
  var effects: LayerEffects
  /// The fill of a layer; nil if it shows its own colours.
  var fill: JSONValue?

  var reference: LayerReference { row.reference }
  var target: RenditionKey { row.target }
  var refraction: LayerRefraction? { row.refraction }
}

/// A layer of a group, with its row and its picture in each look that shows it.
private struct IconLayerDraft {
  var rows: [IconLook: IconRow] = [:]
  /// The numbers of the files.
  var pictures: [IconLook: Int] = [:]
}

private struct IconGroupDraft {
  var name: ByteString
  var rows: [IconLook: IconRow] = [:]
  /// The layers from front to back.
  var layers: [IconLayerDraft] = []
}

/// A layered icon while its document is made.
private struct IconDraft {
  var backgrounds: [IconLook: JSONValue] = [:]
  /// The groups from front to back.
  var groups: [IconGroupDraft] = []
  var files: [FileDraft] = []
  /// The sizes of the pictures on the canvas, by the numbers of their files.
  var sizes: [(width: Double, height: Double)] = []
  var fileNumbers: [ByteString: Int] = [:]
  /// The names of its parts: groups, pictures and paints.
  var parts: Set<ByteString> = []
}

extension CatalogRecovery {
  /// Makes a layered icon, if the name has the stack of one.
  mutating func recoverIconBundle(_ name: ByteString) {
    var stacks: [IconLook: RecoveredVariant] = [:]
    for variant in assets[name] ?? [] where variant.header.layout == .iconStack {
      if let look = IconLook(variant.variant.style) { stacks[look] = stacks[look] ?? variant }
    }
    if stacks.isEmpty { return }
    var icon = IconDraft()
    for look in IconLook.allCases {
      guard let stack = stacks[look] else { continue }
      do throws(FormatError) { try add(stack, look, of: name, to: &icon) } catch {
        report.add(name, look.rawValue, "\(error)", isDamage: true)
      }
    }
    if icon.groups.isEmpty && icon.backgrounds.isEmpty { return }
    take(name, icon)
    let isPlain = !name.contains(UInt8(ascii: "/"))
    let place = places.folder(for: name, .iconBundle, below: isPlain ? "" : RecoveredPlaces.catalog)
    if let other = place.otherName {
      report.add(name, "", "no folder can have this name; the icon is called \(quoted(other))")
    }
    report.sets[.iconBundle, default: 0] += 1
    report.hasIcons = true
    if assets[name]?.contains(where: { $0.key.part == Part.icon }) == true {
      report.hasIconBitmaps = true
    }
    if isPlain || place.otherName != nil { report.icons.append(place.folder) }
    let platforms: [JSONMember] =
      (platform == .watchOS ? [JSONMember(key: "circles", value: .array([.text("watchOS")]))] : [])
      + [JSONMember(key: "squares", value: .text("shared"))]
    var draft = SetDraft(name: name, folder: place.folder, files: icon.files) { [icon] names in
      icon.document(names, platforms)
    }
    draft.fileFolder = joined(place.folder, "Assets")
    draft.documentName = "icon.json"
    drafts.append(draft)
  }

  /// Takes the parts of an icon, which need no sets of their own. The bitmaps and their tables
  /// stay.
  private mutating func take(_ name: ByteString, _ icon: IconDraft) {
    taken.formUnion(icon.parts)
    // Colours that nothing shows are parts, too; tools number them.
    let folders = Set(icon.parts.map { parentFolder($0) }).subtracting(["."])
    for other in assets.keys where folders.contains(parentFolder(other)) {
      if other.hasPaintName { taken.insert(other) }
    }
    let usual: ByteString = name + "_Assets"
    if icon.parts.contains(where: { !$0.isInside(usual) && $0.isInside(name) && $0.hasPaintName }) {
      report.add(name, "", "an early tool gave the parts of the icon other names")
    }
    divided.insert(name)
  }

  private mutating func add(
    _ stack: RecoveredVariant, _ look: IconLook, of name: ByteString, to icon: inout IconDraft
  ) throws(FormatError) {
    var groups: [(name: ByteString, row: IconRow, layers: [IconRow])] = []
    for row in try rows(of: stack.rendition) {
      guard let facet = names[row.target] else { continue }
      icon.parts.insert(facet)
      guard row.target.part == Part.iconGroup else {
        if icon.backgrounds[look] == nil { icon.backgrounds[look] = paint(facet, in: assets) }
        continue
      }
      var all = IconGroups()
      for variant in assets[facet] ?? [] where variant.header.layout == .iconGroup {
        all.add(variant.rendition, for: variant.variant.style)
      }
      guard let group = all.group(for: stack.variant.style) else { continue }
      // The name of a group follows the name of its icon.
      let own = facet.relative(to: name) ?? facet
      groups.append((own, row, try rows(of: group)))
    }
    // Archives list rows from back to front, documents from front to back.
    for (place, group) in groups.reversed().enumerated() {
      var number = icon.groups.firstIndex { $0.name == group.name }
      if number == nil {
        let new = min(place, icon.groups.count)
        icon.groups.insert(IconGroupDraft(name: group.name), at: new)
        number = new
      }
      guard let number else { continue }
      icon.groups[number].rows[look] = group.row
      var drafts = icon.groups[number].layers
      add(group.layers.reversed(), look, name, to: &drafts, &icon)
      icon.groups[number].layers = drafts
    }
  }

  /// Adds the rows of a group in a look to its layers. A row belongs to the layer at its place if
  /// the looks have as many layers, otherwise to the next layer with its picture.
  private mutating func add(
    _ rows: [IconRow], _ look: IconLook, _ name: ByteString, to layers: inout [IconLayerDraft],
    _ icon: inout IconDraft
  ) {
    let isAligned = layers.count == rows.count
    var next = 0
    for (place, row) in rows.enumerated() {
      guard let file = picture(of: row, name, &icon) else { continue }
      var found: Int? = isAligned ? place : nil
      if !isAligned {
        found = layers.indices.first {
          $0 >= next && layers[$0].rows[look] == nil && layers[$0].pictures.values.contains(file)
        }
      }
      if found == nil {
        layers.insert(IconLayerDraft(), at: min(next, layers.count))
        found = min(next, layers.count - 1)
      }
      guard let found, found < layers.count else { continue }
      layers[found].rows[look] = row
      layers[found].pictures[look] = file
      next = found + 1
    }
  }

  /// Returns the number of the file of a layer's picture.
  private mutating func picture(
    of row: IconRow, _ name: ByteString, _ icon: inout IconDraft
  ) -> Int? {
    if !row.attributes.fill.isEmpty { icon.parts.insert(row.attributes.fill) }
    guard let facet = names[row.target], let all = assets[facet] else {
      report.add(name, "", "the picture of a layer is not in the archive")
      return nil
    }
    if let known = icon.fileNumbers[facet] { return known }
    icon.parts.insert(facet)
    let pictures = all.filter { $0.key.part == Part.regular }
    // A picture with wide colours has a second rendition without them, which is made of it.
    let picture = pictures.first { $0.variant.gamut == .p3 } ?? pictures.first
    guard let picture, var file = file(picture, words: []) else {
      report.add(name, "", "the picture \(quoted(facet)) of a layer cannot be made")
      return nil
    }
    let ending = pathExtension(file.name)
    file.name = RecoveredPlaces.safe(facet.components.last ?? "image") + "." + ending
    file.stated = nil
    var size = (width: Double(picture.size.width), height: Double(picture.size.height))
    if picture.rendition.isVectorFile {
      guard let page = (try? facts.pageSize(of: picture.rendition)) ?? nil else {
        report.add(name, "", "the picture \(quoted(facet)) of a layer cannot be read")
        return nil
      }
      size = page
    }
    guard size.width > 0, size.height > 0 else { return nil }
    icon.files.append(file)
    icon.sizes.append(size)
    icon.fileNumbers[facet] = icon.files.count - 1
    return icon.files.count - 1
  }

  private func rows(of rendition: Rendition) throws(FormatError) -> [IconRow] {
    try facts.payForReading(rendition.properties.count)
    return try rendition.layerRows(atMost: mostLayers).map { row in
      let attributes = row.attributes ?? LayerAttributes()
      return IconRow(
        row: row, attributes: attributes, effects: row.effects ?? LayerEffects(),
        fill: attributes.fill.isEmpty ? nil : paint(attributes.fill, in: assets))
    }
  }
}

// MARK: - Paints

/// Returns a colour or a gradient as a fill of a document; nil if documents have no words for it.
private func paint(_ facet: ByteString, in assets: [ByteString: [RecoveredVariant]]) -> JSONValue? {
  for variant in assets[facet] ?? [] {
    if let color = (try? ColorPayload(variant.rendition.payload)) ?? nil {
      return text(of: color).map { .object([JSONMember(key: "solid", value: .text($0))]) }
    }
    guard let gradient = (try? GradientPayload(variant.rendition.payload)) ?? nil else { continue }
    return fill(gradient, in: assets)
  }
  return nil
}

private func fill(
  _ gradient: GradientPayload, in assets: [ByteString: [RecoveredVariant]]
) -> JSONValue? {
  let colors = gradient.stops.compactMap { stop -> String? in
    for variant in assets[stop.color] ?? [] {
      if let color = (try? ColorPayload(variant.rendition.payload)) ?? nil {
        return text(of: color)
      }
    }
    return nil
  }
  guard colors.count == gradient.stops.count, let first = colors.first else { return nil }
  if gradient.style == .automatic {
    return .object([JSONMember(key: "automatic-gradient", value: .text(first))])
  }
  let ends = [gradient.startX, gradient.startY, gradient.endX, gradient.endY]
  if ends == [0.5, 0, 0.5, 1] {
    if colors == ["gray:1.00000,1.00000", "gray:0.92500,1.00000"] { return .text("system-light") }
    if colors == ["gray:0.19200,1.00000", "gray:0.07800,1.00000"] { return .text("system-dark") }
  }
  func point(_ x: Float, _ y: Float) -> JSONValue {
    .object([
      JSONMember(key: "x", value: .decimal(Double("\(x)") ?? 0)),
      JSONMember(key: "y", value: .decimal(Double("\(y)") ?? 0)),
    ])
  }
  return .object([
    JSONMember(key: "linear-gradient", value: .array(colors.map { .text($0) })),
    JSONMember(
      key: "orientation",
      value: .object([
        JSONMember(key: "start", value: point(gradient.startX, gradient.startY)),
        JSONMember(key: "stop", value: point(gradient.endX, gradient.endY)),
      ])),
  ])
}

/// Returns a colour as documents write it; nil if they have no words for its space.
private func text(of color: ColorPayload) -> String? {
  let space: IconColor.Space
  switch color.space {
  case .sRGB: space = .sRGB
  case .grayGamma22: space = .gray
  case .displayP3: space = .displayP3
  case .extendedSRGB: space = .extendedSRGB
  case .extendedGray: space = .extendedGray
  default: return nil
  }
  guard color.components.count == (space.isGray ? 2 : 4),
    color.components.allSatisfy({ $0.isFinite && abs($0) <= 1000 })
  else { return nil }
  return "\(space.rawValue):" + color.components.map { fiveDecimals($0) }.joined(separator: ",")
}

private func fiveDecimals(_ number: Double) -> String {
  let whole = Int((number * 100_000).rounded())
  let digits = "\(abs(whole) % 100_000)"
  return (whole < 0 ? "-" : "") + "\(abs(whole) / 100_000)."
    + String(repeating: "0", count: 5 - digits.count) + digits
}

extension IconLook {
  /// The look of a style of archives.
  fileprivate init?(_ style: Style) {
    switch style {
    case .any, .light: self = .light
    case .dark: self = .dark
    case .tinted: self = .tinted
    }
  }
}

// MARK: - Documents

extension IconDraft {
  /// Returns the icon.json. The names are those of the files of the pictures.
  func document(_ names: [ByteString?], _ platforms: [JSONMember]) -> JSONValue {
    var members = backgroundMembers
    members.append(
      JSONMember(key: "groups", value: .array(groups.map { $0.document(names, sizes, looks) })))
    members.append(JSONMember(key: "supported-platforms", value: .object(platforms)))
    return .object(members)
  }

  /// The looks that the archive has.
  private var looks: [IconLook] {
    IconLook.allCases.filter { look in
      backgrounds[look] != nil || groups.contains { $0.rows[look] != nil }
    }
  }

  /// The members for the background. That of the dark look is always stated, because another rule
  /// would also fill white layers.
  private var backgroundMembers: [JSONMember] {
    var rows: [JSONValue] = []
    if let light = backgrounds[.light] { rows.append(specialization(nil, light)) }
    if let dark = backgrounds[.dark] { rows.append(specialization(.dark, dark)) }
    if let tinted = backgrounds[.tinted], tinted != backgrounds[.light] {
      rows.append(specialization(.tinted, tinted))
    }
    return rows.isEmpty ? [] : [JSONMember(key: "fill-specializations", value: .array(rows))]
  }
}

private func specialization(_ look: IconLook?, _ value: JSONValue) -> JSONValue {
  .object(
    (look.map { [JSONMember(key: "appearance", value: .text($0.rawValue))] } ?? [])
      + [JSONMember(key: "value", value: value)])
}

/// Returns the members for a value that may differ between looks. A look without a row of its own
/// has the value of the light look.
private func specialized(
  _ key: ByteString, _ values: [IconLook: JSONValue]
) -> [JSONMember] {
  let light = values[.light]
  let others = [IconLook.dark, .tinted].filter { values[$0] != nil && values[$0] != light }
  if others.isEmpty { return light.map { [JSONMember(key: key, value: $0)] } ?? [] }
  var rows: [JSONValue] = light.map { [specialization(nil, $0)] } ?? []
  for look in others {
    if let value = values[look] { rows.append(specialization(look, value)) }
  }
  return [JSONMember(key: key + "-specializations", value: .array(rows))]
}

extension IconGroupDraft {
  func document(
    _ names: [ByteString?], _ sizes: [(width: Double, height: Double)], _ looks: [IconLook]
  ) -> JSONValue {
    var members = [JSONMember(key: "name", value: .string(name))]
    func add(_ key: ByteString, _ value: (IconRow) -> JSONValue) {
      members += specialized(key, rows.mapValues(value))
    }
    add("blend-mode") { blendMode($0.reference.blendMode) }
    add("opacity") { .decimal(decimal($0.reference.opacity)) }
    add("lighting") { .text($0.attributes.bits & 2 != 0 ? "individual" : "combined") }
    add("blur-material") { $0.attributes.blur == 0 ? .null : .decimal(decimal($0.attributes.blur)) }
    add("specular") { row in
      if !row.effects.isSpecular { return .bool(false) }
      return row.effects.placement == 1
        ? .text("inside") : row.effects.placement == 2 ? .text("outside") : .bool(true)
    }
    add("translucency") { row in
      .object([
        JSONMember(key: "enabled", value: .bool(row.effects.translucency > 0)),
        JSONMember(key: "value", value: .decimal(decimal(row.effects.translucency))),
      ])
    }
    add("shadow") { row in
      let kinds = ["none", "automatic", "layer-color", "neutral"]
      let number = Int(row.effects.shadow)
      return .object([
        JSONMember(key: "kind", value: .text(number < kinds.count ? kinds[number] : "neutral")),
        JSONMember(key: "opacity", value: .decimal(decimal(row.effects.shadowOpacity))),
      ])
    }
    if rows.values.contains(where: { ($0.refraction ?? LayerRefraction()) != LayerRefraction() }) {
      add("refractivity") { row in
        let refraction = row.refraction ?? LayerRefraction()
        return .object([
          JSONMember(key: "enabled", value: .bool(refraction != LayerRefraction())),
          JSONMember(key: "strength", value: .decimal(decimal(refraction.strength))),
          JSONMember(key: "depth", value: .decimal(decimal(refraction.depth))),
        ])
      }
    }
    members += hiddenMembers(Set(rows.keys), looks)
    let layers = layers.compactMap { $0.document(names, sizes, looks.filter { rows[$0] != nil }) }
    members.append(JSONMember(key: "layers", value: .array(layers)))
    return .object(members)
  }
}

/// Returns the members that hide a group or a layer in the looks that do not show it.
private func hiddenMembers(_ shown: Set<IconLook>, _ looks: [IconLook]) -> [JSONMember] {
  if looks.allSatisfy(shown.contains) { return [] }
  var values: [IconLook: JSONValue] = [:]
  for look in looks { values[look] = .bool(!shown.contains(look)) }
  return specialized("hidden", values)
}

extension IconLayerDraft {
  func document(
    _ names: [ByteString?], _ sizes: [(width: Double, height: Double)], _ looks: [IconLook]
  ) -> JSONValue? {
    let images = pictures.compactMapValues { names[$0].map { JSONValue.string($0) } }
    if images.isEmpty { return nil }
    let first = pictures[.light] ?? pictures.values.min() ?? 0
    var members = [
      JSONMember(key: "name", value: .string(withoutExtension(names[first] ?? "Layer")))
    ]
    func add(_ key: ByteString, _ value: (IconRow) -> JSONValue) {
      members += specialized(key, rows.mapValues(value))
    }
    members += specialized("image-name", images)
    add("glass") { .bool($0.attributes.bits & 1 != 0) }
    add("blend-mode") { blendMode($0.reference.blendMode) }
    add("opacity") { .decimal(decimal($0.reference.opacity)) }
    if rows.values.contains(where: { $0.fill != nil }) {
      add("fill") { $0.fill ?? .text("none") }
    }
    var positions: [IconLook: JSONValue] = [:]
    for (look, row) in rows {
      if let file = pictures[look] { positions[look] = position(row.reference, sizes[file]) }
    }
    members += specialized("position", positions)
    members += hiddenMembers(Set(rows.keys), looks)
    return .object(members)
  }
}

private func blendMode(_ number: UInt32) -> JSONValue {
  .text((IconBlendMode.allCases.first { $0.number == number } ?? .normal).rawValue)
}

/// Returns a number of single precision as a decimal number with the fewest digits.
private func decimal(_ number: Float) -> Double { Double("\(number)") ?? 0 }

/// Returns the position of a picture whose frame on the canvas of 1,024 units is known. Of all
/// positions that give this frame it is the one with the fewest digits.
private func position(
  _ frame: LayerReference, _ size: (width: Double, height: Double)
) -> JSONValue {
  let (across, down) = (Double(frame.width), Double(frame.height))
  var lower = max((across - 0.5) / size.width, (down - 0.5) / size.height)
  var upper = min((across + 0.5) / size.width, (down + 0.5) / size.height)
  if lower >= upper {
    (lower, upper) = ((across - 0.5) / size.width, (across + 0.5) / size.width)
  }
  let scale = min(max(lower < 1 && 1 < upper ? 1 : shortest(lower, upper), 0.001), 1000)
  func offset(_ start: Int32, _ length: Double) -> Double {
    let centered = (1024 - length * scale) / 2
    return shortest(Double(start) - centered, Double(start) + 1 - centered)
  }
  return .object([
    JSONMember(key: "scale", value: .decimal(scale)),
    JSONMember(
      key: "translation-in-points",
      value: .array([
        .decimal(offset(frame.x, size.width)), .decimal(offset(frame.y, size.height)),
      ])),
  ])
}

/// Returns the number with the fewest decimals between two others, not too near to either.
private func shortest(_ lower: Double, _ upper: Double) -> Double {
  let margin = (upper - lower) / 1000
  if lower + margin <= 0, 0 <= upper - margin { return 0 }
  var factor = 1.0
  while factor < 1e9 {
    let candidate = ((lower + margin) * factor).rounded(.up) / factor
    if candidate <= upper - margin { return candidate }
    factor *= 10
  }
  return (lower + upper) / 2
}
