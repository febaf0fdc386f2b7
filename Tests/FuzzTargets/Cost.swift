// The cost of reading an input, and its bound: instructions and memory for each byte.

import CCost

/// The cost of work for the thread that did it.
public struct Cost: Sendable {
  /// The number of instructions; 0 if the system does not count them.
  public var instructions: Int
  public var nanoseconds: Int
  /// The largest number of bytes that were allocated at one time.
  public var memory: Int

  public init(instructions: Int, nanoseconds: Int, memory: Int) {
    self.instructions = instructions
    self.nanoseconds = nanoseconds
    self.memory = memory
  }

  public static func of(_ work: () -> Void) -> Cost {
    var start = cost()
    cost_begin(&start)
    work()
    let spent = cost_end(&start)
    return Cost(
      instructions: Int(clamping: spent.instructions),
      nanoseconds: Int(clamping: spent.nanoseconds),
      memory: Int(spent.memory))
  }

  /// Whether a sanitizer is in use. It makes programs several times slower and takes memory of its
  /// own.
  private static let isWatched = cost_counts_memory() == 0

  /// The time in microseconds. If the system counts instructions, 3,000 of them are a microsecond,
  /// about as many as a processor executes in that time, so that other work on the machine does not
  /// influence the result.
  var microseconds: Int {
    let time = instructions > 0 ? instructions / 3_000 : nanoseconds / 1_000
    return Cost.isWatched ? time / 10 : time
  }

  var countedMemory: Int { Cost.isWatched ? 0 : memory }
}

/// The bound for the cost of an input: a fixed amount, and more for each byte.
public struct CostBound: Sendable {
  /// The time in microseconds.
  var time = 2_000_000
  /// The time in microseconds for each byte.
  var timePerByte = 1
  /// The memory in bytes.
  var memory = 64 << 20
  var memoryPerByte = 16
  /// The number of calls in a body, each of which may cost as much; `pixels` is the number of
  /// pixels of their results.
  var calls = 1
  var pixels = 0

  public init(
    time: Int = 2_000_000, timePerByte: Int = 1, memory: Int = 64 << 20, memoryPerByte: Int = 16,
    calls: Int = 1, pixels: Int = 0
  ) {
    self.time = time
    self.timePerByte = timePerByte
    self.memory = memory
    self.memoryPerByte = memoryPerByte
    self.calls = calls
    self.pixels = pixels
  }

  /// Returns the part of a cost that exceeds the bound, in words; nil if the cost is within the
  /// bound.
  public func excess(of cost: Cost, input size: Int) -> String? {
    let mostTime = (time + timePerByte * size) * calls
    let mostMemory = memory + memoryPerByte * size + 32 * pixels
    if cost.microseconds > mostTime {
      return "\(cost.microseconds) µs, and may cost \(mostTime)"
    }
    if cost.countedMemory > mostMemory {
      return "\(cost.countedMemory) bytes of memory, and may cost \(mostMemory)"
    }
    return nil
  }
}
