// References between renditions: a picture needs its atlas, a texture its mip levels.

extension Rendition {
  /// Returns the keys of the renditions without which this one cannot be shown. The layers of a
  /// stack are not among them: a stack names the layers by identifier alone, and the rule chooses a
  /// rendition of each layer.
  package func references() throws(FormatError) -> [RenditionKey] {
    switch header.layout {
    case .internalLink:
      guard let link = try link() else { return [] }
      return [link.target]
    case .texture: return try TexturePayload.keys(payload)
    default: return []
    }
  }
}

/// The payload of a texture: this record, and the key of each mip level.
enum TexturePayload {
  static let magic: StaticString = "RTXT"
  static let letters = Run(0, size: 4)
  static let flags = Field<UInt32>(4)
  static let format = Field<UInt32>(8)
  static let depth = Field<UInt32>(12)
  static let arrayLength = Field<UInt32>(16)
  static let type = Field<UInt16>(20)
  static let mipCount = Field<UInt16>(22)
  static let size = 24
  /// The largest number of mip levels: 17 for each of six faces.
  static let mostMips = 102
  static let members: [any RecordMember] = [
    letters, flags, format, depth, arrayLength, type, mipCount,
  ]

  enum Mip {
    static let keyLength = Field<UInt32>(0)
    static let flags = Field<UInt32>(4)
    static let size = 8
    static let members: [any RecordMember] = [keyLength, flags]
  }

  static func keys(_ payload: Bytes) throws(FormatError) -> [RenditionKey] {
    guard payload.hasPrefix(magic) else { return [] }
    var keys: [RenditionKey] = []
    var offset = size
    let count = Int(try payload.load(mipCount))
    if count > mostMips {
      throw FormatError(
        .number("the number of mip levels", found: count, expected: "at most \(mostMips)"),
        at: payload.origin)
    }
    for _ in 0..<count {
      let length = Int(try payload.load(Mip.keyLength, at: offset))
      let pairs = try payload.slice(at: offset + Mip.size, count: length, "the key of a mip level")
      keys.append(AttributePair.key(try AttributePair.read(pairs)))
      offset += Mip.size + length
    }
    return keys
  }
}

extension Archive {
  /// Returns the selected entries and all entries that they need, in the order of the archive.
  /// `isSelected` has a value for each of `entries`.
  package func closure(
    of entries: RenditionTable, where isSelected: [Bool]
  ) throws(FormatError) -> RenditionTable {
    precondition(entries.count == isSelected.count)
    var places: [RenditionKey: Int] = [:]
    places.reserveCapacity(entries.count)
    for (place, entry) in entries.enumerated() { places[entry.key] = place }
    var kept = isSelected
    var open = isSelected.indices.filter { isSelected[$0] }
    while let place = open.popLast() {
      for key in try rendition(entries[place]).references() {
        guard let target = places[key], !kept[target] else { continue }
        kept[target] = true
        open.append(target)
      }
    }
    return entries.selecting(entries.indices.filter { kept[$0] })
  }
}
