// The sets of recovered catalogues that hold others: image stacks with their layers, sprite
// atlases, groups of AR resources; and symbol sets, whose templates are made of the kept drawings.

import Archive
import ArchiveTools
import Bytes
import CatalogModel
import Documents
import Traits
import Vectors

// MARK: - Stacks

extension CatalogRecovery {
  /// Makes an image stack, if the name has one.
  mutating func recoverStack(_ name: ByteString) {
    let all = assets[name] ?? []
    let stacks = all.filter {
      $0.header.layout == .layerStack || $0.header.layout == .solidStack
    }
    guard let stack = stacks.first(where: { $0.variant.idiom != .marketing }) else { return }
    for other in stacks where other.key != stack.key {
      remark(other, name, "it belongs to brand assets whose other parts are not known")
    }
    let isSolid = stack.header.layout == .solidStack
    guard let layers = layers(of: stack, name) else {
      return remark(stack, name, "its layers have names that layers of a stack do not have")
    }
    let type: SetType = isSolid ? .solidImageStack : .imageStack
    let layerType: SetType = isSolid ? .solidImageStackLayer : .imageStackLayer
    report.sets[type, default: 0] += 1
    let folder = folder(of: name, type)
    // Archives list the layers from back to front.
    var rows: [(members: [JSONMember], file: Int?)] = []
    for (own, facet) in layers.reversed() {
      let layerName: ByteString = "\(own).\(layerType.rawValue)"
      rows.append(([JSONMember(key: "filename", value: .string(layerName))], nil))
      let layerFolder = joined(folder, layerName)
      drafts.append(SetDraft(name: facet, folder: layerFolder) { _ in contents("", []) })
      addImages(
        facet, withoutNewerDoubles(assets[facet] ?? []),
        in: joined(layerFolder, "Content.imageset"))
    }
    let size: [(ByteString, UInt32)] = [
      ("height", stack.header.height), ("width", stack.header.width),
    ]
    let canvas = JSONValue.object(
      size.map { JSONMember(key: $0.0, value: .integer(Int64($0.1))) })
    drafts.append(
      SetDraft(name: name, folder: folder) { [rows] names in
        contents("layers", entries(rows, names), [JSONMember(key: "canvasSize", value: canvas)])
      })
    taken.insert(name)
    taken.formUnion(layers.map(\.facet))
  }

  /// Returns the layers of a stack from back to front, with their names in the stack; nil if a
  /// layer is no part of the stack.
  private func layers(
    of stack: RecoveredVariant, _ name: ByteString
  ) -> [(name: ByteString, facet: ByteString)]? {
    guard let properties = try? stack.rendition.allProperties() else { return nil }
    var found: [(name: ByteString, facet: ByteString)] = []
    var used: Set<ByteString.CanonicalForm> = []
    for case .layers(let references) in properties {
      for reference in references {
        guard let facet = names[reference.target], facet.hasSuffix("/Content"),
          let own = facet.dropLast(8).relative(to: name), !own.contains(UInt8(ascii: "/")),
          own == RecoveredPlaces.safe(own), assets[facet] != nil,
          used.insert(own.lowercased().canonicalForm).inserted
        else { return nil }
        found.append((own, facet))
      }
    }
    return found.isEmpty ? nil : found
  }
}

// MARK: - Sprite atlases

extension CatalogRecovery {
  /// Makes the folder of a sprite atlas, if the name has one. Its members become sets in it.
  mutating func recoverSpriteAtlas(_ name: ByteString) {
    let list = (assets[name] ?? []).first {
      $0.key.element == Element.atlas && $0.key.part == Part.spriteAtlas
    }
    guard let list,
      case .names(let members)? = try? list.rendition.allProperties().first(where: {
        if case .names = $0 { true } else { false }
      })
    else { return }
    taken.insert(name)
    report.sets[.spriteAtlas, default: 0] += 1
    let folder = folder(of: name, .spriteAtlas)
    let parts = name.components.dropLast()
    let outer = parts.map { $0 + "/" }.joined()
    let isNamespace = members.allSatisfy { $0.isInside(name) } && !members.isEmpty
    for member in members where assets[member] != nil {
      let prefix = isNamespace ? name + "/" : outer
      guard member.hasPrefix(prefix) else {
        report.add(member, "", "it is outside of the namespace of its atlas \(quoted(name))")
        continue
      }
      atlasFolders[member] = (folder, member.dropFirst(prefix.count))
    }
    drafts.append(
      SetDraft(name: name, folder: folder) { _ in
        contents(
          "", [],
          isNamespace ? [JSONMember(key: "provides-namespace", value: .bool(true))] : [])
      })
  }
}

// MARK: - AR resources

extension CatalogRecovery {
  /// Makes a group of AR resources with its members, if the name has one.
  mutating func recoverGroupOfResources(_ name: ByteString) {
    let list = (assets[name] ?? []).first { $0.key.part == Part.arGroup }
    guard let list,
      case .names(let members)? = try? list.rendition.allProperties().first(where: {
        if case .names = $0 { true } else { false }
      })
    else { return }
    taken.insert(name)
    report.sets[.arResourceGroup, default: 0] += 1
    let folder = folder(of: name, .arResourceGroup)
    let outer = name.components.dropLast().map { $0 + "/" }.joined()
    var rows: [(members: [JSONMember], file: Int?)] = []
    var used: Set<ByteString.CanonicalForm> = []
    for member in members {
      let own = member.dropFirst(outer.count)
      guard member.hasPrefix(outer), !own.isEmpty, own == RecoveredPlaces.safe(own),
        used.insert(own.lowercased().canonicalForm).inserted,
        let file = addResource(member, own, in: folder)
      else {
        report.add(
          member, "", "it is not a resource of its group \(quoted(name)), or the group has it twice"
        )
        continue
      }
      rows.append(([JSONMember(key: "filename", value: .string(file))], nil))
    }
    drafts.append(
      SetDraft(name: name, folder: folder) { [rows] names in
        contents("resources", entries(rows, names))
      })
  }

  /// Adds a reference image or a reference object. Returns the name of its folder.
  private mutating func addResource(
    _ name: ByteString, _ own: ByteString, in folder: ByteString
  ) -> ByteString? {
    for variant in assets[name] ?? [] {
      if variant.key.part == Part.arObject {
        let place: ByteString = "\(own).\(SetType.arObject.rawValue)"
        let wanted = RecoveredPlaces.fileName(variant.header.name, "")
        let file = FileDraft(name: wanted, source: .file(variant.range), variant: words(variant))
        drafts.append(
          SetDraft(name: name, folder: joined(folder, place), files: [file]) { names in
            contents(
              "", [],
              (names[0].map { [JSONMember(key: "content", value: .string($0))] } ?? [])
                + [JSONMember(key: "version", value: .integer(1))])
          })
        taken.insert(name)
        return place
      }
      guard let properties = try? variant.rendition.allProperties(),
        case .physicalSize(let width, _)? = properties.first(where: {
          if case .physicalSize = $0 { true } else { false }
        }), let file = file(variant, words: [])
      else { continue }
      let place: ByteString = "\(own).\(SetType.arReferenceImage.rawValue)"
      remark(variant, name, "the archive has a smaller, grey copy, which is converted again")
      drafts.append(
        SetDraft(name: name, folder: joined(folder, place), files: [file]) { names in
          let entry = [JSONMember(key: "idiom", value: .text("universal"))]
          return contents(
            "images", entries([(entry, 0)], names),
            [
              JSONMember(key: "unit", value: .text("meters")),
              JSONMember(key: "width", value: .decimal(Double("\(width)") ?? Double(width))),
            ])
        })
      taken.insert(name)
      return place
    }
    return nil
  }
}

// MARK: - Symbols

/// A drawing of a symbol: its block, and its metrics beside text.
struct RecoveredGlyph: Sendable, Hashable {
  var glyph: Glyph
  var range: Range<Int>
  var metrics: GlyphMetrics
}

extension CatalogRecovery {
  /// Makes a symbol set, with a template for each set of traits.
  mutating func recoverSymbols(_ name: ByteString, _ all: [RecoveredVariant]) {
    var order: [VariantKey] = []
    var drawings: [VariantKey: [RecoveredVariant]] = [:]
    for variant in all {
      if drawings[variant.variant] == nil { order.append(variant.variant) }
      drawings[variant.variant, default: []].append(variant)
    }
    var rows: [(members: [JSONMember], file: Int?)] = []
    var files: [FileDraft] = []
    for key in order {
      let variants = drawings[key] ?? []
      guard let first = variants.first, let members = slot(first, name) else { continue }
      var glyphs: [RecoveredGlyph] = []
      for variant in variants {
        guard let glyph = variant.key.details.glyph else {
          remark(variant, name, "no symbol has its weight or size")
          continue
        }
        let metrics = (try? variant.rendition.glyphMetrics()) ?? nil
        if metrics == nil { remark(variant, name, "it has no metrics beside text") }
        glyphs.append(
          RecoveredGlyph(
            glyph: glyph, range: variant.range,
            metrics: metrics ?? GlyphMetrics(revision: 0, pointSize: 17)))
        reportRendering(variant, name)
      }
      if glyphs.isEmpty { continue }
      rows.append((members, files.count))
      files.append(
        FileDraft(
          name: RecoveredPlaces.fileName(first.header.name, "svg"),
          source: .template(glyphs.sorted { $0.glyph < $1.glyph }), words: ["\(rows.count)"],
          variant: words(first)))
    }
    report.sets[.symbolSet, default: 0] += 1
    let isLocalized = all.contains { $0.variant.locale != 0 }
    drafts.append(
      SetDraft(name: name, folder: folder(of: name, .symbolSet), files: files) { [rows] names in
        contents(
          "symbols", entries(rows, names),
          isLocalized ? [JSONMember(key: "localizable", value: .bool(true))] : [])
      })
  }

  private mutating func reportRendering(_ variant: RecoveredVariant, _ name: ByteString) {
    let properties = (try? variant.rendition.allProperties()) ?? []
    for case .glyphRendering(let rendering) in properties where rendering.intent != 0 {
      remark(variant, name, "the word for its rendering intent is not known")
    }
  }
}

/// Returns the template of a symbol. `read` returns the SVG in a block.
func template(
  of glyphs: [RecoveredGlyph], _ read: (Range<Int>) throws(SkipReason) -> [UInt8]
) throws(SkipReason) -> [UInt8] {
  var kept: [KeptGlyph] = []
  for glyph in glyphs {
    let bytes = try read(glyph.range)
    do throws(VectorError) {
      let metrics = glyph.metrics
      kept.append(
        try KeptGlyph(
          bytes, weight: Int(glyph.glyph.weight.rawValue), size: Int(glyph.glyph.size.rawValue),
          pointSize: Double(max(1, metrics.pointSize)), depth: Double(metrics.depth),
          capHeight: Double(metrics.capHeight),
          margins: (Double(metrics.leftMargin), Double(metrics.rightMargin))))
    } catch {
      throw .unsupported("a drawing of the symbol cannot be read: \(error.words)")
    }
  }
  return SymbolTemplate.document(of: kept, version: Double(glyphs.first?.metrics.version ?? 0))
}
