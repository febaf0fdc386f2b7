// The contents of one archive of an app, and the part of it that each device downloads.

import Archive
import ArchiveTools
import Bytes
import Traits

/// The renditions of one kind, or of one asset.
package struct SizeShare<Name: Hashable & Sendable>: Sendable, Hashable {
  package var name: Name
  package var count: Int
  package var bytes: Int

  package init(name: Name, count: Int = 0, bytes: Int = 0) {
    self.name = name
    self.count = count
    self.bytes = bytes
  }
}

/// Devices that download the same part of an archive.
package struct DeviceShare: Sendable {
  package var devices: [Device]
  /// The size of the archive that is thinned for them.
  package var bytes: Int
  /// The renditions that the first of the devices keeps and those that thinning drops, by axis and
  /// by asset.
  package var savings: DeviceSavings
  /// For each entry of the archive, whether it is kept.
  package var kept: [Bool]
}

/// The contents and the costs of one archive.
package struct ArchiveSizes: Sendable {
  package var platform: String?
  package var byteCount: Int
  package var nameCount = 0
  package var renditionCount = 0
  package var parts: FileParts
  /// The kinds of renditions in Apple's words, the largest first.
  package var kinds: [SizeShare<String>] = []
  /// The assets, the largest first.
  package var assets: [SizeShare<ByteString>] = []
  /// The devices that can run the app, in the order of the device table.
  package var devices: [DeviceShare] = []
  /// The index of each device in `devices`, by its model.
  package var shareOfDevice: [ByteString: Int] = [:]
}

extension ArchiveSizes {
  /// Returns the part that a device downloads; nil if it does not run the app.
  package func share(of device: Device) -> DeviceShare? {
    shareOfDevice[ByteString(device.identifier)].map { devices[$0] }
  }

  /// Reads an archive. Devices are those that run an app with these traits on this system or a
  /// newer one; if some are named, only those of them.
  package init(
    _ file: UnsafeRawBufferPointer, app: AppTraits, os: OSVersion?, devices named: [Device] = []
  ) throws(ThinningError) {
    byteCount = file.count
    parts = FileParts(file: file.count, pictures: 0, index: 0)
    var thinner = try Thinner(file)
    platform = try thinner.metadata()?.platform
    do throws(FormatError) { try count(thinner.opened) } catch { throw .format(error) }
    var reaches: [(device: Device, reach: Reach)] = []
    for device in named.isEmpty ? Device.all(reading: platform) : named {
      guard let reach = try? thinner.reach(of: device, app: app, os: os) else { continue }
      reaches.append((device, reach))
    }
    for group in thinner.groups(of: reaches) {
      let plan = try thinner.plan(group.decision)
      let first = ThinningTarget(Array(group.target.reaches.prefix(1)))
      guard let savings = try thinner.report(plan, for: first).devices.first else { continue }
      devices.append(
        DeviceShare(
          devices: group.devices, bytes: try thinner.opened.byteCount(of: plan),
          savings: savings, kept: plan.selection.isKept))
      for device in group.devices {
        shareOfDevice[ByteString(device.identifier)] = devices.count - 1
      }
    }
  }

  /// Counts the renditions and charges the bytes.
  private mutating func count(_ opened: OpenedArchive) throws(FormatError) {
    let charges = try opened.charges()
    parts = try opened.parts(pictures: charges.sum)
    nameCount = opened.inventory.facets.count
    renditionCount = opened.inventory.entries.count
    var kinds: [ByteString: SizeShare<String>] = [:]
    var assets: [ByteString: SizeShare<ByteString>] = [:]
    for (index, entry) in opened.inventory.entries.enumerated() {
      let rendition = try opened.archive.rendition(entry)
      let kind = rendition.appleType(entry.key)
      let name = opened.inventory.name(of: index) ?? "(unnamed)"
      kinds[ByteString(kind), default: SizeShare(name: kind)].add(charges.bytes[index])
      assets[name, default: SizeShare(name: name)].add(charges.bytes[index])
    }
    self.kinds = kinds.values.sorted { ($1.bytes, $0.name) < ($0.bytes, $1.name) }
    self.assets = assets.values.sorted {
      $0.bytes == $1.bytes ? $0.name < $1.name : $0.bytes > $1.bytes
    }
  }
}

extension SizeShare {
  fileprivate mutating func add(_ bytes: Int) {
    count += 1
    self.bytes += bytes
  }
}
