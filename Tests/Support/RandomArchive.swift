// Archives in memory with random variants, for the tests of the properties of thinning.

import Archive
import ArchiveTools
import Bytes
import Traits

package struct RandomAsset {
  package var name: ByteString
  package var kind: AssetKind
  package var keys: [VariantKey]

  package init(name: ByteString, kind: AssetKind, keys: [VariantKey]) {
    self.name = name
    self.kind = kind
    self.keys = keys
  }
}

extension SeededGenerator {
  /// Returns random assets. Many of them share a signature, as in real catalogues.
  package mutating func assets(_ count: Int) -> [RandomAsset] {
    let signatures = (0..<max(1, count / 3)).map { _ in Signature(keys(1...8)).keys }
    return (0..<count).map { index in
      let kind: AssetKind = one(of: [.image, .image, .image, .color, .data])
      return RandomAsset(name: "Asset \(index)", kind: kind, keys: one(of: signatures))
    }
  }

  /// Returns a random device. All devices are equally likely.
  package mutating func device() -> Device { one(of: allDevices) }
}

package let allDevices = Device.all

/// Returns an archive with a block for each variant. The bytes of a block identify the variant.
package func archive(of assets: [RandomAsset]) throws -> [UInt8] {
  var writer = ArchiveWriter(into: MemorySink())
  let header = CatalogHeader(
    coreUIVersion: 972, mainVersion: "@(#)PROGRAM:CoreUI  PROJECT:CoreUI-972.1\n",
    toolVersion: "A test")
  var contents = ArchiveContents(
    header: header,
    metadata: CatalogMetadata(platform: "ios", platformVersion: "", authoringTool: "A test"))
  let variants = VariantNumbers(appearances: [], semantics: .phone)
  let names = try NameNumbers(assets.map(\.name))
  for asset in assets {
    guard let number = names[asset.name] else { continue }
    let part = asset.kind == .color ? Part.color : Part.regular
    contents.facets.append(Facet(name: asset.name, part: part, identifier: number))
    for (ordinal, key) in asset.keys.enumerated() {
      guard let archived = variants.key(part: part, identifier: number, variant: key) else {
        continue
      }
      contents.renditions.append((archived, writer.append(block(of: asset, ordinal))))
    }
  }
  return try writer.finish(contents).bytes
}

private func block(of asset: RandomAsset, _ ordinal: Int) -> RenditionHead {
  let layout: RenditionLayout =
    asset.kind == .color ? .color : asset.kind == .data ? .data : .onePartScale
  return RenditionHead(CSIHeader(layout: layout, name: "\(asset.name).\(ordinal)"), [])
}

/// Thins an archive in memory.
package func thinned(
  _ bytes: [UInt8], for devices: [Device], app: AppTraits = AppTraits()
) throws -> [UInt8] {
  try bytes.withUnsafeBytes { file in
    var thinner = try Thinner(file)
    var reaches: [Reach] = []
    for device in devices { reaches.append(try thinner.reach(of: device, app: app)) }
    return try thinner.bytes(for: ThinningTarget(reaches))
  }
}

/// Returns the proof for a thinned archive.
package func proof(
  _ full: [UInt8], _ thinned: [UInt8], for devices: [Device], app: AppTraits = AppTraits()
) throws -> Proof {
  try full.withUnsafeBytes { full in
    try thinned.withUnsafeBytes { thinned in
      let thinner = try Thinner(full)
      var reaches: [Reach] = []
      for device in devices { reaches.append(try thinner.reach(of: device, app: app)) }
      return try Proof(
        full: thinner.opened, writtenTo: thinned, target: ThinningTarget(reaches))
    }
  }
}
