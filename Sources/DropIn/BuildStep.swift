// The step that build systems call: it reads the documents once, then makes everything that was
// requested. The results are one set of outputs, which is put in place at the end or not at all.
//
//   1 check     documents, the output folder, names of icons and colours
//   2 choose    languages, icons, packs                              Languages.swift,
//                                                                    AppIcons.swift,
//                                                                    AssetPacks.swift
//   3 compile   the archive, and one for each pack                   Archives.swift, module Builds
//   4 beside    icons, launch images, property list, dependencies    LooseFiles.swift,
//                                                                    PartialInfoPlist.swift
//   5 place     everything at once                                   module Host

import AssetSymbols
import Builds
import Bytes
import CatalogCompiler
import CatalogModel
import Documents
import Host
import Traits

/// The result of a run.
package struct BuildResult {
  package var report = BuildReport()
  /// The first failure of the remote cache; nil if it worked.
  package var cacheTrouble: String?
  /// The sources of which at least one rendition is stored, in a trial.
  var stored: Set<ByteString> = []

  init(_ request: BuildRequest) { report.documents = request.documents }
}

/// A run of the build step for one request.
package struct BuildStep {
  let request: BuildRequest
  /// The run that reads the documents and makes the archives. It has the outputs.
  let build: Build
  /// A function that gives findings the severities that the caller wants.
  let applyPolicy: ([Diagnostic]) -> [Diagnostic]
  /// The version at the start of dependency files.
  let version: String
  /// Whether the run puts no output in its place.
  let isTrial: Bool

  package init(
    _ request: BuildRequest, in tree: FileTree, version: String, isTrial: Bool = false,
    applyPolicy: @escaping ([Diagnostic]) -> [Diagnostic]
  ) {
    var request = request
    // The icons beside the archive have the bitmaps that are in it.
    request.compiling.drawnIcons = DrawnIcons()
    self.request = request
    self.version = version
    self.applyPolicy = applyPolicy
    self.isTrial = isTrial
    var options = request.compiling
    options.listsInputs = request.dependencyInfo != nil
    build = Build(.archive(of: request.documents), options, in: tree, isTrial: isTrial)
  }

  var tree: FileTree { build.tree }

  /// Does the whole step. Puts the outputs in place if there is no error.
  package func run() -> BuildResult {
    var result = BuildResult(request)
    result.report.messages += checkDocuments() + checkFolder() + checkPlaces()
    if result.report.hasErrors { return result }
    var contents = build.read()
    if request.listsTags { result.report.tagCombinations = tagCombinations(contents.assets) }
    if request.listsContents {
      result.report.contents = request.documents.map { catalogTree($0, in: tree) }
    }
    if !request.symbols.isEmpty {
      write(symbolsOf: contents, &result)
    } else {
      keepLanguages(&contents)
      compile(consume contents, &result)
    }
    return placed(result)
  }

  /// Reports documents that do not exist or are not folders.
  private func checkDocuments() -> [RunMessage] {
    var messages: [RunMessage] = []
    for path in request.documents {
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
            reason: error.reason))
      }
    }
    return messages
  }

  private func checkFolder() -> [RunMessage] {
    // Earlier steps of the build may make the folder, so a trial does not need it.
    guard let folder = request.folder, !isTrial else { return [] }
    if request.symbols.isEmpty, (try? tree.status(folder))?.kind != .folder {
      return [
        RunMessage(
          .error, "The output directory \"\(folder)\" does not exist.", about: folder,
          reason: FileError.notFound.reason)
      ]
    }
    return []
  }

  /// Reports two outputs that are the same file, and outputs that are documents.
  private func checkPlaces() -> [RunMessage] {
    var outputs = [
      NamedFile("--output-partial-info-plist", request.infoPlist),
      NamedFile("--export-dependency-info", request.dependencyInfo),
    ]
    var inputs = request.documents.map { NamedFile("the document", $0) }
    if request.symbols.isEmpty {
      outputs.insert(NamedFile("--compile", request.archive), at: 0)
      if let list = request.assetPacks, request.usesOnDemandResources {
        inputs.append(NamedFile("--asset-pack-output-specifications", list))
        // Errors of the list are reported later, when the assets are divided.
        for (place, pack) in (AssetPackList(list, in: request.currentFolder, tree).packs ?? [])
          .enumerated()
        {
          outputs.append(
            NamedFile(
              "entry \(place + 1) of --asset-pack-output-specifications",
              AssetPackList.archive(in: pack.path)))
        }
      }
    } else {
      // A run that generates sources writes no property list.
      outputs[0] = nil
      outputs += [
        NamedFile("--generate-swift-asset-symbols", request.symbols.swift),
        NamedFile("--generate-objc-asset-symbols", request.symbols.objectiveC),
        NamedFile("--generate-asset-symbol-index", request.symbols.index),
      ]
    }
    do throws(OutputClash) {
      try checkOutputs(outputs.compactMap { $0 }, inputs: inputs)
      return []
    } catch {
      return [
        RunMessage(
          .error, "Failed to write \"\(error.output.path)\"", about: error.output.path,
          reason: error.message)
      ]
    }
  }

  private func write(symbolsOf contents: CatalogContents, _ result: inout BuildResult) {
    result.report.findings = inPrintingOrder(
      applyPolicy(contents.diagnostics).filter { $0.severity == .error })
    if result.report.hasErrors { return }
    let assets = SymbolAssets(contents)
    var index: [UInt8]?
    if let path = request.symbols.index {
      index = propertyList(assets.symbolIndex, for: path, &result)
      if index == nil { return }
    }
    attempt(&result) { (outputs) throws(OutputError) in
      try request.symbols.write(assets, of: contents, for: request.target, to: outputs)
      if let index, let path = request.symbols.index { try outputs.write(index, to: path) }
      try writeDependencies(on: contents.inputs, contents.missing, outputs.paths, to: outputs)
    }
    result.report.outputFiles = listed(build.outputs)
  }

  private func compile(_ given: consuming CatalogContents, _ result: inout BuildResult) {
    var contents = consume given
    let all = IconChoice(request, among: contents)
    let misfits = dropMisfits(&contents, of: all.names)
    let choice = IconChoice(request, among: contents)
    let values = AppValues(request, choice, contents)
    result.report.messages += choice.messages + values.messages
    if result.report.hasErrors { return }
    let (inputs, missing) = (contents.inputs, contents.missing)
    let made = makeArchives(of: consume contents, choice)
    result.cacheTrouble = made.cacheTrouble
    result.stored = made.stored
    result.report.messages += made.messages
    result.report.findings = inPrintingOrder(
      (made.findings + reported(misfits + values.findings)).map(\.inApplesWords))
    if result.report.hasErrors { return }
    result.report.messages += choice.unfitness(compiled: made.icons, besides: all, for: request)
    if result.report.hasErrors { return }
    let loose = LooseFiles(request, choice, values, tree)
    result.report.messages += loose.messages
    if isTrial { result.stored.formUnion(loose.sources) }
    result.report.findings = inPrintingOrder(
      result.report.findings + reported(loose.findings).map(\.inApplesWords))
    if result.report.hasErrors { return }
    var list: [UInt8]?
    if let path = request.infoPlist {
      let keys = PartialInfoPlist(
        request: request, choice: choice, loose: loose, values: values, compiled: made.icons)
      list = propertyList(keys.value, for: path, &result)
      if list == nil { return }
    }
    attempt(&result) { (outputs) throws(OutputError) in
      if request.folder != nil {
        for file in loose.files { try outputs.write(file.bytes, to: file.path) }
      }
      if let list, let path = request.infoPlist { try outputs.write(list, to: path) }
      try writeDependencies(on: inputs, missing, outputs.paths, to: outputs)
    }
    let files = listed(build.outputs)
    if request.folder != nil || !files.isEmpty { result.report.outputFiles = files }
  }

  /// Returns the bytes of a property list whose texts are names of assets and files. If XML cannot
  /// represent one of them, reports it and returns nil, because any other text would be a wrong
  /// name.
  private func propertyList(
    _ value: PropertyValue, for path: ByteString, _ result: inout BuildResult
  ) -> [UInt8]? {
    do throws(PropertyListError) {
      return try value.exactXMLPropertyList()
    } catch {
      result.report.messages.append(
        RunMessage(
          .error, "Failed to write \"\(path)\"", about: path,
          reason: "The property list \(error)."))
      return nil
    }
  }

  /// Returns the outputs for the report: sorted, without the dependency file and without devices.
  private func listed(_ outputs: OutputSet) -> [ByteString] {
    outputs.paths.filter { $0 != request.dependencyInfo && isKept($0) }.sorted()
  }

  /// Returns whether a path keeps the bytes that are written to it. Devices do not.
  private func isKept(_ path: ByteString) -> Bool { (try? tree.status(path))?.kind != .other }

  private func writeDependencies(
    on inputs: [ByteString], _ missing: [ByteString], _ outputs: [ByteString], to set: OutputSet
  ) throws(OutputError) {
    guard let path = request.dependencyInfo else { return }
    var inputs = inputs + request.settingsFiles
    if let packs = request.assetPacks { inputs.append(packs) }
    let info = DependencyInfo(
      version: version, inputs: inputs, missing: missing,
      outputs: outputs.filter(isKept))
    try set.write(info.bytes, to: path)
  }

  /// Does work that can fail for lack of space or permission, and reports its failure.
  private func attempt(
    _ result: inout BuildResult, _ work: (OutputSet) throws(OutputError) -> Void
  ) {
    do throws(OutputError) {
      try work(build.outputs)
    } catch {
      result.report.messages.append(RunMessage(output: error))
    }
  }

  private func placed(_ result: BuildResult) -> BuildResult {
    var result = result
    let isReported = result.report.findings.contains { $0.severity == .error }
    if !isReported, let trouble = build.trouble {
      // The other errors may only follow from this failure, such as "missing" for a file that could
      // not be read.
      result.report.messages.removeAll { $0.severity == .error }
      result.report.messages.append(
        RunMessage(
          .error, "Failed to read \"\(trouble.path)\"", about: trouble.path,
          reason: trouble.error.reason))
    }
    if request.warningsAreErrors {
      for place in result.report.messages.indices
      where result.report.messages[place].severity == .warning {
        result.report.messages[place].severity = .error
      }
    }
    if !result.report.hasErrors {
      attempt(&result) { (outputs) throws(OutputError) in try outputs.commit() }
    }
    if result.report.hasErrors {
      result.report.outputFiles = nil
      build.outputs.discard()
    }
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
