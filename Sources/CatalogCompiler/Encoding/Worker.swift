// What one thread needs to turn a planned rendition into blocks, kept from one to the next.

import Archive
import CatalogModel
import Codecs
import Traits

/// Where the files of a catalogue are read, and what becomes of pictures.
struct EncodingSettings: Sendable {
  var tree: FileTree
  var target: CompileTarget
  var optimization: Optimization
  var packsSprites: Bool
  /// Keys of renditions that state a wide gamut themselves: none is derived for them.
  var wideKeys: Set<WideKey>
  /// Larger files are refused.
  var largestFile = 1 << 30
}

struct WideKey: Hashable, Sendable {
  var facet: String
  var part: UInt16
  var dimension2: UInt16
  var key: VariantKey
}

/// What came of a planned rendition: a finished block, or a small picture for an atlas.
enum MadeRendition: Sendable {
  case block(Gamut, [UInt8])
  case small(Gamut, Bitmap)
}

/// The buffers of one thread. Used by that thread alone, one rendition at a time.
final class Worker: @unchecked Sendable {
  private var decoder = PictureDecoder()
  private var encoder: BitmapEncoder
  private let settings: EncodingSettings

  init(_ settings: EncodingSettings) {
    self.settings = settings
    encoder = BitmapEncoder(
      optimization: settings.optimization, oldestReader: settings.target.oldestReader)
  }

  /// The blocks of a rendition; two where its picture has colours that sRGB lacks.
  func make(_ planned: PlannedRendition) throws(EncodingFailure) -> [MadeRendition] {
    switch planned.content {
    case .color(let value): return [.block(planned.key.gamut, planned.colorBlock(value))]
    case .iconSizes(let sizes): return [.block(planned.key.gamut, planned.iconSizesBlock(sizes))]
    case .data(let file, let type):
      return [.block(planned.key.gamut, planned.dataBlock(try read(file), typeIdentifier: type))]
    case .vector(let file):
      return [.block(planned.key.gamut, planned.vectorBlock(try read(file), of: file))]
    case .picture(let file, _, _):
      return try makePicture(planned, try read(file))
    }
  }

  private func makePicture(
    _ planned: PlannedRendition, _ bytes: [UInt8]
  ) throws(EncodingFailure) -> [MadeRendition] {
    if let stored = StoredPicture(bytes) {
      return [.block(planned.key.gamut, planned.storedPictureBlock(bytes, stored))]
    }
    let bitmap = try decode(bytes, gamut: planned.key.gamut)
    guard bitmap.hasWiderSource, settings.derivesWideGamut(of: planned) else {
      return [finish(planned, bitmap)]
    }
    let narrow = finish(planned, bitmap)
    var wide = planned
    wide.key.gamut = .p3
    return [narrow, finish(wide, try decode(bytes, gamut: .p3))]
  }

  private func finish(_ planned: PlannedRendition, _ bitmap: Bitmap) -> MadeRendition {
    if settings.packsSprites, SmallPicture.canBe(bitmap, for: planned) {
      return .small(planned.key.gamut, bitmap)
    }
    defer { decoder.recycle(bitmap) }
    return .block(planned.key.gamut, planned.bitmapBlock(bitmap, payload: payload(of: bitmap)))
  }

  /// The compressed pixels of a picture or an atlas.
  func payload(of bitmap: Bitmap) -> [UInt8] {
    var payload: [UInt8] = []
    bitmap.pixels.withUnsafeBytes { pixels in
      let rows = BitmapRows(
        pixels, format: bitmap.layout.coded, width: bitmap.width, height: bitmap.height,
        bytesPerRow: bitmap.bytesPerRow, isOpaque: bitmap.isOpaque)
      encoder.encode(rows, appendingTo: &payload)
    }
    return payload
  }

  /// The pixels of a sprite that did not stay in memory.
  func bitmap(of planned: PlannedRendition) throws(EncodingFailure) -> Bitmap {
    guard let file = planned.source else { throw .unsupported }
    return try decode(try read(file), gamut: planned.key.gamut)
  }

  func recycle(_ bitmap: consuming Bitmap) { decoder.recycle(bitmap) }

  private func read(_ file: SourceFile) throws(EncodingFailure) -> [UInt8] {
    do throws(FileError) {
      return try settings.tree.read(file.path, settings.largestFile)
    } catch {
      throw .unreadable(error)
    }
  }

  private func decode(_ bytes: [UInt8], gamut: Gamut) throws(EncodingFailure) -> Bitmap {
    var options = PictureOptions()
    options.gamut = gamut == .p3 ? .displayP3 : .sRGB
    options.allowsGray = settings.target.readsGray
    do throws(PictureError) {
      let bitmap = try decodeBorrowed(bytes, options)
      return settings.target.readsPadding ? bitmap : bitmap.withoutPadding()
    } catch {
      guard error.reason == .unknownKind else { throw .broken(error) }
      // A GIF is left out; a text or an empty file under a picture's name is a mistake.
      throw (try? ImageHeader.read(bytes)) == nil ? .noPicture : .unsupported
    }
  }

  private func decodeBorrowed(
    _ bytes: [UInt8], _ options: PictureOptions
  ) throws(PictureError) -> Bitmap {
    let result = bytes.withUnsafeBytes { file -> Result<Bitmap, PictureError> in
      do throws(PictureError) {
        return .success(try decoder.decode(file, options: options))
      } catch {
        return .failure(error)
      }
    }
    return try result.get()
  }
}

extension EncodingSettings {
  /// Whether a wide rendition is made beside the sRGB one of a picture with wide colours.
  func derivesWideGamut(of planned: PlannedRendition) -> Bool {
    guard planned.key.gamut == .sRGB, target.showsWideGamut else { return false }
    var key = planned.key
    key.gamut = .p3
    return !wideKeys.contains(
      WideKey(facet: planned.facet, part: planned.part, dimension2: planned.dimension2, key: key))
  }
}

/// Why a rendition could not be made.
enum EncodingFailure: Error, Sendable {
  case unreadable(FileError)
  case broken(PictureError)
  /// The file is not what it was when it was read first.
  case changed
  /// Not a picture of any kind that anyone compiles.
  case noPicture
  case unsupported

  func diagnostic(about planned: PlannedRendition) -> Diagnostic {
    let name = planned.source?.path ?? planned.facet
    let pointer = planned.pointer.isEmpty ? nil : planned.pointer + "/filename"
    return switch self {
    case .unreadable(let error):
      Diagnostic(
        .unreadableFile, "\"\(name)\" cannot be read: \(error)", file: planned.file,
        pointer: pointer)
    case .broken(let error):
      Diagnostic(
        .brokenImage, "\"\(name)\" is damaged: \(error)", file: planned.file, pointer: pointer)
    case .changed:
      Diagnostic(
        .unreadableFile, "\"\(name)\" changed while it was compiled; compile again",
        file: planned.file, pointer: pointer)
    case .noPicture:
      Diagnostic(
        .brokenImage, "\"\(name)\" is not a picture; save it as PNG, JPEG or HEIF",
        file: planned.file, pointer: pointer)
    case .unsupported:
      Diagnostic(
        .unsupportedImage,
        "\"\(name)\" is left out: it is not a PNG, JPEG or HEIF picture; save it as one of them",
        file: planned.file, pointer: pointer)
    }
  }
}
