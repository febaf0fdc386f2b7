// Measures how fast vectors become bitmaps: each one is read once and drawn at two and at three
// pixels per unit.

import Archive
import CarveRuntime
import Glibc
import Vectors

func printSpeed(of catalogs: [Catalog], rounds: Int) {
  for content in [RenditionContent.svg, .pdf] {
    var files: [[UInt8]] = []
    for catalog in catalogs {
      for asset in catalog.assets where asset.kind == .image {
        for place in catalog.keys(of: asset.id).indices {
          guard let vector = catalog.variant(place, of: asset.id), vector.content == content,
            let file = try? catalog.file(of: vector)
          else { continue }
          files.append(file)
        }
      }
    }
    var rasterizer = Rasterizer()
    var memory: [UInt8] = []
    var bitmaps = 0
    var pixels = 0
    let start = seconds()
    for _ in 0..<rounds {
      for file in files {
        guard let sizes = try? draw(file, &memory, &rasterizer) else { continue }
        bitmaps += 2
        pixels += sizes
      }
    }
    let time = seconds() - start
    guard bitmaps > 0 else { continue }
    print(
      "\(content): \(files.count) files, \(Int(Double(bitmaps) / time)) bitmaps a second,",
      "\(pixels / bitmaps) pixels each")
  }
}

private func draw(
  _ file: [UInt8], _ memory: inout [UInt8],
  _ rasterizer: inout Rasterizer
) throws -> Int {
  let (drawing, source) = try VectorFile.read(file)
  var pixels = 0
  for scale in [2.0, 3] {
    let placement = try PagePlacement(
      source, width: drawing.width, height: drawing.height, scale: scale)
    let size = placement.width * placement.height * 4
    pixels += placement.width * placement.height
    if memory.count < size { memory = [UInt8](repeating: 0, count: size) }
    try memory.withUnsafeMutableBytes {
      try rasterizer.draw(drawing, placement, into: $0, bytesPerRow: placement.width * 4)
    }
  }
  return pixels
}

private func seconds() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}
