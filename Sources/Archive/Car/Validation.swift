// Checks the structure of an archive: everything that is true in all archives of Apple's tools and
// of Carve. A fault that readers tolerate is reported here, with its offset. Pixels are not
// decoded. StoreValidation.swift checks the container, RenditionValidation.swift the renditions.

/// A fault in an archive: a place that does not follow the format.
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

extension Archive {
  /// Returns all violations of an archive's structure, at most `limit`. An archive without
  /// violations can be read completely.
  package static func validate(_ file: UnsafeRawBufferPointer, limit: Int = 1000) -> [Violation] {
    var violations = Violations(limit: limit)
    violations.attempt { (violations) throws(FormatError) in
      let store = try BlockStore(Bytes(file))
      store.validate(&violations)
      let archive = try Archive(file)
      archive.validateHeader(&violations)
      archive.validateKeyFormat(&violations)
      for (name, block) in store.variables {
        violations.attempt { (violations) throws(FormatError) in
          guard try store.bytes(of: block).hasPrefix(TreeHeader.magic) else { return }
          try Tree(block, named: name.text, in: store).validate(&violations)
        }
      }
      let entries = try archive.renditions()
      archive.validateRenditions(entries, &violations)
      try archive.validateFacets(entries, &violations)
      try archive.validateNumbers(entries, &violations)
      try archive.validateBitmapKeys(entries, &violations)
      try archive.validateIndex(&violations)
    }
    return violations.list
  }

  private func validateHeader(_ violations: inout Violations) {
    violations.attempt { (violations) throws(FormatError) in
      guard let block = try store.bytes(named: CatalogHeader.name) else { return }
      let at = block.origin
      violations.require(
        block.count == CatalogHeaderRecord.size, at: at,
        "the catalogue header has \(block.count) bytes")
      violations.require(
        (6...17).contains(header.storageVersion), at: at,
        "the storage version is \(header.storageVersion)")
      violations.require(
        [.mac, .phone, .vision].contains(header.keySemantics), at: at,
        "the key semantics are \(header.keySemantics.rawValue)")
      violations.require(
        header.colorSpaceID == 1, at: at, "the colour space is \(header.colorSpaceID)")
      let count = try renditionCount()
      violations.require(
        Int(header.renditionCount) == count, at: at,
        "the header counts \(header.renditionCount) renditions, but the tree has \(count)")
    }
    violations.attempt { (violations) throws(FormatError) in
      guard let block = try store.bytes(named: CatalogMetadata.name) else {
        violations.require(header.storageVersion < 14, at: 0, "the metadata is missing")
        return
      }
      _ = try CatalogMetadata(block)
      violations.require(
        block.count == CatalogMetadataRecord.size, at: block.origin,
        "the metadata has \(block.count) bytes")
    }
  }

  private func validateKeyFormat(_ violations: inout Violations) {
    violations.attempt { (violations) throws(FormatError) in
      guard let block = try store.bytes(named: KeyFormat.name) else { return }
      let count = keyFormat.columns.count
      violations.require(
        block.count == KeyFormatRecord.size + count * KeyFormatRecord.columnSize,
        at: block.origin, "the key format of \(count) columns has \(block.count) bytes")
      let version = try block.load(KeyFormatRecord.version)
      violations.require(
        version == 0, at: block.origin, "the version of the key format is \(version)")
      let listed = keyFormat.columns.filter { $0 != .placeholder }
      violations.require(
        Set(listed).count == listed.count, at: block.origin, "an attribute has two key columns")
      for attribute in [RenditionAttribute.element, .part, .identifier] {
        violations.require(
          listed.contains(attribute), at: block.origin, "\(attribute.name) has no key column")
      }
      guard keyFormat.placeholders != 0 else { return }
      guard let workaround = try store.bytes(named: KeyFormat.workaroundName) else {
        violations.add(at: block.origin, "the key format has placeholders without a meaning")
        return
      }
      violations.require(
        workaround.count == count * KeyFormatRecord.columnSize, at: workaround.origin,
        "the meanings of \(count) columns have \(workaround.count) bytes")
      violations.require(
        !keyFormat.columns.contains(.placeholder), at: workaround.origin,
        "a placeholder has no meaning")
    }
  }

  /// Checks that the appearances and the localizations of all keys have names.
  private func validateNumbers(
    _ entries: [RenditionEntry], _ violations: inout Violations
  ) throws(FormatError) {
    let tables: [(RenditionAttribute, [NamedNumber])] = [
      (.appearance, try appearances()), (.localization, try localizations()),
    ]
    for (attribute, table) in tables where !table.isEmpty {
      let known = Set(table.map(\.number)).union([0])
      violations.require(
        Set(table.map(\.number)).count == table.count, at: store.variableTable.origin,
        "two names stand for one value of \(attribute.name)")
      for entry in entries where !known.contains(entry.key[attribute]) {
        violations.add(
          at: entry.range.lowerBound,
          "value \(entry.key[attribute]) of \(attribute.name) has no name")
      }
    }
  }

  private func validateIndex(_ violations: inout Violations) throws(FormatError) {
    guard let block = try store.bytes(named: Archive.indexName) else { return }
    do {
      let index = try IndexReader(block.buffer)
      try IndexReader.validateChecksum(of: block.buffer)
      violations.require(
        index.identity == (try? indexIdentity()), at: block.origin,
        "the index does not describe the trees of this archive")
    } catch {
      violations.add(at: block.origin, "the index: \(error)")
    }
  }
}
