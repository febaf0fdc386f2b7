// The state for reading one set: its listed folder, the findings, and the files that entries have
// named. Slot.swift reads the variant of an entry; each type of set reads its own properties.

import Bytes
import Documents
import Host
import Traits

/// A folder of a catalogue, with its file entries.
struct Folder: Sendable {
  var path: ByteString
  var name: ByteString
  var entries: [FileEntry] = []
  /// The index of its catalogue among the given catalogues.
  var catalog: Int
  /// The index of its parent folder; nil for a catalogue.
  var parent: Int?
  var depth = 0
  /// Whether the path to the folder contains a link. Links inside of such a folder are not
  /// followed.
  var isBehindLink = false
  /// Whether a build system laid out the files of the catalogue as links (`laysOutLinks`). Such
  /// links are not reported.
  var isOfLinks = false
  /// Whether the folder could not be listed. A finding has been reported, so no others follow.
  var isUnread = false
}

/// A folder inside of a set that an entry names, such as a layer or a sticker.
package struct FolderReference: Sendable, Hashable {
  package var filename: ByteString
  package var pointer: ByteString

  package init(filename: ByteString, pointer: ByteString) {
    self.filename = filename
    self.pointer = pointer
  }
}

/// A name that an entry uses and that is not in the folder.
struct AbsentName {
  var name: ByteString
  var pointer: ByteString
  /// Whether it is the name of a folder inside of the set.
  var isPart: Bool
}

final class SetReader {
  let folder: Folder
  let findings: Findings
  /// For each file entry of the folder, the pointer that named it first; nil if none did.
  private var firstUses: [ByteString?]
  private(set) var onDemandTags: [ByteString] = []
  /// The files that entries name and that are not in the folder.
  private(set) var missing: [ByteString] = []
  /// The paths of the folders that entries name as files.
  private(set) var foldersAsFiles: Set<ByteString> = []
  /// The paths of links without a target that entries name.
  private(set) var brokenLinks: Set<ByteString> = []
  /// The names of entries that are not in the folder, in the order in which they were read. They
  /// are reported after all entries, when the files that no entry names are known.
  private(set) var absent: [AbsentName] = []
  /// Whether the variant of an entry was not understood, so that the entry is left out.
  private(set) var leavesOutEntries = false
  /// The names in the folder that findings suggest.
  var suggested: Set<ByteString> = []
  /// Whether an entry names no part although it must, so that any part can be meant.
  private(set) var hasNamelessPart = false
  /// The indices of the file entries by their names in lower case, to find the file that a
  /// case-insensitive system would find.
  private lazy var indicesByFoldedName = Dictionary(
    folder.entries.enumerated().map { ($0.element.name.lowercased(), $0.offset) },
    uniquingKeysWith: { first, _ in first })
  private lazy var indicesByForm = Dictionary(
    folder.entries.enumerated().map { ($0.element.name.canonicalForm, $0.offset) },
    uniquingKeysWith: { first, _ in first })

  init(folder: Folder, findings: Findings) {
    self.folder = folder
    self.findings = findings
    firstUses = [ByteString?](repeating: nil, count: folder.entries.count)
  }

  /// Returns the file that a member names; nil if it names none.
  func file(_ fields: Fields, _ key: String = "filename") -> SourceFile? {
    guard let name = fields.name(key), !name.isEmpty else { return nil }
    return file(named: name, at: fields.pointer(of: key))
  }

  /// Returns the file with that name. Adds a finding if there is no such file.
  func file(named name: ByteString, at pointer: ByteString) -> SourceFile {
    guard isPlainName(name, at: pointer) else {
      return SourceFile(name: name, path: folder.path, exists: false, size: 0)
    }
    guard let entry = fileEntry(named: name, at: pointer) else {
      absent.append(AbsentName(name: name, pointer: pointer, isPart: false))
      let path = joined(folder.path, name)
      missing.append(path)
      return SourceFile(name: name, path: path, exists: false, size: 0)
    }
    var file = SourceFile(
      name: name, path: joined(folder.path, entry.name), exists: false, size: 0)
    switch entry.kind {
    case .file:
      file.exists = true
      file.size = entry.size
    case .nowhere:
      brokenLinks.insert(file.path)
      findings.add(
        .missingFile, "\(quoted(name)) is a link to a file that does not exist", at: pointer,
        subject: name)
    case .folder, .other:
      let what = entry.kind == .folder ? "a folder" : "a device or a pipe"
      if entry.kind == .folder { foldersAsFiles.insert(file.path) }
      findings.add(.notAFile, "\(quoted(name)) is \(what), not a file", at: pointer)
    }
    return file
  }

  /// Returns the fix that writes the name of a file as it is on disk; nil if it is not text.
  private func fix(writing entry: FileEntry, at pointer: ByteString) -> Fix? {
    entry.name.isUTF8 ? .writing(entry.name, at: pointer, kind: .certain) : nil
  }

  private func isPlainName(_ name: ByteString, at pointer: ByteString) -> Bool {
    if name == "Contents.json" {
      findings.add(
        .invalidFileName, "\(quoted(name)) describes the set, and cannot be one of its files",
        at: pointer)
      return false
    }
    if name == "." || name == ".." || name.count > 255 {
      findings.add(.invalidFileName, "\(quoted(name)) cannot be the name of a file", at: pointer)
      return false
    }
    if name.contains(UInt8(ascii: "/")) {
      findings.add(
        .fileOutsideFolder,
        "\(quoted(name)) is a path; an entry can name only files of the set's own folder",
        at: pointer)
      return false
    }
    return true
  }

  /// Returns the file entry of the folder with that name, which the value at `pointer` uses.
  private func fileEntry(named name: ByteString, at pointer: ByteString) -> FileEntry? {
    index(named: name, at: pointer).map { use(fileEntryAt: $0, at: pointer) }
  }

  private func use(fileEntryAt index: Int, at pointer: ByteString) -> FileEntry {
    if firstUses[index] == nil { firstUses[index] = pointer }
    return folder.entries[index]
  }

  private func index(named name: ByteString, at pointer: ByteString) -> Int? {
    // Folders are listed in the order of the names.
    let index = folder.entries.partitioningIndex { !($0.name < name) }
    if index < folder.entries.count, folder.entries[index].name == name { return index }
    if let index = indicesByForm[name.canonicalForm] {
      findings.add(
        .equivalentNames,
        "\(quoted(name)) is in another form of Unicode on disk; a Mac finds it, other systems do not",
        at: pointer, fix: fix(writing: folder.entries[index], at: pointer))
      return index
    }
    guard let index = indicesByFoldedName[name.lowercased()] else { return nil }
    let entry = folder.entries[index]
    findings.add(
      .fileCaseMismatch, "\(quoted(name)) is named \(quoted(entry.name)) on disk", at: pointer,
      fix: fix(writing: entry, at: pointer))
    return index
  }

  /// Reads a reference to a folder inside this one, such as a layer or a sticker.
  func folderReference(_ fields: Fields, _ key: String = "filename") -> FolderReference? {
    let stated = fields.name(key)
    guard let name = stated, !name.isEmpty else {
      hasNamelessPart = true
      // Another finding is about a name that is no string.
      if stated != nil || !fields.has(key) {
        findings.add(
          .missingKey, "the entry has no \(quoted(key))", at: fields.pointer,
          subject: ByteString(key))
      }
      return nil
    }
    let pointer = fields.pointer(of: key)
    guard isPlainName(name, at: pointer) else {
      hasNamelessPart = true
      return nil
    }
    let index = index(named: name, at: pointer)
    if let index, let first = firstUses[index] {
      findings.add(
        .duplicateSlot, "\(quoted(name)) is listed twice", at: pointer,
        notes: [Note("the first one", file: findings.file, pointer: first)], severity: .warning)
    }
    guard let entry = index.map({ use(fileEntryAt: $0, at: pointer) }) else {
      absent.append(AbsentName(name: name, pointer: pointer, isPart: true))
      return FolderReference(filename: name, pointer: fields.pointer)
    }
    if entry.kind == .nowhere { brokenLinks.insert(joined(folder.path, entry.name)) }
    if entry.kind != .folder {
      let what =
        switch entry.kind {
        case .file: "is a file"
        case .nowhere: "is a link to a folder that does not exist"
        case .folder, .other: "is a device or a pipe"
        }
      findings.add(
        .danglingReference, "\(quoted(name)) \(what), and the entry must name a folder",
        at: pointer, subject: name)
    }
    return FolderReference(filename: entry.name, pointer: fields.pointer)
  }

  /// Notes that the entry is left out. A finding says why.
  func leaveOutEntry() { leavesOutEntries = true }

  /// Reports an entry that does not say what its part is for.
  func requireRole(_ entry: Fields) {
    if entry.has("role") || entry.isDescribed { return }
    findings.add(
      .missingKey, "the entry has no \"role\", so systems do not know what its picture is for",
      at: entry.pointer, subject: "role")
  }

  /// The files of the folder that no entry has named so far, except hidden files.
  var unnamedFiles: [FileEntry] {
    unnamed.filter { $0.kind == .file && $0.name != "Contents.json" }
  }

  /// Those of them that no finding suggests in place of a missing one.
  var unexplainedFiles: [FileEntry] { unnamedFiles.filter { !suggested.contains($0.name) } }

  /// The files and folders that no entry has named so far, except hidden ones.
  var unnamed: [FileEntry] {
    zip(folder.entries, firstUses).compactMap { entry, use in
      use == nil && !entry.name.isHidden ? entry : nil
    }
  }

  /// Reports two named files whose names are equal for a file system that normalises Unicode.
  func reportEquivalentFiles() {
    var seen: [ByteString.CanonicalForm: ByteString] = [:]
    if folder.entries.allSatisfy(\.name.isASCII) { return }
    for (entry, use) in zip(folder.entries, firstUses) {
      guard let use else { continue }
      let name = entry.name
      guard let first = seen[name.canonicalForm] else {
        seen[name.canonicalForm] = name
        continue
      }
      findings.add(
        .equivalentNames, "\(quoted(name)) names two files, in two forms of Unicode",
        at: use,
        notes: [
          Note("the other file", file: joined(folder.path, first), pointer: nil)
        ])
    }
  }

  /// Reads `properties`. The tags of on-demand resources, which all types share, are read here.
  func readProperties(_ root: Fields) -> Fields? {
    guard let properties = root.object("properties") else { return nil }
    onDemandTags = properties.names("on-demand-resource-tags") ?? []
    return properties
  }

  /// Reads `info`, the part of the file about the file itself.
  func readInfo(_ root: Fields) -> Fields? {
    guard let info = root.object("info") else { return nil }
    _ = info.string("author")
    if let version = info.number("version"), version != 1 {
      let pointer: ByteString = "\(info.pointer)/version"
      findings.add(
        .unknownVersion, "version \(brief(version)) is not known", at: pointer,
        fix: Fix("write 1", [.replace(pointer: pointer, with: .integer(1))], kind: .review))
    }
    return info
  }
}
