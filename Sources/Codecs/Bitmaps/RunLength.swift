// The run-length coding of small bitmaps: rows of fills and literals. Equal consecutive rows are
// stored once.

package enum RunLength {
  private static let headerSize = 12
  private static let fillMark: UInt32 = 0x8000_0000
  private static let countMask: UInt32 = 0x00FF_FFFF

  /// Decodes `height` rows of `width` pixels; row `y` starts at `y * rowStride` in `destination`.
  package static func decode(
    _ source: UnsafeRawBufferPointer, bytesPerPixel: Int, width: Int, height: Int,
    into destination: UnsafeMutableRawBufferPointer, rowStride: Int
  ) throws(CodecError) {
    let rows = try PixelRows(
      destination, bytesPerPixel: bytesPerPixel, width: width, height: height, stride: rowStride)
    var header = ByteReader(source)
    _ = try header.u32()
    let storedWidth = try header.u32()
    guard Int(storedWidth) == width, Int(try header.u32()) == height else {
      throw .corrupt(at: 4)
    }
    for y in 0..<height {
      let start = Int(try header.u32())
      guard start >= headerSize, start <= source.count else {
        throw .corrupt(at: headerSize + 4 * y)
      }
      var reader = ByteReader(source)
      reader.offset = start
      let row = UnsafeMutableRawBufferPointer(
        start: rows.base + y * rowStride, count: rows.rowBytes)
      try decodeRow(&reader, bytesPerPixel, into: row)
    }
  }

  private static func decodeRow(
    _ reader: inout ByteReader, _ bytesPerPixel: Int, into row: UnsafeMutableRawBufferPointer
  ) throws(CodecError) {
    var filled = 0
    while filled < row.count {
      let at = reader.offset
      let control = try reader.u32()
      let bytes = Int(control & countMask) * bytesPerPixel
      guard bytes > 0, bytes <= row.count - filled else { throw .corrupt(at: at) }
      let run = UnsafeMutableRawBufferPointer(rebasing: row[filled..<filled + bytes])
      switch control & ~countMask {
      case 0: run.copyMemory(from: try reader.take(bytes))
      case fillMark: fill(run, with: try reader.take(bytesPerPixel))
      default: throw .corrupt(at: at)
      }
      filled += bytes
    }
  }

  private static func fill(
    _ run: UnsafeMutableRawBufferPointer, with pixel: UnsafeRawBufferPointer
  ) {
    guard let target = run.baseAddress, let first = pixel.baseAddress else { return }
    switch pixel.count {
    case 1: repeatPixel(first.load(as: UInt8.self), target, run.count)
    case 2: repeatPixel(first.loadUnaligned(as: UInt16.self), target, run.count)
    case 4: repeatPixel(first.loadUnaligned(as: UInt32.self), target, run.count)
    case 8: repeatPixel(first.loadUnaligned(as: UInt64.self), target, run.count)
    default:
      target.copyMemory(from: first, byteCount: pixel.count)
      // The rest repeats the first pixel, like a match whose distance is one pixel.
      copyBytewise(
        to: target + pixel.count, distance: pixel.count, count: run.count - pixel.count)
    }
  }

  /// Stores a pixel repeatedly. `count` is a multiple of its size.
  @inline(__always)
  private static func repeatPixel<Pixel: FixedWidthInteger & BitwiseCopyable>(
    _ pixel: Pixel, _ target: UnsafeMutableRawPointer, _ count: Int
  ) {
    let size = MemoryLayout<Pixel>.size
    for index in 0..<count / size {
      target.storeBytes(of: pixel, toByteOffset: index &* size, as: Pixel.self)
    }
  }

  /// Appends the coding of the rows that start at multiples of `rowStride` in `pixels`.
  package static func encode(
    _ pixels: UnsafeRawBufferPointer, bytesPerPixel: Int, width: Int, height: Int, rowStride: Int,
    appendingTo output: inout [UInt8]
  ) {
    let start = output.count
    output.append(littleEndian: UInt32(bytesPerPixel == 2 ? 3 : bytesPerPixel))
    output.append(littleEndian: UInt32(width))
    output.append(littleEndian: UInt32(height))
    let table = output.count
    output.append(contentsOf: repeatElement(0, count: 4 * height))
    let leastFill = bytesPerPixel == 2 ? 6 : 4
    var previous = UnsafeRawBufferPointer(start: nil, count: 0)
    var offset: UInt32 = 0
    for y in 0..<height {
      let row = UnsafeRawBufferPointer(
        rebasing: pixels[y * rowStride..<y * rowStride + width * bytesPerPixel])
      if y == 0 || !equal(row, previous) {
        offset = UInt32(output.count - start)
        encodeRow(row, size: bytesPerPixel, leastFill: leastFill, appendingTo: &output)
      }
      output.store(offset, at: table + 4 * y)
      previous = row
    }
  }

  private static func encodeRow(
    _ row: UnsafeRawBufferPointer, size: Int, leastFill: Int,
    appendingTo output: inout [UInt8]
  ) {
    var literal = 0
    var position = 0
    while position < row.count {
      let run = runLength(row, from: position, size)
      if run >= leastFill {
        appendLiteral(of: row, range: literal..<position, size: size, to: &output)
        output.append(littleEndian: fillMark | UInt32(run))
        output.append(contentsOf: row[position..<position + size])
        literal = position + run * size
      }
      position += run * size
    }
    appendLiteral(of: row, range: literal..<row.count, size: size, to: &output)
  }

  private static func appendLiteral(
    of row: UnsafeRawBufferPointer, range: Range<Int>, size: Int, to output: inout [UInt8]
  ) {
    if range.isEmpty { return }
    output.append(littleEndian: UInt32(range.count / size))
    output.append(contentsOf: row[range])
  }

  /// Returns how many pixels from `position` on equal the pixel there; a control word has 24 bits
  /// for it.
  private static func runLength(_ row: UnsafeRawBufferPointer, from position: Int, _ size: Int)
    -> Int
  {
    var end = position + size
    while end < row.count, row[end] == row[end - size] { end += 1 }
    return min((end - position) / size, Int(countMask))
  }

  private static func equal(_ a: UnsafeRawBufferPointer, _ b: UnsafeRawBufferPointer) -> Bool {
    a.count == b.count && a.elementsEqual(b)
  }
}
