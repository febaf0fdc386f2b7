// The variants in an archive, read with the run-time library, which opens every archive.

import Archive
import Bytes
import CarveRuntime
import CatalogModel
import Traits

extension CandidateSource {
  /// Reads the variants of an archive. A symbol is represented by the requested drawing or, without
  /// a request, by its preferred drawing.
  package convenience init(archive catalog: CarveRuntime.Catalog, _ glyph: Glyph? = nil) {
    let numbers = catalog.localizations
    let tags = Dictionary(
      numbers.map { ($0.number, $0.name) }, uniquingKeysWith: { first, _ in first })
    let assets = catalog.assets.map { asset in
      let drawing = asset.kind == .symbol ? glyph.map { asset.id(of: $0) } : nil
      let id = drawing ?? asset.id
      let candidates = catalog.keys(of: id).enumerated().compactMap { place, key in
        catalog.variant(place, of: id).map { variant in
          Candidate(
            key, variant, kind: asset.kind, language: tags[key.locale],
            file: catalog.storedName(of: variant).map { ByteString($0) })
        }
      }
      return AssetCandidates(name: ByteString(asset.name), kind: asset.kind, candidates: candidates)
    }
    self.init(
      CandidateTable(Array(assets), isArchive: true),
      locales: Dictionary(
        numbers.map { ($0.name, $0.number) }, uniquingKeysWith: { first, _ in first }))
  }
}

extension Candidate {
  fileprivate init(
    _ key: VariantKey, _ variant: Variant, kind: AssetKind, language: String?, file: ByteString?
  ) {
    self.key = key
    self.language = language
    isNothing = variant.content == .nothing
    self.file = kind == .color || isNothing ? nil : file
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
  (Double(points) * scale).rounded() / scale
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
