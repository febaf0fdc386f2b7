// The bytes of a picture file, read on demand: a window moves over the file, so a large file or a
// far offset costs little memory.

import Bytes
import Host

struct ImageSource {
  /// The size of the whole file in bytes.
  let size: Int
  /// The bytes at the start of the file.
  let start: [UInt8]
  /// The kind of the picture, for errors. It is set as soon as it is known.
  var kind = ImageKind.png
  private let fetch: (Int, Int) throws(FileError) -> [UInt8]
  private var window: [UInt8]
  private var windowOffset = 0
  /// The number of reads that are left. A file that needs more reads is broken.
  private var fetchesLeft = 400

  private static let windowSize = 4096

  init(_ path: ByteString, in tree: FileTree) throws(ImageHeaderError) {
    do throws(FileError) {
      let part = try tree.readPart(path, 0, ImageSource.windowSize)
      size = part.fileSize
      start = part.bytes
      window = part.bytes
    } catch {
      throw .unreadable(error)
    }
    fetch = { (offset, count) throws(FileError) in try tree.readPart(path, offset, count).bytes }
  }

  init(_ bytes: [UInt8]) {
    size = bytes.count
    start = Array(bytes.prefix(ImageSource.windowSize))
    window = start
    fetch = { (offset, count) in Array(bytes[min(offset, bytes.count)...].prefix(count)) }
  }

  /// Returns exactly these bytes of the file.
  mutating func bytes(_ offset: Int, _ count: Int) throws(ImageHeaderError) -> ArraySlice<UInt8> {
    guard offset >= 0, count >= 0, offset <= size, count <= size - offset else {
      throw .cut(kind, at: size)
    }
    if offset < windowOffset || offset + count > windowOffset + window.count {
      guard fetchesLeft > 0 else { throw .broken(kind, "its parts are scattered over the file") }
      fetchesLeft -= 1
      do throws(FileError) {
        window = try fetch(offset, max(count, ImageSource.windowSize))
      } catch {
        throw .unreadable(error)
      }
      windowOffset = offset
      // The file was shortened while it was read.
      guard window.count >= count else { throw .cut(kind, at: offset + window.count) }
    }
    return window[(offset - windowOffset)..<(offset - windowOffset + count)]
  }

  mutating func byte(_ offset: Int) throws(ImageHeaderError) -> Int {
    Int(try bytes(offset, 1).first ?? 0)
  }

  /// Returns a number of 1 to 4 bytes.
  mutating func number(
    _ offset: Int, bytes count: Int, little: Bool = false
  ) throws(ImageHeaderError) -> Int {
    let bytes = try bytes(offset, count)
    return little
      ? bytes.reversed().reduce(0) { $0 << 8 | Int($1) } : bytes.reduce(0) { $0 << 8 | Int($1) }
  }

  mutating func text(_ offset: Int, _ count: Int) throws(ImageHeaderError) -> String {
    String(decoding: try bytes(offset, count), as: UTF8.self)
  }
}

/// Returns the profile with that name.
func imageProfile(named name: String) -> ImageProfile {
  if name.contains("P3") { return .displayP3 }
  if name.lowercased().contains("srgb") { return .sRGB }
  return .other(name)
}

/// Returns the profile of an ICC file, recognised by its description.
func imageProfile(icc: some Collection<UInt8>) -> ImageProfile {
  // The description is ASCII, or UTF-16, in which every second byte of such letters is NUL.
  let letters = String(decoding: icc.lazy.filter { $0 != 0 }.prefix(4096), as: UTF8.self)
  if letters.contains("Display P3") || letters.contains("P3 D65") { return .displayP3 }
  if letters.contains("sRGB") { return .sRGB }
  return .other("")
}
