// The tool `carve`: the list of its commands. Each command lives in a file of its own.

import CatalogCompiler
import CommandLineKit
import Glibc

@main
struct Main {
  static let program = Program(
    name: "carve", version: carveVersion, summary: "Carve: an asset catalogue compiler.",
    commands: commands)

  /// In the order in which help lists them.
  private static let commands = [
    compileCommand,
    infoCommand,
    validateCommand,
    thinCommand,
    diffCommand,
    assetutilCommand,
    extractCommand,
    lintCommand,
    resolveCommand,
    explainCommand,
    devicesCommand,
    manualCommand,
    completionsCommand,
    wordsCommand,
  ]

  static func main() {
    let status = program.run(CommandLine.arguments, on: .standard())
    exit(status.rawValue)
  }
}
