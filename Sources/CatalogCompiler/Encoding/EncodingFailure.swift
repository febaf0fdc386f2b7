// The reasons why a rendition could not be made, and the diagnostics that report them.

import Bytes
import CatalogModel
import Host
import Imaging
import Vectors

/// The reason why a rendition could not be made.
enum EncodingFailure: Error, Sendable {
  case unreadable(FileError)
  case broken(PictureError)
  /// A PDF or SVG file that cannot be drawn.
  case undrawable(VectorError)
  /// A layered icon or a stack with more layers than Carve draws: their number and the limit.
  case tooManyLayers(Int, most: Int)
  /// A file that changed after it was first read.
  case changed
  /// A file that is not a picture of any known kind.
  case noPicture
  /// A pointer file of Git LFS in place of the picture.
  case pointer
  case unsupported

  /// Returns advice about a vector that cannot be drawn, to follow the message; it can be empty.
  private func wayOut(of error: VectorError) -> String {
    guard case .overLimit(.bitmapPixels, _) = error else { return "" }
    return "; make its page smaller, or raise the limit with --max-vector-pixels"
  }

  func diagnostic(about planned: PlannedRendition) -> Diagnostic {
    let name = planned.source?.path ?? planned.facet
    let pointer = planned.pointer.isEmpty ? nil : planned.pointer + "/filename"
    return switch self {
    case .unreadable(let error):
      Diagnostic(
        .unreadableFile, "\"\(name)\" cannot be read: \(error.reason)", file: planned.file,
        pointer: pointer)
    case .broken(let error):
      Diagnostic(
        .brokenImage, "\"\(name)\" is damaged: \(error)", file: planned.file, pointer: pointer)
    case .undrawable(let error):
      Diagnostic(
        .brokenImage, "\"\(name)\" cannot be drawn: \(error.words)\(wayOut(of: error))",
        file: planned.file, pointer: pointer)
    case .tooManyLayers(let count, let most):
      Diagnostic(
        .brokenImage,
        "\"\(planned.facet)\" cannot be drawn: it has \(count) layers, but at most \(most) can "
          + "be drawn",
        file: planned.file)
    case .changed:
      Diagnostic(
        .unreadableFile, "\"\(name)\" changed while it was compiled; compile again",
        file: planned.file, pointer: pointer)
    case .noPicture:
      Diagnostic(
        .brokenImage, "\"\(name)\" is not a picture; save it as PNG, JPEG or HEIF",
        file: planned.file, pointer: pointer)
    case .pointer:
      Diagnostic(
        .brokenImage, "\"\(name)\" is a Git LFS pointer: run 'git lfs pull' to fetch the picture",
        file: planned.file, pointer: pointer)
    case .unsupported:
      Diagnostic(
        .unsupportedImage,
        "\"\(name)\" is left out: it is not a PNG, JPEG or HEIF picture; save it as one of them",
        file: planned.file, pointer: pointer)
    }
  }
}
