// Baseline and progressive JPEG pictures of eight bits: this file reads the markers. JPEGScan.swift
// reads coefficients and converts them to samples.

import Bytes

/// A picture with interleaved samples of all components: one (grey), three (red, green and blue) or
/// four (inks).
package struct JPEGPicture: Sendable {
  package var width: Int
  package var height: Int
  package var components: Int
  package var samples: [UInt8]
  /// The ICC profile in the file; empty if the file has no profile.
  package var profile: [UInt8] = []
}

/// The reason why a picture is not decoded.
package enum JPEGError: Error, Equatable, Sendable {
  case codec(CodecError)
  case overBudget(OverBudget)
}

package struct JPEGDecoder {
  struct Component {
    var identifier: Int
    /// The blocks of this component in one unit (MCU) of an interleaved scan.
    var across: Int
    var down: Int
    var quantization: Int
    /// The blocks that the picture needs on each axis. `stride` also counts the blocks that
    /// complete the last unit of a row.
    var blocksWide = 0
    var blocksHigh = 0
    var stride = 0
    var coefficients: [Int16] = []
  }

  let data: BigEndianBytes
  let budget: Budget
  private var position = 0
  var components: [Component] = []
  private(set) var width = 0
  private(set) var height = 0
  private(set) var isProgressive = false
  private(set) var mostAcross = 1
  private(set) var mostDown = 1
  private(set) var quantizations = [[Int32]](repeating: [], count: 4)
  private(set) var directCodes = [JPEGCode?](repeating: nil, count: 4)
  private(set) var otherCodes = [JPEGCode?](repeating: nil, count: 4)
  private(set) var restartInterval = 0
  /// The colour transform in Adobe's marker: 0 means no transform, 1 means YCbCr and 2 means YCCK.
  private var adobeTransform: Int?
  /// The pieces of the ICC profile so far, and their number.
  private(set) var profile: [UInt8] = []
  private var profilePieces = 0

  /// Decodes a picture. Parts that are missing at the end become grey. `colorTransform` is used if
  /// the file does not state its own: 0 for none, 1 for YCbCr and YCCK.
  package static func decode(
    _ bytes: [UInt8], colorTransform: Int? = nil, budget: Budget
  ) throws(JPEGError) -> JPEGPicture {
    budget.spend(.copiedBytes, bytes.count)
    let before = budget.memoryHeld(by: .samples)
    defer { budget.hold(.samples, bytes: before) }
    var decoder = JPEGDecoder(bytes, budget)
    do throws(CodecError) {
      try decoder.readMarkers()
      return try decoder.picture(decoder.adobeTransform ?? colorTransform)
    } catch {
      // Every loop ends early if the budget is exceeded, so that the file may seem to be damaged.
      if let excess = budget.error { throw .overBudget(excess) }
      throw .codec(error)
    }
  }

  /// Decodes a picture that stands for itself: one in grey, or in red, green and blue. `memory`
  /// lowers the memory that it may take.
  package static func decode(
    file bytes: [UInt8], memory: Int = .max
  ) throws(JPEGError) -> JPEGPicture {
    let size = size(of: bytes)
    let budget = Budget(input: bytes.count, pixels: size.width * size.height, memory: memory)
    let picture = try decode(bytes, budget: budget)
    guard picture.components != 4 else { throw .codec(.unsupported("JPEG in inks (CMYK)")) }
    return picture
  }

  /// Returns the size in the first frame; 0 if there is no frame.
  package static func size(of bytes: [UInt8]) -> (width: Int, height: Int) {
    let data = BigEndianBytes(bytes)
    var position = 2
    while position + 9 < data.count, data.u8(position) == 0xFF {
      let marker = data.u8(position + 1)
      if marker == 0xFF {
        position += 1
        continue
      }
      if (0xC0...0xC2).contains(marker) { return (data.u16(position + 7), data.u16(position + 5)) }
      position += 2 + max(data.u16(position + 2), 2)
    }
    return (0, 0)
  }

  private init(_ bytes: [UInt8], _ budget: Budget) {
    data = BigEndianBytes(bytes)
    self.budget = budget
  }

  /// Charges blocks, of 64 samples each, that a scan decodes. Returns false if the budget is
  /// exceeded.
  func pay(blocks: Int) -> Bool { budget.spend(.samples, 32 * blocks) }

  /// Reads all markers.
  private mutating func readMarkers() throws(CodecError) {
    var hasScan = false
    while position + 3 < data.count, !budget.isExceeded {
      guard data.u8(position) == 0xFF else {
        position += 1
        continue
      }
      let marker = data.u8(position + 1)
      position += 2
      // Fill bytes, stuffing, restart markers and the start marker have no length.
      guard marker != 0, marker != 1, marker < 0xD0 || marker > 0xD8 else { continue }
      if marker == 0xFF {
        position -= 1
        continue
      }
      if marker == 0xD9 { break }
      let part = data.clamped(position + 2, count: data.u16(position) - 2)
      position = part.upperBound
      switch marker {
      case 0xC0, 0xC1, 0xC2:
        guard components.isEmpty else { throw .corrupt(at: part.lowerBound) }
        try readFrame(part, isProgressive: marker == 0xC2)
      case 0xC4: readCodes(part)
      case 0xC3, 0xC5...0xCF: throw .unsupported("lossless, hierarchical or arithmetic JPEG")
      case 0xDB: readQuantizations(part)
      case 0xDD: restartInterval = data.u16(part.lowerBound)
      case 0xDA:
        guard !components.isEmpty else { throw .corrupt(at: part.lowerBound) }
        readScan(part)
        hasScan = true
      case 0xE2: readProfile(part)
      case 0xEE:
        if data.bytes[part.prefix(5)].elementsEqual("Adobe".utf8), part.count >= 12 {
          adobeTransform = data.u8(part.lowerBound + 11)
        }
      default: break
      }
    }
    guard hasScan, !budget.isExceeded else { throw .truncated(at: data.count) }
  }

  /// Reads a piece of the ICC profile. A profile whose pieces are not in order is left out.
  private mutating func readProfile(_ part: Range<Int>) {
    let head = 14
    guard part.count > head, data.bytes[part.prefix(12)].elementsEqual("ICC_PROFILE\0".utf8) else {
      return
    }
    profilePieces += 1
    guard data.u8(part.lowerBound + 12) == profilePieces else {
      profile = []
      return
    }
    profile += data.bytes[part.dropFirst(head)]
  }

  private mutating func readFrame(_ part: Range<Int>, isProgressive: Bool) throws(CodecError) {
    let start = part.lowerBound
    let count = data.u8(start + 5)
    height = data.u16(start + 1)
    width = data.u16(start + 3)
    guard part.count >= 6 + 3 * count, width > 0, height > 0 else { throw .corrupt(at: start) }
    guard data.u8(start) == 8 else { throw .unsupported("JPEG with more than eight bits") }
    guard count == 1 || count == 3 || count == 4 else {
      throw .unsupported("JPEG with two or more than four components")
    }
    self.isProgressive = isProgressive
    for index in 0..<count {
      let offset = start + 6 + 3 * index
      let sampling = data.u8(offset + 1)
      let component = Component(
        identifier: data.u8(offset), across: sampling >> 4, down: sampling & 15,
        quantization: data.u8(offset + 2) & 3)
      guard (1...4).contains(component.across), (1...4).contains(component.down) else {
        throw .corrupt(at: offset)
      }
      components.append(component)
      mostAcross = max(mostAcross, component.across)
      mostDown = max(mostDown, component.down)
    }
    try makeRoom()
  }

  private mutating func makeRoom() throws(CodecError) {
    let unitsWide = (width + 8 * mostAcross - 1) / (8 * mostAcross)
    let unitsHigh = (height + 8 * mostDown - 1) / (8 * mostDown)
    for index in components.indices {
      let component = components[index]
      let samplesWide = (width * component.across + mostAcross - 1) / mostAcross
      let samplesHigh = (height * component.down + mostDown - 1) / mostDown
      components[index].blocksWide = (samplesWide + 7) / 8
      components[index].blocksHigh = (samplesHigh + 7) / 8
      components[index].stride = unitsWide * component.across
      let blocks = unitsWide * component.across * unitsHigh * component.down
      // In the file a block takes at least one bit. In memory it takes 64 coefficients of two bytes
      // and 64 samples.
      guard blocks <= data.count * 8, budget.borrow(.samples, bytes: blocks * 64 * 3) else {
        throw .truncated(at: data.count)
      }
      components[index].coefficients = [Int16](repeating: 0, count: blocks * 64)
    }
  }

  private mutating func readQuantizations(_ part: Range<Int>) {
    var offset = part.lowerBound
    while offset < part.upperBound {
      let kind = data.u8(offset)
      offset += 1
      let size = kind >> 4 == 0 ? 1 : 2
      guard offset + 64 * size <= part.upperBound else { return }
      var table = [Int32](repeating: 1, count: 64)
      for index in 0..<64 {
        table[JPEGScan.zigzag[index]] = Int32(data.number(offset + index * size, size: size))
      }
      quantizations[kind & 3] = table
      offset += 64 * size
    }
  }

  private mutating func readCodes(_ part: Range<Int>) {
    var offset = part.lowerBound
    while offset + 17 <= part.upperBound {
      let kind = data.u8(offset)
      let counts = (1...16).map { data.u8(offset + $0) }
      let total = counts.reduce(0, +)
      offset += 17
      guard total <= 256, offset + total <= part.upperBound else { return }
      let code = JPEGCode(counts: counts, values: (0..<total).map { data.u8(offset + $0) })
      if kind >> 4 == 0 { directCodes[kind & 3] = code } else { otherCodes[kind & 3] = code }
      offset += total
    }
  }

  private mutating func readScan(_ part: Range<Int>) {
    let start = part.lowerBound
    let count = data.u8(start)
    guard (1...4).contains(count), part.count >= 4 + 2 * count else { return }
    var members: [JPEGScan.Member] = []
    for index in 0..<count {
      let identifier = data.u8(start + 1 + 2 * index)
      let tables = data.u8(start + 2 + 2 * index)
      guard let component = components.firstIndex(where: { $0.identifier == identifier }) else {
        return
      }
      members.append(
        JPEGScan.Member(
          component: component, direct: directCodes[tables >> 4 & 3],
          other: otherCodes[tables & 3]))
    }
    let end = start + 1 + 2 * count
    var scan = JPEGScan(
      members: members, first: data.u8(end), last: min(data.u8(end + 1), 63),
      high: data.u8(end + 2) >> 4, low: data.u8(end + 2) & 15,
      reader: JPEGBits(data, part.upperBound))
    scan.run(&self)
    position = scan.reader.position
  }
}

/// A prefix code with codes of at most 16 bits.
struct JPEGCode {
  /// For each value of the next eight bits: the length of the code in the upper byte and its value
  /// in the lower byte, or 0 if the code is longer.
  private var short = [UInt16](repeating: 0, count: 256)
  private var first = [Int](repeating: 0, count: 17)
  private var counts: [Int]
  private var starts = [Int](repeating: 0, count: 17)
  private var values: [Int]

  init(counts: [Int], values: [Int]) {
    self.counts = [0] + counts
    self.values = values
    var code = 0
    var index = 0
    for length in 1...16 {
      first[length] = code
      starts[length] = index
      for _ in 0..<self.counts[length] {
        if length <= 8, code < 1 << length {
          let entry = UInt16(length << 8 | values[index])
          for rest in 0..<1 << (8 - length) { short[code << (8 - length) | rest] = entry }
        }
        code += 1
        index += 1
      }
      code <<= 1
    }
  }

  /// Reads the next value; returns nil if the bits are not a code.
  func read(_ bits: inout JPEGBits) -> Int? {
    let window = bits.look()
    let entry = short[window >> 8]
    if entry != 0 {
      bits.skip(Int(entry >> 8))
      return Int(entry & 255)
    }
    for length in 9...16 {
      let index = window >> (16 - length) - first[length]
      if index >= 0, index < counts[length] {
        bits.skip(length)
        return values[starts[length] + index]
      }
    }
    bits.skip(16)
    return nil
  }
}

/// The bits of a scan, without the zero bytes that follow bytes of 255. The bits end before the
/// next marker; after their end, zeros are read.
struct JPEGBits {
  private let data: BigEndianBytes
  private(set) var position: Int
  private var window: UInt = 0
  private var count = 0
  /// The number of zero bits that were added after the end.
  private(set) var overrun = 0

  init(_ data: BigEndianBytes, _ position: Int) {
    self.data = data
    self.position = position
  }

  private mutating func fill() {
    while count <= 32 {
      var byte = 0
      if position < data.count {
        byte = data.u8(position)
        if byte == 0xFF {
          if data.u8(position + 1) == 0 {
            position += 2
          } else {
            (byte, overrun) = (0, overrun + 8)
          }
        } else {
          position += 1
        }
      } else {
        overrun += 8
      }
      window = window << 8 | UInt(byte)
      count += 8
    }
  }

  /// Returns the next 16 bits without reading them.
  mutating func look() -> Int {
    if count < 16 { fill() }
    return Int(window >> UInt(count - 16) & 0xFFFF)
  }

  mutating func skip(_ bits: Int) { count -= bits }

  mutating func take(_ bits: Int) -> Int {
    guard bits > 0 else { return 0 }
    let value = look() >> (16 - bits)
    count -= bits
    return value
  }

  /// Reads a number of `bits` bits. The lower half of its values is negative.
  mutating func signed(_ bits: Int) -> Int {
    guard bits > 0 else { return 0 }
    let value = take(bits)
    return value < 1 << (bits - 1) ? value - (1 << bits) + 1 : value
  }

  /// Continues after a restart marker, if one is next.
  mutating func restart() {
    (window, count, overrun) = (0, 0, 0)
    if data.u8(position) == 0xFF, (0xD0...0xD7).contains(data.u8(position + 1)) { position += 2 }
  }

  /// Whether the data ended so long ago that no further block can be read.
  var isAtEnd: Bool { overrun > 64 + 64 }
}
