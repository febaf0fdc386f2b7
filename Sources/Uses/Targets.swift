// The targets of a project: which sources and which catalogues each of them has. XcodeTargets.swift
// and PackageTargets.swift read them. UseElsewhere is an asset that a target asks for and that only
// others have.

import Bytes
import CatalogModel
import Documents
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
  package var folders: [ByteString] = []
  /// The files and folders in them that do not.
  package var excluded: [ByteString] = []
  package var catalogs: [ByteString] = []
  package var dependencies: Set<ByteString> = []

  package init(name: ByteString, kind: Kind) {
    self.name = name
    self.kind = kind
  }

  /// Returns whether a file belongs to the target.
  package func holds(_ file: ByteString) -> Bool {
    if sources.contains(file) { return true }
    guard folders.contains(where: { file.isInside($0) }) else { return false }
    return !excluded.contains { file == $0 || file.isInside($0) }
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
  let parts: [ByteString] = path.components.reduce(into: []) { names, name in
    if name == ".." {
      _ = names.popLast()
    } else if name != "." {
      names.append(name)
    }
  }
  return (path.isAbsolute ? "/" : "") + parts.joined(separator: "/")
}

// MARK: - Uses in other targets

extension TargetList {
  /// Returns the names that targets ask for and only other targets have.
  func usesElsewhere(
    _ asked: [AskedPlace], in tree: FileTree, current: ByteString, jobs: Int
  ) -> [UseElsewhere] {
    let catalogs = Set(targets.flatMap(\.catalogs)).sorted()
    let read = parallelMap(catalogs, jobs: jobs) { catalog -> Set<ByteString>? in
      guard (try? tree.status(catalog))?.kind == .folder else { return nil }
      let options = ReadingOptions(jobs: 1, listsInputs: false)
      return Set(readCatalogs([catalog], in: tree, options: options).assets.map(\.name))
    }
    var names: [ByteString: Set<ByteString>] = [:]
    for (catalog, found) in zip(catalogs, read) { names[catalog] = found }
    let reaches = targets.map { reach(of: $0) }
    var holders: [ByteString: [Int]] = [:]
    return asked.flatMap { asked -> [UseElsewhere] in
      if asked.isSymbol || asked.namesBundle { return [] }
      let owners = targets.indices.filter { index in
        targets[index].catalogs.contains { names[$0]?.contains(asked.name) ?? false }
      }
      if owners.isEmpty { return [] }
      let file = plainPath(absolutePath(asked.place.file, in: current))
      let users = holders[file] ?? targets.indices.filter { targets[$0].holds(file) }
      holders[file] = users
      return users.compactMap { user -> UseElsewhere? in
        let own = asked.isOwnBundle ? [user] : reaches[user]
        guard let own, !own.contains(where: { owners.contains($0) }) else { return nil }
        // A catalogue that could not be read may have the asset.
        let all = own.flatMap { targets[$0].catalogs }
        if all.contains(where: { names[$0] == nil }) { return nil }
        return UseElsewhere(
          asked: asked, target: targets[user].name, owners: owners.map { targets[$0].name })
      }
    }
  }

  /// Returns the targets from whose bundles the code of a target can load assets; nil if the list
  /// does not tell.
  private func reach(of target: SourceTarget) -> [Int]? {
    let own = targets.firstIndex(of: target).map { [$0] } ?? []
    switch target.kind {
    case .program: return own
    case .packageLibrary: return nil
    case .test:
      // Tests run in a program that they depend on, or that the list does not name.
      let hosts = closure(of: own) { index in
        targets.indices.filter { targets[index].dependencies.contains(targets[$0].name) }
      }
      return hosts.contains { targets[$0].kind == .program } ? hosts : nil
    case .library:
      let hosts = closure(of: own) { index in
        targets.indices.filter { targets[$0].dependencies.contains(targets[index].name) }
      }
      return hosts.contains { targets[$0].kind == .program } ? hosts : nil
    }
  }

  private func closure(of start: [Int], _ next: (Int) -> [Int]) -> [Int] {
    var (found, rest) = (start, start)
    while let index = rest.popLast() {
      for other in next(index) where !found.contains(other) {
        found.append(other)
        rest.append(other)
      }
    }
    return found
  }
}
