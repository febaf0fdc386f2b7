// The limits of a budget that limit nothing, because their device, asset or group does not exist.

import Archive
import ArchiveTools
import Bytes
import CatalogModel
import Documents
import Host
import Traits

/// The names that limits of a budget may have.
package struct LimitedNames: Sendable {
  package var assets: [ByteString]
  /// The names of the assets in each folder of the catalogue, which groups may name too.
  package var folders: [ByteString: Set<ByteString>]

  package init(assets: [ByteString], folders: [ByteString: Set<ByteString>] = [:]) {
    self.assets = assets
    self.folders = folders
  }
}

extension SizeBudget {
  /// Returns the reason for each limit of a name that does not exist: the name is misspelt, or the
  /// asset was deleted. Names of an earlier report count as existing, because a deleted asset has
  /// not grown.
  package func idleLimits(among names: LimitedNames) -> [String] {
    var idle: [String] = []
    for model in devices.keys.sorted() {
      do throws(QueryError) { _ = try knownDevice(model.text) } catch {
        idle.append(error.message)
      }
    }
    // Reports list these two as if they were assets.
    let known = Set(names.assets + ["(atlases)", "(unnamed)"])
    for name in assets.keys.sorted() where !known.contains(name) {
      idle.append("there is no asset '\(name)'\(suggestion(for: name, in: names.assets))")
    }
    for group in groups.keys.sorted() {
      let prefix = group.endsWithSlash ? group : group + "/"
      let word = prefix.dropLast()
      let isFolder = names.folders[word] != nil
      if isFolder || names.assets.contains(where: { $0.hasPrefix(prefix) }) { continue }
      let groups = Set(shortGroups(in: names.assets) + names.folders.keys).sorted()
      idle.append(
        "no namespace and no folder is called '\(word)'\(groupChoice(for: word, among: groups))")
    }
    return idle
  }
}

extension CatalogContents {
  /// The names of the assets in each folder of the catalogues, whether the folder gives them a
  /// namespace or not.
  package var namesByFolder: [ByteString: Set<ByteString>] {
    var folders: [ByteString: Set<ByteString>] = [:]
    for asset in assets {
      guard let inside = catalogs.lazy.compactMap({ asset.folder.relative(to: $0.path) }).first
      else { continue }
      let parts = inside.components.dropLast()
      for count in 0..<parts.count {
        folders[parts[...count].joined(separator: "/"), default: []].insert(asset.name)
      }
    }
    return folders
  }
}

/// Returns the most similar group, or all groups.
private func groupChoice(for word: ByteString, among groups: [ByteString]) -> String {
  if groups.isEmpty { return "; there are none" }
  let near = suggestion(for: word, in: groups)
  if !near.isEmpty { return near }
  let shown = groups.prefix(12).joined(separator: ", ")
  return "; there are \(shown)\(groups.count > 12 ? " and \(groups.count - 12) more" : "")"
}

/// Returns the prefixes of names up to a slash that the user could mean, sorted.
private func shortGroups(in names: [ByteString]) -> [ByteString] {
  var groups: Set<ByteString> = []
  for name in names {
    let start = name.bytes.prefix(64)
    for place in start.indices where start[place] == UInt8(ascii: "/") {
      groups.insert(ByteString(bytes: Array(start[..<place])))
    }
  }
  return groups.sorted()
}
