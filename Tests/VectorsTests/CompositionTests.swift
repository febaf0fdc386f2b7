// Tests groups that are composed as one picture, with a clip and with a mask.

import Testing

@testable import Vectors

@Suite struct CompositionTests {
  /// Returns a red group whose left half is blue.
  private func group(in drawing: inout Drawing) -> Item {
    let all = Item(.fill(drawing.rectangle(0, 0, 2, 1), .nonZero), .color(Color(1, 0, 0)))
    let half = Item(.fill(drawing.rectangle(0, 0, 1, 1), .nonZero), .color(Color(0, 0, 1)))
    return Item(.group(Group(scene: drawing.addScene([all, half]))))
  }

  @Test func groupsAreCutByTheirClip() throws {
    var drawing = Drawing(width: 2, height: 1)
    var item = group(in: &drawing)
    let path = drawing.rectangle(0, 0, 0.5, 1)
    item.clip = drawing.addClip(ClipPath(path, .nonZero, transform: .identity), in: Clip.none)
    drawing.page = [item]
    #expect(try Picture(drawing).pixels == [0x8000_0080, 0])
  }

  @Test func groupsAreCutByTheirMask() throws {
    var drawing = Drawing(width: 2, height: 1)
    var item = group(in: &drawing)
    var shown = Item(.fill(drawing.rectangle(0, 0, 2, 1), .nonZero))
    shown.alpha = 0.5
    item.mask = drawing.addMask(SoftMask(.alpha, scene: drawing.addScene([shown])))
    drawing.page = [item]
    #expect(try Picture(drawing).pixels == [0x8000_0080, 0x8080_0000])
  }
}
