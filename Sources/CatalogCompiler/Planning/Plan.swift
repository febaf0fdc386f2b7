// The plan of an archive: the renditions that it will hold, before any picture is decoded. The
// functions for each kind of set are in files of their own; this file joins their results.

import Archive
import Bytes
import CatalogModel
import Documents
import Host
import Imaging
import Traits

/// The source of a rendition. Cases that are rare and large are indirect, so that they do not
/// enlarge the others: most renditions are pictures.
package enum PlannedContent: Sendable, Hashable {
  /// A picture that is decoded or drawn, converted and compressed. JPEG and HEIF files are stored
  /// unchanged.
  case picture(SourceFile, PictureProcessing)
  /// A PDF or SVG file, stored without what its drawing does not need; `keepsVectors` stores it
  /// unchanged.
  case vector(SourceFile)
  indirect case data(SourceFile, typeIdentifier: String?)
  /// One of the drawings of a symbol's template.
  case symbol(SourceFile, Glyph)
  indirect case color(ColorDefinition)
  /// The table of an app icon's sizes.
  case iconSizes([MultisizePayload.Size])
  /// A colour of a layered icon.
  indirect case paint(ColorPayload)
  indirect case gradient(GradientPayload)
  /// A layered icon as systems without layered icons show it.
  indirect case glass(GlassDrawing)
  /// The layers of a stack as one picture, and the glow around it. Their size follows from the
  /// layers.
  indirect case flattened(Composition)
  indirect case radiosity(Composition)
  /// A reference image and a reference object of AR resources.
  indirect case physicalPicture(PhysicalPicture)
  case trackedObject(SourceFile)
  /// An entry that shows nothing, on purpose.
  case nothing
  /// A stack of other renditions.
  indirect case stack(LayerStack)
  /// The names of the members of a group or a sprite atlas.
  case names([ByteString])
}

/// The processing of a picture's file. Together with the bytes of the file, the gamut and the
/// target it determines the pixels and the geometry of the block.
package struct PictureProcessing: Sendable, Hashable {
  @BoxedOptional package var resizing: Resizing? = nil
  @BoxedOptional package var insets: Insets? = nil
  /// The limit for the size of the stored picture.
  package var reduction: Reduction?
  /// The scale at which a vector is drawn; nil for pictures that have pixels.
  package var drawingScale: DrawingScale?
}

extension PlannedContent {
  /// The file that the block is made from; nil if it is made from several files or without a file,
  /// or if it depends on other renditions.
  var source: SourceFile? {
    switch self {
    case .picture(let file, _), .vector(let file), .data(let file, _), .symbol(let file, _),
      .trackedObject(let file):
      file
    case .physicalPicture(let picture): picture.file
    case .flattened, .radiosity, .glass: nil
    case .color, .iconSizes, .paint, .gradient, .nothing, .stack, .names: nil
    }
  }

  /// The files that the block is made from; nil if it is made without a file, or if it depends on
  /// other renditions.
  var files: [SourceFile]? {
    switch self {
    case .flattened(let composition), .radiosity(let composition):
      composition.layers.map(\.file)
    case .glass(let drawing): drawing.files
    default: source.map { [$0] }
    }
  }
}

package struct PlannedRendition: Sendable, Hashable {
  /// The name under which programs find the rendition.
  package var facet: ByteString
  /// The kind of the asset; nil if the rendition is only reached through other renditions.
  package var kind: AssetKind?
  var element = Element.universal
  package var part: UInt16
  package var key: VariantKey
  /// The details that distinguish the parts of one asset.
  package var details = KeyDetails()
  var flags: RenditionFlags = []
  package var content: PlannedContent
  /// Whether the catalogue requires that pixels are stored exactly.
  var keepsExactPixels = false
  /// The name of the sprite atlas whose pages hold the picture.
  var atlas: ByteString?
  /// Whether the plan keeps the picture out of atlases (`largestAreaInAtlas`).
  var standsAlone = false
  /// The place in the sources that a diagnostic about the rendition names: a Contents.json or
  /// icon.json, and a JSON pointer in it.
  package var jsonFile: ByteString
  package var pointer: ByteString

  /// The name in the archive; nil if it is the name of the source file or of the asset.
  var statedName: ByteString?

  package var storedName: ByteString {
    statedName ?? source.map { lastComponent($0.name) } ?? facet
  }

  package var processing: PictureProcessing? {
    if case .picture(_, let processing) = content { processing } else { nil }
  }

  /// Whether the pixels are those of the file, neither drawn nor scaled down.
  var isPlainPicture: Bool {
    processing.map { $0.drawingScale == nil && $0.reduction == nil } ?? false
  }

  /// The vector file that the rendition is drawn from: as a bitmap, or as a symbol. The file is
  /// read once for all its renditions.
  package var drawnFile: SourceFile? {
    if case .symbol(let file, _) = content { return file }
    return processing?.drawingScale == nil ? nil : source
  }

  /// The layered icon of which the rendition is a bitmap.
  var glass: GlassDrawing? {
    if case .glass(let drawing) = content { drawing } else { nil }
  }

  /// A name that is equal for all renditions that one thread makes after another, because they have
  /// their sources in common: the bitmaps of a vector and its file, or the bitmaps of a look of a
  /// layered icon.
  var commonSource: ByteString? {
    if glass != nil { return jsonFile + "/\(key.style.rawValue)" }
    if case .vector(let file) = content { return file.path }
    return drawnFile?.path
  }

  package var source: SourceFile? { content.source }
}

/// The results of planning.
package struct RenditionPlan: Sendable {
  /// The renditions in the order in which they are encoded and stored.
  package var renditions: [PlannedRendition] = []
  /// The language tag of each number in `VariantKey.locale`.
  package var locales: [UInt16: String] = [:]
  package var diagnostics: [Diagnostic] = []
  /// Whether vectors get bitmaps, for systems and programs that cannot draw vectors.
  var rasterizesVectors = true
  /// Whether layered icons get bitmaps.
  var drawsIcons = true
  /// Whether these bitmaps show glass.
  var drawsGlass = true
  /// The set types that are compiled although only a part of their format is known.
  var allowsIncomplete: Set<SetType> = []
  /// The names of the icon sets in the catalogues.
  private(set) var iconSetNames: Set<ByteString> = []
  /// The image sets, to which layers of stacks can refer. They are kept only while the plan is
  /// made.
  private(set) var imageSets: [ByteString: ImageSet] = [:]
  /// Whether findings may name options of `carve compile`.
  var namesOptions = true
  /// The names under which a property list can name an icon of the archive: those of icons and of
  /// stacks that are icons, and those of the parts of brand assets.
  package private(set) var listedIcons: Set<ByteString> = []
}

extension RenditionPlan {
  /// Plans the renditions of every asset that the target can show.
  package init(
    of assets: [AssetSet], for target: CompileTarget, icons: IconSelection,
    rasterizesVectors: Bool = true, drawsIcons: Bool = true, drawsGlass: Bool = true,
    allowsIncomplete: Set<SetType> = [], otherImageSets: [ByteString: ImageSet] = [:],
    namesOptions: Bool = true
  ) {
    imageSets = otherImageSets
    self.namesOptions = namesOptions
    self.drawsGlass = drawsGlass
    self.allowsIncomplete = allowsIncomplete
    self.rasterizesVectors = rasterizesVectors
    self.drawsIcons = drawsIcons
    iconSetNames = Set(
      assets.lazy.filter { $0.type == .appIconSet && $0.hasContent }.map(\.name))
    for case (let name, .images(let set)) in assets.lazy.map({ ($0.name, $0.contents) }) {
      imageSets[name] = set
    }
    for asset in assets {
      let first = renditions.count
      add(asset, for: target, icons: icons)
      finish(renditions[first...].indices, of: asset)
    }
    addSpriteAtlases(in: assets)
    imageSets = [:]
    renditions.sort { $0.precedes($1) }
    dropHiddenRenditions()
  }

  /// Completes the renditions of an asset with the values that are the same for all of them.
  private mutating func finish(_ places: Range<Int>, of asset: AssetSet) {
    if asset.type.canBeAppIcon {
      let names = renditions[places].lazy.map(\.facet)
      listedIcons.formUnion(names.filter { asset.type == .brandAssets || $0 == asset.name })
    }
    var file: ByteString = ""
    for place in places {
      if let atlas = asset.atlas { renditions[place].atlas = atlas }
      // All renditions share the memory of one text.
      if renditions[place].jsonFile == file {
        renditions[place].jsonFile = file
      } else {
        file = renditions[place].jsonFile
      }
    }
  }

  /// Drops renditions that no program can find. Pictures and data of one name have the same keys,
  /// so an archive can hold only the first kind.
  private mutating func dropHiddenRenditions() {
    var kept = 0
    for place in renditions.indices {
      let rendition = renditions[place]
      guard kept > 0, renditions[kept - 1].hides(rendition) else {
        if kept != place { renditions[kept] = rendition }
        kept += 1
        continue
      }
      let last = renditions[kept - 1]
      // The reader has reported a part that is listed twice.
      if rendition.jsonFile == last.jsonFile, rendition.pointer == last.pointer { continue }
      let name = quoted(rendition.facet)
      let pointer = rendition.pointer.isEmpty ? nil : rendition.pointer
      if rendition.jsonFile == last.jsonFile, rendition.kind == last.kind {
        var finding = Diagnostic(
          .duplicateSlot,
          "two entries of \(name) are for the same variant; the other one is kept",
          file: rendition.jsonFile, pointer: pointer,
          notes: [Note("the other one", file: last.jsonFile, pointer: last.pointer)])
        finding.severity = .warning
        diagnostics.append(finding)
        continue
      }
      diagnostics.append(
        Diagnostic(
          .nameClash,
          rendition.kind == last.kind
            ? "two sets have a rendition of \(name) for the same \(last.what); the rendition of "
              + "the other set is kept"
            : "\(name) is both \(rendition.what) and \(last.what); the \(last.what) is kept",
          file: rendition.jsonFile, pointer: pointer,
          notes: [Note("the other set", file: last.jsonFile)]))
    }
    renditions.removeSubrange(kept...)
  }

  private mutating func add(
    _ asset: AssetSet, for target: CompileTarget, icons: IconSelection
  ) {
    reportUnappliedSettings(of: asset)
    switch asset.contents {
    case .images(let set): addImages(set, of: asset, for: target)
    case .colors(let set): addColors(set, of: asset, for: target)
    case .data(let set): addData(set, of: asset, for: target)
    case .appIcons(let set):
      if admitIcon(asset, icons) { addAppIcon(set, of: asset, for: target) }
    // Sets of this type are icons of documents and badges, not of an app; `--app-icon` does not
    // select them.
    case .icons(let set): addIconSet(set, of: asset, for: target)
    case .symbols(let set): addSymbols(set, of: asset, for: target)
    case .iconBundle(let icon):
      let isChosen = admitIconBundle(asset, icons)
      addIconBundle(icon, of: asset, for: target, isChosen: isChosen)
    case .imageStack(let stack) where !stack.isSolid: addImageStack(stack, of: asset, for: target)
    case .imageStack(let stack):
      if target.admits(.vision), admitIcon(asset, icons) {
        addSolidStack(stack, of: asset, for: target)
      }
    case .brandAssets(let brand):
      if target.admits(.tv), admitIcon(asset, icons) {
        addBrandAssets(brand, of: asset, for: target)
      }
    case .launchImages(let set): addLaunchImages(set, of: asset, for: target)
    case .complications(let set): addComplications(set, of: asset, for: target)
    case .arGroup(let group): addARGroup(group, of: asset, for: target)
    case .arImage(let image): addARImage(image, of: asset, for: target)
    case .arObject(let object): addARObject(object, of: asset)
    // Its list is planned after its sprites.
    case .spriteAtlas: break
    case .imageStackLayer:
      refuse(asset, "a layer is compiled as a part of a stack, and it lies in none")
    case .textures, .mipmaps, .stickerPack, .sticker,
      .stickerSequence,
      .stickersIcons, .gameCenter:
      refuse(asset)
    }
  }

  /// Reports a set that is left out. `pointer` is the place of the reason in its Contents.json; nil
  /// if the reason is the set as a whole.
  mutating func refuse(
    _ asset: AssetSet, _ reason: String? = nil, at pointer: ByteString? = nil
  ) {
    let reason = reason ?? "Carve does not compile .\(asset.type.rawValue) folders yet"
    diagnostics.append(
      Diagnostic(
        .unsupportedSet, "\"\(asset.name)\" is left out: \(reason)",
        file: pointer == nil ? asset.folder : asset.contentsFile, pointer: pointer))
  }

  /// Returns the key of an entry in the archive; nil if no device of the target shows the entry.
  mutating func archivedKey(of slot: Slot, for target: CompileTarget) -> VariantKey? {
    // The reader has reported appearances that have no number in archives.
    guard target.admits(slot), slot.key.hasArchivedAppearance else { return nil }
    var key = slot.key
    key.idiom = target.archived(key.idiom)
    if let tag = slot.locale, key.locale != 0 { locales[key.locale] = tag }
    return key
  }

  /// Returns the entries that the target shows, with their keys in the archive. Of several entries
  /// with one key, the one for the platform is returned, otherwise the first. `idiom` is the idiom
  /// of all keys; nil if each entry keeps its own.
  mutating func archivedEntries<Entry>(
    _ entries: some Sequence<Entry>, _ slot: (Entry) -> Slot, for target: CompileTarget,
    as idiom: Idiom? = nil
  ) -> [(key: VariantKey, slot: Slot, entry: Entry)] {
    var candidates: [(key: VariantKey, slot: Slot, entry: Entry)] = []
    for entry in entries {
      let slot = slot(entry)
      guard var key = archivedKey(of: slot, for: target) else { continue }
      if let idiom { key.idiom = idiom }
      candidates.append((key, slot, entry))
    }
    return RenditionPlan.preferringSpecificIdiom(candidates)
  }

  private static func preferringSpecificIdiom<Entry>(
    _ entries: [(key: VariantKey, slot: Slot, entry: Entry)]
  ) -> [(key: VariantKey, slot: Slot, entry: Entry)] {
    var places = [VariantKey: Int](minimumCapacity: entries.count)
    var kept: [(key: VariantKey, slot: Slot, entry: Entry)] = []
    for candidate in entries {
      if let place = places[candidate.key] {
        if candidate.slot.isMoreSpecific(than: kept[place].slot) { kept[place] = candidate }
      } else {
        places[candidate.key] = kept.count
        kept.append(candidate)
      }
    }
    return kept
  }
}

extension Slot {
  /// Returns whether this slot names the platform more precisely than the other one.
  func isMoreSpecific(than other: Slot) -> Bool {
    func rank(_ slot: Slot) -> Int {
      (slot.key.idiom == .universal ? 0 : 2) + (slot.platform == nil ? 0 : 1)
    }
    return rank(self) > rank(other)
  }
}

extension PlannedRendition {
  /// Returns whether this rendition comes first: by name, part, element, details and key. The order
  /// does not depend on the order in which the sources were read.
  func precedes(_ other: PlannedRendition) -> Bool {
    if facet != other.facet { return facet < other.facet }
    if part != other.part { return part < other.part }
    if element != other.element { return element < other.element }
    if details != other.details { return details < other.details }
    if key != other.key { return key < other.key }
    return kind?.rawValue ?? .max < other.kind?.rawValue ?? .max
  }

  /// Returns whether no program can find the other rendition, because this one has the same name,
  /// part and key.
  func hides(_ other: PlannedRendition) -> Bool {
    facet == other.facet && part == other.part && element == other.element
      && details == other.details && key == other.key
  }

  /// The kind of the rendition, for a sentence.
  fileprivate var what: String { kind?.name ?? "part" }
}

extension RenditionPlan {
  /// The largest scale at which each vector is drawn, by its path.
  var largestScales: [ByteString: Double] {
    var scales: [ByteString: Double] = [:]
    for rendition in renditions {
      guard let scale = rendition.processing?.drawingScale, let path = rendition.drawnFile?.path
      else {
        continue
      }
      scales[path] = max(scales[path] ?? 0, scale.factor)
    }
    return scales
  }
}
