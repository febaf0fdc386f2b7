// Tests the limit for memory: all threads together hold no more than its room, except for a single
// share that is larger.

import Host
import Synchronization
import Testing

@Suite struct MemoryGateTests {
  /// The bytes that are held at one time, counted by the threads that hold them.
  private final class Held: Sendable {
    let now = Atomic<Int>(0)
    let most = Atomic<Int>(0)
    let threads = Atomic<Int>(0)

    func hold(_ bytes: Int) {
      let sum = now.add(bytes, ordering: .relaxed).newValue
      _ = most.max(sum, ordering: .relaxed)
      threads.add(1, ordering: .relaxed)
      // Gives other threads time to take their shares.
      for _ in 0..<200 { _ = now.load(ordering: .sequentiallyConsistent) }
      now.subtract(bytes, ordering: .relaxed)
    }
  }

  @Test func sharesKeepToTheRoom() {
    let gate = MemoryGate(room: 100)
    let held = Held()
    parallelForEach(count: 2_000, jobs: 8) { index, _ in
      let bytes = 1 + index % 60
      gate.share(bytes) { held.hold(bytes) }
    }
    let most = held.most.load(ordering: .relaxed)
    #expect(most <= 100 && most > 0)
    #expect(held.threads.load(ordering: .relaxed) == 2_000)
  }

  /// A share that is larger than the room is given, but only while no other share is in use.
  @Test func aShareThatIsTooLargeIsAlone() {
    let gate = MemoryGate(room: 100)
    let held = Held()
    parallelForEach(count: 400, jobs: 8) { index, _ in
      let bytes = index % 4 == 0 ? 1_000 : 40
      gate.share(bytes) { held.hold(bytes) }
    }
    #expect(held.most.load(ordering: .relaxed) == 1_000)
    #expect(held.threads.load(ordering: .relaxed) == 400)
  }

  /// A header may claim any size. Sums must not overflow, and the gate must stay usable.
  @Test func noNumberIsTooLarge() {
    let gate = MemoryGate(room: 100)
    #expect(gate.share(.max) { 1 } == 1)
    #expect(gate.share(-5) { 2 } == 2)
    #expect(gate.share(100) { 3 } == 3)
    #expect(MemoryGate(room: 0).share(7) { 4 } == 4)
  }
}
