// The variants from which `resolve` and `explain` choose, as values, and the tables that find them
// by the name of the asset. CatalogCandidates.swift and ArchiveCandidates.swift read them.

import Archive
import Bytes
import CatalogCompiler
import CatalogModel
import Host
import Synchronization
import Traits

/// How a picture fills an area, in points.
package struct SlicingFacts: Sendable, Hashable {
  package var mode: Resizing.Mode
  package var center: Resizing.Center
  package var caps: Insets
  /// The size of the middle; nil if it follows from the size of the picture.
  package var centerWidth: Double?
  package var centerHeight: Double?
}

package struct PixelCount: Sendable, Hashable {
  package var width: Int
  package var height: Int
}

/// A variant of an asset.
package struct Candidate: Sendable, Hashable {
  package var key: VariantKey
  /// The tag of the localization; nil if it is not known.
  package var language: String?
  /// The platform whose system versions the key counts; nil if the idiom says it.
  package var platform: Platform?
  /// Whether the variant is a vector. The drawings of symbols have the scale 1 in their keys.
  package var isVector = false
  /// The name of the picture, vector or data file; nil for colours.
  package var fileName: ByteString?
  /// The value of a colour; nil if this is not a colour, or if it cannot be read.
  package var color: ColorPayload?
  /// The place of the entry: a Contents.json or icon.json, and a pointer into it; nil in archives.
  package var jsonFile: ByteString?
  package var pointer: ByteString?
  /// The path of the picture in a folder; its size is read on demand.
  package var picturePath: ByteString?
  /// The processing of the file at `picturePath`; nil in archives.
  package var processing: PictureProcessing?
  /// Whether the compiler makes a wide-gamut variant beside this one if the file has wide colours.
  package var mayWiden = false
  /// Whether the catalogue states that nothing is shown if this variant wins.
  package var isNothing = false
  /// The size in pixels; nil if there are no pixels, or if the file at `picturePath` has them.
  package var pixels: PixelCount?
  /// The insets in points; nil if there are no insets.
  package var insets: Insets?
  package var slicing: SlicingFacts?
}

package struct AssetCandidates: Sendable, Hashable {
  package var name: ByteString
  package var kind: AssetKind
  package var candidates: [Candidate]

  package var keys: [VariantKey] { candidates.map(\.key) }
}

/// All assets of one archive, or all assets of some catalogues as they are compiled for one
/// platform.
package struct CandidateTable: Sendable {
  package let assets: [AssetCandidates]
  /// The icons of catalogues that the target or `--app-icon` leaves out.
  package let leftOutIcons: Set<ByteString>
  /// Whether this is an archive; it does not tell which assets were left out.
  package let isArchive: Bool
  /// The files that the candidates name.
  package let tree: FileTree
  private let indices: [Name: Int]
  private let widened = WidenedAssets()

  private struct Name: Hashable {
    var name: ByteString
    var kind: AssetKind
  }

  package init(
    _ assets: [AssetCandidates], leftOutIcons: Set<ByteString> = [], isArchive: Bool = false,
    tree: FileTree = .memory([:])
  ) {
    self.assets = assets
    self.tree = tree
    self.leftOutIcons = leftOutIcons
    self.isArchive = isArchive
    indices = Dictionary(
      assets.enumerated().map { (Name(name: $1.name, kind: $1.kind), $0) },
      uniquingKeysWith: { first, _ in first })
  }

  package func asset(_ name: ByteString, _ kind: AssetKind) -> AssetCandidates? {
    indices[Name(name: name, kind: kind)].map { assets[$0] }
  }

  /// Returns the asset with all variants of its archive: also those that the compiler makes for the
  /// wide colours of pictures. They are not in `assets`, because pictures are decoded to find them.
  package func widenedAsset(_ name: ByteString, _ kind: AssetKind) -> AssetCandidates? {
    guard let index = indices[Name(name: name, kind: kind)] else { return nil }
    guard assets[index].candidates.contains(where: \.mayWiden) else { return assets[index] }
    return widened.asset(index) { assets[index].widened(in: tree) }
  }

  /// Returns the kinds of the assets of this name.
  package func kinds(of name: ByteString) -> [AssetKind] {
    AssetKind.allCases.filter { indices[Name(name: name, kind: $0)] != nil }
  }

  package var allNames: [ByteString] { assets.map(\.name) }

  package func names(of kind: AssetKind) -> [ByteString] {
    assets.filter { $0.kind == kind }.map(\.name)
  }
}

extension AssetCandidates {
  fileprivate func widened(in tree: FileTree) -> AssetCandidates {
    var asset = self
    asset.candidates = candidates.flatMap { candidate in
      guard candidate.mayWiden, let path = candidate.picturePath, hasWideColors(path, in: tree)
      else { return [candidate] }
      var wide = candidate
      wide.key.gamut = .p3
      return [candidate, wide]
    }
    return asset
  }
}

/// The assets whose pictures were decoded.
private final class WidenedAssets: Sendable {
  private let known = Mutex<[Int: AssetCandidates]>([:])

  func asset(_ index: Int, _ make: () -> AssetCandidates) -> AssetCandidates {
    if let asset = known.withLock({ $0[index] }) { return asset }
    let asset = make()
    known.withLock { $0[index] = asset }
    return asset
  }
}

/// A source of variants: an archive has one table, catalogues have one for each platform.
package final class CandidateSource {
  private let makeTable: (TargetPlatform) -> CandidateTable
  private let isForOnePlatform: Bool
  private var tables: [TargetPlatform: CandidateTable] = [:]
  /// The numbers of localizations that the archive defines.
  private let locales: [String: UInt16]
  /// The findings of reading catalogues.
  package let diagnostics: [Diagnostic]
  private let folders: [SetName: [ByteString]]

  private struct SetName: Hashable {
    var name: ByteString
    var kind: AssetKind?
  }

  /// Makes the source of an archive.
  package init(_ table: CandidateTable, locales: [String: UInt16]) {
    makeTable = { _ in table }
    isForOnePlatform = true
    self.locales = locales
    diagnostics = []
    folders = [:]
  }

  /// Makes the source of catalogues with these sets. Their table for a platform is made on demand.
  package init(
    of assets: [AssetSet], diagnostics: [Diagnostic],
    forPlatform makeTable: @escaping (TargetPlatform) -> CandidateTable
  ) {
    self.diagnostics = diagnostics
    self.makeTable = makeTable
    isForOnePlatform = false
    locales = [:]
    folders = Dictionary(grouping: assets) { SetName(name: $0.name, kind: $0.kind) }
      .mapValues { $0.map(\.folder) }
  }

  /// The findings by the folders around their files, and by the names of sets among these.
  private lazy var placed:
    (folders: [ByteString: [Diagnostic]], names: [ByteString: [Diagnostic]]) =
      {
        var folders: [ByteString: [Diagnostic]] = [:]
        var names: [ByteString: [Diagnostic]] = [:]
        for finding in diagnostics {
          for folder in withFoldersAround(finding.file) {
            folders[folder, default: []].append(finding)
            if FolderRole.setType(pathExtension(folder)) != nil {
              names[withoutExtension(lastComponent(folder)), default: []].append(finding)
            }
          }
        }
        return (folders, names)
      }()

  /// Returns the findings about the sets of an asset. If it does not exist, its set may have been
  /// left out: then those about sets with its last name.
  package func findings(about name: ByteString, _ kind: AssetKind) -> [Diagnostic] {
    if let own = folders[SetName(name: name, kind: kind)] {
      return inPrintingOrder(own.flatMap { placed.folders[$0] ?? [] })
    }
    return placed.names[lastComponent(name)] ?? []
  }

  package func table(for query: Query) -> CandidateTable {
    table(for: query.device?.platform ?? Platform(of: (query.traits ?? Environment()).idiom))
  }

  package func table(for platform: Platform) -> CandidateTable {
    table(for: TargetPlatform(platform))
  }

  package func table(for asked: TargetPlatform) -> CandidateTable {
    let platform = isForOnePlatform ? TargetPlatform.iOS : asked
    if let table = tables[platform] { return table }
    let table = makeTable(platform)
    tables[platform] = table
    return table
  }

  package func localeNumber(_ tag: String) -> UInt16 { locales[tag] ?? nameIdentifier(tag.utf8) }
}

extension Candidate {
  /// The name of the file, or the traits that distinguish a colour.
  package var label: String {
    isNothing ? "nothing" : fileName?.text ?? traits
  }

  /// The traits of the variant, in words.
  package var traits: String {
    var key = key
    if isVector { key.scale = 0 }
    return key.summary(language: language, platform: platform)
  }

  /// Returns the size of the picture; nil if there is no picture or it cannot be read.
  package func readPixels(in tree: FileTree) -> PixelCount? {
    guard let picturePath else { return pixels }
    if let scale = processing?.drawingScale {
      return drawnSize(of: picturePath, scale, in: tree).map {
        PixelCount(width: $0.width, height: $0.height)
      }
    }
    guard let header = try? ImageHeader.read(picturePath, in: tree), header.width > 0 else {
      return nil
    }
    var size = (width: header.width, height: header.height)
    if let reduction = processing?.reduction {
      size = reduction.size(width: size.width, height: size.height)
    }
    return PixelCount(width: size.width, height: size.height)
  }
}

extension Candidate {
  /// Returns the variant without the insets and slices that do not fit its picture, which the
  /// compiler leaves out.
  func fitted(to size: PixelCount?) -> Candidate {
    guard let size, let processing else { return self }
    let (width, height) = (size.width, size.height)
    var fitted = self
    if let stated = processing.insets, PixelInsets(stated, width: width, height: height) == nil {
      fitted.insets = nil
    }
    if PictureParts(width: width, height: height, resizing: processing.resizing) == nil {
      fitted.slicing = nil
    }
    return fitted
  }
}

extension SlicingFacts {
  /// Returns the slicing with the size of the middle that follows from the picture's size.
  package func completed(_ size: PixelCount?, _ scale: Double) -> SlicingFacts {
    guard let size else { return self }
    var facts = self
    facts.centerWidth = centerWidth ?? Double(size.width) / scale - caps.left - caps.right
    facts.centerHeight = centerHeight ?? Double(size.height) / scale - caps.top - caps.bottom
    return facts
  }
}

/// Returns a length in points after the rounding of the compiler: archives store only whole pixels.
func pointsOfWholePixels(_ pixels: Double, _ scale: Double) -> Double {
  pixels.rounded() / scale
}
