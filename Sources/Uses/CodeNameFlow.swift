// Follows names that calls take by an identifier or by a key of a dictionary, and notes the
// identifiers and keys that are given a string literal.

import Bytes

extension CodeScanner {
  /// Notes an identifier by which a call may take a name, or which is a key.
  mutating func noteDynamicName(_ key: UInt64, _ start: Int) {
    let top = brackets.count - 1
    let isSubscript = brackets[top].isSubscript
    let isName =
      brackets[top].isName
      && (brackets[top].byte == UInt8(ascii: "(") || brackets[top].label.isEmpty)
    guard isSubscript || isName || brackets[top].isNaming, !isGenerated else { return }
    if Words.transforms.contains(key) || Words.keywords[key] == .other { return }
    if isSubscript {
      brackets[top].key = DynamicName(identifier: key, kind: .keyConstant, offset: start)
      return
    }
    let name = DynamicName(identifier: key, kind: .identifier, offset: start)
    if brackets[top].dynamic.count < CodeScanner.mostNames {
      brackets[top].dynamic.append(name)
    } else {
      found.add(name)
    }
  }

  /// The greatest number of identifiers that are kept for one argument.
  static let mostNames = 16

  /// Notes the key of a value in a dictionary, if a call takes the value as a name, or if the value
  /// is given to an argument, a variable or a function. `parent` is the bracket around that of the
  /// key.
  mutating func noteKeyedName(_ key: DynamicName, below parent: Int) {
    if isGenerated || parent < 0 { return }
    if brackets[parent].isName || brackets[parent].isNaming { return found.add(key) }
    var index = parent
    while index > 0, parent - index < 16, isGroup(brackets[index]) { index -= 1 }
    let bracket = brackets[index]
    var targets: Set<UInt64> = []
    if !bracket.label.isEmpty {
      targets = [bracket.labelKey, propertyOfSetter(rebased(bytes, bracket.label))]
    }
    if bracket.byte == UInt8(ascii: "{") || bracket.byte == 0 {
      targets.formUnion([assignedKey, declarations.lastKey])
      for bracket in brackets[...index].suffix(16) { targets.insert(bracket.owner) }
    }
    for target in targets where target != emptyHash {
      found.keyed.insert(KeyedName(identifier: target, key: key.identifier, kind: key.kind))
    }
  }

  /// Returns whether a bracket has the value of the expression in it.
  func isGroup(_ bracket: OpenBracket) -> Bool {
    guard bracket.byte != UInt8(ascii: "{"), bracket.label.isEmpty else { return false }
    return !bracket.isCall || Words.transforms.contains(bracket.calleeKey)
      || language == .c && bracket.byte == UInt8(ascii: "[")
  }

  // MARK: String literals

  /// Notes that an identifier, a label or a key is given a string literal, and which call takes it.
  mutating func noteReceiver(of literal: inout StringLiteral) {
    let bracket = brackets[brackets.count - 1]
    literal.isFirst = last == .open
    switch last {
    case .colon:
      found.given.insert(bracket.labelKey)
      found.given.insert(lastKey)
      if let keyBeforeColon { found.givenKeys.insert(keyBeforeColon) }
    case .equals:
      found.given.insert(lastKey)
      found.given.insert(declarations.lastKey)
      literal.constants = [lastKey, declarations.lastKey]
    case .open: found.given.insert(bracket.calleeKey)
    case .identifier where isInMacro: literal.constants = [lastKey]
    default: break
    }
    let (callee, label) = (bracket.calleeKey, bracket.labelKey)
    let isCall = bracket.byte != UInt8(ascii: "{") && (last == .open || last == .colon)
    // In C++ and in other languages, `Image("a")` and `Color("a")` are no calls of the systems.
    if isCall, language == .swift || language == .c && label != emptyHash {
      literal.kind = Words.calls[CallName(callee: callee, label: label)]
      if callee == Words.imageName, label == emptyHash, bracket.qualifier.count <= 16,
        hash(of: bytes[bracket.qualifier]) == Words.imageClass
      {
        literal.kind = .image
      }
    }
    literal.isAdded = Words.additions.contains(callee) || Words.additions.contains(label)
    brackets[brackets.count - 1].hasLiteral = true
    if isGenerated { literal.kind = nil }
  }

  /// Notes a string literal that is a key, as in `item["icon"]`, `value(forKey: "icon")` and
  /// `[item objectForKey:@"icon"]`.
  mutating func noteKeyLiteral(_ literal: StringLiteral) {
    lastLiteral = hash(of: literal.current)
    for constant in literal.constants where constant != emptyHash {
      found.constants.insert(NameAlias(identifier: constant, name: lastLiteral))
    }
    let top = brackets.count - 1
    let label = rebased(bytes, brackets[top].label)
    let isPath = label.suffix(7).elementsEqual("KeyPath".utf8)
    let isKey = isPath || label.suffix(3).elementsEqual("Key".utf8)
    guard top > 0, isKey || brackets[top].isSubscript && literal.isFirst else { return }
    if Words.writers.contains(brackets[top].calleeKey) { return }
    let dot = isPath ? literal.current.lastIndex(of: UInt8(ascii: ".")) : nil
    let key = hash(of: literal.current[(dot.map { $0 + 1 } ?? 0)...])
    noteKeyedName(DynamicName(identifier: key, kind: .key, offset: literal.start), below: top - 1)
  }
}
