// The report on recovered catalogues: remarks about renditions and names that the catalogues lack,
// or state otherwise than the archive; as text and JSON.

import Archive
import Bytes
import CatalogCompiler
import CatalogModel
import Documents

/// Something that a recovered catalogue does not tell.
package struct RecoveryRemark: Sendable, Hashable {
  package var name: ByteString
  /// The traits of a rendition in words; empty if the remark is about the asset.
  package var variant: String
  package var reason: String
  package var isDamage = false
}

/// The result of making catalogues of an archive.
package struct RecoveryReport: Sendable {
  package var remarks: [RecoveryRemark] = []
  package var sets: [SetType: Int] = [:]
  package var fileCount = 0
  package var renditions = 0
  /// The renditions that repeat others for newer systems in another codec.
  var newerDoubles = 0
  /// The layered icons beside the catalogue.
  var icons: [ByteString] = []
  private(set) var platform = ""
  private(set) var minimum = ""
  private(set) var families: [DeviceFamily] = []
  /// Whether the archive has vectors, which the compiler may write otherwise.
  var hasVectors = false
  /// Whether the archive has icons, which the compiler compiles only if it is told to.
  var hasIcons = false
  /// Whether a layered icon has bitmaps.
  var hasIconBitmaps = false

  package var hasDamage: Bool { remarks.contains(where: \.isDamage) }

  mutating func setTarget(_ target: CompileTarget) {
    platform = target.platform.rawValue
    minimum = "\(target.minimum)"
    families = target.families
  }

  mutating func add(
    _ name: ByteString, _ variant: String, _ reason: String, isDamage: Bool = false
  ) {
    remarks.append(
      RecoveryRemark(name: name, variant: variant, reason: reason, isDamage: isDamage))
  }

  /// Puts the remarks in an order that does not depend on the threads.
  mutating func sort() {
    remarks.sort { ($0.reason, $0.name, $0.variant) < ($1.reason, $1.name, $1.variant) }
  }

  static func reason(for layout: RenditionLayout) -> String {
    switch layout {
    case .namedContents: "a list of names is made anew from what it lists"
    case .gradient, .namedGradient: "a gradient of no layered icon has no set"
    case .iconStack, .iconGroup: "it is a part of a layered icon that is not whole"
    case .externalLink: "its contents are not in the archive, but in an asset pack"
    case .texture, .textureImage: "textures are not compiled"
    case .arObject: "a reference object belongs to no group"
    default: "catalogues have no set for a rendition of layout \(layout.rawValue)"
    }
  }
}

// MARK: - Texts

extension RecoveryReport {
  /// The words of the command that compiles the catalogues in a folder.
  private func command(_ folder: ByteString) -> [ByteString] {
    var words: [ByteString] = ["carve", "compile", joined(folder, RecoveredPlaces.catalog)]
    words += icons.map { joined(folder, $0) }
    words += ["--platform", ByteString(platform), "--minimum-deployment-target"]
    words.append(ByteString(minimum))
    for family in families { words += ["--target-device", ByteString(family.rawValue)] }
    if hasIcons { words.append("--include-all-app-icons") }
    if sets[.iconBundle] != nil, !hasIconBitmaps { words.append("--no-icon-bitmaps") }
    if hasVectors { words.append("--keep-vectors") }
    for type in CompileOptions.incompleteTypes where sets[type] != nil {
      words += ["--allow-incomplete", ByteString(type.rawValue)]
    }
    return words + ["-o", "Assets.car"]
  }

  private var sortedSets: [(key: SetType, value: Int)] {
    sets.sorted { $0.key.rawValue < $1.key.rawValue }
  }

  private var counts: String {
    sortedSets.map { counted($0.value, ".\($0.key.rawValue) folder") }
      .joined(separator: ", ")
  }

  /// The report for people about catalogues in a folder.
  package func text(_ folder: ByteString) -> String {
    var lines = [
      "\(onOneLine(folder)): \(counts.isEmpty ? "no sets" : counts); \(counted(fileCount, "file"))"
    ]
    if newerDoubles > 0 {
      lines.append(
        "\(counted(newerDoubles, "rendition")) for newer systems repeat others in another codec")
    }
    var rest = remarks[...]
    while let first = rest.first {
      let same = rest.prefix { $0.reason == first.reason }
      rest = rest.dropFirst(same.count)
      let shown = same.prefix(4).map { remark in
        onOneLine(remark.name) + (remark.variant.isEmpty ? "" : " (\(onOneLine(remark.variant)))")
      }
      let more = same.count > 4 ? "; and \(same.count - 4) more" : ""
      lines.append(
        "\(first.isDamage ? "damaged" : "not told"): \(onOneLine(first.reason)): "
          + shown.joined(separator: "; ") + more)
    }
    lines.append("compile it with: " + command(folder).map { shellWord($0) }.joined(separator: " "))
    return lines.joined(separator: "\n") + "\n"
  }

  package func json(_ folder: ByteString) -> JSONOutput {
    [
      "folder": .name(folder), "renditions": .integer(renditions), "files": .integer(fileCount),
      "sets": .object(sortedSets.map { .init($0.key.rawValue, .integer($0.value)) }),
      "newerDoubles": .integer(newerDoubles),
      "compile": .array(command(folder).map { .name($0) }),
      "remarks": .array(
        remarks.map { remark in
          [
            "name": .name(remark.name), "variant": .string(remark.variant),
            "reason": .string(remark.reason), "damaged": .bool(remark.isDamage),
          ]
        }),
    ]
  }

  /// Returns a word of a command as a shell reads it.
  private func shellWord(_ word: ByteString) -> String {
    let text = onOneLine(word)
    let isPlain = text.unicodeScalars.allSatisfy { scalar in
      scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)
        || "-_./+:,@%=".unicodeScalars.contains(scalar)
    }
    return isPlain && !text.isEmpty ? text : inShellQuotes(text)
  }
}
