// Tests that the modules import each other exactly as ARCHITECTURE.md shows, and that the folders
// of a module use each other in one direction only.

import Foundation
import Support
import Testing

/// The modules that a module may import.
private typealias Arrows = [String: Set<String>]

/// Returns the list of the section "Modules": its lines are `Module → A, B` and `Module imports
/// nothing`.
private func drawnArrows() throws -> Arrows {
  let text = try String(contentsOfFile: packageRoot + "/ARCHITECTURE.md", encoding: .utf8)
  let section = try #require(text.components(separatedBy: "## Modules").last)
  let block = section.components(separatedBy: "```")[1]
  var arrows: Arrows = [:]
  for line in block.split(separator: "\n") {
    let name = String(line.prefix { $0 != " " })
    let targets = line.components(separatedBy: "→").dropFirst().first ?? ""
    arrows[name] = Set(
      targets.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) })
  }
  return arrows
}

private struct Description: Decodable {
  struct Target: Decodable {
    let name: String
    let type: String
    let path: String
    let dependencies: [String]?

    enum CodingKeys: String, CodingKey {
      case name, type, path
      case dependencies = "target_dependencies"
    }
  }
  let targets: [Target]
}

/// Returns the targets that the package manager reads from Package.swift. The separate scratch
/// folder avoids the lock that the running `swift test` holds.
private func describedTargets() throws -> [Description.Target] {
  let scratch = try TemporaryDirectory()
  // The package is described as other packages see it: with the plugin, which the tests of Carve
  // itself leave out.
  var environment = ProcessInfo.processInfo.environment
  environment["CARVE_OPTIMIZED_TESTS"] = nil
  let result = try run(
    "/usr/bin/env",
    ["swift", "package", "--scratch-path", scratch.path, "describe", "--type", "json"],
    in: packageRoot, environment: environment)
  try #require(result.code == 0, "\(result.stderr)")
  return try JSONDecoder().decode(Description.self, from: Data(result.output)).targets
}

@Suite struct ArrowsTests {
  @Test func thePackageHasTheDrawnArrowsAndNoOther() throws {
    let drawn = try drawnArrows()
    var described: Arrows = [:]
    for target in try describedTargets() where target.path.hasPrefix("Sources/") {
      described[target.name] = Set(target.dependencies ?? [])
    }
    #expect(described.count >= 11)
    for module in Set(drawn.keys).union(described.keys).sorted() {
      let expected = drawn[module]?.sorted()
      #expect(described[module]?.sorted() == expected, "arrows of \(module)")
    }
  }

  @Test func arrowsNeverGoInACircle() throws {
    var rest = try drawnArrows()
    while let leaf = rest.first(where: { $0.value.isEmpty }) {
      rest[leaf.key] = nil
      for module in rest.keys { rest[module]?.remove(leaf.key) }
    }
    #expect(rest.isEmpty, "in a circle: \(rest.keys.sorted())")
  }

  /// A module that is built anyway can be imported without an arrow, so the test reads the sources
  /// too.
  @Test func sourcesImportOnlyWhatTheirModuleMay() throws {
    let drawn = try drawnArrows()
    let system: Set = ["Glibc", "Synchronization", "PackagePlugin"]
    let root = URL(fileURLWithPath: packageRoot + "/Sources")
    var count = 0
    for case let file as URL in try #require(
      FileManager.default.enumerator(at: root, includingPropertiesForKeys: nil))
    where file.pathExtension == "swift" {
      let module = file.pathComponents[root.pathComponents.count]
      var allowed = try #require(drawn[module], "\(module) is not drawn").union(system)
      // The plugin runs inside the package manager, which has Foundation anyway.
      if module == "CarvePlugin" { allowed.insert("Foundation") }
      let text = try String(contentsOf: file, encoding: .utf8)
      for line in text.split(separator: "\n") {
        guard let name = importedModule(line) else { continue }
        count += 1
        #expect(allowed.contains(name), "\(module)/\(file.lastPathComponent) imports \(name)")
      }
    }
    #expect(count > 0)
  }

  /// A folder uses another one if it names a type that only the other one declares.
  @Test(arguments: layeredModules) func foldersNeverUseEachOtherInACircle(module: String) throws {
    var rest = try folderUses(of: module)
    while let leaf = rest.first(where: { $0.value.isEmpty }) {
      rest[leaf.key] = nil
      for folder in rest.keys { rest[folder]?.remove(leaf.key) }
    }
    #expect(rest.isEmpty, "in a circle in \(module): \(rest)")
  }

  @Test func theFoldersOfTheModelAreSeen() throws {
    let uses = try folderUses(of: "CatalogModel")
    #expect(uses["Reading"]?.isSuperset(of: ["Sets", "Entries", "JSON"]) == true)
    #expect(uses["Sets"]?.contains("Entries") == true)
  }

  @Test(arguments: [
    ("import Traits", "Traits"), ("public import Archive", "Archive"),
    ("@testable import carve", "carve"), ("import struct Traits.Signature", "Traits"),
    ("@_exported import Codecs", "Codecs"), ("  import Traits", nil), ("importTraits()", nil),
    ("// import Traits", nil),
  ])
  func importLinesAreRead(line: String, module: String?) {
    #expect(importedModule(Substring(line)) == module)
  }
}

private func importedModule(_ line: Substring) -> String? {
  guard line.first != " " else { return nil }
  let words = line.split(separator: " ")
  let marks: Set<Substring> = ["public", "internal", "package", "private", "fileprivate"]
  let kinds: Set<Substring> = ["struct", "class", "enum", "func", "protocol", "var", "let"]
  var rest = words.drop { $0.hasPrefix("@") || marks.contains($0) }
  guard rest.popFirst() == "import" else { return nil }
  if let kind = rest.first, kinds.contains(kind) { rest.removeFirst() }
  return rest.first.map { String($0.prefix { $0 != "." }) }
}

/// The modules whose folders form layers.
private let layeredModules = [
  "ArchiveTools", "AssetSymbols", "CarveRuntime", "CatalogModel", "Colors", "Documents", "DropIn",
  "Host", "Imaging", "Preview", "Queries", "Traits",
]

/// Returns the folders that each folder of a module uses. Files beside the folders are left out.
private func folderUses(of module: String) throws -> Arrows {
  let root = URL(fileURLWithPath: packageRoot + "/Sources/" + module)
  let kinds: Set = ["struct", "enum", "class", "protocol", "actor", "typealias"]
  var names: [String: Set<String>] = [:]
  var homes: [String: Set<String>] = [:]
  for case let file as URL in try #require(
    FileManager.default.enumerator(at: root, includingPropertiesForKeys: nil))
  where file.pathExtension == "swift" {
    let parts = file.pathComponents.dropFirst(root.pathComponents.count)
    guard parts.count > 1, let folder = parts.first else { continue }
    let words = words(try String(contentsOf: file, encoding: .utf8))
    names[folder, default: []].formUnion(words)
    for (kind, name) in zip(words, words.dropFirst()) where kinds.contains(kind) {
      homes[name, default: []].insert(folder)
    }
  }
  return names.reduce(into: Arrows()) { uses, entry in
    let used = entry.value.compactMap { homes[$0] }.filter { $0.count == 1 }.joined()
    uses[entry.key] = Set(used).subtracting([entry.key])
  }
}

/// Returns the words of a source outside of comments and of strings of one line.
private func words(_ source: String) -> [String] {
  var words: [String] = []
  for line in source.utf8.split(separator: UInt8(ascii: "\n")) {
    var word: [UInt8] = []
    var isInString = false
    var last: UInt8 = 0
    for byte in line {
      if byte == UInt8(ascii: "\""), last != UInt8(ascii: "\\") { isInString.toggle() }
      if byte == UInt8(ascii: "/"), last == byte, !isInString { break }
      last = byte
      let isLetter = byte == UInt8(ascii: "_") || byte > 127 || isalnum(Int32(byte)) != 0
      if isLetter, !isInString {
        word.append(byte)
      } else if !word.isEmpty {
        words.append(String(decoding: word, as: UTF8.self))
        word = []
      }
    }
    if !word.isEmpty { words.append(String(decoding: word, as: UTF8.self)) }
  }
  return words
}
