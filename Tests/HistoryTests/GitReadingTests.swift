// Tests the reading of git repositories: commits, trees and files, loose and packed, and objects
// that are missing or damaged. HistoryCommandTests.swift tests the sizes.

import Bytes
import CatalogCompiler
import Foundation
import Host
import Support
import Testing
import Traits

@testable import History

/// A repository with a catalogue, App/A.xcassets, and notes beside it.
private struct Repository {
  let folder: TemporaryDirectory

  init() throws {
    folder = try TemporaryDirectory()
    try runGit(["init", "-q", "-b", "main", "."], in: folder)
  }

  /// Writes a file, and commits everything.
  func commit(_ subject: String, _ text: String, to path: String) throws {
    try folder.write(text, to: path)
    try runGit(["add", "-A"], in: folder)
    try runGit(["commit", "-q", "-m", subject], in: folder)
  }

  /// Three commits: the catalogue begins, notes are taken, the catalogue changes.
  static func sample() throws -> Repository {
    let repository = try Repository()
    try repository.commit("Begin", "one", to: "App/A.xcassets/One.dataset/a.txt")
    try repository.commit("Take notes", "note", to: "notes.txt")
    try repository.commit("Change", "two", to: "App/A.xcassets/Two.dataset/a.txt")
    return repository
  }

  func place(_ path: String = "App/A.xcassets") throws -> GitPlace {
    try GitPlace(of: ByteString(folder.path(path)))
  }

  func reader() throws -> GitRepository { try GitRepository(at: try place()) }

  /// Returns the id of an object by a name of git, such as `HEAD:notes.txt`.
  func id(_ name: String) throws -> ByteString {
    let answer = try runGit(["rev-parse", name], in: folder).stdout
    return ByteString(answer.filter { !$0.isNewline })
  }

  /// Returns the path of the file with a loose object.
  func file(of id: ByteString) -> String {
    folder.path(".git/objects/\(id.prefix(2))/\(id.dropFirst(2))")
  }

  func files(of revision: ByteString = "HEAD") throws -> (tree: FileTree, reader: GitRepository) {
    let reader = try reader()
    let tree = try reader.tree(of: try reader.commit(named: revision), [try place()])
    return (tree.files(in: reader), reader)
  }
}

private func options(_ count: Int, revision: ByteString = "HEAD") -> HistoryOptions {
  var options = HistoryOptions(
    count: count, compiling: CompileOptions(target: CompileTarget(platform: .iOS)))
  options.revision = revision
  return options
}

@Suite struct GitReadingTests {
  /// It stays until the test ends.
  private let repository: Repository

  init() throws { repository = try .sample() }

  @Test func thePlaceOfAFolderIsFound() throws {
    let place = try repository.place()
    #expect(place.path == "App/A.xcassets" && !place.isShallow)
    // The folder need not be in the work tree.
    #expect(try repository.place("App/Old.xcassets/Gone").path == "App/Old.xcassets/Gone")
    let outside = try TemporaryDirectory()
    let error = #expect(throws: GitError.self) { try GitPlace(of: ByteString(outside.path)) }
    guard case .noRepository? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
  }

  // MARK: Commits

  @Test func theNewestCommitsAreReadAndTheOldestIsFirst() throws {
    let reader = try repository.reader()
    let (all, isCut) = try reader.commits(options(9), isShallow: false)
    #expect(all.map(\.subject) == ["Begin", "Take notes", "Change"] && !isCut)
    #expect(all.map(\.author) == ["Ada", "Ada", "Ada"] && all[0].date == "2026-03-01")
    #expect(all[0].parent == nil && all[1].parent == all[0].id && all[2].parent == all[1].id)
    #expect(try all[2].id == repository.id("HEAD") && all[2].tree == repository.id("HEAD^{tree}"))
    let (newest, _) = try reader.commits(options(2), isShallow: false)
    #expect(newest == Array(all.dropFirst()))
    let (older, _) = try reader.commits(options(9, revision: "HEAD~1"), isShallow: false)
    #expect(older == Array(all.dropLast()))
  }

  @Test func onlyFirstParentsAreFollowed() throws {
    try runGit(["checkout", "-q", "-b", "side", "HEAD~1"], in: repository.folder)
    try repository.commit("Aside", "x", to: "side.txt")
    try runGit(["checkout", "-q", "main"], in: repository.folder)
    try runGit(["merge", "-q", "--no-ff", "-m", "Merge", "side"], in: repository.folder)
    let (commits, _) = try repository.reader().commits(options(9), isShallow: false)
    #expect(commits.map(\.subject) == ["Begin", "Take notes", "Change", "Merge"])
  }

  @Test(arguments: ["none", "HEAD~9", "HEAD:notes.txt", "", "HEAD\nHEAD"])
  func aRevisionThatIsNoCommitIsRefused(name: String) throws {
    let reader = try repository.reader()
    #expect(throws: GitError.unknownRevision(ByteString(name))) {
      try reader.commit(named: ByteString(name))
    }
    // The reader still answers.
    #expect(try reader.commit(named: "HEAD").subject == "Change")
  }

  @Test func aCommitThatTheCloneLacksEndsAShallowHistory() throws {
    let (old, tip) = (try repository.id("HEAD~1"), try repository.id("HEAD"))
    try FileManager.default.removeItem(atPath: repository.file(of: old))
    let reader = try repository.reader()
    let (commits, isCut) = try reader.commits(options(9), isShallow: true)
    #expect(commits.map(\.id) == [tip] && isCut)
    #expect(throws: GitError.missing(old)) {
      try reader.commits(options(9), isShallow: false)
    }
  }

  // MARK: Trees

  @Test func treesDifferOnlyIfTheirCataloguesDo() throws {
    let reader = try repository.reader()
    let (commits, _) = try reader.commits(options(9), isShallow: false)
    let place = try repository.place()
    let trees = try commits.map { try reader.tree(of: $0, [place]) }
    #expect(trees[0] == trees[1] && trees[1] != trees[2])
    #expect(trees[2].roots.map(\.path) == ["App/A.xcassets"])
    #expect(try trees[2].roots.map(\.id) == [repository.id("HEAD:App/A.xcassets")])
    let absent = try reader.tree(
      of: commits[0], [try repository.place("notes.txt"), try repository.place("App/B.xcassets")])
    #expect(absent.roots.isEmpty)
  }

  /// Loose objects, packed ones, and both.
  @Test(arguments: [[], ["gc", "-q"], ["repack", "-q", "-a"]])
  func filesAreReadFromTheObjects(words: [String]) throws {
    try repository.folder.write("later", to: "App/A.xcassets/One.dataset/a.txt")
    if !words.isEmpty { try runGit(words, in: repository.folder) }
    let blob = repository.file(of: try repository.id("HEAD:notes.txt"))
    #expect(FileManager.default.fileExists(atPath: blob) == (words.first != "gc"))
    let (tree, reader) = try repository.files()
    let root: ByteString = "App/A.xcassets"
    #expect(try tree.list(root).map(\.name) == ["One.dataset", "Two.dataset"])
    let entries = try tree.list("\(root)/One.dataset")
    #expect(entries == [FileEntry(name: "a.txt", kind: .file, size: 3)])
    // The work tree has another text.
    #expect(try tree.read("\(root)/One.dataset/a.txt", 3) == Array("one".utf8))
    #expect(try tree.readPart("\(root)/Two.dataset/a.txt", 1, 9).bytes == Array("wo".utf8))
    #expect(throws: FileError.tooLarge(size: 3, limit: 2)) {
      try tree.read("\(root)/One.dataset/a.txt", 2)
    }
    #expect(throws: FileError.notFound) { try tree.status("\(root)/Three.dataset") }
    #expect(throws: FileError.notFound) { try tree.status("notes.txt") }
    let (old, _) = try repository.files(of: "HEAD~2")
    #expect(try old.list(root).map(\.name) == ["One.dataset"])
    #expect(reader.trouble == nil)
  }

  @Test func linksAreFollowedWithinTheCatalogue() throws {
    let repository = try Repository()
    let set = "App/A.xcassets/One.dataset"
    try FileManager.default.createDirectory(
      atPath: repository.folder.path(set), withIntermediateDirectories: true)
    for (name, target) in [("in", "a.txt"), ("out", "../../../notes.txt"), ("loop", "loop")] {
      try FileManager.default.createSymbolicLink(
        atPath: repository.folder.path("\(set)/\(name)"), withDestinationPath: target)
    }
    try repository.folder.write("note", to: "notes.txt")
    try repository.commit("Link", "one", to: "\(set)/a.txt")
    let (tree, _) = try repository.files()
    let folder = ByteString(set)
    #expect(try tree.read("\(folder)/in", 9) == Array("one".utf8))
    #expect(try tree.realPath("\(folder)/in") == "\(folder)/a.txt")
    #expect(throws: FileError.notFound) { try tree.read("\(folder)/out", 9) }
    #expect(throws: FileError.linkLoop) { try tree.read("\(folder)/loop", 9) }
    #expect(try tree.list(folder).map(\.isLink) == [false, true, true, true])
  }

  /// Git stores a long target in few bytes. Following it costs its whole length each time.
  @Test func linksThatLeadThroughManyOthersAreRefused() throws {
    let repository = try Repository()
    let set = "App/A.xcassets/One.dataset"
    try repository.folder.write("one", to: "\(set)/a.txt")
    try FileManager.default.createSymbolicLink(
      atPath: repository.folder.path("\(set)/loop"),
      withDestinationPath: String(repeating: "./", count: 2000) + "loop")
    try repository.commit("Link", "note", to: "notes.txt")
    let (tree, reader) = try repository.files()
    for _ in 0..<120 { _ = try? tree.read("\(ByteString(set))/loop", 9) }
    #expect(reader.trouble == .tooManyLinks)
  }

  // MARK: Faults

  @Test func aMissingFileIsNamed() throws {
    let id = try repository.id("HEAD:App/A.xcassets/One.dataset/a.txt")
    try FileManager.default.removeItem(atPath: repository.file(of: id))
    let (tree, reader) = try repository.files()
    #expect(throws: FileError.notHeld) { try tree.read("App/A.xcassets/One.dataset/a.txt", 9) }
    #expect(reader.trouble == .missing(id))
    // The others can still be read.
    #expect(try tree.read("App/A.xcassets/Two.dataset/a.txt", 9) == Array("two".utf8))
  }

  @Test func aMissingFolderIsNamed() throws {
    let id = try repository.id("HEAD:App/A.xcassets/One.dataset")
    try FileManager.default.removeItem(atPath: repository.file(of: id))
    let (tree, reader) = try repository.files()
    #expect(throws: FileError.notHeld) { try tree.list("App/A.xcassets/One.dataset") }
    #expect(reader.trouble == .missing(id))
  }

  @Test func aDamagedFileIsAnError() throws {
    let id = try repository.id("HEAD:App/A.xcassets/One.dataset/a.txt")
    let file = repository.file(of: id)
    try FileManager.default.removeItem(atPath: file)
    try Data("no object".utf8).write(to: URL(fileURLWithPath: file))
    let (tree, reader) = try repository.files()
    #expect(throws: FileError.notHeld) { try tree.read("App/A.xcassets/One.dataset/a.txt", 9) }
    #expect(reader.trouble != nil)
  }

  /// A file in the place of a folder has another type.
  @Test func anObjectOfAnotherTypeIsDamaged() throws {
    let id = try repository.id("HEAD:notes.txt")
    #expect(throws: GitError.damaged(id)) { try repository.reader().entries(of: id) }
  }

  /// Derivations of small objects can have any size, so the size of the repository limits it.
  @Test func anObjectIsNotLargerThanItsRepositoryAllows() throws {
    let place = try repository.place()
    let most = try place.largestObject()
    #expect(most >= 64 << 20 && most < FileLimit.source)
    let id = try repository.id("HEAD:notes.txt")
    var reader = try GitReader(top: place.top, largestObject: 3)
    #expect(throws: GitError.tooLarge(id, bytes: 4)) { try reader.contents(of: id) }
    // The objects of another repository count, too, and their sizes are not known.
    let other = try TemporaryDirectory()
    try runGit(["clone", "-q", "--shared", repository.folder.path, "clone"], in: other)
    let clone = try GitPlace(of: ByteString(other.path("clone")))
    #expect(try clone.largestObject() == FileLimit.source)
  }

  @Test func aCutFolderIsDamaged() throws {
    let id = ByteString(String(repeating: "a", count: 40))
    let whole = Array("100644 a.txt\0".utf8) + [UInt8](repeating: 0xAB, count: 20)
    let entries = try GitEntry.entries(
      in: whole + Array("40000 b\0".utf8) + whole.suffix(20), of: id)
    #expect(entries["a.txt"]?.kind == .file && entries["b"]?.kind == .folder)
    #expect(entries["a.txt"]?.id == ByteString(String(repeating: "ab", count: 20)))
    for count in 1..<whole.count {
      #expect(throws: GitError.damaged(id)) {
        try GitEntry.entries(in: Array(whole.prefix(count)), of: id)
      }
    }
  }
}
