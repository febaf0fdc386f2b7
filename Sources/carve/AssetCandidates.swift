// The variants from which `resolve` and `explain` choose, whether they come from catalogues or from
// an archive.

import Bytes
import CatalogCompiler
import CatalogCompiler
import CatalogModel
import Traits

/// How a picture fills an area, in points.
struct SlicingFacts: Sendable, Hashable {
  var mode: Resizing.Mode
  var center: Resizing.Center
  var caps: Insets
  /// The size of the middle; nil if it follows from the size of the picture.
  var centerWidth: Double?
  var centerHeight: Double?
}

struct PixelCount: Sendable, Hashable {
  var width: Int
  var height: Int
}

/// A variant of an asset.
struct Candidate: Sendable, Hashable {
  var key: VariantKey
  /// The tag of the localization; nil if it is not known.
  var language: String?
  /// The name of the picture, vector or data file; nil for colours.
  var file: ByteString?
  /// The place of the entry: a Contents.json and a pointer into it; nil in archives.
  var contents: ByteString?
  var pointer: ByteString?
  /// The path of the picture in a folder; its size is read on demand.
  var path: ByteString?
  /// The scale at which the vector at `path` is drawn; nil for a bitmap.
  var drawing: DrawingScale?
  /// Whether the catalogue states that nothing is shown if this variant wins.
  var isNothing = false
  /// The size in pixels; nil if the variant has no pixels, or if the file at `path` has them.
  var pixels: PixelCount?
  /// The insets in points; nil if there are no insets.
  var insets: Insets?
  var slicing: SlicingFacts?
}

struct AssetCandidates: Sendable, Hashable {
  var name: ByteString
  var kind: AssetKind
  var candidates: [Candidate]

  var keys: [VariantKey] { candidates.map(\.key) }
}

/// All assets of one archive, or all assets of some catalogues as they are compiled for one
/// platform.
struct CandidateTable: Sendable {
  private let assets: [AssetCandidates]
  /// The icons of catalogues that the target or `--app-icon` leaves out.
  let leftOutIcons: Set<ByteString>
  /// Whether this is an archive; it does not tell which assets were left out.
  let isArchive: Bool
  private let places: [Name: Int]

  private struct Name: Hashable {
    var name: ByteString
    var kind: AssetKind
  }

  init(_ assets: [AssetCandidates], leftOutIcons: Set<ByteString> = [], isArchive: Bool = false) {
    self.assets = assets
    self.leftOutIcons = leftOutIcons
    self.isArchive = isArchive
    places = Dictionary(
      assets.enumerated().map { (Name(name: $1.name, kind: $1.kind), $0) },
      uniquingKeysWith: { first, _ in first })
  }

  func asset(_ name: ByteString, _ kind: AssetKind) -> AssetCandidates? {
    places[Name(name: name, kind: kind)].map { assets[$0] }
  }

  /// Returns the kinds of the assets of this name.
  func kinds(of name: ByteString) -> [AssetKind] {
    AssetKind.allCases.filter { places[Name(name: name, kind: $0)] != nil }
  }

  var allNames: [ByteString] { assets.map(\.name) }

  func names(of kind: AssetKind) -> [ByteString] { assets.filter { $0.kind == kind }.map(\.name) }
}

/// A source of variants: an archive has one table, catalogues have one for each platform.
final class CandidateSource {
  private let makeTable: (TargetPlatform) -> CandidateTable
  private let isForOnePlatform: Bool
  private var tables: [TargetPlatform: CandidateTable] = [:]
  /// The numbers of localizations that the archive defines.
  private let locales: [String: UInt16]
  /// The findings of reading catalogues.
  let diagnostics: [Diagnostic]

  /// Makes the source of an archive.
  init(_ table: CandidateTable, locales: [String: UInt16]) {
    makeTable = { _ in table }
    isForOnePlatform = true
    self.locales = locales
    diagnostics = []
  }

  /// Makes the source of catalogues. Their table for a platform is made on demand.
  init(
    diagnostics: [Diagnostic], forPlatform makeTable: @escaping (TargetPlatform) -> CandidateTable
  ) {
    self.diagnostics = diagnostics
    self.makeTable = makeTable
    isForOnePlatform = false
    locales = [:]
  }

  func table(for question: Question) -> CandidateTable {
    table(for: question.device?.platform ?? Platform(of: (question.traits ?? Environment()).idiom))
  }

  func table(for platform: Platform) -> CandidateTable { table(for: TargetPlatform(platform)) }

  func table(for asked: TargetPlatform) -> CandidateTable {
    let platform = isForOnePlatform ? TargetPlatform.iOS : asked
    if let table = tables[platform] { return table }
    let table = makeTable(platform)
    tables[platform] = table
    return table
  }

  func localeNumber(_ tag: String) -> UInt16 { locales[tag] ?? nameIdentifier(tag.utf8) }
}
