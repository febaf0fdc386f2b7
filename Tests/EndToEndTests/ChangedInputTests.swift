// Tests commands whose input another program changes while they read it, and commands that are
// asked to end: no output is written, and nothing is left behind.

import Foundation
import Glibc
import Support
import Testing

@Suite struct ChangedInputTests {
  private let folder: TemporaryDirectory

  init() throws { folder = try TemporaryDirectory() }

  /// Writes an archive with a picture.
  private func writeArchive() throws {
    try folder.write(
      #"{ "images" : [ { "idiom" : "universal", "filename" : "a.png" } ] }"#,
      to: "A.xcassets/A.imageset/Contents.json")
    try folder.write(noise(side: 400), to: "A.xcassets/A.imageset/a.png")
    try folder.copy(folder.path("A.xcassets/A.imageset"), to: "A.xcassets/B.imageset")
    #expect(try runTool(["compile", "A.xcassets", "-o", "a.car"], in: folder.path).code == 0)
    // The clock for files moves in steps. A tool that reads a new file waits for the next one.
    usleep(30_000)
  }

  private func noise(side: Int) -> [UInt8] {
    var random = SeededGenerator(seed: 1)
    return png(width: side, height: side, color: .rgba, samples: random.bytes(side * side * 4))
  }

  private func start(_ words: [String]) throws -> Process {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: productFolder + "/carve")
    process.arguments = words
    process.currentDirectoryURL = URL(fileURLWithPath: folder.path)
    process.environment = programVariables()
    _ = try folder.write("", to: "errors")
    process.standardError = try FileHandle(
      forWritingTo: URL(fileURLWithPath: folder.path("errors")))
    process.standardOutput = FileHandle.nullDevice
    // The threads of tests hold all signals, and a program inherits this.
    var none = sigset_t()
    var held = sigset_t()
    sigemptyset(&none)
    pthread_sigmask(SIG_SETMASK, &none, &held)
    defer { pthread_sigmask(SIG_SETMASK, &held, nil) }
    try process.run()
    return process
  }

  /// The ways in which another program changes the archive. The last one replaces the file, as
  /// Carve does, and the command keeps the old one.
  enum Change: CaseIterable { case isCut, isRewritten, isReplaced }

  /// Reads a pipe until the writing process has ended.
  private func read(_ pipe: String, from process: Process) -> [UInt8] {
    let descriptor = open(folder.path(pipe), O_RDONLY | O_NONBLOCK)
    defer { close(descriptor) }
    var written: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let isLast = !process.isRunning
      let count = Glibc.read(descriptor, &piece, piece.count)
      if count > 0 { written += piece[..<count] } else if isLast { return written }
      if count <= 0 { usleep(500) }
    }
  }

  /// The tool maps its input, and then waits until a reader opens the pipe that is its output.
  @Test(arguments: Change.allCases)
  func `an input that changes while it is read is an error`(change: Change) throws {
    try writeArchive()
    #expect(mkfifo(folder.path("out"), 0o600) == 0)
    let process = try start(["edit", "a.car", "-o", "out", "--remove", "B"])
    defer {
      kill(process.processIdentifier, SIGKILL)
      process.waitUntilExit()
    }
    let maps = "/proc/\(process.processIdentifier)/maps"
    while process.isRunning {
      if let text = try? String(contentsOfFile: maps, encoding: .utf8), text.contains("a.car") {
        break
      }
      usleep(500)
    }
    let bytes = try folder.read("a.car")
    switch change {
    case .isCut: #expect(truncate(folder.path("a.car"), 4096) == 0)
    case .isRewritten:
      let file = try FileHandle(forUpdating: URL(fileURLWithPath: folder.path("a.car")))
      usleep(50_000)
      try file.write(contentsOf: Data(bytes.suffix(9)))
      try file.close()
    case .isReplaced:
      try folder.write([UInt8](repeating: 7, count: 99), to: "new.car")
      #expect(rename(folder.path("new.car"), folder.path("a.car")) == 0)
    }
    let written = read("out", from: process)
    process.waitUntilExit()
    let errors = String(decoding: try folder.read("errors"), as: UTF8.self)
    #expect(process.terminationReason == .exit)
    if change == .isReplaced {
      #expect(process.terminationStatus == 0 && !written.isEmpty, "\(errors)")
      return
    }
    #expect(process.terminationStatus == 4 && written.isEmpty)
    #expect(
      errors.hasSuffix("error: a.car changed while it was read; run the command again\n"),
      "\(errors)")
  }

  /// The folder is complete only after the catalogue is compiled, which takes long.
  @Test(arguments: [SIGTERM, SIGINT, SIGHUP])
  func `a request to end leaves no unfinished folder`(request: Int32) throws {
    try folder.write(noise(side: 1_600), to: "in/a.png")
    try FileManager.default.createDirectory(
      atPath: folder.path("out"), withIntermediateDirectories: false)
    let process = try start(["adopt", "in", "-o", "out/New.xcassets"])
    while process.isRunning,
      try FileManager.default.contentsOfDirectory(atPath: folder.path("out")).isEmpty
    {
      usleep(500)
    }
    kill(process.processIdentifier, request)
    process.waitUntilExit()
    #expect(process.terminationReason == .uncaughtSignal, "it was done before it was asked to end")
    #expect(process.terminationStatus == request)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path("out")) == [])
  }
}
