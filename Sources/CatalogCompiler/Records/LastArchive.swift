// The archive of the last run. Only its tables and the blocks that change are read.

import Archive
import Bytes
import Host

struct LastArchive {
  let file: PartialFile
  private let store: BlockStore
  private let layout: ReplaceableArchive

  /// Opens the archive; nil if the file is not an archive of this tool.
  init?(_ path: ByteString) {
    guard let file = PartialFile(path), let store = LastArchive.store(in: file),
      let layout = ReplaceableArchive(store)
    else { return nil }
    for name in ReplaceableArchive.describedNames {
      guard let block = store.block(named: name) else { continue }
      guard let range = try? store.range(of: block), file.load(range) else { return nil }
    }
    (self.file, self.store, self.layout) = (file, store, layout)
  }

  private static func store(in file: PartialFile) -> BlockStore? {
    guard file.load(0..<min(BlockStore.headLength, file.bytes.count)) else { return nil }
    for range in BlockStore.tables(ofHead: Bytes(file.bytes)) where !file.load(range) { return nil }
    return try? BlockStore(Bytes(file.bytes))
  }

  /// Returns the blocks with their new pixels, except those that stay equal. Nil if a block is not
  /// the rendition of a picture.
  func blocks(with pixels: [BlockID: NewPixels]) -> [BlockID: [UInt8]]? {
    var blocks: [BlockID: [UInt8]] = [:]
    for (block, pixels) in pixels {
      guard let range = try? store.range(of: block), file.load(range),
        let old = try? store.bytes(of: block), let rendition = try? Rendition(old),
        var properties = try? rendition.allProperties()
      else { return nil }
      for place in properties.indices {
        if case .bytesPerRow = properties[place] {
          properties[place] = .bytesPerRow(pixels.bytesPerRow)
        }
      }
      let new = RenditionHead(rendition.header, properties).block(payload: pixels.payload)
      if !new.elementsEqual(old.buffer) { blocks[block] = new }
    }
    return blocks
  }

  /// Writes the archive with these blocks in the place of the old one. Returns nil if the old
  /// archive changed while it was copied.
  func write(
    _ blocks: [BlockID: [UInt8]], to path: ByteString, isDigested: Bool, survivesPowerCut: Bool
  ) throws(OutputError) -> WrittenFile? {
    let outputs = OutputSet(survivesPowerCut: survivesPowerCut)
    let new = try FileSink(.part(of: outputs, path), isKnownToDiffer: true)
    do throws(ArchiveError) {
      try layout.write(blocks, into: new) { new.append($0, of: file.descriptor) }
    } catch {
      return nil
    }
    guard file.isUnchanged else { return nil }
    try new.commit()
    var written: WrittenFile?
    try outputs.commit { written = WrittenFile($0, isDigested: isDigested) }
    return written
  }
}
