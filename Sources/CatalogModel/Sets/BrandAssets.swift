// Brand assets of tvOS: the icons and shelf pictures of one app.

import Bytes
import Traits

package struct BrandAsset: Sendable, Hashable {
  package enum Role: String, CaseIterable, Sendable, Hashable {
    case primaryAppIcon = "primary-app-icon"
    case topShelf = "top-shelf-image"
    case topShelfWide = "top-shelf-image-wide"
  }

  package var slot: Slot
  /// The name of a folder inside the set ("App Icon.imagestack").
  package var filename: ByteString?
  package var role: Role?
  package var size: PointSize?
  /// Whether the entry has no key `size`.
  package var hasNoSize = false

  package init(slot: Slot) { self.slot = slot }
}

package struct BrandAssets: Sendable, Hashable {
  package var assets: [BrandAsset] = []

  package init() {}

  /// The icon of the home screen: the smaller one. The other is that of the App Store.
  package var smallIcon: BrandAsset? {
    assets.filter { $0.role == .primaryAppIcon }
      .min { ($0.size?.width ?? 0) < ($1.size?.width ?? 0) }
  }
}

extension BrandAsset {
  /// Whether the asset is the icon of the App Store. Icons of the home screen are 400 points wide.
  package var isStoreIcon: Bool { role == .primaryAppIcon && (size?.width ?? 0) > 400 }
}

// MARK: - Reading

extension BrandAssets {
  init(reading root: Fields, in reader: SetReader) {
    let info = reader.readInfo(root)
    let properties = reader.readProperties(root)
    assets = (root.objects("assets") ?? []).compactMap { fields in
      let part = fields.has("filename") ? reader.folderReference(fields) : nil
      guard let slot = reader.slot(fields, file: nil) else { return nil }
      var asset = BrandAsset(slot: slot)
      asset.filename = part?.filename
      asset.role = fields.choice("role")
      asset.size = reader.size(fields)
      asset.hasNoSize = !fields.has("size")
      if part != nil, !slot.isUnassigned { reader.requireRole(fields) }
      fields.finish()
      return asset
    }
    info?.finish()
    properties?.finish()
  }
}
