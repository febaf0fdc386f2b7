// Makes launch images of iOS: files beside the archive, whose names contain the system, the display
// and the orientation, and entries of the property list. They are not put into the archive.

import Bytes
import CatalogModel
import Documents
import Traits

struct LaunchImageFile {
  var fileName: ByteString
  var source: SourceFile
  /// The entry in the property list; nil for pictures that name no system, which share one key.
  var entry: PropertyValue?
}

extension LaunchImageSet {
  /// Returns the files of the set, sorted by name.
  func files(named name: ByteString) -> [LaunchImageFile] {
    var files: [ByteString: LaunchImageFile] = [:]
    for entry in entries where !entry.slot.isUnassigned && entry.extent != "to-status-bar" {
      guard let source = entry.file, source.exists else { continue }
      let file = entry.file(source, named: name)
      files[file.fileName] = files[file.fileName] ?? file
    }
    return files.values.sorted { $0.fileName < $1.fileName }
  }
}

extension LaunchImageEntry {
  fileprivate func file(_ source: SourceFile, named name: ByteString) -> LaunchImageFile {
    let isPad = slot.key.idiom == .pad
    let isLandscape = orientation == "landscape"
    var stem = lastComponent(name)
    let system = minimumSystemVersion.flatMap { OSVersion($0) }
    // "8.0" becomes 800.
    if let system { stem += "-\(system.major)\(system.minor)0" }
    if isPad || showsOrientation { stem += isLandscape ? "-Landscape" : "-Portrait" }
    if slot.key.subtype != 0, !isPad { stem += "-\(displayHeight)h" }
    let scale: ByteString = slot.key.scale > 1 ? "@\(slot.key.scale)x" : ""
    var entry: PropertyValue?
    if let version = minimumSystemVersion, let system, system >= OSVersion(7) {
      let points = displaySize
      entry = .dictionary([
        "UILaunchImageMinimumOSVersion": .string(version), "UILaunchImageName": .name(stem),
        "UILaunchImageOrientation": .string(isLandscape ? "Landscape" : "Portrait"),
        "UILaunchImageSize": .string("{\(points.0), \(points.1)}"),
      ])
    }
    return LaunchImageFile(
      fileName: stem + scale + (isPad ? "~ipad" : "") + "." + source.fileExtension,
      source: source, entry: entry)
  }

  /// Whether the file name of a phone picture contains the orientation. It does for phones on which
  /// apps can start in both orientations.
  private var showsOrientation: Bool { [736, 1792, 2436, 2688].contains(displayHeight) }

  /// The height by which names identify the display. Archives use other numbers for three displays.
  private var displayHeight: Int {
    switch slot.key.subtype {
    case 569: 667
    case 570: 736
    case 2732: 1366
    default: Int(slot.key.subtype)
    }
  }

  /// The size of the display in points, in portrait orientation.
  private var displaySize: (Int, Int) {
    switch displayHeight {
    case 568: (320, 568)
    case 667: (375, 667)
    case 736: (414, 736)
    case 2436: (375, 812)
    case 1792, 2688: (414, 896)
    case 2388: (834, 1194)
    case 1366: (1024, 1366)
    default: slot.key.idiom == .pad ? (768, 1024) : (320, 480)
    }
  }
}
