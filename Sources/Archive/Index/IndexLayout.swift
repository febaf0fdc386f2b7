// The layout of the CARVEINDEX block: every field, once, for the writer and the reader.
// All numbers are little-endian and lie in memory as these structures do (the tests hold the
// offsets). What the tables mean is said here; IndexWriter.swift fills them, IndexReader.swift
// reads them in place. No field is trusted by the reader: each is checked where it is used.

#if _endian(big)
  #error("archives are little-endian and the index is used in place")
#endif

/// A run of fixed-size records inside the index.
package struct IndexSection: BitwiseCopyable, Sendable {
  /// From the start of the index.
  package var offset: UInt32 = 0
  /// Records, not bytes.
  package var count: UInt32 = 0

  @inlinable init() {}
}

/// The first 104 bytes.
package struct IndexHeader: BitwiseCopyable, Sendable {
  package var magic = IndexHeader.expectedMagic
  package var version = IndexHeader.currentVersion
  /// Bytes of the whole index.
  package var length: UInt32 = 0
  /// What IndexIdentity says about the trees that this index describes.
  package var identity: UInt64 = 0
  /// IndexDigest over the index with `identity` and this field zero.
  package var checksum: UInt64 = 0
  /// Packed variant keys (IndexKey), signature after signature, each sorted.
  package var keys = IndexSection()
  package var signatures = IndexSection()
  /// Assets and free places, by the hashes of the names (AssetSlot).
  package var slots = IndexSection()
  /// The numbers of the assets' slots, sorted by name, then kind (32 bits each). The drawings of symbols
  /// have slots and are not listed.
  package var order = IndexSection()
  /// Signature after signature; for each of its keys in turn, the assets that have it, by rank. So
  /// what one view shows lies together. Then atlases (RenditionRecord).
  package var renditions = IndexSection()
  /// Where the blocks of the same renditions lie (BlockRecord).
  package var blocks = IndexSection()
  /// A NameRecord and its UTF-8, asset after asset; a name that fits a cache line lies within one.
  package var names = IndexSection()
  /// How the hashes of one bucket are scattered over the slots (one byte each).
  package var pilots = IndexSection()
  /// So many of the last slots hold what found no place by its hash. Of names that nobody chose for
  /// it there is none.
  package var overflow: UInt32 = 0
  package var reserved: UInt32 = 0

  package init() {}

  /// "CARVEIDX"
  @inlinable package static var expectedMagic: UInt64 { 0x5844_4945_5652_4143 }
  @inlinable package static var currentVersion: UInt32 { 3 }
  /// The index starts at a multiple of this in its file and so does each section in the index, so
  /// that no record lies in two lines of a processor's cache. The reader does not depend on it.
  @inlinable package static var alignment: Int { 64 }
  /// Where `identity` lies; it is written last.
  @inlinable package static var identityOffset: Int { 16 }
}

/// One packed VariantKey.
package struct IndexKey: BitwiseCopyable, Sendable {
  package var high: UInt64
  package var low: UInt64

  @inlinable package init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }
}

package struct SignatureRecord: BitwiseCopyable, Sendable {
  package var firstKey: UInt32
  package var count: UInt32
  /// Of the first asset under the first key.
  package var firstRendition: UInt32
  /// How many assets have these keys.
  package var assets: UInt32

  @inlinable package init(firstKey: UInt32, count: UInt32, firstRendition: UInt32, assets: UInt32) {
    self.firstKey = firstKey
    self.count = count
    self.firstRendition = firstRendition
    self.assets = assets
  }
}

/// A place of the name table, four to a cache line: all that a lookup asks of an asset.
package struct AssetSlot: BitwiseCopyable, Sendable {
  /// The lower half of the hash.
  package var tag: UInt32
  /// Where the NameRecord lies in the pool.
  package var name: UInt32
  /// The place among the assets of the same signature.
  package var rank: UInt32
  package var signature: UInt32

  @inlinable package init(tag: UInt32, name: UInt32, rank: UInt32, signature: UInt32) {
    self.tag = tag
    self.name = name
    self.rank = rank
    self.signature = signature
  }

  /// The offset of no name.
  @inlinable package static var noName: UInt32 { .max }
  @inlinable package static var empty: AssetSlot {
    AssetSlot(tag: 0, name: noName, rank: 0, signature: 0)
  }

  /// Right for every hash of a name in the index at its place; for others almost never.
  @inlinable @inline(__always) func has(_ hash: AssetNameHash) -> Bool {
    tag == hash.tag && name != AssetSlot.noName
  }
}

/// What stands before the bytes of a name in the pool.
package struct NameRecord: BitwiseCopyable, Sendable {
  package var length: UInt16
  /// The number by which Apple's trees know the name.
  package var identifier: UInt16
  /// LookupKind
  package var kind: UInt8
  package var reserved: UInt8 = 0
  package var reserved2: UInt16 = 0

  @inlinable package init(length: UInt16, identifier: UInt16, kind: UInt8) {
    self.length = length
    self.identifier = identifier
    self.kind = kind
  }
}

/// What a lookup answers, in one cache line. It is laid out as `carve_rendition` of carve.h is, so
/// that the answer is a copy. Lengths are in points unless they are called pixels.
package struct RenditionRecord: BitwiseCopyable, Sendable {
  /// The flags of the block's header. In C the size of the structure stands here.
  package var flags: UInt32 = 0
  /// RenditionLayout. In C the number of the rendition begins here.
  package var layout: UInt16 = 0
  package var reserved: UInt16 = 0
  /// The true size, also where the block's header leaves it out.
  package var pixelWidth: UInt32 = 0
  package var pixelHeight: UInt32 = 0
  package var kinds = RenditionKinds()
  /// Alignment insets.
  package var insets = IndexedInsets()
  package var caps = IndexedInsets()
  package var centerWidth: Float = 0
  package var centerHeight: Float = 0

  @inlinable package init() {}

  /// Whether each small number of the record at an address has a meaning: who gets them may count
  /// on it.
  @inlinable @inline(__always) package static func isSound(_ record: UnsafeRawPointer) -> Bool {
    // From the last byte to the first, 0x7F less the largest value: the sum reaches 0x80 beyond it.
    let room: UInt64 = 0x7D7D_7B7E_7F7D_767C
    let kinds = record.loadUnaligned(fromByteOffset: 16, as: UInt64.self)
    let sums = (kinds & 0x7F7F_7F7F_7F7F_7F7F) &+ room
    return (kinds | sums) & 0x8080_8080_8080_8080 == 0
  }
}

/// The small numbers of a rendition.
package struct RenditionKinds: BitwiseCopyable, Sendable {
  /// 1, 2 or 3; 0 for a vector.
  package var scale: UInt8 = 0
  /// RenditionContent
  package var content: UInt8 = 0
  /// 0 as the toolkit decides, 1 with its colours, 2 as a mask.
  package var templateIntent: UInt8 = 0
  /// 0 in the index; a view says it.
  package var isMirrored: UInt8 = 0
  package var preservesVector: UInt8 = 0
  /// SlicingMode; 0 where the picture does not stretch by parts.
  package var slicing: UInt8 = 0
  /// How the middle fills its room (SlicingFill).
  package var across: UInt8 = 0
  package var down: UInt8 = 0

  @inlinable package init() {}
}

/// Distances from the edges.
package struct IndexedInsets: BitwiseCopyable, Sendable {
  package var top: Float = 0
  package var left: Float = 0
  package var bottom: Float = 0
  package var right: Float = 0

  @inlinable package init() {}
}

/// Where the block of a rendition lies in the file.
package struct BlockRecord: BitwiseCopyable, Sendable {
  package var offset: UInt64 = 0
  package var length: UInt32 = 0
  /// For a link into an atlas, the number of the atlas's rendition.
  package var atlas: UInt32 = BlockRecord.noAtlas

  @inlinable package init() {}

  @inlinable package static var noAtlas: UInt32 { .max }
}

/// What the payload of a rendition holds.
public enum RenditionContent: UInt8, Sendable, CaseIterable {
  /// Something that is neither shown nor handed out by name: an icon table, a texture …
  case other = 0
  case bitmap, atlasLink, color, data, jpeg, heif, pdf, svg
  /// Nothing is to be shown, on purpose: the catalogue says so.
  case nothing
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
