// Tests that the folders of a module use each other in one direction only. The compiler enforces
// the list of imports of modules (see ModuleDependencyTests.swift); between folders only this test
// does.

import Foundation
import Support
import Testing

/// The folders of the modules, lowest first. "" contains the files beside the folders. A folder may
/// use the types, functions and values of the folders before it.
private let folders: [String: [String]] = [
  "Archive": ["", "BOM", "Car", "Index", "Writing", "Checking"],
  "ArchiveTools": ["", "Pictures", "Extracting", "Thinning", "Comparing", "Editing"],
  "Builds": ["", "Editing", "Recovering"],
  "Bytes": ["Digests", ""],
  "CarveRuntime": ["", "CABI"],
  "CatalogCompiler": [
    "Pictures", "Planning", "Caching", "Encoding", "Objects", "Records", "",
  ],
  "CatalogModel": [
    "", "Diagnostics", "JSON", "Entries", "Pictures", "Sets", "Reading", "Lint",
    "Settings", "Schemas",
  ],
  "Codecs": ["", "Checksums", "Ciphers", "LZFSE", "Deflate", "DeepMap", "Bitmaps", "JPEG", "PNG"],
  "Documents": ["", "JSON", "PropertyLists"],
  "Imaging": ["", "PNG", "JPEG", "Glass"],
  "Traits": ["", "Devices"],
  "Vectors": [
    "Drawing", "Pictures", "Syntax", "Fonts", "PDF", "SVG", "Symbols", "Raster", "", "Rewriting",
  ],
  "carve": ["Output", "Options", "", "Commands"],
]

/// The functions and values of later folders that a folder may use.
private func isExcepted(_ word: String, in source: Source, of module: String) -> Bool {
  switch module {
  // The list of commands, some of which use the program, which contains the list; and a question
  // about a path.
  case "carve":
    source.name == "Main.swift" && word.hasSuffix("Command")
      || source.name == "Failures.swift" && word == "isFolder"
  // Arithmetic that lies in Raster.
  case "Vectors": ["magnitude", "unitValue"].contains(word)
  default: false
  }
}

/// A source file, as far as the test needs it.
private struct Source {
  let name: String
  let folder: String
  /// The types that the file declares outside of other types, and inside of them.
  let types: Set<String>
  let innerTypes: Set<String>
  /// The functions and values that the file declares outside of types for other files, and the
  /// names of its members, parameters, cases and local values.
  let values: Set<String>
  let innerValues: Set<String>
  /// The words of the code, without comments, literals and imports.
  let words: Set<String>
  /// Those words that do not name a member.
  let freeWords: Set<String>

  init(_ text: String, name: String, folder: String) {
    (self.name, self.folder) = (name, folder)
    var types: Set<String> = []
    var innerTypes: Set<String> = []
    var words: Set<String> = []
    var values: Set<String> = []
    var innerValues: Set<String> = []
    var freeWords: Set<String> = []
    for line in codeLines(text) {
      let names = Names(in: line)
      innerValues.formUnion(names.inner)
      if let value = names.declared, line.first != " " {
        innerValues.remove(value)
        if !names.isPrivate { values.insert(value) }
      }
      freeWords.formUnion(names.free)
      let parts = line.split { !$0.isLetter && !$0.isNumber && $0 != "_" }.map(String.init)
      words.formUnion(parts)
      guard let place = parts.firstIndex(where: Self.keywords.contains), place + 1 < parts.count,
        parts[place + 1].first?.isUppercase == true
      else { continue }
      if line.first == " " {
        innerTypes.insert(parts[place + 1])
      } else {
        types.insert(parts[place + 1])
      }
    }
    (self.types, self.innerTypes, self.words) = (types, innerTypes, words)
    (self.values, self.innerValues, self.freeWords) = (values, innerValues, freeWords)
  }

  private static let keywords: Set = [
    "struct", "enum", "class", "protocol", "actor", "typealias", "associatedtype",
  ]
}

/// The names of functions and values in a line of code.
private struct Names {
  /// The name that the line declares first.
  private(set) var declared: String?
  /// The names that the line declares, and the names before colons.
  private(set) var inner: Set<String> = []
  /// The names that do not follow a point.
  private(set) var free: Set<String> = []
  private(set) var isPrivate = false

  init(in line: Substring) {
    var isDeclaration = false
    // Several cases of an enumeration can share a line.
    let isCases = line.drop { $0 == " " }.hasPrefix("case ") && !line.contains { ":(".contains($0) }
    for part in line.split(whereSeparator: {
      !$0.isLetter && !$0.isNumber && $0 != "_" && $0 != "." && $0 != ":"
    }) {
      let name = String(part.prefix { $0 != "." && $0 != ":" })
      if !name.isEmpty {
        free.insert(name)
        if isDeclaration { declared = declared ?? name }
        if isDeclaration || isCases || part.last == ":" { inner.insert(name) }
      }
      isDeclaration = ["func", "let", "var", "case", "for"].contains(name)
      isPrivate = isPrivate || name == "private" || name == "fileprivate"
    }
  }
}

/// Returns the lines of a source without comments, literals and imports.
private func codeLines(_ text: String) -> [Substring] {
  var isLiteral = false
  var lines: [Substring] = []
  for line in text.split(separator: "\n") {
    if line.components(separatedBy: "\"\"\"").count % 2 == 0 { isLiteral.toggle() }
    guard !isLiteral, !line.hasPrefix("import ") else { continue }
    let code = line.replacing(/"(\\.|[^"\\])*"/, with: "").replacing(/\/\/.*/, with: "")
    lines.append(code)
  }
  return lines
}

private func sources(of module: String) throws -> [Source] {
  let root = URL(fileURLWithPath: packageRoot + "/Sources/" + module)
  let files = try #require(
    FileManager.default.enumerator(at: root, includingPropertiesForKeys: nil))
  var result: [Source] = []
  for case let file as URL in files where file.pathExtension == "swift" {
    let place = file.pathComponents[root.pathComponents.count...]
    let text = try String(contentsOf: file, encoding: .utf8)
    result.append(
      Source(text, name: file.lastPathComponent, folder: place.dropLast().first ?? ""))
  }
  return result.sorted { $0.name < $1.name }
}

@Suite struct FoldersTests {
  @Test func everyModuleWithFoldersIsChecked() throws {
    let root = packageRoot + "/Sources"
    let nested = try FileManager.default.subpathsOfDirectory(atPath: root)
      .filter { $0.hasSuffix(".swift") }.map { $0.split(separator: "/").map(String.init) }
      .filter { $0.count > 2 }
    #expect(Set(nested.map { $0[0] }) == Set(folders.keys))
  }

  @Test(arguments: folders.keys.sorted())
  func foldersUseOnlyThoseBeforeThem(module: String) throws {
    let order = try #require(folders[module])
    let sources = try sources(of: module)
    #expect(Set(sources.map(\.folder)) == Set(order), "the folders of \(module)")
    // A name that two folders declare, or that a type declares for itself, shows no use.
    let innerTypes = Set(sources.flatMap(\.innerTypes))
    let innerValues = Set(sources.flatMap(\.innerValues))
    var homes: [String: Set<String>] = [:]
    for source in sources {
      for name in source.types.subtracting(innerTypes).union(source.values.subtracting(innerValues))
      {
        homes[name, default: []].insert(source.folder)
      }
    }
    for source in sources {
      let rank = try #require(order.firstIndex(of: source.folder))
      let types = source.words.filter { $0.first?.isUppercase == true }
      for word in types.union(source.freeWords).sorted() {
        guard let home = homes[word], home.count == 1, let target = home.first else { continue }
        #expect(
          order.firstIndex(of: target) ?? 0 <= rank || isExcepted(word, in: source, of: module),
          "\(module): \(source.name) uses \(word) of \"\(target)\"")
      }
    }
    #expect(!homes.isEmpty)
  }

  @Test func sourcesAreRead() {
    let source = Source(
      """
      import Third
      // First
      package struct Second: Error {
        let text = "First"  // First
        enum Fourth {}
      }
      package func fifth(sixth: Int) { seventh(text.eighth) }
      private let ninth = 1
      """, name: "", folder: "")
    #expect(source.types == ["Second"])
    #expect(source.innerTypes == ["Fourth"])
    #expect(source.words.isDisjoint(with: ["First", "Third"]))
    #expect(source.values == ["fifth"])
    #expect(source.innerValues.isSuperset(of: ["text", "sixth"]))
    #expect(source.freeWords.contains("seventh") && !source.freeWords.contains("eighth"))
  }
}
