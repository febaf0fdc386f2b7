// What a variant holds besides pixels: colour components, and files by their bytes.

import Archive
import CPosix
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
    try storedColor(of: variant).value
  }

  /// The same with the system colour's name where it lies in the file.
  func storedColor(
    of variant: Variant
  ) throws(CatalogError) -> (value: ColorValue, systemName: Bytes?) {
    try checkSize()
    let rendition = try rendition(variant.choice.rendition)
    guard variant.content == .color, let payload = try colorPayload(rendition) else {
      throw .wrongContent(variant.content)
    }
    let values = payload.components
    guard values.count == 2 || values.count == 4 else {
      throw .unsupported("a colour of neither two nor four components")
    }
    // Gray is the first of two, and alpha the last of either.
    let gray = values.count == 2
    let value = ColorValue(
      space: payload.space, red: values[0], green: values[gray ? 0 : 1],
      blue: values[gray ? 0 : 2], alpha: values[gray ? 1 : 3], systemName: payload.systemName)
    do throws(FormatError) {
      return (value, try ColorPayload.systemName(in: rendition.payload))
    } catch {
      throw .format(error)
    }
  }

  private func colorPayload(_ rendition: Rendition) throws(CatalogError) -> ColorPayload? {
    do throws(FormatError) { return try ColorPayload(rendition.payload) } catch {
      throw .format(error)
    }
  }

  /// How the picture of a JPEG or HEIF file is to be turned, as EXIF numbers it: 1 for upright, up
  /// to 8. Other pictures are always upright.
  public func orientation(of variant: Variant) throws(CatalogError) -> Int {
    let number: UInt32?
    try checkSize()
    let rendition = try rendition(variant.choice.rendition)
    do throws(FormatError) { number = try rendition.orientation() } catch { throw .format(error) }
    return number.flatMap { (1...8).contains($0) ? Int($0) : nil } ?? 1
  }

  /// The type that the catalogue gives to data, such as `public.json`; nil where it gives none.
  public func typeIdentifier(of variant: Variant) throws(CatalogError) -> String? {
    try storedTypeIdentifier(of: variant)?.text
  }

  /// The same where it lies in the file.
  func storedTypeIdentifier(of variant: Variant) throws(CatalogError) -> Bytes? {
    try checkSize()
    let rendition = try rendition(variant.choice.rendition)
    do throws(FormatError) { return try rendition.typeIdentifier() } catch { throw .format(error) }
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
    let size = try file.size()
    guard size <= limits.scratch(fileSize: fileSize, pixels: 0) else {
      throw .overLimit(width: size, height: 1)
    }
    var buffer = UnsafeMutableRawBufferPointer(start: nil, count: 0)
    try allocate(size, &buffer)
    defer { free(buffer.baseAddress) }
    try file.decompress(into: buffer)
    return body(UnsafeRawBufferPointer(buffer))
  }

  /// The size in bytes of the file that a variant holds. Of a file that is compressed in the archive
  /// it is what the archive states, which may be anything.
  public func fileSize(of variant: Variant) throws(CatalogError) -> Int {
    try filePayload(of: variant).size()
  }

  /// The file that a variant holds, in an array of its own.
  public func file(
    of variant: Variant, limits: DecodeLimits = DecodeLimits()
  ) throws(CatalogError) -> [UInt8] {
    try withFile(of: variant, limits: limits) { Array($0) }
  }

  /// Writes the file that a variant holds into memory of the caller and gives back its size. A
  /// compressed one is decompressed there, so that the size of `buffer` is the limit. After an error
  /// the buffer may hold anything.
  @discardableResult
  public func readFile(
    of variant: Variant, into buffer: UnsafeMutableRawBufferPointer
  ) throws(CatalogError) -> Int {
    let file = try filePayload(of: variant)
    let size = try file.size()
    guard size <= buffer.count else { throw .bufferTooSmall(needed: size) }
    if file.isCompressed {
      try file.decompress(into: UnsafeMutableRawBufferPointer(rebasing: buffer[..<size]))
    } else {
      buffer.copyMemory(from: file.contents.buffer)
    }
    return size
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

extension FilePayload {
  /// The size of the file, decompressed.
  fileprivate func size() throws(CatalogError) -> Int {
    guard isCompressed else { return contents.count }
    do throws(CodecError) { return try LZFSE.sizes(contents.buffer).decoded } catch {
      throw .codec(error)
    }
  }

  /// The buffer has the size of the file.
  fileprivate func decompress(into buffer: UnsafeMutableRawBufferPointer) throws(CatalogError) {
    do throws(CodecError) {
      let written = try LZFSE.decode(contents.buffer, into: buffer)
      if written != buffer.count { throw .truncated(at: contents.count) }
    } catch {
      throw .codec(error)
    }
  }
}
