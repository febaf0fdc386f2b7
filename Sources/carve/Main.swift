// The tool `carve`: the list of its commands, which are in Commands. Related ones share a file.

import Bytes
import CPosix
import CatalogModel
import CommandLineKit
import Glibc

@main
struct Main {
  static let program = Program(
    name: "carve", version: carveVersion, summary: "Carve: an asset catalogue compiler.",
    commands: commands, changedInput: changedInput)

  /// The commands in the order of the help.
  private static let commands = [
    compileCommand,
    linkCommand,
    infoCommand,
    validateCommand,
    thinCommand,
    diffCommand,
    editCommand,
    mergeCommand,
    assetutilCommand,
    actoolCommand,
    symbolsCommand,
    explainBuildCommand,
    xcrunCommand,
    extractCommand,
    adoptCommand,
    appCommand,
    historyCommand,
    lintCommand,
    lspCommand,
    resolveCommand,
    explainCommand,
    explainCodeCommand,
    transitionsCommand,
    previewCommand,
    iconCommand,
    schemaCommand,
    devicesCommand,
    cacheCommand,
    manualCommand,
    completionsCommand,
    wordsCommand,
  ]

  static func main() {
    carve_handle_end(ExitStatus.inputOutput.rawValue)
    let status = program.run(words, on: .standard())
    exit(status.rawValue)
  }

  /// The words of the command line, each as `ByteString.word`: a path may not be UTF-8. Swift's own
  /// list needs /proc, and is empty without it.
  static var words: [String] {
    let count = carve_argument_count()
    if count == 0 { return CommandLine.arguments }
    return (0..<count).map { ByteString(cString: carve_argument($0)).word }
  }
}
