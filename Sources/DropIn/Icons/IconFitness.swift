// Checks which pictures of the chosen icons have the size of their entry. Apple's tool leaves out
// the others, and refuses an icon that has pictures but no picture for the platform.

import Bytes
import CatalogCompiler
import CatalogModel
import Host
import Traits

extension BuildStep {
  /// Removes pictures from these icons if their size differs from the size of their entry. Returns
  /// a finding for each.
  func dropMisfits(_ contents: inout CatalogContents, of names: [ByteString]) -> [Diagnostic] {
    var findings: [Diagnostic] = []
    for index in contents.assets.indices where names.contains(contents.assets[index].name) {
      let asset = contents.assets[index]
      guard case .appIcons(var set) = asset.contents else { continue }
      set.entries.removeAll { entry in
        guard let finding = misfit(entry, of: asset) else { return false }
        findings.append(finding)
        return true
      }
      contents.assets[index].contents = .appIcons(set)
    }
    return located(findings, in: tree)
  }

  private func misfit(_ entry: AppIconEntry, of asset: AssetSet) -> Diagnostic? {
    guard let file = entry.file, file.exists, !entry.slot.isUnassigned,
      request.target.admits(entry.slot), let wanted = entry.pixelSize,
      let header = try? ImageHeader.read(file.path, in: tree), !header.kind.isVector
    else { return nil }
    let there = header.uprightSize
    let (width, height) = (Int(wanted.width.rounded()), Int(wanted.height.rounded()))
    if there.width == width, there.height == height { return nil }
    // The words are Apple's.
    return Diagnostic(
      .iconSize,
      "\(lastComponent(asset.folder))/\(file.name) is \(there.width)x\(there.height) but should be "
        + "\(width)x\(height).",
      file: asset.contentsFile, pointer: entry.slot.pointer + "/filename")
  }
}

extension IconChoice {
  /// Returns an error for each icon of which nothing was compiled although it has pictures. `all`
  /// is the choice before misfits were removed.
  func unfitness(
    compiled: Set<ByteString>, besides all: IconChoice, for request: BuildRequest
  ) -> [RunMessage] {
    let named = (request.primaryIcon.map { [$0] } ?? []) + request.alternateIcons
    return named.filter {
      !compiled.contains($0) && all.sets(of: $0).contains(where: \.hasIconPicture)
        && sets(of: $0).allSatisfy { $0.hasNothing(for: request.target) }
    }.map {
      RunMessage(
        .error,
        "The stickers icon set, app icon set, or icon stack named \"\($0)\" did not have any "
          + "applicable content.", about: request.documents.first)
    }
  }
}

extension AssetSet {
  /// Whether an app icon set names an existing picture. A set without any belongs to an app that is
  /// just begun.
  fileprivate var hasIconPicture: Bool {
    guard case .appIcons(let set) = contents else { return false }
    return set.entries.contains { $0.file?.exists == true }
  }

  /// Whether all pictures of an app icon set are for other platforms.
  fileprivate func hasNothing(for target: CompileTarget) -> Bool {
    guard case .appIcons(let set) = contents else { return false }
    return !set.entries.contains { $0.file?.exists == true && target.admits($0.slot) }
  }
}
