// `make pairs`: compiles the sources of archives that Apple's tool made, for the same platform and
// system, and prints the agreement of the two archives, and the bytes of their parts. A folder
// contains a list of the pairs (pairs.tsv) and, for each pair, Assets.car and sources/; the pairs
// are not part of the project. A folder without a list whose archives contain layered icons
// compares the bitmaps of these icons.
// Without sources, `pairs --archives ARCHIVE...` compares the drawings of the vectors in archives,
// and `pairs --suites FOLDER` those of public test suites with their reference pictures.

import Bytes
import CarveRuntime
import CatalogCompiler
import CatalogModel
import Glibc
import Traits
@testable import Host

/// A line of pairs.tsv.
struct Pair {
  var name: String
  var platform: TargetPlatform
  /// The oldest system; nil if the list does not state it.
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

private struct Options {
  var folders: [String] = []
  /// Whether the operands are archives.
  var areArchives = false
  var worst = 0
  var worstFolder = ""
  var only: String?
  var isVerbose = false
  var rounds = 0
  /// Whether the operand is the folder of a test suite.
  var isSuite = false
  /// The goal with which the archives are made whose bytes are printed.
  var goal = OptimizationGoal.standard
  var references: String?
  var accepted: String?

  init?(_ words: [String]) {
    var rest = words[...]
    while let word = rest.popFirst() {
      switch word {
      case "--archives": areArchives = true
      case "--suites": isSuite = true
      case "--references": references = rest.popFirst()
      case "--accepted": accepted = rest.popFirst()
      case "--worst":
        guard let count = rest.popFirst().flatMap({ Int($0) }), let folder = rest.popFirst() else {
          return nil
        }
        (worst, worstFolder) = (count, folder)
      case "--only": only = rest.popFirst()
      case "--all": isVerbose = true
      case "--optimization":
        guard let word = rest.popFirst(), let goal = OptimizationGoal(rawValue: word) else {
          return nil
        }
        self.goal = goal
      case "--speed": rounds = rest.popFirst().flatMap { Int($0) } ?? 1
      default: folders.append(word)
      }
    }
    if folders.isEmpty || !areArchives && folders.count > 1 { return nil }
  }
}

@main
struct Main {
  static func main() {
    guard let options = Options(Array(CommandLine.arguments.dropFirst())) else {
      print("usage: pairs [--worst N DIR] [--only WORD] [--all] [--optimization GOAL] FOLDER")
      print("       pairs --archives [--speed N] [--worst N DIR] [--only WORD] [--all] ARCHIVE...")
      print(
        "       pairs --suites [--references DIR] [--accepted FILE] [--worst N DIR] [--only WORD]")
      print("             [--all] FOLDER")
      print(
        "A picture of a suite is close to its reference if at most 0.1 % of its pixels and 5 % of")
      print(
        "those that are not background differ, or 16. A pixel differs if a channel is farther than")
      print(
        "24 of 255 from all that the other picture has within one pixel (two for PDFs, in whose")
      print("references letters lie at whole pixels), so that edges may be drawn in another way.")
      print("--accepted names a list of files whose difference is explained.")
      exit(2)
    }
    if options.isSuite {
      compareSuite(options)
    } else if options.areArchives {
      compareArchives(options)
    } else {
      comparePairs(in: options.folders[0], options)
    }
  }

  private static func comparePairs(in folder: String, _ options: Options) {
    guard let list = try? FileTree.disk.read(joined(ByteString(folder), "pairs.tsv"), 1 << 20)
    else {
      if compareLayeredIcons(in: folder, options) { return }
      print("no pairs.tsv in \(folder): the comparison with Apple's archives is skipped")
      return
    }
    let lines = String(decoding: list, as: UTF8.self).split(separator: "\n")
    let columns = lines[0].split(separator: "\t", omittingEmptySubsequences: false)
    print(Agreement.heading)
    var sum = Agreement()
    var vectors = VectorAgreement()
    var icons: [IconBitmaps] = []
    var sizes: [String] = []
    var bytes = PairedBytes()
    for pair in lines.dropFirst().compactMap({ Pair($0, columns: columns) }) {
      guard let (agreement, drawn, bitmaps) = compare(pair, in: folder) else { continue }
      sum.add(agreement)
      vectors.add(drawn)
      icons += bitmaps
      print(agreement.row(pair.name))
      guard let parts = parts(of: pair, in: folder, options.goal) else { continue }
      bytes.add(parts)
      sizes.append(parts.row(pair.name))
    }
    print(sum.row("all"))
    print("\n" + PairedBytes.heading)
    for row in sizes + [bytes.row("all")] { print(row) }
    print("\nbitmaps of vectors: \(vectors.line)")
    if options.isVerbose { for remark in sum.remarks + vectors.remarks { print(remark) } }
    printIcons(icons)
    show(vectors.comparisons + icons.flatMap { $0.sizes.values }, options)
  }

  /// Compares the layered icons of the archives in a folder. Returns false if it has no archives.
  private static func compareLayeredIcons(in folder: String, _ options: Options) -> Bool {
    let entries = (try? FileTree.disk.list(ByteString(folder))) ?? []
    let files = entries.map { "\($0.name)" }.filter { $0.hasSuffix(".car") }.sorted()
    var icons: [IconBitmaps] = []
    for file in files {
      do {
        icons += try compareIcons(
          String(file.dropLast(4)), of: FileTree.disk.read(ByteString("\(folder)/\(file)"), 1 << 30)
        )
      } catch {
        print("\(file): \(error)")
      }
    }
    printIcons(icons)
    if !icons.isEmpty { show(icons.flatMap { $0.sizes.values }, options) }
    return !files.isEmpty
  }

  private static func compareArchives(_ options: Options) {
    if options.rounds > 0 {
      let catalogs = options.folders.compactMap { try? Catalog(path: $0) }
      return printSpeed(of: catalogs, rounds: options.rounds)
    }
    var comparisons: [Comparison] = []
    var failures: [String] = []
    for path in options.folders {
      do {
        compareVectors(of: try Catalog(path: path), &comparisons, &failures)
      } catch {
        print("\(path): \(error)")
      }
    }
    for failure in failures { print(failure) }
    show(comparisons, options)
  }

  private static func compareSuite(_ options: Options) {
    let suite = Suite(
      folder: options.folders[0], references: options.references,
      accepted: Suite.acceptedNames(options.accepted))
    pairs.compareSuite(
      suite,
      SuiteOptions(
        worst: options.worst, worstFolder: options.worstFolder, only: options.only,
        isVerbose: options.isVerbose))
  }

  private static func show(_ all: [Comparison], _ options: Options) {
    let comparisons = all.filter { comparison in
      options.only.map { comparison.name.contains($0) || comparison.kind.rawValue == $0 } ?? true
    }
    if options.isVerbose { for comparison in comparisons { print(comparison.line) } }
    printTable(comparisons)
    let worst = comparisons.sorted { $0.error > $1.error }.prefix(options.worst)
    if !worst.isEmpty { mkdir(options.worstFolder, 0o777) }
    for (number, comparison) in worst.enumerated() {
      print("\(number): \(comparison.line)")
      write(comparison, to: "\(options.worstFolder)/\(number).png")
    }
  }

  private static func compare(
    _ pair: Pair, in folder: String
  ) -> (Agreement, VectorAgreement, [IconBitmaps])? {
    do {
      let apples = try Contents(FileTree.disk.read("\(folder)/\(pair.name)/Assets.car", 1 << 30))
      guard
        let file = try compiled(
          pair, in: folder, oldest: apples.oldestSystem, .identical, index: false)
      else { return nil }
      let ours = try Contents(file)
      return (
        Agreement(ours: ours, apples: apples), VectorAgreement(ours: ours, apples: apples),
        compareIcons(pair.name, ours: ours, apples: apples)
      )
    } catch {
      print("\(pair.name): \(error)")
      return nil
    }
  }

  /// Returns the bytes of the parts of Carve's archive with its index, and of Apple's archive.
  private static func parts(
    of pair: Pair, in folder: String, _ goal: OptimizationGoal
  ) -> PairedBytes? {
    do {
      let theirs = try FileTree.disk.read("\(folder)/\(pair.name)/Assets.car", 1 << 30)
      let oldest = try Contents(theirs).oldestSystem
      guard let mine = try compiled(pair, in: folder, oldest: oldest, goal, index: true) else {
        return nil
      }
      return PairedBytes(ours: try ByteParts(mine), apples: try ByteParts(theirs))
    } catch {
      print("\(pair.name): \(error)")
      return nil
    }
  }

  /// Returns the archive of a pair's sources; nil if they have errors. `oldest` is the oldest
  /// system of a pair whose list does not state it.
  private static func compiled(
    _ pair: Pair, in folder: String, oldest: OSVersion, _ goal: OptimizationGoal, index: Bool
  ) throws -> [UInt8]? {
    let catalogs = catalogues(in: "\(folder)/\(pair.name)/sources").sorted()
    let output = "\(temporaryFolder)/carve-pair-\(getpid()).car"
    defer { unlink(output) }
    let target = CompileTarget(platform: pair.platform, minimum: pair.minimum ?? oldest)
    var options = CompileOptions(target: target, icons: .all)
    options.optimization = goal
    options.writesIndex = index
    let compilation = Compilation(
      .archive(of: catalogs.map { ByteString($0) }), in: .disk, options)
    let report = try compilation.compile(compilation.read(), to: .path(ByteString(output)))
    if report.isRefused {
      print("\(pair.name): refused")
      for finding in report.diagnostics where finding.severity == .error {
        print("  " + finding.text, terminator: "")
      }
      return nil
    }
    return try FileTree.disk.read(ByteString(output), 1 << 30)
  }

  private static var temporaryFolder: String {
    getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
  }

  private static func catalogues(in folder: String) -> [String] {
    guard let entries = try? FileTree.disk.list(ByteString(folder)) else { return [] }
    return entries.filter { $0.kind == .folder }.flatMap { entry -> [String] in
      let path = "\(folder)/\(entry.name)"
      let isCatalog = entry.name.hasSuffix(".xcassets") || entry.name.hasSuffix(".icon")
      return isCatalog ? [path] : catalogues(in: path)
    }
  }
}
