// The reasons why a rendition could not be made, and the diagnostics that report them.

import Bytes
import CatalogModel
import Documents
import Host
import Imaging
import Vectors

/// The reason why a rendition could not be made.
package enum EncodingFailure: Error, Sendable {
  case unreadable(FileError)
  case broken(PictureError)
  /// A PDF or SVG file that cannot be drawn.
  case undrawable(VectorError)
  /// A PDF or SVG file that cannot be read, of a layer of an icon.
  case undrawableLayer(SourceFile, VectorError)
  /// A picture of a layer that cannot be decoded.
  indirect case damagedLayer(SourceFile, EncodingFailure)
  /// A layered icon or a stack with more layers than Carve draws: their number and the limit.
  case tooManyLayers(Int, most: Int)
  /// A stack, or a layer of it, with more pixels than Carve draws: its sides and the limit.
  case tooLarge(width: Int, height: Int, most: Int)
  /// A file that changed after it was first read.
  case changed
  /// A file whose header cannot be read.
  case header(ImageHeaderError)
  /// A file that ends within its pixels.
  case cut(ImageKind)
  /// A picture of a kind that is not compiled, or not under this name.
  case kind(ImageKind)
  case unsupported

  /// Makes the failure for a file that cannot be decoded.
  init(_ error: PictureError, in bytes: [UInt8]) {
    do throws(ImageHeaderError) {
      let kind = try ImageHeader.read(bytes).kind
      switch error.reason {
      case .unknownKind: self = .kind(kind)
      case .truncated: self = .cut(kind)
      default: self = .broken(error)
      }
    } catch {
      self = .header(error)
    }
  }

  /// Makes the failure for a file that is named as a vector and cannot be drawn.
  init(_ error: VectorError, in bytes: [UInt8]) {
    do throws(ImageHeaderError) {
      let kind = try ImageHeader.read(bytes).kind
      self = kind.isVector ? .undrawable(error) : .kind(kind)
    } catch {
      self = .header(error)
    }
  }

  /// Returns advice about a vector that cannot be drawn, to follow the message; it can be empty.
  private func advice(about error: VectorError, _ namesOptions: Bool) -> String {
    guard case .overLimit(.bitmapPixels, _) = error else { return "" }
    return "; make its page smaller"
      + (namesOptions ? ", or raise the limit with --max-vector-pixels" : "")
  }

  /// Returns the diagnostic about a rendition. `namesOptions` states whether its advice may name
  /// options of `carve compile`, and `isNeeded` whether other renditions need this one.
  func diagnostic(
    about planned: PlannedRendition, namesOptions: Bool = true, isNeeded: Bool = false
  ) -> Diagnostic {
    if let source = planned.source {
      return diagnostic(about: source, namesOptions, isNeeded: isNeeded)
    }
    if case .damagedLayer(let layer, let failure) = self {
      return failure.diagnostic(about: layer, namesOptions, isNeeded: isNeeded)
    }
    return diagnostic(about: planned.facet, planned, namesOptions)
  }

  /// Returns the diagnostic about a file. Its place is the file, as for the checks.
  private func diagnostic(
    about file: SourceFile, _ namesOptions: Bool, isNeeded: Bool = false
  ) -> Diagnostic {
    switch self {
    case .unreadable(let error): return unreadPicture(.unreadable(error), file: file.path)
    case .header(let error): return unreadPicture(error, file: file.path)
    case .cut(let kind): return cutPicture(kind, file: file.path)
    case .undrawable(let error), .undrawableLayer(_, let error):
      return CatalogModel.undrawable(
        error, advice: advice(about: error, namesOptions), file: file.path)
    case .damagedLayer(let layer, let failure):
      return failure.diagnostic(about: layer, namesOptions, isNeeded: isNeeded)
    case .kind(let kind):
      let folder = parentFolder(file.path)
      let type = FolderRole.setType(pathExtension(folder))
      return uncompiled(kind, file, in: type, isNeeded: isNeeded)
    case .broken(let error):
      return Diagnostic(.brokenImage, "the file is damaged: \(error)", file: file.path)
    case .changed:
      return Diagnostic(
        .unreadableFile, "the file changed while it was compiled; compile again", file: file.path)
    case .unsupported, .tooManyLayers, .tooLarge:
      return Diagnostic(.unsupportedImage, "the file \(words)", file: file.path)
    }
  }

  /// Returns the diagnostic about a picture that is made of several files.
  private func diagnostic(
    about name: ByteString, _ planned: PlannedRendition, _ namesOptions: Bool
  ) -> Diagnostic {
    let pointer = planned.pointer.isEmpty ? nil : planned.pointer + "/filename"
    let code: DiagnosticCode
    var advice = ""
    switch self {
    case .unreadable, .changed: code = .unreadableFile
    case .undrawable(let error), .undrawableLayer(_, let error):
      code = .brokenImage
      advice = self.advice(about: error, namesOptions)
    case .broken, .tooManyLayers, .tooLarge, .header, .cut: code = .brokenImage
    case .kind, .unsupported, .damagedLayer: code = .unsupportedImage
    }
    return Diagnostic(
      code, "\(quoted(name)) \(words)\(advice)", file: planned.jsonFile, pointer: pointer)
  }

  /// The failure as the end of a sentence about the file or the picture.
  var words: String {
    switch self {
    case .unreadable(let error): "cannot be read: \(error.reason)"
    case .damagedLayer(_, let failure): failure.words
    case .broken(let error): "is damaged: \(error)"
    case .undrawable(let error): "cannot be drawn: \(error.words)"
    case .undrawableLayer(let file, let error):
      "cannot be drawn because of \(quoted(file.name)): \(error.words)"
    case .tooManyLayers(let count, let most):
      "cannot be drawn: it has \(count) layers, but at most \(most) can be drawn"
    case .tooLarge(let width, let height, let most):
      "cannot be drawn: it has \(width) × \(height) pixels, but at most \(most) can be drawn"
    case .changed: "changed while it was read; run the command again"
    case .header(.pointer): "is a Git LFS pointer: run 'git lfs pull' to fetch the file"
    case .cut: "ends before the picture does"
    case .header, .kind, .unsupported: "is not a PNG, JPEG or HEIF picture; save it as one of them"
    }
  }
}

/// The diagnostics about renditions that failed, and about vectors that are not drawn completely.
struct EncodingFindings {
  private let plan: RenditionPlan
  private(set) var diagnostics: [Diagnostic] = []
  private var reportedVectors: Set<ByteString> = []
  /// The diagnostics about failures, without their notes.
  private var reported: Set<Diagnostic> = []
  /// The names whose pictures other renditions name, so that none of them can be left out.
  private lazy var neededNames = plan.neededNames

  init(_ plan: RenditionPlan) { self.plan = plan }

  mutating func add(_ result: EncodingResult, of block: SharedBlock) {
    switch result {
    case .failure(let failure):
      block.forEach { index in
        let planned = plan.renditions[index]
        var finding = failure.diagnostic(about: planned, namesOptions: plan.namesOptions)
        if finding.severity != .error, needs(planned, because: failure) {
          finding = failure.diagnostic(
            about: planned, namesOptions: plan.namesOptions, isNeeded: true)
          finding.severity = .error
          finding.notes.append(
            Note("this asset needs the picture, so it cannot be left out", file: planned.jsonFile))
        }
        var plain = finding
        plain.notes = []
        // Two pictures of one stack need the same file.
        if reported.insert(plain).inserted { diagnostics.append(finding) }
      }
    case .success(let encoded):
      block.forEach { index in
        for rendition in encoded { addUndrawn(rendition.facts, of: index) }
      }
    }
  }

  /// Returns whether a picture cannot be left out: whether others name it, or it is a layer.
  private mutating func needs(
    _ planned: PlannedRendition, because failure: EncodingFailure
  ) -> Bool {
    if case .damagedLayer = failure { return true }
    return neededNames.contains(planned.facet)
  }

  /// Reports the features that a vector's bitmaps do not show, once for each file.
  private mutating func addUndrawn(_ facts: PictureFacts?, of index: Int) {
    let planned = plan.renditions[index]
    guard let path = planned.drawnFile?.path, reportedVectors.insert(path).inserted else { return }
    diagnostics += planned.undrawnFeatures(facts)
  }
}

extension RenditionPlan {
  /// The names of pictures on which other renditions depend: those of icons, layers and members of
  /// groups and sprite atlases.
  fileprivate var neededNames: Set<ByteString> {
    var names: Set<ByteString> = []
    for rendition in renditions {
      switch rendition.content {
      case .iconSizes: names.insert(rendition.facet)
      case .stack(let stack): names.formUnion(stack.layers.map(\.facet))
      case .names(let members): names.formUnion(members)
      default: break
      }
    }
    return names
  }
}
