// The words of source that mean something to the scanner: calls that take names, owners of
// generated symbols, keywords.

import Bytes

/// A function with the label of one of its arguments, as hashes.
struct CallName: Hashable, Sendable {
  var callee: UInt64
  var label: UInt64
}

enum Words {
  enum Keyword { case value, type, cases, function, decoding, other }

  private static func key(_ word: String) -> UInt64 { hash(of: word.utf8) }

  private static func keys(_ words: String) -> Set<UInt64> {
    Set(words.split(separator: " ").map { key(String($0)) })
  }

  static let main = key("main")
  static let nothing = key("nil")
  static let module = key("module")
  static let imageName = key("Name")
  static let imageClass = key("NSImage")
  static let imageResource = key("ImageResource")
  static let colorResource = key("ColorResource")
  static let openMembers = key("dynamicMemberLookup")
  static let selectorText = key("NSStringFromSelector")
  static let image = key("image")
  static let color = key("color")

  static let keywords: [UInt64: Keyword] = {
    let words: [(Keyword, String)] = [
      (.value, "let var func"),
      (.type, "class struct enum actor protocol extension typealias interface implementation"),
      (.cases, "case"), (.function, "function"),
      (
        .decoding,
        "Decodable Codable NSManaged Mappable NSManagedObject JSONDecoder Model Unboxable JSON"
      ),
      (.other, "return in else is as where throw try await if guard while switch yield some any"),
    ]
    var result: [UInt64: Keyword] = [:]
    for (keyword, list) in words { for word in keys(list) { result[word] = keyword } }
    return result
  }()

  /// Calls that take the name of an asset, with the label of the name.
  static let calls: [CallName: NameKind] = {
    let rows: [(NameKind, String, String)] = [
      (.image, "UIImage NSImage", "named imageNamed imageLiteralResourceName"),
      (.image, "Image", " decorative"), (.image, "Label", "image"),
      (.image, "imageLiteral", "resourceName"),
      (.image, "SKTexture SKSpriteNode", "imageNamed"),
      (.color, "UIColor NSColor", "named colorNamed"), (.color, "Color", ""),
      (.data, "NSDataAsset", "name"),
    ]
    var result: [CallName: NameKind] = [:]
    for (kind, callees, labels) in rows {
      for callee in callees.split(separator: " ") {
        for label in labels.split(separator: " ", omittingEmptySubsequences: false) {
          result[CallName(callee: key(String(callee)), label: key(String(label)))] = kind
        }
      }
    }
    return result
  }()

  static let callees = Set(calls.keys.map(\.callee))

  /// Calls that take nothing but generated symbols after a dot.
  static let symbolCalls: [CallName: NameKind] = [
    CallName(callee: key("UIImage"), label: key("resource")): .image,
    CallName(callee: key("NSImage"), label: key("resource")): .image,
    CallName(callee: key("UIColor"), label: key("resource")): .color,
    CallName(callee: key("NSColor"), label: key("resource")): .color,
    CallName(callee: key("Image"), label: emptyHash): .image,
  ]

  /// Labels of arguments that name a bundle.
  static let bundles = keys("bundle in inBundle")

  /// Functions that add their argument to another string.
  static let additions = keys(
    "append appending appendingFormat stringByAppendingString stringByAppendingFormat appendString"
      + " appendFormat appendingPathComponent stringByAppendingPathComponent concat")

  /// Members that change a name and do not say where it comes from.
  static let transforms = keys(
    "rawValue lowercased uppercased capitalized description self String init localizedLowercase"
      + " Name")

  /// The beginnings of the functions that divide a string into names.
  static let divisions: [[UInt8]] = ["split", "components", "lines", "tokens"].map {
    Array(($0 as String).utf8)
  }

  /// Functions that give a value to a key.
  static let writers = keys("set setValue encode updateValue")

  /// Types and members whose members are generated symbols.
  static let owners = keys(
    "ImageResource ColorResource UIImage UIColor NSImage NSColor Image Color image color images"
      + " colors Asset Assets AssetID Data Symbol Icon data symbol Images Colors")

  /// Lists of all assets in source that SwiftGen generates.
  static let lists = keys("allImages allColors allDataAssets allSymbols allAssets")

  /// Members that every type has.
  static let general = keys("init self Type none some")

  static let constantParts: [[UInt8]] = ["_IMAGE_", "_COLOR_", "_DATA_", "_SYMBOL_", "_ICON_"].map {
    Array(($0 as String).utf8)
  }
}

/// Returns the kind of the asset whose name a call takes in an argument; nil if it takes no name
/// there.
package func kindOfName(in callee: String, label: String) -> NameKind? {
  Words.calls[CallName(callee: hash(of: callee.utf8), label: hash(of: label.utf8))]
}

/// Returns whether a source was generated from catalogues: its constants name every asset.
func isGeneratedSource(_ bytes: SourceBytes) -> Bool {
  let head = String(decoding: rebased(bytes, 0..<min(bytes.count, 1024)), as: UTF8.self)
  let marks = [
    "Generated using SwiftGen", "This is a generated file, do not edit!", "R.generated.swift",
    "Written by 'carve symbols'", "GeneratedAssetSymbols", "Generated by SwiftGen",
  ]
  return marks.contains { head.utf8.count >= $0.utf8.count && contains(head, $0) }
}

private func contains(_ text: String, _ part: String) -> Bool {
  let (text, part) = (Array(text.utf8), Array(part.utf8))
  guard text.count >= part.count else { return false }
  return (0...(text.count - part.count)).contains { text[$0...].starts(with: part) }
}

/// Returns whether the code after a string literal divides it, as in `"a b".split(separator: " ")`.
func isDivided(_ rest: SourceBytes, _ language: CodeLanguage) -> Bool {
  let isMember = rest.first == UInt8(ascii: ".")
  guard isMember || language == .c else { return false }
  let function = rest.dropFirst(isMember ? 1 : 0)
  return Words.divisions.contains { function.starts(with: $0) }
}

/// Returns the hash of "icon" for "setIcon"; that of no bytes for other labels.
func propertyOfSetter(_ label: SourceBytes) -> UInt64 {
  guard (4...TextLookup.longestName).contains(label.count), label.starts(with: "set".utf8) else {
    return emptyHash
  }
  let property: [UInt8] = [lowercased(label[3])] + label.dropFirst(4)
  return hash(of: property)
}
