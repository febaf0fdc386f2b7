// Tests that the folders of a module use each other in one direction only. The compiler enforces
// the arrows between modules (see ArrowsTests.swift); between folders only this test does.

import Foundation
import Support
import Testing

/// The folders of the modules, lowest first. "" contains the files beside the folders. A folder may
/// use the types of the folders before it.
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
  "Imaging": ["", "PNG", "Glass"],
  "Traits": ["", "Devices"],
  "Vectors": [
    "Drawing", "Pictures", "Syntax", "Fonts", "PDF", "SVG", "Symbols", "Raster", "", "Rewriting",
  ],
  "carve": ["Output", "Options", "", "Commands"],
]

/// A source file, as far as the test needs it.
private struct Source {
  let name: String
  let folder: String
  /// The types that the file declares outside of other types, and inside of them.
  let types: Set<String>
  let innerTypes: Set<String>
  /// The words of the code, without comments, literals and imports.
  let words: Set<String>

  init(_ text: String, name: String, folder: String) {
    (self.name, self.folder) = (name, folder)
    var types: Set<String> = []
    var innerTypes: Set<String> = []
    var words: Set<String> = []
    for line in codeLines(text) {
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
  }

  private static let keywords: Set = [
    "struct", "enum", "class", "protocol", "actor", "typealias", "associatedtype",
  ]
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
  @Test(arguments: folders.keys.sorted())
  func foldersUseOnlyThoseBeforeThem(module: String) throws {
    let order = try #require(folders[module])
    let sources = try sources(of: module)
    #expect(Set(sources.map(\.folder)) == Set(order), "the folders of \(module)")
    // A name that two folders declare, or that a type declares for itself, shows no arrow.
    let inner = Set(sources.flatMap(\.innerTypes))
    var homes: [String: Set<String>] = [:]
    for source in sources {
      for type in source.types where !inner.contains(type) {
        homes[type, default: []].insert(source.folder)
      }
    }
    for source in sources {
      let rank = try #require(order.firstIndex(of: source.folder))
      for word in source.words.sorted() {
        guard let home = homes[word], home.count == 1, let target = home.first else { continue }
        #expect(
          order.firstIndex(of: target) ?? 0 <= rank,
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
      """, name: "", folder: "")
    #expect(source.types == ["Second"])
    #expect(source.innerTypes == ["Fourth"])
    #expect(source.words.isDisjoint(with: ["First", "Third"]))
  }
}
