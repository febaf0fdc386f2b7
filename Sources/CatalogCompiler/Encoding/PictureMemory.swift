// The memory that pictures take while they are made, computed from their headers, and the division
// of the memory of a run.
//
// An example for `--memory 512` (in MB) and 4 jobs:
//
//   512 MB ─┬─  32 MB  1/16  pixels of small pictures that wait for their atlas     mostSmall
//           ├─  16 MB  1/32  finished blocks that wait for an earlier block         mostWaiting
//           ├─ 128 MB  1/4   buffers that threads keep: 32 MB for each of 4         mostKept
//           └─ 336 MB  rest  pictures that are being decoded, drawn or compressed   gate
//
// Each thread takes its share of the rest from a `MemoryGate` before it makes a picture.

import Bytes
import CatalogModel
import Host
import Imaging
import Traits
import Vectors

/// The shares of `--memory`. Together they are not larger than that limit, except while one picture
/// is made that alone is larger.
struct PictureRoom: Sendable {
  /// The share of pictures that are being decoded, drawn and compressed.
  let gate: MemoryGate
  /// The limit in bytes for all finished blocks that wait until an earlier block is finished, and
  /// for the pixels of each small picture that waits for its atlas.
  let mostWaiting: Int
  /// The limit in bytes for the pixels of small pictures that wait for their atlas. Pictures beyond
  /// it are decoded again when the atlas is drawn.
  let mostSmall: Int
  /// The limit in bytes for the buffers that one thread keeps after a picture.
  let mostKept: Int
  /// The limit in bytes for a picture that a thread makes without asking the gate, if all threads
  /// do so at the same time.
  let mostAlone: Int

  init(memory: Int, jobs: Int) {
    mostWaiting = memory / 32
    mostSmall = memory / 16
    mostKept = memory / 4 / max(1, jobs)
    let rest = memory - mostWaiting - mostSmall - memory / 4
    gate = MemoryGate(room: rest)
    mostAlone = rest / max(1, jobs)
  }

  init(_ options: CompileOptions) {
    self.init(
      memory: options.memory ?? PictureRoom.usual(jobs: options.jobs), jobs: options.jobs)
  }

  /// Returns a limit with which no thread waits for pictures of a few million pixels.
  static func usual(jobs: Int) -> Int { max(256, 64 * jobs) << 20 }
}

/// Bytes that making pictures takes. The numbers are the largest that were measured for each way.
enum PictureMemory {
  /// Returns the memory for decoding and compressing a PNG file; 0 if the decoder refuses the file.
  static func decoding(png file: UnsafeRawBufferPointer, isWide: Bool) -> Int {
    guard let header = PNGOutline(file), header.isJustified(file.count) else { return 0 }
    let pixels = header.width * header.height
    let output = pixels * (isWide ? 8 : 4) + header.height * 32
    let straight = pixels * (header.depth == 16 ? 8 : 4)
    let isPlain = !isWide && !header.hasColors && header.depth <= 8 && !header.isInterlaced
    return header.rawCount + output + (isPlain ? 0 : straight)
      + compressing(output, file: file.count)
  }

  /// Returns the memory for the payload, its copy in a block, and a second candidate for the
  /// payload.
  private static func compressing(_ pixels: Int, file: Int) -> Int {
    3 * min(pixels, 2 * file + 65_536)
  }

  /// Returns the memory for decoding a picture, computed from its facts.
  static func decoding(_ facts: PictureFacts) -> Int {
    facts.width * facts.height * 24 + facts.bytesPerRow * facts.height
  }

  /// Returns the memory for compressing a picture.
  static func encoding(_ facts: PictureFacts) -> Int { 4 * facts.bytesPerRow * facts.height }

  /// Returns the memory for a canvas on which pictures are drawn, its rows in the stored layout,
  /// and the compression.
  static func canvas(width: Int, height: Int) -> Int { width * height * 16 }

  /// Returns the memory for reading a vector: its text and its values.
  static func reading(vector size: Int) -> Int { 16 * size }

  /// Returns the memory for a vector's bitmap, including the surfaces of groups.
  static func drawing(_ picture: VectorPicture, width: Int, height: Int) -> Int {
    picture.drawingMemory(width: width, height: height) + 3 * 4 * width * height
  }

  /// Returns the memory for a JPEG file: its coefficients, samples and pixels.
  static func decoding(jpeg header: ImageHeader) -> Int { header.width * header.height * 16 }
}

extension RenditionEncoder {
  /// Returns the memory that making a picture from its file takes.
  func memory(
    of bytes: [UInt8], _ gamut: Gamut, for planned: PlannedRendition
  ) throws(EncodingFailure) -> Int {
    guard let scale = planned.processing?.drawingScale else {
      return bytes.withUnsafeBytes { PictureMemory.decoding(png: $0, isWide: gamut == .p3) }
    }
    // The memory for reading a vector grows with its text, and its values stay in memory while it
    // is drawn.
    let path = planned.drawnFile?.path ?? ""
    do throws(VectorError) {
      let picture = try settings.room.gate.share(PictureMemory.reading(vector: bytes.count)) {
        () throws(VectorError) in try readVector(bytes, of: path, at: scale)
      }
      let placement = try picture.placement(scale: scale.factor)
      return PictureMemory.drawing(picture, width: placement.width, height: placement.height)
    } catch {
      throw EncodingFailure(error, in: bytes)
    }
  }

  /// Returns the memory that drawing a composition takes: the canvas and the largest layer.
  func memory(of composition: Composition) -> Int {
    let layers = composition.layers.map { layer in
      layer.width * layer.height * 8 + memory(of: layer.file)
    }
    return PictureMemory.canvas(width: composition.width, height: composition.height)
      + (layers.max() ?? 0)
  }

  /// Returns the memory that drawing a layered icon takes: its pictures, its planes, and the
  /// surfaces of its vectors.
  func memory(of drawing: GlassDrawing) -> Int {
    drawing.files.reduce(GlassRenderer.memory(side: drawing.side)) {
      $0 + memory(of: $1)
    }
  }

  /// Returns the memory for the pixels of a file, by its header; 0 for a vector. The size of a
  /// vector is not known before it is read, and its bitmap has the size of its layer. The caller
  /// counts 8 bytes for each pixel of the layer, twice the size of the bitmap, because groups need
  /// surfaces of their own.
  func memory(of file: SourceFile) -> Int {
    guard let header = try? ImageHeader.read(file.path, in: settings.tree), !header.kind.isVector,
      header.width > 0, header.height > 0, header.width <= (1 << 33) / header.height
    else { return 0 }
    if header.kind == .jpeg { return PictureMemory.decoding(jpeg: header) }
    return header.width * header.height * (header.bitDepth == 16 ? 20 : 12)
  }
}
