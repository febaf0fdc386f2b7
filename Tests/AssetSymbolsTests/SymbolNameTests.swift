// Identifiers of assets: pairs of a name and Xcode's identifier, and the rules for equal
// identifiers.

import Bytes
import CatalogModel
import Documents
import Foundation
import Host
import Support
import Testing

@testable import AssetSymbols

@Suite struct SymbolNameTests {
  @Test(
    arguments: [
      ("AccentColor", "accent"), ("backgroundColor", "background"), ("giftColor", "gift"),
      ("FileImage", "file"), ("FilesImage", "files"), ("card-number-color", "cardNumber"),
      ("AppIconImage", "appIcon"), ("BackgroundColour", "backgroundColour"), ("color", "color"),
      ("Image", "image"), ("BGColorOne", "bgColorOne"), ("M", "M"), ("BMW", "BMW"),
      ("M-stadt", "mStadt"), ("TLS2016", "TLS_2016"), ("TLSold", "tlSold"),
      ("A-1-1-0", "A_1_1_0"), ("121212", "_121212"), ("dice1", "dice1"),
      ("Help-Settings-2", "helpSettings2"), ("emoji_10_laughing", "emoji10Laughing"),
      ("emoji 1", "emoji1"), ("block_lv-1", "blockLv1"), ("icon_ID", "iconID"),
      ("icon_ID ", "iconID"), ("icon_Me_active", "iconMeActive"), ("Connecting0_", "connecting0"),
      ("orbita+", "orbita"), ("planetLeftPS", "planetLeftPS"), ("YP Background", "ypBackground"),
      ("custom.cloud.badge.play", "customCloudBadgePlay"), ("arrow_basic_e", "arrowBasicE"),
      ("icon_bookmark20White-fill", "iconBookmark20WhiteFill"), ("___", ""), ("", ""),
      ("Größe", "größe"), ("星", "星"),
    ])
  func swiftIdentifiersAreThoseOfXcode(name: String, identifier: String) {
    #expect(SymbolWords(ByteString(name)).withoutType.lowerCamel == identifier)
  }

  @Test(
    arguments: [
      ("AccentColor", "AccentColor"), ("collect_b", "CollectB"), ("VTGymApp_Logo", "VTGymAppLogo"),
      ("GitHub_Logo", "GitHubLogo"), ("The Dark Knight", "TheDarkKnight"),
      (
        "photo_2025-03-03%2015_10_18-no-bg-HD%20%28carve.photos%29",
        "Photo2025030320151018NoBgHD2028CarvePhotos29"
      ),
    ])
  func objectiveCIdentifiersKeepTheirType(name: String, ending: String) {
    #expect(SymbolWords(ByteString(name)).camelEnding == ending)
  }

  private func assets(_ names: [String]) -> [SymbolAsset] {
    names.map {
      SymbolAsset(
        name: ByteString($0), folder: ByteString($0), catalog: "A",
        relativePath: "./" + ByteString($0))
    }
  }

  @Test func numbersAreTriedOnce() {
    var numbers = NumberedIdentifiers(separator: "_")
    var taken: Set = ["a", "a_3"]
    var tries = 0
    for _ in 0..<1_000 {
      let own = numbers.free("a") {
        tries += 1
        return taken.contains($0)
      }
      #expect(taken.insert(own).inserted)
    }
    #expect(taken.contains("a_1002"))
    #expect(tries == 1_001)
  }

  /// Each folder is divided into words once, however many assets it has.
  @Test func longNamesOfFoldersCostLittle() {
    let folder = (0..<15).map { _ in String(repeating: "g", count: 240) }.joined(separator: "/")
    let names = (0..<4000).map { "\(folder)/a\($0)" }
    let tree = SymbolTree(assets(names), numbering: SymbolNumbering())
    #expect(tree.symbols.count == 4000 && tree.symbols.allSatisfy { $0.path?.count == 16 })
  }

  @Test func foldersThatShareAnEnumerationGiveNumbersInOrder() {
    let names = ["a-b/c/x", "a-b/x", "a-b/x2", "a_b/C/x", "a_b/x", "aB/c/x", "aB/x"]
    let tree = SymbolTree(assets(names), numbering: SymbolNumbering())
    let paths = tree.symbols.map { symbol in
      "\(symbol.asset.name.text) \(symbol.path?.joined(separator: ".") ?? "-")"
    }
    #expect(
      paths.sorted() == [
        "a-b/c/x AB.C.x", "a-b/x AB.x", "a-b/x2 AB.x2", "aB/c/x AB.C.x3", "aB/x AB.x4",
        "a_b/C/x AB.C.x2", "a_b/x AB.x3",
      ])
    let xcode = SymbolTree(assets(names)).symbols.map { $0.path?.joined(separator: ".") }
    #expect(xcode.compactMap { $0 }.sorted() == ["AB.C.x", "AB.x", "AB.x2"])
  }

  @Test func ofTwoThatWantOneIdentifierTheFirstHasIt() {
    let symbols = SymbolTree(assets(["File", "FileImage", "a/File", "a/file", "b-c/x", "b_c/x"]))
      .symbols
    #expect(
      symbols.map(\.path) == [["file"], nil, ["A", "file"], nil, ["BC", "x"], nil])
  }

  @Test func aNamespaceAndAnAssetNeverShareAnIdentifier() {
    let symbols = SymbolTree(assets(["M", "M/one"])).symbols
    #expect(symbols.map(\.path) == [nil, ["M", "one"]])
  }

  @Test func textsOfNamesNeitherEndALiteralNorALine() {
    let hostile = "a\"b\\c*/\nd"
    var all = SymbolAssets(CatalogContents())
    all.images = assets([hostile])
    let swift = all.swiftResources(SwiftSymbolOptions())
    #expect(swift.contains(#"name: "a\"b\\c*/\u{a}d""#))
    #expect(!swift.contains("\nd"))
    let constants = all.objectiveCHeader(bundleIdentifier: "a\"b", warnsOfClashes: true)
    #expect(constants.contains(#"ACBundleID AC_SWIFT_PRIVATE = @"a\"b";"#))
    #expect(constants.contains(#"@"a\"b\\c*/\012d";"#), "\(constants)")
    let header = all.headerIDs(prefix: "ASSET").text
    #expect(header.contains("/* \"a\"b\\c* /\u{FFFD}d\" */"))
  }

  /// Names with control characters of every kind, and with characters that end literals, begin
  /// trigraphs or are reordered.
  private static let oddNames =
    [
      "a\u{1}b", "a\u{1}7", "tab\there", "line\nline\r", "esc\u{1B}[2J", "del\u{7F}1",
      "c1\u{85}\u{9F}f",
    ]
    + [
      "sep\u{2028}\u{2029}x", "bidi\u{202E}\u{2066}x", "q\"b\\n\\(x)", "tri??!??=x",
      "bom\u{FEFF}\u{FFFF}x",
    ]
    + ["plain é 🎈"]

  private func literals(_ source: String, _ pattern: String) -> [String] {
    source.split(separator: "\n").compactMap { line in
      line.firstRange(of: pattern).map { String(line[$0.upperBound...]) }
    }
  }

  /// Compilers of C read the names in the literals of Objective-C, and that of Swift in its own.
  @Test func literalsOfOddNamesAreTheNamesAgain() throws {
    var all = SymbolAssets(CatalogContents())
    all.images = assets(Self.oddNames)
    let folder = try TemporaryDirectory()
    let expected = Self.oddNames.map { Array($0.utf8).map(String.init).joined(separator: " ") }
    let header = all.objectiveCHeader(bundleIdentifier: nil, warnsOfClashes: false)
    let objectiveC = literals(header, " = @")
    #expect(objectiveC.count == Self.oddNames.count, "\(header)")
    try folder.write(
      """
      #include <stdio.h>
      int main(void) {
        const char *texts[] = {\(objectiveC.map { $0.dropLast() }.joined(separator: ", ")), 0};
        for (int i = 0; texts[i]; i++, puts(""))
          for (const char *c = texts[i]; *c; c++) printf(c == texts[i] ? "%d" : " %d", *(unsigned char *)c);
      }
      """, to: "a.c")
    let swift = all.swiftResources(SwiftSymbolOptions())
    let texts = literals(swift, "(name: ").map { $0.components(separatedBy: ", bundle: ")[0] }
    #expect(texts.count == Self.oddNames.count, "\(swift)")
    try folder.write(
      "for text in [\(texts.joined(separator: ", "))] "
        + "{ print(text.utf8.map { String($0) }.joined(separator: \" \")) }\n", to: "main.swift")
    #expect(Set(texts) == Set(Self.oddNames.map { "\"\(swiftLiteral($0))\"" }))
    for (name, command) in [
      ("cc", "cc -std=c99 a.c -o a && ./a"), ("swiftc", "swiftc main.swift -o b && ./b"),
    ] {
      let result = try run(
        "/bin/sh", ["-c", "command -v \(name) >/dev/null || exit 99; \(command)"], in: folder.path,
        environment: ProcessInfo.processInfo.environment)
      if result.code == 99 { continue }
      #expect(result.code == 0, "\(result.stderr)")
      #expect(
        Set(result.stdout.split(separator: "\n").map(String.init)) == Set(expected), "\(name)")
    }
    // Nothing in a comment commands a terminal or reorders a line.
    for text in [
      header, swift, all.headerIDs(prefix: "A").text, all.swiftIDs(SwiftIDOptions()).text,
    ] {
      #expect(!text.unicodeScalars.contains { $0 != "\n" && isControl($0) })
    }
  }

  @Test func ofTwoConstantsWithOneNameTheSecondIsAWarning() {
    var all = SymbolAssets(CatalogContents())
    all.images = assets(["a-b", "a_b", "AB/c", "ab/C"])
    let header = all.objectiveCHeader(bundleIdentifier: nil, warnsOfClashes: true)
    #expect(header.contains("ACImageNameAB AC_SWIFT_PRIVATE = @\"a-b\";"))
    #expect(!header.contains("@\"a_b\""))
    #expect(
      header.contains(
        "#warning The \"a_b\" image asset name resolves to the symbol \"ACImageNameAB\" which "
          + "already exists."))
    #expect(header.contains("ACImageNameABC AC_SWIFT_PRIVATE = @\"AB/c\";"))
    #expect(
      !all.objectiveCHeader(bundleIdentifier: nil, warnsOfClashes: false).contains("#warning"))
    guard case .dictionary(let index) = all.symbolIndex, case .array(let images)? = index["images"]
    else { return #expect(Bool(false)) }
    #expect(images.count == 3)
  }

  @Test func extensionsAndFrameworksAreLeftOutWhereNotWanted() {
    var all = SymbolAssets(CatalogContents())
    all.colors = assets(["Leaf", "LeafColor", "Group/Red"])
    var options = SwiftSymbolOptions()
    golden(all.swiftResources(options), "modern.swift.txt")
    options.definesResources = true
    options.frameworks = [.swiftUI]
    options.warnsOfClashes = false
    golden(all.swiftResources(options), "older.swift.txt")
    options.hasExtensions = false
    #expect(!all.swiftResources(options).contains("ShapeStyle"))
  }
}
