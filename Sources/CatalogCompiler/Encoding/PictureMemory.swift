// How much memory pictures take while they are made, from their headers, and how much of a run's memory goes
// to what. The gate itself is `MemoryGate`.

import ArchiveTools
import Bytes
import CatalogModel
import Codecs
import Host
import Traits
import Vectors

/// What of `--memory` goes to what: together no more than it says, but for one picture that alone is larger.
struct PictureRoom: Sendable {
  /// For pictures that are being decoded, drawn and compressed.
  let gate: MemoryGate
  /// Finished blocks that wait for a slower neighbour have at most so many bytes, and so has each of them.
  let mostWaiting: Int
  /// Small pictures that wait for their atlas; more are decoded again when it is drawn.
  let mostSmall: Int
  /// What one thread keeps of the memory of its last picture.
  let mostKept: Int
  /// What one thread may take without asking the gate, where all do so.
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

  /// Enough that no thread waits for pictures of some million pixels.
  static func usual(jobs: Int) -> Int { max(256, 64 * jobs) << 20 }
}

/// Bytes that making pictures takes. The numbers are the most that was measured for each way.
enum PictureMemory {
  /// Decoding a PNG from its file to a bitmap that is compressed; 0 if the file is not one that is decoded.
  static func decoding(png file: UnsafeRawBufferPointer, isWide: Bool) -> Int {
    guard let header = PNGOutline(file), header.isJustified(file.count) else { return 0 }
    let pixels = header.width * header.height
    let output = pixels * (isWide ? 8 : 4) + header.height * 32
    let straight = pixels * (header.depth == 16 ? 8 : 4)
    let isPlain = !isWide && !header.hasColors && header.depth <= 8 && !header.isInterlaced
    return header.rawCount + output + (isPlain ? 0 : straight)
      + compressing(output, file: file.count)
  }

  /// The payload, its copy in a block, and a candidate beside it.
  private static func compressing(_ pixels: Int, file: Int) -> Int {
    3 * min(pixels, 2 * file + 65_536)
  }

  /// Decoding a picture of which only the facts are known.
  static func decoding(_ facts: PictureFacts) -> Int {
    facts.width * facts.height * 24 + facts.bytesPerRow * facts.height
  }

  /// Compressing it.
  static func encoding(_ facts: PictureFacts) -> Int { 4 * facts.bytesPerRow * facts.height }

  /// A canvas on which pictures are put, its rows as they are stored, and what packs them.
  static func canvas(width: Int, height: Int, hasShadows: Bool = false) -> Int {
    width * height * (16 + (hasShadows ? 16 : 0))
  }

  /// A vector: its text, and what is read of it.
  static func reading(vector size: Int) -> Int { 16 * size }

  /// A vector as a bitmap, with the groups that are drawn aside.
  static func drawing(_ picture: VectorPicture, width: Int, height: Int) -> Int {
    picture.drawingMemory(width: width, height: height) + 3 * 4 * width * height
  }

  /// A JPEG: its coefficients, samples and pixels.
  static func decoding(jpeg header: ImageHeader) -> Int { header.width * header.height * 16 }
}

/// What the header of a PNG says of the memory that it takes.
private struct PNGOutline {
  var width = 0
  var height = 0
  var depth = 8
  var isInterlaced = false
  /// Whether its colours have to be converted.
  var hasColors = false
  private var channels = 4

  /// Nil for what the decoder refuses before it takes memory.
  init?(_ file: UnsafeRawBufferPointer) {
    guard PNGFile.begins(file) else { return nil }
    var place = 8
    var hasHeader = false
    while file.count - place >= 12 {
      let length = Int(file.bigEndian32(at: place))
      let kind = ChunkKind(code: file.bigEndian32(at: place + 4))
      guard length <= file.count - place - 12 else { break }
      if kind == .header, length == 13, !hasHeader {
        readHeader(file, at: place + 8)
        hasHeader = true
      } else if kind == .profile || kind == .codePoints {
        hasColors = true
      } else if kind == .pixels || kind == .end {
        break
      }
      place += length + 12
    }
    // The decoder refuses larger sides, and no product of these overflows.
    guard hasHeader, width > 0, height > 0, width <= 1 << 28, height <= 1 << 28,
      width <= (1 << 33) / height
    else { return nil }
  }

  private mutating func readHeader(_ file: UnsafeRawBufferPointer, at place: Int) {
    width = Int(file.bigEndian32(at: place))
    height = Int(file.bigEndian32(at: place + 4))
    depth = Int(file[place + 8])
    isInterlaced = file[place + 12] != 0
    channels = [0: 1, 2: 3, 3: 1, 4: 2][file[place + 9]] ?? 4
  }

  /// The rows with their filters.
  var rawCount: Int { ((width * channels * depth + 7) / 8 + 1) * height }

  /// Deflate makes at most 1,032 bytes of one.
  func isJustified(_ fileSize: Int) -> Bool { (rawCount - height) / 1032 <= fileSize }
}

extension Worker {
  /// What a picture takes while it is made from its file.
  func memory(
    of bytes: [UInt8], _ gamut: Gamut, for planned: PlannedRendition
  ) throws(EncodingFailure) -> Int {
    guard let scale = planned.treatment?.drawing else {
      return bytes.withUnsafeBytes { PictureMemory.decoding(png: $0, isWide: gamut == .p3) }
    }
    // Reading a vector takes memory in proportion to its text, and its drawing stays while it is drawn.
    let path = planned.drawnFile?.path ?? ""
    do throws(VectorError) {
      let picture = try settings.room.gate.share(PictureMemory.reading(vector: bytes.count)) {
        () throws(VectorError) in try readVector(bytes, of: path)
      }
      let placement = try picture.placement(scale: scale.factor)
      return PictureMemory.drawing(picture, width: placement.width, height: placement.height)
    } catch {
      throw .undrawable(error)
    }
  }

  /// What drawing pictures onto one another takes: the canvas, and the largest of them.
  func memory(of composition: Composition) -> Int {
    let layers = composition.layers.map { layer in
      layer.width * layer.height * 8 + memory(of: layer.file)
    }
    return PictureMemory.canvas(
      width: composition.width, height: composition.height,
      hasShadows: composition.layers.contains { $0.shadow > 0 }) + (layers.max() ?? 0)
  }

  /// What the pixels of a file take by its header. Of a vector it is not known before it is read, and its size
  /// is that of its layer: groups count as twice the pixels there.
  func memory(of file: SourceFile) -> Int {
    guard let header = try? ImageHeader.read(file.path, in: settings.tree), !header.kind.isVector,
      header.width > 0, header.height > 0, header.width <= (1 << 33) / header.height
    else { return 0 }
    if header.kind == .jpeg { return PictureMemory.decoding(jpeg: header) }
    return header.width * header.height * (header.bitDepth == 16 ? 20 : 12)
  }
}
