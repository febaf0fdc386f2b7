// The state of one path as a compilation saw it, and the comparison with its state now.

import Bytes
import Codecs
import Host

/// A path that a result depends on, or that a run has written.
package struct Observation: Sendable {
  /// The part of the path's state that was read. The digest is made from it.
  package enum Kind: UInt8, Sendable {
    /// All bytes of a file.
    case file
    /// The names in a folder, with the kind of each.
    case folder
    /// The kind of the file or folder, and its size.
    case entry
    /// The path without links.
    case realPath
    /// The path did not exist.
    case absent
  }

  var kind: Kind
  var path: ByteString
  /// The identity; nil if the path does not exist, or if its identity does not matter.
  var identity: FileIdentity?
  /// The digest; nil for an output of a run that was not digested.
  var digest: Digest128?
  /// Whether an equal identity proves that the file is unchanged. Otherwise its bytes are compared.
  var isSettled = false
}

extension Observation.Kind {
  /// Whether the identity of a path can prove that it is unchanged.
  var hasIdentity: Bool { self == .file || self == .folder || self == .entry }

  /// Returns the digest of the current state; nil if the path cannot be read.
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
  /// Whether the path does not exist. After other errors it is unknown.
  var saysAbsent: Bool { self == .notFound || self == .notAFolder }
}

extension Digest128 {
  init(ofBytes bytes: [UInt8]) {
    var digest = BLAKE2b()
    digest.add(bytes)
    self = digest.digest()
  }

  /// Creates the digest of the bytes that `read` passes on piece by piece; nil if it fails.
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

  /// Creates the digest of a folder's list. Sizes are left out, because they belong to the files.
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
