// Checks the container: blocks, free ranges and variables do not overlap; the keys of trees are in
// order; the leaves of a tree are linked; every separator is the last key of its child. The
// violations of these rules are at the end.

import Traits

extension BlockStore {
  func validate(_ violations: inout Violations) {
    validateVariables(&violations)
    var spans = [
      Span(0..<StoreHeader.size, "the header"), Span(index.range, "the block index"),
      Span(variableTable.range, "the table of variables"),
    ]
    var highest = 0
    for number in 0..<capacity {
      guard let entry = entry(BlockID(UInt32(number))) else { continue }
      let at = offset(ofEntry: BlockID(UInt32(number)))
      if entry.address == 0, entry.length == 0 { continue }
      violations.require(number != 0, at: at, "block 0 is in use")
      highest = number
      if entry.address == IndexEntry.freed {
        violations.require(
          entry.length == IndexEntry.freed, at: at, "freed block \(number) has a length")
      } else if let range = try? range(of: BlockID(UInt32(number))) {
        if !range.isEmpty { spans.append(Span(range, number)) }
      } else if number != 0 {
        violations.add(
          at: at, "block \(number) at \(entry.address) of \(entry.length) bytes leaves the file")
      }
    }
    violations.require(
      blockCount == highest, at: StoreHeader.blockCount.offset,
      "the header states \(blockCount) blocks, but the highest block in use is \(highest)")
    spans.sort {
      ($0.range.lowerBound, $0.range.upperBound) < ($1.range.lowerBound, $1.range.upperBound)
    }
    for (span, next) in zip(spans, spans.dropFirst())
    where span.range.upperBound > next.range.lowerBound {
      violations.add(at: next.range.lowerBound, "\(next.name) overlaps \(span.name)")
    }
    violations.attempt { (violations) throws(FormatError) in
      try validateFreeList(spans, &violations)
    }
  }

  /// A part of the file that is in use.
  private struct Span {
    let range: Range<Int>
    private let fixedName: String?
    private let block: Int

    init(_ range: Range<Int>, _ name: String) {
      self.range = range
      fixedName = name
      block = 0
    }

    init(_ range: Range<Int>, _ block: Int) {
      self.range = range
      fixedName = nil
      self.block = block
    }

    var name: String { fixedName ?? "block \(block)" }
  }

  private func validateVariables(_ violations: inout Violations) {
    let length = variables.reduce(4) { $0 + VariableEntry.size + $1.name.count }
    violations.require(
      length == variableTable.count, at: variableTable.origin,
      "the table of variables has \(variableTable.count) bytes, but its entries need \(length)")
    var names = Set<[UInt8]>()
    for (name, _) in variables where !names.insert(Array(name.buffer)).inserted {
      violations.add(at: variableTable.origin, "the variable \(name.text) is listed twice")
    }
  }

  private func validateFreeList(
    _ spans: [Span], _ violations: inout Violations
  ) throws(FormatError) {
    let list = try index.suffix(from: 4 + capacity * IndexEntry.size, "the free list")
    let count = Int(try list.load(Field<UInt32>(0, .big)))
    let entries = try list.slice(at: 4, count: count * IndexEntry.size, "the free list")
    for number in 0..<count {
      let base = number * IndexEntry.size
      let start = Int(entries.trusted(IndexEntry.address, at: base))
      let end = start + Int(entries.trusted(IndexEntry.length, at: base))
      // Apple's tools write free ranges that end beyond the end of the file.
      if end > bytes.count || start == end { continue }
      let after = spans.partitioningIndex { $0.range.upperBound > start }
      if after < spans.count, spans[after].range.lowerBound < end {
        violations.add(
          at: entries.origin + base,
          "the free range at \(start) of \(end - start) bytes overlaps \(spans[after].name)")
      }
    }
    let tail = try list.suffix(from: 4 + count * IndexEntry.size, "the free list")
    violations.require(tail.isBlank, at: tail.origin, "bytes follow the free list")
  }
}

extension Tree {
  func validate(_ violations: inout Violations) throws(FormatError) {
    validateHeader(&violations)
    var check = TreeCheck(pages: PageSet(capacity: store.capacity))
    try check.visit(root, of: self, depth: 1, &violations)
    check.finish(self, &violations)
    violations.require(
      check.entries == count, at: header.origin,
      "\(name) states \(count) entries and has \(check.entries)")
  }

  private func validateHeader(_ violations: inout Violations) {
    let at = header.origin
    let sizes = [TreeHeader.shortSize, TreeHeader.size]
    violations.require(
      sizes.contains(header.count), at: at, "the header of \(name) has \(header.count) bytes")
    let version = (try? header.load(TreeHeader.version)) ?? 0
    violations.require(version == 1, at: at, "the version of \(name) is \(version)")
    violations.require(
      nodeSize >= 64 && nodeSize.nonzeroBitCount == 1, at: at,
      "the node size of \(name) is \(nodeSize)")
    guard header.count >= TreeHeader.size else { return }
    violations.require(
      header.trusted(TreeHeader.reserved) == 0, at: at, "the last word of \(name) is not zero")
    violations.require(
      !hasRawKeys || header.trusted(TreeHeader.keyLength) == 0, at: at,
      "the keys of \(name) are numbers, but it states a length for them")
  }
}

/// The state of a walk over a tree, which compares each key with the key before it and each leaf
/// with its neighbours.
private struct TreeCheck {
  var pages: PageSet
  var entries = 0
  private var lastKey: FileBytes?
  private var lastRawKey: UInt32?
  private var lastLeaf: Page?

  init(pages: PageSet) { self.pages = pages }

  mutating func visit(
    _ block: BlockID, of tree: Tree, depth: Int, _ violations: inout Violations
  ) throws(FormatError) {
    let page = try Page(block, of: tree)
    if !pages.insert(block) || depth > Tree.deepest {
      throw FormatError(.repeated("page \(block.number) of \(tree.name)"), at: page.bytes.origin)
    }
    try validate(page, &violations)
    if page.isLeaf { return try visitEntries(of: page, &violations) }
    violations.require(
      page.count > 0, at: page.bytes.origin, "branch \(block.number) of \(tree.name) is empty")
    violations.require(
      page.next.number == 0 && page.previous.number == 0, at: page.bytes.origin,
      "branch \(block.number) of \(tree.name) has neighbours")
    for index in 0...page.count {
      let before = entries
      try visit(page.child(index), of: tree, depth: depth + 1, &violations)
      violations.require(
        entries > before, at: page.bytes.origin, "child \(index) of page \(block.number) is empty")
      if index < page.count, !isLast(try page.key(index), page.rawKey(index), tree) {
        violations.add(
          at: page.bytes.origin,
          "separator \(index) of page \(block.number) of \(tree.name) is not its child's last key")
      }
    }
  }

  private func isLast(_ key: FileBytes, _ rawKey: UInt32, _ tree: Tree) -> Bool {
    if tree.hasRawKeys { return rawKey == lastRawKey }
    return lastKey.map { FileBytes.areEqual($0.buffer, key.buffer) } ?? false
  }

  /// Checks the size of a page and its copies of keys.
  private func validate(_ page: Page, _ violations: inout Violations) throws(FormatError) {
    let tree = page.tree
    let inline = tree.inlineKeyLength
    let wanted = tree.nodeSize + page.count * inline
    violations.require(
      page.bytes.count == wanted, at: page.bytes.origin,
      "page \(page.block.number) of \(tree.name) has \(page.bytes.count) bytes, expected \(wanted)")
    violations.require(
      page.count <= TreePage.capacity(nodeSize: tree.nodeSize), at: page.bytes.origin,
      "page \(page.block.number) of \(tree.name) holds \(page.count) entries")
    guard inline > 0 else { return }
    let copies = TreePage.size + page.count * TreePair.size + 4
    for index in 0..<page.count {
      let copy = try page.bytes.slice(at: copies + index * inline, count: inline, "a key's copy")
      if !FileBytes.areEqual(copy.buffer, try page.key(index).buffer) {
        violations.add(
          at: copy.origin, "the copy of key \(index) differs in page \(page.block.number)")
        return
      }
    }
  }

  private mutating func visitEntries(
    of leaf: Page, _ violations: inout Violations
  ) throws(FormatError) {
    let previous = lastLeaf?.block ?? BlockID(0)
    violations.require(
      leaf.previous == previous, at: leaf.bytes.origin,
      "leaf \(leaf.block.number) of \(leaf.tree.name) names \(leaf.previous.number) as the "
        + "previous leaf"
    )
    if let lastLeaf {
      violations.require(
        lastLeaf.next == leaf.block, at: lastLeaf.bytes.origin,
        "leaf \(lastLeaf.block.number) of \(leaf.tree.name) names \(lastLeaf.next.number) as "
          + "the next leaf"
      )
    }
    lastLeaf = leaf
    for index in 0..<leaf.count {
      let entry = try leaf.entry(index)
      _ = try leaf.tree.store.range(of: entry.value)
      if !isOrdered(entry, leaf.tree) {
        violations.add(at: leaf.bytes.origin, "keys of \(leaf.tree.name) are not in order")
      }
      lastKey = entry.key
      lastRawKey = entry.rawKey
      entries += 1
    }
  }

  private func isOrdered(_ entry: TreeEntry, _ tree: Tree) -> Bool {
    if tree.hasRawKeys { return lastRawKey.map { $0 < entry.rawKey } ?? true }
    return lastKey.map { FileBytes.precedes($0.buffer, entry.key.buffer) } ?? true
  }

  func finish(_ tree: Tree, _ violations: inout Violations) {
    guard let lastLeaf else { return }
    violations.require(
      lastLeaf.next.number == 0, at: lastLeaf.bytes.origin,
      "the last leaf of \(tree.name) names \(lastLeaf.next.number) as the next leaf")
  }
}

// MARK: - Violations

/// A fault in an archive: bytes that does not follow the format.
package struct Violation: Sendable, Hashable {
  package let offset: Int
  package let what: String
}

extension Violation: CustomStringConvertible {
  package var description: String { "\(what) (offset \(offset))" }
}

/// The violations that were found, up to a limit that keeps hostile files from filling the memory.
struct Violations {
  private(set) var list: [Violation] = []
  let limit: Int

  mutating func add(at offset: Int, _ what: @autoclosure () -> String) {
    if list.count < limit { list.append(Violation(offset: offset, what: what())) }
  }

  mutating func add(_ error: FormatError) { add(at: error.offset, "\(error.problem)") }

  mutating func require(_ holds: Bool, at offset: Int, _ what: @autoclosure () -> String) {
    if !holds { add(at: offset, what()) }
  }

  /// Calls a function and adds its error to the violations. Returns whether it succeeded.
  @discardableResult
  mutating func attempt(_ body: (inout Violations) throws(FormatError) -> Void) -> Bool {
    do {
      try body(&self)
      return true
    } catch {
      add(error)
      return false
    }
  }
}
