// The inputs of the codec tests: noise, runs, and rows that look like pictures.

import Support

struct Sample: CustomStringConvertible, Sendable {
  let name: String
  let bytes: [UInt8]
  var description: String { "\(name) of \(bytes.count)" }

  /// Every kind of sample, in sizes around the limits of blocks, opcodes and wide copies.
  static let all: [Sample] =
    [0, 1, 7, 8, 15, 16, 17, 63, 271, 272, 316, 4095, 4096, 5000].flatMap { size in
      [noise(size), zeros(size), picture(size), twoTone(size)]
    } + [noise(40_003), picture(50_000), zeros(70_000), longRuns(45_000)]

  static func noise(_ size: Int) -> Sample {
    var generator = SeededGenerator(seed: UInt64(size))
    return Sample(name: "noise", bytes: generator.bytes(size))
  }

  static func zeros(_ size: Int) -> Sample {
    Sample(name: "zeros", bytes: [UInt8](repeating: 0, count: size))
  }

  /// Returns pixels of 4 bytes: a ramp with a little noise, full alpha, and stretches of one
  /// colour.
  static func picture(_ size: Int) -> Sample {
    var generator = SeededGenerator(seed: 7)
    let bytes = (0..<size).map { index -> UInt8 in
      if index & 3 == 3 { return 255 }
      if index / 600 % 3 == 1 { return 0x40 }
      return UInt8((index / 16 + Int(generator.next() & 3)) & 0xFF)
    }
    return Sample(name: "picture", bytes: bytes)
  }

  static func twoTone(_ size: Int) -> Sample {
    var generator = SeededGenerator(seed: 11)
    var bytes: [UInt8] = []
    while bytes.count < size {
      let run = Int(generator.next() % 37) + 1
      bytes += [UInt8](repeating: bytes.count & 1 == 0 ? 9 : 200, count: run)
    }
    return Sample(name: "two-tone", bytes: Array(bytes.prefix(size)))
  }

  /// Returns noise that repeats at large distances, so that lengths and distances are in large
  /// classes.
  static func longRuns(_ size: Int) -> Sample {
    var generator = SeededGenerator(seed: 13)
    let first = generator.bytes(size / 3)
    return Sample(name: "long runs", bytes: Array((first + first + first).prefix(size)))
  }
}

/// Decodes into a buffer of the given size and returns the bytes as an array.
func decoded(
  _ bytes: [UInt8], room: Int,
  _ decode: (UnsafeRawBufferPointer, UnsafeMutableRawBufferPointer) throws -> Int
) rethrows -> [UInt8] {
  var output = [UInt8](repeating: 0xA5, count: room)
  let count = try bytes.withUnsafeBytes { source in
    try output.withUnsafeMutableBytes { try decode(source, $0) }
  }
  return Array(output.prefix(count))
}
