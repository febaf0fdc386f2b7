// Tests archives in the bundles that SwiftPM puts beside a program; here beside the runner of the
// tests.

import CarveRuntime
import Foundation
import Support
import Testing

@Suite struct ProgramResourceTests {
  private let bundle = "carve_Probe-\(UUID().uuidString)"

  private func folder(_ ending: String) -> String { "\(productFolder)/\(bundle)\(ending)" }

  /// Bundles for the Mac that Xcode 27 builds have a folder for their resources.
  @Test(arguments: [(".resources", ""), (".bundle", ""), (".bundle", "/Contents/Resources")])
  func anArchiveOfABundleBesideTheProgramIsOpened(ending: String, below: String) throws {
    let place = folder(ending) + below
    try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder(ending)) }
    let compiled = try runTool(
      ["compile", sampleCatalogs + "/Scales.xcassets", "-o", place + "/Scales.car"])
    try #require(compiled.code == 0)
    let catalog = try Catalog(archive: "Scales.car", inBundle: bundle)
    #expect(catalog.view(for: Environment()).find("Rocket")?.pixelSize.width == 32)
    // The bundle exists, but does not contain this archive.
    #expect(throws: CatalogError.self) { try Catalog(archive: "Other.car", inBundle: bundle) }
  }

  @Test func anAbsentBundleIsNamedWithItsPossiblePlaces() {
    do throws(CatalogError) {
      _ = try Catalog(archive: "Assets.car", inBundle: bundle)
      Issue.record("opened")
    } catch {
      #expect(
        error.description
          == "Assets.car is neither in \(bundle).resources nor in \(bundle).bundle of "
          + "\(URL(fileURLWithPath: productFolder).resolvingSymlinksInPath().path), the "
          + "folder of the program"
      )
    }
  }

  /// A file that exists and cannot be opened gives its own error, not that of an absent bundle.
  @Test func aFileThatIsNoArchiveIsThatError() throws {
    let place = folder(".bundle")
    try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: false)
    defer { try? FileManager.default.removeItem(atPath: place) }
    try Data("none".utf8).write(to: URL(fileURLWithPath: place + "/Assets.car"))
    do throws(CatalogError) {
      _ = try Catalog(archive: "Assets.car", inBundle: bundle)
      Issue.record("opened")
    } catch {
      guard case .format = error else {
        Issue.record("\(error)")
        return
      }
    }
  }
}
