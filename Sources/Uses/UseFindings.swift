// The findings about uses as diagnostics: assets that no source uses, and names that no catalogue
// has. Each names its place in a catalogue or in a source.

import Bytes
import CatalogModel
import Documents

extension UseReport {
  /// The findings, in the order of printing.
  package var diagnostics: [Diagnostic] {
    let unused = assets.filter { $0.verdict == .unused }.map { use in
      Diagnostic(
        .unusedAsset,
        "\(use.asset.type.noun) \(quoted(use.asset.name)) is not used: no source names it",
        file: use.asset.contentsFile)
    }
    return inPrintingOrder(unused + missing.map(missingFinding) + elsewhere.map(elsewhereFinding))
  }

  private func missingFinding(_ asked: AskedPlace) -> Diagnostic {
    let near = nearestAsset(to: asked)
    let advice = near.map { "; did you mean \(quoted($0))?" } ?? ""
    let what = asked.isSymbol ? "symbol" : "name"
    var diagnostic = Diagnostic(
      .missingAsset,
      "no catalogue has \(asked.kind.article) of the \(what) \(quoted(asked.name))\(advice)",
      file: asked.place.file)
    (diagnostic.line, diagnostic.column) = (asked.place.line, asked.place.column)
    if let near, let use = assets.first(where: { $0.asset.name == near }) {
      diagnostic.notes = [
        Note("\(use.asset.type.noun) \(quoted(near))", file: use.asset.contentsFile)
      ]
    }
    return diagnostic
  }

  /// Returns the asset that a name that is missing probably means.
  private func nearestAsset(to asked: AskedPlace) -> ByteString? {
    let last = asked.name.components.last
    // The name without the namespaces of the asset.
    if let asset = known.first(where: { $0.components.last == last && $0 != asked.name }) {
      return asset
    }
    return nearest(to: asked.name, in: known)
  }

  private func elsewhereFinding(_ use: UseElsewhere) -> Diagnostic {
    let owners = quotedList(use.owners, joinedBy: "and")
    var diagnostic = Diagnostic(
      .assetInOtherTarget,
      "the target \(quoted(use.target)) uses the \(use.asked.kind.rawValue) "
        + "\(quoted(use.asked.name)), which only the catalogues of \(owners) have",
      file: use.asked.place.file)
    (diagnostic.line, diagnostic.column) = (use.asked.place.line, use.asked.place.column)
    if let asset = assets.first(where: { $0.asset.name == use.asked.name })?.asset {
      diagnostic.notes = [
        Note("\(asset.type.noun) \(quoted(asset.name))", file: asset.contentsFile)
      ]
    }
    return diagnostic
  }
}

extension NameKind {
  fileprivate var article: String { self == .image ? "an image" : "a \(rawValue)" }
}

extension SetType {
  /// The noun for an asset of this type at the beginning of a message.
  package var noun: String {
    switch self {
    case .imageSet: "image"
    case .colorSet: "colour"
    case .dataSet: "data asset"
    case .symbolSet: "symbol"
    case .appIconSet, .iconSet, .iconBundle, .stickersIconSet: "icon"
    case .launchImage: "launch image"
    case .spriteAtlas: "sprite atlas"
    case .textureSet, .cubeTextureSet, .mipmapSet: "texture"
    case .imageStack, .solidImageStack: "image stack"
    default: "asset"
    }
  }
}
