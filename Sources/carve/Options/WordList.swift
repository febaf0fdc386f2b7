// The lists of words that completions ask the tool for, so that no script contains a table. `carve
// words` prints them.

/// A list of words that an option or an operand names.
enum WordList: String, CaseIterable, Sendable {
  case devices, codes, traits, assets

  /// The command line that prints the list.
  var words: [String] { ["words", rawValue] }
}
