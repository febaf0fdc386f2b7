// The example in Swift of Docs/reference-run-time.md, word for word, and the output that its test
// reads.

import CarveRuntime

let catalog = try Catalog(path: "Assets.car")
var window = CarveRuntime.Environment()
window.scale = 2
window.style = .dark
let view = catalog.view(for: window)  // decides for all assets at once
if let star = view.find("Star") {  // takes no lock, allocates nothing
  var pixels = [UInt8](repeating: 0, count: try catalog.decodedSize(of: star, as: .bgra8))
  try pixels.withUnsafeMutableBytes {
    try catalog.decode(star, as: .bgra8, into: $0, rowStride: star.pixelSize.width * 4)
  }
}

print(view.find("Star").map { "\($0.pixelSize.width)x\($0.pixelSize.height)" } ?? "none")
