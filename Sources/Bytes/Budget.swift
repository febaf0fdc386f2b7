// The budget of one file: the work and the memory that its bytes, and the pixels that are
// requested, may cost. All readers of the parts of the file spend from the same budget, where the
// cost arises. Expense.swift has the prices; the error of an exhausted budget follows below.

/// Two accounts, work and memory. Each contains a fixed amount, and more for every byte of the
/// input and for every requested pixel.
///
/// Work is counted in nanoseconds of an ordinary processor core. Each expense has a fixed price, so
/// that the same input always costs the same, on any machine and under any load.
///
/// Long loops look at `isExceeded` (or at the result of `spend`) and then stop working; their
/// caller ends with `check()`. `pay` throws the error at once. `borrow` counts memory before it is
/// allocated.
public final class Budget {
  /// The work that every file may cost: 0.6 s. A call may take 2 s and draw a file in three scales,
  /// each with a budget of its own.
  package static let workFloor = 600_000_000
  /// The work for each byte of the input: 500 ns, which is half of the microsecond that a call may
  /// take.
  package static let workPerByte = 500
  /// The work for each requested pixel: 64 layers over the whole picture at 2 ns for each pixel.
  package static let workPerPixel = 128
  /// The memory that every file may take: 48 MB. A call may take 64 MB; the rest is for memory that
  /// is not counted (waste of the allocator, small values).
  package static let memoryFloor = 48 << 20
  /// The memory for each byte of the input: 12 bytes. A call may take 16.
  package static let memoryPerByte = 12
  /// The memory for each requested pixel, in addition to the result: four groups or masks of the
  /// whole picture.
  package static let memoryPerPixel = 16

  /// The size of the input in bytes.
  package private(set) var input = 0
  /// The number of requested pixels.
  package private(set) var pixels = 0
  /// The work that the input and the pixels may cost.
  package private(set) var mostWork = 0
  /// The memory that the input and the pixels may take at one time.
  package private(set) var mostMemory = 0

  // No other code can have an access to these properties open at the same time, and a check for
  // overlapping accesses would cost more than the counting.
  @usableFromInline @exclusivity(unchecked) package var workLeft = 0
  @usableFromInline let spent: UnsafeMutablePointer<Int>
  @exclusivity(unchecked) private var memoryLeft = 0
  private let borrowed: UnsafeMutablePointer<Int>
  private var exceededAccount: OverBudget.Account?
  /// The largest amount of memory that was borrowed at one time.
  @exclusivity(unchecked) package private(set) var peakMemory = 0

  /// Creates the budget of an input of this number of bytes. `memory` and `work` lower the amounts
  /// that it may take; `pixels` raises both.
  package init(
    input: Int, pixels: Int = 0, memory mostMemory: Int = .max, work mostWork: Int = .max
  ) {
    spent = .allocate(capacity: Expense.count)
    borrowed = .allocate(capacity: Expense.count)
    begin(Spending(input: input), pixels: pixels, memory: mostMemory, work: mostWork)
  }

  /// The work and memory that were spent so far, for a budget that continues this one.
  package var spending: Spending {
    Spending(
      input: input, work: Expense.allCases.map { spent[Int($0.rawValue)] }, memory: memoryHeld)
  }

  /// Starts the budget again with the work and memory that another budget has spent. In this way
  /// each drawing of a file has the budget that it would have if the file were read for this
  /// drawing alone, and the order of drawings does not matter.
  package func begin(
    _ spending: Spending, pixels: Int, memory: Int = .max, work: Int = .max
  ) {
    input = Budget.clamped(spending.input)
    self.pixels = Budget.clamped(pixels)
    mostWork = min(max(work, 0), Budget.mostWork(input: input, pixels: self.pixels))
    mostMemory = min(max(memory, 0), Budget.mostMemory(input: input, pixels: self.pixels))
    workLeft = mostWork
    memoryLeft = mostMemory
    peakMemory = 0
    exceededAccount = nil
    error = nil
    spent.initialize(repeating: 0, count: Expense.count)
    borrowed.initialize(repeating: 0, count: Expense.count)
    for (index, work) in spending.work.enumerated() where index < Expense.count {
      spent[index] = work
      workLeft -= work
    }
    if workLeft < 0 { exceed(.work) }
    borrow(.values, bytes: spending.memory)
  }

  deinit {
    spent.deallocate()
    borrowed.deallocate()
  }

  /// Returns the work that an input of this number of bytes may cost, with the requested pixels.
  package static func mostWork(input: Int, pixels: Int) -> Int {
    workFloor + clamped(input) * workPerByte + clamped(pixels) * workPerPixel
  }

  /// Returns the memory that an input of this number of bytes may take, with the requested pixels.
  package static func mostMemory(input: Int, pixels: Int) -> Int {
    memoryFloor + clamped(input) * memoryPerByte + clamped(pixels) * memoryPerPixel
  }

  /// Limits a size, so that its product with a price does not overflow.
  private static func clamped(_ size: Int) -> Int { min(max(size, 0), 1 << 48) }

  // MARK: Work

  /// Whether one of the accounts was overdrawn.
  @inlinable @inline(__always)
  package var isExceeded: Bool { workLeft < 0 }

  /// Counts work. Returns false if the budget is exceeded.
  @discardableResult
  @inlinable @inline(__always)
  package func spend(_ expense: Expense, _ count: Int = 1) -> Bool {
    let work = Budget.work(expense, count)
    spent[Int(expense.rawValue)] &+= work
    workLeft &-= work
    return workLeft >= 0 || overspent(work)
  }

  /// Counts work, and throws an error if the budget is exceeded.
  @inlinable @inline(__always)
  package func pay(_ expense: Expense, _ count: Int = 1) throws(OverBudget) {
    if !spend(expense, count) { try check() }
  }

  /// Returns the price of a number of things. More than 2^40 things count as 2^40, which no budget
  /// covers, so that products and sums do not overflow.
  @inlinable @inline(__always)
  static func work(_ expense: Expense, _ count: Int) -> Int {
    min(max(count, 0), 1 << 40) &* expense.price
  }

  /// Ends all further work: from here on, `spend` always returns false.
  @usableFromInline @inline(never)
  func overspent(_ work: Int) -> Bool {
    // The error lists only the work up to this point, which is the work that exceeded the budget.
    if exceededAccount == nil { exceed(.work) }
    workLeft = -1
    return false
  }

  private func exceed(_ account: OverBudget.Account) {
    if exceededAccount == nil {
      exceededAccount = account
      error = OverBudget(
        account, input: input, pixels: pixels, most: account == .work ? mostWork : mostMemory,
        shares: shares(of: account == .work ? spent : borrowed))
    }
    workLeft = -1
  }

  /// The work that was spent on all kinds of things.
  package var workSpent: Int {
    Expense.allCases.reduce(0) { $0 &+ spent[Int($1.rawValue)] }
  }

  /// Returns the number of things of one kind that the rest of the work pays for.
  package func affordable(_ expense: Expense) -> Int { max(workLeft, 0) / expense.price }

  // MARK: Memory

  /// The memory that is borrowed now.
  package var memoryHeld: Int {
    Expense.allCases.reduce(0) { $0 &+ borrowed[Int($1.rawValue)] }
  }

  /// Returns the memory that one kind of thing has borrowed now.
  package func memoryHeld(by expense: Expense) -> Int { borrowed[Int(expense.rawValue)] }

  /// The memory that may still be borrowed.
  package var availableMemory: Int { isExceeded ? 0 : memoryLeft }

  /// Counts memory before it is allocated. If there is not enough memory, the budget is exceeded,
  /// and the result is false.
  @discardableResult
  package func borrow(_ expense: Expense, bytes: Int) -> Bool {
    let bytes = max(bytes, 0)
    guard bytes <= memoryLeft, !isExceeded else {
      if exceededAccount == nil {
        borrowed[Int(expense.rawValue)] &+= min(bytes, 1 << 48)
        exceed(.memory)
        borrowed[Int(expense.rawValue)] &-= min(bytes, 1 << 48)
      }
      return false
    }
    memoryLeft -= bytes
    borrowed[Int(expense.rawValue)] += bytes
    peakMemory = max(peakMemory, mostMemory - memoryLeft)
    return true
  }

  /// Exceeds the budget, because a kind of thing needs more memory than there is.
  package func exceedMemory(_ expense: Expense) { borrow(expense, bytes: memoryLeft + 1) }

  /// Sets the memory that one kind of thing holds now, by borrowing or giving back the difference.
  /// Returns false if the budget is exceeded.
  @discardableResult
  package func hold(_ expense: Expense, bytes: Int) -> Bool {
    let held = borrowed[Int(expense.rawValue)]
    if bytes > held { return borrow(expense, bytes: bytes - held) }
    giveBack(expense, bytes: held - bytes)
    return !isExceeded
  }

  /// Counts memory that was freed.
  package func giveBack(_ expense: Expense, bytes: Int) {
    let bytes = min(max(bytes, 0), borrowed[Int(expense.rawValue)])
    memoryLeft += bytes
    borrowed[Int(expense.rawValue)] -= bytes
  }

  // MARK: The end

  /// The reason why the budget is exceeded; nil if it is not.
  package private(set) var error: OverBudget?

  /// Throws an error if the budget is exceeded.
  public func check() throws(OverBudget) {
    if let error { throw error }
  }

  /// Returns the three largest amounts of an account, the largest first.
  private func shares(of amounts: UnsafeMutablePointer<Int>) -> [OverBudget.Share] {
    var shares: [OverBudget.Share] = []
    for expense in Expense.allCases {
      let amount = amounts[Int(expense.rawValue)]
      guard amount > 0 else { continue }
      let index = shares.firstIndex { $0.amount < amount } ?? shares.count
      shares.insert(OverBudget.Share(expense: expense, amount: amount), at: index)
      if shares.count > 3 { shares.removeLast() }
    }
    return shares
  }
}

/// The work and memory that a budget has spent, as a value that is stored beside the result of
/// reading.
package struct Spending: Sendable {
  /// The size of the input in bytes.
  package var input: Int
  /// The work, by the number of the expense.
  package var work: [Int]
  /// The memory that the result of reading holds.
  package var memory: Int

  package init(input: Int, work: [Int] = [], memory: Int = 0) {
    self.input = input
    self.work = work
    self.memory = memory
  }

  /// The work that was spent on all kinds of things.
  package var workSpent: Int { work.reduce(0, &+) }
}

// MARK: - One picture of several files

/// The budget that the files of one picture share, for example the layers of an icon. It is that of
/// one file with the bytes of all, with a lower floor of work. Each of the files also has a budget
/// of its own.
package final class SharedBudget {
  private var input = 0
  private let pixels: Int
  private var work = 0
  private var memory = 0

  /// The work that every picture may cost: 0.25 s. The layers of real icons cost less than 0.03 s,
  /// and an icon has up to thirty bitmaps.
  static let workFloor = 250_000_000

  /// Creates the budget of a picture with this number of pixels.
  package init(pixels: Int = 0) { self.pixels = pixels }

  private var mostWork: Int {
    Budget.mostWork(input: input, pixels: pixels) - Budget.workFloor + SharedBudget.workFloor
  }

  private var mostMemory: Int { Budget.mostMemory(input: input, pixels: pixels) }

  /// The work that is left.
  package var workLeft: Int { mostWork - work }

  /// Returns a budget for reading one more file.
  package func budget(ofFile bytes: Int) -> Budget {
    input += bytes
    return Budget(input: bytes, memory: mostMemory - memory, work: workLeft)
  }

  /// Counts what reading a file has spent, after `budget(ofFile:)`.
  package func count(_ spending: Spending) {
    work += spending.workSpent
    memory += spending.memory
  }

  /// Counts a file that was read with another budget.
  package func countFile(_ spending: Spending) {
    input += spending.input
    count(spending)
  }

  /// Counts work.
  package func count(work more: Int) { work += more }

  /// Counts the memory of a file that is not used any more.
  package func giveBack(_ spending: Spending) { memory -= spending.memory }

  /// Returns the error of a file. If the file alone may take what it took, the numbers become those
  /// of all files.
  package func error(_ error: OverBudget) -> OverBudget {
    let isWork = error.account == .work
    let own =
      isWork
      ? Budget.mostWork(input: error.input, pixels: error.pixels)
      : Budget.mostMemory(input: error.input, pixels: error.pixels)
    if error.most == own { return error }
    return OverBudget(
      error.account, input: input, pixels: pixels, most: isWork ? mostWork : mostMemory,
      isShared: true)
  }
}

// MARK: - The error of an exhausted budget

/// An exhausted budget.
public struct OverBudget: Error, Equatable, Sendable {
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
  /// Whether the numbers are those of all files of a picture.
  package let isShared: Bool

  package init(
    _ account: Account, input: Int, pixels: Int = 0, most: Int, shares: [Share] = [],
    isShared: Bool = false
  ) {
    self.account = account
    self.input = input
    self.pixels = pixels
    self.most = most
    self.shares = shares
    self.isShared = isShared
  }

  /// The reason as the end of a sentence about the file.
  package var words: String {
    var text = account == .work ? "it takes too much work" : "it needs too much memory"
    text += " for its \(input) bytes"
    if isShared { return text + " in all files together" }
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
