// What a run is remembered by: where its record lies, and what an equal run answers from it.

import Bytes
import Codecs
import Documents
import CatalogModel
import Host

/// What a run says of itself, besides what it writes.
package struct RunAnswer: Sendable {
  /// The findings before `--werror` and `--no-warn`, as they came: errors of one stage end the run.
  package var stages: [[Diagnostic]] = []
  /// Those about constants, which are printed by themselves.
  package var symbols: [Diagnostic] = []
  package var nameCount = 0
  package var renditionCount = 0
  package var byteCount = 0
  /// How many paths were compared, where it comes from a record.
  package fileprivate(set) var pathCount = 0
  /// Whether it is what a record says, of which nothing changed since.
  package fileprivate(set) var isUnchanged = false
  /// The pictures that changed, where nothing else did.
  package var changedFiles: [ByteString] = []
  /// Why a server was of less use than it could be.
  package var cacheTrouble: String?
  /// Where the archive was thinned.
  package var thinnedSize: Int?

  package init() {}
}

/// A file that a run wrote, before it got its name.
package struct WrittenFile: Sendable {
  let path: ByteString
  private let identity: FileIdentity
  private let digest: Digest128?
  /// Whether a write since its bytes were digested would show in its time.
  private let isSettled: Bool

  /// Larger files are known by their identity alone, where that is enough: to take the digest of an
  /// archive costs more than to replace a picture in it.
  private static let digestLimit = 16 << 20

  /// Nil where it cannot be read back. `isDigested` asks for the digest of a large file, too: it tells
  /// that a file is the same whatever its times.
  package init?(_ output: PreparedOutput, isDigested: Bool) {
    path = output.path
    identity = output.identity
    let isLarge = identity.size > WrittenFile.digestLimit
    isSettled = isLarge ? identity.settles() : identity.isSettled(at: FileIdentity.now())
    if isDigested || !isSettled || !isLarge {
      guard let digest = Digest128(reading: output.read) else { return nil }
      self.digest = digest
    } else {
      digest = nil
    }
  }

  /// The place that it got; nil where nothing is there.
  var observation: Observation? {
    guard let place = FileIdentity(path) else { return nil }
    // Another program's file, or the old one that had the same bytes, is read before it is believed. In
    // ours nobody could write before it had its name, and whoever writes since gives it another time.
    let isOurs =
      (place.device, place.inode, place.size) == (identity.device, identity.inode, identity.size)
      && place.modified == identity.modified
    if digest == nil, !isOurs { return nil }
    return Observation(
      kind: .file, path: path, identity: place, digest: digest, isSettled: isOurs && isSettled)
  }
}

/// The memory of one command line in one folder.
package struct RunMemory: Sendable {
  private let cache: CacheFolder
  private let path: ByteString
  private let key: Digest128

  /// `words` say everything that decides about the outputs, but for the files that are read.
  package init(cache: CacheFolder, words: [ByteString]) {
    self.cache = cache
    var digest = BLAKE2b()
    let version: ByteString = "carve \(carveVersion) revision \(encoderRevision)"
    for word in [version] + words {
      digest.add(UInt64(word.count))
      digest.add(word.bytes)
    }
    key = digest.digest()
    path = "\(cache.path)/runs/\(key.hexadecimal)"
  }

  /// What the last run answered, where nothing that it read or wrote has changed since, or nothing but
  /// pictures; nil where everything has to be read.
  package func recall(comparesContents: Bool, jobs: Int) -> Recollection? {
    guard let bytes = CacheFile.read(path), let record = RunRecord(bytes),
      record.key == key, var answer = RunAnswer(stored: record.answer)
    else { return nil }
    answer.pathCount = record.count
    switch record.check(comparesContents: comparesContents, jobs: jobs) {
    case .changed: return nil
    case .unchanged(let fresh):
      if let fresh { keep(fresh) }
      answer.isUnchanged = true
      return .unchanged(answer)
    case .files(let rows, let fresh):
      return .pictures(ChangedPictures(record: fresh, rows: rows, answer: answer, memory: self))
    }
  }

  /// Remembers a run, unless something that it read has changed meanwhile. `archive` is the output in
  /// which the pixels have their places.
  package func keep(
    _ answer: RunAnswer, inputs: [Observation]?, outputs: [WrittenFile],
    _ pixels: PixelPlaces?, in archive: ByteString
  ) {
    guard let inputs else { return }
    var rows = inputs
    for output in outputs {
      guard let row = output.observation else { return }
      rows.append(row)
    }
    let place = outputs.firstIndex { $0.path == archive }.map { inputs.count + $0 }
    let files = inputs.prefix { $0.kind != .realPath }
    let places = pixels.flatMap { pixels in
      place.map { pixels.stored(archive: $0) { files.row(of: $0) } }
    }
    keep(RunRecord(rows, of: key, places: places ?? [], answer: answer.stored))
  }

  func keep(_ record: RunRecord) {
    let known = FileIdentity(path)?.size ?? 0
    // What is replaced is not there twice.
    if CacheFile.write(record.bytes, to: path) {
      cache.grow(by: record.bytes.count - Int(clamping: known))
    }
  }
}

/// What a memory has to say of a command line.
package enum Recollection {
  case unchanged(RunAnswer)
  case pictures(ChangedPictures)
}

extension ArraySlice<Observation> {
  /// The place of a path among those that are sorted by it.
  fileprivate func row(of path: ByteString) -> Int? {
    let place = partitioningIndex { $0.path >= path }
    return place < endIndex && self[place].path == path ? place : nil
  }
}

extension RunAnswer {
  var stored: [UInt8] {
    var members: [JSONOutput.Member] = [
      .init("names", .integer(nameCount)), .init("renditions", .integer(renditionCount)),
      .init("bytes", .integer(byteCount)),
      .init("symbols", .array(symbols.map(\.stored))),
      .init("stages", .array(stages.map { .array($0.map(\.stored)) })),
    ]
    if let thinnedSize { members.append(.init("thinned", .integer(thinnedSize))) }
    return Array(JSONOutput.object(members).line.utf8)
  }

  fileprivate init?(stored bytes: [UInt8]) {
    guard let value = try? parseJSON(bytes), let names = value.whole("names"),
      let renditions = value.whole("renditions"), let size = value.whole("bytes"),
      case .array(let stages)? = value["stages"],
      let symbols = value["symbols"].flatMap(Self.findings)
    else { return nil }
    self.symbols = symbols
    (nameCount, renditionCount, byteCount) = (names, renditions, size)
    thinnedSize = value.whole("thinned")
    for stage in stages {
      guard let findings = Self.findings(stage) else { return nil }
      self.stages.append(findings)
    }
  }

  private static func findings(_ value: JSONValue) -> [Diagnostic]? {
    guard case .array(let values) = value else { return nil }
    let findings = values.compactMap(Diagnostic.init(stored:))
    return findings.count == values.count ? findings : nil
  }
}
