// Tests the targets of Xcode projects and Swift packages, and the uses of assets that only other
// targets have.

import Bytes
import CatalogModel
import Documents
import Host
import Testing

@testable import Uses

/// Returns a tree with files by path, and with catalogues of empty image sets.
private func tree(_ sources: [String: String], catalogs: [String: [String]]) -> FileTree {
  var files: [ByteString: MemoryFile] = [:]
  for (path, text) in sources { files[ByteString(path)] = .bytes(Array(text.utf8)) }
  for (catalog, names) in catalogs {
    for name in names {
      files[ByteString("\(catalog)/\(name).imageset/Contents.json")] =
        .bytes(Array(#"{"images":[{"idiom":"universal"}]}"#.utf8))
    }
  }
  return .memory(files)
}

private func elsewhere(
  _ project: ByteString, _ tree: FileTree, catalogs: [ByteString]
) throws -> [UseElsewhere] {
  let contents = catalogs.map { readCatalogs([$0], in: tree, options: ReadingOptions(jobs: 1)) }
  var request = UseRequest(contents: contents, sources: ["/P"], current: "/", jobs: 1)
  request.targets = try TargetList(projects: [project], in: tree, current: "/")
  return findUses(request, in: tree).elsewhere
}

/// A project with an app, its widget in a synchronised folder, and a framework of the app.
private let project = """
  // !$*UTF8*$!
  {
    archiveVersion = 1;
    objects = {
      P = { isa = PBXProject; mainGroup = G; projectDirPath = ""; };
      G = { isa = PBXGroup; children = ( AppGroup, Shared, Kit ); sourceTree = "<group>"; };
      AppGroup = { isa = PBXGroup; path = App; children = ( A, AppAssets, Board ); sourceTree = "<group>"; };
      A = { isa = PBXFileReference; path = A.swift; sourceTree = "<group>"; };
      Board = { isa = PBXVariantGroup; children = ( BoardEn ); name = "Main.storyboard"; sourceTree = "<group>"; };
      BoardEn = { isa = PBXFileReference; name = en; path = en.lproj/Main.storyboard; sourceTree = "<group>"; };
      AppAssets = { isa = PBXFileReference; path = A.xcassets; sourceTree = "<group>"; };
      Shared = { isa = PBXFileReference; path = "Shared Code/S.swift"; sourceTree = SOURCE_ROOT; };
      Kit = { isa = PBXFileReference; path = Kit/K.swift; sourceTree = "<group>"; };
      WidgetFolder = { isa = PBXFileSystemSynchronizedRootGroup; path = Widget; exceptions = ( Out, In ); sourceTree = "<group>"; };
      Out = { isa = PBXFileSystemSynchronizedBuildFileExceptionSet; target = WidgetTarget; membershipExceptions = ( Old.swift, ); };
      In = { isa = PBXFileSystemSynchronizedBuildFileExceptionSet; target = AppTarget; membershipExceptions = ( Both.swift ); };
      AppTarget = { isa = PBXNativeTarget; name = App; productType = "com.apple.product-type.application"; buildPhases = ( AppSources, AppResources ); dependencies = ( D1, D2 ); };
      WidgetTarget = { isa = PBXNativeTarget; name = Widget; productType = "com.apple.product-type.app-extension"; fileSystemSynchronizedGroups = ( WidgetFolder ); buildPhases = ( ); };
      KitTarget = { isa = PBXNativeTarget; name = Kit; productType = "com.apple.product-type.framework"; buildPhases = ( KitSources ); };
      D1 = { isa = PBXTargetDependency; target = KitTarget; };
      D2 = { isa = PBXTargetDependency; target = WidgetTarget; };
      AppSources = { isa = PBXSourcesBuildPhase; files = ( B1, B2 ); };
      AppResources = { isa = PBXResourcesBuildPhase; files = ( B3, B4 ); };
      KitSources = { isa = PBXSourcesBuildPhase; files = ( B5 ); };
      B1 = { isa = PBXBuildFile; fileRef = A; }; B2 = { isa = PBXBuildFile; fileRef = Shared; };
      B3 = { isa = PBXBuildFile; fileRef = AppAssets; }; B4 = { isa = PBXBuildFile; fileRef = Board; };
      B5 = { isa = PBXBuildFile; fileRef = Kit; };
    };
    rootObject = P;
  }
  """

@Suite struct ProjectTargetTests {
  @Test func theTargetsOfAProjectAreRead() throws {
    let list = try TargetList(
      projects: ["/P/App.xcodeproj"],
      in: tree(["/P/App.xcodeproj/project.pbxproj": project], catalogs: [:]), current: "/")
    let targets = Dictionary(uniqueKeysWithValues: list.targets.map { ($0.name, $0) })
    let app = try #require(targets["App"])
    #expect(app.kind == .program && app.dependencies == ["Kit", "Widget"])
    #expect(app.catalogs == ["/P/App/A.xcassets"])
    for file in ["App/A.swift", "App/en.lproj/Main.storyboard", "Shared Code/S.swift"] {
      #expect(app.holds("/P/\(file)"), "\(file)")
    }
    #expect(app.holds("/P/Widget/Both.swift") && !app.holds("/P/Widget/W.swift"))
    let widget = try #require(targets["Widget"])
    #expect(widget.kind == .program && widget.holds("/P/Widget/Deep/W.swift"))
    #expect(!widget.holds("/P/Widget/Old.swift"))
    #expect(targets["Kit"]?.kind == .library)
  }

  /// A child of several groups has the path of the first of them.
  @Test func aChildOfSeveralGroupsHasOnePath() throws {
    let groups = (10..<50).map { number in
      "G\(number) = { isa = PBXGroup; path = P\(number); children = ( A ); };"
    }
    let text = """
      { objects = {
        \(groups.joined(separator: " "))
        A = { isa = PBXFileReference; path = A.swift; sourceTree = "<group>"; };
        B = { isa = PBXBuildFile; fileRef = A; };
        S = { isa = PBXSourcesBuildPhase; files = ( B ); };
        T = { isa = PBXNativeTarget; name = T; buildPhases = ( S ); };
      }; }
      """
    let list = try TargetList(
      projects: ["/P/App.xcodeproj"],
      in: tree(["/P/App.xcodeproj/project.pbxproj": text], catalogs: [:]), current: "/")
    #expect(list.targets.map(\.sources) == [["/P/P10/A.swift"]])
  }

  /// Sources outside of the folder of a project are read. One that does not exist is left out, but
  /// not one that the system cannot look up.
  @Test func aSourceThatCannotBeLookedUpIsNotMissing() throws {
    let text = """
      { objects = {
        A = { isa = PBXFileReference; path = "/Out/A.swift"; sourceTree = "<absolute>"; };
        B = { isa = PBXFileReference; path = "/Out/B.swift"; sourceTree = "<absolute>"; };
        C = { isa = PBXFileReference; path = "/Out/C.swift"; sourceTree = "<absolute>"; };
        FA = { isa = PBXBuildFile; fileRef = A; }; FB = { isa = PBXBuildFile; fileRef = B; };
        FC = { isa = PBXBuildFile; fileRef = C; };
        S = { isa = PBXSourcesBuildPhase; files = ( FA, FB, FC ); };
        T = { isa = PBXNativeTarget; name = T; buildPhases = ( S ); };
      }; }
      """
    let whole = tree(
      ["/P/App.xcodeproj/project.pbxproj": text, "/Out/A.swift": ""], catalogs: [:])
    var broken = whole
    broken.status = { (path) throws(FileError) in
      if path == "/Out/B.swift" { throw .failed(errno: 5) }
      return try whole.status(path)
    }
    let list = try TargetList(projects: ["/P/App.xcodeproj"], in: broken, current: "/")
    #expect(
      list.sources(outside: ["/P"], in: broken, current: "/") == ["/Out/A.swift", "/Out/B.swift"])
  }

  /// Too many targets, and targets that share too many files, are errors.
  @Test func hugeProjectsAreRefused() throws {
    func message(_ objects: String) -> String? {
      let text = "{ objects = { \(objects) }; }"
      let tree = tree(["/P/App.xcodeproj/project.pbxproj": text], catalogs: [:])
      do throws(ProjectError) {
        _ = try TargetList(projects: ["/P/App.xcodeproj"], in: tree, current: "/")
        return nil
      } catch {
        return error.message
      }
    }
    func targets(_ count: Int) -> String {
      (0..<count).map {
        "T\($0) = { isa = PBXNativeTarget; name = T\($0); buildPhases = ( S ); };"
      }.joined()
    }
    let project = "/P/App.xcodeproj/project.pbxproj"
    #expect(message(targets(2000)) == nil)
    #expect(message(targets(2001)) == "\(project) has more than 2,000 targets")
    let files = String(repeating: "B, ", count: 2000)
    let shared = targets(1000) + "S = { isa = PBXSourcesBuildPhase; files = ( \(files) ); };"
    #expect(message(shared) == "\(project) has more than 1,000,000 files in its targets")
  }

  /// The time grows with the number of exceptions, files and targets, not with their products.
  @Test func manyExceptionsAndEqualTargetsCostLittle() throws {
    var target = SourceTarget(name: "T", kind: .program)
    target.folders = ["/P"]
    target.excluded = Set((0..<20_000).map { "/P/old/\($0)" })
    #expect((0..<20_000).allSatisfy { target.holds("/P/new/\($0)") })
    #expect(!target.holds("/P/old/7") && !target.holds("/P/old/7/a") && target.holds("/P/old/x"))
    #expect(!target.holds("/P") && !target.holds("/Q/a"))
    let targets = (0..<1000).map { index in
      "T\(index) = { isa = PBXNativeTarget; name = T; dependencies = ( D );"
        + " fileSystemSynchronizedGroups = ( F ); };"
    }
    let text = """
      { objects = { \(targets.joined()) D = { target = T0; };
      F = { isa = PBXFileSystemSynchronizedRootGroup; path = S; };
      App = { isa = PBXNativeTarget; name = App; productType = "com.apple.product-type.application";
      dependencies = ( D ); };
      Other = { isa = PBXNativeTarget; name = Other; buildPhases = ( R ); };
      R = { isa = PBXResourcesBuildPhase; files = ( B ); }; B = { fileRef = C; };
      C = { isa = PBXFileReference; path = A.xcassets; }; }; }
      """
    let names = (0..<20).map { "star\($0)" }
    let source = names.map { "Image(\"\($0)\")\n" }.joined()
    let files = ["/P/App.xcodeproj/project.pbxproj": text, "/P/S/a.swift": source]
    let tree = tree(files, catalogs: ["/P/A.xcassets": names])
    let found = try elsewhere("/P/App.xcodeproj", tree, catalogs: ["/P/A.xcassets"])
    #expect(found.count == 10_000 && found.first?.owners == ["Other"])
  }

  @Test func aUseInATargetWithoutTheAssetIsFound() throws {
    let files = [
      "/P/App.xcodeproj/project.pbxproj": project,
      "/P/App/A.swift": #"Image("app"); Image("widget")"#,
      "/P/Kit/K.swift": #"Image("app")"#,
      "/P/Widget/W.swift": #"Image("widget"); Image("app"); Image("app", bundle: .other)"#,
      "/P/Widget/Old.swift": #"Image("app")"#,
    ]
    let tree = tree(
      files,
      catalogs: ["/P/App/A.xcassets": ["app"], "/P/Widget/W.xcassets": ["widget"]])
    let found = try elsewhere(
      "/P/App.xcodeproj", tree, catalogs: ["/P/App/A.xcassets", "/P/Widget/W.xcassets"])
    #expect(found.map(\.asked.place.file) == ["/P/App/A.swift", "/P/Widget/W.swift"])
    #expect(found.map(\.target) == ["App", "Widget"])
    #expect(found.map(\.owners) == [["Widget"], ["App"]])
    #expect(found.map(\.asked.name) == ["widget", "app"])
  }

  @Test func aPackageHasBundlesOfItsTargets() throws {
    let package = """
      // swift-tools-version: 6.0
      let package = Package(name: "P", targets: [
        .target(name: "One", dependencies: ["Two"], resources: [.process("A.xcassets")]),
        // The return ends this.\u{D}.target(name: "Two", path: "Code/Two", exclude: ["Old"]),
        .executableTarget(name: "Main", dependencies: ["One"]), // .target(name: "No")
        .target(name: name), .target(name: "Outside", path: "../.."),
      ])
      """
    let tree = tree(
      [
        "/P/Package.swift": package,
        "/P/Sources/One/A.swift": #"Image("one", bundle: .module); Image("two", bundle: .module)"#,
        "/P/Code/Two/B.swift": #"Image("one")"#,
        "/P/Code/Two/Old/C.swift": #"Image("one", bundle: .module)"#,
        "/P/Sources/Main/main.swift": #"Image("one")"#,
      ],
      catalogs: ["/P/Sources/One/A.xcassets": ["one"], "/P/Code/Two/B.xcassets": ["two"]])
    let found = try elsewhere(
      "/P/Package.swift", tree,
      catalogs: ["/P/Sources/One/A.xcassets", "/P/Code/Two/B.xcassets"])
    #expect(
      found.map(\.asked.place.file) == ["/P/Sources/Main/main.swift", "/P/Sources/One/A.swift"])
    #expect(found.map(\.target) == ["Main", "One"] && found.map(\.owners) == [["One"], ["Two"]])
  }

  /// SwiftPM looks for a target in the first of its usual folders that exists. The only target may
  /// occupy that folder.
  @Test(arguments: [
    (["src/App/A.swift"], [".executableTarget(name: \"App\")"], ["/P/src/App"]),
    (["Source/App/A.swift", "src/App/A.swift"], [".target(name: \"App\")"], ["/P/Source/App"]),
    (["srcs/A.swift"], [".target(name: \"App\")"], ["/P/srcs"]),
    (
      ["Sources/A.swift", "Tests/T.swift"],
      [".executableTarget(name: \"App\")", ".testTarget(name: \"AppTests\")"],
      ["/P/Sources", "/P/Tests"]
    ),
    (
      ["Sources/App/A.swift", "Sources/AppTests/T.swift"],
      [".target(name: \"App\")", ".testTarget(name: \"AppTests\")"],
      ["/P/Sources/App", "/P/Sources/AppTests"]
    ),
    (
      ["Sources/One/A.swift"], [".target(name: \"One\")", ".target(name: \"Two\")"],
      ["/P/Sources/One"]
    ),
  ])
  func targetsLieInTheUsualFolders(files: [String], targets: [String], folders: [String]) throws {
    var sources = Dictionary(uniqueKeysWithValues: files.map { ("/P/\($0)", "") })
    sources["/P/Package.swift"] =
      "let package = Package(name: \"P\", targets: [\(targets.joined(separator: ","))])"
    let list = try TargetList(
      projects: ["/P/Package.swift"], in: tree(sources, catalogs: [:]), current: "/")
    #expect(list.targets.flatMap(\.folders).map(\.text) == folders)
  }

  @Test func textsAndCommentsOfAPackageAreRead() throws {
    let package = #"""
      /* .target(name: "Old") /* .target(name: "Older") */ .target(name: "Oldest") "*/
      let text = """
        .target(name: "Text") " and "
        """
      let raw = #".target(name: "Raw")"#, quote = "\"", note = "\(f(")") + "(") .target(name: \"No\")"
      let package = Package(name: "P", targets: [
        .target(name: "One"/* " */, dependencies: [#"Two"#, "Th\"ree"]),
        .target(name: #"Two"#), .target(name: "\(x)Three", path: "One"),
        .target(name: "Four", path: "\("Sources")/One"),
        .target(
          name: """
            Five
            """),
      ])
      """#
    let names = ["Old", "Older", "Oldest", "Text", "Raw", "No", "One", "Two", "Four", "Five"]
    var files = ["/P/Package.swift": package]
    for name in names { files["/P/Sources/\(name)/A.swift"] = "" }
    let list = try TargetList(
      projects: ["/P/Package.swift"], in: tree(files, catalogs: [:]), current: "/")
    #expect(list.targets.map(\.name) == ["One", "Two", "Five"])
    #expect(list.targets[0].dependencies == ["Two", #"Th"ree"#])
  }

  /// A finding names few targets, and the last one of a full list says that the list ends.
  @Test func manyUsesInOtherTargetsAreListedInShort() throws {
    let asked = AskedPlace(
      name: "star", kind: .image, place: SourcePlace(file: "/P/A.swift", line: 3, column: 7),
      isSymbol: false, namesBundle: false, isOwnBundle: false)
    let use = UseElsewhere(asked: asked, target: "App", owners: (1...8).map { "T\($0)" })
    var report = UseReport()
    report.elsewhere = [use]
    let finding = try #require(report.diagnostics.first)
    #expect(
      finding.message == """
        the target "App" uses the image "star", which only the catalogues of "T1", "T2", "T3", \
        "T4", "T5", "T6" and 2 other targets have
        """)
    #expect(finding.notes.isEmpty)
    report.elsewhere = [UseElsewhere](repeating: use, count: TargetList.mostElsewhere)
    let notes = report.diagnostics.flatMap(\.notes).map(\.message)
    #expect(notes == ["other places are not examined: at most 10,000 are listed"])
  }

  @Test(
    arguments: [
      ("{", "is a damaged property list (at byte 1)"), ("{}", "has no objects"),
      ("", "is a damaged property list (at byte 0)"), ("{ a = (b; }", "is a damaged property list"),
    ])
  func aDamagedProjectIsAnError(text: String, words: String) throws {
    let tree = tree(["/P/App.xcodeproj/project.pbxproj": text], catalogs: [:])
    do throws(ProjectError) {
      _ = try TargetList(projects: ["/P/App.xcodeproj"], in: tree, current: "/")
      Issue.record("no error")
    } catch {
      #expect(error.message.contains(words), "\(error.message)")
    }
  }

  @Test func theOldFormOfPropertyListsIsRead() throws {
    let text = #"{ a = b; "c d" = ( e, "f\"g", ); h = <0f>; /* x */ i = {}; // y"# + "\n}"
    let value = try PropertyValue(anyPropertyList: Array(text.utf8))
    #expect(
      value
        == .dictionary([
          "a": .string("b"), "c d": .array([.string("e"), .string("f\"g")]), "h": .other,
          "i": .dictionary([:]),
        ]))
    let deep = String(repeating: "(", count: 100_000)
    #expect(throws: PropertyListError.tooDeep(limit: 64)) {
      try PropertyValue(anyPropertyList: Array(deep.utf8))
    }
  }
}
