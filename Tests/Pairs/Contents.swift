// The contents of an archive by name and key, in a form in which two archives can be compared.

import Archive
import Codecs
import Traits
@testable import ArchiveTools

/// The place of a rendition: its name, and a key that both archives use in the same way.
struct Place: Hashable {
  var facet: String
  /// All attributes except the numbers of names and of atlases.
  var key: RenditionKey
}

/// The compared values of one rendition.
struct Entry {
  var header: CSIHeader
  var slices: [Slice]
  var metrics: [Metrics]
  var color: ColorPayload?
  /// The size and the premultiplied bytes as stored; nil if there are no pixels, or if they cannot
  /// be decoded.
  var pixels: Pixels?
  var compression: Compression?
  var frame: [UInt32]?
  var block: [UInt8]
  /// The bytes of a PDF or SVG file.
  var vector: [UInt8]?
  var glyph: GlyphMetrics?
  /// The rows of a stack, a group or a gradient.
  var layers: [String]?
}

struct Pixels: Equatable {
  var format: UInt32
  var width: Int
  var height: Int
  var bytes: [UInt8]
}

struct Contents {
  private(set) var entries: [Place: Entry] = [:]
  private(set) var atlases: [RenditionKey: Entry] = [:]
  private(set) var names: Set<String> = []
  /// The version of Apple's library that wrote the archive.
  private(set) var coreUIVersion: UInt32 = 0

  init(_ file: [UInt8]) throws {
    try file.withUnsafeBytes { bytes in
      let archive = try Archive(bytes)
      coreUIVersion = archive.header.coreUIVersion
      let renditions = try archive.renditions()
      var atlases: [RenditionKey: Rendition] = [:]
      for entry in renditions where entry.key.element == Element.atlas {
        atlases[entry.key] = try archive.rendition(entry)
        self.atlases[entry.key] = try Entry(archive.rendition(entry), [:], [:])
      }
      var facets: [UInt16: String] = [:]
      for facet in try archive.facets() {
        let name = releasedName(facet.name.text)
        names.insert(name)
        if let identifier = facet.identifier { facets[identifier] = name }
      }
      for entry in renditions {
        guard let facet = facets[entry.key.identifier], entry.key.element == Element.universal
        else { continue }
        var key = entry.key
        key[.identifier] = 0
        key[.dimension1] = 0
        entries[Place(facet: facet, key: key)] = try Entry(
          archive.rendition(entry), atlases, facets)
      }
    }
    dropNewerDoubles()
  }

  /// The oldest system for which an iPhone archive was made. Old archives do not state it, so it is
  /// concluded from the compression of the pictures.
  var oldestSystem: OSVersion {
    let kinds = Set(entries.values.compactMap { $0.compression })
    return OSVersion(kinds.contains(.zip) ? 7 : kinds.contains(.lzvn) ? 8 : 9)
  }

  /// Removes the variants that Apple's tool adds for newer systems. They have the same contents in
  /// another codec as the variants for the oldest system, which are compared.
  private mutating func dropNewerDoubles() {
    entries = entries.filter { place, _ in
      guard place.key[.deploymentTarget] != 0 else { return true }
      var base = place
      base.key[.deploymentTarget] = 0
      return entries[base] == nil
    }
    atlases = atlases.filter { key, _ in
      guard key[.deploymentTarget] != 0 else { return true }
      var base = key
      base[.deploymentTarget] = 0
      return atlases[base] == nil
    }
  }
}

extension Entry {
  init(
    _ rendition: Rendition, _ atlases: [RenditionKey: Rendition], _ names: [UInt16: String]
  ) throws {
    glyph = try rendition.glyphMetrics()
    layers = try rendition.layerText(names)
    header = rendition.header
    slices = try rendition.slices()
    metrics = try rendition.metrics()
    color = try ColorPayload(rendition.payload)
    compression = try? BitmapPayload(rendition.payload.buffer).compression
    block = Array(rendition.bytes.buffer)
    vector = rendition.isVectorFile ? try? rendition.fileContents() : nil
    if let link = try rendition.link() {
      frame = [link.x, link.y, link.width, link.height]
      pixels = try atlases[link.target].flatMap { try Pixels($0) }?.cut(link)
    } else {
      pixels = try Pixels(rendition)
    }
  }
}

extension Pixels {
  init?(_ rendition: Rendition) throws {
    let header = rendition.header
    let format: PixelFormat
    switch header.pixelFormat.description {
    case "ARGB": format = .argb
    case "GA8": format = .ga8
    case "RGBW": format = .rgbw
    case "GA16": format = .ga16
    default: return nil
    }
    guard let payload = try? BitmapPayload(rendition.payload.buffer) else { return nil }
    self.format = header.pixelFormat.rawValue
    width = Int(header.width)
    height = Int(header.height)
    let row = width * format.bytesPerPixel
    let stated = try rendition.bytesPerRow().map { Int($0) } ?? row
    bytes = [UInt8](repeating: 0, count: row * height)
    let (columns, rows) = (width, height)
    let isDecoded = bytes.withUnsafeMutableBytes { target in
      (try? payload.decode(
        format: format, width: columns, height: rows, bytesPerRow: stated, into: target,
        rowStride: row)) != nil
    }
    if !isDecoded { return nil }
  }

  func cut(_ link: InternalLink) -> Pixels {
    let size = bytes.count / max(1, width * height)
    var part = self
    part.width = Int(link.width)
    part.height = Int(link.height)
    part.bytes = []
    let top = height - Int(link.y) - part.height
    for row in top..<top + part.height {
      let start = (row * width + Int(link.x)) * size
      part.bytes += bytes[start..<start + part.width * size]
    }
    return part
  }

  /// Returns whether both show the same picture. One may be stored in grey and the other in colour.
  func shows(_ other: Pixels) -> Bool {
    if self == other { return true }
    return width == other.width && height == other.height && bgra != nil && bgra == other.bgra
  }

  /// A word for each pixel, with blue in its lowest byte; nil if a channel has more than eight
  /// bits.
  var words: [UInt32]? {
    guard let bgra else { return nil }
    return bgra.withUnsafeBytes { bytes in
      (0..<width * height).map {
        UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: $0 * 4, as: UInt32.self))
      }
    }
  }

  private var bgra: [UInt8]? {
    let size = bytes.count / max(1, width * height)
    if size == 4 { return bytes }
    guard size == 2 else { return nil }
    var wide: [UInt8] = []
    wide.reserveCapacity(bytes.count * 2)
    for place in stride(from: 0, to: bytes.count, by: 2) {
      let gray = bytes[place]
      wide += [gray, gray, gray, bytes[place + 1]]
    }
    return wide
  }
}

extension Place {
  var words: String {
    "\(facet) @\(key[.scale])x idiom \(key[.idiom]) appearance \(key[.appearance])"
  }
}

extension Entry {
  /// Describes the differences between two blocks.
  func beside(_ other: Entry) -> String {
    func words(_ entry: Entry) -> String {
      let format = entry.header.pixelFormat
      let compression = entry.compression.map { " \($0)" } ?? ""
      return "\(entry.header.layout) \(format)\(compression), \(entry.block.count) bytes"
    }
    var differences: [String] = []
    if header != other.header { differences.append("header") }
    if pixels != nil || other.pixels != nil {
      differences.append(pixels == other.pixels ? "pixels equal" : "pixels differ")
    }
    let first = zip(block, other.block).enumerated().first { $1.0 != $1.1 }?.offset
    if let first { differences.append("first at \(first)") }
    return "\(words(self)) / \(words(other)): \(differences.joined(separator: ", "))"
  }
}
