// What can go wrong between a file and a picture. "There is no such asset" is not among it: a
// lookup answers nil.

import Archive
import CPosix
import Codecs

public enum CatalogError: Error, Sendable {
  /// The system refused to open or map the file; its error number, and the path if there is one.
  case system(Int32, path: String? = nil)
  /// No bundle of that name with that archive lies in the folder of the program.
  case notBeside(folder: String, bundle: String, archive: String)
  /// A folder, a device or a pipe.
  case notAFile(path: String? = nil)
  /// The file is shorter now than when it was opened.
  case shrunk(expected: Int, found: Int)
  /// The file is not an archive, or a damaged one.
  case format(FormatError)
  /// More names or renditions than an index can count.
  case tooLarge
  /// The rendition is not one of this catalogue, or its block leaves the file.
  case noSuchRendition
  /// The rendition holds something else; it says what.
  case wrongContent(RenditionContent)
  /// The picture is larger than the caller's limits allow.
  case overLimit(width: Int, height: Int)
  /// The system has not so much memory.
  case noMemory(bytes: Int)
  /// The buffer or its rows are too small.
  case bufferTooSmall(needed: Int)
  /// The pixels of this format or space cannot be turned into those asked for.
  case unsupported(StaticString)
  case codec(CodecError)
  /// A PDF or SVG that cannot be drawn; the words are the end of a sentence about the file.
  case badVector(String)
  /// One that asks for more than it may, or than the limits allow.
  case vectorOverLimit(String)
}

extension CatalogError: CustomStringConvertible {
  public var description: String { (path.map { "\($0): " } ?? "") + reason }

  /// The file that the system would not open.
  private var path: String? {
    switch self {
    case .system(_, let path), .notAFile(let path): path
    default: nil
    }
  }

  /// The description without the path, for those who name it themselves.
  package var reason: String {
    switch self {
    case .system(let number, _): "\(String(cString: strerror(number)))"
    case .notBeside(let folder, let bundle, let archive):
      "\(archive) is neither in \(bundle).resources nor in \(bundle).bundle of \(folder), where the program is"
    case .notAFile: "not a regular file"
    case .shrunk(let expected, let found):
      "the file had \(expected) bytes when it was opened and has \(found) now"
    case .format(let error): "\(error)"
    case .tooLarge: "more names or renditions than an index can count"
    case .noSuchRendition: "no such rendition in this catalogue"
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
  /// As error messages and listings call it.
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
