// Launch images: full-screen pictures shown while an app starts. Storyboards have replaced them.

import Documents
import Traits

package struct LaunchImageEntry: Sendable, Hashable {
  package var slot: Slot
  package var file: SourceFile?
  package var orientation: String?
  package var extent: String?
  /// The text of a system version (`OSVersion`).
  package var minimumSystemVersion: String?

  package init(slot: Slot) { self.slot = slot }
}

package struct LaunchImageSet: Sendable, Hashable {
  package var entries: [LaunchImageEntry] = []

  package init() {}
}

// MARK: - Reading

extension SetReader {
  /// Returns the text of a system version. Reports any other text, and returns nil.
  fileprivate func systemVersion(_ fields: Fields, _ key: String) -> String? {
    guard let text = fields.string(key) else { return nil }
    if OSVersion(text) != nil { return text }
    findings.add(
      .unknownValue, "\(quoted(text)) is not a system version such as \"8.0\"",
      at: fields.pointer(of: key))
    return nil
  }
}

extension LaunchImageSet {
  init(reading root: Fields, in reader: SetReader) {
    let info = reader.readInfo(root)
    let properties = reader.readProperties(root)
    // Apple's reference names the key "data"; Xcode writes "images".
    let objects = (root.objects("images") ?? []) + (root.objects("data") ?? [])
    entries = objects.compactMap { fields in
      let file = reader.file(fields)
      guard let slot = reader.slot(fields, file: file) else { return nil }
      var entry = LaunchImageEntry(slot: slot)
      entry.file = file
      entry.orientation = fields.word("orientation", of: ["portrait", "landscape"])
      entry.extent = fields.word("extent", of: ["full-screen", "to-status-bar"])
      entry.minimumSystemVersion = reader.systemVersion(fields, "minimum-system-version")
      _ = reader.size(fields)
      fields.finish()
      return entry
    }
    info?.finish()
    properties?.finish()
  }
}
