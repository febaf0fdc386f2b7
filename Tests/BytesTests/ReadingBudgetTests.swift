import Testing

@testable import Bytes

@Suite struct ReadingBudgetTests {
  @Test func theTablesOfABudgetHaveARowForEachExpense() {
    #expect(Expense.count == Expense.allCases.count)
    #expect(Expense.allCases.map { Int($0.rawValue) } == Array(0..<Expense.count))
  }

  @Test func theBoundsGrowWithTheInputAndThePixels() {
    let empty = Budget(input: 0)
    #expect(empty.mostWork == Budget.workFloor)
    #expect(empty.mostMemory == Budget.memoryFloor)
    let large = Budget(input: 1000, pixels: 100)
    #expect(
      large.mostWork == Budget.workFloor + 1000 * Budget.workPerByte + 100 * Budget.workPerPixel)
    #expect(
      large.mostMemory
        == Budget.memoryFloor + 1000 * Budget.memoryPerByte + 100 * Budget.memoryPerPixel)
    #expect(Budget(input: 1000, memory: 500).mostMemory == 500)
  }

  @Test func workEndsWithOneErrorThatTellsWhatItWasSpentOn() throws {
    let budget = Budget(input: 10)
    #expect(budget.spend(.elements, 3))
    let tests = budget.mostWork / Expense.selectorTests.price
    #expect(!budget.spend(.selectorTests, tests))
    #expect(budget.isExceeded)
    #expect(!budget.spend(.operators))
    #expect(!budget.borrow(.samples, bytes: 1))
    #expect(
      budget.error
        == OverBudget(
          .work, input: 10, most: budget.mostWork,
          shares: [
            OverBudget.Share(
              expense: .selectorTests, amount: tests * Expense.selectorTests.price),
            OverBudget.Share(expense: .elements, amount: 3 * Expense.elements.price),
          ]))
    #expect(
      budget.error?.words
        == "it takes too much work for its 10 bytes (tests of style rules: \(tests), elements: 3)")
    let error = try #require(budget.error)
    #expect(throws: error) { try budget.check() }
    #expect(throws: error) { try budget.pay(.operators) }
  }

  @Test func memoryIsGivenBack() {
    let budget = Budget(input: 0)
    #expect(budget.borrow(.surfaces, bytes: budget.mostMemory))
    #expect(budget.availableMemory == 0)
    budget.giveBack(.surfaces, bytes: budget.mostMemory)
    #expect(budget.memoryHeld == 0)
    #expect(budget.borrow(.samples, bytes: 10))
    #expect(budget.peakMemory == budget.mostMemory)
    // A caller cannot give back more than it has borrowed.
    budget.giveBack(.samples, bytes: 100)
    #expect(budget.availableMemory == budget.mostMemory)
    #expect(!budget.borrow(.samples, bytes: budget.mostMemory + 1))
    #expect(budget.error?.account == .memory)
    let other = Budget(input: 0)
    #expect(other.hold(.samples, bytes: 30))
    #expect(other.hold(.samples, bytes: 20))
    #expect(other.memoryHeld == 20)
    #expect(budget.error?.shares.first?.expense == .samples)
    #expect(!budget.spend(.operators))
  }

  @Test(arguments: [Int.max, Int.min, -1, 1 << 62])
  func noCountOverflows(_ count: Int) {
    let budget = Budget(input: count, pixels: count, memory: count)
    for expense in Expense.allCases {
      budget.spend(expense, count)
      budget.borrow(expense, bytes: count)
      budget.giveBack(expense, bytes: count)
    }
    for _ in 0..<10_000 { budget.spend(.elements, count) }
    #expect(budget.isExceeded == (count > 0))
  }

  @Test func aDrawingContinuesWhatReadingSpent() {
    let reading = Budget(input: 100)
    reading.spend(.operators, 7)
    reading.borrow(.samples, bytes: 50)
    let drawing = Budget(input: 0)
    drawing.begin(reading.spending, pixels: 10)
    #expect(drawing.mostWork == Budget(input: 100, pixels: 10).mostWork)
    #expect(drawing.workSpent == 7 * Expense.operators.price)
    #expect(drawing.memoryHeld == 50)
    drawing.spend(.pixels, 5)
    #expect(reading.spending.work[Int(Expense.pixels.rawValue)] == 0)
    drawing.begin(reading.spending, pixels: 0, memory: 49)
    #expect(drawing.error?.account == .memory)
    drawing.begin(reading.spending, pixels: 0)
    #expect(!drawing.isExceeded)
  }

  /// Many files of one picture cannot cost as much as if each of them were a picture.
  @Test func theFilesOfOnePictureShareABudget() throws {
    let shared = SharedBudget(pixels: 10)
    let share = SharedBudget.workFloor / 2
    let work = [Expense.values: share / Expense.values.price]
    for file in 0..<2 {
      let budget = shared.budget(ofFile: 1000)
      for (expense, count) in work { budget.spend(expense, count) }
      budget.borrow(.values, bytes: Budget.memoryFloor / 2)
      #expect(budget.error == nil, "file \(file)")
      shared.count(budget.spending)
    }
    let third = shared.budget(ofFile: 1000)
    #expect(!third.borrow(.values, bytes: Budget.memoryFloor / 2))
    let memory = shared.error(try #require(third.error))
    #expect(memory.words == "it needs too much memory for its 3000 bytes in all files together")
    let fourth = shared.budget(ofFile: 1000)
    #expect(!fourth.spend(.values, share / Expense.values.price))
    let error = shared.error(try #require(fourth.error))
    #expect(error.words == "it takes too much work for its 4000 bytes in all files together")
    // A file that exceeds the budget of its own keeps the error.
    let alone = Budget(input: 5)
    alone.exceedMemory(.values)
    #expect(shared.error(try #require(alone.error)) == alone.error)
  }

  @Test func everyExpenseHasAPlace() {
    #expect(Expense.allCases.count == Expense.count)
  }
}
