import Support
import Testing

@testable import CatalogModel
@testable import Host

@Suite struct DuplicateFileTests {
  @Test(arguments: [
    ("I.iconset", "icon_16x16.png", ""),
    ("S.stickerpack/A.sticker", "a.png", #"{"properties":{"filename":"a.png"}}"#),
    ("T.imageset", "a.png", #"{"images":[{"filename":"a.png"}]}"#),
  ])
  func equalFilesAreFoundInSetsOfEachType(folder: String, file: String, contents: String) throws {
    let picture = png(width: 16, height: 16)
    var files: [ByteString: MemoryFile] = [
      "A.xcassets/Z.imageset/Contents.json": .bytes(
        Array(#"{"images":[{"filename":"z.png"}]}"#.utf8)),
      "A.xcassets/Z.imageset/z.png": .bytes(picture),
      ByteString("A.xcassets/\(folder)/\(file)"): .bytes(picture),
    ]
    if !contents.isEmpty {
      files[ByteString("A.xcassets/\(folder)/Contents.json")] = .bytes(Array(contents.utf8))
    }
    if folder.hasPrefix("S.") {
      files["A.xcassets/S.stickerpack/Contents.json"] = .bytes(
        Array(#"{"stickers":[{"filename":"A.sticker"}]}"#.utf8))
    }
    let tree = FileTree.memory(files)
    let assets = readCatalogs(["A.xcassets"], in: tree).assets
    let found = checkDuplicates(of: assets, in: tree, jobs: 1)
    #expect(found.map(\.code) == [.duplicateFile], "\(found)")
  }
}
