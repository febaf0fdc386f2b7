// Why a rendition could not be made, and what the user is told.

import Bytes
import CatalogModel
import Host
import Vectors

/// Why a rendition could not be made.
enum EncodingFailure: Error, Sendable {
  case unreadable(FileError)
  case broken(PictureError)
  /// A PDF or SVG that cannot be drawn.
  case undrawable(VectorError)
  /// A layered icon, or a stack, of so many layers that are drawn.
  case tooManyLayers(Int, most: Int)
  /// The file is not what it was when it was read first.
  case changed
  /// Not a picture of any kind that anyone compiles.
  case noPicture
  /// What Git LFS leaves in place of a file.
  case pointer
  case unsupported

  /// What may be done about a vector that cannot be drawn.
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
        "\"\(planned.facet)\" cannot be drawn: it has \(count) layers, and at most \(most) are drawn",
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
