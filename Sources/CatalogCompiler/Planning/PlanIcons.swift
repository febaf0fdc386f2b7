// App icons and icon sets: a table of sizes for each idiom, and a picture for each size and scale.

import Archive
import Bytes
import CatalogModel
import Documents
import Traits

/// The icon sets that go into the archive.
package struct IconSelection: Sendable, Hashable {
  /// The source of the names. Icons that options name must exist. Those of settings may lie in
  /// another catalogue of the project, and those of an archive may have been removed since.
  package enum Source: Sendable {
    case options, settings, archive
  }

  let includesAll: Bool
  let names: [ByteString]
  let source: Source
  private let chosen: Set<ByteString>

  private init(includesAll: Bool, names: [ByteString], source: Source) {
    (self.includesAll, self.names, self.source) = (includesAll, names, source)
    chosen = Set(names)
  }

  package static let all = all(with: [])

  /// All icons, among them those with these names.
  package static func all(
    with names: [ByteString], by source: Source = .options
  ) -> IconSelection {
    IconSelection(includesAll: true, names: names, source: source)
  }

  /// The icons with these names, primary and alternate. Other icons are left out with a diagnostic.
  package static func named(
    _ names: [ByteString], by source: Source = .options
  ) -> IconSelection {
    IconSelection(includesAll: false, names: names, source: source)
  }

  package func includes(_ name: ByteString) -> Bool { includesAll || chosen.contains(name) }
}

extension RenditionPlan {
  mutating func admitIcon(_ asset: AssetSet, _ selection: IconSelection) -> Bool {
    if selection.includes(asset.name) { return true }
    diagnostics.append(
      Diagnostic(
        .iconNotChosen,
        "the icon \(quoted(asset.name)) is left out; --app-icon \(asset.name) compiles it",
        file: asset.folder))
    return false
  }

  /// Returns whether a layered icon is chosen. If it is not, reports that only its parts are
  /// compiled.
  mutating func admitIconBundle(_ asset: AssetSet, _ selection: IconSelection) -> Bool {
    if selection.includes(asset.name) { return true }
    diagnostics.append(
      Diagnostic(
        .iconNotChosen,
        "only the pictures, colours and gradients of the icon \"\(asset.name)\" are compiled: "
          + "name the icon with --app-icon to compile it",
        file: asset.folder))
    return false
  }

  /// A picture of an icon before the sizes of the set have numbers.
  private struct PlannedIconPicture {
    var points: PointSize
    var key: VariantKey
    var file: SourceFile
    var slot: Slot

    /// The size and key under which the archive stores the picture. Archives round sizes down to
    /// whole points.
    var place: IconPlace { IconPlace(points: RenditionPlan.points(self), key: key) }
  }

  private struct IconPlace: Hashable {
    var points: [Int]
    var key: VariantKey
  }

  mutating func addAppIcon(_ set: AppIconSet, of asset: AssetSet, for target: CompileTarget) {
    var pictures: [PlannedIconPicture] = []
    var left = 0
    let entries = set.entries.filter { !$0.slot.isUnassigned && $0.file?.exists == true }
    reportForeignTraits(of: entries, in: asset, for: target)
    for entry in knownOnWatches(entries, of: asset, for: target) {
      guard let file = entry.file, let size = entry.size,
        let key = archivedKey(of: entry.slot, for: target)
      else { continue }
      // On a Mac an icon has one look for all appearances. Apple's tool leaves out the other
      // pictures.
      if target.platform == .macOS, key.style != .any || key.contrast != .normal {
        left += 1
        continue
      }
      for idiom in archivedIconIdioms(of: key, for: target) {
        var iconKey = key
        iconKey.idiom = idiom
        pictures.append(
          PlannedIconPicture(points: size, key: iconKey, file: file, slot: entry.slot))
      }
    }
    if left > 0 {
      report(
        "appearances", of: asset,
        "a Mac shows only one icon, so \(counted(left, "picture")) for other appearances "
          + "\(left == 1 ? "is" : "are") left out"
      )
    }
    addIcon(
      oneForEachPlace(pictures, of: asset), of: asset,
      plusIcon: target.platform.system == .iOS)
  }

  /// Reports a picture for a trait that no icon of Apple's tools has.
  private mutating func reportForeignTraits(
    of entries: [AppIconEntry], in asset: AssetSet, for target: CompileTarget
  ) {
    let found = entries.lazy.filter { target.admits($0.slot) }.compactMap { entry in
      entry.slot.key.traitOutsideOfIcons.map { (entry.slot, $0) }
    }
    guard let (slot, trait) = found.first else { return }
    reportUnproven(
      slot, of: asset,
      "no icon of Apple's tools with \(quoted(trait)); the picture is stored for that trait only")
  }

  /// Returns the entries whose form in archives is known. For a watch this is only the icon with a
  /// single size, and its form is concluded from icons of phones. Apple's tool compiles nothing for
  /// the App Store's entry.
  private mutating func knownOnWatches(
    _ entries: [AppIconEntry], of asset: AssetSet, for target: CompileTarget
  ) -> [AppIconEntry] {
    guard target.platform.system == .watchOS else { return entries }
    let sized = entries.filter { $0.slot.key.idiom == .watch }
    if let first = sized.first {
      diagnostics.append(
        Diagnostic(
          .unsupportedSet,
          "\(counted(sized.count, "picture")) of \(quoted(asset.name)) for single sizes of "
            + "watches \(sized.count == 1 ? "is" : "are") left out: the form of these pictures in "
            + "archives is not known; use one entry of 1024x1024 for all sizes instead",
          file: asset.contentsFile, pointer: first.slot.pointer))
    }
    let whole = entries.filter { $0.slot.key.idiom == .universal }
    if let first = whole.first(where: { target.admits($0.slot) }) {
      reportUnproven(
        first.slot, of: asset,
        "no archive of Apple's tool with an icon for watches; the icon is stored as icons for "
          + "phones are"
      )
    }
    return whole
  }

  /// Keeps one picture for each size and key in the archive: the one for the platform, otherwise
  /// the first. The reader has reported entries that state the same size and key.
  private mutating func oneForEachPlace(
    _ pictures: [PlannedIconPicture], of asset: AssetSet
  ) -> [PlannedIconPicture] {
    var places: [IconPlace: Int] = [:]
    var kept: [PlannedIconPicture] = []
    for picture in pictures {
      guard let place = places[picture.place] else {
        places[picture.place] = kept.count
        kept.append(picture)
        continue
      }
      let other = kept[place]
      if picture.slot.isMoreSpecific(than: other.slot) {
        kept[place] = picture
      } else if picture.points != other.points {
        reportOneSize(picture, besides: other, of: asset)
      }
    }
    return kept
  }

  private mutating func reportOneSize(
    _ picture: PlannedIconPicture, besides kept: PlannedIconPicture, of asset: AssetSet
  ) {
    let size = picture.place.points.map { "\($0)" }.joined(separator: "×")
    var diagnostic = Diagnostic(
      .duplicateSlot,
      "\(quoted(picture.file.name)) is left out: archives store icons by whole points, and "
        + "\(quoted(kept.file.name)) is the icon of \(size)",
      file: asset.contentsFile, pointer: picture.slot.pointer,
      notes: [Note("the icon that is kept", file: asset.contentsFile, pointer: kept.slot.pointer)])
    diagnostic.severity = .warning
    diagnostics.append(diagnostic)
  }

  mutating func addIconSet(_ set: IconSet, of asset: AssetSet, for target: CompileTarget) {
    guard target.platform == .macOS else { return }
    let pictures = set.entries.map { entry in
      var key = VariantKey()
      key.scale = entry.scale
      let side = Double(entry.size)
      return PlannedIconPicture(
        points: PointSize(width: side, height: side), key: key, file: entry.file, slot: Slot())
    }
    addIcon(pictures, of: asset, plusIcon: false)
  }

  /// Returns the idioms of an icon's picture. A single-size icon is used for every idiom of its
  /// platform.
  private func archivedIconIdioms(
    of key: VariantKey, for target: CompileTarget
  ) -> [Idiom] {
    guard key.idiom == .universal, target.platform != .macOS else { return [key.idiom] }
    let idioms: [Idiom] =
      switch target.platform.system {
      case .iOS: [.phone, .pad]
      case .watchOS: [.watch]
      default: [.universal]
      }
    return idioms.filter { target.admits($0) }
  }

  private mutating func addIcon(
    _ pictures: [PlannedIconPicture], of asset: AssetSet, plusIcon: Bool
  ) {
    let plus = plusIcon ? pictures.compactMap(plusPicture) : []
    let numbers = sizeNumbers(of: pictures, plus: plus)
    for picture in pictures + plus {
      guard let number = numbers[RenditionPlan.points(picture)] else { continue }
      renditions.append(
        PlannedRendition(
          facet: asset.name, kind: .icon, part: Part.icon, key: picture.key,
          details: KeyDetails(dimension2: number),
          content: .picture(picture.file, PictureProcessing()),
          jsonFile: asset.contentsFile, pointer: picture.slot.pointer))
    }
    var tables: [VariantKey: Set<[Int]>] = [:]
    // The pictures for other appearances have the same sizes as those for any appearance.
    for picture in pictures + plus
    where picture.key.style == .any && picture.key.contrast == .normal {
      var key = picture.key
      key.scale = 1
      tables[key, default: []].insert(RenditionPlan.points(picture))
    }
    if let first = pictures.first, tables.isEmpty { reportNoTable(first, of: asset) }
    for (key, sizes) in tables {
      let rows = sizes.sorted { $0.lexicographicallyPrecedes($1) }.compactMap { size in
        numbers[size].map {
          MultisizePayload.Size(
            width: UInt32(size[0]), height: UInt32(size[1]), index: UInt32($0))
        }
      }
      renditions.append(
        PlannedRendition(
          facet: asset.name, kind: .icon, part: Part.multisize, key: key,
          content: .iconSizes(rows), jsonFile: asset.contentsFile, pointer: ""))
    }
  }

  private mutating func reportNoTable(_ picture: PlannedIconPicture, of asset: AssetSet) {
    diagnostics.append(
      Diagnostic(
        .iconNeverShown,
        "no picture of the icon is for all appearances, so the archive has no table of its sizes, "
          + "and no device shows it",
        file: asset.contentsFile, pointer: picture.slot.pointer))
  }

  /// Returns the picture for phones with a wide display: they show the 60-point icon at 3x as 90
  /// points at 2x.
  private func plusPicture(of picture: PlannedIconPicture) -> PlannedIconPicture? {
    guard picture.key.idiom == .phone, picture.key.scale == 3, picture.key.subtype == 0,
      picture.points.width == 60
    else { return nil }
    var plus = picture
    plus.points = PointSize(width: 90, height: 90)
    plus.key.scale = 2
    plus.key.subtype = 1792
    return plus
  }

  /// Returns the number of each size of the set, smallest first, from 1.
  private func sizeNumbers(of pictures: [PlannedIconPicture], plus: [PlannedIconPicture]) -> [[Int]:
    UInt16]
  {
    let sizes = Set((pictures + plus).map(RenditionPlan.points))
    let sorted = sizes.sorted { $0.lexicographicallyPrecedes($1) }
    var numbers: [[Int]: UInt16] = [:]
    for (index, size) in sorted.enumerated() { numbers[size] = UInt16(clamping: index + 1) }
    return numbers
  }

  private static func points(_ picture: PlannedIconPicture) -> [Int] {
    [Int(picture.points.width), Int(picture.points.height)]
  }
}

extension VariantKey {
  /// The name of a trait that the key has and icons do not have; nil if there is no such trait.
  fileprivate var traitOutsideOfIcons: String? {
    if locale != 0 { return "locale" }
    if memory != 0 { return "memory" }
    if graphics != .gles2 { return "graphics-feature-set" }
    if width != .any { return "width-class" }
    if height != .any { return "height-class" }
    if direction != .none { return "language-direction" }
    if gamut == .p3 { return "display-gamut" }
    if contentSize != .any { return "content-size" }
    return contrast == .high ? "contrast" : nil
  }
}

extension RenditionPlan {
  /// Reports icons that were requested and are in no catalogue, or have nothing for the target.
  mutating func checkIcons(
    _ selection: IconSelection, in contents: CatalogContents, for target: CompileTarget
  ) {
    if selection.source == .archive || selection.names.isEmpty { return }
    let icons = contents.assets.filter(\.type.canBeAppIcon)
    let sets = Dictionary(grouping: icons, by: \.name)
    for name in selection.names {
      if let sets = sets[name] {
        if sets.allSatisfy({ $0.hasIconPicture && $0.hasNothing(for: target) }) {
          var finding = Diagnostic(
            .missingIcon,
            "the icon \(quoted(name)) has no picture for \(target.platform.rawValue), so the "
              + "archive has no icon of this name",
            file: sets[0].contentsFile)
          finding.severity = .warning
          diagnostics.append(finding)
        }
        continue
      }
      let reason = contents.reason(whyMissing: name)
      if reason?.severity == .error { continue }
      let isOfSettings = selection.source == .settings
      if isOfSettings, icons.isEmpty, reason == nil { continue }
      let choices =
        reason != nil
        ? "its set is left out"
        : icons.isEmpty
          ? "the catalogues have no app icon"
          : "the app icons are \(icons.map(\.name).joined(separator: ", "))"
      var finding = Diagnostic(
        .missingIcon,
        "no catalogue has an app icon named \"\(name)\""
          + (isOfSettings ? ", which the settings of the project name" : "") + "; \(choices)",
        file: reason?.file ?? contents.catalogs.first?.path ?? "")
      if isOfSettings { finding.severity = .note }
      diagnostics.append(finding)
    }
  }
}

extension AssetSet {
  /// Whether an app icon set names an existing picture. A set without any belongs to an app that is
  /// just begun.
  package var hasIconPicture: Bool {
    guard case .appIcons(let set) = contents else { return false }
    return set.entries.contains { $0.file?.exists == true }
  }

  /// Returns whether all pictures of an app icon set are for other platforms.
  package func hasNothing(for target: CompileTarget) -> Bool {
    guard case .appIcons(let set) = contents else { return false }
    return !set.entries.contains { $0.file?.exists == true && target.admits($0.slot) }
  }
}
