// What `resolve` and `explain` choose from, whether it comes from catalogues or from an archive.

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
  /// Nil where the size of the picture decides.
  var centerWidth: Double?
  var centerHeight: Double?
}

struct PixelCount: Sendable, Hashable {
  var width: Int
  var height: Int
}

/// One variant of an asset.
struct Candidate: Sendable, Hashable {
  var key: VariantKey
  /// The tag of the localization, where it is known.
  var language: String?
  /// The name of the picture, vector or data file; nil for colours.
  var file: ByteString?
  /// Where the entry stands: a Contents.json and a pointer into it; nil in archives.
  var contents: ByteString?
  var pointer: ByteString?
  /// The picture in a folder, whose size is read when it is asked for.
  var path: ByteString?
  /// How large the vector at `path` is drawn; nil for a picture of pixels.
  var drawing: DrawingScale?
  /// Whether nothing is shown where it wins, on purpose.
  var isNothing = false
  /// Nil for what has no pixels, and where `path` leads to them.
  var pixels: PixelCount?
  /// In points; nil where there are none.
  var insets: Insets?
  var slicing: SlicingFacts?
}

struct AssetCandidates: Sendable, Hashable {
  var name: ByteString
  var kind: AssetKind
  var candidates: [Candidate]

  var keys: [VariantKey] { candidates.map(\.key) }
}

/// All assets of one archive, or of some catalogues as they are compiled for one platform.
struct CandidateTable: Sendable {
  private let assets: [AssetCandidates]
  /// The icons of catalogues that the target or `--app-icon` leaves out.
  let leftOutIcons: Set<ByteString>
  /// Whether it is an archive, of which nobody knows what was left out.
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

  /// The kinds under which there is an asset of this name.
  func kinds(of name: ByteString) -> [AssetKind] {
    AssetKind.allCases.filter { places[Name(name: name, kind: $0)] != nil }
  }

  var allNames: [ByteString] { assets.map(\.name) }

  func names(of kind: AssetKind) -> [ByteString] { assets.filter { $0.kind == kind }.map(\.name) }
}

/// An archive, which has one table, or catalogues, which have one for each platform.
final class CandidateSource {
  private let makeTable: (TargetPlatform) -> CandidateTable
  private let isForOnePlatform: Bool
  private var tables: [TargetPlatform: CandidateTable] = [:]
  /// The numbers of localizations, where an archive has its own.
  private let locales: [String: UInt16]
  /// What was found when catalogues were read.
  let diagnostics: [Diagnostic]

  /// An archive.
  init(_ table: CandidateTable, locales: [String: UInt16]) {
    makeTable = { _ in table }
    isForOnePlatform = true
    self.locales = locales
    diagnostics = []
  }

  /// Catalogues: what they hold for a platform is found out when it is asked for.
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
