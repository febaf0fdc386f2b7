// Thinning an edited archive shows the same as editing a thinned one: over the archives of all
// sample catalogues and some devices.

import Archive
import Builds
import Bytes
import CatalogCompiler
import Foundation
import Host
import Support
import Testing
import Traits

@testable import ArchiveTools

@Suite struct EditThinningTests {
  private func edited(_ bytes: [UInt8], _ operation: EditOperation) throws -> [UInt8] {
    try bytes.withUnsafeBytes { bytes in
      var run = try EditRun(bytes, in: .memory([:]))
      try run.apply(operation)
      try run.finish()
      return try run.editor.bytes()
    }
  }

  private func thinned(_ bytes: [UInt8], for device: Device) throws -> [UInt8] {
    try bytes.withUnsafeBytes { bytes in
      var thinner = try Thinner(bytes)
      return try thinner.bytes(for: ThinningTarget([try thinner.reach(of: device)]))
    }
  }

  @Test(arguments: soundSamples) func `edits and thinning commute`(name: String) throws {
    let folder = try TemporaryDirectory()
    _ = try compile(
      .archive(of: [ByteString("\(sampleCatalogs)/\(name)")]), in: .disk,
      options: CompileOptions(target: CompileTarget(platform: .iOS), icons: .all),
      to: .path(ByteString(folder.path("a.car"))))
    let bytes = try folder.read("a.car")
    let facets = try bytes.withUnsafeBytes { try Archive($0).facets() }
    var compared = 0
    for device in try ["iPhone12,1", "iPad13,4"].map({ try #require(Device(named: $0)) }) {
      let small = try thinned(bytes, for: device)
      for facet in facets.prefix(6) {
        for operation in [EditOperation.rename(facet.name, to: "New name"), .remove(facet.name)] {
          guard let whole = try? edited(bytes, operation),
            let second = try? edited(small, operation)
          else { continue }
          let first = try thinned(whole, for: device)
          let changes = try first.withUnsafeBytes { first in
            try second.withUnsafeBytes { second in
              try ArchiveDifference(from: first, to: second, devices: [])
            }
          }
          // Atlases are packed again for other pictures, which may round colours.
          #expect(
            changes.addedNames.isEmpty && changes.removedNames.isEmpty
              && changes.renditions.allSatisfy {
                $0.change == .changed && ($0.greatest ?? 256) <= 2
              },
            "\(name) \(device.identifier) \(operation): \(changes.text)")
          compared += 1
        }
      }
    }
    #expect(compared > 0)
  }
}
