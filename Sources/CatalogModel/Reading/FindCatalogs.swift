// Finds the catalogues in a folder that also contains other files, such as the folder of an app.

import Bytes
import Documents
import Host

/// Returns the catalogues below a folder, at any depth. Returns the folder itself if it is a
/// catalogue or if it contains none.
package func catalogs(below folder: ByteString, in tree: FileTree) -> [ByteString] {
  if isCatalog(folder, (try? tree.list(folder)) ?? [], in: tree) { return [folder] }
  var found: [ByteString] = []
  var left = 10_000
  func search(_ folder: ByteString, _ depth: Int) {
    guard depth < 16, left > 0, let entries = try? tree.list(folder) else { return }
    left -= 1
    for entry in entries
    where entry.kind == .folder && !entry.isLink && !entry.name.isHidden {
      let path = joined(folder, entry.name)
      if catalogEndings.contains(pathExtension(entry.name)) {
        found.append(path)
      } else {
        search(path, depth + 1)
      }
    }
  }
  search(folder, 0)
  return found.isEmpty ? [folder] : found
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
      if let place = neighbours.firstIndex(where: { $0.folder == folder }) {
        neighbours[place].catalogs.append(catalog)
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
