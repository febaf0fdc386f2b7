// Returns the pictures of an archive by the ranges of their blocks, for code that finds renditions
// through the lookup index. The pixels are the same as those of extraction.

import Archive
import Imaging
import Vectors

/// The pictures and files of one archive.
package struct PictureSource: Sendable {
  private let bytes: Bytes
  private let allowance: PictureAllowance

  /// Opens an archive. The caller keeps the bytes alive and unchanged.
  package init(_ file: UnsafeRawBufferPointer) {
    bytes = Bytes(file)
    allowance = PictureAllowance(fileSize: file.count)
  }

  /// Returns the memory in bytes for making a picture.
  package func memory(at block: Range<Int>) -> Int {
    (try? rendition(at: block)).map(Bitmap.memory) ?? 0
  }

  /// Returns the memory in bytes for drawing a vector.
  package func drawingMemory(at block: Range<Int>, scale: Int) -> Int {
    (try? rendition(at: block))?.drawingMemory(scale) ?? 0
  }

  /// Returns the memory in bytes for a stored file.
  package func fileMemory(at block: Range<Int>) -> Int {
    (try? rendition(at: block))?.fileMemory ?? 0
  }

  /// Returns a picture that does not lie in an atlas.
  package func picture(at block: Range<Int>) throws(Obstacle) -> Bitmap {
    let rendition = try rendition(at: block)
    try pay(Bitmap.memory(of: rendition) / 3)
    return try rendition.picture()
  }

  private func pay(_ bytes: Int) throws(Obstacle) {
    let allowance = allowance
    try Extraction.reading { () throws(FormatError) in try allowance.pay(bytes) }
  }

  /// Returns pictures that lie in one atlas. The atlas is decoded once.
  package func pictures(
    at links: [Range<Int>], inAtlas atlas: Range<Int>
  ) -> [Result<Bitmap, Obstacle>] {
    let whole = Result { () throws(Obstacle) in try picture(at: atlas) }
    return links.map { block in
      Result { () throws(Obstacle) in
        let rendition = try rendition(at: block)
        let link = try Extraction.reading { () throws(FormatError) in try rendition.link() }
        guard let link else { throw .damaged("it does not state its place in the atlas") }
        guard let part = try whole.get().cut(link) else {
          throw .damaged("its frame extends beyond the atlas")
        }
        return part
      }
    }
  }

  /// Draws a vector at a number of pixels per unit.
  package func drawing(
    at block: Range<Int>, scale: Int, _ rasterizer: inout Rasterizer
  ) throws(Obstacle) -> Bitmap {
    let rendition = try rendition(at: block)
    try pay(rendition.fileMemory)
    return try rendition.drawn(scale, &rasterizer)
  }

  /// Returns the features of a vector that a drawing does not show, as the end of a sentence; nil
  /// if the drawing shows all of them.
  package func drawingRemark(at block: Range<Int>) -> String? {
    (try? rendition(at: block))?.drawingRemark
  }

  /// Returns the file in a rendition.
  package func file(at block: Range<Int>) throws(Obstacle) -> [UInt8] {
    let rendition = try rendition(at: block)
    try pay(rendition.fileMemory)
    return try rendition.fileContents()
  }

  private func rendition(at block: Range<Int>) throws(Obstacle) -> Rendition {
    try Extraction.reading { () throws(FormatError) in
      try Rendition(try bytes.slice(at: block.lowerBound, count: block.count, "a rendition"))
    }
  }
}
