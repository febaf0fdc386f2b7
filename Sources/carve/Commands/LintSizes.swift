// The sizes in the summary of `carve lint`: compiles the catalogues, and the earlier ones that
// --base names, into temporary files and has them measured.

import ArchiveTools
import Bytes
import CatalogModel
import CommandLineKit
import Host
import Queries
import Traits

extension LintArguments {
  /// Returns the sizes of the archive of catalogues; nil if neither a budget nor a base is known.
  /// Nil for `sizes` means that errors prevent the compilation.
  func sizes(
    of catalogs: [ByteString], _ contents: CatalogContents, _ terminal: Terminal
  ) throws(CommandFailure) -> (sizes: SizeSummary?, isAsked: Bool) {
    var quiet = self
    // The findings of these catalogues have been printed. Those of a baseline do not prevent the
    // compilation.
    quiet.diagnostics.minimum = .error
    quiet.diagnostics.warningsAreErrors = false
    quiet.diagnostics.errorCodes = []
    let own = settings(of: catalogs)
    if let own { quiet.compiling.fromSettings = SettingsTarget(own.settings) }
    let limits = try readBudget(budget, settings: own)
    if limits == nil, bases.isEmpty { return (nil, false) }
    // Without a budget, all icons are compared, because the growth of none must be overlooked. The
    // table of a budget names those that are not compiled.
    if limits == nil {
      var isArchive = false
      if bases.count == 1 { isArchive = try quiet.followArchive(bases[0], catalogs[0]) }
      if !isArchive, quiet.compiling.namedIcons.isEmpty { quiet.compiling.includesAllIcons = true }
    }
    var models = own.models(unless: devices)
    if models.isEmpty { models = (limits?.devices.keys.sorted() ?? []).map(\.text) }
    let targets = try DeviceArguments(models: models).devices(terminal)
    let lacksDevices = targets.isEmpty && limits.map { !$0.limitsOnlyFile } == true
    if lacksDevices, budget != nil {
      throw .usage("--budget limits devices; name them by --device")
    }
    var sizes: SizeSummary?
    _ = try withInput(catalogs, quiet, for: targets.first?.platform, terminal) {
      (bytes) throws(CommandFailure) in
      var summary = SizeSummary()
      if lacksDevices {
        summary.remarks.append(
          "The budget of the settings limits devices, and neither they nor --device name any.")
      } else if let limits {
        try reporting(about: catalogs[0]) { () throws(ThinningError) in
          try summary.measure(limits, in: bytes, of: contents, on: targets)
        }
      }
      if !bases.isEmpty {
        try quiet.compare(with: bytes, on: targets, into: &summary, terminal)
      }
      sizes = summary
      return .fine
    }
    return (sizes, true)
  }

  /// Compares an archive with that of `--base`, which is compiled first if it is a catalogue or a
  /// folder with catalogues.
  private func compare(
    with bytes: UnsafeRawBufferPointer, on devices: [Device], into summary: inout SizeSummary,
    _ terminal: Terminal
  ) throws(CommandFailure) {
    let catalogs = bases.flatMap { base in
      let isArchive = !isFolder(base) || archiveInBundle(base) != nil
      return isArchive ? [base] : catalogGroups(of: [base], in: .disk).flatMap { $0 }
    }
    let name = bases[0]
    if catalogs.isEmpty { throw .input("\(name) contains no catalogue") }
    var found = summary
    let status = try withInput(catalogs, self, for: devices.first?.platform, terminal) {
      (old) throws(CommandFailure) in
      try reporting(about: name) { () throws(ThinningError) in
        try found.compare(old, with: bytes, on: devices)
      }
      return .fine
    }
    summary = found
    if status != .fine {
      // A change that mends the errors must not fail.
      summary.remarks.append("\(name.text) has errors, so the growth is not known.")
    }
  }
}
