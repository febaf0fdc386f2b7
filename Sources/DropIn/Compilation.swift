// Compiles the archives of a run: the one in the output folder, thinned if a device is named, and
// one for each pack of on-demand resources.

import ArchiveTools
import Bytes
import CarveRuntime
import CatalogCompiler
import CatalogModel
import Documents
import Host
import Traits

struct CompilationOutcome {
  var messages: [RunMessage] = []
  var findings: [Diagnostic] = []
  /// The icons with at least one compiled rendition.
  var icons: Set<ByteString> = []
  /// The first failure of the remote cache.
  var cacheTrouble: String?
}

struct Compilation {
  let step: BuildStep
  let choice: IconChoice
  let outputs: OutputSet

  private var request: BuildRequest { step.request }

  /// Compiles all archives. Takes ownership of the assets, so that only the plan is in memory while
  /// pictures are encoded.
  func run(_ contents: consuming CatalogContents) -> CompilationOutcome {
    var outcome = CompilationOutcome()
    guard let archive = request.archive else { return outcome }
    var division = PackDivision(request, consume contents, step.tree)
    outcome.messages += division.messages
    if division.messages.contains(where: { $0.severity == .error }) { return outcome }
    compile(division.takeMain(), to: archive, &outcome)
    for pack in division.packs {
      do throws(OutputError) {
        try outputs.makeFolder(pack.path)
      } catch {
        outcome.messages.append(RunMessage(output: error))
        return outcome
      }
      compile(pack.contents, to: AssetPackList.archive(in: pack.path), &outcome)
    }
    outcome.findings = inPrintingOrder(outcome.findings)
    return outcome
  }

  private func compile(
    _ contents: consuming CatalogContents, to archive: ByteString,
    _ outcome: inout CompilationOutcome
  ) {
    var options = request.compiling
    // A pack contains few or none of the icons. IconChoice has checked that every icon exists.
    let known = Set(contents.assets.lazy.filter { $0.kind == .icon }.map(\.name))
    options.icons = .named(choice.names.filter(known.contains))
    contents.assets.removeAll {
      $0.type == .complicationSet && $0.name != request.complication
    }
    // The tags have done their work: the assets are divided.
    for index in contents.assets.indices { contents.assets[index].onDemandTags = [] }
    let observer = CompileObserver(judge: step.said)
    do throws(CompileError) {
      let report: CompileReport
      if let reach = reach(&outcome) {
        let whole = try scratch()
        report = try CatalogCompiler.compile(
          consume contents, in: step.tree, options: options, to: .scratch(whole), observer: observer
        )
        outcome.findings += report.diagnostics
        if report.renditionCount > 0, !report.isRefused {
          thin(whole, for: reach, to: archive, &outcome)
        }
      } else {
        report = try CatalogCompiler.compile(
          consume contents, in: step.tree, options: options, to: .part(of: outputs, archive),
          observer: observer)
        outcome.findings += report.diagnostics
      }
      outcome.icons.formUnion(report.iconNames)
      if outcome.cacheTrouble == nil { outcome.cacheTrouble = report.cacheTrouble }
      // If nothing is compiled, the archive of an earlier run is removed. Otherwise it would be
      // taken for the result.
      if report.renditionCount == 0, !report.isRefused { outputs.remove(archive) }
    } catch {
      switch error {
      case .output(let error): outcome.messages.append(RunMessage(output: error))
      case .archive(let error): outcome.messages.append(RunMessage(.error, error.description))
      }
    }
  }

  private func scratch() throws(CompileError) -> ScratchFile {
    do throws(OutputError) { return try ScratchFile() } catch { throw .output(error) }
  }

  /// Returns the environments that the device can show. Returns nil, which keeps every rendition,
  /// if no device is named or if it is not known.
  private func reach(_ outcome: inout CompilationOutcome) -> Reach? {
    guard let model = request.filter.chosenModel else { return nil }
    func keepAll(_ reason: String) -> Reach? {
      let message = RunMessage(.note, "\(reason); nothing is left out for it.")
      if !outcome.messages.contains(message) { outcome.messages.append(message) }
      return nil
    }
    guard let device = Device(named: model) else {
      return keepAll("The device \"\(model)\" is not known")
    }
    do throws(ReachError) {
      return try Reach(
        of: device, app: AppTraits(), os: request.filter.os ?? request.target.minimum)
    } catch {
      return keepAll("\(error)")
    }
  }

  private func thin(
    _ whole: ScratchFile, for reach: Reach, to archive: ByteString,
    _ outcome: inout CompilationOutcome
  ) {
    do throws(CatalogError) {
      let file = try MappedFile(descriptor: whole.descriptor)
      do throws(ThinningError) {
        var thinner = try Thinner(file.bytes)
        let plan = try thinner.plan(thinner.decide(for: ThinningTarget([reach])))
        try thinner.opened.write(plan, to: .part(of: outputs, archive))
      } catch {
        outcome.messages.append(RunMessage(.error, "\(error)", about: archive))
      }
    } catch {
      outcome.messages.append(RunMessage(.error, "\(error)", about: archive))
    }
  }
}
