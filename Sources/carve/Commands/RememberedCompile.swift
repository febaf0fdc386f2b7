// Compilations that a cache remembers: if nothing has changed since, the remembered answer is
// printed again.

import Bytes
import CPosix
import CatalogCompiler
import CatalogModel
import CommandLineKit
import Documents
import Host

extension CompileArguments {
  /// Returns the memory of this command line; nil if there is no cache, or if an output, such as a
  /// pipe, cannot be compared later.
  func memory(with options: CompileOptions, writing outputs: [ByteString]) -> RunMemory? {
    guard !outputs.contains(where: { $0.withCString(carve_is_special) }), let path = options.cache,
      let cache = CacheFolder(path, limit: options.cacheLimit), let here = try? currentFolder()
    else { return nil }
    var shown = self
    // These arguments change no output, or are applied to each answer again.
    shown.diagnostics = DiagnosticArguments()
    shown.compiling.jobs = nil
    shown.compiling.keeping = CacheArguments()
    shown.memory = nil
    shown.touches = false
    shown.showsTimings = false
    shown.timingForm = nil
    shown.comparesContents = false
    shown.watches = false
    return RunMemory(
      cache: cache,
      words: [
        "compile", here, ByteString(programIdentity), "\(String(describing: shown))",
      ]
        + outputs)
  }

  /// Throws if an output would be lost, would replace an input, or has a name that a rule of make
  /// cannot contain. `catalogs` may be objects, too.
  func checkPlaces(_ output: ByteString) throws(CommandFailure) {
    let outputs =
      [NamedFile("--output", output)] + symbols.outputFiles + [NamedFile("--depfile", depfile)]
    try carve.checkPlaces(
      outputs,
      reading: NamedFile.operands(catalogs) + [
        NamedFile("--options", optionFile), NamedFile("--info-plist", target.infoPlist),
      ])
    if depfile == nil { return }
    for file in outputs.dropLast().compactMap({ $0 }) where !Depfile.canName(file.path) {
      throw .usage(
        "make or ninja would misread the name of \(file.option) \(file.path) in the rule of "
          + "--depfile; give the file another name, or name it relative to this folder"
      )
    }
  }

  /// Returns every file that a run writes.
  func outputs(_ archive: ByteString) -> [ByteString] {
    [archive, symbols.swift, symbols.header, depfile].compactMap { $0 }
  }
}

/// The identity of this build of the tool: another build may give other answers, even with the same
/// version.
private var programIdentity: String {
  var path = [UInt8](repeating: 0, count: Int(PATH_MAX))
  let length = path.withUnsafeMutableBytes { buffer in
    carve_tool_path(buffer.baseAddress?.assumingMemoryBound(to: CChar.self), buffer.count)
  }
  guard length > 0, let identity = FileIdentity(ByteString(bytes: Array(path[..<length])))
  else { return "" }
  return "\(identity.size) \(identity.modified)"
}

extension CompileArguments {
  /// Returns the answer that the run would give, if the memory knows it; nil otherwise. Pictures
  /// that changed are put into the archive.
  func remembered(
    by memory: RunMemory?, _ options: CompileOptions, _ output: ByteString,
    _ clock: inout PassClock,
    _ terminal: Terminal
  ) throws(CommandFailure) -> RunAnswer? {
    switch memory?.recall(comparesContents: comparesContents, jobs: options.jobs) {
    case nil: return nil
    case .unchanged(let answer):
      clock.end("record", items: answer.pathCount)
      return answer
    case .pictures(let changed):
      let answer = try writing { () throws(OutputError) in
        try changed.update(options, in: output, touches: touches, &clock)
      }
      terminal.warn(ofRemoteCache: answer?.cacheTrouble)
      return answer
    }
  }
}

/// Prints the output of the remembered run. Returns nil if none of its stages was refused.
func replay(
  _ answer: RunAnswer, _ arguments: CompileArguments, _ terminal: Terminal
) throws(CommandFailure) -> ExitStatus? {
  let policy = try arguments.diagnostics.policy()
  var report = CompileReport()
  for stage in answer.stages where !report.isRefused { report.add(stage, policy.applied) }
  arguments.diagnostics.print(report.diagnostics, terminal)
  if report.isRefused { return .inputErrors }
  if !arguments.symbols.isAsked { return nil }
  let found = policy.applied(to: answer.symbols)
  arguments.diagnostics.print(inPrintingOrder(found), terminal)
  return found.contains { $0.severity == .error } ? .inputErrors : nil
}

extension RunAnswer {
  init(_ report: CompileReport, symbols: [Diagnostic], thinnedSize: Int?) {
    self.init()
    stages = report.stages
    self.symbols = symbols
    (nameCount, renditionCount) = (report.nameCount, report.renditionCount)
    (byteCount, self.thinnedSize) = (report.byteCount, thinnedSize)
  }
}

extension OutputSet {
  /// Puts every file in its place, and remembers the files with their inputs. `archive` is the
  /// archive in which `pixels` have their places.
  func commit(
    remembering answer: RunAnswer, in memory: RunMemory?, _ recorder: InputRecorder?, jobs: Int,
    _ pixels: PixelPlaces?, in archive: ByteString
  ) throws(OutputError) {
    guard let memory, let recorder else { return try commit() }
    var written: [WrittenFile] = []
    try commit { output in
      if let file = WrittenFile(output, isDigested: true) { written.append(file) }
    }
    if written.count < paths.count { return }
    // Frees the memory that encoding has left, so that it does not add to that of the record.
    carve_trim_memory()
    memory.keep(
      answer, inputs: recorder.observations(jobs: jobs), outputs: written, pixels, in: archive)
  }
}
