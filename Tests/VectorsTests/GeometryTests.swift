// Tests transforms and the store of paths.

import Testing

@testable import Vectors

@Suite struct GeometryTests {
  @Test func transformsApplyInTheOrderOfTheirNames() throws {
    let both = Transform.translation(3, 4).then(.scale(2, 10))
    #expect(both.apply(Point(1, 1)) == Point(8, 50))
    #expect(try #require(both.inverse).apply(Point(8, 50)) == Point(1, 1))
    #expect(Transform.scale(0, 1).inverse == nil)
    #expect(Transform.scale(.nan, 1).inverse == nil)
  }

  @Test func aStepAfterACloseStartsWhereTheClosedPartDid() {
    var store = PathStore()
    store.move(to: Point(1, 2))
    store.line(to: Point(5, 2))
    store.close()
    store.line(to: Point(1, 9))
    let path = store.end()
    #expect(store.steps == [.move, .line, .close, .move, .line])
    #expect(store.points[2] == Point(1, 2))
    #expect(path.stepCount == 5 && path.pointCount == 4)
  }

  @Test func anUnfinishedPathIsForgotten() {
    var store = PathStore()
    store.rect(Rect(x: 0, y: 0, width: 1, height: 1))
    let first = store.end()
    store.move(to: Point(9, 9))
    store.begin()
    store.line(to: Point(1, 1))
    let second = store.end()
    #expect(first.stepCount == 5)
    #expect(second.firstStep == 5 && second.stepCount == 2)
    #expect(store.points[Int(second.firstPoint)] == Point(0, 0))
  }
}
