// The pictures of an archive by the places of their blocks, for what finds renditions through the run
// time's index: the same pixels that extraction writes.

import Archive
import Vectors

package struct PictureSource: Sendable {
  private let bytes: Bytes
  private let allowance: PictureAllowance

  /// The caller keeps the bytes alive and unchanged.
  package init(_ file: UnsafeRawBufferPointer) {
    bytes = Bytes(file)
    allowance = PictureAllowance(fileSize: file.count)
  }

  /// The bytes that making a picture takes.
  package func memory(at block: Range<Int>) -> Int {
    (try? rendition(at: block)).map(Bitmap.memory) ?? 0
  }

  /// The bytes that drawing a vector takes.
  package func drawingMemory(at block: Range<Int>, scale: Int) -> Int {
    (try? rendition(at: block))?.drawingMemory(scale) ?? 0
  }

  /// The bytes that a stored file takes.
  package func fileMemory(at block: Range<Int>) -> Int {
    (try? rendition(at: block))?.fileMemory ?? 0
  }

  /// A picture that is stored by itself.
  package func picture(at block: Range<Int>) throws(Obstacle) -> Bitmap {
    let rendition = try rendition(at: block)
    try pay(Bitmap.memory(of: rendition) / 3)
    return try rendition.picture()
  }

  private func pay(_ bytes: Int) throws(Obstacle) {
    let allowance = allowance
    try Extraction.reading { () throws(FormatError) in try allowance.pay(bytes) }
  }

  /// The pictures of one atlas, which is decoded once.
  package func pictures(
    at links: [Range<Int>], inAtlas atlas: Range<Int>
  ) -> [Result<Bitmap, Obstacle>] {
    let whole = Result { () throws(Obstacle) in try picture(at: atlas) }
    return links.map { block in
      Result { () throws(Obstacle) in
        let rendition = try rendition(at: block)
        let link = try Extraction.reading { () throws(FormatError) in try rendition.link() }
        guard let link else { throw .damaged("it says not where in the atlas it lies") }
        guard let part = try whole.get().cut(link) else {
          throw .damaged("its frame leaves the atlas")
        }
        return part
      }
    }
  }

  /// A vector at so many pixels per unit.
  package func drawing(
    at block: Range<Int>, scale: Int, _ rasterizer: inout Rasterizer
  ) throws(Obstacle) -> Bitmap {
    let rendition = try rendition(at: block)
    try pay(rendition.fileMemory)
    return try rendition.drawn(scale, &rasterizer)
  }

  /// What a drawing of a vector does not show, as the end of a sentence; nil where it shows all.
  package func drawingRemark(at block: Range<Int>) -> String? {
    (try? rendition(at: block))?.drawingRemark
  }

  /// The file that a rendition holds.
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
