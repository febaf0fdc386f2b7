// Tests dependency files with make and ninja, for files with every character in their names: the
// named files are found, and no name breaks a rule.

import Foundation
import Support
import Testing

/// Returns the path of a command; nil if the machine does not have it.
private func place(of command: String) -> String? {
  ["/usr/bin/", "/bin/", "/usr/local/bin/"].map { $0 + command }.first {
    FileManager.default.isExecutableFile(atPath: $0)
  }
}

@Suite struct DepfileTests {
  private let folder: TemporaryDirectory
  /// The names of files that both programs read, and names that one of them divides or changes.
  private static let named = [
    "a b", "a#b", "a:b", "a$b", "a$$b", "a\\b", "a\\ b", "a!b", "a\"b", "a'b", "a&b", "a(b", "a)b",
    "a+b", "a,b", "a-b", "a]b", "a{b}", "a@b", "a_b", "~ab", "a~", "é", "a%2Fb", "a(b)c",
  ]
  private static let leftOut = [
    "a;b", "a%b", "%", "a=b", "=a", "a*b", "a?b", "a[1]", "a|b", "a<b", "a>b", "a^b", "a`b", "a\tb",
    "a\u{1}b", "a\u{7F}b", "a\nb", "a(b)", "a&", "a:", "a\\", "a ", "a\\#b", "a\\:b", "a\\$b",
    "a%2Fb%",
  ]

  init() throws {
    folder = try TemporaryDirectory()
    let files = (Self.named + Self.leftOut).enumerated()
    for (number, name) in files {
      let set = "A.xcassets/D\(number).dataset"
      let quoted = String(
        decoding: try JSONEncoder().encode(name), as: UTF8.self)
      try folder.write(
        #"{"data":[{"idiom":"universal","filename":\#(quoted)}],"info":{"version":1,"author":"x"}}"#,
        to: "\(set)/Contents.json")
      try folder.write("1", to: "\(set)/\(name)")
      paths.append((name, "\(set)/\(name)"))
    }
    // The patterns of a shell would match this file.
    try folder.write("1", to: "A.xcassets/D0.dataset/a1")
    let compiled = try runTool(
      ["compile", "A.xcassets", "-o", "out.car", "--depfile", "out.d"], in: folder.path)
    #expect(compiled.code == 0, "\(compiled.stderr)")
    said = compiled.stderr
  }

  private var paths: [(name: String, path: String)] = []
  private var said = ""

  private func setTime(_ path: String, _ seconds: Int) {
    var times = [timespec(tv_sec: seconds, tv_nsec: 0), timespec(tv_sec: seconds, tv_nsec: 0)]
    #expect(utimensat(AT_FDCWD, folder.path(path), &times, 0) == 0, "\(path)")
  }

  @Test func theCountOfLeftOutFilesIsReported() {
    #expect(
      said.contains("note: out.d leaves out \(Self.leftOut.count) files with a name"), "\(said)")
  }

  @Test(.enabled(if: place(of: "make") != nil, "this machine has no make"))
  func makeReadsEveryNameAsItIs() throws {
    let program = try #require(place(of: "make"))
    try folder.write(
      "out.car:\n\t@echo made\n\t@touch out.car\n-include out.d\n", to: "Makefile")
    func make() throws -> String {
      let result = try run(
        program, ["-s", "out.car"], in: folder.path, environment: ["PATH": "/usr/bin:/bin"])
      return result.stderr + result.stdout
    }
    let now = Int(Date().timeIntervalSince1970)
    for file in try folder.files(below: "A.xcassets") { setTime(file, now - 9_000) }
    for entry in FileManager.default.enumerator(atPath: folder.path("A.xcassets")) ?? .init() {
      setTime("A.xcassets/\(entry)", now - 9_000)
    }
    setTime("A.xcassets", now - 9_000)
    setTime("out.car", now - 5_000)
    #expect(try make() == "")
    for (name, path) in paths {
      setTime(path, now - 1_000)
      let isNamed = Self.named.contains(name)
      #expect(try make() == (isNamed ? "made\n" : ""), "\(name)")
      setTime(path, now - 9_000)
      setTime("out.car", now - 5_000)
    }
    // A deleted file is not an error.
    for (name, path) in paths where Self.named.contains(name) {
      try FileManager.default.removeItem(atPath: folder.path(path))
      #expect(try make() == "made\n", "\(name)")
    }
  }

  @Test(.enabled(if: place(of: "ninja") != nil, "this machine has no ninja"))
  func ninjaReadsEveryNameAsItIs() throws {
    let program = try #require(place(of: "ninja"))
    let version = try run(program, ["--version"]).stdout.split(separator: ".").compactMap {
      Int($0)
    }
    // Before 1.13, ninja divides such names, and builds again each time.
    let isOld = version.lexicographicallyPrecedes([1, 13])
    let paths = paths.filter { name, _ in !isOld || !name.contains { "\"'&".contains($0) } }
    if isOld {
      for (_, path) in self.paths where !paths.contains(where: { $0.path == path }) {
        let set = String(path[..<(path.lastIndex(of: "/") ?? path.endIndex)])
        try FileManager.default.removeItem(atPath: folder.path(set))
      }
      let compiled = try runTool(
        ["compile", "A.xcassets", "-o", "out.car", "--depfile", "out.d"], in: folder.path)
      #expect(compiled.code == 0, "\(compiled.stderr)")
    }
    for form in ["", "  deps = gcc\n"] {
      try folder.write(
        "rule r\n  command = cp out.d d && touch out.car\n  depfile = d\n\(form)build out.car: r\n",
        to: "build.ninja")
      func ninja(_ words: String...) throws -> String {
        let result = try run(
          program, words, in: folder.path, environment: ["PATH": "/usr/bin:/bin"])
        #expect(result.code == 0, "\(result.stdout)")
        return result.stdout
      }
      _ = try ninja()
      #expect(try ninja().contains("no work to do"))
      if form.isEmpty { continue }
      let found = Set(
        try ninja("-t", "deps").split(separator: "\n").filter { $0.hasPrefix("    ") }
          .map { String($0.dropFirst(4)) })
      for (name, path) in paths {
        #expect(found.contains(path) == Self.named.contains(name), "\(name)")
      }
    }
  }

  /// If make or ninja read the target of a rule differently, the rule would be about another file.
  @Test(arguments: ["a;b.car", "a=b.car", "a%b.car", "a*b.car", "a|b.car", "a[1].car"])
  func anOutputThatNoRuleCanNameIsRefused(name: String) throws {
    let result = try runTool(
      ["compile", "A.xcassets", "-o", name, "--depfile", "x.d"], in: folder.path)
    #expect(result.code == 2 && result.stderr.contains("misread the name of --output \(name)"))
    #expect(try runTool(["compile", "A.xcassets", "-o", name], in: folder.path).code == 0)
  }
}
