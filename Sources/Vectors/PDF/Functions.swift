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

  /// Returns the value at the same relative place in another interval.
  static func map(
    _ value: Double, _ low: Double, _ high: Double, _ newLow: Double, _ newHigh: Double
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

  func evaluate(_ input: [Double]) -> [Double] {
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
    let inner = Intervals.map(x, low, high, encode.low(index), encode.high(index))
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
      return sampledFunction(stream, domain, range).map(PDFFunction.sampled)
    case 2:
      let start = numbers(dictionary["C0"]) ?? [0]
      guard start.count <= PDFFile.mostValues else { return nil }
      return .exponential(
        ExponentialFunction(
          domain: domain, range: range, start: start,
          end: Array((numbers(dictionary["C1"]) ?? [1]).prefix(start.count)),
          exponent: number(dictionary["N"]) ?? 1))
    case 3: return stitchedFunction(dictionary, domain, range, depth)
    case 4:
      guard let stream = resolved.stream, let range else { return nil }
      return CalculatedFunction(decoded(stream), domain: domain, range: range, budget: budget)
        .map(PDFFunction.calculated)
    default: return nil
    }
  }

  private func stitchedFunction(
    _ dictionary: PDFDictionary, _ domain: Intervals, _ range: Intervals?, _ depth: Int
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
    _ stream: PDFStream, _ domain: Intervals, _ range: Intervals
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
