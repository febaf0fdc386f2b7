// The fuzz targets: functions that get any bytes. The fuzzer (Tests/Fuzz) and the ordinary tests,
// which replay seeds and past crashes, run the same functions. A function must return for any
// bytes.

/// A reader of bytes from an unknown source.
public struct FuzzTarget: Sendable {
  /// The name of the target and of its folder below Tests/Fuzz/Crashes.
  public let name: String
  /// The folder of its seeds below Tests/Fuzz/Seeds. Most targets have one of their own.
  public let seeds: String
  private let body: @Sendable (UnsafeRawBufferPointer) -> Void
  /// The bound for the cost of one input.
  public let bound: CostBound

  init(
    _ name: String, seeds: String? = nil, bound: CostBound = CostBound(),
    _ run: @escaping @Sendable (UnsafeRawBufferPointer) -> Void
  ) {
    self.name = name
    self.seeds = seeds ?? name
    self.bound = bound
    body = run
  }

  /// Gives the bytes to the reader, and stops the program if that costs more than the bound.
  public func run(_ bytes: UnsafeRawBufferPointer) {
    let cost = Cost.of { body(bytes) }
    if let excess = bound.excess(of: cost, input: bytes.count) {
      fatalError("\(name): \(bytes.count) bytes cost \(excess)")
    }
  }

  /// Returns the cost of an input, without checking the bound.
  public func cost(of bytes: UnsafeRawBufferPointer) -> Cost { Cost.of { body(bytes) } }

  public static let all = [
    header, archive, thinning, edit, extraction, recovery, rendition, index, catalog, interface,
    codecs, entropyBlock, bitmap, encoders, picture, pictureRows,
    contents, traits, propertyList, batchLine, commandLine, svg, symbol, drawing,
    pdf, font, jpeg, keptVector, object, calls, icon, glass, drawnIcon, zip, lsp, uses,
    buildLog, gitObject,
  ]
}
