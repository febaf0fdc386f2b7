// The store of the records of runs. It keeps the record of a run in the cache, and answers an equal
// run from it.
//
//   words of the command line, folder, version ──▶ digest = key ──▶ file runs/KEY in the cache
//
// First run: there is no record. The catalogue is read through `InputRecorder`, and compiled. Then
// `keep` stores a row for each path that was read and for each output, and the findings.
//
// The same command again: `recall` compares each row with the disk (`RunRecord.check`).
//
//   nothing changed                      .unchanged   the answer comes from the record
//   only the bytes of files changed      .pictures    `ChangedPictures` replaces them if it can
//   a path was added, removed or is
//   of another kind                      .changed     full run, with the help of `EarlierRun`
//   no record                            nil          full run

import Bytes
import CatalogModel
import Documents
import Host

/// The results of a run besides its outputs.
package struct RunAnswer: Sendable {
  /// The diagnostics before `--werror` and `--no-warn`, by stage. Errors of one stage end the run.
  package var stages: [[Diagnostic]] = []
  /// The diagnostics about constants, which are printed separately.
  package var constantFindings: [Diagnostic] = []
  package var nameCount = 0
  package var renditionCount = 0
  package var byteCount = 0
  /// The number of paths that were compared; 0 if the answer does not come from a record.
  package fileprivate(set) var pathCount = 0
  /// Whether the answer comes from a record, and nothing changed since.
  package fileprivate(set) var isUnchanged = false
  /// The pictures that changed, if nothing else did.
  package var changedFiles: [ByteString] = []
  /// The reason why the remote cache could not be used fully; nil if nothing went wrong.
  package var cacheTrouble: String?
  /// The size of the thinned archive; nil if the archive was not thinned.
  package var thinnedSize: Int?

  package init() {}
}

/// A file that a run wrote, before it got its name.
package struct WrittenFile: Sendable {
  let path: ByteString
  private let identity: FileIdentity
  private let digest: Digest128?
  /// Whether a write after the digest was made would change the file's time.
  private let isSettled: Bool

  /// The size in bytes above which a file has no digest, if its identity is enough. The digest of a
  /// large archive takes longer than replacing a picture in it.
  private static let digestLimit = 4 << 20

  /// Reads the written file; nil if that fails. `isDigested` asks for the digest of a large file,
  /// too, which identifies the file even if its times change.
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

  /// The observation of the file under its name; nil if there is no such file.
  var observation: Observation? {
    guard let current = FileIdentity(path) else { return nil }
    // A file of another program, or an older file with the same bytes, is compared by its bytes. No
    // program could write to the file of this run before it got its name, and every later write
    // changes its time.
    let isOurs =
      (current.device, current.inode, current.size) == (
        identity.device, identity.inode, identity.size
      )
      && current.modified == identity.modified
    if digest == nil, !isOurs { return nil }
    return Observation(
      kind: .file, path: path, identity: current, digest: digest, isSettled: isOurs && isSettled)
  }
}

/// The store of the record of one command line in one folder.
package struct RunRecordStore: Sendable {
  private let cache: CacheFolder
  private let path: ByteString
  private let key: Digest128

  /// Creates the store. `words` contain everything that decides about the outputs, except the
  /// files that are read.
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

  /// Returns the answer of the last run if nothing that it read or wrote has changed since, or the
  /// changed pictures if nothing else has changed, or else the record; nil if it does not exist.
  package func recall(comparesContents: Bool, jobs: Int) -> RecalledRun? {
    guard let bytes = CacheFile.read(path), let record = RunRecord(bytes),
      record.key == key, var answer = RunAnswer(stored: record.answer)
    else { return nil }
    answer.pathCount = record.count
    switch record.check(comparesContents: comparesContents, jobs: jobs) {
    case .changed(let rows, let unchanged):
      return .changed(
        PathChanges(rows, in: record),
        EarlierRun(record, unchanged, trustsTimes: !comparesContents))
    case .unchanged(let fresh):
      if let fresh { keep(fresh) }
      answer.isUnchanged = true
      return .unchanged(answer)
    case .files(let rows, let fresh, let unchanged):
      let changed = ChangedPictures(record: fresh, rows: rows, answer: answer, store: self)
      return .pictures(changed, EarlierRun(fresh, unchanged, trustsTimes: !comparesContents))
    }
  }

  /// Records a run, unless a file that it read has changed meanwhile. `archive` is the output in
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
    let row = outputs.firstIndex { $0.path == archive }.map { inputs.count + $0 }
    let places = pixels.flatMap { pixels in
      row.map { archive in
        let rows = PathNumbers(of: inputs.prefix { $0.kind != .realPath }.map(\.path))
        return pixels.stored(archive: archive) { rows[$0] }
      }
    }
    keep(RunRecord(rows, of: key, places: places ?? [], answer: answer.stored))
  }

  func keep(_ record: RunRecord) {
    let known = FileIdentity(path)?.size ?? 0
    // The old record is replaced, so only the difference of the sizes is added.
    if CacheFile.write(record.bytes, to: path) {
      cache.grow(by: record.bytes.count - Int(clamping: known))
    }
  }
}

/// The answer of a store about a command line.
package enum RecalledRun {
  case unchanged(RunAnswer)
  /// Only the bytes of pictures changed. If they cannot be replaced, the earlier run helps.
  case pictures(ChangedPictures, EarlierRun)
  case changed(PathChanges?, EarlierRun)
}

extension RunAnswer {
  var stored: [UInt8] {
    var members: [JSONOutput.Member] = [
      .init("names", .integer(nameCount)), .init("renditions", .integer(renditionCount)),
      .init("bytes", .integer(byteCount)),
      .init("symbols", .array(constantFindings.map(\.stored))),
      .init("stages", .array(stages.map { .array($0.map(\.stored)) })),
    ]
    if let thinnedSize { members.append(.init("thinned", .integer(thinnedSize))) }
    return Array(JSONOutput.object(members).line.utf8)
  }

  fileprivate init?(stored bytes: [UInt8]) {
    guard let value = try? parseJSON(bytes), let names = value.wholeNumber("names"),
      let renditions = value.wholeNumber("renditions"), let size = value.wholeNumber("bytes"),
      case .array(let stages)? = value["stages"],
      let constantFindings = value["symbols"].flatMap(Self.findings)
    else { return nil }
    self.constantFindings = constantFindings
    (nameCount, renditionCount, byteCount) = (names, renditions, size)
    thinnedSize = value.wholeNumber("thinned")
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
