// Packs small pictures into atlases. Packing sees sizes only. The groups of the pictures determine
// which of them may share an atlas, and an `AtlasCanvas` copies the pixels.

/// The size of a picture that can be packed into an atlas.
package struct Sprite {
  package var width: Int
  package var height: Int
  /// The number that orders pictures of equal areas.
  package var rank: UInt32
  /// The number of the group. Pictures of different groups never share an atlas.
  package var group: Int
  /// The number of pictures that share the place of the sprite.
  package var pictureCount: Int

  package init(width: Int, height: Int, rank: UInt32, group: Int = 0, pictureCount: Int = 1) {
    self.pictureCount = pictureCount
    self.width = width
    self.height = height
    self.rank = rank
    self.group = group
  }
}

/// An atlas and the places of its sprites.
package struct Atlas {
  package struct Frame: Equatable {
    /// The position of the sprite in the list that was given.
    package var sprite: Int
    /// The distances from the left edge and from the bottom edge of the atlas.
    package var x: Int
    package var y: Int
  }

  package var width: Int
  package var height: Int
  package var group: Int
  /// The places of the sprites, the largest sprite first.
  package var frames: [Frame]
}

/// The limits of packing. They grow with the scale. In archives of Apple's tool the largest sprite
/// has 18,048 pixels for each scale. In each atlas that another one follows, the sprites except the
/// last one have together at most that area. The limit is chosen a little above it.
package struct AtlasLimits {
  /// The largest area of a sprite that is packed. Larger sprites stay alone.
  package var spriteArea: Int
  /// The area of sprites above which an atlas takes no more sprites.
  package var atlasArea: Int
  /// Whether a sprite that is alone in its group gets an atlas, too.
  package var packsSingles = false

  /// The limits for the pages of sprite atlases, on which every sprite lies.
  package static var ofSprites: AtlasLimits {
    var limits = AtlasLimits(scale: 1)
    (limits.spriteArea, limits.atlasArea, limits.packsSingles) = (.max, 2048 * 2048, true)
    return limits
  }

  package init(scale: Int) {
    (spriteArea, atlasArea) = (18_052 * scale, 18_052 * scale)
  }
}

/// Packs the sprites of each group, whose number is the position of its limits. The atlases are in
/// the order of the groups. A sprite stays without an atlas if it is too large or alone in its
/// group.
package func packAtlases(_ sprites: [Sprite], limits: [AtlasLimits]) -> [Atlas] {
  var members = [[Int]](repeating: [], count: limits.count)
  for (index, sprite) in sprites.enumerated() {
    // The sides are those of decoded pictures, so their product does not overflow.
    guard sprite.width * sprite.height <= limits[sprite.group].spriteArea else { continue }
    members[sprite.group].append(index)
  }
  var atlases: [Atlas] = []
  for (group, all) in members.enumerated() where !all.isEmpty {
    let count = all.reduce(0) { $0 + sprites[$1].pictureCount }
    guard count > 1 || limits[group].packsSingles else { continue }
    for share in shares(of: all, sprites, limits[group].atlasArea) {
      atlases.append(atlas(of: share, sprites, group))
    }
  }
  return atlases
}

/// Packs all these sprites into one atlas.
package func packTogether(_ sprites: [Sprite]) -> Atlas {
  atlas(of: largestFirst(Array(sprites.indices), sprites), sprites, 0)
}

private func largestFirst(_ members: [Int], _ sprites: [Sprite]) -> [Int] {
  let rows = members.map { index in
    let sprite = sprites[index]
    return (area: sprite.width * sprite.height, rank: sprite.rank, index: index)
  }
  return rows.sorted { ($1.area, $0.rank, $0.index) < ($0.area, $1.rank, $1.index) }.map(\.index)
}

/// Divides the sprites of a group, largest first, into runs that each fill an atlas.
private func shares(of members: [Int], _ sprites: [Sprite], _ limit: Int) -> [[Int]] {
  var shares: [[Int]] = []
  var sum = Int.max
  for index in largestFirst(members, sprites) {
    if sum > limit {
      shares.append([])
      sum = 0
    }
    shares[shares.count - 1].append(index)
    sum += sprites[index].width * sprites[index].height
  }
  return shares
}

private func atlas(of share: [Int], _ sprites: [Sprite], _ group: Int) -> Atlas {
  var tree = GrowingTree()
  let gap = 2
  let frames = share.map { index in
    let corner = tree.insert(width: sprites[index].width + gap, height: sprites[index].height + gap)
    return Atlas.Frame(sprite: index, x: corner.x + gap, y: corner.y + gap)
  }
  return Atlas(
    width: (tree.width + gap) & ~1, height: (tree.height + gap) & ~1, group: group, frames: frames)
}

/// A binary tree of rectangles into which boxes are put, largest first.
///
/// A box is put into the first free rectangle that is large enough. The rest of the rectangle
/// becomes two free ones: one to the right of the box, as high as the box, and one below it, as
/// wide as the whole. If no free rectangle is large enough, the tree grows to the right or
/// downwards by a new one, in the direction that keeps it closer to a square. An example with the
/// boxes A (4 × 4), B (4 × 3), C (3 × 2) and D (5 × 1):
///
///     A A A A B B B B     A fills the first rectangle. For B the tree grows to the right;
///     A A A A B B B B     the row below B stays free. For C the tree is too wide already
///     A A A A B B B B     and grows downwards. D is too wide for the row below B, and is
///     A A A A . . . .     put into the rectangle to the right of C.
///     C C C D D D D D
///     C C C . . . . .
///
/// Here y grows downwards; in the atlas the same y counts from the bottom.
private struct GrowingTree {
  private struct Node {
    var x: Int
    var y: Int
    var width: Int
    var height: Int
    /// No free rectangle inside this one is wider than `freeWidth` or higher than `freeHeight`.
    var freeWidth: Int
    var freeHeight: Int
    var parent: Int?
    /// The positions of the children in `nodes`; nil while the rectangle is free.
    var children: (right: Int, down: Int)?
  }

  private var nodes: [Node] = []
  private var root = 0

  var width: Int { nodes.isEmpty ? 0 : nodes[root].width }
  var height: Int { nodes.isEmpty ? 0 : nodes[root].height }

  mutating func insert(width: Int, height: Int) -> (x: Int, y: Int) {
    if nodes.isEmpty { root = add(x: 0, y: 0, width: width, height: height) }
    if let free = firstFree(width, height) { return split(free, width: width, height: height) }
    return split(grow(width, height), width: width, height: height)
  }

  private mutating func add(x: Int, y: Int, width: Int, height: Int) -> Int {
    let isEmpty = width == 0 || height == 0
    nodes.append(
      Node(
        x: x, y: y, width: width, height: height, freeWidth: isEmpty ? 0 : width,
        freeHeight: isEmpty ? 0 : height))
    return nodes.count - 1
  }

  /// Finds the first free rectangle that is large enough, those to the right before those below.
  private func firstFree(_ width: Int, _ height: Int) -> Int? {
    var waiting = [root]
    while let index = waiting.popLast() {
      let node = nodes[index]
      guard width <= node.freeWidth, height <= node.freeHeight else { continue }
      guard let children = node.children else { return index }
      waiting.append(children.down)
      waiting.append(children.right)
    }
    return nil
  }

  private mutating func split(_ index: Int, width: Int, height: Int) -> (x: Int, y: Int) {
    let node = nodes[index]
    let down = add(x: node.x, y: node.y + height, width: node.width, height: node.height - height)
    let right = add(x: node.x + width, y: node.y, width: node.width - width, height: height)
    setChildren(of: index, right: right, down: down)
    return (node.x, node.y)
  }

  private mutating func setChildren(of index: Int, right: Int, down: Int) {
    nodes[index].children = (right, down)
    nodes[right].parent = index
    nodes[down].parent = index
    var next: Int? = index
    while let node = next, let children = nodes[node].children {
      let width = max(nodes[children.right].freeWidth, nodes[children.down].freeWidth)
      let height = max(nodes[children.right].freeHeight, nodes[children.down].freeHeight)
      if node != index, (width, height) == (nodes[node].freeWidth, nodes[node].freeHeight) {
        return
      }
      nodes[node].freeWidth = width
      nodes[node].freeHeight = height
      next = nodes[node].parent
    }
  }

  /// Adds a free rectangle to the right of all others or below them, and returns it. One of the two
  /// is always possible: a box that is both wider and higher than the tree would be larger than all
  /// boxes before it, but the largest box comes first.
  private mutating func grow(_ width: Int, _ height: Int) -> Int {
    let (oldWidth, oldHeight, old) = (self.width, self.height, root)
    let fitsRight = height <= oldHeight
    let fitsDown = width <= oldWidth
    let prefersRight = fitsRight && oldHeight >= oldWidth + width
    let prefersDown = fitsDown && oldWidth >= oldHeight + height
    if prefersRight || !prefersDown && fitsRight {
      let free = add(x: oldWidth, y: 0, width: width, height: oldHeight)
      root = add(x: 0, y: 0, width: oldWidth + width, height: oldHeight)
      setChildren(of: root, right: free, down: old)
      return free
    }
    let free = add(x: 0, y: oldHeight, width: oldWidth, height: height)
    root = add(x: 0, y: 0, width: oldWidth, height: oldHeight + height)
    setChildren(of: root, right: old, down: free)
    return free
  }
}
