// Chooses the pictures of an app icon that are written beside the archive, and their names. Older
// systems do not read icons from archives, and other programs read only these files.

import Bytes
import CatalogCompiler
import CatalogModel
import Documents
import Traits

/// A picture that is written beside the archive.
struct LooseIcon: Sendable {
  /// The name in the property list: "AppIcon60x60".
  var stem: ByteString
  var fileName: ByteString
  var size: PointSize
  var isForPad: Bool
  /// The picture that is scaled; nil if a layered icon is drawn.
  var source: SourceFile?
  var width: Int
  var height: Int
}

extension BuildRequest {
  /// Returns the loose pictures of an icon set, sorted by size.
  func looseIcons(of set: AppIconSet, named name: ByteString) -> [LooseIcon] {
    guard target.platform.system == .iOS, standaloneIcons != .none else { return [] }
    var icons: [LooseIcon] = []
    if standaloneIcons == .all || target.minimum < OSVersion(11) || set.isOfOddSizes {
      icons = set.shownEntries.flatMap { looseIcons(of: $0, named: name) }
    }
    for (family, points) in [(DeviceFamily.iphone, 60.0), (.ipad, 76.0)] where admits(family) {
      let isForPad = family == .ipad
      if icons.contains(where: { $0.isForPad == isForPad && $0.size.width == points }) { continue }
      guard let entry = set.entry(of: points, scale: 2, isForPad: isForPad) else { continue }
      icons.append(
        LooseIcon(
          of: entry, named: name, size: PointSize(width: points, height: points), scale: 2,
          isForPad: isForPad))
    }
    var names: Set<ByteString> = []
    return icons.sorted { ($0.size.width, $0.fileName) < ($1.size.width, $1.fileName) }
      .filter { names.insert($0.fileName).inserted }
  }

  /// Returns the loose pictures of a layered icon, sorted by size: those of the sizes that old
  /// systems and other programs look for.
  func looseLayeredIcons(named name: ByteString) -> [LooseIcon] {
    guard target.platform.system == .iOS, standaloneIcons != .none else { return [] }
    let sizes = [(DeviceFamily.iphone, 60.0), (.ipad, 76.0)].filter { admits($0.0) }
    return sizes.map { family, points in
      LooseIcon(
        of: nil, named: name, size: PointSize(width: points, height: points), scale: 2,
        isForPad: family == .ipad)
    }
  }

  /// Returns the picture of an entry once for each family that shows it.
  private func looseIcons(
    of entry: (icon: AppIconEntry, file: SourceFile), named name: ByteString
  ) -> [LooseIcon] {
    guard let size = entry.icon.size, let scale = entry.icon.slot.scale else { return [] }
    let families: [(DeviceFamily, Bool)] =
      switch entry.icon.slot.key.idiom {
      case .phone: [(.iphone, false)]
      case .pad: [(.ipad, true)]
      case .universal: [(.iphone, false), (.ipad, true)]
      default: []
      }
    return families.filter { admits($0.0) }.map { _, isForPad in
      LooseIcon(of: entry.file, named: name, size: size, scale: scale, isForPad: isForPad)
    }
  }
}

extension LooseIcon {
  fileprivate init(
    of source: SourceFile?, named name: ByteString, size: PointSize, scale: UInt8, isForPad: Bool
  ) {
    stem = "\(lastComponent(name))\(sizeText(size))"
    fileName = stem + (scale > 1 ? "@\(scale)x" : "") + (isForPad ? "~ipad" : "") + ".png"
    self.size = size
    self.isForPad = isForPad
    self.source = source
    width = Int((size.width * Double(scale)).rounded())
    height = Int((size.height * Double(scale)).rounded())
  }
}

private func sizeText(_ size: PointSize) -> String {
  withAllDigits(size.width) + "x" + withAllDigits(size.height)
}

extension AppIconSet {
  /// The entries with a file, for phones and tablets, in the default appearance.
  fileprivate var shownEntries: [(icon: AppIconEntry, file: SourceFile)] {
    entries.compactMap { entry in
      guard let file = entry.file, file.exists, !entry.slot.isUnassigned,
        entry.slot.key.style == .any, entry.slot.key.contrast == .normal,
        entry.slot.platform.map({ $0 == .iOS }) ?? true
      else { return nil }
      return (entry, file)
    }
  }

  /// Whether the set has sizes that are not square, as icons of stickers have. Its files are then
  /// all written, because one size cannot replace the others.
  fileprivate var isOfOddSizes: Bool {
    entries.contains { entry in entry.size.map { $0.width != $0.height } ?? false }
  }

  /// Returns the file for a size: its own, or the single picture from which all sizes are made.
  fileprivate func entry(of points: Double, scale: UInt8, isForPad: Bool) -> SourceFile? {
    let idioms: [Idiom] = [isForPad ? .pad : .phone, .universal]
    let own = shownEntries.first { icon, _ in
      icon.size?.width == points && icon.slot.scale == scale && idioms.contains(icon.slot.key.idiom)
    }
    let single = shownEntries.first { icon, _ in
      icon.slot.key.idiom == .universal && icon.size?.width == 1024
    }
    return (own ?? single)?.file
  }
}
