// Reads icon.json and the pictures in Assets/ as strictly as Contents.json: every unknown key and
// value is reported with its line, and so is every form that Apple's tools refuse, or that only
// those of Xcode 27 read. ReadIconValues.swift reads the values of keys.

import Bytes
import Documents
import Host
import Traits
import Vectors

func readIconBundle(_ folder: Folder, in tree: FileTree) -> FolderReading {
  let file = joined(folder.path, "icon.json")
  let findings = Findings(file: file)
  var reading = FolderReading()
  reading.isGroupLike = false
  do throws(FileError) {
    let bytes = try tree.read(file, FileLimit.contents)
    let document = JSONDocument(bytes, file: file)
    findings.add(document.diagnostics)
    reading.isFixable = document.writableValue != nil
    if let value = document.value {
      var assets = folder
      assets.path = joined(folder.path, folder.assetsName(findings))
      assets.entries = (try? tree.list(assets.path)) ?? []
      let reader = IconReader(SetReader(folder: assets, findings: findings), tree)
      reading.contents = .iconBundle(reader.read(value))
      reader.pictures.reportEquivalentFiles()
      reader.pictures.reportAbsent(nil, partsIn: nil)
      reportUnused(in: reader.pictures, by: value)
      reading.missing = reader.pictures.missing
      reading.inputs = [assets.path]
      for entry in assets.entries where entry.kind == .file {
        reading.inputs.append(joined(assets.path, entry.name))
      }
    }
    reading.diagnostics = located(findings.list, in: bytes)
    reading.withdrawFixes()
  } catch {
    switch error {
    case .notFound:
      reading.missing = [file]
      findings.add(
        .missingContents,
        "the icon has no icon.json; it is left out\(folder.otherCase("icon.json"))")
    case .tooLarge(let size, let limit):
      findings.add(
        .jsonTooLarge, "the file has \(size) bytes; more than \(limit >> 20) MiB are not read")
    default: findings.add(.unreadableFile, "icon.json cannot be read: \(error.reason)")
    }
    reading.diagnostics = findings.list
  }
  return reading
}

extension Folder {
  /// Returns the name of the folder with the pictures of an icon, as it is on disk.
  fileprivate func assetsName(_ findings: Findings) -> ByteString {
    let folders = entries.filter { $0.kind == .folder }.map(\.name)
    guard !folders.contains("Assets"),
      let other = folders.first(where: { $0.lowercased() == "assets" })
    else { return "Assets" }
    findings.add(
      .fileCaseMismatch,
      "the folder \(quoted("Assets" as ByteString)) is named \(quoted(other)) on disk; rename it")
    return other
  }
}

/// Reports pictures that the document names nowhere, not even in rows that are not read.
private func reportUnused(in pictures: SetReader, by document: JSONValue) {
  let unnamed = pictures.unexplainedFiles
  // Layers that were not read can name any file, and another finding says why they were not.
  let isIncomplete = pictures.findings.list.contains {
    $0.code == .missingKey || $0.code == .wrongType
  }
  if unnamed.isEmpty || isIncomplete { return }
  var texts: Set<ByteString> = []
  document.addFoldedTexts(to: &texts)
  for entry in unnamed where !texts.contains(entry.name.lowercased()) {
    pictures.findings.add([
      Diagnostic(
        .unassignedFile, "no layer of the icon names \(quoted(entry.name))",
        file: joined(pictures.folder.path, entry.name))
    ])
  }
}

extension JSONValue {
  /// Adds all texts in the value, in lower case.
  fileprivate func addFoldedTexts(to texts: inout Set<ByteString>) {
    switch self {
    case .string(let text): texts.insert(text.lowercased())
    case .array(let elements): for element in elements { element.addFoldedTexts(to: &texts) }
    case .object(let members): for member in members { member.value.addFoldedTexts(to: &texts) }
    default: break
    }
  }
}

final class IconReader {
  let pictures: SetReader
  private let tree: FileTree
  private var known: [ByteString: IconPicture?] = [:]
  private var unstored: [UnstoredIconValue] = []
  var findings: Findings { pictures.findings }

  /// The greatest number of layers, far above that of real icons. A group's properties in the
  /// archive have some 80 bytes for each layer, and 65,536 bytes at most.
  private static let mostLayers = 500

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
    reportNewForms(root)
    read(Fields(members, pointer: "", findings: findings), into: &icon)
    icon.unstored = unstored
    return icon
  }

  /// Reads the root of the file.
  func read(_ fields: Fields, into icon: inout IconBundle) {
    icon.fill = specialized("fill", of: fields, fill)
    for key in ["groups", "supported-platforms"] { fields.describer?.require(key) }
    for key in ["groups", "supported-platforms"] where !fields.has(key) {
      findings.add(
        .missingKey, "the icon has no \(quoted(key))", at: "", subject: ByteString(key))
    }
    var count = 0
    icon.groups = (fields.objects("groups") ?? []).map { group($0, &count) }
    if count > IconReader.mostLayers {
      findings.add(
        .numberRange,
        "the icon has \(count) layers; only the first \(IconReader.mostLayers) are read",
        at: "/groups")
    }
    checkGroups(of: icon)
    readPlatforms(fields)
    readFeatures(fields)
    // Drawing takes all colours of SVG files without a colour space of their own for sRGB.
    _ = fields.word("color-space-for-untagged-svg-colors", of: ["display-p3", "srgb"])
    if fields.bool("implicit-asset-mirroring") == true {
      keepOut("implicit-asset-mirroring", at: fields.pointer(of: "implicit-asset-mirroring"))
    }
    if let languages = fields.names("languages"), !languages.isEmpty {
      keepOut("languages", at: fields.pointer(of: "languages"))
    }
    fields.finish { IconReader.owner(of: $0, besides: .icon) }
  }

  private func readPlatforms(_ root: Fields) {
    guard let platforms = root.object("supported-platforms") else { return }
    for (key, words, names) in [
      ("squares", ["shared", "unique"], ["iOS", "macOS"]), ("circles", ["shared"], ["watchOS"]),
    ] {
      let kind = FieldKind.oneOf([.words(words), .array(of: .words(names))])
      guard let found = platforms.find(key, as: kind) else { continue }
      guard case .array(let elements) = found.value else {
        _ = word(found, of: platforms, among: words)
        continue
      }
      for (index, element) in elements.enumerated() {
        let elementPointer: ByteString = "\(found.pointer)/\(index)"
        _ = word(
          Fields.Found(key: found.key, value: element, pointer: elementPointer), of: platforms,
          among: names)
      }
    }
    platforms.finish()
  }

  /// Refuses icons with features that Apple's tools do not know, as these tools do.
  private func readFeatures(_ root: Fields) {
    let known: [ByteString] = ["refractivity", "specular-location"]
    for (index, feature) in (root.names("features") ?? []).enumerated()
    where !known.contains(feature) {
      findings.add(
        .refusedByApple,
        "no Icon Composer reads an icon with the feature \(quoted(feature)); known are "
          + quotedList(known, joinedBy: "and"),
        at: "\(root.pointer(of: "features"))/\(index)", severity: .error)
    }
  }

  /// Reports the forms on which the tools of Xcode 26 fail, all in one finding.
  private func reportNewForms(_ root: JSONValue) {
    let refused = IconChange.forXcode26(root).changes.filter(\.isRefused)
    guard let first = refused.first else { return }
    let others = Set(refused.map(\.subject)).subtracting([first.subject]).sorted()
    let more = others.isEmpty ? "" : " or \(others.prefix(4).joined(separator: " or "))"
    findings.add(
      .needsXcode27, "the tools of Xcode 26 do not read \(first.subject)\(more)",
      at: first.pointer, isKey: first.isAboutKey)
  }

  private func checkGroups(of icon: IconBundle) {
    for platform in [Platform.macOS, .iOS, .watchOS] {
      for look in IconLook.allCases {
        let shown = icon.groups.filter { $0.isShown(look, platform) }
        guard shown.count > 4 else { continue }
        findings.add(
          .refusedByApple,
          "Apple's tools refuse the icon: it has \(shown.count) visible groups, and may have 4",
          at: shown[4].pointer)
        return
      }
    }
  }

  /// Remembers that a value is not stored in archives; of several equal ones, the first.
  func keepOut(
    _ key: String, at pointer: ByteString,
    because reason: String = "it needs Xcode 27's form, which is not known"
  ) {
    if unstored.contains(where: { $0.subject == quoted(key) }) { return }
    unstored.append(UnstoredIconValue(subject: quoted(key), reason: reason, pointer: pointer))
  }

  private func group(_ fields: Fields, _ count: inout Int) -> IconGroup {
    var group = IconGroup(pointer: fields.pointer)
    if let name = fields.name("name"), !name.isEmpty { group.name = name }
    group.hidden = specialized("hidden", of: fields, bool)
    group.opacity = specialized("opacity", of: fields) { self.number($0, $1, in: 0...1) }
    group.blendMode = specialized("blend-mode", of: fields, blendMode)
    group.position = specialized("position", of: fields, position)
    group.shadow = specialized("shadow", of: fields, shadow)
    group.translucency = specialized("translucency", of: fields, translucency)
    group.blur = specialized("blur-material", of: fields) { found, fields in
      fields.describer?.addValue(.null)
      if !fields.isDescribed, case .null = found.value { return 0 }
      return self.number(found, fields, in: 0...1)
    }
    group.specular = specialized("specular", of: fields, specular)
    group.refractivity = specialized("refractivity", of: fields, refractivity)
    group.isLitOneByOne = specialized("lighting", of: fields) { found, fields in
      self.word(found, of: fields, among: ["individual", "combined"]).map { $0 == "individual" }
    }
    readMirroring(fields)
    for key in ["refractivity-strength", "refractivity-depth", "specular-highlight-placement"]
    where fields.find(key) != nil {
      keepOut(
        key, at: fields.pointer(of: key), because: "only test versions of Icon Composer wrote it")
    }
    for layer in fields.objects("layers") ?? [] {
      count += 1
      if count <= IconReader.mostLayers { group.layers.append(self.layer(layer)) }
    }
    fields.finish { IconReader.owner(of: $0, besides: .group) }
    return group
  }

  private func readMirroring(_ fields: Fields) {
    let mirroring = specialized("asset-mirroring", of: fields, mirroring)
    if mirroring.rows.contains(where: \.value) {
      keepOut(
        "asset-mirroring",
        at: fields.pointer(
          of: fields.has("asset-mirroring") ? "asset-mirroring" : "asset-mirroring-specializations")
      )
    }
  }

  private func layer(_ fields: Fields) -> IconLayer {
    var layer = IconLayer(pointer: fields.pointer)
    layer.name = fields.name("name") ?? ""
    layer.fill = specialized("fill", of: fields, fill)
    layer.glass = specialized("glass", of: fields, bool)
    layer.hidden = specialized("hidden", of: fields, bool)
    layer.opacity = specialized("opacity", of: fields) { self.number($0, $1, in: 0...1) }
    layer.blendMode = specialized("blend-mode", of: fields, blendMode)
    layer.position = specialized("position", of: fields, position)
    layer.picture = specialized("image-name", of: fields, picture)
    let rows = fields.isDescribed ? nil : fields.find("image-name-specializations")
    if !fields.has("image-name"), rows == nil || rows?.value == .array([]) {
      findings.add(
        .missingKey, "the layer has no \"image-name\"", at: fields.pointer,
        subject: "image-name")
    }
    readMirroring(fields)
    for key in ["kind", "material"] where fields.find(key) != nil {
      keepOut(key, at: fields.pointer(of: key), because: "its meaning is not known")
    }
    checkSizes(of: layer, fields)
    fields.finish { IconReader.owner(of: $0, besides: .layer) }
    return layer
  }

  /// Reports pictures of looks that are shown with different sizes.
  private func checkSizes(of layer: IconLayer, _ fields: Fields) {
    guard layer.picture.rows.count > 1 else { return }
    func size(_ look: IconLook) -> (name: ByteString, width: Double, height: Double)? {
      guard let picture = layer.picture.value(look, .macOS) else { return nil }
      let scale = (layer.position.value(look, .macOS) ?? IconPosition()).scale
      return (picture.file.name, picture.width * scale, picture.height * scale)
    }
    guard let light = size(.light) else { return }
    for look in [IconLook.dark, .tinted] {
      guard let other = size(look), other.name != light.name,
        abs(other.width - light.width) > 1 || abs(other.height - light.height) > 1
      else { continue }
      findings.add(
        .sizeMismatch,
        "the \(look.rawValue) look shows \(quoted(other.name)) at \(brief(other.width))×"
          + "\(brief(other.height)) points, and the light look shows \(quoted(light.name)) at "
          + "\(brief(light.width))×\(brief(light.height))",
        at: fields.pointer(of: "image-name-specializations"))
    }
  }

  // MARK: Keys at the wrong place

  private enum Level: String, CaseIterable {
    case icon = "the icon", group = "a group", layer = "a layer"
  }

  /// Returns the name of the object to which a key belongs, if it is another one.
  private static func owner(of key: ByteString, besides level: Level) -> String? {
    let suffix: ByteString = "-specializations"
    let plain = key.hasSuffix(suffix) ? key.dropLast(suffix.count) : key
    return Level.allCases.first { $0 != level && keys(of: $0).contains(plain) }?.rawValue
  }

  private static func keys(of level: Level) -> [ByteString] {
    switch level {
    case .icon:
      [
        "groups", "supported-platforms", "color-space-for-untagged-svg-colors", "features",
        "implicit-asset-mirroring", "languages",
      ]
    case .group:
      [
        "layers", "shadow", "translucency", "blur-material", "lighting", "specular",
        "refractivity",
      ]
    case .layer: ["image-name", "fill", "glass"]
    }
  }
}

// MARK: - Pictures

extension IconReader {
  /// Reads the name of a picture. A picture that several layers name is read once.
  private func picture(_ found: Fields.Found, _ fields: Fields) -> IconPicture? {
    if let describer = fields.describer {
      describer.addValue(.string)
      return nil
    }
    guard case .string(let name) = found.value else {
      fields.wrongType(found, "a string")
      return nil
    }
    if name.isEmpty {
      findings.add(
        .missingFile, "the name of the picture is empty, so the layer shows nothing here",
        at: found.pointer)
      return nil
    }
    let file = pictures.file(named: name, at: found.pointer)
    guard file.exists else { return nil }
    if let known = known[file.path] { return known }
    let picture =
      file.isVector ? vector(file, at: found.pointer) : bitmap(file, at: found.pointer)
    known[file.path] = picture
    return picture
  }

  private func vector(_ file: SourceFile, at pointer: ByteString) -> IconPicture? {
    guard let bytes = try? tree.read(file.path, FileLimit.picture) else {
      findings.add(.unreadableFile, "\(quoted(file.name)) cannot be read", at: pointer)
      return nil
    }
    do throws(VectorError) {
      let drawing = try VectorFile.read(bytes).drawing
      var picture = IconPicture(file, width: drawing.width, height: drawing.height)
      picture.isLight = drawing.hasOnlyPaints { color in
        min(color.red, color.green, color.blue) >= IconPicture.leastLight
      }
      return picture
    } catch {
      findings.add(
        .brokenImage, "\(quoted(file.name)) cannot be drawn: \(error.words)", at: pointer)
      return nil
    }
  }

  private func bitmap(_ file: SourceFile, at pointer: ByteString) -> IconPicture? {
    do throws(ImageHeaderError) {
      let header = try ImageHeader.read(file.path, in: tree)
      if header.kind.isVector {
        // The name decides that the file is decoded. A layer cannot be left out.
        findings.add([otherContent(header.kind, in: file, isNeeded: true)])
        return nil
      }
      let size = header.uprightSize
      return IconPicture(file, width: Double(size.width), height: Double(size.height))
    } catch {
      findings.add(
        .brokenImage, "\(quoted(file.name)) is not a picture of a known kind", at: pointer)
      return nil
    }
  }
}
