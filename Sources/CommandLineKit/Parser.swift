// Parses the words of a command line into an `Arguments` value.

import Bytes
import Documents
import Glibc

package struct Parser<Arguments> {
  let options: [Option<Arguments>]
  let operands: [Operand<Arguments>]
  /// The places of the options by their words on the command line: `--output`, `-o`.
  private let places: [String: Int]
  private let required: [OptionRow]
  /// The long names of options that exclude each other.
  private let exclusions: [(String, String)]

  package init(options: [Option<Arguments>], operands: [Operand<Arguments>]) {
    (self.options, self.operands) = (options, operands)
    var places: [String: Int] = [:]
    for place in options.indices.reversed() {
      places[options[place].row.name] = place
      if let short = options[place].row.short { places["-\(short)"] = place }
    }
    self.places = places
    required = options.map(\.row).filter(\.isRequired)
    exclusions = options.flatMap { option in option.row.excluded.map { (option.row.long, $0) } }
  }

  /// Returns the option for `--name` or `-n`.
  private func option(_ word: String) -> Option<Arguments>? { places[word].map { options[$0] } }

  /// Parses the words, each as `ByteString.word`. Options may be anywhere before `--`; if a
  /// single option is repeated, the last one counts.
  package func parse(
    _ words: [String], into defaults: Arguments
  ) throws(CommandFailure) -> Arguments {
    var given: Set<String> = []
    return try parse(words, into: defaults, &given)
  }

  /// Parses the words, and adds the long names of their options to `given`.
  func parse(
    _ words: [String], into defaults: Arguments, _ given: inout Set<String>
  ) throws(CommandFailure) -> Arguments {
    var arguments = defaults
    var lists = CollectedLists()
    try parse(words, into: &arguments, &lists, &given)
    add(lists, to: &arguments)
    return arguments
  }

  /// Adds the items of all lists to the arguments.
  func add(_ lists: CollectedLists, to arguments: inout Arguments) {
    for option in options {
      if let items = lists.items[option.row.long] { option.add?(items, &arguments) }
    }
  }

  /// Parses words whose lists are added later. `given` has the long names of the options of
  /// earlier words.
  func parse(
    _ words: [String], into arguments: inout Arguments, _ lists: inout CollectedLists,
    _ given: inout Set<String>
  ) throws(CommandFailure) {
    var positional: [String] = []
    var rest = words[...]
    while let word = rest.popFirst() {
      if word == "--" {
        positional += rest
        break
      } else if operands.last?.beginsCommandLine(word) == true {
        positional += [word] + rest
        break
      } else if word.hasPrefix("--") {
        try parseLong(word, rest: &rest, arguments: &arguments, &lists, &given)
      } else if word.hasPrefix("-"), word != "-" {
        try parseShort(word, rest: &rest, arguments: &arguments, &lists, &given)
      } else {
        positional.append(word)
      }
    }
    try place(positional, in: &arguments)
    if let missing = required.first(where: { !given.contains($0.long) }) {
      throw .usage("option '\(missing.synopsis)' is required")
    }
    for (one, other) in exclusions where given.contains(one) && given.contains(other) {
      throw .usage("--\(other) and --\(one) exclude each other")
    }
  }

  /// Parses `--name`, `--name=value` or `--name value`.
  private func parseLong(
    _ word: String, rest: inout ArraySlice<String>, arguments: inout Arguments,
    _ lists: inout CollectedLists, _ given: inout Set<String>
  ) throws(CommandFailure) {
    let body = ByteString(word: word).dropFirst(2)
    let name = body.before("=").text
    let attached = body.after("=")?.word
    guard let option = option("--" + name) else {
      let general = ["help", "version"]
      // `--help` and `--version` without a value were answered before parsing.
      if general.contains(name) { throw .usage("option '--\(name)' takes no value") }
      let known = options.map(\.row.long) + general
      throw .usage("unknown option '--\(name)'\(suggestion(for: name, in: known, prefix: "--"))")
    }
    given.insert(name)
    if option.row.form == .none {
      guard attached == nil else { throw .usage("option '--\(name)' takes no value") }
      return try store(nil, of: option, in: &arguments, &lists)
    }
    if attached == nil, option.row.mayStandApart, let next = rest.first, isApart(next) {
      rest.removeFirst()
      return try store(next, of: option, in: &arguments, &lists)
    }
    if attached != nil || option.row.isValueOptional {
      if attached == nil, let next = rest.first { try checkIsApart(next, from: option) }
      return try store(attached, of: option, in: &arguments, &lists)
    }
    try store(value(of: option, from: &rest), of: option, in: &arguments, &lists)
  }

  private func store(
    _ text: String?, of option: Option<Arguments>, in arguments: inout Arguments,
    _ lists: inout CollectedLists
  ) throws(CommandFailure) {
    try option.store(text, &arguments, &lists.items[option.row.long, default: []])
  }

  /// Returns whether the word after an option with an optional value is its value: the word is not
  /// an option, and its ending is not that of an operand of the command.
  private func isApart(_ word: String) -> Bool {
    if word.hasPrefix("-") || word.isEmpty { return false }
    let name = withoutTrailingSlashes(ByteString(word: word))
    return !operands.contains { operand in
      guard case .path(_, let endings) = operand.row.form else { return false }
      return endings.contains { name.lowercased().hasSuffix(".\($0)") }
    }
  }

  /// Throws if the word after an option with an optional value is such a value, and no file: such a
  /// value is attached.
  private func checkIsApart(
    _ word: String, from option: Option<Arguments>
  ) throws(CommandFailure) {
    guard option.admits(word), !ByteString(word: word).withCString({ access($0, F_OK) == 0 }) else {
      return
    }
    throw .usage("'\(word)' belongs to the option; write '\(option.row.name)=\(word)'")
  }

  /// Parses `-o value`, `-ovalue`, or several flags in one word.
  private func parseShort(
    _ word: String, rest: inout ArraySlice<String>, arguments: inout Arguments,
    _ lists: inout CollectedLists, _ given: inout Set<String>
  ) throws(CommandFailure) {
    // Not by characters: a value may begin with a mark that joins the letter before it.
    var letters = word.unicodeScalars.dropFirst()
    while let letter = letters.popFirst() {
      guard let option = option("-\(letter)") else {
        let known = options.map(\.row.long)
        let near = suggestion(for: String(word.dropFirst()), in: known, prefix: "--")
        throw .usage("unknown option '-\(letter)'\(near)")
      }
      given.insert(option.row.long)
      if option.row.form == .none {
        try store(nil, of: option, in: &arguments, &lists)
        continue
      }
      let attached = letters.first == "=" ? letters.dropFirst() : letters
      if !letters.isEmpty { return try store(String(attached), of: option, in: &arguments, &lists) }
      return try store(value(of: option, from: &rest), of: option, in: &arguments, &lists)
    }
  }

  /// Returns the next word, unless it is an option of the command: then the value was forgotten.
  private func value(
    of option: Option<Arguments>, from rest: inout ArraySlice<String>
  ) throws(CommandFailure) -> String {
    guard let word = rest.first, word != "--", !isOption(word) else {
      throw .usage("option '\(option.row.name)' needs a value \(option.row.form.placeholder)")
    }
    rest.removeFirst()
    return word
  }

  private func isOption(_ word: String) -> Bool {
    word.hasPrefix("-") && places[ByteString(word).before("=").text] != nil
  }

  private func place(_ words: [String], in arguments: inout Arguments) throws(CommandFailure) {
    var rest = words[...]
    var skipped: (word: String, operand: OperandRow)?
    for (index, operand) in operands.enumerated() {
      // A word that chooses a form of the command may be left out before the other operands.
      if operand.row.isOptional, index < operands.count - 1,
        case .choice(_, let values) = operand.row.form, let word = rest.first,
        !values.contains(word)
      {
        skipped = (word, operand.row)
        continue
      }
      guard let word = rest.popFirst() else {
        if operand.row.isOptional { continue }
        throw .usage("\(operand.row.name) is missing")
      }
      try operand.store(word, &arguments)
      while operand.row.isRepeatable, let more = rest.popFirst() {
        try operand.store(more, &arguments)
      }
    }
    // There is a word too much, so the first one was meant as the form, if it is similar.
    if !rest.isEmpty, let (word, row) = skipped,
      nearest(to: word, in: row.form.choices) != nil
    {
      throw .usage(choiceMessage(word, of: row.name, row.form.choices))
    }
    if let extra = rest.first { throw .usage("unexpected argument '\(String(word: extra))'") }
  }
}

/// The items of options that can be repeated, by the names of the options.
struct CollectedLists {
  var items: [String: [String]] = [:]
}
