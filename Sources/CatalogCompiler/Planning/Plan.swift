// The plan of an archive: which renditions it will hold, before a single picture is decoded.
// One function per kind of set lives in a file of its own; this one puts their results together.

import Archive
import CatalogModel
import Documents
import Host
import Traits

/// What a rendition is made from.
package enum PlannedContent: Sendable, Hashable {
  /// Decoded or drawn, converted and compressed; or, for JPEG and HEIF, stored as it is.
  case picture(SourceFile, Treatment)
  /// PDF or SVG, stored as it is.
  case vector(SourceFile)
  case data(SourceFile, typeIdentifier: String?)
  /// One of the drawings of a symbol's template.
  case symbol(SourceFile, Glyph)
  case color(ColorDefinition)
  /// The table of an app icon's sizes.
  case iconSizes([IconSize])
  /// Made of other renditions.
  case stack(LayerStack)
  /// The names of what belongs together.
  case names([String])
}

/// What becomes of a picture's file. With the file's bytes, the gamut and the target, its pixels and the
/// geometry of its block follow from this.
package struct Treatment: Sendable, Hashable {
  package var resizing: Resizing?
  package var insets: Insets?
  /// How large a vector is drawn; nil for pictures that have pixels.
  package var drawing: DrawingScale?
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
  package var facet: String
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
  /// The place in the sources that a diagnostic about the rendition names.
  package var file: String
  package var pointer: String

  /// The name that the archive keeps, where it is neither that of the source file nor the asset's.
  var statedName: String?

  var storedName: String { statedName ?? source.map { lastComponent($0.name) } ?? facet }

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
    case .picture(let file, _), .vector(let file), .data(let file, _), .symbol(let file, _): file
    case .color, .iconSizes, .stack, .names: nil
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
}

extension Plan {
  /// The renditions of every asset that the target can show.
  package init(
    of assets: [AssetSet], for target: CompileTarget, icons: IconSelection,
    rasterizesVectors: Bool = true
  ) {
    self.rasterizesVectors = rasterizesVectors
    for asset in assets { add(asset, for: target, icons: icons) }
    renditions.sort { $0.precedes($1) }
    dropHiddenRenditions()
  }

  /// Pictures and data of one name share their keys: an archive holds the first kind only.
  private mutating func dropHiddenRenditions() {
    var kept: [PlannedRendition] = []
    for rendition in renditions {
      guard let last = kept.last, last.hides(rendition) else {
        kept.append(rendition)
        continue
      }
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
    renditions = kept
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
    case .icons(let set):
      if admitIcon(asset, icons) { addIconSet(set, of: asset, for: target) }
    case .symbols(let set): addSymbols(set, of: asset, for: target)
    case .iconBundle, .launchImages, .spriteAtlas, .textures, .mipmaps, .imageStack,
      .imageStackLayer, .brandAssets, .complications, .stickerPack, .sticker, .stickerSequence,
      .stickersIcons, .arGroup, .arImage, .arObject, .gameCenter:
      refuse(asset)
    }
  }

  private mutating func refuse(_ asset: AssetSet) {
    diagnostics.append(
      Diagnostic(
        .unsupportedSet,
        "\"\(asset.name)\" is left out: Carve does not compile .\(asset.type.rawValue) folders yet",
        file: asset.folder))
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
    if facet != other.facet { return facet.utf8.lexicographicallyPrecedes(other.facet.utf8) }
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
