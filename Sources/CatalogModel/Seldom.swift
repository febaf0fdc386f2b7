// An optional value that is as small as a pointer if it is nil. A catalogue has tens of thousands
// of pictures, and only a few of them are sliced, drawn or renamed.

/// A wrapper for an optional property that few values of a type have.
@propertyWrapper
package struct Seldom<Value: Hashable & Sendable>: Hashable, Sendable {
  /// The value as the only element; empty if the property is nil.
  private var values: [Value] = []

  package init(wrappedValue: Value?) { self.wrappedValue = wrappedValue }

  package var wrappedValue: Value? {
    get { values.first }
    set { values = newValue.map { [$0] } ?? [] }
  }
}
