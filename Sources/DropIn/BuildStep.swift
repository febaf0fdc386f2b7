// The build step that build systems call: reads the documents once, then makes what was asked for. All of
// it is one set of outputs, which is put in place at the end or not at all.
//
//   1 check     documents, the output folder, names of icons and colours
//   2 choose    languages, packs, the icon                            Choices.swift, Icons/
//   3 compile   the archive, and one for each pack                    CatalogCompiler, Outputs/
//   4 beside    icons, launch images, property list, dependencies     Icons/, Outputs/
//   5 place     everything at once                                    Host

import ArchiveTools
import Bytes
import CatalogCompiler
import CatalogModel
import Documents
import Host
import Traits

/// What a run leaves: what it says, and files that wait for their places.
package struct BuildResult {
  package var report = BuildReport()
  package var outputs = OutputSet()
  /// Why the remote cache was of less use than it could be; nil where nothing went wrong.
  package var cacheTrouble: String?

  init(_ request: BuildRequest) { report.documents = request.documents }
}

/// One run over one request.
package struct BuildStep {
  let request: BuildRequest
  let tree: FileTree
  /// Remembers what the system did not show.
  private let witness: WitnessedTree
  /// Severities after what the caller decides about them.
  let judge: ([Diagnostic]) -> [Diagnostic]
  /// The version that dependency files begin with.
  let version: String

  package init(
    _ request: BuildRequest, in tree: FileTree, version: String,
    judge: @escaping ([Diagnostic]) -> [Diagnostic]
  ) {
    self.request = request
    witness = WitnessedTree(tree)
    self.tree = witness.tree
    self.version = version
    self.judge = judge
  }

  /// Does everything, and puts the outputs in place where nothing is wrong.
  package func run() -> BuildResult {
    var result = BuildResult(request)
    result.report.messages += checkDocuments() + checkFolder()
    if result.report.hasErrors { return result }
    var contents = readCatalogs(
      documents, in: tree,
      options: ReadingOptions(
        jobs: request.compiling.jobs, listsInputs: request.dependencyInfo != nil))
    if request.listsTags { result.report.tagCombinations = tagCombinations(contents.assets) }
    if request.listsContents {
      result.report.contents = documents.map { catalogTree($0, in: tree) }
    }
    if !request.symbols.isEmpty {
      write(symbolsOf: contents, &result)
    } else if request.folder != nil {
      keepLanguages(&contents)
      compile(consume contents, &result)
    } else {
      result.report.findings = inPrintingOrder(said(contents.diagnostics).map(\.inApplesWords))
    }
    return placed(result)
  }

  /// Each document once.
  private var documents: [ByteString] {
    var seen: Set<ByteString> = []
    return request.documents.filter { seen.insert($0).inserted }
  }

  /// Every document must be there, and be a folder.
  private func checkDocuments() -> [RunMessage] {
    var messages: [RunMessage] = []
    for path in documents {
      do throws(FileError) {
        if try tree.status(path).kind == .folder { continue }
        messages.append(
          RunMessage(
            .error, "Failed to open \"\(path)\"", about: path,
            reason: "It is a file, and asset catalogs are folders."))
      } catch {
        messages.append(
          RunMessage(
            .error, "Failed to read file attributes for \"\(path)\"", about: path,
            reason: error == .notFound ? "No such file or directory" : error.reason))
      }
    }
    var seen: Set<ByteString> = []
    for path in request.documents where !seen.insert(path).inserted {
      messages.append(RunMessage(.warning, "The document is given twice.", about: path))
    }
    return messages
  }

  private func checkFolder() -> [RunMessage] {
    guard let folder = request.folder else { return [] }
    if request.symbols.isEmpty, (try? tree.status(folder))?.kind != .folder {
      return [
        RunMessage(
          .error, "The output directory \"\(folder)\" does not exist.", about: folder,
          reason: "No such file or directory")
      ]
    }
    return []
  }

  private func write(symbolsOf contents: CatalogContents, _ result: inout BuildResult) {
    result.report.findings = inPrintingOrder(
      judge(contents.diagnostics).filter { $0.severity == .error })
    if result.report.hasErrors { return }
    attempt(&result) { (outputs) throws(OutputError) in
      try request.symbols.write(contents, for: request.target, to: outputs)
      try writeDependencies(on: contents.inputs, contents.missing, outputs.paths, to: outputs)
    }
    result.report.outputFiles = listed(result.outputs)
  }

  private func compile(_ given: consuming CatalogContents, _ result: inout BuildResult) {
    var contents = consume given
    let all = IconChoice(request, among: contents)
    let misfits = dropMisfits(&contents, of: all.names)
    let choice = IconChoice(request, among: contents)
    let facts = SideFacts(request, choice, contents, tree)
    result.report.messages += choice.messages + facts.messages
    if result.report.hasErrors { return }
    let (inputs, missing) = (contents.inputs, contents.missing)
    let outcome = Compilation(step: self, choice: choice, outputs: result.outputs)
      .run(consume contents)
    result.cacheTrouble = outcome.cacheTrouble
    result.report.messages += outcome.messages
    result.report.findings = inPrintingOrder(
      (outcome.findings + said(misfits + facts.findings)).map(\.inApplesWords))
    if result.report.hasErrors { return }
    result.report.messages += choice.unfitness(compiled: outcome.icons, besides: all, for: request)
    if result.report.hasErrors { return }
    let loose = LooseFiles(request, choice, facts, tree)
    result.report.messages += loose.messages
    if result.report.hasErrors { return }
    attempt(&result) { (outputs) throws(OutputError) in
      for file in loose.files { try outputs.write(file.bytes, to: file.path) }
      if let path = request.infoPlist {
        let list = PartialInfoPlist(
          request: request, choice: choice, loose: loose, facts: facts, compiled: outcome.icons)
        try outputs.write(list.value.xmlPropertyList(), to: path)
      }
      try writeDependencies(on: inputs, missing, outputs.paths, to: outputs)
    }
    result.report.outputFiles = listed(result.outputs)
  }

  /// The outputs as the report lists them: sorted, without the dependency file and without devices.
  private func listed(_ outputs: OutputSet) -> [ByteString] {
    outputs.paths.filter { $0 != request.dependencyInfo && isKept($0) }.sorted()
  }

  /// Whether a path keeps what is written to it: devices do not.
  private func isKept(_ path: ByteString) -> Bool { (try? tree.status(path))?.kind != .other }

  private func writeDependencies(
    on inputs: [ByteString], _ missing: [ByteString], _ outputs: [ByteString], to set: OutputSet
  ) throws(OutputError) {
    guard let path = request.dependencyInfo else { return }
    var inputs = inputs
    if let packs = request.assetPacks { inputs.append(packs) }
    let info = DependencyInfo(
      version: version, inputs: inputs, missing: missing,
      outputs: outputs.filter(isKept))
    try set.write(info.bytes, to: path)
  }

  /// Does something that can fail for want of room or rights.
  private func attempt(
    _ result: inout BuildResult, _ work: (OutputSet) throws(OutputError) -> Void
  ) {
    do throws(OutputError) {
      try work(result.outputs)
    } catch {
      result.report.messages.append(RunMessage(output: error))
    }
  }

  private func placed(_ result: BuildResult) -> BuildResult {
    var result = result
    let isSaid = result.report.findings.contains { $0.severity == .error }
    if !isSaid, let trouble = witness.trouble {
      // Other errors may say that something lacks which could only not be read.
      result.report.messages.removeAll { $0.severity == .error }
      result.report.messages.append(
        RunMessage(
          .error, "Failed to read \"\(trouble.path)\"", about: trouble.path,
          reason: trouble.error.reason))
    }
    if !result.report.hasErrors {
      attempt(&result) { (outputs) throws(OutputError) in try outputs.commit() }
    }
    if result.report.hasErrors { result.report.outputFiles = nil }
    return result
  }
}

extension RunMessage {
  init(output error: OutputError) {
    self.init(
      .error, "Failed to \(error.operation) \"\(error.path)\"", about: error.path,
      reason: error.description)
  }
}
