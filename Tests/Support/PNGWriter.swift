// Makes small PNG files for tests, of any colour type, without a library: the deflate blocks are
// stored uncompressed.

/// The channels of a PNG's pixels.
public enum PNGColor: UInt8, Sendable, CaseIterable {
  case gray = 0
  case rgb = 2
  case palette = 3
  case grayAlpha = 4
  case rgba = 6

  public var channels: Int {
    switch self {
    case .gray, .palette: 1
    case .grayAlpha: 2
    case .rgb: 3
    case .rgba: 4
    }
  }
}

/// Returns a chunk of a PNG: length, type, body, checksum.
public func pngChunk(_ type: String, _ body: [UInt8]) -> [UInt8] {
  let named = Array(type.utf8) + body
  return bigEndian(UInt32(body.count)) + named + bigEndian(crc32(named))
}

/// Returns a PNG of these samples, without filters: rows without padding, samples of 16 bits
/// big-endian.
///
/// `extra` chunks stand between the header and the pixels.
public func png(
  width: Int, height: Int, color: PNGColor, depth: Int = 8, samples: [UInt8],
  extra: [[UInt8]] = []
) -> [UInt8] {
  let rowLength = (width * color.channels * depth + 7) / 8
  precondition(samples.count == rowLength * height, "\(samples.count) bytes of samples")
  var rows: [UInt8] = []
  for row in 0..<height {
    rows.append(0)
    rows += samples[row * rowLength..<(row + 1) * rowLength]
  }
  let header =
    bigEndian(UInt32(width)) + bigEndian(UInt32(height)) + [UInt8(depth), color.rawValue, 0, 0, 0]
  var file: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
  file += pngChunk("IHDR", header)
  for chunk in extra { file += chunk }
  file += pngChunk("IDAT", storedZlib(rows))
  file += pngChunk("IEND", [])
  return file
}

/// Returns a PNG of one colour, with alpha that is not premultiplied.
public func png(
  width: Int, height: Int, red: UInt8 = 0, green: UInt8 = 0, blue: UInt8 = 0, alpha: UInt8 = 255
) -> [UInt8] {
  let pixel = [red, green, blue, alpha]
  let samples = (0..<width * height).flatMap { _ in pixel }
  return png(width: width, height: height, color: .rgba, samples: samples)
}

/// Returns a zlib stream that contains the bytes uncompressed.
public func storedZlib(_ bytes: [UInt8]) -> [UInt8] {
  var stream: [UInt8] = [0x78, 0x01]
  var rest = bytes[...]
  repeat {
    let block = rest.prefix(65535)
    rest = rest.dropFirst(block.count)
    let count = UInt16(block.count)
    stream.append(rest.isEmpty ? 1 : 0)
    for value in [count, ~count] { stream += [UInt8(value & 0xFF), UInt8(value >> 8)] }
    stream += block
  } while !rest.isEmpty
  return stream + bigEndian(adler32(bytes))
}

/// Computes the CRC-32 of bytes, four at a time, because pictures of tests have millions of bytes.
public func crc32(_ bytes: [UInt8]) -> UInt32 {
  var crc = ~UInt32(0)
  let (none, one, two, three) = (crcTables[0], crcTables[1], crcTables[2], crcTables[3])
  bytes.withUnsafeBytes { bytes in
    let whole = bytes.count & ~3
    for place in stride(from: 0, to: whole, by: 4) {
      let word = crc ^ bytes.loadUnaligned(fromByteOffset: place, as: UInt32.self).littleEndian
      crc = three[Int(word & 0xFF)] ^ two[Int(word &>> 8 & 0xFF)]
      crc ^= one[Int(word &>> 16 & 0xFF)]
      crc ^= none[Int(word &>> 24)]
    }
    for byte in bytes[whole...] { crc = none[Int(UInt8(crc & 0xFF) ^ byte)] ^ (crc &>> 8) }
  }
  return ~crc
}

/// The change of the sum by a byte, and by a byte with one, two and three zeros behind it.
private let crcTables: [[UInt32]] = {
  var first: [UInt32] = []
  for index in UInt32(0)..<256 {
    var value = index
    for _ in 0..<8 { value = value & 1 == 1 ? 0xEDB8_8320 ^ (value &>> 1) : value &>> 1 }
    first.append(value)
  }
  var tables = [first]
  for place in 0..<3 {
    tables.append(tables[place].map { value in first[Int(value & 0xFF)] ^ (value &>> 8) })
  }
  return tables
}()

private func adler32(_ bytes: [UInt8]) -> UInt32 {
  var a: UInt32 = 1
  var b: UInt32 = 0
  var rest = bytes[...]
  while !rest.isEmpty {
    // The sums of 5,552 bytes fit into 32 bits.
    for byte in rest.prefix(5552) {
      a += UInt32(byte)
      b += a
    }
    rest = rest.dropFirst(5552)
    (a, b) = (a % 65521, b % 65521)
  }
  return b << 16 | a
}

/// Returns the four bytes of a number, the highest first.
public func bigEndian(_ value: UInt32) -> [UInt8] {
  [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
}
