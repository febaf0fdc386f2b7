// The sets of recovered catalogues that hold others: image stacks with their layers, sprite
// atlases, and groups of AR resources.

import Archive
import ArchiveTools
import Bytes
import CatalogModel
import Documents
import Traits

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
    if isSolid { report.hasIcons = true }
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
    divided.insert(name)
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

extension RecoveredVariant {
  /// The names in a list of members; nil if the rendition is no such list.
  fileprivate var members: [ByteString]? {
    for case .names(let members) in (try? rendition.allProperties()) ?? [] { return members }
    return nil
  }
}

// MARK: - Sprite atlases

extension CatalogRecovery {
  /// Makes the folder of a sprite atlas, if the name has one. Its members become sets in it.
  mutating func recoverSpriteAtlas(_ name: ByteString) {
    let list = (assets[name] ?? []).first {
      $0.key.element == Element.atlas && $0.key.part == Part.spriteAtlas
    }
    guard let members = list?.members else { return }
    divided.insert(name)
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
    guard let members = list?.members else { return }
    divided.insert(name)
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
