// Decides which assets sources use, and finds names that they ask for and no catalogue has. The
// result is values; UseFindings.swift makes diagnostics of them.

import AssetSymbols
import Bytes
import CatalogModel
import Host

/// A place that names an asset, or may name it.
package struct Use: Sendable, Hashable, Comparable {
  package var place: SourcePlace
  package var kind: UseKind
  /// The text at the place, if it is not the name; nil if it is.
  package var text: String?

  package static func < (a: Use, b: Use) -> Bool {
    if a.kind.isProof != b.kind.isProof { return a.kind.isProof }
    return a.place != b.place ? a.place < b.place : a.kind.rawValue < b.kind.rawValue
  }
}

/// Whether sources use an asset.
package enum UseState: String, Sendable, Hashable, CaseIterable {
  case used, unknown, unused
}

/// An asset, with the places that name it.
package struct AssetUse: Sendable, Hashable {
  package var asset: NamedAsset
  package var state: UseState
  /// The places, proofs first.
  package var uses: [Use]
}

/// A name that a source asks for.
package struct AskedPlace: Sendable, Hashable {
  package var name: ByteString
  package var kind: NameKind
  package var place: SourcePlace
  package var isSymbol: Bool
  package var namesBundle: Bool
  package var isOwnBundle: Bool
}

package struct UseReport: Sendable {
  /// The greatest number of places that are kept for one asset.
  package static let mostUses = 10_000
  /// The greatest number of targets that a finding names as those that have an asset.
  static let mostOwners = 6

  package var assets: [AssetUse] = []
  /// The names that sources ask for, and that neither catalogues nor loose pictures have.
  package var missing: [AskedPlace] = []
  /// The names that targets ask for and only other targets have.
  package var elsewhere: [UseElsewhere] = []
  /// All names that calls and interface files ask for.
  package var asked: [AskedPlace] = []
  package var unread: [UnreadSource] = []
  package var fileCount = 0
  /// The names of all assets, also of catalogues that were not named.
  package var known: [ByteString] = []

  package func count(_ state: UseState) -> Int { assets.count { $0.state == state } }
}

/// The catalogues and sources of one run.
package struct UseRequest: Sendable {
  package var contents: [CatalogContents]
  /// The folders and files with sources.
  package var sources: [ByteString]
  package var targets = TargetList([])
  /// The folder from which paths count.
  package var current: ByteString
  package var jobs: Int

  package init(
    contents: [CatalogContents], sources: [ByteString], current: ByteString, jobs: Int
  ) {
    (self.contents, self.sources, self.current, self.jobs) = (contents, sources, current, jobs)
  }
}

/// Reads the sources and decides about every asset.
package func findUses(_ request: UseRequest, in tree: FileTree) -> UseReport {
  var files = NamingFiles(below: request.sources, in: tree, jobs: request.jobs)
  files.add(data: request.contents.flatMap(dataFiles))
  var names = AssetNames(request.contents)
  let scanned = ScannedSources(files.files, in: tree, names: &names, jobs: request.jobs)
  var report = UseReport()
  report.fileCount = scanned.sources.count
  report.unread = files.unread
  for source in scanned.sources {
    if let reason = source.unread {
      report.unread.append(UnreadSource(path: source.file.path, reason: reason))
    }
  }
  report.unread.sort()
  let ofTargets = Set(request.targets.targets.flatMap(\.catalogs)).sorted().filter {
    (try? tree.status($0))?.kind == .folder
  }
  let others = otherNames(files.catalogs + ofTargets, request, in: tree)
  report.known = names.assets.map(\.name) + others
  report.assets = UseStates(names, scanned.sources, hasUnread: !report.unread.isEmpty).assets(
    request.contents)
  report.asked = scanned.sources.flatMap { source in
    source.evidence.asked.map { asked in
      AskedPlace(
        name: asked.name, kind: asked.kind, place: source.place(of: asked.offset),
        isSymbol: asked.isSymbol, namesBundle: asked.namesBundle, isOwnBundle: asked.isOwnBundle)
    }
  }.sorted { $0.place < $1.place }
  report.elsewhere = request.targets.usesElsewhere(
    report.asked, in: tree, current: request.current, jobs: request.jobs)
  report.missing = missingNames(report, scanned.sources, files.loosePictures)
  return report
}

/// Returns the files of data sets, which can name assets.
private func dataFiles(of contents: CatalogContents) -> [NamingFile] {
  contents.assets.flatMap { asset -> [NamingFile] in
    guard case .data(let data) = asset.contents else { return [] }
    return data.entries.compactMap { entry in
      guard let file = entry.file else { return nil }
      let path = file.path
      guard let kind = sourceKind(ofEnding: pathExtension(path)) else { return nil }
      return NamingFile(path: path, size: file.size, kind: kind)
    }
  }
}

/// Returns the names in catalogues among the sources that are not examined.
private func otherNames(
  _ catalogs: [ByteString], _ request: UseRequest, in tree: FileTree
) -> [ByteString] {
  let real = { (path: ByteString) in (try? tree.realPath(path)) ?? path }
  var seen = Set(request.contents.flatMap { $0.catalogs.map { real($0.path) } })
  let others = catalogs.filter { seen.insert(real($0)).inserted }
  if others.isEmpty { return [] }
  let options = ReadingOptions(jobs: request.jobs, listsInputs: false)
  return readCatalogs(others, in: tree, options: options).assets.map(\.name)
}

// MARK: - Names that are missing

/// Returns the names that no catalogue has. A name in a bundle that the sources do not determine
/// may be there.
private func missingNames(
  _ report: UseReport, _ sources: [ScannedSource], _ loose: Set<ByteString>
) -> [AskedPlace] {
  let known = Set(report.known)
  let identifiers = Set(
    report.known.flatMap { name in
      [
        foldedHash(of: name), foldedHash(of: name.components.last ?? ""),
        foldedHash(of: ByteString(assetIdentifier(of: name.components.last ?? ""))),
      ]
    })
  var declared: Set<UInt64> = []
  for source in sources { declared.formUnion(source.evidence.declared) }
  return report.asked.filter { asked in
    if asked.isSymbol {
      return !identifiers.contains(foldedHash(of: asked.name))
        && !declared.contains(hash(of: asked.name))
    }
    if asked.namesBundle || asked.name.isEmpty || known.contains(asked.name) { return false }
    if isSystemName(asked) || isInBundle(asked.name) || loose.contains(asked.name) { return false }
    // A program can define a type of this name, which takes names of its own.
    if declared.contains(hash(of: asked.kind == .color ? "Color" : "Image" as ByteString)) {
      return false
    }
    let file = asked.name.bytes.withUnsafeBufferPointer { bytes in
      fileName(in: bytes).map { ByteString(bytes: UnsafeRawBufferPointer($0)) }
    }
    return file.map { !known.contains($0) && !loose.contains($0) } ?? true
  }
}

/// Returns whether a name leads into a bundle, such as "Player.bundle/pause".
private func isInBundle(_ name: ByteString) -> Bool {
  name.components.dropLast().contains { ["bundle", "framework"].contains(pathExtension($0)) }
}

/// Returns whether a system has a picture of this name.
private func isSystemName(_ asked: AskedPlace) -> Bool {
  let name = asked.name
  return name.hasPrefix("NS") || name.hasPrefix("AppIcon") || name.hasPrefix("UI")
    || name.hasPrefix("CI") || name.hasPrefix("LaunchImage")
}
