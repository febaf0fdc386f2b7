// `carve transitions`: prints the assets that change when a window of a device becomes another one.

import Bytes
import CatalogModel
import CommandLineKit
import Documents
import Queries
import Traits

struct TransitionsArguments: Sendable, CatalogCompiling {
  var source: ByteString = ""
  var device: String?
  var from: String?
  var to: String?
  var style: String?
  var contrast: String?
  var languages: String?
  var os: String?
  var printsJSON = false
  var compiling = CatalogArguments()
  var diagnostics = DiagnosticArguments(minimum: .error)

  var words: QueryWords {
    var words = QueryWords()
    words.devices = device.map { [$0] } ?? []
    (words.style, words.contrast, words.languages, words.os) = (style, contrast, languages, os)
    return words
  }
}

let transitionsCommand = Command(
  "transitions",
  summary: "Show which assets change between two windows of a device",
  discussion: """
    A window is a mode, such as full, split-1/2 or unfolded, or a mode with an orientation: \
    full,landscape. Assets that show the same variant in both windows are not listed.
    """,
  defaults: TransitionsArguments(),
  operands: [
    .one(
      .path("ARCHIVE-or-CATALOG", extensions: ["car", "xcassets"]), \.source,
      help: "the archive or the catalogue folder")
  ],
  options: [
    .text(
      "device", "MODEL", listedBy: WordList.devices.words, \.device,
      help: "the device, such as iPhone19,4; 'carve devices' lists all"),
    .text("from", "WINDOW", \.from, help: "the window before; full if not given"),
    .text("to", "WINDOW", \.to, help: "the window after; every other window if not given"),
    .choice(
      "style", "STYLE", of: Style.names, \.style, help: "the style of the device's system"),
    .choice(
      "contrast", "CONTRAST", of: Contrast.names, \.contrast,
      help: "the contrast that its user chose; normal if not given"),
    .text("language", "TAG[:TAG...]", \.languages, help: "the languages of the device's user"),
    .text("os", "VERSION", \.os, help: "the system of the device; the newest if not given"),
    .flag("json", \.printsJSON, help: "print JSON, one object for each window"),
  ] + Option<TransitionsArguments>.catalogOptions,
  examples: [
    Example(
      "carve transitions Assets.car --device iPhone19,4 --to unfolded",
      "what changes when a phone unfolds"),
    Example(
      "carve transitions Assets.xcassets --device iPad5,3 --from full,landscape",
      "what changes from the full screen to each other window"),
  ]
) { (given, terminal) throws(CommandFailure) in
  var arguments = given
  try arguments.followSettings(of: [given.source], terminal)
  guard let device = arguments.device else {
    throw .usage("name a device with --device; 'carve devices' lists all")
  }
  terminal.warnOfStandIns([device])
  let source = try arguments.candidateSource(arguments.source, for: [device], terminal)
  let pairs = try queried { () throws(QueryError) in
    try arguments.words.transitions(
      from: arguments.from, to: arguments.to, localeNumber: source.localeNumber)
  }
  for (place, pair) in pairs.enumerated() {
    let transition = WindowTransition(from: pair.from, to: pair.to, in: source)
    if arguments.printsJSON {
      terminal.print(transition.json.line)
    } else {
      if place == 0 { terminal.write(transition.heading) }
      terminal.write(transition.text)
    }
  }
  if pairs.isEmpty { terminal.diagnose("note: \(device) has no other window") }
  return source.status
}
