// Turns an archive back into catalogues: folders and files from which `carve compile` makes an
// equal archive, as far as the archive tells what its sources were. This file reads the archive,
// divides its renditions among sets and makes the files; the other files of this folder decide
// about each kind of set. What cannot be told is a remark of the report (RecoveryReport.swift).

import Archive
import ArchiveTools
import Bytes
import CatalogCompiler
import CatalogModel
import Documents
import Host
import Imaging
import Synchronization
import Traits

/// A rendition of an asset, with the constraints of its key.
struct RecoveredVariant: Sendable {
  let key: RenditionKey
  let variant: VariantKey
  let rendition: Rendition
  /// The range of its block in the archive.
  let range: Range<Int>
  /// The link into an atlas; nil if the picture lies in no atlas.
  let link: InternalLink?

  var header: CSIHeader { rendition.header }
  /// The layout of a picture. For a picture in an atlas, the link states it.
  var layout: RenditionLayout { link?.layout ?? header.layout }

  /// The size in pixels; 0 if the rendition has no pixels. The size of a file is in its metrics.
  var size: (width: Int, height: Int) {
    if header.width > 0, header.height > 0 { return (Int(header.width), Int(header.height)) }
    guard let metrics = (try? rendition.metrics())?.first else { return (0, 0) }
    let width = Int(metrics.width) + Int(metrics.left) + Int(metrics.right)
    let height = Int(metrics.height) + Int(metrics.top) + Int(metrics.bottom)
    return (max(0, width), max(0, height))
  }

  /// Whether two renditions store the same picture.
  func holdsSamePicture(as other: RecoveredVariant) -> Bool {
    if range == other.range { return true }
    if let link { return link == other.link }
    return other.link == nil && size == other.size
      && rendition.payload.buffer.elementsEqual(other.rendition.payload.buffer)
  }
}

/// The bytes of a recovered file.
enum RecoveredSource: Sendable, Hashable {
  case bitmap(Range<Int>)
  case part(InternalLink, atlas: Range<Int>)
  case file(Range<Int>)
  /// The template of a symbol, made of the drawings that the archive has.
  case template([RecoveredGlyph])
}

/// A file of a set. Its name is chosen when the bytes of all files of the set are known.
struct FileDraft: Sendable {
  /// The name that the archive states, with the extension that fits the bytes.
  var name: ByteString
  var source: RecoveredSource
  /// The name that the archive states; nil if it states none.
  var stated: ByteString?
  /// The words that are added if another file of the set has the name.
  var words: [String] = []
  /// The traits in words, for remarks.
  var variant = ""
}

extension FileDraft {
  /// The properties of files that are one file.
  struct Contents: Hashable {
    var name: ByteString
    var source: RecoveredSource
  }

  var contents: Contents { Contents(name: name, source: source) }
}

/// A folder with a document, and files that the document names.
struct SetDraft: Sendable {
  /// The name of the asset, for remarks.
  var name: ByteString
  var folder: ByteString
  /// The folder of the files, if it is not the folder of the document.
  var fileFolder: ByteString?
  var files: [FileDraft] = []
  var documentName: ByteString = "Contents.json"
  /// Makes the document of the names of the files; nil for a file that could not be made.
  var document: @Sendable ([ByteString?]) -> JSONValue
}

/// An archive while catalogues are made of it.
struct CatalogRecovery {
  let archive: Archive
  let target: CompileTarget
  let names: FacetNames
  let facts: BlockFacts
  /// The renditions of each asset by name, in the order of the archive.
  private(set) var assets: [ByteString: [RecoveredVariant]] = [:]
  /// The blocks of the atlases by their keys.
  private(set) var atlases: [RenditionKey: Range<Int>] = [:]
  private(set) var locales: [UInt16: String] = [:]
  var places = RecoveredPlaces()
  var drafts: [SetDraft] = []
  var report = RecoveryReport()
  /// The names that are parts of icons and stacks, and need no sets of their own.
  var taken: Set<ByteString> = []
  /// The names of icons, stacks, atlases and groups that became sets with parts.
  var divided: Set<ByteString> = []
  /// The folders of sprite atlases by the names of their members.
  var atlasFolders: [ByteString: (folder: ByteString, rest: ByteString)] = [:]

  init(_ archive: Archive) throws(FormatError) {
    self.archive = archive
    target = try CompileTarget(of: archive)
    names = try FacetNames(of: archive)
    facts = BlockFacts(fileSize: archive.bytes.count)
    for row in try archive.localizations() {
      locales[row.number] = String(decoding: row.bytes, as: UTF8.self)
    }
    let numbers = try VariantNumbers(of: archive)
    let words = try KeyWords(of: archive)
    let (readable, damaged) = try archive.readableRenditions()
    for (key, error) in damaged {
      let rendition = DamagedRendition(key, error, names: names, words: words)
      report.add(rendition.name, rendition.variant, "\(error)", isDamage: true)
    }
    for (entry, rendition) in readable where rendition.header.layout == .atlas {
      atlases[entry.key] = entry.range
    }
    for (entry, rendition) in readable where rendition.header.layout != .atlas {
      add(entry, rendition, numbers, words)
    }
    places = RecoveredPlaces(names: Set(assets.keys))
    try reportOtherNames()
    report.renditions = readable.count - atlases.count
    report.setTarget(target)
  }

  private mutating func add(
    _ entry: RenditionEntry, _ rendition: Rendition, _ numbers: VariantNumbers, _ words: KeyWords
  ) {
    let traits = words.text(for: entry.key)
    guard let name = names[entry.key] else {
      report.add(rendition.header.name, traits, "it belongs to no asset")
      return
    }
    guard let variant = numbers.variant(of: entry.key) else {
      report.add(name, traits, "its key holds more than the traits of catalogues")
      return
    }
    let link: InternalLink?
    do throws(FormatError) { link = try rendition.link() } catch {
      report.add(name, traits, "\(error)", isDamage: true)
      return
    }
    assets[name, default: []].append(
      RecoveredVariant(
        key: entry.key, variant: variant, rendition: rendition, range: entry.range, link: link))
  }

  /// Reports names without renditions, and names that lead to the renditions of another name.
  private mutating func reportOtherNames() throws(FormatError) {
    for facet in try archive.facets() where assets[facet.name] == nil {
      var key = RenditionKey()
      (key[.element], key[.identifier]) = (facet.element ?? 0, facet.identifier ?? 0)
      let other = names[key].flatMap { $0 == facet.name ? nil : $0 }
      report.add(
        facet.name, "",
        other.map { "it is another name of \(quoted($0))" } ?? "it has no renditions")
    }
  }
}

// MARK: - Dividing

extension CatalogRecovery {
  /// Makes the drafts of all sets. Icons, stacks and atlases come first, because they take parts.
  mutating func recover() {
    let sorted = assets.keys.sorted()
    for name in sorted { recoverIconBundle(name) }
    for name in sorted { recoverSpriteAtlas(name) }
    for name in sorted where !taken.contains(name) && !divided.contains(name) { recoverStack(name) }
    for name in sorted where !taken.contains(name) && !divided.contains(name) {
      recoverGroupOfResources(name)
    }
    for name in sorted where !taken.contains(name) { recoverSets(of: name) }
    for name in sorted { recoverIconPictures(of: name) }
    drafts += places.groups.map { folder, providesNamespace in
      SetDraft(name: "", folder: folder) { _ in
        contents(
          "", [],
          providesNamespace ? [JSONMember(key: "provides-namespace", value: .bool(true))] : [])
      }
    }
  }

  /// Makes the sets of a name: one for each kind of rendition that is not of a set with parts.
  private mutating func recoverSets(of name: ByteString) {
    var images: [RecoveredVariant] = []
    var colors: [RecoveredVariant] = []
    var data: [RecoveredVariant] = []
    var symbols: [RecoveredVariant] = []
    for variant in assets[name] ?? [] {
      if divided.contains(name), variant.isOfSetWithParts { continue }
      if variant.key.details.glyph != nil, variant.header.layout != .symbol {
        remark(variant, name, "the compiler makes no bitmaps of symbols")
        continue
      }
      switch (variant.key.part, variant.header.layout) {
      case (Part.color, .color): colors.append(variant)
      case (Part.symbol, .symbol): symbols.append(variant)
      case (Part.regular, .data): data.append(variant)
      case (Part.icon, _), (Part.multisize, _): break
      case (Part.regular, .layerStack), (Part.regular, .solidStack), (Part.flattened, _),
        (Part.radiosity, _):
        remark(variant, name, "it is a part of a stack whose layers are not found")
      case (Part.regular, .vector), (Part.vector, .vector), (Part.regular, .thinningPlaceholder):
        images.append(variant)
      case (Part.regular, let layout) where layout.isImage: images.append(variant)
      case (_, let layout): remark(variant, name, RecoveryReport.reason(for: layout))
      }
    }
    if !images.isEmpty { recoverImages(name, images) }
    if !colors.isEmpty { recoverColors(name, colors) }
    if !data.isEmpty { recoverData(name, data) }
    if !symbols.isEmpty { recoverSymbols(name, symbols) }
  }

  /// Makes the app icon set of a name. A layered icon has one beside it, for its bitmaps.
  private mutating func recoverIconPictures(of name: ByteString) {
    let icons = (assets[name] ?? []).filter {
      $0.key.part == Part.icon || $0.key.part == Part.multisize
    }
    if !icons.isEmpty { recoverAppIcon(name, icons) }
  }

  /// Returns the folder of a set, in its atlas if it is a sprite.
  mutating func folder(of name: ByteString, _ type: SetType) -> ByteString {
    let base = atlasFolders[name]
    let place = places.folder(
      for: base?.rest ?? name, type, below: base?.folder ?? RecoveredPlaces.catalog)
    if let other = place.otherName {
      report.add(name, "", "no folder can have this name; the set is called \(quoted(other))")
    }
    return place.folder
  }

  func words(_ variant: RecoveredVariant) -> String {
    variant.variant.summary(language: locales[variant.variant.locale], platform: platform)
      + (variant.key[.dimension2] == 0 ? "" : ", size \(variant.key[.dimension2])")
  }

  var platform: Platform { target.platform.system }

  mutating func remark(_ variant: RecoveredVariant, _ name: ByteString, _ reason: String) {
    report.add(name, words(variant), reason)
  }

  /// Returns the members of an entry for a variant, without its scale; nil, with a remark, if
  /// catalogues have no words for it.
  mutating func slot(_ variant: RecoveredVariant, _ name: ByteString) -> [JSONMember]? {
    var key = variant.variant
    // In archives for the Mac, `mac` is stored as `universal`.
    if variant.key.part == Part.icon, platform == .macOS, key.idiom == .universal {
      key.idiom = .mac
    }
    if let tag = locales[key.locale], usualSpelling(ofLanguageTag: tag) != tag {
      remark(
        variant, name,
        "its language \(quoted(tag)) is read as \(quoted(usualSpelling(ofLanguageTag: tag)))")
    }
    let members = Slot.members(for: key, locale: locales[key.locale], on: platform)
    if members == nil { remark(variant, name, "catalogues have no words for its traits") }
    return members
  }

  /// Returns the variants without those that repeat others for newer systems in another codec.
  mutating func withoutNewerDoubles(_ variants: [RecoveredVariant]) -> [RecoveredVariant] {
    var oldest: [RenditionKey: UInt16] = [:]
    func base(_ variant: RecoveredVariant) -> RenditionKey {
      var key = variant.key
      key[.deploymentTarget] = 0
      return key
    }
    for variant in variants {
      oldest[base(variant)] = min(
        oldest[base(variant)] ?? .max, variant.key[.deploymentTarget])
    }
    let kept = variants.filter { oldest[base($0)] == $0.key[.deploymentTarget] }
    report.newerDoubles += variants.count - kept.count
    return kept
  }

  /// Returns the file of a picture, with the name that the archive states.
  func file(_ variant: RecoveredVariant, words: [String]) -> FileDraft? {
    let source: RecoveredSource
    var ending: ByteString = "png"
    if let link = variant.link {
      guard let atlas = atlases[link.target] else { return nil }
      source = .part(link, atlas: atlas)
    } else if variant.rendition.payload.hasPrefix("MLEC") {
      source = .bitmap(variant.range)
    } else if (try? FilePayload(variant.rendition.payload)) != nil {
      source = .file(variant.range)
      ending = RecoveredPlaces.ending(of: variant.header)
    } else {
      return nil
    }
    return FileDraft(
      name: RecoveredPlaces.fileName(variant.header.name, ending), source: source,
      stated: variant.header.name, words: words, variant: self.words(variant))
  }
}

// MARK: - Documents

/// Returns a Contents.json with a list of entries; the list is left out if it has no name.
package func contents(
  _ list: ByteString, _ entries: [JSONValue], _ properties: [JSONMember] = []
) -> JSONValue {
  var members = [
    JSONMember(
      key: "info",
      value: .object([
        JSONMember(key: "author", value: .text("carve")),
        JSONMember(key: "version", value: .integer(1)),
      ]))
  ]
  if !list.isEmpty { members.append(JSONMember(key: list, value: .array(entries))) }
  if !properties.isEmpty {
    members.append(JSONMember(key: "properties", value: .object(properties)))
  }
  return .object(members)
}

extension JSONValue {
  /// A number of JSON, with the fewest digits; 0 for a number that JSON does not have.
  package static func decimal(_ number: Double) -> JSONValue {
    guard number.isFinite else { return .integer(0) }
    if let whole = Int64(exactly: number), abs(whole) < 1 << 53 { return .integer(whole) }
    return .number(number, text: "\(number)")
  }
}

/// Returns the entries of a list, each with the name of its file, without the entries whose file
/// could not be made.
func entries(_ all: [(members: [JSONMember], file: Int?)], _ names: [ByteString?]) -> [JSONValue] {
  all.compactMap { members, file in
    guard let file else { return .object(members) }
    guard let name = names[file] else { return nil }
    return .object(members + [JSONMember(key: "filename", value: .string(name))])
  }
}

// MARK: - Making files

/// Makes catalogues of an archive on `jobs` threads, which call `body` with each file, several at
/// the same time. The names and the result do not depend on the number of threads. The caller keeps
/// the bytes alive and unchanged.
package func recoverCatalogs<Failure: Error>(
  of file: UnsafeRawBufferPointer, jobs: Int,
  _ body: @escaping @Sendable (ExtractedFile) throws(Failure) -> Void
) throws(ExtractError<Failure>) -> RecoveryReport {
  var recovery: CatalogRecovery
  do throws(FormatError) { recovery = try CatalogRecovery(Archive(file)) } catch {
    throw .format(error)
  }
  recovery.recover()
  let maker = RecoveredFiles(file)
  var report = recovery.report
  report.remarks += try writeAll(recovery.drafts, jobs: jobs) { (draft) throws(Failure) in
    try maker.write(draft, body)
  }
  report.fileCount = maker.fileCount
  report.sort()
  return report
}

/// Makes the bytes of the files. Several threads use it at once.
private final class RecoveredFiles: Sendable {
  private struct State {
    /// The atlases that were decoded last, which several sets need.
    var atlases: [Range<Int>: Bitmap] = [:]
    var bytes = 0
    var files = 0
  }

  /// The bytes of decoded atlases that are kept.
  private static let mostKept = 64 << 20
  private let pictures: PictureSource
  private let gate = MemoryGate()
  private let state = Mutex(State())

  init(_ file: UnsafeRawBufferPointer) { pictures = PictureSource(file) }

  var fileCount: Int { state.withLock { $0.files } }

  /// Writes the files of a set and its document. Returns remarks about files that could not be
  /// made.
  func write<Failure: Error>(
    _ draft: SetDraft, _ body: (ExtractedFile) throws(Failure) -> Void
  ) throws(Failure) -> [RecoveryRemark] {
    var remarks: [RecoveryRemark] = []
    var names: [ByteString?] = []
    var chosen = ChosenNames(beside: draft.fileFolder == nil ? draft.documentName : nil)
    // Any number of keys may name one block, whose file is made once.
    var made: [FileDraft.Contents: ByteString] = [:]
    for file in draft.files {
      if let known = made[file.contents] {
        names.append(known)
        continue
      }
      let bytes: [UInt8]
      var isRounded = false
      do throws(SkipReason) { bytes = try self.bytes(of: file.source, &isRounded) } catch {
        names.append(nil)
        remarks.append(
          RecoveryRemark(
            name: draft.name, variant: file.variant, reason: error.reason, isDamage: error.isDamage)
        )
        continue
      }
      if isRounded {
        remarks.append(
          RecoveryRemark(
            name: draft.name, variant: file.variant,
            reason: "its PNG file cannot hold all of its wide colours exactly"))
      }
      let (name, isNew) = chosen.name(for: file, bytes)
      names.append(name)
      made[file.contents] = name
      if let stated = file.stated, stated != name {
        remarks.append(
          RecoveryRemark(
            name: draft.name, variant: file.variant,
            reason: "its file has another name, because the name of the source is taken or unfit"))
      }
      guard isNew else { continue }
      state.withLock { $0.files += 1 }
      try body(
        ExtractedFile(path: joined(draft.fileFolder ?? draft.folder, name), bytes: bytes))
    }
    let document = formattedJSON(draft.document(names))
    try body(ExtractedFile(path: joined(draft.folder, draft.documentName), bytes: document))
    return remarks
  }

  /// Returns the bytes of a file. Sets `isRounded` if it has not all colours of the rendition.
  private func bytes(
    of source: RecoveredSource, _ isRounded: inout Bool
  ) throws(SkipReason) -> [UInt8] {
    switch source {
    case .file(let block): return try file(at: block)
    case .template(let glyphs):
      return try template(of: glyphs) { (block) throws(SkipReason) in try file(at: block) }
    case .bitmap(let block):
      return try gate.share(pictures.memory(at: block)) { () throws(SkipReason) in
        pngFile(of: try pictures.picture(at: block), &isRounded)
      }
    case .part(let link, let atlas):
      let part = try pictures.picture(of: link, inAtlas: try self.atlas(at: atlas))
      return pngFile(of: part, &isRounded)
    }
  }

  private func pngFile(of bitmap: Bitmap, _ isRounded: inout Bool) -> [UInt8] {
    let bytes = bitmap.pngFile()
    if bitmap.layout == .rgbw {
      var decoder = PictureDecoder()
      let again = bytes.withUnsafeBytes {
        try? decoder.decode($0, options: PictureOptions(gamut: .displayP3))
      }
      isRounded = again?.withoutPadding().shows(bitmap.withoutPadding()) != true
    }
    return bytes
  }

  private func file(at block: Range<Int>) throws(SkipReason) -> [UInt8] {
    try gate.share(pictures.fileMemory(at: block)) { () throws(SkipReason) in
      try pictures.file(at: block)
    }
  }

  private func atlas(at block: Range<Int>) throws(SkipReason) -> Bitmap {
    if let known = state.withLock({ $0.atlases[block] }) { return known }
    let bitmap = try gate.share(pictures.memory(at: block)) { () throws(SkipReason) in
      try pictures.picture(at: block)
    }
    state.withLock { state in
      if state.bytes > RecoveredFiles.mostKept { (state.atlases, state.bytes) = ([:], 0) }
      if state.atlases.updateValue(bitmap, forKey: block) == nil {
        state.bytes += bitmap.pixels.count
      }
    }
    return bitmap
  }
}

/// The names of the files of one set. Files with one name and the same bytes are one file.
private struct ChosenNames {
  private var used: [ByteString.CanonicalForm: Digest128] = [:]
  /// The next number for a name that is in use, so that the search for a free number does not begin
  /// at 1 for each of many equal names.
  private var numbers: [ByteString.CanonicalForm: Int] = [:]
  /// The name of the document in the same folder.
  private let document: ByteString.CanonicalForm?

  init(beside document: ByteString?) {
    self.document = document.map { $0.lowercased().canonicalForm }
  }

  /// Returns the name of a file, and whether it has to be written.
  mutating func name(for file: FileDraft, _ bytes: [UInt8]) -> (name: ByteString, isNew: Bool) {
    var hash = BLAKE2b()
    hash.add(bytes)
    let digest = hash.digest()
    let stem = withoutExtension(file.name)
    let ending = file.name.dropFirst(stem.count)
    let longer: ByteString = "\(stem)\(file.words.map { "-\($0)" }.joined())"
    for candidate in [stem, longer] {
      if let isNew = take(candidate + ending, digest) { return (candidate + ending, isNew) }
    }
    let form = (longer + ending).lowercased().canonicalForm
    while true {
      let number = numbers[form, default: 2]
      numbers[form] = number + 1
      let candidate: ByteString = "\(longer)-\(number)\(ending)"
      if let isNew = take(candidate, digest) { return (candidate, isNew) }
    }
  }

  /// Returns whether the file with a name is new; nil if another file has the name.
  private mutating func take(_ name: ByteString, _ digest: Digest128) -> Bool? {
    let form = name.lowercased().canonicalForm
    if form == document { return nil }
    guard let known = used[form] else {
      used[form] = digest
      return true
    }
    return known == digest ? false : nil
  }
}

extension RecoveredVariant {
  /// Whether the rendition is made of a set with parts: an icon, a stack, a sprite atlas or a group
  /// of AR resources. Another set of the name has other renditions.
  fileprivate var isOfSetWithParts: Bool {
    [.iconStack, .layerStack, .solidStack].contains(header.layout)
      || [Part.flattened, Part.radiosity, Part.spriteAtlas, Part.arGroup].contains(key.part)
  }
}
