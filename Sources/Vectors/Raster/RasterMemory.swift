// How much memory drawing a page takes beside its pixels, known before it is drawn.

import Bytes

extension Rasterizer {
  /// The most bytes that surfaces and clips of a drawing take at one time, on so many pixels.
  package static func mostMemory(of drawing: Drawing, pixels: Int) -> Int {
    // An item only means scenes before its own, so that each scene is looked at once.
    var depths: [Int] = []
    depths.reserveCapacity(drawing.scenes.count)
    for scene in drawing.scenes { depths.append(surfaces(in: scene, of: drawing, depths)) }
    let surfaces = min(surfaces(in: drawing.page, of: drawing, depths), deepest)
    let clips = drawing.clips.isEmpty ? 0 : ClipPool.most(pixels: pixels)
    let most = Budget.mostMemory(input: drawing.spending.input, pixels: pixels)
    return min(surfaces * 4 * pixels + clips, most)
  }

  /// How many surfaces lie in one another where these items are drawn.
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
