// Reads objects of a git repository through `git cat-file --batch`: commits, folders and files. The
// files of the work tree and the index are never read, and nothing is written.

import Bytes
import Host
import Synchronization

/// A repository that cannot be read, or whose catalogues cannot be compiled here.
package enum GitError: Error, Sendable, Hashable {
  /// The program `git` is not installed.
  case noGit
  /// The folder lies in no repository, or git refuses to read the repository; with git's reason.
  case noRepository(ByteString, reason: String)
  case unknownRevision(ByteString)
  /// The clone does not have this object.
  case missing(ByteString)
  case damaged(ByteString)
  /// An object has far more bytes than objects of a repository of this size have.
  case tooLarge(ByteString, bytes: Int)
  /// The links of the catalogues of one commit lead through too many others.
  case tooManyLinks
  /// The clone does not have a file that Git LFS keeps.
  case notFetched(ByteString)
  /// Git ended, or its answer cannot be read.
  case failed(String)
  /// The system failed while catalogues were compiled: no space is left, for example.
  case system(String)
}

extension GitError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .noGit: "git is not installed, or lies in no folder of PATH"
    case .noRepository(let folder, let reason):
      "\(folder) lies in no git repository that can be read: \(reason)"
    case .unknownRevision(let revision): "the repository has no commit '\(revision)'"
    case .missing(let object):
      "the clone does not have the object \(object), as a partial clone; a whole clone is needed"
    case .notFetched(let digest):
      "the clone does not have the file \(digest) of Git LFS; 'git lfs fetch --all' gets all"
    case .damaged(let object): "the object \(object) is damaged; 'git fsck' says more"
    case .tooLarge(let object, let bytes):
      "the object \(object) has \(bytes) bytes, far more than its repository can hold"
    case .tooManyLinks:
      "the links in the catalogues of a commit lead through too many others; link to files directly"
    case .failed(let reason): "git cannot read the repository: \(reason)"
    case .system(let reason): reason
    }
  }
}

/// A commit.
package struct GitCommit: Sendable, Hashable {
  /// The name of the object, in hexadecimal digits.
  package var id: ByteString
  /// The day of the commit in the time zone of its committer: 2026-11-23.
  package var date: String
  package var author: String
  /// The first line of the message.
  package var subject: String
  var tree: ByteString
  /// The first parent: the state before the commit. Other parents are those of merged branches.
  var parent: ByteString?
}

/// The kinds of things in a folder of a commit that are read.
enum GitKind: Sendable, Hashable {
  case file, folder, link
  /// A repository within the repository, whose objects are elsewhere.
  case module
}

/// A name in a folder of a commit.
struct GitEntry: Sendable, Hashable {
  var name: ByteString
  var kind: GitKind
  var id: ByteString
}

/// The place of a folder in its repository.
package struct GitPlace: Sendable, Hashable {
  /// The folder of the work tree.
  package var top: ByteString
  /// The path of the folder below it; empty for the folder itself.
  package var path: ByteString
  /// Whether the clone does not have all commits.
  package var isShallow: Bool
  /// The folder with the objects.
  var store: ByteString

  /// Finds the repository in which a folder lies. The folder itself need not exist any more.
  package init(of given: ByteString) throws(GitError) {
    var folder = withoutTrailingSlashes(given)
    var rest: ByteString = ""
    while !folder.isEmpty, (try? FileTree.disk.status(folder))?.kind != .folder {
      rest = rest.isEmpty ? lastComponent(folder) : joined(lastComponent(folder), rest)
      folder = folder.contains(UInt8(ascii: "/")) ? parentFolder(folder) : ""
    }
    if folder.isEmpty { folder = given.isAbsolute ? "/" : "." }
    let lines = try GitPlace.answers(
      about: folder,
      [
        "--is-shallow-repository", "--git-common-dir", "--show-toplevel", "--show-prefix",
      ])
    guard lines.count == 4 else {
      throw .failed("a folder of '\(given)' has a line break in its name")
    }
    isShallow = lines[0] == "true"
    store = lines[1].isAbsolute ? lines[1] : joined(folder, lines[1])
    top = lines[2]
    let prefix = withoutTrailingSlashes(lines[3])
    path = rest.isEmpty ? prefix : prefix.isEmpty ? rest : joined(prefix, rest)
  }

  private static func answers(
    about folder: ByteString, _ questions: [ByteString]
  ) throws(GitError) -> [ByteString] {
    // Warnings and traces of git would be lines among the answers. They are read after a failure.
    let words = ["rev-parse"] + questions
    let (answers, status) = try ask(folder, words, joinsErrors: false)
    if status == 0 { return answers.dropLast() }
    let lines = try ask(folder, words, joinsErrors: true).lines
    let first = lines.firstIndex { $0.hasPrefix("fatal: ") } ?? 0
    // Git's advice follows on more lines. A command among them begins with a tab.
    let reason = lines[first...].map { $0.text.drop { $0 == "\t" } }.filter { !$0.isEmpty }
      .joined(separator: " ")
    throw .noRepository(
      folder, reason: reason.hasPrefix("fatal: ") ? String(reason.dropFirst(7)) : reason)
  }

  private static func ask(
    _ folder: ByteString, _ words: [ByteString], joinsErrors: Bool
  ) throws(GitError) -> (lines: [ByteString], status: Int32) {
    do throws(ChildError) {
      var git = try ChildProgram(
        ["git", "-C", folder] + words, settings: GitRepository.settings, joinsErrors: joinsErrors)
      let (output, status) = try git.finish()
      let text = ByteString(bytes: output)
      return (text.split(separator: "\n", omittingEmptySubsequences: false), status)
    } catch {
      throw GitError(error)
    }
  }
}

extension GitPlace {
  /// The greatest ratio of an object to the stored objects. Git compresses by zlib, at most 1,032
  /// to 1, and the object from which another one is derived is stored, too. Without a limit, two
  /// derivations of a small object could have any size.
  private static let mostExpansion = 1032
  /// The size that objects of every repository may have.
  private static let plainSize = 64 << 20

  /// Returns the greatest size of an object that is read.
  func largestObject() throws(GitError) -> Int {
    let (lines, status) = try GitPlace.ask(top, ["count-objects", "-v"], joinsErrors: false)
    // Objects of other repositories are not counted.
    if status != 0 || lines.contains(where: { $0.hasPrefix("alternate:") }) {
      return FileLimit.source
    }
    var kilobytes = 0
    for line in lines {
      let words = line.text.split(separator: " ")
      guard words.count == 2, words[0] == "size:" || words[0] == "size-pack:",
        let number = Int(words[1])
      else { continue }
      kilobytes += min(max(number, 0), 1 << 40)
    }
    let most = (kilobytes + 1) * 1024 * GitPlace.mostExpansion
    return min(max(most, GitPlace.plainSize), FileLimit.source)
  }
}

extension GitError {
  init(_ error: ChildError) {
    switch error {
    case .notFound: self = .noGit
    case .failed(let code): self = .failed(FileError.failed(errno: code).reason)
    case .ended: self = .failed("it ended before its answer was complete")
    }
  }
}

// MARK: - Objects

/// The objects of a repository. All threads use one process of git, and a second one for sizes.
final class GitRepository: Sendable {
  /// Variables that a hook of git sets, which would name another repository than that of the
  /// folder; and settings by which git asks for no password, and fetches nothing.
  static let settings: [ByteString] = [
    "GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX", "GIT_NO_LAZY_FETCH=1",
    "GIT_TERMINAL_PROMPT=0", "LC_ALL=C",
  ]

  private let reader: Mutex<GitReader>
  /// The folder with the contents of files that Git LFS keeps outside of the repository.
  private let largeFiles: ByteString
  private let first = Mutex<GitError?>(nil)

  /// Starts git in the repository of a place.
  init(at place: GitPlace) throws(GitError) {
    reader = Mutex(try GitReader(top: place.top, largestObject: try place.largestObject()))
    largeFiles = joined(place.store, "lfs/objects")
  }

  /// The first failure: an object that could not be read, or a failure of the system.
  var trouble: GitError? { first.withLock { $0 } }

  /// Returns the commit that a revision names.
  func commit(named revision: ByteString) throws(GitError) -> GitCommit {
    // Git reads one request in each line.
    if revision.isEmpty || revision.contains(UInt8(ascii: "\n")) || revision.contains(0) {
      throw .unknownRevision(revision)
    }
    let object = try reader.withLock { (git) throws(GitError) in
      try git.object("\(revision)^{commit}")
    }
    guard let object, object.type == "commit" else { throw .unknownRevision(revision) }
    return try GitCommit(object)
  }

  /// Returns the commit with an id; nil if the clone does not have it.
  func commit(_ id: ByteString) throws(GitError) -> GitCommit? {
    let object = try reader.withLock { (git) throws(GitError) in try git.object(id) }
    guard let object else { return nil }
    return try GitCommit(object)
  }

  /// Returns the entries of a folder by their names.
  func entries(of folder: ByteString) throws(GitError) -> [ByteString: GitEntry] {
    try reader.withLock { (git) throws(GitError) in try git.entries(of: folder) }
  }

  /// Returns the sizes of files.
  func sizes(of files: [ByteString]) throws(GitError) -> [Int] {
    let stored = try reader.withLock { (git) throws(GitError) in try git.sizes(of: files) }
    var sizes: [Int] = []
    for (file, size) in zip(files, stored) {
      sizes.append(try size <= LargeFile.mostPointerBytes ? contents(file).size : size)
    }
    return sizes
  }

  private func contents(_ file: ByteString) throws(GitError) -> GitContents {
    let bytes = try reader.withLock { (git) throws(GitError) in try git.contents(of: file) }
    return LargeFile(pointer: bytes).map { .elsewhere($0) } ?? .here(bytes)
  }

  /// Returns the bytes of a file.
  func bytes(of file: ByteString) throws(FileError) -> [UInt8] {
    let found: GitContents
    do throws(GitError) { found = try contents(file) } catch { throw noted(error) }
    switch found {
    case .here(let bytes): return bytes
    case .elsewhere(let large):
      do throws(FileError) {
        return try FileTree.disk.read(joined(largeFiles, large.path), large.size)
      } catch {
        throw error == .notFound ? noted(.notFetched(large.digest)) : error
      }
    }
  }

  /// Remembers the first trouble, and returns an error about it for readers of files.
  func noted(_ error: GitError) -> FileError {
    note(error)
    return .notHeld
  }

  func note(_ error: GitError) { first.withLock { $0 = $0 ?? error } }
}

private enum GitContents {
  case here([UInt8])
  case elsewhere(LargeFile)

  var size: Int {
    switch self {
    case .here(let bytes): bytes.count
    case .elsewhere(let large): large.size
    }
  }
}

/// A file that Git LFS keeps. The repository has a pointer in its place:
///
///     version https://git-lfs.github.com/spec/v1
///     oid sha256:4d7a214614ab2935c943f9e0ff69d22eadbb8f32b1258daaa5e2ca24d17e2393
///     size 12345
private struct LargeFile {
  var size: Int
  var digest: ByteString

  /// Pointers have no more bytes.
  static let mostPointerBytes = 1024

  init?(pointer: [UInt8]) {
    guard pointer.count <= LargeFile.mostPointerBytes else { return nil }
    let text = ByteString(bytes: pointer)
    guard text.hasPrefix("version https://git-lfs.github.com/spec/") else { return nil }
    var (digest, size): (ByteString?, Int?)
    for line in text.split(separator: "\n") {
      if line.hasPrefix("oid sha256:") { digest = line.dropFirst(11) }
      if line.hasPrefix("size ") { size = Int(line.dropFirst(5).text) }
    }
    guard let digest, let size, size >= 0, digest.count == 64, digest.isHexadecimal else {
      return nil
    }
    (self.size, self.digest) = (size, digest)
  }

  /// The path of the contents below the folder of all such files.
  var path: ByteString {
    "\(digest.prefix(2))/\(digest.dropFirst(2).prefix(2))/\(digest)"
  }
}
