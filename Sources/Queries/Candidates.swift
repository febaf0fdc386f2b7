// The variants from which `resolve` and `explain` choose, whether they come from catalogues or from
// an archive.

import Archive
import ArchiveTools
import Bytes
import CarveRuntime
import CatalogCompiler
import CatalogModel
import Documents
import Host
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
  /// The name of the picture, vector or data file; nil for colours.
  package var file: ByteString?
  /// The value of a colour; nil if this is not a colour, or if it cannot be read.
  package var paint: ColorPayload?
  /// The place of the entry: a Contents.json and a pointer into it; nil in archives.
  package var contents: ByteString?
  package var pointer: ByteString?
  /// The path of the picture in a folder; its size is read on demand.
  package var path: ByteString?
  /// The scale at which the vector at `path` is drawn; nil for a bitmap.
  package var drawing: DrawingScale?
  /// Whether the catalogue states that nothing is shown if this variant wins.
  package var isNothing = false
  /// The size in pixels; nil if the variant has no pixels, or if the file at `path` has them.
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

  /// Returns the kinds of the assets of this name.
  package func kinds(of name: ByteString) -> [AssetKind] {
    AssetKind.allCases.filter { indices[Name(name: name, kind: $0)] != nil }
  }

  package var allNames: [ByteString] { assets.map(\.name) }

  package func names(of kind: AssetKind) -> [ByteString] {
    assets.filter { $0.kind == kind }.map(\.name)
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

  /// Makes the source of an archive.
  package init(_ table: CandidateTable, locales: [String: UInt16]) {
    makeTable = { _ in table }
    isForOnePlatform = true
    self.locales = locales
    diagnostics = []
  }

  /// Makes the source of catalogues. Their table for a platform is made on demand.
  package init(
    diagnostics: [Diagnostic], forPlatform makeTable: @escaping (TargetPlatform) -> CandidateTable
  ) {
    self.diagnostics = diagnostics
    self.makeTable = makeTable
    isForOnePlatform = false
    locales = [:]
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
    isNothing ? "nothing" : file?.text ?? key.summary(language: language)
  }

  /// Returns the size of the picture; nil if there is no picture or it cannot be read.
  package func readPixels(in tree: FileTree) -> PixelCount? {
    guard let path else { return pixels }
    if let drawing {
      return drawnSize(of: path, drawing, in: tree).map {
        PixelCount(width: $0.width, height: $0.height)
      }
    }
    guard let header = try? ImageHeader.read(path, in: tree) else { return nil }
    let size = header.uprightSize
    return size.width > 0 ? PixelCount(width: size.width, height: size.height) : nil
  }
}

// MARK: - JSON

extension Candidate {
  package var json: JSONOutput {
    var members: [JSONOutput.Member] = [
      .init("file", file.map { .name($0) } ?? .null),
      .init("idiom", .string(key.idiom.name)), .init("subtype", .integer(Int(key.subtype))),
      .init("scale", .integer(Int(key.scale))), .init("width", .string(key.width.name)),
      .init("height", .string(key.height.name)), .init("style", .string(key.style.name)),
      .init("contrast", .string(key.contrast.name)), .init("gamut", .string(key.gamut.name)),
      .init("direction", .string(key.direction.name)), .init("memory", .integer(Int(key.memory))),
      .init("graphics", .string(key.graphics.name)),
      .init("language", languageName.map { .string($0) } ?? .null),
      .init("vector", .bool(key.scale == 0)),
    ]
    if let color = paint?.text { members.append(.init("color", .string(color))) }
    if isNothing { members.append(.init("nothing", true)) }
    if key.contentSize != .any {
      members.append(.init("content-size", .string(key.contentSize.name)))
    }
    if let start = Platform(of: key.idiom).start(of: key.osGeneration) {
      members.append(.init("os", .string(start.description)))
    }
    return .object(members)
  }

  private typealias Platform = Traits.Platform

  /// The tag; the number if the archive does not name the localization.
  private var languageName: String? {
    key.locale == 0 ? nil : language ?? String(key.locale)
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

extension Insets {
  package var json: JSONOutput {
    [
      "top": .number(top), "left": .number(left), "bottom": .number(bottom),
      "right": .number(right),
    ]
  }
}

extension SlicingFacts {
  package var json: JSONOutput {
    var members: [JSONOutput.Member] = [
      .init("mode", .string(mode.rawValue)), .init("center", .string(center.rawValue)),
      .init("capInsets", caps.json),
    ]
    if let centerWidth, let centerHeight {
      members.append(.init("centerSize", [.number(centerWidth), .number(centerHeight)]))
    }
    return .object(members)
  }
}

// MARK: - Candidates in catalogues

// The variants in catalogue folders. They are those of the compiler's own plan, so that a catalogue
// and its archive give the same answers.

/// The settings for reading a catalogue as it would be compiled.
package struct CatalogQueryOptions: Sendable {
  package var target: CompileTarget
  /// Whether `target` has the platform of each request instead of its own.
  package var followsPlatform = true
  /// Whether `target` has the oldest system that Carve supports instead of its own.
  package var followsMinimum = true
  package var icons: IconSelection
  package var jobs: Int

  package init(
    target: CompileTarget = CompileTarget(platform: .iOS), icons: IconSelection = .all,
    jobs: Int = 1
  ) {
    self.target = target
    self.icons = icons
    self.jobs = jobs
  }
}

extension CandidateSource {
  /// Reads a catalogue. A symbol is represented by the requested drawing or, without a request, by
  /// its preferred drawing.
  package convenience init(
    catalog path: ByteString, _ options: CatalogQueryOptions = CatalogQueryOptions(),
    _ glyph: Glyph? = nil, in tree: FileTree
  ) throws(QueryError) {
    let contents = readCatalogs([path], in: tree, options: ReadingOptions(jobs: options.jobs))
    let refusal = contents.diagnostics.first {
      $0.code == .notACatalog || $0.code == .tooManyCombinations
    }
    if let refusal { throw .input("\(refusal.file): \(refusal.message)") }
    let found = planFindings(of: contents, for: [options.target], icons: options.icons, in: tree)
    self.init(diagnostics: inPrintingOrder(contents.diagnostics + found)) { platform in
      var target = options.target
      if options.followsPlatform { target.platform = platform }
      if options.followsMinimum { target.minimum = target.platform.defaultMinimum }
      return CandidateTable(
        contents.assets, for: target, icons: options.icons, glyph, in: tree)
    }
  }
}

extension CandidateTable {
  fileprivate init(
    _ assets: [AssetSet], for target: CompileTarget, icons: IconSelection, _ glyph: Glyph?,
    in tree: FileTree
  ) {
    let plan = RenditionPlan(of: assets, for: target, icons: icons)
    var found: [AssetCandidates] = []
    let drawings = plan.drawings(of: glyph)
    for (index, rendition) in plan.renditions.enumerated() {
      guard let candidate = Candidate(rendition, locales: plan.locales) else { continue }
      guard let kind = rendition.kind else { continue }
      if found.last?.name != rendition.facet || found.last?.kind != kind {
        found.append(AssetCandidates(name: rendition.facet, kind: kind, candidates: []))
      }
      // Of the drawings of a symbol with the same key, only one is a candidate, as in archives.
      if kind == .symbol, !drawings.contains(index) { continue }
      found[found.count - 1].candidates.append(candidate)
    }
    for index in found.indices {
      // Of the sizes of an icon with the same key, the first candidate wins; archives answer with
      // the largest, so the order is reversed. In other assets every key occurs once, and the order
      // of the sources is the easiest to follow.
      if found[index].kind == .icon {
        found[index].candidates.reverse()
      } else {
        found[index].candidates.sort {
          ($0.contents ?? "", $0.entry) < ($1.contents ?? "", $1.entry)
        }
      }
    }
    let all = found + assets.compactMap { AssetCandidates(uncompiled: $0) }
    let names = Set(all.lazy.filter { $0.kind == .icon }.map(\.name))
    let icons = assets.lazy.filter { $0.kind == .icon && !icons.includes($0.name) }.map(\.name)
    self.init(all, leftOutIcons: Set(icons).subtracting(names), tree: tree)
  }
}

extension RenditionPlan {
  /// Returns the places of one drawing in all symbols; without a glyph, those of the drawings that
  /// represent the symbols if no weight and size is requested.
  fileprivate func drawings(of glyph: Glyph?) -> Set<Int> {
    if let glyph { return Set(renditions.indices.filter { renditions[$0].details.glyph == glyph }) }
    struct FacetKey: Hashable {
      var facet: ByteString
      var key: VariantKey
    }
    var best: [FacetKey: (rank: Int, index: Int)] = [:]
    for (index, rendition) in renditions.enumerated() where rendition.kind == .symbol {
      let shelf = FacetKey(facet: rendition.facet, key: rendition.key)
      let rank = rendition.details.glyph.map { $0.preference } ?? 0
      if best[shelf].map({ $0.rank < rank }) ?? true { best[shelf] = (rank, index) }
    }
    return Set(best.values.map(\.index))
  }
}

extension AssetCandidates {
  /// Makes the candidates of a set that the compiler leaves out although its rule is known.
  fileprivate init?(uncompiled asset: AssetSet) {
    let entries: [(slot: Slot, file: SourceFile?)]
    switch asset.contents {
    case .stickersIcons(let set):
      let sized = set.entries.map { ($0.pixelSize?.width ?? 0, $0) }
      entries = sized.sorted { $0.0 > $1.0 }.map { ($0.1.slot, $0.1.file) }
    case .images, .colors, .data, .symbols, .appIcons, .icons, .iconBundle, .launchImages,
      .spriteAtlas,
      .textures, .mipmaps, .imageStack, .imageStackLayer, .brandAssets, .complications,
      .stickerPack, .sticker, .stickerSequence, .arGroup, .arImage, .arObject, .gameCenter:
      return nil
    }
    guard let kind = asset.kind else { return nil }
    let candidates = entries.filter { !$0.slot.isUnassigned }.compactMap { slot, file in
      Candidate(slot, file: file, of: asset)
    }
    self.init(name: asset.name, kind: kind, candidates: candidates)
  }
}

extension Candidate {
  /// The index of the entry in the list of its Contents.json.
  fileprivate var entry: Int { pointer?.components.last.flatMap { Int($0.text) } ?? 0 }

  fileprivate init?(_ rendition: PlannedRendition, locales: [UInt16: String]) {
    if case .iconSizes = rendition.content { return nil }
    key = rendition.key
    language = locales[rendition.key.locale]
    contents = rendition.file
    pointer = rendition.pointer
    if case .nothing = rendition.content { isNothing = true }
    if case .color(let value) = rendition.content { paint = value.payload }
    if rendition.kind != .color, !isNothing { file = rendition.storedName }
    guard case .picture(let source, let processing) = rendition.content else { return }
    path = source.path
    drawing = processing.drawing
    let scale = Double(max(key.scale, 1))
    if let insets = processing.insets?.inPoints(scale), insets != Insets() { self.insets = insets }
    slicing = processing.resizing.map { SlicingFacts($0, scale) }
  }

  fileprivate init?(_ slot: Slot, file: SourceFile?, of asset: AssetSet) {
    guard let file, file.exists else { return nil }
    key = slot.key
    language = slot.locale
    contents = asset.contentsFile
    pointer = slot.pointer
    self.file = lastComponent(file.name)
    if !file.isVector { path = file.path }
  }
}

/// Returns a length in points after the rounding of the compiler: archives store only whole pixels.
private func pointsOfWholePixels(_ pixels: Double, _ scale: Double) -> Double {
  pixels.rounded() / scale
}

extension Insets {
  fileprivate func inPoints(_ scale: Double) -> Insets {
    Insets(
      top: pointsOfWholePixels(top, scale), left: pointsOfWholePixels(left, scale),
      bottom: pointsOfWholePixels(bottom, scale), right: pointsOfWholePixels(right, scale))
  }
}

extension SlicingFacts {
  fileprivate init(_ resizing: Resizing, _ scale: Double) {
    mode = resizing.mode
    center = resizing.center
    caps = resizing.capInsets.inPoints(scale)
    // In a slicing in three parts, the caps of the other direction do not count.
    if mode == .horizontal { (caps.top, caps.bottom) = (0, 0) }
    if mode == .vertical { (caps.left, caps.right) = (0, 0) }
    centerWidth =
      mode == .vertical ? nil : resizing.centerWidth.map { pointsOfWholePixels($0, scale) }
    centerHeight =
      mode == .horizontal ? nil : resizing.centerHeight.map { pointsOfWholePixels($0, scale) }
  }
}

// MARK: - Candidates in archives

extension CandidateSource {
  /// Reads the variants of an archive. A symbol is represented by the requested drawing or, without
  /// a request, by its preferred drawing.
  package convenience init(
    archive catalog: CarveRuntime.Catalog, _ glyph: Glyph? = nil
  ) throws(CatalogError) {
    let numbers = catalog.localizations
    let tags = Dictionary(
      numbers.map { ($0.number, $0.name) }, uniquingKeysWith: { first, _ in first })
    let assets = catalog.assets.map { asset in
      let drawing = asset.kind == .symbol ? glyph.map { asset.id(of: $0) } : nil
      let id = drawing ?? asset.id
      let candidates = catalog.keys(of: id).enumerated().compactMap { index, key in
        catalog.variant(index, of: id).map { variant in
          Candidate(
            key, variant, language: tags[key.locale],
            file: asset.kind == .color
              ? nil : catalog.storedName(of: variant).map { ByteString($0) },
            paint: asset.kind == .color
              ? (try? catalog.colorPayload(of: variant))?.color : nil)
        }
      }
      return AssetCandidates(name: ByteString(asset.name), kind: asset.kind, candidates: candidates)
    }
    do throws(FormatError) {
      for asset in assets { try checkCombinations(of: asset.keys) }
    } catch {
      throw .format(error)
    }
    self.init(
      CandidateTable(Array(assets), isArchive: true),
      locales: Dictionary(
        numbers.map { ($0.name, $0.number) }, uniquingKeysWith: { first, _ in first }))
  }
}

extension Candidate {
  fileprivate init(
    _ key: VariantKey, _ variant: Variant, language: String?, file: ByteString?,
    paint: ColorPayload?
  ) {
    self.key = key
    self.language = language
    isNothing = variant.content == .nothing
    self.file = isNothing ? nil : file
    self.paint = paint
    let size = variant.pixelSize
    if size.width > 0, size.height > 0, !variant.isVector {
      pixels = PixelCount(width: size.width, height: size.height)
    }
    let scale = Double(max(key.scale, 1))
    if !variant.alignmentInsets.isZero { insets = Insets(variant.alignmentInsets, scale) }
    slicing = variant.slicing.map { SlicingFacts($0, scale) }
  }
}

/// Returns a length in points without the rounding error of single precision; it must correspond to
/// whole pixels.
private func exact(_ points: Float, _ scale: Double) -> Double {
  pointsOfWholePixels(Double(points) * scale, scale)
}

extension Insets {
  fileprivate init(_ insets: EdgeInsets, _ scale: Double) {
    self.init(
      top: exact(insets.top, scale), left: exact(insets.left, scale),
      bottom: exact(insets.bottom, scale), right: exact(insets.right, scale))
  }
}

extension SlicingFacts {
  fileprivate init(_ slicing: Slicing, _ scale: Double) {
    let fill = slicing.mode == .threePartVertical ? slicing.down : slicing.across
    switch slicing.mode {
    case .threePartHorizontal: mode = .horizontal
    case .threePartVertical: mode = .vertical
    case .ninePart, .edgesOnly: mode = .ninePart
    }
    switch fill {
    case .tile: center = .tile
    case .stretch, .uniform: center = .stretch
    }
    caps = Insets(slicing.caps, scale)
    centerWidth = exact(slicing.centerWidth, scale)
    centerHeight = exact(slicing.centerHeight, scale)
  }
}
