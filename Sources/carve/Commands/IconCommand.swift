// `carve icon`: draws a layered icon of Icon Composer, or writes it for an older Xcode.

import Bytes
import CatalogCompiler
import CatalogModel
import CommandLineKit
import Documents
import Host

struct IconArguments: Sendable, DiagnosticReporting {
  /// The word for what is made: nil for another icon, "render" for pictures.
  var form: String?
  var icon: ByteString = ""
  var output: ByteString?
  /// The version of Xcode for which the icon is rewritten.
  var xcode: String?
  var side: Int?
  var looks: [String] = []
  var platform: String?
  var hasGlass = true
  var diagnostics = DiagnosticArguments()
}

let iconCommand = Command(
  "icon", summary: "Draw a layered icon, or write it for an older Xcode",
  discussion: """
    Reads a layered icon (.icon) and writes another one. With --for 26, the new icon is one that \
    the tools of Xcode 26 take: they refuse icons with the forms of Icon Composer 2, or crash. What \
    Xcode 26 does not know is left out, or replaced by the nearest value that it knows, and each \
    change is printed with its line. Everything else stays as it was written, in the same \
    formatting; the pictures are copied. The new icon may not lie in the old one.

    'carve icon render' draws the icon as systems without layered icons show it, one PNG for each \
    look, with a model of Apple's glass. The files have names such as AppIcon-dark-1024.png.
    """,
  defaults: IconArguments(),
  operands: [
    .optional(
      .choice("FORM", of: ["render"]), \.form, help: "render, to draw pictures of the icon"),
    .one(.icon, \.icon, help: "a layered icon"),
  ],
  options: [
    .path(
      "output", short: "o", "PATH", \.output, help: "the icon to write, or the folder for pictures"
    )
    .required,
    .choice(
      "for", "XCODE", of: ["26"], \.xcode,
      help: "write an icon for the tools of this version of Xcode"),
    .number(
      "size", "PIXELS", in: IconRequest.possibleSides, \.side,
      help: "the side of the pictures (1024)"),
    .list(
      "look", "LOOK", of: IconRequest.lookWords, \.looks,
      help: "draw only this look (all of them)"),
    .choice(
      "platform", "PLATFORM", of: ["macosx", "iphoneos", "macos", "ios"], \.platform,
      help: "the platform (macosx)"),
    .flag("plain", \.hasGlass, setting: false, help: "draw the icon without glass"),
  ] + Option<IconArguments>.diagnosticOptions + Option<IconArguments>.foldingOptions,
  examples: [
    Example(
      "carve icon --for 26 AppIcon.icon -o build/AppIcon.icon",
      "write an icon for Xcode 26, and say what it leaves out"),
    Example(
      "carve icon render AppIcon.icon -o build --size 512 --look dark",
      "draw the dark icon for a web page"),
  ]
) { (arguments, terminal) throws(CommandFailure) in
  if arguments.form == "render" { return try renderIcon(arguments, terminal) }
  guard arguments.xcode != nil else {
    throw .usage("it needs the word render or --for 26")
  }
  if arguments.side != nil || !arguments.looks.isEmpty || arguments.platform != nil
    || !arguments.hasGlass
  {
    throw .usage("--size, --look, --platform and --plain belong to carve icon render")
  }
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
  try checkIcon(input)
  try checkPlaces([NamedFile("--output", output)], reading: NamedFile.operands([input]))
  let icon = try reading(joined(input, "icon.json")) { () throws(FileError) in
    try iconForXcode26(input, in: .disk)
  }
  guard try show(icon.findings, arguments, terminal), let text = icon.text else {
    return .inputErrors
  }
  try refuseOtherFiles(in: output, than: icon.files)
  let outputs = OutputSet()
  for file in icon.files {
    let bytes = try readFile(joined(input, file), atMost: FileLimit.source)
    try writing { () throws(OutputError) in
      try outputs.makeFolder(parentFolder(joined(output, file)))
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
      + "\(counted(icon.changeCount, "change")) for Xcode 26")
  return .fine
}

/// Throws an error if a folder has files of another icon, which would remain beside those that are
/// written.
private func refuseOtherFiles(
  in output: ByteString, than written: [ByteString]
) throws(CommandFailure) {
  guard isFolder(output) else { return }
  let found = try reading(output) { () throws(FileError) in
    try iconFiles(in: output, .disk)
  }
  guard let other = found.first(where: { !written.contains($0) }) else { return }
  throw .usage(
    "\(output) holds \(other), which is not part of the new icon; remove the folder or name "
      + "another one")
}

private func renderIcon(
  _ arguments: IconArguments, _ terminal: Terminal
) throws(CommandFailure) -> ExitStatus {
  if arguments.xcode != nil { throw .usage("--for does not belong to carve icon render") }
  let input = withoutTrailingSlashes(arguments.icon)
  let folder = withoutTrailingSlashes(arguments.output ?? "")
  try checkIcon(input)
  let request = IconRequest(
    input, for: ["iphoneos", "ios"].contains(arguments.platform) ? .iOS : .macOS,
    looks: arguments.looks,
    sides: [arguments.side ?? 1024], hasGlass: arguments.hasGlass)
  let icon = drawIcon(request, in: .disk)
  guard try show(icon.diagnostics, arguments, terminal), !icon.files.isEmpty else {
    return .inputErrors
  }
  let paths = icon.files.map { joined(folder, $0.name) }
  try checkPlaces(
    paths.map { NamedFile("--output", $0) }, reading: NamedFile.operands([input]))
  let outputs = OutputSet()
  try writing { () throws(OutputError) in
    try outputs.makeFolder(folder)
    for (path, file) in zip(paths, icon.files) { try outputs.write(file.png, to: path) }
    try outputs.commit()
  }
  terminal.print("\(folder): \(counted(paths.count, "picture"))")
  return .fine
}

/// Prints the findings that the options select. Returns false if one of them is an error.
private func show(
  _ findings: [Diagnostic], _ arguments: IconArguments, _ terminal: Terminal
) throws(CommandFailure) -> Bool {
  let shown = try arguments.diagnostics.policy().applied(to: findings)
  arguments.diagnostics.print(shown, terminal)
  return !shown.contains { $0.severity == .error }
}

/// Throws an error if a folder is not that of a layered icon.
private func checkIcon(_ path: ByteString) throws(CommandFailure) {
  try checkCatalogs([path])
  guard pathExtension(path) == "icon" else {
    throw .usage("\(path) is not a layered icon; carve icon reads a folder that ends with .icon")
  }
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
