// Tests the drawing of layered icons: the plate, backgrounds, glass, and the distances from an
// outline. The same bits are expected on every machine.

import Glibc
import Support
import Testing
import Vectors

@testable import Imaging

private let red = GlassColor(1, 0, 0, 1)
private let blue = GlassColor(0, 0, 1, 1)

private func picture(_ svg: String) throws -> GlassPicture {
  .vector(try VectorPicture(Array(svg.utf8)))
}

private let square =
  #"<svg xmlns="http://www.w3.org/2000/svg" width="512" height="512"><path d="M0 0H512V512H0Z"/></svg>"#
private let disc =
  #"<svg xmlns="http://www.w3.org/2000/svg" width="600" height="600"><circle cx="300" cy="300" r="280"/></svg>"#

/// Returns an icon with one layer in the middle.
private func icon(
  _ background: GlassPaint, side: Double = 512, fill: GlassColor = blue,
  change: (inout GlassGroup) -> Void = { _ in }
) -> GlassIcon {
  var icon = GlassIcon(plate: .mac, background: background)
  var layer = GlassLayer(
    picture: 0, x: 512 - side / 2, y: 512 - side / 2, width: side, height: side)
  layer.fill = .color(fill)
  layer.isGlass = false
  var group = GlassGroup()
  group.layers = [layer]
  change(&group)
  icon.groups = [group]
  return icon
}

private func drawn(
  _ icon: GlassIcon, _ pictures: [GlassPicture] = [], side: Int
) throws -> Bitmap {
  var rasterizer = Rasterizer()
  var renderer = GlassRenderer(icon, pictures: pictures)
  return try renderer.bitmap(side: side, &rasterizer)
}

extension Bitmap {
  /// Blue, green, red and alpha of a pixel.
  fileprivate func pixel(_ x: Int, _ y: Int) -> [UInt8] {
    let place = y * bytesPerRow + x * 4
    return Array(pixels[place..<place + 4])
  }

  /// A number that is different if a byte is.
  fileprivate var digest: UInt64 {
    pixels.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
  }
}

/// The processor time of this thread in nanoseconds: other work on the machine does not count.
private func processorTime() -> UInt64 {
  var time = timespec()
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
  return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
}

@Suite struct GlassTests {
  @Test(arguments: [
    (1024, 100, 824), (512, 50, 412), (256, 24, 208), (128, 12, 104), (64, 6, 52), (32, 2, 28),
  ])
  func thePlateHasItsPlaceAtEverySize(side: Int, origin: Int, width: Int) throws {
    let bitmap = try drawn(GlassIcon(plate: .mac, background: .color(red)), side: side)
    let opaque = (0..<side).filter { bitmap.pixel($0, side / 2)[3] == 255 }
    #expect(opaque.first == origin && opaque.count == width)
    #expect(bitmap.pixel(0, 0)[3] == 0 && bitmap.pixel(origin, origin)[3] < 128)
    // The shadow is black and lies lower than the plate.
    let (above, below) = (
      bitmap.pixel(side / 2, origin - 1), bitmap.pixel(side / 2, origin + width)
    )
    #expect(above[3] < below[3] && below[3] > 20 && below[..<3] == [0, 0, 0])
    #expect(bitmap.pixel(side / 2, side / 2) == [0, 0, 255, 255])
    if side > 64 {
      let diagonal = (origin..<side / 2).map { bitmap.pixel($0, $0)[0] }
      #expect((diagonal.max() ?? 0) > 60, "the rim is light")
    }
  }

  @Test func automaticGradientsAndDirectionsAreThoseOfApplesTool() throws {
    let black = GlassIcon(plate: .mac, background: .automatic(GlassColor(0, 0, 0, 1)))
    let dark = try drawn(black, side: 1024)
    #expect(dark.pixel(512, 150) == [51, 51, 51, 255] && dark.pixel(512, 800) == [0, 0, 0, 255])
    let white = GlassIcon(plate: .mac, background: .automatic(GlassColor(1, 1, 1, 1)))
    let light = try drawn(white, side: 1024)
    #expect(light.pixel(512, 300)[0] == 255 && light.pixel(512, 890)[0] == 230)
    // A gradient goes from the top to the bottom, in any direction that it states.
    let across = GlassPaint.linear(
      [GlassStop(0, red), GlassStop(1, blue)], start: SIMD2(0, 0.5), end: SIMD2(1, 0.5))
    let linear = try drawn(GlassIcon(plate: .mac, background: across), side: 256)
    #expect(linear.pixel(60, 128) == linear.pixel(200, 128))
    #expect(linear.pixel(128, 40) == [0, 0, 255, 255])
  }

  @Test func blendModesActOnlyInsideAGroup() throws {
    let blending = icon(.color(GlassColor(1, 1, 1, 1))) { $0.layers[0].blend = .multiply }
    let alone = try drawn(blending, [picture(square)], side: 256)
    #expect(alone.pixel(128, 128) == [255, 0, 0, 255])
    let two = icon(.color(GlassColor(1, 1, 1, 1))) { group in
      var upper = group.layers[0]
      upper.blend = .lighten
      upper.fill = .color(red)
      group.layers.append(upper)
    }
    #expect(try drawn(two, [picture(square)], side: 256).pixel(128, 128) == [255, 0, 255, 255])
  }

  @Test func glassIsClearerAtTheBottomAndLightAtItsEdge() throws {
    let glass = icon(.color(red), side: 600) { group in
      group.layers[0].isGlass = true
      group.translucency = 0.5
    }
    let bitmap = try drawn(glass, [picture(disc)], side: 1024)
    let (top, bottom) = (bitmap.pixel(512, 380), bitmap.pixel(512, 640))
    #expect(top[2] < 40 && bottom[2] > top[2] + 30 && bottom[0] < top[0])
    // The circle has its upper left edge at 353. The light lies behind the ring.
    let row = (340..<400).map { bitmap.pixel($0, $0)[1] }
    #expect((row.max() ?? 0) > 60 && row[0] < 5 && (row.last ?? 255) < 30)
    var plain = glass
    plain.hasGlass = false
    #expect(try drawn(plain, [picture(disc)], side: 1024).pixel(512, 640) == [255, 0, 0, 255])
  }

  /// On a Mac, the bitmap has space around the plate, in which a layer can lie as a whole.
  @Test(arguments: [(-88.0, 0.0), (1036, 0), (0, -88), (0, 1036), (-88, -88), (-5000, 0)])
  func glassBesideThePlateIsNotDrawn(x: Double, y: Double) throws {
    let background = GlassPaint.color(red)
    let beside = icon(background, side: 64) { group in
      (group.layers[0].x, group.layers[0].y) = (x, y)
      group.layers[0].isGlass = true
      group.translucency = 0.5
    }
    var empty = beside
    empty.groups = []
    for side in [16, 128, 1024] {
      #expect(
        try drawn(beside, [picture(square)], side: side) == drawn(empty, side: side))
    }
    let none = OutlineDistance.of(Plane(width: 0, height: 5), inside: 3, outside: 3)
    #expect(none.values.isEmpty)
  }

  /// A surface for each layer would make the cost grow with the square of their number.
  @Test func blendModesCostAsMuchForEachLayer() throws {
    func cost(_ layers: Int) throws -> UInt64 {
      let many = icon(.color(red)) { group in
        group.layers[0].blend = .multiply
        group.layers = Array(repeating: group.layers[0], count: layers)
      }
      let picture = try picture(square)
      _ = try drawn(many, [picture], side: 64)
      var least = UInt64.max
      for _ in 0..<3 {
        let start = processorTime()
        _ = try drawn(many, [picture], side: 64)
        least = min(least, processorTime() - start)
      }
      return least
    }
    #expect(try cost(96) < 16 * cost(12))
  }

  @Test func shadowsAreSubtracted() throws {
    let shaded = icon(.color(GlassColor(0.5, 0.5, 0.5, 1))) { group in
      group.shadow = .neutral
      group.shadowOpacity = 1
    }
    let bitmap = try drawn(shaded, [picture(square)], side: 1024)
    let (left, right) = (bitmap.pixel(300, 512), bitmap.pixel(724, 512))
    #expect(right[1] < left[1] && right[1] > 100 && bitmap.pixel(200, 512)[1] == 128)
  }

  /// The lightness of the primaries of sRGB: 0.2126, 0.7152 and 0.0722.
  @Test(arguments: [(0, 54), (1, 182), (2, 18)] as [(Int, UInt8)])
  func tintedIconsKeepTheLightness(channel: Int, gray: UInt8) throws {
    var color = GlassColor(0, 0, 0, 1)
    color[channel] = 1
    var icon = GlassIcon(plate: .square, background: .color(color))
    icon.isGray = true
    icon.hasGlass = false
    #expect(try drawn(icon, side: 64).pixel(32, 32) == [gray, gray, gray, 255])
  }

  @Test func looksOfPhonesFillTheSquare() throws {
    var light = icon(.color(red))
    light.plate = .square
    #expect(try drawn(light, [picture(square)], side: 120).isOpaque)
    var dark = light
    dark.show(.dark)
    let bitmap = try drawn(dark, [picture(square)], side: 120)
    #expect(bitmap.pixel(5, 5) == [0, 0, 0, 0] && bitmap.pixel(60, 60) == [255, 0, 0, 255])
    var tinted = light
    tinted.show(.tinted)
    let gray = try drawn(tinted, [picture(square)], side: 120)
    #expect(gray.isGray && gray.isOpaque)
  }

  /// The digests were taken on x86-64. Another machine, or another compiler, must give the same
  /// bits.
  @Test(
    arguments: [
      (1024, 0x4429_4c27_732b_7853), (256, 0x30b4_6817_11bb_93c8), (100, 0x21c8_e9d8_41bf_a685),
    ] as [(Int, UInt64)])
  func everyMachineDrawsTheSameBits(side: Int, digest: UInt64) throws {
    let glass = icon(
      .automatic(GlassColor(0.2, 0.4, 0.9, 1)), side: 600, fill: GlassColor(0.9, 0.8, 0.1, 1)
    ) { group in
      group.layers[0].isGlass = true
      group.translucency = 0.4
      group.shadow = .layerColor
      group.shadowOpacity = 0.5
    }
    let picture = try drawn(glass, [picture(disc)], side: side)
    #expect(picture.digest == digest)
  }

  @Test func distancesAreThoseOfTheNearestPixel() {
    var random = SeededGenerator(seed: 7)
    var coverage = Plane(width: 37, height: 23)
    for place in coverage.values.indices {
      coverage.values[place] = random.next() % 5 == 0 ? 0 : 1
    }
    let found = OutlineDistance.of(coverage, inside: 30, outside: 30)
    for y in 0..<23 {
      for x in 0..<37 {
        let own = coverage.values[y * 37 + x]
        var least = Int.max
        for v in 0..<23 {
          for u in 0..<37 where coverage.values[v * 37 + u] != own {
            least = min(least, (u - x) * (u - x) + (v - y) * (v - y))
          }
        }
        let distance = Float(least).squareRoot() - 0.5
        #expect(abs(found.values[y * 37 + x] - (own == 1 ? distance : -distance)) < 1e-4)
      }
    }
  }

  @Test func aSizeThatIsDrawnAgainIsTheSame() throws {
    var rasterizer = Rasterizer()
    var renderer = GlassRenderer(icon(.color(red)), pictures: [try picture(square)])
    let first = try renderer.bitmap(side: 1024, &rasterizer)
    _ = try renderer.bitmap(side: 64, &rasterizer)
    #expect(try renderer.bitmap(side: 1024, &rasterizer) == first)
  }

  /// The layers of an icon share one budget. A line of many dashes costs a part of it.
  @Test func manyCostlyLayersAreRefused() throws {
    let line = (0..<12).map { "L\($0 * 397 % 1000) \($0 * 211 % 1000)" }.joined()
    let dashes = try picture(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"1000\" height=\"1000\"><path d=\"M0 0\(line)\" "
        + "fill=\"none\" stroke=\"red\" stroke-width=\"3\" stroke-dasharray=\"1 1.01\"/></svg>")
    func draw(layers count: Int) throws {
      let icon = icon(.color(red), side: 1024) { group in
        group.layers = [GlassLayer](repeating: group.layers[0], count: count)
      }
      _ = try drawn(icon, [GlassPicture](repeating: dashes, count: count), side: 512)
    }
    try draw(layers: 1)
    do {
      try draw(layers: 64)
      Issue.record("no error")
    } catch let error as VectorError {
      #expect(error.words.hasSuffix(" bytes in all files together"), "\(error.words)")
    }
  }
}
