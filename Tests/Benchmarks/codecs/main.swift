// Encodes and decodes generated pictures for codecs.bench: `codecs speed`, `codecs encode|decode
// EFFORT TIMES` to count instructions, `codecs files FOLDER` to write the raw pictures.

import Glibc

/// A picture of premultiplied BGRA rows like those of icons, drawings and photographs.
struct Picture {
  let name: String
  let bytes: [UInt8]

  static let all = [icon(), drawing(), photograph()]

  private static func rows(_ name: String, _ side: Int, _ color: (Int, Int) -> UInt32) -> Picture {
    var bytes: [UInt8] = []
    for y in 0..<side {
      for x in 0..<side { withUnsafeBytes(of: color(x, y).littleEndian) { bytes += Array($0) } }
    }
    return Picture(name: name, bytes: bytes)
  }

  /// Returns a disc of one colour with a soft edge on a transparent ground.
  private static func icon() -> Picture {
    rows("icon", 128) { x, y in
      let distance = (x - 64) * (x - 64) + (y - 64) * (y - 64) - 50 * 50
      let alpha = UInt32(max(0, min(255, 128 - distance / 2)))
      return alpha << 24 | alpha * 3 / 5 << 16 | alpha / 3 << 8 | alpha / 7
    }
  }

  /// Returns areas of one colour, a ramp, and detail like that of text.
  private static func drawing() -> Picture {
    rows("drawing", 256) { x, y in
      if y < 80 { return 0xFF20_4060 &+ UInt32(y) << 8 }
      if x % 64 < 40, y % 16 < 9, (x * 7 ^ y * 13) % 5 < 2 { return 0xFF10_1010 }
      return x / 32 % 2 == 0 ? 0xFFF0_F0F0 : 0xFFE0_E8F0
    }
  }

  /// Returns ramps with noise of a few bits.
  private static func photograph() -> Picture {
    var state: UInt32 = 1
    return rows("photograph", 256) { x, y in
      func noise() -> Int {
        state ^= state << 13
        state ^= state >> 17
        state ^= state << 5
        return Int(state & 7)
      }
      let (red, green, blue) = ((x + y) / 3 + noise(), x / 2 + noise(), 200 - y / 2 + noise())
      return 0xFF00_0000 | UInt32(red) << 16 | UInt32(green) << 8 | UInt32(blue)
    }
  }
}

func seconds(_ body: () -> Void) -> Double {
  func now() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
  let start = now()
  body()
  return now() - start
}

func encode(_ picture: Picture, _ encoder: inout LZFSEEncoder, _ output: inout [UInt8]) {
  output.removeAll(keepingCapacity: true)
  picture.bytes.withUnsafeBytes { encoder.encode($0, appendingTo: &output) }
}

func decode(_ stream: [UInt8], _ output: inout [UInt8]) {
  stream.withUnsafeBytes { source in
    output.withUnsafeMutableBytes { target in
      guard let count = try? LZFSE.decode(source, into: target), count == target.count else {
        print("a stream does not decode")
        exit(1)
      }
    }
  }
}

func printSpeeds() {
  let times = 200
  for effort in LZFSEEncoder.Effort.allCases {
    var encoder = LZFSEEncoder(effort: effort)
    for picture in Picture.all {
      var stream: [UInt8] = []
      var back = [UInt8](repeating: 0, count: picture.bytes.count)
      let size = Double(picture.bytes.count * times) / 1e6
      let writing = seconds { for _ in 0..<times { encode(picture, &encoder, &stream) } }
      let reading = seconds { for _ in 0..<times { decode(stream, &back) } }
      let speeds = "encode \(Int(size / writing)) MB/s, decode \(Int(size / reading)) MB/s"
      print("\(effort) \(picture.name): \(picture.bytes.count) to \(stream.count), \(speeds)")
    }
  }
}

func run(_ what: String, _ effort: LZFSEEncoder.Effort, times: Int) {
  var encoder = LZFSEEncoder(effort: effort)
  for picture in Picture.all {
    var stream: [UInt8] = []
    var back = [UInt8](repeating: 0, count: picture.bytes.count)
    encode(picture, &encoder, &stream)
    for _ in 0..<times {
      if what == "encode" { encode(picture, &encoder, &stream) } else { decode(stream, &back) }
    }
  }
}

let arguments = CommandLine.arguments.dropFirst()
switch (arguments.first, arguments.count) {
case ("speed", 1): printSpeeds()
case ("bytes", 1): print(Picture.all.reduce(0) { $0 + $1.bytes.count })
case ("files", 2):
  for picture in Picture.all {
    guard let file = fopen("\(CommandLine.arguments[2])/\(picture.name)", "wb") else { exit(1) }
    fwrite(picture.bytes, 1, picture.bytes.count, file)
    fclose(file)
  }
case ("encode", 3), ("decode", 3):
  guard let times = Int(CommandLine.arguments[3]),
    let effort = LZFSEEncoder.Effort.allCases.first(where: {
      "\($0)" == CommandLine.arguments[2]
    })
  else { exit(2) }
  run(CommandLine.arguments[1], effort, times: times)
default: exit(2)
}
