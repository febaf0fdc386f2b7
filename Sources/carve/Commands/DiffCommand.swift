// `carve diff`: prints what changed between two archives. Translates the options and calls the
// comparison.

import Archive
import ArchiveTools
import Bytes
import CatalogModel
import CommandLineKit
import Documents
import Queries
import Traits

struct DiffArguments: Sendable, CatalogCompiling {
  var before: ByteString = ""
  var after: ByteString = ""
  var models: [String] = []
  var compiling = CatalogArguments()
  var diagnostics = DiagnosticArguments(minimum: usualSeverity)
  var isJSON = false
  var isMarkdown = false
  var listsRounding = false

  /// A comparison of catalogues is about changes, not about findings that both sides have.
  static let usualSeverity = Severity.error
}

let diffCommand = Command(
  "diff", summary: "Show what changed between two archives",
  discussion: """
    Lists names and renditions that were added and removed; renditions that changed, with the \
    changed properties: flags, sizes, slices, insets, pixels; differences in the archives' \
    headers; and the bytes that each device needs for both. Pixels are compared after decoding: a \
    picture that another tool compressed, or that moved in its atlas, is not a change. Of two \
    catalogues, the files are compared, and all icons if no option names some. A catalogue beside \
    an archive is compiled for the platform, the oldest system and the icons of the archive, unless \
    options say otherwise. Of archives, \
    pictures in atlases whose colours differ by at most 2/255 are only counted, because the \
    compression of an atlas rounds colours.
    """,
  defaults: DiffArguments(),
  operands: [
    .one(.archiveOrCatalog, \.before, help: "the older one; a catalogue is compiled first"),
    .one(.archiveOrCatalog, \.after, help: "the newer one"),
  ],
  options: [
    .list(
      "device", "MODEL[,MODEL...]", listedBy: WordList.devices.words, \.models,
      help: "a device whose bytes are compared; without it, all devices of the platform"),
    .flag(
      "rounding", \.listsRounding,
      help: "also list pictures in atlases whose colours differ by at most 2/255"),
    .flag("json", \.isJSON, help: "print JSON"),
    .flag("markdown", \.isMarkdown, help: "print tables for a comment on a change")
      .excluding("json"),
  ] + Option<DiffArguments>.catalogOptions,
  examples: [
    Example("carve diff old.car Assets.car", "print what changed"),
    Example(
      "carve diff old.car Assets.car --device iPhone8,1 --markdown > comment.md",
      "write a comment for a pull request"),
  ]
) { (given, terminal) throws(CommandFailure) in
  var arguments = given
  given.compiling.warnOfTarget(ofArchives: [given.before, given.after], terminal)
  try arguments.followSettings(of: [given.before, given.after], terminal)
  // An icon that is in one catalogue alone must not be overlooked.
  if try !arguments.followArchive(given.before, given.after),
    arguments.compiling.namedIcons.isEmpty
  {
    arguments.compiling.includesAllIcons = true
  }
  arguments.models = arguments.diagnostics.settings.first.models(unless: given.models)
  return try compare(arguments, terminal)
}

private func compare(
  _ arguments: DiffArguments, _ terminal: Terminal
) throws(CommandFailure) -> ExitStatus {
  let devices = try DeviceArguments(models: arguments.models).devices(terminal)
  return try withInput(arguments.before, arguments, terminal) {
    (before) throws(CommandFailure) in
    try withInput(arguments.after, arguments, terminal) {
      (after) throws(CommandFailure) in
      var difference = try difference(arguments, before, after, devices)
      difference.listsRounding = arguments.listsRounding
      if arguments.isJSON {
        terminal.print(difference.json.text)
      } else {
        let text = arguments.isMarkdown ? difference.markdown : difference.text
        terminal.print(text.droppingLastNewline)
      }
      for picture in difference.damaged {
        let archive = picture.isInNew ? arguments.after : arguments.before
        terminal.diagnose("\(onOneLine(archive)): \(picture.text)")
      }
      return difference.damaged.isEmpty ? .fine : .inputErrors
    }
  }
}

private func difference(
  _ arguments: DiffArguments, _ before: UnsafeRawBufferPointer, _ after: UnsafeRawBufferPointer,
  _ named: [Device]
) throws(CommandFailure) -> ArchiveDifference {
  _ = try platform(of: before, at: arguments.before)
  let platform = try platform(of: after, at: arguments.after)
  let devices = named.isEmpty ? Device.all(reading: platform) : named
  let sources = try arguments.unchangedSources(
    before: [arguments.before], after: [arguments.after])
  do throws(ThinningError) {
    return try ArchiveDifference(from: before, to: after, devices: devices) { name, key in
      sources?.isUnchanged(name, key)
    }
  } catch {
    // The error does not say in which of the archives it lies.
    for (bytes, path) in [(before, arguments.before), (after, arguments.after)] {
      let damaged = (try? Archive(bytes))?.damagedRenditions() ?? []
      if !damaged.isEmpty { throw CommandFailure(.damaged(damaged), in: path) }
    }
    throw CommandFailure(error, in: "\(arguments.before), \(arguments.after)")
  }
}

/// Opens an archive alone, so that an error names this archive.
private func platform(
  of bytes: UnsafeRawBufferPointer, at path: ByteString
) throws(CommandFailure) -> String {
  try reporting(about: path) { () throws(ThinningError) in
    try Thinner(bytes).metadata()?.platform ?? "ios"
  }
}
