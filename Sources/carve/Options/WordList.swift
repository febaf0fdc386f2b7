// The lists of words that completions ask the tool for, so that no script contains a table. An option
// or an operand names its list; `carve words` prints the list.

/// A list of words.
enum WordList: String, CaseIterable, Sendable {
  case devices, codes, traits, assets

  /// The command line that prints the list.
  var words: [String] { ["words", rawValue] }
}
