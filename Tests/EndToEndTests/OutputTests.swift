// Tests that an output is complete or unchanged, whenever the tool is stopped and for every kind of
// file in its place.

import Foundation
import Support
import Testing

@Suite struct OutputTests {
  private let sizes = sampleCatalogs + "/SizeClasses.xcassets"

  /// Each way to pass an archive on, compared with the same archive in a file. The pipe contains
  /// nothing else.
  @Test(arguments: [
    "compile CATALOG -o /dev/stdout | cat >piped.car",
    "compile CATALOG -o >(cat >piped.car) ; wait $!",
    "compile CATALOG -o fifo & cat fifo >piped.car; wait",
    "compile CATALOG -o /dev/stdout >piped.car",
    "compile CATALOG -o /dev/stdout --device iPhone8,1 | cat >thin.car; cp whole.car piped.car",
  ])
  func aPipeGetsTheWholeArchive(words: String) throws {
    let folder = try TemporaryDirectory()
    #expect(try runTool(["compile", sizes, "-o", "whole.car"], in: folder.path).code == 0)
    let script = words.replacingOccurrences(
      of: "compile CATALOG", with: "'\(productFolder)/carve' compile '\(sizes)'")
    let result = try run(
      "/bin/bash", ["-c", "mkfifo fifo; \(script)"], in: folder.path,
      environment: ["PATH": "/usr/bin:/bin"])
    #expect(result.code == 0, "\(result.stderr)")
    #expect(try folder.read("piped.car") == folder.read("whole.car"))
    if words.contains("--device") {
      let thin = ["thin", "whole.car", "-o", "later.car", "--device", "iPhone8,1"]
      #expect(try runTool(thin, in: folder.path).code == 0)
      #expect(try folder.read("thin.car") == folder.read("later.car"))
    }
    #expect(try folder.files(below: ".").allSatisfy { !$0.contains(".carve") })
  }

  /// The output is a link to standard output, which is a file without a name in these tests. Only
  /// the link itself could be replaced.
  @Test func aFileWithoutANameGetsTheWholeArchive() throws {
    let folder = try TemporaryDirectory()
    #expect(try runTool(["compile", sizes, "-o", "whole.car"], in: folder.path).code == 0)
    try FileManager.default.createSymbolicLink(
      atPath: folder.path("stdout"), withDestinationPath: "/proc/self/fd/1")
    let result = try runTool(["compile", sizes, "-o", "stdout"], in: folder.path)
    #expect(result.code == 0 && result.stderr.contains("stdout: 2 names"), "\(result.stderr)")
    #expect(try result.output == folder.read("whole.car"))
    let end = try FileManager.default.destinationOfSymbolicLink(atPath: folder.path("stdout"))
    #expect(end == "/proc/self/fd/1")
  }

  @Test func aPipeWithoutAReaderIsAnError() throws {
    let folder = try TemporaryDirectory()
    let tool = "'\(productFolder)/carve' compile '\(sizes)' -o /dev/stdout"
    let result = try run("/bin/bash", ["-c", "set -o pipefail; \(tool) | true"], in: folder.path)
    #expect(result.code == 4 || result.code == 0, "\(result.stderr)")
    #expect(result.code == 0 || result.stderr.contains("cannot write"), "\(result.stderr)")
    let proof = try runTool([
      "thin", sizes, "--device", "iPhone8,1", "--prove", "-o", "/dev/null",
    ])
    #expect(proof.code == 2 && proof.stderr.contains("/dev/null cannot hold an archive"))
  }

  @Test func aLinkStaysALinkToTheNewArchive() throws {
    let folder = try TemporaryDirectory()
    try folder.write("old", to: "builds/real.car")
    try FileManager.default.createSymbolicLink(
      atPath: folder.path("out.car"), withDestinationPath: "builds/real.car")
    #expect(try runTool(["compile", sizes, "-o", "out.car"], in: folder.path).code == 0)
    let target = try FileManager.default.destinationOfSymbolicLink(atPath: folder.path("out.car"))
    #expect(target == "builds/real.car")
    #expect(try folder.read("builds/real.car").starts(with: "BOMStore".utf8))
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path("builds")).count == 1)
  }

  @Test func aReplacedFileKeepsItsPermissions() throws {
    let folder = try TemporaryDirectory()
    try folder.write("old", to: "out.car")
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o640], ofItemAtPath: folder.path("out.car"))
    #expect(try runTool(["compile", sizes, "-o", "out.car"], in: folder.path).code == 0)
    #expect(try permissions(folder.path("out.car")) == 0o640)
  }

  @Test(arguments: ["022", "077", "002"]) func aNewFileObeysTheUmask(mask: String) throws {
    let folder = try TemporaryDirectory()
    let command = "umask \(mask); exec '\(productFolder)/carve' compile '\(sizes)' -o out.car"
    #expect(try run("/bin/sh", ["-c", command], in: folder.path).code == 0)
    let allowed = 0o666 & ~(try #require(Int(mask, radix: 8)))
    #expect(try permissions(folder.path("out.car")) == allowed)
  }

  @Test func oddNamesReachMake() throws {
    let names = ["a b.png", "a#b.png", "a$b.png", #"a\b.png"#, "a:b.png", #"a\ b.png"#]
    for name in names {
      let folder = try TemporaryDirectory()
      try folder.write(
        #"{ "images" : [ { "idiom" : "universal", "filename" : "\#(jsonEscaped(name))" } ] }"#,
        to: "A.xcassets/A.imageset/Contents.json")
      let picture = try folder.write(
        png(width: 4, height: 4), to: "A.xcassets/A.imageset/\(name)")
      let compiled = try runTool(
        ["compile", "A.xcassets", "-o", "a.car", "--depfile", "a.d"], in: folder.path)
      #expect(compiled.code == 0)
      try folder.write("a.car:\n\t@/bin/echo again\n", to: "rule.mk")
      let make = ["-s", "-f", "a.d", "-f", "rule.mk", "a.car"]
      let before = try run("/usr/bin/make", make, in: folder.path)
      #expect(before.code == 0 && !before.stdout.hasPrefix("again"), "\(name): \(before.stderr)")
      try FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSinceNow: 60)], ofItemAtPath: picture)
      let after = try run("/usr/bin/make", make, in: folder.path)
      #expect(after.stdout == "again\n", "\(name): \(after.stderr)")
    }
  }

  /// The rule of the README, and a rule that thins: make runs each once for each change.
  @Test(arguments: [
    "compile A.xcassets -o a.car", "compile A.xcassets -o a.car --device iPhone8,1",
    "thin A.xcassets -o a.car --device iPhone8,1",
  ])
  func makeIsContentWithAnArchiveThatWasTouched(words: String) throws {
    let folder = try TemporaryDirectory()
    try folder.copy(sizes, to: "A.xcassets")
    let rule = "a.car: A.xcassets/Star.imageset/Contents.json\n\t'\(productFolder)/carve' \(words)"
    let touching = try folder.write("\(rule) --touch\n", to: "touching.mk")
    let plain = try folder.write("\(rule)\n", to: "plain.mk")
    func make(_ file: String) throws -> Bool {
      let made = try run("/usr/bin/make", ["-f", file, "a.car"], in: folder.path)
      #expect(made.code == 0, "\(made.stderr)")
      return !made.stdout.contains("up to date")
    }
    #expect(try make(plain))
    // This imitates a checkout that writes the same bytes again.
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSince1970: 1)], ofItemAtPath: folder.path("a.car"))
    #expect(try make(plain))
    #expect(try make(plain), "the default no longer leaves the same bytes untouched")
    #expect(try make(touching))
    #expect(try !make(touching))
  }

  @Test func aNameThatMakeCannotSayLeavesTheRuleSound() throws {
    let folder = try TemporaryDirectory()
    try folder.write(
      #"{ "images" : [ { "idiom" : "universal", "filename" : "a\nb.png" } ] }"#,
      to: "A.xcassets/A.imageset/Contents.json")
    try folder.write(png(width: 4, height: 4), to: "A.xcassets/A.imageset/a\nb.png")
    let words = ["compile", "A.xcassets", "-o", "a.car", "--depfile", "a.d"]
    #expect(try runTool(words, in: folder.path).code == 0)
    let made = try run("/usr/bin/make", ["-s", "-f", "a.d", "a.car"], in: folder.path)
    #expect(made.code == 0, "\(made.stderr)")
  }

  /// The unfinished file has no name if the system supports that; it is deleted with the process.
  @Test func aKillWhileWritingLeavesTheOldArchiveAndNothingElse() throws {
    let folder = try TemporaryDirectory()
    try writeNoise(to: folder)
    try folder.write("old", to: "out/a.car")
    let process = Process()
    process.executableURL = URL(fileURLWithPath: productFolder + "/carve")
    process.arguments = ["compile", "A.xcassets", "-o", "out/a.car", "--jobs", "1"]
    process.currentDirectoryURL = URL(fileURLWithPath: folder.path)
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    var unfinished: UnfinishedFile?
    while process.isRunning, unfinished == nil {
      usleep(500)
      unfinished = UnfinishedFile(of: process.processIdentifier, in: folder.path("out"))
    }
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
    #expect(process.terminationReason == .uncaughtSignal, "it was done before it was killed")
    #expect(try folder.read("out/a.car") == Array("old".utf8))
    let left = try FileManager.default.contentsOfDirectory(atPath: folder.path("out"))
    let isNamed = try #require(unfinished).isNamed
    #expect(left.filter { !isNamed || $0 == "a.car" } == ["a.car"])
    // The files that a killed run left do not disturb the next run.
    #expect(try runTool(["compile", sizes, "-o", "out/a.car"], in: folder.path).code == 0)
  }

  @Test(arguments: [
    ["compile", "A.xcassets", "-o", "a.car", "--device", "iPhone8,1"],
    ["thin", "A.xcassets", "-o", "a.car", "--device", "iPhone8,1"],
    ["diff", "A.xcassets", "A.xcassets"],
  ]) func aKillAtAnyMomentLeavesNothingInTheTemporaryFolder(words: [String]) throws {
    let folder = try TemporaryDirectory()
    try writeNoise(to: folder, pictures: 8)
    try FileManager.default.createDirectory(
      atPath: folder.path("tmp"), withIntermediateDirectories: false)
    let environment = ["TMPDIR": folder.path("tmp")]
    let start = Date()
    #expect(try runTool(words, in: folder.path, environment: environment).code == 0)
    let whole = Date().timeIntervalSince(start)
    var random = SeededGenerator.forTest(7)
    for _ in 0..<6 {
      let process = Process()
      process.executableURL = URL(fileURLWithPath: productFolder + "/carve")
      process.arguments = words
      process.currentDirectoryURL = URL(fileURLWithPath: folder.path)
      process.environment = programVariables(environment)
      process.standardOutput = FileHandle.nullDevice
      process.standardError = FileHandle.nullDevice
      try process.run()
      Thread.sleep(forTimeInterval: Double.random(in: 0...whole, using: &random))
      kill(process.processIdentifier, SIGKILL)
      process.waitUntilExit()
      let left = try FileManager.default.contentsOfDirectory(atPath: folder.path("tmp"))
      #expect(left == [], "\(random)")
    }
  }

  @Test(
    .enabled(
      if: ProcessInfo.processInfo.environment["CARVE_SANITIZER"] != "thread",
      "the thread sanitizer writes files of its own, longer than the test allows"),
    arguments: ["missing", "tmp"])
  func faultsOfTheTemporaryFolderAreReported(name: String) throws {
    let folder = try TemporaryDirectory()
    try writeNoise(to: folder)
    try folder.write("", to: "tmp/file")
    // No file may be longer than 32 KiB; for the tool this is like a full disk.
    let command = """
      ulimit -f 64
      exec '\(productFolder)/carve' diff A.xcassets A.xcassets
      """
    let result = try run(
      "/bin/sh", ["-c", command], in: folder.path, environment: ["TMPDIR": folder.path(name)])
    #expect(result.code == 4, "\(result.stdout)")
    #expect(result.stderr.contains("a temporary file in \(folder.path(name)): cannot "))
    #expect(!FileManager.default.fileExists(atPath: folder.path("missing")))
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path("tmp")) == ["file"])
  }
}

/// Writes a catalogue whose archive has about two megabytes, an eighth of a megabyte for each
/// picture.
private func writeNoise(to folder: TemporaryDirectory, pictures: Int = 16) throws {
  var random = SeededGenerator(seed: 1)
  var noise = random.bytes(200 * 200 * 4)
  for number in 0..<pictures {
    noise[0] = UInt8(number)
    let set = "A.xcassets/\(number).imageset"
    try folder.write(
      #"{ "images" : [ { "idiom" : "universal", "filename" : "a.png" } ] }"#,
      to: "\(set)/Contents.json")
    try folder.write(
      png(width: 200, height: 200, color: .rgba, samples: noise), to: "\(set)/a.png")
  }
}

private func permissions(_ path: String) throws -> Int {
  let attributes = try FileManager.default.attributesOfItem(atPath: path)
  return try #require(attributes[.posixPermissions] as? Int)
}

private func jsonEscaped(_ text: String) -> String {
  text.replacingOccurrences(of: #"\"#, with: #"\\"#)
}

/// A file in a folder that a process has begun to write.
private struct UnfinishedFile {
  let isNamed: Bool

  init?(of process: Int32, in folder: String) {
    let descriptors = "/proc/\(process)/fd"
    for name in (try? FileManager.default.contentsOfDirectory(atPath: descriptors)) ?? [] {
      let place = "\(descriptors)/\(name)"
      guard let path = try? FileManager.default.destinationOfSymbolicLink(atPath: place),
        path.contains(folder + "/"), !path.hasSuffix("a.car"), (size(of: place) ?? 0) > 0
      else { continue }
      isNamed = !path.hasSuffix("(deleted)")
      return
    }
    return nil
  }
}

private func size(of path: String) -> Int? {
  var status = stat()
  return stat(path, &status) == 0 ? Int(status.st_size) : nil
}
