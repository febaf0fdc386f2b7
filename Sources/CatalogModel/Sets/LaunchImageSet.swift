// Launch images: full-screen pictures shown while an app starts. Storyboards have replaced them.

package struct LaunchImageEntry: Sendable, Hashable {
  package var slot: Slot
  package var file: SourceFile?
  package var orientation: String?
  package var extent: String?
  package var minimumSystemVersion: String?

  package init(slot: Slot) { self.slot = slot }
}

package struct LaunchImageSet: Sendable, Hashable {
  package var entries: [LaunchImageEntry] = []

  package init() {}
}

// MARK: - Reading

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
      entry.minimumSystemVersion = fields.string("minimum-system-version")
      _ = reader.size(fields)
      fields.finish()
      return entry
    }
    info?.finish()
    properties?.finish()
  }
}
