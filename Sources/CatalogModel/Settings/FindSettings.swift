// Finds the settings of a catalogue: the nearest `.carve.json` in the folder of the catalogue or in
// a folder above it, up to the root of the repository. Above a catalogue that lies in no
// repository, no folder is searched: a file there belongs to another project, or to another user.

import Bytes
import Host

/// The settings of one catalogue.
package struct FoundSettings: Sendable, Hashable {
  /// The catalogue, as the user named it.
  package var catalog: ByteString
  /// The path of the catalogue from the folder of the settings.
  package var place: ByteString
  /// The path of the file with the settings.
  package var file: ByteString
  package var settings: ProjectSettings

  /// The folder of the file.
  package var folder: ByteString { parentFolder(file) }

  /// Returns the path of a file of the catalogue from the folder of the settings; nil if the file
  /// does not lie in the catalogue.
  func place(of path: ByteString) -> ByteString? {
    if path == catalog { return place }
    if catalog == ".", !path.isAbsolute { return joined(place, path) }
    return path.relative(to: catalog).map { joined(place, $0) }
  }

  /// Returns the same settings for a folder with sources; nil if it does not lie in the folder of
  /// the settings. `current` is the folder from which relative paths count.
  package func forSources(in folder: ByteString, current: ByteString) -> FoundSettings? {
    let here = path(
      from: absolutePath(self.folder, in: current), to: absolutePath(folder, in: current))
    if here.components.first == ".." { return nil }
    var copy = self
    copy.catalog = folder
    copy.place = here == "." ? "" : here
    return copy
  }
}

/// Finds and reads settings. A file is read once, even if it has the settings of many catalogues.
package struct SettingsFinder {
  private let tree: FileTree
  /// The current folder; nil if it cannot be found out.
  private let current: ByteString?
  private let platforms: [String]
  /// The files by the folders of catalogues.
  private var files: [ByteString: ByteString?] = [:]
  private var read: [ByteString: ProjectSettings] = [:]

  /// The names by which the root of a repository is recognised.
  private static let marks: [ByteString] = [".git", ".hg", ".jj"]

  /// Creates a finder. `platforms` are the words of `--platform`.
  package init(in tree: FileTree, platforms: [String]) {
    self.tree = tree
    self.platforms = platforms
    current = try? currentFolder()
  }

  /// Returns the settings of a catalogue; nil if it has none.
  package mutating func settings(
    of catalog: ByteString
  ) throws(SettingsError) -> FoundSettings? {
    let catalog = withoutTrailingSlashes(catalog)
    // Files whose paths are not UTF-8 are not read, so there can be no settings.
    guard let path = absolute(catalog), path.isUTF8 else { return nil }
    let folder = folder(of: path)
    guard let file = try file(for: folder) else { return nil }
    let place = path.relative(to: parentFolder(file)) ?? lastComponent(path)
    return FoundSettings(
      catalog: catalog, place: place, file: shown(file), settings: try settings(in: file))
  }

  /// Returns the settings in a file that is named by its path.
  package mutating func settings(in file: ByteString) throws(SettingsError) -> ProjectSettings {
    if let settings = read[file] { return settings }
    let bytes: [UInt8]
    do throws(FileError) { bytes = try tree.read(file, FileLimit.contents) } catch {
      throw SettingsError("cannot read \(shown(file)): \(error.reason)", isInputOutput: true)
    }
    let settings = try ProjectSettings(json: bytes, file: shown(file), platforms: platforms)
    read[file] = settings
    return settings
  }

  /// Returns a path from the root of the disk; nil if it cannot be found out. Links are kept: the
  /// files of a sandbox may be links to a project whose settings are no input of the build.
  private func absolute(_ path: ByteString) -> ByteString? {
    if path.components.contains("..") { return try? tree.realPath(path) }
    if path.isAbsolute { return path }
    return current.map { absolutePath(path, in: $0) }
  }

  /// Returns the folder in which the search begins: that of the catalogue, also for a part of one.
  private func folder(of path: ByteString) -> ByteString {
    var catalog = path
    for folder in sequence(first: path, next: folderAbove)
    where catalogEndings.contains(pathExtension(folder)) {
      catalog = folder
    }
    return parentFolder(catalog)
  }

  /// Returns the file for the catalogues of a folder; nil if they have no settings.
  private mutating func file(for folder: ByteString) throws(SettingsError) -> ByteString? {
    if let known = files[folder] { return known }
    let found = try search(from: folder)
    files[folder] = found
    return found
  }

  private func search(from start: ByteString) throws(SettingsError) -> ByteString? {
    var found: (file: ByteString, isRegular: Bool)?
    // A place above the catalogue counts only if the folders belong to one repository.
    func counted() throws(SettingsError) -> ByteString? {
      guard let found else { return nil }
      if found.isRegular { return found.file }
      throw SettingsError("\(shown(found.file)) is not a regular file", isInputOutput: true)
    }
    for folder in sequence(first: start, next: folderAbove) {
      if found == nil {
        let file = joined(folder, ProjectSettings.fileName)
        if let kind = try kind(of: file, isAbove: folder != start) {
          found = (file, kind == .file)
        }
        // The file beside the catalogue counts even without a repository.
        if found != nil, folder == start { return try counted() }
      }
      for mark in SettingsFinder.marks
      where try kind(of: joined(folder, mark), isAbove: folder != start) != nil {
        return try counted()
      }
    }
    return nil
  }

  /// Returns the kind of a file; nil if it does not exist.
  private func kind(of file: ByteString, isAbove: Bool) throws(SettingsError) -> FileKind? {
    do throws(FileError) {
      return try tree.status(file).kind
    } catch {
      switch error {
      case .notFound, .notAFolder, .notHeld: return nil
      // A folder above may be closed to the user; it is not part of the project then.
      case .notPermitted where isAbove: return nil
      default:
        throw SettingsError("cannot read \(shown(file)): \(error.reason)", isInputOutput: true)
      }
    }
  }

  /// Returns a path from the current folder, if it lies there.
  private func shown(_ path: ByteString) -> ByteString {
    current.flatMap { path.relative(to: $0) } ?? path
  }
}

private func folderAbove(_ path: ByteString) -> ByteString? {
  let folder = parentFolder(path)
  return folder == path || folder == "." ? nil : folder
}
