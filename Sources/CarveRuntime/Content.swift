// What a variant holds besides pixels: colour components, and files by their bytes.

import Archive
import Codecs

/// A colour as it was written in the catalogue: not premultiplied.
public struct ColorValue: Sendable, Hashable {
  public var space: ColorSpaceID
  public var red: Double
  public var green: Double
  public var blue: Double
  public var alpha: Double
  /// The name of a system colour for which the components only stand in.
  public var systemName: String?
}

extension Catalog {
  /// The components of a colour. Gray counts as equal red, green and blue.
  public func color(of variant: Variant) throws(CatalogError) -> ColorValue {
    try checkSize()
    let rendition = try rendition(variant.choice.rendition)
    guard variant.content == .color, let payload = try colorPayload(rendition) else {
      throw .wrongContent(variant.content)
    }
    let values = payload.components
    switch values.count {
    case 2:
      return ColorValue(
        space: payload.space, red: values[0], green: values[0], blue: values[0], alpha: values[1],
        systemName: payload.systemName)
    case 4:
      return ColorValue(
        space: payload.space, red: values[0], green: values[1], blue: values[2], alpha: values[3],
        systemName: payload.systemName)
    default: throw .unsupported("a colour of neither two nor four components")
    }
  }

  private func colorPayload(_ rendition: Rendition) throws(CatalogError) -> ColorPayload? {
    do throws(FormatError) { return try ColorPayload(rendition.payload) } catch {
      throw .format(error)
    }
  }

  /// The file that a variant holds: data, a vector, a JPEG or HEIF picture. The bytes are those of
  /// the mapped file and must not be kept beyond the call; a file that was compressed in the archive
  /// is decompressed first, unless that takes more memory than allowed.
  public func withFile<Result>(
    of variant: Variant, limits: DecodeLimits = DecodeLimits(),
    _ body: (UnsafeRawBufferPointer) -> Result
  ) throws(CatalogError) -> Result {
    let file = try filePayload(of: variant)
    if !file.isCompressed { return body(file.contents.buffer) }
    let size = try decompressedSize(file, limits)
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: size + 64, alignment: 16)
    defer { buffer.deallocate() }
    let exact = UnsafeMutableRawBufferPointer(rebasing: buffer[..<size])
    try decompress(file, into: exact)
    return body(UnsafeRawBufferPointer(exact))
  }

  /// The size in bytes of the file that a variant holds.
  public func fileSize(
    of variant: Variant, limits: DecodeLimits = DecodeLimits()
  ) throws(CatalogError) -> Int {
    let file = try filePayload(of: variant)
    return file.isCompressed ? try decompressedSize(file, limits) : file.contents.count
  }

  /// The file that a variant holds, in an array of its own.
  public func file(
    of variant: Variant, limits: DecodeLimits = DecodeLimits()
  ) throws(CatalogError) -> [UInt8] {
    try withFile(of: variant, limits: limits) { Array($0) }
  }

  private func filePayload(of variant: Variant) throws(CatalogError) -> FilePayload {
    switch variant.content {
    case .data, .jpeg, .heif, .pdf, .svg: break
    default: throw .wrongContent(variant.content)
    }
    try checkSize()
    let rendition = try rendition(variant.choice.rendition)
    let payload: FilePayload?
    do throws(FormatError) { payload = try FilePayload(rendition.payload) } catch {
      throw .format(error)
    }
    guard let payload else { throw .wrongContent(variant.content) }
    return payload
  }

  private func decompressedSize(
    _ file: FilePayload, _ limits: DecodeLimits
  ) throws(CatalogError) -> Int {
    let size: Int
    do throws(CodecError) { size = try LZFSE.sizes(file.contents.buffer).decoded } catch {
      throw .codec(error)
    }
    guard size <= limits.scratchBytes else { throw .overLimit(width: size, height: 1) }
    return size
  }

  private func decompress(
    _ file: FilePayload, into buffer: UnsafeMutableRawBufferPointer
  ) throws(CatalogError) {
    do throws(CodecError) {
      let written = try LZFSE.decode(file.contents.buffer, into: buffer)
      if written != buffer.count { throw .truncated(at: file.contents.count) }
    } catch {
      throw .codec(error)
    }
  }

  /// A rendition without its name. Whoever asks for it has called `checkSize`.
  func rendition(_ number: UInt32) throws(CatalogError) -> Rendition {
    let block = try block(of: number)
    do throws(FormatError) { return try Rendition(unnamed: block) } catch { throw .format(error) }
  }

  /// The block of a rendition, read again from the file: nothing in a variant is trusted for it.
  /// Whoever asks for it has called `checkSize`.
  func block(of number: UInt32) throws(CatalogError) -> Bytes {
    guard let place = storage.index.blocks[Int(number)] else { throw .noSuchRendition }
    let bytes = Bytes(storage.file.bytes)
    do throws(FormatError) {
      guard let offset = Int(exactly: place.offset) else {
        throw FormatError(.outside("a rendition", length: 0, available: bytes.count), at: 0)
      }
      return try bytes.slice(at: offset, count: Int(place.length), "a rendition")
    } catch {
      throw .format(error)
    }
  }
}
