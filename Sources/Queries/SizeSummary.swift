// The sizes in the summary of `carve lint`: the limits of a budget with their use on each device,
// and the growth since an earlier archive. Nothing is written: thinned archives are only measured.

import ArchiveTools
import Bytes
import CatalogModel
import Documents
import Traits

package struct SizeSummary: Sendable {
  package private(set) var budget = BudgetTable()
  package private(set) var growth: ArchiveGrowth?
  /// The reasons for limits that limit nothing.
  package private(set) var idleLimits: [IdleLimit] = []
  /// Sentences about sizes that are not known.
  package var remarks: [String] = []

  package init() {}

  /// Measures the use of a budget by devices in an archive that was compiled of catalogues. Each
  /// device has an archive of its own; without devices, the archive itself is measured.
  package mutating func measure(
    _ budget: SizeBudget, in bytes: UnsafeRawBufferPointer, of contents: CatalogContents,
    on devices: [Device]
  ) throws(ThinningError) {
    var thinner = try Thinner(bytes)
    let names = LimitedNames(assets: thinner.opened.inventory.facets.names, of: contents)
    idleLimits = budget.idleLimits(among: names)
    var uses: [BudgetUse] = []
    if devices.isEmpty, let use = budget.use(ofFile: "all devices", byteCount: bytes.count) {
      uses.append(use)
    }
    for device in devices {
      let reach: Reach
      do throws(ReachError) { reach = try thinner.reach(of: device) } catch { continue }
      let target = ThinningTarget([reach])
      let plan = try thinner.plan(thinner.decide(for: target))
      let count = try thinner.opened.byteCount(of: plan)
      uses += [budget.use(ofFile: device.identifier, byteCount: count)].compactMap { $0 }
      uses += budget.uses(
        in: try thinner.report(plan, for: target), folders: names.folders ?? [:])
    }
    self.budget = BudgetTable(uses, leftOutIcons: names.leftOutIcons)
  }

  /// Compares an archive with an earlier one.
  package mutating func compare(
    _ old: UnsafeRawBufferPointer, with new: UnsafeRawBufferPointer, on devices: [Device]
  ) throws(ThinningError) {
    growth = try ArchiveGrowth(from: old, to: new, devices: devices)
  }

  /// The sentences about limits that are exceeded, and about limits that limit nothing.
  package var troubles: [String] { idleLimits.map(\.sentence) + budget.excesses.map { "\($0)" } }

  /// The sections in Markdown.
  package var markdown: String {
    var text = ""
    if let table = budget.markdown { text += "\n#### Budget\n\n" + table }
    if let growth { text += "\n#### Growth\n\n" + growth.markdown }
    let lines = troubles + remarks
    if !lines.isEmpty { text += "\n" + lines.map { "* \($0.escapedForMarkdown)\n" }.joined() }
    return text
  }
}
