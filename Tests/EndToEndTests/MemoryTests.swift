// Tests the memory of a compilation: pictures are freed, and little remains for each set.

import Foundation
import Glibc
import Support
import Testing

/// A sanitizer allocates memory of its own, so these tests do not run under one.
@Suite(.enabled(if: ProcessInfo.processInfo.environment["CARVE_SANITIZER"] == nil))
struct MemoryTests {
  private func catalog(_ folder: TemporaryDirectory, _ name: String, sets: Int) throws {
    try folder.write(#"{"info": {"version": 1, "author": "x"}}"#, to: "\(name)/Contents.json")
    for number in 0..<sets {
      let set = "\(name)/Picture\(number).imageset"
      for scale in 1...3 {
        let samples = [UInt8](repeating: UInt8(truncatingIfNeeded: number), count: 16)
        try folder.write(
          png(width: 2, height: 2, color: .rgba, samples: samples), to: "\(set)/a@\(scale)x.png")
      }
      let entries = (1...3).map {
        #"{"idiom": "universal", "filename": "a@\#($0)x.png", "scale": "\#($0)x"}"#
      }
      try folder.write(
        #"{"images": [\#(entries.joined(separator: ", "))], "info": {"version": 1, "author": "x"}}"#,
        to: "\(set)/Contents.json")
    }
  }

  /// Each set has three pictures with their paths, renditions, places in the archive, and records.
  @Test func memoryGrowsLittleWithTheSets() throws {
    let folder = try TemporaryDirectory()
    try catalog(folder, "Few.xcassets", sets: 200)
    try catalog(folder, "Many.xcassets", sets: 2_200)
    for (more, most) in [([], 4_000), (["--cache", folder.path("kept")], 6_200)] {
      let few = try memory(compiling: "Few.xcassets", in: folder, more)
      let many = try memory(compiling: "Many.xcassets", in: folder, more)
      #expect((many - few) / 2_000 < most, "\(more): \(few) bytes for 200 sets, \(many) for 2,200")
    }
  }

  /// A picture that waits for its atlas must not keep the buffer of a larger one that was decoded
  /// before it.
  @Test func smallPicturesWaitInTheirOwnRoom() throws {
    let folder = try TemporaryDirectory()
    let large = png(width: 500, height: 500, red: 1)
    for (catalog, hasSmall) in [("Large.xcassets", false), ("Both.xcassets", true)] {
      try folder.write(#"{"info": {"version": 1, "author": "x"}}"#, to: "\(catalog)/Contents.json")
      for number in 100..<140 {
        try write(large, "\(catalog)/Picture\(number) large.imageset", in: folder)
        if hasSmall {
          let small = png(width: 20, height: 20, green: UInt8(number))
          try write(small, "\(catalog)/Picture\(number) small.imageset", in: folder)
        }
      }
    }
    let alone = try memory(compiling: "Large.xcassets", in: folder)
    let both = try memory(compiling: "Both.xcassets", in: folder)
    // The small pictures have 64 KB, each large one has a million bytes.
    #expect(both - alone < 4_000_000, "\(alone) bytes without small pictures, \(both) with them")
  }

  /// Pictures that exceed the room for waiting pictures are decoded again when their atlas is
  /// drawn.
  @Test func waitingPicturesKeepToTheirRoom() throws {
    let folder = try TemporaryDirectory()
    try folder.write(#"{"info": {"version": 1, "author": "x"}}"#, to: "A.xcassets/Contents.json")
    for number in 0..<300 {
      // Pixels that repeat would take less memory while they wait.
      let picture = noisePNG(side: 128, seed: UInt64(number))
      try write(picture, "A.xcassets/Picture\(number).imageset", in: folder)
    }
    // The pictures have 20 MB of pixels.
    let much = try memory(compiling: "A.xcassets", in: folder, ["--memory", "512"])
    let little = try memory(compiling: "A.xcassets", in: folder, ["--memory", "3"])
    #expect(much - little > 12_000_000, "\(much) bytes with room for all, \(little) without")
  }

  /// The layers of a group are drawn one after another. A layer of a bitmap of 1,024 pixels on
  /// each side takes 16 MB.
  @Test func layersOfAnIconAreNotKept() throws {
    let folder = try TemporaryDirectory()
    for (name, count) in [("Few", 2), ("Many", 14)] {
      let layer = #"{"image-name": "a.svg", "glass": true}"#
      let layers = [String](repeating: layer, count: count).joined(separator: ", ")
      try folder.write(
        #"{"fill": "automatic", "groups": [{"layers": [\#(layers)]}]}"#,
        to: "\(name).icon/icon.json")
      try folder.write(
        #"""
        <svg xmlns="http://www.w3.org/2000/svg" width="1024" height="1024">\
        <circle cx="512" cy="512" r="400"/></svg>
        """#, to: "\(name).icon/Assets/a.svg")
    }
    let few = try memory(compiling: "Few.icon", in: folder, ["--app-icon", "Few"])
    let many = try memory(compiling: "Many.icon", in: folder, ["--app-icon", "Many"])
    #expect(many - few < 48_000_000, "\(few) bytes for 2 layers, \(many) for 14")
  }

  private func write(_ picture: [UInt8], _ set: String, in folder: TemporaryDirectory) throws {
    try folder.write(picture, to: "\(set)/a.png")
    try folder.write(
      #"{"images": [{"idiom": "universal", "filename": "a.png"}], "info": {"version": 1, "author": "x"}}"#,
      to: "\(set)/Contents.json")
  }

  /// Returns the most memory that a run used, in bytes: the most of three runs, because the last
  /// reading can be long before the end of a short run. Each run starts with an empty cache.
  private func memory(
    compiling catalog: String, in folder: TemporaryDirectory, _ options: [String] = []
  ) throws -> Int {
    try (0..<3).map { _ in
      try? FileManager.default.removeItem(atPath: folder.path("kept"))
      return try memoryOfRun(compiling: catalog, in: folder, options)
    }.max() ?? 0
  }

  /// Returns the most memory that was read. The figure of the system at the end of a process
  /// includes that of its parent, so this reads the figure while the process runs.
  private func memoryOfRun(
    compiling catalog: String, in folder: TemporaryDirectory, _ options: [String]
  ) throws -> Int {
    let tool = ["compile", folder.path(catalog), "-o", folder.path("out.car"), "-j", "1"] + options
    let words = ["sh", "-c", #"exec "$@" >/dev/null"#, "sh", productFolder + "/carve"] + tool
    var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) }
    defer { for argument in arguments { free(argument) } }
    arguments.append(nil)
    var process: pid_t = 0
    try #require(posix_spawn(&process, "/bin/sh", nil, nil, arguments, environ) == 0)
    var most = 0
    var status: Int32 = 0
    while waitpid(process, &status, WNOHANG) == 0 {
      most = max(most, mostMemory(of: process) ?? 0)
      usleep(300)
    }
    #expect(status == 0)
    return most
  }

  private func mostMemory(of process: pid_t) -> Int? {
    let status = try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
    let line = status?.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
    return line?.split(separator: " ").dropFirst().first.flatMap { Int($0) }.map { $0 * 1024 }
  }
}
