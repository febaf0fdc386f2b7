// Makes the tree of folders and pictures that `--print-contents` lists.

import Bytes
import CatalogModel
import Documents
import Host

/// Returns a folder of a catalogue with its contents, in the form of `--print-contents`.
func catalogTree(_ path: ByteString, in tree: FileTree, depth: Int = 0) -> PropertyValue {
  var members: [ByteString: PropertyValue] = ["filename": .name(lastComponent(path))]
  let entries = depth < FolderDepth.read ? (try? tree.list(path)) ?? [] : []
  let folders = entries.filter { $0.kind == .folder && !$0.isLink && !$0.name.isHidden }
  var children = folders.map { catalogTree(joined(path, $0.name), in: tree, depth: depth + 1) }
  if let root = contentsFile(of: path, in: tree) {
    if root["properties"]?["provides-namespace"] == .bool(true) {
      members["provides-namespace"] = .boolean(true)
    }
    children += root.list("images").map { .dictionary(imageMembers($0)) }
    if let name = root["properties"]?["content-reference"]?.name("name") {
      members["contentReference"] = .name(name)
    }
  }
  if !children.isEmpty { members["children"] = .array(children) }
  return .dictionary(members)
}

private func contentsFile(of folder: ByteString, in tree: FileTree) -> JSONValue? {
  let path = joined(folder, "Contents.json")
  guard let bytes = try? tree.read(path, FileLimit.document) else { return nil }
  return try? parseJSON(bytes)
}

private func imageMembers(_ entry: JSONValue) -> [ByteString: PropertyValue] {
  var members: [ByteString: PropertyValue] = [:]
  for key: ByteString in ["filename", "scale", "idiom"] {
    if let value = entry.name(key) { members[key] = .name(value) }
  }
  return members
}
