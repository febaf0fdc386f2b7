// Indexes for tests, of names and renditions without their archive.

import Traits

@testable import Archive

/// A rendition with its key.
struct SampleRendition {
  var key: VariantKey
  var record: RenditionRecord
  var block: BlockID
}

/// A name of one kind, with one rendition for each key.
struct SampleAsset {
  var name: [UInt8]
  /// The number of bytes from the first name in the file to this name.
  var place: UInt32 = 0
  var kind = AssetKind.image
  var identifier: UInt16 = 1
  var renditions: [SampleRendition]
}

/// Returns the bytes of an index whose identity is still 0, of assets with different names.
func indexBytes(
  of assets: [SampleAsset], firstName: BlockID = BlockID(0),
  atlases: [(key: RenditionKey, rendition: SampleRendition)] = []
) throws(IndexError) -> [UInt8] {
  var all = atlases.map { $0.rendition }
  var tables = IndexTables(assets: assets.count, renditions: 0, firstName: firstName)
  for asset in assets.sorted(by: { $0.name.lexicographicallyPrecedes($1.name) }) {
    let renditions = asset.renditions.sorted { $0.key < $1.key }
    try tables.add(
      name: asset.name[...], at: asset.place, LookupKind(asset.kind),
      identifier: asset.identifier,
      renditions.enumerated().map {
        KeyedRendition(key: $1.key, number: UInt32(all.count + $0))
      })
    all += renditions
  }
  try tables.finish(atlases: atlases.enumerated().map { ($1.key, UInt32($0)) })
  return try tables.laidOut { number in
    let rendition = all[Int(number)]
    return IndexedRendition(record: rendition.record, block: rendition.block)
  }
}
