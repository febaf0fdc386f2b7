// Values that several tests need and that take long to make.

import Synchronization

/// Values by name. Each is made when a test first needs it; other tests that need it wait in the
/// meantime.
public final class SharedValues<Value: Sendable>: Sendable {
  private let make: @Sendable (String) throws -> Value
  private let places = Mutex<[String: Place]>([:])

  private final class Place: Sendable {
    let result = Mutex<Result<Value, any Error>?>(nil)
  }

  public init(_ make: @escaping @Sendable (String) throws -> Value) { self.make = make }

  public subscript(name: String) -> Value {
    get throws {
      let place = places.withLock { places in
        if let place = places[name] { return place }
        let place = Place()
        places[name] = place
        return place
      }
      let result = place.result.withLock { result in
        if let result { return result }
        let made = Result { try make(name) }
        result = made
        return made
      }
      return try result.get()
    }
  }
}
