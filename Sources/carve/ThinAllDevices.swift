// `carve thin --all-devices`: writes one archive for each group of devices that get the same
// archive, and the reports that Apple's tools write about them.

import Archive
import ArchiveTools
import Bytes
import CPosix
import CatalogCompiler
import CatalogModel
import CommandLineKit
import Documents
import Host
import Traits

extension ThinRun {
  func thinForAll() throws(CommandFailure) -> ExitStatus {
    let folder = arguments.output ?? ""
    if folder.withCString({ mkdir($0, 0o777) }) != 0, carve_errno() != EEXIST {
      throw .system("make \(folder)")
    }
    var thinner = try reported { () throws(ThinningError) in try Thinner(bytes) }
    let metadata = try reported { () throws(ThinningError) in try thinner.metadata() }
    let folders = try warnOfIdleLimits(thinner.opened.inventory.facets)
    let reaches = try allReaches(thinner, platform: metadata?.platform)
    let groups = thinner.groups(of: reaches) { done in
      terminal.progress("deciding for device \(done) of \(reaches.count)")
    }
    try checkInputs(against: groups.map { ByteString($0.fileName) }, in: folder)
    var results: [ThinResult] = []
    var deliverables: [Deliverable] = []
    for (number, group) in groups.enumerated() {
      terminal.progress("writing archive \(number + 1) of \(groups.count)")
      let result = try write(group, to: folder, folders, &thinner)
      if arguments.touches, result.isGood { try touch(result.path) }
      results.append(result)
      deliverables.append(try deliverable(group, result, metadata))
    }
    terminal.progress("")
    try removeArchivesOfEarlierRun(from: folder, but: groups.map { ByteString($0.fileName) })
    let sizes = Array(appThinningText(deliverables, of: "Assets").utf8)
    try writeFile(sizes, to: folder + "/App Thinning Size Report.txt")
    try writeFile(appThinningPropertyList(deliverables), to: listPath(in: folder))
    printGroups(results, deliverables, decisions: thinner.decisionCount)
    return results.allSatisfy(\.isGood) ? .fine : .inputErrors
  }

  /// Throws if the run would replace or remove its input in the folder.
  private func checkInputs(against names: [ByteString], in folder: ByteString)
    throws(CommandFailure)
  {
    let old = (try? FileTree.disk.read(listPath(in: folder), 16 << 20)).map {
      archiveNames(inAppThinningPropertyList: $0).map { ByteString($0) }
    }
    for name in names + (old ?? []) {
      try checkPlaces(
        [NamedFile("--output", joined(folder, name))], reading: arguments.inputFiles)
    }
  }

  private func listPath(in folder: ByteString) -> ByteString {
    joined(folder, "app-thinning.plist")
  }

  /// Removes the archives of an earlier run: a program that takes all archives of the folder must
  /// not get archives of another app, or for fewer devices. Only archives that the list of the
  /// earlier run names are removed; others belong to the user.
  private func removeArchivesOfEarlierRun(
    from folder: ByteString, but kept: [ByteString]
  ) throws(CommandFailure) {
    guard let list = try? FileTree.disk.read(listPath(in: folder), 16 << 20) else { return }
    for name in archiveNames(inAppThinningPropertyList: list).map({ ByteString($0) })
    where !kept.contains(name) {
      try writing { () throws(OutputError) in try removeOutput(joined(folder, name)) }
    }
  }

  /// Returns the reach of every device of the platform that runs the app.
  private func allReaches(
    _ thinner: Thinner, platform: String?
  ) throws(CommandFailure) -> [(device: Device, reach: Reach)] {
    let app = try arguments.target.app()
    let os = try arguments.target.version()
    var reaches: [(device: Device, reach: Reach)] = []
    var left: [(device: Device, reason: ReachError)] = []
    for device in Device.all(reading: platform) {
      do throws(ReachError) {
        reaches.append((device, try thinner.reach(of: device, app: app, os: os)))
      } catch {
        left.append((device, error))
      }
    }
    if !left.isEmpty {
      let more = arguments.isVerbose ? ":" : " (--verbose names them)"
      let are = left.count == 1 ? "is" : "are"
      terminal.diagnose(
        "note: \(counted(left.count, "device")) cannot run the app and \(are) left out\(more)")
    }
    if arguments.isVerbose {
      for (device, reason) in left { terminal.diagnose("  \(device.name): \(reason)") }
    }
    if reaches.isEmpty {
      throw .input("no known device reads archives of the platform '\(platform ?? "ios")'")
    }
    return reaches
  }

  private func write(
    _ group: DeviceGroup, to folder: ByteString, _ folders: [ByteString: Set<ByteString>],
    _ thinner: inout Thinner
  ) throws(CommandFailure) -> ThinResult {
    let path = joined(folder, ByteString(group.fileName))
    let plan = try reported { () throws(ThinningError) in try thinner.plan(group.decision) }
    let written = try reported { () throws(ThinningError) in
      try thinner.opened.write(plan, to: .path(path), writesIndex: arguments.writesIndex)
    }
    let proof = try arguments.proves ? prove(path, thinner.opened, group.target) : nil
    var report: ThinningReport?
    if arguments.report != .none || budget != nil {
      // All devices of the group keep the same renditions, so the first one represents them.
      let first = ThinningTarget(Array(group.target.reaches.prefix(1)))
      report = try reported { () throws(ThinningError) in try thinner.report(plan, for: first) }
    }
    let excesses = excesses(in: report, path, written, folders, twins: group.devices)
    return ThinResult(
      path: path, written: written, fullByteCount: bytes.count, report: report,
      proof: proof, excesses: excesses)
  }

  private func deliverable(
    _ group: DeviceGroup, _ result: ThinResult, _ metadata: CatalogMetadata?
  ) throws(CommandFailure) -> Deliverable {
    let stated = metadata.flatMap { OSVersion($0.platformVersion) }
    let file = try openFile(result.path)
    return Deliverable(
      fileName: group.fileName, devices: group.devices, byteCount: result.byteCount,
      compressedByteCount: compressedSize(of: file.bytes),
      osVersion: try arguments.target.version() ?? stated ?? OSVersion(0))
  }

  private func printGroups(
    _ results: [ThinResult], _ deliverables: [Deliverable], decisions: Int
  ) {
    if arguments.report == .json {
      let list = zip(results, deliverables).map { result, deliverable -> JSONOutput in
        .object(
          [
            .init(
              "devices", .array(deliverable.devices.map { .string($0.identifier) }))
          ] + result.members)
      }
      terminal.print(
        JSONOutput.object([
          .init("groups", .array(list)), .init("decisions", .integer(decisions)),
        ]).text)
    } else {
      var rows = [["archive", "bytes", "of", "devices"]]
      for (result, deliverable) in zip(results, deliverables) {
        rows.append([
          deliverable.fileName, grouped(result.byteCount), grouped(result.fullByteCount),
          deliverable.devices.map(\.identifier).joined(separator: " "),
        ])
      }
      for line in alignedColumns(rows, right: [1, 2]) { terminal.print(line) }
    }
    for result in results { result.printTroubles(on: terminal) }
    if arguments.report != .json {
      let proofs = results.compactMap { $0.proof?.proof }
      if !proofs.isEmpty, proofs.allSatisfy(\.holds) {
        let answers = proofs.reduce(0) { $0 + $1.answerCount }
        terminal.print(
          "proved: \(counted(proofs.count, "archive")) give the same answers in "
            + "\(grouped(answers)) environments")
      }
    }
  }
}
