// The memory that drawing a page takes beside its pixels, computed before the page is drawn.

import Bytes

extension Rasterizer {
  /// Returns the most bytes that the surfaces and clips of a drawing can take at one time, on a
  /// bitmap of `pixels` pixels.
  package static func mostMemory(of drawing: Drawing, pixels: Int) -> Int {
    // An item refers only to scenes before its own, so each scene is visited once.
    var depths: [Int] = []
    depths.reserveCapacity(drawing.scenes.count)
    for scene in drawing.scenes { depths.append(surfaces(in: scene, of: drawing, depths)) }
    let surfaces = min(surfaces(in: drawing.page, of: drawing, depths), deepest)
    let clips = drawing.clips.isEmpty ? 0 : ClipPool.most(pixels: pixels)
    let most = Budget.mostMemory(input: drawing.spending.input, pixels: pixels)
    return min(surfaces * 4 * pixels + clips, most)
  }

  /// Returns the largest number of nested surfaces that are in use while these items are drawn.
  private static func surfaces(in items: [Item], of drawing: Drawing, _ depths: [Int]) -> Int {
    var deepest = 0
    func look(at scene: Int32?) {
      guard let scene, depths.indices.contains(Int(scene)) else { return }
      deepest = max(deepest, depths[Int(scene)] + 1)
    }
    for item in items {
      if case .group(let group) = item.shape { look(at: group.scene) }
      if drawing.masks.indices.contains(Int(item.mask)) {
        look(at: drawing.masks[Int(item.mask)].scene)
      }
      if case .pattern(let number) = item.paint, drawing.patterns.indices.contains(Int(number)) {
        look(at: drawing.patterns[Int(number)].scene)
      }
    }
    return deepest
  }
}
