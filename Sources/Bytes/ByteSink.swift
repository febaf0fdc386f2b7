// The destinations of bytes that are written one after the other.

/// The destination of a file's bytes. A sink whose write fails remembers the error; the code that
/// created the sink reads it afterwards.
package protocol ByteSink: AnyObject {
  func append(_ bytes: UnsafeRawBufferPointer)
  /// Replaces bytes that were appended before.
  func overwrite(at offset: Int, _ bytes: UnsafeRawBufferPointer)
}

/// A sink in memory.
package final class MemorySink: ByteSink {
  package private(set) var bytes: [UInt8] = []

  /// Creates a sink with memory for a number of bytes; more is allocated if they do not suffice.
  package init(reserving count: Int = 0) { bytes.reserveCapacity(count) }

  package func append(_ bytes: UnsafeRawBufferPointer) {
    self.bytes.append(contentsOf: bytes)
  }

  package func overwrite(at offset: Int, _ bytes: UnsafeRawBufferPointer) {
    self.bytes.withUnsafeMutableBytes {
      UnsafeMutableRawBufferPointer(rebasing: $0[offset..<offset + bytes.count]).copyMemory(
        from: bytes)
    }
  }
}

/// A sink that only counts the bytes.
package final class CountingSink: ByteSink {
  package private(set) var count = 0

  package init() {}

  package func append(_ bytes: UnsafeRawBufferPointer) { count += bytes.count }
  package func overwrite(at offset: Int, _ bytes: UnsafeRawBufferPointer) {}
}
