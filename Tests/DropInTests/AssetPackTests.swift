// Tests the packs of on-demand resources: their list, their assets, and their archives.

import Archive
import Bytes
import CatalogCompiler
import CatalogModel
import Documents
import Support
import Testing

@testable import DropIn
@testable import Host

@Suite struct AssetPackTests {
  private func list(_ entries: [(tags: [String], path: String)]) -> MemoryFile {
    let rows = entries.map { entry in
      let tags = entry.tags.map { "<string>\($0)</string>" }.joined()
      return "<dict><key>tags</key><array>\(tags)</array><key>bundle-path</key>"
        + "<string>\(entry.path)</string></dict>"
    }
    return .bytes(Array("<plist version=\"1.0\"><array>\(rows.joined())</array></plist>".utf8))
  }

  private func tag(_ name: String, _ tag: String, in sources: inout SampleSources) {
    sources.add(
      "\(name).imageset/Contents.json",
      #"{"images":[{"idiom":"universal","scale":"2x","filename":"\#(name)@2x.png"}],"#
        + #""properties":{"on-demand-resource-tags":["\#(tag)"]}}"#)
  }

  private func names(_ archive: [UInt8]) throws -> [ByteString] {
    try archive.withUnsafeBytes { try Archive($0).facets().map(\.name).sorted() }
  }

  /// An entry without tags would take every asset without tags out of the app's archive.
  @Test(arguments: [[], ["<integer>1</integer>"]])
  func anEntryWithoutTagsIsRefused(tags: [String]) {
    let text =
      "<plist version=\"1.0\"><array><dict><key>tags</key><array>\(tags.joined())</array>"
      + "<key>bundle-path</key><string>/p</string></dict></array></plist>"
    let read = AssetPackList(
      "/l", in: "/", .memory(["/l": .bytes(Array(text.utf8))]))
    #expect(read.packs == nil && read.messages.map(\.severity) == [.error])
  }

  /// An archive of an earlier run would be taken for that of a pack without assets. The first of
  /// two entries with the same tags gets the assets.
  @Test func thePackWithoutAssetsHasNoArchive() throws {
    var sources = SampleSources()
    sources.image("Star", scales: [2])
    sources.image("Moon", scales: [2])
    tag("Moon", "m", in: &sources)
    let other = try TemporaryDirectory()
    for name in ["gone", "second"] { try other.write("old", to: "\(name)/Assets.car") }
    sources.files["/l"] = list([
      (["m"], other.path("first")), (["m"], other.path("second")), (["g"], other.path("gone")),
      (["n"], other.path("never")),
    ])
    _ = try built(sources) {
      $0.usesOnDemandResources = true
      $0.assetPacks = "/l"
    }
    #expect(try other.files(below: ".") == ["./first/Assets.car"])
    #expect(try names(other.read("first/Assets.car")) == ["Moon"])
  }

  /// A layer can refer to an image set of another pack.
  @Test func aLayerRefersToAnImageOfAPack() throws {
    var sources = SampleSources()
    sources.image("Moon", scales: [2])
    tag("Moon", "m", in: &sources)
    sources.add("Stack.imagestack/Contents.json", #"{"layers":[{"filename":"L.imagestacklayer"}]}"#)
    sources.add(
      "Stack.imagestack/L.imagestacklayer/Contents.json",
      #"{"properties":{"content-reference":{"type":"image-set","name":"Moon","matching-style":"fully-qualified-name"}}}"#
    )
    let other = try TemporaryDirectory()
    sources.files["/l"] = list([(["m"], other.path("pack"))])
    let outcome = try built(sources, .tvOS) {
      $0.usesOnDemandResources = true
      $0.assetPacks = "/l"
    }
    #expect(!outcome.result.report.findings.contains { $0.code == .danglingReference })
    #expect(try names(outcome.folder.read("out/Assets.car")).contains("Stack"))
    #expect(try names(other.read("pack/Assets.car")) == ["Moon"])
  }

  /// The work grows with the numbers of packs and assets, not with their product.
  @Test func manyPacksAndIconsTakeLittleTime() throws {
    let count = 20_000
    var contents = CatalogContents()
    for number in 0..<count {
      var asset = AssetSet(
        name: "I\(number)", type: .appIconSet, folder: "I\(number).appiconset", catalog: 0,
        contents: .appIcons(AppIconSet()))
      asset.onDemandTags = ["t\(number)"]
      contents.assets.append(asset)
    }
    var request = BuildRequest(target: CompileTarget(platform: .iOS))
    request.usesOnDemandResources = true
    request.assetPacks = "/l"
    request.includesAllIcons = true
    request.alternateIcons = contents.assets.map(\.name)
    let packs = (0..<count).map { (tags: ["t\($0)"], path: "/p/\($0)") }
    let tree = FileTree.memory(["/l": list(packs)])
    let clock = ContinuousClock()
    let time = clock.measure {
      let division = PackDivision(request, contents, tree)
      #expect(division.packs.count == count && division.main.assets.isEmpty)
      let choice = IconChoice(request, among: contents)
      #expect(choice.names.allSatisfy { choice.sets(of: $0).count == 1 })
      let plan = RenditionPlan(
        of: contents.assets, for: request.target, icons: .named(choice.names))
      #expect(plan.diagnostics.allSatisfy { $0.code != .iconNotChosen })
    }
    // A loop within a loop takes minutes.
    #expect(time < .seconds(20), "\(time)")
  }
}
