// The keys of a JSON object and the kinds of their values, as its reader asks for them. The readers
// of files describe themselves: a reader that gets `Fields(describing:)` reads nothing, and each
// key that it asks for is noted. Schemas and the language server are made of these descriptions, so
// they cannot differ from the readers.

/// The kind of a value.
package indirect enum FieldKind: Sendable, Hashable {
  case any, string, bool, number, null
  /// One of some words.
  case words([String])
  case array(of: FieldKind)
  case object(ObjectDescription)
  case oneOf([FieldKind])

  /// Returns the kind of a value that has one of two kinds.
  func merged(with other: FieldKind) -> FieldKind {
    if self == other { return self }
    switch (self, other) {
    case (.any, _), (_, .any): return .any
    case (.object(let a), .object(let b)): return .object(a.merged(with: b))
    case (.array(let a), .array(let b)): return .array(of: a.merged(with: b))
    case (.words(let a), .words(let b)): return .words(a + b.filter { !a.contains($0) })
    case (.oneOf(let kinds), _): return .oneOf(FieldKind.adding(other, to: kinds))
    case (_, .oneOf(let kinds)): return .oneOf(FieldKind.adding(self, to: kinds))
    default: return .oneOf([self, other])
    }
  }

  /// Adds a kind to others, to one of its form if there is one.
  private static func adding(_ kind: FieldKind, to kinds: [FieldKind]) -> [FieldKind] {
    var kinds = kinds
    for index in kinds.indices {
      if case .oneOf = kinds[index].merged(with: kind) { continue }
      kinds[index] = kinds[index].merged(with: kind)
      return kinds
    }
    return kinds + [kind]
  }
}

/// The members that an object may have.
package struct ObjectDescription: Sendable, Hashable {
  package struct Member: Sendable, Hashable {
    package var key: String
    package var kind: FieldKind
  }

  /// The members in the order in which the reader asks for them.
  package private(set) var members: [Member] = []
  /// The keys without which the object is refused.
  package private(set) var required: [String] = []

  package subscript(key: String) -> FieldKind? { members.first { $0.key == key }?.kind }

  mutating func add(_ key: String, _ kind: FieldKind) {
    if let index = members.firstIndex(where: { $0.key == key }) {
      members[index].kind = members[index].kind.merged(with: kind)
    } else {
      members.append(Member(key: key, kind: kind))
    }
  }

  /// Gives the member another kind.
  fileprivate mutating func replace(_ key: String, by kind: FieldKind) {
    if let index = members.firstIndex(where: { $0.key == key }) { members[index].kind = kind }
  }

  mutating func require(_ key: String) {
    if !required.contains(key) { required.append(key) }
  }

  func merged(with other: ObjectDescription) -> ObjectDescription {
    var result = self
    for member in other.members { result.add(member.key, member.kind) }
    result.required = required.filter(other.required.contains)
    return result
  }
}

/// The description of an object while its reader asks for the members.
final class FieldDescriber {
  private var own = ObjectDescription()
  /// The describers of the objects that are members, or elements of arrays that are members.
  private var inner: [(key: String, isArray: Bool, describer: FieldDescriber)] = []
  /// The kind of the value itself, if a reader of single values describes it.
  private(set) var value: FieldKind?

  func add(_ key: String, _ kind: FieldKind) { own.add(key, kind) }

  func require(_ key: String) { own.require(key) }

  func addValue(_ kind: FieldKind) { value = value.map { $0.merged(with: kind) } ?? kind }

  func addObject(_ key: String, inArray isArray: Bool) -> FieldDescriber {
    let describer = FieldDescriber()
    // This keeps the place of the key among the others.
    own.add(key, isArray ? .array(of: .object(ObjectDescription())) : .object(ObjectDescription()))
    inner.append((key, isArray, describer))
    return describer
  }

  /// The description with those of the inner objects, which may be filled after they were added.
  var description: ObjectDescription {
    var result = own
    var seen: Set<String> = []
    for (key, isArray, describer) in inner {
      let object = FieldKind.object(describer.description)
      let kind = isArray ? FieldKind.array(of: object) : object
      if seen.insert(key).inserted { result.replace(key, by: kind) } else { result.add(key, kind) }
    }
    return result
  }
}
