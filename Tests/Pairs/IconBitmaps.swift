// Compares the bitmaps of layered icons with those of Apple's tool: of a pair, those that Carve
// compiled; of an archive alone, those that Carve draws from the layers in it.

import Archive
import ArchiveTools
import Glibc
import Imaging
import Traits
import Vectors

/// The bitmaps of one icon in one look.
struct IconBitmaps {
  var name: String
  var look: String
  /// The comparisons by the side of the bitmap in pixels.
  var sizes: [Int: Comparison] = [:]
}

extension Comparison {
  /// The ratio of the largest square to the mean square of the differences, in decibels, with both
  /// pictures over middle grey.
  var decibels: Double {
    var sum = 0.0
    for (a, b) in zip(ours, apples) {
      let grey = (Double(b >> 24) - Double(a >> 24)) / 2
      for shift in [0, 8, 16] as [UInt32] {
        let difference = Double(a >> shift & 255) - Double(b >> shift & 255) + grey
        sum += difference * difference
      }
    }
    return 10 * log10(255 * 255 / max(sum / Double(3 * ours.count), 0.01))
  }
}

extension Contents {
  /// The bitmaps of icons, by name and look; of two that have one size, the one of the smaller
  /// scale comes first.
  fileprivate var icons: [(place: Place, pixels: Pixels)] {
    entries.sorted { $0.key.key[.scale] < $1.key.key[.scale] }.compactMap { place, entry in
      guard place.key.part == Part.icon, place.key[.displayGamut] == 0,
        let pixels = entry.pixels, pixels.width == pixels.height
      else { return nil }
      return (place, pixels)
    }
  }

  /// The names of the layered icons.
  fileprivate var layeredNames: Set<String> {
    Set(
      entries.keys.filter { $0.key.part == Part.iconStack }.map(\.facet))
  }
}

private func lookName(_ appearance: UInt16) -> String {
  switch appearance {
  case 0: "light"
  case 1: "dark"
  case 10: "tinted"
  default: "look \(appearance)"
  }
}

private func comparison(_ name: String, _ ours: [UInt32]?, _ apples: Pixels) -> Comparison? {
  guard let ours, let theirs = apples.words, ours.count == theirs.count else { return nil }
  return Comparison(
    name: name, kind: .icon, scale: 1, width: apples.width, height: apples.height, ours: ours,
    apples: theirs)
}

/// Compares the bitmaps of the layered icons that are in both archives.
func compareIcons(_ pair: String, ours: Contents, apples: Contents) -> [IconBitmaps] {
  var icons: [String: IconBitmaps] = [:]
  for (place, pixels) in apples.icons where apples.layeredNames.contains(place.facet) {
    let look = lookName(place.key[.appearance])
    let name = "\(pair) \(place.facet)"
    guard
      let compared = comparison(
        "\(name) \(look)", ours.entries[place]?.pixels?.words, pixels)
    else { continue }
    icons[name + look, default: IconBitmaps(name: name, look: look)].sizes[pixels.width] = compared
  }
  return icons.keys.sorted().compactMap { icons[$0] }
}

/// Draws the layered icons of an archive of Apple's tool, and compares them with its bitmaps.
func compareIcons(_ file: String, of bytes: [UInt8]) throws -> [IconBitmaps] {
  let apples = try Contents(bytes)
  return try bytes.withUnsafeBytes { raw in
    let icons = try LayeredIcons(Archive(raw))
    let allowance = PictureAllowance(fileSize: bytes.count)
    var rasterizer = Rasterizer()
    var rows: [IconBitmaps] = []
    for stack in icons.stacks {
      let (icon, pictures) = try icons.icon(of: stack, allowance)
      var renderer = GlassRenderer(icon, pictures: pictures)
      let look = stack.style == .any ? "light" : "\(stack.style)"
      let name = "\(file) \(stack.name)"
      var row = IconBitmaps(name: name, look: look)
      for (place, pixels) in apples.icons
      where place.facet == releasedName(stack.name.text)
        && lookName(place.key[.appearance]) == look && row.sizes[pixels.width] == nil
      {
        let ours = try renderer.bitmap(side: pixels.width, &rasterizer)
        row.sizes[pixels.width] = comparison("\(name) \(look)", ours.words, pixels)
      }
      if !row.sizes.isEmpty { rows.append(row) }
    }
    return rows
  }
}

extension Bitmap {
  /// A word for each pixel, with blue in its lowest byte.
  fileprivate var words: [UInt32] {
    pixels.withUnsafeBytes { pixels in
      (0..<height).flatMap { y in
        (0..<width).map { x in
          UInt32(
            littleEndian: pixels.loadUnaligned(
              fromByteOffset: y * bytesPerRow + 4 * x, as: UInt32.self))
        }
      }
    }
  }
}

/// Prints a row for each icon and look with the decibels of every size, then the medians and the
/// lowest values.
func printIcons(_ icons: [IconBitmaps]) {
  if icons.isEmpty { return }
  let sizes = Set(icons.flatMap(\.sizes.keys)).sorted(by: >)
  func row(_ title: String, _ cells: [String]) {
    let title = title + String(repeating: " ", count: max(1, 52 - title.count))
    print(title + cells.map { String(repeating: " ", count: max(1, 8 - $0.count)) + $0 }.joined())
  }
  print("\nbitmaps of layered icons beside Apple's, in decibels")
  row("", sizes.map { "\($0)" })
  var columns: [Int: [Double]] = [:]
  for icon in icons {
    let cells = sizes.map { side -> String in
      guard let decibels = icon.sizes[side]?.decibels else { return "" }
      columns[side, default: []].append(decibels)
      return oneDecimal(decibels)
    }
    row("\(icon.name) \(icon.look)", cells)
  }
  let sorted = sizes.map { (columns[$0] ?? []).sorted() }
  row("median", sorted.map { $0.isEmpty ? "" : oneDecimal($0[$0.count / 2]) })
  row("lowest", sorted.map { $0.first.map(oneDecimal) ?? "" })
}

private func oneDecimal(_ value: Double) -> String {
  let tenths = Int((value * 10).rounded())
  return "\(tenths / 10).\(abs(tenths % 10))"
}
