// An optional value that is as small as a pointer if it is nil. A catalogue has tens of thousands
// of pictures, and only a few of them are sliced, inset or drawn. With this wrapper for `Resizing?`
// (72 bytes) and `Insets?` (40 bytes), a PlannedRendition has 208 bytes; without it, 304. A value
// that is not nil costs an allocation, so the wrapper is not for small or frequent values.

/// A wrapper for a large optional property that few values of a type have.
@frozen @propertyWrapper
public struct BoxedOptional<Value: Hashable & Sendable>: Hashable, Sendable {
  /// The value as the only element; empty if the property is nil.
  @usableFromInline var values: [Value]

  @inlinable public init(wrappedValue: Value?) { values = wrappedValue.map { [$0] } ?? [] }

  @inlinable public var wrappedValue: Value? {
    get { values.first }
    set { values = newValue.map { [$0] } ?? [] }
  }
}
