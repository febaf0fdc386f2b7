// The differences between two archives: names, renditions and their properties, pixels, and the
// bytes that devices keep; and their text for people.

import Archive
import Bytes
import Documents
import Imaging
import Traits

/// A rendition that is in one archive only, or that differs.
package struct RenditionDifference: Sendable, Hashable {
  package enum Change: String, Sendable, Hashable {
    case added, removed, changed
  }

  package var asset: ByteString
  /// Whether the asset has a name under which programs look it up.
  package var isNamed = true
  /// The words that distinguish the rendition from others of the same name.
  package var variant: String
  /// The constraints of the rendition; nil if its key holds more than traits.
  package var key: VariantKey?
  package var change: Change
  /// The properties that changed: flags, size, layout, file name, pixels, slices …
  package var aspects: [String] = []
  /// For a picture whose colours differ: the greatest difference of a channel, in steps of 1/255.
  package var greatest: Int?
  package var before = 0
  package var after = 0

  /// Whether only the colours differ, and the packing of an atlas explains it.
  package var isWithinRounding: Bool { aspects == [ArchiveDifference.packedOtherwise] }
}

/// A change that may be a change of colours alone.
package protocol JudgedChange {
  var aspects: [String] { get }
  var greatest: Int? { get }
}

extension RenditionDifference: JudgedChange {}

extension Array where Element: JudgedChange {
  /// Moves the changes of colours alone to the end, those with the greatest difference first. The
  /// other changes keep their order.
  package func sortedByDifference() -> [Element] {
    func rank(_ index: Int) -> (Int, Int) {
      let change = self[index]
      return change.aspects.count == 1 ? (-(change.greatest ?? 256), index) : (-256, index)
    }
    return indices.sorted { rank($0) < rank($1) }.map { self[$0] }
  }
}

/// A changed picture of one of the archives whose pixels cannot be decoded.
package struct DamagedPicture: Sendable, Hashable {
  package var isInNew: Bool
  package var asset: ByteString
  package var variant: String
  package var reason: String

  /// Names the picture and the reason, as `extract` does.
  package var text: String {
    "\"\(onOneLine(asset))\" (\(onOneLine(variant))) is damaged: \(reason)"
  }
}

/// A field of the archive's header or metadata that differs.
package struct FieldDifference: Sendable, Hashable {
  package var field: String
  package var before: String
  package var after: String
}

/// All differences between two archives.
package struct ArchiveDifference: Sendable {
  package var addedNames: [ByteString] = []
  package var removedNames: [ByteString] = []
  package var renditions: [RenditionDifference] = []
  package var damaged: [DamagedPicture] = []
  package var fields: [FieldDifference] = []
  /// The parts of the old file; `after` has those of the new one.
  package var before = FileParts(file: 0, pictures: 0, index: 0)
  package var after = FileParts(file: 0, pictures: 0, index: 0)
  /// The bytes that devices keep of each archive when it is thinned for them.
  package var devices: [DeviceDifference] = []

  /// The bytes of the renditions that are equal in both archives. The numbers differ if atlases
  /// were packed differently.
  package var unchanged: (before: Int, after: Int) {
    (
      before.pictures - renditions.reduce(0) { $0 + $1.before },
      after.pictures - renditions.reduce(0) { $0 + $1.after }
    )
  }

  /// Whether texts list pictures that differ by no more than rounding.
  package var listsRounding = false

  /// The aspects of a picture whose colours differ: in general, and if an atlas explains it.
  package static let pixels = "pixels"
  package static let packedOtherwise = "packed otherwise"

  /// Whether both archives show the same. Their bytes and the tools that wrote them may differ.
  package var isEmpty: Bool { renditions.isEmpty && addedNames.isEmpty && removedNames.isEmpty }
}

extension ArchiveDifference {
  /// Compares two archives, and the bytes that these devices keep of each. `isUnchanged` says
  /// whether both archives made a variant from equal files; nil if that is not known.
  package init(
    from old: UnsafeRawBufferPointer, to new: UnsafeRawBufferPointer, devices: [Device],
    isUnchanged: @escaping (ByteString, VariantKey) -> Bool? = { _, _ in nil }
  ) throws(ThinningError) {
    var oldThinner = try Thinner(old)
    var newThinner = try Thinner(new)
    do throws(FormatError) {
      let oldCharges = try oldThinner.opened.charges()
      let newCharges = try newThinner.opened.charges()
      before = try oldThinner.opened.parts(pictures: oldCharges.sum)
      after = try newThinner.opened.parts(pictures: newCharges.sum)
      var comparison = ArchiveComparison(
        (oldThinner.opened, oldCharges), (newThinner.opened, newCharges),
        isUnchanged: isUnchanged)
      renditions = try comparison.renditions()
      damaged = comparison.damaged
      let oldNames = Set(oldThinner.opened.inventory.facets.names)
      let newNames = Set(newThinner.opened.inventory.facets.names)
      addedNames = newNames.subtracting(oldNames).sorted()
      removedNames = oldNames.subtracting(newNames).sorted()
      fields = try oldThinner.opened.archive.differences(from: newThinner.opened.archive)
    } catch {
      throw .format(error)
    }
    self.devices = devicesByBytes(devices, &oldThinner, &newThinner)
  }
}

extension Archive {
  fileprivate func differences(from other: Archive) throws(FormatError) -> [FieldDifference] {
    let mine = try description()
    let theirs = try other.description()
    return zip(mine, theirs).compactMap { old, new in
      old.value == new.value
        ? nil : FieldDifference(field: old.field, before: old.value, after: new.value)
    }
  }

  private func description() throws(FormatError) -> [(field: String, value: String)] {
    let metadata = try metadata()
    return [
      ("tool", header.toolVersion), ("CoreUI version", "\(header.coreUIVersion)"),
      ("storage version", "\(header.storageVersion)"),
      ("key semantics", "\(header.keySemantics.rawValue)"),
      ("platform", metadata?.platform ?? ""), ("platform version", metadata?.platformVersion ?? ""),
      ("authoring tool", metadata?.authoringTool ?? ""),
      ("thinning arguments", metadata?.thinningArguments ?? ""),
      ("key format", keyFormat.columns.map { "\($0.rawValue)" }.joined(separator: " ")),
    ]
  }
}

// MARK: - Text for people

// Writes the differences of two archives as text, as markdown for a comment, and as JSON.

extension RenditionDifference {
  /// The aspects, with the greatest difference of the colours.
  var aspectWords: String {
    let words = aspects.joined(separator: ", ")
    return greatest.map { "\(words) (by up to \($0)/255)" } ?? words
  }

  /// The members of the JSON that only changed pictures have.
  fileprivate var greatestMembers: [JSONOutput.Member] {
    greatest.map { [.init("greatestDifference", .integer($0))] } ?? []
  }

  var sign: String {
    switch change {
    case .added: "+"
    case .removed: "-"
    case .changed: "~"
    }
  }

  var sizes: String {
    switch change {
    case .added: "\(grouped(after)) bytes"
    case .removed: "\(grouped(before)) bytes"
    case .changed: ArchiveDifference.sizes(before, after)
    }
  }
}

extension ArchiveDifference {
  static func sizes(_ before: Int, _ after: Int) -> String {
    if before == after { return "\(grouped(before)) bytes" }
    return "\(grouped(before)) → \(grouped(after)) bytes (\(signed(after - before)))"
  }

  /// Returns numbers with words, as in `2 added, 1 removed`; empty if all numbers are 0.
  private func counts(_ counts: [(Int, String)]) -> String {
    counts.filter { $0.0 > 0 }.map { "\(grouped($0.0)) \($0.1)" }.joined(separator: ", ")
  }

  private var renditionCounts: String {
    func count(_ change: RenditionDifference.Change) -> Int {
      judged.count { $0.change == change }
    }
    return counts([
      (count(.added), "added"), (count(.removed), "removed"), (count(.changed), "changed"),
    ])
  }

  /// The parts of the file whose sizes changed.
  private var changedParts: [(part: String, old: Int, new: Int)] {
    let parts = [
      ("pictures", before.pictures, after.pictures),
      (
        "of these, unchanged renditions that are packed differently", unchanged.before,
        unchanged.after
      ),
      ("index", before.index, after.index), ("names and keys", before.tables, after.tables),
    ]
    return parts.filter { $0.1 != $0.2 }
  }

  /// The largest number of renditions without a name that are listed one by one.
  private static let mostUnnamed = 5

  /// The renditions that differ by more than rounding; all of them if the texts list those, too.
  private var judged: [RenditionDifference] {
    listsRounding ? renditions : renditions.filter { !$0.isWithinRounding }
  }

  private var unnamed: [RenditionDifference] { judged.filter { !$0.isNamed } }

  private var listed: [RenditionDifference] {
    unnamed.count > ArchiveDifference.mostUnnamed ? judged.filter(\.isNamed) : judged
  }

  /// The sentence about pictures that are not listed; nil if all are listed.
  private var roundingSentence: String? {
    let count = renditions.count - judged.count
    if count == 0 { return nil }
    return "\(counted(count, "picture")) \(count == 1 ? "differs" : "differ") by at most "
      + "\(Bitmap.greatestRounding)/255, as atlases that are packed otherwise do (--rounding lists "
      + "\(count == 1 ? "it" : "them"))"
  }

  /// The sums of the renditions that are not listed, one for each kind of change.
  private var foldedUnnamed: [RenditionDifference] {
    if unnamed.count <= ArchiveDifference.mostUnnamed { return [] }
    let kinds: [RenditionDifference.Change] = [.added, .removed, .changed]
    return kinds.compactMap { change in
      let group = unnamed.filter { $0.change == change }
      if group.isEmpty { return nil }
      var sum = RenditionDifference(
        asset: "\(counted(group.count, "rendition")) without a name", variant: "", change: change)
      sum.before = group.reduce(0) { $0 + $1.before }
      sum.after = group.reduce(0) { $0 + $1.after }
      return sum
    }
  }

  private var showsOnlyRounding: Bool {
    judged.isEmpty && addedNames.isEmpty && removedNames.isEmpty
  }

  /// The numbers of added and removed names; nil if no name changed.
  private var nameCounts: String? {
    let names = counts([(addedNames.count, "added"), (removedNames.count, "removed")])
    return names.isEmpty ? nil : names
  }

  package var text: String {
    var lines: [String] = []
    if isEmpty {
      lines.append("both archives show the same")
    } else if showsOnlyRounding {
      lines.append("both archives show the same, except for rounding")
    }
    if let nameCounts { lines.append("names: \(nameCounts)") }
    lines += addedNames.map { "  + \(onOneLine($0))" }
    lines += removedNames.map { "  - \(onOneLine($0))" }
    if !judged.isEmpty { lines.append("renditions: \(renditionCounts)") }
    for rendition in listed {
      let what = rendition.aspects.isEmpty ? "" : ": " + rendition.aspectWords
      lines.append(
        "  \(rendition.sign) \(onOneLine(rendition.asset)) (\(onOneLine(rendition.variant)))"
          + "\(what), \(rendition.sizes)")
    }
    lines += foldedUnnamed.map { "  \($0.sign) \($0.asset), \($0.sizes)" }
    if let roundingSentence { lines.append(roundingSentence) }
    for field in fields {
      lines.append("\(field.field): \(field.before.shown) → \(field.after.shown)")
    }
    lines.append("file: \(ArchiveDifference.sizes(before.file, after.file))")
    for (part, old, new) in changedParts {
      lines.append("  \(part): \(ArchiveDifference.sizes(old, new))")
    }
    if !devices.isEmpty {
      lines.append("bytes of pictures on devices, with whole atlases")
      lines += alignedColumns(
        devices.map {
          [
            "  \($0.label)", grouped($0.before), "→", grouped($0.after),
            signed($0.after - $0.before),
          ]
        }, right: [1, 3, 4])
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// The differences as tables for a comment on a change. Long lists are folded.
  package var markdown: String {
    var text = "### Asset catalogue: \(ArchiveDifference.sizes(before.file, after.file))\n\n"
    if isEmpty {
      text += "Both archives show the same.\n\n"
    } else if showsOnlyRounding {
      text += "Both archives show the same, except for rounding.\n\n"
    }
    if !devices.isEmpty { text += devices.markdown + "\n" }
    if let roundingSentence { text += "- \(roundingSentence)\n\n" }
    if let nameCounts {
      let rows = addedNames.map { ["+", $0.text] } + removedNames.map { ["-", $0.text] }
      text += ArchiveDifference.folded("names: \(nameCounts)", [["", "name"]] + rows)
    }
    if !judged.isEmpty {
      let rows = (listed + foldedUnnamed).map {
        [$0.sign, $0.asset.text, $0.variant, $0.aspectWords, $0.sizes]
      }
      text += ArchiveDifference.folded(
        "\(renditionCounts)", [["", "asset", "variant", "what", "bytes"]] + rows, right: [4])
    }
    for (part, old, new) in changedParts {
      text += "- \(part): \(ArchiveDifference.sizes(old, new))\n"
    }
    for field in fields {
      text += "- \(field.field): `\(field.before.shown)` → `\(field.after.shown)`\n"
    }
    return text
  }

  private static func folded(
    _ summary: String, _ rows: [[String]], right: Set<Int> = []
  ) -> String {
    "<details><summary>\(summary)</summary>\n\n\(markdownTable(rows, right: right))\n</details>\n\n"
  }

  package var json: JSONOutput {
    [
      "same": .bool(isEmpty),
      "bytes": ["before": .integer(before.file), "after": .integer(after.file)],
      "parts": [
        "pictures": amounts(before.pictures, after.pictures),
        "unchanged": amounts(unchanged.before, unchanged.after),
        "index": amounts(before.index, after.index),
        "tables": amounts(before.tables, after.tables),
      ],
      "names": [
        "added": .array(addedNames.map { .name($0) }),
        "removed": .array(removedNames.map { .name($0) }),
      ],
      "renditions": .array(
        renditions.map {
          .object(
            [
              .init("asset", .name($0.asset)), .init("variant", .string($0.variant)),
              .init("change", .string($0.change.rawValue)),
              .init("aspects", .array($0.aspects.map { .string($0) })),
              .init("before", .integer($0.before)), .init("after", .integer($0.after)),
            ] + $0.greatestMembers)
        }),
      "metadata": .array(
        fields.map {
          [
            "field": .string($0.field), "before": .string($0.before), "after": .string($0.after),
          ]
        }),
      "devices": .array(
        devices.map {
          [
            "devices": .array($0.devices.map { .string($0.identifier) }),
            "before": .integer($0.before), "after": .integer($0.after),
          ]
        }),
    ]
  }
}

extension String {
  /// The text on one line. The version strings of archives contain line feeds.
  fileprivate var shown: String {
    let line = String(filter { !$0.isNewline })
    return line.isEmpty ? "none" : line
  }
}

private func amounts(_ before: Int, _ after: Int) -> JSONOutput {
  ["before": .integer(before), "after": .integer(after)]
}
