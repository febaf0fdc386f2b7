// What reading a set needs: its folder as listed, the findings, and which files were named so far.
// What an entry is for is read in SlotReader.swift; each type of set reads itself.

import Bytes
import Documents
import Host

/// A folder of a catalogue as listed.
struct Folder: Sendable {
  var path: ByteString
  var name: ByteString
  var entries: [FileEntry] = []
  /// The place of its catalogue among those given.
  var catalog: Int
  /// The place of the folder that it lies in; nil for a catalogue.
  var parent: Int?
  var depth = 0
  /// Whether the way to it leads through a link: links in it are then not followed.
  var isBehindLink = false
  /// Whether the files of its catalogue are links that say nothing (`laysOutLinks`).
  var isOfLinks = false
  /// Whether its names are not known, which was said; nothing more can be said of it.
  var isUnread = false
}

final class SetReader {
  let folder: Folder
  let findings: Findings
  /// The pointers that name a file, by the file's name on disk.
  private(set) var uses: [ByteString: [ByteString]] = [:]
  private(set) var onDemandTags: [ByteString] = []
  /// Files that entries name and the folder lacks.
  private(set) var missing: [ByteString] = []
  private var adviceLeft = 20
  /// By name without case, to find what another system would find.
  private lazy var entriesByFoldedName = Dictionary(
    folder.entries.map { ($0.name.lowercased(), $0) }, uniquingKeysWith: { first, _ in first })
  private lazy var entriesByForm = Dictionary(
    folder.entries.map { ($0.name.canonicalForm, $0) }, uniquingKeysWith: { first, _ in first })
  private lazy var entriesByName = Dictionary(
    folder.entries.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })

  init(folder: Folder, findings: Findings) {
    self.folder = folder
    self.findings = findings
  }

  /// The name of the set without its extension.
  var setName: ByteString { withoutExtension(folder.name) }

  /// The file that a member names; nil where it names none.
  func file(_ fields: Fields, _ key: String = "filename") -> SourceFile? {
    guard let name = fields.name(key), !name.isEmpty else { return nil }
    return file(named: name, at: fields.pointer(of: key))
  }

  /// The file of that name, with a finding where it is not one.
  func file(named name: ByteString, at pointer: ByteString) -> SourceFile {
    guard isPlainName(name, at: pointer) else {
      return SourceFile(name: name, path: folder.path, exists: false, size: 0)
    }
    guard let entry = entry(named: name, at: pointer) else {
      let advice = advice(for: name) { unnamedFiles.map(\.name) }
      findings.add(
        .missingFile, "\(quoted(name)) is not in the folder\(advice)", at: pointer, subject: name)
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
        .missingFile, "\(quoted(name)) is a link that leads nowhere", at: pointer, subject: name)
    case .folder, .other:
      let what = entry.kind == .folder ? "a folder" : "a device or a pipe"
      findings.add(.notAFile, "\(quoted(name)) is \(what), not a file", at: pointer)
    }
    return file
  }

  /// What was meant by the name of something that is not there, for the first such names: each is
  /// compared with everything in the folder.
  private func advice(for name: ByteString, among names: () -> [ByteString]) -> ByteString {
    guard adviceLeft > 0 else { return "" }
    adviceLeft -= 1
    return nearest(to: name, in: names()).map { "; did you mean \(quoted($0))?" } ?? ""
  }

  private func isPlainName(_ name: ByteString, at pointer: ByteString) -> Bool {
    if name == "." || name == ".." || name.count > 255 {
      findings.add(.invalidFileName, "\(quoted(name)) cannot be the name of a file", at: pointer)
      return false
    }
    if name.contains(UInt8(ascii: "/")) {
      findings.add(
        .fileOutsideFolder, "\(quoted(name)) is a path; only files of the set's own folder count",
        at: pointer)
      return false
    }
    return true
  }

  private func entry(named name: ByteString, at pointer: ByteString) -> FileEntry? {
    if let entry = entriesByName[name] { return entry }
    if let entry = entriesByForm[name.canonicalForm] {
      findings.add(
        .equivalentNames,
        "\(quoted(name)) is in another form of Unicode on disk; a Mac finds it, other systems do not",
        at: pointer)
      return entry
    }
    guard let entry = entriesByFoldedName[name.lowercased()] else { return nil }
    findings.add(
      .fileCaseMismatch, "\(quoted(name)) is named \(quoted(entry.name)) on disk", at: pointer)
    return entry
  }

  /// A folder in this one that a member names, as a layer or a sticker.
  func folderReference(_ fields: Fields, _ key: String = "filename") -> FolderReference? {
    guard let name = fields.name(key), !name.isEmpty else {
      findings.add(.missingKey, "the entry has no \(quoted(key))", at: fields.pointer)
      return nil
    }
    let pointer = fields.pointer(of: key)
    guard isPlainName(name, at: pointer) else { return nil }
    guard let entry = entry(named: name, at: pointer) else {
      let advice = advice(for: name) {
        folder.entries.filter { $0.kind == .folder }.map(\.name)
      }
      findings.add(.danglingReference, "there is no folder \(quoted(name))\(advice)", at: pointer)
      return FolderReference(filename: name, pointer: fields.pointer)
    }
    uses[entry.name, default: []].append(pointer)
    return FolderReference(filename: entry.name, pointer: fields.pointer)
  }

  /// Files of the folder that no entry has named so far, without hidden ones.
  var unnamedFiles: [FileEntry] {
    folder.entries.filter { entry in
      entry.kind == .file && entry.name != "Contents.json" && !entry.name.isHidden
        && uses[entry.name] == nil
    }
  }

  /// Reports files that entries name and that are one file to a file system that normalises names.
  func reportEquivalentFiles() {
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
          Note("the other one", file: joined(folder.path, first), pointer: nil)
        ])
    }
  }

  /// `properties`, of which the tags of on-demand resources are the same for all types.
  func readProperties(_ root: Fields) -> Fields? {
    guard let properties = root.object("properties") else { return nil }
    onDemandTags = properties.names("on-demand-resource-tags") ?? []
    return properties
  }

  /// What a file says about itself.
  func readInfo(_ root: Fields) -> Fields? {
    guard let info = root.object("info") else { return nil }
    _ = info.string("author")
    if let version = info.number("version"), version != 1 {
      findings.add(
        .unknownVersion, "version \(brief(version)) is not known", at: "\(info.pointer)/version")
    }
    return info
  }
}
