// A value that several threads of a test change. Unlike a `Mutex`, it can be kept in several
// places.

import Synchronization

package final class Guarded<Value: Sendable>: Sendable {
  private let value: Mutex<Value>

  package init(_ value: Value) { self.value = Mutex(value) }

  package func withLock<Result: Sendable>(_ body: (inout Value) -> Result) -> Result {
    value.withLock { body(&$0) }
  }
}
