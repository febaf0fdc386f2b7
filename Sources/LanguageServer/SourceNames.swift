// The names of assets in Swift and Objective-C sources: strings in calls that take the name of an
// asset, and the constants that Xcode makes. A source is read as text, line by line, because it may
// be half typed.

import Bytes
import Uses

/// A name of an asset in a source.
struct SourceName: Sendable, Hashable {
  enum Name: Sendable, Hashable {
    /// The name of the asset in a string.
    case text(ByteString)
    /// The identifiers of a constant in Swift, without the type before them.
    case swift([String])
    /// A constant in Objective-C.
    case constant(String)
  }

  /// The kinds of assets that a call takes.
  enum Kind: Sendable, Hashable { case image, color, data }

  var name: Name
  /// The kind of the asset; nil if the source does not say.
  var kind: Kind?
  /// The place of the name: the string without its quotes, or the identifiers.
  var range: Range<Int>
}

enum SourceLanguage: Sendable {
  case swift, objectiveC

  /// Returns nil for a file that is no source in these languages.
  init?(_ path: ByteString) {
    switch pathExtension(path) {
    case "swift": self = .swift
    case "m", "mm", "h": self = .objectiveC
    default: return nil
    }
  }
}

/// The calls and types that take assets.
private let kinds: [String: SourceName.Kind] = [
  "Image": .image, "UIImage": .image, "NSImage": .image, "ImageResource": .image,
  "imageNamed": .image, "Color": .color, "UIColor": .color, "NSColor": .color,
  "ColorResource": .color, "colorNamed": .color, "NSDataAsset": .data,
]

/// The labels of arguments that are names of assets.
private let nameLabels: Set = ["named", "name", "imageNamed", "colorNamed", "initWithName"]

/// Labels after which a string is no name of an asset.
private let otherLabels: Set = ["systemName", "systemImage", "systemSymbolName"]

/// The longest line that is read. Longer lines are written by programs.
private let longestLine = 4096

/// Returns the use of an asset at a byte of a source; nil if no asset is used there.
func assetUse(at offset: Int, in bytes: [UInt8], _ language: SourceLanguage) -> SourceName? {
  guard offset <= bytes.count else { return nil }
  var start = offset
  while start > 0, bytes[start - 1] != 10, offset - start < longestLine { start -= 1 }
  var end = offset
  while end < bytes.count, bytes[end] != 10, end - offset < longestLine { end += 1 }
  return assetUses(in: start..<end, of: bytes, language)
    .first { ($0.range.lowerBound...$0.range.upperBound).contains(offset) }
}

/// Returns the uses of assets in a whole source.
func assetUses(in bytes: [UInt8], _ language: SourceLanguage) -> [SourceName] {
  var uses: [SourceName] = []
  var start = 0
  while start < bytes.count {
    let end = bytes[start...].firstIndex(of: 10) ?? bytes.count
    if end - start <= longestLine { uses += assetUses(in: start..<end, of: bytes, language) }
    start = end + 1
  }
  return uses
}

/// Returns the uses of assets in one line.
private func assetUses(
  in line: Range<Int>, of bytes: [UInt8], _ language: SourceLanguage
) -> [SourceName] {
  var scanner = LineScanner(bytes: bytes, line: line, language: language)
  return scanner.uses()
}

private struct LineScanner {
  let bytes: [UInt8]
  let line: Range<Int>
  let language: SourceLanguage
  private var position: Int
  /// The identifiers before the position that belong to the innermost open bracket, such as the
  /// name of a call. The last one is that of the innermost bracket.
  private var calls: [String] = []
  /// The identifier before the position, with the marks between them left out.
  private var last = ""
  /// The label of the argument at the position; empty if it has no label.
  private var label = ""
  private var found: [SourceName] = []

  init(bytes: [UInt8], line: Range<Int>, language: SourceLanguage) {
    (self.bytes, self.line, self.language) = (bytes, line, language)
    position = line.lowerBound
  }

  mutating func uses() -> [SourceName] {
    while position < line.upperBound {
      let byte = bytes[position]
      switch byte {
      case UInt8(ascii: "/") where at(position + 1) == UInt8(ascii: "/"): return found
      case UInt8(ascii: "\""): readString()
      case UInt8(ascii: "("), UInt8(ascii: "["):
        calls.append(last)
        (last, label) = ("", "")
        position += 1
      case UInt8(ascii: ")"), UInt8(ascii: "]"):
        _ = calls.popLast()
        (last, label) = ("", "")
        position += 1
      case UInt8(ascii: ":"):
        (label, last) = (last, "")
        position += 1
      case UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "="):
        (last, label) = ("", "")
        position += 1
      case UInt8(ascii: ".") where isStart(at(position + 1)): readChain()
      case _ where isStart(byte): readChain()
      default: position += 1
      }
    }
    return found
  }

  private func at(_ offset: Int) -> UInt8 { offset < line.upperBound ? bytes[offset] : 0 }

  private func isStart(_ byte: UInt8) -> Bool {
    isPart(byte) && !(48...57).contains(byte) || byte == UInt8(ascii: "`")
  }

  private func isPart(_ byte: UInt8) -> Bool {
    (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte)
      || byte == UInt8(ascii: "_") || byte >= 0x80
  }

  // MARK: Strings

  private mutating func readString() {
    let start = position + 1
    var end = start
    var isPlain = true
    while end < line.upperBound, bytes[end] != UInt8(ascii: "\"") {
      if bytes[end] == UInt8(ascii: "\\") {
        isPlain = false
        end += 1
      }
      end += 1
    }
    end = min(end, line.upperBound)
    position = min(end + 1, line.upperBound)
    // A string over several lines is text for people.
    guard isPlain, end < line.upperBound, end > start, let kind = kindOfName else { return }
    found.append(
      SourceName(
        name: .text(ByteString(bytes: Array(bytes[start..<end]))), kind: kind.kind,
        range: start..<end))
  }

  /// The kind of asset of which a string at the position is the name; nil if it is no such name.
  private var kindOfName: (kind: SourceName.Kind?, isNamed: Bool)? {
    if otherLabels.contains(label) { return nil }
    if let kind = kinds[label] { return (kind, true) }
    if let kind = Uses.kindOfName(in: calls.last ?? "", label: label) { return (kind.use, true) }
    if let kind = kinds[calls.last ?? ""], label.isEmpty || nameLabels.contains(label) {
      return (kind, true)
    }
    // The call may begin on the line above.
    if calls.isEmpty, label == "named" { return (nil, true) }
    return nil
  }

  // MARK: Identifiers

  /// Reads identifiers that are joined by dots.
  private mutating func readChain() {
    var parts: [(text: String, range: Range<Int>)] = []
    let isMember = bytes[position] == UInt8(ascii: ".")
    if isMember { position += 1 }
    while isStart(at(position)) {
      var start = position
      var end = position
      if bytes[start] == UInt8(ascii: "`") {
        start += 1
        end += 1
        while isPart(at(end)) { end += 1 }
        position = at(end) == UInt8(ascii: "`") ? end + 1 : end
      } else {
        while isPart(at(end)) { end += 1 }
        position = end
      }
      parts.append((String(decoding: bytes[start..<end], as: UTF8.self), start..<end))
      guard at(position) == UInt8(ascii: "."), isStart(at(position + 1)) else { break }
      position += 1
    }
    guard let final = parts.last, let first = parts.first else { return }
    let isCall = at(position) == UInt8(ascii: "(")
    defer { last = final.text }
    if language == .objectiveC {
      note(constant: final)
      return
    }
    // A call at the end is a method of the asset's type.
    var names = parts
    if isCall { names.removeLast() }
    if isMember {
      guard !names.isEmpty else { return }
      note(names, kind: kinds[calls.last ?? ""])
    } else if let kind = kinds[first.text], names.count > 1 {
      note(Array(names.dropFirst()), kind: kind)
    }
  }

  private mutating func note(
    _ names: [(text: String, range: Range<Int>)], kind: SourceName.Kind?
  ) {
    guard let first = names.first, let last = names.last else { return }
    found.append(
      SourceName(
        name: .swift(names.map(\.text)), kind: kind,
        range: first.range.lowerBound..<last.range.upperBound))
  }

  private mutating func note(constant: (text: String, range: Range<Int>)) {
    let kind: SourceName.Kind
    if constant.text.hasPrefix("ACImageName") {
      kind = .image
    } else if constant.text.hasPrefix("ACColorName") {
      kind = .color
    } else {
      return
    }
    found.append(SourceName(name: .constant(constant.text), kind: kind, range: constant.range))
  }
}
