// What `resolve` and `explain` choose from, whether it comes from catalogues or from an archive.

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
  var file: String?
  /// Where the entry stands: a Contents.json and a pointer into it; nil in archives.
  var contents: String?
  var pointer: String?
  /// The picture in a folder, whose size is read when it is asked for.
  var path: String?
  /// Nil for what has no pixels, and where `path` leads to them.
  var pixels: PixelCount?
  /// In points; nil where there are none.
  var insets: Insets?
  var slicing: SlicingFacts?
}

struct AssetCandidates: Sendable, Hashable {
  var name: String
  var kind: AssetKind
  var candidates: [Candidate]

  var keys: [VariantKey] { candidates.map(\.key) }
}

/// All assets of one archive or of some catalogues.
struct CandidateSource: Sendable {
  private let assets: [AssetCandidates]
  private let places: [Name: Int]
  /// The numbers of localizations, where an archive has its own.
  private let locales: [String: UInt16]

  private struct Name: Hashable {
    var name: String
    var kind: AssetKind
  }

  init(_ assets: [AssetCandidates], locales: [String: UInt16] = [:]) {
    self.assets = assets
    self.locales = locales
    places = Dictionary(
      assets.enumerated().map { (Name(name: $1.name, kind: $1.kind), $0) },
      uniquingKeysWith: { first, _ in first })
  }

  func asset(_ name: String, _ kind: AssetKind) -> AssetCandidates? {
    places[Name(name: name, kind: kind)].map { assets[$0] }
  }

  func localeNumber(_ tag: String) -> UInt16 { locales[tag] ?? nameIdentifier(tag.utf8) }

  /// The kinds under which there is an asset of this name.
  func kinds(of name: String) -> [AssetKind] {
    AssetKind.allCases.filter { places[Name(name: name, kind: $0)] != nil }
  }

  func names(of kind: AssetKind) -> [String] { assets.filter { $0.kind == kind }.map(\.name) }
}
