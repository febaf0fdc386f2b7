import Bytes
import Support
import Testing

@testable import CommandLineKit
@testable import Documents

private let parser = Parser(
  options: options, operands: [.many(.catalog, \.catalogs, help: "catalogues")])

private func parsed(_ words: String) throws(CommandFailure) -> Arguments {
  try parser.parse(words.split(separator: " ").map(String.init), into: Arguments())
}

private func filled(_ fill: (inout Arguments) -> Void) -> Arguments {
  var arguments = Arguments()
  arguments.catalogs = ["A"]
  fill(&arguments)
  return arguments
}

/// A command line, and the arguments that it gives.
private struct Row: Sendable, CustomTestStringConvertible {
  let words: String
  let expected: Arguments
  var testDescription: String { words }

  init(_ words: String, _ fill: (inout Arguments) -> Void) {
    self.words = words
    expected = filled(fill)
  }
}

private let accepted = [
  Row("A") { _ in },
  Row("A B") { $0.catalogs = ["A", "B"] },
  Row("A --output x") { $0.output = "x" },
  Row("--output=x A") { $0.output = "x" },
  Row("--output=a=b A") { $0.output = "a=b" },
  Row("-o x A") { $0.output = "x" },
  Row("-ox A") { $0.output = "x" },
  Row("-o=x A") { $0.output = "x" },
  Row("-o - A") { $0.output = "-" },
  Row("-o -5 A") { $0.output = "-5" },
  Row("-o x -o y A") { $0.output = "y" },
  Row("-jox A") {
    $0.json = true
    $0.output = "x"
  },
  Row("--output=--json A") { $0.output = "--json" },
  Row("-- A") { _ in },
  Row("-- A --json") { $0.catalogs = ["A", "--json"] },
  Row("- A") { $0.catalogs = ["-", "A"] },
  Row("--json A") { $0.json = true },
  Row("--no-cache A") { $0.caches = false },
  Row("--cache d A") { $0.cache = "d" },
  Row("--jobs 4 A") { $0.jobs = 4 },
  Row("-n64 A") { $0.jobs = 64 },
  Row("--diagnostics sarif A") { $0.format = .sarif },
  Row("--platform=macosx A") { $0.platform = "macosx" },
  Row("--device a,b --device c A") { $0.devices = ["a", "b", "c"] },
  Row("--target-device ipad --target-device iphone A") { $0.targets = ["ipad", "iphone"] },
  Row("--werror A") { $0.fails = true },
  Row("--werror=x,y A") { $0.codes = ["x", "y"] },
  Row("--werror --werror=x A") {
    $0.fails = true
    $0.codes = ["x"]
  },
]

private let refused: [(words: String, message: String)] = [
  ("", "CATALOG is missing"),
  ("A --ouput x", "unknown option '--ouput'; did you mean '--output'?"),
  ("A --ouput=x", "unknown option '--ouput'; did you mean '--output'?"),
  ("A --hepl", "unknown option '--hepl'; did you mean '--help'?"),
  ("A --zzzzzz", "unknown option '--zzzzzz'"),
  ("A -z", "unknown option '-z'"),
  ("A -json", "unknown option '-s'; did you mean '--json'?"),
  ("A --output", "option '--output' needs a value PATH"),
  ("A -o", "option '--output' needs a value PATH"),
  ("-o --json A", "option '--output' needs a value PATH"),
  ("-o -j A", "option '--output' needs a value PATH"),
  ("--output --device=x A", "option '--output' needs a value PATH"),
  ("--output -- A", "option '--output' needs a value PATH"),
  ("--output= A", "option '--output' needs a value PATH"),
  ("--json=yes A", "option '--json' takes no value"),
  ("--jobs 0 A", "option '--jobs' takes a whole number from 1 to 64, not '0'"),
  ("--jobs many A", "option '--jobs' takes a whole number from 1 to 64, not 'many'"),
  ("--diagnostics jsno A", "'jsno' is not a value of '--diagnostics'; did you mean 'json'?"),
  (
    "--diagnostics xml A",
    "'xml' is not a value of '--diagnostics'; choose from text, json, sarif"
  ),
  ("--platform iphone A", "'iphone' is not a value of '--platform'; did you mean 'iphoneos'?"),
  ("--target-device mac A", "'mac' is not a value of '--target-device'; choose from iphone, ipad"),
  ("--device , A", "option '--device' needs a value MODEL"),
  ("--werror= A", "option '--werror=' needs a value CODE"),
  ("--werror x", "'x' belongs to the option; write '--werror=x'"),
  ("--werror x,x A", "'x,x' belongs to the option; write '--werror=x,x'"),
  ("--werror=, A", "option '--werror=' needs a value CODE"),
  ("A --help=yes", "option '--help' takes no value"),
  ("A --version=", "option '--version' takes no value"),
  ("--= A", "unknown option '--'"),
]

@Suite struct ParserTests {
  @Test(arguments: accepted) private func wordsFillTheArguments(row: Row) throws {
    #expect(try parsed(row.words) == row.expected)
  }

  @Test(arguments: refused) func wrongWordsAreRefusedWithAReason(words: String, message: String) {
    #expect(throws: CommandFailure.usage(message)) { try parsed(words) }
  }

  @Test(arguments: [[""], ["A", ""], ["--", ""]]) func anEmptyWordIsNoOperand(words: [String]) {
    #expect(throws: CommandFailure.usage("CATALOG is empty")) {
      try parser.parse(words, into: Arguments())
    }
  }

  @Test func everyOptionHasARowThatParsesIt() {
    for option in options {
      let names = [option.row.name] + (option.row.short.map { ["-\($0)"] } ?? [])
      #expect(
        accepted.contains { row in names.contains { row.words.contains($0) } },
        "no parse row shows \(option.row.name)")
    }
  }

  @Test func aRequiredOptionIsMissed() {
    let strict = Parser<Arguments>(
      options: [.path("output", short: "o", "PATH", \.output, help: "").required], operands: [])
    #expect(throws: CommandFailure.usage("option '--output PATH' is required")) {
      try strict.parse([], into: Arguments())
    }
    #expect(throws: CommandFailure.usage("unexpected argument 'A'")) {
      try strict.parse(["-o", "x", "A"], into: Arguments())
    }
  }
}

@Suite(.timeLimit(.minutes(1))) struct LongOptionFileTests {
  @Test func everyLineOfALongFileIsRead() throws {
    let folder = try TemporaryDirectory()
    let path = try folder.write(String(repeating: "--device A\n", count: 200_000), to: "options")
    let file = try OptionFile(ByteString(path), options: options, others: [], given: [])
    let arguments = try file.filled(Arguments())
    #expect(arguments.devices.count == 200_000)
  }
}

@Suite struct SuggestionTests {
  @Test(arguments: [
    ("ouput", "output"), ("OUTPUT", "output"), ("dvice", "device"), ("iphone", "iphoneos"),
    ("jsno", "json"), ("comp", "compile"),
  ])
  func aNearWordIsFound(typed: String, meant: String) {
    let known = ["output", "device", "iphoneos", "json", "compile"]
    #expect(nearest(to: typed, in: known) == meant)
  }

  @Test(arguments: ["", "xyz", "co", String(repeating: "output", count: 1000)])
  func aFarWordFindsNothing(typed: String) {
    #expect(nearest(to: typed, in: ["output", "device", "compile"]) == nil)
  }

  @Test(arguments: [("ab", "ba", 1), ("abc", "", 3), ("", "", 0), ("kitten", "sitting", 3)])
  func distancesAreCounted(a: String, b: String, distance: Int) {
    #expect(editDistance(Array(a.utf8), Array(b.utf8)) == distance)
  }

  /// A command with an optional word in front chooses one of its forms by that word.
  @Test(
    arguments: [
      (["A"], nil, ["A"]), (["iphoneos", "A"], "iphoneos", ["A"]),
      (["A", "iphoneos"], nil, ["A", "iphoneos"]),
    ] as [([String], String?, [String])])
  func aWordInFrontMayBeLeftOut(words: [String], word: String?, catalogs: [String]) throws {
    let parser = Parser<Arguments>(
      options: [],
      operands: [
        .optional(.choice("iphoneos", of: ["iphoneos"]), \.platform, help: ""),
        .many(.catalog, \.catalogs, help: ""),
      ])
    let arguments = try parser.parse(words, into: Arguments())
    #expect(arguments.platform == word && arguments.catalogs == catalogs)
    #expect(throws: CommandFailure.usage("CATALOG is missing")) {
      try parser.parse(["iphoneos"], into: Arguments())
    }
  }
}
