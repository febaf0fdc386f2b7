// Decompresses a PNG into rows of pixels, on two paths that give the same bits: one pass over the
// inflated picture if it has plain rows with at most eight bits for each channel, and libpng for
// all other files and for every unusual one.

import ArchiveTools
import CDeflate
import CPNG
import CRows
import Host

/// The form of the rows that the caller wants.
enum RowForm {
  case ga
  case bgra
  /// RGBA that is not premultiplied.
  case straight
}

/// The buffers of decoding, which are kept from picture to picture.
struct PNGScratch: Sendable {
  var joined: [UInt8] = []
  var inflated: [UInt8] = []
  var zeros: [UInt8] = []
  var table: [UInt32] = []
}

extension PNGFile {
  /// The form in which the fast path reads the rows; nil if only libpng can read this file.
  var plainSource: carve_source? {
    guard !isInterlaced, isOrderly, depth <= 8 else { return nil }
    switch (color, depth) {
    case (.gray, 1), (.palette, 1): return carve_source_index1
    case (.gray, 2), (.palette, 2): return carve_source_index2
    case (.gray, 4), (.palette, 4): return carve_source_index4
    case (.palette, _): return carve_source_index8
    case (.gray, _): return transparency == nil ? carve_source_gray : carve_source_index8
    case (.grayAlpha, _): return carve_source_gray_alpha
    case (.rgb, _): return isApple ? carve_source_bgr : carve_source_rgb
    case (.rgba, _): return isApple ? carve_source_bgra_premultiplied : carve_source_rgba
    }
  }

  /// The bytes of all rows without their filter bytes. The pixel chunks must inflate to more.
  var inflatedCount: Int {
    let channels =
      switch color {
      case .gray, .palette: 1
      case .grayAlpha: 2
      case .rgb: 3
      case .rgba: 4
      }
    return (width * channels * Int(depth) + 7) / 8 * height
  }

  /// Whether the compressed bytes can contain all pixels that the header announces. Deflate makes
  /// at most 1,032 bytes from one, so no memory is allocated for a larger picture.
  var isJustified: Bool { inflatedCount / 1032 <= compressedCount }

  func requireJustified() throws(PictureError) {
    if isJustified { return }
    throw PictureError(
      chunk: "IDAT", offset: (pixels.first?.lowerBound ?? 8) - 8, reason: .corruptPixels)
  }

  /// Whether the fast path can directly make grey and alpha.
  var isPlainGray: Bool {
    plainSource == carve_source_gray || plainSource == carve_source_gray_alpha
  }

  /// Writes the rows into `target`, which holds `stride` × height bytes. Returns false if libpng
  /// must decide: the file is damaged, or its pixel chunks contain more or fewer bytes than they
  /// should.
  func readPlainly(
    _ file: UnsafeRawBufferPointer, as form: RowForm, into target: UnsafeMutablePointer<UInt8>?,
    stride: Int, scratch: inout PNGScratch, survey: inout carve_survey
  ) -> Bool {
    guard var source = plainSource else { return false }
    if source == carve_source_gray && form != .ga { source = carve_source_index8 }
    let rowBytes = carve_row_bytes(source, width)
    let size = (rowBytes + 1) * height
    scratch.inflated.provide(size + 16)
    scratch.zeros.provide(rowBytes + 16, zeroed: true)
    if color == .palette || color == .gray { fillTable(&scratch.table, file, form) }
    guard inflate(file, size, &scratch) else { return false }
    return scratch.inflated.withUnsafeMutableBufferPointer { rows in
      scratch.zeros.withUnsafeBufferPointer { zeros in
        scratch.table.withUnsafeBufferPointer { table in
          var job = carve_rows()
          job.rows = rows.baseAddress
          job.zeros = zeros.baseAddress
          job.table = table.baseAddress
          (job.width, job.height) = (width, height)
          job.source = source
          switch form {
          case .ga: job.target = carve_target_ga
          case .bgra: job.target = carve_target_bgra
          case .straight: job.target = carve_target_rgba
          }
          (job.has_key, job.key) = colorKey(file)
          job.out = target
          job.out_stride = stride
          return carve_convert_rows(&job, &survey)
        }
      }
    }
  }

  private func inflate(
    _ file: UnsafeRawBufferPointer, _ size: Int, _ scratch: inout PNGScratch
  ) -> Bool {
    let isRaw = isApple
    if pixels.count == 1 {
      let part = UnsafeRawBufferPointer(rebasing: file[pixels[0]])
      return scratch.inflated.withUnsafeMutableBytes {
        carve_inflate(part.baseAddress, part.count, isRaw, $0.baseAddress, size)
      }
    }
    scratch.joined.removeAll(keepingCapacity: true)
    scratch.joined.reserveCapacity(compressedCount)
    for range in pixels {
      scratch.joined.append(contentsOf: UnsafeRawBufferPointer(rebasing: file[range]))
    }
    return scratch.joined.withUnsafeBytes { whole in
      scratch.inflated.withUnsafeMutableBytes {
        carve_inflate(whole.baseAddress, whole.count, isRaw, $0.baseAddress, size)
      }
    }
  }

  /// Returns the colour that the chunk tRNS makes transparent in an RGB picture of eight bits.
  private func colorKey(_ file: UnsafeRawBufferPointer) -> (Bool, UInt32) {
    guard color == .rgb, let transparency else { return (false, 0) }
    let at = transparency.lowerBound
    return (
      true, UInt32(file[at + 1]) | UInt32(file[at + 3]) << 8 | UInt32(file[at + 5]) << 16
    )
  }

  /// Fills the table with the colour of each index of a palette, or of each step of grey. Unused
  /// indices are opaque black, which is the colour that libpng shows if a pixel's index is outside
  /// of the palette.
  private func fillTable(
    _ table: inout [UInt32], _ file: UnsafeRawBufferPointer, _ form: RowForm
  ) {
    if table.isEmpty { table = [UInt32](repeating: 0, count: 256) }
    for index in 0..<256 { table[index] = 0xff00_0000 }
    if color == .gray {
      let steps = 1 << Int(min(depth, 8))
      for index in 0..<steps { table[index] |= UInt32(index * 255 / (steps - 1)) * 0x010101 }
      if let transparency {
        table[Int(file[transparency.lowerBound + 1]) & (steps - 1)] &= 0xffffff
      }
    } else if let palette {
      for index in 0..<min(palette.count / 3, 1 << Int(depth)) {
        let at = palette.lowerBound + 3 * index
        table[index] |=
          UInt32(file[at]) | UInt32(file[at + 1]) << 8 | UInt32(file[at + 2]) << 16
      }
      for index in 0..<min(transparency?.count ?? 0, 256) {
        let alpha = UInt32(file[(transparency?.lowerBound ?? 0) + index])
        table[index] = table[index] & 0xffffff | alpha << 24
      }
    }
    guard form == .bgra else { return }
    var ignored = carve_survey()
    table.withUnsafeMutableBytes {
      guard let bytes = $0.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return }
      carve_premultiply(bytes, bytes, 256, &ignored)
    }
  }

  /// Writes RGBA rows without padding into `target`, through libpng. Returns nil if there was no
  /// error.
  func readThroughLibrary(
    _ file: UnsafeRawBufferPointer, wide: Bool, into target: UnsafeMutableRawPointer?
  ) -> PictureError? {
    let chunk = pixels.first.map { $0.lowerBound - 8 } ?? 0
    if isApple { return PictureError(chunk: "IDAT", offset: chunk, reason: .corruptPixels) }
    var failure = carve_png_failure()
    let done = carve_png_read(
      file.baseAddress, file.count, UInt32(width), UInt32(height), wide, target, &failure)
    if done { return nil }
    let words = withUnsafeBytes(of: failure.words) { bytes in
      String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
    return PictureError(offset: failure.offset, reason: .refused(words))
  }
}

extension Array where Element == UInt8 {
  /// Grows to at least `count` bytes. They are zero if `zeroed`, otherwise undefined.
  mutating func provide(_ count: Int, zeroed: Bool = false) {
    if self.count >= count { return }
    if zeroed {
      self = [UInt8](repeating: 0, count: count)
    } else {
      self = [UInt8](unsafeUninitializedCapacity: count) { $1 = count }
    }
  }
}
