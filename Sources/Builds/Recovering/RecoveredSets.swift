// The sets of recovered catalogues: image sets with their slots, slices and insets; colour sets,
// data sets and app icon sets.

import Archive
import ArchiveTools
import Bytes
import CatalogCompiler
import CatalogModel
import Documents
import Traits

// MARK: - Pictures

extension CatalogRecovery {
  /// Makes an image set.
  mutating func recoverImages(_ name: ByteString, _ all: [RecoveredVariant]) {
    let folder = folder(of: name, .imageSet)
    report.sets[.imageSet, default: 0] += 1
    addImages(name, withoutNewerDoubles(all), in: folder)
  }

  /// Adds the draft of an image set in a folder.
  mutating func addImages(
    _ name: ByteString, _ variants: [RecoveredVariant], in folder: ByteString
  ) {
    var rows: [(members: [JSONMember], file: Int?)] = []
    var files: [FileDraft] = []
    report.hasVectors = report.hasVectors || variants.contains { $0.header.layout == .vector }
    for group in RecoveredGroup.groups(of: variants) {
      let drawn = drawings(of: group, name)
      for picture in group.pictures where !drawn.places.contains(picture.key) {
        addPicture(picture, name, &rows, &files)
      }
      guard let vector = group.vector, var members = slot(vector, name),
        var file = file(vector, words: ["vector"])
      else { continue }
      // Some tools store the name of the file only with its bitmaps.
      if let stated = drawn.sample?.header.name, pathExtension(vector.header.name).isEmpty,
        pathExtension(stated) == pathExtension(file.name)
      {
        file.name = RecoveredPlaces.safe(lastComponent(stated))
      }
      if drawn.slot > 1 {
        members.append(JSONMember(key: "scale", value: .text("\(drawn.slot)x")))
      }
      members += geometry(of: drawn.sample, name, factor: drawn.factor)
      rows.append((members, files.count))
      files.append(file)
    }
    let properties = properties(of: variants, name)
    drafts.append(
      SetDraft(name: name, folder: folder, files: files) { [rows] names in
        contents("images", entries(rows, names), properties)
      })
  }

  private mutating func addPicture(
    _ picture: RecoveredVariant, _ name: ByteString,
    _ rows: inout [(members: [JSONMember], file: Int?)], _ files: inout [FileDraft]
  ) {
    guard var members = slot(picture, name) else { return }
    let scale = picture.variant.scale
    guard (1...3).contains(scale) else {
      return remark(picture, name, "catalogues have no pictures of the scale \(scale)")
    }
    members.append(JSONMember(key: "scale", value: .text("\(scale)x")))
    if picture.header.layout == .thinningPlaceholder {
      members.append(JSONMember(key: "no-content", value: .bool(true)))
      rows.append((members, nil))
      return
    }
    guard let file = file(picture, words: picture.fileWords) else {
      return remark(picture, name, "it has no pixels and no file")
    }
    members += geometry(of: picture, name, factor: 1)
    rows.append((members, files.count))
    files.append(file)
  }

  /// The bitmaps of a group that the compiler draws of the group's vector.
  private struct Drawings {
    /// The keys of these bitmaps.
    var places: Set<RenditionKey> = []
    /// The scale of the slot in which the vector lies.
    var slot: UInt8 = 1
    /// A bitmap that shows the slices and the insets, and the factor from it to the slot.
    var sample: RecoveredVariant?
    var factor = 1.0
  }

  /// Finds the bitmaps that the compiler draws again, and the scale of their vector's slot.
  private mutating func drawings(of group: RecoveredGroup, _ name: ByteString) -> Drawings {
    var drawings = Drawings()
    let bitmaps = group.pictures.filter { $0.header.flags.contains(.vector) }
    guard let vector = group.vector else {
      for bitmap in bitmaps {
        remark(bitmap, name, "the vector of the bitmap is not in the archive")
      }
      return drawings
    }
    guard let page = (try? facts.pageSize(of: vector.rendition)) ?? nil else {
      remark(vector, name, "the vector cannot be read, so its bitmaps are files of their own")
      return drawings
    }
    let missing = target.platform.vectorScales.filter { scale in
      !group.pictures.contains { $0.variant.scale == scale }
    }
    if !missing.isEmpty {
      remark(
        vector, name, "the compiler draws bitmaps of a vector at scales that the archive lacks")
    }
    let slot = (1...3 as ClosedRange<UInt8>).first { slot in
      bitmaps.allSatisfy { bitmap in
        let factor = Double(bitmap.variant.scale) / Double(slot)
        let (width, height) = bitmap.size
        return abs(page.width * factor - Double(width)) <= 1.5
          && abs(page.height * factor - Double(height)) <= 1.5
      }
    }
    guard let slot else {
      remark(
        vector, name, "its bitmaps have other sizes than its page; they are files of their own")
      return drawings
    }
    drawings.slot = slot
    drawings.places = Set(bitmaps.map(\.key))
    drawings.sample = bitmaps.first { $0.variant.scale == slot } ?? bitmaps.last
    if let scale = drawings.sample?.variant.scale, scale > 0 {
      drawings.factor = Double(slot) / Double(scale)
    }
    return drawings
  }

  /// Returns the members of an entry for the slices and the insets of a picture.
  private mutating func geometry(
    of picture: RecoveredVariant?, _ name: ByteString, factor: Double
  ) -> [JSONMember] {
    guard let picture else { return [] }
    var members: [JSONMember] = []
    do throws(FormatError) {
      if let metrics = try picture.rendition.metrics().first {
        let sides: [(ByteString, Int32)] = [
          ("top", metrics.top), ("left", metrics.left), ("bottom", metrics.bottom),
          ("right", metrics.right),
        ]
        if sides.contains(where: { $0.1 != 0 }) {
          members.append(JSONMember(key: "alignment-insets", value: lengths(sides, factor)))
        }
      }
      let slices = try picture.rendition.slices()
      if let resizing = Resizing(slices: slices, picture.layout) {
        members.append(JSONMember(key: "resizing", value: resizing.document(factor)))
      }
      if factor == 1, !picture.hasStatedParts(slices) {
        remark(picture, name, "no entry of a catalogue has its slices")
      }
    } catch {
      report.add(name, words(picture), "\(error)", isDamage: true)
    }
    return members
  }

  /// Returns the properties of an image set: whether it is a template and keeps its vector.
  private mutating func properties(
    of variants: [RecoveredVariant], _ name: ByteString
  ) -> [JSONMember] {
    var members: [JSONMember] = []
    let flagged = variants.filter {
      $0.header.layout != .vector && $0.header.layout != .thinningPlaceholder
    }
    let intents = flagged.map { $0.header.flags.intersection([.template, .automatic]) }
    let intent = intents.first ?? .automatic
    if intent != .automatic {
      members.append(
        JSONMember(
          key: "template-rendering-intent",
          value: .text(intent.contains(.template) ? "template" : "original")))
    }
    for (variant, own) in zip(flagged, intents) {
      if own != intent { remark(variant, name, "its set has another rendering intent") }
      let known: RenditionFlags = [.template, .automatic, .vector, .preservesVector, .flippable]
      let isFlippable = variant.header.flags.contains(.flippable)
      if !variant.header.flags.isSubset(of: known)
        || isFlippable != (variant.variant.direction != .none)
      {
        remark(variant, name, "catalogues have no words for its flags")
      }
    }
    if variants.contains(where: { $0.key.part == Part.vector }) {
      members.append(JSONMember(key: "preserves-vector-representation", value: .bool(true)))
    }
    if variants.contains(where: { $0.variant.locale != 0 }) {
      members.append(JSONMember(key: "localizable", value: .bool(true)))
    }
    return members
  }
}

/// The renditions of an image set whose keys differ only in the scale.
private struct RecoveredGroup {
  var pictures: [RecoveredVariant] = []
  var vector: RecoveredVariant?

  static func groups(of variants: [RecoveredVariant]) -> [RecoveredGroup] {
    var places: [VariantKey: Int] = [:]
    var groups: [RecoveredGroup] = []
    for variant in variants {
      var key = variant.variant
      (key.scale, key.osGeneration) = (0, 0)
      let place = places[key] ?? groups.count
      if place == groups.count {
        places[key] = place
        groups.append(RecoveredGroup())
      }
      if variant.header.layout == .vector {
        groups[place].vector = groups[place].vector ?? variant
      } else {
        groups[place].pictures.append(variant)
      }
    }
    return groups
  }
}

extension RecoveredVariant {
  /// The words that distinguish the picture's file from others of one name.
  fileprivate var fileWords: [String] {
    let key = variant
    var words: [String] = []
    if key.style != .any { words.append(key.style.name) }
    if key.contrast != .normal { words.append("contrast") }
    if key.idiom != .universal { words.append(key.idiom.name) }
    if key.subtype != 0 { words.append("\(key.subtype)") }
    if key.gamut != .sRGB { words.append(key.gamut.name) }
    if key.direction != .none { words.append(key.direction.name) }
    return words + ["\(key.scale)x"]
  }

  /// Whether the slices are those that the compiler makes of the entry that `Resizing` gives.
  fileprivate func hasStatedParts(_ slices: [Slice]) -> Bool {
    let (width, height) = size
    // Old archives have no slices, or an empty one, if a picture is not sliced.
    if slices.allSatisfy({ $0.width == 0 && $0.height == 0 }) { return layout == .onePartScale }
    let resizing = Resizing(slices: slices, layout)
    return PictureParts(width: width, height: height, resizing: resizing)
      == PictureParts(layout: layout, slices: slices)
  }
}

extension Resizing {
  /// Creates the slicing of slices in an archive; nil if the picture is not sliced.
  fileprivate init?(slices: [Slice], _ layout: RenditionLayout) {
    let center: Center
    switch layout {
    case .threePartHorizontalTile, .threePartVerticalTile, .ninePartTile: center = .tile
    default: center = .stretch
    }
    switch layout {
    case .threePartHorizontalTile, .threePartHorizontalScale, .threePartHorizontalUniform:
      guard slices.count == 3 else { return nil }
      self.init(
        mode: .horizontal, center: center, centerWidth: Double(slices[1].width),
        capInsets: Insets(left: Double(slices[0].width), right: Double(slices[2].width)))
    case .threePartVerticalTile, .threePartVerticalScale, .threePartVerticalUniform:
      guard slices.count == 3 else { return nil }
      self.init(
        mode: .vertical, center: center, centerHeight: Double(slices[1].height),
        capInsets: Insets(top: Double(slices[0].height), bottom: Double(slices[2].height)))
    case .ninePartTile, .ninePartScale, .ninePartHorizontalUniformVerticalScale,
      .ninePartHorizontalScaleVerticalUniform, .ninePartEdgesOnly:
      guard slices.count == 9 else { return nil }
      self.init(
        mode: .ninePart, center: center, centerWidth: Double(slices[1].width),
        centerHeight: Double(slices[3].height),
        capInsets: Insets(
          top: Double(slices[0].height), left: Double(slices[0].width),
          bottom: Double(slices[6].height), right: Double(slices[2].width)))
    default: return nil
    }
  }

  /// The slicing as an entry states it, with its lengths multiplied.
  package func document(_ factor: Double) -> JSONValue {
    var middle = [JSONMember(key: "mode", value: .text(center.rawValue))]
    if let centerWidth {
      middle.append(JSONMember(key: "width", value: .decimal(centerWidth * factor)))
    }
    if let centerHeight {
      middle.append(JSONMember(key: "height", value: .decimal(centerHeight * factor)))
    }
    var caps: [(ByteString, Double)] = []
    if mode != .vertical { caps += [("left", capInsets.left), ("right", capInsets.right)] }
    if mode != .horizontal { caps += [("top", capInsets.top), ("bottom", capInsets.bottom)] }
    return .object([
      JSONMember(key: "mode", value: .text(mode.rawValue)),
      JSONMember(key: "center", value: .object(middle)),
      JSONMember(
        key: "cap-insets",
        value: .object(caps.map { JSONMember(key: $0.0, value: .decimal($0.1 * factor)) })),
    ])
  }
}

private func lengths(_ sides: [(ByteString, Int32)], _ factor: Double) -> JSONValue {
  .object(sides.map { JSONMember(key: $0.0, value: .decimal(Double($0.1) * factor)) })
}

// MARK: - Colours and data

extension CatalogRecovery {
  mutating func recoverColors(_ name: ByteString, _ all: [RecoveredVariant]) {
    var rows: [(members: [JSONMember], file: Int?)] = []
    let variants = withoutNewerDoubles(all)
    for color in variants {
      guard let members = slot(color, name) else { continue }
      do throws(FormatError) {
        guard let payload = try ColorPayload(color.rendition.payload) else {
          remark(color, name, "it is a colour of unknown kind")
          continue
        }
        guard let value = value(of: payload, color, name) else {
          remark(color, name, "catalogues have no words for its colour space or its components")
          continue
        }
        rows.append((members + [JSONMember(key: "color", value: value)], nil))
      } catch {
        report.add(name, words(color), "\(error)", isDamage: true)
      }
    }
    let isLocalized = variants.contains { $0.variant.locale != 0 }
    report.sets[.colorSet, default: 0] += 1
    drafts.append(
      SetDraft(name: name, folder: folder(of: name, .colorSet)) { [rows] names in
        contents(
          "colors", entries(rows, names),
          isLocalized ? [JSONMember(key: "localizable", value: .bool(true))] : [])
      })
  }

  /// Returns a colour as an entry states it; nil if catalogues have no words for it.
  private mutating func value(
    of color: ColorPayload, _ variant: RecoveredVariant, _ name: ByteString
  ) -> JSONValue? {
    if let system = color.systemName {
      // The archive does not name the platform of the colour, but its components there.
      let own = platform == .macOS ? "osx" : platform.names.catalog
      let words = [own] + ["ios", "osx"].filter { $0 != own }
      let known = words.filter { SystemColor.components(platform: $0, name: system) != nil }
      let same = known.first {
        SystemColor.components(platform: $0, name: system) == color.components
      }
      if let word = same ?? known.first {
        return .object([
          JSONMember(key: "platform", value: .text(word)),
          JSONMember(key: "reference", value: .text(system)),
        ])
      }
      remark(
        variant, name, "the system colour \(quoted(system)) is not known; its components are kept")
    }
    let space = ColorSpaceName.allCases.first { $0.archived == color.space }
    guard let space, color.components.count == space.componentKeys.count,
      color.components.allSatisfy({ $0.isFinite && abs($0) <= 1e6 })
    else { return nil }
    return .object([
      JSONMember(key: "color-space", value: .text(space.rawValue)),
      JSONMember(
        key: "components",
        value: .object(
          zip(space.componentKeys, color.components).map {
            JSONMember(key: ByteString($0), value: .text(componentText($1)))
          })),
    ])
  }

  mutating func recoverData(_ name: ByteString, _ all: [RecoveredVariant]) {
    var rows: [(members: [JSONMember], file: Int?)] = []
    var files: [FileDraft] = []
    for data in withoutNewerDoubles(all) {
      guard var members = slot(data, name), let file = file(data, words: []) else { continue }
      if data.variant.scale > 1 {
        members.append(JSONMember(key: "scale", value: .text("\(data.variant.scale)x")))
      }
      if let type = try? data.rendition.uti() {
        members.append(JSONMember(key: "universal-type-identifier", value: .text(type)))
      }
      rows.append((members, files.count))
      files.append(file)
    }
    report.sets[.dataSet, default: 0] += 1
    drafts.append(
      SetDraft(name: name, folder: folder(of: name, .dataSet), files: files) { [rows] names in
        contents("data", entries(rows, names))
      })
  }
}

/// Returns a component of a colour as catalogues write it: a fraction in single precision, or a
/// number of 255ths in double precision.
private func componentText(_ value: Double) -> String {
  let single = Float(value)
  let byte = (value * 255).rounded()
  if Double(single) != value, abs(byte) < 1e9, byte / 255 == value { return "\(Int(byte))" }
  return "\(single)"
}

// MARK: - App icons

extension CatalogRecovery {
  /// A picture of an icon as an entry states it.
  private struct IconEntry {
    var variant: RecoveredVariant
    var points: (width: Double, height: Double)
    /// The platform of an entry for all devices; nil for an entry of one kind of device.
    var platform: String?
  }

  mutating func recoverAppIcon(_ name: ByteString, _ all: [RecoveredVariant]) {
    var icons: [IconEntry] = []
    let sizes = iconSizes(all)
    for icon in withoutNewerDoubles(all) where icon.key.part == Part.icon {
      let scale = max(1, Int(icon.variant.scale))
      let (width, height) = icon.size
      let known = sizes[IconTable(icon)]?[icon.key[.dimension2]]
      let stated = known ?? (width / scale, height / scale)
      guard width > 0, height > 0 else {
        remark(icon, name, "the icon has no pixels")
        continue
      }
      // Archives round sizes down to whole points: 83.5 points at 2x are 167 pixels.
      func points(_ stated: Int, _ pixels: Int) -> Double {
        let exact = Double(pixels) / Double(scale)
        return Int(exact) == stated ? exact : Double(stated)
      }
      icons.append(
        IconEntry(variant: icon, points: (points(stated.0, width), points(stated.1, height))))
    }
    if icons.isEmpty { return }
    report.hasIcons = true
    if icons.contains(where: { $0.variant.key[.dimension2] == 0 }) {
      report.add(name, "", "an older tool numbered its sizes from 0; the compiler begins with 1")
    }
    report.sets[.appIconSet, default: 0] += 1
    addIcon(name, joiningDevices(withoutPlusIcons(icons)), in: folder(of: name, .appIconSet))
  }

  private struct IconTable: Hashable {
    var idiom: Idiom
    var subtype: UInt16

    init(_ variant: RecoveredVariant) {
      (idiom, subtype) = (variant.variant.idiom, variant.variant.subtype)
    }
  }

  /// Returns the sizes in points by their numbers, from the tables of the icon.
  private func iconSizes(
    _ all: [RecoveredVariant]
  ) -> [IconTable: [UInt16: (Int, Int)]] {
    var sizes: [IconTable: [UInt16: (Int, Int)]] = [:]
    for table in all where table.key.part == Part.multisize {
      for row in (try? MultisizePayload(table.rendition.payload))?.sizes ?? [] {
        guard let number = UInt16(exactly: row.index) else { continue }
        sizes[IconTable(table), default: [:]][number] = (Int(row.width), Int(row.height))
      }
    }
    return sizes
  }

  /// Returns the icons without those for phones with a wide display, which the compiler makes of
  /// the icon of 60 points at 3x.
  private func withoutPlusIcons(_ icons: [IconEntry]) -> [IconEntry] {
    let sources = icons.filter { icon in
      let key = icon.variant.variant
      return key.idiom == .phone && key.scale == 3 && key.subtype == 0 && icon.points.width == 60
    }
    let styles = Set(sources.map(\.variant.variant.style))
    return icons.filter { icon in
      icon.variant.variant.subtype != 1792 || icon.points.width != 90
        || !styles.contains(icon.variant.variant.style)
    }
  }

  /// Returns the icons with those of a single size as one entry for all devices.
  private func joiningDevices(_ icons: [IconEntry]) -> [IconEntry] {
    func isSingle(_ icon: IconEntry) -> Bool {
      icon.points.width == 1024 && icon.points.height == 1024 && icon.variant.variant.scale == 1
        && icon.variant.variant.subtype == 0
    }
    let singles = Dictionary(icons.filter(isSingle).map { ($0.variant.variant, $0) }) { $1 }
    var kept: [IconEntry] = []
    for var icon in icons {
      let key = icon.variant.variant
      if isSingle(icon), key.idiom == .watch { icon.platform = "watchos" }
      if isSingle(icon), key.idiom == .phone || key.idiom == .pad {
        var other = key
        other.idiom = key.idiom == .phone ? .pad : .phone
        if let twin = singles[other], twin.variant.holdsSamePicture(as: icon.variant) {
          if key.idiom == .pad { continue }
          icon.platform = "ios"
        }
      }
      kept.append(icon)
    }
    return kept
  }

  private mutating func addIcon(
    _ name: ByteString, _ icons: [IconEntry], in folder: ByteString
  ) {
    var rows: [(members: [JSONMember], file: Int?)] = []
    var files: [FileDraft] = []
    for icon in icons {
      let size = "\(withAllDigits(icon.points.width))x\(withAllDigits(icon.points.height))"
      guard var members = slot(icon.variant, name),
        let file = file(icon.variant, words: icon.variant.fileWords + [size])
      else { continue }
      if let platform = icon.platform {
        members.removeAll { $0.key == "idiom" }
        members.append(JSONMember(key: "idiom", value: .text("universal")))
        members.append(JSONMember(key: "platform", value: .text(platform)))
      } else {
        members.append(JSONMember(key: "scale", value: .text("\(icon.variant.variant.scale)x")))
      }
      members.append(JSONMember(key: "size", value: .text(size)))
      rows.append((members, files.count))
      files.append(file)
    }
    drafts.append(
      SetDraft(name: name, folder: folder, files: files) { [rows] names in
        contents("images", entries(rows, names))
      })
  }
}
