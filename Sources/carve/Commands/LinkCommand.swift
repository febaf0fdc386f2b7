// `carve link`: makes one archive of objects of catalogues. Translates the options, calls the
// compiler and prints.

import Builds
import Bytes
import CarveRuntime
import CatalogCompiler
import CommandLineKit
import Documents
import Host
import Queries

let linkCommand = Command(
  "link", summary: "Link objects of catalogues into one archive",
  discussion: """
    Reads objects that 'carve compile --object' made, and writes the archive that compiling their \
    catalogues together makes, byte for byte, with the same findings: name clashes between \
    catalogues are resolved, small pictures of all objects are packed into atlases, and everything \
    else is copied. The catalogues are not read.

    The order of the catalogues is the order in which the objects first name them; if several use \
    a name, the first wins. The groups of one catalogue may have any order. All objects must be \
    made by this version of Carve, for one platform, with the same settings.
    """,
  defaults: CompileArguments(),
  operands: [.many(.object, \.catalogs, help: "the objects")],
  options: linkOptions,
  examples: [
    Example("carve link *.caro -o Assets.car", "make one archive of all objects"),
    Example(
      "carve link A.caro B.caro -o Assets.car --c assets.h --werror",
      "also write ids of the assets, and fail if there are warnings"),
  ]
) { (given, terminal) throws(CommandFailure) in
  var arguments = given
  try arguments.symbols.check()
  let files = arguments.files(try outputArchive(arguments.output ?? "", terminal))
  try arguments.checkPlaces(files)
  let jobs = arguments.compiling.jobs ?? availableProcessors()
  let objects = try linkedObjects(arguments.catalogs, jobs: jobs)
  // The findings are about the catalogues, if these are there.
  try arguments.findSettings(of: objects.catalogs, terminal)
  var options = objects.options
  options.jobs = jobs
  options.writesIndex = arguments.writesIndex
  try arguments.cache.add(to: &options)
  if let memory = arguments.memory { options.memory = memory << 20 }
  var build = Build(.link(objects), options, files)
  return try makeAnew(&build, arguments, terminal)
}

private let linkOptions: [Option<CompileArguments>] =
  Option<CompileArguments>.archiveOptions + Option<CompileArguments>.symbolOptions
  + Option<CompileArguments>.cacheOptions + [.jobs]
  + Option<CompileArguments>.diagnosticOptions + Option<CompileArguments>.foldingOptions

extension ValueForm {
  /// The paths of one or more compiled `.caro` files.
  fileprivate static let object = ValueForm.path("OBJECT", extensions: ["caro"])
}

/// A mapped file with several owners.
private final class MappedInput: Sendable {
  let file: InputFile
  init(_ file: consuming InputFile) { self.file = file }
}

private func linkedObjects(
  _ paths: [ByteString], jobs: Int
) throws(CommandFailure) -> LinkedObjects {
  var inputs: [ObjectInput] = []
  for path in paths { inputs.append(try objectInput(path)) }
  do throws(ObjectError) {
    return try LinkedObjects(inputs, jobs: jobs)
  } catch {
    throw .input(error.message)
  }
}

private func objectInput(_ path: ByteString) throws(CommandFailure) -> ObjectInput {
  if isFolder(path) {
    throw .inputOutput(
      "cannot read \(path): it is a folder; 'carve compile --object' makes an object from a "
        + "catalogue"
    )
  }
  let input = MappedInput(try openFile(path))
  return ObjectInput(path: path, input.file.bytes, owner: input)
}

/// Prints the facts about an object; returns false for any other file.
func printObject(
  _ path: ByteString, isJSON: Bool, on terminal: Terminal
) throws(CommandFailure) -> Bool {
  guard let start = try? FileTree.disk.readPart(path, 0, 8).bytes,
    start.withUnsafeBytes(ObjectFormat.begins)
  else { return false }
  let input = try objectInput(path)
  do throws(ObjectError) {
    let object = try ObjectFile(input)
    if isJSON {
      terminal.print(object.json.text)
    } else {
      for line in object.lines(about: path) { terminal.print(line) }
    }
    return true
  } catch {
    throw .input(error.message)
  }
}
