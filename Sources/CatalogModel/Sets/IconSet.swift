// Icon sets of macOS. They have no Contents.json: the name of each file tells its size and scale.

import Bytes

package struct IconSetEntry: Sendable, Hashable {
  package var file: SourceFile
  /// The side in points: 16, 32, 128, 256 or 512.
  package var size: Int
  package var scale: UInt8

  package init(file: SourceFile, size: Int, scale: UInt8) {
    self.file = file
    self.size = size
    self.scale = scale
  }
}

package struct IconSet: Sendable, Hashable {
  /// The entries, sorted by size, then by scale.
  package var entries: [IconSetEntry] = []

  package init() {}
}

// MARK: - Reading

extension IconSet {
  init(in reader: SetReader) {
    for entry in reader.folder.entries where entry.kind == .file && !entry.name.isHidden {
      guard let (size, scale) = iconNumbers(entry.name) else { continue }
      let file = reader.file(named: entry.name, at: "")
      entries.append(IconSetEntry(file: file, size: size, scale: scale))
    }
    entries.sort { ($0.size, $0.scale) < ($1.size, $1.scale) }
  }
}

/// Returns 16 and 2 for "icon_16x16@2x.png"; nil for other names.
private func iconNumbers(_ name: ByteString) -> (size: Int, scale: UInt8)? {
  for size in [16, 32, 128, 256, 512] {
    let stem: ByteString = "icon_\(size)x\(size)"
    if name == stem + ".png" { return (size, 1) }
    if name == stem + "@2x.png" { return (size, 2) }
  }
  return nil
}
