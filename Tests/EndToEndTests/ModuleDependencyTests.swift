// Tests that the modules may import each other exactly as ARCHITECTURE.md lists it.

import Foundation
import Support
import Testing

/// The modules that each module may import.
private typealias Imports = [String: Set<String>]

/// Returns the list of the section "Modules": its lines are `Module → A, B` and `Module imports
/// nothing`.
private func listedImports() throws -> Imports {
  let text = try String(contentsOfFile: packageRoot + "/ARCHITECTURE.md", encoding: .utf8)
  let section = try #require(text.components(separatedBy: "## Modules").last)
  let block = section.components(separatedBy: "```")[1]
  var imports: Imports = [:]
  for line in block.split(separator: "\n") {
    let name = String(line.prefix { $0 != " " })
    let targets = line.components(separatedBy: "→").dropFirst().first ?? ""
    imports[name] = Set(
      targets.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) })
  }
  return imports
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
  // An installed tool would take the place of the tool among the dependencies of the plugin.
  environment["CARVE_FROM_SOURCES"] = "1"
  let result = try run(
    "/usr/bin/env",
    ["swift", "package", "--scratch-path", scratch.path, "describe", "--type", "json"],
    in: packageRoot, environment: environment)
  try #require(result.code == 0, "\(result.stderr)")
  return try JSONDecoder().decode(Description.self, from: Data(result.output)).targets
}

@Suite struct ModuleDependencyTests {
  @Test func thePackageHasTheListedDependenciesAndNoOther() throws {
    let listed = try listedImports()
    var described: Imports = [:]
    for target in try describedTargets() where target.path.hasPrefix("Sources/") {
      described[target.name] = Set(target.dependencies ?? [])
    }
    #expect(described.count > 30)
    for module in Set(listed.keys).union(described.keys).sorted() {
      let expected = listed[module]?.sorted()
      #expect(described[module]?.sorted() == expected, "dependencies of \(module)")
    }
  }

  @Test func importsNeverGoInACircle() throws {
    var rest = try listedImports()
    #expect(rest.count > 30)
    while let leaf = rest.first(where: { $0.value.isEmpty }) {
      rest[leaf.key] = nil
      for module in rest.keys { rest[module]?.remove(leaf.key) }
    }
    #expect(rest.isEmpty, "in a circle: \(rest.keys.sorted())")
  }

  /// A module that is built anyway can be imported without a dependency, so the test reads the
  /// sources too.
  @Test func sourcesImportOnlyTheListedModules() throws {
    let listed = try listedImports()
    let system: Set = ["Glibc", "Synchronization", "PackagePlugin"]
    let root = URL(fileURLWithPath: packageRoot + "/Sources")
    var count = 0
    for case let file as URL in try #require(
      FileManager.default.enumerator(at: root, includingPropertiesForKeys: nil))
    where file.pathExtension == "swift" {
      let module = file.pathComponents[root.pathComponents.count]
      var allowed = try #require(listed[module], "\(module) is not listed").union(system)
      // The plugin runs inside the package manager, which has Foundation anyway.
      if module == "CarvePlugin" { allowed.insert("Foundation") }
      let text = try String(contentsOf: file, encoding: .utf8)
      for line in text.split(separator: "\n") {
        guard let name = importedModule(line) else { continue }
        count += 1
        #expect(allowed.contains(name), "\(module)/\(file.lastPathComponent) imports \(name)")
      }
    }
    #expect(count > 1_000)
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
