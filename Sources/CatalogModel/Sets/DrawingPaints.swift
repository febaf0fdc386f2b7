// The colours with which a vector paints.

import Vectors

extension Drawing {
  /// Returns whether every visible paint of a shape fulfils a condition. The pixels of pictures in
  /// the drawing are no paints, so a drawing without shapes has only such paints. The contents of
  /// masks paint nothing themselves.
  func hasOnlyPaints(where fulfils: (Vectors.Color) -> Bool) -> Bool {
    var visited = [Bool](repeating: false, count: scenes.count)
    var waiting = [page]
    while let items = waiting.popLast() {
      for item in items where item.alpha > 0 {
        switch item.shape {
        case .group(let group):
          visit(group.scene, &visited, &waiting)
          continue
        case .image(let index):
          guard images.indices.contains(Int(index)), images[Int(index)].kind == .stencil else {
            continue
          }
        case .fill, .stroke, .everything: break
        }
        switch item.paint {
        case .color(let color): if !fulfils(color) { return false }
        case .shading(let index): if !shadingFulfils(Int(index), fulfils) { return false }
        case .pattern(let index):
          if patterns.indices.contains(Int(index)) {
            visit(patterns[Int(index)].scene, &visited, &waiting)
          }
        }
      }
    }
    return true
  }

  private func visit(_ scene: Int32, _ visited: inout [Bool], _ waiting: inout [[Item]]) {
    guard scenes.indices.contains(Int(scene)), !visited[Int(scene)] else { return }
    visited[Int(scene)] = true
    waiting.append(scenes[Int(scene)])
  }

  private func shadingFulfils(_ index: Int, _ fulfils: (Vectors.Color) -> Bool) -> Bool {
    guard shadings.indices.contains(index) else { return true }
    let shading = shadings[index]
    if let background = shading.background, !fulfils(background) { return false }
    if case .mesh(let list) = shading.geometry, shading.stops.count == 0 {
      return vertices[list.range].allSatisfy { fulfils($0.color) }
    }
    return stops[shading.stops.range].allSatisfy { $0.alpha == 0 || fulfils($0.color) }
  }
}
