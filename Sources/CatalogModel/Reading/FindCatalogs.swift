// Catalogues in a folder of other things, as the folder of an app is one.

import Bytes
import Documents
import Host

/// The catalogues in a folder that is none itself, at any depth; the folder where it is one, or holds none.
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

/// Catalogues by what is compiled together: those that are named; and of those that are found in other folders
/// the ones that lie side by side, as the catalogues of one target do.
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
  // "." says nothing about the name.
  let path = (try? tree.realPath(folder)) ?? folder
  return catalogEndings.contains(pathExtension(lastComponent(path)))
    || entries.contains { $0.name == "Contents.json" }
}

/// "; it holds "A.xcassets" and "B.xcassets"", for a folder that is no catalogue.
func wordsOfCatalogs(below folder: ByteString, in tree: FileTree) -> String {
  let found = catalogs(below: folder, in: tree).filter { $0 != folder }
  switch found.count {
  case 0: return ""
  case 1...3: return "; it holds \(quotedList(found, joinedBy: "and"))"
  default:
    return "; it holds \(quoted(found[0])) and \(counted(found.count - 1, "other catalogue"))"
  }
}
