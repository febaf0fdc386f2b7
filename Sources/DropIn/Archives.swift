// Compiles the archives of a run: the one in the output folder, thinned if a device is named, and
// one for each pack of on-demand resources.

import ArchiveTools
import Builds
import Bytes
import CatalogCompiler
import CatalogModel
import Host
import Traits

/// The result of compiling all archives of a run.
struct ArchivesResult {
  var messages: [RunMessage] = []
  var findings: [Diagnostic] = []
  /// The icons and the parts of brand assets that are in an archive.
  var icons: Set<ByteString> = []
  /// The first failure of the remote cache.
  var cacheTrouble: String?
  /// The sources of which at least one rendition is stored, in a trial.
  var stored: Set<ByteString> = []
}

extension BuildStep {
  /// Compiles all archives. Takes ownership of the assets, so that only the plan is in memory while
  /// pictures are encoded.
  func makeArchives(
    of contents: consuming CatalogContents, _ choice: IconChoice
  ) -> ArchivesResult {
    var made = ArchivesResult()
    guard let archive = request.archive else {
      // Without an output folder, the plan decides which icons the property list names.
      let plan = RenditionPlan(
        of: contents.assets, for: request.target, icons: .named(choice.names),
        drawsIcons: request.compiling.drawsIcons)
      made.icons = plan.listedIcons
      made.findings = reported(contents.diagnostics)
      return made
    }
    var division = PackDivision(request, consume contents, tree)
    made.messages += division.messages
    if division.messages.contains(where: { $0.severity == .error }) { return made }
    makeArchive(at: archive, of: division.takeMain(), choice, &made)
    for pack in division.packs {
      if pack.contents.assets.isEmpty {
        // An archive of an earlier run would be taken for the result.
        build.outputs.remove(AssetPackList.archive(in: pack.path))
        continue
      }
      do throws(OutputError) {
        try build.outputs.makeFolder(pack.path)
      } catch {
        made.messages.append(RunMessage(output: error))
        return made
      }
      makeArchive(
        at: AssetPackList.archive(in: pack.path), of: pack.contents, choice, &made)
    }
    made.findings = inPrintingOrder(made.findings)
    return made
  }

  private func makeArchive(
    at archive: ByteString, of contents: consuming CatalogContents, _ choice: IconChoice,
    _ made: inout ArchivesResult
  ) {
    var options = request.compiling
    options.listsStored = isTrial
    options.namesOptions = false
    // A pack contains few or none of the icons. IconChoice has checked that every icon exists.
    let known = Set(contents.assets.lazy.filter { $0.type.canBeAppIcon }.map(\.name))
    options.icons = .named(choice.names.filter(known.contains))
    contents.assets.removeAll {
      $0.type == .complicationSet && $0.name != request.complication
    }
    // The tags are not needed any more, because the assets are divided.
    for index in contents.assets.indices { contents.assets[index].onDemandTags = [] }
    do throws(CompileError) {
      let reach = reach(&made)
      let whole = reach == nil ? nil : try unthinnedArchive()
      let report = try build.makeArchive(
        of: consume contents, to: whole?.destination ?? .part(of: build.outputs, archive),
        options: options, CompileObserver(applyPolicy: reported))
      made.findings += report.diagnostics
      if let reach, let whole, report.renditionCount > 0, !report.isRefused {
        thin(whole, for: reach, to: archive, &made)
      }
      if report.renditionCount > 0 { made.icons.formUnion(report.listedIcons) }
      made.stored.formUnion(report.stored)
      if made.cacheTrouble == nil { made.cacheTrouble = report.cacheTrouble }
      // If nothing is compiled, the archive of an earlier run is removed. Otherwise it would be
      // taken for the result.
      if report.renditionCount == 0, !report.isRefused { build.outputs.remove(archive) }
    } catch {
      switch error {
      case .output(let error): made.messages.append(RunMessage(output: error))
      case .archive(let error): made.messages.append(RunMessage(.error, error.description))
      }
    }
  }

  private func unthinnedArchive() throws(CompileError) -> UnthinnedArchive {
    do throws(OutputError) { return try UnthinnedArchive() } catch { throw .output(error) }
  }

  /// Returns the environments that the device can show. Returns nil, which keeps every rendition,
  /// if no device is named or if it is not known.
  private func reach(_ made: inout ArchivesResult) -> Reach? {
    guard let model = request.filter.chosenModel else { return nil }
    func keepAll(_ reason: String) -> Reach? {
      let message = RunMessage(.note, "\(reason); nothing is left out for it.")
      if !made.messages.contains(message) { made.messages.append(message) }
      return nil
    }
    guard let device = Device(named: model) ?? Device.nearest(to: model) else {
      return keepAll("The device \"\(model)\" is not known")
    }
    if device.identifier != model {
      let warning = RunMessage(
        .warning,
        "The device \"\(model)\" is not known; it counts as the nearest known model, "
          + "\(device.identifier) (\(device.name)).")
      if !made.messages.contains(warning) { made.messages.append(warning) }
    }
    do throws(ReachError) {
      return try Reach(
        of: device, app: AppTraits(), os: request.filter.os ?? request.target.minimum)
    } catch {
      return keepAll("\(error)")
    }
  }

  private func thin(
    _ whole: UnthinnedArchive, for reach: Reach, to archive: ByteString,
    _ made: inout ArchivesResult
  ) {
    defer { withExtendedLifetime(whole) {} }
    do throws(FileError) {
      let bytes = try whole.bytes()
      do throws(ThinningError) {
        var thinner = try Thinner(bytes)
        _ = try thinner.write(
          for: ThinningTarget([reach]), to: .part(of: build.outputs, archive))
      } catch {
        made.messages.append(RunMessage(.error, "\(error)", about: archive))
      }
    } catch {
      made.messages.append(RunMessage(.error, error.reason, about: archive))
    }
  }
}
