// The sizes of catalogues in the commits of a git repository: what each device downloads of the
// archive that each commit makes. Commits with the same catalogues share one compilation.

import Apps
import ArchiveTools
import Builds
import Bytes
import CatalogCompiler
import CatalogModel
import Host
import Synchronization
import Traits

/// The state of the catalogues in a commit.
package enum CommitState: Sendable, Hashable {
  /// The catalogues compile. The value is the index of their sizes in `CatalogHistory.sizes`.
  case compiled(Int)
  /// The commit does not have the catalogues.
  case absent
  /// The catalogues do not compile, for this reason.
  case refused(String)
}

/// The sizes of the archive of some catalogues.
package struct CatalogSizes: Sendable, Hashable {
  package var byteCount: Int
  package var nameCount: Int
  package var renditionCount: Int
  /// The bytes that each device downloads, in the order of `CatalogHistory.devices`; nil for a
  /// device that cannot run the app.
  package var devices: [Int?]
  /// The bytes of the renditions of each asset. Names are numbers in `CatalogHistory.names`.
  package var assets: [AssetSize]

  package struct AssetSize: Sendable, Hashable {
    package var name: Int
    package var bytes: Int
  }
}

/// Devices whose downloads are equal in all commits.
package struct HistoryLine: Sendable {
  package var devices: [Device]
  /// The bytes in each commit; nil if the commit has none.
  package var bytes: [Int?]
}

/// The change of an asset from one commit to the next.
package struct AssetChange: Sendable, Hashable {
  package var name: ByteString
  package var bytes: SizeChange
}

/// The change from the last commit that compiles to another one.
package struct HistoryMove: Sendable {
  /// The number of the commit.
  package var commit: Int
  /// The change of the archive that is not thinned.
  package var bytes: SizeChange
  /// The growth of each line of the history; nil if one of both commits has no size.
  package var lines: [Int?]
  /// The assets that changed, the largest change first.
  package var assets: [AssetChange]
}

package struct CatalogHistory: Sendable {
  /// The commits, the oldest first.
  package var commits: [GitCommit]
  package var states: [CommitState]
  package var sizes: [CatalogSizes] = []
  package var names: [ByteString] = []
  package var devices: [Device]
  package var lines: [HistoryLine] = []
  /// The commits that changed a size.
  package var moves: [HistoryMove] = []
  /// The number of different catalogues, of which each was compiled once.
  package var treeCount: Int
  /// Whether the clone ends before the commits that were asked for.
  package var isCut: Bool

  /// The reason why the catalogues of the newest commit that has them do not compile.
  package var lastRefusal: String? {
    states.reversed().lazy.compactMap { state in
      if case .refused(let reason) = state { reason } else { nil }
    }.first
  }
}

/// The settings of a history.
package struct HistoryOptions: Sendable {
  /// The number of commits.
  package var count: Int
  /// The newest commit.
  package var revision: ByteString = "HEAD"
  package var compiling: CompileOptions
  package var app = AppTraits()
  package var os: OSVersion?
  /// The devices; all of the platform if the list is empty.
  package var devices: [Device] = []

  package init(count: Int, compiling: CompileOptions) {
    (self.count, self.compiling) = (count, compiling)
  }
}

extension CatalogHistory {
  /// Reads the history of catalogues, which lie in one repository. `progress` gets the numbers of
  /// compilations that are done and of all.
  package init(
    of places: [GitPlace], _ options: HistoryOptions,
    progress: @escaping @Sendable (Int, Int) -> Void = { _, _ in }
  ) throws(GitError) {
    guard let first = places.first else { throw .unknownRevision(options.revision) }
    let repository = try GitRepository(at: first)
    let (commits, isCut) = try repository.commits(options, isShallow: first.isShallow)
    (self.commits, self.isCut) = (commits, isCut)
    var trees: [GitTree] = []
    var numbers: [GitTree: Int] = [:]
    var treeOfCommit: [Int?] = []
    for commit in commits {
      let tree = try repository.tree(of: commit, places)
      if tree.roots.isEmpty {
        treeOfCommit.append(nil)
      } else if let number = numbers[tree] {
        treeOfCommit.append(number)
      } else {
        numbers[tree] = trees.count
        treeOfCommit.append(trees.count)
        trees.append(tree)
      }
    }
    treeCount = trees.count
    devices = options.devices
    states = []
    let measured = repository.measure(trees, options, progress)
    if let trouble = repository.trouble { throw trouble }
    let states = add(measured)
    self.states = treeOfCommit.map { $0.map { states[$0] } ?? .absent }
    findLines()
    findMoves()
  }

  /// Takes the sizes of trees, with numbers in place of names and devices. Returns the state of
  /// each tree.
  private mutating func add(_ measured: [MeasuredTree]) -> [CommitState] {
    if devices.isEmpty {
      var known: Set<ByteString> = []
      for case .sizes(let sizes) in measured { known.formUnion(sizes.shareOfDevice.keys) }
      devices = Device.all.filter { known.contains(ByteString($0.identifier)) }
    }
    var numbers: [ByteString: Int] = [:]
    return measured.map { tree in
      switch tree {
      case .refused(let reason): return .refused(reason)
      case .sizes(let sizes):
        let assets = sizes.assets.map { asset in
          if numbers[asset.name] == nil {
            numbers[asset.name] = names.count
            names.append(asset.name)
          }
          return CatalogSizes.AssetSize(name: numbers[asset.name] ?? 0, bytes: asset.bytes)
        }
        self.sizes.append(
          CatalogSizes(
            byteCount: sizes.byteCount, nameCount: sizes.nameCount,
            renditionCount: sizes.renditionCount,
            devices: devices.map { sizes.share(of: $0)?.bytes }, assets: assets))
        return .compiled(self.sizes.count - 1)
      }
    }
  }

  /// Returns the sizes of a commit; nil if it has none.
  package func sizes(of commit: Int) -> CatalogSizes? {
    if case .compiled(let number) = states[commit] { sizes[number] } else { nil }
  }

  // MARK: Lines and moves

  private mutating func findLines() {
    var indices: [[Int?]: Int] = [:]
    for (number, device) in devices.enumerated() {
      let bytes = commits.indices.map { sizes(of: $0)?.devices[number] ?? nil }
      if bytes.allSatisfy({ $0 == nil }) { continue }
      if let index = indices[bytes] {
        lines[index].devices.append(device)
      } else {
        indices[bytes] = lines.count
        lines.append(HistoryLine(devices: [device], bytes: bytes))
      }
    }
  }

  private mutating func findMoves() {
    var last: (commit: Int, sizes: CatalogSizes)?
    for commit in commits.indices {
      guard let sizes = sizes(of: commit) else { continue }
      defer { last = (commit, sizes) }
      guard let last, last.sizes != sizes else { continue }
      moves.append(
        HistoryMove(
          commit: commit,
          bytes: SizeChange(before: last.sizes.byteCount, after: sizes.byteCount),
          lines: lines.map { line in
            guard let before = line.bytes[last.commit], let after = line.bytes[commit] else {
              return nil
            }
            return after - before
          }, assets: changes(from: last.sizes, to: sizes)))
    }
  }

  /// Returns the assets whose sizes differ, the largest change first.
  private func changes(from old: CatalogSizes, to new: CatalogSizes) -> [AssetChange] {
    var changes: [Int: SizeChange] = [:]
    for asset in old.assets {
      changes[asset.name] = SizeChange(before: asset.bytes, after: nil)
    }
    for asset in new.assets {
      let before = changes[asset.name]?.before
      changes[asset.name] =
        before == asset.bytes
        ? nil : SizeChange(before: before, after: asset.bytes)
    }
    return changes.map { AssetChange(name: names[$0], bytes: $1) }.sorted { a, b in
      let (one, other) = (abs(a.bytes.growth), abs(b.bytes.growth))
      return one == other ? a.name < b.name : one > other
    }
  }
}

// MARK: - Reading and compiling

/// The result of compiling one tree.
private enum MeasuredTree: Sendable {
  case sizes(ArchiveSizes)
  case refused(String)
}

extension GitRepository {
  /// Returns the newest commits, the oldest first, and whether the clone ends before them. Only
  /// first parents are followed: those are the states of the branch itself.
  func commits(
    _ options: HistoryOptions, isShallow: Bool
  ) throws(GitError) -> ([GitCommit], isCut: Bool) {
    var commits = [try commit(named: options.revision)]
    while commits.count < options.count, let parent = commits.last?.parent {
      guard let next = try commit(parent) else {
        if isShallow { return (commits.reversed(), true) }
        throw .missing(parent)
      }
      commits.append(next)
    }
    return (commits.reversed(), false)
  }

  /// Returns the catalogues of a commit.
  func tree(
    of commit: GitCommit, _ places: [GitPlace]
  ) throws(GitError) -> GitTree {
    var roots: [GitTree.Root] = []
    for place in places {
      var id: ByteString? = commit.tree
      for name in place.path.components {
        guard let folder = id else { break }
        let entry = try entries(of: folder)[name]
        id = entry?.kind == .folder ? entry?.id : nil
      }
      let path = place.path.isEmpty ? lastComponent(place.top) : place.path
      if let id { roots.append(GitTree.Root(path: path, id: id)) }
    }
    return GitTree(roots: roots)
  }

  /// Compiles trees and measures their archives. The newest one, which is the last, is compiled on
  /// all threads: the others find most of its pictures in the cache. Then each thread compiles one
  /// tree after another.
  fileprivate func measure(
    _ trees: [GitTree], _ options: HistoryOptions,
    _ progress: @escaping @Sendable (Int, Int) -> Void
  ) -> [MeasuredTree] {
    guard let last = trees.last else { return [] }
    let jobs = options.compiling.jobs
    let newest = measure(last, options)
    progress(1, trees.count)
    var alone = options
    alone.compiling.jobs = 1
    let done = Atomic<Int>(1)
    let others = parallelMap(Array(trees.dropLast()), jobs: jobs) { [alone] tree in
      let sizes = self.measure(tree, alone)
      progress(done.wrappingAdd(1, ordering: .relaxed).newValue, trees.count)
      return sizes
    }
    return others + [newest]
  }

  /// Compiles a tree. Remembers a failure of the system, which says nothing about the catalogues.
  private func measure(_ tree: GitTree, _ options: HistoryOptions) -> MeasuredTree {
    // After a failure the history cannot be whole.
    if trouble != nil { return .refused("") }
    do throws(GitError) { return try compiled(tree, options) } catch {
      note(error)
      return .refused("")
    }
  }

  private func compiled(
    _ tree: GitTree, _ options: HistoryOptions
  ) throws(GitError) -> MeasuredTree {
    let whole: UnthinnedArchive
    do throws(OutputError) { whole = try UnthinnedArchive() } catch { throw GitError(error) }
    defer { withExtendedLifetime(whole) {} }
    var build = Build(
      .archive(of: tree.roots.map(\.path)), options.compiling, in: tree.files(in: self))
    do throws(CompileError) { try build.makeProduct(in: whole, CompileObserver()) } catch {
      switch error {
      case .output(let error): throw GitError(error)
      case .archive(let error): return .refused("\(error)")
      }
    }
    if let failure = build.trouble { throw GitError(failure.error, reading: failure.path) }
    if build.report.isRefused { return .refused(build.report.firstError) }
    let archive: UnsafeRawBufferPointer
    do throws(FileError) { archive = try whole.bytes() } catch {
      throw GitError(error, reading: whole.name)
    }
    do throws(ThinningError) {
      return .sizes(
        try ArchiveSizes(archive, app: options.app, os: options.os, devices: options.devices))
    } catch {
      if case .output(let error) = error { throw GitError(error) }
      return .refused("\(error)")
    }
  }
}

extension GitError {
  fileprivate init(_ error: OutputError) { self = .system(error.description) }

  fileprivate init(_ error: FileError, reading path: ByteString) {
    self = .system("cannot read \(path): \(error.reason)")
  }
}

extension CompileReport {
  /// The first error of a compilation that is refused, with its place.
  fileprivate var firstError: String {
    guard let error = diagnostics.first(where: { $0.severity == .error }) else { return "" }
    let line = error.line.map { ":\($0)" } ?? ""
    let count = diagnostics.count { $0.severity == .error }
    return "\(error.file)\(line): \(error.message)"
      + (count > 1 ? " (and \(count - 1) more errors)" : "")
  }
}
