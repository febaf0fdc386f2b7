// One row for each positional argument of a command.

/// A positional argument as texts show it.
package struct OperandRow: Sendable, Hashable {
  package var form: ValueForm
  package var isOptional: Bool
  package var isRepeatable: Bool
  package var help: String

  package var name: String { form.placeholder }

  /// Creates the row of a command that reads its own words. The argument is required and single.
  package init(_ form: ValueForm, help: String) {
    self.init(form: form, isOptional: false, isRepeatable: false, help: help)
  }

  init(form: ValueForm, isOptional: Bool, isRepeatable: Bool, help: String) {
    self.form = form
    self.isOptional = isOptional
    self.isRepeatable = isRepeatable
    self.help = help
  }

  /// The argument in usage lines: `CATALOG...`, `[MODEL]`.
  package var synopsis: String {
    let text = isRepeatable ? "\(name)..." : name
    return isOptional ? "[\(text)]" : text
  }
}

/// A positional argument of a command whose arguments are collected in `Arguments`.
package struct Operand<Arguments>: Sendable {
  package typealias Field<Value> = WritableKeyPath<Arguments, Value> & Sendable

  package let row: OperandRow
  /// Whether a word begins the command line of another tool, to which all words after it belong.
  private(set) var beginsCommandLine: @Sendable (String) -> Bool = { _ in false }
  private let field: @Sendable (String, inout Arguments) -> Void

  private init(row: OperandRow, _ field: @escaping @Sendable (String, inout Arguments) -> Void) {
    self.row = row
    self.field = field
  }

  func store(_ word: String, _ arguments: inout Arguments) throws(CommandFailure) {
    if word.isEmpty { throw .usage("\(row.name) is empty") }
    if case .choice(let name, let values) = row.form, !values.contains(word) {
      throw .usage(choiceMessage(word, of: name, values))
    }
    field(word, &arguments)
  }

  /// Creates an argument that is given exactly once.
  package static func one<Word: OptionWord>(
    _ form: ValueForm, _ field: Field<Word>, help: String
  ) -> Operand {
    let row = OperandRow(form: form, isOptional: false, isRepeatable: false, help: help)
    return Operand(row: row) { $1[keyPath: field] = Word(word: $0) }
  }

  /// Creates an argument that is given at most once.
  package static func optional<Word: OptionWord>(
    _ form: ValueForm, _ field: Field<Word?>, help: String
  ) -> Operand {
    let row = OperandRow(form: form, isOptional: true, isRepeatable: false, help: help)
    return Operand(row: row) { $1[keyPath: field] = Word(word: $0) }
  }

  /// Creates an argument that is given once or more, or any number of times. Only the last operand
  /// of a command may repeat.
  package static func many<Word: OptionWord>(
    _ form: ValueForm, orNone: Bool = false, _ field: Field<[Word]>, help: String
  ) -> Operand {
    let row = OperandRow(form: form, isOptional: orNone, isRepeatable: true, help: help)
    return Operand(row: row) { $1[keyPath: field].append(Word(word: $0)) }
  }

  /// The same argument, which also takes the command lines of a tool. All words after its name
  /// belong to it.
  package func takingCommandLines(
    of isTool: @escaping @Sendable (String) -> Bool
  ) -> Operand {
    var copy = self
    copy.beginsCommandLine = isTool
    return copy
  }
}

extension ValueForm {
  /// One or more `.xcassets` folders.
  package static let catalog = ValueForm.path("CATALOG", extensions: ["xcassets"])
  /// A compiled `.car` file.
  package static let archive = ValueForm.path("ARCHIVE", extensions: ["car"])
  /// A folder or a file of these kinds.
  package static let archiveOrCatalog = ValueForm.path(
    "ARCHIVE-or-CATALOG", extensions: ["car", "xcassets"])
}
