// The layout of the CARVEINDEX block: every field, once, for the writer and the reader.
// All numbers are little-endian and lie in memory as these structures do (the tests hold the
// offsets). What the tables mean is said here; IndexWriter.swift fills them, IndexReader.swift
// reads them in place. No field is trusted by the reader: each is checked where it is used.

#if _endian(big)
  #error("archives are little-endian and the index is used in place")
#endif

/// A run of fixed-size records inside the index.
@frozen public struct IndexSection: BitwiseCopyable, Sendable {
  /// From the start of the index.
  public var offset: UInt32 = 0
  /// Records, not bytes.
  public var count: UInt32 = 0

  @inlinable init() {}
}

/// The first 96 bytes.
@frozen public struct IndexHeader: BitwiseCopyable, Sendable {
  public var magic = IndexHeader.expectedMagic
  public var version = IndexHeader.currentVersion
  /// Bytes of the whole index.
  public var length: UInt32 = 0
  /// What IndexIdentity says about the trees that this index describes.
  public var identity: UInt64 = 0
  /// IndexDigest over the index with `identity` and this field zero.
  public var checksum: UInt64 = 0
  /// Packed variant keys (IndexKey), signature after signature, each sorted.
  public var keys = IndexSection()
  public var signatures = IndexSection()
  /// The name table (IndexSlot); its count is a power of two.
  public var slots = IndexSection()
  /// Sorted by name, then kind (AssetRecord).
  public var assets = IndexSection()
  /// Asset after asset, each in the order of its signature; then atlases (RenditionRecord).
  public var renditions = IndexSection()
  /// How pictures stretch (SlicingRecord).
  public var slicings = IndexSection()
  /// The names in UTF-8, without separators; a name of at most a cache line lies within one.
  public var names = IndexSection()
  /// A name lies at most this many slots, minus one, after the slot of its hash.
  public var probes: UInt32 = 0
  public var reserved: UInt32 = 0

  public init() {}

  /// "CARVEIDX"
  @inlinable public static var expectedMagic: UInt64 { 0x5844_4945_5652_4143 }
  @inlinable public static var currentVersion: UInt32 { 2 }
  /// The index starts at a multiple of this in its file and so does each section in the index, so
  /// that no record lies in two lines of a processor's cache. The reader does not depend on it.
  @inlinable public static var alignment: Int { 64 }
  /// Where `identity` lies; it is written last.
  @inlinable public static var identityOffset: Int { 16 }
}

/// One packed VariantKey.
@frozen public struct IndexKey: BitwiseCopyable, Sendable {
  public var high: UInt64
  public var low: UInt64

  @inlinable public init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }
}

@frozen public struct SignatureRecord: BitwiseCopyable, Sendable {
  public var firstKey: UInt32
  public var count: UInt32

  @inlinable public init(firstKey: UInt32, count: UInt32) {
    self.firstKey = firstKey
    self.count = count
  }
}

/// A place of the name table. An asset number of `empty` ends a search.
@frozen public struct IndexSlot: BitwiseCopyable, Sendable {
  public var tag: UInt32
  public var asset: UInt32

  @inlinable public init(tag: UInt32, asset: UInt32) {
    self.tag = tag
    self.asset = asset
  }

  @inlinable public static var empty: UInt32 { .max }
}

@frozen public struct AssetRecord: BitwiseCopyable, Sendable {
  public var nameOffset: UInt32 = 0
  public var nameLength: UInt16 = 0
  /// AssetKind
  public var kind: UInt8 = 0
  public var reserved: UInt8 = 0
  public var firstRendition: UInt32 = 0
  public var signature: UInt32 = 0
  /// The upper half of the hash of name and kind: tells an id of another build from one of this.
  public var tag: UInt32 = 0
  /// The number by which Apple's trees know the name.
  public var identifier: UInt16 = 0
  public var reserved2: UInt16 = 0
  /// Two records fill a cache line.
  public var reserved3: UInt64 = 0

  @inlinable public init() {}
}

/// What one rendition is and where its block lies in the file.
@frozen public struct RenditionRecord: BitwiseCopyable, Sendable {
  public var blockOffset: UInt64 = 0
  public var blockLength: UInt32 = 0
  /// From the start of the block.
  public var payloadOffset: UInt32 = 0
  /// The true size, also where the block's header leaves it out.
  public var pixelWidth: UInt32 = 0
  public var pixelHeight: UInt32 = 0
  /// One more than the number of the slicing record; 0 where the picture does not stretch.
  public var slicing: UInt32 = 0
  public var layout: UInt16 = 0
  /// 1, 2 or 3; 0 for a vector.
  public var scale: UInt8 = 0
  /// RenditionContent
  public var content: UInt8 = 0
  /// Alignment insets in points.
  public var top: Float = 0
  public var left: Float = 0
  public var bottom: Float = 0
  public var right: Float = 0
  public var pixelFormat: UInt32 = 0
  /// The flags of the block's header.
  public var flags: UInt32 = 0
  /// For a link into an atlas, the number of the atlas's rendition.
  public var atlas: UInt32 = RenditionRecord.noAtlas
  public var reserved: UInt32 = 0

  @inlinable public init() {}

  @inlinable public static var noAtlas: UInt32 { .max }
}

/// What the payload of a rendition holds.
public enum RenditionContent: UInt8, Sendable, CaseIterable {
  /// Something that is neither shown nor handed out by name: an icon table, a texture …
  case other = 0
  case bitmap, atlasLink, color, data, jpeg, heif, pdf, svg
}

/// Cap insets and centre in points.
@frozen public struct SlicingRecord: BitwiseCopyable, Sendable, Hashable {
  /// SlicingMode
  public var mode: UInt8 = 0
  /// How the middle fills its room across and down (SlicingFill).
  public var across: UInt8 = 0
  public var down: UInt8 = 0
  public var reserved: UInt8 = 0
  public var top: Float = 0
  public var left: Float = 0
  public var bottom: Float = 0
  public var right: Float = 0
  public var centerWidth: Float = 0
  public var centerHeight: Float = 0
  public var reserved2: UInt32 = 0

  @inlinable public init() {}
}

public enum SlicingMode: UInt8, Sendable, CaseIterable {
  case threePartHorizontal = 1
  case threePartVertical, ninePart
  /// Nine parts of which the middle one is not drawn.
  case edgesOnly
}

public enum SlicingFill: UInt8, Sendable, CaseIterable {
  case stretch = 0
  case tile
  /// The caps grow with the middle.
  case uniform
}
