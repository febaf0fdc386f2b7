// Pictures of any size, which differ by a number. Loops over pixels are in this module because it
// is optimised, unlike the tests.

/// Returns a PNG whose colours depend on the seed. The kind of its pixels is the same for every
/// seed.
public func patternPNG(
  width: Int, height: Int, seed: UInt8, isOpaque: Bool = true
) -> [UInt8] {
  var samples = [UInt8](repeating: 0, count: width * height * 4)
  for place in samples.indices {
    if place % 4 == 3 {
      samples[place] = isOpaque ? 255 : UInt8(truncatingIfNeeded: place / 4)
    } else {
      samples[place] = UInt8(truncatingIfNeeded: (place + place / 97) &* 31) &+ seed
    }
  }
  return png(width: width, height: height, color: .rgba, samples: samples)
}

/// Returns an opaque PNG that no compression makes smaller.
public func noisePNG(side: Int, seed: UInt64) -> [UInt8] {
  var random = SeededGenerator(seed: seed)
  var samples = random.bytes(side * side * 4)
  for place in stride(from: 3, to: samples.count, by: 4) { samples[place] = 255 }
  return png(width: side, height: side, color: .rgba, samples: samples)
}
