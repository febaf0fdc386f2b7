// The diagnostics of the plan: those for commands that only check catalogues, settings that are not
// applied, and insets and slices that do not fit.

import Bytes
import CatalogModel
import Documents
import Host
import Imaging
import Vectors

/// The target for which catalogues are checked, by options and settings.
package struct CatalogTarget: Sendable {
  package var options: LintOptions
  package var targets: [CompileTarget]
  package var icons: IconSelection

  package init(options: LintOptions, targets: [CompileTarget], icons: IconSelection) {
    self.options = options
    self.targets = targets
    self.icons = icons
  }
}

/// Returns the diagnostics of the plan for one target, or for several possible ones. For several
/// targets, returns only the diagnostics that hold for every target that compiles something of the
/// asset. Diagnostics of the reader, and those that need the contents of pictures, are not
/// included. For one target, and if `saysIfEmpty` is true, also reports if nothing is compiled.
package func planFindings(
  of contents: CatalogContents, for targets: [CompileTarget], icons: IconSelection,
  in tree: FileTree, saysIfEmpty: Bool = false
) -> [Diagnostic] {
  let planned = targets.map { target in
    var plan = RenditionPlan(of: contents.assets, for: target, icons: icons)
    plan.checkIcons(icons, in: contents, for: target)
    return TargetFindings(plan)
  }
  var seen: Set<Finding> = []
  var found: [Diagnostic] = []
  for diagnostic in planned.flatMap(\.diagnostics) {
    let finding = Finding(diagnostic)
    guard seen.insert(finding).inserted else { continue }
    let folder = setFolder(of: diagnostic.file)
    let isTrue = planned.allSatisfy {
      $0.findings.contains(finding) || !$0.folders.contains(folder)
    }
    if isTrue { found.append(diagnostic) }
  }
  if saysIfEmpty, targets.count == 1, let only = planned.first, only.isEmpty,
    !contents.diagnostics.contains(where: { $0.severity == .error })
  {
    found.append(emptyArchive(of: contents, targets[0].platform, only.diagnostics))
  }
  return located(found, in: tree)
}

/// A diagnostic without its text: two targets can describe the same finding differently.
private struct Finding: Hashable {
  var code: DiagnosticCode
  var file: ByteString
  var pointer: ByteString?

  init(_ diagnostic: Diagnostic) {
    code = diagnostic.code
    file = diagnostic.file
    pointer = diagnostic.pointer
  }
}

/// The result of planning for one target.
private struct TargetFindings {
  var diagnostics: [Diagnostic]
  var findings: Set<Finding>
  /// The folders of the assets that have renditions.
  var folders: Set<ByteString>
  var isEmpty: Bool

  init(_ plan: RenditionPlan) {
    diagnostics = plan.diagnostics
    findings = Set(plan.diagnostics.map(Finding.init))
    folders = Set(plan.renditions.map { setFolder(of: $0.jsonFile) })
    isEmpty = plan.renditions.isEmpty
  }
}

/// Returns the folder of the set to which a finding belongs.
private func setFolder(of file: ByteString) -> ByteString {
  file.hasSuffix(".json") ? parentFolder(file) : file
}

/// Returns the diagnostic for an archive without renditions, for a run in which no diagnostic is an
/// error. `isPlanned` states whether the plan had renditions, so that their files were left out.
func emptyArchive(
  of contents: CatalogContents, _ platform: TargetPlatform, _ found: [Diagnostic],
  isPlanned: Bool = false
) -> Diagnostic {
  let assets = contents.assets
  // If a catalogue has only icons, a diagnostic about each one says that it is left out and how to
  // compile it.
  let icons = Set(found.lazy.filter { $0.code == .iconNotChosen }.map(\.file))
  let onlyIcons =
    !icons.isEmpty && assets.allSatisfy { !$0.hasContent || icons.contains($0.folder) }
  let hasContent = assets.contains(where: \.hasContent)
  let hasUnreadContent =
    !hasContent && assets.contains { withParts($0).contains(where: \.hasUnreadEntries) }
  let all = "no asset of the catalogues (\(counted(assets.count, "asset")))"
  let reason =
    if assets.isEmpty {
      "there are no assets"
    } else if hasUnreadContent {
      "\(all) has content that can be read; other findings say why"
    } else if !hasContent {
      "\(all) has content"
    } else if onlyIcons {
      "the catalogues hold only icons, and --app-icon names none of them"
    } else if isPlanned || areLeftOut(assets, by: contents.diagnostics + found) {
      "\(all) is compiled; other findings say why"
    } else {
      "\(all) is compiled for \(platform.rawValue); choose another platform with --platform"
    }
  var diagnostic = Diagnostic(
    .emptyArchive, "the archive is empty: \(reason)", file: contents.catalogs.first?.path ?? "")
  // A new app has slots without pictures: nothing can be missing yet.
  if !hasContent, !hasUnreadContent { diagnostic.severity = .note }
  return diagnostic
}

/// Returns whether findings say of every asset with content that something of it is left out.
private func areLeftOut(_ assets: [AssetSet], by found: [Diagnostic]) -> Bool {
  let folders = folders(of: found.lazy.filter { $0.code.leavesOut }.map(\.file))
  return assets.allSatisfy { !$0.hasContent || folders.contains($0.folder) }
}

/// Returns the paths, and all folders that contain them.
private func folders(of paths: some Sequence<ByteString>) -> Set<ByteString> {
  var folders: Set<ByteString> = []
  for path in paths {
    var path = path
    while !path.isEmpty, path != "/", path != ".", folders.insert(path).inserted {
      path = parentFolder(path)
    }
  }
  return folders
}

/// Returns a diagnostic if assets have content, but none for the platform, and no diagnostic of the
/// plan says so. Only for a platform that no option names: otherwise they are meant to be left
/// out.
func assetsOfOtherPlatforms(
  in contents: CatalogContents, _ plan: RenditionPlan, _ platform: TargetPlatform
) -> [Diagnostic] {
  let named = folders(
    of: plan.renditions.map(\.jsonFile) + (contents.diagnostics + plan.diagnostics).map(\.file))
  let others = contents.assets.filter { $0.hasContent && !named.contains($0.folder) }
  if others.isEmpty { return [] }
  let shown = others.prefix(3).map { quoted($0.name.text) }
  let more = others.count > shown.count ? ["\(others.count - shown.count) more"] : []
  return [
    Diagnostic(
      .otherPlatform,
      "\(counted(others.count, "asset")) (\(listed(shown + more, joinedBy: "and"))) "
        + "\(others.count == 1 ? "has" : "have") nothing for \(platform.rawValue), which is "
        + "compiled because no platform is named; --platform names one",
      file: contents.catalogs.first?.path ?? "")
  ]
}

extension DiagnosticCode {
  /// Whether such findings say that a set, an entry or a file is not compiled.
  fileprivate var leavesOut: Bool {
    switch self {
    case .unsupportedSet, .unsupportedAppearance, .unknownSystemColor, .missingFile, .notAFile,
      .fileOutsideFolder, .danglingReference, .unlistedPart, .missingKey, .unknownValue, .wrongType:
      true
    default: false
    }
  }
}

// MARK: - Settings that are not applied

// Reports settings that Carve does not apply although it compiles the set, once for each set, so
// that no setting of a catalogue is ignored silently.

extension RenditionPlan {
  mutating func reportUnappliedSettings(of asset: AssetSet) {
    if !asset.onDemandTags.isEmpty {
      report(
        "on-demand-resource-tags", of: asset, "the asset is stored in this archive, not in a pack")
    }
    guard case .images(let set) = asset.contents else { return }
    let lossy: Set<CompressionType> = [.lossy, .gpuBest, .gpuSmallest]
    let named = set.entries.compactMap(\.compression).first { lossy.contains($0) }
    if let named {
      report(
        "compression-type", of: asset,
        "the pixels are not changed as \"\(named.rawValue)\" requires")
    }
    if set.scalesAutomatically {
      report("auto-scaling", of: asset, "Carve makes no sizes for other watches")
    }
    if set.entries.contains(where: { $0.colorSpace == .displayP3 }) {
      report(
        "color-space", of: asset,
        "the colour profile of each picture decides how the picture is stored")
    }
  }

  mutating func report(_ key: String, of asset: AssetSet, _ instead: String) {
    diagnostics.append(
      Diagnostic(
        .settingNotApplied, "\"\(key)\" of \"\(asset.name)\" is not applied: \(instead)",
        file: asset.contentsFile))
  }

  /// Reports that the form of a rendition is concluded from other assets.
  mutating func reportUnproven(_ slot: Slot?, of asset: AssetSet, _ what: String) {
    diagnostics.append(
      Diagnostic(
        .unprovenForm, "\(quoted(asset.name)): Carve knows \(what)",
        file: asset.contentsFile, pointer: slot?.pointer))
  }
}

// MARK: - Insets and caps that do not fit

// Reports insets and slices that do not fit their picture and are therefore left out. Checks and
// compiler use the same rule (CatalogModel/Sets/WholePixels.swift).

extension RenditionPlan {
  /// Reads the sizes of the pictures with insets or slices. Every other error in a file is found
  /// when the file is decoded.
  mutating func reportMisfits(in tree: FileTree, jobs: Int) {
    let pages = cutPages(in: tree, jobs: jobs)
    var checked: Set<[ByteString]> = []
    for rendition in renditions {
      guard case .picture(let file, let processing) = rendition.content, processing.isCut,
        !checked.contains([rendition.jsonFile, rendition.pointer]),
        let size = storedSize(of: file.path, processing.drawingScale, pages, in: tree)
      else { continue }
      let found = misfits(
        processing.insets, processing.resizing, width: size.width, height: size.height,
        drawn: processing.drawingScale?.bitmap, file: rendition.jsonFile,
        pointer: rendition.pointer)
      // A vector is checked at each scale, until it does not fit at one.
      if processing.drawingScale == nil || !found.isEmpty {
        checked.insert([rendition.jsonFile, rendition.pointer])
      }
      diagnostics += found
    }
  }

  /// Returns the pages of the vectors with insets or slices, by their paths. Each file is read
  /// once, however many renditions are drawn from it.
  private func cutPages(in tree: FileTree, jobs: Int) -> [ByteString: VectorPage] {
    var paths: Set<ByteString> = []
    for rendition in renditions {
      guard case .picture(let file, let processing) = rendition.content, processing.isCut,
        processing.drawingScale != nil
      else { continue }
      paths.insert(file.path)
    }
    let files = paths.sorted()
    let pages = parallelMap(files, jobs: jobs) { path in
      (try? tree.read(path, FileLimit.source)).flatMap { try? VectorPicture($0).page }
    }
    return Dictionary(uniqueKeysWithValues: zip(files, pages)).compactMapValues { $0 }
  }
}

extension PictureProcessing {
  /// Whether the picture has insets or slices.
  fileprivate var isCut: Bool { resizing != nil || insets != nil }
}

/// Returns the size of a picture in pixels, of a vector at the scale at which it is drawn; nil if
/// the file cannot be compiled.
private func storedSize(
  of path: ByteString, _ scale: DrawingScale?, _ pages: [ByteString: VectorPage],
  in tree: FileTree
) -> (width: Int, height: Int)? {
  if let scale {
    return (try? pages[path]?.placement(scale: scale.factor)).map { ($0.width, $0.height) }
  }
  guard let header = try? ImageHeader.read(path, in: tree), !header.kind.isVector else {
    return nil
  }
  return (header.width, header.height)
}

// MARK: - Sizes of vectors

/// Returns the size of a vector file's bitmap in pixels; nil if the file cannot be drawn.
package func drawnSize(
  of path: ByteString, _ scale: DrawingScale, in tree: FileTree
) -> (width: Int, height: Int)? {
  guard let bytes = try? tree.read(path, FileLimit.source),
    let picture = try? VectorPicture(bytes),
    let placement = try? picture.placement(scale: scale.factor)
  else { return nil }
  return (placement.width, placement.height)
}
