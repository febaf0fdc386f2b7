// Checks the structure of an archive: everything that is true in all archives of Apple's tools and
// of Carve. A fault that readers tolerate is reported here, with its offset. Pixels are not
// decoded. StoreValidation.swift checks the container.

extension Archive {
  /// Returns all violations of an archive's structure, at most `limit`. An archive without
  /// violations can be read completely.
  package static func validate(_ file: UnsafeRawBufferPointer, limit: Int = 1000) -> [Violation] {
    var violations = Violations(limit: limit)
    violations.attempt { (violations) throws(FormatError) in
      let store = try BlockStore(FileBytes(file))
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
      let index = try IndexReader(block.buffer, of: store)
      try IndexReader.validateChecksum(of: block.buffer)
      violations.require(
        index.identity == (try? indexIdentity()), at: block.origin,
        "the index does not describe the trees of this archive")
    } catch {
      violations.add(at: block.origin, "the index: \(error)")
    }
  }
}

// MARK: - Renditions, facets and BITMAPKEYS

// Checks renditions, facets and BITMAPKEYS: each by itself, and each against the others.

extension Archive {
  func validateRenditions(_ entries: [RenditionEntry], _ violations: inout Violations) {
    let keys = Dictionary(
      entries.enumerated().map { ($1.key, $0) }, uniquingKeysWith: { first, _ in first })
    var checked = Set<BlockID>()
    for entry in entries {
      violations.attempt { (violations) throws(FormatError) in
        let rendition = try rendition(entry)
        rendition.validateHeader(storageVersion: header.storageVersion, &violations)
        if keyFormat.columns.contains(.scale), rendition.header.layout.isImage {
          violations.require(
            rendition.header.scaleFactor == 100 * UInt32(entry.key[.scale]),
            at: entry.range.lowerBound,
            "\(rendition.header.name) differs in scale from its key")
        }
        // Many keys may share a block, and the check of a block takes long.
        if checked.insert(entry.block).inserted {
          try rendition.validateProperties(&violations)
          try rendition.validatePayload(&violations)
        }
        for key in try rendition.references() {
          guard let row = keys[key] else {
            violations.add(
              at: entry.range.lowerBound,
              "\(rendition.header.name) refers to a rendition that is not there")
            continue
          }
          try validate(rendition, at: entry, in: try self.rendition(entries[row]), &violations)
        }
      }
    }
  }

  private func validate(
    _ rendition: Rendition, at entry: RenditionEntry, in atlas: Rendition,
    _ violations: inout Violations
  ) throws(FormatError) {
    guard let link = try rendition.link() else { return }
    let name = rendition.header.name
    let at = entry.range.lowerBound
    violations.require(
      atlas.header.layout == .atlas, at: at, "\(name) lies in a rendition that is not an atlas")
    let right = UInt64(link.x) + UInt64(link.width)
    let top = UInt64(link.y) + UInt64(link.height)
    violations.require(
      right <= atlas.header.width && top <= atlas.header.height, at: at,
      "\(name) lies partly outside its atlas")
    violations.require(
      link.width == rendition.header.width && link.height == rendition.header.height, at: at,
      "\(name) and its frame in the atlas differ in size")
  }

  func validateFacets(
    _ entries: [RenditionEntry], _ violations: inout Violations
  ) throws(FormatError) {
    let isThinned = !(try metadata()?.thinningArguments ?? "").isEmpty
    var parts: [UInt32: Set<UInt16>] = [:]
    for entry in entries {
      parts[Archive.family(entry.key.element, entry.key.identifier), default: []].insert(
        entry.key.part)
    }
    var named = Set<UInt32>()
    var identifiers = Set<UInt16>()
    let at = try tree(named: Facet.treeName)?.header.origin ?? 0
    for facet in try facets() {
      guard let identifier = facet.identifier, let element = facet.element else {
        violations.add(at: at, "the facet \"\(facet.name)\" has no identifier or element")
        continue
      }
      violations.require(
        identifiers.insert(identifier).inserted, at: at,
        "the facet \"\(facet.name)\" shares identifier \(identifier) with another facet")
      let family = Archive.family(element, identifier)
      named.insert(family)
      guard let present = parts[family] else {
        violations.require(
          isThinned, at: at, "the facet \"\(facet.name)\" has no rendition")
        continue
      }
      if let part = facet.part {
        violations.require(
          present.contains(part), at: at,
          "the facet \"\(facet.name)\" has no rendition of its part \(part)")
      }
    }
    for entry in entries where entry.key.identifier != 0 && !entry.key.isAtlas {
      violations.require(
        named.contains(Archive.family(entry.key.element, entry.key.identifier)),
        at: entry.range.lowerBound,
        "a rendition of identifier \(entry.key.identifier) belongs to no facet")
    }
  }

  private static func family(_ element: UInt16, _ identifier: UInt16) -> UInt32 {
    UInt32(element) << 16 | UInt32(identifier)
  }

  func validateBitmapKeys(
    _ entries: [RenditionEntry], _ violations: inout Violations
  ) throws(FormatError) {
    guard let tree = try tree(named: Archive.bitmapKeysName) else { return }
    violations.require(
      tree.hasRawKeys, at: tree.header.origin, "the bitmap keys are not numbers")
    let expected = BitmapKeys(entries.lazy.map(\.key), format: keyFormat) { _ in true }
    let rows = Dictionary(
      expected.identifiers.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
    var listed = Set<UInt32>()
    try tree.forEach { (entry) throws(FormatError) in
      let value = try store.bytes(of: entry.value)
      listed.insert(entry.rawKey)
      guard let row = rows[entry.rawKey] else {
        violations.add(
          at: value.origin, "bitmap keys of identifier \(entry.rawKey), which has no rendition")
        return
      }
      try validate(value, identifier: entry.rawKey, expected: expected.masks(at: row), &violations)
    }
    for facet in try facets() {
      guard let identifier = facet.identifier, rows[UInt32(identifier)] != nil else { continue }
      violations.require(
        listed.contains(UInt32(identifier)), at: tree.header.origin,
        "the facet \"\(facet.name)\" has no bitmap keys")
    }
  }

  private func validate(
    _ value: FileBytes, identifier: UInt32, expected: ArraySlice<UInt32>,
    _ violations: inout Violations
  ) throws(FormatError) {
    let count = Int(try value.load(BitmapKeys.Record.count))
    guard count == expected.count, value.count == BitmapKeys.Record.size + 4 * count,
      try value.load(BitmapKeys.Record.length) == UInt32(4 + 4 * count),
      try value.load(BitmapKeys.Record.version) == 1
    else {
      violations.add(
        at: value.origin, "the bitmap keys of identifier \(identifier) have an unexpected form")
      return
    }
    for (index, mask) in expected.enumerated() {
      let base = BitmapKeys.Record.size + index * BitmapKeys.Record.maskSize
      let found = try value.load(BitmapKeys.Record.mask, at: base)
      if found == mask { continue }
      let column = keyFormat.columns[index]
      if mask == BitmapKeys.everything {
        // In columns that do not distinguish values, old archives have 0. Other subtypes have bits
        // whose numbers are not known.
        if found == 0 && header.storageVersion < 17 || column == .subtype { continue }
      }
      violations.add(
        at: value.origin + base,
        "the bitmap key of identifier \(identifier) for \(column.name) is \(found), expected \(mask)"
      )
    }
  }
}

extension Rendition {
  /// Returns whether a block is a rendition without violations. What the rest of an archive decides
  /// is not checked.
  package static func isSound(_ block: FileBytes) -> Bool {
    var violations = Violations(limit: 1)
    violations.attempt { (violations) throws(FormatError) in
      let rendition = try Rendition(block)
      // Version 0 is allowed, because archives for old systems may have it.
      rendition.validateHeader(storageVersion: 0, &violations)
      try rendition.validateProperties(&violations)
      try rendition.validatePayload(&violations)
    }
    return violations.list.isEmpty
  }

  fileprivate func validateHeader(storageVersion: UInt32, _ violations: inout Violations) {
    let at = bytes.origin
    let name = header.name
    violations.require(
      header.version == 1 || header.version == 0 && storageVersion < 11, at: at,
      "\(name) has version \(header.version)")
    violations.require(
      header.flags.rawValue >> 11 == 0, at: at, "\(name) has flags \(header.flags.rawValue)")
    violations.require(
      !header.flags.isSuperset(of: [.template, .automatic]), at: at,
      "\(name) is marked both as a template and as not a template")
    violations.require(
      bytes.trusted(CSIRecord.reserved) == 0, at: at, "\(name) has a layout of 32 bits")
    violations.require(
      header.colorSpace.rawValue < 16, at: at,
      "\(name) has colour space \(header.colorSpace.rawValue)")
    violations.require(
      header.layout.isKnown, at: at, "\(name) has layout \(header.layout.rawValue)")
    violations.require(
      bytes.trusted(CSIRecord.bitmapCount) == 1 && bytes.trusted(CSIRecord.bitmapOffset) == 0,
      at: at, "\(name) does not consist of one payload")
    violations.require(
      CSIRecord.size + properties.count + payload.count == bytes.count, at: at,
      "\(name) has bytes after its payload")
  }

  fileprivate func validateProperties(_ violations: inout Violations) throws(FormatError) {
    var seen = Set<UInt32>()
    let all = try allProperties()
    // The properties are written again from the values that were read. The bytes differ if a record
    // contains bytes that belong to no value.
    let again = RenditionHead(header, all).bytes(payloadLength: 0)[CSIRecord.size...]
    violations.require(
      again.elementsEqual(properties.buffer), at: properties.origin,
      "\(header.name) has a property with a wrong length")
    for property in all {
      let tag = property.tag
      violations.require(
        RenditionProperty.Tag(rawValue: tag) != nil, at: properties.origin,
        "\(header.name) has an unknown property \(tag)")
      violations.require(
        seen.insert(tag).inserted || tag == RenditionProperty.Tag.themeProperties.rawValue,
        at: properties.origin, "\(header.name) has property \(tag) twice")
    }
    violations.require(
      seen.contains(RenditionProperty.Tag.composition.rawValue), at: properties.origin,
      "\(header.name) has no composition")
    if header.layout.isImage {
      violations.require(
        seen.contains(RenditionProperty.Tag.slices.rawValue)
          && seen.contains(RenditionProperty.Tag.metrics.rawValue), at: properties.origin,
        "\(header.name) has no slices or no metrics")
    }
    violations.require(
      seen.contains(RenditionProperty.Tag.link.rawValue) == (header.layout == .internalLink),
      at: properties.origin,
      "\(header.name) is a link without a target, or has a target without being a link")
  }
}

// MARK: - Payloads

extension Rendition {
  func validatePayload(_ violations: inout Violations) throws(FormatError) {
    let at = payload.origin
    if payload.isEmpty { return }
    if let bitmap = try BitmapPayloadHeader(payload) {
      try validate(bitmap, &violations)
    } else if let file = try FilePayload(payload) {
      try validate(file, &violations)
    } else if let color = try ColorPayload(payload) {
      violations.require(
        color.bytes().count == payload.count, at: at, "\(header.name) has bytes after its colour")
      violations.require(
        header.layout == .color, at: at,
        "\(header.name) has the payload of a colour, but is not a colour")
    } else if let sizes = try MultisizePayload(payload) {
      violations.require(
        sizes.bytes().count == payload.count, at: at, "\(header.name) has bytes after its sizes")
      violations.require(
        header.layout == .multisize, at: at,
        "\(header.name) has the payload of a table of sizes, but is not such a table")
    } else if !["KLXE", "RTXT", "ARGG", "DARG", "XFTC"].contains(where: payload.begins) {
      violations.add(at: at, "\(header.name) has a payload of an unknown kind")
    }
  }

  private func validate(_ file: FilePayload, _ violations: inout Violations) throws(FormatError) {
    let at = payload.origin
    violations.require(
      file.contents.count + FilePayload.Record.size == payload.count, at: at,
      "\(header.name) has bytes after its file")
    let mark = try payload.load(FilePayload.Record.isCompressed)
    violations.require(mark <= 1, at: at, "\(header.name) is compressed in an unknown way, \(mark)")
    // Apple's tools never return from a payload that is marked as LZFSE and contains other bytes.
    violations.require(
      mark != 1 || file.contents.hasPrefix("bvx"), at: at,
      "\(header.name) is marked as LZFSE but is not LZFSE")
  }

  /// Checks the length of a bitmap's payload or of its parts, and the length of a stored row.
  private func validate(
    _ bitmap: BitmapPayloadHeader, _ violations: inout Violations
  ) throws(FormatError) {
    typealias Record = BitmapPayloadHeader.Record
    let at = payload.origin
    let flags = try payload.load(Record.flags)
    violations.require(flags <= 3, at: at, "the bitmap of \(header.name) has flags \(flags)")
    violations.require(
      bitmap.compression <= 12, at: at,
      "the bitmap of \(header.name) has compression \(bitmap.compression)")
    let stated = Int(try payload.load(Record.length))
    let end =
      bitmap.isChunked
      ? try endOfChunks(stated, &violations) : BitmapPayloadHeader.Record.size + stated
    violations.require(
      end == payload.count, at: at,
      "the bitmap of \(header.name) needs \(end) bytes and has \(payload.count)")
    // The deepmap compressions have rows of their own. The other compressions store the rows of the
    // picture.
    if [0, 2, 3, 4].contains(bitmap.compression), let bytes = header.pixelFormat.bytesPerPixel,
      let row = try bytesPerRow()
    {
      violations.require(
        UInt64(row) >= UInt64(header.width) * UInt64(bytes), at: at,
        "the rows of \(header.name) have \(row) bytes for \(header.width) pixels")
    }
  }
  /// Returns the end of the last part, and checks each part.
  private func endOfChunks(
    _ count: Int, _ violations: inout Violations
  ) throws(FormatError) -> Int {
    typealias Chunk = BitmapPayloadHeader.Chunk
    var end = BitmapPayloadHeader.Record.size
    var rows = 0
    for number in 0..<count {
      let what = "part \(number) of the bitmap of \(header.name)"
      let chunk = try payload.slice(at: end, count: Chunk.size, what)
      try chunk.require(Chunk.magic, what)
      violations.require(
        chunk.trusted(Chunk.flags) == 0 && chunk.trusted(Chunk.version) == 0, at: chunk.origin,
        "\(what) is of an unknown kind")
      rows += Int(chunk.trusted(Chunk.rows))
      end += Chunk.size + Int(chunk.trusted(Chunk.length))
    }
    violations.require(
      rows == Int(header.height), at: payload.origin,
      "the parts of the bitmap of \(header.name) hold \(rows) of \(header.height) rows")
    return end
  }
}

extension FileBytes {
  fileprivate func begins(with magic: String) -> Bool {
    count >= magic.utf8.count && buffer.prefix(magic.utf8.count).elementsEqual(magic.utf8)
  }
}
