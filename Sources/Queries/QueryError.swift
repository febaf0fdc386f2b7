// The error of a query that cannot be answered.

/// The reason why a query has no answer.
package enum QueryError: Error, Sendable, Hashable {
  /// The words of the query are wrong, or contradict each other.
  case usage(String)
  /// An input cannot be used.
  case input(String)

  package var message: String {
    switch self {
    case .usage(let message), .input(let message): message
    }
  }
}
