// The places of candidates in catalogues, as files with lines.

import Bytes
import CatalogModel
import Host
import Traits

/// The lines of candidates in their Contents.json. Each file is read once.
struct SourceLines {
  private var lines: [ByteString: [ByteString: Int]] = [:]

  init(_ asset: AssetCandidates?, in tree: FileTree) {
    let candidates = asset?.candidates ?? []
    for file in Set(candidates.compactMap(\.jsonFile)) {
      let pointers = candidates.filter { $0.jsonFile == file }.compactMap(\.pointer)
      lines[file] = sourceLines(of: pointers, in: file, tree: tree)
    }
  }

  /// Returns the line of a candidate; nil if it is not known.
  func line(of candidate: Candidate) -> Int? {
    guard let file = candidate.jsonFile, let pointer = candidate.pointer else { return nil }
    return lines[file]?[pointer]
  }

  /// Returns a place such as `Star.imageset/Contents.json:12`; empty for a candidate of an archive.
  func place(of candidate: Candidate) -> ByteString {
    guard let file = candidate.jsonFile else { return "" }
    return line(of: candidate).map { "\(file):\($0)" } ?? file
  }
}

/// The places of all candidates of some catalogues.
package struct SourcePlaces: Sendable {
  private struct VariantName: Hashable, Sendable {
    var name: ByteString
    var kind: AssetKind
    var key: VariantKey
  }

  private var places: [VariantName: ByteString] = [:]

  package init() {}

  /// Adds the candidates of a table. A place that is known already stays.
  package mutating func add(_ table: CandidateTable) {
    for kind in AssetKind.allCases {
      for name in table.names(of: kind) {
        guard let asset = table.asset(name, kind) else { continue }
        add(asset, in: table.tree)
      }
    }
  }

  private mutating func add(_ asset: AssetCandidates, in tree: FileTree) {
    let lines = SourceLines(asset, in: tree)
    for file in Set(asset.candidates.compactMap(\.jsonFile)).sorted() {
      for candidate in asset.candidates where candidate.jsonFile == file {
        let name = VariantName(name: asset.name, kind: asset.kind, key: candidate.key)
        places[name] = places[name] ?? lines.place(of: candidate)
      }
    }
  }

  /// Returns a place such as `Star.imageset/Contents.json:12`; nil if no catalogue has the variant.
  package func place(of name: ByteString, _ kind: AssetKind, _ key: VariantKey) -> ByteString? {
    places[VariantName(name: name, kind: kind, key: key)]
  }
}
