// The growth of buffers that serve one input after another.

extension Array<UInt8> {
  /// Grows to at least `count` bytes, and then by half at least, so that inputs of growing sizes do
  /// not take new memory each. New bytes are undefined, or zero if `zeroed`; the contents are lost.
  package mutating func provide(_ count: Int, zeroed: Bool = false) {
    if self.count >= count { return }
    let room = Swift.max(count, self.count + self.count / 2)
    self = []
    self = [UInt8](unsafeUninitializedCapacity: room) { buffer, initialized in
      if zeroed { buffer.initialize(repeating: 0) }
      initialized = room
    }
  }
}
