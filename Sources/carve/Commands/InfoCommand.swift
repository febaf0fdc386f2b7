// `carve info` and `carve validate`: print the contents of an archive, and check it for damage.

import Archive
import ArchiveTools
import Bytes
import CatalogCompiler
import CatalogModel
import CommandLineKit
import Documents
import Queries

struct InfoArguments: Sendable {
  var archive: ByteString = ""
  var isJSON = false
  var names: [ByteString] = []
  var kinds: [String] = []
  var minimumSize: String?
  var order = RenditionOrder.name

  func selection() throws(CommandFailure) -> RenditionSelection {
    var selection = RenditionSelection()
    (selection.names, selection.kinds, selection.order) = (names, kinds, order)
    guard let minimumSize else { return selection }
    guard let bytes = SizeBudget.bytes(of: minimumSize) else {
      throw .usage("'\(minimumSize)' is not a size such as 10KB or a number of bytes")
    }
    selection.minimumSize = bytes
    return selection
  }
}

let infoCommand = Command(
  "info", summary: "Describe the contents of an archive",
  discussion: """
    Prints one line for the archive and one for each rendition: the name of its asset, its kind, \
    the traits that distinguish it from others of that name, its size in pixels or its colour, its \
    encoding and its size in bytes, with the bytes of an atlas divided among its pictures by area; \
    then the features of stored vectors that drawing leaves out. Archives of every tool since 2013 \
    can be read. For an object of 'carve compile --object' it prints the contents and the \
    settings, with --json as one JSON object.

    With --json, the keys are those of Apple's assetutil --info. SHA1Digest, which has been a \
    SHA-256 for years, is taken over the whole block of a rendition: equal blocks have equal \
    digests, but they are not the digests that Apple's tool prints.
    """,
  defaults: InfoArguments(),
  operands: [.one(.archive, \.archive, help: "the archive")],
  options: [
    .list("name", "NAME", \.names, help: "only assets whose names contain this, ignoring case"),
    .list(
      "kind", "KIND", separator: ",", \.kinds,
      help: "only renditions whose kind contains this word, such as image, color, data or vector"),
    .text(
      "min-size", "SIZE", \.minimumSize, help: "only renditions of at least this size, such as 10KB"
    ),
    .choice("sort", "ORDER", \.order, help: "by name, or with the largest renditions first"),
    .flag("json", \.isJSON, help: "print JSON in the keys of assetutil --info"),
  ],
  examples: [
    Example("carve info Assets.car", "list the renditions"),
    Example("carve info Assets.car --sort bytes --min-size 100KB", "list large renditions"),
    Example("carve info --json Assets.car", "print the same for programs"),
  ]
) { (arguments, terminal) throws(CommandFailure) in
  if try printObject(arguments.archive, isJSON: arguments.isJSON, on: terminal) { return .fine }
  return try withArchiveBytes(arguments.archive) { (bytes) throws(CommandFailure) in
    let report: ArchiveReport
    do throws(FormatError) { report = try ArchiveReport(try Archive(bytes)) } catch {
      throw CommandFailure(error, in: arguments.archive)
    }
    let selection = try arguments.selection()
    let shown = report.places(selection)
    if let hint = report.hint(about: selection) { terminal.diagnose("note: \(hint)") }
    if arguments.isJSON {
      let isWhole = shown.count == report.renditions.count
      let keys = isWhole ? nil : Set(shown.map { report.renditions[$0].entry.key })
      return print(report.json(keys: keys), of: arguments.archive, on: terminal)
    }
    for line in report.lines(about: shown) { terminal.print(line) }
    return nameDamage(report.damaged, in: arguments.archive, on: terminal)
  }
}

struct ValidateArguments: Sendable {
  var archive: ByteString = ""
  var isJSON = false
}

let validateCommand = Command(
  "validate", summary: "Check the structure of an archive",
  discussion: """
    Checks the properties that all archives of Apple's tools have: blocks do not overlap, trees \
    are in order and linked, counts are correct, keys and names match, renditions have the lengths \
    that they state, links lead to atlases, the tables for quick rejection are exact, and Carve's \
    own index describes the archive that it lies in. Pixels are not decoded.

    If there is a violation, the command prints the first one with its offset on standard error, \
    and exits with 1.
    """,
  defaults: ValidateArguments(),
  operands: [.one(.archive, \.archive, help: "the archive")],
  options: [.flag("json", \.isJSON, help: "print all violations as JSON")],
  examples: [Example("carve validate Assets.car", "exit with 1 if the archive is damaged")]
) { (arguments, terminal) throws(CommandFailure) in
  if let failure = CommandFailure.object(in: arguments.archive) { throw failure }
  return try withArchiveBytes(arguments.archive) { (bytes) throws(CommandFailure) in
    let violations = Archive.validate(bytes)
    if arguments.isJSON {
      let list = violations.map { violation -> JSONOutput in
        ["offset": .integer(violation.offset), "violation": .string(violation.what)]
      }
      terminal.print(
        JSONOutput.object([
          .init("valid", .bool(violations.isEmpty)), .init("violations", .array(list)),
        ]).text)
      return violations.isEmpty ? .fine : .inputErrors
    }
    guard let first = violations.first else { return .fine }
    let others = violations.count - 1
    let more = others == 0 ? "" : " (and \(others) more, see --json)"
    throw .input("\(arguments.archive): \(first)\(more)")
  }
}

/// Prints a report in JSON, and names the damaged renditions that it does not contain.
func print(
  _ report: (output: JSONOutput, damaged: [DamagedRendition]), of archive: ByteString,
  on terminal: Terminal
) -> ExitStatus {
  terminal.print(report.output.spacedText)
  return nameDamage(report.damaged, in: archive, on: terminal)
}

/// Names the damaged renditions of an archive.
func nameDamage(
  _ damaged: [DamagedRendition], in archive: ByteString, on terminal: Terminal
) -> ExitStatus {
  for rendition in damaged { terminal.diagnose("\(onOneLine(archive)): \(rendition)") }
  return damaged.isEmpty ? .fine : .inputErrors
}

/// Calls `body` with the bytes of a file.
func withArchiveBytes(
  _ path: ByteString, _ body: (UnsafeRawBufferPointer) throws(CommandFailure) -> ExitStatus
) throws(CommandFailure) -> ExitStatus {
  let file = try openFile(path)
  return try body(file.bytes)
}
