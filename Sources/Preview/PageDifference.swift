// The changes from an older archive to the archive of a page: variants that were added, were
// removed or look different, with the older pictures, and the bytes of each device before and
// after.

import ArchiveTools
import Bytes
import CarveRuntime
import Documents
import Traits

/// The identity of a variant, which is the same in both archives.
struct ComparedVariant: Hashable, Sendable {
  var name: ByteString
  var kind: AssetKind
  var key: VariantKey
}

/// A variant that differs between the archives.
struct VariantChange: Sendable {
  var variant: ComparedVariant
  var before: PageVariant?
  var after: PageVariant?
  /// The properties in which the two differ, if the variant is in both archives.
  var aspects: [String] = []
  /// The greatest difference of a channel in steps of 1/255, if colours differ.
  var greatest: Int?
  /// Whether only the colours differ, and the packing of an atlas explains it.
  var isWithinRounding = false
}

extension VariantChange: JudgedChange {}

package struct PageDifference: Sendable {
  let title: String
  let changes: [VariantChange]
  /// The older pictures of changed variants. The page contains equal pictures once.
  let pictures: PagePictures
  let archives: ArchiveDifference
  let languages: [UInt16: String]

  /// Compares the archive of a page with an older one. The caller keeps the bytes alive and
  /// unchanged.
  init(
    from old: UnsafeRawBufferPointer, to new: UnsafeRawBufferPointer, titled title: String,
    _ page: PageData, isUnchanged: @escaping (ByteString, VariantKey) -> Bool?
  ) throws(PreviewError) {
    self.title = title
    languages = page.languages
    let devices = page.situations.devices.map(\.device)
    do throws(ThinningError) {
      archives = try ArchiveDifference(
        from: old, to: new, devices: devices, isUnchanged: isUnchanged)
    } catch {
      throw .thinning(error)
    }
    let catalog: Catalog
    do throws(CatalogError) { catalog = try Catalog(lending: old) } catch { throw .archive(error) }
    var options = page.options
    options.source = nil
    var reader = AssetReader(
      catalog: catalog, file: old, options: options, scales: page.scales,
      charges: BlockCharges((try? Thinner(old))?.opened))
    let assets = reader.read().assets
    let requests = assets.flatMap(\.requests)
    let older = PagePictures(requests, of: catalog, old, options)
    let before = Dictionary(
      assets.flatMap(\.comparedVariants), uniquingKeysWith: { first, _ in first })
    let after = Dictionary(
      page.assets.flatMap(\.comparedVariants), uniquingKeysWith: { first, _ in first })
    let all = PageDifference.changes(
      from: before, older: older, to: after, newer: page.pictures)
    changes = archives.judged(all, isUnchanged: isUnchanged)
    let wanted = Set(changes.flatMap { $0.before?.pictures.map(\.request) ?? [] })
    pictures = older.selecting(wanted, after: page.pictures)
  }

  private static func changes(
    from before: [ComparedVariant: PageVariant], older: PagePictures,
    to after: [ComparedVariant: PageVariant], newer: PagePictures
  ) -> [VariantChange] {
    let all = Set(before.keys).union(after.keys).sorted { a, b in
      if a.name != b.name { return a.name < b.name }
      return a.kind == b.kind ? a.key < b.key : a.kind.rawValue < b.kind.rawValue
    }
    return all.compactMap { variant in
      guard let old = before[variant], let new = after[variant] else {
        return VariantChange(variant: variant, before: before[variant], after: after[variant])
      }
      let aspects = old.aspects(older, unlike: new, newer)
      if aspects.isEmpty { return nil }
      return VariantChange(variant: variant, before: old, after: new, aspects: aspects)
    }
  }
}

extension ArchiveDifference {
  /// Returns the changes with the greatest differences of their colours. Changes of colours alone
  /// come last, the one with the greatest difference first.
  fileprivate func judged(
    _ all: [VariantChange], isUnchanged: (ByteString, VariantKey) -> Bool?
  ) -> [VariantChange] {
    let found = Dictionary(grouping: renditions) { VariantName(name: $0.asset, key: $0.key) }
    return all.compactMap { change in
      let variant = change.variant
      return change.judged(
        by: found[VariantName(name: variant.name, key: variant.key)] ?? [],
        isUnchanged: isUnchanged(variant.name, variant.key))
    }.sortedByDifference()
  }
}

private struct VariantName: Hashable {
  var name: ByteString
  var key: VariantKey?
}

extension VariantChange {
  /// Returns the change with the greatest difference of its colours; nil if both pictures were made
  /// from equal files, and only their atlases were packed otherwise. An icon has several pictures
  /// under one key.
  fileprivate func judged(
    by found: [RenditionDifference], isUnchanged: Bool?
  ) -> VariantChange? {
    guard aspects.last == ArchiveDifference.pixels else { return self }
    var change = self
    if isUnchanged == true {
      change.aspects.removeLast()
      return change.aspects.isEmpty ? nil : change
    }
    if !found.isEmpty, found.allSatisfy({ $0.greatest != nil }) {
      change.greatest = found.compactMap(\.greatest).max()
      change.isWithinRounding = aspects.count == 1 && found.allSatisfy(\.isWithinRounding)
    }
    return change
  }
}

package enum PreviewError: Error, Sendable {
  case archive(CatalogError)
  case thinning(ThinningError)
}

extension PageAsset {
  var requests: [PictureRequest] {
    variants.flatMap { $0.pictures.map(\.request) } + glyphs.map(\.request)
  }

  fileprivate var comparedVariants: [(ComparedVariant, PageVariant)] {
    variants.map {
      (ComparedVariant(name: ByteString(asset.name), kind: asset.kind, key: $0.key), $0)
    }
  }
}

extension PageVariant {
  /// Returns the visible properties in which two variants with one key differ.
  fileprivate func aspects(
    _ own: PagePictures, unlike other: PageVariant, _ others: PagePictures
  ) -> [String] {
    var aspects: [String] = []
    func check(_ name: String, _ isSame: Bool) { if !isSame { aspects.append(name) } }
    let (old, new) = (variant, other.variant)
    check("size", old.pixelSize == new.pixelSize)
    check("insets", old.alignmentInsets == new.alignmentInsets)
    check("slices", old.slicing == new.slicing)
    check("rendering", old.templateIntent == new.templateIntent)
    check("file name", fileName == other.fileName)
    check("colour or data", details == other.details && digest == other.digest)
    let mine = pictures.map { own.picture($0.request) }
    let theirs = other.pictures.map { others.picture($0.request) }
    let isSame =
      mine.count == theirs.count
      && zip(mine, theirs).allSatisfy { mine, theirs in
        guard let mine, let theirs else { return mine == nil && theirs == nil }
        return mine.showsSame(as: theirs)
      }
    check(ArchiveDifference.pixels, isSame)
    return aspects
  }
}

// MARK: - JSON

// Writes the difference of two archives as the page's script reads it.

extension PageDifference {
  func json(_ page: PageData) -> JSONOutput {
    [
      "title": .string(title), "before": .integer(archives.before.file),
      "after": .integer(archives.after.file),
      "changes": .array(changes.map { json($0, page) }),
      "fields": .array(
        archives.fields.map { [.string($0.field), .string($0.before), .string($0.after)] }),
      "devices": .array(
        archives.devices.map { row in
          [
            .array(row.devices.map { .string($0.identifier) }), .integer(row.before),
            .integer(row.after),
          ]
        }),
    ]
  }

  private func json(_ change: VariantChange, _ page: PageData) -> JSONOutput {
    let key = change.variant.key
    var members: [JSONOutput.Member] = [
      .init("n", .name(change.variant.name)), .init("k", .string(change.variant.kind.name)),
      .init(
        "key",
        .string(
          key.summary(
            language: languages[key.locale], platform: Platform(archiveName: page.platform)))),
      .init("aspects", .array(change.aspects.map { .string($0) })),
    ]
    if let greatest = change.greatest { members.append(.init("g", .integer(greatest))) }
    if change.isWithinRounding { members.append(.init("r", .bool(true))) }
    if let before = change.before { members.append(.init("before", before.json(pictures))) }
    if let after = change.after { members.append(.init("after", after.json(page.pictures))) }
    return .object(members)
  }
}
