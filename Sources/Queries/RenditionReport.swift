// The facts about a rendition that are known without decoding it.

import Archive
import ArchiveTools
import Bytes
import CatalogModel
import Documents
import Traits

package struct RenditionReport {
  /// The asset's name; the rendition's own name if it belongs to no asset, such as an atlas.
  package let name: ByteString
  package let hasFacet: Bool
  package let entry: RenditionEntry
  package let rendition: Rendition
  /// The size in pixels; 0 × 0 if the rendition has no pixels.
  package let width: UInt32
  package let height: UInt32
  let bitmap: BitmapPayloadHeader?
  private let words: NumberNames
  private let facts: BlockFacts
  /// The value of a colour.
  package var color: String? {
    guard rendition.header.layout == .color else { return nil }
    return (try? ColorPayload(rendition.payload)).flatMap { $0 }?.text
  }
  private let columns: Set<RenditionAttribute>

  init(
    _ entry: RenditionEntry, _ rendition: Rendition, name: ByteString?, words: NumberNames,
    columns: Set<RenditionAttribute>, facts: BlockFacts
  ) throws(FormatError) {
    self.facts = facts
    self.entry = entry
    self.rendition = rendition
    self.name = name ?? rendition.header.name
    hasFacet = name != nil
    self.words = words
    self.columns = columns
    bitmap = try BitmapPayloadHeader(rendition.payload)
    let header = rendition.header
    if header.width == 0, header.height == 0, header.layout.isImage,
      let metrics = try rendition.metrics().first
    {
      // Only the metrics contain the size of JPEG and HEIF pictures.
      width = metrics.width &+ UInt32(bitPattern: metrics.left &+ metrics.right)
      height = metrics.height &+ UInt32(bitPattern: metrics.top &+ metrics.bottom)
    } else {
      width = header.width
      height = header.height
    }
  }

  /// The kind of the rendition in Apple's words.
  package var type: String { rendition.appleType(entry.key) }

  /// The parts that a drawing of the rendition does not show.
  package var drawingRemark: String? { facts.remark(on: rendition) }

  package var compression: String? {
    if let bitmap { return bitmap.compressionName }
    guard let file = (try? FilePayload(rendition.payload)).flatMap({ $0 }) else { return nil }
    return file.isCompressed ? "lzfse" : "uncompressed"
  }

  /// The traits that distinguish the rendition from others of its name, in the words of `explain`.
  package var variant: String {
    let key = entry.key
    var parts: [String] = []
    if var traits = words.traits(of: key) {
      if isVector || rendition.header.layout == .symbol { traits.scale = 0 }
      parts.append(traits.summary(language: words.language(key), platform: words.platform))
    } else {
      parts.append("\(key[.scale])x")
    }
    var others: [(RenditionAttribute, String)] = [
      (.dimension1, "dimension1"), (.dimension2, "size"), (.value, "value"), (.state, "state"),
      (.layer, "layer"), (.size, "control"),
    ]
    if let glyph = key.details.glyph {
      parts.append(glyph.words)
    } else {
      others += [(.glyphWeight, "weight"), (.glyphSize, "symbol size")]
    }
    // Renditions of a theme have no facet and may share a name; the element and the part tell them
    // apart.
    if !hasFacet, rendition.header.layout != .atlas {
      for (attribute, word) in [(RenditionAttribute.element, "element"), (.part, "part")]
      where key[attribute] != 0 {
        parts.append("\(word) \(key[attribute])")
      }
    }
    let isText = words.traits(of: key)?.contentSize != .any
    for (attribute, word) in others where key[attribute] != 0 {
      if isText, attribute == .value { continue }
      parts.append("\(word) \(key[attribute])")
    }
    return parts.joined(separator: ", ")
  }

  static func idiom(_ number: UInt16) -> String {
    UInt8(exactly: number).flatMap(Idiom.init)?.name ?? "\(number)"
  }
}

extension RenditionReport {
  /// Returns the facts under the keys of `assetutil`, in its order.
  func json(packed: PackedPart?) throws(FormatError) -> JSONOutput {
    var members: [JSONOutput.Member] = [
      .init("AssetType", .string(type)), .init("Name", .name(name)),
      .init("Scale", .integer(max(Int(entry.key[.scale]), isVector ? 1 : 0))),
      .init("SizeOnDisk", .integer(entry.range.count)),
      .init("SHA1Digest", .string(try facts.digest(of: rendition))),
      .init("Idiom", .string(RenditionReport.idiom(entry.key[.idiom]))),
    ]
    if hasFacet {
      members.append(.init("NameIdentifier", .integer(Int(entry.key.identifier))))
    }
    members += constraints
    members += try contents()
    if let compression = packed?.compression {
      members.append(.init("Compression", .string(compression)))
    }
    if let isOpaque = packed?.isOpaque { members.append(.init("Opaque", .bool(isOpaque))) }
    return .object(members.sorted { $0.key.lowercased() < $1.key.lowercased() })
  }

  private var isVector: Bool { rendition.header.layout == .vector }

  /// Returns the members of a vector: its page, in single precision, as Apple's tool reads it.
  private func vectorContents() throws(FormatError) -> [JSONOutput.Member] {
    var members: [JSONOutput.Member] = [
      .init("Colorspace", .string(rendition.header.colorSpace.reportName))
    ]
    if let size = try facts.pageSize(of: rendition) {
      members.append(.init("Height", .number(Double(Float(size.height)))))
      members.append(.init("Width", .number(Double(Float(size.width)))))
    }
    return members
  }

  /// The attributes of the key that do not have their default values.
  private var constraints: [JSONOutput.Member] {
    let key = entry.key
    var members: [JSONOutput.Member] = []
    func add(_ name: String, _ attribute: RenditionAttribute, _ value: (UInt16) -> JSONOutput) {
      if key[attribute] != 0 { members.append(.init(name, value(key[attribute]))) }
    }
    func word(_ value: String?, _ number: UInt16) -> JSONOutput { .string(value ?? "\(number)") }
    add("Appearance", .appearance) { .string(words.appearance($0)) }
    add("Localization", .localization) { .string(words.localization($0)) }
    add("Subtype", .subtype) { .integer(Int($0)) }
    add("Display Gamut", .displayGamut) { word(UInt8(exactly: $0).flatMap(Gamut.init)?.name, $0) }
    add("Direction", .direction) { word(UInt8(exactly: $0).flatMap(Direction.init)?.name, $0) }
    add("SizeClass Horizontal", .horizontalSizeClass) {
      word(UInt8(exactly: $0).flatMap(SizeClass.init)?.name, $0)
    }
    add("SizeClass Vertical", .verticalSizeClass) {
      word(UInt8(exactly: $0).flatMap(SizeClass.init)?.name, $0)
    }
    add("Graphics Class", .graphicsClass) {
      word(UInt8(exactly: $0).flatMap(GraphicsClass.init)?.name, $0)
    }
    add("Memory Class", .memoryClass) { .integer(Int($0)) }
    add("DeploymentTarget", .deploymentTarget) { .string(RenditionReport.year($0)) }
    add("Dimension1", .dimension1) { .integer(Int($0)) }
    add("Glyph Weight", .glyphWeight) { .integer(Int($0)) }
    add("Glyph Size", .glyphSize) {
      word(["Small", "Medium", "Large"][safely: Int($0) - 1], $0)
    }
    add(entry.key.part == Part.icon ? "Icon Index" : "Dimension2", .dimension2) {
      .integer(Int($0))
    }
    if columns.contains(.state) {
      members.append(.init("State", key[.state] == 0 ? "Normal" : .integer(Int(key[.state]))))
    }
    if columns.contains(.value) {
      members.append(.init("Value", key[.value] == 0 ? "Off" : .integer(Int(key[.value]))))
    }
    return members
  }

  /// Returns the year of the systems that a deployment target means.
  private static func year(_ generation: UInt16) -> String {
    let years: [UInt16: String] = [
      1: "2016", 2: "2017", 3: "2018", 5: "2019", 6: "2020", 7: "2021", 8: "2022", 9: "2023",
      11: "2024", 12: "2025",
    ]
    return years[generation] ?? "\(generation)"
  }

  /// Returns the facts in the header, in the properties and in the first bytes of the payload.
  private func contents() throws(FormatError) -> [JSONOutput.Member] {
    let header = rendition.header
    let layout = header.layout
    if layout == .color { return try colorContents() }
    if layout == .multisize { return try sizeContents() }
    var members: [JSONOutput.Member] = []
    if let compression, layout != .vector {
      members.append(.init("Compression", .string(compression)))
    }
    if layout == .data {
      members.append(.init("UTI", .string(try rendition.uti() ?? "UTI-Unknown")))
      if let file = try FilePayload(rendition.payload) {
        members.append(.init("Data Length", .integer(file.contents.count)))
      }
      return members
    }
    members.append(.init("RenditionName", .name(header.name)))
    if header.flags.contains(.preservesVector) {
      members.append(.init("Preserved Vector Representation", true))
    }
    if isVector { members += try vectorContents() }
    guard layout.isImage || [.atlas, .textureImage, .flattened].contains(layout) else {
      return members
    }
    members += pictureContents()
    return members
  }

  private func pictureContents() -> [JSONOutput.Member] {
    let header = rendition.header
    let format = header.pixelFormat
    let isGray = format == .grayAlpha8 || format == .grayAlpha16
    let isWide = format == .wide || format == .grayAlpha16
    var members: [JSONOutput.Member] = [
      .init("PixelWidth", .integer(Int(width))), .init("PixelHeight", .integer(Int(height))),
      .init("BitsPerComponent", .integer(format == .rgb5 ? 5 : isWide ? 16 : 8)),
      .init("ColorModel", isGray ? "Monochrome" : "RGB"),
      .init("Encoding", .string(isGray ? "Gray" : format.description)),
    ]
    if format.bytesPerPixel != nil {
      members.append(.init("Colorspace", .string(header.colorSpace.reportName)))
    }
    if let bitmap {
      members.append(.init("Opaque", .bool(bitmap.isOpaque)))
    } else if format == .jpeg {
      members.append(.init("Opaque", true))
    }
    if header.flags.contains(.template) {
      members.append(.init("Template Mode", "template"))
    } else if header.flags.contains(.automatic) {
      members.append(.init("Template Mode", "automatic"))
    }
    return members
  }

  private func colorContents() throws(FormatError) -> [JSONOutput.Member] {
    guard let color = try ColorPayload(rendition.payload) else { return [] }
    var members: [JSONOutput.Member] = [
      .init("Color components", .array(color.components.map { .number($0) })),
      .init("Colorspace", .string(color.space.reportName)),
    ]
    if let name = color.systemName { members.append(.init("System Color Name", .string(name))) }
    return members
  }

  private func sizeContents() throws(FormatError) -> [JSONOutput.Member] {
    guard let table = try MultisizePayload(rendition.payload) else { return [] }
    let idiom = RenditionReport.idiom(entry.key[.idiom])
    return [
      .init(
        "Sizes",
        .array(
          table.sizes.map {
            .string("\($0.width)x\($0.height) index:\($0.index) idiom:\(idiom)")
          }))
    ]
  }
}

extension ColorSpaceID {
  /// The space in Apple's words.
  fileprivate var reportName: String {
    switch self {
    case .unspecified: "generic"
    case .sRGB: "srgb"
    case .grayGamma22: "gray gamma 22"
    case .displayP3: "p3"
    case .extendedSRGB: "extended srgb"
    case .extendedLinearSRGB: "extended linear srgb"
    case .extendedGray: "extended gray"
    default: "\(rawValue)"
    }
  }
}

extension Array {
  fileprivate subscript(safely index: Int) -> Element? {
    indices.contains(index) ? self[index] : nil
  }
}
