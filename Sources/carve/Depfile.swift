// A dependency file: one rule that make and ninja read alike, and for make an empty rule for each input. Which
// names both read as they are is decided here; names that one of them takes apart are left out.
//
//   make    ; begins a recipe, % a pattern, = a variable, * ? [ are looked up in the folder, | begins another
//           list, ~ at the start is a home folder, a name with ( that ends with ) is part of an archive, and
//           & at the end joins targets.
//   ninja   ends a name at control characters, ; * | < > ^ and `, and takes nothing away from a backslash but
//           before a blank, a number sign and a colon.

import Documents

struct Depfile {
  /// The inputs that it does not name, in their order.
  private(set) var leftOut: [String] = []
  private(set) var bytes: [UInt8] = []

  /// `outputs` have names that both read; see `canName`.
  init(of outputs: [String], on inputs: [String]) {
    let named = inputs.filter { Depfile.canName($0) || Depfile.isEncoded($0) }
    leftOut = inputs.filter { !Depfile.canName($0) && !Depfile.isEncoded($0) }
    var rule = outputs.map { Depfile.escaped($0) }.joined(separator: " ") + ":"
    rule += named.map { " \\\n  " + Depfile.escaped($0) }.joined() + "\n\n"
    // The empty rules keep make going when an input is deleted. That of a pattern needs a recipe for it.
    for name in named {
      rule += Depfile.escaped(name) + (Depfile.canName(name) ? ":\n" : ": ;\n")
    }
    bytes = Array(rule.utf8)
  }

  /// Says which inputs are left out; nil if all are there.
  func note(_ path: String) -> String? {
    guard let first = leftOut.first else { return nil }
    return "note: \(onOneLine(path)) leaves out \(counted(leftOut.count, "file")) with a name that "
      + "make or ninja reads otherwise, such as \(quoted(first)): a change of it is not noticed"
  }

  /// Whether make and ninja read a name, as it is written here, as that name.
  static func canName(_ path: String) -> Bool {
    let bytes = Array(path.utf8)
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
  private static func isEncoded(_ path: String) -> Bool {
    let bytes = Array(path.utf8)
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
    return plain.count < bytes.count && canName(String(decoding: plain, as: UTF8.self))
  }

  /// A backslash protects blanks, number signs and colons. Others before it must be doubled, and only
  /// there.
  private static func escaped(_ path: String) -> String {
    // Both take "./" away; make would look for the home folder.
    var result = path.utf8.first == UInt8(ascii: "~") ? "./" : ""
    var backslashes = 0
    for scalar in path.unicodeScalars {
      switch scalar {
      case " ", "#", ":": result += String(repeating: "\\", count: backslashes + 1)
      case "$": result += "$"
      default: break
      }
      backslashes = scalar == "\\" ? backslashes + 1 : 0
      result.unicodeScalars.append(scalar)
    }
    return result
  }
}
