// The words of an asset's name, and the identifiers made of them, by the rules of Xcode.
// SymbolTree.swift decides which asset gets an identifier that several ask for.

import Bytes

/// A name divided into words: at every character that is not a letter or digit, between letters and
/// digits, and before a capital that begins a word. "TLSold-icon20" is TL, Sold, icon, 20.
struct SymbolWords {
  private(set) var words: [String] = []

  init(_ name: ByteString) {
    let characters = Array(name.text)
    var word = ""
    for (index, character) in characters.enumerated() {
      let kind = Kind(character)
      if let last = word.last, kind == .other || SymbolWords.breaks(last, characters, index) {
        words.append(word)
        word = ""
      }
      if kind != .other { word.append(character) }
    }
    if !word.isEmpty { words.append(word) }
  }

  private enum Kind {
    case upper, lower, digit, other

    init(_ character: Character) {
      self =
        character.isNumber
        ? character.isASCII ? .digit : .other
        : !character.isLetter ? .other : character.isUppercase ? .upper : .lower
    }
  }

  /// Returns whether a word ends between two characters that both belong to words.
  private static func breaks(_ last: Character, _ all: [Character], _ index: Int) -> Bool {
    let (before, after) = (Kind(last), Kind(all[index]))
    if (before == .digit) != (after == .digit) { return true }
    if before == .lower, after == .upper { return true }
    // The last of several capitals belongs to the next word.
    let next = index + 1 < all.count ? Kind(all[index + 1]) : .other
    return before == .upper && after == .upper && next == .lower
  }

  /// The words without a last word that names the kind of the asset.
  var withoutType: SymbolWords {
    var copy = self
    if words.count > 1, let last = words.last?.lowercased(), last == "image" || last == "color" {
      copy.words.removeLast()
    }
    return copy
  }

  /// The identifier "cardNumber"; empty if the name has no words.
  var lowerCamel: String {
    guard let first = words.first else { return "" }
    if isWithoutLowercase { return SymbolWords.identifier(words.joined(separator: "_")) }
    return SymbolWords.identifier(first.lowercased() + SymbolWords.capitalized(words.dropFirst()))
  }

  /// The identifier "CardNumber".
  var upperCamel: String { SymbolWords.identifier(SymbolWords.capitalized(words[...])) }

  /// The same as the end of an identifier, in which a digit may come first.
  var camelEnding: String { SymbolWords.capitalized(words[...]) }

  /// The identifier "CARD_NUMBER", as the end of a C identifier.
  var constant: String { words.map { $0.uppercased() }.joined(separator: "_") }

  private var isWithoutLowercase: Bool {
    !words.contains { word in word.contains { Kind($0) == .lower } }
  }

  private static func capitalized(_ words: ArraySlice<String>) -> String {
    words.map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
  }

  private static func identifier(_ text: String) -> String {
    text.first.map { $0.isNumber } ?? false ? "_" + text : text
  }
}

/// Returns an identifier as Swift source writes it, with backquotes if it is a keyword.
func swiftName(_ identifier: String) -> String {
  swiftKeywords.contains(identifier) ? "`\(identifier)`" : identifier
}

/// The words that Swift reserves in declarations and expressions.
private let swiftKeywords: Set = [
  "Any", "Protocol", "Self", "Type", "as", "associatedtype", "break", "case", "catch", "class",
  "continue", "default", "defer", "deinit", "do", "else", "enum", "extension", "fallthrough",
  "false", "fileprivate", "for", "func", "guard", "if", "import", "in", "init", "inout", "internal",
  "is", "let", "nil", "operator", "precedencegroup", "private", "protocol", "public", "repeat",
  "rethrows", "return", "self", "static", "struct", "subscript", "super", "switch", "throw",
  "throws", "true", "try", "typealias", "var", "where", "while",
]
