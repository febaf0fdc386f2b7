// The run time on a file that may be anything: opened, listed, looked up, decoded.

import CarveRuntime
import Traits
@testable import ArchiveTools

extension FuzzTarget {
  /// Everything that an app can ask of a catalogue.
  static let catalog = FuzzTarget("catalog") { bytes in
    guard let catalog = try? Catalog(lending: bytes) else { return }
    var dark = Environment()
    dark.style = .dark
    dark.scale = 2
    dark.direction = .rightToLeft
    let decoder = AtlasDecoder(catalog)
    let views = [catalog.view(for: Environment()), catalog.view(for: dark)]
    _ = catalog.transition(from: views[0], to: views[1]).isEmpty
    for asset in catalog.assets.prefix(64) {
      for view in views {
        _ = view.choice(for: asset.id)
        _ = view.obstacle(for: asset.id)
        if let variant = view.find(asset.name, asset.kind) { readAll(of: variant, by: decoder) }
      }
      for place in catalog.keys(of: asset.id).indices.prefix(8) {
        if let variant = catalog.variant(place, of: asset.id) { readAll(of: variant, by: decoder) }
      }
    }
  }
}

private func readAll(of variant: Variant, by decoder: AtlasDecoder) {
  let catalog = decoder.catalog
  let limits = DecodeLimits(width: 64, height: 64, scratchBytes: 1 << 20)
  _ = variant.alignmentRect
  _ = variant.slicing
  _ = try? catalog.color(of: variant)
  _ = try? catalog.file(of: variant, limits: limits)
  withUnsafeTemporaryAllocation(byteCount: 64 * 64 * 8, alignment: 16) { buffer in
    for layout in PixelLayout.allCases {
      _ = try? catalog.decode(
        variant, as: layout, space: layout == .gray8 ? .displayP3 : .sRGB, into: buffer,
        rowStride: 64 * layout.bytesPerPixel, limits: limits)
    }
    _ = try? decoder.decode(
      variant, as: .rgba8, into: buffer, rowStride: 64 * 4, limits: limits)
    _ = try? catalog.drawSliced(
      variant, as: .bgra8, width: 33, height: 17, into: buffer, rowStride: 33 * 4, limits: limits)
    for layout in [PixelLayout.bgra8, .grayAlpha8] {
      _ = try? decoder.drawSliced(
        variant, as: layout, width: 40, height: 61, into: buffer,
        rowStride: 40 * layout.bytesPerPixel, limits: limits)
    }
  }
}
