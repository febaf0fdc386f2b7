// What a run is remembered by: where its record lies, and what an equal run answers from it.

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
  /// Where the archive was thinned.
  package var thinnedSize: Int?

  package init() {}
}

/// A file that a run wrote, before it got its name.
package struct WrittenFile: Sendable {
  let path: String
  private let identity: FileIdentity
  private let digest: Digest128
  /// Whether a write since its bytes were digested would show in its time.
  private let isSettled: Bool

  package init(path: String, identity: FileIdentity, _ bytes: UnsafeRawBufferPointer) {
    self.path = path
    self.identity = identity
    isSettled = identity.isSettled(at: FileIdentity.now())
    digest = Digest128(bytes)
  }

  /// The place that it got; nil where nothing is there.
  var observation: Observation? {
    let now = FileIdentity.now()
    guard let place = FileIdentity(path) else { return nil }
    // Another program's file, or the old one that had the same bytes, is read before it is believed.
    let isOurs =
      (place.device, place.inode, place.size) == (identity.device, identity.inode, identity.size)
      && place.modified == identity.modified
    return Observation(
      kind: .file, path: path, identity: place, digest: digest,
      isSettled: isOurs && isSettled && place.isSettled(at: now))
  }
}

/// The memory of one command line in one folder.
package struct RunMemory: Sendable {
  private let cache: CacheFolder
  private let path: String

  /// `words` say everything that decides about the outputs, but for the files that are read.
  package init(cache: CacheFolder, words: [String]) {
    self.cache = cache
    var digest = BLAKE2b()
    for word in ["carve \(carveVersion) revision \(encoderRevision)"] + words {
      digest.add(UInt64(word.utf8.count))
      digest.add(Array(word.utf8))
    }
    path = "\(cache.path)/runs/\(digest.digest().hexadecimal)"
  }

  /// What the last run answered, where nothing that it read or wrote has changed since.
  package func answer(comparesContents: Bool, jobs: Int) -> RunAnswer? {
    guard let bytes = CacheFile.read(path), let record = RunRecord(bytes) else { return nil }
    guard case .unchanged(let fresh) = record.check(comparesContents: comparesContents, jobs: jobs),
      var answer = RunAnswer(stored: record.answer)
    else { return nil }
    answer.pathCount = record.count
    if let fresh { CacheFile.write(fresh.bytes, to: path) }
    return answer
  }

  /// Remembers a run, unless something that it read has changed meanwhile.
  package func keep(
    _ answer: RunAnswer, inputs: [Observation]?, outputs: [WrittenFile]
  ) {
    guard let inputs else { return }
    var rows = inputs
    for output in outputs {
      guard let row = output.observation else { return }
      rows.append(row)
    }
    let record = RunRecord(rows, answer: answer.stored).bytes
    let known = FileIdentity(path)?.size ?? 0
    // What is replaced is not there twice.
    if CacheFile.write(record, to: path) { cache.grow(by: record.count - Int(clamping: known)) }
  }
}

extension RunAnswer {
  fileprivate var stored: [UInt8] {
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
