// `carve icon`: works on a layered icon of Icon Composer itself, without compiling it.

import Bytes
import CatalogModel
import CommandLineKit
import Documents
import Host

struct IconArguments: Sendable {
  var icon: ByteString = ""
  var output: ByteString?
  /// The version of Xcode for which the icon is rewritten.
  var xcode: String?
}

let iconCommand = Command(
  "icon", summary: "Write a layered icon for an older Xcode",
  discussion: """
    Reads a layered icon (.icon) and writes another one. With --for 26, the new icon is one that \
    the tools of Xcode 26 take: they refuse icons with the forms of Icon Composer 2, or crash. What \
    Xcode 26 does not know is left out, or replaced by the nearest value that it knows, and each \
    change is printed with its line. Everything else stays as it was written, in the same \
    formatting; the pictures are copied. The new icon may not lie in the old one.
    """,
  defaults: IconArguments(),
  operands: [.one(.icon, \.icon, help: "a layered icon")],
  options: [
    .path("output", short: "o", "PATH", \.output, help: "the icon to write").required,
    .choice(
      "for", "XCODE", of: ["26"], \.xcode,
      help: "write an icon for the tools of this version of Xcode"),
  ],
  examples: [
    Example(
      "carve icon --for 26 AppIcon.icon -o build/AppIcon.icon",
      "write an icon for Xcode 26, and say what it leaves out")
  ]
) { (arguments, terminal) throws(CommandFailure) in
  guard arguments.xcode != nil else { throw .usage("carve icon needs --for 26") }
  return try writeOlderIcon(arguments, terminal)
}

extension ValueForm {
  /// A folder of Icon Composer.
  static let icon = ValueForm.path("ICON", extensions: ["icon"])
}

private func writeOlderIcon(
  _ arguments: IconArguments, _ terminal: Terminal
) throws(CommandFailure) -> ExitStatus {
  let input = withoutTrailingSlashes(arguments.icon)
  let output = withoutTrailingSlashes(arguments.output ?? "")
  guard pathExtension(output) == "icon" else {
    throw .usage("the output \(output) must be a folder that ends with .icon")
  }
  try checkCatalogs([input])
  try checkPlaces([NamedFile("--output", output)], reading: NamedFile.operands([input]))
  let icon = try reading(input) { () throws(FileError) in try iconForXcode26(input, in: .disk) }
  DiagnosticArguments().print(icon.findings, terminal)
  guard let text = icon.text else { return .inputErrors }
  let outputs = OutputSet()
  for file in icon.files {
    let bytes = try reading(joined(input, file)) { () throws(FileError) in
      try FileTree.disk.read(joined(input, file), FileLimit.source)
    }
    try writing { () throws(OutputError) in
      try outputs.makeFolder(OutputFile.folder(of: joined(output, file)))
      try outputs.write(bytes, to: joined(output, file))
    }
  }
  try writing { () throws(OutputError) in
    try outputs.makeFolder(output)
    try outputs.write(text, to: joined(output, "icon.json"))
    try outputs.commit()
  }
  terminal.print(
    "\(output): \(counted(icon.files.count + 1, "file")), "
      + "\(counted(icon.findings.count, "change")) for Xcode 26")
  return .fine
}

/// Reads something, and translates the error.
private func reading<Value>(
  _ path: ByteString, _ work: () throws(FileError) -> Value
) throws(CommandFailure) -> Value {
  do throws(FileError) {
    return try work()
  } catch {
    throw CommandFailure(error, reading: path)
  }
}
