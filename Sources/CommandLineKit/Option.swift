// One row for each option: its spelling, its value, the field that stores the value, and its help
// text. Parsing, help texts, manual pages and completions all read these rows. Options can also be
// read from a file.

import Bytes
import Documents

/// The value of an option or operand, for messages, help texts and completions.
package enum ValueForm: Sendable, Hashable {
  case none
  case text(_ placeholder: String)
  case choice(_ placeholder: String, of: [String])
  /// One of the words that the tool prints when it is called with the words `by`. Each line of that
  /// output has a word, a tab and a description. Shells call the tool; the command itself checks
  /// the word.
  case listed(_ placeholder: String, by: [String])
  /// A listed word that depends on the other words of the line, which follow those of `by`. If the
  /// list is empty, shells offer files with these endings.
  case listedForLine(_ placeholder: String, by: [String], extensions: [String])
  /// A file or folder. Shells offer only files with these `extensions` (without dots), or all.
  case path(_ placeholder: String, extensions: [String])
  case folder(_ placeholder: String)

  package var placeholder: String {
    switch self {
    case .none: ""
    case .text(let name), .choice(let name, _), .listed(let name, _),
      .listedForLine(let name, _, _), .path(let name, _), .folder(let name):
      name
    }
  }

  package var choices: [String] {
    if case .choice(_, let values) = self { values } else { [] }
  }
}

/// An option as texts show it, without the type of the arguments that it fills.
package struct OptionRow: Sendable, Hashable {
  package var long: String
  package var short: Character?
  package var form: ValueForm
  package var isValueOptional = false
  /// Whether an optional value may be a word of its own, as in `--cache DIR`.
  package var mayStandApart = false
  package var isRepeatable = false
  package var isRequired = false
  /// Whether values may be joined by commas.
  package var isList = false
  /// The long names of options that may not be given with this one.
  package var excluded: [String] = []
  package var help: String

  /// Creates the row of an option whose command reads its own words.
  package init(long: String, short: Character? = nil, form: ValueForm, help: String) {
    self.long = long
    self.short = short
    self.form = form
    self.help = help
  }

  /// The name of the option in messages.
  package var name: String { "--\(long)" }

  /// The option with its placeholder: `--werror[=CODE]`, `--device MODEL[,MODEL...]`.
  package var synopsis: String {
    if form == .none { return name }
    if mayStandApart { return "\(name) [\(form.placeholder)]" }
    if isValueOptional { return "\(name)[=\(form.placeholder)]" }
    return "\(name) \(form.placeholder)\(isList ? "[,\(form.placeholder)...]" : "")"
  }
}

/// A type that stores a word of the command line: a String for text, or a type for names. The words
/// are Strings as `ByteString.word` makes them.
package protocol OptionWord: Sendable {
  init(word: String)
}

extension String: OptionWord {
  package init(word: String) { self = ByteString(word: word).text }
}

extension ByteString: OptionWord {}

/// An option of a command whose arguments are collected in `Arguments`.
package struct Option<Arguments>: Sendable {
  package typealias Field<Value> = WritableKeyPath<Arguments, Value> & Sendable
  /// A function that stores a value, or throws if the value is wrong. The value is nil if the
  /// option has none. Items of a list are appended to the last argument.
  typealias Store =
    @Sendable (String?, inout Arguments, inout [String]) throws(CommandFailure) -> Void

  package private(set) var row: OptionRow
  let store: Store
  /// For an option that can be repeated: `store` collects its items, and this adds all of them to
  /// the arguments. If each were added by itself, the list could be copied each time.
  let add: (@Sendable ([String], inout Arguments) -> Void)?
  /// Whether a word is one of the values that may be left out.
  private(set) var admits: @Sendable (String) -> Bool = { _ in false }

  private init(
    _ row: OptionRow,
    _ store: @escaping @Sendable (String?, inout Arguments) throws(CommandFailure) -> Void
  ) {
    self.row = row
    self.store = { (text, arguments, _) throws(CommandFailure) in try store(text, &arguments) }
    add = nil
  }

  private init(
    _ row: OptionRow, _ store: @escaping Store,
    add: @escaping @Sendable ([String], inout Arguments) -> Void
  ) {
    (self.row, self.store, self.add) = (row, store, add)
  }

  /// The same option, marked as required.
  package var required: Option {
    var copy = self
    copy.row.isRequired = true
    return copy
  }

  /// The same option, which is refused together with others.
  package func excluding(_ others: String...) -> Option {
    var copy = self
    copy.row.excluded = others
    return copy
  }

  /// Creates an option without a value: `--json`.
  package static func flag(
    _ long: String, short: Character? = nil, _ field: Field<Bool>, setting value: Bool = true,
    help: String
  ) -> Option {
    Option(OptionRow(long: long, short: short, form: .none, help: help)) { _, arguments in
      arguments[keyPath: field] = value
    }
  }

  /// Creates an option with any text: `--os 17.4`.
  package static func text<Word: OptionWord>(
    _ long: String, _ placeholder: String, listedBy words: [String] = [],
    _ field: Field<Word?>, help: String
  ) -> Option {
    .single(
      long, nil, words.isEmpty ? .text(placeholder) : .listed(placeholder, by: words), field,
      help)
  }

  /// Creates an option with a path: `--depfile FILE`. `extensions` limit the files that shells
  /// offer.
  package static func path<Word: OptionWord>(
    _ long: String, short: Character? = nil, _ placeholder: String,
    extensions: [String] = [], _ field: Field<Word?>, help: String
  ) -> Option {
    .single(long, short, .path(placeholder, extensions: extensions), field, help)
  }

  /// Creates an option with a folder: `--cache DIR`.
  package static func folder<Word: OptionWord>(
    _ long: String, short: Character? = nil, _ placeholder: String, _ field: Field<Word?>,
    help: String
  ) -> Option {
    .single(long, short, .folder(placeholder), field, help)
  }

  /// Creates an option with an optional folder: `--cache`, `--cache DIR` and `--cache=DIR`. Without
  /// a folder it sets the flag.
  package static func folderOrUsual<Word: OptionWord>(
    _ long: String, _ placeholder: String, _ flag: Field<Bool>, _ field: Field<Word?>,
    help: String
  ) -> Option {
    var row = OptionRow(long: long, form: .folder(placeholder), help: help)
    row.isValueOptional = true
    row.mayStandApart = true
    return Option(row) { [row] (text, arguments) throws(CommandFailure) in
      if text?.isEmpty ?? false {
        throw .usage("option '\(row.name)=' needs a value \(placeholder)")
      }
      arguments[keyPath: flag] = true
      arguments[keyPath: field] = text.map { Word(word: $0) }
    }
  }

  /// Creates an option with a whole number: `--jobs N`.
  package static func number(
    _ long: String, short: Character? = nil, _ placeholder: String, in range: ClosedRange<Int>,
    _ field: Field<Int?>, help: String
  ) -> Option {
    let row = OptionRow(long: long, short: short, form: .text(placeholder), help: help)
    return Option(row) { (text, arguments) throws(CommandFailure) in
      guard let text, let value = Int(text), range.contains(value) else {
        throw .usage(
          "option '\(row.name)' takes a whole number from \(range.lowerBound) to "
            + "\(range.upperBound), not '\(text ?? "")'")
      }
      arguments[keyPath: field] = value
    }
  }

  /// Creates an option with a case of an enumeration, by its raw value: `--diagnostics json`.
  package static func choice<Value: CaseIterable & RawRepresentable<String> & Sendable>(
    _ long: String, short: Character? = nil, _ placeholder: String, _ field: Field<Value>,
    help: String
  ) -> Option {
    let values = Value.allCases.map(\.rawValue)
    let form = ValueForm.choice(placeholder, of: values)
    let row = OptionRow(long: long, short: short, form: form, help: help)
    return Option(row) { (text, arguments) throws(CommandFailure) in
      let text = text ?? ""
      guard let value = Value(rawValue: text) else {
        throw .usage(choiceMessage(text, of: row.name, values))
      }
      arguments[keyPath: field] = value
    }
  }

  /// Creates an option with a case of an enumeration, by its own name: `--weight bold`.
  package static func named<Value: CaseIterable & Sendable>(
    _ long: String, _ placeholder: String, _ field: Field<Value?>, help: String
  ) -> Option {
    let values = Value.allCases.map { "\($0)" }
    let row = OptionRow(long: long, form: .choice(placeholder, of: values), help: help)
    return Option(row) { (text, arguments) throws(CommandFailure) in
      let text = text ?? ""
      guard let value = Value.allCases.first(where: { "\($0)" == text }) else {
        throw .usage(choiceMessage(text, of: row.name, values))
      }
      arguments[keyPath: field] = value
    }
  }

  /// Creates an option with one of several words: `--platform iphoneos`. `refusals` has messages
  /// about words that users expect among them.
  package static func choice(
    _ long: String, short: Character? = nil, _ placeholder: String, of values: [String],
    refusals: [String: String] = [:], _ field: Field<String?>, help: String
  ) -> Option {
    let form = ValueForm.choice(placeholder, of: values)
    let row = OptionRow(long: long, short: short, form: form, help: help)
    return Option(row) { (text, arguments) throws(CommandFailure) in
      let text = text ?? ""
      guard values.contains(text) else {
        throw .usage(refusals[text] ?? choiceMessage(text, of: row.name, values))
      }
      arguments[keyPath: field] = text
    }
  }

  /// Creates an option with yes or no, in upper or lower case: `--enable-on-demand-resources YES`.
  package static func answer(_ long: String, _ field: Field<Bool?>, help: String) -> Option {
    answer(long, help) { arguments, isYes in arguments[keyPath: field] = isYes }
  }

  package static func answer(_ long: String, _ field: Field<Bool>, help: String) -> Option {
    answer(long, help) { arguments, isYes in arguments[keyPath: field] = isYes }
  }

  private static func answer(
    _ long: String, _ help: String, _ set: @escaping @Sendable (inout Arguments, Bool) -> Void
  ) -> Option {
    let row = OptionRow(long: long, form: .choice("YES-or-NO", of: ["YES", "NO"]), help: help)
    return Option(row) { (text, arguments) throws(CommandFailure) in
      switch (text ?? "").lowercased() {
      case "yes", "true", "enabled", "1": set(&arguments, true)
      case "no", "false", "disabled", "0": set(&arguments, false)
      default: throw .usage(choiceMessage(text ?? "", of: row.name, row.form.choices))
      }
    }
  }

  /// Creates an option that can be repeated: `--device MODEL[,MODEL...]`. With a separator, one
  /// word can contain several values.
  package static func list<Word: OptionWord>(
    _ long: String, _ placeholder: String, of values: [String] = [],
    listedBy words: [String] = [], separator: Unicode.Scalar? = nil, _ field: Field<[Word]>,
    help: String
  ) -> Option {
    let form: ValueForm =
      !values.isEmpty
      ? .choice(placeholder, of: values)
      : words.isEmpty ? .text(placeholder) : .listed(placeholder, by: words)
    var row = OptionRow(long: long, form: form, help: help)
    row.isRepeatable = true
    row.isList = separator != nil
    return Option(row) { [row] (text, _, collected) throws(CommandFailure) in
      let parts = separator.map { ByteString(word: text ?? "").split(separator: $0).map(\.word) }
      let items = parts ?? [text ?? ""]
      guard let first = items.first, !first.isEmpty else {
        throw .usage("option '\(row.name)' needs a value \(placeholder)")
      }
      if !values.isEmpty, let wrong = items.first(where: { !values.contains($0) }) {
        throw .usage(choiceMessage(wrong, of: row.name, values))
      }
      collected += items
    } add: { items, arguments in
      arguments[keyPath: field] += items.map { Word(word: $0) }
    }
  }

  /// Creates an option with optional values: `--werror[=CODE]`. Without a value it sets the flag;
  /// values are added to the list.
  package static func flagOrList(
    _ long: String, _ placeholder: String, listedBy words: [String], _ flag: Field<Bool>,
    _ field: Field<[String]>, admitting admits: @escaping @Sendable (String) -> Bool,
    help: String
  ) -> Option {
    var row = OptionRow(long: long, form: .listed(placeholder, by: words), help: help)
    row.isValueOptional = true
    row.isRepeatable = true
    var option = Option(row) { [row] (text, arguments, collected) throws(CommandFailure) in
      guard let text else {
        arguments[keyPath: flag] = true
        return
      }
      let items = ByteString(word: text).split(separator: ",").map(\.word)
      // "--werror=$CODES" in a script whose variable is empty must not be ignored.
      if items.isEmpty { throw .usage("option '\(row.name)=' needs a value \(placeholder)") }
      collected += items
    } add: { items, arguments in
      arguments[keyPath: field] += items
    }
    option.admits = { word in word.split(separator: ",").allSatisfy { admits(String($0)) } }
    return option
  }

  /// Creates an option with an optional choice: `--fix[=format]`. It sets the flag, and a word also
  /// sets the choice.
  package static func flagOrChoice<Value: CaseIterable & RawRepresentable<String> & Sendable>(
    _ long: String, _ placeholder: String, _ flag: Field<Bool>, _ field: Field<Value?>, help: String
  ) -> Option {
    let values = Value.allCases.map(\.rawValue)
    var row = OptionRow(long: long, form: .choice(placeholder, of: values), help: help)
    row.isValueOptional = true
    var option = Option(row) { [row] (text, arguments) throws(CommandFailure) in
      arguments[keyPath: flag] = true
      guard let text else { return }
      guard let value = Value(rawValue: text) else {
        throw .usage(choiceMessage(text, of: row.name, values))
      }
      arguments[keyPath: field] = value
    }
    option.admits = values.contains
    return option
  }

  private static func single<Word: OptionWord>(
    _ long: String, _ short: Character?, _ form: ValueForm, _ field: Field<Word?>,
    _ help: String
  ) -> Option {
    let row = OptionRow(long: long, short: short, form: form, help: help)
    return Option(row) { (text, arguments) throws(CommandFailure) in
      guard let text, !text.isEmpty else {
        throw .usage("option '\(row.name)' needs a value \(form.placeholder)")
      }
      arguments[keyPath: field] = Word(word: text)
    }
  }
}

func choiceMessage(_ text: String, of name: String, _ values: [String]) -> String {
  let near = suggestion(for: text, in: values)
  let hint = near.isEmpty ? "; choose from \(values.joined(separator: ", "))" : near
  return "'\(String(word: text))' is not a value of '\(name)'\(hint)"
}
