// Atlases: examples, properties of every packing, and a comparison with the frames in real archives
// of Apple's tool.

import Archive
import Bytes
import Support
import Testing

@testable import Imaging

private func pack(_ sizes: [(Int, Int)], scale: Int) -> [Atlas] {
  let sprites = sizes.enumerated().map {
    Sprite(width: $1.0, height: $1.1, rank: UInt32(900 - $0))
  }
  return packAtlases(sprites, limits: [AtlasLimits(scale: scale)])
}

@Suite struct AtlasPackingTests {
  @Test func `icons of a phone at 2x share one atlas`() {
    let atlases = pack([(40, 40), (58, 58), (80, 80), (120, 120)], scale: 2)
    #expect(atlases.map { [$0.width, $0.height] } == [[206, 184]])
    #expect(
      atlases[0].frames.map { [$0.sprite, $0.x, $0.y] } == [
        [3, 2, 2], [2, 124, 2], [1, 2, 124], [0, 62, 124],
      ])
  }

  @Test func `an atlas that has enough is closed`() {
    let atlases = pack([(60, 60), (87, 87), (120, 120), (180, 180)], scale: 3)
    #expect(atlases.map { [$0.width, $0.height] } == [[306, 272], [64, 64]])
    #expect(atlases.map { $0.frames.map(\.sprite) } == [[3, 2, 1], [0]])
  }

  @Test func `a sprite stays alone if it is large or the only one of its group`() {
    #expect(pack([(100, 100)], scale: 1).isEmpty)
    #expect(pack([(100, 100), (135, 134)], scale: 1).isEmpty)
    #expect(pack([(100, 100), (128, 141)], scale: 1).count == 1)
    let sprites = [0, 1].map { Sprite(width: 9, height: 9, rank: 1, group: $0) }
    let limits = AtlasLimits(scale: 1)
    #expect(packAtlases(sprites, limits: [limits, limits]).isEmpty)
  }

  @Test func `sprites of one area are placed in the order of their ranks`() {
    let atlases = pack([(20, 10), (10, 20), (20, 10)], scale: 1)
    #expect(atlases.map { $0.frames.map(\.sprite) } == [[2, 1, 0]])
  }

  /// If the packer looked at all earlier sprites for each sprite, this test would take minutes.
  @Test(arguments: [(8, 8), (1, 400), (400, 1)])
  func `an atlas of very many sprites is packed without visiting all for each`(
    width: Int, height: Int
  ) {
    let sprites = (0..<30_000).map {
      Sprite(width: width, height: height, rank: UInt32($0))
    }
    let places = Set(packTogether(sprites).frames.map { [$0.x, $0.y] })
    #expect(places.count == sprites.count)
  }

  @Test(arguments: 0..<50 as Range<UInt64>) func `frames lie apart and inside`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let sizes = (0..<Int.random(in: 2...60, using: &random)).map { _ in
      (Int.random(in: 1...150, using: &random), Int.random(in: 1...119, using: &random))
    }
    let atlases = pack(sizes, scale: 1)
    let packed = atlases.flatMap { atlas in atlas.frames.map { $0.sprite } }
    #expect(packed.sorted() == Array(sizes.indices))
    for atlas in atlases {
      let boxes = atlas.frames.map {
        (x: $0.x, y: $0.y, right: $0.x + sizes[$0.sprite].0, top: $0.y + sizes[$0.sprite].1)
      }
      for (index, a) in boxes.enumerated() {
        // Sizes are rounded down to even numbers, so the empty edge may be one pixel thinner there.
        #expect(a.x >= 2 && a.y >= 2 && a.right < atlas.width && a.top < atlas.height)
        for b in boxes[..<index] {
          #expect(a.x >= b.right + 2 || b.x >= a.right + 2 || a.y >= b.top + 2 || b.y >= a.top + 2)
        }
      }
    }
  }
}

@Suite(.enabled(if: corpusRoot != nil, "CARVE_CORPUS names no folder"))
struct CorpusAtlasTests {
  private struct Group: Hashable {
    var key: RenditionKey
    var name: String
  }
  private struct Place: Hashable {
    var identifier: UInt16
    var rectangle: [UInt32]
  }

  /// Archives that are packed in another way: a theme of the system, which another of Apple's tools
  /// makes, and two archives with groups that are divided by a rule that is not known.
  private static let others: Set<String> = [
    "radzo73+Mojave-Appearances__24.car", "23DEVV+Flex-3-Beta__1.car", "theacrat+scar__2.car",
  ]

  @Test func `frames are those of Apple's atlases`() throws {
    var equal = 0
    var total = 0
    for path in corpusFiles(endingWith: ".car")
    where !Self.others.contains(String(path.split(separator: "/").last ?? "")) {
      let file = contents(ofFile: path)
      try file.withUnsafeBytes { bytes in
        let result = try compare(try Archive(bytes), path)
        equal += result.equal
        total += result.total
      }
    }
    print("\(equal) of \(total) groups of sprites are packed as Apple's tool packs them")
    #expect(total > 0 && equal == total)
  }

  private func compare(_ archive: Archive, _ path: String) throws -> (equal: Int, total: Int) {
    var names: [RenditionKey: String] = [:]
    var sprites: [Group: [(Sprite, Place)]] = [:]
    var links: [(RenditionKey, UInt16, UInt16, InternalLink)] = []
    for entry in try archive.renditions() {
      let rendition = try archive.rendition(entry)
      if rendition.header.layout == .atlas { names[entry.key] = rendition.header.name.text }
      // Bitmaps of symbols are left out: several have one identifier and one size, and Carve makes
      // no such bitmaps.
      if entry.key[.glyphWeight] == 0, let link = try rendition.link() {
        links.append((link.target, entry.key.identifier, entry.key.part, link))
      }
    }
    for (target, identifier, part, link) in links {
      var key = target
      key[.dimension1] = 0
      let sprite = Sprite(
        width: Int(link.width), height: Int(link.height),
        rank: archive.header.keySemantics.spriteRank(part: part, identifier: identifier))
      let place = Place(
        identifier: identifier, rectangle: [link.x, link.y, link.width, link.height])
      sprites[Group(key: key, name: names[target] ?? ""), default: []]
        .append((sprite, place))
    }
    var equal = 0
    for (group, members) in sprites {
      let limits = AtlasLimits(scale: Int(group.key[.scale]))
      let atlases = packAtlases(members.map(\.0), limits: [limits])
      let places = atlases.flatMap { atlas in
        atlas.frames.map { frame in
          let member = members[frame.sprite].1
          return Place(
            identifier: member.identifier,
            rectangle: [UInt32(frame.x), UInt32(frame.y)] + member.rectangle[2...])
        }
      }
      if Set(places) == Set(members.map(\.1)) {
        equal += 1
      } else {
        print("\(path): \(group.name) \(members.count) sprites differ")
      }
    }
    return (equal, sprites.count)
  }
}
