// `carve app`: prints what a finished app carries.

import Apps
import Bytes
import CommandLineKit
import Documents
import Host
import Queries

struct AppArguments: Sendable {
  var app: ByteString = ""
  var isJSON = false
  var jobs: Int?
}

let appCommand = Command(
  "app", summary: "Show what a finished app carries",
  discussion: """
    Reads an .ipa or another ZIP file, an .app, an .xcarchive or any folder, and finds the bundles \
    in it (the app, extensions, frameworks, resource bundles, its watch app and App Clip), their \
    archives and their loose pictures. Prints a line for each archive; what the devices of each \
    family download of all archives, thinned for the windows that the Info.plist allows; the \
    largest assets; pictures with equal pixels, in one archive or in several; similar pictures \
    under other names; and the size that loose pictures would have in a catalogue. Nothing is \
    unpacked to the disk.

    Parts that cannot be read are named on standard error, the rest is reported, and the command \
    exits with 1.
    """,
  defaults: AppArguments(),
  operands: [
    .one(
      .path("APP", extensions: ["ipa", "zip", "app", "appex", "framework", "xcarchive"]), \.app,
      help: "the .ipa, .app, .xcarchive or folder")
  ],
  options: [
    .flag("json", \.isJSON, help: "print JSON"),
    .number("jobs", short: "j", "N", in: 1...256, \.jobs, help: "use N processors"),
  ],
  examples: [
    Example("carve app Shop.ipa", "what each device downloads, and what is there twice"),
    Example("carve app Shop.xcarchive --json", "the same for programs"),
  ]
) { (arguments, terminal) throws(CommandFailure) in
  if isFolder(arguments.app) {
    do throws(AppTrouble) {
      return report(try AppFiles(folder: arguments.app), arguments, terminal)
    } catch {
      throw .inputOutput("cannot read \(error.path): \(error.reason)")
    }
  }
  return try withArchiveBytes(arguments.app) { (bytes) throws(CommandFailure) in
    do throws(ZIPError) {
      return report(try AppFiles(zip: bytes), arguments, terminal)
    } catch {
      throw .input("\(arguments.app) \(error)")
    }
  }
}

private func report(
  _ files: AppFiles, _ arguments: AppArguments, _ terminal: Terminal
) -> ExitStatus {
  let jobs = arguments.jobs ?? availableProcessors()
  let report = AppReport(files, jobs: jobs) { terminal.progress(onOneLine($0)) }
  terminal.progress("")
  if arguments.isJSON {
    terminal.print(report.json.text)
  } else {
    for line in report.lines(about: arguments.app) { terminal.print(line) }
  }
  for trouble in report.troubles {
    terminal.diagnose("\(onOneLine(trouble.path)): \(onOneLine(trouble.reason))")
  }
  return report.troubles.isEmpty ? .fine : .inputErrors
}
