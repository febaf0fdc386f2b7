// Verifies pictures that come from a remote cache: their facts agree with the file, and their bytes
// decode.

import Bytes
import CatalogModel
import Host
import Imaging
import Traits
import Vectors

extension RenditionEncoder {
  /// Returns whether a picture from a remote cache can be the one of this file. A small picture
  /// goes into an atlas by its stated facts, so the file is decoded and its facts are compared. The
  /// facts of a picture with a wide profile are compared in the same way, because its pixels decide
  /// whether it is stored twice. For other pictures the header of the file is compared, and the
  /// payload must decode to that size.
  func agreesWithFile(
    _ cached: CachedPicture, of bytes: [UInt8], _ gamut: Gamut, _ planned: PlannedRendition
  ) -> Bool {
    let isReduced = planned.processing?.reduction != nil
    if cached.payload.isEmpty || isReduced || hasWideProfile(bytes)
      || settings.putsIntoAtlas(cached.facts, of: planned)
    {
      guard let facts = try? decodedFacts(of: bytes, gamut, planned) else { return false }
      return facts == cached.facts && (cached.payload.isEmpty || unpacks(cached))
    }
    let agrees =
      planned.processing?.drawingScale.map { agreesWithVector(cached.facts, bytes, planned, $0) }
      ?? agreesWithHeader(cached.facts, bytes, gamut)
    return agrees && unpacks(cached)
  }

  private func hasWideProfile(_ bytes: [UInt8]) -> Bool {
    bytes.withUnsafeBytes { file in
      let png = try? PNGFile(file, maximumPixels: PictureFacts.mostPixels)
      return png?.colors(file)?.isWide == true
    }
  }

  private func decodedFacts(
    of bytes: [UInt8], _ gamut: Gamut, _ planned: PlannedRendition
  ) throws(EncodingFailure) -> PictureFacts {
    try share(memory(of: bytes, gamut, for: planned)) { () throws(EncodingFailure) in
      let (bitmap, facts) = try decode(bytes, gamut: gamut, for: planned)
      decoder.recycle(bitmap)
      return facts
    }
  }

  /// Returns whether the condition holds for the bitmap that the payload decodes to. The bitmap is
  /// nil if the payload does not decode to the stated size.
  func unpacks(
    _ cached: CachedPicture, to condition: (Bitmap?) -> Bool
  ) -> Bool {
    let size = cached.facts.bytesPerRow * cached.facts.height
    return (try? share(size) { () throws(EncodingFailure) in condition(cached.bitmap) }) ?? false
  }

  func unpacks(_ cached: CachedPicture) -> Bool {
    unpacks(cached) { $0.map { cached.facts.isOpaque ? $0.hasFullAlpha : !$0.isOpaque } ?? false }
  }

  private func agreesWithVector(
    _ facts: PictureFacts, _ bytes: [UInt8], _ planned: PlannedRendition, _ scale: DrawingScale
  ) -> Bool {
    guard let picture = try? readVector(bytes, of: planned.drawnFile?.path ?? "", at: scale),
      let placement = try? picture.placement(scale: scale.factor)
    else { return false }
    let drawing = DrawnFacts(
      excessWidth: placement.width - placement.sliceWidth,
      excessHeight: placement.height - placement.sliceHeight, undrawn: picture.undrawn)
    return facts.width == placement.width && facts.height == placement.height
      && facts.drawn == drawing && !facts.hasWiderSource
      && isLaidOut(facts, in: settings.target.predatesLZFSE ? [.bgra8] : [.bgra8, .ga8])
  }

  private func agreesWithHeader(
    _ facts: PictureFacts, _ bytes: [UInt8], _ gamut: Gamut
  ) -> Bool {
    bytes.withUnsafeBytes { file in
      guard let png = try? PNGFile(file, maximumPixels: PictureFacts.mostPixels) else {
        return false
      }
      let colors = png.colors(file)
      let isGray = png.color == .gray || png.color == .grayAlpha
      let layouts: [BitmapLayout] =
        gamut == .p3 && !png.isApple
        ? [.rgbw]
        : settings.target.predatesLZFSE
          ? [.bgra8] : isGray && colors == nil ? [.ga8] : [.bgra8, .ga8]
      return facts.width == png.width && facts.height == png.height
        && !facts.hasWiderSource && facts.drawn == DrawnFacts()
        && (facts.isOpaque || png.mayBeTransparent) && isLaidOut(facts, in: layouts)
    }
  }

  private func isLaidOut(_ facts: PictureFacts, in layouts: [BitmapLayout]) -> Bool {
    let length =
      settings.target.predatesLZFSE
      ? facts.width * facts.layout.bytesPerPixel : facts.layout.bytesPerRow(width: facts.width)
    return layouts.contains(facts.layout) && facts.bytesPerRow == length
  }
}

extension CachedPicture {
  /// The bitmap that the payload decodes to; nil if it does not decode to the stated size.
  fileprivate var bitmap: Bitmap? {
    payload.withUnsafeBytes { bytes in
      Bitmap(
        payload: bytes, layout: facts.layout, width: facts.width, height: facts.height,
        statedBytesPerRow: Int(facts.statedBytesPerRow(in: payload)))
    }
  }
}
