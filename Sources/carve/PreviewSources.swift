// The places, in the catalogues, of the variants of a compiled archive.

import Bytes
import CatalogModel
import CommandLineKit
import Host
import Traits

private struct VariantName: Hashable, Sendable {
  var name: ByteString
  var kind: AssetKind
  var key: VariantKey
}

/// Returns a function that gives a place such as `Star.imageset/Contents.json:12` for a variant, by
/// the plan of the compiler.
func sourcePlaces(
  of catalogs: [ByteString], _ arguments: some CatalogCompiling
) throws(CommandFailure) -> @Sendable (ByteString, AssetKind, VariantKey) -> ByteString? {
  let platform = try arguments.compiling.target().platform
  var places: [VariantName: ByteString] = [:]
  for catalog in catalogs {
    let witness = WitnessedTree(.disk)
    let source = try CandidateSource(catalog: catalog, arguments.compiling, nil, in: witness.tree)
    let table = source.table(for: platform)
    for kind in AssetKind.allCases {
      for name in table.names(of: kind) {
        guard let asset = table.asset(name, kind) else { continue }
        add(asset, to: &places, witness.tree)
      }
    }
    if let trouble = witness.trouble { throw CommandFailure(trouble) }
  }
  let found = places
  return { name, kind, key in found[VariantName(name: name, kind: kind, key: key)] }
}

private func add(
  _ asset: AssetCandidates, to places: inout [VariantName: ByteString], _ tree: FileTree
) {
  for file in Set(asset.candidates.compactMap(\.contents)).sorted() {
    let own = asset.candidates.filter { $0.contents == file }
    let lines = sourceLines(of: own.compactMap(\.pointer), in: file, tree: tree)
    for candidate in own {
      let name = VariantName(name: asset.name, kind: asset.kind, key: candidate.key)
      let line = candidate.pointer.flatMap { lines[$0] }.map { ":\($0)" as ByteString } ?? ""
      places[name] = places[name] ?? file + line
    }
  }
}
