// `make pairs`: compiles the sources of archives that Apple's tool made, for the same platform and
// system, and prints how far the two archives agree. The pairs are given by a folder with a list
// (pairs.tsv) and, for each pair, Assets.car and sources/; none of them belongs to the project.

import CatalogCompiler
import CatalogModel
import Glibc
import Traits
@testable import Host

/// One line of pairs.tsv.
struct Pair {
  var name: String
  var platform: TargetPlatform
  /// nil where the list does not say.
  var minimum: OSVersion?

  init?(_ line: Substring, columns: [Substring]) {
    let cells = line.split(separator: "\t", omittingEmptySubsequences: false)
    func cell(_ title: String) -> Substring? {
      columns.firstIndex { $0 == title }.flatMap { $0 < cells.count ? cells[$0] : nil }
    }
    guard let name = cell("pair"), !name.isEmpty else { return nil }
    self.name = String(name)
    platform = cell("platform") == "macosx" ? .macOS : .iOS
    minimum = cell("minimum OS").flatMap { OSVersion($0) }
  }
}

@main
struct Main {
  static func main() {
    guard CommandLine.arguments.count == 2 else {
      print("usage: pairs FOLDER")
      exit(2)
    }
    let folder = CommandLine.arguments[1]
    guard let list = try? FileTree.disk.read(folder + "/pairs.tsv", 1 << 20) else {
      print("no pairs.tsv in \(folder): the comparison with Apple's archives is skipped")
      return
    }
    let lines = String(decoding: list, as: UTF8.self).split(separator: "\n")
    let columns = lines[0].split(separator: "\t", omittingEmptySubsequences: false)
    print(Agreement.heading)
    var sum = Agreement()
    for pair in lines.dropFirst().compactMap({ Pair($0, columns: columns) }) {
      guard let agreement = compare(pair, in: folder) else { continue }
      sum.add(agreement)
      print(agreement.row(pair.name))
    }
    print(sum.row("all"))
  }

  private static func compare(_ pair: Pair, in folder: String) -> Agreement? {
    let catalogs = catalogues(in: "\(folder)/\(pair.name)/sources").sorted()
    let output = "\(temporaryFolder)/carve-pair-\(getpid()).car"
    defer { unlink(output) }
    do {
      let apples = try Contents(FileTree.disk.read("\(folder)/\(pair.name)/Assets.car", 1 << 30))
      let target = CompileTarget(
        platform: pair.platform, minimum: pair.minimum ?? apples.oldestSystem)
      var options = CompileOptions(target: target, icons: .all)
      options.optimization = .identical
      options.writesIndex = false
      let report = try compile(catalogs, in: .disk, options: options, to: .path(output))
      if report.isRefused {
        print("\(pair.name): refused")
        for finding in report.diagnostics where finding.severity == .error {
          print("  " + finding.text, terminator: "")
        }
        return nil
      }
      let ours = try Contents(FileTree.disk.read(output, 1 << 30))
      return Agreement(ours: ours, apples: apples)
    } catch {
      print("\(pair.name): \(error)")
      return nil
    }
  }

  private static var temporaryFolder: String {
    getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
  }

  private static func catalogues(in folder: String) -> [String] {
    guard let entries = try? FileTree.disk.list(folder) else { return [] }
    return entries.filter { $0.kind == .folder }.flatMap { entry -> [String] in
      let path = "\(folder)/\(entry.name)"
      let isCatalog = entry.name.hasSuffix(".xcassets") || entry.name.hasSuffix(".icon")
      return isCatalog ? [path] : catalogues(in: path)
    }
  }
}
