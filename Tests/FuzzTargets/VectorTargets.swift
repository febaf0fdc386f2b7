// Fuzz targets for SVG files, and for drawings of any numbers.

import Vectors

extension FuzzTarget {
  static let svg = FuzzTarget("svg") { bytes in
    guard let drawing = try? SVG.read(Array(bytes)) else { return }
    draw(drawing)
  }

  /// Reads templates of symbols, and the drawings that archives keep of them.
  static let symbol = FuzzTarget("symbol") { bytes in
    let bytes = Array(bytes)
    if let template = try? SymbolTemplate.read(bytes) {
      _ = template.faults
      for drawing in template.drawings {
        _ = template.metrics(of: drawing, pointSize: 17)
        let text = template.svg(of: drawing, scale: 0.17)
        precondition((try? SVG.readSymbol(text)) != nil, "what was written cannot be read")
      }
    }
    guard let symbol = try? SVG.readSymbol(bytes), symbol.width > 0, symbol.height > 0 else {
      return
    }
    for mode in SymbolMode.allCases {
      draw(symbol.painted(SymbolPaints(mode: mode, tint: .black)))
    }
    _ = symbol.interpolated(to: symbol, 0.5, own: .identity, others: .identity)
  }

  /// Draws items of all kinds. The bytes give the kinds and the numbers.
  static let drawing = FuzzTarget("drawing") { bytes in
    var numbers = Numbers(bytes: bytes)
    var drawing = Drawing(width: 24, height: 16)
    for _ in 0..<12 where !numbers.isAtEnd { addItem(&drawing, &numbers) }
    draw(drawing)
  }

  /// Draws at a small size that takes little time, for a page of any size.
  private static func draw(_ drawing: Drawing) {
    let scale = min(2, 64 / max(drawing.width, drawing.height))
    guard
      let placement = try? PagePlacement(
        .svg, width: drawing.width, height: drawing.height, scale: scale)
    else { return }
    var pixels = [UInt32](repeating: 0, count: placement.width * placement.height)
    var rasterizer = Rasterizer()
    pixels.withUnsafeMutableBytes { bytes in
      try? rasterizer.draw(drawing, placement, into: bytes, bytesPerRow: placement.width * 4)
    }
    for pixel in pixels {
      let alpha = pixel >> 24
      precondition(
        pixel & 255 <= alpha && pixel >> 8 & 255 <= alpha && pixel >> 16 & 255 <= alpha,
        "a channel is above its alpha")
    }
  }

  private static func addItem(_ drawing: inout Drawing, _ numbers: inout Numbers) {
    let kind = numbers.byte()
    for _ in 0..<Int(kind >> 4) {
      let p = numbers.point()
      switch numbers.byte() % 4 {
      case 0: drawing.paths.move(to: p)
      case 1: drawing.paths.line(to: p)
      case 2: drawing.paths.curve(p, numbers.point(), to: numbers.point())
      default: drawing.paths.close()
      }
    }
    let path = drawing.paths.end()
    var item = Item(.fill(path, numbers.byte() & 1 == 0 ? .nonZero : .evenOdd))
    switch kind % 4 {
    case 0:
      var stroke = Stroke(width: numbers.number())
      stroke.cap = [.butt, .round, .square][Int(numbers.byte() % 3)]
      stroke.join = [.miter, .round, .bevel][Int(numbers.byte() % 3)]
      if numbers.byte() & 1 == 0 {
        stroke.dashes = drawing.addDashes([numbers.number(), numbers.number()])
        stroke.dashPhase = numbers.number()
      }
      item.shape = .stroke(path, stroke)
    case 1:
      item.shape = .group(Group(scene: drawing.addScene(drawing.page), isIsolated: kind & 4 == 0))
      drawing.page = []
    case 2: item.paint = paint(&drawing, &numbers)
    default: break
    }
    item.alpha = numbers.byte() & 1 == 0 ? 1 : numbers.number()
    item.blend = BlendMode.allCases[Int(numbers.byte()) % BlendMode.allCases.count]
    if kind & 4 == 0 {
      item.transform = Transform(
        numbers.number(), numbers.number(), numbers.number(), numbers.number(), 0, 0)
    }
    if kind & 8 == 0 {
      item.clip = drawing.addClip(
        ClipPath(path, .nonZero, transform: .identity),
        in: Int32(drawing.clips.count) - 1)
    }
    drawing.page.append(item)
  }

  private static func paint(_ drawing: inout Drawing, _ numbers: inout Numbers) -> Paint {
    let stops = drawing.addStops([
      GradientStop(offset: numbers.number(), color: .black),
      GradientStop(offset: numbers.number(), color: Color(1, 0, 0), alpha: numbers.number()),
    ])
    let geometry: Shading.Geometry =
      numbers.byte() & 1 == 0
      ? .axial(from: numbers.point(), to: numbers.point())
      : .radial(
        from: numbers.point(), fromRadius: numbers.number(), to: numbers.point(),
        toRadius: numbers.number())
    var shading = Shading(geometry, stops: stops, transform: .identity)
    shading.spread = [.pad, .reflect, .repeat][Int(numbers.byte() % 3)]
    shading.extendsStart = numbers.byte() & 1 == 0
    return .shading(drawing.addShading(shading))
  }
}

/// A reader that makes numbers out of bytes. Most are of the size of a page; some can have any
/// value.
private struct Numbers {
  let bytes: UnsafeRawBufferPointer
  private var place = 0

  init(bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

  var isAtEnd: Bool { place >= bytes.count }

  mutating func byte() -> UInt8 {
    guard place < bytes.count else { return 0 }
    place += 1
    return bytes[place - 1]
  }

  mutating func number() -> Double {
    let first = byte()
    if first == 255 {
      var bits: UInt64 = 0
      for _ in 0..<8 { bits = bits << 8 | UInt64(byte()) }
      return Double(bitPattern: bits)
    }
    return (Double(first) - 64) / 4 + Double(byte()) / 1_024
  }

  mutating func point() -> Point { Point(number(), number()) }
}
