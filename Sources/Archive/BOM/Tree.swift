// Reads a tree: an ordered map from keys to blocks. Pages are visited through their branches, each
// at most once, so a cycle ends with an error. StoreValidation.swift checks order, links and
// separators; this file reads everything that can be read.

/// One entry of a tree: a key and a value.
package struct TreeEntry: Sendable {
  /// The bytes of the key; empty in a tree with raw keys.
  package let key: Bytes
  /// The key itself in a tree with raw keys, otherwise the number of the key's block.
  package let rawKey: UInt32
  package let value: BlockID
}

package struct Tree: Sendable {
  package let name: String
  package let header: Bytes
  package let root: BlockID
  package let nodeSize: Int
  /// The number of entries that the header states.
  package let count: Int
  package let hasRawKeys: Bool
  /// The length of each copy of a key in the pages; 0 if the pages hold no copies.
  package let inlineKeyLength: Int
  package let store: BlockStore

  static let deepest = 16

  package init(_ block: BlockID, named name: String, in store: BlockStore) throws(FormatError) {
    self.name = name
    self.store = store
    header = try store.bytes(of: block)
    try header.require(TreeHeader.magic, "the tree \(name)")
    root = BlockID(try header.load(TreeHeader.root))
    nodeSize = Int(try header.load(TreeHeader.nodeSize))
    count = Int(try header.load(TreeHeader.count))
    hasRawKeys = try header.load(TreeHeader.rawKeys) != 0
    let length = header.count >= TreeHeader.size ? header.trusted(TreeHeader.keyLength) : 0
    inlineKeyLength = hasRawKeys || length == TreeHeader.variedKeys ? 0 : Int(length)
    // Every entry takes eight bytes of a page, and no two entries share them.
    if count > store.bytes.count / TreePair.size {
      throw FormatError(
        .count(
          "entries of \(name)", stated: count, found: store.bytes.count / TreePair.size),
        at: header.origin + TreeHeader.count.offset)
    }
  }

  /// Calls `body` for each entry in the order of the pages, which is the order of the keys.
  package func forEach(_ body: (TreeEntry) throws(FormatError) -> Void) throws(FormatError) {
    var walk = Walk(pages: PageSet(capacity: store.capacity))
    try visit(root, depth: 1, &walk, body)
    if walk.entries != count {
      throw FormatError(
        .count("entries of \(name)", stated: count, found: walk.entries),
        at: header.origin + TreeHeader.count.offset)
    }
  }

  private struct Walk {
    var pages: PageSet
    var entries = 0
    /// The length of all keys together. In a sound archive each key lies in a block of its own, so
    /// the sum is at most the length of the file.
    var keyBytes = 0
  }

  private func visit(
    _ block: BlockID, depth: Int, _ walk: inout Walk,
    _ body: (TreeEntry) throws(FormatError) -> Void
  ) throws(FormatError) {
    let page = try Page(block, of: self)
    if !walk.pages.insert(block) {
      throw FormatError(.repeated("page \(block.number) of \(name)"), at: page.bytes.origin)
    }
    if page.isLeaf {
      walk.entries += page.count
      if walk.entries > count {
        throw FormatError(
          .count("entries of \(name)", stated: count, found: walk.entries), at: page.bytes.origin)
      }
      for index in 0..<page.count {
        let entry = try page.entry(index)
        walk.keyBytes += entry.key.count
        if walk.keyBytes > store.bytes.count {
          throw FormatError(
            .outside("the keys of \(name)", length: walk.keyBytes, available: store.bytes.count),
            at: page.bytes.origin)
        }
        try body(entry)
      }
      return
    }
    if depth >= Tree.deepest {
      throw FormatError(
        .number("the depth of \(name)", found: depth + 1, expected: "at most \(Tree.deepest)"),
        at: page.bytes.origin)
    }
    for index in 0...page.count { try visit(page.child(index), depth: depth + 1, &walk, body) }
  }
}

/// The set of the pages that were visited: one bit for each entry of the block index.
struct PageSet {
  private var bits: [UInt64]

  init(capacity: Int) { bits = Array(repeating: 0, count: capacity / 64 + 1) }

  /// Adds a page. Returns false if the set contains it already. The block lies within the block
  /// index.
  mutating func insert(_ block: BlockID) -> Bool {
    let bit = UInt64(1) << UInt64(block.number % 64)
    let word = Int(block.number / 64)
    if bits[word] & bit != 0 { return false }
    bits[word] |= bit
    return true
  }

  func contains(_ block: BlockID) -> Bool {
    bits[Int(block.number / 64)] >> UInt64(block.number % 64) & 1 != 0
  }
}

/// One page of a tree. The initializer has checked that its pairs lie within its bytes.
struct Page {
  let bytes: Bytes
  let block: BlockID
  let isLeaf: Bool
  let count: Int
  let tree: Tree

  init(_ block: BlockID, of tree: Tree) throws(FormatError) {
    self.block = block
    self.tree = tree
    bytes = try tree.store.bytes(of: block)
    let kind = try bytes.load(TreePage.isLeaf)
    isLeaf = kind == 1
    count = Int(try bytes.load(TreePage.count))
    if kind > 1 {
      throw FormatError(
        .number("the leaf mark of page \(block.number)", found: Int(kind), expected: "0 or 1"),
        at: bytes.origin)
    }
    _ = try bytes.slice(
      at: 0, count: TreePage.size + count * TreePair.size + (isLeaf ? 0 : 4),
      "page \(block.number) of \(tree.name)")
  }

  var next: BlockID { BlockID((try? bytes.load(TreePage.next)) ?? 0) }
  var previous: BlockID { BlockID((try? bytes.load(TreePage.previous)) ?? 0) }

  private func base(_ index: Int) -> Int { TreePage.size + index * TreePair.size }

  func rawKey(_ index: Int) -> UInt32 { bytes.trusted(TreePair.key, at: base(index)) }

  /// Returns the bytes of a key; empty in a tree with raw keys.
  func key(_ index: Int) throws(FormatError) -> Bytes {
    if tree.hasRawKeys { return try bytes.slice(at: base(index), count: 0, "a key") }
    return try tree.store.bytes(of: BlockID(rawKey(index)))
  }

  func entry(_ index: Int) throws(FormatError) -> TreeEntry {
    TreeEntry(
      key: try key(index), rawKey: rawKey(index),
      value: BlockID(bytes.trusted(TreePair.value, at: base(index))))
  }

  /// Returns a child of a branch. A branch has one child for each pair, and the last child.
  func child(_ index: Int) -> BlockID { BlockID(bytes.trusted(TreePair.value, at: base(index))) }
}
