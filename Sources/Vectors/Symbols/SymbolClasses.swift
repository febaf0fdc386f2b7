// The classes with which an SVG assigns an outline to layers, such as "hierarchical-1:secondary",
// "multicolor-0:tintColor" and "monochrome-2", and the rules of the style sheet for these classes.

/// The rule of a style sheet for one layer class.
struct SymbolRule {
  /// The name of the class, without the leading full stop.
  var name: ByteRange
  /// The text between the braces.
  var body: ByteRange
  var clearsBehind = false
  var opacity = 1.0
  var color: Color?
}

/// The rules for layer classes. Their selectors contain colons and are not valid CSS, so they are
/// read here.
struct SymbolRules {
  private(set) var rules: [SymbolRule] = []
  private let bytes: UnsafeBufferPointer<UInt8>

  private static let most = 1_000

  init(_ styles: [ByteRange], _ bytes: UnsafeBufferPointer<UInt8>) {
    self.bytes = bytes
    for style in styles {
      var scanner = Scanner(bytes, style)
      while !scanner.isAtEnd, rules.count < SymbolRules.most {
        let selector = scanner.readUntil { $0 == UInt8(ascii: "{") }
        guard scanner.read("{") else { break }
        let body = scanner.readUntil { $0 == UInt8(ascii: "}") }
        _ = scanner.read("}")
        add(selector, body)
      }
    }
  }

  private mutating func add(_ selector: ByteRange, _ body: ByteRange) {
    var scanner = Scanner(bytes, selector)
    scanner.skipSpace()
    guard scanner.read(".") else { return }
    let name = scanner.readUntil { $0 <= 32 || $0 == UInt8(ascii: ",") }
    guard !name.isEmpty else { return }
    var rule = SymbolRule(name: name, body: body)
    var declarations = Scanner(bytes, body)
    while !declarations.isAtEnd {
      declarations.skipSpace()
      let key = declarations.readUntil { $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: ";") }
      if declarations.read(":") {
        declarations.skipSpace()
        read(key, &declarations, to: &rule)
        _ = declarations.readUntil { $0 == UInt8(ascii: ";") }
      }
      guard declarations.read(";") else { break }
    }
    rules.append(rule)
  }

  private func read(_ key: ByteRange, _ value: inout Scanner, to rule: inout SymbolRule) {
    if bytes.holds("-sfsymbols-clear-behind", at: key) {
      rule.clearsBehind = value.readWord("true")
    } else if bytes.holds("opacity", at: key) {
      rule.opacity = value.readNumber().map { max(0, min($0, 1)) } ?? 1
    } else if bytes.holds("fill", at: key) {
      rule.color = value.readColor()?.color
    }
  }

  /// Returns the rule for a class. If there are several, the last one counts.
  func rule(_ name: ByteRange) -> SymbolRule? { rules.last { same($0.name, name, bytes) } }

  /// Returns the layer that a class means; nil if it is not a layer class.
  func layer(_ name: ByteRange, painted color: Color?) -> SymbolLayer? {
    var scanner = Scanner(bytes, name)
    guard let mode = scanner.readMode(), scanner.readNumber() != nil else { return nil }
    var layer = SymbolLayer(mode: mode)
    if let rule = rule(name) {
      layer.clearsBehind = rule.clearsBehind
      layer.opacity = rule.opacity
      if let color = rule.color, mode == .multicolor { layer.ink = .color(color) }
    }
    guard scanner.read(":") else { return layer }
    let role = scanner.rest
    switch mode {
    case .monochrome: break
    case .hierarchical: layer.ink = .tint(share(of: role))
    case .multicolor:
      if let ink = SystemInk.allCases.first(where: { bytes.holds($0.name, at: role) }) {
        layer.ink = .system(ink)
      } else if layer.ink == .tint(1), !bytes.holds("tintColor", at: role), let color {
        layer.ink = .color(color)
      }
    }
    return layer
  }

  /// Returns the share of the tint that a level of the hierarchy shows.
  private func share(of role: ByteRange) -> Double {
    if bytes.holds("secondary", at: role) { return 0.5 }
    if bytes.holds("tertiary", at: role) { return 0.25 }
    return 1
  }
}

extension Scanner {
  fileprivate mutating func readMode() -> SymbolMode? {
    if readStart("monochrome-") { return .monochrome }
    if readStart("hierarchical-") { return .hierarchical }
    return readStart("multicolor-") ? .multicolor : nil
  }

  private mutating func readStart(_ word: StaticString) -> Bool {
    var probe = self
    for i in 0..<word.utf8CodeUnitCount {
      guard probe.next == word.utf8Start[i] else { return false }
      probe.advance()
    }
    self = probe
    return true
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// Returns whether a range of the text is equal to a word.
  func holds(_ word: StaticString, at range: ByteRange) -> Bool {
    guard range.range.count == word.utf8CodeUnitCount else { return false }
    for i in 0..<range.range.count where self[Int(range.start) + i] != word.utf8Start[i] {
      return false
    }
    return true
  }
}
