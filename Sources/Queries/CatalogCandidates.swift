// Reads the variants in catalogue folders. They are those of the compiler's own plan, so that a
// catalogue and its archive give the same answers.

import Bytes
import CatalogCompiler
import CatalogModel
import Host
import Traits

/// The settings for reading a catalogue as it would be compiled.
package struct CatalogQueryOptions: Sendable {
  package var target: CompileTarget
  /// Whether `target` has the platform of each request instead of its own.
  package var followsPlatform = true
  /// Whether `target` has the usual oldest system of its platform instead of its own.
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
    let uncompiled = uncompiledPictures(of: contents.assets, in: tree, jobs: options.jobs)
    self.init(
      of: contents.assets,
      diagnostics: inPrintingOrder(contents.diagnostics + found + uncompiled.values)
    ) { platform in
      var target = options.target
      if options.followsPlatform { target.platform = platform }
      if options.followsMinimum { target.minimum = target.platform.defaultMinimum }
      return CandidateTable(
        contents.assets, for: target, icons: options.icons, glyph, in: tree,
        leftOut: Set(uncompiled.keys))
    }
  }
}

extension CandidateTable {
  fileprivate init(
    _ assets: [AssetSet], for target: CompileTarget, icons: IconSelection, _ glyph: Glyph?,
    in tree: FileTree, leftOut: Set<ByteString>
  ) {
    let plan = RenditionPlan(of: assets, for: target, icons: icons)
    var found: [AssetCandidates] = []
    let drawings = plan.drawings(of: glyph)
    let widening = plan.wideningPictures(for: target)
    for (index, rendition) in plan.renditions.enumerated() {
      if let file = rendition.source, leftOut.contains(file.path) { continue }
      guard var candidate = Candidate(rendition, locales: plan.locales) else { continue }
      candidate.mayWiden = widening.contains(index)
      candidate.platform = target.platform.system
      guard let kind = rendition.kind else { continue }
      candidate.isVector = kind == .symbol || candidate.key.scale == 0
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
          ($0.jsonFile ?? "", $0.entry) < ($1.jsonFile ?? "", $1.entry)
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
  /// Returns the indices of one drawing in all symbols; without a glyph, those of the drawings that
  /// represent the symbols if no weight and size is requested.
  fileprivate func drawings(of glyph: Glyph?) -> Set<Int> {
    if let glyph { return Set(renditions.indices.filter { renditions[$0].details.glyph == glyph }) }
    struct FacetKey: Hashable {
      var facet: ByteString
      var key: VariantKey
    }
    var best: [FacetKey: (preference: Int, index: Int)] = [:]
    for (index, rendition) in renditions.enumerated() where rendition.kind == .symbol {
      let key = FacetKey(facet: rendition.facet, key: rendition.key)
      let preference = rendition.details.glyph.map { $0.preference } ?? 0
      if best[key].map({ $0.preference < preference }) ?? true { best[key] = (preference, index) }
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
    jsonFile = rendition.jsonFile
    pointer = rendition.pointer
    if case .nothing = rendition.content { isNothing = true }
    if case .color(let value) = rendition.content { color = value.payload }
    if rendition.kind != .color, !isNothing { fileName = rendition.storedName }
    if case .physicalPicture = rendition.content { processing = PhysicalPicture.processing }
    if let stated = rendition.processing { processing = stated }
    guard let processing else { return }
    picturePath = rendition.source?.path
    let scale = Double(max(key.scale, 1))
    if let insets = processing.insets?.inPoints(scale), insets != Insets() { self.insets = insets }
    slicing = processing.resizing.map { SlicingFacts($0, scale) }
  }

  fileprivate init?(_ slot: Slot, file: SourceFile?, of asset: AssetSet) {
    guard let file, file.exists else { return nil }
    key = slot.key
    language = slot.locale
    jsonFile = asset.contentsFile
    pointer = slot.pointer
    fileName = lastComponent(file.name)
    if !file.isVector { picturePath = file.path }
    isVector = slot.key.scale == 0
  }
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
