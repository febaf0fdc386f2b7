// Tests `carve history`: sizes over commits, and messages about repositories that cannot be read.

import Foundation
import Support
import Testing

extension ToolResult {
  fileprivate var text: String { stdout + stderr }

  fileprivate func object() throws -> [String: Any] {
    try JSONSerialization.jsonObject(with: Data(output)) as? [String: Any] ?? [:]
  }

  fileprivate func list(_ key: String) throws -> [[String: Any]] {
    try object()[key] as? [[String: Any]] ?? []
  }
}

/// A repository with a catalogue in a folder of it.
private struct Repository {
  let folder: TemporaryDirectory

  init() throws {
    folder = try TemporaryDirectory()
    try runGit(["init", "-q", "."], in: folder)
  }

  /// Writes an image set with one picture for two scales.
  func write(_ name: String, side: Int, red: UInt8, catalog: String = "App/A.xcassets") throws {
    let set = "\(catalog)/\(name).imageset"
    for scale in [2, 3] {
      try folder.write(
        png(width: side * scale, height: side * scale, red: red), to: "\(set)/\(scale).png")
    }
    try folder.write(
      #"{"images":[{"filename":"2.png","scale":"2x"},{"filename":"3.png","scale":"3x"}]}"#,
      to: "\(set)/Contents.json")
  }

  func commit(_ subject: String) throws {
    try runGit(["add", "-A"], in: folder)
    try runGit(["commit", "-q", "--allow-empty", "-m", subject], in: folder)
  }

  func history(_ words: String..., environment: [String: String] = [:]) throws -> ToolResult {
    try runTool(
      ["history", "App/A.xcassets"] + words, in: folder.path, environment: environment)
  }

  /// Four commits: without a catalogue, with one, with another file, with one more set.
  static func sample() throws -> Repository {
    let repository = try Repository()
    try repository.folder.write("x", to: "notes.txt")
    try repository.commit("Begin")
    try repository.write("Star", side: 20, red: 10)
    try repository.commit("Add a star")
    try repository.folder.write("y", to: "notes.txt")
    try repository.commit("Take notes")
    try repository.write("Moon", side: 40, red: 200)
    try repository.commit("Add a moon")
    return repository
  }
}

@Suite struct HistoryCommandTests {
  @Test func equalTreesAreCompiledOnceAndGapsAreNamed() throws {
    let result = try Repository.sample().history("--json")
    #expect(result.code == 0, "\(result.stderr)")
    let commits = try result.list("commits")
    #expect(
      commits.map { $0["subject"] as? String }
        == ["Begin", "Add a star", "Take notes", "Add a moon"])
    #expect(
      commits.map { $0["state"] as? String } == ["absent", "compiled", "compiled", "compiled"])
    #expect(commits.map { $0["date"] as? String } == Array(repeating: "2026-03-01", count: 4))
    #expect(commits.map { $0["author"] as? String } == Array(repeating: "Ada", count: 4))
    #expect(try result.object()["trees"] as? Int == 2)
    #expect(try result.object()["isCut"] as? Bool == false)
    let moves = try result.list("moves")
    #expect(moves.map { $0["commit"] as? Int } == [3])
    let assets = moves[0]["assets"] as? [[String: Any]] ?? []
    #expect(assets.first?["name"] as? String == "Moon" && assets.first?["before"] is NSNull)
  }

  @Test func theSizesAreThoseOfCompilingAndThinning() throws {
    let repository = try Repository.sample()
    let result = try repository.history("--json", "--device", "iPhone17,1")
    let path = repository.folder.path
    #expect(try runTool(["compile", "App/A.xcassets", "-o", "a.car"], in: path).code == 0)
    #expect(
      try runTool(["thin", "a.car", "--device", "iPhone17,1", "-o", "thin.car"], in: path).code == 0
    )
    let commits = try result.list("commits")
    #expect(try commits[3]["bytes"] as? Int == repository.folder.read("a.car").count)
    let line = try result.list("lines")[0]["bytes"] as? [Any]
    #expect(try line?[3] as? Int == repository.folder.read("thin.car").count)
    #expect(line?[0] is NSNull)
  }

  /// The growth of an icon counts, although no option names it.
  @Test func iconsCount() throws {
    let repository = try Repository()
    let set = "App/A.xcassets/AppIcon.appiconset"
    try repository.folder.write(
      #"{"images":[{"size":"60x60","scale":"3x","idiom":"iphone","filename":"a.png"}]}"#,
      to: "\(set)/Contents.json")
    try repository.folder.write(png(width: 180, height: 180, red: 1), to: "\(set)/a.png")
    try repository.commit("Add an icon")
    try repository.folder.write(patternPNG(width: 180, height: 180, seed: 3), to: "\(set)/a.png")
    try repository.commit("Change the icon")
    let text = try repository.history("--device", "iPhone17,1").text
    #expect(text.contains("AppIcon"), "\(text)")
  }

  @Test func theWorkTreeIsNeitherReadNorChanged() throws {
    let repository = try Repository.sample()
    let before = try repository.history("--json")
    try repository.write("Sun", side: 90, red: 3)
    try repository.folder.write("{", to: "App/A.xcassets/Moon.imageset/Contents.json")
    let status = try runGit(["status", "--porcelain"], in: repository.folder).stdout
    #expect(try repository.history("--json").stdout == before.stdout)
    #expect(try runGit(["status", "--porcelain"], in: repository.folder).stdout == status)
    // The catalogue need not exist in the work tree any more.
    try FileManager.default.removeItem(atPath: repository.folder.path("App"))
    #expect(try repository.history("--json").stdout == before.stdout)
  }

  @Test func aCacheWithoutAPlaceIsNamed() throws {
    let result = try Repository.sample().history("--cache")
    #expect(result.code == 0)
    #expect(
      result.stderr.contains("warning: nothing is cached: neither XDG_CACHE_HOME nor HOME is set"))
  }

  @Test func theTextNamesLinesAndMoves() throws {
    let lines = try Repository.sample().history().stdout.split(separator: "\n").map(String.init)
    #expect(
      lines[0]
        == "App/A.xcassets: 4 commits, 2026-03-01; 2 different catalogues compiled")
    #expect(lines[1] == "1 commit without the catalogue.")
    #expect(lines[2].hasPrefix("DEVICES "))
    #expect(lines.contains { $0.hasPrefix("not thinned ") })
    #expect(lines.last?.hasSuffix("  Add a moon") == true)
    #expect(lines.last?.contains("new Moon +") == true)
  }

  @Test func aCommitThatDoesNotCompileIsAGap() throws {
    let repository = try Repository.sample()
    let contents = "App/A.xcassets/Moon.imageset/Contents.json"
    let good = try repository.folder.read(contents)
    try repository.folder.write("{", to: contents)
    try repository.commit("Break it")
    try repository.folder.write(good, to: contents)
    try repository.commit("Mend it")
    let result = try repository.history("--json")
    let commits = try result.list("commits")
    #expect(commits[4]["state"] as? String == "refused")
    #expect((commits[4]["reason"] as? String)?.hasPrefix(contents + ":1") == true)
    // The commit that mends it moves nothing.
    #expect(try result.list("moves").map { $0["commit"] as? Int } == [3])
    #expect(try result.object()["trees"] as? Int == 3)
    #expect(try repository.history().stdout.contains(": not compiled: \(contents):1"))
  }

  /// A failure of the system says nothing about the catalogues, so it is no gap.
  @Test func aFailureOfTheSystemEndsTheHistory() throws {
    let result = try Repository.sample().history(environment: ["TMPDIR": "/nowhere"])
    #expect(result.code == 4 && result.stdout.isEmpty)
    #expect(
      result.stderr.hasSuffix(
        "carve history: error: a temporary file in /nowhere: cannot create: "
          + "No such file or directory\n"), "\(result.stderr)")
  }

  @Test func aPageHasTheHistory() throws {
    let repository = try Repository.sample()
    let result = try repository.history("--html", "h.html")
    #expect(result.code == 0)
    #expect(result.stdout.hasPrefix("h.html: 4 commits, "))
    let page = try String(decoding: repository.folder.read("h.html"), as: UTF8.self)
    #expect(page.contains("<title>A.xcassets</title>") && page.contains("Add a moon"))
  }

  // MARK: Repositories that cannot be read

  @Test func aFolderInNoRepositoryIsRefused() throws {
    let folder = try TemporaryDirectory()
    let result = try runTool(
      ["history", "A.xcassets"], in: folder.path,
      environment: ["GIT_CEILING_DIRECTORIES": folder.path])
    #expect(result.code == 1)
    #expect(
      result.stderr.hasPrefix(
        "carve history: error: . lies in no git repository that can be read: "
          + "not a git repository "))
  }

  @Test func tracesOfGitAreNoAnswers() throws {
    let repository = try Repository.sample()
    let traced = try repository.history("--json", environment: ["GIT_TRACE": "1"])
    #expect(try traced.stdout == repository.history("--json").stdout)
  }

  @Test func aMissingGitIsNamed() throws {
    let result = try Repository.sample().history(environment: ["PATH": "/nowhere"])
    #expect(result.code == 1)
    #expect(
      result.stderr == "carve history: error: git is not installed, or lies in no folder of PATH\n")
  }

  @Test func anUnknownRevisionIsNamed() throws {
    let result = try Repository.sample().history("--from", "v9")
    #expect(
      result.code == 1
        && result.stderr == "carve history: error: the repository has no commit 'v9'\n")
  }

  @Test func aShallowCloneIsSaid() throws {
    let repository = try Repository.sample()
    let clone = try TemporaryDirectory()
    try runGit(
      ["clone", "-q", "--depth", "2", "file://\(repository.folder.path)", "."], in: clone)
    let words = ["history", "App/A.xcassets"]
    let result = try runTool(words, in: clone.path)
    #expect(result.stdout.contains(": 2 commits, "))
    #expect(result.stdout.contains("The clone is shallow: it has no older commits; "))
    #expect(try runTool(words + ["--json"], in: clone.path).object()["isCut"] as? Bool == true)
    // The commits that were asked for are all there.
    let few = try runTool(words + ["--commits", "2"], in: clone.path)
    #expect(!few.stdout.contains("shallow"))
  }

  @Test func catalogsOfTwoRepositoriesAreRefused() throws {
    let repository = try Repository.sample()
    let other = try Repository.sample()
    let result = try repository.history("\(other.folder.path)/App/A.xcassets")
    #expect(result.code == 2 && result.stderr.contains("lie in different repositories"))
  }

  @Test func filesOfLargeFileStorageAreReadFromTheClone() throws {
    let repository = try Repository.sample()
    let picture = "App/A.xcassets/Moon.imageset/2.png"
    let digest = "4d7a214614ab2935c943f9e0ff69d22eadbb8f32b1258daaa5e2ca24d17e2393"
    let bytes = try repository.folder.read(picture)
    let before = try repository.history("--json").list("commits")[3]["bytes"] as? Int
    try repository.folder.write(
      """
      version https://git-lfs.github.com/spec/v1
      oid sha256:\(digest)
      size \(bytes.count)

      """, to: picture)
    try repository.commit("Store pictures elsewhere")
    let missing = try repository.history()
    #expect(missing.code == 1)
    #expect(missing.stderr.contains("does not have the file \(digest) of Git LFS"))
    try repository.folder.write(bytes, to: ".git/lfs/objects/4d/7a/\(digest)")
    let commits = try repository.history("--json").list("commits")
    #expect(commits[4]["bytes"] as? Int == before)
  }

  @Test func linksWithinACatalogAreFollowed() throws {
    let repository = try Repository.sample()
    let picture = "App/A.xcassets/Moon.imageset/2.png"
    let before = try repository.history("--json").list("commits")[3]["bytes"] as? Int
    let bytes = try repository.folder.read(picture)
    try repository.folder.write(bytes, to: "App/A.xcassets/Moon.imageset/real.png")
    try FileManager.default.removeItem(atPath: repository.folder.path(picture))
    try FileManager.default.createSymbolicLink(
      atPath: repository.folder.path(picture), withDestinationPath: "../Moon.imageset/./real.png")
    try repository.commit("Link")
    let commits = try repository.history("--json").list("commits")
    #expect(commits[4]["bytes"] as? Int == before, "\(commits[4])")
  }

  @Test func theReasonIsSaidIfNoCommitCompiles() throws {
    let folder = try TemporaryDirectory()
    try runGit(["init", "-q"], in: folder)
    try folder.write("{", to: "A.xcassets/B.imageset/Contents.json")
    try runGit(["add", "-A"], in: folder)
    try runGit(["commit", "-q", "-m", "Begin"], in: folder)
    let result = try runTool(["history", "A.xcassets"], in: folder.path)
    #expect(result.code == 1)
    #expect(result.stderr.contains("no commit has a catalogue that compiles; the last one: "))
    #expect(result.stderr.contains("B.imageset/Contents.json"), "\(result.stderr)")
  }

  @Test func aNameThatNoCommitHasGetsASuggestion() throws {
    let repository = try Repository.sample()
    let result = try runTool(["history", "App/B.xcassets"], in: repository.folder.path)
    #expect(result.code == 4)
    #expect(
      result.stderr.contains(#"commits has "App/B.xcassets"; did you mean 'A.xcassets'?"#),
      "\(result.stderr)")
    try repository.folder.write("{}", to: "App/B.xcassets/Contents.json")
    let new = try runTool(["history", "App/B.xcassets"], in: repository.folder.path)
    #expect(new.code == 4 && new.stderr.contains("; commit it first"), "\(new.stderr)")
  }

  @Test func ofAMergeTheFirstParentIsFollowed() throws {
    let repository = try Repository.sample()
    try runGit(["checkout", "-q", "-b", "side"], in: repository.folder)
    try repository.write("Sun", side: 30, red: 50)
    try repository.commit("Add a sun")
    try repository.write("Sun", side: 31, red: 50)
    try repository.commit("Change the sun")
    try runGit(["checkout", "-q", "-"], in: repository.folder)
    try runGit(["merge", "-q", "--no-ff", "-m", "Merge side", "side"], in: repository.folder)
    let subjects = try repository.history("--json").list("commits").map { $0["subject"] as? String }
    #expect(subjects.suffix(2) == ["Add a moon", "Merge side"])
  }
}
