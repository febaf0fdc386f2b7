// Divides a command of a shell or of a build log into words. Expands nothing.

package struct ShellWords {
  /// The commands of the text, in order.
  package private(set) var commands: [[String]] = []

  package init(_ text: some StringProtocol) {
    var rest = Array(text.unicodeScalars)[...]
    var word: String.UnicodeScalarView?
    var commands: [[String]] = [[]]
    func finish() {
      if let word { commands[commands.count - 1].append(String(word)) }
      word = nil
    }
    while let scalar = rest.popFirst() {
      switch scalar {
      case " ", "\t", "\n", "\r": finish()
      case "'":
        word = word ?? .init()
        while let inner = rest.popFirst(), inner != "'" { word?.append(inner) }
      case "\"":
        word = word ?? .init()
        while let inner = rest.popFirst(), inner != "\"" {
          let isEscape = inner == "\\" && ["\"", "\\", "$", "`"].contains(rest.first)
          if let next = isEscape ? rest.popFirst() : inner { word?.append(next) }
        }
      case "\\":
        word = word ?? .init()
        // A backslash at the end of a line joins it with the next.
        if let next = rest.popFirst(), next != "\n" { word?.append(next) }
      case ";", "|", "&", "(", ")", ">":
        finish()
        commands.append([])
      default:
        word = word ?? .init()
        word?.append(scalar)
      }
    }
    finish()
    self.commands = commands.filter { !$0.isEmpty }
  }
}
