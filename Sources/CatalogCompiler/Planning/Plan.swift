// The plan of an archive: which renditions it will hold, before a single picture is decoded.
// One function per kind of set lives in a file of its own; this one puts their results together.

import Archive
import Bytes
import CatalogModel
import Documents
import Host
import Traits

/// What a rendition is made from. What seldom is, and large, lies apart: most are pictures.
package enum PlannedContent: Sendable, Hashable {
  /// Decoded or drawn, converted and compressed; or, for JPEG and HEIF, stored as it is.
  case picture(SourceFile, Treatment)
  /// PDF or SVG, stored as it is.
  case vector(SourceFile)
  indirect case data(SourceFile, typeIdentifier: String?)
  /// One of the drawings of a symbol's template.
  case symbol(SourceFile, Glyph)
  indirect case color(ColorDefinition)
  /// The table of an app icon's sizes.
  case iconSizes([IconSize])
  /// The colour of a layered icon.
  indirect case paint(ColorPayload)
  indirect case gradient(GradientPayload)
  /// Pixels that are made of several files.
  indirect case composition(Composition)
  /// The layers of a stack as one picture, and the glow around it. Their size is that of the layers.
  indirect case flattened(Composition)
  indirect case radiosity(Composition)
  /// A picture that a camera looks for, and an object.
  indirect case physicalPicture(PhysicalPicture)
  case trackedObject(SourceFile)
  /// That nothing is to be shown, on purpose.
  case nothing
  /// Made of other renditions.
  indirect case stack(LayerStack)
  /// The names of what belongs together.
  case names([ByteString])
}

/// What becomes of a picture's file. With the file's bytes, the gamut and the target, its pixels and the
/// geometry of its block follow from this.
package struct Treatment: Sendable, Hashable {
  @Seldom package var resizing: Resizing? = nil
  @Seldom package var insets: Insets? = nil
  /// How large the picture is stored at most.
  @Seldom package var reduction: Reduction? = nil
  /// How large a vector is drawn; nil for pictures that have pixels.
  package var drawing: DrawingScale?
}

package enum Reduction: Sendable, Hashable {
  /// In pixels; the height follows.
  case width(atMost: Int)
  case longerSide(atMost: Int)
}

/// Pixels for each unit of a vector's page: those of the bitmap over those of the slot that the file is in.
package struct DrawingScale: Sendable, Hashable {
  package var bitmap: UInt8
  package var slot: UInt8

  package var factor: Double { Double(bitmap) / Double(slot) }
}

package struct IconSize: Sendable, Hashable {
  var width: Int
  var height: Int
  /// The place of the size among all of the set, from 1; the pictures carry it as dimension 2.
  var index: UInt16
}

package struct PlannedRendition: Sendable, Hashable {
  /// The name under which programs find it.
  package var facet: ByteString
  /// nil for what is found through others alone.
  package var kind: AssetKind?
  var element = Element.universal
  package var part: UInt16
  package var key: VariantKey
  /// Which of the parts of one asset it is.
  package var details = KeyDetails()
  var flags: RenditionFlags = []
  package var content: PlannedContent
  /// Whether the catalogue asks that no pixel changes by a bit.
  var keepsExactPixels = false
  /// The sprite atlas on whose pages it lies.
  @Seldom var atlas: ByteString? = nil
  /// Whether it shares no atlas.
  var standsAlone = false
  /// The place in the sources that a diagnostic about the rendition names.
  package var file: ByteString
  package var pointer: ByteString

  /// The name that the archive keeps, where it is neither that of the source file nor the asset's.
  @Seldom var statedName: ByteString? = nil

  package var storedName: ByteString {
    statedName ?? source.map { lastComponent($0.name) } ?? facet
  }

  package var treatment: Treatment? {
    if case .picture(_, let treatment) = content { treatment } else { nil }
  }

  /// The vector that the rendition is a bitmap of, or one of the drawings of: it is read once for all.
  package var drawnFile: SourceFile? {
    if case .symbol(let file, _) = content { return file }
    return treatment?.drawing == nil ? nil : source
  }

  package var source: SourceFile? {
    switch content {
    case .picture(let file, _), .vector(let file), .data(let file, _), .symbol(let file, _),
      .trackedObject(let file):
      file
    case .physicalPicture(let picture): picture.file
    case .color, .iconSizes, .paint, .gradient, .composition, .flattened, .radiosity, .stack,
      .names, .nothing:
      nil
    }
  }
}

/// What the passes before encoding have found out.
package struct Plan: Sendable {
  /// Sorted: the order in which renditions are encoded and stored.
  package var renditions: [PlannedRendition] = []
  /// The tag behind each number in `VariantKey.locale`.
  package var locales: [UInt16: String] = [:]
  package var diagnostics: [Diagnostic] = []
  /// Whether bitmaps are made of vectors, for systems and programs that draw none.
  var rasterizesVectors = true
  /// Whether bitmaps are made of layered icons.
  var drawsIcons = true
  /// Sets that are compiled as far as their form is known.
  var allowsIncomplete: Set<SetType> = []
  /// The icon sets of the catalogues.
  private(set) var iconSetNames: Set<ByteString> = []
  /// The image sets, to which layers of stacks may refer; while the plan is made.
  private(set) var imageSets: [ByteString: ImageSet] = [:]
}

extension Plan {
  /// The renditions of every asset that the target can show.
  package init(
    of assets: [AssetSet], for target: CompileTarget, icons: IconSelection,
    rasterizesVectors: Bool = true, drawsIcons: Bool = true,
    allowsIncomplete: Set<SetType> = []
  ) {
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
    for asset in assets where asset.type == .spriteAtlas {
      addSpriteAtlas(asset, sprites: assets, for: target)
    }
    imageSets = [:]
    renditions.sort { $0.precedes($1) }
    dropHiddenRenditions()
  }

  /// What is the same for all renditions of an asset.
  private mutating func finish(_ places: Range<Int>, of asset: AssetSet) {
    var file: ByteString = ""
    for place in places {
      if let atlas = asset.atlas { renditions[place].atlas = atlas }
      // One text for all, and not one for each.
      if renditions[place].file == file {
        renditions[place].file = file
      } else {
        file = renditions[place].file
      }
    }
  }

  /// Pictures and data of one name share their keys: an archive holds the first kind only.
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
      let name = quoted(rendition.facet)
      diagnostics.append(
        Diagnostic(
          .nameClash,
          rendition.kind == last.kind
            ? "\(name) is one \(last.what) in two sets; that of the other set is kept"
            : "\(name) is \(rendition.what) and \(last.what) at once; the \(last.what) is kept",
          file: rendition.file, pointer: rendition.pointer.isEmpty ? nil : rendition.pointer,
          notes: [Note("the other one", file: last.file)]))
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
    // None of an app, but of its documents and badges: --app-icon has no say in it.
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
    // Listed when its sprites are planned.
    case .spriteAtlas: break
    case .textures, .mipmaps, .imageStackLayer, .stickerPack, .sticker,
      .stickerSequence,
      .stickersIcons, .gameCenter:
      refuse(asset)
    }
  }

  mutating func refuse(_ asset: AssetSet, _ reason: String? = nil) {
    let reason = reason ?? "Carve does not compile .\(asset.type.rawValue) folders yet"
    diagnostics.append(
      Diagnostic(
        .unsupportedSet, "\"\(asset.name)\" is left out: \(reason)", file: asset.folder))
  }

  /// The key under which the archive files an entry; nil where no device of the target shows it.
  mutating func archivedKey(of slot: Slot, for target: CompileTarget) -> VariantKey? {
    // Of appearances without a number the reader has spoken.
    guard target.admits(slot), slot.key.hasArchivedAppearance else { return nil }
    var key = slot.key
    key.idiom = target.archived(key.idiom)
    if let tag = slot.locale, key.locale != 0 { locales[key.locale] = tag }
    return key
  }

  /// Keeps the entry made for the platform where another one has the same archived key.
  static func preferringSpecificIdiom<Entry>(
    _ entries: [(key: VariantKey, slot: Slot, entry: Entry)]
  ) -> [(key: VariantKey, slot: Slot, entry: Entry)] {
    var places: [VariantKey: Int] = [:]
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
  /// Whether this one is for the platform by name and the other one is for all.
  func isMoreSpecific(than other: Slot) -> Bool {
    func rank(_ slot: Slot) -> Int {
      (slot.key.idiom == .universal ? 0 : 2) + (slot.platform == nil ? 0 : 1)
    }
    return rank(self) > rank(other)
  }
}

extension PlannedRendition {
  /// By name, part, size and key: independent of the order in which the sources were read.
  func precedes(_ other: PlannedRendition) -> Bool {
    if facet != other.facet { return facet < other.facet }
    if part != other.part { return part < other.part }
    if element != other.element { return element < other.element }
    if details != other.details { return details < other.details }
    if key != other.key { return key < other.key }
    return kind?.rawValue ?? .max < other.kind?.rawValue ?? .max
  }

  /// Whether no program can reach the other one beside this.
  func hides(_ other: PlannedRendition) -> Bool {
    facet == other.facet && part == other.part && element == other.element
      && details == other.details && key == other.key
  }

  /// What it is, for a sentence.
  fileprivate var what: String { kind?.name ?? "part" }
}
