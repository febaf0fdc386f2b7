// The size of a picture of an image set in an archive, and the devices that show it. The set is
// compiled alone, and thinned for each device.

import Apps
import Archive
import ArchiveTools
import Builds
import Bytes
import CatalogCompiler
import CatalogModel
import Documents
import Host
import Traits

extension Document {
  /// The largest set that is compiled for an answer, in bytes of its files.
  private static let mostCompiled = 1 << 18

  /// Returns a line about what a file of the set takes in an archive, and which devices show it;
  /// nil if this is no image set, if the set is too large for a quick answer, or if it has errors.
  func storedWords(of name: ByteString) -> String? {
    guard case .contents(.imageSet?) = kind else { return nil }
    let sizes = ((try? tree.list(folder)) ?? []).map(\.size)
    guard sizes.reduce(0, { $0 &+ $1 }) <= Document.mostCompiled else { return nil }
    let set = SetCatalog(of: folder, in: tree)
    var options = CompileOptions(target: CompileTarget(platform: platform(of: name)))
    options.jobs = 1
    options.writesIndex = false
    guard let whole = try? UnthinnedArchive() else { return nil }
    defer { withExtendedLifetime(whole) {} }
    var build = Build(.archive(of: [set.path]), options, in: set.tree)
    guard (try? build.makeProduct(in: whole, CompileObserver())) != nil, !build.report.isRefused,
      let archive = try? whole.bytes(), let stored = StoredFile(name, in: archive)
    else { return nil }
    return stored.words
  }

  /// Returns the platform on which a file is shown.
  private func platform(of name: ByteString) -> TargetPlatform {
    let entries = root?.children.first { $0.key == "images" }?.value.children ?? []
    let entry = entries.first { entry in
      entry.value.children.contains { $0.key == "filename" && self.name($0.value) == name }
    }
    let idiom = entry?.value.children.first { $0.key == "idiom" }.flatMap { text($0.value) }
    switch idiom {
    case "mac": return .macOS
    case "tv": return .tvOS
    case "watch": return .watchOS
    case "vision": return .visionOS
    default: return .iOS
    }
  }
}

/// The parts of an archive that come from one file.
private struct StoredFile {
  var bytes = 0
  /// The models of each family, and those of them that show the file.
  var families: [(idiom: Idiom, all: Int, shown: Int)] = []

  /// Returns nil if the archive cannot be read.
  init?(_ name: ByteString, in archive: UnsafeRawBufferPointer) {
    guard let opened = try? OpenedArchive(Archive(archive)), let charges = try? opened.charges(),
      let sizes = try? ArchiveSizes(archive, app: AppTraits(), os: nil)
    else { return nil }
    let entries = opened.inventory.entries
    let own = entries.indices.filter {
      (try? opened.archive.rendition(entries[$0]))?.header.name == name
    }
    bytes = own.reduce(0) { $0 + charges.bytes[$1] }
    for share in sizes.devices {
      let isShown = own.contains { share.kept[$0] }
      for device in share.devices {
        let index = families.firstIndex { $0.idiom == device.idiom }
        if index == nil { families.append((device.idiom, 0, 0)) }
        let family = index ?? families.count - 1
        families[family].all += 1
        families[family].shown += isShown ? 1 : 0
      }
    }
    families.sort { $0.idiom.rawValue < $1.idiom.rawValue }
  }

  /// The parts as a line.
  var words: String {
    let shown = families.filter { $0.shown > 0 }.map { family in
      let name = StoredFile.names[family.idiom] ?? "\(family.idiom)"
      return family.shown == family.all
        ? "every \(name)" : "\(family.shown) of \(counted(family.all, "\(name) model"))"
    }
    let devices = shown.isEmpty ? "no device" : shown.joined(separator: ", ")
    return "in an archive \(counted(bytes, "byte")); shown on \(devices)"
  }

  private static let names: [Idiom: String] = [
    .phone: "iPhone", .pad: "iPad", .tv: "Apple TV", .watch: "Apple Watch", .mac: "Mac",
    .vision: "Apple Vision",
  ]
}
