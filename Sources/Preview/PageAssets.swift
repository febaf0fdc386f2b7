// The facts that the page shows about each asset, its variants and their colours.

import ArchiveTools
import Bytes
import CarveRuntime
import Codecs
import Colors
import Documents
import Traits

/// An asset of the page.
struct PageAsset: Sendable {
  var asset: Asset
  /// The number of the signature, which is also the number of the answers.
  var signature: Int
  var variants: [PageVariant]
  /// For symbols: every weight in the medium size, and the other sizes of the regular weight.
  var glyphs: [(glyph: Glyph, request: PictureRequest)] = []
}

/// A variant of an asset of the page.
struct PageVariant: Sendable {
  var key: VariantKey
  var variant: Variant
  var fileName: ByteString?
  /// The bytes of its block, or of its share of an atlas.
  var byteCount = 0
  /// The pictures of a vector, by the scale of the screen; otherwise one picture with scale 0.
  var pictures: [(scale: Int, request: PictureRequest)] = []
  var source: ByteString?
  var details: [JSONOutput.Member] = []
  /// The digest of a data file, to detect changes.
  var digest: UInt32?
}

/// Reads the assets of a catalogue through the run time.
struct AssetReader {
  let catalog: Catalog
  let file: UnsafeRawBufferPointer
  let options: PreviewOptions
  /// The scales at which vectors are drawn.
  let scales: [Int]
  var charges: BlockCharges
  /// The facts about data files by their blocks. Several keys may name one block.
  var dataFacts: [Range<Int>: DataFacts] = [:]

  struct DataFacts {
    var details: [JSONOutput.Member]
    var digest: UInt32?
  }

  /// Returns the assets of the page, and the keys of their signatures.
  mutating func read() -> (assets: [PageAsset], signatures: [[VariantKey]]) {
    var signatures: [[VariantKey]] = []
    var numbers: [[VariantKey]: Int] = [:]
    var assets: [PageAsset] = []
    for asset in catalog.assets where options.shows(ByteString(asset.name)) {
      let keys = catalog.keys(of: asset.id)
      let signature = numbers[keys] ?? signatures.count
      if signature == signatures.count {
        numbers[keys] = signature
        signatures.append(keys)
      }
      var variants: [PageVariant] = []
      for (ordinal, key) in keys.enumerated() {
        guard let found = catalog.variant(ordinal, of: asset.id) else { break }
        variants.append(variant(found, key, of: asset))
      }
      // If a variant cannot be read, the indices of the variants after it would be wrong.
      guard variants.count == keys.count else { continue }
      var page = PageAsset(asset: asset, signature: signature, variants: variants)
      if asset.kind == .symbol { page.glyphs = glyphs(of: ByteString(asset.name)) }
      assets.append(page)
    }
    return (assets, signatures)
  }

  private mutating func variant(
    _ variant: Variant, _ key: VariantKey, of asset: Asset
  ) -> PageVariant {
    var page = PageVariant(key: key, variant: variant)
    page.fileName = catalog.storedName(of: variant).map { ByteString($0) }
    page.source = options.source?(ByteString(asset.name), asset.kind, key)
    guard let blocks = catalog.blocks(of: variant) else { return page }
    page.byteCount = charges.charge(blocks.own)
    switch variant.content {
    case .bitmap, .atlasLink:
      page.pictures = [(0, .pixels(blocks.own, atlas: blocks.atlas))]
    case .pdf, .svg:
      page.pictures = scales.map { ($0, .drawing(blocks.own, scale: $0)) }
    case .jpeg: page.pictures = [(0, .file(blocks.own, type: "jpeg"))]
    case .heif: page.pictures = [(0, .file(blocks.own, type: "heic"))]
    case .color: page.details = colorDetails(variant)
    case .data:
      let facts =
        dataFacts[blocks.own]
        ?? DataFacts(
          details: dataDetails(variant),
          digest: try? catalog.withFile(of: variant) { Checksum.crc32($0) })
      dataFacts[blocks.own] = facts
      (page.details, page.digest) = (facts.details, facts.digest)
    case .other, .nothing: break
    }
    return page
  }

  private func glyphs(of name: ByteString) -> [(glyph: Glyph, request: PictureRequest)] {
    let weights = SymbolWeight.allCases.map { Glyph($0, .medium) }
    let sizes = [Glyph(.regular, .small), Glyph(.regular, .large)]
    return (weights + sizes).map {
      ($0, .glyph(name: name, weight: $0.weight, size: $0.size, isDark: false))
    }
  }

  private func colorDetails(_ variant: Variant) -> [JSONOutput.Member] {
    do throws(CatalogError) {
      return [.init("c", PageColor(value: try catalog.color(of: variant)).json)]
    } catch {
      return [.init("e", .string("\(error)"))]
    }
  }

  /// The number of bytes from the beginning of a text file that the page shows.
  private static let shownTextBytes = 400

  private func dataDetails(_ variant: Variant) -> [JSONOutput.Member] {
    var members: [JSONOutput.Member] = []
    if let type = (try? catalog.typeIdentifier(of: variant)) ?? nil, !type.isEmpty {
      members.append(.init("uti", .string(type)))
    }
    do throws(CatalogError) {
      members.append(.init("size", .integer(try catalog.fileSize(of: variant))))
      let start = try catalog.withFile(of: variant) { Array($0.prefix(AssetReader.shownTextBytes)) }
      let isText = !start.isEmpty && !start.contains { $0 < 32 && $0 != 10 && $0 != 13 && $0 != 9 }
      if isText { members.append(.init("text", .string(String(decoding: start, as: UTF8.self)))) }
    } catch {
      members.append(.init("e", .string("\(error)")))
    }
    return members
  }
}

/// The bytes of each block of an archive. The bytes of an atlas are divided among its pictures. If
/// several variants share a block, the first has its bytes.
struct BlockCharges {
  private var bytes: [Int: Int] = [:]
  private var charged: Set<Int> = []

  /// Reads the charges. If the archive is damaged, only the sizes of the blocks are known.
  init(_ opened: OpenedArchive?) {
    guard let opened, let charges = try? opened.charges() else { return }
    for (entry, range) in opened.inventory.entries.map(\.range).enumerated() {
      bytes[range.lowerBound, default: 0] += charges.bytes[entry]
    }
  }

  mutating func charge(_ block: Range<Int>) -> Int {
    if !charged.insert(block.lowerBound).inserted { return 0 }
    return bytes[block.lowerBound] ?? block.count
  }
}

// MARK: - Colours

// A colour as browsers write it, and the nearest sRGB colour, from which contrast is computed.

struct PageColor: Sendable {
  let value: ColorValue

  /// The colour for a style sheet.
  var css: String {
    let (red, green, blue) = (value.red, value.green, value.blue)
    func color(_ space: String, _ parts: [Double]) -> String {
      let numbers = parts.map { "\($0)" }.joined(separator: " ")
      return "color(\(space) \(numbers) / \(value.alpha))"
    }
    switch value.space {
    case .displayP3: return color("display-p3", [red, green, blue])
    case .extendedLinearSRGB: return color("srgb-linear", [red, green, blue])
    case .grayGamma22:
      let gray = sRGBOfLight(power(max(0, red), 2.2))
      return color("srgb", [gray, gray, gray])
    default: return color("srgb", [red, green, blue])
    }
  }

  var spaceName: String {
    switch value.space {
    case .displayP3: "Display P3"
    case .extendedLinearSRGB: "extended linear sRGB"
    case .grayGamma22: "grey of gamma 2.2"
    case .extendedSRGB: "extended sRGB"
    case .extendedGray: "extended grey"
    default: "sRGB"
    }
  }

  /// Red, green and blue from 0 to 255 in sRGB, and alpha from 0 to 1.
  var standard: [Double] {
    let given = [value.red, value.green, value.blue]
    var encoded = given
    switch value.space {
    case .displayP3:
      let light = SIMD3(lightOfSRGB(given[0]), lightOfSRGB(given[1]), lightOfSRGB(given[2]))
      if let toSRGB = ColorProfile.sRGBColorants.inverse {
        let matrix = toSRGB * ColorProfile.displayP3Colorants
        encoded = matrix.map { sRGBOfLight(($0 * light).sum()) }
      }
    case .extendedLinearSRGB: encoded = given.map { sRGBOfLight($0) }
    case .grayGamma22: encoded = given.map { sRGBOfLight(power(max(0, $0), 2.2)) }
    default: break
    }
    return encoded.map { (min(1, max(0, $0)) * 255).rounded() } + [min(1, max(0, value.alpha))]
  }

  var json: JSONOutput {
    var members: [JSONOutput.Member] = [
      .init("css", .string(css)), .init("space", .string(spaceName)),
      .init("rgb", .array(standard.map { .number($0) })),
      .init(
        "parts", .array([value.red, value.green, value.blue, value.alpha].map { .number($0) })),
    ]
    if let name = value.systemName { members.append(.init("system", .string(name))) }
    return .object(members)
  }
}
