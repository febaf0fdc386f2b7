// The error of an exhausted budget: the account, its size, and the things on which it was spent.

/// An exhausted budget.
package struct OverBudget: Error, Equatable, Sendable {
  package enum Account: UInt8, Sendable { case work, memory }

  /// The amount that one kind of thing took from the account: nanoseconds of work, or bytes of
  /// memory.
  package struct Share: Equatable, Sendable {
    package let expense: Expense
    package let amount: Int
  }

  package let account: Account
  /// The size of the input in bytes.
  package let input: Int
  /// The number of requested pixels.
  package let pixels: Int
  /// The amount in the account at the start.
  package let most: Int
  /// The three kinds of things that took most from the account, the largest first.
  package let shares: [Share]

  package init(
    _ account: Account, input: Int, pixels: Int = 0, most: Int, shares: [Share] = []
  ) {
    self.account = account
    self.input = input
    self.pixels = pixels
    self.most = most
    self.shares = shares
  }

  /// The reason as the end of a sentence about the file.
  package var words: String {
    var text = account == .work ? "it takes too much work" : "it needs too much memory"
    text += " for its \(input) bytes"
    if pixels > 0 { text += " and \(pixels) pixels" }
    guard !shares.isEmpty else { return text }
    text += " ("
    for (index, share) in shares.enumerated() {
      if index > 0 { text += ", " }
      // The message states work as a count of things, and memory in bytes.
      let count = account == .work ? share.amount / share.expense.price : share.amount
      text += "\(share.expense.name): \(count)"
      if account == .memory { text += " bytes" }
    }
    return text + ")"
  }
}
