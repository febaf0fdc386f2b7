// Real pictures: both decoding paths must give the same bitmap.

import Support
import Testing

@testable import Imaging

@Suite(.enabled(if: corpusRoot != nil, "CARVE_CORPUS names no folder"))
struct CorpusPictureTests {
  @Test func `both paths decode every picture of the corpus to the same bytes`() {
    var fast = PictureDecoder()
    var slow = PictureDecoder()
    slow.usesFastPath = false
    let paths = corpusFiles(endingWith: ".png")
    for path in paths {
      let file = contents(ofFile: path)
      let quick = decoded(file, &fast)
      let slow = decoded(file, &slow)
      switch (quick, slow) {
      case (.success(let quick), .success(let slow)): #expect(quick == slow, "\(path)")
      case (.failure(let error), .failure): print("\(path): \(error)")
      default: Issue.record("\(path): one path fails: \(quick) \(slow)")
      }
      if case .success(let bitmap) = quick { fast.recycle(bitmap) }
    }
    print("\(paths.count) pictures compared")
    #expect(!paths.isEmpty)
  }
}

func decoded(
  _ file: [UInt8], _ decoder: inout PictureDecoder, options: PictureOptions = PictureOptions()
) -> Result<Bitmap, PictureError> {
  file.withUnsafeBytes { bytes in
    do throws(PictureError) {
      return .success(try decoder.decode(bytes, options: options))
    } catch {
      return .failure(error)
    }
  }
}
