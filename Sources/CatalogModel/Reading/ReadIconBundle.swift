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
    let bytes = try tree.read(file, FileLimit.contents)
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
    icon.fill = specialized("fill", of: fields, fill)
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
    group.hidden = specialized("hidden", of: fields, bool)
    group.opacity = specialized("opacity", of: fields) { self.number($0, $1, in: 0...1) }
    group.blendMode = specialized("blend-mode", of: fields, choice)
    group.position = specialized("position", of: fields, position)
    group.shadow = specialized("shadow", of: fields, shadow)
    group.translucency = specialized("translucency", of: fields, translucency)
    group.blur = specialized("blur-material", of: fields) { found, fields in
      if case .null = found.value { return 0 }
      return self.number(found, fields, in: 0...1)
    }
    group.specular = specialized("specular", of: fields, bool)
    group.isLitOneByOne = specialized("lighting", of: fields) { found, fields in
      self.word(found, of: fields, among: ["individual", "combined"]).map { $0 == "individual" }
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
    layer.fill = specialized("fill", of: fields, fill)
    layer.glass = specialized("glass", of: fields, bool)
    layer.hidden = specialized("hidden", of: fields, bool)
    layer.opacity = specialized("opacity", of: fields) { self.number($0, $1, in: 0...1) }
    layer.blendMode = specialized("blend-mode", of: fields, choice)
    layer.position = specialized("position", of: fields, position)
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
    guard let bytes = try? tree.read(image.path, FileLimit.picture) else {
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

// MARK: - Fills, colours, positions, and values for some looks

extension IconReader {
  /// Reads a value, and the values that replace it in some looks and on some platforms.
  func specialized<Value: Sendable & Hashable>(
    _ key: String, of fields: Fields, _ read: (Fields.Found, Fields) -> Value?
  ) -> Specialized<Value> {
    var result = Specialized<Value>()
    if let found = fields.find(key), let value = read(found, fields) {
      result.rows.append(.init(look: nil, idiom: nil, value: value))
    }
    guard fields.has(key + "-specializations") else { return result }
    for row in fields.objects(key + "-specializations") ?? [] {
      let look: IconLook? = row.choice("appearance")
      let idiom = row.word(
        "idiom", of: ["macOS", "iOS", "watchOS", "square", "circle", "iPhone", "iPad"])
      let isKnown =
        (look != nil || !row.has("appearance")) && (idiom != nil || !row.has("idiom"))
      if let found = row.find("value") {
        if let value = read(found, row), isKnown {
          result.rows.append(.init(look: look, idiom: idiom, value: value))
        }
      } else {
        findings.add(.missingKey, "the specialization has no \"value\"", at: row.pointer)
      }
      row.finish()
    }
    return result
  }

  func bool(_ found: Fields.Found, _ fields: Fields) -> Bool? {
    if case .bool(let flag) = found.value { return flag }
    fields.wrongType(found, "true or false")
    return nil
  }

  func number(
    _ found: Fields.Found, _ fields: Fields, in range: ClosedRange<Double>
  ) -> Double? {
    let number: Double
    switch found.value {
    case .integer(let value): number = Double(value)
    case .number(let value, _): number = value
    default:
      fields.wrongType(found, "a number")
      return nil
    }
    guard range.contains(number) else {
      findings.add(
        .numberRange,
        "\(quoted(found.key)) must lie between \(brief(range.lowerBound)) and "
          + "\(brief(range.upperBound))", at: found.pointer)
      return nil
    }
    return number
  }

  func word(_ found: Fields.Found, of fields: Fields, among words: [String]) -> String? {
    guard case .string(let name) = found.value else {
      fields.wrongType(found, "a string")
      return nil
    }
    if let word = words.first(where: { ByteString($0) == name }) { return word }
    let text = name.text
    fields.reportUnknown(found, text: text, among: words)
    return nil
  }

  func choice<Choice: RawRepresentable<String> & CaseIterable>(
    _ found: Fields.Found, _ fields: Fields
  ) -> Choice? {
    word(found, of: fields, among: Choice.allCases.map(\.rawValue)).flatMap { Choice(rawValue: $0) }
  }

  private func object(_ found: Fields.Found, _ fields: Fields) -> Fields? {
    guard case .object(let members) = found.value else {
      fields.wrongType(found, "an object")
      return nil
    }
    return Fields(members, pointer: found.pointer, findings: findings)
  }

  private func member(
    _ key: String, of fields: Fields, in range: ClosedRange<Double>
  ) -> Double? {
    fields.find(key).flatMap { number($0, fields, in: range) }
  }

  func position(_ found: Fields.Found, _ fields: Fields) -> IconPosition? {
    guard let fields = object(found, fields) else { return nil }
    defer { fields.finish() }
    var position = IconPosition()
    if fields.has("scale") {
      guard let scale = member("scale", of: fields, in: 0.001...1000) else { return nil }
      position.scale = scale
    }
    guard let found = fields.find("translation-in-points") else { return position }
    guard case .array(let elements) = found.value, elements.count == 2 else {
      fields.wrongType(found, "an array of two numbers")
      return nil
    }
    let numbers = elements.enumerated().compactMap { index, value in
      number(
        Fields.Found(key: found.key, value: value, pointer: "\(found.pointer)/\(index)"), fields,
        in: -100_000...100_000)
    }
    guard numbers.count == 2 else { return nil }
    (position.x, position.y) = (numbers[0], numbers[1])
    return position
  }

  func shadow(_ found: Fields.Found, _ fields: Fields) -> IconShadow? {
    guard let fields = object(found, fields) else { return nil }
    var shadow = IconShadow()
    shadow.kind = fields.choice("kind") ?? .neutral
    shadow.opacity = member("opacity", of: fields, in: 0...1) ?? 0.5
    fields.finish()
    return shadow
  }

  func translucency(_ found: Fields.Found, _ fields: Fields) -> Double? {
    guard let fields = object(found, fields) else { return nil }
    let isEnabled = fields.bool("enabled") ?? true
    let value = member("value", of: fields, in: 0...1) ?? 0.5
    fields.finish()
    return isEnabled ? value : 0
  }

  func fill(_ found: Fields.Found, _ fields: Fields) -> IconFill? {
    if case .string = found.value {
      return
        switch word(found, of: fields, among: ["none", "automatic", "system-light", "system-dark"])
      {
      case "none": .some(.none)
      case "automatic": .automatic
      case "system-light": .systemLight
      case "system-dark": .systemDark
      default: nil
      }
    }
    guard let fields = object(found, fields) else { return nil }
    defer { fields.finish() }
    if let found = fields.find("solid") { return color(found, fields).map { .solid($0) } }
    let (start, stop) = orientation(fields)
    if let found = fields.find("automatic-gradient") {
      return color(found, fields).map { .automaticGradient($0) }
    }
    guard let found = fields.find("linear-gradient") else {
      findings.add(
        .missingKey,
        "the fill is not \"solid\", \"automatic-gradient\" or \"linear-gradient\"",
        at: fields.pointer)
      return nil
    }
    guard case .array(let elements) = found.value, (1...100).contains(elements.count) else {
      fields.wrongType(found, "an array of colours")
      return nil
    }
    let colors = elements.enumerated().compactMap { index, value in
      color(
        Fields.Found(key: found.key, value: value, pointer: "\(found.pointer)/\(index)"), fields)
    }
    return colors.count == elements.count
      ? .linearGradient(colors, start: start, stop: stop) : nil
  }

  private func orientation(_ fields: Fields) -> (start: IconPoint, stop: IconPoint) {
    guard let orientation = fields.object("orientation") else {
      return (IconFill.top, IconFill.bottom)
    }
    func point(_ key: String, _ standard: IconPoint) -> IconPoint {
      guard let point = orientation.object(key) else { return standard }
      let x = member("x", of: point, in: -1000...1000) ?? standard.x
      let y = member("y", of: point, in: -1000...1000) ?? standard.y
      point.finish()
      return IconPoint(x, y)
    }
    let ends = (point("start", IconFill.top), point("stop", IconFill.bottom))
    orientation.finish()
    return ends
  }

  /// Reads a colour such as "srgb:1.00000,0.50000,0.00000,1.00000".
  private func color(_ found: Fields.Found, _ fields: Fields) -> IconColor? {
    guard case .string(let name) = found.value else {
      fields.wrongType(found, "a colour such as \"srgb:1,0.5,0,1\"")
      return nil
    }
    let text = name.text
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    let numbers = parts.count == 2 ? parts[1].split(separator: ",").map { Double($0) } : []
    guard let space = IconColor.Space(rawValue: String(parts[0])),
      numbers.count == (space.isGray ? 2 : 4),
      numbers.allSatisfy({ $0.map { $0.isFinite && abs($0) <= 1000 } ?? false })
    else {
      findings.add(
        .unknownValue, "\(quoted(text)) is not a colour such as \"srgb:1,0.5,0,1\"",
        at: found.pointer)
      return nil
    }
    return IconColor(space, numbers.compactMap { $0 })
  }
}
