// Copies memory in steps of 16 bytes. The copies may write past the end: the callers ensure that
// both places have `wideCopySlack` more bytes than the count.

/// The number of bytes beyond its count that a wide copy may read and write.
let wideCopySlack = 32

typealias Wide = SIMD16<UInt8>

@inline(__always)
func copyWide(to target: UnsafeMutableRawPointer, from source: UnsafeRawPointer, count: Int) {
  var offset = 0
  repeat {
    let wide = source.loadUnaligned(fromByteOffset: offset, as: Wide.self)
    target.storeBytes(of: wide, toByteOffset: offset, as: Wide.self)
    offset &+= 16
  } while offset < count
}

/// Repeats the bytes that begin `distance` bytes before `target`. The two ranges may overlap.
@inline(__always)
func copyMatchWide(to target: UnsafeMutableRawPointer, distance: Int, count: Int) {
  if distance >= 16 {
    copyWide(to: target, from: UnsafeRawPointer(target - distance), count: count)
  } else if distance == 4 {
    let word = UnsafeRawPointer(target).loadUnaligned(fromByteOffset: -4, as: UInt32.self)
    let pattern = SIMD4<UInt32>(repeating: word)
    var offset = 0
    repeat {
      target.storeBytes(of: pattern, toByteOffset: offset, as: SIMD4<UInt32>.self)
      offset &+= 16
    } while offset < count
  } else {
    copyNearMatch(to: target, distance: distance, count: count)
  }
}

/// Copies a match with a distance below 16: the first 8 bytes one by one, then 8 at a time. The
/// source of the latter lies as many whole periods back as have at least 8 bytes.
@inline(never)
private func copyNearMatch(to target: UnsafeMutableRawPointer, distance: Int, count: Int) {
  var offset = 0
  var back = distance
  if distance < 8 {
    copyBytewise(to: target, distance: distance, count: 8)
    offset = 8
    back = distance &* ((7 &+ distance) / distance)
  }
  while offset < count {
    let word = UnsafeRawPointer(target).loadUnaligned(
      fromByteOffset: offset &- back, as: UInt64.self)
    target.storeBytes(of: word, toByteOffset: offset, as: UInt64.self)
    offset &+= 8
  }
}

/// Copies a match without writing past the end.
func copyBytewise(to target: UnsafeMutableRawPointer, distance: Int, count: Int) {
  for offset in 0..<count {
    let byte = target.load(fromByteOffset: offset &- distance, as: UInt8.self)
    target.storeBytes(of: byte, toByteOffset: offset, as: UInt8.self)
  }
}
