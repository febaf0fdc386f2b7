// What reading an input costs, and how much that may be: instructions and memory for each byte.

import CCost

/// What work cost the thread that did it.
public struct Cost: Sendable {
  /// 0 if the system does not count them.
  public var instructions: Int
  public var nanoseconds: Int
  /// The most bytes that were allocated at one time.
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

  /// Sanitizers make programs several times as slow, and count memory of their own.
  private static let isWatched = cost_counts_memory() == 0

  /// In microseconds, by the instructions if the system counts them: a processor does some 3,000 of ours in
  /// one, however many others use it.
  var microseconds: Int {
    let time = instructions > 0 ? instructions / 3_000 : nanoseconds / 1_000
    return Cost.isWatched ? time / 10 : time
  }

  var countedMemory: Int { Cost.isWatched ? 0 : memory }
}

/// How much an input may cost: a fixed amount, and more for each byte.
public struct CostBound: Sendable {
  /// Microseconds.
  var time = 2_000_000
  /// Microseconds for each byte.
  var timePerByte = 1
  /// Bytes.
  var memory = 64 << 20
  var memoryPerByte = 16
  /// How many calls a body makes that may each cost so much, and how many pixels their results have.
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

  /// What of a cost is beyond the bound, in words; nil if nothing is.
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
