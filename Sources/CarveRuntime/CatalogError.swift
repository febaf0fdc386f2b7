// The errors of opening, reading and drawing. "The asset does not exist" is not an error: a lookup
// returns nil.

import Archive
import CPosix
import Codecs

public enum CatalogError: Error, Sendable {
  /// The system refused to open or map the file. The values are its error number, and the path if
  /// there is one.
  case system(Int32, path: String? = nil)
  /// The folder of the program contains no bundle of that name with that archive.
  case notBeside(folder: String, bundle: String, archive: String)
  /// The path leads to a folder, a device or a pipe.
  case notAFile(path: String? = nil)
  /// The file is shorter now than when it was opened.
  case shrunk(expected: Int, found: Int)
  /// The file is not an archive, or it is damaged.
  case format(FormatError)
  /// The archive has more names or renditions than an index can count.
  case tooLarge
  /// The rendition is not one of this archive, or its block lies outside of the file.
  case noSuchRendition
  /// The rendition holds another content, which the value names.
  case wrongContent(RenditionContent)
  /// The picture is larger than the caller's limits allow.
  case overLimit(width: Int, height: Int)
  /// The system has too little memory.
  case noMemory(bytes: Int)
  /// The buffer or its rows are too small.
  case bufferTooSmall(needed: Int)
  /// The pixels of this format or space cannot be converted to the requested layout or space.
  case unsupported(StaticString)
  case codec(CodecError)
  /// A PDF or SVG cannot be drawn; the words are the end of a sentence about the file.
  case badVector(String)
  /// A vector needs more memory or work than is allowed for a file, or than the limits allow.
  case vectorOverLimit(String)
}

extension CatalogError: CustomStringConvertible {
  public var description: String { (path.map { "\($0): " } ?? "") + reason }

  /// The path of the file that the system did not open.
  private var path: String? {
    switch self {
    case .system(_, let path), .notAFile(let path): path
    default: nil
    }
  }

  /// The description without the path, for callers that name the path themselves.
  package var reason: String {
    switch self {
    case .system(let number, _): "\(String(cString: strerror(number)))"
    case .notBeside(let folder, let bundle, let archive):
      "\(archive) is neither in \(bundle).resources nor in \(bundle).bundle of \(folder), the "
        + "folder of the program"
    case .notAFile: "not a regular file"
    case .shrunk(let expected, let found):
      "the file had \(expected) bytes when it was opened and has \(found) now"
    case .format(let error): "\(error)"
    case .tooLarge: "more names or renditions than an index can count"
    case .noSuchRendition: "no such rendition in this archive"
    case .wrongContent(.heif):
      "the rendition holds a HEIF file, which is not decoded: only its bytes can be read"
    case .wrongContent(let content): "the rendition holds \(content.name)"
    case .overLimit(let width, let height): "a picture of \(width)x\(height) is over the limits"
    case .noMemory(let bytes): "the system has no \(bytes) bytes of memory left"
    case .bufferTooSmall(let needed): "the buffer is too small: \(needed) bytes are needed"
    case .unsupported(let what): "\(what.description) is not supported"
    case .codec(let error): "\(error)"
    case .badVector(let reason), .vectorOverLimit(let reason):
      "the vector cannot be drawn: \(reason)"
    }
  }
}

extension RenditionContent {
  /// The name in error messages and listings.
  public var name: String {
    switch self {
    case .other: "neither a picture, a colour nor data"
    case .bitmap: "a bitmap"
    case .atlasLink: "a picture in an atlas"
    case .color: "a colour"
    case .data: "data"
    case .jpeg: "a JPEG file"
    case .heif: "a HEIF file"
    case .pdf: "a PDF file"
    case .svg: "an SVG file"
    case .nothing: "nothing, on purpose"
    }
  }
}
