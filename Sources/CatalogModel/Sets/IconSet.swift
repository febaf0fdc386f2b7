// Icon sets of macOS: no Contents.json, the names of the files say what they are for.

public struct IconSetEntry: Sendable, Hashable {
  public var file: SourceFile
  /// The side in points: 16, 32, 128, 256 or 512.
  public var size: Int
  public var scale: UInt8

  public init(file: SourceFile, size: Int, scale: UInt8) {
    self.file = file
    self.size = size
    self.scale = scale
  }
}

public struct IconSet: Sendable, Hashable {
  /// Sorted by size, then scale.
  public var entries: [IconSetEntry] = []

  public init() {}
}
