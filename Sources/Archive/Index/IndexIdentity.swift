// The identity of an index: a number that tells which trees the index describes. A tool that
// changes an archive changes the bytes of one of the blocks below, or the address or the length of
// the block index, which the header of the container states. A tool that only moved names, and
// nothing else, would not change it; no such tool is known.

package enum IndexIdentity {
  /// Computes the identity of an opened archive. It reads only a few hundred bytes of an archive of
  /// any size.
  static func value(of store: BlockStore) throws(FormatError) -> UInt64 {
    var blocks: [FileBytes] = [
      try store.bytes.slice(at: 0, count: StoreHeader.size, "the header")
    ]
    for name in described { if let block = try store.bytes(named: name) { blocks.append(block) } }
    return value(of: blocks.map { $0.buffer })
  }

  static func value(of blocks: [[UInt8]]) -> UInt64 {
    var digest = IndexDigest()
    for block in blocks { block.withUnsafeBytes { digest.add($0) } }
    return digest.value
  }

  /// The named blocks that determine the identity, together with the header of the container.
  static let described = [
    CatalogHeader.name, KeyFormat.name, Archive.renditionsName, Facet.treeName,
  ]

  /// Returns the index of an archive; nil if the archive has no index, if the index has another
  /// version, or if it describes other trees.
  package static func index(in store: BlockStore) -> IndexReader? {
    guard let block = try? store.bytes(named: Archive.indexName),
      let reader = try? IndexReader(block.buffer, of: store), let identity = try? value(of: store),
      reader.identity == identity
    else { return nil }
    return reader
  }

  private static func value(of blocks: [UnsafeRawBufferPointer]) -> UInt64 {
    var digest = IndexDigest()
    for block in blocks { digest.add(block) }
    return digest.value
  }
}

extension Archive {
  /// The name of the block that holds the index.
  package static let indexName = "CARVEINDEX"

  /// Computes the identity that an index of this archive must have.
  package func indexIdentity() throws(FormatError) -> UInt64 { try IndexIdentity.value(of: store) }
}
