// `carve adopt`: makes a catalogue of the loose pictures of a folder.

import Apps
import ArchiveTools
import Builds
import Bytes
import CatalogCompiler
import CatalogModel
import CommandLineKit
import Documents
import Host
import Traits

struct AdoptArguments: Sendable {
  var folder: ByteString = ""
  var output: ByteString?
  var skipsSizes = false
  var isJSON = false
}

let adoptCommand = Command(
  "adopt", summary: "Make a catalogue of loose pictures",
  discussion: """
    Reads the pictures below a folder, and writes a catalogue with a set for each. Names and \
    folders state the variants: 'name@2x.png' and 'name~ipad.png', Flutter's '2.0x/name.png', \
    Android's 'drawable-xhdpi/', 'drawable-night/' and 'drawable-ldrtl/', 'fr.lproj/'. \
    'name-dark.png' beside 'name.png' is its dark appearance. The black marks of a nine-patch \
    ('name.9.png') become slices, and its border is cut off. Other folders become groups.

    The pictures are not changed, and the folder stays as it is. The catalogue appears whole or not \
    at all, and must be new or empty. The report says what was guessed, what is left out, which scales are \
    missing, and what each device would download of the catalogue instead of all loose pictures.
    """,
  defaults: AdoptArguments(),
  operands: [.one(.folder("FOLDER"), \.folder, help: "the folder with the pictures")],
  options: [
    .path(
      "output", short: "o", "CATALOG", extensions: ["xcassets"], \.output,
      help: "the catalogue to write"
    ).required,
    .flag("no-sizes", \.skipsSizes, help: "do not compile the catalogue to measure downloads"),
    .flag("json", \.isJSON, help: "print the report as JSON"),
  ],
  examples: [
    Example("carve adopt Images -o App.xcassets", "make a catalogue of the pictures in Images/"),
    Example(
      "carve adopt app/src/main/res -o App.xcassets", "take the pictures of an Android app"),
  ]
) { (arguments, terminal) throws(CommandFailure) in
  let output = withoutTrailingSlashes(arguments.output ?? "")
  guard pathExtension(output) == "xcassets" else {
    throw .usage("the name of a catalogue ends in .xcassets, and '\(output)' does not")
  }
  var status = ExitStatus.fine
  var catalog: AdoptedCatalog
  do throws(FileError) { catalog = try AdoptedCatalog(of: arguments.folder) } catch {
    throw CommandFailure(error, reading: arguments.folder)
  }
  if catalog.report.sets == 0 {
    for line in catalog.report.leftOut { terminal.diagnose(line) }
    throw .input("\(arguments.folder): there are no pictures that a catalogue can hold")
  }
  let folder = try newFolder(output)
  try write(catalog, to: folder)
  if !arguments.skipsSizes {
    if let devices = try measured(catalog, of: arguments.folder, terminal) {
      catalog.set(devices)
    } else {
      status = .inputErrors
    }
  }
  try writing { () throws(OutputError) in try folder.commit() }
  let report = catalog.report
  terminal.print(
    arguments.isJSON ? report.json(output).text : report.text(output).droppingLastNewline)
  return status
}

private func write(_ catalog: AdoptedCatalog, to folder: OutputFolder) throws(CommandFailure) {
  for (path, file) in catalog.files {
    let bytes: [UInt8]
    switch file {
    case .bytes(let made): bytes = made
    case .copy(let source, _):
      do throws(FileError) { bytes = try FileTree.disk.read(source, FileLimit.source) } catch {
        throw CommandFailure(error, reading: source)
      }
    }
    try writing { () throws(OutputError) in try folder.write(bytes, to: path) }
  }
}

/// Compiles the catalogue, and returns what devices would download of it. Returns nil if pictures
/// have errors, which are printed with the names of the loose files.
private func measured(
  _ catalog: AdoptedCatalog, of folder: ByteString, _ terminal: Terminal
) throws(CommandFailure) -> [DeviceShare]? {
  let place: ByteString = "Adopted.xcassets"
  var options = CompileOptions(target: CompileTarget(platform: .iOS))
  options.writesIndex = false
  let whole = try unthinnedArchive()
  defer { withExtendedLifetime(whole) {} }
  var build = Build(.archive(of: [place]), options, in: catalog.fileTree(at: place))
  do throws(CompileError) { try build.makeProduct(in: whole, CompileObserver()) } catch {
    throw CommandFailure(error)
  }
  if build.report.isRefused {
    let sources = catalog.sources(at: place)
    let errors = build.report.diagnostics.filter { $0.severity == .error }.map { error in
      error.moved { file in sources[file].map { joined(folder, $0) } ?? file }
    }
    terminal.diagnose(
      DiagnosticArguments().text(of: errors, terminal).droppingLastNewline)
    terminal.diagnose("note: downloads are not measured, because the catalogue has errors")
    return nil
  }
  let bytes = try bytes(of: whole)
  return try reporting(about: place) { () throws(ThinningError) in
    try ArchiveSizes(bytes, app: AppTraits(), os: nil).devices
  }
}
