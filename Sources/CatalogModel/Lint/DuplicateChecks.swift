// Reports files of different sets that have the same content. It reads only files of equal size.

import Bytes
import Codecs
import Host

func checkDuplicates(of assets: [AssetSet], in tree: FileTree, jobs: Int) -> [Diagnostic] {
  var folders: [ByteString: ByteString] = [:]
  var bySize: [Int: Set<ByteString>] = [:]
  for asset in assets.flatMap({ withParts($0) }) {
    for entry in asset.contents.entries {
      guard let file = entry.file, file.exists, file.size > 0 else { continue }
      folders[file.path] = asset.folder
      bySize[file.size, default: []].insert(file.path)
    }
  }
  let candidates = bySize.values.filter { $0.count > 1 }.flatMap { $0 }.sorted()
  let digests = parallelMap(candidates, jobs: jobs) { digest(of: $0, in: tree) }
  var groups: [Digest128: [ByteString]] = [:]
  for (path, digest) in zip(candidates, digests) {
    if let digest { groups[digest, default: []].append(path) }
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

/// Returns the digest of a file; nil if the file cannot be read.
private func digest(of path: ByteString, in tree: FileTree) -> Digest128? {
  guard let bytes = try? tree.read(path, 256 << 20) else { return nil }
  var digest = BLAKE2b()
  bytes.withUnsafeBytes { digest.add($0) }
  return digest.digest()
}
