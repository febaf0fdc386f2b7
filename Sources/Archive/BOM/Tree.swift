// Reads and writes trees. A tree is an ordered map from keys to blocks. The reader visits pages
// through their branches, each page at most once, so a cycle ends with an error. It reads
// everything that can be read; StoreValidation.swift checks order, links and separators.

/// One entry of a tree: a key and a value.
package struct TreeEntry: Sendable {
  /// The bytes of the key; empty in a tree with raw keys.
  package let key: FileBytes
  /// The key itself in a tree with raw keys, otherwise the number of the key's block.
  package let rawKey: UInt32
  package let value: BlockID
}

package struct Tree: Sendable {
  package let name: String
  package let header: FileBytes
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
  let bytes: FileBytes
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
  func key(_ index: Int) throws(FormatError) -> FileBytes {
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

// MARK: - Writing

// Lays out a tree from sorted entries: blocks of keys, then leaves, then the branches above them.
// All leaves have nearly the same number of entries.
//
// An example: a page of 4,096 bytes holds up to 510 pairs, so 1,300 entries make three leaves and
// one branch. A branch with n pairs has n + 1 children, because its last child has no key beside
// it. The key beside a child is the last key under this child.
//
//     branch        (leaf 1, key 432)   (leaf 2, key 865)   last child: leaf 3
//                       │                   │                   │
//     leaves        keys 0–432      ⇄   keys 433–865    ⇄   keys 866–1299
//
// With any other separators Apple's reader does not find all entries as soon as a tree has more
// than one page.

/// Keys in sorted order, one after the other in one array.
struct TreeKeys {
  private(set) var bytes: [UInt8] = []
  /// The end of each key in `bytes`; empty if `sameLength` is set.
  private var ends: [Int] = []
  private var sameLength: (count: Int, length: Int)?

  init() {}

  /// Creates keys that all have the same length. More bytes may follow the keys.
  init(_ bytes: [UInt8], count: Int, length: Int) {
    self.bytes = bytes
    sameLength = (count, length)
  }

  var count: Int { sameLength?.count ?? ends.count }

  mutating func append(_ key: some Sequence<UInt8>) {
    bytes.append(contentsOf: key)
    ends.append(bytes.count)
  }

  mutating func reserve(_ count: Int, keyLength: Int) {
    bytes.reserveCapacity(count * keyLength)
    ends.reserveCapacity(count)
  }

  func range(_ index: Int) -> Range<Int> {
    if let length = sameLength?.length { return index * length..<(index + 1) * length }
    return (index == 0 ? 0 : ends[index - 1])..<ends[index]
  }

  subscript(index: Int) -> ArraySlice<UInt8> { bytes[range(index)] }

  /// The length that all keys have; nil if the lengths differ or if there are no keys.
  var commonLength: Int? {
    guard count > 0 else { return nil }
    if let sameLength { return sameLength.length }
    let length = bytes.count / count
    return ends.indices.allSatisfy { ends[$0] == ($0 + 1) * length } ? length : nil
  }
}

/// The form in which a tree is stored.
struct TreeStyle {
  /// The size of a page without copies of keys.
  var nodeSize = 4096
  /// Whether a tree whose entries fit into one page of `smallNodeSize` gets such a page.
  var hasSmallPages = false
  /// Whether the header has its long form. Such a header states whether all keys have one length;
  /// if they do, the pages hold copies of the keys. Tools up to 2018 write short headers and no
  /// copies.
  var hasLongHeader = true

  /// The smallest page that trees in Apple's archives have: that of BITMAPKEYS.
  static let smallNodeSize = 1024

  func nodeSize(ofEntries count: Int) -> Int {
    let isSmall = hasSmallPages && count <= TreePage.capacity(nodeSize: TreeStyle.smallNodeSize)
    return isSmall ? min(nodeSize, TreeStyle.smallNodeSize) : nodeSize
  }
}

/// The keys of a tree: keys that are stored in blocks of their own, or numbers that are stored in
/// the pages.
enum TreeEntries {
  case keys(TreeKeys)
  /// Numbers in ascending order.
  case rawKeys([UInt32])

  var count: Int {
    switch self {
    case .keys(let keys): keys.count
    case .rawKeys(let keys): keys.count
    }
  }
}

extension StoreWriter {
  /// Appends a tree under a name. `values` are the blocks of the values, in the order of the keys.
  /// Returns the header of the tree.
  @discardableResult
  mutating func addTree(
    _ name: String, _ entries: TreeEntries, values: [BlockID], style: TreeStyle = TreeStyle()
  ) -> [UInt8] {
    addTree(Array(name.utf8), entries, values: values, style: style)
  }

  @discardableResult
  mutating func addTree(
    _ name: [UInt8], _ entries: TreeEntries, values: [BlockID], style: TreeStyle
  ) -> [UInt8] {
    precondition(entries.count == values.count)
    let nodeSize = style.nodeSize(ofEntries: entries.count)
    var header = [UInt8](
      repeating: 0, count: style.hasLongHeader ? TreeHeader.size : TreeHeader.shortSize)
    header.store(magic: TreeHeader.magic)
    header.store(1, TreeHeader.version)
    header.store(UInt32(nodeSize), TreeHeader.nodeSize)
    header.store(UInt32(entries.count), TreeHeader.count)
    var inlineKeys: (TreeKeys, length: Int)?
    var firstKey: UInt32 = 0
    switch entries {
    case .rawKeys: header.store(1, TreeHeader.rawKeys)
    case .keys(let keys):
      let length = style.hasLongHeader ? keys.commonLength : nil
      inlineKeys = length.map { (keys, $0) }
      firstKey = nextBlock.number
      addKeys(keys)
      if style.hasLongHeader {
        header.store(length.map { UInt32($0) } ?? TreeHeader.variedKeys, TreeHeader.keyLength)
      }
    }
    let pages = TreePages(
      nodeSize: nodeSize, inlineKeys: inlineKeys,
      keyField: { index in
        if case .rawKeys(let keys) = entries { return keys[index] }
        return firstKey + UInt32(index)
      })
    let root = addPages(pages, values: values)
    header.store(root.number, TreeHeader.root)
    self.name(addBlock { $0.append(contentsOf: header) }, name)
    return header
  }

  private mutating func addKeys(_ keys: TreeKeys) {
    keys.bytes.withUnsafeBytes { bytes in
      _ = addBlocks(keys.count) {
        keys.range($0).count
      } fill: { index, room in
        room.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[keys.range(index)]))
      }
    }
  }

  private mutating func addPages(_ pages: TreePages, values: [BlockID]) -> BlockID {
    let capacity = TreePage.capacity(nodeSize: pages.nodeSize)
    let leaves = TreePages.split(values.count, capacity: capacity)
    let first = nextBlock.number
    for (number, entries) in leaves.enumerated() {
      let next = number + 1 < leaves.count ? first + UInt32(number) + 1 : 0
      let previous = number > 0 ? first + UInt32(number) - 1 : 0
      addBlock { bytes in
        pages.append(
          to: &bytes, isLeaf: true, links: (next, previous),
          pairs: entries.map { (values[$0], $0) }, lastChild: nil)
      }
    }
    // The pages of the level below, each with the number of the last entry under it.
    var level = leaves.enumerated().map { number, entries in
      (page: BlockID(first + UInt32(number)), last: entries.upperBound - 1)
    }
    while level.count > 1 {
      level = TreePages.split(level.count, capacity: capacity + 1).map { children in
        let pairs = children.dropLast().map { (level[$0].page, level[$0].last) }
        let last = level[children.upperBound - 1]
        let page = addBlock { bytes in
          pages.append(
            to: &bytes, isLeaf: false, links: (0, 0), pairs: pairs, lastChild: last.page)
        }
        return (page, last.last)
      }
    }
    return level[0].page
  }
}

/// The properties that all pages of one tree share.
private struct TreePages {
  let nodeSize: Int
  let inlineKeys: (TreeKeys, length: Int)?
  let keyField: (Int) -> UInt32

  /// Divides `count` entries into at least one range. The lengths of the ranges are nearly equal,
  /// and none is larger than `capacity`.
  static func split(_ count: Int, capacity: Int) -> [Range<Int>] {
    let pages = max(1, (count + capacity - 1) / capacity)
    return (0..<pages).map { count * $0 / pages..<count * ($0 + 1) / pages }
  }

  /// Appends a page. Each of `pairs` is a block and the number of the entry whose key is stored
  /// beside it.
  func append(
    to bytes: inout [UInt8], isLeaf: Bool, links: (next: UInt32, previous: UInt32),
    pairs: [(BlockID, Int)], lastChild: BlockID?
  ) {
    let base = bytes.count
    bytes.append(zeros: nodeSize + pairs.count * (inlineKeys?.length ?? 0))
    bytes.withUnsafeMutableBytes { bytes in
      bytes.store(UInt16(isLeaf ? 1 : 0), TreePage.isLeaf, at: base)
      bytes.store(UInt16(pairs.count), TreePage.count, at: base)
      bytes.store(links.next, TreePage.next, at: base)
      bytes.store(links.previous, TreePage.previous, at: base)
      var offset = base + TreePage.size
      for (block, entry) in pairs {
        bytes.store(block.number, TreePair.value, at: offset)
        bytes.store(keyField(entry), TreePair.key, at: offset)
        offset += TreePair.size
      }
      bytes.store(lastChild?.number ?? 0, TreePair.value, at: offset)
      guard let (keys, length) = inlineKeys else { return }
      offset += MemoryLayout<UInt32>.size
      keys.bytes.withUnsafeBytes { source in
        for (_, entry) in pairs {
          UnsafeMutableRawBufferPointer(rebasing: bytes[offset..<offset + length]).copyMemory(
            from: UnsafeRawBufferPointer(rebasing: source[keys.range(entry)]))
          offset += length
        }
      }
    }
  }
}
