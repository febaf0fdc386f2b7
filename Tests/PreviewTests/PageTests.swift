// The parts of a page, tested without a browser: its text, its names, its policy.

import CatalogCompiler
import Documents
import Foundation
import Support
import Testing
import Traits

@testable import Preview

@Suite struct PageTests {
  /// The embedded page is generated from the current files.
  @Test func theEmbeddedPageIsThatOfItsFiles() throws {
    let script = packageRoot + "/Sources/Preview/Page/generate.py"
    let result = try Support.run(
      "/usr/bin/env", ["python3", script, "--check"], environment: ["PATH": "/usr/bin:/bin"])
    #expect(result.code == 0, "\(result.stderr)")
  }

  /// The limits of line and file lengths apply to the page's files, too.
  @Test func thePagesFilesAreShort() throws {
    let folder = packageRoot + "/Sources/Preview/Page"
    for name in try FileManager.default.subpathsOfDirectory(atPath: folder)
    where ["js", "css", "html", "py"].contains((name as NSString).pathExtension) {
      let text = try String(contentsOfFile: "\(folder)/\(name)", encoding: .utf8)
      let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
      #expect(lines.count <= 350, "\(name)")
      for (number, line) in lines.enumerated() where line.count > 100 {
        Issue.record("\(name):\(number + 1): \(line.count) columns")
      }
    }
  }

  @Test(arguments: [
    ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="),
    ("fooba", "Zm9vYmE="), ("foobar", "Zm9vYmFy"),
  ])
  func bytesBecomeBase64(bytes: String, text: String) {
    #expect(String(decoding: base64(Array(bytes.utf8)), as: UTF8.self) == text)
  }

  @Test func base64OfAllBytesComesBack() {
    let bytes = (0..<1000).map { UInt8(truncatingIfNeeded: $0 * 37) }
    let text = String(decoding: base64(bytes), as: UTF8.self)
    #expect(Data(base64Encoded: text) == Data(bytes))
  }

  @Test func dataCannotEndItsElement() {
    let data: JSONOutput = ["a": "</script><script>"]
    let text = String(decoding: data.markupSafe, as: UTF8.self)
    #expect(text == #"{"a":"\u003c/script>\u003cscript>"}"#)
  }

  @Test func titlesAreNoMarkup() {
    #expect(escaped(#"<b>"&'"#) == "&lt;b&gt;&quot;&amp;'")
  }
  /// The page of an archive for any system can show that system's devices.
  @Test(arguments: [
    (TargetPlatform.iOS, "iPhone12,1"), (.iOSSimulator, "iPad5,3"), (.tvOS, "AppleTV11,1"),
    (.watchOS, "Watch6,1"), (.macOS, "Mac"), (.visionOS, "RealityDevice14,1"),
  ])
  func aPageHasTheDevicesOfItsPlatform(platform: TargetPlatform, device: String) throws {
    var sources = SampleSources()
    sources.image("Star")
    let (_, bytes) = try sources.compiled { $0.target = CompileTarget(platform: platform) }
    let page = try bytes.withUnsafeBytes { try PageData(of: $0, PreviewOptions(title: "A")) }
    let models = page.situations.devices.map(\.device)
    #expect(models.contains { $0.identifier.hasPrefix(device) }, "\(models.map(\.identifier))")
    #expect(models.allSatisfy { $0.platform.archiveName == platform.archiveName })
    #expect(page.tables.count > 0)
  }
}
