// The catalogues that lie side by side in a folder, as they are now: what was read, and the
// findings. A change reads only the changed folders and checks only the changed assets again. The
// search for copies, which needs all assets, waits until no more changes come (`settle`).

import AssetSymbols
import Bytes
import CatalogCompiler
import CatalogModel
import Host
import Traits

struct CatalogState {
  let catalogs: [ByteString]
  private var reading: CatalogReading
  private(set) var contents: CatalogContents
  private let target: CatalogTarget
  /// The findings of the checks; nil before they are needed for the first time.
  private var checks: Checks?
  /// The folders of the catalogues, also some that are gone.
  private(set) var folders: Set<ByteString>
  private var digests = FileDigests()
  /// The constants that Xcode makes for the assets.
  private(set) var symbolNames: [SymbolName]

  private struct Checks {
    /// The findings about single assets, by the folder of the asset.
    var byAsset: [ByteString: [Diagnostic]] = [:]
    /// The findings about no asset.
    var others: [Diagnostic] = []
    /// The findings about files with the same content.
    var copies: [Diagnostic] = []
    /// The platform of the variants, on which the checks depend.
    var platform: Platform?
    var areCopiesOld = false
  }

  init(_ catalogs: [ByteString], for target: CatalogTarget, in tree: FileTree) {
    self.catalogs = catalogs
    self.target = target
    reading = CatalogReading(catalogs, in: tree, jobs: target.options.jobs)
    contents = reading.contents()
    folders = Set(reading.readFolders)
    symbolNames = SymbolAssets(contents).names
  }

  // MARK: Changes

  /// Reads one folder again, whose text changed. Returns whether only findings about files in that
  /// folder can differ.
  mutating func reread(_ folder: ByteString, in tree: FileTree) -> Bool {
    let old = contents.assets.first { $0.folder == folder }
    switch reading.reread(folder, updating: &contents, in: tree) {
    case .folders:
      _ = refresh([folder], in: tree)
      return false
    case .contents:
      accept(reading, touched: [folder], in: tree)
      return false
    case .asset:
      let new = contents.assets.first { $0.folder == folder }
      if (old == nil) != (new == nil) { symbolNames = SymbolAssets(contents).names }
      return recheck(old, new, in: tree)
    }
  }

  /// Reads again what lies at some paths, and the folders around them. Returns the sets whose
  /// findings can differ; nil if all can.
  mutating func refresh(_ paths: Set<ByteString>, in tree: FileTree) -> Set<ByteString>? {
    let folders = paths.filter { reading.contains($0) }
    digests.forget(paths, folders: folders)
    var around = paths
    for path in paths {
      guard let catalog = catalogs.first(where: { path.isInside($0) }) else { continue }
      around.formUnion(withFoldersAround(path).prefix { $0 != catalog })
      around.insert(catalog)
    }
    // Usually files changed, and no folder came or went.
    let known = around.filter { reading.contains($0) }
    let inner = Set(paths.map { reading.contains($0) ? $0 : parentFolder($0) })
    if paths.count <= CatalogState.mostSingleFolders, inner.isSubset(of: known),
      let differing = reading.relist(Array(known), in: tree)
    {
      let sets = inner.union(differing)
      let areAlone = sets.sorted().map { reread($0, in: tree) }
      return areAlone.contains(false) ? nil : sets
    }
    let next = CatalogReading(
      catalogs, updating: reading, changed: around, in: tree, jobs: target.options.jobs)
    accept(next, touched: next.readFolders, in: tree)
    return nil
  }

  /// The greatest number of changed paths that are followed one by one.
  private static let mostSingleFolders = 16

  /// Checks an asset again. Returns whether no other asset is affected.
  private mutating func recheck(_ old: AssetSet?, _ new: AssetSet?, in tree: FileTree) -> Bool {
    guard var checks, let folder = (new ?? old)?.folder else { return true }
    if idiomsInUse([old].compactMap { $0 }) != idiomsInUse([new].compactMap { $0 }) {
      let platform = platformInUse(contents.assets)
      if platform != checks.platform {
        self.checks = nil
        check(in: tree)
        return false
      }
    }
    checks.byAsset[folder] = []
    checks.areCopiesOld = true
    if let new { add([new], to: &checks, saysIfEmpty: false, in: tree) }
    self.checks = checks
    return true
  }

  private mutating func accept(
    _ next: CatalogReading, touched read: [ByteString], in tree: FileTree
  ) {
    let old = Dictionary(contents.assets.map { ($0.folder, $0) }, uniquingKeysWith: { a, _ in a })
    reading = next
    folders.formUnion(read)
    contents = next.contents()
    if contents.assets.count != old.count
      || contents.assets.contains(where: { old[$0.folder]?.name != $0.name })
    {
      symbolNames = SymbolAssets(contents).names
    }
    guard var checks else { return }
    guard platformInUse(contents.assets) == checks.platform else {
      self.checks = nil
      return check(in: tree)
    }
    var touched: Set<ByteString> = []
    for folder in read {
      for path in withFoldersAround(folder) where !touched.insert(path).inserted { break }
    }
    let stale = contents.assets.filter { asset in
      touched.contains(asset.folder) || old[asset.folder] != asset
    }
    let present = Set(contents.assets.map(\.folder))
    for folder in old.keys where !present.contains(folder) { checks.byAsset[folder] = nil }
    for asset in stale { checks.byAsset[asset.folder] = [] }
    add(stale, to: &checks, saysIfEmpty: false, in: tree)
    checks.areCopiesOld = true
    self.checks = checks
  }

  // MARK: Checks

  /// Checks everything, if this was not done before.
  mutating func check(in tree: FileTree) {
    if checks != nil { return }
    var checks = Checks()
    checks.platform = platformInUse(contents.assets)
    add(contents.assets, to: &checks, saysIfEmpty: true, in: tree)
    self.checks = checks
    findCopies(in: tree)
  }

  /// Whether the search for copies has to be made again.
  var isUnsettled: Bool { checks?.areCopiesOld ?? false }

  /// Makes the checks that wait until no more changes come. Returns whether findings differ.
  mutating func settle(in tree: FileTree) -> Bool {
    guard isUnsettled, let old = checks?.copies else { return false }
    findCopies(in: tree)
    return checks.map { Set($0.copies) != Set(old) } ?? true
  }

  private mutating func findCopies(in tree: FileTree) {
    let copies = checkDuplicates(
      of: contents.assets, in: tree, jobs: target.options.jobs, digests: &digests)
    checks?.copies = copies
    checks?.areCopiesOld = false
  }

  private func add(
    _ assets: [AssetSet], to checks: inout Checks, saysIfEmpty: Bool, in tree: FileTree
  ) {
    var part = contents
    part.assets = assets
    let alone =
      checkSlots(of: assets)
      + checkAlone(assets, in: tree, options: target.options, platformInUse: checks.platform)
    let found =
      located(alone, in: tree)
      + planFindings(
        of: part, for: target.targets, icons: target.icons, in: tree, saysIfEmpty: saysIfEmpty)
    let folders = Set(assets.map(\.folder))
    for finding in found {
      if let folder = withFoldersAround(finding.file).first(where: { folders.contains($0) }) {
        checks.byAsset[folder, default: []].append(finding)
      } else if saysIfEmpty {
        checks.others.append(finding)
      }
    }
  }

  /// The platform of the variants, on which the checks depend.
  var platform: Platform? { checks?.platform ?? platformInUse(contents.assets) }

  /// All findings, unsorted.
  var findings: [Diagnostic] {
    guard let checks else { return contents.diagnostics }
    return contents.diagnostics + checks.byAsset.values.flatMap { $0 } + checks.others
      + checks.copies
  }
}
