// Reports settings that Carve does not apply although it compiles the set, once for each set, so
// that no setting of a catalogue is ignored silently.

import CatalogModel

extension Plan {
  mutating func reportUnappliedSettings(of asset: AssetSet) {
    if !asset.onDemandTags.isEmpty {
      report(
        "on-demand-resource-tags", of: asset, "the asset is stored in this archive, not in a pack")
    }
    guard case .images(let set) = asset.contents else { return }
    let lossy: Set<CompressionType> = [.lossy, .gpuBest, .gpuSmallest]
    let named = set.entries.compactMap(\.compression).first { lossy.contains($0) }
    if let named {
      report(
        "compression-type", of: asset,
        "the pixels are not changed as \"\(named.rawValue)\" requires")
    }
    if set.scalesAutomatically {
      report("auto-scaling", of: asset, "Carve makes no sizes for other watches")
    }
    if set.entries.contains(where: { $0.colorSpace == .displayP3 }) {
      report(
        "color-space", of: asset,
        "the colour profile of each picture decides how the picture is stored")
    }
  }

  mutating func report(_ key: String, of asset: AssetSet, _ instead: String) {
    diagnostics.append(
      Diagnostic(
        .settingNotApplied, "\"\(key)\" of \"\(asset.name)\" is not applied: \(instead)",
        file: asset.contentsFile))
  }
}
