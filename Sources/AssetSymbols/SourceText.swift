// Source text in the making: lines and how deep they stand. Knows nothing of what they say.

import Bytes

struct SourceText {
  private(set) var text = ""
  private var depth = 0

  mutating func line(_ line: String = "") {
    if !line.isEmpty { text += String(repeating: "    ", count: depth) + line }
    text += "\n"
  }

  /// A line that compilers want, or readers expect, at the margin.
  mutating func margin(_ line: String) { text += line + "\n" }

  /// Several lines at once.
  mutating func lines(_ lines: String) {
    for part in lines.split(separator: "\n", omittingEmptySubsequences: false) {
      line(String(part))
    }
  }

  /// A block in braces, with an empty line after its first and before its last.
  mutating func block(_ head: String, _ body: (inout SourceText) -> Void) {
    line(head + " {")
    line()
    depth += 1
    body(&self)
    depth -= 1
    line("}")
  }
}

/// As the contents of a string in Swift, C or Objective-C.
func escapedLiteral(_ name: ByteString) -> String { escapedLiteral(name.text) }

func escapedLiteral(_ text: String) -> String {
  var result = ""
  for scalar in text.unicodeScalars {
    switch scalar {
    case "\"": result += "\\\""
    case "\\": result += "\\\\"
    default: result.unicodeScalars.append(scalar.value < 32 ? "\u{FFFD}" : scalar)
    }
  }
  return result
}

/// As part of a comment that ends with its line.
func commentText(_ name: ByteString) -> String { commentText(name.text) }

func commentText(_ text: String) -> String {
  String(text.unicodeScalars.map { $0.value < 32 || $0.value == 127 ? "\u{FFFD}" : Character($0) })
}
