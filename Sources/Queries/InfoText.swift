// The text of `info`: the table of an archive's renditions, and the lines about an object.
// ArchiveReport.swift has the facts, and makes the JSON of them.

import Archive
import ArchiveTools
import Bytes
import CatalogCompiler
import CatalogModel
import Documents

package enum RenditionOrder: String, CaseIterable, Sendable { case name, bytes }

/// The renditions that a report shows.
package struct RenditionSelection: Sendable {
  /// Parts of the names of assets in any case; empty for all names.
  package var names: [ByteString] = []
  /// Parts of the kinds of renditions in any case; empty for all kinds.
  package var kinds: [String] = []
  package var minimumSize = 0
  package var order = RenditionOrder.name

  package init() {}
}

extension ArchiveReport {
  /// Returns the indices of the selected renditions, in the requested order.
  package func places(_ selection: RenditionSelection) -> [Int] {
    func holds(_ text: String, _ words: [String]) -> Bool {
      let folded = text.lowercased()
      return words.isEmpty || words.contains { folded.contains($0.lowercased()) }
    }
    let shown = renditions.indices.filter { index in
      holds(renditions[index].name.text, selection.names.map(\.text))
        && holds(renditions[index].type, selection.kinds)
        && charges[index] >= selection.minimumSize
    }
    if selection.order == .name { return shown }
    return shown.sorted { (charges[$1], $0) < (charges[$0], $1) }
  }

  /// Returns why nothing is selected, with what could have been meant; nil if something is. Atlases
  /// do not count unless their kind is named: their names are made by a compiler.
  package func hint(about selection: RenditionSelection) -> String? {
    let namesAtlases = selection.kinds.contains { $0.lowercased().hasPrefix("pack") }
    func found(_ part: RenditionSelection) -> [Int] {
      places(part).filter { namesAtlases || renditions[$0].type != "PackedImage" }
    }
    if renditions.isEmpty || !found(selection).isEmpty { return nil }
    var part = RenditionSelection()
    part.kinds = selection.kinds
    if found(part).isEmpty {
      let known = Set(renditions.map(\.type)).sorted()
      return "no rendition has a kind with \(quotedList(part.kinds)); the kinds are "
        + listed(known, joinedBy: "and")
    }
    (part.kinds, part.names) = ([], selection.names)
    if found(part).isEmpty {
      let known = Set(found(RenditionSelection()).map { renditions[$0].name }).sorted()
      let near = part.names.lazy.map { suggestion(for: $0, in: known) }.first { !$0.isEmpty }
      return "no asset has a name with \(quotedList(part.names))\(near ?? "")"
    }
    part.kinds = selection.kinds
    guard let largest = found(part).map({ charges[$0] }).max() else {
      return "no rendition has both such a name and such a kind"
    }
    return "no such rendition has \(grouped(selection.minimumSize)) bytes; the largest has "
      + grouped(largest)
  }

  /// Returns the lines about the archive, then a row for each of some renditions, then the parts
  /// that drawings leave out.
  package func lines(about shown: [Int]) -> [String] {
    let header = archive.header
    let tool = header.toolVersion.filter { !$0.isNewline }
    let platform = metadata.map { metadata in
      ([metadata.platform, metadata.platformVersion].filter { !$0.isEmpty }).joined(separator: " ")
    }
    let first =
      "\(tool)\(platform.map { ", \($0)" } ?? ""), CoreUI \(header.coreUIVersion), "
      + "storage \(header.storageVersion)"
    let counts =
      "\(counted(facetCount, "name")), \(counted(renditions.count, "rendition")), "
      + "\(grouped(archive.bytes.count)) bytes"
    let remarks = remarks(on: shown)
    return [first, counts, ""] + alignedColumns(rows(shown), right: [5])
      + (remarks.isEmpty ? [] : [""]) + remarks
  }

  /// Returns the table: renditions, then their sum, or the parts of the file if all are shown.
  private func rows(_ shown: [Int]) -> [[String]] {
    var rows = [["NAME", "KIND", "VARIANT", "SIZE", "STORED AS", "BYTES"]]
    for index in shown { rows.append(row(index)) }
    if shown.count < renditions.count {
      let bytes = shown.reduce(0) { $0 + charges[$1] }
      rows.append(["\(grouped(shown.count)) of these", "", "", "", "", grouped(bytes)])
    } else if let parts {
      rows += [
        ["pictures", "", "", "", "", grouped(parts.pictures)],
        ["index", "", "", "", "", grouped(parts.index)],
        ["names and keys", "", "", "", "", grouped(parts.tables)],
      ]
    }
    return rows
  }

  private func remarks(on shown: [Int]) -> [String] {
    shown.compactMap { index in
      let rendition = renditions[index]
      return rendition.drawingRemark.map { remark in
        let variant = rendition.variant.isEmpty ? "" : " (\(rendition.variant))"
        return onOneLine("\(rendition.name)\(variant) \(remark)")
      }
    }
  }

  private func row(_ index: Int) -> [String] {
    let rendition = renditions[index]
    let header = rendition.rendition.header
    let format = header.pixelFormat.description
    let stored = [format, rendition.compression ?? ""].filter { !$0.isEmpty }
    return [
      rendition.name.text, rendition.type, rendition.variant,
      rendition.color ?? (rendition.width == 0 ? "" : "\(rendition.width)×\(rendition.height)"),
      header.layout == .internalLink ? "atlas" : stored.joined(separator: " "),
      charges[index] > 0
        ? grouped(charges[index]) : header.layout == .atlas ? "in its pictures" : "shared",
    ]
  }
}

extension ObjectFile {
  /// The facts about an object, and its settings.
  package var json: JSONOutput {
    [
      "object": .name(scope.label),
      "without": .array(
        scope.without.map { .name(joined(scope.name, $0.joined(separator: "/"))) }),
      "assets": .integer(assetCount), "blocks": .integer(blockCount), "bytes": .integer(byteCount),
      "settings": settings.stored,
    ]
  }

  /// Returns the lines about an object, and about its settings.
  package func lines(about path: ByteString) -> [String] {
    let left = scope.without.map { joined(scope.name, $0.joined(separator: "/")) }
    return [
      "\(path): an object of \(scope.label)"
        + (left.isEmpty ? "" : " without \(left.joined(separator: ", "))")
        + ": \(counted(assetCount, "asset")), \(counted(blockCount, "block")), "
        + "\(grouped(byteCount)) bytes",
      "  \(settings.words.joined(separator: " "))",
    ]
  }
}
