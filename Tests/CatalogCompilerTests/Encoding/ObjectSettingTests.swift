// The settings of objects: each difference is found and named, and prevents linking.

import Bytes
import CatalogModel
import Documents
import Support
import Testing
import Traits

@testable import CatalogCompiler
@testable import Host

@Suite struct ObjectSettingTests {
  private static let changes: [(name: String, change: @Sendable (inout CompileOptions) -> Void)] = [
    ("platform", { $0.target.platform = .iOSSimulator }),
    ("minimum-deployment-target", { $0.target.minimum = OSVersion(16) }),
    ("target-device", { $0.target.families = [.iphone] }),
    ("app-icon", { $0.icons = .all(with: ["Other"]) }),
    ("include-all-app-icons", { $0.icons = .named([]) }),
    ("optimization", { $0.optimization = .space }),
    ("exact-pixels", { $0.keepsExactPixels = true }),
    ("no-packing", { $0.packsSprites = false }),
    ("no-rasters", { $0.rasterizesVectors = false }),
    ("keep-vectors", { $0.keepsVectors = true }),
    ("no-icon-bitmaps", { $0.drawsIcons = false }),
    ("plain-icons", { $0.drawsGlass = false }),
    ("allow-incomplete", { $0.allowsIncomplete = [.solidImageStack] }),
  ]

  private var options: CompileOptions {
    CompileOptions(target: CompileTarget(platform: .iOS, minimum: OSVersion(15)), icons: .all)
  }

  /// Returns the bytes of an object of a small catalogue.
  private func object(_ root: ByteString, _ options: CompileOptions) throws -> [UInt8] {
    var sources = SampleSources(root: root)
    sources.image("Star" + String(root.text.first ?? "A"), scales: [2])
    let tree = FileTree.memory(sources.files)
    let scope = try ObjectScope(root, in: tree, here: "/")
    let folder = try TemporaryDirectory()
    let report = try compile(
      .object(scope), in: tree, options: options, to: .path(ByteString(folder.path("out"))))
    #expect(!report.isRefused, "\(report.diagnostics)")
    return try folder.read("out")
  }

  private func link(_ objects: [[UInt8]]) throws -> LinkedObjects {
    try objects[0].withUnsafeBytes { first in
      try objects[1].withUnsafeBytes { second in
        try LinkedObjects(
          [
            ObjectInput(path: "a.caro", first, owner: nil),
            ObjectInput(path: "b.caro", second, owner: nil),
          ],
          jobs: 1)
      }
    }
  }

  /// A new setting needs a row above.
  @Test func everySettingHasARow() {
    guard case .object(let members) = ObjectSettings(options).stored else {
      return #expect(Bool(false))
    }
    #expect(members.map(\.key).sorted() == Self.changes.map(\.name).sorted())
  }

  @Test func objectsOfEqualSettingsAreLinked() throws {
    let linked = try link([try object("A.xcassets", options), try object("B.xcassets", options)])
    #expect(linked.catalogs == ["A.xcassets", "B.xcassets"])
  }

  @Test(arguments: changes.map(\.name)) func anotherSettingKeepsObjectsFromBeingLinked(
    name: String
  ) throws {
    let row = try #require(Self.changes.first { $0.name == name })
    var other = options
    row.change(&other)
    let objects = [try object("A.xcassets", options), try object("B.xcassets", other)]
    let error = #expect(throws: ObjectError.self) { _ = try link(objects) }
    #expect(error?.message.hasPrefix("b.caro was compiled with ") == true)
    #expect(error?.message.contains("a.caro with ") == true)
    #expect(error?.message.contains("--\(name)") == true, "\(error?.message ?? "")")
  }

  /// Settings that are stored and read again are equal.
  @Test(arguments: changes.map(\.name)) func settingsComeBackAsTheyWereStored(name: String) throws {
    let row = try #require(Self.changes.first { $0.name == name })
    var changed = options
    row.change(&changed)
    let settings = ObjectSettings(changed)
    let text = settings.stored.line
    let back = try #require(ObjectSettings.options(stored: try parseJSON(Array(text.utf8))))
    #expect(ObjectSettings(back) == settings && settings != ObjectSettings(options))
  }
}
