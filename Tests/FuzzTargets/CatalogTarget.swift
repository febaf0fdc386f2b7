// Gives any bytes to the run time as a file: it is opened, listed, looked up and decoded, by every
// public function. InterfaceTarget.swift does the same through C.

import CarveRuntime
import Traits
@testable import ArchiveTools

extension FuzzTarget {
  /// Calls everything that an app can call, also with limits that allow everything. The target
  /// `calls` checks the costs with the default limits.
  public static let catalog = FuzzTarget(
    "catalog", seeds: "archive", bound: CostBound(memory: 1 << 34, calls: 1_000)
  ) { bytes in
    guard let catalog = try? Catalog(lending: bytes) else { return }
    var dark = Environment()
    dark.style = .dark
    dark.scale = 2
    dark.direction = .rightToLeft
    let decoder = AtlasDecoder(catalog)
    let views = [catalog.view(for: Environment()), catalog.view(for: dark)]
    let change = catalog.transition(from: views[0], to: views[1])
    _ = change.isEmpty
    _ = catalog.transition(from: Environment(), to: dark).assets
    _ = catalog.localizations
    _ = catalog.usesIndexInPlace ? catalog.fileSize : catalog.assetCount
    for asset in catalog.assets.prefix(64) {
      _ = change.affects(asset.id)
      _ = catalog.id(of: asset.name, asset.kind)
      for view in views {
        _ = view.choice(for: asset.id)
        _ = view.obstacle(for: asset.id)
        _ = view.find(asset.id)
        if let variant = view.find(asset.name, asset.kind) { readAll(of: variant, by: decoder) }
      }
      for place in catalog.keys(of: asset.id).indices.prefix(8) {
        if let variant = catalog.variant(place, of: asset.id) { readAll(of: variant, by: decoder) }
      }
    }
    _ = catalog.asset(at: catalog.assetCount)
    decoder.forgetAtlas()
  }
}

/// Limits of few pixels, the default limits, and the largest limits.
private let allLimits = [
  DecodeLimits(width: 64, height: 64, scratchBytes: 1 << 20), DecodeLimits(),
  DecodeLimits(width: .max, height: .max, scratchBytes: .max),
]

private func readAll(of variant: Variant, by decoder: AtlasDecoder) {
  let catalog = decoder.catalog
  _ = variant.alignmentRect
  _ = variant.slicing
  _ = variant.templateIntent
  _ = variant.isVector || variant.preservesVector || variant.isMirrored
  _ = try? catalog.color(of: variant)
  _ = try? catalog.orientation(of: variant)
  _ = try? catalog.typeIdentifier(of: variant)
  _ = catalog.storedName(of: variant)
  withUnsafeTemporaryAllocation(byteCount: 64 * 64 * 8, alignment: 16) { buffer in
    if (try? catalog.fileSize(of: variant)) != nil {
      _ = try? catalog.readFile(of: variant, into: buffer)
    }
    for limits in allLimits { read(variant, by: decoder, limits, into: buffer) }
  }
}

private func read(
  _ variant: Variant, by decoder: AtlasDecoder, _ limits: DecodeLimits,
  into buffer: UnsafeMutableRawBufferPointer
) {
  let catalog = decoder.catalog
  // Files that state a size in between would only cost time.
  if let size = try? catalog.fileSize(of: variant), size < 1 << 24 || size > 1 << 40 {
    _ = try? catalog.file(of: variant, limits: limits)
  }
  for layout in PixelLayout.allCases {
    _ = try? catalog.decodedSize(of: variant, as: layout, limits: limits)
    _ = try? catalog.decode(
      variant, as: layout, space: layout == .gray8 ? .displayP3 : .sRGB, into: buffer,
      rowStride: 64 * layout.bytesPerPixel, limits: limits)
  }
  if variant.isVector { draw(variant, by: decoder, limits, into: buffer) }
  _ = try? decoder.decode(variant, as: .rgba8, into: buffer, rowStride: 64 * 4, limits: limits)
  _ = try? catalog.drawSliced(
    variant, as: .bgra8, width: 33, height: 17, into: buffer, rowStride: 33 * 4, limits: limits)
  for layout in [PixelLayout.bgra8, .grayAlpha8] {
    _ = try? decoder.drawSliced(
      variant, as: layout, width: 40, height: 61, into: buffer,
      rowStride: 40 * layout.bytesPerPixel, limits: limits)
  }
}

private func draw(
  _ variant: Variant, by decoder: AtlasDecoder, _ limits: DecodeLimits,
  into buffer: UnsafeMutableRawBufferPointer
) {
  _ = try? decoder.catalog.vectorPage(of: variant, limits: limits)
  for (width, height) in [(64, 64), (7, 61)] {
    _ = try? decoder.drawVector(
      variant, as: .bgra8, width: width, height: height, into: buffer, rowStride: width * 4,
      limits: limits)
    _ = try? decoder.catalog.drawVector(
      variant, as: .grayAlpha8, space: .displayP3, width: width, height: height,
      tint: Tint(red: 0.5, green: 1, blue: 2, alpha: 0.5), into: buffer, rowStride: width * 2,
      limits: limits)
  }
}
