// The blocks that describe a whole archive: CARHEADER and EXTENDED_METADATA.

/// The platforms whose rules the keys of an archive follow.
package struct KeySemantics: RawRepresentable, Sendable, Hashable {
  package let rawValue: UInt32
  package init(rawValue: UInt32) { self.rawValue = rawValue }
  package static let mac = Self(rawValue: 1)
  /// iOS, tvOS, watchOS and Catalyst.
  package static let phone = Self(rawValue: 2)
  package static let vision = Self(rawValue: 4)

  /// Returns the number by which pictures of equal areas are ordered when they are packed into
  /// atlases: on a Mac by part and name, elsewhere by name and part, as the columns of keys are.
  package func spriteRank(part: UInt16, identifier: UInt16) -> UInt32 {
    let (part, identifier) = (UInt32(part), UInt32(identifier))
    return self == .mac ? part << 16 | identifier : identifier << 16 | part
  }
}

/// The contents of the block CARHEADER.
package struct CatalogHeader: Sendable, Hashable {
  package var coreUIVersion: UInt32
  package var storageVersion: UInt32 = 17
  /// The Unix time at which the archive was made; zero since storage version 16.
  package var timestamp: UInt32 = 0
  /// The number of renditions that the archive states. The writer replaces it by the true number.
  package var renditionCount: UInt32 = 0
  /// The version of CoreUI: `@(#)PROGRAM:CoreUI  PROJECT:CoreUI-972.1` and a line feed.
  package var mainVersion: String
  /// The name and version of the tool that made the archive.
  package var toolVersion: String
  package var uuid: [UInt8] = Array(repeating: 0, count: 16)
  package var associatedChecksum: UInt32 = 0
  package var schemaVersion: UInt32 = 2
  package var colorSpaceID: UInt32 = 1
  package var keySemantics: KeySemantics = .phone

  package init(coreUIVersion: UInt32, mainVersion: String, toolVersion: String) {
    self.coreUIVersion = coreUIVersion
    self.mainVersion = mainVersion
    self.toolVersion = toolVersion
  }
}

enum CatalogHeaderRecord {
  static let magic: StaticString = "RATC"
  static let letters = BytesField(0, size: 4)
  static let coreUIVersion = Field<UInt32>(4)
  static let storageVersion = Field<UInt32>(8)
  static let timestamp = Field<UInt32>(12)
  static let renditionCount = Field<UInt32>(16)
  static let mainVersion = BytesField(20, size: 128)
  static let toolVersion = BytesField(148, size: 256)
  static let uuid = BytesField(404, size: 16)
  static let associatedChecksum = Field<UInt32>(420)
  static let schemaVersion = Field<UInt32>(424)
  static let colorSpaceID = Field<UInt32>(428)
  static let keySemantics = Field<UInt32>(432)
  static let size = 436
  static let members: [any RecordMember] = [
    letters, coreUIVersion, storageVersion, timestamp, renditionCount, mainVersion, toolVersion,
    uuid, associatedChecksum, schemaVersion, colorSpaceID, keySemantics,
  ]
}

extension CatalogHeader {
  static let name = "CARHEADER"

  init(_ block: FileBytes) throws(FormatError) {
    typealias Record = CatalogHeaderRecord
    try block.require(Record.magic, "the catalogue header")
    let record = try block.slice(at: 0, count: Record.size, "the catalogue header")
    coreUIVersion = record.trusted(Record.coreUIVersion)
    storageVersion = record.trusted(Record.storageVersion)
    timestamp = record.trusted(Record.timestamp)
    renditionCount = record.trusted(Record.renditionCount)
    mainVersion = try record.text(Record.mainVersion)
    toolVersion = try record.text(Record.toolVersion)
    uuid = Array(
      try record.slice(at: Record.uuid.offset, count: Record.uuid.size, "the UUID").buffer)
    associatedChecksum = record.trusted(Record.associatedChecksum)
    schemaVersion = record.trusted(Record.schemaVersion)
    colorSpaceID = record.trusted(Record.colorSpaceID)
    keySemantics = KeySemantics(rawValue: record.trusted(Record.keySemantics))
  }

  func block() -> [UInt8] {
    typealias Record = CatalogHeaderRecord
    var bytes = [UInt8](repeating: 0, count: Record.size)
    bytes.store(magic: Record.magic)
    bytes.store(coreUIVersion, Record.coreUIVersion)
    bytes.store(storageVersion, Record.storageVersion)
    bytes.store(timestamp, Record.timestamp)
    bytes.store(renditionCount, Record.renditionCount)
    bytes.store(mainVersion, Record.mainVersion)
    bytes.store(toolVersion, Record.toolVersion)
    for (index, byte) in uuid.prefix(Record.uuid.size).enumerated() {
      bytes[Record.uuid.offset + index] = byte
    }
    bytes.store(associatedChecksum, Record.associatedChecksum)
    bytes.store(schemaVersion, Record.schemaVersion)
    bytes.store(colorSpaceID, Record.colorSpaceID)
    bytes.store(keySemantics.rawValue, Record.keySemantics)
    return bytes
  }
}

/// The contents of the block EXTENDED_METADATA.
package struct CatalogMetadata: Sendable, Hashable {
  /// The arguments with which the archive was thinned; empty if it was not thinned.
  package var thinningArguments = ""
  package var platformVersion: String
  /// One of `ios`, `macosx`, `macosx-ios`, `atv`, `vision`, `watchos`.
  package var platform: String
  package var authoringTool: String

  package init(platform: String, platformVersion: String, authoringTool: String) {
    self.platform = platform
    self.platformVersion = platformVersion
    self.authoringTool = authoringTool
  }
}

enum CatalogMetadataRecord {
  static let magic: StaticString = "META"
  static let letters = BytesField(0, size: 4)
  static let thinningArguments = BytesField(4, size: 256)
  static let platformVersion = BytesField(260, size: 256)
  static let platform = BytesField(516, size: 256)
  static let authoringTool = BytesField(772, size: 256)
  static let size = 1028
  static let members: [any RecordMember] = [
    letters, thinningArguments, platformVersion, platform, authoringTool,
  ]
}

extension CatalogMetadata {
  static let name = "EXTENDED_METADATA"

  init(_ block: FileBytes) throws(FormatError) {
    typealias Record = CatalogMetadataRecord
    try block.require(Record.magic, "the metadata")
    thinningArguments = try block.text(Record.thinningArguments)
    platformVersion = try block.text(Record.platformVersion)
    platform = try block.text(Record.platform)
    authoringTool = try block.text(Record.authoringTool)
  }

  func block() -> [UInt8] {
    typealias Record = CatalogMetadataRecord
    var bytes = [UInt8](repeating: 0, count: Record.size)
    bytes.store(magic: Record.magic)
    bytes.store(thinningArguments, Record.thinningArguments)
    bytes.store(platformVersion, Record.platformVersion)
    bytes.store(platform, Record.platform)
    bytes.store(authoringTool, Record.authoringTool)
    return bytes
  }
}
