// Files of different sets with the same content. Only files of equal size are read.

import Host

func checkDuplicates(of assets: [AssetSet], in tree: FileTree, jobs: Int) -> [Diagnostic] {
  var folders: [String: String] = [:]
  var bySize: [Int: Set<String>] = [:]
  for asset in assets.flatMap({ withParts($0) }) {
    for entry in asset.contents.entries {
      guard let file = entry.file, file.exists, file.size > 0 else { continue }
      folders[file.path] = asset.folder
      bySize[file.size, default: []].insert(file.path)
    }
  }
  let candidates = bySize.values.filter { $0.count > 1 }.flatMap { $0 }.sorted()
  let hashes = parallelMap(candidates, jobs: jobs) { contentHash(of: $0, in: tree) }
  var groups: [ContentHash: [String]] = [:]
  for (path, hash) in zip(candidates, hashes) {
    if let hash { groups[hash, default: []].append(path) }
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

private struct ContentHash: Hashable {
  var size: Int
  var high: UInt64
  var low: UInt64
}

/// Two independent sums over the words of a file; nil where it cannot be read.
private func contentHash(of path: String, in tree: FileTree) -> ContentHash? {
  guard let bytes = try? tree.read(path, 256 << 20) else { return nil }
  var high: UInt64 = 0x9E37_79B9_7F4A_7C15
  var low: UInt64 = 0xCBF2_9CE4_8422_2325
  bytes.withUnsafeBytes { buffer in
    let words = buffer.count / 8
    for index in 0..<words {
      // index < words, so eight bytes are left.
      let word = buffer.loadUnaligned(fromByteOffset: index * 8, as: UInt64.self)
      high = (high ^ word) &* 0xFF51_AFD7_ED55_8CCD
      high ^= high >> 29
      low = (low &+ word) &* 0xC4CE_B9FE_1A85_EC53
      low ^= low >> 31
    }
    for byte in buffer[(words * 8)...] {
      high = (high ^ UInt64(byte)) &* 0xFF51_AFD7_ED55_8CCD
      low = (low &+ UInt64(byte)) &* 0xC4CE_B9FE_1A85_EC53
    }
  }
  return ContentHash(size: bytes.count, high: high, low: low)
}
