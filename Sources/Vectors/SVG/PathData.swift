// Converts path data: commands and their numbers become steps of a path. The first error ends the
// path, and the part before the error is drawn.

struct PathData {
  private var scanner: Scanner
  /// The second control point of the last cubic curve, or the control point of the last quadratic
  /// curve; nil if the last step was another one.
  private var cubicHandle: Point?
  private var quadraticHandle: Point?

  init(_ scanner: Scanner) { self.scanner = scanner }

  /// Reads all path data and adds its steps to a store.
  mutating func read(to paths: inout PathStore) {
    var command: UInt8 = 0
    scanner.skipSpace()
    while !scanner.isAtEnd {
      let next = scanner.next
      if lowercase(next) &- UInt8(ascii: "a") < 26, next | 0x20 != UInt8(ascii: "e") {
        command = next
        scanner.advance()
        if paths.isEmpty, command | 0x20 != UInt8(ascii: "m") { return }
        if command | 0x20 == UInt8(ascii: "z") {
          paths.close()
          forgetHandles()
          command = 0
        }
      } else {
        guard command != 0, step(command, to: &paths) else { return }
        // Further pairs of numbers after a move are lines.
        if command == UInt8(ascii: "m") { command = UInt8(ascii: "l") }
        if command == UInt8(ascii: "M") { command = UInt8(ascii: "L") }
      }
      scanner.skipSpaceAndComma()
    }
  }

  private mutating func forgetHandles() {
    cubicHandle = nil
    quadraticHandle = nil
  }

  private mutating func number() -> Double? {
    scanner.skipSpaceAndComma()
    return scanner.readNumber()
  }

  private mutating func point(_ isRelative: Bool, _ from: Point) -> Point? {
    guard let x = number(), let y = number() else { return nil }
    return isRelative ? Point(from.x + x, from.y + y) : Point(x, y)
  }

  /// Reads one set of numbers of a command and adds its step. Returns false if the numbers are
  /// missing.
  private mutating func step(_ command: UInt8, to paths: inout PathStore) -> Bool {
    let isRelative = command >= UInt8(ascii: "a")
    let from = paths.current
    switch command | 0x20 {
    case UInt8(ascii: "m"):
      guard let p = point(isRelative, from) else { return false }
      paths.move(to: p)
    case UInt8(ascii: "l"):
      guard let p = point(isRelative, from) else { return false }
      paths.line(to: p)
    case UInt8(ascii: "h"):
      guard let x = number() else { return false }
      paths.line(to: Point(isRelative ? from.x + x : x, from.y))
    case UInt8(ascii: "v"):
      guard let y = number() else { return false }
      paths.line(to: Point(from.x, isRelative ? from.y + y : y))
    case UInt8(ascii: "a"):
      guard arc(isRelative, from, to: &paths) else { return false }
    default: return curve(command | 0x20, isRelative, from, to: &paths)
    }
    forgetHandles()
    return true
  }

  private mutating func curve(
    _ command: UInt8, _ isRelative: Bool, _ from: Point, to paths: inout PathStore
  ) -> Bool {
    switch command {
    case UInt8(ascii: "c"), UInt8(ascii: "s"):
      let first =
        command == UInt8(ascii: "c") ? point(isRelative, from) : mirrored(cubicHandle, from)
      guard let first, let second = point(isRelative, from), let p = point(isRelative, from)
      else { return false }
      paths.curve(first, second, to: p)
      cubicHandle = second
      quadraticHandle = nil
    case UInt8(ascii: "q"), UInt8(ascii: "t"):
      let handle =
        command == UInt8(ascii: "q") ? point(isRelative, from) : mirrored(quadraticHandle, from)
      guard let handle, let p = point(isRelative, from) else { return false }
      paths.quadratic(handle, to: p)
      quadraticHandle = handle
      cubicHandle = nil
    default: return false
    }
    return true
  }

  private func mirrored(_ handle: Point?, _ from: Point) -> Point {
    handle.map { Point(2 * from.x - $0.x, 2 * from.y - $0.y) } ?? from
  }

  /// Reads a flag of an arc. Flags need no separators.
  private mutating func flag() -> Bool? {
    scanner.skipSpaceAndComma()
    if scanner.read("1") { return true }
    return scanner.read("0") ? false : nil
  }

  private mutating func arc(
    _ isRelative: Bool, _ from: Point, to paths: inout PathStore
  ) -> Bool {
    guard let rx = number(), let ry = number(), let turn = number(), let isLarge = flag(),
      let isForward = flag(), let p = point(isRelative, from)
    else { return false }
    paths.arc(
      magnitude(rx), magnitude(ry), degrees: turn, isLarge: isLarge, isForward: isForward, to: p)
    return true
  }
}

extension PathStore {
  /// Adds an arc of an ellipse as curves of at most a quarter each.
  mutating func arc(
    _ rx: Double, _ ry: Double, degrees: Double, isLarge: Bool, isForward: Bool, to end: Point
  ) {
    let from = current
    if from == end { return }
    guard rx > 0, ry > 0, rx.isFinite, ry.isFinite, degrees.isFinite else {
      line(to: end)
      return
    }
    // The arc is computed in the space in which the ellipse is a circle of radius 1.
    let turn = Transform(
      Mathematics.cosine(degrees: degrees), Mathematics.sine(degrees: degrees),
      -Mathematics.sine(degrees: degrees), Mathematics.cosine(degrees: degrees), 0, 0)
    var toPage = Transform.scale(rx, ry).then(turn)
    guard var toCircle = toPage.inverse else {
      line(to: end)
      return
    }
    var a = toCircle.apply(from)
    var b = toCircle.apply(end)
    let distance = ((b.x - a.x) * (b.x - a.x) + (b.y - a.y) * (b.y - a.y)).squareRoot()
    if distance > 2 {
      // If the ellipse is too small, it grows until it reaches both points.
      let growth = distance / 2
      toPage = Transform.scale(growth, growth).then(toPage)
      toCircle = toCircle.then(.scale(1 / growth, 1 / growth))
      a = toCircle.apply(from)
      b = toCircle.apply(end)
    }
    let half = min(1, distance / 2)
    let height = (1 - half * half).squareRoot() * (isLarge == isForward ? -1 : 1)
    let length = distance > 0 ? distance : 1
    let shown = min(length, 2)
    let center = Point(
      (a.x + b.x) / 2 - (b.y - a.y) / shown * height,
      (a.y + b.y) / 2 + (b.x - a.x) / shown * height)
    addArc(
      Transform.translation(center.x, center.y).then(toPage), Point(a.x - center.x, a.y - center.y),
      Point(b.x - center.x, b.y - center.y), isForward, to: end)
  }

  /// Adds an arc of the unit circle from one point to another, transformed to the page.
  private mutating func addArc(
    _ toPage: Transform, _ first: Point, _ last: Point, _ isForward: Bool, to end: Point
  ) {
    let start = Mathematics.angle(y: first.y, x: first.x)
    var sweep = Mathematics.angle(y: last.y, x: last.x) - start
    if isForward, sweep < 0 { sweep += 2 * .pi }
    if !isForward, sweep > 0 { sweep -= 2 * .pi }
    guard sweep.isFinite else {
      line(to: end)
      return
    }
    let count = max(1, ceiling(magnitude(sweep) / (.pi / 2) - 1e-9))
    let step = sweep / Double(count)
    let handle = 4.0 / 3 * Mathematics.tangent(step / 4)
    var a = first
    for i in 1...count {
      let angle = start + step * Double(i)
      let b = i == count ? last : Point(Mathematics.cosine(angle), Mathematics.sine(angle))
      curve(
        toPage.apply(Point(a.x - handle * a.y, a.y + handle * a.x)),
        toPage.apply(Point(b.x + handle * b.y, b.y - handle * b.x)),
        to: i == count ? end : toPage.apply(b))
      a = b
    }
  }

  /// Adds an ellipse, beginning at its right end, with a curve for each quarter.
  mutating func ellipse(_ cx: Double, _ cy: Double, _ rx: Double, _ ry: Double) {
    let x = rx * quarterHandle
    let y = ry * quarterHandle
    move(to: Point(cx + rx, cy))
    curve(Point(cx + rx, cy + y), Point(cx + x, cy + ry), to: Point(cx, cy + ry))
    curve(Point(cx - x, cy + ry), Point(cx - rx, cy + y), to: Point(cx - rx, cy))
    curve(Point(cx - rx, cy - y), Point(cx - x, cy - ry), to: Point(cx, cy - ry))
    curve(Point(cx + x, cy - ry), Point(cx + rx, cy - y), to: Point(cx + rx, cy))
    close()
  }

  mutating func roundedRect(_ r: Rect, _ rx: Double, _ ry: Double) {
    let x = rx - rx * quarterHandle
    let y = ry - ry * quarterHandle
    let right = r.x + r.width
    let bottom = r.y + r.height
    move(to: Point(r.x + rx, r.y))
    line(to: Point(right - rx, r.y))
    curve(Point(right - x, r.y), Point(right, r.y + y), to: Point(right, r.y + ry))
    line(to: Point(right, bottom - ry))
    curve(Point(right, bottom - y), Point(right - x, bottom), to: Point(right - rx, bottom))
    line(to: Point(r.x + rx, bottom))
    curve(Point(r.x + x, bottom), Point(r.x, bottom - y), to: Point(r.x, bottom - ry))
    line(to: Point(r.x, r.y + ry))
    curve(Point(r.x, r.y + y), Point(r.x + x, r.y), to: Point(r.x + rx, r.y))
    close()
  }
}

/// The distance of the control points for a quarter of a circle of radius 1: 4/3 · (√2 − 1).
private let quarterHandle = 0.552_284_749_830_793_4
