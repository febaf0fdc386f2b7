// Draws files at 1x, 2x and 3x, including opening them: vectors.bench measures this as Carve.
// Prints the number of drawn bitmaps and the seconds of processor time.

import Glibc
import Vectors

func seconds() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}

func contents(of path: String) -> [UInt8] {
  guard let file = fopen(path, "rb") else { fatalError("cannot open \(path)") }
  defer { fclose(file) }
  var bytes: [UInt8] = []
  while true {
    let part = [UInt8](unsafeUninitializedCapacity: 1 << 16) { buffer, count in
      count = fread(buffer.baseAddress, 1, buffer.count, file)
    }
    if part.isEmpty { return bytes }
    bytes += part
  }
}

func draw(
  _ file: [UInt8], _ memory: inout [UInt32], _ rasterizer: inout Rasterizer
) throws(VectorError) {
  let (drawing, source) = try VectorFile.read(file)
  for scale in [1.0, 2, 3] {
    let placement = try PagePlacement(
      source, width: drawing.width, height: drawing.height, scale: scale)
    let size = placement.width * placement.height
    if memory.count < size { memory = [UInt32](repeating: 0, count: size) }
    var failure: VectorError?
    memory.withUnsafeMutableBytes { bytes in
      do throws(VectorError) {
        try rasterizer.draw(drawing, placement, into: bytes, bytesPerRow: placement.width * 4)
      } catch { failure = error }
    }
    if let failure { throw failure }
  }
}

let list = String(decoding: contents(of: CommandLine.arguments[1]), as: UTF8.self)
let least = Double(CommandLine.arguments[2]) ?? 1
let files = list.split(separator: "\n").map { contents(of: String($0)) }
var memory: [UInt32] = []
var rasterizer = Rasterizer()
var count = 0
let start = seconds()
repeat {
  for file in files { try draw(file, &memory, &rasterizer) }
  count += files.count
} while seconds() - start < least
print(3 * count, seconds() - start)
