// What fuzzers throw bytes at. The fuzzer (Tests/Fuzz) and the ordinary tests, which replay seeds
// and past crashes, run the same bodies. A body must return whatever the bytes are.

/// One reader of foreign bytes.
public struct FuzzTarget: Sendable {
  /// Also the name of its folders below Tests/Fuzz/Seeds and Tests/Fuzz/Crashes.
  public let name: String
  private let body: @Sendable (UnsafeRawBufferPointer) -> Void
  /// What one input may cost.
  public let bound: CostBound

  init(
    _ name: String, bound: CostBound = CostBound(),
    _ run: @escaping @Sendable (UnsafeRawBufferPointer) -> Void
  ) {
    self.name = name
    self.bound = bound
    body = run
  }

  /// Gives the bytes to the reader and stops the program if that costs more than the bound.
  public func run(_ bytes: UnsafeRawBufferPointer) {
    let cost = Cost.of { body(bytes) }
    if let excess = bound.excess(of: cost, input: bytes.count) {
      fatalError("\(name): \(bytes.count) bytes cost \(excess)")
    }
  }

  /// What an input costs, without a bound.
  public func cost(of bytes: UnsafeRawBufferPointer) -> Cost { Cost.of { body(bytes) } }

  public static let all = [
    header, archive, thinning, extraction, rendition, index, catalog, interface,
    codecs, entropyBlock, bitmap, encoders, picture, pictureRows,
    contents, traits, propertyList, batchLine, commandLine, svg, symbol, drawing,
    pdf, font, jpeg, object, calls,
  ]
}
