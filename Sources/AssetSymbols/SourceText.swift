// Builds source text: lines and their indentation.

import Bytes

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

/// Escapes a text for a string literal in Swift, C or Objective-C.
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

/// Replaces characters that would end a comment of one line.
func commentText(_ name: ByteString) -> String { commentText(name.text) }

func commentText(_ text: String) -> String {
  String(text.unicodeScalars.map { $0.value < 32 || $0.value == 127 ? "\u{FFFD}" : Character($0) })
}
