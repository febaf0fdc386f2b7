// The number by which an index says which trees it describes. Every tool that changes an archive
// changes one of the blocks below, or where they or the block index lie.

package enum IndexIdentity {
  /// The identity of an opened archive, from a few hundred bytes whatever its size.
  static func value(of store: BlockStore) throws(FormatError) -> UInt64 {
    var blocks: [Bytes] = [
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

  /// The named blocks that count, beside the header of the container.
  static let described = [
    CatalogHeader.name, KeyFormat.name, Archive.renditionsName, Facet.treeName,
  ]

  /// Where an index holds its identity.
  static let offset = IndexHeader.identityOffset

  /// The index of an archive, if it carries one that describes it.
  package static func index(in store: BlockStore) -> Bytes? {
    guard let block = try? store.bytes(named: Archive.indexName),
      let reader = try? IndexReader(block.buffer), let identity = try? value(of: store),
      reader.identity == identity
    else { return nil }
    return block
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

  /// What the identity of an index must be that describes this archive.
  package func indexIdentity() throws(FormatError) -> UInt64 { try IndexIdentity.value(of: store) }
}
