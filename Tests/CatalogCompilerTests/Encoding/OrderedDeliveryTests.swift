// Results of threads are passed on in order, for any order of delivery and any speed of the
// receiver.

import Foundation
import Host
import Support
import Testing

@testable import CatalogCompiler

@Suite struct OrderedDeliveryTests {
  @Test(arguments: [0, 5, 1_000_000])
  func valuesComeInOrderOneAtATime(budget: Int) {
    let count = 2_000
    let seen = Guarded((values: [Int](), inside: 0, most: 0))
    let delivery = OrderedDelivery<Int>(budget: budget) { index, value in
      seen.withLock {
        $0.inside += 1
        $0.most = max($0.most, $0.inside)
        $0.values.append(index * 10 + value)
      }
      seen.withLock { $0.inside -= 1 }
    }
    parallelForEach(count: count, jobs: 8) { index, _ in
      delivery.deliver(index % 7, at: index, cost: index % 3)
    }
    #expect(seen.withLock { $0.values } == (0..<count).map { $0 * 10 + $0 % 7 })
    #expect(seen.withLock { $0.most } == 1)
  }

  /// The budget limits the waiting results: a thread with a further result waits until there is
  /// room, and not longer.
  @Test func threadsThatRunAheadWait() {
    let brought = Guarded((cost: 0, most: 0))
    let delivery = OrderedDelivery<Int>(budget: 100) { _, cost in
      brought.withLock { $0.cost -= cost }
    }
    parallelForEach(count: 500, jobs: 4) { index, _ in
      // The first of every ten results is slow, so that the others must wait for it.
      if index % 10 == 0 { for _ in 0..<2_000 { _ = brought.withLock { $0.cost } } }
      delivery.deliver(20, at: index, cost: 20)
      brought.withLock { $0 = ($0.cost + 20, max($0.most, $0.cost + 20)) }
    }
    #expect(brought.withLock { $0.cost } == 0)
    #expect(brought.withLock { $0.most } <= 100 + 4 * 20)
  }

  /// While one thread passes a value on, the other threads deliver their values and return.
  @Test func aSlowReceiverDelaysNoThread() {
    let others = Guarded(0)
    let delivery = OrderedDelivery<Int>(budget: 1_000) { index, _ in
      // The receiver ends when the other values were delivered. If their threads waited for it, it
      // would time out.
      let end = ContinuousClock.now + .seconds(20)
      while index == 0, others.withLock({ $0 }) < 9, ContinuousClock.now < end {
        Thread.sleep(forTimeInterval: 0.001)
      }
      #expect(ContinuousClock.now < end)
    }
    parallelForEach(count: 10, jobs: 2) { index, _ in
      delivery.deliver(index, at: index, cost: 1)
      if index > 0 { others.withLock { $0 += 1 } }
    }
    #expect(others.withLock { $0 } == 9)
  }
}
