// Tests `carve compile --watch` as it is used: a process that runs while files change.

import Foundation
import Glibc
import Support
import Testing

@Suite(.serialized) struct WatchTests {
  private let folder: TemporaryDirectory

  init() throws {
    folder = try TemporaryDirectory()
    try folder.write(#"{"info": {"version": 1, "author": "x"}}"#, to: "A.xcassets/Contents.json")
    for (name, side) in [("Small", 20), ("Large", 230)] {
      try paint(name, side, 0)
      try describe(name)
    }
  }

  private func paint(_ name: String, _ side: Int, _ seed: UInt8, to file: String? = nil) throws {
    try folder.write(
      patternPNG(width: side, height: side, seed: seed),
      to: file ?? "A.xcassets/\(name).imageset/a.png")
  }

  private func describe(_ name: String) throws {
    try folder.write(
      #"{"images": [{"idiom": "universal", "filename": "a.png", "scale": "2x"}], "#
        + #""info": {"version": 1, "author": "x"}}"#,
      to: "A.xcassets/\(name).imageset/Contents.json")
  }

  private func shell(_ script: String) throws {
    let result = try run(
      "/bin/sh", ["-c", script], in: folder.path, environment: ["PATH": "/usr/bin:/bin"])
    #expect(result.code == 0, "\(result.stderr)")
  }

  private func start(
    _ more: [String] = ["--cache", "kept"], catalog: String = "A.xcassets",
    environment: [String: String] = [:]
  ) throws -> Process {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: productFolder + "/carve")
    process.arguments = ["compile", catalog, "-o", "out.car", "--watch"] + more
    process.currentDirectoryURL = URL(fileURLWithPath: folder.path)
    process.environment = programVariables(environment)
    try folder.write("", to: "said")
    let said = try FileHandle(forWritingTo: URL(fileURLWithPath: folder.path("said")))
    process.standardOutput = said
    process.standardError = said
    try process.run()
    return process
  }

  /// Waits until the tool has printed a text after a number of bytes. Returns the output after
  /// these bytes.
  private func wait(for text: String, after count: Int) throws -> String {
    for _ in 0..<15_000 {
      let said = String(decoding: try folder.read("said").dropFirst(count), as: UTF8.self)
      if said.contains(text) { return said }
      usleep(2_000)
    }
    let said = String(decoding: try folder.read("said"), as: UTF8.self)
    Issue.record("\(text) was not said: \(said)")
    return said
  }

  private func expectCleanBytes(_ step: String, catalog: String = "A.xcassets") throws {
    let clean = try runTool(["compile", catalog, "-o", "clean.car"], in: folder.path)
    #expect(clean.code == 0)
    #expect(try folder.read("out.car") == folder.read("clean.car"), "\(step)")
  }

  /// The edits, and the expected output after each.
  private static let edits: [(script: String, said: String)] = [
    ("cp large A.xcassets/Large.imageset/a.png", "~ Large: 2x\n"),
    // Editors write a new file and then rename it.
    (
      "cp small A.xcassets/Small.imageset/a.png~; mv A.xcassets/Small.imageset/a.png~ "
        + "A.xcassets/Small.imageset/a.png", "~ Small: 2x\n"
    ),
    ("mv A.xcassets/Large.imageset A.xcassets/Huge.imageset", "+ Huge\n  - Large\n"),
    ("mkdir -p A.xcassets/In; mv A.xcassets/Huge.imageset A.xcassets/In/", "In/Huge"),
    ("cp -r A.xcassets/Small.imageset A.xcassets/Third.imageset", "+ Third\n"),
    // The folder was created while the tool was watching.
    ("cp other A.xcassets/Third.imageset/a.png", "~ Third: 2x\n"),
    ("rm -r A.xcassets/Third.imageset", "- Third\n"),
    ("mv A.xcassets B", "cannot read A.xcassets"),
    ("mv B A.xcassets", "out.car: "),
    ("cp large A.xcassets/Small.imageset/a.png", "~ Small: 2x\n"),
  ]

  @Test func everyChangeIsFollowed() throws {
    try paint("Large", 230, 9, to: "large")
    try paint("Small", 20, 9, to: "small")
    try paint("Small", 20, 99, to: "other")
    try folder.write(#"{"properties": {"provides-namespace": true}}"#, to: "group.json")
    let process = try start()
    defer {
      kill(process.processIdentifier, SIGKILL)
      process.waitUntilExit()
    }
    _ = try wait(for: "watching A.xcassets; interrupt to end\n", after: 0)
    try expectCleanBytes("at first")
    for (script, said) in Self.edits {
      let count = try folder.read("said").count
      try shell(
        script.contains("/In;") ? "\(script); cp group.json A.xcassets/In/Contents.json" : script)
      _ = try wait(for: said, after: count)
      // The output is printed when the archive is in place.
      if !said.contains("cannot") { try expectCleanBytes(script) }
    }
    kill(process.processIdentifier, SIGTERM)
    process.waitUntilExit()
    #expect(process.terminationReason == .exit && process.terminationStatus == 0)
    #expect(try folder.files(below: ".").filter { $0.contains(".carve-") }.isEmpty)
  }

  /// A catalogue behind a link, in which a set is a link, too.
  private static let linkEdits: [(script: String, said: String)] = [
    ("cp large one/Large.imageset/a.png", "~ Large: 2x\n"),
    // The link leads to another set.
    ("ln -sfn ../two/Large.imageset A.xcassets/Large.imageset", "~ Large: 2x\n"),
    ("cp large two/Large.imageset/a.png", "~ Large: 2x\n"),
    // A picture becomes a link, and the file that it leads to changes.
    ("mv A.xcassets/Small.imageset/a.png two/small.png", "- Small\n"),
    ("ln -s ../../two/small.png A.xcassets/Small.imageset/a.png", "out.car: "),
    ("cp small two/small.png", "~ Small: 2x\n"),
    // A folder on the path is renamed and renamed back.
    ("mv above beside", "cannot read above/current/A.xcassets"),
    ("mv beside above", "out.car: "),
    // A link on the path leads to another folder.
    ("ln -sfn ../three above/current", "- Large\n"),
    ("cp large three/A.xcassets/Small.imageset/a.png", "~ Small: 2x\n"),
  ]

  @Test func linksAndTheFoldersAboveAreFollowed() throws {
    try shell(
      """
      mkdir -p one two three/A.xcassets above
      cp -r A.xcassets/Contents.json A.xcassets/Small.imageset three/A.xcassets/
      cp -r A.xcassets/Large.imageset two/
      mv A.xcassets/Large.imageset one/
      ln -s ../one/Large.imageset A.xcassets/Large.imageset
      ln -s .. above/current
      """)
    try paint("Large", 230, 9, to: "large")
    try paint("Small", 20, 9, to: "small")
    try paint("Large", 230, 5, to: "two/Large.imageset/a.png")
    let catalog = "above/current/A.xcassets"
    let process = try start(catalog: catalog)
    defer {
      kill(process.processIdentifier, SIGKILL)
      process.waitUntilExit()
    }
    _ = try wait(for: "watching \(catalog); interrupt to end\n", after: 0)
    for (script, said) in Self.linkEdits {
      let count = try folder.read("said").count
      try shell(script)
      _ = try wait(for: said, after: count)
      if !said.contains("cannot") {
        try expectCleanBytes(script, catalog: catalog)
      }
      try paint("Large", 230, UInt8(truncatingIfNeeded: count), to: "large")
    }
  }

  /// If the system provides no watches, or none for one folder, the tool compares the files
  /// regularly.
  @Test(
    .enabled(if: FaultTests.hasTool("cc"), "cc is not installed"),
    .disabled(if: FaultTests.isSanitized, "a sanitizer has to be loaded first itself"),
    arguments: ["inotify_init1:EMFILE", "inotify_add_watch:ENOSPC", "inotify_add_watch:ENOMEM"])
  func withoutWatchesTheFilesAreLookedThrough(faults: String) throws {
    let built = try run(
      "/usr/bin/env",
      [
        "cc", "-shared", "-fPIC", "-o", folder.path("faults.so"),
        "\(packageRoot)/Tests/Faults/faults.c",
      ], environment: ["PATH": "/usr/local/bin:/usr/bin:/bin"])
    #expect(built.code == 0, "\(built.stderr)")
    let process = try start(
      environment: ["LD_PRELOAD": folder.path("faults.so"), "CARVE_FAULTS": faults])
    defer {
      kill(process.processIdentifier, SIGKILL)
      process.waitUntilExit()
    }
    var said = try wait(for: "watching A.xcassets; interrupt to end\n", after: 0)
    #expect(said.contains("warning: cannot watch "))
    #expect(said.contains("; the files are compared regularly instead\n"))
    for script in [
      "cp -r A.xcassets/Small.imageset A.xcassets/Third.imageset",
      "rm -r A.xcassets/Third.imageset",
    ] {
      let count = try folder.read("said").count
      try shell(script)
      said = try wait(for: " Third\n", after: count)
      // The warning is printed once.
      #expect(!said.contains("warning"))
      try expectCleanBytes(script)
    }
  }

  @Test func aCatalogueThatIsBrokenForAWhileLeavesTheArchive() throws {
    let process = try start(["--no-cache"])
    defer {
      kill(process.processIdentifier, SIGKILL)
      process.waitUntilExit()
    }
    _ = try wait(for: "watching", after: 0)
    let archive = try folder.read("out.car")
    var count = try folder.read("said").count
    try folder.write("{", to: "A.xcassets/Small.imageset/Contents.json")
    _ = try wait(for: "[json-syntax]", after: count)
    #expect(try folder.read("out.car") == archive)
    count = try folder.read("said").count
    try folder.write([1, 2, 3], to: "A.xcassets/Large.imageset/a.png")
    try describe("Small")
    _ = try wait(for: "error: ", after: count)
    #expect(try folder.read("out.car") == archive)
    count = try folder.read("said").count
    try paint("Large", 230, 5)
    #expect(try wait(for: "~ Large: 2x\n", after: count).contains("out.car: 2 names"))
    try expectCleanBytes("mended")
    // A shell makes the programs that it starts in the background ignore SIGINT.
    kill(process.processIdentifier, SIGTERM)
    process.waitUntilExit()
    #expect(process.terminationReason == .exit && process.terminationStatus == 0)
  }

  @Test(arguments: [
    (["--object"], "--watch writes archives; it cannot be used with --object"),
    (["--touch"], "--touch would itself be a change that --watch sees"),
    (["--timing=json"], "--timing=json and --timing=trace describe one run only"),
    (["--diagnostics", "sarif"], "--diagnostics sarif describes one run only"),
    (["-o", "/dev/null"], "/dev/null cannot hold an archive"),
  ])
  func contradictoryOptionsAreRefused(_ more: [String], _ words: String) throws {
    let output = more.contains("-o") ? [] : ["-o", "out.car"]
    let result = try runTool(["compile", "A.xcassets", "--watch"] + output + more, in: folder.path)
    #expect(result.code == 2 && result.stderr.contains(words), "\(result.stderr)")
    #expect(!FileManager.default.fileExists(atPath: folder.path("out.car")))
  }
}
