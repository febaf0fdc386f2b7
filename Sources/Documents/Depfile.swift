// A dependency file: one rule that make and ninja read in the same way and, for make, an empty rule
// for each input. This file decides which names both programs read unchanged; names that one of
// them would change or divide are left out.
//
//   make    ; begins a recipe, % a pattern, = a variable, * ? [ are looked up in the folder,
//           | begins another list, ~ at the start is a home folder, a name with ( that ends with )
//           is a member of an ar archive, and & at the end joins targets.
//   ninja   ends a name at control characters, ; * | < > ^ and `, and keeps every backslash
//           unless it is followed by a blank, a number sign or a colon. Before version 1.13, it
//           also ends a name at " ' & and then builds again each time; such names are not left
//           out, because without them make would not notice a change.

import Bytes

package struct Depfile {
  /// The inputs that the file does not name, in their order.
  package private(set) var leftOut: [ByteString] = []
  package private(set) var bytes: [UInt8] = []

  /// Makes the rules. Make and ninja must both be able to read the names of `outputs`; see
  /// `canName`.
  package init(of outputs: [ByteString], on inputs: [ByteString]) {
    let named = inputs.filter { Depfile.canName($0) || Depfile.isEncoded($0) }
    leftOut = inputs.filter { !Depfile.canName($0) && !Depfile.isEncoded($0) }
    var rule = Array(outputs.map { Depfile.escaped($0) }.joined(separator: [UInt8(ascii: " ")]))
    rule.append(UInt8(ascii: ":"))
    for name in named { rule += " \\\n  ".utf8 + Depfile.escaped(name) }
    rule += "\n\n".utf8
    // With the empty rules, make continues if an input is deleted. The empty rule of a pattern
    // needs an empty recipe.
    for name in named {
      rule += Depfile.escaped(name) + (Depfile.canName(name) ? ":\n" : ": ;\n").utf8
    }
    bytes = rule
  }

  /// Returns a note about the inputs that are left out; nil if all are named.
  package func note(_ path: ByteString) -> String? {
    guard let first = leftOut.first else { return nil }
    return
      "note: \(onOneLine(path)) leaves out \(counted(leftOut.count, "file")) with a name that "
      + "make or ninja would misread, such as \(quoted(first)): changes of such files are not "
      + "noticed"
  }

  /// Returns whether both make and ninja read a name, as this file writes it, as that name.
  package static func canName(_ path: ByteString) -> Bool {
    let bytes = path.bytes
    guard let last = bytes.last, bytes.allSatisfy(isPlain) else { return false }
    for (byte, next) in zip(bytes, bytes.dropFirst())
    where byte == UInt8(ascii: "\\") && "#:$".utf8.contains(next) {
      return false
    }
    // A backslash or a blank at the end would join the name with the next one.
    if "\\ :&".utf8.contains(last) { return false }
    return last != UInt8(ascii: ")") || !bytes.contains(UInt8(ascii: "("))
  }

  /// Returns whether a byte has no special meaning for make or ninja, or loses it by `escaped`.
  private static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case 48...57, 65...90, 97...122, 128...255: true
    default: "+\"'&,/_:.~(){}@]!-\\ #$".utf8.contains(byte)
    }
  }

  /// Returns whether percent signs are the only characters that make and ninja read differently,
  /// and two hexadecimal digits follow each, as in the folder names of build servers. Make reads
  /// such a name as a pattern, but few other files match it.
  private static func isEncoded(_ path: ByteString) -> Bool {
    let bytes = path.bytes
    var plain: [UInt8] = []
    for (index, byte) in bytes.enumerated() {
      guard byte == UInt8(ascii: "%") else {
        plain.append(byte)
        continue
      }
      let digits = bytes[(index + 1)...].prefix(2)
      let areDigits = digits.allSatisfy { 48...57 ~= $0 || 65...70 ~= $0 || 97...102 ~= $0 }
      guard digits.count == 2, areDigits else { return false }
    }
    return plain.count < bytes.count && canName(ByteString(bytes: plain))
  }

  /// Returns a name with a backslash before each blank, number sign and colon. Backslashes directly
  /// before such a character are doubled; all others are not.
  private static func escaped(_ path: ByteString) -> [UInt8] {
    // Both programs remove "./"; without it, make would look for a home folder.
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
