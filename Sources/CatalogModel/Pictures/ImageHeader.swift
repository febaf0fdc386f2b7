// The properties of a picture file, from its first bytes: kind, size, depth, colour, profile,
// animation. Pixels are never decoded here. HeaderFormats.swift reads the formats, and
// PictureEnd.swift tells whether the file is complete.

import Bytes
import Host
import Vectors

package enum ImageKind: String, CaseIterable, Sendable, Hashable {
  case png, jpeg, gif, webp, heic, avif, tiff, psd, bmp, icns, pdf, svg

  package var isVector: Bool { self == .pdf || self == .svg }

  /// The file name extensions of this kind, in lower case.
  package var extensions: [String] {
    switch self {
    case .png: ["png"]
    case .jpeg: ["jpg", "jpeg", "jpe"]
    case .gif: ["gif"]
    case .webp: ["webp"]
    case .heic: ["heic", "heif", "heics", "avci"]
    case .avif: ["avif"]
    case .tiff: ["tif", "tiff"]
    case .psd: ["psd", "psb"]
    case .bmp: ["bmp"]
    case .icns: ["icns"]
    case .pdf: ["pdf"]
    case .svg: ["svg"]
    }
  }

  /// The name of the kind in a sentence.
  package var title: String {
    switch self {
    case .webp: "WebP"
    case .psd: "Photoshop"
    default: rawValue.uppercased()
    }
  }

  /// The name of the kind with its indefinite article.
  package var titleWithArticle: String {
    switch self {
    case .avif, .icns, .svg: "an \(title)"
    case .png, .jpeg, .gif, .webp, .heic, .tiff, .psd, .bmp, .pdf: "a \(title)"
    }
  }
}

package enum ImageColorModel: String, Sendable, Hashable { case gray, rgb, palette, cmyk, other }

/// The colour profile that a picture names.
package enum ImageProfile: Sendable, Hashable {
  case none, sRGB, displayP3
  /// A profile with the name that the file gives it; empty if the file gives no name.
  case other(String)
}

package struct ImageHeader: Sendable, Hashable {
  package var kind: ImageKind
  /// The width in pixels as stored, before any rotation. For a vector, the width in points, rounded
  /// up; 0 if the start of the file does not contain it.
  package var width: Int
  package var height: Int
  /// The number of bits of one channel.
  package var bitDepth = 8
  package var colorModel = ImageColorModel.rgb
  package var hasAlpha = false
  package var profile = ImageProfile.none
  package var isInterlaced = false
  /// Whether Apple's build tools rewrote the PNG. Other programs cannot decode it.
  package var isAppleOptimized = false
  /// More than 1 for an animation, as far as the header tells.
  package var frameCount = 1
  /// The orientation with the numbers of EXIF: 1 is upright; 5 to 8 swap width and height.
  package var orientation = 1
  /// The exponent of a PNG's gAMA chunk, times 100,000; nil if there is no such chunk.
  package var gamma: Int?

  package init(kind: ImageKind, width: Int, height: Int) {
    self.kind = kind
    self.width = width
    self.height = height
  }

  /// The width and height as shown, after rotation. Archives state the size before it, and the
  /// orientation beside the size.
  package var uprightSize: (width: Int, height: Int) {
    orientation >= 5 ? (height, width) : (width, height)
  }
}

/// The reason why the header of a file cannot be read.
package enum ImageHeaderError: Error, Sendable, Hashable {
  /// The first bytes belong to no known kind.
  case unknownKind
  case empty
  /// The file is a Git LFS pointer, because its content was not fetched.
  case pointer
  /// The file ends before its header does.
  case cut(ImageKind, at: Int)
  /// The header contradicts itself. The text describes the contradiction.
  case broken(ImageKind, String)
  /// A form of the kind that systems do not decode.
  case unsupported(ImageKind, String)
  case unreadable(FileError)
}

extension ImageHeader {
  /// Reads the header of a file: only some kilobytes of it, at any offsets.
  package static func read(
    _ path: ByteString, in tree: FileTree
  ) throws(ImageHeaderError) -> ImageHeader {
    var source = try ImageSource(path, in: tree)
    return try read(&source)
  }

  /// Reads the header of a file whose bytes are in memory.
  package static func read(_ bytes: [UInt8]) throws(ImageHeaderError) -> ImageHeader {
    var source = ImageSource(bytes)
    return try read(&source)
  }

  static func read(_ source: inout ImageSource) throws(ImageHeaderError) -> ImageHeader {
    if source.size == 0 { throw .empty }
    guard let kind = ImageKind(of: source.start) else {
      throw isGitLFSPointer(source.start) ? .pointer : .unknownKind
    }
    source.kind = kind
    let header =
      switch kind {
      case .png: try pngHeader(&source)
      case .jpeg: try jpegHeader(&source)
      case .gif: try gifHeader(&source)
      case .webp: try webpHeader(&source)
      case .heic, .avif: try heifHeader(&source)
      case .tiff: try tiffHeader(&source)
      case .psd: try psdHeader(&source)
      case .bmp: try bmpHeader(&source)
      case .icns: ImageHeader(kind: .icns, width: 0, height: 0)
      case .pdf: pdfHeader(&source)
      case .svg: svgHeader(&source)
      }
    guard (0...ImageHeader.sideLimit).contains(header.width),
      (0...ImageHeader.sideLimit).contains(header.height)
    else { throw .broken(kind, "it claims \(header.width) × \(header.height) pixels") }
    if !kind.isVector, kind != .icns, header.width == 0 || header.height == 0 {
      throw .broken(kind, "it has no pixels")
    }
    return header
  }

  /// The greatest side in pixels. It is above the limits of the formats that apps use.
  static let sideLimit = 1 << 24
}

/// Returns whether a file with these first bytes is a Git LFS pointer: its content was not fetched.
package func isGitLFSPointer(_ start: [UInt8]) -> Bool {
  start.starts(with: "version https://git-lfs".utf8)
}

extension ImageKind {
  /// Creates the kind from the first bytes of a file; nil if they belong to no known kind.
  init?(of start: [UInt8]) {
    func has(_ text: String, at offset: Int = 0) -> Bool {
      start.dropFirst(offset).starts(with: text.utf8)
    }
    if start.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
      self = .png
    } else if start.starts(with: [0xFF, 0xD8, 0xFF]) {
      self = .jpeg
    } else if has("GIF87a") || has("GIF89a") {
      self = .gif
    } else if has("RIFF"), has("WEBP", at: 8) {
      self = .webp
    } else if has("ftyp", at: 4) {
      guard let kind = heifKind(start) else { return nil }
      self = kind
    } else if start.starts(with: [0x49, 0x49, 42, 0]) || start.starts(with: [0x4D, 0x4D, 0, 42]) {
      self = .tiff
    } else if has("8BPS") {
      self = .psd
    } else if has("icns") {
      self = .icns
    } else if has("BM"), start.count > 18, start[14] >= 12, start[15] == 0 {
      self = .bmp
    } else if VectorFile.isPDF(start) {
      self = .pdf
    } else if isSVG(start) {
      self = .svg
    } else {
      return nil
    }
  }
}

// MARK: - Bytes on demand

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

  static let windowSize = 4096

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
