// Random PNG files of every kind, with their expected pixels, made without the code under test.

import Support
import Testing

/// A kind of PNG file.
struct PNGKind: CustomTestStringConvertible {
  var color: PNGColor
  var depth: Int
  var isInterlaced = false
  var hasTransparency = false

  var testDescription: String {
    "\(color) \(depth)\(isInterlaced ? " interlaced" : "")\(hasTransparency ? " tRNS" : "")"
  }

  static let all: [PNGKind] = PNGColor.allCases.flatMap { color -> [PNGKind] in
    let depths: [Int] =
      switch color {
      case .gray: [1, 2, 4, 8, 16]
      case .palette: [1, 2, 4, 8]
      case .rgb, .grayAlpha, .rgba: [8, 16]
      }
    let mayHaveKey = color == .gray || color == .rgb || color == .palette
    return depths.flatMap { depth in
      [false, true].flatMap { interlaced in
        (mayHaveKey ? [false, true] : [false]).map {
          PNGKind(
            color: color, depth: depth, isInterlaced: interlaced, hasTransparency: $0)
        }
      }
    }
  }
}

struct PNGSample {
  var file: [UInt8] = []
  /// The pixels as straight RGBA in the bit depth of the file, but at least 8 bits.
  var pixels: [[Int]] = []

  init(
    _ kind: PNGKind, width: Int, height: Int, random: inout SeededGenerator, pieces: Int = 1,
    filters: [UInt8] = [0, 1, 2, 3, 4], extra: [[UInt8]] = []
  ) {
    let limit = 1 << kind.depth
    let samples = PNGSample.samples(kind, count: width * height, below: limit, random: &random)
    let key = samples.randomElement(using: &random) ?? []
    let entries = kind.color == .palette ? Int.random(in: 1...limit, using: &random) : 0
    let palette = (0..<entries).map { _ in
      (0..<3).map { _ in Int.random(in: 0...255, using: &random) }
    }
    let alphas = (0..<Int.random(in: 1...max(1, entries), using: &random)).map { _ in
      Int.random(in: 0...255, using: &random)
    }
    pixels = samples.map { sample in
      switch kind.color {
      case .palette:
        let color = sample[0] < entries ? palette[sample[0]] : [0, 0, 0]
        let hasAlpha = kind.hasTransparency && sample[0] < alphas.count
        return color + [hasAlpha ? alphas[sample[0]] : 255]
      default:
        return straight(sample, kind, isKey: kind.hasTransparency && sample == key)
      }
    }

    let rows = PNGSample.scanlines(
      samples, kind, width: width, height: height, filters: filters, random: &random)
    let size = [width, height].flatMap { bigEndian(UInt32($0)) }
    let header =
      size + [UInt8(kind.depth), kind.color.rawValue, 0, 0, kind.isInterlaced ? 1 : 0]
    file = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a] + pngChunk("IHDR", header)
    for chunk in extra { file += chunk }
    if kind.color == .palette {
      file += pngChunk("PLTE", palette.flatMap { $0.map { UInt8($0) } })
      if kind.hasTransparency { file += pngChunk("tRNS", alphas.map { UInt8($0) }) }
    } else if kind.hasTransparency {
      file += pngChunk("tRNS", key.flatMap { [UInt8($0 >> 8), UInt8($0 & 255)] })
    }
    file += PNGSample.dataChunks(rows, pieces: pieces)
    file += pngChunk("IEND", [])
  }

  private static func samples(
    _ kind: PNGKind, count: Int, below limit: Int, random: inout SeededGenerator
  ) -> [[Int]] {
    // Few different values, so that the transparent colour occurs and neighbouring pixels are often
    // equal.
    let few = (0..<4).map { _ in Int.random(in: 0..<limit, using: &random) }
    let isVaried = Bool.random(using: &random)
    return (0..<count).map { _ in
      (0..<kind.color.channels).map { _ in
        isVaried ? Int.random(in: 0..<limit, using: &random) : few[random.pick(0...3)]
      }
    }
  }

  /// Returns the rows in `pieces` chunks.
  private static func dataChunks(_ rows: [UInt8], pieces: Int) -> [UInt8] {
    let stream = storedZlib(rows)
    let share = (stream.count + pieces - 1) / pieces
    return stride(from: 0, to: stream.count, by: share).flatMap {
      pngChunk("IDAT", Array(stream[$0..<min(stream.count, $0 + share)]))
    }
  }

  /// Returns the filtered rows of all passes.
  private static func scanlines(
    _ samples: [[Int]], _ kind: PNGKind, width: Int, height: Int, filters: [UInt8],
    random: inout SeededGenerator
  ) -> [UInt8] {
    let passes = kind.isInterlaced ? adam7 : [(0, 0, 1, 1)]
    var rows: [UInt8] = []
    for (x0, y0, dx, dy) in passes {
      let columns = Array(stride(from: x0, to: width, by: dx))
      var prior: [UInt8] = []
      if columns.isEmpty { continue }
      for y in stride(from: y0, to: height, by: dy) {
        let row = packed(columns.flatMap { samples[y * width + $0] }, depth: kind.depth)
        let filter = filters.randomElement(using: &random) ?? 0
        let step = max(1, kind.color.channels * kind.depth / 8)
        rows.append(filter)
        rows += filtered(row, prior, filter: filter, step: step)
        prior = row
      }
    }
    return rows
  }

  /// Returns the expected pixels of the bitmap: premultiplied BGRA of 8 bits.
  func premultiplied(depth: Int) -> [[UInt8]] {
    pixels.map { pixel in
      let bytes = depth == 16 ? pixel.map { Int((Double($0) / 257).rounded()) } : pixel
      return [2, 1, 0].map { UInt8((bytes[$0] * bytes[3] + 127) / 255) } + [UInt8(bytes[3])]
    }
  }
}

private let adam7 = [
  (0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2),
]

private func straight(_ sample: [Int], _ kind: PNGKind, isKey: Bool) -> [Int] {
  let highest = (1 << kind.depth) - 1
  let full = max(255, highest)
  let wide = sample.map { $0 * full / highest }
  switch kind.color {
  case .gray: return [wide[0], wide[0], wide[0], isKey ? 0 : full]
  case .grayAlpha: return [wide[0], wide[0], wide[0], wide[1]]
  case .rgb: return wide + [isKey ? 0 : full]
  case .rgba, .palette: return wide
  }
}

private func packed(_ samples: [Int], depth: Int) -> [UInt8] {
  if depth == 16 { return samples.flatMap { [UInt8($0 >> 8), UInt8($0 & 255)] } }
  var row: [UInt8] = []
  let perByte = 8 / depth
  for start in stride(from: 0, to: samples.count, by: perByte) {
    var byte = 0
    for place in 0..<perByte {
      byte = byte << depth | (start + place < samples.count ? samples[start + place] : 0)
    }
    row.append(UInt8(byte))
  }
  return row
}

private func filtered(_ row: [UInt8], _ prior: [UInt8], filter: UInt8, step: Int) -> [UInt8] {
  row.indices.map { index in
    let left = index < step ? 0 : Int(row[index - step])
    let above = prior.isEmpty ? 0 : Int(prior[index])
    let corner = prior.isEmpty || index < step ? 0 : Int(prior[index - step])
    let guess: Int
    switch filter {
    case 1: guess = left
    case 2: guess = above
    case 3: guess = (left + above) / 2
    case 4:
      let p = left + above - corner
      let (a, b, c) = (abs(p - left), abs(p - above), abs(p - corner))
      guess = a <= b && a <= c ? left : b <= c ? above : corner
    default: guess = 0
    }
    return row[index] &- UInt8(guess)
  }
}
