// Reads options from a file: one on each line, as on a command line. A line that begins with a
// number sign is a comment; in a value, the sign stands for itself.

import Bytes

/// The option of a command that names a file of more options.
package struct OptionFileUse<Arguments>: Sendable {
  let path: Option<Arguments>.Field<ByteString?>
  let others: Set<String>
  let check: @Sendable (Arguments) throws(CommandFailure) -> Void

  /// Describes the option that stores its file in `path`. The file may not contain `others`.
  /// `check` throws what the command throws about values that do not fit together.
  package init(
    _ path: Option<Arguments>.Field<ByteString?>, refusing others: Set<String>,
    check: @escaping @Sendable (Arguments) throws(CommandFailure) -> Void
  ) {
    (self.path, self.others, self.check) = (path, others, check)
  }

  /// Runs a command with the options of the command line and of the file that it names.
  func run(
    _ words: [String], _ parser: Parser<Arguments>, _ defaults: Arguments,
    _ run: (Arguments) throws(CommandFailure) -> ExitStatus
  ) throws(CommandFailure) -> ExitStatus {
    var given: Set<String> = []
    let arguments = try parser.parse(words, into: defaults, &given)
    guard let path = arguments[keyPath: path] else { return try run(arguments) }
    let file = try OptionFile(path, options: parser.options, others: others, given: given)
    let filled = try file.filled(arguments)
    do throws(CommandFailure) { return try run(filled) } catch {
      throw file.placed(error, in: arguments, check: check)
    }
  }
}

/// The lines of a file of options for a command.
struct OptionFile<Arguments> {
  private let path: ByteString
  private let parser: Parser<Arguments>
  /// The words of each line with an option: the option, and its value, which is the rest of the
  /// line.
  private var lines: [(number: Int, words: [String])] = []
  /// The names of options that are allowed only on the command line, without dashes.
  private var refused: [String: String] = [:]
  /// The long names of the options that the command line replaces.
  private let replaced: Set<String>

  /// Reads a file. `others` are options of the command that are not allowed in it, and `given` are
  /// those of the command line, which replace those of the file.
  init(
    _ path: ByteString, options: [Option<Arguments>], others: Set<String>, given: Set<String>
  ) throws(CommandFailure) {
    self.path = path
    replaced = given
    parser = Parser(options: options.filter { !others.contains($0.row.long) }, operands: [])
    for row in options.map(\.row) where others.contains(row.long) {
      refused[row.long] = row.name
      if let short = row.short { refused["\(short)"] = row.name }
    }
    var reader = try LineReader(path: path)
    while let bytes = try reader.next(beforeWaiting: { true }) {
      let words = Self.words(of: String(decoding: bytes, as: UTF8.self))
      if !words.isEmpty { lines.append((reader.number, words)) }
    }
  }

  private static func words(of line: String) -> [String] {
    // Not by characters: a value may begin with a mark that joins the blank before it.
    let blank = { (scalar: Unicode.Scalar) in scalar.properties.isWhitespace }
    let words = line.unicodeScalars.split(maxSplits: 1, whereSeparator: blank)
    guard let word = words.first, word.first != "#" else { return [] }
    let value = words.dropFirst().map { word in
      let rest = word.drop(while: blank)
      return String(
        rest[..<(rest.lastIndex { !blank($0) }.map(rest.index(after:)) ?? rest.startIndex)])
    }
    return [String(word)] + value.filter { !$0.isEmpty }
  }

  /// Returns the arguments with the options of the file that the command line does not replace.
  func filled(_ arguments: Arguments) throws(CommandFailure) -> Arguments {
    try filled(arguments, lineCount: lines.count)
  }

  private func filled(
    _ arguments: Arguments, lineCount: Int
  ) throws(CommandFailure) -> Arguments {
    var result = arguments
    var lists = CollectedLists()
    var found: Set<String> = []
    for line in lines.prefix(lineCount) {
      do throws(CommandFailure) {
        let name = String(line.words[0].drop { $0 == "-" }.prefix { $0 != "=" })
        if let other = refused[name] {
          throw .usage("option '\(other)' is allowed only on the command line")
        }
        // A line that is replaced must be right, too.
        var names: Set<String> = []
        _ = try parser.parse(line.words, into: arguments, &names)
        if !names.isDisjoint(with: replaced) { continue }
        try parser.parse(line.words, into: &result, &lists, &found)
      } catch {
        throw placed(error, at: line)
      }
    }
    parser.add(lists, to: &result)
    return result
  }

  private func placed(
    _ failure: CommandFailure, at line: (number: Int, words: [String])
  ) -> CommandFailure {
    let value = line.words.dropFirst().first ?? ""
    let hint =
      value.hasPrefix("#") || value.contains(" #") ? " (a comment needs a line of its own)" : ""
    return .usage("\(path):\(line.number): \(failure.message)\(hint)")
  }

  /// Returns the failure of a command that used the file, with the line that is the reason: without
  /// it and the lines after it, `check` does not find this failure. Returns the failure as it is if
  /// the file is not the reason.
  func placed(
    _ failure: CommandFailure, in arguments: Arguments,
    check: (Arguments) throws(CommandFailure) -> Void
  ) -> CommandFailure {
    func fails(_ lineCount: Int) -> Bool {
      do throws(CommandFailure) { try check(filled(arguments, lineCount: lineCount)) } catch {
        return error == failure
      }
      return false
    }
    guard failure.status == .usage, fails(lines.count), !fails(0) else { return failure }
    var (fine, failing) = (0, lines.count)
    while failing - fine > 1 {
      let middle = (fine + failing) / 2
      if fails(middle) { failing = middle } else { fine = middle }
    }
    return placed(failure, at: lines[fine])
  }
}
