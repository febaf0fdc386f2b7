// `carve explain-build`: explains how Carve treats the actool command lines of a build, and what
// will differ from Apple's output. Options have the effects in the table of `carve actool`.

import Bytes
import CommandLineKit
import Documents
import Host
import Queries

struct ExplainBuildArguments: Sendable {
  var words: [String] = []
}

let explainBuildCommand = Command(
  "explain-build", summary: "Explain what Carve does with a build's actool command lines",
  discussion: """
    Reads the log of a build, or one command line after '--'. For each call of actool it shows \
    what Carve does with every option and, if the catalogues can be read, which kinds of assets \
    are compiled as by Apple's tool, which with a difference, and which are left out.
    """,
  defaults: ExplainBuildArguments(),
  operands: [
    .many(
      .path("LOG-or-COMMAND", extensions: ["log", "txt"]), \.words,
      help: "the log of a build; or the words of a command, the first of which is actool")
  ],
  examples: [
    Example("carve explain-build build.log", "explain every call of actool in a log"),
    Example(
      "carve explain-build -- actool Assets.xcassets --compile out --platform iphoneos",
      "explain one command line"),
  ]
) { (arguments, terminal) throws(CommandFailure) in
  try runExplainBuild(arguments.words, terminal)
}

private func runExplainBuild(
  _ words: [String], _ terminal: Terminal
) throws(CommandFailure) -> ExitStatus {
  let calls: [[String]]
  if words.count == 1, let word = words.first {
    if let file = try? FileTree.disk.status(ByteString(word)), file.kind != .folder {
      let log = try readFile(ByteString(word), atMost: FileLimit.buildLog)
      calls = actoolCalls(inLog: String(decoding: log, as: UTF8.self))
    } else {
      calls = actoolCalls(inCommand: word)
    }
  } else {
    calls = [actoolCall(words)]
  }
  guard !calls.isEmpty else {
    throw .input("there is no call of actool in \(onOneLine(words.joined(separator: " ")))")
  }
  let options = actoolOptions.map { option in
    BuildOption(
      name: option.name, takesValue: option.option.row.form != .none, effect: option.effect)
  }
  for (place, call) in calls.enumerated() {
    if place > 0 { terminal.print("") }
    for line in BuildExplanation(call, options: options, in: .disk).lines { terminal.print(line) }
  }
  return .fine
}
