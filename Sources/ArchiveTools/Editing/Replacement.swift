// Puts a new picture in the place of an old one: the new block keeps the name, the flags and, if
// both have one size, the slices and the insets of the rendition that it replaces.

import Archive
import Bytes
import Imaging
import Traits

extension Rendition {
  /// Returns the block of this rendition in the place of another.
  func block(inPlaceOf old: Rendition) throws(FormatError) -> [UInt8] {
    var header = header
    header.name = old.header.name
    header.flags = old.header.flags
    header.modificationDate = old.header.modificationDate
    var properties = try allProperties()
    let (mine, theirs) = (
      RenditionFacts(block: bytes).record, RenditionFacts(block: old.bytes).record
    )
    if header.layout.isImage, mine.pixelWidth == theirs.pixelWidth,
      mine.pixelHeight == theirs.pixelHeight
    {
      let layout = try old.link()?.layout ?? old.header.layout
      if layout.isImage { header.layout = layout }
      for property in try old.allProperties() {
        let index = properties.firstIndex { $0.isGeometry(like: property) }
        if let index { properties[index] = property }
      }
    }
    return RenditionHead(header, properties).block(payload: Array(payload.buffer))
  }
}

extension ChosenRendition {
  /// The constraints that the bitmaps of a vector share with it.
  fileprivate var look: VariantKey? {
    guard var look = variant else { return nil }
    (look.scale, look.gamut, look.osGeneration) = (0, .sRGB, 0)
    return look
  }
}

extension RenditionProperty {
  /// Whether both are slices, or both are insets.
  fileprivate func isGeometry(like other: RenditionProperty) -> Bool {
    switch (self, other) {
    case (.slices, .slices), (.metrics, .metrics): true
    default: false
    }
  }
}

extension ArchiveEditor {
  /// Puts a block that was made from a file in the place of renditions that share a block. If it
  /// shows the same pixels in the same way, the old block stays.
  package mutating func put(
    _ block: [UInt8], inPlaceOf renditions: [ChosenRendition]
  ) throws(EditError) {
    guard let first = renditions.first else { return }
    let made = try EditError.reading { () throws(FormatError) in
      try edit.withBytes(of: blockNow(of: first)) { (bytes) throws(FormatError) -> [UInt8]? in
        let old = try Rendition(bytes)
        let new = try withRendition(block) { (new) throws(FormatError) in
          try new.block(inPlaceOf: old)
        }
        let isSame = try withRendition(new) { (new) throws(FormatError) in
          try showsSame(new, old)
        }
        return isSame ? nil : new
      }
    }
    if let made { try replace(renditions, with: made) }
  }

  /// Removes the vectors that systems would draw instead of these pictures. Their other bitmaps no
  /// longer state that there is a vector. Returns the vectors.
  package mutating func removeVectors(
    of name: ByteString, drawnFor pictures: [ChosenRendition]
  ) throws(EditError) -> [ChosenRendition] {
    let looks = Set(pictures.map(\.look))
    let all = try renditions(of: name).filter { looks.contains($0.look) }
    let vectors = all.filter(\.isVector)
    if vectors.isEmpty { return [] }
    let flags: RenditionFlags = [.vector, .preservesVector]
    for pictures in sharingBlocks(all.filter(\.isPicture)) {
      let picture = pictures[0]
      if picture.header.flags.isDisjoint(with: flags) { continue }
      let block = try EditError.reading { () throws(FormatError) in
        try edit.withBytes(of: blockNow(of: picture)) {
          (bytes) throws(FormatError) -> [UInt8] in
          let rendition = try Rendition(bytes)
          var header = rendition.header
          header.flags.subtract(flags)
          return RenditionHead(header, try rendition.allProperties())
            .block(payload: Array(rendition.payload.buffer))
        }
      }
      try replace(pictures, with: block)
    }
    remove(vectors)
    return vectors
  }

  /// Returns the size in pixels of the picture in a block.
  package func pixelSize(ofBlock block: [UInt8]) -> (width: Int, height: Int) {
    let facts = block.withUnsafeBytes { RenditionFacts(block: FileBytes($0)).record }
    return (Int(facts.pixelWidth), Int(facts.pixelHeight))
  }

  /// Returns whether a picture has slices.
  package func isSliced(_ rendition: ChosenRendition) -> Bool {
    let slices = try? edit.withBytes(of: blockNow(of: rendition)) {
      (bytes) throws(FormatError) in try Rendition(bytes).slices().count
    }
    return slices ?? 0 > 1
  }

  private func withRendition<Value>(
    _ block: [UInt8], _ body: (Rendition) throws(FormatError) -> Value
  ) throws(FormatError) -> Value {
    let result = block.withUnsafeBytes { bytes in
      Result { () throws(FormatError) in try body(try Rendition(FileBytes(bytes))) }
    }
    return try result.get()
  }

  /// Returns whether two renditions have the same pixels, layout and colours. A picture in an atlas
  /// is cut out of it.
  private func showsSame(_ new: Rendition, _ old: Rendition) throws(FormatError) -> Bool {
    guard new.header.pixelFormat == old.header.pixelFormat,
      let pixels = try Bitmap(new), let before = try picture(of: old)
    else { return new.payload.buffer.isSame(as: old.payload.buffer) && new.payload.count > 0 }
    return pixels.shows(before)
  }

  private func picture(of rendition: Rendition) throws(FormatError) -> Bitmap? {
    guard let link = try rendition.link() else { return try Bitmap(rendition) }
    guard let atlas = edit.row(of: link.target).flatMap(edit.rendition) else { return nil }
    return try edit.withBytes(of: atlas.block) { (bytes) throws(FormatError) in
      try Bitmap(Rendition(bytes))?.cut(link)
    }
  }
}
