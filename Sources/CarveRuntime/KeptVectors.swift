// The vectors that archives keep beside the bitmaps that were drawn of them. A lookup answers with
// the bitmap of the window's scale; drawing at another size needs the vector.

import Archive
import Traits

extension CatalogView {
  /// Returns the vector of the shown variant: the variant itself if it is a vector, otherwise the
  /// vector with the same traits that the archive keeps beside the bitmap. nil if nothing is shown,
  /// or if the archive keeps no such vector. `drawVector` draws it at any size.
  public func findVector(_ name: String, _ kind: AssetKind = .image) -> Variant? {
    name.withName { findVector(utf8: $0, kind) }
  }

  public func findVector(
    utf8 name: UnsafeRawBufferPointer, _ kind: AssetKind = .image
  ) -> Variant? {
    find(utf8: name, kind).flatMap { storage.vector(of: $0) }
  }

  public func findVector(_ id: AssetID) -> Variant? {
    find(id).flatMap { storage.vector(of: $0) }
  }
}

extension CatalogStorage {
  /// Returns the variant itself if it is a vector, otherwise the vector that is kept beside it.
  func vector(of variant: Variant) -> Variant? {
    if variant.isVector { return variant }
    guard
      let number = signatures.vector(beside: Int(variant.choice.rendition)),
      let kept = index.variant(
        Choice(rendition: UInt32(number), isMirrored: variant.choice.isMirrored)),
      kept.isVector
    else { return nil }
    return kept
  }
}

extension SignatureTable {
  /// Returns the number of the rendition that belongs to the same asset, and whose key differs from
  /// that of this rendition only in having no scale; nil if there is no such rendition.
  fileprivate func vector(beside rendition: Int) -> Int? {
    guard let position = position(of: rendition) else { return nil }
    let keys = keys(of: position.signature)
    var wanted = keys[keys.startIndex + position.ordinal]
    if wanted.scale == 0 { return nil }
    wanted.scale = 0
    guard let found = keys.firstIndex(of: wanted) else { return nil }
    let number =
      firstRendition(of: position.signature, key: found - keys.startIndex) + position.asset
    return number <= Int(UInt32.max) ? number : nil
  }
}
