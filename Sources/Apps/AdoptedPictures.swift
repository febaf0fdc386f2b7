// Makes a catalogue of the loose pictures of a folder. PictureName.swift reads what their names
// state; this file joins the variants of a picture into a set, and notes what it guessed, what is
// left out and what is missing. Pictures in which the checks of catalogues find errors are left
// out. AdoptionReport.swift has the texts.

import Builds
import Bytes
import CatalogModel
import Documents
import Host
import Traits

/// A picture of a set of an adopted catalogue.
struct AdoptedEntry: Sendable {
  var source: ByteString
  var name: PictureName
  var size: (width: Int, height: Int)?
  var nine: NinePatch?
  /// The number of bytes of the file.
  var byteCount = 0

  var isVector: Bool { ["pdf", "svg"].contains(pathExtension(source)) }
}

/// The traits of a picture, with its language.
private struct AdoptedSlot: Hashable {
  var key: VariantKey
  var locale: ByteString?

  /// The scales of the devices that show the picture.
  var scales: [UInt8] {
    switch key.idiom {
    case .universal, .phone: [2, 3]
    case .pad: [2]
    default: []
    }
  }

  /// The traits in words, in brackets; empty for a picture without traits.
  var words: String {
    var words: [String] = []
    if key.style != .any { words.append(key.style.name) }
    if key.direction != .none { words.append(key.direction.name) }
    if key.idiom != .universal { words.append(key.idiom.fileWord) }
    if let locale { words.append(locale.text) }
    return words.isEmpty ? "" : " (\(words.joined(separator: ", ")))"
  }
}

extension Idiom {
  /// The word for the idiom in names of files.
  fileprivate var fileWord: String {
    switch self {
    case .phone: "iphone"
    case .pad: "ipad"
    default: name
    }
  }
}

/// A set of an adopted catalogue.
struct AdoptedSet: Sendable {
  /// The name without the namespace of its folder; asset names have no folders.
  var name: ByteString
  var folder: ByteString
  var entries: [AdoptedEntry] = []
}

/// A catalogue of loose pictures, before it is written.
package struct AdoptedCatalog: Sendable {
  /// The largest number of files that are looked at.
  private static let mostFiles = 200_000
  /// The largest number of times that damaged pictures are left out, so that many damaged pictures
  /// of one variant do not make the search endless.
  private static let mostAttempts = 8
  private static let pictureEndings: Set<ByteString> = [
    "png", "jpg", "jpeg", "heic", "heif", "pdf", "svg",
  ]
  /// The extensions of pictures that no catalogue of Carve holds.
  private static let otherEndings: Set<ByteString> = [
    "webp", "gif", "bmp", "tif", "tiff", "psd", "avif", "ico", "icns",
  ]

  let tree: FileTree
  let root: ByteString
  private(set) var sets: [AdoptedSet] = []
  package private(set) var report = AdoptionReport()
  /// The folders that are groups.
  private(set) var groups: [ByteString] = []
  /// The pictures that are left out because of an error, and the errors.
  private let damaged: [ByteString: String]

  /// Reads the pictures below a folder.
  package init(of root: ByteString, in tree: FileTree = .disk) throws(FileError) {
    try self.init(of: root, in: tree, without: [:])
    // A picture that was left out can give its place to another damaged one.
    for _ in 0..<AdoptedCatalog.mostAttempts {
      let found = damagedPictures()
      if found.isEmpty { return }
      try self.init(of: root, in: tree, without: damaged.merging(found) { first, _ in first })
    }
  }

  private init(
    of root: ByteString, in tree: FileTree, without damaged: [ByteString: String]
  ) throws(FileError) {
    self.tree = tree
    self.root = withoutTrailingSlashes(root)
    self.damaged = damaged
    var found: [ByteString] = []
    try collect("", 0, &found)
    var named: [ByteString: [AdoptedEntry]] = [:]
    for path in found {
      guard let entry = entry(path) else { continue }
      named[entry.name.stem, default: []].append(entry)
    }
    joinAppearances(&named)
    var places = RecoveredPlaces(catalog: "")
    var names: [ByteString: Int] = [:]
    for stem in named.keys.sorted() {
      if let entries = named[stem] { add(entries, stem, &places, &names) }
    }
    groups = places.groups.map(\.folder)
    report.sets = sets.count
    report.pictures = sets.reduce(0) { $0 + $1.entries.count }
    report.bytes = sets.reduce(0) { $0 + $1.entries.reduce(0) { $0 + $1.byteCount } }
  }

  private func disk(_ path: ByteString) -> ByteString { joined(root, path) }

  /// Returns the pictures in which the checks of catalogues find errors, and the first error of
  /// each.
  private func damagedPictures() -> [ByteString: String] {
    let catalog: ByteString = "Adopted.xcassets"
    let tree = fileTree(at: catalog)
    let assets = readCatalogs([catalog], in: tree).assets
    let findings = located(
      checkAlone(assets, in: tree, options: LintOptions(), platformInUse: .iOS), in: tree)
    let sources = sources(at: catalog)
    var damaged: [ByteString: String] = [:]
    for finding in inPrintingOrder(findings) where finding.severity == .error {
      guard let source = sources[finding.file], damaged[source] == nil else { continue }
      damaged[source] = finding.message
    }
    return damaged
  }

  /// Collects the paths of pictures below a folder, in the order of their bytes.
  private mutating func collect(
    _ folder: ByteString, _ depth: Int, _ found: inout [ByteString]
  ) throws(FileError) {
    guard depth < FolderDepth.written else {
      return report.leave(folder, "the folder lies too deep")
    }
    for entry in try tree.list(folder.isEmpty ? root : disk(folder)) where !entry.name.isHidden {
      let path = joined(folder, entry.name)
      let ending = pathExtension(entry.name)
      if entry.kind == .folder {
        if entry.isLink {
          report.leave(path, "links to folders are not followed")
        } else if catalogEndings.contains(ending) {
          report.leave(path, "it is a catalogue already")
        } else {
          do throws(FileError) { try collect(path, depth + 1, &found) } catch {
            report.leave(path, "the folder cannot be read: \(error.reason)")
          }
        }
        continue
      }
      guard entry.kind == .file else { continue }
      let drawingFolders: [ByteString] = ["drawable", "mipmap"]
      if AdoptedCatalog.pictureEndings.contains(ending) {
        if found.count < AdoptedCatalog.mostFiles {
          found.append(path)
        } else {
          report.leave(path, "it follows \(grouped(AdoptedCatalog.mostFiles)) other pictures")
        }
      } else if AdoptedCatalog.otherEndings.contains(ending) {
        report.leave(path, "catalogues hold no .\(ending) files")
      } else if ending == "xml",
        drawingFolders.contains(where: { lastComponent(folder).hasPrefix($0) })
      {
        report.leave(path, "drawings of Android in XML have to be converted to SVG")
      }
    }
  }

  /// Reads the name and the size of a picture; nil if it cannot be adopted.
  private mutating func entry(_ path: ByteString) -> AdoptedEntry? {
    var entry = AdoptedEntry(source: path, name: PictureName(path))
    guard entry.name.name.isUTF8 else {
      report.leave(path, "its name is not UTF-8")
      return nil
    }
    if let fault = damaged[path] {
      report.leave(path, fault)
      return nil
    }
    let header: ImageHeader
    do throws(ImageHeaderError) { header = try ImageHeader.read(disk(path), in: tree) } catch {
      report.leave(path, unreadPicture(error, file: path).message)
      return nil
    }
    entry.byteCount = (try? tree.status(disk(path)).size) ?? 0
    if !entry.isVector {
      let size = header.uprightSize
      entry.size = (size.width, size.height)
    }
    for word in entry.name.ignored { report.ignored[word, default: 0] += 1 }
    if entry.name.isNinePatch { readNinePatch(&entry) }
    return entry
  }

  private mutating func readNinePatch(_ entry: inout AdoptedEntry) {
    let nine: NinePatch
    do {
      nine = try NinePatch(try tree.read(disk(entry.source), FileLimit.picture))
    } catch {
      entry.name.isNinePatch = false
      let reason = (error as? FileError)?.reason ?? "\(error)"
      return report.guess(entry.source, "\(reason); it is not sliced")
    }
    if nine.hasSeveralParts {
      report.guess(entry.source, "it stretches in several places; all between them stretches")
    }
    entry.size = (nine.width, nine.height)
    entry.nine = nine
    report.ninePatches += 1
  }

  /// Joins `Logo-dark` with `Logo`, if both exist.
  private mutating func joinAppearances(_ named: inout [ByteString: [AdoptedEntry]]) {
    let words: [(ByteString, Style)] = [
      ("dark", .dark), ("night", .dark), ("light", .light),
    ]
    for stem in named.keys.sorted() {
      for (word, style) in words {
        let endings: [ByteString] = ["-", "_", "~", ".", " "].map { $0 + word }
        let lower = stem.lowercased()
        guard let ending = endings.first(where: { lower.hasSuffix($0) }),
          lower.count == stem.count, let entries = named[stem]
        else { continue }
        let plain = stem.dropLast(ending.count)
        guard named[plain] != nil,
          entries.allSatisfy({ $0.name.key.style == .any })
        else { continue }
        named[stem] = nil
        named[plain]?.append(
          contentsOf: entries.map { entry in
            var entry = entry
            entry.name.key.style = style
            entry.name.name = lastComponent(plain)
            return entry
          })
        report.guess(stem, "it is taken for the \(style.name) appearance of \(quoted(plain))")
      }
    }
  }
}

// MARK: - Sets

extension AdoptedCatalog {
  /// Adds the set of one picture. `names` has the names in use, and the last number for each.
  private mutating func add(
    _ entries: [AdoptedEntry], _ stem: ByteString, _ places: inout RecoveredPlaces,
    _ names: inout [ByteString: Int]
  ) {
    let kept = oneForEachSlot(entries)
    guard let first = kept.first else { return }
    var name = first.name.name
    if names[name] != nil {
      let parent = lastComponent(first.name.folder)
      let plain: ByteString = parent.isEmpty ? name : "\(parent)_\(name)"
      var longer = plain
      var number = names[plain, default: 1]
      while names[longer] != nil {
        number += 1
        longer = "\(plain)_\(number)"
      }
      names[plain] = number
      report.guess(
        stem, "another folder has a \(quoted(name)); this one is called \(quoted(longer))")
      name = longer
    }
    names[name] = names[name] ?? 1
    let place = places.folder(
      for: name, .imageSet, below: "", in: first.name.folder.components.filter { $0 != "." })
    if let other = place.otherName {
      report.guess(stem, "no folder can have this name; the set is called \(quoted(other))")
    }
    sets.append(AdoptedSet(name: name, folder: place.folder, entries: kept))
    reportGaps(kept, name)
  }

  /// Keeps one picture for each slot, and leaves out pictures of scales that catalogues lack. If
  /// two pictures are for one slot, the one with fewer ignored words in the name of its folder
  /// stays.
  private mutating func oneForEachSlot(_ entries: [AdoptedEntry]) -> [AdoptedEntry] {
    var slots: Set<AdoptedSlot> = []
    var kept: [AdoptedEntry] = []
    let sorted = entries.sorted {
      ($0.name.ignored.count, $0.source) < ($1.name.ignored.count, $1.source)
    }
    for var entry in sorted {
      if entry.isVector {
        entry.name.key.scale = 0
      } else {
        let scale = entry.name.scale ?? 1
        guard let whole = UInt8(exactly: scale), (1...3).contains(whole) else {
          report.leave(entry.source, "catalogues have no pictures at \(withAllDigits(scale))x")
          continue
        }
        if entry.name.scale == nil { report.unscaled += 1 }
        entry.name.key.scale = whole
      }
      let slot = AdoptedSlot(key: entry.name.key, locale: entry.name.locale.map { ByteString($0) })
      guard slots.insert(slot).inserted else {
        report.leave(entry.source, "another picture of its set has the same traits")
        continue
      }
      kept.append(entry)
    }
    return kept
  }

  /// Notes scales that are missing and sizes that do not fit their scales.
  private mutating func reportGaps(_ entries: [AdoptedEntry], _ name: ByteString) {
    let bitmaps = entries.filter { !$0.isVector }
    let hasVector = bitmaps.count < entries.count
    var groups: [AdoptedSlot: [AdoptedEntry]] = [:]
    var order: [AdoptedSlot] = []
    for entry in bitmaps {
      var slot = AdoptedSlot(key: entry.name.key, locale: entry.name.locale.map { ByteString($0) })
      slot.key.scale = 0
      if groups[slot] == nil { order.append(slot) }
      groups[slot, default: []].append(entry)
    }
    for slot in order {
      let group = groups[slot] ?? []
      let scales = Set(group.map(\.name.key.scale))
      let missing = slot.scales.filter { !scales.contains($0) }
      if !missing.isEmpty, !hasVector {
        report.missing.append(
          (name, missing.map { "\($0)x" }.joined(separator: " and ") + slot.words))
      }
      guard let base = group.first, let baseSize = base.size else { continue }
      let unit = (
        Double(baseSize.width) / Double(base.name.key.scale),
        Double(baseSize.height) / Double(base.name.key.scale)
      )
      for entry in group.dropFirst() {
        let scale = Double(entry.name.key.scale)
        guard let size = entry.size,
          abs(Double(size.width) - unit.0 * scale) >= scale
            || abs(Double(size.height) - unit.1 * scale) >= scale
        else { continue }
        report.guess(
          entry.source, "its size does not fit \(Int(scale))x beside \(quoted(base.source))")
      }
    }
  }
}

// MARK: - Files

/// A file of an adopted catalogue: its bytes, or the file that is copied.
package enum AdoptedFile: Sendable {
  case bytes([UInt8])
  case copy(of: ByteString, size: Int)
}

extension AdoptedCatalog {
  /// The files of the catalogue, by their paths in it.
  package var files: [(path: ByteString, file: AdoptedFile)] {
    var files: [(path: ByteString, file: AdoptedFile)] = []
    for group in groups {
      files.append((joined(group, "Contents.json"), .bytes(formattedJSON(contents("", [])))))
    }
    for set in sets {
      var used: Set<ByteString.CanonicalForm> = []
      var entries: [JSONValue] = []
      var isLocalized = false
      for entry in set.entries {
        let fileName = AdoptedCatalog.fileName(entry, &used)
        isLocalized = isLocalized || entry.name.locale != nil
        entries.append(document(entry, fileName))
        files.append(
          (
            joined(set.folder, fileName),
            entry.nine.map { .bytes($0.file) }
              ?? .copy(of: disk(entry.source), size: entry.byteCount)
          ))
      }
      let properties =
        isLocalized ? [JSONMember(key: "localizable", value: .bool(true))] : []
      files.append(
        (
          joined(set.folder, "Contents.json"),
          .bytes(formattedJSON(contents("images", entries, properties)))
        ))
    }
    return files
  }

  /// Returns the paths of the adopted pictures, by their places in a catalogue at a path.
  package func sources(at catalog: ByteString) -> [ByteString: ByteString] {
    var sources: [ByteString: ByteString] = [:]
    for set in sets {
      var used: Set<ByteString.CanonicalForm> = []
      for entry in set.entries {
        let name = AdoptedCatalog.fileName(entry, &used)
        sources[joined(joined(catalog, set.folder), name)] = entry.source
      }
    }
    return sources
  }

  /// Returns a name for a file in its set. Pictures of several folders may have one name.
  private static func fileName(
    _ entry: AdoptedEntry, _ used: inout Set<ByteString.CanonicalForm>
  ) -> ByteString {
    let ending = pathExtension(entry.source)
    let key = entry.name.key
    var words: [String] = []
    if key.style != .any { words.append(key.style.name) }
    if key.direction != .none { words.append(key.direction.name) }
    if let locale = entry.name.locale { words.append(locale) }
    if key.scale > 1 { words.append("@\(key.scale)x") }
    if key.idiom != .universal { words.append("~\(key.idiom.fileWord)") }
    let suffix = words.map { $0.hasPrefix("@") || $0.hasPrefix("~") ? $0 : "-\($0)" }.joined()
    let plain = RecoveredPlaces.safe(entry.name.name)
    var name: ByteString = "\(plain)\(suffix).\(ending)"
    var number = 1
    while !used.insert(name.lowercased().canonicalForm).inserted {
      number += 1
      name = "\(plain)\(suffix)-\(number).\(ending)"
    }
    return name
  }

  private func document(_ entry: AdoptedEntry, _ fileName: ByteString) -> JSONValue {
    var key = entry.name.key
    let scale = key.scale
    (key.scale, key.locale) = (0, entry.name.locale == nil ? 0 : 1)
    var members = Slot.members(for: key, locale: entry.name.locale, on: .iOS) ?? []
    if scale > 0 { members.append(JSONMember(key: "scale", value: .text("\(scale)x"))) }
    if let nine = entry.nine {
      members.append(JSONMember(key: "resizing", value: nine.resizing.document(1)))
      if let insets = nine.insets {
        members.append(JSONMember(key: "alignment-insets", value: insets.document))
      }
    }
    members.append(JSONMember(key: "filename", value: .string(fileName)))
    return .object(members)
  }

  /// The catalogue as a tree at a path, for the compiler. Pictures are read from the folder.
  package func fileTree(at catalog: ByteString) -> FileTree {
    var memory: [ByteString: MemoryFile] = [:]
    var copies: [ByteString: ByteString] = [:]
    for (path, file) in files {
      let filePath = joined(catalog, path)
      switch file {
      case .bytes(let bytes): memory[filePath] = .bytes(bytes)
      case .copy(let source, let size):
        memory[filePath] = .sparse(size: size)
        copies[filePath] = source
      }
    }
    var reading = FileTree.memory(memory)
    let (listed, disk) = (reading, tree)
    reading.read = { [copies] (path, limit) throws(FileError) in
      guard let source = copies[path] else { return try listed.read(path, limit) }
      return try disk.read(source, limit)
    }
    reading.readPart = { [copies] (path, offset, count) throws(FileError) in
      guard let source = copies[path] else { return try listed.readPart(path, offset, count) }
      return try disk.readPart(source, offset, count)
    }
    return reading
  }
}

extension Insets {
  fileprivate var document: JSONValue {
    let sides: [(ByteString, Double)] = [
      ("top", top), ("left", left), ("bottom", bottom), ("right", right),
    ]
    return .object(sides.map { JSONMember(key: $0.0, value: .decimal($0.1)) })
  }
}

extension AdoptedCatalog {
  /// Remembers the sizes that devices would download.
  package mutating func set(_ devices: [DeviceShare]) { report.devices = devices }
}
