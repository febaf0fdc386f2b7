// `carve edit` and `carve merge`: change a finished archive. They translate the options, apply the
// operations, prove the result and print what changed.

import Archive
import ArchiveTools
import Builds
import Bytes
import CatalogCompiler
import CatalogModel
import CommandLineKit
import Documents
import Host
import Synchronization

struct EditArguments: Sendable, CatalogCompiling {
  var input: ByteString = ""
  var output: ByteString?
  var replacements: [ByteString] = []
  var colors: [ByteString] = []
  var removals: [ByteString] = []
  var renames: [ByteString] = []
  var additions: [ByteString] = []
  var icon: ByteString?
  var script: ByteString?
  var sourceScale: String?
  var isForced = false
  var writing = EditWritingArguments()
  var compiling = CatalogArguments()
  var diagnostics = DiagnosticArguments(minimum: usualSeverity)

  /// An edit is about an archive, not about findings in catalogues that are added.
  static let usualSeverity = Severity.warning
}

struct MergeArguments: Sendable {
  var inputs: [ByteString] = []
  var output: ByteString?
  var writing = EditWritingArguments()
}

/// How a changed archive is written, proved and reported.
struct EditWritingArguments: Sendable {
  var index = IndexArguments()
  var proves = false
  var skipsProof = false
  var isJSON = false
}

/// The arguments of a command that changes an archive.
protocol EditWriting: IndexWriting {
  var output: ByteString? { get set }
  var writing: EditWritingArguments { get set }
}

extension EditWriting {
  var index: IndexArguments {
    get { writing.index }
    set { writing.index = newValue }
  }
}

extension EditArguments: EditWriting {}
extension MergeArguments: EditWriting {}

extension Option where Arguments: EditWriting {
  fileprivate static var writingOptions: [Option] {
    [
      .path(
        "output", short: "o", "ARCHIVE", extensions: ["car"], \.output,
        help: "the archive to write; it may be the input"
      ).required,
      .flag(
        "prove", \.writing.proves,
        help: "prove archives of more than 10,000 renditions, too"),
      .flag(
        "no-prove", \.writing.skipsProof,
        help: "write the archive without the proof that nothing else changed"
      ).excluding("prove"),
    ] + indexOptions + [
      .flag("json", \.writing.isJSON, help: "print the changes as JSON")
    ]
  }
}

let editCommand = Command(
  "edit", summary: "Change a finished archive",
  discussion: """
    Replaces, removes, renames and adds assets of an archive, without its sources. Everything that \
    no operation names stays as it is, byte for byte and in its order; an edit that changes \
    nothing writes the same bytes. Pictures are compressed for the platform and the oldest system \
    that the archive states. A new picture keeps the name, the template flag and, if it has the \
    same size, the slices and the insets of the old one.

    A picture replaces the variants that have its size in pixels. With --scale-from, it also \
    replaces the smaller scales. TRAITS choose variants: KEY=VALUE,KEY=VALUE, with the keys of \
    'carve resolve --traits'. A PDF or SVG file replaces the vector and all its bitmaps; a picture \
    that replaces a bitmap of a vector also removes the vector.

    The operations of a script are applied first, in its order, and then those of the options: \
    replaced, recoloured, removed, renamed, added, icon. Before the archive is written, the \
    answers of the old and the new archive are compared for every name in every window of every \
    device. If an answer differs and no operation asked for this, no archive is written.
    """,
  defaults: EditArguments(),
  operands: [.one(.archive, \.input, help: "the archive to change")],
  options: editOptions + Option<EditArguments>.writingOptions,
  examples: [
    Example(
      "carve edit Assets.car --replace Logo=logo@3x.png --scale-from 3 -o new.car",
      "replace a picture at every scale by one file"),
    Example(
      "carve edit Assets.car --recolor Accent:style=dark=#FF9500 --remove Beta -o Assets.car",
      "change a dark colour and remove an asset, in place"),
  ]
) { (arguments, terminal) throws(CommandFailure) in
  try runEdit(arguments, terminal)
}

private let editOptions: [Option<EditArguments>] = [
  .list(
    "replace", "NAME[:TRAITS]=FILE", \.replacements,
    help: "a picture, a vector or data for an asset; for a colour, a colour as in --recolor"),
  .list(
    "recolor", "NAME[:TRAITS]=COLOR", \.colors,
    help: "#RRGGBB, #RRGGBBAA or display-p3(R, G, B, A) for a colour"),
  .list("remove", "NAME", \.removals, help: "an asset to remove"),
  .list("rename", "OLD=NEW", \.renames, help: "a new name for an asset"),
  .list(
    "add", "CATALOG-or-ARCHIVE", \.additions,
    help: "assets to add; names that the archive has are left out"),
  .path(
    "icon", "FOLDER", extensions: ["icon", "appiconset"], \.icon,
    help: "a layered icon or an icon set for the archive's icon"),
  .path(
    "script", "FILE", extensions: ["json"], \.script,
    help: #"operations as JSON: [{"replace": "Logo", "traits": "scale=2", "with": "logo.png"}]"#),
  .choice(
    "scale-from", "SCALE", of: ["2", "3", "2x", "3x"], \.sourceScale,
    help: "the scale of the pictures, from which those for smaller scales are made"),
  .flag("force", \.isForced, help: "take pictures of another size"),
]

let mergeCommand = Command(
  "merge", summary: "Make one archive of several",
  discussion: """
    Adds the assets of further archives to the first one. If several archives have an asset of one \
    name, the first archive wins, and a line reports this. The first archive stays as it is, byte \
    for byte and in its order. The renditions of the others are copied; a number in them is \
    changed only if the first archive uses it for something else. All archives must be for one \
    platform.
    """,
  defaults: MergeArguments(),
  operands: [.many(.archive, \.inputs, help: "the archives")],
  options: Option<MergeArguments>.writingOptions,
  examples: [
    Example("carve merge Assets.car Extra.car -o Assets.car", "add the assets of another archive")
  ]
) { (arguments, terminal) throws(CommandFailure) in
  try runMerge(arguments, terminal)
}

// MARK: - Running

private func runEdit(
  _ arguments: EditArguments, _ terminal: Terminal
) throws(CommandFailure) -> ExitStatus {
  let operations = try arguments.operations()
  let isReplacing = !arguments.replacements.isEmpty || arguments.script != nil
  if !isReplacing, arguments.sourceScale != nil || arguments.isForced {
    throw .usage("--scale-from and --force belong to --replace")
  }
  let output = try outputArchive(arguments.output ?? "", terminal)
  try checkPlaces(
    [NamedFile("--output", output)],
    reading: [NamedFile("--script", arguments.script)]
      + operations.map { operation in operation.file.map { NamedFile("an operation", $0) } })
  let file = try openFile(arguments.input)
  let scale = arguments.sourceScale.flatMap { Int(String($0.prefix(1))) }
  var run = try editing(arguments.input) { () throws(EditError) in
    try EditRun(file.bytes, scaleFrom: scale, isForced: arguments.isForced)
  }
  for operation in operations {
    guard try arguments.apply(operation, to: &run, terminal) else { return .inputErrors }
  }
  try editing(arguments.input) { () throws(EditError) in try run.finish() }
  for note in run.notes { terminal.diagnose("note: \(note)") }
  return try write(run.editor, of: file.bytes, arguments.input, to: output, arguments, terminal)
}

extension EditArguments {
  /// Returns the operations in the order in which they are applied.
  fileprivate func operations() throws(CommandFailure) -> [EditOperation] {
    var operations: [EditOperation] = []
    if let script {
      let bytes: [UInt8]
      do throws(FileError) { bytes = try FileTree.disk.read(script, FileLimit.document) } catch {
        throw CommandFailure(error, reading: script)
      }
      do throws(EditError) {
        operations += try EditOperation.script(bytes, file: script)
      } catch {
        throw .input("\(error)")
      }
    }
    do throws(EditError) {
      for word in replacements { operations.append(try .replacing(word)) }
      for word in colors { operations.append(try .recoloring(word)) }
      operations += removals.map { .remove($0) }
      for word in renames { operations.append(try .renaming(word)) }
      operations += additions.map { .add($0) } + [icon.map { .icon($0) }].compactMap { $0 }
    } catch {
      throw .usage("\(error)")
    }
    return operations
  }

  /// Applies an operation. Returns false if a catalogue has errors, which are printed.
  fileprivate func apply(
    _ operation: EditOperation, to run: inout EditRun, _ terminal: Terminal
  ) throws(CommandFailure) -> Bool {
    let path: ByteString
    switch operation {
    case .add(let added): path = added
    case .icon(let icon): path = icon
    default:
      try editing(input) { () throws(EditError) in try run.apply(operation) }
      return true
    }
    if try !areFolders([path]) || archiveInBundle(path) != nil, operation == .add(path) {
      let file = try openFile(path)
      try editing(path) { () throws(EditError) in
        try run.apply(operation, compiling: file.bytes)
      }
      return true
    }
    try checkCatalogs([path])
    var options = CompileOptions(target: run.target, icons: .all)
    options.writesIndex = false
    let whole = try unthinnedArchive()
    defer { withExtendedLifetime(whole) {} }
    let isSet = pathExtension(withoutTrailingSlashes(path)) == "appiconset"
    let set = isSet ? SetCatalog(of: path) : nil
    var build = Build(.archive(of: [set?.path ?? path]), options, in: set?.tree ?? .disk)
    var reporting = self
    try reporting.findSettings(of: [path], terminal)
    try reporting.makeProduct(of: &build, in: whole, terminal) { set?.source(of: $0) ?? $0 }
    if build.report.isRefused { return false }
    let bytes = try bytes(of: whole)
    try editing(path) { () throws(EditError) in try run.apply(operation, compiling: bytes) }
    return true
  }
}

private func runMerge(
  _ arguments: MergeArguments, _ terminal: Terminal
) throws(CommandFailure) -> ExitStatus {
  let output = try outputArchive(arguments.output ?? "", terminal)
  // The result may take the place of the first archive.
  try checkPlaces(
    [NamedFile("--output", output)],
    reading: arguments.inputs.dropFirst().map { NamedFile("the archive", $0) })
  let first = arguments.inputs[0]
  let file = try openFile(first)
  var editor = try editing(first) { () throws(EditError) in try ArchiveEditor(file.bytes) }
  for path in arguments.inputs.dropFirst() {
    let other = try openFile(path)
    let result = try editing(path) { () throws(EditError) in try editor.merge(other.bytes) }
    if let note = result.note(about: path) { terminal.diagnose("note: \(note)") }
  }
  return try write(editor, of: file.bytes, first, to: output, arguments, terminal)
}

/// The number of renditions up to which an edit is proved without being asked for.
private let mostProved = 10_000

/// Proves the edit, writes the archive and prints what changed.
private func write(
  _ editor: ArchiveEditor, of before: UnsafeRawBufferPointer, _ input: ByteString,
  to output: ByteString, _ arguments: some EditWriting, _ terminal: Terminal
) throws(CommandFailure) -> ExitStatus {
  let options = arguments.writing
  let sink = try writing { () throws(OutputError) in try FileSink(.path(output)) }
  try editing(input) { () throws(EditError) in
    try editor.write(into: sink, writesIndex: options.index.isWritten)
  }
  // The archive has no name yet. It is read back, so that the proof sees what is on the disk.
  let written = try writing { () throws(OutputError) in try sink.mapped() }
  defer { withExtendedLifetime(written) {} }
  let result = EditResult(of: editor, from: before, to: written.bytes, input, options)
  let proof = try result.proof.get()
  let difference = result.shownDifference(terminal)
  try writing { () throws(OutputError) in try sink.commit() }
  if options.isJSON {
    var members: [JSONOutput.Member] = []
    if case .object(let changes)? = difference?.json { members = changes }
    if let proof { members.append(.init("proof", proof.json)) }
    terminal.summarize(output, JSONOutput.object(members).text)
    return .fine
  }
  if let difference { terminal.summarize(output, difference.text.droppingLastNewline) }
  if let proof { terminal.summarize(output, proof.text) }
  return .fine
}

/// The proof of an edit and the list of its changes. Both are made at the same time.
private struct EditResult {
  /// The proof; nil if none is made.
  private(set) var proof: Result<EditProof?, CommandFailure> = .success(nil)
  private var difference: Result<ArchiveDifference, ThinningError>?

  init(
    of editor: ArchiveEditor, from before: UnsafeRawBufferPointer,
    to after: UnsafeRawBufferPointer, _ input: ByteString, _ options: EditWritingArguments
  ) {
    let (before, after) = (FileBytes(before), FileBytes(after))
    let result = Mutex(self)
    parallelForEach(count: 2, jobs: availableProcessors()) { part, _ in
      if part == 0 {
        let difference = Result { () throws(ThinningError) in
          try ArchiveDifference(from: before.buffer, to: after.buffer, devices: [])
        }
        result.withLock { $0.difference = difference }
      } else {
        let proof = Result { () throws(CommandFailure) in
          try prove(editor, before.buffer, after.buffer, input, options)
        }
        result.withLock { $0.proof = proof }
      }
    }
    self = result.withLock { $0 }
  }

  /// Returns what changed; nil if a rendition is damaged, which a note says.
  func shownDifference(_ terminal: Terminal) -> ArchiveDifference? {
    switch difference {
    case .success(let difference): return difference
    case .failure(let error): terminal.diagnose("note: the changes are not listed: \(error)")
    case nil: break
    }
    return nil
  }
}

/// Proves the changed archive; returns nil if no proof is made.
private func prove(
  _ editor: ArchiveEditor, _ before: UnsafeRawBufferPointer, _ after: UnsafeRawBufferPointer,
  _ input: ByteString, _ options: EditWritingArguments
) throws(CommandFailure) -> EditProof? {
  if options.skipsProof || !options.proves && editor.edit.renditions.count > mostProved {
    return nil
  }
  let proof = try editing(input) { () throws(EditError) in
    try editor.proof(before: before, after: after)
  }
  guard proof.holds else { throw .input("\(input): \(proof.text); nothing was written") }
  return proof
}

/// Runs a part of an edit, and translates its errors.
private func editing<Value>(
  _ archive: ByteString, _ work: () throws(EditError) -> Value
) throws(CommandFailure) -> Value {
  do throws(EditError) { return try work() } catch {
    switch error {
    case .format(let error): throw CommandFailure(error, in: archive)
    case .archive, .refused: throw .input("\(archive): \(error)")
    case .unreadable: throw .inputOutput("\(archive): \(error)")
    }
  }
}
