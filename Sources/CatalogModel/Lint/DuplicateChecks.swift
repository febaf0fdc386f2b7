// Reports files of different sets that have the same content.

import Bytes
import Host

/// The digests of files, kept from one check for copies to the next.
package struct FileDigests: Sendable {
  /// The digest of each file and size; nil if the file could not be read.
  fileprivate var known: [ByteString: (size: Int, digest: Digest128?)] = [:]

  package init() {}

  /// Forgets some files, and the files in some folders.
  package mutating func forget(_ files: Set<ByteString>, folders: Set<ByteString>) {
    for file in files { known[file] = nil }
    if folders.isEmpty { return }
    known = known.filter { file, _ in
      !withFoldersAround(file).contains { folders.contains($0) }
    }
  }
}

func checkDuplicates(of assets: [AssetSet], in tree: FileTree, jobs: Int) -> [Diagnostic] {
  var digests = FileDigests()
  return checkDuplicates(of: assets, in: tree, jobs: jobs, digests: &digests)
}

/// Returns the findings about files of several sets with the same content. Reads only the files
/// whose digests are not known.
package func checkDuplicates(
  of assets: [AssetSet], in tree: FileTree, jobs: Int, digests: inout FileDigests
) -> [Diagnostic] {
  var sizes: [ByteString: Int] = [:]
  var folders: [ByteString: ByteString] = [:]
  var bySize: [Int: Set<ByteString>] = [:]
  for asset in assets.flatMap({ withParts($0) }) {
    for file in files(of: asset) where file.exists && file.size > 0 {
      (folders[file.path], sizes[file.path]) = (asset.folder, file.size)
      bySize[file.size, default: []].insert(file.path)
    }
  }
  let candidates = bySize.values.filter { $0.count > 1 }.flatMap { $0 }.sorted()
  let unknown = candidates.filter { digests.known[$0]?.size != sizes[$0] }
  let found = parallelMap(unknown, jobs: jobs) { digest(of: $0, in: tree) }
  for (path, digest) in zip(unknown, found) { digests.known[path] = (sizes[path] ?? 0, digest) }
  var groups: [Digest128: [ByteString]] = [:]
  for path in candidates {
    if let digest = digests.known[path]?.digest { groups[digest, default: []].append(path) }
  }
  return groups.values.flatMap { paths -> [Diagnostic] in
    let first = paths[0]
    let others = paths.dropFirst().filter { folders[$0] != folders[first] }
    return others.map { path in
      Diagnostic(
        .duplicateFile, "the file has the same content as a file of another set", file: path,
        notes: [Note("the other file", file: first)])
    }
  }
}

/// Returns the files that the entries of an asset name, without those of its parts.
private func files(of asset: AssetSet) -> [SourceFile] {
  var whole = asset
  whole.children = []
  return asset.contents.entries.compactMap(\.file) + pictures(of: whole).map(\.file)
}

/// Returns the digest of a file; nil if the file cannot be read.
private func digest(of path: ByteString, in tree: FileTree) -> Digest128? {
  (try? tree.read(path, FileLimit.picture)).map(Digest128.init(ofBytes:))
}
