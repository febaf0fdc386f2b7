// The differences between two archives: names, renditions and their properties, pixels, and the
// bytes that devices keep. This file holds values only; ArchiveDifferenceText.swift writes them.

import Archive
import Bytes
import Traits

/// A rendition that is in one archive only, or that differs.
package struct RenditionDifference: Sendable, Hashable {
  package enum Change: String, Sendable, Hashable {
    case added, removed, changed
  }

  package var asset: ByteString
  /// Whether the asset has a name under which programs look it up.
  package var isNamed = true
  /// The words that distinguish the rendition from others of the same name.
  package var variant: String
  package var change: Change
  /// The properties that changed: flags, size, layout, file name, pixels, slices …
  package var aspects: [String] = []
  package var before = 0
  package var after = 0
}

/// A field of the archive's header or metadata that differs.
package struct FieldDifference: Sendable, Hashable {
  package var field: String
  package var before: String
  package var after: String
}

/// Devices that keep the same number of bytes of each archive.
package struct DeviceDifference: Sendable {
  package var devices: [Device]
  package var before: Int
  package var after: Int
}

/// All differences between two archives.
package struct ArchiveDifference: Sendable {
  package var addedNames: [ByteString] = []
  package var removedNames: [ByteString] = []
  package var renditions: [RenditionDifference] = []
  package var fields: [FieldDifference] = []
  /// The parts of the old file; `after` has those of the new one.
  package var before = FileParts(file: 0, pictures: 0, index: 0)
  package var after = FileParts(file: 0, pictures: 0, index: 0)
  /// The bytes that devices keep of each archive when it is thinned for them.
  package var devices: [DeviceDifference] = []

  /// The bytes of the renditions that are equal in both archives. The numbers differ if atlases
  /// were packed differently.
  package var unchanged: (before: Int, after: Int) {
    (
      before.pictures - renditions.reduce(0) { $0 + $1.before },
      after.pictures - renditions.reduce(0) { $0 + $1.after }
    )
  }

  /// Whether both archives show the same. Their bytes and the tools that wrote them may differ.
  package var isEmpty: Bool { renditions.isEmpty && addedNames.isEmpty && removedNames.isEmpty }
}

extension ArchiveDifference {
  /// Compares two archives, and the bytes that these devices keep of each.
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
  /// Returns the bytes of the renditions that a device can show, with whole atlases; nil if the
  /// device does not run the app.
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
