// The way from a picture file to a bitmap: which path decodes it, in which colours, in which layout.

/// What a caller wants of a decoded picture.
public struct PictureOptions: Sendable {
  public enum Gamut: Sendable { case sRGB, displayP3 }
  /// Larger pictures are refused before anything is allocated for them.
  public var maximumPixels: Int
  /// .displayP3 gives half floats (`rgbw`, `ga16`), .sRGB bytes (`bgra8`, `ga8`).
  public var gamut: Gamut
  /// Store pictures without colour as grey and alpha, as targets from iOS 9 on do.
  public var allowsGray: Bool

  public init(maximumPixels: Int = 1 << 28, gamut: Gamut = .sRGB, allowsGray: Bool = true) {
    self.maximumPixels = maximumPixels
    self.gamut = gamut
    self.allowsGray = allowsGray
  }
}

/// Decodes one picture after another and keeps its buffers between them, because a fresh page costs
/// more than decoding into a used one. Use one per thread, and give bitmaps back when they are spent.
public struct PictureDecoder: Sendable {
  private var spare: [UInt8] = []

  public init() {}

  /// The picture in `file`. The bytes need to stay in place only during the call.
  public mutating func decode(
    _ file: UnsafeRawBufferPointer, options: PictureOptions = PictureOptions()
  ) throws(PictureError) -> Bitmap {
    throw PictureError(offset: 0, reason: .unknownKind)
  }

  /// Takes the buffer of a bitmap that is no longer needed, for the next picture.
  public mutating func recycle(_ bitmap: consuming Bitmap) { spare = bitmap.pixels }
}
