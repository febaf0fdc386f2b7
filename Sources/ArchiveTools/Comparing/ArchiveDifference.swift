// What differs between two archives: names, renditions, what they are, pixels, and what devices pay.
// Values only; how they read is in ArchiveDifferenceText.swift.

import Archive
import Bytes
import Traits

/// A rendition that is in one archive only, or differs.
package struct RenditionDifference: Sendable, Hashable {
  package enum Change: String, Sendable, Hashable {
    case added, removed, changed
  }

  package var asset: ByteString
  /// Whether the asset has a name by which programs ask for it.
  package var isNamed = true
  /// What distinguishes it from others of the name.
  package var variant: String
  package var change: Change
  /// For what changed: flags, size, layout, file name, pixels, slices …
  package var aspects: [String] = []
  package var before = 0
  package var after = 0
}

/// A line of the archive's own description.
package struct FieldDifference: Sendable, Hashable {
  package var field: String
  package var before: String
  package var after: String
}

/// Devices that pay the same for both archives.
package struct DeviceDifference: Sendable {
  package var devices: [Device]
  package var before: Int
  package var after: Int
}

package struct ArchiveDifference: Sendable {
  package var addedNames: [ByteString] = []
  package var removedNames: [ByteString] = []
  package var renditions: [RenditionDifference] = []
  package var fields: [FieldDifference] = []
  /// The files and their parts.
  package var before = FileParts(file: 0, pictures: 0, index: 0)
  package var after = FileParts(file: 0, pictures: 0, index: 0)
  /// What devices keep of each archive when they are thinned.
  package var devices: [DeviceDifference] = []

  /// The renditions that are the same in both; where they were packed otherwise they cost otherwise.
  package var unchanged: (before: Int, after: Int) {
    (
      before.pictures - renditions.reduce(0) { $0 + $1.before },
      after.pictures - renditions.reduce(0) { $0 + $1.after }
    )
  }

  /// Whether both show the same; bytes and tools may differ.
  package var isEmpty: Bool { renditions.isEmpty && addedNames.isEmpty && removedNames.isEmpty }
}

extension ArchiveDifference {
  /// Compares two archives, for all devices of the second's platform or for the given ones.
  package init(
    from old: UnsafeRawBufferPointer, to new: UnsafeRawBufferPointer, devices: [Device]
  ) throws(ThinningError) {
    var oldThinner = try Thinner(old)
    var newThinner = try Thinner(new)
    do throws(FormatError) {
      let oldCharges = try oldThinner.opened.charges()
      let newCharges = try newThinner.opened.charges()
      before = try oldThinner.opened.parts(pictures: oldCharges.sum)
      after = try newThinner.opened.parts(pictures: newCharges.sum)
      var comparison = Comparison(
        (oldThinner.opened, oldCharges), (newThinner.opened, newCharges))
      renditions = try comparison.renditions()
      let oldNames = Set(oldThinner.opened.inventory.facets.names)
      let newNames = Set(newThinner.opened.inventory.facets.names)
      addedNames = newNames.subtracting(oldNames).sorted()
      removedNames = oldNames.subtracting(newNames).sorted()
      fields = try oldThinner.opened.archive.differences(from: newThinner.opened.archive)
    } catch {
      throw .format(error)
    }
    for device in devices {
      guard let before = oldThinner.keptBytes(on: device),
        let after = newThinner.keptBytes(on: device)
      else { continue }
      add(device, before, after)
    }
  }

  private mutating func add(_ device: Device, _ before: Int, _ after: Int) {
    if let place = self.devices.firstIndex(where: { $0.before == before && $0.after == after }) {
      self.devices[place].devices.append(device)
    } else {
      self.devices.append(DeviceDifference(devices: [device], before: before, after: after))
    }
  }
}

extension Thinner {
  /// The bytes of the renditions that a device can show, without taking atlases apart; nil where it
  /// does not run the app.
  fileprivate mutating func keptBytes(on device: Device) -> Int? {
    guard let reach = try? reach(of: device),
      let selection = try? Selection(
        decide(for: ThinningTarget([reach])), of: opened.inventory, in: opened.archive)
    else { return nil }
    var seen = Set<BlockID>()
    return opened.inventory.entries.indices.reduce(0) { sum, entry in
      let isNew =
        selection.isKept[entry] && seen.insert(opened.inventory.entries[entry].block).inserted
      return sum + (isNew ? opened.inventory.entries[entry].range.count : 0)
    }
  }
}

extension Archive {
  fileprivate func differences(from other: Archive) throws(FormatError) -> [FieldDifference] {
    let mine = try description()
    let theirs = try other.description()
    return zip(mine, theirs).compactMap { old, new in
      old.value == new.value
        ? nil : FieldDifference(field: old.field, before: old.value, after: new.value)
    }
  }

  private func description() throws(FormatError) -> [(field: String, value: String)] {
    let metadata = try metadata()
    return [
      ("tool", header.toolVersion), ("CoreUI version", "\(header.coreUIVersion)"),
      ("storage version", "\(header.storageVersion)"),
      ("key semantics", "\(header.keySemantics.rawValue)"),
      ("platform", metadata?.platform ?? ""), ("platform version", metadata?.platformVersion ?? ""),
      ("authoring tool", metadata?.authoringTool ?? ""),
      ("thinning arguments", metadata?.thinningArguments ?? ""),
      ("key format", keyFormat.columns.map { "\($0.rawValue)" }.joined(separator: " ")),
    ]
  }
}
