// Tests the source of each place of a stretched picture: caps keep their size or shrink in
// proportion, middles are repeated, stretched, or scaled with the caps.

import Testing

@testable import CarveRuntime

@Suite struct StretchTests {
  private func stretch(_ parts: [Range<Int>], _ fill: SlicingFill, of length: Int) throws -> Stretch
  {
    let segments = parts.map { Segment(start: $0.lowerBound, length: $0.count) }
    return try #require(
      Stretch(segments[0], segments[1], segments[2], fill: fill, length: length))
  }

  /// Returns the places of samples that lie on exactly one place each.
  private func places(_ samples: [Sample]) -> [Int] {
    samples.map { $0.weight == 0 ? $0.first : -1 }
  }

  @Test func aTiledMiddleIsRepeatedFromItsStart() throws {
    let picture = try stretch([0..<2, 2..<5, 5..<6], .tile, of: 6)
    #expect(places(picture.samples(10)) == [0, 1, 2, 3, 4, 2, 3, 4, 2, 5])
    #expect(places(picture.samples(3)) == [0, 1, 5])
  }

  @Test func pixelsBetweenThePartsAreNotDrawn() throws {
    let picture = try stretch([1..<2, 4..<5, 7..<8], .stretch, of: 9)
    #expect(places(picture.samples(5)) == [1, 4, 4, 4, 7])
  }

  @Test func capsWithoutRoomShrinkByTheirShares() throws {
    let picture = try stretch([0..<6, 6..<7, 7..<9], .stretch, of: 9)
    #expect(picture.parts(of: 9) == (6, 1, 2))
    #expect(picture.parts(of: 8) == (6, 0, 2))
    #expect(picture.parts(of: 4) == (3, 0, 1))
    #expect(picture.parts(of: 1) == (0, 0, 1))
    // Six places shrink to three: each is the middle of two.
    let samples = picture.samples(4)
    #expect(samples.map(\.first) == [0, 2, 4, 7])
    #expect(samples.map(\.second) == [1, 3, 5, 8])
    #expect(samples.allSatisfy { $0.weight == 128 })
  }

  @Test func aUniformPictureScalesItsCaps() throws {
    let picture = try stretch([1..<2, 2..<4, 4..<5], .uniform, of: 6)
    #expect(places(picture.samples(4)) == [1, 2, 3, 4])
    let twice = picture.samples(8)
    #expect(twice.map(\.first) == [1, 1, 1, 2, 2, 3, 3, 4])
    #expect(twice.map(\.weight) == [0, 64, 192, 64, 192, 64, 192, 0])
    let half = picture.samples(2)
    #expect(half.map { [$0.first, $0.second, Int($0.weight)] } == [[1, 2, 128], [3, 4, 128]])
  }

  @Test func partsThatOverlapOrLeaveThePictureAreIgnored() {
    func areIgnored(_ parts: [Range<Int>]) -> Bool {
      let segments = parts.map { Segment(start: $0.lowerBound, length: $0.count) }
      return Stretch(segments[0], segments[1], segments[2], fill: .tile, length: 6) == nil
    }
    #expect(!areIgnored([0..<2, 2..<4, 4..<6]))
    #expect(areIgnored([0..<3, 2..<4, 4..<6]))
    #expect(areIgnored([0..<2, 2..<5, 4..<6]))
    #expect(areIgnored([0..<2, 2..<4, 4..<7]))
    #expect(areIgnored([-1..<2, 2..<4, 4..<6]))
    #expect(areIgnored([0..<0, 0..<0, 0..<0]))
  }
}
