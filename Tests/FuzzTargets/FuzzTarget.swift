// What fuzzers throw bytes at. The fuzzer (Tests/Fuzz) and the ordinary tests, which replay seeds
// and past crashes, run the same bodies. A body must return whatever the bytes are.

/// One reader of foreign bytes.
public struct FuzzTarget: Sendable {
  /// Also the name of its folders below Tests/Fuzz/Seeds and Tests/Fuzz/Crashes.
  public let name: String
  public let run: @Sendable (UnsafeRawBufferPointer) -> Void

  init(_ name: String, _ run: @escaping @Sendable (UnsafeRawBufferPointer) -> Void) {
    self.name = name
    self.run = run
  }

  public static let all = [
    header, archive, thinning, extraction, rendition, index, catalog, interface,
    codecs, entropyBlock, bitmap, encoders, picture, pictureRows,
    contents, traits, propertyList, batchLine, commandLine, svg, symbol, drawing,
    pdf, font, jpeg, object,
  ]
}
