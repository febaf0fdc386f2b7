// Checks renditions, facets and BITMAPKEYS: each by itself, and each against the others.
// PayloadValidation.swift checks the payloads.

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
          guard let place = keys[key] else {
            violations.add(
              at: entry.range.lowerBound,
              "\(rendition.header.name) refers to a rendition that is not there")
            continue
          }
          try validate(rendition, at: entry, in: try self.rendition(entries[place]), &violations)
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
      "\(name) and its place in the atlas differ in size")
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
    for entry in entries where entry.key.identifier != 0 && entry.key.element != Element.atlas {
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
      try validate(value, identifier: entry.rawKey, expected.masks(at: row), &violations)
    }
    for facet in try facets() {
      guard let identifier = facet.identifier, rows[UInt32(identifier)] != nil else { continue }
      violations.require(
        listed.contains(UInt32(identifier)), at: tree.header.origin,
        "the facet \"\(facet.name)\" has no bitmap keys")
    }
  }

  private func validate(
    _ value: Bytes, identifier: UInt32, _ expected: ArraySlice<UInt32>,
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
