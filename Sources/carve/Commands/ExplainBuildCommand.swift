// `carve explain-build`: explains how Carve treats the actool command lines of a build, and whether
// its output will be that of Apple's tool. Options have the effects in the table of `carve actool`.

import Bytes
import CPosix
import CommandLineKit
import Documents
import DropIn
import Host

struct ExplainBuildArguments: Sendable {
  var words: [String] = []
  var printsJSON = false
  var requiresSameOutput = false
}

let explainBuildCommand = Command(
  "explain-build", summary: "Explain what Carve does with a build's actool command lines",
  discussion: """
    Reads the log of a build, or one command line, which begins with actool or '--'. For each call of actool it shows \
    what Carve does with every option. Then it compiles the catalogues as the call asks, without \
    writing a file, and shows which kinds of assets are compiled as by Apple's tool, which with a \
    difference, and which are left out. The report ends with the verdict: the output will be the \
    same as that of Apple's tool, it will differ in the points that follow, or it cannot be built.

    Relative paths start at the folder of the 'cd' before the call, or, if that folder is not on \
    this machine, at the current folder. Logs may be packed by gzip. 'carve explain-code CODE' \
    explains a code such as unsupported-set.

    The command exits with 1 if a call cannot be built, and with --same also if an output will \
    differ.
    """,
  defaults: ExplainBuildArguments(),
  operands: [
    .many(
      .path("LOG-or-COMMAND", extensions: ["log", "txt", "gz"]), \.words,
      help:
        "the log of a build, - for standard input; or the words of a command, the first of which "
        + "is actool"
    ).takingCommandLines { ActoolCall(command: [$0]) != nil }
  ],
  options: [
    .flag("json", \.printsJSON, help: "print JSON, one object for each call"),
    .flag("same", \.requiresSameOutput, help: "exit with 1 also if an output will differ"),
  ],
  examples: [
    Example("carve explain-build build.log", "explain every call of actool in a log"),
    Example("xcodebuild | carve explain-build -", "explain the calls of a build that runs now"),
    Example(
      "carve explain-build actool Assets.xcassets --compile out --platform iphoneos",
      "explain one command line"),
  ]
) { (arguments, terminal) throws(CommandFailure) in
  var calls = try calls(in: arguments.words)
  if calls.count > mostCalls {
    terminal.diagnose(
      "warning: the log has \(grouped(calls.count)) calls; only the first \(grouped(mostCalls)) are "
        + "explained")
    calls.removeSubrange(mostCalls...)
  }
  guard !calls.isEmpty else {
    let words = arguments.words
    let place = words == ["-"] ? "standard input" : onOneLine(words.joined(separator: " "))
    throw .input("there is no call of actool in \(place)")
  }
  let options = actoolOptions.map { option in
    BuildOption(
      name: option.name, takesValue: option.option.row.form != .none, effect: option.effect)
  }
  var counts = (same: 0, differ: 0, refused: 0)
  for (place, call) in calls.enumerated() {
    let isFolderHere = call.folder.map { isFolder($0) } ?? true
    let explanation = BuildExplanation(
      call, isFolderHere: isFolderHere, options: options,
      trial(of: call.words, in: isFolderHere ? call.folder : nil, terminal))
    switch explanation.verdict {
    case .same: counts.same += 1
    case .differs: counts.differ += 1
    case .refused: counts.refused += 1
    }
    if arguments.printsJSON {
      terminal.print(explanation.json.line)
      continue
    }
    if place > 0 { terminal.print("") }
    for line in explanation.lines { terminal.print(line) }
  }
  if calls.count > 1, !arguments.printsJSON {
    terminal.print(
      "\n\(calls.count) calls: \(counts.same) the same, \(counts.differ) with differences, "
        + "\(counts.refused) cannot be built")
  }
  let fails = counts.refused > 0 || arguments.requiresSameOutput && counts.differ > 0
  return fails ? .inputErrors : .fine
}

/// The greatest number of calls that are explained, because each is tried. A build has one or two
/// calls for each target.
private let mostCalls = 300

/// Returns the calls of actool in a log or a command line.
private func calls(in words: [String]) throws(CommandFailure) -> [ActoolCall] {
  guard words.count == 1, let word = words.first else {
    guard let call = ActoolCall(command: words) else {
      throw .usage("the words after -- are a command line, whose first word is actool")
    }
    return [call]
  }
  let path = ByteString(word: word)
  let isFile = (try? FileTree.disk.status(path)).map { $0.kind != .folder } ?? false
  // One word with blanks is a command line in quotes.
  guard word == "-" || isFile || !word.contains(" ") else { return actoolCalls(inLog: word) }
  let file =
    try word == "-"
    ? readStandardInput(atMost: FileLimit.buildLog) : readFile(path, atMost: FileLimit.buildLog)
  do throws(BuildLogError) {
    return actoolCalls(inLog: try textOfLog(file, atMost: FileLimit.buildLog))
  } catch {
    throw .input("\(word == "-" ? "standard input" : onOneLine(path)): \(error.reason)")
  }
}

/// Returns all bytes of standard input.
private func readStandardInput(atMost limit: Int) throws(CommandFailure) -> [UInt8] {
  var bytes: [UInt8] = []
  var piece = [UInt8](repeating: 0, count: 1 << 16)
  while true {
    let count = read(STDIN_FILENO, &piece, piece.count)
    if count < 0, carve_errno() == EINTR { continue }
    if count < 0 { throw .system("read standard input") }
    if count == 0 { return bytes }
    bytes += piece[..<count]
    if bytes.count > limit {
      throw .input("standard input: \(BuildLogError.tooLarge(limit: limit).reason)")
    }
  }
}
