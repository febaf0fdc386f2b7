// Tests the decisions of the plugin before the tool runs: the catalogues of a target, their
// dependencies, the names of their outputs and types, and catalogues that clash. The sources of
// these decisions are linked into this folder, because a test cannot import a plugin.

import Foundation
import Support
import Testing

@Suite struct PluginTests {
  private let folder: TemporaryDirectory
  private let work = URL(fileURLWithPath: "/work-folder")

  init() throws {
    folder = try TemporaryDirectory()
    try folder.write("", to: "Sources/main.swift")
  }

  private var catalogs: [FoundCatalog] {
    FoundCatalog.all(below: URL(fileURLWithPath: folder.path("Sources")), resources: work)
  }

  private func add(_ path: String, options: String? = nil) throws {
    try folder.write("{}", to: "Sources/\(path).xcassets/Contents.json")
    if let options { try folder.write(options, to: "Sources/\(path).carve") }
  }

  /// Returns the path after the folder of the test, whose own path may contain links.
  private func relative(_ url: URL) -> String {
    let parts = url.path.components(separatedBy: "/Sources/")
    return parts.count > 1 ? parts.dropFirst().joined(separator: "/Sources/") : url.path
  }

  @Test func catalogsAreFoundInAnyFolderButNotInOneAnother() throws {
    try add("Assets")
    try add("Deep/er/More")
    try add("Assets.xcassets/Inner")
    try add(".hidden/Hidden")
    try folder.write("", to: "Sources/Other.bundle/x")
    #expect(catalogs.map { relative($0.url) } == ["Assets.xcassets", "Deep/er/More.xcassets"])
  }

  /// Every folder and every file is a dependency, because the time of a folder does not change with
  /// files deep inside.
  @Test func everythingInACatalogIsADependency() throws {
    try add("Assets", options: "--no-index\n")
    try folder.write("{}", to: "Sources/Assets.xcassets/Group/Star.imageset/Contents.json")
    try folder.write("x", to: "Sources/Assets.xcassets/Group/Star.imageset/.a.png")
    let catalog = try #require(catalogs.first)
    #expect(
      catalog.dependencies.map { relative($0) } == [
        "Assets.xcassets", "Assets.xcassets/Contents.json", "Assets.xcassets/Group",
        "Assets.xcassets/Group/Star.imageset", "Assets.xcassets/Group/Star.imageset/.a.png",
        "Assets.xcassets/Group/Star.imageset/Contents.json", "Assets.carve",
      ])
  }

  /// The settings beside the catalogue or above it, up to the root of the repository.
  @Test func theNearestSettingsAreADependency() throws {
    try add("Deep/Assets")
    #expect(try #require(catalogs.first).settings == nil)
    try folder.write("", to: "Sources/.git/HEAD")
    try folder.write("{}", to: ".carve.json")
    #expect(try #require(catalogs.first).settings == nil)
    try folder.write("{}", to: "Sources/.carve.json")
    let catalog = try #require(catalogs.first)
    #expect(catalog.settings.map { relative($0) } == ".carve.json")
    #expect(catalog.dependencies.last.map { relative($0) } == ".carve.json")
  }

  @Test func outputsLieInTheFolderOfThePlugin() throws {
    try add("My Icons")
    let catalog = try #require(catalogs.first)
    let (archive, source) = ("/work-folder/My Icons.car", "/work-folder/My Icons+Carve.swift")
    #expect(catalog.outputs(isSwift: true).map(\.path) == [archive, source])
    #expect(catalog.outputs(isSwift: false).map(\.path) == [archive])
    let words = [
      "compile", catalog.url.path, "-o", archive, "--cache", "/work-folder/cache",
    ]
    #expect(catalog.arguments(bundle: "b_m", isSwift: false) == words)
    #expect(
      catalog.arguments(bundle: "b_m", isSwift: true)
        == words + ["--swift", source, "--bundle", "b_m", "--usual-type", "MyIcons"])
  }

  @Test(arguments: [
    ("Assets", "Assets"), ("app icons-2", "AppIcons2"), ("2 odd-names", "_2OddNames"),
    ("🚀", "Assets"),
    ("größe", "Größe"), ("a.b", "AB"),
  ])
  func namesBecomeTypes(name: String, type: String) throws {
    try add(name)
    #expect(catalogs.map(\.type) == [type])
  }

  /// The last line with a type counts, in either form. The plugin ignores other options.
  @Test(arguments: [
    ("--type Pictures\n", "Pictures"), ("--no-index\n  --type=Pictures\r\n", "Pictures"),
    ("--type One\n--type Two", "Two"), ("--type\nPictures", "Assets"),
    ("--types Pictures", "Assets"),
    ("# --type Pictures", "Assets"), ("", "Assets"),
  ])
  func aFileBesideACatalogNamesItsType(options: String, type: String) throws {
    try add("Assets", options: options)
    let catalog = try #require(catalogs.first)
    #expect(catalog.type == type)
    let words = catalog.arguments(bundle: "b", isSwift: true)
    #expect(
      words.suffix(4) == ["--usual-type", type, "--options", folder.path("Sources/Assets.carve")]
        || words.suffix(4).dropLast() == ["--usual-type", type, "--options"])
  }

  // MARK: Clashes

  private func clashes(typed: Bool = true) -> [String] {
    FoundCatalog.clashes(among: catalogs, typed: typed).map {
      relative(URL(fileURLWithPath: $0.file))
    }
  }

  @Test func twoArchivesOfOneNameClash() throws {
    try add("Assets")
    try add("Other")
    #expect(clashes() == [])
    // File systems of Macs usually ignore case.
    try add("Sub/assets")
    #expect(
      clashes() == ["Sub/assets.xcassets"] && clashes(typed: false) == ["Sub/assets.xcassets"])
    let message = FoundCatalog.clashes(among: catalogs, typed: true).first?.message ?? ""
    #expect(message.hasPrefix("two catalogues of one target are named assets.xcassets: "))
  }

  @Test func twoTypesOfOneNameClashInSwiftAlone() throws {
    try add("My Icons")
    try add("my-icons")
    #expect(clashes() == ["my-icons.xcassets"] && clashes(typed: false) == [])
    let message = FoundCatalog.clashes(among: catalogs, typed: true).first?.message ?? ""
    #expect(
      message.contains("would both be the type MyIcons") && message.contains(" my-icons.carve "))
    try folder.write("--type Others\n", to: "Sources/my-icons.carve")
    #expect(clashes() == [])
  }
}
