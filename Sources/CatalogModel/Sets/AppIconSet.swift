// App icon sets, classic (one file per size) and single-size, and the icons of sticker packs.

import Bytes
import Documents
import Traits

package struct AppIconEntry: Sendable, Hashable {
  package var slot: Slot
  package var file: SourceFile?
  package var size: PointSize?
  /// The role of a watch icon: "notificationCenter", "appLauncher" ….
  package var role: String?

  package init(slot: Slot) { self.slot = slot }

  /// The size in pixels that the file must have; nil if the entry names no size. A single-size icon
  /// has no scale, so its size in pixels equals its size in points.
  package var pixelSize: PointSize? {
    guard let size else { return nil }
    let scale = Double(slot.scale ?? 1)
    return PointSize(width: size.width * scale, height: size.height * scale)
  }
}

package struct AppIconSet: Sendable, Hashable {
  package var entries: [AppIconEntry] = []
  package var isPrerendered = false

  package init() {}
}

// MARK: - Reading

extension AppIconSet {
  init(reading root: Fields, in reader: SetReader) {
    let info = reader.readInfo(root)
    let properties = reader.readProperties(root)
    isPrerendered = properties?.bool("pre-rendered") ?? false
    entries = (root.objects("images") ?? []).compactMap { reader.appIconEntry($0) }
    info?.finish()
    properties?.finish()
  }
}

extension SetReader {
  fileprivate func appIconEntry(_ fields: Fields) -> AppIconEntry? {
    let file = file(fields)
    guard let slot = slot(fields, file: nil) else { return nil }
    var entry = AppIconEntry(slot: slot)
    entry.file = file
    entry.size = size(fields)
    entry.role = fields.word(
      "role",
      of: [
        "notificationCenter", "companionSettings", "appLauncher", "longLook", "quickLook",
      ])
    _ = fields.word("matching-style", of: ["fully-qualified-name"])
    if entry.size == nil, !fields.has("size"), file != nil, !slot.isUnassigned {
      findings.add(
        .missingKey, "the icon has no \"size\"", at: fields.pointer, subject: "size")
    }
    fields.finish()
    return entry
  }

  /// Reads a size in points such as "83.5x83.5", width before height.
  func size(_ fields: Fields) -> PointSize? {
    guard let found = fields.find("size", as: .string) else { return nil }
    guard case .string(let text) = found.value else {
      fields.wrongType(found, "a string such as \"60x60\"")
      return nil
    }
    let sides = text.lowercased().split(separator: "x", omittingEmptySubsequences: false)
      .map { Double($0.text) }
    guard sides.count == 2, let width = sides[0], let height = sides[1],
      (0.5...16384).contains(width), (0.5...16384).contains(height)
    else {
      findings.add(
        .unknownValue, "\(quoted(text)) is not a size such as \"60x60\"", at: found.pointer)
      return nil
    }
    return PointSize(width: width, height: height)
  }
}
