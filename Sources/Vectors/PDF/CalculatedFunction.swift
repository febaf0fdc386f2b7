// PDF functions of type 4: calculations in a small part of PostScript, on a stack of numbers.

import Bytes

struct CalculatedFunction {
  let domain: Intervals
  let range: Intervals
  private let program: [Instruction]
  private let budget: Budget

  enum Instruction {
    case push(Double)
    case apply(Operation)
    /// An instruction that skips a number of instructions if the number on the stack is 0 (false).
    case skipUnless(Int)
    case skip(Int)
  }

  enum Operation: String {
    case abs, add, atan, ceiling, cos, cvi, cvr, div, exp, floor, idiv, ln, log, mod, mul, neg
    case round, sin, sqrt, sub, truncate, and, bitshift, eq, ge, gt, le, lt, ne, not, or, xor
    case copy, dup, exch, index, pop, roll
    case yes = "true"
    case no = "false"
  }

  /// Reads a program. Returns nil if a word is not an operator or a brace is missing.
  init?(_ bytes: [UInt8], domain: Intervals, range: Intervals, budget: Budget) {
    self.domain = domain
    self.range = range
    self.budget = budget
    var lexer = PDFLexer(bytes, budget: budget)
    guard case .braceOpen = lexer.next(), let program = Self.block(&lexer, depth: 0, budget) else {
      return nil
    }
    self.program = program
  }

  /// Reads the instructions up to the closing brace. The opening brace was read already.
  private static func block(
    _ lexer: inout PDFLexer, depth: Int, _ budget: Budget
  ) -> [Instruction]? {
    guard depth < 32 else { return nil }
    var result: [Instruction] = []
    var blocks: [[Instruction]] = []
    while budget.spend(.operators), budget.borrow(.functionSteps, bytes: 32) {
      switch lexer.next() {
      case .braceOpen:
        guard blocks.count < 2, let inner = block(&lexer, depth: depth + 1, budget) else {
          return nil
        }
        blocks.append(inner)
      case .braceClose: return blocks.isEmpty ? result : nil
      case .value(.boolean(let value)): result.append(.apply(value ? .yes : .no))
      case .value(let value):
        guard let number = value.number else { return nil }
        result.append(.push(number))
      case .keyword("if"):
        guard blocks.count == 1 else { return nil }
        result.append(.skipUnless(blocks[0].count))
        result += blocks[0]
        blocks = []
      case .keyword("ifelse"):
        guard blocks.count == 2 else { return nil }
        result.append(.skipUnless(blocks[0].count + 1))
        result += blocks[0]
        result.append(.skip(blocks[1].count))
        result += blocks[1]
        blocks = []
      case .keyword(let word):
        guard let operation = Operation(rawValue: word) else { return nil }
        result.append(.apply(operation))
      default: return nil
      }
    }
    return nil
  }

  func evaluate(_ input: [Double]) -> [Double] {
    var stack = NumberStack(domain.clip(Array(input.prefix(domain.count))))
    var next = 0
    while next < program.count, !stack.isBroken {
      guard budget.spend(.functionSteps) else { break }
      switch program[next] {
      case .push(let value): stack.push(value)
      case .skip(let count): next += count
      case .skipUnless(let count): if stack.pop() == 0 { next += count }
      case .apply(let operation): stack.apply(operation)
      }
      next += 1
    }
    budget.spend(.functionSteps, 8)
    let results = stack.last(range.count)
    return range.clip(results)
  }
}

/// The stack of a calculation. Booleans are the numbers 1 and 0, for which the operators on bits
/// (`and`, `or`, `xor`) give the right booleans.
private struct NumberStack {
  private var values: [Double]
  /// Whether a value was taken from an empty stack, or the stack became too large.
  private(set) var isBroken = false

  init(_ values: [Double]) { self.values = values }

  mutating func push(_ value: Double) {
    guard values.count < 100 else {
      isBroken = true
      return
    }
    values.append(value.isFinite ? value : 0)
  }

  mutating func pop() -> Double {
    guard let value = values.popLast() else {
      isBroken = true
      return 0
    }
    return value
  }

  /// Returns the last `count` values. If there are fewer, zeros precede them.
  func last(_ count: Int) -> [Double] {
    let known = values.suffix(count)
    return [Double](repeating: 0, count: count - known.count) + known
  }

  private mutating func popInt() -> Int {
    Int(exactly: min(max(pop().rounded(.towardZero), -2_147_483_648), 2_147_483_647)) ?? 0
  }

  mutating func apply(_ operation: CalculatedFunction.Operation) {
    switch operation {
    case .yes: push(1)
    case .no: push(0)
    case .abs, .ceiling, .cos, .cvi, .cvr, .floor, .ln, .log, .neg, .round, .sin, .sqrt,
      .truncate, .not:
      push(Self.one(operation, pop()))
    case .copy, .dup, .exch, .index, .pop, .roll: move(operation)
    case .and, .or, .xor, .bitshift, .idiv, .mod:
      let right = popInt()
      let left = popInt()
      push(Double(Self.whole(operation, left, right)))
    default:
      let right = pop()
      push(Self.two(operation, pop(), right))
    }
  }

  private static func one(_ operation: CalculatedFunction.Operation, _ x: Double) -> Double {
    switch operation {
    case .abs: Swift.abs(x)
    case .ceiling: x.rounded(.up)
    case .floor: x.rounded(.down)
    case .cos: Mathematics.cosine(degrees: x)
    case .sin: Mathematics.sine(degrees: x)
    case .cvi, .truncate: x.rounded(.towardZero)
    case .ln: Mathematics.logarithm(x)
    case .log: Mathematics.logarithm(x) / 2.302_585_092_994_046
    case .neg: -x
    case .round: (x + 0.5).rounded(.down)
    case .sqrt: x > 0 ? x.squareRoot() : 0
    // 1 and 0 are booleans here; for other numbers `not` inverts the bits.
    case .not: x == 0 ? 1 : x == 1 ? 0 : -x.rounded(.towardZero) - 1
    default: x
    }
  }

  private static func two(
    _ operation: CalculatedFunction.Operation, _ x: Double, _ y: Double
  ) -> Double {
    switch operation {
    case .add: x + y
    case .sub: x - y
    case .mul: x * y
    case .div: y == 0 ? 0 : x / y
    case .exp: Mathematics.power(x, y)
    case .atan: Mathematics.degrees(y: x, x: y)
    case .eq: x == y ? 1 : 0
    case .ne: x != y ? 1 : 0
    case .gt: x > y ? 1 : 0
    case .ge: x >= y ? 1 : 0
    case .lt: x < y ? 1 : 0
    case .le: x <= y ? 1 : 0
    default: 0
    }
  }

  private static func whole(
    _ operation: CalculatedFunction.Operation, _ x: Int, _ y: Int
  ) -> Int {
    switch operation {
    case .and: x & y
    case .or: x | y
    case .xor: x ^ y
    case .bitshift: y >= 0 ? Int(Int32(truncatingIfNeeded: x << min(y, 32))) : x >> min(-y, 32)
    case .idiv: y == 0 ? 0 : x / y
    case .mod: y == 0 ? 0 : x % y
    default: 0
    }
  }

  private mutating func move(_ operation: CalculatedFunction.Operation) {
    switch operation {
    case .pop: _ = pop()
    case .dup:
      let value = pop()
      push(value)
      push(value)
    case .exch:
      let last = pop()
      let first = pop()
      push(last)
      push(first)
    case .index:
      let place = popInt()
      guard place >= 0, place < values.count else { return isBroken = true }
      push(values[values.count - 1 - place])
    case .copy:
      let count = popInt()
      guard count >= 0, count <= values.count, values.count + count <= 100 else {
        return isBroken = true
      }
      values += values.suffix(count)
    case .roll:
      let by = popInt()
      let count = popInt()
      guard count >= 0, count <= values.count else { return isBroken = true }
      guard count > 0 else { return }
      let part = Array(values.suffix(count))
      let start = values.count - count
      for place in 0..<count {
        values[start + ((place + by) % count + count) % count] = part[place]
      }
    default: break
    }
  }
}
