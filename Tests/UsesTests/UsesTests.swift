// Tests which assets sources use, for each way in which a source can name an asset; and the names
// that are missing. Every test looks at a catalogue with one asset that nothing names.

import Bytes
import CatalogModel
import Host
import Testing

@testable import Uses

/// A catalogue with these images and colours, and sources by path.
private func report(
  images: [String] = ["star"], colors: [String] = [], _ sources: [String: String],
  set: String? = nil, projects: [ByteString] = []
) throws -> UseReport {
  var files: [ByteString: MemoryFile] = [:]
  func add(_ name: String, _ type: String, _ contents: String) {
    files[ByteString("/A.xcassets/\(name).\(type)/Contents.json")] = .bytes(Array(contents.utf8))
  }
  for name in images + ["zzz"] { add(name, "imageset", #"{"images":[{"idiom":"universal"}]}"#) }
  for name in colors { add(name, "colorset", #"{"colors":[{"idiom":"universal"}]}"#) }
  if let set { add(set, "appiconset", #"{"images":[]}"#) }
  let namespace = #"{"properties":{"provides-namespace":true}}"#
  files["/A.xcassets/Group/Contents.json"] = .bytes(Array(namespace.utf8))
  files["/S"] = .folder
  for (path, text) in sources { files[ByteString("/S/\(path)")] = .bytes(Array(text.utf8)) }
  let tree = FileTree.memory(files)
  let contents = readCatalogs(["/A.xcassets"], in: tree, options: ReadingOptions(jobs: 1))
  var request = UseRequest(contents: [contents], sources: ["/S"], current: "/", jobs: 2)
  request.targets = try TargetList(projects: projects, in: tree, current: "/")
  return findUses(request, in: tree)
}

extension UseReport {
  fileprivate func verdict(_ name: ByteString) -> UseVerdict? {
    assets.first { $0.asset.name == name }?.verdict
  }

  fileprivate func kinds(_ name: ByteString) -> Set<UseKind> {
    Set(assets.first { $0.asset.name == name }?.uses.map(\.kind) ?? [])
  }
}

@Suite struct UsesTests {
  /// Each source names "star" in a way that proves its use.
  @Test(
    arguments: [
      ("A.swift", #"Image("star")"#, UseKind.call),
      ("A.swift", #"UIImage(named: "star", in: .module, with: nil)"#, .call),
      ("A.swift", #"UIImage(named: "star.png")"#, .call),
      ("A.swift", #"Label("Night", image: "star")"#, .call),
      ("A.swift", #"let names = ["moon", "star"]"#, .literal),
      ("A.swift", #"Image(flag ? "star" : "moon")"#, .literal),
      ("A.swift", ##"Image(#"star"#)"##, .call),
      ("A.swift", "let s = \"\"\"\n  star\n  \"\"\"", .literal),
      ("A.swift", #"Image("st\u{61}r")"#, .call),
      ("A.swift", #"Text("a \(Image("star")) b")"#, .call),
      ("A.swift", "Image(.star)", .symbol),
      ("A.swift", "view.image = flag ? .star : nil", .symbol),
      ("A.swift", "let i = ImageResource.star", .symbol),
      ("A.swift", "imageView.image = R.image.star()", .symbol),
      ("A.swift", "Asset.star.image", .symbol),
      ("A.swift", "AssetID.Image.star", .symbol),
      ("A.m", #"[UIImage imageNamed:@"star"];"#, .call),
      ("A.m", "[UIImage imageNamed:ACImageNameStar];", .symbol),
      ("A.c", "carve_find(view, ASSET_IMAGE_STAR);", .symbol),
      ("A.cpp", #"auto name = std::string("star");"#, .literal),
      ("A.js", "const a = {uri: 'star'}", .literal),
      ("A.storyboard", #"<imageView image="star"/>"#, .interface),
      ("A.xib", #"<resources><image name="star" width="1" height="1"/></resources>"#, .interface),
      (
        "Info.plist", "<plist><dict><key>a</key><string>star</string></dict></plist>", .propertyList
      ),
      ("A.json", #"{"picture": "star"}"#, .data),
      ("A.html", #"<img src="pictures/star.png">"#, .data),
      ("A.xcconfig", "ASSETCATALOG_COMPILER_LAUNCHIMAGE_NAME = star", .setting),
      (
        "A.xcodeproj/project.pbxproj",
        #"  INFOPLIST_KEY_UILaunchImageName = "star";"#, .setting
      ),
    ])
  func aPlaceProvesAUse(file: String, text: String, kind: UseKind) throws {
    let report = try report([file: text])
    #expect(report.verdict("star") == .used)
    #expect(report.kinds("star").contains(kind), "\(report.kinds("star"))")
    #expect(report.verdict("zzz") == .unused)
  }

  /// Each source leaves it in doubt whether "icon_dark" is used.
  @Test(
    arguments: [
      ("A.swift", #"Image("icon_\(style)")"#, UseKind.pattern),
      ("A.swift", #"Image("icon_" + style)"#, .pattern),
      ("A.swift", #"Image(name.appending("_dark"))"#, .pattern),
      ("A.swift", #"let suffix = "_dark""#, .pattern),
      ("A.m", #"[NSString stringWithFormat:@"icon_%@", style];"#, .pattern),
      ("A.js", "`icon_${style}`", .pattern),
      ("A.swift", #"Image("\(kind)_\(style)"); let k = "icon"; enum S { case dark }"#, .pattern),
      ("A.swift", #"let names = "icon_light,icon_dark""#, .word),
      ("A.swift", #"let title = "Icon Dark""#, .similarText),
      ("A.swift", "enum Icon: String {\n  case light,\n    iconDark\n}", .enumCase),
      ("A.swift", "Theme.iconDark", .member),
      ("A.swift", "static var icon_dark: UIImage { UIImage(named: #function)! }", .declaration),
      ("A.swift", "class icon_dark {}", .typeName),
      ("A.swift", "let all = Asset.allImages", .unknownSource),
      (
        "A.swift",
        "struct W: Decodable { let icon: String\n}\nfunc f(w: W) { UIImage(named: w.icon) }",
        .unknownSource
      ),
      ("A.css", "a { background: url(icon_dark.png) }", .word),
      ("A.strings", #""title" = "icon_dark";"#, .word),
    ])
  func aPlaceLeavesADoubt(file: String, text: String, kind: UseKind) throws {
    let report = try report(images: ["icon_dark"], [file: text])
    #expect(report.verdict("icon_dark") == .unknown)
    #expect(report.kinds("icon_dark").contains(kind), "\(report.kinds("icon_dark"))")
  }

  /// No source names "star".
  @Test(
    arguments: [
      ("A.swift", "// Image(\"star\")"), ("A.swift", "/* Image(\"star\") /* */ \"star\" */"),
      ("A.swift", "let star = 1; self.star = star; view.star()"),
      ("A.swift", #"Text("Look at that star in the sky")"#),
      ("A.swift", #"let x = "moon_\(n)""#), ("A.m", "char c = '\"'; // star\nint star;"),
      ("A.bin", "\0star"), ("A.png", "star"), ("A.txt", "A star is born"),
      (
        "A.swift",
        "// Generated using SwiftGen\nenum Asset { static let star = ImageAsset(name: \"star\") }"
      ),
    ])
  func nothingNamesAnAsset(file: String, text: String) throws {
    #expect(try report([file: text]).verdict("star") == .unused)
  }

  @Test func aGeneratedFileGivesNames() throws {
    let report = try report([
      "G.swift":
        "// Generated using SwiftGen\nenum A { static let sun = ImageAsset(name: \"star\") }",
      "A.swift": "A.sun.image",
    ])
    #expect(report.verdict("star") == .unknown)
  }

  @Test func anAssetWithARoleIsInDoubt() throws {
    let report = try report(colors: ["AccentColor"], [:], set: "AppIcon")
    #expect(report.verdict("AppIcon") == .unknown && report.verdict("AccentColor") == .unknown)
    #expect(report.verdict("star") == .unused)
  }

  @Test func aNamespaceBelongsToTheName() throws {
    let names = ["Group/moon"]
    #expect(
      try report(images: names, ["A.swift": #"Image("Group/moon")"#]).verdict("Group/moon") == .used
    )
    #expect(
      try report(images: names, ["A.swift": "Image(.Group.moon)"]).verdict("Group/moon") == .unknown
    )
    let missing = try report(images: names, ["A.swift": #"Image("moon")"#])
    #expect(missing.verdict("Group/moon") == .unused)
    #expect(missing.missing.map(\.name) == ["moon"])
  }

  @Test func aCommentWithoutEndHidesNothing() throws {
    #expect(try report(["A.swift": "let a = /* \nImage(\"star\")"]).verdict("star") == .used)
  }

  @Test func tablesInUTF16AreRead() throws {
    var text: [UInt8] = []
    for byte in #""a" = "star";"#.utf8 { text += [byte, 0] }
    let tree = FileTree.memory([
      "/S/A.strings": .bytes([0xFF, 0xFE] + text),
      "/A.xcassets/star.imageset/Contents.json": .bytes(Array(#"{"images":[]}"#.utf8)),
    ])
    let contents = readCatalogs(["/A.xcassets"], in: tree, options: ReadingOptions(jobs: 1))
    let request = UseRequest(contents: [contents], sources: ["/S"], current: "/", jobs: 1)
    #expect(findUses(request, in: tree).verdict("star") == .unknown)
  }

  @Test func aSourceThatIsNotReadLeavesEverythingInDoubt() throws {
    let tree = FileTree.memory([
      "/S/A.swift": .unreadable, "/S/B.swift": .sparse(size: 65 << 20),
      "/A.xcassets/star.imageset/Contents.json": .bytes(Array(#"{"images":[]}"#.utf8)),
    ])
    let contents = readCatalogs(["/A.xcassets"], in: tree, options: ReadingOptions(jobs: 1))
    let request = UseRequest(contents: [contents], sources: ["/S"], current: "/", jobs: 1)
    let report = findUses(request, in: tree)
    #expect(report.unread.map(\.path) == ["/S/A.swift", "/S/B.swift"])
    #expect(report.verdict("star") == .unknown)
  }
}

@Suite struct MissingNameTests {
  @Test(
    arguments: [
      ("A.swift", #"Image("stra")"#, "stra"), ("A.swift", #"UIImage(named: "gone")"#, "gone"),
      ("A.swift", #"UIImage(named: "gone", in: .main, with: nil)"#, "gone"),
      ("A.swift", #"Color("gone")"#, "gone"), ("A.swift", "UIImage(resource: .gone)", "gone"),
      ("A.swift", "Image(.gone)", "gone"), ("A.swift", "R.color.gone()", "gone"),
      ("A.swift", "let c = ColorResource.gone", "gone"),
      ("A.m", #"[UIColor colorNamed:@"gone"];"#, "gone"),
      ("A.xib", #"<image name="gone" width="1" height="1"/>"#, "gone"),
      ("A.xib", #"<namedColor name="gone"><color/></namedColor>"#, "gone"),
      ("Info.plist", "<dict><key>UIImageName</key><string>gone</string></dict>", "gone"),
    ])
  func aNameIsMissing(file: String, text: String, name: ByteString) throws {
    #expect(try report([file: text]).missing.map(\.name) == [name])
  }

  @Test(
    arguments: [
      ("A.swift", #"Image(systemName: "gone")"#),
      ("A.swift", #"UIImage(named: "gone", in: Bundle(for: A.self), compatibleWith: nil)"#),
      ("A.swift", #"Image("gone", bundle: .other)"#),
      ("A.swift", #"UIImage(named: "NSAddTemplate")"#), ("A.swift", #"Image("star")"#),
      ("A.swift", #"struct Image {}; Image("gone")"#), ("A.swift", "Image(.gone); let gone = 1"),
      ("A.swift", #"Color(.systemBackground); Text("gone"); print("gone")"#),
      ("A.xib", #"<image name="gone" catalog="system" width="1"/>"#),
      ("A.xib", #"<image name="gone"><mutableData key="k"/></image>"#),
      ("gone.png", ""),
    ])
  func aNameIsNotReported(file: String, text: String) throws {
    var sources = [file: text]
    if file == "gone.png" { sources["A.swift"] = #"UIImage(named: "gone")"# }
    #expect(try report(sources).missing == [])
  }

  @Test func theNearestNameIsSuggested() throws {
    let report = try report(
      images: ["star", "Group/moon"],
      [
        "A.swift": "\n  Image(\"stra\")\n  Image(\"moon\")"
      ])
    let messages = report.diagnostics.filter { $0.code == .missingAsset }
    #expect(
      messages.map(\.message) == [
        #"no catalogue has an image of the name "stra"; did you mean "star"?"#,
        #"no catalogue has an image of the name "moon"; did you mean "Group/moon"?"#,
      ])
    #expect(messages.map(\.line) == [2, 3] && messages.map(\.column) == [9, 9])
    #expect(messages.first?.notes.map(\.file) == ["/A.xcassets/star.imageset/Contents.json"])
  }
}
