// The state for reading one set: its listed folder, the findings, and the files that entries have
// named. Slot.swift reads the variant of an entry; each type of set reads its own properties.

import Bytes
import Documents
import Host
import Traits

/// A folder of a catalogue, with its listed entries.
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

final class SetReader {
  let folder: Folder
  let findings: Findings
  /// The pointers that name each file. The key is the file's name on disk.
  private(set) var uses: [ByteString: [ByteString]] = [:]
  private(set) var onDemandTags: [ByteString] = []
  /// The files that entries name and that are not in the folder.
  private(set) var missing: [ByteString] = []
  private var adviceLeft = 20
  /// The entries by their names in lower case, to find the file that a case-insensitive system
  /// would find.
  private lazy var entriesByFoldedName = Dictionary(
    folder.entries.map { ($0.name.lowercased(), $0) }, uniquingKeysWith: { first, _ in first })
  private lazy var entriesByForm = Dictionary(
    folder.entries.map { ($0.name.canonicalForm, $0) }, uniquingKeysWith: { first, _ in first })

  init(folder: Folder, findings: Findings) {
    self.folder = folder
    self.findings = findings
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
    guard let entry = entry(named: name, at: pointer) else {
      let near = nearNames(to: name) { unnamedFiles.map(\.name) }
      findings.add(
        .missingFile, "\(quoted(name)) is not in the folder\(advice(near))", at: pointer,
        subject: name, fix: fix(near, for: name, at: pointer))
      let path = joined(folder.path, name)
      missing.append(path)
      return SourceFile(name: name, path: path, exists: false, size: 0)
    }
    uses[entry.name, default: []].append(pointer)
    var file = SourceFile(
      name: name, path: joined(folder.path, entry.name), exists: false, size: 0)
    switch entry.kind {
    case .file:
      file.exists = true
      file.size = entry.size
    case .nowhere:
      findings.add(
        .missingFile, "\(quoted(name)) is a link to a file that does not exist", at: pointer,
        subject: name)
    case .folder, .other:
      let what = entry.kind == .folder ? "a folder" : "a device or a pipe"
      findings.add(.notAFile, "\(quoted(name)) is \(what), not a file", at: pointer)
    }
    return file
  }

  /// Returns up to two similar names. It does so only for the first missing names, because each is
  /// compared with every name in the folder.
  private func nearNames(to name: ByteString, among names: () -> [ByteString]) -> [String] {
    guard adviceLeft > 0 else { return [] }
    adviceLeft -= 1
    return nearestFew(to: name.text, in: names().filter(\.isUTF8).map(\.text), atMost: 2)
  }

  private func advice(_ near: [String]) -> String {
    near.first.map { "; did you mean \(quoted($0))?" } ?? ""
  }

  private func fix(_ near: [String], for name: ByteString, at pointer: ByteString) -> Fix? {
    likeliest(of: near, to: name.text).map { .writing(ByteString($0), at: pointer) }
  }

  /// Returns the fix that writes the name of a file as it is on disk; nil if it is not text.
  private func fix(writing entry: FileEntry, at pointer: ByteString) -> Fix? {
    entry.name.isUTF8 ? .writing(entry.name, at: pointer, kind: .certain) : nil
  }

  private func isPlainName(_ name: ByteString, at pointer: ByteString) -> Bool {
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

  private func entry(named name: ByteString, at pointer: ByteString) -> FileEntry? {
    // Folders are listed in the order of the names.
    let place = folder.entries.partitioningIndex { !($0.name < name) }
    if place < folder.entries.count, folder.entries[place].name == name {
      return folder.entries[place]
    }
    if let entry = entriesByForm[name.canonicalForm] {
      findings.add(
        .equivalentNames,
        "\(quoted(name)) is in another form of Unicode on disk; a Mac finds it, other systems do not",
        at: pointer, fix: fix(writing: entry, at: pointer))
      return entry
    }
    guard let entry = entriesByFoldedName[name.lowercased()] else { return nil }
    findings.add(
      .fileCaseMismatch, "\(quoted(name)) is named \(quoted(entry.name)) on disk", at: pointer,
      fix: fix(writing: entry, at: pointer))
    return entry
  }

  /// Reads a reference to a folder inside this one, such as a layer or a sticker.
  func folderReference(_ fields: Fields, _ key: String = "filename") -> FolderReference? {
    guard let name = fields.name(key), !name.isEmpty else {
      findings.add(.missingKey, "the entry has no \(quoted(key))", at: fields.pointer)
      return nil
    }
    let pointer = fields.pointer(of: key)
    guard isPlainName(name, at: pointer) else { return nil }
    guard let entry = entry(named: name, at: pointer) else {
      let near = nearNames(to: name) {
        folder.entries.filter { $0.kind == .folder }.map(\.name)
      }
      findings.add(
        .danglingReference, "there is no folder \(quoted(name))\(advice(near))", at: pointer,
        fix: fix(near, for: name, at: pointer))
      return FolderReference(filename: name, pointer: fields.pointer)
    }
    uses[entry.name, default: []].append(pointer)
    return FolderReference(filename: entry.name, pointer: fields.pointer)
  }

  /// The files of the folder that no entry has named so far, except hidden files.
  var unnamedFiles: [FileEntry] {
    folder.entries.filter { entry in
      entry.kind == .file && entry.name != "Contents.json" && !entry.name.isHidden
        && uses[entry.name] == nil
    }
  }

  /// Reports two named files whose names are equal for a file system that normalises Unicode.
  func reportEquivalentFiles() {
    if uses.keys.allSatisfy(\.isASCII) { return }
    var seen: [ByteString.CanonicalForm: ByteString] = [:]
    for name in uses.keys.sorted() {
      guard let first = seen[name.canonicalForm] else {
        seen[name.canonicalForm] = name
        continue
      }
      findings.add(
        .equivalentNames, "\(quoted(name)) names two files, in two forms of Unicode",
        at: uses[name]?.first,
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
      let place: ByteString = "\(info.pointer)/version"
      findings.add(
        .unknownVersion, "version \(brief(version)) is not known", at: place,
        fix: Fix("write 1", [.replace(pointer: place, with: .integer(1))], kind: .review))
    }
    return info
  }
}
