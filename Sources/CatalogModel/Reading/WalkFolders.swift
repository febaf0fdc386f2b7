// Lists the folders of the catalogues, level by level, on all processors. What a folder means is
// decided afterwards; here only links, depth and unreadable folders matter.

import Bytes
import Glibc
import Host

/// Deeper folders than this are not read: an asset lies at level 3 to 6.
let folderDepthLimit = 32

/// Four times the largest catalogues known; reached by links that multiply, and by mistake.
let folderLimit = 100_000

struct FolderWalk: Sendable {
  /// Parents before children; the children of one folder in the order of their bytes.
  var folders: [Folder] = []
  var diagnostics: [Diagnostic] = []

  init(_ paths: [ByteString], in tree: FileTree, jobs: Int) {
    let roots = paths.enumerated().map { catalog, path in
      Folder(
        path: withoutTrailingSlashes(path), name: lastComponent(withoutTrailingSlashes(path)),
        catalog: catalog)
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

package let catalogEndings: Set<ByteString> = ["xcassets", "xcstickers", "icon"]

/// Whether the files of a catalogue with these names are links that a build system has laid out: its sandboxes
/// are such. Where they lead says nothing about the catalogue.
package func laysOutLinks(_ entries: [FileEntry]) -> Bool {
  entries.contains { $0.name == "Contents.json" && $0.isLink && $0.kind == .file }
}

/// One folder's names, and the folders in it that are to be listed next.
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
          "the folder is no catalogue: its name does not end in .xcassets, and it has no "
            + "Contents.json" + wordsOfCatalogs(below: folder.path, in: tree), file: folder.path))
      return
    }
    // What a layered icon holds is listed by its reader.
    if pathExtension(folder.name) == "icon" { return }
    if folder.depth == 0 { folder.isOfLinks = laysOutLinks(folder.entries) }
    for entry in folder.entries { add(entry, in: tree, realRoots: realRoots) }
  }

  /// A root without a catalogue's name is one if it has a catalogue's file.
  private func isCatalogOrBelow(in tree: FileTree) -> Bool {
    if folder.depth > 0 || folder.entries.contains(where: { $0.name == "Contents.json" }) {
      return true
    }
    // "." says nothing about the name.
    let path = (try? tree.realPath(folder.path)) ?? folder.path
    return catalogEndings.contains(pathExtension(path))
  }

  private mutating func add(_ entry: FileEntry, in tree: FileTree, realRoots: [ByteString]) {
    let path = joined(folder.path, entry.name)
    if folder.isOfLinks, entry.kind == .file { return }
    if entry.isLink, !follows(entry, path, in: tree, realRoots: realRoots) { return }
    guard entry.kind == .folder, !entry.name.isHidden else { return }
    if folder.depth + 1 >= folderDepthLimit {
      diagnostics.append(
        Diagnostic(
          .folderTooDeep,
          "folders nest deeper than \(folderDepthLimit) levels; this one is left out",
          file: path))
      return
    }
    var child = Folder(path: path, name: entry.name, catalog: folder.catalog)
    child.depth = folder.depth + 1
    child.isBehindLink = folder.isBehindLink || entry.isLink
    child.isOfLinks = folder.isOfLinks
    children.append(child)
  }

  /// Judges a link; false where it must not be followed.
  private mutating func follows(
    _ entry: FileEntry, _ path: ByteString, in tree: FileTree, realRoots: [ByteString]
  ) -> Bool {
    guard let target = try? tree.realPath(path), let here = try? tree.realPath(folder.path) else {
      if entry.kind == .nowhere {
        diagnostics.append(
          Diagnostic(.linkLoop, "the link leads nowhere, or back to itself", file: path))
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
    // A shared set or group may lie elsewhere; a link to a disk's root would never end.
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

extension FileError {
  /// The reason as the end of a sentence.
  package var reason: String {
    switch self {
    case .notFound: "it is not there"
    case .notPermitted: "permission is denied"
    case .notAFile: "it is not a file"
    case .notAFolder: "it is not a folder"
    case .tooLarge(let size, let limit): "it has \(size) bytes, and \(limit) are allowed"
    case .linkLoop: "its links lead in a circle"
    case .invalidName: "no file can have this name"
    case .nameIsNotUTF8: "its name is not UTF-8"
    case .notHeld: "no object holds it; compile what belongs together into one object"
    case .failed(let number): String(cString: strerror(number))
    }
  }
}
