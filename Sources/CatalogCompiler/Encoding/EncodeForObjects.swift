// The work of a thread while an object is made, in addition to encoding: it compresses the pixels
// of small pictures, and reads each file that could not be encoded, so that the link reports the
// same error.

import CatalogModel
import Codecs
import Host
import Imaging

extension RenditionEncoder {
  func makeForObject(
    _ planned: PlannedRendition, recording tree: FileTree
  ) throws(EncodingFailure) -> [EncodedRendition] {
    if case .stack(let stack) = planned.content {
      // The link makes the block of a stack again, because it contains numbers of names. The file
      // is read through the recorder, so that the object has the answers from which the link gets
      // the size.
      for file in stack.sizedBy.map(\.file) {
        _ =
          try? file.isVector
          ? tree.read(file.path, settings.largestFile).count
          : ImageHeader.read(file.path, in: tree).width
      }
      return try encode(planned)
    }
    do throws(EncodingFailure) {
      return try packed(encode(planned), planned)
    } catch {
      for file in planned.content.files ?? [] {
        _ = try? tree.read(file.path, settings.largestFile)
      }
      throw error
    }
  }

  private func packed(
    _ made: [EncodedRendition], _ planned: PlannedRendition
  ) throws(EncodingFailure) -> [EncodedRendition] {
    var result: [EncodedRendition] = []
    for rendition in made {
      guard case .small(let gamut, var picture) = rendition else {
        result.append(rendition)
        continue
      }
      var wanted = planned
      wanted.key.gamut = gamut
      // The cache knows that the picture is small, and does not have its pixels.
      let bitmap: Bitmap
      let facts = picture.facts
      if let pixels = picture.pixels {
        bitmap = decoder.bitmap(of: pixels, facts)
      } else {
        bitmap = try share(PictureMemory.decoding(facts)) {
          () throws(EncodingFailure) in try self.bitmap(of: wanted)
        }
      }
      bitmap.pixels.withUnsafeBytes { pixels in
        pixelPacker.encode(pixels, appendingTo: &picture.packed)
      }
      picture.pixels = nil
      recycle(bitmap)
      result.append(.small(gamut, picture))
    }
    return result
  }
}

/// Returns the pixels of a small picture in an object; nil if they do not have the size that the
/// facts state.
func unpackedBitmap(
  _ packed: UnsafeRawBufferPointer, _ facts: PictureFacts, _ scratch: inout DecodingScratch
) -> Bitmap? {
  let count = facts.bytesPerRow * facts.height
  var pixels = [UInt8](repeating: 0, count: count)
  let filled = pixels.withUnsafeMutableBytes { pixels in
    (try? LZFSE.decode(packed, into: pixels, &scratch)) ?? -1
  }
  guard filled == count else { return nil }
  return Bitmap(facts, pixels)
}
