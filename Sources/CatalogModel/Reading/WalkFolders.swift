// Lists the folders of the catalogues, level by level, on all processors. A later step decides the
// meaning of a folder; only links, depth and unreadable folders matter here. Also finds the
// catalogues in a folder that contains other files, such as the folder of an app.

import Bytes
import Documents
import Host

/// Four times the number of folders in the largest known catalogues. Links that multiply folders,
/// and mistakes of the user, can reach this limit.
let folderLimit = 100_000

struct FolderWalk: Sendable {
  /// The folders, with parents before children. The children of a folder are in the order of their
  /// bytes.
  var folders: [Folder] = []
  var diagnostics: [Diagnostic] = []

  init(_ paths: [ByteString], in tree: FileTree, jobs: Int) {
    let roots = paths.enumerated().map { catalog, path in
      let path = withoutTrailingSlashes(path)
      return Folder(path: path, name: folderName(path, in: tree), catalog: catalog)
    }
    let realRoots = roots.compactMap { try? tree.realPath($0.path) }
    var level = roots
    while !level.isEmpty, folders.count < folderLimit {
      let listed = parallelMap(level, jobs: jobs) { Listing($0, in: tree, realRoots: realRoots) }
      var next: [Folder] = []
      for listing in listed {
        let index = folders.count
        folders.append(listing.folder)
        diagnostics += listing.diagnostics
        for var child in listing.children {
          child.parent = index
          next.append(child)
        }
      }
      level = next
    }
    if let folder = level.first {
      diagnostics.append(
        Diagnostic(
          .folderTooDeep, "more than \(folderLimit) folders; this one and others are left out",
          file: folder.path))
    }
  }
}

/// Returns the name of a folder. Of a path that ends in "." or "..", the last component is not the
/// name.
private func folderName(_ path: ByteString, in tree: FileTree) -> ByteString {
  let name = lastComponent(path)
  guard name == "." || name == ".." else { return name }
  return (try? tree.realPath(path)).map { lastComponent($0) } ?? name
}

package let catalogEndings: Set<ByteString> = ["xcassets", "xcstickers", "icon"]

/// Returns whether a build system laid out the files of a catalogue as links, as its sandboxes do.
/// The targets of such links are then no fault of the catalogue.
package func laysOutLinks(_ entries: [FileEntry]) -> Bool {
  entries.contains { $0.name == "Contents.json" && $0.isLink && $0.kind == .file }
}

/// The names in one folder, and the folders in it that are listed next.
private struct Listing: Sendable {
  var folder: Folder
  var children: [Folder] = []
  var diagnostics: [Diagnostic] = []

  init(_ unlisted: Folder, in tree: FileTree, realRoots: [ByteString]) {
    folder = unlisted
    do throws(FileError) {
      folder.entries = try tree.list(folder.path)
    } catch {
      folder.isUnread = true
      let isRoot = folder.depth == 0
      diagnostics.append(
        Diagnostic(
          isRoot ? .notACatalog : .unreadableFolder,
          isRoot
            ? "the catalogue cannot be read: \(error.reason)"
            : "the folder cannot be read: \(error.reason)",
          file: folder.path))
      return
    }
    guard isCatalogOrBelow(in: tree) else {
      folder.entries = []
      folder.isUnread = true
      diagnostics.append(
        Diagnostic(
          .notACatalog,
          "the folder is not a catalogue: its name does not end in .xcassets, and it has no "
            + "Contents.json" + wordsOfCatalogs(below: folder.path, in: tree), file: folder.path))
      return
    }
    // The reader of a layered icon lists its contents itself.
    if pathExtension(folder.name) == "icon" { return }
    if folder.depth == 0 { folder.isOfLinks = laysOutLinks(folder.entries) }
    for entry in folder.entries { add(entry, in: tree, realRoots: realRoots) }
  }

  /// Returns whether the folder is a catalogue or lies in one. A root whose name has no extension
  /// of catalogues is a catalogue if it has a Contents.json.
  private func isCatalogOrBelow(in tree: FileTree) -> Bool {
    if folder.depth > 0 || folder.entries.contains(where: { $0.name == "Contents.json" }) {
      return true
    }
    // The real path is needed because the target of a link can be a catalogue.
    let path = (try? tree.realPath(folder.path)) ?? folder.path
    return catalogEndings.contains(pathExtension(path))
  }

  private mutating func add(_ entry: FileEntry, in tree: FileTree, realRoots: [ByteString]) {
    if entry.kind == .file, folder.isOfLinks || !entry.isLink { return }
    let path = joined(folder.path, entry.name)
    if entry.isLink, !follows(entry, path, in: tree, realRoots: realRoots) { return }
    guard entry.kind == .folder else { return }
    guard !entry.name.isHidden else { return reportHidden(entry, path, in: tree) }
    if folder.depth + 1 >= FolderDepth.read {
      diagnostics.append(
        Diagnostic(
          .folderTooDeep,
          "folders are nested more than \(FolderDepth.read) levels deep; this folder is left out",
          file: path))
      return
    }
    var child = Folder(path: path, name: entry.name, catalog: folder.catalog)
    child.depth = folder.depth + 1
    child.isBehindLink = folder.isBehindLink || entry.isLink
    child.isOfLinks = folder.isOfLinks
    children.append(child)
  }

  /// Reports a set, or a folder with sets, that is not read because its name begins with a dot.
  /// Folders of programs, such as ".git", are left alone.
  private mutating func reportHidden(_ entry: FileEntry, _ path: ByteString, in tree: FileTree) {
    func setType(of name: ByteString) -> SetType? { FolderRole.setType(pathExtension(name)) }
    let what: String
    if let type = setType(of: entry.name) ?? FolderRole.setType(entry.name.dropFirst(1)) {
      what = "the .\(type.rawValue)"
    } else if let inner = (try? tree.list(path))?.first(where: {
      $0.kind == .folder && setType(of: $0.name) != nil
    }) {
      what = "the folder with \(quoted(inner.name))"
    } else {
      return
    }
    diagnostics.append(
      Diagnostic(
        .hiddenSet, "\(what) is left out, because its name begins with a dot", file: path))
  }

  /// Returns whether the walk follows a link, and reports doubtful links.
  private mutating func follows(
    _ entry: FileEntry, _ path: ByteString, in tree: FileTree, realRoots: [ByteString]
  ) -> Bool {
    guard let target = try? tree.realPath(path), let here = try? tree.realPath(folder.path) else {
      if entry.kind == .nowhere {
        diagnostics.append(
          Diagnostic(
            .linkLoop, "the target of the link does not exist, or is the link itself", file: path))
      }
      return false
    }
    if entry.kind == .folder,
      here == target || (target != "/" && here.isInside(target)) || folder.isBehindLink
    {
      diagnostics.append(
        Diagnostic(
          .linkLoop,
          folder.isBehindLink
            ? "a link to a folder behind another link is not followed"
            : "the link leads to a folder that it lies in; it is not followed", file: path))
      return false
    }
    if realRoots.contains(where: { target == $0 || target.isInside($0) }) { return true }
    // A link to a shared set or group elsewhere is followed. Other folders are not, because a walk
    // through the root of a disk would hardly end.
    let isPartOfCatalog =
      entry.kind != .folder || FolderRole.setType(pathExtension(entry.name)) != nil
      || (try? tree.status(joined(path, "Contents.json"))) != nil
    diagnostics.append(
      Diagnostic(
        .linkOutsideCatalog,
        isPartOfCatalog
          ? "the link leads out of the catalogue"
          : "the link leads out of the catalogue, to a folder without a Contents.json; it is not "
            + "followed", file: path))
    return isPartOfCatalog
  }
}

// MARK: - Finding catalogues

/// Returns the catalogues below a folder, at any depth. Returns the folder itself if it is a
/// catalogue or if it contains none. A link to a catalogue counts if the catalogue is not found
/// without it; other links are not followed.
package func catalogs(below folder: ByteString, in tree: FileTree) -> [ByteString] {
  if isCatalog(folder, (try? tree.list(folder)) ?? [], in: tree) { return [folder] }
  var found: [(path: ByteString, isLink: Bool)] = []
  var left = 10_000
  func search(_ folder: ByteString, _ depth: Int) {
    guard depth < 16, left > 0, let entries = try? tree.list(folder) else { return }
    left -= 1
    for entry in entries where entry.kind == .folder && !entry.name.isHidden {
      let path = joined(folder, entry.name)
      if catalogEndings.contains(pathExtension(entry.name)) {
        found.append((path, entry.isLink))
      } else if !entry.isLink {
        search(path, depth + 1)
      }
    }
  }
  search(folder, 0)
  if found.contains(where: \.isLink) {
    var known = Set(found.filter { !$0.isLink }.compactMap { try? tree.realPath($0.path) })
    found = found.filter { path, isLink in
      guard isLink else { return true }
      guard let target = try? tree.realPath(path) else { return false }
      return known.insert(target).inserted
    }
  }
  return found.isEmpty ? [folder] : found.map(\.path)
}

/// Groups catalogues that are compiled together. The catalogues among `paths` form one group.
/// Catalogues that are found in other folders form a group for each parent folder, as the
/// catalogues of one target do.
package func catalogGroups(of paths: [ByteString], in tree: FileTree) -> [[ByteString]] {
  var named: [ByteString] = []
  var neighbours: [(folder: ByteString, catalogs: [ByteString])] = []
  for path in paths {
    let found = catalogs(below: path, in: tree)
    if found == [path] {
      named.append(path)
      continue
    }
    for catalog in found {
      let folder = catalog.dropLast(lastComponent(catalog).count)
      if let index = neighbours.firstIndex(where: { $0.folder == folder }) {
        neighbours[index].catalogs.append(catalog)
      } else {
        neighbours.append((folder, [catalog]))
      }
    }
  }
  return (named.isEmpty ? [] : [named]) + neighbours.map(\.catalogs)
}

private func isCatalog(_ folder: ByteString, _ entries: [FileEntry], in tree: FileTree) -> Bool {
  // The real path is needed because "." does not contain the folder's name.
  let path = (try? tree.realPath(folder)) ?? folder
  return catalogEndings.contains(pathExtension(lastComponent(path)))
    || entries.contains { $0.name == "Contents.json" }
}

/// Returns the end of a sentence about a folder that is not a catalogue, such as "; it holds
/// "A.xcassets" and "B.xcassets"".
func wordsOfCatalogs(below folder: ByteString, in tree: FileTree) -> String {
  let found = catalogs(below: folder, in: tree).filter { $0 != folder }
  switch found.count {
  case 0: return ""
  case 1...3: return "; it holds \(quotedList(found, joinedBy: "and"))"
  default:
    return "; it holds \(quoted(found[0])) and \(counted(found.count - 1, "other catalogue"))"
  }
}
