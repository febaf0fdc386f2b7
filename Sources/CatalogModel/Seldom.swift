// An optional value that takes no more room than a pointer where there is none: a catalogue has tens of
// thousands of pictures, of which few are sliced, drawn or renamed.

/// For a property that few values of a type have.
@propertyWrapper
package struct Seldom<Value: Hashable & Sendable>: Hashable, Sendable {
  /// One or none.
  private var values: [Value] = []

  package init(wrappedValue: Value?) { self.wrappedValue = wrappedValue }

  package var wrappedValue: Value? {
    get { values.first }
    set { values = newValue.map { [$0] } ?? [] }
  }
}
