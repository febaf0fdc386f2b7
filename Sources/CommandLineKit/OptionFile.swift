// Reads options from a file: one on each line, as on a command line. Comments begin with a number
// sign.

import Bytes

/// Returns the arguments with the options of a file. A value is the rest of its line. `others` are
/// options of the command that are not allowed in a file.
package func filled<Arguments>(
  _ arguments: Arguments, from path: ByteString, options: [Option<Arguments>], others: Set<String>
) throws(CommandFailure) -> Arguments {
  let parser = Parser(options: options.filter { !others.contains($0.row.long) }, operands: [])
  var result = arguments
  var lists = CollectedLists()
  var lines = try LineReader(path: path)
  while let bytes = try lines.next(beforeWaiting: { true }) {
    let line = String(decoding: bytes, as: UTF8.self)
    // Not by characters: a value may begin with a mark that joins the blank before it.
    let blank = { (scalar: Unicode.Scalar) in scalar.properties.isWhitespace }
    let words = line.unicodeScalars.split(maxSplits: 1, whereSeparator: blank)
    guard let word = words.first, word.first != "#" else { continue }
    let first = String(word)
    let value = words.dropFirst().map { word in
      let rest = word.drop(while: blank)
      return String(
        rest.prefix(
          (rest.lastIndex { !blank($0) }).map {
            rest.distance(from: rest.startIndex, to: $0) + 1
          } ?? 0))
    }
    do throws(CommandFailure) {
      let name = first.drop { $0 == "-" }.prefix { $0 != "=" }
      let option = options.first {
        $0.row.long == name || $0.row.short.map { "\($0)" == name } ?? false
      }
      if let option, others.contains(option.row.long) {
        throw .usage("option '\(option.row.name)' is allowed only on the command line")
      }
      try parser.parse([first] + value.filter { !$0.isEmpty }, into: &result, &lists)
    } catch {
      throw .input("\(path):\(lines.number): \(error.message)")
    }
  }
  parser.add(lists, to: &result)
  return result
}
