// A dependency file: one rule that make and ninja read alike, and for make an empty rule for each input. Which
// names both read as they are is decided here; names that one of them takes apart are left out.
//
//   make    ; begins a recipe, % a pattern, = a variable, * ? [ are looked up in the folder, | begins another
//           list, ~ at the start is a home folder, a name with ( that ends with ) is part of an archive, and
//           & at the end joins targets.
//   ninja   ends a name at control characters, ; * | < > ^ and `, and takes nothing away from a backslash but
//           before a blank, a number sign and a colon.

import Bytes
import Documents

struct Depfile {
  /// The inputs that it does not name, in their order.
  private(set) var leftOut: [ByteString] = []
  private(set) var bytes: [UInt8] = []

  /// `outputs` have names that both read; see `canName`.
  init(of outputs: [ByteString], on inputs: [ByteString]) {
    let named = inputs.filter { Depfile.canName($0) || Depfile.isEncoded($0) }
    leftOut = inputs.filter { !Depfile.canName($0) && !Depfile.isEncoded($0) }
    var rule = Array(outputs.map { Depfile.escaped($0) }.joined(separator: [UInt8(ascii: " ")]))
    rule.append(UInt8(ascii: ":"))
    for name in named { rule += " \\\n  ".utf8 + Depfile.escaped(name) }
    rule += "\n\n".utf8
    // The empty rules keep make going when an input is deleted. That of a pattern needs a recipe for it.
    for name in named {
      rule += Depfile.escaped(name) + (Depfile.canName(name) ? ":\n" : ": ;\n").utf8
    }
    bytes = rule
  }

  /// Says which inputs are left out; nil if all are there.
  func note(_ path: ByteString) -> String? {
    guard let first = leftOut.first else { return nil }
    return "note: \(onOneLine(path)) leaves out \(counted(leftOut.count, "file")) with a name that "
      + "make or ninja reads otherwise, such as \(quoted(first)): a change of it is not noticed"
  }

  /// Whether make and ninja read a name, as it is written here, as that name.
  static func canName(_ path: ByteString) -> Bool {
    let bytes = path.bytes
    guard let last = bytes.last, bytes.allSatisfy(isPlain) else { return false }
    for (byte, next) in zip(bytes, bytes.dropFirst())
    where byte == UInt8(ascii: "\\") && "#:$".utf8.contains(next) {
      return false
    }
    // A backslash or a blank at the end would go on with the next name.
    if "\\ :&".utf8.contains(last) { return false }
    return last != UInt8(ascii: ")") || !bytes.contains(UInt8(ascii: "("))
  }

  /// What either of them has no other meaning for, or loses it by `escaped`.
  private static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case 48...57, 65...90, 97...122, 128...255: true
    default: "+\"'&,/_:.~(){}@]!-\\ #$".utf8.contains(byte)
    }
  }

  /// Whether a name has percent signs alone that both read otherwise, each before two hexadecimal digits, as
  /// build servers name folders: then a pattern of it is that of few other files.
  private static func isEncoded(_ path: ByteString) -> Bool {
    let bytes = path.bytes
    var plain: [UInt8] = []
    for (place, byte) in bytes.enumerated() {
      guard byte == UInt8(ascii: "%") else {
        plain.append(byte)
        continue
      }
      let digits = bytes[(place + 1)...].prefix(2)
      let areDigits = digits.allSatisfy { 48...57 ~= $0 || 65...70 ~= $0 || 97...102 ~= $0 }
      guard digits.count == 2, areDigits else { return false }
    }
    return plain.count < bytes.count && canName(ByteString(bytes: plain))
  }

  /// A backslash protects blanks, number signs and colons. Others before it must be doubled, and only
  /// there.
  private static func escaped(_ path: ByteString) -> [UInt8] {
    // Both take "./" away; make would look for the home folder.
    let bytes = path.bytes
    var result: [UInt8] = bytes.first == UInt8(ascii: "~") ? Array("./".utf8) : []
    var backslashes = 0
    for byte in bytes {
      switch byte {
      case UInt8(ascii: " "), UInt8(ascii: "#"), UInt8(ascii: ":"):
        result += [UInt8](repeating: UInt8(ascii: "\\"), count: backslashes + 1)
      case UInt8(ascii: "$"): result.append(byte)
      default: break
      }
      backslashes = byte == UInt8(ascii: "\\") ? backslashes + 1 : 0
      result.append(byte)
    }
    return result
  }
}
