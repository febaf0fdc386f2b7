// The folders of recovered catalogues. A name of an archive becomes a folder that `carve compile`
// gives the same name again: its namespaces are groups that provide one. No name leads out of the
// folder, and no two sets have one folder, even on a disk that takes upper and lower case, or the
// forms of an accented letter, for equal.

import Archive
import ArchiveTools
import Bytes
import CatalogModel
import Host

package struct RecoveredPlaces: Sendable {
  /// The catalogue of all sets.
  package static let catalog: ByteString = "Assets.xcassets"

  /// The exact spelling of each folder that is in use, and whether it provides a namespace.
  private var used: [ByteString.CanonicalForm: (folder: ByteString, providesNamespace: Bool)] = [:]
  /// The names that no further set may get: those of all assets, and those that were given.
  private var names: Set<ByteString>
  /// The names that sets got, by the names that no folder can have.
  private var otherNames: [ByteString: ByteString] = [:]
  /// The next numbers for names that are in use.
  private var numbers: [ByteString.CanonicalForm: Int] = [:]
  /// The groups, in the order of their first use, and whether they provide a namespace.
  package private(set) var groups: [(folder: ByteString, providesNamespace: Bool)]
  /// The greatest number of further groups, which hold sets whose folders would be equal on some
  /// disks.
  private static let mostFurther = 100

  /// Begins the folders of a catalogue. `names` are those of all assets.
  package init(
    catalog: ByteString = RecoveredPlaces.catalog, names: Set<ByteString> = []
  ) {
    groups = [(catalog, false)]
    self.names = names
  }

  /// Returns the folder of a set, and the name that it has there if no folder can have its own.
  /// `outer` are groups that are no part of the name.
  package mutating func folder(
    for name: ByteString, _ type: SetType, below base: ByteString, in outer: [ByteString] = []
  ) -> (folder: ByteString, otherName: ByteString?) {
    var parts = name.split(separator: "/", omittingEmptySubsequences: false)
    let isUsable =
      parts.count <= FolderDepth.written && name.count <= RecoveredPlaces.longestName
      && parts.enumerated().allSatisfy { place, part in
        RecoveredPlaces.isUsable(part, isSet: place == parts.count - 1, type)
      }
    if !isUsable {
      let wanted = RecoveredPlaces.safe(parts.suffix(2).joined(separator: "_"))
      let other = otherNames[name] ?? unusedName(wanted)
      otherNames[name] = other
      parts = [other]
    }
    let ending: ByteString = ".\(type.rawValue)"
    let outer = outer.prefix(FolderDepth.written).map { part in
      RecoveredPlaces.isUsable(part, isSet: false, type) ? part : RecoveredPlaces.group(part)
    }
    for number in 1...RecoveredPlaces.mostFurther {
      let further: [ByteString] = number == 1 ? [] : ["More \(number)"]
      if let folder = take(further + outer, parts, ending, below: base) {
        return (folder, isUsable ? nil : parts.joined(separator: "/"))
      }
    }
    // The further groups are used up: more sets than any app has would lie in equal folders on some
    // disks. The rest get numbers and lie in no group, because the names of groups may be equal,
    // too.
    let wanted = RecoveredPlaces.safe(parts.joined(separator: "_"))
    while true {
      let other = unusedName(wanted)
      if let folder = take([], [other], ending, below: base) { return (folder, other) }
    }
  }

  /// Returns a name that no asset has: the wanted one, or with a number.
  private mutating func unusedName(_ wanted: ByteString) -> ByteString {
    if names.insert(wanted).inserted { return wanted }
    let form = wanted.lowercased().canonicalForm
    while true {
      let number = numbers[form, default: 2]
      numbers[form] = number + 1
      let name: ByteString = "\(wanted) \(number)"
      if names.insert(name).inserted { return name }
    }
  }

  /// Takes the folder of a set and the groups above it; nil if one of them is in use for another
  /// name.
  private mutating func take(
    _ further: [ByteString], _ parts: [ByteString], _ ending: ByteString, below base: ByteString
  ) -> ByteString? {
    var path = base
    var added: [(folder: ByteString, providesNamespace: Bool)] = []
    for (place, part) in (further + parts.dropLast()).enumerated() {
      path = joined(path, part)
      let providesNamespace = place >= further.count
      guard let known = used[path.lowercased().canonicalForm] else {
        added.append((path, providesNamespace))
        continue
      }
      if known.folder != path || known.providesNamespace != providesNamespace { return nil }
    }
    let set = joined(path, (parts.last ?? "unnamed") + ending)
    guard used[set.lowercased().canonicalForm] == nil else { return nil }
    for group in added { used[group.folder.lowercased().canonicalForm] = group }
    used[set.lowercased().canonicalForm] = (set, false)
    groups += added
    return set
  }

  /// The length of the longest name of a file.
  private static let longest = 255
  /// The length of the longest name with its namespaces; macOS allows 1,024 bytes for a path.
  private static let longestName = 600

  /// Returns whether a component of a name can be the name of a folder and is read back as it is.
  private static func isUsable(_ part: ByteString, isSet: Bool, _ type: SetType) -> Bool {
    let ending = isSet ? type.rawValue.utf8.count + 1 : 0
    guard !part.isEmpty, !part.isHidden, !part.contains(0), part.isUTF8,
      part.count + ending <= longest
    else { return false }
    if isSet { return true }
    // A group with the extension of a set would be read as one, and this file is in each group.
    return FolderRole.setType(pathExtension(part)) == nil && part.lowercased() != "contents.json"
  }

  /// Returns a name of a group for one that no group can have.
  private static func group(_ part: ByteString) -> ByteString {
    var name = "_" + safe(part)
    while FolderRole.setType(pathExtension(name)) != nil {
      name = withoutExtension(name) + "_" + pathExtension(name)
    }
    return name
  }

  package static func safe(_ name: ByteString) -> ByteString { ExtractedNames.safe(name.text) }

  /// Returns the name of a file for a name in an archive, with an extension that fits its bytes.
  static func fileName(_ name: ByteString, _ ending: ByteString) -> ByteString {
    let plain = safe(lastComponent(name))
    let others: [ByteString: [ByteString]] = ["jpg": ["jpeg"], "heic": ["heif", "hif"]]
    let own = pathExtension(plain)
    if ending.isEmpty || own == ending || others[ending]?.contains(own) == true { return plain }
    let known: Set<ByteString> = [
      "png", "jpg", "jpeg", "heic", "heif", "pdf", "svg", "gif", "tif", "tiff", "webp", "bmp",
      "psd",
    ]
    return (known.contains(own) ? withoutExtension(plain) : plain) + "." + ending
  }

  /// Returns the extension of a file that an archive stores as it is; empty for data.
  static func ending(of header: CSIHeader) -> ByteString {
    switch header.pixelFormat {
    case .pdf: "pdf"
    case .svg: "svg"
    case .jpeg: "jpg"
    case .heif: "heic"
    case .webp: "webp"
    default: ""
    }
  }
}
