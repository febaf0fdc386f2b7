// Undoes the filters of streams, up to the first one that is an image format. Images.swift decodes
// image formats.

import Bytes
import Codecs

/// A stream after its general filters were undone.
struct DecodedStream {
  var bytes: [UInt8]
  /// The image format of the bytes, by the full name of its filter; nil if the bytes are not in an
  /// image format.
  var imageFormat: String?
  /// Whether the compressed data end too early or are damaged.
  var isDamaged = false
  var parameters = PDFDictionary()
}

extension PDFFile {
  /// Undoes the filters of a stream. The result of each filter is charged, and is in memory
  /// together with its source.
  func decode(_ stream: PDFStream) -> DecodedStream {
    budget.spend(.copiedBytes, stream.bytes.count)
    var result = DecodedStream(bytes: Array(stream.bytes))
    let filters = list(stream.dictionary["Filter"], or: stream.dictionary["F"])
    let parameters = list(stream.dictionary["DecodeParms"], or: stream.dictionary["DP"])
    for (index, filter) in filters.prefix(16).enumerated() {
      let settings = index < parameters.count ? dictionary(parameters[index]) : nil
      result.parameters = settings ?? PDFDictionary()
      let before = result.bytes.count
      guard budget.borrow(.decompressedBytes, bytes: before) else {
        return DecodedStream(bytes: [])
      }
      defer { budget.giveBack(.decompressedBytes, bytes: before) }
      switch name(filter) {
      case "FlateDecode", "Fl":
        result.bytes = inflate(result.bytes, isDamaged: &result.isDamaged)
        undoPrediction(&result.bytes, result.parameters)
      case "LZWDecode", "LZW":
        let early = int(result.parameters["EarlyChange"]) ?? 1
        result.bytes = growing { limit in
          LZWDecoder.decode(result.bytes, early: early != 0, limit: limit)
        }
        undoPrediction(&result.bytes, result.parameters)
      case "ASCII85Decode", "A85":
        result.bytes = growing { TextFilters.ascii85(result.bytes, limit: $0) }
      case "ASCIIHexDecode", "AHx": result.bytes = PDFLexer.bytes(ofHex: result.bytes)
      case "RunLengthDecode", "RL":
        result.bytes = growing { TextFilters.runLengths(result.bytes, limit: $0) }
      case "Crypt": break
      case let format:
        result.imageFormat = Self.longNames[format ?? ""] ?? format
        return result
      }
      budget.spend(.decompressedBytes, before + result.bytes.count)
      if budget.isExceeded || !hasRoom(for: result.bytes.count) { return DecodedStream(bytes: []) }
    }
    return result
  }

  /// Undoes a filter that does not say how large its result is. An array that grows is copied into
  /// one of twice its size, so the result may take a third of the memory.
  private func growing(_ undo: (_ limit: Int) -> [UInt8]) -> [UInt8] {
    let limit = budget.availableMemory / 3
    let result = undo(limit)
    if result.count >= limit { budget.exceedMemory(.decompressedBytes) }
    return result
  }

  /// Returns whether a number of further bytes fits in memory.
  private func hasRoom(for bytes: Int) -> Bool {
    guard budget.borrow(.decompressedBytes, bytes: bytes) else { return false }
    budget.giveBack(.decompressedBytes, bytes: bytes)
    return true
  }

  /// Returns the filters of a stream in the order in which they are undone.
  func filters(of stream: PDFStream) -> [(name: String?, parameters: PDFDictionary?)] {
    let filters = list(stream.dictionary["Filter"], or: stream.dictionary["F"])
    let parameters = list(stream.dictionary["DecodeParms"], or: stream.dictionary["DP"])
    return filters.prefix(16).enumerated().map { index, filter in
      (name(filter), index < parameters.count ? dictionary(parameters[index]) : nil)
    }
  }

  private static let longNames = ["DCT": "DCTDecode", "CCF": "CCITTFaxDecode"]

  /// Returns one value or the elements of an array.
  private func list(_ value: PDFValue, or short: PDFValue) -> [PDFValue] {
    let given = resolve(value.isNull ? short : value)
    switch given {
    case .array(let values): return values
    case .null: return []
    default: return [given]
    }
  }

  /// Decompresses with an estimated size first, and with four times the size until the result fits
  /// or the limit is reached.
  private func inflate(_ source: [UInt8], isDamaged: inout Bool) -> [UInt8] {
    let limit = budget.availableMemory
    var capacity = min(max(source.count * 6, 1024), limit)
    while !budget.isExceeded {
      var needsMore = false
      var isWhole = true
      let result = [UInt8](unsafeUninitializedCapacity: capacity) { room, count in
        source.withUnsafeBytes { bytes in
          (count, needsMore, isWhole) = Inflate.salvage(
            zlib: bytes, into: UnsafeMutableRawBufferPointer(room), verifies: true)
        }
      }
      if !needsMore {
        if !isWhole {
          noteDamage()
          isDamaged = true
        }
        return result
      }
      budget.spend(.decompressedBytes, result.count)
      guard capacity < limit else {
        budget.exceedMemory(.decompressedBytes)
        return []
      }
      capacity = min(capacity * 4, limit)
    }
    return []
  }

  private func undoPrediction(_ bytes: inout [UInt8], _ parameters: PDFDictionary) {
    let predictor = int(parameters["Predictor"]) ?? 1
    guard predictor > 1 else { return }
    let colors = min(max(int(parameters["Colors"]) ?? 1, 1), 32)
    let bits = min(max(int(parameters["BitsPerComponent"]) ?? 8, 1), 16)
    // A byte can have eight samples.
    let steps = predictor == 2 && bits < 8 ? 16 / bits : 3
    guard budget.spend(.decompressedBytes, steps * bytes.count) else { return }
    let columns = min(max(int(parameters["Columns"]) ?? 1, 1), 1 << 24)
    let prediction = Prediction(
      pixelBytes: max(1, colors * bits / 8), rowBytes: (colors * bits * columns + 7) / 8,
      colors: colors, bits: bits)
    if predictor == 2 {
      prediction.undoDifferences(&bytes)
    } else {
      prediction.undoPNG(&bytes)
    }
  }
}

/// The layout of rows whose values are stored as differences from their neighbours.
struct Prediction {
  let pixelBytes: Int
  let rowBytes: Int
  let colors: Int
  let bits: Int

  /// Undoes the filters of PNG rows. The last row may be incomplete.
  func undoPNG(_ bytes: inout [UInt8]) {
    let count = bytes.withUnsafeMutableBufferPointer {
      PNGFilters.undo($0, rowBytes: rowBytes, pixelBytes: pixelBytes)
    }
    bytes.removeLast(bytes.count - count)
  }

  /// Undoes the predictor of TIFF: each value is the difference from the value of the same colour
  /// on its left.
  func undoDifferences(_ bytes: inout [UInt8]) {
    var row = 0
    var last = [UInt8](repeating: 0, count: colors)
    while row < bytes.count {
      let end = min(row + rowBytes, bytes.count)
      switch bits {
      case 8:
        for index in stride(from: row + colors, to: end, by: 1) {
          bytes[index] = bytes[index] &+ bytes[index - colors]
        }
      case 16:
        for index in stride(from: row + 2 * colors, to: end - 1, by: 2) {
          let before =
            UInt16(bytes[index - 2 * colors]) << 8 | UInt16(bytes[index - 2 * colors + 1])
          let sum = (UInt16(bytes[index]) << 8 | UInt16(bytes[index + 1])) &+ before
          bytes[index] = UInt8(truncatingIfNeeded: sum >> 8)
          bytes[index + 1] = UInt8(truncatingIfNeeded: sum)
        }
      default: undoSmallDifferences(&bytes, row..<end, &last)
      }
      row = end
    }
  }

  /// `last` is the memory for the sample before, of each colour.
  private func undoSmallDifferences(
    _ bytes: inout [UInt8], _ row: Range<Int>, _ last: inout [UInt8]
  ) {
    guard bits == 1 || bits == 2 || bits == 4 else { return }
    let mask = UInt8(1 << bits - 1)
    let perByte = 8 / bits
    for color in last.indices { last[color] = 0 }
    var color = 0
    for index in 0..<row.count * perByte {
      let shift = UInt8(8 - bits - index % perByte * bits)
      let offset = row.lowerBound + index / perByte
      last[color] = (last[color] &+ (bytes[offset] >> shift)) & mask
      bytes[offset] = bytes[offset] & ~(mask << shift) | last[color] << shift
      color = color + 1 == colors ? 0 : color + 1
    }
  }
}

// MARK: - Simple filters

enum TextFilters {
  static func ascii85(_ source: [UInt8], limit: Int) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(source.count)
    var group: UInt32 = 0
    var count = 0
    for byte in source where result.count < limit {
      switch byte {
      case UInt8(ascii: "!")...UInt8(ascii: "u"):
        group = group &* 85 &+ UInt32(byte - 33)
        count += 1
        if count == 5 {
          append(group, 4, to: &result)
          (group, count) = (0, 0)
        }
      case UInt8(ascii: "z") where count == 0: append(0, 4, to: &result)
      case UInt8(ascii: "~"):
        finish(group, count, &result)
        return result
      default: continue
      }
    }
    finish(group, count, &result)
    return result
  }

  /// Appends the bytes of an incomplete group: two to four digits at the end encode one to three
  /// bytes.
  private static func finish(_ group: UInt32, _ count: Int, _ result: inout [UInt8]) {
    guard count >= 2 else { return }
    var group = group
    for _ in count..<5 { group = group &* 85 &+ 84 }
    append(group, count - 1, to: &result)
  }

  private static func append(_ group: UInt32, _ count: Int, to result: inout [UInt8]) {
    for index in 0..<count {
      result.append(UInt8(truncatingIfNeeded: group >> UInt32(24 - 8 * index)))
    }
  }

  static func runLengths(_ source: [UInt8], limit: Int) -> [UInt8] {
    var result: [UInt8] = []
    var position = 0
    while position + 1 < source.count, source[position] != 128, result.count < limit {
      let length = Int(source[position])
      if length < 128 {
        result.append(contentsOf: source[(position + 1)..<min(position + 2 + length, source.count)])
        position += length + 2
      } else {
        result.append(contentsOf: repeatElement(source[position + 1], count: 257 - length))
        position += 2
      }
    }
    return result
  }
}

enum LZWDecoder {
  private static let clear = 256
  private static let stop = 257

  /// Decodes LZW data. If `early` is true, codes become longer one code before they must.
  static func decode(_ source: [UInt8], early: Bool, limit: Int) -> [UInt8] {
    var result: [UInt8] = []
    // The text of a code is a range of the text that was already written.
    var starts = [Int](repeating: 0, count: 4096)
    var lengths = [Int](repeating: 0, count: 4096)
    var (next, width) = (258, 9)
    var last: (start: Int, length: Int)?
    var (window, bits) = (0, 0)
    for byte in source {
      window = (window << 8 | Int(byte)) & 0xFF_FFFF
      bits += 8
      guard bits >= width else { continue }
      bits -= width
      let code = window >> bits & (1 << width - 1)
      if code == stop || result.count > limit { break }
      if code == clear {
        (next, width, last) = (258, 9, nil)
        continue
      }
      let start = result.count
      if code < 256 {
        result.append(UInt8(code))
      } else if code < next {
        for index in starts[code]..<starts[code] + lengths[code] { result.append(result[index]) }
      } else if code == next, let last {
        for index in last.start..<last.start + last.length { result.append(result[index]) }
        result.append(result[start])
      } else {
        break
      }
      if let last, next < 4096 {
        (starts[next], lengths[next]) = (last.start, last.length + 1)
        next += 1
      }
      last = (start, result.count - start)
      let full = next + (early ? 1 : 0)
      width = full >= 2048 ? 12 : full >= 1024 ? 11 : full >= 512 ? 10 : 9
    }
    return result
  }
}
