// Reads icon.json and the pictures in Assets/ as strictly as Contents.json: every unknown key and
// value is reported with its line.

import Bytes
import Documents
import Host
import Vectors

func readIconBundle(_ folder: Folder, in tree: FileTree) -> FolderReading {
  let file = joined(folder.path, "icon.json")
  let findings = Findings(file: file)
  var reading = FolderReading()
  reading.isGroupLike = false
  do throws(FileError) {
    let bytes = try tree.read(file, JSONDocument.sizeLimit)
    let document = JSONDocument(bytes, file: file)
    findings.add(document.diagnostics)
    if let value = document.value {
      var assets = folder
      assets.path = joined(folder.path, "Assets")
      assets.entries = (try? tree.list(assets.path)) ?? []
      let reader = IconReader(SetReader(folder: assets, findings: findings), tree)
      reading.contents = .iconBundle(reader.read(value))
      reader.pictures.reportEquivalentFiles()
      reading.missing = reader.pictures.missing
      reading.inputs = [assets.path]
      for entry in assets.entries where entry.kind == .file {
        reading.inputs.append(joined(assets.path, entry.name))
      }
    }
    reading.diagnostics = located(findings.list, in: bytes)
  } catch {
    switch error {
    case .notFound:
      reading.missing = [file]
      findings.add(.missingContents, "the icon has no icon.json; it is left out")
    case .tooLarge(let size, let limit):
      findings.add(
        .jsonTooLarge, "the file has \(size) bytes; more than \(limit >> 20) MiB are not read")
    default: findings.add(.unreadableFile, "icon.json cannot be read: \(error.reason)")
    }
    reading.diagnostics = findings.list
  }
  return reading
}

final class IconReader {
  let pictures: SetReader
  private let tree: FileTree
  private var sizes: [ByteString: (width: Double, height: Double)] = [:]
  var findings: Findings { pictures.findings }

  /// The greatest number of layers, far above that of real icons.
  private static let mostLayers = 1_000

  init(_ pictures: SetReader, _ tree: FileTree) {
    self.pictures = pictures
    self.tree = tree
  }

  func read(_ root: JSONValue) -> IconBundle {
    var icon = IconBundle()
    guard case .object(let members) = root else {
      findings.add(
        .wrongType, "the file must hold an object, and holds \(root.kind)", at: "", severity: .error
      )
      return icon
    }
    icon.isRead = true
    let fields = Fields(members, pointer: "", findings: findings)
    icon.fill = specialized(fields, "fill", fill)
    var count = 0
    icon.groups = (fields.objects("groups") ?? []).map { group($0, &count) }
    if count > IconReader.mostLayers {
      findings.add(
        .numberRange,
        "the icon has \(count) layers; only the first \(IconReader.mostLayers) are read",
        at: "/groups")
    }
    for key in ["supported-platforms", "color-space-for-untagged-svg-colors"] {
      _ = fields.find(key)
    }
    fields.finish()
    return icon
  }

  private func group(_ fields: Fields, _ count: inout Int) -> IconGroup {
    var group = IconGroup(pointer: fields.pointer)
    if let name = fields.name("name"), !name.isEmpty { group.name = name }
    group.hidden = specialized(fields, "hidden", bool)
    group.opacity = specialized(fields, "opacity") { self.number($0, $1, in: 0...1) }
    group.blendMode = specialized(fields, "blend-mode", choice)
    group.position = specialized(fields, "position", position)
    group.shadow = specialized(fields, "shadow", shadow)
    group.translucency = specialized(fields, "translucency", translucency)
    group.blur = specialized(fields, "blur-material") { found, fields in
      if case .null = found.value { return 0 }
      return self.number(found, fields, in: 0...1)
    }
    group.specular = specialized(fields, "specular", bool)
    group.isLitOneByOne = specialized(fields, "lighting") { found, fields in
      self.word(found, fields, ["individual", "combined"]).map { $0 == "individual" }
    }
    // Newer files have this key, but archives have no field for it.
    _ = fields.find("refractivity")
    _ = fields.find("refractivity-specializations")
    for layer in fields.objects("layers") ?? [] {
      count += 1
      if count <= IconReader.mostLayers { group.layers.append(self.layer(layer)) }
    }
    fields.finish()
    return group
  }

  private func layer(_ fields: Fields) -> IconLayer {
    var layer = IconLayer(pointer: fields.pointer)
    layer.name = fields.name("name") ?? ""
    layer.fill = specialized(fields, "fill", fill)
    layer.glass = specialized(fields, "glass", bool)
    layer.hidden = specialized(fields, "hidden", bool)
    layer.opacity = specialized(fields, "opacity") { self.number($0, $1, in: 0...1) }
    layer.blendMode = specialized(fields, "blend-mode", choice)
    layer.position = specialized(fields, "position", position)
    if let name = fields.name("image-name"), !name.isEmpty {
      let pointer = fields.pointer(of: "image-name")
      let image = pictures.file(named: name, at: pointer)
      layer.image = image
      if image.exists, let size = size(of: image, at: pointer) {
        (layer.width, layer.height) = size
      } else {
        layer.image?.exists = false
      }
    } else if !fields.has("image-name") {
      findings.add(.missingKey, "the layer has no \"image-name\"", at: fields.pointer)
    }
    fields.finish()
    return layer
  }

  /// Returns the size of a picture. A picture that several layers name is read once.
  private func size(of image: SourceFile, at pointer: ByteString) -> (
    width: Double, height: Double
  )? {
    if let known = sizes[image.path] { return known }
    let size = image.isVector ? pageSize(of: image, at: pointer) : pixelSize(of: image, at: pointer)
    sizes[image.path] = size
    return size
  }

  private func pageSize(
    of image: SourceFile, at pointer: ByteString
  ) -> (width: Double, height: Double)? {
    guard let bytes = try? tree.read(image.path, 1 << 28) else {
      findings.add(.unreadableFile, "\(quoted(image.name)) cannot be read", at: pointer)
      return nil
    }
    do throws(VectorError) {
      let drawing = try VectorFile.read(bytes).drawing
      return (drawing.width, drawing.height)
    } catch {
      findings.add(
        .brokenImage, "\(quoted(image.name)) cannot be drawn: \(error.words)", at: pointer)
      return nil
    }
  }

  private func pixelSize(
    of image: SourceFile, at pointer: ByteString
  ) -> (width: Double, height: Double)? {
    do throws(ImageHeaderError) {
      let header = try ImageHeader.read(image.path, in: tree)
      return (Double(header.uprightSize.width), Double(header.uprightSize.height))
    } catch {
      findings.add(
        .brokenImage, "\(quoted(image.name)) is not a picture of a known kind", at: pointer)
      return nil
    }
  }
}
