// What a picture file is, from its first bytes: kind, size, depth, colour, profile, animation. Pixels
// are never decoded here. Each format has a file of its own beside this one.

import Bytes
import Host

package enum ImageKind: String, CaseIterable, Sendable, Hashable {
  case png, jpeg, gif, webp, heic, avif, tiff, psd, bmp, icns, pdf, svg

  package var isVector: Bool { self == .pdf || self == .svg }

  /// The extensions that promise this kind, in lower case.
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

  /// As a sentence names it.
  package var title: String {
    switch self {
    case .webp: "WebP"
    case .psd: "Photoshop"
    default: rawValue.uppercased()
    }
  }
}

package enum ImageColorModel: String, Sendable, Hashable { case gray, rgb, palette, cmyk, other }

/// The colour profile that a picture names.
package enum ImageProfile: Sendable, Hashable {
  case none, sRGB, displayP3
  /// By the name that the file gives it; empty where it gives none.
  case other(String)
}

package struct ImageHeader: Sendable, Hashable {
  package var kind: ImageKind
  /// In pixels as stored, before any rotation; for a vector in points, rounded up, 0 where the file
  /// does not say it near its start.
  package var width: Int
  package var height: Int
  /// Bits of one channel.
  package var bitDepth = 8
  package var colorModel = ImageColorModel.rgb
  package var hasAlpha = false
  package var profile = ImageProfile.none
  package var isInterlaced = false
  /// A PNG that Apple's build tools rewrote: other programs cannot decode it.
  package var isAppleOptimized = false
  /// More than 1 for an animation, as far as the header says.
  package var frameCount = 1
  /// As EXIF numbers it: 1 is upright, 5 to 8 swap width and height.
  package var orientation = 1
  /// The exponent of a PNG's gAMA chunk, times 100,000; nil where it has none.
  package var gamma: Int?

  package init(kind: ImageKind, width: Int, height: Int) {
    self.kind = kind
    self.width = width
    self.height = height
  }

  /// Width and height as shown.
  package var uprightSize: (width: Int, height: Int) {
    orientation >= 5 ? (height, width) : (width, height)
  }
}

/// Why a file is not a picture that can be described.
package enum ImageHeaderError: Error, Sendable, Hashable {
  /// The first bytes are those of no known kind.
  case unknownKind
  case empty
  /// What Git LFS leaves in place of a file that was not fetched.
  case pointer
  /// The file ends before its header does.
  case cut(ImageKind, at: Int)
  /// The header contradicts itself; the text says how.
  case broken(ImageKind, String)
  case unreadable(FileError)
}

extension ImageHeader {
  /// Reads the header of a file; a few kilobytes of it, wherever they lie.
  package static func read(
    _ path: ByteString, in tree: FileTree
  ) throws(ImageHeaderError) -> ImageHeader {
    var source = try ImageSource(path, in: tree)
    return try read(&source)
  }

  /// Reads the header of a whole file in memory.
  package static func read(_ bytes: [UInt8]) throws(ImageHeaderError) -> ImageHeader {
    var source = ImageSource(bytes)
    return try read(&source)
  }

  static func read(_ source: inout ImageSource) throws(ImageHeaderError) -> ImageHeader {
    if source.size == 0 { throw .empty }
    guard let kind = ImageKind(of: source.start) else {
      throw source.start.starts(with: "version https://git-lfs".utf8) ? .pointer : .unknownKind
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

  /// No format's own limit is lower than what a picture of an app needs.
  static let sideLimit = 1 << 24
}

extension ImageKind {
  /// The kind that the first bytes tell.
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
    } else if isPDF(start) {
      self = .pdf
    } else if isSVG(start) {
      self = .svg
    } else {
      return nil
    }
  }
}
