// Changes of names: the uses that lint counts are changed or named, and nothing is renamed if a
// source cannot be searched.

import Bytes
import Documents
import Host
import Testing

@testable import LanguageServer

@Suite struct RenameTests {
  private static let set = #"{"images":[{"idiom":"universal"}]}"#

  /// Returns an editor with the images "Star" and "Moon" and these sources.
  private func editor(_ sources: [String: String]) -> TestEditor {
    var files: [ByteString: MemoryFile] = [:]
    for name in ["Star", "Moon"] {
      files[ByteString("/w/A.xcassets/\(name).imageset/Contents.json")] = .bytes(
        Array(Self.set.utf8))
    }
    for (path, text) in sources { files[ByteString("/w/\(path)")] = .bytes(Array(text.utf8)) }
    return TestEditor(files)
  }

  private static let request: JSONOutput = [
    "textDocument": ["uri": "file:///w/A.xcassets/Star.imageset/Contents.json"],
    "position": ["line": 0, "character": 3], "newName": "Sun",
  ]

  /// Returns the texts of the sources after Star became Sun, and the versions in the edits.
  private func renamed(
    _ editor: inout TestEditor
  ) throws -> (texts: [String: String], versions: [String: JSONValue]) {
    let answer = editor.answer("textDocument/rename", Self.request)
    let changes = try #require(answer["result"]?.list("documentChanges"), "\(answer)")
    #expect(changes.last?.name("newUri") == "file:///w/A.xcassets/Sun.imageset")
    var texts: [String: String] = [:]
    var versions: [String: JSONValue] = [:]
    for change in changes.dropLast() {
      let uri = try #require(change["textDocument"]?.name("uri"))
      let file = try #require(path(of: uri))
      var text = try editor.files.tree.read(file, 1 << 20)
      let places = TextPlaces(text, countsBytes: true)
      for edit in change.list("edits").reversed() {
        let new = try #require(edit.name("newText"))
        text.replaceSubrange(places.range(edit["range"]), with: new.bytes)
      }
      let name = String(file.text.dropFirst("/w/".count))
      texts[name] = String(decoding: text, as: UTF8.self)
      versions[name] = change["textDocument"]?["version"]
    }
    return (texts, versions)
  }

  /// A name that cannot be looked up may be taken.
  @Test func anUnknownPlaceIsNotTaken() throws {
    var editor = editor([:])
    editor.files["/w/A.xcassets/Sun.imageset"] = .link(to: "/w/A.xcassets/Sun.imageset")
    let answer = editor.answer("textDocument/rename", Self.request)
    #expect(
      answer["error"]?.text("message")
        == "\"Sun.imageset\" cannot be looked up: its links lead in a circle")
  }

  @Test(arguments: [
    ("A.swift", #"SKSpriteNode(imageNamed: "Star")"#),
    ("A.swift", #"NSImage(named: NSImage.Name("Star"))"#),
    ("A.swift", "Image(\n  \"Star\")"),
    ("A.swift", "let a: ImageResource = .star"),
    ("A.swift", "Image(.star).resizable()"),
    ("A.m", #"[UIImage imageNamed:@"Star"]"#),
    ("A.m", "[UIImage imageNamed:ACImageNameStar]"),
    ("Pods/B/A.swift", #"UIImage(named: "Star")"#),
    ("build/A.swift", #"UIImage(named: "Star")"#),
    ("A.mm", #"[UIImage imageNamed:@"Star"];"#),
    ("A.storyboard", #"<imageView image="Star"/><image name="Star" width="9"/>"#),
    ("Info.plist", "<dict><key>UIImageName</key><string>Star</string></dict>"),
    ("A.xcconfig", "ASSETCATALOG_COMPILER_APPICON_NAME = Star"),
    (
      "A.xcodeproj/project.pbxproj",
      "a = 1;\n\tINFOPLIST_KEY_UILaunchScreen_UIImageName = \"Star\";\n"
    ),
  ])
  func aUseGetsTheNewName(file: String, text: String) throws {
    var editor = editor([file: text])
    let texts = try renamed(&editor).texts
    let new = text.replacing("Star", with: "Sun").replacing(".star", with: ".sun")
    #expect(texts == [file: new])
    editor.publish()
    #expect(editor.shown == [])
  }

  @Test(arguments: [
    ("A.swift", #"Image("Moon"); Image(systemName: "Stars"); Text("The Star of it")"#),
    ("A.swift", #"Color("Star")"#), ("node_modules/A.swift", #"Image("Star")"#),
  ])
  func wordsThatAreNoUsesStay(file: String, text: String) throws {
    var editor = editor([file: text])
    #expect(try renamed(&editor).texts == [:])
    editor.publish()
    #expect(editor.shown == [])
  }

  @Test(arguments: [
    ("A.swift", #"let names = ["Star", "x"]"#), ("a.json", #"{"icon": "Star"}"#),
    ("A.swift", "R.image.star()"), ("A.xib", #"<custom value="Star"/>"#),
  ])
  func aTextThatMayMeanTheAssetIsTold(file: String, text: String) throws {
    var editor = editor([file: text, "Z.swift": #"Image("Star")"#])
    #expect(try renamed(&editor).texts == ["Z.swift": #"Image("Sun")"#])
    editor.publish()
    #expect(
      editor.shown == [
        "1 place that may mean the asset \"Star\" stays as before: /w/\(file):1"
      ])
  }

  @Test func nothingIsRenamedIfASourceCannotBeSearched() throws {
    var editor = editor(["Z.swift": #"Image("Star")"#])
    editor.files["/w/Big.swift"] = .sparse(size: 65 << 20)
    let answer = editor.answer("textDocument/rename", Self.request)
    let message = try #require(answer["error"]?.text("message"), "\(answer)")
    #expect(message.contains("nothing is renamed"))
    #expect(message.contains("/w/Big.swift (it is larger than"))
  }

  @Test func editsOfOpenTextsHaveTheirVersion() throws {
    var editor = editor(["A.swift": #"Image("Star")"#, "B.swift": #"Image("Star")"#])
    editor.open("/w/A.swift", #"Image("Star")"#, version: 7)
    let versions = try renamed(&editor).versions
    #expect(versions == ["A.swift": .integer(7), "B.swift": .null])
  }

  /// However many folders have catalogues, the sources of all are edited.
  @Test func manyCataloguesAreRead() throws {
    var editor = editor(["A.swift": #"Image("Star")"#])
    for number in 0..<80 {
      let set: ByteString = "/w/\(number + 10)/B.xcassets/Star\(number).imageset/Contents.json"
      editor.files[set] = .bytes(Array(Self.set.utf8))
    }
    #expect(try renamed(&editor).texts == ["A.swift": #"Image("Sun")"#])
  }

  /// A name that would need escapes is not written into sources.
  @Test(arguments: ["Big \"Sun\"", "Sun\\(x)", "Sun\nX"])
  func aNameThatNeedsEscapesIsRefused(name: String) {
    let request: JSONOutput = [
      "textDocument": ["uri": "file:///w/A.xcassets/Star.imageset/Contents.json"],
      "position": ["line": 0, "character": 3], "newName": .string(name),
    ]
    for (file, text) in [("A.swift", #"Image("Star")"#), ("A.m", #"[UIImage imageNamed:@"Star"]"#)]
    {
      var editor = editor([file: text])
      let message = editor.answer("textDocument/rename", request)["error"]?.text("message") ?? ""
      #expect(message.hasPrefix("/w/\(file) names the asset in a text"), "\(message)")
    }
    var editor = editor(["A.swift": #"Image("Moon")"#])
    #expect(editor.answer("textDocument/rename", request)["result"] != nil)
  }

  /// Layers and items of Game Center that show the asset follow.
  @Test func referencesOfLayersFollow() throws {
    func content(_ name: String) -> String {
      #"{"properties":{"content-reference":{"type":"image-set","name":"\#(name)"}}}"#
    }
    let stack = "A.xcassets/S.imagestack"
    var editor = editor([
      "\(stack)/Contents.json": #"{"layers":[{"filename":"F.imagestacklayer"}]}"#,
      "\(stack)/F.imagestacklayer/Contents.json": content("Star"),
      "\(stack)/G.imagestacklayer/Contents.json": content("Moon"),
    ])
    #expect(
      try renamed(&editor).texts == ["\(stack)/F.imagestacklayer/Contents.json": content("Sun")])
  }

  /// The place of a layered icon is its icon.json, that of an icon set its largest picture.
  @Test func iconsHaveAPlace() {
    var editor = editor([
      "A.xcassets/New.icon/icon.json": #"{"groups":[],"supported-platforms":{}}"#,
      "A.xcassets/Mac.iconset/icon_16x16.png": "", "A.xcassets/Mac.iconset/icon_32x32.png": "",
      "A.swift": #"Image("New")"#,
    ])
    func places(_ answer: JSONValue) -> [String] {
      guard case .array(let found) = answer else { return [] }
      return found.compactMap { ($0["location"] ?? $0).text("uri") }
    }
    func symbols(_ query: String) -> [String] {
      places(editor.request("workspace/symbol", ["query": .string(query)]))
    }
    #expect(symbols("New") == ["file:///w/A.xcassets/New.icon/icon.json"])
    #expect(symbols("Mac") == ["file:///w/A.xcassets/Mac.iconset/icon_32x32.png"])
    let definition = editor.request(
      "textDocument/definition",
      [
        "textDocument": ["uri": "file:///w/A.swift"], "position": ["line": 0, "character": 8],
      ])
    #expect(places(definition) == ["file:///w/A.xcassets/New.icon/icon.json"])
  }
}
