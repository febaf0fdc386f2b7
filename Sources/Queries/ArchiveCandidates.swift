// Reads the variants in an archive.

import Archive
import ArchiveTools
import Bytes
import CarveRuntime
import CatalogModel
import Traits

extension CandidateSource {
  /// Reads the variants of an archive. A symbol is represented by the requested drawing or, without
  /// a request, by its preferred drawing.
  package convenience init(
    archive catalog: CarveRuntime.Catalog, _ glyph: Glyph? = nil
  ) throws(CatalogError) {
    let numbers = catalog.localizations
    let tags = Dictionary(
      numbers.map { ($0.number, $0.name) }, uniquingKeysWith: { first, _ in first })
    let platform = catalog.platform
    let assets = catalog.assets.map { asset in
      let drawing = asset.kind == .symbol ? glyph.map { asset.id(of: $0) } : nil
      let id = drawing ?? asset.id
      let candidates = catalog.keys(of: id).enumerated().compactMap { index, key in
        catalog.variant(index, of: id).map { variant in
          Candidate(
            key, variant, language: tags[key.locale], platform: platform,
            fileName: asset.kind == .color
              ? nil : catalog.storedName(of: variant).map { ByteString($0) },
            color: asset.kind == .color
              ? (try? catalog.colorPayload(of: variant))?.color : nil)
        }
      }
      return AssetCandidates(name: ByteString(asset.name), kind: asset.kind, candidates: candidates)
    }
    do throws(FormatError) {
      for asset in assets { try checkCombinations(of: asset.keys) }
    } catch {
      throw .format(error)
    }
    self.init(
      CandidateTable(Array(assets), isArchive: true),
      locales: Dictionary(
        numbers.map { ($0.name, $0.number) }, uniquingKeysWith: { first, _ in first }))
  }
}

extension Candidate {
  fileprivate init(
    _ key: VariantKey, _ variant: Variant, language: String?, platform: Traits.Platform?,
    fileName: ByteString?, color: ColorPayload?
  ) {
    self.key = key
    self.language = language
    self.platform = platform
    isVector = variant.isVector
    isNothing = variant.content == .nothing
    self.fileName = isNothing ? nil : fileName
    self.color = color
    let size = variant.pixelSize
    if size.width > 0, size.height > 0, !variant.isVector {
      pixels = PixelCount(width: size.width, height: size.height)
    }
    let scale = Double(max(key.scale, 1))
    if !variant.alignmentInsets.isZero { insets = Insets(variant.alignmentInsets, scale) }
    slicing = variant.slicing.map { SlicingFacts($0, scale) }
  }
}

/// Returns a length in points without the rounding error of single precision; it must correspond to
/// whole pixels.
private func exact(_ points: Float, _ scale: Double) -> Double {
  pointsOfWholePixels(Double(points) * scale, scale)
}

extension Insets {
  fileprivate init(_ insets: EdgeInsets, _ scale: Double) {
    self.init(
      top: exact(insets.top, scale), left: exact(insets.left, scale),
      bottom: exact(insets.bottom, scale), right: exact(insets.right, scale))
  }
}

extension SlicingFacts {
  fileprivate init(_ slicing: Slicing, _ scale: Double) {
    let fill = slicing.mode == .threePartVertical ? slicing.down : slicing.across
    switch slicing.mode {
    case .threePartHorizontal: mode = .horizontal
    case .threePartVertical: mode = .vertical
    case .ninePart, .edgesOnly: mode = .ninePart
    }
    switch fill {
    case .tile: center = .tile
    case .stretch, .uniform: center = .stretch
    }
    caps = Insets(slicing.caps, scale)
    centerWidth = exact(slicing.centerWidth, scale)
    centerHeight = exact(slicing.centerHeight, scale)
  }
}
