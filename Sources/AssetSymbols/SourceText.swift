// Builds source text: lines and their indentation.

import Bytes
import Documents

struct SourceText {
  private(set) var text = ""
  private var depth = 0

  mutating func line(_ line: String = "") {
    if !line.isEmpty { text += String(repeating: "    ", count: depth) + line }
    text += "\n"
  }

  /// Adds a line that compilers or readers expect without indentation.
  mutating func margin(_ line: String) { text += line + "\n" }

  /// Adds several lines at once.
  mutating func lines(_ lines: String) {
    for part in lines.split(separator: "\n", omittingEmptySubsequences: false) {
      line(String(part))
    }
  }

  /// Adds a block in braces, with an empty line after its first line and before its last.
  mutating func block(_ head: String, _ body: (inout SourceText) -> Void) {
    line(head + " {")
    line()
    depth += 1
    body(&self)
    depth -= 1
    line("}")
  }
}

/// Returns a name as the contents of a string of Swift, which is the name again for the compiler.
func swiftLiteral(_ name: ByteString) -> String { swiftLiteral(name.text) }

func swiftLiteral(_ text: String) -> String {
  literal(text) { "\\u{\(String($0.value, radix: 16))}" }
}

/// Returns a name as the contents of a string of C or Objective-C, which is the name again for the
/// compiler.
func cLiteral(_ name: ByteString) -> String { cLiteral(name.text) }

func cLiteral(_ text: String) -> String {
  // Octal numbers end after three digits; hexadecimal ones would take the digits that follow.
  literal(text, splitsTrigraphs: true) { scalar in
    String(scalar).utf8.map { byte in
      let digits = String(byte, radix: 8)
      return "\\" + String(repeating: "0", count: 3 - digits.count) + digits
    }.joined()
  }
}

private func literal(
  _ text: String, splitsTrigraphs: Bool = false, _ number: (Unicode.Scalar) -> String
) -> String {
  var result = ""
  for scalar in text.unicodeScalars {
    switch scalar {
    case "\"": result += "\\\""
    case "\\": result += "\\\\"
    case "?" where splitsTrigraphs && result.utf8.last == UInt8(ascii: "?"): result += "\\?"
    // Compilers refuse some of these in source, or pass over them.
    case "\u{FEFF}", "\u{FFFE}", "\u{FFFF}": result += number(scalar)
    default: result += isControl(scalar) ? number(scalar) : String(scalar)
    }
  }
  return result
}

/// Returns a text as part of a comment that ends with its line.
func commentText(_ name: ByteString) -> String { onOneLine(name.text) }

func commentText(_ text: String) -> String { onOneLine(text) }
