// What a compilation saw of one path, and whether the path still shows the same.

import Bytes
import Codecs
import Host

/// One path that a result depends on, or that a run has written.
package struct Observation: Sendable {
  /// What was seen there, and with it what the digest is of.
  package enum Kind: UInt8, Sendable {
    /// All bytes of a file.
    case file
    /// The names in a folder, and what each is.
    case folder
    /// What is there, and how large.
    case entry
    /// The path without links.
    case realPath
    /// Nothing was there.
    case absent
  }

  var kind: Kind
  var path: ByteString
  /// nil where there is nothing that has one, or where it does not matter.
  var identity: FileIdentity?
  /// nil where nobody took it, which the outputs of a run allow.
  var digest: Digest128?
  /// Whether a file with this identity must be the same: else its bytes are compared.
  var isSettled = false
}

extension Observation.Kind {
  /// Whether the identity of what is there says that it is the same.
  var hasIdentity: Bool { self == .file || self == .folder || self == .entry }

  /// What a look at the path gives now; nil where it cannot be had.
  func digest(of path: ByteString, in tree: FileTree) -> Digest128? {
    switch self {
    case .file: (try? tree.read(path, 1 << 30)).map(Digest128.init(ofBytes:))
    case .folder: (try? tree.list(path)).map(Digest128.init(ofEntries:))
    case .entry: (try? tree.status(path)).map { Digest128(ofEntry: $0) }
    case .realPath: (try? tree.realPath(path)).map { Digest128(ofBytes: $0.bytes) }
    case .absent: isAbsent(path, in: tree) ? Digest128(first: 0, second: 0) : nil
    }
  }

  private func isAbsent(_ path: ByteString, in tree: FileTree) -> Bool {
    do throws(FileError) {
      _ = try tree.status(path)
      return false
    } catch {
      return error.saysAbsent
    }
  }
}

extension FileError {
  /// Whether nothing is there; other errors say that nobody could look.
  var saysAbsent: Bool { self == .notFound || self == .notAFolder }
}

extension Digest128 {
  init(ofBytes bytes: [UInt8]) {
    var digest = BLAKE2b()
    digest.add(bytes)
    self = digest.digest()
  }

  /// Of what `read` shows piece by piece; nil where it cannot be had.
  init?(reading read: ((UnsafeRawBufferPointer) -> Void) -> Bool) {
    var digest = BLAKE2b()
    guard read({ digest.add($0) }) else { return nil }
    self = digest.digest()
  }

  package init(_ bytes: UnsafeRawBufferPointer) {
    var digest = BLAKE2b()
    digest.add(bytes)
    self = digest.digest()
  }

  /// Sizes are left out: they belong to the files.
  init(ofEntries entries: [FileEntry]) {
    var digest = BLAKE2b()
    for entry in entries { entry.add(to: &digest) }
    self = digest.digest()
  }

  init(ofEntry entry: FileEntry) {
    var digest = BLAKE2b()
    digest.add(UInt64(entry.size))
    entry.add(to: &digest)
    self = digest.digest()
  }
}

extension FileEntry {
  fileprivate func add(to digest: inout BLAKE2b) {
    digest.add(UInt64(name.count))
    digest.add(name.bytes)
    let number: UInt64 =
      switch kind {
      case .file: 0
      case .folder: 1
      case .other: 2
      case .nowhere: 3
      }
    digest.add(number << 1 | (isLink ? 1 : 0))
  }
}
