// Tests folders of catalogues: groups, namespaces, clashes, links, and hostile trees.

import Bytes
import CatalogModel
import Foundation
import Support
import Testing
@testable import Host

@Suite struct FolderTests {
  @Test func onlyGroupsWithANamespaceNameTheirAssets() {
    let space = #"{"properties":{"provides-namespace":true}}"#
    let contents = TreeBuilder().folder("One", space).imageSet("One/Two/Star", [""])
      .folder("Plain", "{}").imageSet("Plain/Moon", [""])
      .folder("status.badge", space).imageSet("status.badge/Sun.filled", [""]).read()
    #expect(contents.assets.map(\.name) == ["Moon", "One/Star", "status.badge/Sun.filled"])
  }

  @Test func groupsHandDownCompressionAndTags() throws {
    let group = #"{"properties":{"compression-type":"lossy","on-demand-resource-tags":["a"]}}"#
    let contents = TreeBuilder().folder("G", group).imageSet("G/H/Star", ["", #""scale":"2x""#])
      .read()
    #expect(contents.images("Star")?.entries.map(\.compression) == [.lossy, .lossy])
    #expect(contents.asset("Star")?.onDemandTags == ["a"])
  }

  @Test func anAtlasNamesItsSprites() {
    let contents = TreeBuilder()
      .folder("Space.spriteatlas", #"{"properties":{"provides-namespace":true}}"#)
      .imageSet("Space.spriteatlas/Ship", [""]).read()
    #expect(contents.assets.map(\.name) == ["Space", "Space/Ship"])
    #expect(contents.asset("Space/Ship")?.atlas == "Space")
  }

  @Test func theFirstListedCatalogueWinsAName() throws {
    let builder = TreeBuilder().imageSet("Star", [""])
      .outside("Z.xcassets/Star.imageset/Contents.json", .bytes(Array(images("").utf8)))
    let files = builder.tree
    for order in [["A.xcassets", "Z.xcassets"], ["Z.xcassets", "A.xcassets"]] {
      let contents = readCatalogs(order.map { ByteString($0) }, in: files)
      #expect(contents.assets.map(\.folder) == ["\(order[0])/Star.imageset"])
      let clash = try #require(contents.diagnostics.first { $0.code == .nameClash })
      #expect(clash.file == "\(order[1])/Star.imageset")
      #expect(clash.notes.map(\.file) == ["\(order[0])/Star.imageset"])
    }
  }

  /// A link to a catalogue counts once, and not if the catalogue itself is found.
  @Test func linkedCataloguesAreFound() {
    let tree = FileTree.memory([
      "App/A.xcassets/Contents.json": .bytes([]), "App/Here.xcassets": .link(to: "App/A.xcassets"),
      "App/Other.xcassets": .link(to: "Shared/B.xcassets"),
      "App/Zoo.xcassets": .link(to: "Shared/B.xcassets"),
      "App/Folder": .link(to: "Shared"), "App/Gone.xcassets": .link(to: "nothing"),
      "Shared/B.xcassets/Contents.json": .bytes([]),
    ])
    #expect(catalogs(below: "App", in: tree) == ["App/A.xcassets", "App/Other.xcassets"])
  }

  @Test func theNumberOfThreadsChangesNothing() {
    var builder = TreeBuilder()
    for index in 0..<40 {
      builder = builder.imageSet("G\(index % 7)/Set\(index % 13)", [#""idiom":"fridge""#, ""])
    }
    let one = builder.read(jobs: 1)
    for jobs in [2, 8] {
      let many = builder.read(jobs: jobs)
      #expect(many.assets == one.assets)
      #expect(many.diagnostics == one.diagnostics)
      #expect(many.inputs == one.inputs)
    }
  }

  @Test func aLinkIntoAnotherFolderIsFollowedOnce() {
    let contents = TreeBuilder().imageSet("One/Star", [""])
      .special("Two", .link(to: "A.xcassets/One"))
      .special("One/Loop", .link(to: "A.xcassets/Two")).read()
    #expect(contents.assets.map(\.name) == ["Star"])
    #expect(contents.diagnostics.contains { $0.code == .linkLoop })
  }

  @Test func linksThatMultiplyDoNotBlowUp() {
    // Each level contains two links to the next one, so a billion paths lead to the last level.
    var builder = TreeBuilder()
    for level in 0..<30 {
      for name in ["a", "b"] {
        builder = builder.special("L\(level)/\(name)", .link(to: "A.xcassets/L\(level + 1)"))
      }
    }
    #expect(builder.read().inputs.count < 1000)
  }

  @Test func unreadableFilesAreNamedAndTheRestIsRead() {
    let contents = TreeBuilder().imageSet("Star", [""])
      .special("Locked.imageset/Contents.json", .unreadable)
      .special("Pipe.imageset/Contents.json", .pipe)
      .special("Nowhere.imageset/Contents.json", .link(to: "A.xcassets/nothing"))
      .folder("Folder.imageset/Contents.json").read()
    #expect(contents.asset("Star") != nil)
    let files = contents.diagnostics.filter { $0.severity == .error }.map(\.file)
    for name in ["Locked", "Pipe", "Nowhere", "Folder"] {
      #expect(files.contains("A.xcassets/\(name).imageset/Contents.json"), "\(name)")
    }
  }

  @Test(arguments: ["S.imageset", "G", "G.odd", "S.spriteatlas", "I.icon"])
  func ofAFolderThatCannotBeListedNothingElseIsSaid(name: String) {
    let contents = TreeBuilder().imageSet("Star", [""]).special(name, .unreadable)
      .file("\(name)/Contents.json", "{}".utf8).read()
    #expect(contents.diagnostics.map(\.code) == [.unreadableFolder], "\(contents.diagnostics)")
    #expect(contents.asset("Star") != nil)
  }

  @Test func aCatalogueThatIsNotThereIsAnError() {
    let contents = readCatalogs(["B.xcassets"], in: TreeBuilder().tree)
    #expect(contents.diagnostics.map(\.code) == [.notACatalog])
    #expect(contents.diagnostics.first?.file == "B.xcassets")
  }

  @Test func everyFolderAndFileThatIsThereIsAnInput() {
    let contents = TreeBuilder().imageSet("G/Star", [""]).read()
    #expect(
      contents.inputs == [
        "A.xcassets", "A.xcassets/G",
        "A.xcassets/G/Star.imageset", "A.xcassets/G/Star.imageset/Contents.json",
        "A.xcassets/G/Star.imageset/Star0.png",
      ])
  }
}

@Suite struct DiskTests {
  @Test func twoFormsOfOneAccentedLetterAreTwoNames() throws {
    let folder = try TemporaryDirectory()
    for name in ["\u{E9}", "e\u{301}", "ef"] {
      try folder.write(images(""), to: "A.xcassets/\(name).imageset/Contents.json")
    }
    let contents = readCatalogs([ByteString(folder.path("A.xcassets"))], in: .disk)
    #expect(contents.assets.map(\.name) == ["ef", "e\u{301}", "\u{E9}"])
    #expect(contents.diagnostics.filter { $0.code == .nameClash }.isEmpty)
    #expect(contents.diagnostics.filter { $0.code == .equivalentNames }.count == 1)
  }

  @Test func aHugeSparseFileIsRefusedByItsSize() throws {
    let folder = try TemporaryDirectory()
    let path = try folder.write("", to: "A.xcassets/S.imageset/Contents.json")
    #expect(truncate(path, 1 << 30) == 0)
    let contents = readCatalogs([ByteString(folder.path("A.xcassets"))], in: .disk)
    #expect(contents.diagnostics.map(\.code) == [.jsonTooLarge])
  }

  @Test func linksOnDiskThatLeadInCirclesEnd() throws {
    let folder = try TemporaryDirectory()
    try folder.write("{}", to: "A.xcassets/G/Contents.json")
    #expect(symlink("..", folder.path("A.xcassets/G/up")) == 0)
    #expect(symlink("self", folder.path("A.xcassets/G/self")) == 0)
    #expect(symlink("/", folder.path("A.xcassets/G/root")) == 0)
    let contents = readCatalogs([ByteString(folder.path("A.xcassets"))], in: .disk)
    let links = contents.diagnostics.map {
      "\($0.file.split(separator: "/").last ?? "") \($0.code.rawValue)"
    }
    #expect(links == ["root link-outside-catalog", "self link-loop", "up link-loop"])
  }

  @Test func diskAndMemoryGiveTheSame() throws {
    let builder = TreeBuilder().imageSet("G/Star", [#""scale":"1x""#, #""scale":"3x""#])
      .folder("Bad.imageset", "{").file("stray.txt", [1])
    let folder = try TemporaryDirectory()
    for (path, file) in builder.files {
      if case .bytes(let bytes) = file { try folder.write(bytes, to: path.text) }
    }
    let disk = readCatalogs([ByteString(folder.path("A.xcassets"))], in: .disk)
    let memory = builder.read()
    #expect(disk.assets.map(\.name) == memory.assets.map(\.name))
    #expect(disk.diagnostics.map(\.message) == memory.diagnostics.map(\.message))
    #expect(disk.inputs.map { $0.relative(to: ByteString(folder.path)) ?? $0 } == memory.inputs)
  }
}
