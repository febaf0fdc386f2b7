// The log of a build: the calls of actool in it, with the folders in which they were made. A log is
// text, or text packed by gzip.

import Bytes
import Codecs
import Documents
import Host

/// A call of actool that a log or a command line contains.
package struct ActoolCall: Sendable, Hashable {
  package var words: [String]
  /// The folder of the last `cd` before the call; nil if the log has no `cd` before it.
  package var folder: ByteString?

  package init(_ words: [String], in folder: ByteString? = nil) {
    self.words = words
    self.folder = folder
  }

  /// Creates the call that the words of a command line make; nil if they do not name the tool.
  package init?(command words: [String]) {
    guard let words = actoolWords(words) else { return nil }
    self.init(words)
  }

  package static func == (a: ActoolCall, b: ActoolCall) -> Bool {
    a.folder == b.folder && a.words.map { ByteString($0) } == b.words.map { ByteString($0) }
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(folder)
    hasher.combine(words.map { ByteString($0) })
  }
}

/// Returns the calls of actool in the log of a build, each call once.
package func actoolCalls(inLog text: String) -> [ActoolCall] {
  var calls: [ActoolCall] = []
  var seen: Set<ActoolCall> = []
  var folder: ByteString?
  // Xcode indents what belongs to a step: its folder and its command. The next step begins with a
  // line that is not indented.
  var isOfStep = false
  for line in joinedLines(text) {
    let isIndented = line.first == " " || line.first == "\t"
    if !isIndented, isOfStep { folder = nil }
    guard line.contains("actool") || line.contains("cd ") else { continue }
    var here = folder
    let commands = ShellWords(line).commands
    for (place, command) in commands.enumerated() {
      if let target = folderOfChange(command) {
        let path = absolutePath(target, in: here ?? "")
        here = path.bytes.count <= mostPathBytes ? path : nil
        if place == commands.count - 1 { (folder, isOfStep) = (here, isIndented) }
      } else if let words = actoolWords(command), !words.isEmpty {
        let call = ActoolCall(words, in: here)
        if seen.insert(call).inserted { calls.append(call) }
      }
    }
  }
  return calls
}

/// The longest path of a Mac. A log whose changes of folders lead further states no folder: each of
/// its calls would have a longer path than the one before.
private let mostPathBytes = 1024

/// Returns the target of a command that changes the folder; nil for other commands, and if a shell
/// would compute the target.
private func folderOfChange(_ command: [String]) -> ByteString? {
  // "+" precedes the commands that a shell with `set -x` prints.
  let words = command.drop { !$0.isEmpty && $0.allSatisfy { $0 == "+" } }
  guard words.count == 2, words.first == "cd", let target = words.last, !target.isEmpty,
    !target.contains("$"), !target.hasPrefix("~"), target != "-"
  else { return nil }
  return ByteString(target)
}

/// Returns the words after the tool's name; nil if the command calls another tool. Programs that
/// call the command after their own options, and assignments, may precede the name.
private func actoolWords(_ command: [String]) -> [String]? {
  var rest = command[...].drop(while: isBeforeCommand)
  var isLaunched = false
  while let word = rest.popFirst() {
    let name = lastComponent(ByteString(word))
    if name == "actool" || name.hasSuffix("-actool") { return Array(rest) }
    if launchers.contains(name.text) {
      isLaunched = true
    } else if isLaunched, word.hasPrefix("-") {
      if optionsWithValue.contains(word), let value = rest.first, !value.hasSuffix("actool") {
        rest.removeFirst()
      }
    } else if !isAssignment(word), !(isLaunched && word.first?.isNumber == true) {
      return nil
    }
  }
  return nil
}

/// The programs that call the command in their words.
private let launchers: Set = [
  "arch", "caffeinate", "carve", "command", "env", "exec", "ionice", "nice", "nohup", "sudo",
  "time", "timeout", "xcrun", "xctoolrunner",
]

/// The options of launchers whose value is the next word.
private let optionsWithValue: Set = [
  "-sdk", "--sdk", "-toolchain", "--toolchain", "-arch", "-n", "--adjustment", "-u", "--unset",
  "--user", "-g", "--group", "-C", "--chdir", "-P", "-s", "--signal", "-k", "--kill-after", "-o",
  "--output", "-f", "--format", "-c", "-t", "-w",
]

/// Returns whether a word stands before a command in a log: the mark of a shell with `set -x`, or
/// the progress of a build, as in "[2/7]".
private func isBeforeCommand(_ word: String) -> Bool {
  !word.isEmpty && word.allSatisfy { $0 == "+" } || word.hasPrefix("[") && word.hasSuffix("]")
}

/// Returns whether a word sets a variable of the environment, as "PATH=/bin" does.
private func isAssignment(_ word: String) -> Bool {
  guard let end = word.utf8.firstIndex(of: UInt8(ascii: "=")) else { return false }
  let name = word[..<end]
  return name.first.map { $0 == "_" || $0.isLetter } == true
    && name.allSatisfy { $0 == "_" || $0.isLetter || $0.isNumber }
}

/// Returns the lines of a text. A backslash at the end of a line continues a command; the program
/// that wrote the log may have joined such lines already.
private func joinedLines(_ text: String) -> [String] {
  var lines: [String] = []
  var isOpen = false
  for line in text.split(whereSeparator: \.isNewline) {
    let isContinued = line.utf8.last == UInt8(ascii: "\\")
    let words = isContinued ? line.dropLast() : line
    if isOpen {
      lines[lines.count - 1] += " "
      lines[lines.count - 1] += words
    } else {
      lines.append(String(words))
    }
    isOpen = isContinued
  }
  return lines
}

// MARK: - Packed logs

/// A reason why the text of a log cannot be had.
package enum BuildLogError: Error, Sendable, Hashable {
  case damaged
  case tooLarge(limit: Int)
  case tooDense(limit: Int)

  package var reason: String {
    switch self {
    case .damaged: "the file is packed by gzip, and damaged, cut or made of several parts"
    case .tooLarge(let limit): "the log has more than \(grouped(limit)) bytes"
    case .tooDense(let limit):
      "the log is packed by gzip and has more than \(grouped(limit)) bytes; it may have "
        + "\(grouped(PackedLog.mostFree)) bytes, or \(PackedLog.mostDense) for each byte of the file; "
        + "unpack it with gunzip"
    }
  }
}

/// The limits of the text in a packed log. Without them, a file of a megabyte could cost as much as
/// the largest log.
enum PackedLog {
  /// The bytes of text for each byte of a file, if the text is longer than `mostFree`.
  static let mostDense = 128
  static let mostFree = 1 << 20
}

/// Returns the text of a log, unpacked if it is packed by gzip.
package func textOfLog(_ file: [UInt8], atMost limit: Int) throws(BuildLogError) -> String {
  guard file.starts(with: [0x1F, 0x8B]) else { return String(decoding: file, as: UTF8.self) }
  // The end of the file states the size of the text.
  guard file.count >= 18 else { throw .damaged }
  let size = file.suffix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
  // Deflate packs at most 1,032 bytes into one.
  if size / 1032 > file.count { throw .damaged }
  if size > limit { throw .tooLarge(limit: limit) }
  let mostBytes = max(PackedLog.mostFree, PackedLog.mostDense * file.count)
  if size > mostBytes { throw .tooDense(limit: mostBytes) }
  var text = [UInt8](repeating: 0, count: size)
  let count = text.withUnsafeMutableBytes { room in
    file.withUnsafeBytes { try? Inflate.decode($0, wrapper: .gzip, into: room) }
  }
  if count != size { throw .damaged }
  return String(decoding: text, as: UTF8.self)
}

// MARK: - Words of a command

package struct ShellWords {
  /// The commands of the text, in order.
  package private(set) var commands: [[String]] = []

  package init(_ text: some StringProtocol) {
    var rest = Array(text.unicodeScalars)[...]
    var word: String.UnicodeScalarView?
    var commands: [[String]] = [[]]
    // Whether the next word is the target of a redirection.
    var isTarget = false
    func finish() {
      if let word {
        if !isTarget { commands[commands.count - 1].append(String(word)) }
        isTarget = false
      }
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
      case "&" where rest.first == ">": continue
      case ">", "<":
        // Digits directly before the sign are the number of a stream.
        if word?.allSatisfy({ ("0"..."9").contains($0) }) == true { word = nil }
        finish()
        while let next = rest.first, [">", "<", "&", "|"].contains(next) { rest.removeFirst() }
        isTarget = true
      case ";", "|", "&", "(", ")":
        finish()
        isTarget = false
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
