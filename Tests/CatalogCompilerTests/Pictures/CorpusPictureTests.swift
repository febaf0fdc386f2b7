// Real pictures, where CARVE_CORPUS names a folder of them: both decoding paths must agree.

import Foundation
import Testing

@testable import CatalogCompiler

private let corpus = ProcessInfo.processInfo.environment["CARVE_CORPUS"]

@Suite struct CorpusPictureTests {
  @Test(.enabled(if: corpus != nil, "CARVE_CORPUS names no folder"))
  func `both paths decode every picture of the corpus to the same bytes`() throws {
    var fast = PictureDecoder()
    var slow = PictureDecoder()
    slow.usesFastPath = false
    var count = 0
    let files = FileManager.default.enumerator(atPath: corpus ?? "")
    while let path = files?.nextObject() as? String {
      guard path.lowercased().hasSuffix(".png") else { continue }
      let file = try Data(contentsOf: URL(fileURLWithPath: "\(corpus ?? "")/\(path)"))
      let a = file.withUnsafeBytes { bytes in Result { try fast.decode(bytes) } }
      let b = file.withUnsafeBytes { bytes in Result { try slow.decode(bytes) } }
      switch (a, b) {
      case (.success(let a), .success(let b)):
        #expect(a == b, "\(path)")
        fast.recycle(a)
        slow.recycle(b)
      case (.failure(let a), .failure(let b)): print("\(path): \(a); \(b)")
      default: Issue.record("\(path): one path fails: \(a) \(b)")
      }
      count += 1
    }
    print("\(count) pictures")
    #expect(count > 0)
  }
}
