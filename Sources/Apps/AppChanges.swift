// The changes from one build of an app to the next: the sizes of bundles, archives, assets and
// loose pictures, the downloads of each device, and copies. Also the gate: the devices that
// download more than a limit allows.

import ArchiveTools
import Bytes
import Traits

/// A size in both builds; nil if the build does not have the thing.
package struct SizeChange: Sendable, Hashable {
  package var before: Int?
  package var after: Int?

  package init(before: Int?, after: Int?) { (self.before, self.after) = (before, after) }

  package var growth: Int { (after ?? 0) - (before ?? 0) }
}

/// A bundle, an archive, an asset or a loose picture whose size changed.
package struct ChangedPart: Sendable, Hashable {
  /// The path below the app, which is the same in both builds.
  package var path: ByteString
  /// The name of the asset; empty for everything else.
  package var asset: ByteString = ""
  package var bytes: SizeChange
  /// The numbers of renditions of an asset.
  package var renditions = SizeChange(before: nil, after: nil)

  /// The reason why the size changed.
  package var cause: String {
    switch (bytes.before, bytes.after) {
    case (nil, _): "new"
    case (_, nil): "removed"
    default:
      renditions.growth > 0
        ? "more renditions"
        : renditions.growth < 0
          ? "fewer renditions" : bytes.growth > 0 ? "larger" : bytes.growth < 0 ? "smaller" : "same"
    }
  }
}

/// The bytes that one device downloads of a program: its archives, thinned, and all loose pictures.
package struct DeviceChange: Sendable, Hashable {
  /// The path of the program.
  package var program: ByteString
  package var device: Device
  package var bytes: SizeChange
}

/// The changes from one build of an app to the next.
package struct AppChanges: Sendable {
  package var files: SizeChange
  package var bundles: [ChangedPart] = []
  package var archives: [ChangedPart] = []
  package var assets: [ChangedPart] = []
  package var loose: [ChangedPart] = []
  package var devices: [DeviceChange] = []
  /// The bytes that one copy of each group of equal pictures would save.
  package var copies: SizeChange

  package var isEmpty: Bool {
    [bundles, archives, assets, loose].allSatisfy(\.isEmpty) && files.growth == 0
      && devices.allSatisfy { $0.bytes.growth == 0 }
  }
}

extension AppChanges {
  /// Compares two builds. Paths are compared below the app, so that an .ipa and an .xcarchive of
  /// one app have the same.
  package init(from before: AppReport, to after: AppReport) {
    files = SizeChange(before: before.byteCount, after: after.byteCount)
    copies = SizeChange(
      before: before.duplicates.reduce(0) { $0 + $1.saved },
      after: after.duplicates.reduce(0) { $0 + $1.saved })
    let (old, new) = (before.measures, after.measures)
    bundles = AppChanges.changes(old.bundles, new.bundles)
    archives = AppChanges.changes(old.archives, new.archives)
    assets = AppChanges.changes(old.assets, new.assets)
    loose = AppChanges.changes(old.loose, new.loose)
    for key in Set(old.devices.keys).union(new.devices.keys) {
      guard let device = Device(named: key.device) else { continue }
      let bytes = SizeChange(before: old.devices[key], after: new.devices[key])
      devices.append(DeviceChange(program: key.program, device: device, bytes: bytes))
    }
    let places = Dictionary(
      uniqueKeysWithValues: Device.all.enumerated().map { ($1.identifier, $0) })
    devices.sort { a, b in
      if a.program != b.program { return a.program < b.program }
      return places[a.device.identifier, default: 0] < places[b.device.identifier, default: 0]
    }
  }

  /// Returns what differs, the largest growth first.
  private static func changes(
    _ old: [Measures.Part: Measures.Size], _ new: [Measures.Part: Measures.Size]
  ) -> [ChangedPart] {
    let parts = Set(old.keys).union(new.keys).filter { old[$0] != new[$0] }
    return parts.map { part in
      ChangedPart(
        path: part.path, asset: part.asset,
        bytes: SizeChange(before: old[part]?.bytes, after: new[part]?.bytes),
        renditions: SizeChange(before: old[part]?.count, after: new[part]?.count))
    }.sorted { a, b in
      a.bytes.growth == b.bytes.growth
        ? (a.path, a.asset) < (b.path, b.asset) : a.bytes.growth > b.bytes.growth
    }
  }
}

/// The sizes of a build by paths below the app.
private struct Measures {
  struct Part: Hashable {
    var path: ByteString
    var asset: ByteString
  }

  struct Size: Hashable {
    var bytes: Int
    var count: Int?
  }

  struct Program: Hashable {
    var program: ByteString
    var device: String
  }

  var bundles: [Part: Size] = [:]
  var archives: [Part: Size] = [:]
  var assets: [Part: Size] = [:]
  var loose: [Part: Size] = [:]
  var devices: [Program: Int] = [:]
}

extension AppReport {
  fileprivate var measures: Measures {
    var measures = Measures()
    let root = commonRoot
    func below(_ path: ByteString) -> ByteString {
      if path == root { return "" }
      return path.relative(to: root) ?? path
    }
    func part(_ path: ByteString, _ asset: ByteString = "") -> Measures.Part {
      Measures.Part(path: below(path), asset: asset)
    }
    for contents in bundles {
      measures.bundles[part(contents.bundle.path)] = .init(bytes: contents.byteCount)
      for picture in contents.loose {
        measures.loose[part(picture.path)] = .init(bytes: picture.bytes)
      }
    }
    for archive in archives {
      measures.archives[part(archive.path)] = .init(bytes: archive.byteCount)
      for share in archive.sizes?.assets ?? [] {
        measures.assets[part(archive.path, share.name)] = .init(
          bytes: share.bytes, count: share.count)
      }
    }
    for program in programs {
      let path = below(bundles[program.bundle].bundle.path)
      for (device, bytes) in program.devices {
        let key = Measures.Program(program: path, device: device.identifier)
        measures.devices[key] = bytes + program.looseBytes
      }
    }
    return measures
  }

  /// The path of the app if there is only one; otherwise the folder in which all programs lie.
  private var commonRoot: ByteString {
    let paths = programs.map { bundles[$0.bundle].bundle.path }
    guard let first = paths.first, bundles[programs[0].bundle].bundle.kind != .loose else {
      return ""
    }
    return paths.allSatisfy { $0 == first || $0.isInside(first) } ? first : parentFolder(first)
  }
}

// MARK: - The gate

/// A limit for the growth of the download of a device.
package enum GrowthLimit: Sendable, Hashable {
  case bytes(Int)
  case percent(Double)

  /// Reads a size such as `200KB`, or a share such as `2%`; nil for any other text.
  package init?(_ text: String) {
    if text.hasSuffix("%") {
      guard let percent = Double(text.dropLast()), percent >= 0, percent < 1e9 else { return nil }
      self = .percent(percent)
    } else {
      guard let bytes = SizeBudget.bytes(of: text) else { return nil }
      self = .bytes(bytes)
    }
  }

  /// Returns the largest size that is allowed after a size.
  func most(after bytes: Int) -> Int {
    switch self {
    case .bytes(let growth): bytes + growth
    case .percent(let percent): bytes + Int((Double(bytes) * percent / 100).rounded(.down))
    }
  }
}

/// Devices of one program that download more than the limit allows.
package struct ExcessiveGrowth: Sendable, Hashable {
  package var program: ByteString
  package var devices: [Device]
  package var before: Int
  package var after: Int
  package var most: Int
}

extension AppChanges {
  /// Returns the devices that download more than the limit allows. Devices with equal sizes are one
  /// element. If no device runs a program, nothing is checked. A device that runs the program only
  /// now has no size to compare with; all devices of a new program grow from 0.
  package func excesses(over limit: GrowthLimit) -> [ExcessiveGrowth] {
    var found: [ExcessiveGrowth] = []
    let known = Set(devices.filter { $0.bytes.before != nil }.map(\.program))
    for change in devices where change.bytes.before != nil || !known.contains(change.program) {
      let (before, after) = (change.bytes.before ?? 0, change.bytes.after ?? 0)
      let most = limit.most(after: before)
      guard after > most else { continue }
      let index = found.firstIndex {
        $0.program == change.program && $0.before == before && $0.after == after
      }
      if let index {
        found[index].devices.append(change.device)
      } else {
        found.append(
          ExcessiveGrowth(
            program: change.program, devices: [change.device], before: before, after: after,
            most: most))
      }
    }
    return found
  }
}
