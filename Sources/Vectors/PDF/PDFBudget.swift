// What one PDF may still use. Reading goes on with nothing where a limit was met, and the error comes
// at the end: so only the few loops that can be long look at it.

final class PDFBudget {
  static let decompressedBytes = 256 << 20
  static let operators = 20_000_000
  static let nesting = 32
  static let objects = 1_000_000
  static let functionSteps = 10_000
  static let imageBytes = 128 << 20
  static let pageSide = 16_384

  /// The first limit that was met.
  private(set) var exceeded: VectorError?
  /// Checking whether two accesses overlap would take longer than counting.
  @exclusivity(unchecked) private var operatorsLeft = PDFBudget.operators
  let mostBytes: Int
  private let mostImageBytes: Int
  private var bytesLeft: Int
  private var imageBytesLeft: Int

  var isExceeded: Bool { exceeded != nil }

  /// A half of `memory` for what streams become, a half for images; never more than the limits above.
  init(memory: Int = .max) {
    mostBytes = min(PDFBudget.decompressedBytes, memory / 2)
    mostImageBytes = min(PDFBudget.imageBytes, memory / 2)
    bytesLeft = mostBytes
    imageBytesLeft = mostImageBytes
  }

  func exceed(_ limit: VectorLimit, most: Int) {
    if exceeded == nil { exceeded = .overLimit(limit, most: most) }
  }

  /// Counts work; false when there was too much of it. One is about what an operator costs.
  @discardableResult
  func spend(_ work: Int = 1) -> Bool {
    operatorsLeft -= min(max(work, 0), Self.operators + 1)
    if operatorsLeft < 0 {
      operatorsLeft = 0
      exceed(.operators, most: Self.operators)
    }
    return exceeded == nil
  }

  /// The most bytes that a stream of `count` bytes may become: a thousand times as many, and a
  /// megabyte in any case.
  func allowance(for count: Int) -> Int {
    min(max(1 << 20, min(count, Self.decompressedBytes) * 1000), bytesLeft)
  }

  func exceedAllowance() { exceed(.decompressedBytes, most: mostBytes) }

  func spend(decompressed count: Int) {
    bytesLeft -= min(count, Self.decompressedBytes + 1)
    if bytesLeft < 0 {
      bytesLeft = 0
      exceedAllowance()
    }
  }

  /// Counts memory for images before it is taken.
  func spend(imageBytes count: Int) -> Bool {
    guard count <= imageBytesLeft else {
      exceed(.memory, most: mostImageBytes)
      return false
    }
    imageBytesLeft -= count
    return exceeded == nil
  }
}
