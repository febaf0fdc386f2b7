// The targets of a project, with the sources and the catalogues of each. XcodeTargets.swift and
// PackageTargets.swift read them. UseElsewhere is an asset that a target asks for and that only
// other targets have.

import Bytes
import CatalogModel
import Host

package struct SourceTarget: Sendable, Hashable {
  package enum Kind: Sendable, Hashable {
    /// A program or an extension, which loads assets from its own bundle.
    case program
    /// Code that runs in the programs that depend on it.
    case library
    case test
    /// A library of a package: its program may lie elsewhere.
    case packageLibrary
  }

  package var name: ByteString
  package var kind: Kind
  /// The files with sources, from the root of the disk.
  package var sources: Set<ByteString> = []
  /// The folders whose files all belong to the target.
  package var folders: Set<ByteString> = []
  /// The files and folders in them that do not.
  package var excluded: Set<ByteString> = []
  package var catalogs: [ByteString] = []
  package var dependencies: Set<ByteString> = []

  /// The greatest number of targets of a project or a package.
  static let mostInProject = 2000

  package init(name: ByteString, kind: Kind) {
    self.name = name
    self.kind = kind
  }

  /// Returns whether a file belongs to the target.
  package func holds(_ file: ByteString) -> Bool {
    if sources.contains(file) { return true }
    return parentFolder(file).isOrIsInside(one: folders) && !file.isOrIsInside(one: excluded)
  }
}

extension ByteString {
  /// Returns whether a plain path is one of some paths, or lies below one.
  func isOrIsInside(one paths: Set<ByteString>) -> Bool {
    if paths.isEmpty { return false }
    return withFoldersAround(self).contains(where: paths.contains)
  }
}

/// The targets of the projects of one run.
package struct TargetList: Sendable {
  package private(set) var targets: [SourceTarget] = []

  /// Reads projects: folders `.xcodeproj`, and files `Package.swift`. `current` is the folder from
  /// which relative paths count.
  package init(
    projects: [ByteString], in tree: FileTree, current: ByteString
  ) throws(ProjectError) {
    for project in projects {
      let path = plainPath(absolutePath(project, in: current))
      if lastComponent(path) == "Package.swift" {
        targets += try packageTargets(at: path, shownAs: project, in: tree)
      } else {
        targets += try xcodeTargets(at: path, shownAs: project, in: tree)
      }
    }
  }

  package init(_ targets: [SourceTarget]) { self.targets = targets }

  /// Returns the sources of the targets that exist outside of some folders. If the tree cannot
  /// tell whether a source exists, it is one of them, and is later reported as unread.
  package func sources(
    outside folders: [ByteString], in tree: FileTree, current: ByteString
  ) -> [ByteString] {
    let folders = folders.map { plainPath(absolutePath($0, in: current)) }
    return targets.reduce(into: Set()) { $0.formUnion($1.folders.union($1.sources)) }.sorted()
      .filter { path in
        !folders.contains { path == $0 || path.isInside($0) }
          && (try? tree.exists(path)) ?? true
      }
  }
}

/// The reason why a project cannot be read.
package struct ProjectError: Error, Sendable, Hashable {
  package var message: String
  /// Whether the file itself could not be read.
  package var isInputOutput = false

  init(_ message: String, isInputOutput: Bool = false) {
    self.message = message
    self.isInputOutput = isInputOutput
  }
}

/// An asset that a target asks for and that only the catalogues of other targets have.
package struct UseElsewhere: Sendable, Hashable {
  package var asked: AskedPlace
  package var target: ByteString
  package var owners: [ByteString]
}

/// Returns a path without "." and "..", by its text.
func plainPath(_ path: ByteString) -> ByteString {
  (path.isAbsolute ? "/" : "") + path.plainComponents.joined(separator: "/")
}

// MARK: - Uses in other targets

extension TargetList {
  /// The greatest number of uses that are found. Thousands of targets can share a source.
  static let mostElsewhere = 10_000

  /// Returns the names that targets ask for and only other targets have, up to a limit.
  func usesElsewhere(
    _ asked: [AskedPlace], in tree: FileTree, current: ByteString, jobs: Int
  ) -> [UseElsewhere] {
    let catalogs = Set(targets.flatMap(\.catalogs)).sorted()
    let read = parallelMap(catalogs, jobs: jobs) { catalog -> Set<ByteString>? in
      guard (try? tree.status(catalog))?.kind == .folder else { return nil }
      let options = ReadingOptions(jobs: 1, listsInputs: false)
      return Set(readCatalogs([catalog], in: tree, options: options).assets.map(\.name))
    }
    var holders: [ByteString: Set<ByteString>] = [:]
    for (catalog, found) in zip(catalogs, read) {
      for name in found ?? [] { holders[name, default: []].insert(catalog) }
    }
    let unread = Set(zip(catalogs, read).filter { $0.1 == nil }.map { $0.0 })
    let hasUnread = targets.map { $0.catalogs.contains(where: unread.contains) }
    let graph = TargetGraph(targets)
    var reaches: [Int: [Int]?] = [:]
    var ownersOfNames: [ByteString: [Int]] = [:]
    var usersOfFiles: [ByteString: [Int]] = [:]
    var elsewhere: [UseElsewhere] = []
    for asked in asked {
      guard !asked.isSymbol, !asked.namesBundle, let having = holders[asked.name] else { continue }
      let owners =
        ownersOfNames[asked.name]
        ?? targets.indices.filter { targets[$0].catalogs.contains(where: having.contains) }
      ownersOfNames[asked.name] = owners
      let file = plainPath(absolutePath(asked.place.file, in: current))
      let users = usersOfFiles[file] ?? targets.indices.filter { targets[$0].holds(file) }
      usersOfFiles[file] = users
      let owning = Set(owners)
      for user in users {
        let reach = reaches[user] ?? graph.reach(of: user)
        reaches.updateValue(reach, forKey: user)
        let own = asked.isOwnBundle ? [user] : reach
        guard let own, !own.contains(where: owning.contains) else { continue }
        // A catalogue that could not be read may have the asset.
        if own.contains(where: { hasUnread[$0] }) { continue }
        elsewhere.append(
          UseElsewhere(
            asked: asked, target: targets[user].name, owners: owners.map { targets[$0].name }))
        if elsewhere.count == TargetList.mostElsewhere { return elsewhere }
      }
    }
    return elsewhere
  }
}

/// The targets from whose bundles the code of each target can load assets.
private struct TargetGraph {
  private let targets: [SourceTarget]
  /// The targets of each name, and those that depend on the name. Targets can have equal names.
  private var named: [ByteString: [Int]] = [:]
  private var dependents: [ByteString: [Int]] = [:]

  init(_ targets: [SourceTarget]) {
    self.targets = targets
    for (index, target) in targets.enumerated() {
      named[target.name, default: []].append(index)
      for name in target.dependencies { dependents[name, default: []].append(index) }
    }
  }

  /// Returns nil if the list of targets does not tell.
  func reach(of index: Int) -> [Int]? {
    let hosts: [Int]
    switch targets[index].kind {
    case .program: return [index]
    case .packageLibrary: return nil
    // Tests run in a program that they depend on, or that the list does not name.
    case .test: hosts = closure(of: index, named) { $0.dependencies }
    case .library: hosts = closure(of: index, dependents) { [$0.name] }
    }
    return hosts.contains { targets[$0].kind == .program } ? hosts : nil
  }

  /// Returns a target, and the targets to which names lead from it.
  private func closure(
    of start: Int, _ next: [ByteString: [Int]], _ names: (SourceTarget) -> Set<ByteString>
  ) -> [Int] {
    var isFound = [Bool](repeating: false, count: targets.count)
    isFound[start] = true
    var (found, rest) = ([start], [start])
    var seen: Set<ByteString> = []
    while let index = rest.popLast() {
      for name in names(targets[index]) where seen.insert(name).inserted {
        for other in next[name] ?? [] where !isFound[other] {
          isFound[other] = true
          found.append(other)
          rest.append(other)
        }
      }
    }
    return found
  }
}
