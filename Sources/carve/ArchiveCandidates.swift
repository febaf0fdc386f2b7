// The variants in an archive, through the run-time library that opens any of them.

import Archive
import CarveRuntime
import CatalogModel
import CommandLineKit
import Traits

extension CandidateSource {
  init(archive path: String) throws(CommandFailure) {
    let catalog: CarveRuntime.Catalog
    do throws(CatalogError) {
      catalog = try CarveRuntime.Catalog(path: path)
    } catch {
      throw error.failure(about: path)
    }
    let numbers = catalog.localizations
    let tags = Dictionary(
      numbers.map { ($0.number, $0.name) }, uniquingKeysWith: { first, _ in first })
    let assets = catalog.assets.map { asset in
      let candidates = catalog.keys(of: asset.id).enumerated().compactMap { place, key in
        catalog.variant(place, of: asset.id).map { variant in
          Candidate(
            key, variant, kind: asset.kind, language: tags[key.locale],
            file: catalog.storedName(of: variant))
        }
      }
      return AssetCandidates(name: asset.name, kind: asset.kind, candidates: candidates)
    }
    self.init(
      Array(assets),
      locales: Dictionary(
        numbers.map { ($0.name, $0.number) }, uniquingKeysWith: { first, _ in first }))
  }
}

extension CatalogError {
  /// The failure of a command that could not read an archive.
  func failure(about path: String) -> CommandFailure {
    switch self {
    case .system, .notAFile, .shrunk: .inputOutput("\(path): \(self)")
    default: .input("\(path): \(self)")
    }
  }
}

extension Candidate {
  fileprivate init(
    _ key: VariantKey, _ variant: Variant, kind: AssetKind, language: String?, file: String?
  ) {
    self.key = key
    self.language = language
    self.file = kind == .color ? nil : file
    let size = variant.pixelSize
    if size.width > 0, size.height > 0 { (pixelWidth, pixelHeight) = (size.width, size.height) }
    if !variant.alignmentInsets.isZero { insets = Insets(variant.alignmentInsets) }
    slicing = variant.slicing.map { SlicingFacts($0) }
  }
}

extension Insets {
  fileprivate init(_ insets: EdgeInsets) {
    self.init(
      top: Double(insets.top), left: Double(insets.left), bottom: Double(insets.bottom),
      right: Double(insets.right))
  }
}

extension SlicingFacts {
  fileprivate init(_ slicing: Slicing) {
    let fill = slicing.mode == .threePartVertical ? slicing.down : slicing.across
    switch slicing.mode {
    case .threePartHorizontal: mode = Resizing.Mode.horizontal.rawValue
    case .threePartVertical: mode = Resizing.Mode.vertical.rawValue
    case .ninePart, .edgesOnly: mode = Resizing.Mode.ninePart.rawValue
    }
    switch fill {
    case .tile: center = Resizing.Center.tile.rawValue
    case .stretch, .uniform: center = Resizing.Center.stretch.rawValue
    }
    caps = Insets(slicing.caps)
    centerWidth = Double(slicing.centerWidth)
    centerHeight = Double(slicing.centerHeight)
  }
}
