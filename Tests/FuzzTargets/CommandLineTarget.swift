// Fuzz target for the parser of command lines.

import CommandLineKit

extension FuzzTarget {
  /// Parses words, which are separated by newlines, for a program with an option of every form.
  static let commandLine = FuzzTarget("command-line") { bytes in
    let words = bytes.split(separator: 10, omittingEmptySubsequences: false)
      .map { String(decoding: $0, as: UTF8.self) }
    let terminal = Terminal(
      results: { _ in nil }, diagnostics: { _ in nil }, isColored: false, showsProgress: false)
    let status = program.run(["/bin/tool"] + words, on: terminal)
    precondition(status == .fine || status == .usage, "words led to \(status)")
  }

  private enum Form: String, CaseIterable, Sendable { case text, json }

  private struct Arguments: Sendable {
    var names: [String] = []
    var output: String?
    var isQuiet = false
    var jobs: Int?
    var form = Form.text
    var platform: String?
    var devices: [String] = []
    var codes: [String] = []
  }

  private static let program = Program(
    name: "tool", version: "1", summary: "A tool.",
    commands: [
      Command(
        "do", summary: "Do", defaults: Arguments(),
        operands: [.many(.text("NAME"), \.names, help: "")],
        options: [
          .path("output", short: "o", "PATH", \.output, help: ""),
          .flag("quiet", short: "q", \.isQuiet, help: ""),
          .number("jobs", short: "n", "N", in: 1...64, \.jobs, help: ""),
          .choice("form", short: "f", "FORM", \.form, help: ""),
          .choice("platform", "NAME", of: ["ios", "macos"], \.platform, help: ""),
          .list("device", "MODEL", separator: ",", \.devices, help: ""),
          .flagOrList(
            "werror", "CODE", listedBy: ["words"], \.isQuiet, \.codes, admitting: { $0 == "x" },
            help: ""),
        ],
        run: { arguments, _ in
          let values = [arguments.output, arguments.platform].compactMap { $0 }
          precondition(!(values + arguments.names + arguments.devices).contains(""))
          return .fine
        })
    ])
}
