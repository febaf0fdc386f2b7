// The growth of an archive: its bytes before and after a change, and those that each device keeps,
// without a comparison of the pictures (ArchiveDifference.swift compares them, too).

import Archive
import Bytes
import Documents
import Traits

/// Devices that keep the same number of bytes of each archive.
package struct DeviceDifference: Sendable {
  package var devices: [Device]
  package var before: Int
  package var after: Int

  /// `iPhone 6s and 17 more`
  var label: String {
    let first = devices.first?.name ?? ""
    return devices.count == 1 ? first : "\(first) and \(devices.count - 1) more"
  }
}

extension [DeviceDifference] {
  /// The table in Markdown.
  var markdown: String {
    markdownTable(
      [["device (pictures with whole atlases)", "before", "after", "change"]]
        + map { row in
          [
            row.label, grouped(row.before), grouped(row.after), signed(row.after - row.before),
          ]
        }, right: [1, 2, 3])
  }
}

/// The bytes of two archives, and those that devices keep of them.
package struct ArchiveGrowth: Sendable {
  package var before: Int
  package var after: Int
  package var addedNames: [ByteString]
  package var removedNames: [ByteString]
  /// The devices, grouped by their bytes.
  package var devices: [DeviceDifference]

  /// Compares two archives. Without named devices, all devices that read the new one are compared.
  package init(
    from old: UnsafeRawBufferPointer, to new: UnsafeRawBufferPointer, devices named: [Device]
  ) throws(ThinningError) {
    var oldThinner = try Thinner(old)
    var newThinner = try Thinner(new)
    (before, after) = (old.count, new.count)
    let oldNames = Set(oldThinner.opened.inventory.facets.names)
    let newNames = Set(newThinner.opened.inventory.facets.names)
    addedNames = newNames.subtracting(oldNames).sorted()
    removedNames = oldNames.subtracting(newNames).sorted()
    let platform = try newThinner.metadata()?.platform
    devices = devicesByBytes(
      named.isEmpty ? Device.all(reading: platform) : named, &oldThinner, &newThinner)
  }

  package var markdown: String {
    var text = "The archive: \(ArchiveDifference.sizes(before, after))"
    if !addedNames.isEmpty { text += "; \(counted(addedNames.count, "name")) added" }
    if !removedNames.isEmpty { text += "; \(counted(removedNames.count, "name")) removed" }
    return text + "\n" + (devices.isEmpty ? "" : "\n" + devices.markdown)
  }
}

/// Compares the bytes that devices keep of two archives. Devices with equal bytes share a row;
/// devices that do not run the app are left out.
func devicesByBytes(
  _ devices: [Device], _ old: inout Thinner, _ new: inout Thinner
) -> [DeviceDifference] {
  var rows: [DeviceDifference] = []
  for device in devices {
    guard let before = old.keptBytes(on: device), let after = new.keptBytes(on: device) else {
      continue
    }
    if let row = rows.firstIndex(where: { $0.before == before && $0.after == after }) {
      rows[row].devices.append(device)
    } else {
      rows.append(DeviceDifference(devices: [device], before: before, after: after))
    }
  }
  return rows
}

extension Thinner {
  /// Returns the bytes of the renditions that a device can show, with whole atlases; nil if the
  /// device does not run the app.
  fileprivate mutating func keptBytes(on device: Device) -> Int? {
    guard let reach = try? reach(of: device),
      let selection = try? Selection(
        decide(for: ThinningTarget([reach])), of: opened.inventory, in: opened.archive)
    else { return nil }
    let entries = opened.inventory.entries
    var seen = BlockSet(limit: opened.inventory.blockLimit)
    return entries.indices.reduce(0) { sum, entry in
      let isNew = selection.isKept[entry] && seen.insert(entries.block(at: entry))
      return sum + (isNew ? entries.range(at: entry).count : 0)
    }
  }
}
