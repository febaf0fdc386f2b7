// Writes pictures of differences, for people.

import ArchiveTools
import Glibc
import Imaging

/// Writes Carve's picture, Apple's picture, and the difference four times as strong, side by side
/// over white. Small pictures are enlarged.
func write(_ comparison: Comparison, to path: String) {
  let zoom = max(1, min(12, 360 / max(1, max(comparison.width, comparison.height))))
  let side = comparison.width * zoom
  let gap = 8
  let width = side * 3 + gap * 2
  let height = comparison.height * zoom
  var pixels = [UInt8](repeating: 128, count: width * height * 4)
  for y in 0..<height {
    for x in 0..<side {
      let place = y / zoom * comparison.width + x / zoom
      let ours = overWhite(comparison.ours[place])
      let apples = overWhite(comparison.apples[place])
      let shown = [ours, apples, strengthened(comparison.ours[place], comparison.apples[place])]
      for (i, color) in shown.enumerated() {
        let at = (y * width + i * (side + gap) + x) * 4
        for channel in 0..<3 { pixels[at + channel] = color[channel] }
      }
    }
  }
  for at in stride(from: 3, to: pixels.count, by: 4) { pixels[at] = 255 }
  let bitmap = Bitmap(
    width: width, height: height, layout: .bgra8, bytesPerRow: width * 4, isOpaque: true,
    isGray: false, pixels: pixels)
  guard let file = fopen(path, "wb") else { return print("cannot write \(path)") }
  let bytes = bitmap.pngFile()
  if fwrite(bytes, 1, bytes.count, file) != bytes.count { print("cannot write \(path)") }
  fclose(file)
}

private func overWhite(_ pixel: UInt32) -> [UInt8] {
  let white = 255 - pixel >> 24
  return [0, 8, 16].map { UInt8(min(255, (pixel >> $0 & 255) + white)) }
}

private func strengthened(_ a: UInt32, _ b: UInt32) -> [UInt8] {
  let difference = min(255, Comparison.difference(a, b) * 4)
  return [UInt8](repeating: UInt8(255 - difference), count: 3)
}
