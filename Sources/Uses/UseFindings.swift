// The findings about uses as diagnostics: assets that no source uses, and names that no catalogue
// has. Each names its place in a catalogue or in a source.

import Bytes
import CatalogModel
import Documents

extension UseReport {
  /// The findings, in the order of printing.
  package var diagnostics: [Diagnostic] {
    let unused = assets.filter { $0.state == .unused }.map { use in
      Diagnostic(
        .unusedAsset,
        "\(use.asset.type.noun) \(quoted(use.asset.name)) is not used: no source names it",
        file: use.asset.contentsFile)
    }
    var advice = NameAdvice(known)
    let assetsByName = Dictionary(
      assets.map { ($0.asset.name, $0.asset) }, uniquingKeysWith: { first, _ in first })
    var elsewhere = elsewhere.map { elsewhereFinding($0, assetsByName) }
    if elsewhere.count == TargetList.mostElsewhere, let last = elsewhere.indices.last {
      let note =
        "other places are not examined: at most \(grouped(elsewhere.count)) are listed"
      elsewhere[last].notes.append(Note(note, file: elsewhere[last].file))
    }
    return inPrintingOrder(
      unused + missing.map { missingFinding($0, &advice, assetsByName) } + elsewhere)
  }

  private func missingFinding(
    _ asked: AskedPlace, _ advice: inout NameAdvice, _ assetsByName: [ByteString: NamedAsset]
  ) -> Diagnostic {
    let near = advice.asset(nearestTo: asked.name)
    let question = near.map { "; did you mean \(quoted($0))?" } ?? ""
    let what = asked.isSymbol ? "symbol" : "name"
    var diagnostic = Diagnostic(
      .missingAsset,
      "no catalogue has \(asked.kind.article) of the \(what) \(quoted(asked.name))\(question)",
      file: asked.place.file)
    (diagnostic.line, diagnostic.column) = (asked.place.line, asked.place.column)
    if let near, let asset = assetsByName[near] {
      diagnostic.notes = [
        Note("\(asset.type.noun) \(quoted(near))", file: asset.contentsFile)
      ]
    }
    return diagnostic
  }

  private func elsewhereFinding(
    _ use: UseElsewhere, _ assetsByName: [ByteString: NamedAsset]
  ) -> Diagnostic {
    let named = use.owners.prefix(UseReport.mostOwners).map { quoted($0) }
    let rest = use.owners.count - named.count
    let owners = listed(
      named + (rest > 0 ? [counted(rest, "other target")] : []), joinedBy: "and")
    var diagnostic = Diagnostic(
      .assetInOtherTarget,
      "the target \(quoted(use.target)) uses the \(use.asked.kind.rawValue) "
        + "\(quoted(use.asked.name)), which only the catalogues of \(owners) have",
      file: use.asked.place.file)
    (diagnostic.line, diagnostic.column) = (use.asked.place.line, use.asked.place.column)
    if let asset = assetsByName[use.asked.name] {
      diagnostic.notes = [
        Note("\(asset.type.noun) \(quoted(asset.name))", file: asset.contentsFile)
      ]
    }
    return diagnostic
  }
}

/// The assets that missing names probably mean.
struct NameAdvice {
  /// If a catalogue has 4,000 names of fifteen letters, the first 150 different names that are
  /// missing get advice about their spelling; more if lengths differ. They are in the order of the
  /// sources, so the same sources give the same advice.
  private var spelling: SpellingAdvice
  /// The first two different names with each last component. A missing name is at most one of them.
  private var sameLast: [ByteString?: [ByteString]] = [:]
  private var found: [ByteString: ByteString?] = [:]

  init(_ known: [ByteString], mostSteps: Int = SpellingAdvice.mostSteps) {
    spelling = SpellingAdvice(known, mostSteps: mostSteps)
    for name in known {
      let last = name.components.last
      let others = sameLast[last] ?? []
      if others.count < 2, !others.contains(name) { sameLast[last] = others + [name] }
    }
  }

  /// Returns the asset that a missing name probably means.
  mutating func asset(nearestTo name: ByteString) -> ByteString? {
    // The name without the namespaces of the asset.
    if let asset = sameLast[name.components.last]?.first(where: { $0 != name }) { return asset }
    if let known = found[name] { return known }
    let asset = spelling.nearest(to: name)
    found[name] = .some(asset)
    return asset
  }
}

extension NameKind {
  fileprivate var article: String { self == .image ? "an image" : "a \(rawValue)" }
}
