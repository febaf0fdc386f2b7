// Makes the bytes of an extracted file: decoded pixels as PNG, colours as JSON, files as they were
// before their compression.

import Archive
import Bytes
import Codecs
import Documents
import Imaging
import Vectors

extension Extraction {
  func contents(of item: Item, _ scratch: inout ExtractionScratch) throws(SkipReason) -> [UInt8] {
    switch item.kind {
    case .bitmap:
      try allowance.payOrSkip(for: item.rendition)
      return try item.rendition.picture().pngFile(.fast)
    case .link(let link): return try cut(link, &scratch).pngFile(.fast)
    case .color: return try colorFile(item)
    case .file:
      try allowance.payOrSkip(item.rendition.fileMemory)
      return try item.rendition.fileContents()
    case .drawing(let scale):
      let range = item.rendition.range
      if let last = scratch.lastDrawing, last.range == range { return last.file }
      let file = try item.rendition.drawnFile(scale, &scratch.rasterizer, gate, allowance)
      scratch.lastDrawing = (range, file)
      return file
    }
  }

  private func cut(
    _ link: InternalLink, _ scratch: inout ExtractionScratch
  ) throws(SkipReason) -> Bitmap {
    let key = link.target
    if scratch.lastAtlas?.key != key {
      scratch.lastAtlas = nil
      guard let entry = atlases[key] else { throw .damaged("its atlas is not in the archive") }
      let archive = archive
      let atlas = try Extraction.reading { () throws(FormatError) in
        try archive.rendition(entry)
      }
      try allowance.payOrSkip(for: atlas)
      scratch.lastAtlas = (key, try atlas.picture())
    }
    guard let atlas = scratch.lastAtlas?.pixels else {
      throw .damaged("its atlas is not in the archive")
    }
    return try atlas.cut(link, allowance)
  }

  private func colorFile(_ item: Item) throws(SkipReason) -> [UInt8] {
    let rendition = item.rendition
    let stored = try Extraction.reading { () throws(FormatError) in
      try ColorPayload(rendition.payload)
    }
    guard let color = stored else { throw .unsupported("a colour of unknown kind") }
    let names =
      color.components.count == 4 ? ["red", "green", "blue", "alpha"] : ["white", "alpha"]
    var members: [JSONOutput.Member] = [.init("name", .name(item.name))]
    if let appearance = words.appearance(of: item.key) {
      members.append(.init("appearance", .string(appearance)))
    }
    members.append(.init("color-space", .string(color.space.catalogName)))
    members.append(
      .init(
        "components",
        .object(zip(names, color.components).map { .init($0, .number($1)) })))
    if let system = color.systemName { members.append(.init("reference", .string(system))) }
    return Array((JSONOutput.object(members).text + "\n").utf8)
  }

  static func reading<Value>(
    _ body: () throws(FormatError) -> Value
  ) throws(SkipReason) -> Value {
    do throws(FormatError) { return try body() } catch { throw .damaged("\(error)") }
  }
}

extension PictureAllowance {
  // These methods pay as those of the same labels do. They throw the reason why a file is left out.

  func payOrSkip(_ bytes: Int) throws(SkipReason) {
    try Extraction.reading { () throws(FormatError) in try pay(bytes) }
  }

  func payOrSkip(for rendition: Rendition) throws(SkipReason) {
    try Extraction.reading { () throws(FormatError) in try pay(for: rendition) }
  }

  func payOrSkip(forFrameOf link: InternalLink) throws(SkipReason) {
    try Extraction.reading { () throws(FormatError) in try pay(forFrameOf: link) }
  }
}

extension SkipReason {
  init(_ error: CodecError) {
    switch error {
    case .unsupported(let what): self = .unsupported("\(what)")
    default: self = .damaged("\(error)")
    }
  }
}
