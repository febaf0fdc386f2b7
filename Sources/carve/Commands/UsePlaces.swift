// The sources and projects in which `carve lint` looks for uses of assets, by options or by the
// settings of the catalogues.

import Bytes
import CatalogModel
import CommandLineKit
import Host
import Uses

struct UsePlaces {
  /// The folders with sources, as the user would write them.
  private(set) var sources: [ByteString]
  private var targets: TargetList
  private let current: ByteString
  /// The settings of the catalogues, for the findings in sources.
  private(set) var settings: [FoundSettings] = []

  /// Whether no sources are examined.
  var isEmpty: Bool { sources.isEmpty }

  init(_ arguments: LintArguments, settings all: [FoundSettings]) throws(CommandFailure) {
    let folder: ByteString
    do throws(FileError) { folder = try currentFolder() } catch {
      throw CommandFailure(error, reading: ".")
    }
    var projects = arguments.projects.map(withoutTrailingSlashes)
    var sources = arguments.sources.map(withoutTrailingSlashes)
    if projects.isEmpty, sources.isEmpty {
      for found in all {
        projects += try found.paths(found.settings.projects, at: "/projects")
        sources += try found.paths(found.settings.sources, at: "/sources")
      }
    }
    let areOfProjects = sources.isEmpty
    if areOfProjects { sources = projects.map(parentFolder) }
    (self.sources, current) = (unique(sources), folder)
    for path in self.sources {
      do throws(FileError) { _ = try FileTree.disk.status(path) } catch {
        throw CommandFailure(error, reading: path)
      }
    }
    do throws(ProjectError) {
      targets = try TargetList(projects: unique(projects), in: .disk, current: folder)
    } catch {
      throw error.isInputOutput ? .inputOutput(error.message) : .input(error.message)
    }
    if areOfProjects {
      // Targets can have sources beside the folder of their project.
      let outer = targets.sources(outside: self.sources, in: .disk, current: folder)
      self.sources += outer.map { CatalogModel.path(from: folder, to: $0) }
    }
    for source in self.sources {
      for found in all {
        if let own = found.forSources(in: source, current: folder) {
          self.settings.append(own)
          break
        }
      }
    }
  }

  /// Reads the sources. Returns nil if no sources are named.
  func report(of contents: [CatalogContents], jobs: Int) throws(CommandFailure) -> UseReport? {
    if isEmpty { return nil }
    var request = UseRequest(contents: contents, sources: sources, current: current, jobs: jobs)
    request.targets = targets
    return findUses(request, in: .disk)
  }
}

/// Returns the paths without repetitions, in their order.
private func unique(_ paths: [ByteString]) -> [ByteString] {
  var seen: Set<ByteString> = []
  return paths.filter { seen.insert($0).inserted }
}

extension FoundSettings {
  /// Returns the paths in a list of the settings. Throws if one does not exist.
  fileprivate func paths(
    _ names: [ByteString], at pointer: ByteString
  ) throws(CommandFailure) -> [ByteString] {
    let paths = names.map(path(of:))
    for (index, path) in paths.enumerated() {
      do throws(FileError) { _ = try FileTree.disk.status(path) } catch {
        let failure = CommandFailure(error, reading: path)
        throw CommandFailure(
          failure.status, stating(failure.message, at: "\(pointer)/\(index)"))
      }
    }
    return paths
  }

  /// Returns the path of a file or folder that the settings name.
  func path(of name: ByteString) -> ByteString {
    let name = withoutTrailingSlashes(name)
    if name == "." { return folder }
    return folder == "." ? name : joined(folder, name)
  }
}
