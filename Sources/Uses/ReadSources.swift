// Reads sources in parallel and scans each: the bytes of a file become evidence with lines and
// columns.

import Bytes
import CatalogModel
import Documents
import Host

/// A place in a source.
package struct SourcePlace: Sendable, Hashable, Comparable {
  package var file: ByteString
  package var line: Int
  package var column: Int

  package static func < (a: SourcePlace, b: SourcePlace) -> Bool {
    a.file != b.file ? a.file < b.file : (a.line, a.column) < (b.line, b.column)
  }
}

/// The evidence of one source, with places.
struct ScannedSource: Sendable {
  var file: NamingFile
  var evidence = Evidence()
  /// The places of all offsets in the evidence.
  private var places: [Int: TextPlace] = [:]
  /// Why the file was not read; nil if it was read, or cannot name an asset.
  var unread: String?

  init(file: NamingFile) { self.file = file }

  init(_ file: NamingFile, in tree: FileTree, names: AssetNames) {
    self.file = file
    if file.size > NamingFiles.mostBytes {
      // Only sources and documents of people are missed; other gigantic files are data.
      if file.kind != .text(.text) {
        unread = "it is larger than \(decimalSize(NamingFiles.mostBytes))"
      }
      return
    }
    var bytes: [UInt8]
    do throws(FileError) { bytes = try tree.read(file.path, NamingFiles.mostBytes) } catch {
      unread = error.reason
      return
    }
    if let text = textOfUTF16(bytes) { bytes = text }
    if file.isDocument, isOwnReport(bytes) { return }
    if isStore(bytes) {
      evidence = scanStore(bytes, names)
    } else if file.kind == .text(.text), bytes.prefix(4096).contains(0) {
      return
    } else {
      evidence = scan(bytes, as: file.kind, names)
    }
    if evidence.isCut { unread = "it has too many texts" }
    places = placesOfEvidence(in: bytes)
  }

  func place(of offset: Int) -> SourcePlace {
    let place = places[offset] ?? (1, 1)
    return SourcePlace(file: file.path, line: place.0, column: place.1)
  }

  private func placesOfEvidence(in bytes: [UInt8]) -> [Int: TextPlace] {
    var offsets = Set(evidence.hits.map(\.offset))
    offsets.formUnion(evidence.patterns.map(\.offset))
    offsets.formUnion(evidence.asked.map(\.offset))
    offsets.formUnion(evidence.dynamic.map(\.offset))
    offsets.formUnion(evidence.identifiers.values)
    offsets.formUnion(evidence.members.values)
    if let all = evidence.takesAll { offsets.insert(all) }
    return linesAndColumns(of: Array(offsets), in: bytes)
  }
}

/// Returns the evidence in the bytes of a source.
func scan(_ bytes: [UInt8], as kind: SourceKind, _ names: AssetNames) -> Evidence {
  bytes.withUnsafeBufferPointer { buffer in
    switch kind {
    case .code(let language):
      var scanner = CodeScanner(buffer, language, names)
      scanner.scan()
      if scanner.openComment == nil { return scanner.found }
      // The beginning of the comment may lie in a text that the scanner did not recognise.
      var second = CodeScanner(buffer, language, names, skipsComments: false)
      second.scan()
      return second.found
    case .text(let kind):
      var scanner = TextScanner(buffer, kind, names)
      scanner.scan()
      return scanner.found
    }
  }
}

/// Returns whether a document is a baseline or a report of lint: it names assets because they are
/// unused.
private func isOwnReport(_ bytes: [UInt8]) -> Bool {
  let code = DiagnosticCode.unusedAsset.rawValue
  // A description of a project can have a step that names the code.
  let marks = ["\"\(code)\"", "[\(code)]", "=\(code)::", ": no source names it"].map {
    Array($0.utf8)
  }
  for index in bytes.indices {
    for mark in marks where bytes[index] == mark[0] {
      if bytes[index...].starts(with: mark) { return true }
    }
  }
  return false
}

/// Returns whether a binary file holds texts as they are: a binary property list, among them
/// compiled interface files, or a database.
private func isStore(_ bytes: [UInt8]) -> Bool {
  bytes.starts(with: "bplist".utf8) || bytes.starts(with: "SQLite format 3".utf8)
    || bytes.starts(with: "NIBArchive".utf8)
}

/// Finds names of assets anywhere in a binary file.
private func scanStore(_ bytes: [UInt8], _ names: AssetNames) -> Evidence {
  var found = Evidence()
  let all = names.assets.map(\.name.bytes)
  // Names that are too short to be found among other bytes stay in doubt.
  for (asset, name) in all.enumerated() where name.count < 3 { found.add([asset], .word, at: 0) }
  addWideNames(all, in: bytes, &found)
  for offset in 0..<max(bytes.count - 2, 0) {
    let start = nameStart(bytes[offset], bytes[offset + 1], bytes[offset + 2])
    names.lengths.forEachHash(in: bytes, at: offset, startingWith: start) { hash in
      found.add(names.named(hash), .word, at: offset)
    }
  }
  return found
}

/// Finds names that are not ASCII, which binary property lists keep as UTF-16.
private func addWideNames(_ all: [[UInt8]], in bytes: [UInt8], _ found: inout Evidence) {
  var wide: [UInt64: [Int]] = [:]
  var lengths = NameLengths()
  for (asset, name) in all.enumerated() where name.contains(where: { $0 >= 0x80 }) {
    let units = Array(String(decoding: name, as: UTF8.self).utf16)
    let text = units.flatMap { [UInt8($0 >> 8), UInt8(truncatingIfNeeded: $0)] }
    wide[hash(of: text), default: []].append(asset)
    lengths.insert(text.count, startingWith: UInt32(units[0]))
  }
  if lengths.isEmpty { return }
  for offset in 0..<max(bytes.count - 1, 0) {
    let first = UInt32(bytes[offset]) << 8 | UInt32(bytes[offset + 1])
    lengths.forEachHash(in: bytes, at: offset, startingWith: first) { hash in
      found.add(wide[hash] ?? [], .word, at: offset)
    }
  }
}

/// The sources of one run, scanned.
struct ScannedSources: Sendable {
  var sources: [ScannedSource]

  /// Scans the files. If generated source has identifiers that no rule gives, the other files are
  /// scanned with them once more.
  init(_ files: [NamingFile], in tree: FileTree, names: inout AssetNames, jobs: Int) {
    let first = names
    sources = parallelMap(files, jobs: jobs) { ScannedSource($0, in: tree, names: first) }
    let aliases = sources.flatMap { $0.evidence.aliases ?? [] }
    if names.holds(aliases) { return }
    names.add(aliases)
    let second = names
    sources = parallelMap(files, jobs: jobs) { ScannedSource($0, in: tree, names: second) }
  }
}
