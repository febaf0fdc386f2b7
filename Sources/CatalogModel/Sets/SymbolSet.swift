// Symbol sets: templates of SF Symbols, each with a drawing for some of the weights and sizes. Only
// the list of drawings is kept. The compiler reads a template again when it writes its drawings.

import Bytes
import Documents
import Host
import Traits
import Vectors

package enum SymbolRenderingIntent: String, CaseIterable, Sendable, Hashable {
  case template, monochrome, hierarchical, multicolor, palette
}

package struct SymbolEntry: Sendable, Hashable {
  package var slot: Slot
  package var file: SourceFile?
  /// The drawings in the template, by size and weight; empty if the template could not be read.
  package var glyphs: [Glyph] = []

  package init(slot: Slot) { self.slot = slot }
}

package struct SymbolSet: Sendable, Hashable {
  package var entries: [SymbolEntry] = []
  package var renderingIntent: SymbolRenderingIntent?
  package var isLocalizable = false

  package init() {}
}

// MARK: - Reading

extension SymbolSet {
  init(reading root: Fields, in reader: SetReader) {
    let info = reader.readInfo(root)
    let properties = reader.readProperties(root)
    renderingIntent = properties?.choice("symbol-rendering-intent")
    isLocalizable = properties?.bool("localizable") ?? false
    entries = (root.objects("symbols") ?? []).compactMap { fields in
      let file = reader.file(fields)
      guard let slot = reader.slot(fields, file: file) else { return nil }
      var entry = SymbolEntry(slot: slot)
      entry.file = file
      fields.finish()
      return entry
    }
    info?.finish()
    properties?.finish()
  }
}

// MARK: - Templates

extension SymbolSet {
  /// Reads every template once, even if several entries name it.
  mutating func readTemplates(in tree: FileTree, _ findings: Findings) {
    var glyphsByPath: [ByteString: [Glyph]] = [:]
    for index in entries.indices where !entries[index].slot.isUnassigned {
      guard let file = entries[index].file, file.exists else { continue }
      let pointer = entries[index].slot.pointer + "/filename"
      let glyphs =
        glyphsByPath[file.path]
        ?? SymbolSet.glyphs(in: file, tree, TemplateFindings(findings, quoted(file.name), pointer))
      glyphsByPath[file.path] = glyphs
      entries[index].glyphs = glyphs
    }
  }

  private static func glyphs(
    in file: SourceFile, _ tree: FileTree, _ findings: TemplateFindings
  ) -> [Glyph] {
    let bytes: [UInt8]
    do throws(FileError) { bytes = try tree.read(file.path, FileLimit.symbolTemplate) } catch {
      findings.reportUnread(error)
      return []
    }
    if isGitLFSPointer(bytes) {
      findings.reportUnfetched(file)
      return []
    }
    do throws(VectorError) {
      let template = try SymbolTemplate.read(bytes)
      for fault in template.faults { findings.report(fault) }
      let glyphs = template.drawings.compactMap {
        Glyph(weight: UInt16($0.weight), size: UInt16($0.size))
      }
      if glyphs.isEmpty { findings.reportNoDrawing() }
      return glyphs
    } catch {
      findings.report(error, kind: ImageKind(of: bytes))
      return []
    }
  }
}

/// Findings about one template.
private struct TemplateFindings {
  private let findings: Findings
  private let name: String
  private let pointer: ByteString

  init(_ findings: Findings, _ name: String, _ pointer: ByteString) {
    self.findings = findings
    self.name = name
    self.pointer = pointer
  }

  func reportUnread(_ error: FileError) {
    if case .tooLarge(let size, let limit) = error {
      findings.add(
        .symbolDrawing,
        "\(name) has \(size) bytes; templates of more than \(limit >> 20) MiB are not read",
        at: pointer)
    } else {
      findings.add(.unreadableFile, "\(name) cannot be read: \(error.reason)", at: pointer)
    }
  }

  func reportUnfetched(_ file: SourceFile) { findings.add([unfetched(file.path)]) }

  /// Reports a file that cannot be read. A file of another kind has no faults of an SVG.
  func report(_ error: VectorError, kind: ImageKind?) {
    var reason = error.words
    if let kind, kind != .svg {
      reason = "it holds \(kind.titleWithArticle), and a symbol needs an SVG template"
    }
    findings.add(.brokenImage, "\(name) cannot be read: \(reason)", at: pointer)
  }

  func reportNoDrawing() {
    findings.add(
      .symbolDrawing,
      "\(name) has no drawing: no element with outlines is named after a weight and a size, such as "
        + "\"Regular-M\"", at: pointer)
  }

  func report(_ fault: TemplateFault) {
    switch fault {
    case .empty(let names):
      findings.add(
        .symbolDrawing, "\(name) has no outlines in \(quotedList(names, joinedBy: "and"))",
        at: pointer, severity: .warning)
    case .missingGuides(let names):
      findings.add(
        .symbolGuide, "\(name) has no guide \(quotedList(names, joinedBy: "and no"))", at: pointer)
    case .incompatible(let one, let points, let other, let otherPoints):
      findings.add(
        .symbolMasters,
        "nothing can be drawn between \(quoted(one)) and \(quoted(other)) of \(name): \(words(points)) "
          + "and \(words(otherPoints))", at: pointer)
    case .guidesOutside(let names):
      findings.add(
        .symbolMargin,
        "\(quotedList(names, joinedBy: "and")) of \(name) "
          + (names.count == 1 ? "lies" : "lie") + " outside of the page", at: pointer)
    }
  }

  private func words(_ points: [Int]) -> String {
    let shown = points.prefix(6).map { "\($0)" }.joined(separator: " + ")
    return "\(points.count == 1 ? "one outline" : "\(points.count) outlines") of "
      + (points.count > 6 ? "\(shown) + …" : shown) + " points"
  }
}
