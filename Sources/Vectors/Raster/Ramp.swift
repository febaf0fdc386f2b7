// The colours of a shading, for places from 0 to 1.

struct Ramp: ~Copyable {
  /// A stop with channels from 0 to 255, not premultiplied.
  struct Stop {
    var offset: Double
    var red: Double
    var green: Double
    var blue: Double
    var alpha: Double
  }

  private var stops = Memory<Stop>()
  private var count = 0

  mutating func load(_ span: Span, of drawing: Drawing) {
    count = Int(span.count)
    _ = stops.fit(count)
    var last = 0.0
    for (i, index) in span.range.enumerated() {
      let stop = drawing.stops[index]
      last = max(last, unitValue(stop.offset))
      stops.base[i] = Stop(
        offset: last, red: unitValue(stop.color.red) * 255,
        green: unitValue(stop.color.green) * 255, blue: unitValue(stop.color.blue) * 255,
        alpha: unitValue(stop.alpha) * 255)
    }
  }

  var isEmpty: Bool { count == 0 }

  /// Returns the premultiplied colour at a place from 0 to 1. `hint` is the number of a stop near
  /// the place; it is set to the number of the first stop behind the place.
  @inline(__always) func pixel(_ place: Double, _ hint: inout Int) -> UInt32 {
    find(place, &hint)
    if hint == 0 { return Ramp.pixel(stops.base[0], stops.base[0], 0) }
    if hint == count { return Ramp.pixel(stops.base[count - 1], stops.base[count - 1], 0) }
    let before = stops.base[hint - 1]
    let after = stops.base[hint]
    return Ramp.pixel(before, after, (place - before.offset) / (after.offset - before.offset))
  }

  /// Sets `hint` to the number of the first stop behind a place. The search tries four single steps
  /// from the hint and then continues by bisection.
  @inline(__always) private func find(_ place: Double, _ hint: inout Int) {
    for _ in 0..<4 {
      if hint < count, stops.base[hint].offset <= place {
        hint += 1
      } else if hint > 0, stops.base[hint - 1].offset > place {
        hint -= 1
      } else {
        return
      }
    }
    var low = 0
    var high = count
    while low < high {
      let middle = (low + high) / 2
      if stops.base[middle].offset <= place { low = middle + 1 } else { high = middle }
    }
    hint = low
  }

  @inline(__always) private static func pixel(_ a: Stop, _ b: Stop, _ t: Double) -> UInt32 {
    let alpha = a.alpha + (b.alpha - a.alpha) * t
    let opacity = alpha * (1.0 / 255)
    let red = UInt32((a.red + (b.red - a.red) * t) * opacity + 0.5)
    let green = UInt32((a.green + (b.green - a.green) * t) * opacity + 0.5)
    let blue = UInt32((a.blue + (b.blue - a.blue) * t) * opacity + 0.5)
    return UInt32(alpha + 0.5) << 24 | red << 16 | green << 8 | blue
  }
}
