// App icons and icon sets: a table of sizes for each idiom, and a picture for each size and scale.

import Archive
import CatalogModel
import Traits

/// Which icon sets go into the archive.
package enum IconSelection: Sendable, Hashable {
  case all
  /// The named ones, primary and alternates. Others are left out, and said so.
  case named([String])
}

extension Plan {
  func isChosen(_ asset: AssetSet, _ selection: IconSelection) -> Bool {
    switch selection {
    case .all: true
    case .named(let names): names.contains(asset.name)
    }
  }

  mutating func admitIcon(_ asset: AssetSet, _ selection: IconSelection) -> Bool {
    if isChosen(asset, selection) { return true }
    diagnostics.append(
      Diagnostic(
        .iconNotChosen,
        "the icon \"\(asset.name)\" is left out: name it with --app-icon to compile it",
        file: asset.folder))
    return false
  }

  /// One picture of an icon before the sizes of the set are numbered.
  private struct IconPicture {
    var points: PointSize
    var key: VariantKey
    var file: SourceFile
    var pointer: String
  }

  mutating func addAppIcon(_ set: AppIconSet, of asset: AssetSet, for target: CompileTarget) {
    var pictures: [IconPicture] = []
    for entry in set.entries where !entry.slot.isUnassigned && entry.file?.exists == true {
      guard let file = entry.file, let size = entry.size,
        let key = archivedKey(of: entry.slot, for: target)
      else { continue }
      for idiom in archivedIconIdioms(of: entry, key: key, for: target) {
        var iconKey = key
        iconKey.idiom = idiom
        pictures.append(
          IconPicture(points: size, key: iconKey, file: file, pointer: entry.slot.pointer))
      }
    }
    addIcon(pictures, of: asset, plusIcon: target.platform.archiveName == "ios")
  }

  mutating func addIconSet(_ set: IconSet, of asset: AssetSet, for target: CompileTarget) {
    guard target.platform == .macOS else { return }
    let pictures = set.entries.map { entry in
      var key = VariantKey()
      key.scale = entry.scale
      let side = Double(entry.size)
      return IconPicture(
        points: PointSize(width: side, height: side), key: key, file: entry.file, pointer: "")
    }
    addIcon(pictures, of: asset, plusIcon: false)
  }

  /// A single-size icon serves every idiom of its platform.
  private func archivedIconIdioms(
    of entry: AppIconEntry, key: VariantKey, for target: CompileTarget
  ) -> [Idiom] {
    guard key.idiom == .universal, target.platform != .macOS else { return [key.idiom] }
    let idioms: [Idiom] =
      switch target.platform {
      case .iOS, .iOSSimulator: [.phone, .pad]
      case .watchOS, .watchSimulator: [.watch]
      default: [.universal]
      }
    return idioms.filter { target.admits($0) }
  }

  private mutating func addIcon(
    _ pictures: [IconPicture], of asset: AssetSet, plusIcon: Bool
  ) {
    let plus = plusIcon ? pictures.compactMap(plusPicture) : []
    let numbers = sizeNumbers(of: pictures, plus: plus)
    for picture in pictures + plus {
      guard let number = numbers[Plan.points(picture)] else { continue }
      renditions.append(
        PlannedRendition(
          facet: asset.name, kind: .icon, part: Part.icon, key: picture.key,
          dimension2: number, content: .picture(picture.file, resizing: nil, insets: nil),
          file: asset.contentsFile, pointer: picture.pointer))
    }
    var tables: [VariantKey: Set<[Int]>] = [:]
    for picture in pictures + plus {
      var key = picture.key
      key.scale = 1
      tables[key, default: []].insert(Plan.points(picture))
    }
    for (key, sizes) in tables {
      let rows = sizes.sorted { $0.lexicographicallyPrecedes($1) }.compactMap { size in
        numbers[size].map { IconSize(width: size[0], height: size[1], index: $0) }
      }
      renditions.append(
        PlannedRendition(
          facet: asset.name, kind: .icon, part: Part.multisize, key: key,
          content: .iconSizes(rows), file: asset.contentsFile, pointer: ""))
    }
  }

  /// Phones with a wide display show the 60-point icon of three pixels a point at 90 points of two.
  private func plusPicture(of picture: IconPicture) -> IconPicture? {
    guard picture.key.idiom == .phone, picture.key.scale == 3, picture.key.subtype == 0,
      picture.points.width == 60
    else { return nil }
    var plus = picture
    plus.points = PointSize(width: 90, height: 90)
    plus.key.scale = 2
    plus.key.subtype = 1792
    return plus
  }

  /// Sizes of the whole set, smallest first, from 1.
  private func sizeNumbers(of pictures: [IconPicture], plus: [IconPicture]) -> [[Int]: UInt16] {
    let sizes = Set((pictures + plus).map(Plan.points))
    let sorted = sizes.sorted { $0.lexicographicallyPrecedes($1) }
    var numbers: [[Int]: UInt16] = [:]
    for (index, size) in sorted.enumerated() { numbers[size] = UInt16(clamping: index + 1) }
    return numbers
  }

  private static func points(_ picture: IconPicture) -> [Int] {
    [Int(picture.points.width), Int(picture.points.height)]
  }
}

extension Plan {
  /// Reports icons that were asked for and are in no catalogue.
  mutating func checkIcons(
    _ selection: IconSelection, among assets: [AssetSet], catalogs: [String]
  ) {
    guard case .named(let names) = selection else { return }
    let known = assets.filter { $0.kind == .icon }.map(\.name)
    for name in names where !known.contains(name) {
      let choices = known.isEmpty ? "there is none" : "there are \(known.joined(separator: ", "))"
      diagnostics.append(
        Diagnostic(
          .missingIcon, "no catalogue has an app icon named \"\(name)\"; \(choices)",
          file: catalogs.first ?? ""))
    }
  }
}
