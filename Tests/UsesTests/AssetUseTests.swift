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
  fileprivate func state(_ name: ByteString) -> UseState? {
    assets.first { $0.asset.name == name }?.state
  }

  fileprivate func kinds(_ name: ByteString) -> Set<UseKind> {
    Set(assets.first { $0.asset.name == name }?.uses.map(\.kind) ?? [])
  }
}

@Suite struct AssetUseTests {
  /// Each source names "star" in a way that proves its use.
  @Test(
    arguments: [
      ("A.swift", #"Image("star")"#, UseKind.call),
      ("A.swift", #"UIImage(named: "star", in: .module, with: nil)"#, .call),
      // Files of the first Macs end lines with a carriage return.
      ("A.swift", "// moon\rImage(\"star\")\r", .call),
      ("A.m", "#define MOON @\"moon\"\r[UIImage imageNamed:@\"star\"]", .call),
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
    #expect(report.state("star") == .used)
    #expect(report.kinds("star").contains(kind), "\(report.kinds("star"))")
    #expect(report.state("zzz") == .unused)
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
      ("A.cs", #"UIImage.FromBundle($"icon_{style}")"#, .pattern),
      ("A.kt", #"UIImage.imageNamed("icon_$style")"#, .pattern),
      ("A.kt", #"UIImage.imageNamed("icon_${if (isDark) "dark" else "light"}")"#, .pattern),
      ("A.rb", ##"name = "icon_#{style}""##, .pattern),
      ("A.js", #"let name = text.replace(/"/g, "icon_dark")"#, .word),
      ("A.xcconfig", "APP_ICON = icon_dark // the icon", .word),
      ("A.xcodeproj/project.pbxproj", "\t\tLAUNCH_LOGO = icon_dark;\n", .word),
      ("A.strings", #""title" = "icon_dark";"#, .word),
    ])
  func aPlaceLeavesADoubt(file: String, text: String, kind: UseKind) throws {
    let report = try report(images: ["icon_dark"], [file: text])
    #expect(report.state("icon_dark") == .unknown)
    #expect(report.kinds("icon_dark").contains(kind), "\(report.kinds("icon_dark"))")
  }

  /// No source names "star".
  @Test(
    arguments: [
      ("A.swift", "// Image(\"star\")"), ("A.swift", "/* Image(\"star\") /* */ \"star\" */"),
      ("A.swift", "let star = 1; self.star = star; view.star()"),
      ("A.swift", #"Text("Look at that star in the sky")"#),
      ("A.swift", #"let x = "moon_\(n)""#), ("A.m", "char c = '\"'; // star\nint star;"),
      ("A.xcodeproj/project.pbxproj", "path = star; name = star.png; fileRef = star;"),
      ("A.bin", "\0star"), ("A.png", "star"), ("A.txt", "A star is born"),
      (
        "A.swift",
        "// Generated using SwiftGen\nenum Asset { static let star = ImageAsset(name: \"star\") }"
      ),
    ])
  func nothingNamesAnAsset(file: String, text: String) throws {
    #expect(try report([file: text]).state("star") == .unused)
  }

  /// Each source takes a name from a dictionary to which no source gives it.
  @Test(
    arguments: [
      ("A.swift", #"UIImage(named: item["icon"] as! String)"#),
      ("A.swift", #"Image(config["icon"] ?? "x")"#),
      ("A.swift", #"UIImage(named: (item["icon"] as? String) ?? "x")"#),
      ("A.swift", #"UIImage(named: item.value(forKey: "icon") as! String)"#),
      ("A.swift", #"UIImage(named: flag ? item["icon"]! : "x")"#),
      ("A.swift", "let key = \"icon\"\nImage(item[key]!)"),
      ("A.swift", "let name = item[\"icon\"] as! String\nImage(name)"),
      ("A.swift", "self.name = item[\"icon\"]\nUIImage(named: cell.name)"),
      ("A.swift", "func name() -> String {\n let a = b()\n return a[\"icon\"]!\n}\nImage(name())"),
      ("A.swift", "let all = Item(name: item[\"icon\"]!)\nImage(all.name)"),
      ("A.swift", #"Image("\(item["icon"]!)")"#),
      ("A.m", #"[UIImage imageNamed:dict[@"icon"]];"#),
      ("A.m", #"[UIImage imageNamed:[dict objectForKey:@"icon"]];"#),
      ("A.m", #"[UIImage imageNamed:[[dict valueForKeyPath:@"a.icon"] lowercaseString]];"#),
      ("A.m", "static NSString *const kIcon = @\"icon\";\n[UIImage imageNamed:dict[kIcon]];"),
      ("A.m", "NSString *name = dict[@\"icon\"];\n[UIImage imageNamed:name];"),
      ("A.m", "#define kIcon @\"icon\"\n[UIImage imageNamed:dict[kIcon]];"),
    ])
  func aKeyGivesAName(file: String, text: String) throws {
    let unknown = try report([file: text])
    #expect(unknown.state("star") == .unknown)
    #expect(unknown.kinds("star").contains(.unknownSource), "\(unknown.kinds("star"))")
    // A document or a dictionary has the key.
    #expect(try report([file: text, "A.json": #"{"icon": "moon"}"#]).state("star") == .unused)
    let code = #"let items = ["icon": "moon"]"#
    #expect(try report([file: text, "B.swift": code]).state("star") == .unused)
    let list = "<plist><dict><key>icon</key><string>moon</string></dict></plist>"
    #expect(try report([file: text, "A.plist": list]).state("star") == .unused)
  }

  @Test(
    arguments: [
      ("A.swift", #"Image(weather.icon ?? "x")"#), ("A.swift", #"Image((weather.icon))"#),
      ("A.swift", #"Image(flag ? weather.icon : "x")"#),
      ("A.swift", #"Image(weather.icon as String)"#), ("A.swift", #"Image("\(weather.icon)")"#),
      ("A.m", "[UIImage imageNamed:[weather icon]];"),
    ])
  func aDecodedPropertyGivesAName(file: String, text: String) throws {
    let type = "struct W: Codable {\n  let icon: String\n}"
    let unknown = try report(["W.swift": type, file: text])
    #expect(unknown.kinds("star").contains(.unknownSource), "\(unknown.kinds("star"))")
    let model = #"<model><entity name="W"><attribute name="icon" optional="YES"/></entity></model>"#
    let data = try report(["W.xcdatamodeld/W.xcdatamodel/contents": model, file: text])
    #expect(data.state("star") == .unknown)
  }

  /// A pattern, a comparison and an argument of a function give no other name.
  @Test(
    arguments: [
      #"Image(weather.icon + "_dark")"#, #"Image(weather.icon == "a" ? "b" : "c")"#,
      #"Image("a_\(weather.icon)")"#, #"Image(name(for: weather.icon))"#,
    ])
  func aDecodedPropertyIsNoName(code: String) throws {
    let type = "struct W: Codable {\n  let icon: String\n}"
    #expect(try report(["W.swift": type, "A.swift": code]).state("star") == .unused)
  }

  /// Each source names "star" in a list, in a macro, or on a line that can be misread.
  @Test(
    arguments: [
      ("A.swift", #"let names = "star zzz""#),
      ("A.swift", "let names = \"\"\"\n  star\n  x\n  \"\"\""),
      ("A.swift", #""The moon star".split(separator: " ")"#),
      ("A.swift", ##""moon#star".components(separatedBy: "#")"##),
      ("A.m", #"[@"the star" componentsSeparatedByString:@" "];"#),
      ("A.m", "#define IMG(x) [UIImage imageNamed:@#x]\nIMG(star)"),
      ("A.m", "#define IMG(x) \\\n  [UIImage imageNamed:@ #x]\nIMG(star)"),
      ("A.m", "NSStringFromSelector(_cmd);\n- (UIImage *)star {}"),
      ("A.swift", "@dynamicMemberLookup struct P {}\npalette.star"),
      ("A.py", "a = b // c + load('star')"), ("A.py", "names = '''\nstar\nmoon\n'''"),
      ("A.py", "a = 1 # star"), ("A.rb", "a = b // load('star')"), ("A.lua", "a = b // f('star')"),
      ("A.lua", "-- don't\nload('star')"), ("A.lua", "a = [[star]]"), ("A.php", "a // 'star'"),
      ("A.swift", "enum E: String {\n  case moon\n    // more\n    , star\n}"),
      ("A.swift", "enum E {\n  case moon(Int), star\n}"),
      ("A.js", #"a(/"/, b[0], "star", /"/)"#), ("A.js", #"a.replace(/https?:\/\//, "star")"#),
      ("A.swift", #"a.split(/"/)[0] + b["star"].split(/"/)"#),
      ("A.js", "a(/`/)\nb('star')"), ("A.kt", "a = /'''/\nb(\"star\")"),
    ])
  func aPlaceKeepsAnAsset(file: String, text: String) throws {
    #expect(try report([file: text]).state("star") != .unused)
  }

  /// Identifiers and members count only if a source makes texts of them.
  @Test func identifiersAloneNameNothing() throws {
    let quiet = ["A.m": "#define F(x) f(x) a##x\nF(star)", "A.swift": "palette.star"]
    #expect(try report(quiet).state("star") == .unused)
    let macro = ["A.h": "#define F(x) @#x", "A.m": "F(star)\nF(tab-dark)"]
    let names = try report(images: ["star", "tab-dark"], macro)
    #expect(names.state("star") == .unknown && names.state("tab-dark") == .unknown)
    let members = ["A.swift": "@dynamicMemberLookup struct P {}", "B.swift": "palette.star"]
    #expect(try report(members).kinds("star") == [.member])
  }

  @Test func aGeneratedFileGivesNames() throws {
    let report = try report([
      "G.swift":
        "// Generated using SwiftGen\nenum A { static let sun = ImageAsset(name: \"star\") }",
      "A.swift": "A.sun.image",
    ])
    #expect(report.state("star") == .unknown)
  }

  @Test func anAssetWithARoleIsInDoubt() throws {
    let report = try report(colors: ["AccentColor"], [:], set: "AppIcon")
    #expect(report.state("AppIcon") == .unknown && report.state("AccentColor") == .unknown)
    #expect(report.state("star") == .unused)
  }

  /// Icons of other forms are in doubt as those of app icon sets are.
  @Test func everyFormOfIconIsInDoubt() {
    var files: [ByteString: MemoryFile] = ["/S": .folder]
    let sets = [
      "Vision.solidimagestack/Contents.json": #"{"layers":[]}"#, "Mac.iconset/icon_16x16.png": "",
      "TV.brandassets/Contents.json": #"{"assets":[]}"#,
      "New.icon/icon.json": #"{"groups":[],"supported-platforms":{}}"#,
    ]
    for (path, text) in sets { files[ByteString("/A.xcassets/\(path)")] = .bytes(Array(text.utf8)) }
    let tree = FileTree.memory(files)
    let contents = readCatalogs(["/A.xcassets"], in: tree, options: ReadingOptions(jobs: 1))
    let report = findUses(
      UseRequest(contents: [contents], sources: ["/S"], current: "/", jobs: 1), in: tree)
    #expect(
      report.assets.map { "\($0.asset.name.text) \($0.state)" }.sorted() == [
        "Mac unknown", "New unknown", "TV unknown", "Vision unknown",
      ])
    #expect(
      report.assets.map(\.asset.contentsFile).sorted() == [
        "/A.xcassets/Mac.iconset", "/A.xcassets/New.icon/icon.json",
        "/A.xcassets/TV.brandassets/Contents.json",
        "/A.xcassets/Vision.solidimagestack/Contents.json",
      ])
  }

  @Test("advice about missing names compares each name once, and ends at a limit")
  func boundsAdvice() {
    let known: [ByteString] = ["Group/star", "moonlight", "sunrise"]
    // A name of 8 letters is compared with those of 6 to 10, one of 7 with those of 5 to 9, and
    // each name has a step for each known one.
    var advice = NameAdvice(known, mostSteps: 3 + 8 * (10 + 9 + 7) + 3 + 7 * (9 + 7) + 100)
    #expect(advice.asset(nearestTo: "star") == "Group/star")
    for _ in 0..<9 { #expect(advice.asset(nearestTo: "monlight") == "moonlight") }
    #expect(advice.asset(nearestTo: "sunrize") == "sunrise")
    #expect(advice.asset(nearestTo: "moonlights") == nil)
    #expect(advice.asset(nearestTo: "monlight") == "moonlight")
  }

  @Test func aNamespaceBelongsToTheName() throws {
    let names = ["Group/moon"]
    #expect(
      try report(images: names, ["A.swift": #"Image("Group/moon")"#]).state("Group/moon") == .used
    )
    #expect(
      try report(images: names, ["A.swift": "Image(.Group.moon)"]).state("Group/moon") == .unknown
    )
    let missing = try report(images: names, ["A.swift": #"Image("moon")"#])
    #expect(missing.state("Group/moon") == .unused)
    #expect(missing.missing.map(\.name) == ["moon"])
  }

  @Test func aNameThatIsNotASCIIIsFound() throws {
    let name: ByteString = "caf\u{E9}"
    let json = try report(images: ["caf\u{E9}"], ["A.json": #"{"picture": "caf\u00e9"}"#])
    #expect(json.state(name) == .used)
    let decomposed = try report(images: ["caf\u{E9}"], ["A.swift": "Image(\"cafe\u{301}\")"])
    #expect(decomposed.state(name) == .unknown)
    let list: [UInt8] = Array("bplist00".utf8) + [0x64, 0, 0x63, 0, 0x61, 0, 0x66, 0, 0xE9]
    let tree = FileTree.memory([
      "/S/A.plist": .bytes(list),
      "/A.xcassets/caf\u{E9}.imageset/Contents.json": .bytes(Array(#"{"images":[]}"#.utf8)),
    ])
    let contents = readCatalogs(["/A.xcassets"], in: tree, options: ReadingOptions(jobs: 1))
    let request = UseRequest(contents: [contents], sources: ["/S"], current: "/", jobs: 1)
    #expect(findUses(request, in: tree).state(name) == .unknown)
  }

  /// A file with steps of a build may name the code; a baseline is a report.
  @Test func aProjectThatRunsLintIsRead() throws {
    let project = "script: carve lint --werror=unused-asset\nICON: star"
    #expect(try report(["project.yml": project]).state("star") == .unknown)
    let baseline = #"{"star.imageset/Contents.json": {"unused-asset": ["star"]}}"#
    #expect(try report(["base.json": baseline]).state("star") == .unused)
  }

  @Test func aLinkOutOfTheSourcesIsFollowed() throws {
    let tree = FileTree.memory([
      "/S/Shared": .link(to: "/Other"), "/S/Loop": .link(to: "/S"), "/S/Up": .link(to: "/"),
      "/Other/A.swift": .bytes(Array(#"Image("star")"#.utf8)),
      "/A.xcassets/star.imageset/Contents.json": .bytes(Array(#"{"images":[]}"#.utf8)),
    ])
    let contents = readCatalogs(["/A.xcassets"], in: tree, options: ReadingOptions(jobs: 1))
    let request = UseRequest(contents: [contents], sources: ["/S"], current: "/", jobs: 1)
    let report = findUses(request, in: tree)
    #expect(report.state("star") == .used && report.fileCount == 1)
  }

  /// The time grows with the size of the file, not with its square.
  @Test func quotesWithoutEndAndLongConstantsCostLittle() throws {
    let quotes = String(repeating: "\\\"", count: 1 << 19)
    let constant = String(repeating: "_IMAGE_", count: 1 << 17)
    #expect(try report(["A.strings": quotes, "A.c": constant]).state("star") == .unused)
    let expressions = String(repeating: #"/"a"/,"#, count: 1 << 17)
    let call =
      String(repeating: "f", count: 1 << 19) + "(" + String(repeating: #""a","#, count: 1 << 17)
    let lines = "case a" + String(repeating: "\n", count: 1 << 19) + ", b"
    let open = String(repeating: #"\""""#, count: 1 << 17)
    let files = ["A.js": expressions, "A.swift": call, "B.swift": lines, "B.js": open]
    #expect(try report(files).state("star") == .unused)
  }

  /// The time does not grow with the product of the sizes of two parts of a source.
  @Test func attributesWithManyValuesCostLittle() throws {
    let board =
      "<a " + String(repeating: "q", count: 1 << 19) + "="
      + String(repeating: #""x""#, count: 1 << 17)
    #expect(try report(["A.xib": board]).state("star") == .unused)
    let names = (0..<20_000).map { "a\($0)" }
    let uses = (0..<20_000).map { "x\($0) = d[k]\n" }.joined()
    let constants =
      "let d = [" + names.map { "\"\($0)\": 1" }.joined(separator: ",") + "]\n"
      + names.map { "k = \"\($0)\"\n" }.joined()
    #expect(try report(["A.swift": constants + uses]).state("star") == .unused)
  }

  /// The time does not grow with the product of the sizes of a source and of the catalogue.
  @Test func manyNamesThatBeginAlikeCostLittle() throws {
    let start = String(repeating: "a", count: 200)
    let images = (0..<2000).map { "\(start)\($0)" }
    let store = "bplist00" + String(repeating: "a", count: 1 << 18) + "1star"
    let report1 = try report(images: images + ["star"], ["A.plist": store])
    #expect(report1.state("star") == .unknown)
    #expect(report1.state(ByteString(images[1])) == .unknown)
    #expect(report1.state(ByteString(images[7])) == .unused)
    let pieces = (0..<120).map { "\"\\(x)\(start.dropLast(20))b\($0)\"\n" }.joined()
    let report2 = try report(images: images + ["star"], ["A.swift": pieces])
    #expect(report2.state(ByteString(images[1])) == .unused)
    #expect(report2.state("star") == .unknown)
  }

  @Test func aCommentWithoutEndHidesNothing() throws {
    #expect(try report(["A.swift": "let a = /* \nImage(\"star\")"]).state("star") == .used)
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
    #expect(findUses(request, in: tree).state("star") == .unknown)
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
    #expect(report.state("star") == .unknown)
  }
}

@Suite struct MissingNameTests {
  @Test(
    arguments: [
      ("A.swift", #"Image("stra")"#, "stra"), ("A.swift", #"UIImage(named: "gone")"#, "gone"),
      ("A.swift", #"UIImage(named: "gone", in: .main, with: nil)"#, "gone"),
      ("A.swift", #"UIImage(named: "gone", in: nil, with: configuration)"#, "gone"),
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
      ("A.swift", #"UIImage(named: "gone", in: bundle, with: nil)"#),
      ("A.swift", #"Image("gone", bundle: .other)"#),
      ("A.swift", #"UIImage(named: "NSAddTemplate")"#), ("A.swift", #"Image("star")"#),
      ("A.swift", #"struct Image {}; Image("gone")"#), ("A.swift", "Image(.gone); let gone = 1"),
      ("A.swift", #"Color(.systemBackground); Text("gone"); print("gone")"#),
      ("A.xib", #"<image name="gone" catalog="system" width="1"/>"#),
      ("A.xib", #"<image name="gone"><mutableData key="k"/></image>"#),
      ("A.js", #"Color("gone")"#), ("A.cpp", #"auto image = Image("gone");"#),
      ("A.swift", #"UIImage(named: "Player.bundle/gone")"#),
      ("A.swift", #"UIImage(named: "LaunchImage-700-568h")"#), ("gone.png", ""),
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
