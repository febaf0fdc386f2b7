// Reads the content of a variant that is not pixels: the components of a colour, and the bytes of
// files.

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
  /// The name of the system colour; the components are used only if the system does not know it.
  public var systemName: String?
}

extension Catalog {
  /// Returns the components of a colour. A gray has equal red, green and blue.
  public func color(of variant: Variant) throws(CatalogError) -> ColorValue {
    try storedColor(of: variant).value
  }

  /// Returns the components of a colour, and the system colour's name as bytes in the file.
  func storedColor(
    of variant: Variant
  ) throws(CatalogError) -> (value: ColorValue, systemName: FileBytes?) {
    let (rendition, payload) = try colorPayload(of: variant)
    let values = payload.components
    guard values.count == 2 || values.count == 4 else {
      throw .unsupported("a colour of neither two nor four components")
    }
    // A gray has two components, other colours have four; alpha is the last of either.
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

  /// Returns the block of a colour and the colour as the block stores it.
  package func colorPayload(
    of variant: Variant
  ) throws(CatalogError) -> (rendition: Rendition, color: ColorPayload) {
    try checkSize()
    let rendition = try rendition(variant.choice.rendition)
    let color: ColorPayload?
    do throws(FormatError) { color = try ColorPayload(rendition.payload) } catch {
      throw .format(error)
    }
    guard variant.content == .color, let color else { throw .wrongContent(variant.content) }
    return (rendition, color)
  }

  /// Returns how the picture of a JPEG or HEIF file has to be turned, by EXIF's numbers: 1 for
  /// upright, up to 8. Other pictures are always upright.
  public func orientation(of variant: Variant) throws(CatalogError) -> Int {
    let number: UInt32?
    try checkSize()
    let rendition = try rendition(variant.choice.rendition)
    do throws(FormatError) { number = try rendition.orientation() } catch { throw .format(error) }
    return number.flatMap { (1...8).contains($0) ? Int($0) : nil } ?? 1
  }

  /// Returns the type that the archive gives to data, such as `public.json`; nil if it gives no
  /// type.
  public func typeIdentifier(of variant: Variant) throws(CatalogError) -> String? {
    try storedTypeIdentifier(of: variant)?.text
  }

  /// Returns the type as bytes in the file.
  func storedTypeIdentifier(of variant: Variant) throws(CatalogError) -> FileBytes? {
    try checkSize()
    let rendition = try rendition(variant.choice.rendition)
    do throws(FormatError) { return try rendition.typeIdentifier() } catch { throw .format(error) }
  }

  /// Calls `body` with the file that a variant holds: data, a vector, a JPEG or HEIF picture. The
  /// bytes are those of the mapped file and must not be kept beyond the call. A file that is
  /// compressed in the archive is decompressed first; this throws if it takes more memory than the
  /// limits allow.
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

  /// Returns the size in bytes of the file that a variant holds. If the file is compressed in the
  /// archive, this is the size that the archive states, which may be any number.
  public func fileSize(of variant: Variant) throws(CatalogError) -> Int {
    try filePayload(of: variant).size()
  }

  /// Returns the file that a variant holds, in an array of its own.
  public func file(
    of variant: Variant, limits: DecodeLimits = DecodeLimits()
  ) throws(CatalogError) -> [UInt8] {
    try withFile(of: variant, limits: limits) { Array($0) }
  }

  /// Writes the file that a variant holds into memory of the caller and returns its size. A
  /// compressed file is decompressed there, so that the size of `buffer` is the limit. After an
  /// error the buffer may hold anything.
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

  /// Returns a rendition without its name. The caller has called `checkSize`.
  func rendition(_ number: UInt32) throws(CatalogError) -> Rendition {
    let block = try block(of: number)
    do throws(FormatError) { return try Rendition(unnamed: block) } catch { throw .format(error) }
  }

  /// Returns the block of a rendition, whose range is read from the file again: the range is never
  /// taken from a variant. The caller has called `checkSize`.
  func block(of number: UInt32) throws(CatalogError) -> FileBytes {
    let index = storage.index.pointee
    guard let block = index.block(of: Int(number)) else { throw .noSuchRendition }
    let bytes = FileBytes(storage.file.bytes)
    do throws(FormatError) {
      guard let entry = index.entry(ofBlock: block) else {
        throw FormatError(
          .number("the block of a rendition", found: block, expected: "below \(index.blockCount)"),
          at: 0)
      }
      return try bytes.slice(at: entry.offset, count: entry.length, "a rendition")
    } catch {
      throw .format(error)
    }
  }
}

extension FilePayload {
  /// Returns the size of the decompressed file.
  fileprivate func size() throws(CatalogError) -> Int {
    guard isCompressed else { return contents.count }
    do throws(CodecError) { return try LZFSE.sizes(contents.buffer).decoded } catch {
      throw .codec(error)
    }
  }

  /// Decompresses the file. The buffer has the size of the file.
  fileprivate func decompress(into buffer: UnsafeMutableRawBufferPointer) throws(CatalogError) {
    do throws(CodecError) {
      let written = try LZFSE.decode(contents.buffer, into: buffer)
      if written != buffer.count { throw .truncated(at: contents.count) }
    } catch {
      throw .codec(error)
    }
  }
}
