// The layout of the CARVEINDEX block, for the writer and the reader. All numbers are little-endian
// and lie in memory as these structures do, except for a LookupEntry, which is stored in 8 or 12
// bytes; tests compare the offsets.
// IndexWriter.swift fills the tables, and IndexReader.swift reads them in place. The reader trusts
// no field and checks each one at its use.
//
// The index copies nothing from the container except the places and lengths of names, which a
// lookup needs at once. A rendition has the number of its block, whose address the block index of
// the container states. The sections follow the header without gaps, in this order: cells, keys,
// atlases, signatures, renditions, styles, stretches, members, order, identifiers, pilots. A lookup
// goes through them in this way:
//
//     name and kind → hash → pilots[bucket of the hash]
//                               │ hash and pilot
//                               ▼
//                            cells[…]: tag, name, asset number, signature
//                               │       │           └── signatures[signature] → members → keys
//                               │       └── a place in the file: the name, to be compared
//                               ▼
//                            renditions[first rendition + key number · assets + asset number]
//                               │ size, style, block
//                               ▼
//                            styles[…], and stretches[…] for a picture with insets or caps
//
// The key number is the number of the winning key in the signature, and the asset number is the
// number of the asset within its signature. A view stores "first rendition + key number · assets"
// for each signature, so a lookup in a view adds only the asset number. An example: the assets A, B
// and C have the asset numbers 0, 1 and 2 and share a signature of the keys 1x and 2x. If the first
// rendition has the number 10, then:
//
//     number        10      11      12      13      14      15
//     rendition     A 1x    B 1x    C 1x    A 2x    B 2x    C 2x
//
// The renditions that one window shows (here the last three) therefore lie side by side.

import Traits

#if _endian(big)
  #error("archives are little-endian and the index is used in place")
#endif

/// The first 96 bytes of the index. The counts of the sections give their offsets (IndexSections).
package struct IndexHeader: BitwiseCopyable, Sendable {
  package var magic = IndexHeader.expectedMagic
  package var version = IndexHeader.currentVersion
  /// The length of the whole index in bytes.
  package var length: UInt32 = 0
  /// The identity of the trees that this index describes (IndexIdentity).
  package var identity: UInt64 = 0
  /// The IndexDigest of the index while `identity` and this field are zero.
  package var checksum: UInt64 = 0
  /// The number of different keys (IndexKey).
  package var keys: UInt32 = 0
  /// The number of different styles (StyleRecord).
  package var styles: UInt32 = 0
  /// The number of different stretches (StretchRecord).
  package var stretches: UInt32 = 0
  /// The number of signatures (SignatureRecord).
  package var signatures: UInt32 = 0
  /// The number of renditions (LookupEntry), signature after signature. For each key of a
  /// signature, the renditions of its assets follow one another in their order, so that
  /// the renditions of one view lie side by side. The atlases follow at the end.
  package var renditions: UInt32 = 0
  /// The number of cells (AssetCell): assets, drawings of symbols, and free cells, by the hashes of
  /// the names.
  package var cells: UInt32 = 0
  /// The number of cells at the end whose assets found no cell through their hash. It is 0 unless
  /// the names were chosen to collide.
  package var overflow: UInt32 = 0
  /// The number of members: the numbers of the keys of all signatures, signature after signature.
  /// The keys of each signature are sorted.
  package var members: UInt32 = 0
  /// The number of assets. The order has the number of each asset's cell, sorted by name, then by
  /// kind; the identifiers have the number of its name in Apple's trees (16 bits each). The
  /// drawings of symbols have cells but are not listed here.
  package var assets: UInt32 = 0
  /// The number of pilots: for each bucket, a number that scatters its hashes over the cells (one
  /// byte each).
  package var pilots: UInt32 = 0
  /// The number of bits at the low end of `AssetCell.signatureAndAsset` that hold the asset number.
  package var assetBits: UInt8 = 0
  /// 1 if a LookupEntry takes 12 bytes, 0 if it takes 8.
  package var hasWideEntries: UInt8 = 0
  package var reserved: UInt16 = 0
  /// The number of atlases. A digest of the key of each (64 bits) is stored, in ascending order.
  /// The last renditions are those of the atlases, in the same order. The block of a picture in an
  /// atlas has the key of the atlas.
  package var atlases: UInt32 = 0
  /// The block of the name that lies first in the file. The cells count the places of names from
  /// its beginning, so that they stay right if blocks before the names become longer or shorter.
  package var names: UInt32 = 0
  /// Unused bytes, so that the cells begin at a multiple of their size.
  package var padding: (UInt32, UInt32, UInt32) = (0, 0, 0)

  package init() {}

  /// "CARVEIDX"
  package static var expectedMagic: UInt64 { 0x5844_4945_5652_4143 }
  /// Every change of a field, of a section or of `VariantKey.packed` needs the next version. A
  /// reader ignores an index of another version and builds the tables in memory.
  package static var currentVersion: UInt32 { 6 }
  /// The index starts at a multiple of this number in its file. Therefore each cell, and each
  /// record of eight bytes, lies in one cache line of a processor. The reader does not depend on
  /// that.
  package static var alignment: Int { 64 }
  /// The offset of `identity`, which is written last.
  package static var identityOffset: Int { 16 }
}

/// The offsets of the sections in an index. The counts are 32-bit numbers and the records small, so
/// no sum overflows 64 bits.
package struct IndexSections {
  package let cells, keys, atlases, signatures, renditions, styles, stretches, members: Int
  package let order, identifiers, pilots: Int
  /// The length of the index.
  package let end: Int

  package init(_ header: IndexHeader) {
    cells = MemoryLayout<IndexHeader>.size
    keys = cells + Int(header.cells) * MemoryLayout<AssetCell>.stride
    atlases = keys + Int(header.keys) * MemoryLayout<IndexKey>.stride
    signatures = atlases + Int(header.atlases) * MemoryLayout<UInt64>.stride
    renditions = signatures + Int(header.signatures) * MemoryLayout<SignatureRecord>.stride
    styles = renditions + Int(header.renditions) * LookupEntry.size(isWide: header.hasWideEntries)
    stretches = styles + Int(header.styles) * MemoryLayout<StyleRecord>.stride
    members = stretches + Int(header.stretches) * MemoryLayout<StretchRecord>.stride
    order = members + Int(header.members) * NumberTable.size(below: header.keys)
    identifiers = order + Int(header.assets) * NumberTable.size(below: header.cells)
    pilots = identifiers + Int(header.assets) * MemoryLayout<UInt16>.size
    end = pilots + Int(header.pilots)
  }
}

/// A packed VariantKey.
public struct IndexKey: BitwiseCopyable, Sendable, Hashable {
  public var high: UInt64
  public var low: UInt64

  @inlinable package init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  init(_ key: VariantKey) {
    let packed = key.packed
    self.init(high: packed.high, low: packed.low)
  }
}

/// A signature. Its keys follow those of the signature before it, and so do its renditions.
public struct SignatureRecord: BitwiseCopyable, Sendable {
  /// The number of keys.
  public var keys: UInt32
  /// The number of assets that have these keys.
  public var assets: UInt32

  @inlinable package init(keys: UInt32, assets: UInt32) {
    self.keys = keys
    self.assets = assets
  }
}

/// A cell of the name table: all numbers of an asset that a lookup needs.
public struct AssetCell: BitwiseCopyable, Sendable {
  /// The lower half of the asset's hash.
  public var tag: UInt32
  /// The raw value of a LookupKind in the lowest byte; `noKind` in an empty cell. Above it, the
  /// length of the name in bytes.
  public var kindAndLength: UInt32
  /// The place of the name: the number of bytes from the beginning of the block that
  /// `IndexHeader.names` states.
  public var name: UInt32
  /// The number of the asset within its signature in the low bits, whose number the header states.
  /// Above it, the number of the signature.
  public var signatureAndAsset: UInt32

  @inlinable
  package init(tag: UInt32, kindAndLength: UInt32, name: UInt32, signatureAndAsset: UInt32) {
    self.tag = tag
    self.kindAndLength = kindAndLength
    self.name = name
    self.signatureAndAsset = signatureAndAsset
  }

  @inlinable package static var empty: AssetCell {
    AssetCell(tag: 0, kindAndLength: UInt32(noKind), name: 0, signatureAndAsset: 0)
  }
  /// The kind of an empty cell; no LookupKind has this value.
  @inlinable static var noKind: UInt8 { .max }

  @inlinable @inline(__always) package var kind: UInt8 { UInt8(truncatingIfNeeded: kindAndLength) }
  @inlinable @inline(__always) package var isEmpty: Bool { kind == AssetCell.noKind }
  @inlinable @inline(__always) var nameLength: Int { Int(kindAndLength >> 8) }

  /// Returns whether the cell can belong to a hash. True for the hash whose asset lies in this
  /// cell; almost never true for another hash, because the lower halves are compared.
  @inlinable @inline(__always) func has(_ hash: AssetNameHash) -> Bool {
    tag == hash.tag && !isEmpty
  }
}

/// The entry of a rendition in the index: its size, its style and its block. The style and the
/// block take 16 bits each, or 32 bits each if the archive has more of one of them. Their order is:
///
///     width (16)  height (16)  style (16 or 32)  block (16 or 32)
public struct LookupEntry: BitwiseCopyable, Sendable {
  /// The size in pixels. The size in the stretch of the style is added to it.
  package var width: UInt16 = 0
  package var height: UInt16 = 0
  package var style: UInt32 = 0
  package var block: UInt32 = 0

  @inlinable package init() {}

  @inlinable static func size(isWide: UInt8) -> Int { isWide == 0 ? 8 : 12 }

  /// The offsets of the fields of an entry in the index.
  @usableFromInline enum Offset {
    @inlinable static var width: Int { 0 }
    @inlinable static var height: Int { 2 }
    @inlinable static var style: Int { 4 }
    @inlinable static func block(isWide: Bool) -> Int { isWide ? 8 : 6 }
  }
}

/// The facts that many renditions have in common.
public struct StyleRecord: BitwiseCopyable, Sendable, Hashable {
  package var kinds = RenditionKinds()
  /// The flags of the block's header.
  package var flags: UInt32 = 0
  /// The raw value of a RenditionLayout.
  package var layout: UInt16 = 0
  package var reserved: UInt16 = 0
  /// The number of the stretch, plus 1; 0 if all numbers of the stretch are 0.
  package var stretch: UInt32 = 0

  @inlinable package init() {}

  /// The offsets of the fields that a lookup reads.
  @usableFromInline package enum Offset {
    @inlinable package static var kinds: Int { 0 }
    @inlinable package static var stretch: Int { 16 }
  }
}

/// The numbers that few renditions have.
public struct StretchRecord: BitwiseCopyable, Sendable, Hashable {
  /// The size in pixels, if it does not fit into 16 bits.
  package var width: UInt32 = 0
  package var height: UInt32 = 0
  /// The alignment insets.
  package var insets = IndexedInsets()
  package var caps = IndexedInsets()
  package var centerWidth: Float = 0
  package var centerHeight: Float = 0

  @inlinable package init() {}

  /// The offsets of the fields that a lookup reads.
  @usableFromInline package enum Offset {
    @inlinable package static var width: Int { 0 }
    @inlinable package static var height: Int { 4 }
    @inlinable package static var insets: Int { 8 }
    @inlinable package static var caps: Int { 24 }
    @inlinable package static var centerWidth: Int { 40 }
    @inlinable package static var centerHeight: Int { 44 }
  }
}

/// The record of a rendition that a lookup returns: its entry, style and stretch together. It has
/// the layout of `carve_rendition` in carve.h. Lengths are in points, except for those named
/// pixels.
public struct RenditionRecord: BitwiseCopyable, Sendable {
  /// The flags of the block's header. In C, the size of the structure is at this offset.
  package var flags: UInt32 = 0
  /// The raw value of a RenditionLayout. In C, the number of the rendition begins at this offset.
  package var layout: UInt16 = 0
  package var reserved: UInt16 = 0
  /// The size of the picture, even if the header of the block does not state it.
  public var pixelWidth: UInt32 = 0
  public var pixelHeight: UInt32 = 0
  public var kinds = RenditionKinds()
  /// The alignment insets.
  public var insets = IndexedInsets()
  public var caps = IndexedInsets()
  public var centerWidth: Float = 0
  public var centerHeight: Float = 0

  @inlinable package init() {}

  /// Returns whether each of the `kinds`, as one number, has a meaning. A reader refuses an index
  /// with other records, so that programs can rely on the numbers.
  ///
  /// All eight bytes are compared at once. For each byte, the table shows the largest value that
  /// has a meaning, and the room that is left up to 0x7F:
  ///
  ///     byte    0     1       2              3          4               5       6      7
  ///     field   scale content templateIntent isMirrored preservesVector slicing across down
  ///     largest 3     9       2              0          1               4       2      2
  ///     room    0x7C  0x76    0x7D           0x7F       0x7E            0x7B    0x7D   0x7D
  ///
  /// The largest values are those of the last cases: `RenditionContent.nothing` is 9,
  /// `SlicingMode.edgesOnly` is 4, `SlicingFill.uniform` is 2. (A new case makes the room of its
  /// byte smaller by 1.) A value and its room add up to 0x80 or more exactly if the value is too
  /// large, which sets the highest bit of the byte. The sum is at most 0xFE, so it never carries
  /// into the next byte. A value of 0x80 or more has the highest bit itself: the bit is left out of
  /// the sum and is looked at separately.
  @inlinable @inline(__always) package static func isSound(_ kinds: UInt64) -> Bool {
    // The room of each byte, from byte 7 to byte 0.
    let room: UInt64 = 0x7D7D_7B7E_7F7D_767C
    let sums = (kinds & 0x7F7F_7F7F_7F7F_7F7F) &+ room
    return (kinds | sums) & 0x8080_8080_8080_8080 == 0
  }
}

/// The small numbers of a rendition. `RenditionRecord.isSound` knows the largest value of each.
public struct RenditionKinds: BitwiseCopyable, Sendable, Hashable {
  /// The scale: 1, 2 or 3; 0 for a vector.
  package var scale: UInt8 = 0
  /// The raw value of a RenditionContent.
  package var content: UInt8 = 0
  /// How the picture is drawn: 0 if the toolkit decides, 1 with its colours, 2 as a mask.
  package var templateIntent: UInt8 = 0
  /// 0 in the index. A lookup in a view sets it.
  package var isMirrored: UInt8 = 0
  package var preservesVector: UInt8 = 0
  /// The raw value of a SlicingMode; 0 if the picture does not stretch by parts.
  package var slicing: UInt8 = 0
  /// The raw value of the SlicingFill with which the middle fills its width; `down` is the one for
  /// its height.
  package var across: UInt8 = 0
  package var down: UInt8 = 0

  @inlinable package init() {}
}

/// Distances from the edges of a picture.
public struct IndexedInsets: BitwiseCopyable, Sendable, Hashable {
  package var top: Float = 0
  package var left: Float = 0
  package var bottom: Float = 0
  package var right: Float = 0

  @inlinable package init() {}
}

/// The kind of contents of a rendition's payload.
public enum RenditionContent: UInt8, Sendable, CaseIterable {
  /// Contents that are neither shown nor returned by name: a table of icon sizes, a texture …
  case other = 0
  case bitmap, atlasLink, color, data, jpeg, heif, pdf, svg
  /// The catalogue says that nothing is shown here.
  case nothing
}

public enum SlicingMode: UInt8, Sendable, CaseIterable {
  case threePartHorizontal = 1
  case threePartVertical, ninePart
  /// Nine parts, of which the middle one is not drawn.
  case edgesOnly
}

public enum SlicingFill: UInt8, Sendable, CaseIterable {
  case stretch = 0
  case tile
  /// The caps grow with the middle.
  case uniform
}

extension IndexError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .notAnIndex: "not an index"
    case .otherVersion(let version):
      "it has version \(version), but this Carve reads only version "
        + "\(IndexHeader.currentVersion); programs of this Carve build an index each time they "
        + "open the archive"
    case .sections: "its sections do not fit together"
    case .tooLarge(let quantity, let count, let limit):
      "\(quantity.words) is \(count), but an index holds at most \(limit)"
    case .checksum: "the checksum does not match"
    }
  }
}
