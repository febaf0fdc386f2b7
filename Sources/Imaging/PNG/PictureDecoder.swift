// Decodes a picture file into a bitmap: chooses the path, the colours and the layout.

import CRows
import Codecs

/// The requirements for a decoded picture.
package struct PictureOptions: Sendable {
  package enum DecodedGamut: Sendable { case sRGB, displayP3 }
  /// The limit for the number of pixels. Larger pictures are refused before memory is allocated for
  /// them.
  package var maximumPixels: Int
  /// The gamut of the bitmap: .displayP3 gives half floats (`rgbw`), .sRGB gives bytes (`bgra8`,
  /// `ga8`).
  package var gamut: DecodedGamut
  /// Whether pictures without colour are stored as grey and alpha, as for targets from iOS 9 on.
  package var allowsGray: Bool

  package init(maximumPixels: Int = 1 << 28, gamut: DecodedGamut = .sRGB, allowsGray: Bool = true) {
    self.maximumPixels = maximumPixels
    self.gamut = gamut
    self.allowsGray = allowsGray
  }
}

/// The error of a picture that cannot be decoded: the chunk, its offset in the file, and the
/// reason.
package struct PictureError: Error, Sendable, Equatable {
  package enum Reason: Sendable, Equatable {
    /// The file does not begin like a picture that Carve decodes.
    case unknownKind
    /// The file ends before the end of the data that it announces.
    case truncated
    /// The checksum of a chunk does not agree with its bytes.
    case wrongChecksum
    /// A chunk that every picture of this kind must have is missing.
    case missing
    /// A field has a value that the format does not allow.
    case invalid(String)
    /// The picture has more pixels than `maximumPixels`.
    case tooLarge(width: Int, height: Int, maximumPixels: Int)
    /// The picture has more pixels than a file of this size may have.
    case unjustified(width: Int, height: Int, most: Int)
    /// The compressed pixels do not inflate to the announced size.
    case corruptPixels
    /// The decoder of the format failed, with this message.
    case refused(String)
  }

  /// The name of the chunk, for example "IHDR"; empty if the error is not in a chunk.
  package var chunk: String
  /// The offset in the file at which the chunk, or the error, begins.
  package var offset: Int
  package var reason: Reason

  package init(chunk: String = "", offset: Int, reason: Reason) {
    self.chunk = chunk
    self.offset = offset
    self.reason = reason
  }
}

extension PictureError: CustomStringConvertible {
  package var description: String {
    let place = chunk.isEmpty ? "byte \(offset)" : "chunk \(chunk) at byte \(offset)"
    switch reason {
    case .unknownKind: return "not a picture of a known kind"
    case .truncated: return "\(place): the file ends too early"
    case .wrongChecksum: return "\(place): wrong checksum"
    case .missing: return "chunk \(chunk) is missing (looked until byte \(offset))"
    case .invalid(let what): return "\(place): invalid \(what)"
    case .tooLarge(let width, let height, let limit):
      return "\(place): \(width) × \(height) pixels are more than the limit of \(limit)"
    case .unjustified(let width, let height, let limit):
      return "\(place): \(width) × \(height) pixels are more than the limit of \(limit) "
        + "for a file of this size"
    case .corruptPixels: return "\(place): the compressed pixels are damaged"
    case .refused(let words): return "\(place): \(words)"
    }
  }
}

/// A decoder that keeps its buffers from one picture to the next, because using new memory pages
/// costs more than decoding into used ones. Each thread needs a decoder of its own, and
/// returns each bitmap when it is no longer needed (`recycle`).
package struct PictureDecoder: Sendable {
  private var spare: [UInt8] = []
  private var straight: [UInt8] = []
  private var scratch = PNGScratch()
  /// Whether the fast path is used. If it is false, libpng reads every file, to compare the two
  /// paths.
  package var usesFastPath = true

  package init() {}

  /// Returns the picture in `file`. The bytes must stay in place only during the call.
  package mutating func decode(
    _ file: UnsafeRawBufferPointer, options: PictureOptions = PictureOptions()
  ) throws(PictureError) -> Bitmap {
    guard PNGFile.begins(file) else { throw PictureError(offset: 0, reason: .unknownKind) }
    let png = try PNGFile(file, maximumPixels: options.maximumPixels)
    let colors = png.colors(file)
    var bitmap: Bitmap
    if options.gamut == .displayP3 && !png.isApple {
      return try decodeWide(png, file: file, colors: colors)
    } else if colors == nil, let plain = decodePlainly(png, file: file, options: options) {
      bitmap = plain
    } else {
      bitmap = try decodeConverting(png, file: file, colors: colors)
    }
    if options.allowsGray && bitmap.isGray && bitmap.layout == .bgra8 { bitmap.compactGray() }
    return bitmap
  }

  /// Takes the buffer of a bitmap that is no longer needed, for the next picture.
  package mutating func recycle(_ bitmap: consuming Bitmap) {
    if bitmap.pixels.count > spare.count { spare = bitmap.pixels }
  }

  /// Decodes on the fast path, from the inflated bytes to the bitmap in one pass. Returns nil if
  /// the path cannot decode this file.
  private mutating func decodePlainly(
    _ png: PNGFile, file: UnsafeRawBufferPointer, options: PictureOptions
  ) -> Bitmap? {
    guard usesFastPath, png.plainSource != nil, png.isJustified else { return nil }
    let layout: BitmapLayout = png.isPlainGray && options.allowsGray ? .ga8 : .bgra8
    let stride = layout.bytesPerRow(width: png.width)
    var pixels = takeSpare(stride * png.height)
    var survey = carve_survey(opaque: true, gray: true)
    let isDone = pixels.withUnsafeMutableBufferPointer { target in
      png.readPlainly(
        file, as: layout == .ga8 ? .ga : .bgra, into: target.baseAddress, stride: stride,
        scratch: &scratch, survey: &survey)
    }
    guard isDone else {
      spare = pixels
      return nil
    }
    return Bitmap(
      width: png.width, height: png.height, layout: layout, isOpaque: survey.opaque,
      isGray: survey.gray, pixels: pixels)
  }

  /// Decodes to straight RGBA, converts it to sRGB, and premultiplies it.
  private mutating func decodeConverting(
    _ png: PNGFile, file: UnsafeRawBufferPointer, colors: SourceColors?
  ) throws(PictureError) -> Bitmap {
    try readStraight(png, file)
    let wide = png.depth == 16
    let count = png.width * png.height
    var leavesSRGB = false
    straight.withUnsafeMutableBytes { pixels in
      if let colors, let base = pixels.baseAddress {
        leavesSRGB = colors.convertToSRGB(base, count: count, wide: wide)
      } else if wide {
        carve_narrow(pixels.baseAddress, count * 4)
      }
    }
    let stride = BitmapLayout.bgra8.bytesPerRow(width: png.width)
    var survey = carve_survey(opaque: true, gray: true)
    var pixels = takeSpare(stride * png.height)
    straight.withUnsafeBufferPointer { source in
      pixels.withUnsafeMutableBufferPointer { target in
        carve_premultiply_rows(
          source.baseAddress, png.width, png.height, target.baseAddress, stride, &survey)
      }
    }
    return Bitmap(
      width: png.width, height: png.height, layout: .bgra8, isOpaque: survey.opaque,
      isGray: survey.gray, hasWiderSource: leavesSRGB && colors?.isWide == true, pixels: pixels)
  }

  /// Decodes to half floats, which keep the colours outside of sRGB.
  private mutating func decodeWide(
    _ png: PNGFile, file: UnsafeRawBufferPointer, colors: SourceColors?
  ) throws(PictureError) -> Bitmap {
    try readStraight(png, file)
    let wide = png.depth == 16
    let colors = colors ?? SourceColors(sRGBOfDepth: Int(png.depth))
    let stride = BitmapLayout.rgbw.bytesPerRow(width: png.width)
    let sourceStride = png.width * (wide ? 8 : 4)
    var survey = carve_survey(opaque: true, gray: true)
    var pixels = takeSpare(stride * png.height)
    straight.withUnsafeBytes { source in
      pixels.withUnsafeMutableBytes { target in
        guard let from = source.baseAddress, let to = target.baseAddress else { return }
        for y in 0..<png.height {
          colors.convertToHalves(
            from + y * sourceStride, count: png.width, wide: wide, into: to + y * stride, &survey)
          for offset in (y * stride + png.width * 8)..<((y + 1) * stride) { target[offset] = 0 }
        }
      }
    }
    return Bitmap(
      width: png.width, height: png.height, layout: .rgbw, isOpaque: survey.opaque,
      isGray: survey.gray, hasWiderSource: colors.isWide, pixels: pixels)
  }

  /// Fills `straight` with RGBA as the file stores it, by either path.
  private mutating func readStraight(
    _ png: PNGFile, _ file: UnsafeRawBufferPointer
  ) throws(PictureError) {
    try png.requireJustified()
    let wide = png.depth == 16
    straight.provide(png.width * png.height * (wide ? 8 : 4))
    let failure = straight.withUnsafeMutableBytes { target -> PictureError? in
      var survey = carve_survey()
      if usesFastPath && !png.isApple
        && png.readPlainly(
          file, as: .straight, into: target.baseAddress?.assumingMemoryBound(to: UInt8.self),
          stride: png.width * 4, scratch: &scratch, survey: &survey)
      {
        return nil
      }
      return png.readThroughLibrary(file, wide: wide, into: target.baseAddress)
    }
    if let failure { throw failure }
  }

  /// Returns a buffer of exactly `count` bytes of any values, made from the spare buffer if that is
  /// large enough.
  package mutating func takeSpare(_ count: Int) -> [UInt8] {
    var buffer: [UInt8] = []
    swap(&buffer, &spare)
    if buffer.count >= count {
      buffer.removeLast(buffer.count - count)
    } else if buffer.capacity >= count {
      buffer.append(addingCapacity: count - buffer.count) { rest in
        rest.withUnsafeMutableBufferPointer { bytes, initialized in initialized = bytes.count }
      }
    } else {
      buffer = [UInt8](unsafeUninitializedCapacity: count) { $1 = count }
    }
    return buffer
  }
}

extension Bitmap {
  /// Converts grey BGRA into grey and alpha.
  package mutating func compactGray() {
    let stride = BitmapLayout.ga8.bytesPerRow(width: width)
    pixels.withUnsafeMutableBufferPointer {
      carve_compact_gray($0.baseAddress, width, height, bytesPerRow, stride)
    }
    pixels.removeLast(pixels.count - stride * height)
    layout = .ga8
    bytesPerRow = stride
  }
}
