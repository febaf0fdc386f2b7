// Decodes a picture of one kind a number of times: pictures carve|libpng KIND TIMES. The pictures
// are smooth with a little noise and use all five filters, each for a group of rows.

import CDeflate
import CPNG
import Glibc
import Imaging

struct Noise {
  var state: UInt64 = 1
  mutating func next() -> UInt8 {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return UInt8(truncatingIfNeeded: state >> 56)
  }
}

func bigEndian(_ value: Int) -> [UInt8] {
  [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
}

func chunk(_ name: String, _ body: [UInt8]) -> [UInt8] {
  let named = Array(name.utf8) + body
  return bigEndian(body.count) + named + bigEndian(Int(carve_crc32(0, named, named.count)))
}

func filtered(_ row: [UInt8], _ above: [UInt8], _ filter: UInt8, _ step: Int) -> [UInt8] {
  row.indices.map { index in
    let left = index < step ? 0 : Int(row[index - step])
    let up = Int(above[index])
    let corner = index < step ? 0 : Int(above[index - step])
    let guess: Int
    switch filter {
    case 1: guess = left
    case 2: guess = up
    case 3: guess = (left + up) / 2
    case 4:
      let p = left + up - corner
      let (a, b, c) = (abs(p - left), abs(p - up), abs(p - corner))
      guess = a <= b && a <= c ? left : b <= c ? up : corner
    default: guess = 0
    }
    return row[index] &- UInt8(guess)
  }
}

func picture(color: UInt8, channels: Int, side: Int) -> [UInt8] {
  var noise = Noise()
  var rows: [UInt8] = []
  var above = [UInt8](repeating: 0, count: side * channels)
  for y in 0..<side {
    var row: [UInt8] = []
    for x in 0..<side {
      for channel in 0..<channels {
        let isAlpha = channels % 2 == 0 && channel == channels - 1
        let smooth = UInt8((x + y * channel) / 3 & 127) + noise.next() % 3
        row.append(isAlpha ? UInt8(min(255, x * 2)) : smooth)
      }
    }
    let filter = UInt8(y / 16 % 5)
    rows.append(filter)
    rows += filtered(row, above, filter, channels)
    above = row
  }
  let bound = carve_deflate_bound(rows.count)
  let stream = [UInt8](unsafeUninitializedCapacity: bound) {
    $1 = carve_deflate(rows, rows.count, 6, $0.baseAddress, bound)
  }
  let header = bigEndian(side) + bigEndian(side) + [8, color, 0, 0, 0]
  let palette = color == 3 ? chunk("PLTE", (0..<768).map { UInt8($0 % 255) }) : []
  return [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a] + chunk("IHDR", header) + palette
    + chunk("IDAT", stream) + chunk("IEND", [])
}

let kinds: [String: (color: UInt8, channels: Int)] = [
  "gray": (0, 1), "rgb": (2, 3), "palette": (3, 1), "gray-alpha": (4, 2), "rgba": (6, 4),
]
let arguments = CommandLine.arguments
guard arguments.count == 4, let kind = kinds[arguments[2]], let times = Int(arguments[3]) else {
  print("pictures carve|libpng \(kinds.keys.sorted().joined(separator: "|")) TIMES")
  _exit(2)
}
let side = 256
let file = picture(color: kind.color, channels: kind.channels, side: side)
var decoder = PictureDecoder()
var pixels = [UInt8](repeating: 0, count: side * side * 4)
for _ in 0..<times {
  let isDone = file.withUnsafeBytes { bytes in
    if arguments[1] == "carve" {
      guard let bitmap = try? decoder.decode(bytes) else { return false }
      decoder.recycle(bitmap)
      return true
    }
    var failure = carve_png_failure()
    return carve_png_read(
      bytes.baseAddress, bytes.count, UInt32(side), UInt32(side), false, &pixels, &failure)
  }
  guard isDone else { _exit(1) }
}
