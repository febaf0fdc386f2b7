// The functions of PDF, from numbers to numbers: sampled, exponential, stitching and PostScript
// functions.

import Bytes

/// A function of any type. Arguments are clipped to the domain and results to the range. A function
/// that cannot be read is nil, and the callers continue without it.
indirect enum PDFFunction {
  case identity
  case sampled(SampledFunction)
  case exponential(ExponentialFunction)
  case stitched(StitchedFunction)
  case calculated(CalculatedFunction)
  /// An array of functions, one for each result.
  case several([PDFFunction])

  func evaluate(_ input: [Double]) -> [Double] {
    switch self {
    case .identity: return input
    case .sampled(let function): return function.evaluate(input)
    case .exponential(let function): return function.evaluate(input)
    case .stitched(let function): return function.evaluate(input)
    case .calculated(let function): return function.evaluate(input)
    case .several(let functions):
      return functions.map { $0.evaluate(input).first ?? 0 }
    }
  }
}

/// The lowest and highest values of each argument or result.
struct Intervals {
  private var ends: [Double]

  init(_ ends: [Double]) { self.ends = ends }

  var count: Int { ends.count / 2 }
  func low(_ index: Int) -> Double { ends[2 * index] }
  func high(_ index: Int) -> Double { ends[2 * index + 1] }

  func clip(_ value: Double, _ index: Int) -> Double {
    guard index < count else { return value }
    guard value == value else { return low(index) }
    return min(max(value, low(index)), max(low(index), high(index)))
  }

  func clip(_ values: [Double]) -> [Double] {
    values.indices.map { clip(values[$0], $0) }
  }

  /// Returns the value at the same relative position in another interval.
  static func map(
    _ value: Double, low: Double, high: Double, newLow: Double, newHigh: Double
  ) -> Double {
    high == low ? newLow : newLow + (value - low) * (newHigh - newLow) / (high - low)
  }
}

struct ExponentialFunction {
  var domain: Intervals
  var range: Intervals?
  var start: [Double]
  var end: [Double]
  var exponent: Double
  let budget: Budget

  func evaluate(_ input: [Double]) -> [Double] {
    budget.spend(.functionSteps, 8 + start.count)
    let x = domain.clip(input.first ?? 0, 0)
    let power = exponent == 1 ? x : Mathematics.power(x, exponent)
    let result = start.indices.map {
      start[$0] + power * ((end.dropFirst($0).first ?? 0) - start[$0])
    }
    return range?.clip(result) ?? result
  }
}

struct StitchedFunction {
  var domain: Intervals
  var range: Intervals?
  var parts: [PDFFunction]
  var bounds: [Double]
  var encode: Intervals
  let budget: Budget

  func evaluate(_ input: [Double]) -> [Double] {
    let x = domain.clip(input.first ?? 0, 0)
    var index = 0
    while index < bounds.count, x >= bounds[index], index < parts.count - 1 { index += 1 }
    budget.spend(.functionSteps, 8 + index / 8)
    let low = index == 0 ? domain.low(0) : bounds[index - 1]
    let high = index < bounds.count ? bounds[index] : domain.high(0)
    let inner = Intervals.map(
      x, low: low, high: high, newLow: encode.low(index), newHigh: encode.high(index))
    let result = parts[index].evaluate([inner])
    return range?.clip(result) ?? result
  }
}

extension PDFFile {
  /// Reads a function or an array of functions; returns nil if it is not valid. Each object is read
  /// once, so that a function that is used many times shares its tables.
  func function(_ value: PDFValue, depth: Int = 0) -> PDFFunction? {
    guard depth < 8, budget.spend(.objects, 4) else { return nil }
    if let number = value.reference, let known = functions[number] { return known }
    let resolved = resolve(value)
    let found = readFunction(resolved, depth)
    if let number = value.reference, resolved.array == nil, let found {
      functions[number] = found
    }
    return found
  }

  /// The most arguments or results of a function.
  private static let mostValues = 64

  private func readFunction(_ resolved: PDFValue, _ depth: Int) -> PDFFunction? {
    // Arrays within arrays would multiply the cost of each evaluation.
    if let parts = resolved.array, depth == 0 {
      let functions = parts.prefix(64).compactMap { function($0, depth: depth + 1) }
      return functions.count == min(parts.count, 64) && !functions.isEmpty
        ? .several(functions) : nil
    }
    if resolved.name == "Identity" { return .identity }
    guard let dictionary = resolved.dictionary, let ends = numbers(dictionary["Domain"]),
      ends.count >= 2, ends.count <= 2 * PDFFile.mostValues
    else { return nil }
    let domain = Intervals(ends)
    let range = numbers(dictionary["Range"]).map(Intervals.init)
    guard range?.count ?? 0 <= PDFFile.mostValues else { return nil }
    switch int(dictionary["FunctionType"]) {
    case 0:
      guard let stream = resolved.stream, let range else { return nil }
      return sampledFunction(stream, domain: domain, range: range).map(PDFFunction.sampled)
    case 2:
      let start = numbers(dictionary["C0"]) ?? [0]
      guard start.count <= PDFFile.mostValues else { return nil }
      return .exponential(
        ExponentialFunction(
          domain: domain, range: range, start: start,
          end: Array((numbers(dictionary["C1"]) ?? [1]).prefix(start.count)),
          exponent: number(dictionary["N"]) ?? 1, budget: budget))
    case 3: return stitchedFunction(dictionary, domain: domain, range: range, depth: depth)
    case 4:
      guard let stream = resolved.stream, let range else { return nil }
      return CalculatedFunction(decoded(stream), domain: domain, range: range, budget: budget)
        .map(PDFFunction.calculated)
    default: return nil
    }
  }

  private func stitchedFunction(
    _ dictionary: PDFDictionary, domain: Intervals, range: Intervals?, depth: Int
  ) -> PDFFunction? {
    guard domain.count == 1, let list = array(dictionary["Functions"]),
      let bounds = numbers(dictionary["Bounds"]),
      let encode = numbers(dictionary["Encode"]), !list.isEmpty, bounds.count >= list.count - 1,
      encode.count >= 2 * list.count, list.count <= 4096
    else { return nil }
    let parts = list.compactMap { function($0, depth: depth + 1) }
    guard parts.count == list.count else { return nil }
    return .stitched(
      StitchedFunction(
        domain: domain, range: range, parts: parts,
        bounds: Array(bounds.prefix(list.count - 1)), encode: Intervals(encode), budget: budget))
  }

  private func sampledFunction(
    _ stream: PDFStream, domain: Intervals, range: Intervals
  ) -> SampledFunction? {
    let dictionary = stream.dictionary
    guard let sizes = numbers(dictionary["Size"]), sizes.count >= domain.count,
      let bits = int(dictionary["BitsPerSample"]), [1, 2, 4, 8, 12, 16, 24, 32].contains(bits),
      domain.count <= 8, range.count >= 1, range.count <= 32
    else { return nil }
    let counts = sizes.prefix(domain.count).map { whole($0, from: 1, to: 1 << 20) }
    var total = range.count
    for count in counts {
      let (product, overflow) = total.multipliedReportingOverflow(by: count)
      guard !overflow, product <= 1 << 22 else { return nil }
      total = product
    }
    guard budget.spend(.samples, 2 * total), budget.borrow(.samples, bytes: 8 * total) else {
      return nil
    }
    var standard: [Double] = []
    for count in counts { standard += [0, Double(count - 1)] }
    let encode = numbers(dictionary["Encode"]) ?? standard
    let decode = numbers(dictionary["Decode"])
    return SampledFunction(
      domain: domain, range: range, counts: counts,
      encode: Intervals(encode.count >= standard.count ? encode : standard),
      decode: decode.map { $0.count >= 2 * range.count ? Intervals($0) : range } ?? range,
      samples: SampledFunction.samples(decoded(stream), bits: bits, count: total), budget: budget)
  }
}

// MARK: - Functions of type 0

// Functions of type 0: a table of samples with linear interpolation between them.

struct SampledFunction {
  var domain: Intervals
  var range: Intervals
  /// The number of samples along each argument; the first argument varies fastest.
  var counts: [Int]
  var encode: Intervals
  var decode: Intervals
  /// The samples, from 0 to 1.
  var samples: [Double]
  let budget: Budget

  static func samples(_ bytes: [UInt8], bits: Int, count: Int) -> [Double] {
    var reader = BitReader(bytes)
    let scale = 1 / Double(1 << bits - 1)
    var samples: [Double] = []
    samples.reserveCapacity(count)
    for _ in 0..<count { samples.append(Double(reader.take(bits)) * scale) }
    return samples
  }

  func evaluate(_ input: [Double]) -> [Double] {
    let arguments = domain.count
    let results = range.count
    budget.spend(.functionSteps, 8 + (1 << arguments) * (arguments + results) / 4)
    var low: [Int] = []
    var fraction: [Double] = []
    for index in 0..<arguments {
      let x = domain.clip(index < input.count ? input[index] : 0, index)
      let position = Intervals.map(
        x, low: domain.low(index), high: domain.high(index), newLow: encode.low(index),
        newHigh: encode.high(index))
      let last = Double(counts[index] - 1)
      let clipped = position == position ? min(max(position, 0), last) : 0
      let whole = min(clipped.rounded(.down), max(0, last - 1))
      low.append(Int(whole))
      fraction.append(clipped - whole)
    }
    var sums = [Double](repeating: 0, count: results)
    // The result is interpolated between the corners of the cell that contains the arguments.
    for corner in 0..<1 << arguments {
      var weight = 1.0
      var offset = 0
      var step = 1
      for index in 0..<arguments {
        let upper = corner >> index & 1
        weight *= upper == 1 ? fraction[index] : 1 - fraction[index]
        offset += min(low[index] + upper, counts[index] - 1) * step
        step *= counts[index]
      }
      guard weight != 0 else { continue }
      for result in 0..<results { sums[result] += weight * samples[offset * results + result] }
    }
    return sums.indices.map { index in
      range.clip(
        decode.low(index) + sums[index] * (decode.high(index) - decode.low(index)), index)
    }
  }
}

/// A reader of values of some bits each, highest bit first. After the end it gives zeros.
struct BitReader {
  let bytes: [UInt8]
  private(set) var bit = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  var isAtEnd: Bool { bit >= bytes.count * 8 }

  /// Reads a value of at most 32 bits.
  mutating func take(_ count: Int) -> Int {
    var value = 0
    var left = count
    while left > 0 {
      let inByte = 8 - bit & 7
      let taken = min(inByte, left)
      let byte = bit >> 3 < bytes.count ? Int(bytes[bit >> 3]) : 0
      value = value << taken | byte >> (inByte - taken) & (1 << taken - 1)
      bit += taken
      left -= taken
    }
    return value
  }

  mutating func alignToByte() { bit = (bit + 7) & ~7 }
}

// MARK: - Functions of type 4

// PDF functions of type 4: calculations in a small part of PostScript, on a stack of numbers.

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
      case .apply(let operation):
        budget.spend(.functionSteps, stack.furtherSteps(of: operation))
        stack.apply(operation)
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

  /// Returns the number of steps that an operation takes in addition to one.
  func furtherSteps(of operation: CalculatedFunction.Operation) -> Int {
    switch operation {
    case .sin, .cos: 3
    case .atan, .exp, .ln, .log: 2
    case .copy, .roll: values.count / 4
    default: 0
    }
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
      let depth = popInt()
      guard depth >= 0, depth < values.count else { return isBroken = true }
      push(values[values.count - 1 - depth])
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
      for index in 0..<count {
        values[start + ((index + by) % count + count) % count] = part[index]
      }
    default: break
    }
  }
}
