// Limits for what the devices download of an app: the same budgets as those of thinning, over all
// archives of a program together.

import ArchiveTools
import Bytes
import Traits

extension AppReport {
  /// The names of all assets.
  package var assetNames: [ByteString] {
    Set(archives.flatMap { $0.sizes?.assets.map(\.name) ?? [] }).sorted()
  }

  /// Returns the limits that devices exceed. The limit of a file counts for the sum of the thinned
  /// archives of a program; all other limits count for the renditions that a device keeps of them.
  package func excesses(over budget: SizeBudget) -> [BudgetUse] {
    programs.flatMap { excesses(of: $0, over: budget) }
  }

  private func excesses(of program: ProgramSizes, over budget: SizeBudget) -> [BudgetUse] {
    var found: [BudgetUse] = []
    for group in deviceGroups(of: program) {
      var report = ThinningReport()
      report.devices = [savings(of: program, for: group[0])]
      let bytes = program.devices.first { $0.device == group[0] }?.bytes ?? 0
      if let total = budget.total, bytes > total {
        found.append(
          BudgetUse(
            device: group[0].identifier, subject: .download, limit: total, bytes: bytes))
      }
      found += budget.uses(in: report, twins: group).filter(\.isExceeded)
    }
    return found
  }

  /// Returns the devices that keep the same of every archive, in the order of the device table.
  private func deviceGroups(of program: ProgramSizes) -> [[Device]] {
    var groups: [[Device]] = []
    var indices: [[Int?]: Int] = [:]
    let numbers = program.bundles.flatMap { Array(bundles[$0].archives) }
    for (device, _) in program.devices {
      let shares = numbers.map { archives[$0].sizes?.shareOfDevice[ByteString(device.identifier)] }
      if let index = indices[shares] {
        groups[index].append(device)
      } else {
        indices[shares] = groups.count
        groups.append([device])
      }
    }
    return groups
  }

  /// Returns what a device keeps of all archives of a program.
  private func savings(of program: ProgramSizes, for device: Device) -> DeviceSavings {
    var sum = DeviceSavings(
      identifier: device.identifier, name: device.name, platform: device.platform)
    var assets: [ByteString: AssetSavings] = [:]
    for number in program.bundles.flatMap({ Array(bundles[$0].archives) }) {
      guard let share = archives[number].sizes?.share(of: device) else { continue }
      sum.kept += share.savings.kept
      for asset in share.savings.assets {
        assets[asset.name, default: AssetSavings(name: asset.name)].kept += asset.kept
      }
    }
    sum.assets = assets.values.sorted { $0.name < $1.name }
    return sum
  }
}
