// Counts how often each byte value occurs.

/// With fewer bytes, adding up several tables takes longer than it saves.
private let leastForTables = 1024

/// Adds the number of bytes of each value to `counts`, which has 256 elements.
///
/// A counter that is raised again at once is not stored yet, and the processor waits. So neighbours
/// are counted in different tables.
func countBytes(_ bytes: UnsafeRawBufferPointer, into counts: UnsafeMutablePointer<UInt32>) {
  guard let base = bytes.baseAddress else { return }
  var next = 0
  if bytes.count >= leastForTables {
    withUnsafeTemporaryAllocation(of: UInt32.self, capacity: 3 * 256) { tables in
      tables.initialize(repeating: 0)
      guard let tables = tables.baseAddress else { return }
      let last = bytes.count &- 4
      while next <= last {
        let four = base.loadUnaligned(fromByteOffset: next, as: UInt32.self)
        counts[Int(four & 255)] &+= 1
        tables[Int(four &>> 8 & 255)] &+= 1
        tables[256 &+ Int(four &>> 16 & 255)] &+= 1
        tables[512 &+ Int(four &>> 24)] &+= 1
        next &+= 4
      }
      for value in 0..<256 {
        counts[value] &+= tables[value] &+ tables[256 &+ value] &+ tables[512 &+ value]
      }
    }
  }
  while next < bytes.count {
    counts[Int(bytes[next])] &+= 1
    next &+= 1
  }
}

/// Adds about the number of bytes of each value to `counts`, which has 256 elements: four of every
/// twenty bytes count five times. Four bytes are a pixel, and few pictures have a width or a
/// pattern that is a multiple of five pixels.
func estimateByteCounts(
  _ bytes: UnsafeRawBufferPointer, into counts: UnsafeMutablePointer<UInt32>
) {
  guard let base = bytes.baseAddress else { return }
  for next in stride(from: 0, through: bytes.count - 4, by: 20) {
    let four = base.loadUnaligned(fromByteOffset: next, as: UInt32.self)
    counts[Int(four & 255)] &+= 5
    counts[Int(four &>> 8 & 255)] &+= 5
    counts[Int(four &>> 16 & 255)] &+= 5
    counts[Int(four &>> 24)] &+= 5
  }
}
