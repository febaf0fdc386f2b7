// The icon of an app, as the largest picture that a device shows of it: from the archive, drawn
// from a layered icon, or from a loose file.

import Archive
import ArchiveTools
import Bytes
import Documents
import Imaging
import Traits

/// A reason why there is no picture of an icon.
package enum IconTrouble: Error, Sendable, Hashable {
  /// There is no picture of the icons that the Info.plist files name. The archives have others.
  case noIcon(named: [ByteString], archived: [ByteString])
  /// The icon has other styles only.
  case noStyle(Style, name: ByteString)
  case unreadable(AppTrouble)
}

extension IconTrouble: CustomStringConvertible {
  package var description: String {
    switch self {
    case .noIcon(let named, let archived): noIcon(named, archived)
    case .noStyle(let style, let name): "the icon \(quoted(name)) has no \(style.name) style"
    case .unreadable(let trouble): "\(trouble.path): \(trouble.reason)"
    }
  }

  private func noIcon(_ named: [ByteString], _ archived: [ByteString]) -> String {
    func list(_ names: [ByteString]) -> String {
      let noun = names.count == 1 ? "the icon" : "the icons"
      return "\(noun) \(quotedList(names, joinedBy: "and"))"
    }
    let absence =
      named.isEmpty
      ? "no Info.plist names an icon, and none is a PNG file"
      : "Info.plist names \(list(named)), of which no archive and no PNG file has a picture"
    let others = archived.filter { !named.contains($0) }
    if others.isEmpty { return absence + (archived.isEmpty ? "; no archive has an icon" : "") }
    return "\(absence); the archives have \(list(others)), which CFBundleIconName can name"
  }
}

extension AppFiles {
  /// The side of a drawing of a layered icon.
  private static let drawnSide = 1024

  /// Returns the icon of the first program that has one, as a PNG file. An icon without a style of
  /// its own is light.
  package func icon(of report: AppReport, style: Style) throws(IconTrouble) -> [UInt8] {
    let places = report.programs.map(\.bundle)
    let programs = Set(places)
    let bundles = (places + report.bundles.indices.filter { !programs.contains($0) }).map {
      report.bundles[$0]
    }
    var refused: IconTrouble?
    for contents in bundles where contents.bundle.iconName != nil || contents.hasLooseIcon {
      do throws(IconTrouble) {
        if let icon = try icon(of: contents, report, style) { return icon.pngFile() }
      } catch {
        refused = refused ?? error
      }
    }
    if let refused { throw refused }
    let named = Set(bundles.compactMap { $0.bundle.iconName.map { ByteString($0) } })
    let archived = Set(report.archives.flatMap { iconNames(inArchive: $0.path) })
    throw .noIcon(named: named.sorted(), archived: archived.sorted())
  }

  /// Returns the names of the icons in an archive; none if it cannot be read.
  private func iconNames(inArchive path: ByteString) -> [ByteString] {
    guard let index = index(of: path), let bytes = try? read(index) else { return [] }
    let names = try? bytes.withUnsafeBufferPointer { (file) throws(FormatError) in
      try Archive(UnsafeRawBufferPointer(file)).iconNames()
    }
    return names.flatMap { $0 } ?? []
  }

  private func icon(
    of contents: BundleContents, _ report: AppReport, _ style: Style
  ) throws(IconTrouble) -> Bitmap? {
    var hasName = false
    if let name = contents.bundle.iconName.map({ ByteString($0) }) {
      for number in contents.archives {
        let path = report.archives[number].path
        guard let index = index(of: path) else { continue }
        do throws(AppTrouble) {
          let found = try icon(named: name, style, inArchive: index)
          if let picture = found.picture { return picture }
          hasName = hasName || found.hasName
        } catch {
          throw .unreadable(error)
        }
      }
      if hasName && style.isStated { throw .noStyle(style, name: name) }
    }
    let loose = contents.loose.filter(\.isIcon)
    if !style.isStated { return looseIcon(loose) }
    // Loose icons have no styles.
    if let first = loose.first { throw .noStyle(style, name: lastComponent(first.stem)) }
    return nil
  }

  // MARK: Archives

  private func icon(
    named name: ByteString, _ style: Style, inArchive index: Int
  ) throws(AppTrouble) -> (picture: Bitmap?, hasName: Bool) {
    let bytes = try read(index)
    do throws(FormatError) {
      return try bytes.withUnsafeBufferPointer { (file) throws(FormatError) in
        let opened = try OpenedArchive(Archive(UnsafeRawBufferPointer(file)))
        let entries = opened.inventory.entries.indices.filter {
          opened.inventory.name(of: $0) == name
        }
        // Systems that know layered icons draw them in any size.
        let stored = opened.largestIcon(entries, style)
        if let stored, stored.width >= AppFiles.drawnSide { return (stored, true) }
        let drawn = try drawnIcon(named: name, style, in: opened.archive)
        return (drawn ?? stored, !entries.isEmpty)
      }
    } catch {
      throw AppTrouble(path: files[index].path, reason: "\(error)")
    }
  }

  private func drawnIcon(
    named name: ByteString, _ style: Style, in archive: Archive
  ) throws(FormatError) -> Bitmap? {
    let icons = try LayeredIcons(archive)
    let stack = icons.stacks.first { $0.name == name && $0.style.shows(style) }
    guard let stack else { return nil }
    return try icons.bitmap(
      of: stack, side: AppFiles.drawnSide, hasGlass: true,
      PictureAllowance(fileSize: archive.bytes.count))
  }

  // MARK: Loose files

  private func looseIcon(_ pictures: [LoosePicture]) -> Bitmap? {
    var largest: Bitmap?
    for picture in pictures {
      guard let bitmap = bitmap(of: picture.file), bitmap.width > largest?.width ?? 0 else {
        continue
      }
      largest = bitmap
    }
    return largest
  }
}

extension BundleContents {
  fileprivate var hasLooseIcon: Bool { loose.contains(where: \.isIcon) }
}

extension Style {
  /// Whether the style is one that an icon may lack.
  fileprivate var isStated: Bool { self == .dark || self == .tinted }

  /// Whether a variant of this style is shown where another style is asked for.
  fileprivate func shows(_ wanted: Style) -> Bool {
    wanted.isStated ? self == wanted : !isStated
  }
}

extension OpenedArchive {
  /// Returns the largest picture that a device shows; the picture of the store only if there is no
  /// other.
  fileprivate func largestIcon(_ entries: [Int], _ style: Style) -> Bitmap? {
    var found: [(width: UInt32, isForStore: Bool, entry: Int)] = []
    for entry in entries where inventory.outlines[entry].layout.isImage {
      // The light around the icon of an Apple TV is a picture that is larger than the icon.
      if inventory.entries.key(at: entry).part == Part.radiosity { continue }
      guard let variant = inventory.variant(of: entry), variant.style.shows(style),
        let rendition = try? archive.rendition(inventory.entries[entry])
      else { continue }
      let width =
        ((try? rendition.link()) ?? nil).map { UInt32($0.width) } ?? rendition.header.width
      found.append((width, variant.idiom == .marketing, entry))
    }
    found.sort { a, b in
      if a.isForStore != b.isForStore { return b.isForStore }
      return a.width == b.width ? a.entry < b.entry : a.width > b.width
    }
    for candidate in found {
      if let picture = picture(of: candidate.entry) { return picture }
    }
    return nil
  }
}
