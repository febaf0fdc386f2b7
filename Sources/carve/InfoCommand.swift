// `carve info` and `carve validate`: what is inside of an archive, and whether it is sound.

import Archive
import ArchiveTools
import CatalogCompiler
import CatalogModel
import CommandLineKit
import Documents

struct InfoArguments: Sendable {
  var archive = ""
  var isJSON = false
}

let infoCommand = Command(
  "info", summary: "Say what is inside of an archive",
  discussion: """
    Prints one line for the archive and one for each rendition: the name of its asset, its kind, \
    what distinguishes it from others of that name, its size in pixels, how its pixels are stored \
    and how many bytes it takes; then what drawing leaves out of the vectors that are kept. Archives of \
    every tool since 2013 can be read.

    With --json, the keys are those of Apple's assetutil --info. SHA1Digest, which has been a \
    SHA-256 for years, is taken over the whole block of a rendition: equal blocks have equal \
    digests, but they are not the digests that Apple's tool prints.
    """,
  defaults: InfoArguments(),
  operands: [.one(.archive, \.archive, help: "the archive")],
  options: [.flag("json", \.isJSON, help: "print JSON in the keys of assetutil --info")],
  examples: [
    Example("carve info Assets.car", "list the renditions"),
    Example("carve info --json Assets.car", "the same for programs"),
  ]
) { (arguments, terminal) throws(CommandFailure) in
  try withArchiveBytes(arguments.archive) { (bytes) throws(CommandFailure) in
    let report: ArchiveReport
    do throws(FormatError) { report = try ArchiveReport(try Archive(bytes)) } catch {
      throw .input("\(arguments.archive): \(error)")
    }
    if arguments.isJSON { return print(report.json(), on: terminal) }
    report.printTable(on: terminal)
    return name(report.damaged, on: terminal)
  }
}

struct ValidateArguments: Sendable {
  var archive = ""
  var isJSON = false
}

let validateCommand = Command(
  "validate", summary: "Check the structure of an archive",
  discussion: """
    Checks everything that holds in all archives of Apple's tools: blocks do not overlap, trees \
    are in order and linked, counts are true, keys and names fit together, renditions have the \
    lengths that they state, links lead to atlases, the tables for quick refusal are exact, and \
    Carve's own index describes the archive that it lies in. Pixels are not decoded.

    Names the first violation and its offset on standard error, and exits with 1.
    """,
  defaults: ValidateArguments(),
  operands: [.one(.archive, \.archive, help: "the archive")],
  options: [.flag("json", \.isJSON, help: "print all violations as JSON")],
  examples: [Example("carve validate Assets.car", "exit with 1 if the archive is damaged")]
) { (arguments, terminal) throws(CommandFailure) in
  try withArchiveBytes(arguments.archive) { (bytes) throws(CommandFailure) in
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

/// Prints a report in JSON, and names what is damaged and not in it.
func print(
  _ report: (output: JSONOutput, damaged: [DamagedRendition]), on terminal: Terminal
) -> ExitStatus {
  terminal.print(report.output.spacedText)
  return name(report.damaged, on: terminal)
}

private func name(_ damaged: [DamagedRendition], on terminal: Terminal) -> ExitStatus {
  for rendition in damaged { terminal.diagnose("\(rendition)") }
  return damaged.isEmpty ? .fine : .inputErrors
}

/// Does something with the bytes of a file.
func withArchiveBytes(
  _ path: String, _ body: (UnsafeRawBufferPointer) throws(CommandFailure) -> ExitStatus
) throws(CommandFailure) -> ExitStatus {
  let file = try openFile(path)
  return try body(file.bytes)
}

extension ArchiveReport {
  fileprivate func printTable(on terminal: Terminal) {
    let header = archive.header
    let tool = header.toolVersion.filter { !$0.isNewline }
    let place = metadata.map { ", \($0.platform) \($0.platformVersion)" } ?? ""
    terminal.print(
      "\(tool)\(place), CoreUI \(header.coreUIVersion), storage \(header.storageVersion)")
    terminal.print(
      "\(facetCount) names, \(renditions.count) renditions, \(archive.bytes.count) bytes")
    var rows = [["NAME", "KIND", "VARIANT", "PIXELS", "STORED AS", "BYTES"]]
    for rendition in renditions {
      let header = rendition.rendition.header
      let format = header.pixelFormat.description
      let stored = [format, rendition.compression ?? ""].filter { !$0.isEmpty }
      rows.append([
        rendition.name, rendition.type, rendition.variant,
        rendition.width == 0 ? "" : "\(rendition.width)x\(rendition.height)",
        header.layout == .internalLink ? "atlas" : stored.joined(separator: " "),
        "\(rendition.entry.range.count)",
      ])
    }
    terminal.print("")
    for line in alignedColumns(rows, right: [5]) { terminal.print(line) }
    let remarks = renditions.compactMap { rendition in
      rendition.rendition.drawingRemark.map { remark in
        let variant = rendition.variant.isEmpty ? "" : " (\(rendition.variant))"
        return onOneLine("\(rendition.name)\(variant) \(remark)")
      }
    }
    if !remarks.isEmpty { terminal.print("") }
    for remark in remarks { terminal.print(remark) }
  }
}
