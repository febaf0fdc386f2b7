// A scan of a JPEG picture: entropy-coded coefficients, which are complete or refined step by step.

struct JPEGScan {
  struct Member {
    var component: Int
    var direct: JPEGCode?
    var other: JPEGCode?
    var predicted = 0
  }

  var members: [Member]
  /// The first and the last coefficient of the scan and, in a progressive picture, the bit
  /// positions of the successive approximation.
  let first: Int
  let last: Int
  let high: Int
  let low: Int
  var reader: JPEGBits
  /// The number of following blocks that have no coefficients in this scan.
  private var emptyBlocks = 0

  init(members: [Member], first: Int, last: Int, high: Int, low: Int, reader: JPEGBits) {
    self.members = members
    self.first = min(first, 63)
    self.last = last
    self.high = high
    self.low = min(low, 13)
    self.reader = reader
  }

  static let zigzag = [
    0, 1, 8, 16, 9, 2, 3, 10, 17, 24, 32, 25, 18, 11, 4, 5, 12, 19, 26, 33, 40, 48, 41, 34, 27, 20,
    13, 6, 7, 14, 21, 28, 35, 42, 49, 56, 57, 50, 43, 36, 29, 22, 15, 23, 30, 37, 44, 51, 58, 59,
    52,
    45, 38, 31, 39, 46, 53, 60, 61, 54, 47, 55, 62, 63,
  ]

  mutating func run(_ decoder: inout JPEGDecoder) {
    let isSingle = members.count == 1
    let unitsWide: Int
    let unitsHigh: Int
    if isSingle {
      let number = members[0].component
      unitsWide = decoder.components[number].blocksWide
      unitsHigh = decoder.components[number].blocksHigh
    } else {
      unitsWide = (decoder.width + 8 * decoder.mostAcross - 1) / (8 * decoder.mostAcross)
      unitsHigh = (decoder.height + 8 * decoder.mostDown - 1) / (8 * decoder.mostDown)
    }
    let blocks = members.reduce(0) { sum, member in
      let component = decoder.components[member.component]
      return sum + (isSingle ? 1 : component.across * component.down)
    }
    for unit in 0..<unitsWide * unitsHigh {
      if decoder.restartInterval > 0, unit > 0, unit % decoder.restartInterval == 0 {
        reader.restart()
        emptyBlocks = 0
        for index in members.indices { members[index].predicted = 0 }
      }
      let (row, column) = (unit / unitsWide, unit % unitsWide)
      if reader.isAtEnd || (column == 0 && !decoder.pay(blocks: unitsWide * blocks)) { return }
      for index in members.indices {
        if isSingle {
          decodeBlock(index, row, column, &decoder)
        } else {
          // A variable for the component would share the coefficients, so that they would be copied
          // at every block.
          let number = members[index].component
          let across = decoder.components[number].across
          let down = decoder.components[number].down
          for y in 0..<down {
            for x in 0..<across {
              decodeBlock(index, row * down + y, column * across + x, &decoder)
            }
          }
        }
      }
    }
  }

  private mutating func decodeBlock(
    _ index: Int, _ row: Int, _ column: Int, _ decoder: inout JPEGDecoder
  ) {
    let component = members[index].component
    let start = (row * decoder.components[component].stride + column) * 64
    let isProgressive = decoder.isProgressive
    decoder.components[component].coefficients.withUnsafeMutableBufferPointer { all in
      guard start >= 0, start + 64 <= all.count else { return }
      let block = UnsafeMutableBufferPointer(rebasing: all[start..<start + 64])
      if !isProgressive {
        decodeDirect(index, block)
        decodeOthers(index, block, from: 1, to: 63)
      } else if first == 0 {
        if high == 0 { decodeDirect(index, block) } else { refineDirect(block) }
      } else if high == 0 {
        decodeOthers(index, block, from: first, to: last)
      } else {
        refineOthers(index, block)
      }
    }
  }

  private mutating func decodeDirect(_ index: Int, _ block: UnsafeMutableBufferPointer<Int16>) {
    guard let size = members[index].direct?.read(&reader) else { return }
    members[index].predicted &+= reader.signed(min(size, 15))
    block[0] = Int16(truncatingIfNeeded: members[index].predicted << low)
  }

  private mutating func refineDirect(_ block: UnsafeMutableBufferPointer<Int16>) {
    if reader.take(1) == 1 { block[0] |= 1 << Int16(low) }
  }

  private mutating func decodeOthers(
    _ index: Int, _ block: UnsafeMutableBufferPointer<Int16>, from start: Int, to end: Int
  ) {
    if emptyBlocks > 0 {
      emptyBlocks -= 1
      return
    }
    guard let code = members[index].other else { return }
    var place = start
    while place <= end {
      guard let value = code.read(&reader) else { return }
      let run = value >> 4
      let size = value & 15
      if size == 0 {
        if run < 15 {
          // In baseline pictures the run is 0, which ends this block only.
          emptyBlocks = (1 << run) - 1 + reader.take(run)
          return
        }
        place += 16
      } else {
        place += run
        guard place <= end else { return }
        block[Self.zigzag[place]] = Int16(truncatingIfNeeded: reader.signed(size) << low)
        place += 1
      }
    }
  }

  /// Reads one more bit of each coefficient that is not zero, and new coefficients of size 1.
  private mutating func refineOthers(_ index: Int, _ block: UnsafeMutableBufferPointer<Int16>) {
    var place = first
    let bit = Int16(1) << Int16(low)
    if emptyBlocks == 0, let code = members[index].other {
      while place <= last {
        guard let value = code.read(&reader) else { return }
        var run = value >> 4
        var new: Int16 = 0
        if value & 15 == 0 {
          if run < 15 {
            emptyBlocks = (1 << run) + reader.take(run)
            break
          }
        } else {
          new = reader.take(1) == 1 ? bit : -bit
        }
        while place <= last {
          let spot = Self.zigzag[place]
          if block[spot] != 0 {
            refine(&block[spot], bit)
          } else {
            if run == 0 {
              if new != 0 { block[spot] = new }
              place += 1
              break
            }
            run -= 1
          }
          place += 1
        }
      }
    }
    guard emptyBlocks > 0 else { return }
    while place <= last {
      let spot = Self.zigzag[place]
      if block[spot] != 0 { refine(&block[spot], bit) }
      place += 1
    }
    emptyBlocks -= 1
  }

  private mutating func refine(_ value: inout Int16, _ bit: Int16) {
    guard reader.take(1) == 1, value & bit == 0 else { return }
    value = value > 0 ? value &+ bit : value &- bit
  }
}
