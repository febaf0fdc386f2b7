// The pixels of a small picture while it waits for its atlas. They mostly take a quarter of their
// memory, so four times as many pictures can wait, and fewer are decoded again.
//
// The pixels are divided into groups of 16 bytes. A group that only repeats the four bytes before
// it is left out, as most groups of icons are. A byte before eight groups has a bit for each: 1 if
// the group is present, the first group in the lowest bit. An example with pixels of four bytes:
//
//     pixels     0000 0000 0000 0000 | aaaa aaaa bbbb bbbb | bbbb bbbb bbbb bbbb | ...
//     compact    .....010  aaaa aaaa bbbb bbbb  ...

import Imaging

struct CompactPixels: Sendable {
  private let bytes: [UInt8]

  /// The number of bytes that are kept.
  var byteCount: Int { bytes.count }

  init(_ pixels: UnsafeRawBufferPointer) {
    // A group is written before it is known whether it stays, so the last one needs room, too.
    let most = pixels.count + pixels.count / (8 * Self.groupSize) + 1 + Self.groupSize
    bytes = withUnsafeTemporaryAllocation(byteCount: most, alignment: 16) { room in
      guard let start = room.baseAddress else { return [] }
      let end = Self.pack(pixels, into: start)
      return Array(UnsafeRawBufferPointer(start: start, count: end - start))
    }
  }

  /// Writes the pixels into `target`, which has as many bytes as they have.
  func unpack(into target: UnsafeMutableRawBufferPointer) {
    guard var to = target.baseAddress else { return }
    bytes.withUnsafeBytes { bytes in
      guard var from = bytes.baseAddress else { return }
      let end = from + bytes.count
      var group: Group = .zero
      var left = target.count / Self.groupSize
      while left > 0 {
        let isPresent = from.load(as: UInt8.self)
        from += 1
        for bit in 0..<min(8, left) {
          if isPresent >> bit & 1 == 1 {
            group = from.loadUnaligned(as: Group.self)
            from += Self.groupSize
          } else {
            group = Group(repeating: group[3])
          }
          to.storeBytes(of: group, as: Group.self)
          to += Self.groupSize
        }
        left -= min(8, left)
      }
      let rest = target.count % Self.groupSize
      precondition(end - from == rest, "the buffer does not have the size of the pixels")
      to.copyMemory(from: from, byteCount: rest)
    }
  }

  private typealias Group = SIMD4<UInt32>
  private static let groupSize = MemoryLayout<Group>.size

  /// Returns the end of the bytes that it writes.
  private static func pack(
    _ pixels: UnsafeRawBufferPointer, into start: UnsafeMutableRawPointer
  ) -> UnsafeMutableRawPointer {
    guard var from = pixels.baseAddress else { return start }
    var to = start
    var last: UInt32 = 0
    var left = pixels.count / groupSize
    while left > 0 {
      let head = to
      to += 1
      var isPresent: UInt8 = 0
      for bit in 0..<min(8, left) {
        let group = from.loadUnaligned(as: Group.self)
        from += groupSize
        to.storeBytes(of: group, as: Group.self)
        let stays = differs(group, from: last)
        isPresent |= stays ? 1 << bit : 0
        to += stays ? groupSize : 0
        last = group[3]
      }
      head.storeBytes(of: isPresent, as: UInt8.self)
      left -= min(8, left)
    }
    to.copyMemory(from: from, byteCount: pixels.count % groupSize)
    return to + pixels.count % groupSize
  }

  @inline(__always)
  private static func differs(_ group: Group, from last: UInt32) -> Bool {
    let halves = unsafeBitCast(group ^ Group(repeating: last), to: SIMD2<UInt64>.self)
    return halves[0] | halves[1] != 0
  }
}

extension PictureDecoder {
  mutating func bitmap(of pixels: CompactPixels, _ facts: PictureFacts) -> Bitmap {
    var buffer = takeSpare(facts.bytesPerRow * facts.height)
    buffer.withUnsafeMutableBytes { pixels.unpack(into: $0) }
    return Bitmap(facts, buffer)
  }
}
