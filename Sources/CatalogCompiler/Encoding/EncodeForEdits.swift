// Makes blocks from single files, for an archive that is changed: without a catalogue, without a
// cache, and in no atlas. The target of the archive decides about the formats.

import Archive
import Bytes
import CatalogModel
import Host
import Imaging
import Traits
import Vectors

/// A file that takes the place of renditions.
package struct EditedFile: Sendable {
  /// The contents of a file, as far as blocks are made of them.
  package enum Kind: Sendable, Hashable {
    /// A picture with pixels, and its size.
    case picture(width: Int, height: Int)
    /// A JPEG or HEIF file, which is stored as it is.
    case storedPicture(width: Int, height: Int)
    case vector
    case other
  }

  package let path: ByteString
  package let bytes: [UInt8]
  package let kind: Kind

  /// Reads a file.
  package init(_ path: ByteString, in tree: FileTree) throws(FileError) {
    self.path = path
    bytes = try tree.read(path, FileLimit.source)
    guard let header = try? ImageHeader.read(bytes) else {
      kind = .other
      return
    }
    switch header.kind {
    case .png: kind = .picture(width: header.width, height: header.height)
    case .jpeg, .heic: kind = .storedPicture(width: header.width, height: header.height)
    case .pdf, .svg: kind = .vector
    default: kind = .other
    }
  }

  fileprivate var source: SourceFile {
    SourceFile(name: lastComponent(path), path: path, exists: true, size: bytes.count)
  }
}

/// The size in pixels to which a picture is scaled.
package struct ScaledSize: Sendable, Hashable {
  package var width: Int
  package var height: Int

  package init(width: Int, height: Int) { (self.width, self.height) = (width, height) }
}

/// The reason why a file cannot become a rendition, as the end of a sentence about the file.
package struct EditedFileError: Error, Sendable {
  package let reason: String
}

/// Makes the blocks of an edit. Only one thread uses it.
package struct EditedBlocks {
  private let encoder: RenditionEncoder

  package init(for target: CompileTarget) {
    let options = CompileOptions(target: target)
    var settings = EncodingSettings(
      tree: .disk, target: target, numbers: NameNumbers(),
      optimization: options.optimization.codec, keepsExactPixels: false, packsSprites: false,
      wideKeys: [], cache: nil, room: PictureRoom(options))
    settings.mostVectorPixels = options.mostVectorPixels
    encoder = RenditionEncoder(settings)
  }

  /// Returns the block of a picture for a scale and a gamut. With a size, the picture is scaled.
  package func picture(
    _ file: EditedFile, scale: UInt8, gamut: Gamut, isIcon: Bool, scaledTo size: ScaledSize? = nil
  ) throws(EditedFileError) -> [UInt8] {
    let planned = planned(.picture(file.source, PictureProcessing()), scale, gamut, isIcon)
    if let stored = try making({ () throws(EncodingFailure) in try FilePicture(file.bytes) }) {
      if size != nil {
        throw EditedFileError(reason: "is stored as it is, so it cannot be scaled; save it as PNG")
      }
      return planned.storedPictureBlock(file.bytes, stored)
    }
    return try making { () throws(EncodingFailure) in
      var bitmap = try encoder.decode(file.bytes, gamut: gamut)
      if let size { bitmap = bitmap.scaled(width: size.width, height: size.height) }
      return block(of: bitmap, planned)
    }
  }

  /// Returns the block of the bitmap of a vector at a scale.
  package func drawing(
    _ file: EditedFile, scale: UInt8, isIcon: Bool
  ) throws(EditedFileError) -> [UInt8] {
    let drawingScale = DrawingScale(bitmap: max(1, scale), slot: 1)
    let planned = planned(
      .picture(file.source, PictureProcessing(drawingScale: drawingScale)), scale, .sRGB, isIcon)
    return try making { () throws(EncodingFailure) in
      let (bitmap, facts) = try encoder.draw(file.bytes, of: file.path, drawingScale)
      let payload = encoder.payload(of: bitmap, encoder.settings.demands(of: planned))
      return planned.bitmapBlock(facts, payload: payload)
    }
  }

  /// Returns the block of a PDF or SVG file.
  package func vector(_ file: EditedFile) throws(EditedFileError) -> [UInt8] {
    try making { () throws(EncodingFailure) in
      let picture: VectorPicture
      do throws(VectorError) { picture = try VectorPicture(file.bytes) } catch {
        throw .undrawable(error)
      }
      let goal = encoder.settings.optimization
      let stored = picture.rewritten(file.bytes, for: goal) ?? file.bytes
      let planned = planned(.vector(file.source), 1, .sRGB, false)
      return encoder.vectorBlock(stored, planned)
    }
  }

  /// Returns the payload of data.
  package static func dataPayload(_ file: EditedFile) -> [UInt8] {
    FilePayload.head(length: file.bytes.count) + file.bytes
  }

  private func block(of bitmap: Bitmap, _ planned: PlannedRendition) -> [UInt8] {
    let payload = encoder.payload(of: bitmap, encoder.settings.demands(of: planned))
    return planned.bitmapBlock(PictureFacts(bitmap), payload: payload)
  }

  private func planned(
    _ content: PlannedContent, _ scale: UInt8, _ gamut: Gamut, _ isIcon: Bool
  ) -> PlannedRendition {
    var key = VariantKey()
    (key.scale, key.gamut) = (scale, gamut)
    return PlannedRendition(
      facet: "", kind: isIcon ? .icon : .image, part: Part.regular, key: key, content: content,
      jsonFile: "", pointer: "")
  }

  private func making<Made>(
    _ make: () throws(EncodingFailure) -> Made
  ) throws(EditedFileError) -> Made {
    do throws(EncodingFailure) { return try make() } catch {
      throw EditedFileError(reason: error.words)
    }
  }
}
