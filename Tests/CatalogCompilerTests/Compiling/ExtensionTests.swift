// Carve's own extensions: pictures for a size of text, and entries that show nothing on purpose.

import Archive
import ArchiveTools
import CarveRuntime
import CatalogModel
import Support
import Testing
import Traits

@testable import CatalogCompiler

@Suite struct ExtensionTests {
  /// Compiles a picture for any text, one for large text, and nothing for windows of compact
  /// height.
  private func compiled() throws -> (report: CompileReport, bytes: [UInt8]) {
    var sources = SampleSources()
    sources.image("Star", scales: [2])
    sources.files["A.xcassets/Star.imageset/large.png"] = .bytes(
      png(width: 64, height: 64, red: 9))
    sources.add(
      "Star.imageset/Contents.json",
      """
      {"images":[{"idiom":"universal","scale":"2x","filename":"Star@2x.png"},
      {"idiom":"universal","scale":"2x","content-size":"AX1","filename":"large.png"},
      {"idiom":"universal","scale":"2x","height-class":"compact","no-content":true}]}
      """)
    return try sources.compiled()
  }

  private func width(
    _ bytes: [UInt8], _ change: (inout Environment) -> Void
  ) throws -> (content: RenditionContent, width: Int) {
    var environment = Environment()
    environment.scale = 2
    change(&environment)
    let variant = try #require(try Catalog(bytes: bytes).view(for: environment).find("Star"))
    return (variant.content, variant.pixelSize.width)
  }

  @Test func textSizesAreAnAxis() throws {
    let (report, bytes) = try compiled()
    #expect(Set(report.diagnostics.map(\.code)) == [.carveExtension])
    #expect(
      report.diagnostics.filter { $0.code == .carveExtension }.map(\.severity) == [
        .warning, .warning,
      ])
    #expect(try width(bytes) { $0.contentSize = .ax1 }.width == 64)
    // A larger size of text falls back to smaller ones.
    #expect(try width(bytes) { $0.contentSize = .ax5 }.width == 64)
    #expect(try width(bytes) { $0.contentSize = .xl }.width == 20)
    #expect(try width(bytes) { _ in }.width == 20)
  }

  @Test func nothingOnPurposeIsAnAnswer() throws {
    let bytes = try compiled().bytes
    let compact = try width(bytes) { $0.height = .compact }
    #expect(compact.content == .nothing && compact.width == 0)
    let regular = try width(bytes) { $0.height = .regular }
    #expect(regular.content != .nothing && regular.width == 20)
    #expect(bytes.withUnsafeBytes { Archive.validate($0) }.isEmpty)
    // Without values of Carve's own, as in Apple's run time, only the picture can be found.
    let plain = try renditions(bytes).filter { $0.key[.value] == 0 && $0.key.element == 85 }
    #expect(plain.map(\.header.name) == ["Star@2x.png"])
  }

  @Test func aTableThatIsBuiltAgainSaysTheSame() throws {
    var sources = SampleSources()
    sources.add(
      "Star.imageset/Contents.json", #"{"images":[{"idiom":"universal","no-content":true}]}"#)
    let bytes = try sources.compiled { $0.writesIndex = false }.bytes
    let view = try Catalog(bytes: bytes).view(for: Environment())
    #expect(view.find("Star")?.content == .nothing)
    #expect(view.find("Moon") == nil)
  }
}
