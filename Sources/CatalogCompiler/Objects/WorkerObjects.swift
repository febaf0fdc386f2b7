// What a thread does beside encoding where an object is made: pixels of small pictures are packed, and files
// that say no more than that something is wrong are kept as they are, to be wrong again at the link.

import ArchiveTools
import CatalogModel
import Codecs
import Host

extension Worker {
  func makeForObject(_ planned: PlannedRendition) throws(EncodingFailure) -> [MadeRendition] {
    if case .stack(let stack) = planned.content {
      // Its size is asked for again, because its block has numbers of names.
      if let file = stack.sizedBy?.file, let tree = settings.notes?.tree {
        _ =
          try? file.isVector
          ? tree.read(file.path, settings.largestFile).count
          : ImageHeader.read(file.path, in: tree).width
      }
      return try make(planned)
    }
    do throws(EncodingFailure) {
      return try packed(make(planned), planned)
    } catch {
      for file in planned.content.files ?? [] {
        _ = try? settings.notes?.tree.read(file.path, settings.largestFile)
      }
      throw error
    }
  }

  private func packed(
    _ made: [MadeRendition], _ planned: PlannedRendition
  ) throws(EncodingFailure) -> [MadeRendition] {
    var result: [MadeRendition] = []
    for rendition in made {
      guard case .small(let gamut, var picture) = rendition else {
        result.append(rendition)
        continue
      }
      var wanted = planned
      wanted.key.gamut = gamut
      // The cache knows that it is small, and not its pixels.
      let bitmap: Bitmap
      if let decoded = picture.bitmap {
        bitmap = decoded
      } else {
        let facts = picture.facts
        bitmap = try share(PictureMemory.decoding(facts)) {
          () throws(EncodingFailure) in try self.bitmap(of: wanted)
        }
      }
      bitmap.pixels.withUnsafeBytes { pixels in
        pixelPacker.encode(pixels, appendingTo: &picture.packed)
      }
      picture.bitmap = nil
      recycle(bitmap)
      result.append(.small(gamut, picture))
    }
    return result
  }
}

/// The pixels of a small picture that an object holds; nil where they are not those of the facts.
func unpackedBitmap(
  _ packed: UnsafeRawBufferPointer, _ facts: PictureFacts, _ scratch: inout DecodingScratch
) -> Bitmap? {
  let count = facts.bytesPerRow * facts.height
  var pixels = [UInt8](repeating: 0, count: count)
  let filled = pixels.withUnsafeMutableBytes { pixels in
    (try? LZFSE.decode(packed, into: pixels, &scratch)) ?? -1
  }
  guard filled == count else { return nil }
  return Bitmap(
    width: facts.width, height: facts.height, layout: facts.layout,
    bytesPerRow: facts.bytesPerRow, isOpaque: facts.isOpaque, isGray: facts.layout.isGray,
    hasWiderSource: facts.hasWiderSource, pixels: pixels)
}
