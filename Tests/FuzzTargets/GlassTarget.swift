// Fuzz targets for the drawing of layered icons: of an icon whose values are the bytes, and of a
// document, whose bytes are an icon.json.

import Bytes
import CatalogCompiler
import Imaging
import Traits
import Vectors
@testable import Host

extension FuzzTarget {
  /// Draws an icon whose values are the bytes: the first four state the plate, the size and the
  /// look, and each of the following groups of sixteen bytes is a layer.
  static let glass = FuzzTarget("glass") { bytes in
    guard bytes.count >= 4, let disc = try? VectorPicture(Array(discText.utf8)) else { return }
    let background = GlassPaint(numbered: bytes[2])
    var icon = GlassIcon(plate: bytes[0] & 1 == 0 ? .mac : .square, background: background)
    icon.hasGlass = bytes[0] & 2 == 0
    icon.show(GlassLook.allCases[Int(bytes[3]) % GlassLook.allCases.count])
    let layers = bytes[4...].prefix(16 * 24)
    for start in stride(from: layers.startIndex, to: layers.endIndex - 15, by: 16) {
      let part = UnsafeRawBufferPointer(rebasing: layers[start..<start + 16])
      if icon.groups.isEmpty || part[0] & 1 != 0 { icon.groups.append(GlassGroup(part)) }
      icon.groups[icon.groups.count - 1].layers.append(GlassLayer(part))
    }
    let bitmap = Bitmap(
      width: 4, height: 4, layout: .bgra8, bytesPerRow: 16, isOpaque: false, isGray: false,
      pixels: (0..<16 * 4).map { UInt8($0) | 0xC0 })
    var rasterizer = Rasterizer()
    var renderer = GlassRenderer(icon, pictures: [.vector(disc), .bitmap(bitmap)])
    _ = try? renderer.bitmap(side: 16 + Int(bytes[1]) % 80, &rasterizer)
  }

  /// Reads, plans and draws the icon of an icon.json.
  static let drawnIcon = FuzzTarget("drawn-icon") { bytes in
    let tree = FileTree.icon(with: Array(bytes))
    for platform in [TargetPlatform.macOS, .iOS] {
      let request = IconRequest("A.icon", for: platform, looks: [], sides: [20], hasGlass: true)
      _ = drawIcon(request, in: tree)
    }
  }

  private static let discText =
    #"<svg xmlns="http://www.w3.org/2000/svg" width="60" height="60"><circle cx="30" cy="30" r="28"/></svg>"#
}

extension GlassGroup {
  fileprivate init(_ bytes: UnsafeRawBufferPointer) {
    self.init()
    isLitTogether = bytes[0] & 2 != 0
    isSpecular = bytes[0] & 4 != 0
    opacity = Float(bytes[1]) / 255
    translucency = Float(bytes[2]) / 255
    shadow = [.none, .layerColor, .neutral][Int(bytes[3]) % 3]
    shadowOpacity = Float(bytes[4]) / 64
    blend = GlassBlend(rawValue: UInt32(bytes[5]) % 28) ?? .normal
  }
}

extension GlassLayer {
  fileprivate init(_ bytes: UnsafeRawBufferPointer) {
    func number(_ place: Int, times factor: Double) -> Double {
      Double(Int16(truncatingIfNeeded: Int(bytes[place]) << 8 | Int(bytes[place + 1]))) * factor
    }
    self.init(
      picture: Int(bytes[0] >> 4) % 3, x: number(6, times: 0.25), y: number(8, times: 0.25),
      width: abs(number(10, times: 0.1)), height: abs(number(12, times: 0.1)))
    isGlass = bytes[0] & 8 == 0
    opacity = Float(bytes[14]) / 255
    blend = GlassBlend(rawValue: UInt32(bytes[15]) % 28) ?? .normal
    fill = GlassPaint(numbered: bytes[15] >> 5)
  }
}

extension GlassPaint {
  fileprivate init?(numbered number: UInt8) {
    let color = GlassColor(Float(number) / 128, 0.5, 0.25, 1)
    let stops = [GlassStop(0, color), GlassStop(1, GlassColor(1, 1, 0, 0.5))]
    switch number % 5 {
    case 0: return nil
    case 1: self = .color(color)
    case 2: self = .automatic(color)
    case 3: self = .linear(stops, start: SIMD2(0, 0), end: SIMD2(1, 1))
    default: self = .linear([], start: SIMD2(0.5, 0.5), end: SIMD2(0.5, 0.5))
    }
  }
}
