// Files inside an archive: their bytes as they were, and remarks about vectors that cannot be drawn
// completely.

import Archive
import Codecs
import Vectors

/// The size of the largest file that is extracted.
private let mostFileBytes = 1 << 30

extension Rendition {
  /// Whether the rendition holds a PDF or SVG file.
  package var isVectorFile: Bool { header.pixelFormat == .pdf || header.pixelFormat == .svg }

  /// The features of a vector that a drawing does not show, or the reason why it cannot be drawn,
  /// as the end of a sentence. Nil for a vector whose drawing is complete, and for all other
  /// renditions.
  package var drawingRemark: String? {
    guard isVectorFile else { return nil }
    let bytes: [UInt8]
    do throws(SkipReason) { bytes = try fileContents() } catch {
      return "cannot be drawn: \(error.reason)"
    }
    do throws(VectorError) {
      // The style sheet of a symbol contains rules for layers. Only `SVG.readSymbol` can read them.
      if header.layout == .symbol {
        _ = try SVG.readSymbol(bytes)
        return nil
      }
      return try VectorFile.read(bytes).drawing.unsupported.remark
    } catch {
      return "cannot be drawn: \(error.words)"
    }
  }

  /// The size of the page of a vector, in its units; nil if the rendition is no vector or cannot be
  /// read.
  package var pageSize: (width: Double, height: Double)? {
    guard isVectorFile, header.layout != .symbol, let bytes = try? fileContents(),
      let file = try? VectorFile.read(bytes)
    else { return nil }
    return (file.drawing.width, file.drawing.height)
  }

  /// The length of the file in the rendition before its compression; 0 if the rendition holds no
  /// file.
  var fileMemory: Int {
    guard let stored = try? FilePayload(payload) else { return 0 }
    guard stored.isCompressed else { return stored.contents.count }
    return (try? LZFSE.sizes(stored.contents.buffer).decoded).map { min($0, mostFileBytes) } ?? 0
  }

  /// Returns the file in the rendition, as it was before its compression.
  func fileContents() throws(SkipReason) -> [UInt8] {
    let stored = try Extraction.reading { () throws(FormatError) in
      try FilePayload(payload)
    }
    guard let stored else { throw .unsupported("a payload of unknown kind") }
    if !stored.isCompressed { return Array(stored.contents.buffer) }
    let source = stored.contents.buffer
    do throws(CodecError) {
      let size = try LZFSE.sizes(source).decoded
      // LZFSE makes at most some thousand bytes out of one. A larger size is false.
      guard size <= mostFileBytes, size / 65_536 <= source.count else { throw .corrupt(at: 0) }
      var contents = [UInt8](repeating: 0, count: size)
      let failure = contents.withUnsafeMutableBytes { target -> CodecError? in
        do throws(CodecError) {
          _ = try LZFSE.decode(source, into: target)
          return nil
        } catch {
          return error
        }
      }
      if let failure { throw failure }
      return contents
    } catch {
      throw SkipReason(error)
    }
  }
}
