// The budget of one file: how much work and how much memory its bytes, and the pixels that are asked for, may
// cost. Every reader of the file spends from the same budget, at the place where the cost arises. What the
// things cost is said in Expense.swift; what an exhausted budget says is in OverBudget.swift.

/// Two accounts, work and memory. Each holds a fixed floor and a share for every byte of the input and for
/// every pixel that is asked for.
///
/// Work is counted in nanoseconds of an ordinary processor core: each expense has a fixed price, so that the
/// same input always costs the same, on any machine and under any load.
///
/// Long loops look at `isExceeded` (or at the result of `spend`) and go on with nothing; the caller ends with
/// `check()`. Places that prefer to throw use `pay` and `borrow`.
package final class Budget {
  /// Work that every file may cost: 1 s. A call may take 2 s, and processors of half the speed exist.
  package static let workFloor = 1_000_000_000
  /// Work for each byte of the input: 500 ns, which is half of the microsecond that a call may take.
  package static let workPerByte = 500
  /// Work for each pixel that is asked for: 64 layers over the whole picture at 2 ns for each pixel.
  package static let workPerPixel = 128
  /// Memory that every file may take: 48 MB. A call may take 64 MB; the rest is for what is not counted
  /// (the allocator's waste, small values).
  package static let memoryFloor = 48 << 20
  /// Memory for each byte of the input: 12 bytes, where a call may take 16.
  package static let memoryPerByte = 12
  /// Memory for each pixel that is asked for, besides the result: four groups or masks of the whole picture.
  package static let memoryPerPixel = 16

  /// The size of the input in bytes.
  package private(set) var input = 0
  /// The pixels that are asked for.
  package private(set) var pixels = 0
  /// The work that all of this may cost.
  package private(set) var mostWork = 0
  /// The memory that all of this may take at one time.
  package private(set) var mostMemory = 0

  // Nothing else can hold an access to these: checking for overlaps would cost more than counting.
  @usableFromInline @exclusivity(unchecked) package var workLeft = 0
  @usableFromInline let spent: UnsafeMutablePointer<Int>
  @exclusivity(unchecked) private var memoryLeft = 0
  private let borrowed: UnsafeMutablePointer<Int>
  private var exceededAccount: OverBudget.Account?
  /// The largest amount of memory that was borrowed at one time.
  @exclusivity(unchecked) package private(set) var peakMemory = 0

  /// Makes the budget of an input of so many bytes. `memory` lowers what it may take; `pixels` raises both
  /// accounts.
  package init(input: Int, pixels: Int = 0, memory cap: Int = .max) {
    spent = .allocate(capacity: Expense.count)
    borrowed = .allocate(capacity: Expense.count)
    begin(Spending(input: input), pixels: pixels, memory: cap)
  }

  /// What was spent so far, for a budget that continues this one.
  package var spending: Spending {
    Spending(
      input: input, work: Expense.allCases.map { spent[Int($0.rawValue)] }, memory: memoryHeld)
  }

  /// Begins anew with what another budget has spent and still holds. So each drawing of a file is bounded as
  /// if the file were read for it alone, and the order of drawings does not matter.
  package func begin(_ spending: Spending, pixels: Int, memory cap: Int = .max) {
    input = Budget.clamped(spending.input)
    self.pixels = Budget.clamped(pixels)
    mostWork = Budget.workFloor + input * Budget.workPerByte + self.pixels * Budget.workPerPixel
    mostMemory = min(max(cap, 0), Budget.mostMemory(input: input, pixels: self.pixels))
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

  /// The memory that an input of so many bytes may take, with the pixels that are asked for.
  package static func mostMemory(input: Int, pixels: Int) -> Int {
    memoryFloor + clamped(input) * memoryPerByte + clamped(pixels) * memoryPerPixel
  }

  /// Sizes are limited so that their products with the prices are whole numbers.
  private static func clamped(_ size: Int) -> Int { min(max(size, 0), 1 << 48) }

  // MARK: Work

  /// Whether one of the accounts was overdrawn.
  @inlinable @inline(__always)
  package var isExceeded: Bool { workLeft < 0 }

  /// Counts work; false if the budget is exceeded.
  @discardableResult
  @inlinable @inline(__always)
  package func spend(_ expense: Expense, _ count: Int = 1) -> Bool {
    let work = Budget.work(expense, count)
    spent[Int(expense.rawValue)] &+= work
    workLeft &-= work
    return workLeft >= 0 || overspent(work)
  }

  /// Counts work, and throws if the budget is exceeded.
  @inlinable @inline(__always)
  package func pay(_ expense: Expense, _ count: Int = 1) throws(OverBudget) {
    if !spend(expense, count) { try check() }
  }

  /// No single expense is more than 2^40 pieces, which no budget covers: products and sums stay whole.
  @inlinable @inline(__always)
  static func work(_ expense: Expense, _ count: Int) -> Int {
    min(max(count, 0), 1 << 40) &* expense.price
  }

  /// Ends all further work: nothing is spent any more.
  @usableFromInline @inline(never)
  func overspent(_ work: Int) -> Bool {
    // What is spent after the end is not counted: the error tells what led to it.
    if exceededAccount == nil { exceed(.work) }
    workLeft = -1
    return false
  }

  private func exceed(_ account: OverBudget.Account) {
    if exceededAccount == nil {
      exceededAccount = account
      error = OverBudget(
        account, input: input, pixels: pixels, most: account == .work ? mostWork : mostMemory,
        shares: shares(of: account == .work ? spent : borrowed, account))
    }
    workLeft = -1
  }

  /// The work that was spent, of all kinds.
  package var workSpent: Int {
    Expense.allCases.reduce(0) { $0 &+ spent[Int($1.rawValue)] }
  }

  /// How many of one kind of thing the rest of the work pays for.
  package func affordable(_ expense: Expense) -> Int { max(workLeft, 0) / expense.price }

  /// The work that was spent on one kind of thing.
  package func workSpent(on expense: Expense) -> Int { spent[Int(expense.rawValue)] }

  // MARK: Memory

  /// The memory that is borrowed now.
  package var memoryHeld: Int {
    Expense.allCases.reduce(0) { $0 &+ borrowed[Int($1.rawValue)] }
  }

  /// The memory that one kind of thing has borrowed now.
  package func memoryHeld(by expense: Expense) -> Int { borrowed[Int(expense.rawValue)] }

  /// The memory that may still be borrowed.
  package var availableMemory: Int { isExceeded ? 0 : memoryLeft }

  /// Counts memory before it is allocated; false if there is not enough of it, which exceeds the budget.
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

  /// Exceeds the budget because a kind of thing asks for more memory than there is.
  package func exceedMemory(_ expense: Expense) { borrow(expense, bytes: memoryLeft + 1) }

  /// Sets what one kind of thing holds now: counts the difference.
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

  /// Why the budget is exceeded; nil if it is not.
  package private(set) var error: OverBudget?

  /// Throws if the budget is exceeded.
  package func check() throws(OverBudget) {
    if let error { throw error }
  }

  /// The largest amounts of an account, the largest first.
  private func shares(
    of amounts: UnsafeMutablePointer<Int>, _ account: OverBudget.Account
  ) -> [OverBudget.Share] {
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

/// What a budget has spent, as a value that lies beside what was read.
package struct Spending: Sendable {
  /// The size of the input in bytes.
  package var input: Int
  /// By the number of the expense.
  package var work: [Int]
  /// Memory that what was read holds.
  package var memory: Int

  package init(input: Int, work: [Int] = [], memory: Int = 0) {
    self.input = input
    self.work = work
    self.memory = memory
  }
}
