// Groups devices that get the same archive, and writes the reports in which Apple's tools list the
// archive of each device.

import Bytes
import CDeflate
import Documents
import Traits

/// Devices whose thinned archives are equal, byte for byte.
package struct DeviceGroup: Sendable {
  /// The devices in the order of the device table.
  package var devices: [Device]
  package var target: ThinningTarget
  package var decision: Decision

  /// The file name of the group's archive, which is made from its first device.
  package var fileName: String { devices.first.map { DeviceGroup.fileName(of: $0) } ?? "" }

  fileprivate static func fileName(of device: Device) -> String {
    "Assets-\(device.identifier).car"
  }
}

extension Thinner {
  /// Groups devices that keep the same renditions. The groups are in the order of their first
  /// devices. `progress` gets the number of devices that are decided.
  package mutating func groups(
    of reaches: [(device: Device, reach: Reach)], progress: (Int) -> Void = { _ in }
  ) -> [DeviceGroup] {
    var groups: [DeviceGroup] = []
    var groupOfDecision: [Decision: Int] = [:]
    var decisionOfFactors: [ReachFactors: Decision] = [:]
    for (done, (device, reach)) in reaches.enumerated() {
      let decision = decisionOfFactors[reach.factors] ?? decide(for: ThinningTarget([reach]))
      decisionOfFactors[reach.factors] = decision
      if let group = groupOfDecision[decision] {
        groups[group].devices.append(device)
        groups[group].target = ThinningTarget(groups[group].target.reaches + [reach])
      } else {
        groupOfDecision[decision] = groups.count
        groups.append(
          DeviceGroup(devices: [device], target: ThinningTarget([reach]), decision: decision))
      }
      progress(done + 1)
    }
    return groups
  }
}

/// One archive of a set that serves all devices.
package struct Deliverable: Sendable {
  package var fileName: String
  package var devices: [Device]
  package var byteCount: Int
  /// The number of bytes after deflate, as in the compressed form of an app.
  package var compressedByteCount: Int
  package var osVersion: OSVersion

  package init(
    fileName: String, devices: [Device], byteCount: Int, compressedByteCount: Int,
    osVersion: OSVersion
  ) {
    self.fileName = fileName
    self.devices = devices
    self.byteCount = byteCount
    self.compressedByteCount = compressedByteCount
    self.osVersion = osVersion
  }
}

/// Returns the size of a file in a compressed app.
package func compressedSize(of bytes: UnsafeRawBufferPointer) -> Int {
  bytes.baseAddress.map { carve_deflated_size($0, bytes.count) } ?? 0
}

/// Returns the contents of "App Thinning Size Report.txt", in Apple's words.
package func appThinningText(_ deliverables: [Deliverable], of name: String) -> String {
  var text = "App Thinning Size Report for All Variants of \(name)\n"
  for deliverable in deliverables {
    let size = sizesText(deliverable.compressedByteCount, deliverable.byteCount)
    let descriptors = deliverable.devices.map {
      "[device: \($0.identifier), os-version: \(versionText(deliverable.osVersion))]"
    }
    text += """

      Variant: \(deliverable.fileName)
      Supported variant descriptors: \(descriptors.joined(separator: ", "))
      App + On Demand Resources size: \(size)
      App size: \(size)
      On Demand Resources size: \(sizesText(0, 0))

      """
  }
  return text
}

private func sizesText(_ compressed: Int, _ uncompressed: Int) -> String {
  "\(decimalSize(compressed)) compressed, \(decimalSize(uncompressed)) uncompressed"
}

private func versionText(_ version: OSVersion) -> String {
  version.patch == 0 ? "\(version.major).\(version.minor)" : "\(version)"
}

/// Returns the names of archives that a property list of an earlier run contains, if this command
/// makes such names. Empty if the bytes are not such a list.
package func archiveNames(inAppThinningPropertyList bytes: [UInt8]) -> [String] {
  guard let list = try? PropertyValue(propertyList: bytes),
    let variants = list.dictionary?["variants"]?.dictionary
  else { return [] }
  return variants.keys.sorted().map(\.text).filter { name in
    Device.all.contains { name == DeviceGroup.fileName(of: $0) }
  }
}

/// Returns the contents of "app-thinning.plist", with Apple's keys.
package func appThinningPropertyList(_ deliverables: [Deliverable]) -> [UInt8] {
  var variants: [ByteString: PropertyValue] = [:]
  for deliverable in deliverables {
    let devices = deliverable.devices.map { device -> PropertyValue in
      .dictionary([
        "device": .string(device.identifier),
        "os-version": .string(versionText(deliverable.osVersion)),
      ])
    }
    variants[ByteString(deliverable.fileName)] = .dictionary([
      "sizeCompressedApp": .integer(deliverable.compressedByteCount),
      "sizeCompressedODR": .integer(0),
      "sizeCompressedTotal": .integer(deliverable.compressedByteCount),
      "sizeUncompressedApp": .integer(deliverable.byteCount),
      "sizeUncompressedODR": .integer(0),
      "sizeUncompressedTotal": .integer(deliverable.byteCount),
      "variantDescriptors": .array(devices),
    ])
  }
  return PropertyValue.dictionary(["variants": .dictionary(variants)]).xmlPropertyList()
}
