// Catalogues in memory and the samples of the repository, as sources of candidates.

import Bytes
import CarveRuntime
import CatalogCompiler
import Foundation
import Host
import Support
import Testing
import Traits

@testable import Queries

extension SampleSources {
  var tree: FileTree { .memory(files) }

  /// Adds a set with a file for each entry, which is a list of JSON members.
  mutating func set(_ path: String, _ list: String, _ entries: [(file: String, members: String)]) {
    var rows: [String] = []
    for (file, members) in entries {
      rows.append("{\"filename\":\"\(file)\"\(members.isEmpty ? "" : ",")\(members)}")
      files["\(root)/\(path)/\(file)"] = .bytes(
        file.hasSuffix(".png") ? png(width: 4, height: 4) : Array("text".utf8))
    }
    add("\(path)/Contents.json", "{\"\(list)\":[\n\(rows.joined(separator: ",\n"))]}")
  }

  func catalog(_ options: CatalogQueryOptions = CatalogQueryOptions()) throws -> CandidateSource {
    try CandidateSource(catalog: root, options, in: tree)
  }

  func archive(_ change: (inout CompileOptions) -> Void = { _ in }) throws -> CandidateSource {
    try CandidateSource(archive: try CarveRuntime.Catalog(bytes: try compiled(change).bytes))
  }
}

/// Returns the queries of words that the test sets.
func queries(
  in source: CandidateSource? = nil, _ change: (inout QueryWords) -> Void
) throws(QueryError) -> [Query] {
  var words = QueryWords()
  change(&words)
  return try words.queries(localeNumber: source?.localeNumber ?? { _ in 0 })
}

/// Returns the answer to a request for traits.
func answer(
  _ source: CandidateSource, _ name: ByteString, _ kind: AssetKind = .image, _ traits: String
) throws -> Resolution {
  let query = try #require(try queries(in: source) { $0.traits = traits }.first)
  return try query.resolution(of: name, kind, in: source.table(for: query))
}

/// Returns a catalogue of SampleCatalogs, which is read from the disk.
func sampleCatalog(_ name: String) throws -> CandidateSource {
  try CandidateSource(catalog: "\(ByteString(sampleCatalogs))/\(ByteString(name))", in: .disk)
}

/// The archives of samples, with all their icons.
private let archives = SharedValues<[UInt8]> { name in
  let folder = try TemporaryDirectory()
  let options = CompileOptions(target: CompileTarget(platform: .iOS), icons: .all)
  _ = try compile(
    .archive(of: ["\(ByteString(sampleCatalogs))/\(ByteString(name))"]), in: .disk,
    options: options,
    to: .path(ByteString(folder.path("out.car"))))
  return try folder.read("out.car")
}

func sampleArchiveBytes(_ name: String) throws -> [UInt8] { try archives[name] }

func sampleArchive(_ name: String) throws -> CandidateSource {
  try CandidateSource(archive: try CarveRuntime.Catalog(bytes: try archives[name]))
}
