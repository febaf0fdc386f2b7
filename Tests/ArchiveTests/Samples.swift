// Archives for the tests of this folder, built with the writer.
import Archive
import Traits

enum Sample {
  static func header(_ semantics: KeySemantics = .phone) -> CatalogHeader {
    var header = CatalogHeader(
      coreUIVersion: 972, mainVersion: "@(#)PROGRAM:CoreUI  PROJECT:CoreUI-972.1\n",
      toolVersion: "Carve")
    header.keySemantics = semantics
    return header
  }

  static let metadata = CatalogMetadata(
    platform: "ios", platformVersion: "15.0", authoringTool: "Carve")

  /// A rendition of 1 × 1 pixels, stored raw.
  static func picture(_ name: String, scale: UInt32) -> (RenditionHead, [UInt8]) {
    var header = CSIHeader(layout: .onePartScale, name: name)
    header.flags = .automatic
    header.width = 1
    header.height = 1
    header.scaleFactor = 100 * scale
    header.pixelFormat = .argb
    header.colorSpace = .sRGB
    let head = RenditionHead(
      header,
      [
        .slices([Slice(x: 0, y: 0, width: 1, height: 1)]),
        .metrics([Metrics(width: 1, height: 1)]), .composition(blendMode: 0, opacity: 1),
        .orientation(1), .bytesPerRow(32),
      ])
    var payload = Array("MLEC".utf8)
    payload.append(UInt32(0), .little)
    payload.append(UInt32(0), .little)
    payload.append(UInt32(32), .little)
    payload.append(contentsOf: [1, 2, 3, 4])
    payload.append(zeros: 28)
    return (head, payload)
  }

  /// One picture for each name at scales 1, 2, 3 … while there are renditions left.
  static func contents<Sink>(
    names: [String], renditions: Int, in writer: inout ArchiveWriter<Sink>
  ) throws -> ArchiveContents {
    let numbers = try NameNumbers(names)
    var contents = ArchiveContents(header: header(), metadata: metadata)
    for (index, name) in names.enumerated() {
      guard let number = numbers[name] else { continue }
      contents.facets.append(Facet(name: name, part: Part.regular, identifier: number))
      let share = (index + 1) * renditions / names.count - index * renditions / names.count
      for place in 0..<share {
        let scale = UInt32(place % 3 + 1)
        let (head, payload) = picture("\(name)@\(scale)x.png", scale: scale)
        var key = RenditionKey([
          .element: Element.universal, .part: Part.regular, .identifier: number,
          .scale: UInt16(scale),
        ])
        key[.dimension1] = UInt16(place / 3)
        contents.renditions.append((key, writer.append(head, payload: payload)))
      }
    }
    return contents
  }

  static func archive(names: [String], renditions: Int) throws -> [UInt8] {
    var writer = ArchiveWriter(into: MemorySink())
    let contents = try contents(names: names, renditions: renditions, in: &writer)
    return try writer.finish(contents).bytes
  }

  static func names(_ count: Int) -> [String] { (0..<count).map { "Group/Star \($0)" } }
}
