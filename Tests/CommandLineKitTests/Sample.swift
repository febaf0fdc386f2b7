// A small program with every form of option, and a terminal that stores its output.

import Synchronization

@testable import CommandLineKit

enum Format: String, CaseIterable, Sendable { case text, json, sarif }

struct Arguments: Sendable, Hashable {
  var catalogs: [String] = []
  var output: String?
  var cache: String?
  var json = false
  var caches = true
  var jobs: Int?
  var format = Format.text
  var platform: String?
  var devices: [String] = []
  var targets: [String] = []
  var fails = false
  var codes: [String] = []
}

let options: [Option<Arguments>] = [
  .path(
    "output", short: "o", "PATH", extensions: ["car"], \.output, help: "where the archive goes"),
  .folder("cache", "DIR", \.cache, help: "the folder of the cache"),
  .flag("no-cache", \.caches, setting: false, help: "keep no cache"),
  .flag("json", short: "j", \.json, help: "print JSON"),
  .number("jobs", short: "n", "N", in: 1...64, \.jobs, help: "how many threads work"),
  .choice("diagnostics", "FORMAT", \.format, help: "how diagnostics are written"),
  .choice("platform", "NAME", of: ["iphoneos", "macosx"], \.platform, help: "the platform"),
  .list(
    "device", "MODEL", listedBy: ["words"], separator: ",", \.devices,
    help: "thin for this device"),
  .list(
    "target-device", "NAME", of: ["iphone", "ipad"], \.targets,
    help: "what to build for: 'all' when it's left out"),
  .flagOrList(
    "werror", "CODE", listedBy: ["words"], \.fails, \.codes, admitting: { $0 == "x" },
    help: "treat warnings as errors"),
]

let compile = Command(
  "compile", summary: "Compile catalogues into an archive",
  discussion: """
    Reads every catalogue and writes one archive. When two catalogues hold an asset of one name,
    the first one counts.

    .car files are replaced only when their bytes change.
    """, defaults: Arguments(),
  operands: [.many(.catalog, \.catalogs, help: "a folder that ends in .xcassets")],
  options: options,
  examples: [Example("tool compile A.xcassets -o A.car", "compile one catalogue")],
  run: { arguments, terminal in
    terminal.print("\(arguments.catalogs.count) catalogues")
    return arguments.json ? .inputErrors : .fine
  })

struct Words: Sendable { var words: [String] = [] }

let fail = Command(
  "fail", summary: "Fail in a chosen way", defaults: Words(),
  operands: [.many(.text("WORD"), orNone: true, \.words, help: "the message")], isHidden: true,
  run: { (arguments, terminal) throws(CommandFailure) in
    terminal.print("before")
    throw CommandFailure.inputOutput(arguments.words.joined(separator: " "))
  })

let drop = Command(
  dropIn: "actool", summary: "Answer as another tool", discussion: "",
  run: { invocation, terminal in
    terminal.print(invocation.words.joined(separator: "|"))
    return .fine
  })

let tool = Program(
  name: "tool", version: "1.2", summary: "Tool: a sample.", commands: [compile, drop, fail])

/// Stores the output of a run.
final class Screen: Sendable {
  private let texts = Mutex((results: "", errors: ""))

  var results: String { texts.withLock { $0.results } }
  var errors: String { texts.withLock { $0.errors } }

  func terminal(
    failure: Int32? = nil, colored: Bool = false, progress: Bool = false, pause: Duration = .zero
  ) -> Terminal {
    Terminal(
      results: { bytes in
        self.texts.withLock { $0.results += String(decoding: bytes, as: UTF8.self) }
        return failure
      },
      diagnostics: { bytes in
        self.texts.withLock { $0.errors += String(decoding: bytes, as: UTF8.self) }
        return nil
      }, isColored: colored, showsProgress: progress, progressPause: pause)
  }

  func run(_ words: String...) -> ExitStatus { tool.run(["/bin/tool"] + words, on: terminal()) }
}
