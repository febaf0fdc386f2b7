// Tests `carve icon`: an icon with the forms of Icon Composer 2 becomes one for Xcode 26.

import Foundation
import Support
import Testing

@Suite struct IconCommandTests {
  private let json = """
    {
      "features" : [ "specular-location" ],
      "groups" : [
        { "layers" : [ { "image-name" : "a.png" } ], "specular" : "inside" }
      ]
    }

    """

  private func folder() throws -> TemporaryDirectory {
    let folder = try TemporaryDirectory()
    try folder.write(Array(json.utf8), to: "New.icon/icon.json")
    try folder.write(png(width: 8, height: 8), to: "New.icon/Assets/a.png")
    return folder
  }

  @Test func anIconForXcode26IsWrittenWithoutNewForms() throws {
    let folder = try folder()
    let result = try runTool(
      ["icon", "--for", "26", "New.icon", "-o", "Old.icon/"], in: folder.path)
    #expect(result.code == 0)
    #expect(result.stdout == "Old.icon: 2 files, 2 changes for Xcode 26\n")
    #expect(
      result.stderr == """
        New.icon/icon.json:2:3: note: "features" is left out [needs-xcode-27]
        New.icon/icon.json:4:63: note: "specular": "inside" is written as true [needs-xcode-27]

        """)
    let text = try String(decoding: folder.read("Old.icon/icon.json"), as: UTF8.self)
    #expect(
      text == """
        {
          "groups" : [
            { "layers" : [ { "image-name" : "a.png" } ], "specular" : true }
          ]
        }

        """)
    #expect(try folder.read("Old.icon/Assets/a.png") == folder.read("New.icon/Assets/a.png"))
    // The new icon needs no change, and can be written over itself by another name.
    let again = try runTool(
      ["icon", "--for", "26", "Old.icon", "-o", "Older.icon"], in: folder.path)
    #expect(again.stderr == "" && again.stdout == "Older.icon: 2 files, 0 changes for Xcode 26\n")
  }

  @Test func anotherIconIsNotWrittenIntoTheFolderOfOne() throws {
    let folder = try folder()
    let words = ["icon", "--for", "26", "New.icon", "-o", "Old.icon"]
    #expect(try runTool(words, in: folder.path).code == 0)
    #expect(try runTool(words, in: folder.path).code == 0)
    try folder.write([1], to: "Old.icon/Assets/de.lproj/b.png")
    let result = try runTool(words, in: folder.path)
    #expect(result.code != 0)
    #expect(result.stderr.contains("Old.icon holds Assets/de.lproj/b.png, which is not part of"))
  }

  @Test(arguments: [
    (["New.icon", "-o", "Old.icon"], "needs the word render or --for 26"),
    (["New.icon", "-o", "New.icon", "--for", "26"], "are the same file"),
    (["New.icon", "-o", "New.icon/Old.icon", "--for", "26"], "would lie in"),
    (["New.icon", "-o", "Old", "--for", "26"], "must be a folder that ends with .icon"),
    (["New.icon", "-o", "Old.icon", "--for", "25"], "is not a value of '--for'"),
    (["Gone.icon", "-o", "Old.icon", "--for", "26"], "cannot read Gone.icon"),
    (["A.xcassets", "-o", "Old.icon", "--for", "26"], "A.xcassets is not a layered icon"),
    (["Empty.icon", "-o", "Old.icon", "--for", "26"], "cannot read Empty.icon/icon.json"),
  ])
  func iconsThatCannotBeWrittenAreRefused(words: [String], message: String) throws {
    let folder = try folder()
    try folder.write([1], to: "Empty.icon/note.txt")
    try folder.write([1], to: "A.xcassets/note.txt")
    let result = try runTool(["icon"] + words, in: folder.path)
    #expect(result.code != 0 && result.stderr.contains(message), "\(result.stderr)")
    #expect(try !folder.files(below: ".").contains { $0.contains("Old") })
  }

  @Test func allChangesCanBeShown() throws {
    let folder = try folder()
    let groups = [String](repeating: #"{"specular":"inside"}"#, count: 8)
    try folder.write(
      Array(#"{"groups":[\#(groups.joined(separator: ","))]}"#.utf8), to: "New.icon/icon.json")
    let words = ["icon", "--for", "26", "New.icon", "-o", "Old.icon", "--all"]
    let result = try runTool(words, in: folder.path)
    #expect(result.code == 0)
    #expect(result.stderr.split(separator: "\n").count == 8, "\(result.stderr)")
  }

  @Test func aLookThatIsNamedTwiceIsDrawnOnce() throws {
    let folder = try folder()
    let result = try runTool(
      [
        "icon", "render", "New.icon", "-o", "p", "--size", "16", "--look", "dark", "--look", "dark",
      ],
      in: folder.path)
    #expect(result.code == 0 && result.stdout == "p: 1 picture\n")
  }

  @Test func aBrokenIconWritesNothing() throws {
    let folder = try folder()
    try folder.write(Array("{".utf8), to: "New.icon/icon.json")
    let result = try runTool(
      ["icon", "--for", "26", "New.icon", "-o", "Old.icon"], in: folder.path)
    #expect(result.code == 1 && result.stderr.contains("[json-syntax]"))
    #expect(try !folder.files(below: ".").contains { $0.contains("Old") })
  }

  @Test func picturesShowEveryLook() throws {
    let folder = try folder()
    let result = try runTool(
      ["icon", "render", "New.icon", "-o", "pictures/", "--size", "64"], in: folder.path)
    #expect(result.code == 0 && result.stdout == "pictures: 5 pictures\n")
    #expect(result.stderr.contains("[icon-glass-approximated]"))
    let looks = ["clear-dark", "clear-light", "dark", "default", "tinted"]
    #expect(
      try folder.files(below: "pictures").sorted() == looks.map { "pictures/New-\($0)-64.png" })
  }

  @Test func aDamagedLayerIsNamed() throws {
    let folder = try folder()
    try folder.write(png(width: 8, height: 8).dropLast(14), to: "New.icon/Assets/a.png")
    let message = "New.icon/Assets/a.png: error: the PNG file ends before the picture does "
    for words in [
      ["icon", "render", "New.icon", "-o", "pictures", "--size", "64"],
      ["compile", "New.icon", "--app-icon", "New", "-o", "a.car"],
    ] {
      let result = try runTool(words, in: folder.path)
      let errors = result.stderr.split(separator: "\n").filter { $0.contains(": error: ") }
      #expect(result.code == 1 && errors == ["\(message)[cut-image]"], "\(result.stderr)")
    }
  }

  @Test(arguments: [
    (["render", "New.icon", "-o", "pictures", "--size", "9"], "option '--size'"),
    (["render", "New.icon", "-o", "pictures", "--look", "sepia"], "is not a value of '--look'"),
    (["render", "New.icon", "-o", "pictures", "--for", "26"], "--for does not belong to"),
    (["New.icon", "-o", "Old.icon", "--for", "26", "--size", "64"], "belong to carve icon render"),
    (["render", "New.icon", "-o", "New.icon"], "would lie in"),
    (["render", "A.xcassets", "-o", "pictures"], "A.xcassets is not a layered icon"),
  ])
  func picturesThatCannotBeDrawnAreRefused(words: [String], message: String) throws {
    let folder = try folder()
    try folder.write([1], to: "A.xcassets/note.txt")
    let result = try runTool(["icon"] + words, in: folder.path)
    #expect(result.code != 0 && result.stderr.contains(message), "\(result.stderr)")
    #expect(try !folder.files(below: ".").contains { $0.hasSuffix("64.png") })
  }
}
