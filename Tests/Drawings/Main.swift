// `swift run drawings ARCHIVE...`: draws the vectors of archives that Apple's tool made, and compares the
// pixels with those that lie beside them. `--worst N FOLDER` writes the worst pictures: ours, Apple's and
// the difference; `--only WORD` takes the vectors whose name or class has the word; `--speed N` only
// draws, N times, and says how fast.

import CarveRuntime
import Glibc
import Vectors

private struct Options {
  var archives: [String] = []
  var worst = 0
  var folder = ""
  var only: String?
  var isVerbose = false
  var rounds = 0

  init?(_ words: [String]) {
    var rest = words[...]
    while let word = rest.popFirst() {
      switch word {
      case "--worst":
        guard let count = rest.popFirst().flatMap({ Int($0) }), let folder = rest.popFirst() else {
          return nil
        }
        worst = count
        self.folder = folder
      case "--only": only = rest.popFirst()
      case "--all": isVerbose = true
      case "--speed": rounds = rest.popFirst().flatMap { Int($0) } ?? 1
      default: archives.append(word)
      }
    }
    if archives.isEmpty { return nil }
  }
}

@main
struct Main {
  static func main() {
    guard let options = Options(Array(CommandLine.arguments.dropFirst())) else {
      print("usage: drawings [--worst N FOLDER] [--only WORD] [--all] [--speed N] ARCHIVE...")
      exit(2)
    }
    if options.rounds > 0 {
      let catalogs = options.archives.compactMap { try? Catalog(path: $0) }
      return printSpeed(of: catalogs, rounds: options.rounds)
    }
    var comparisons: [Comparison] = []
    var failures: [String] = []
    for path in options.archives {
      do {
        let catalog = try Catalog(path: path)
        compareVectors(of: catalog, &comparisons, &failures)
      } catch {
        print("\(path): \(error)")
      }
    }
    if let word = options.only {
      comparisons = comparisons.filter { $0.name.contains(word) || $0.kind.rawValue == word }
    }
    for failure in failures { print(failure) }
    if options.isVerbose {
      for comparison in comparisons { print(comparison.line) }
    }
    printTable(comparisons)
    let worst = comparisons.sorted { $0.error > $1.error }.prefix(options.worst)
    for (i, comparison) in worst.enumerated() {
      print(comparison.line)
      write(comparison, to: "\(options.folder)/\(i).png")
    }
  }

  private static func printTable(_ comparisons: [Comparison]) {
    print(row(["", "bitmaps", "identical", "±1", "±2", "±8", "worst", "within 2"]))
    for kind in Comparison.Kind.allCases {
      let part = comparisons.filter { $0.kind == kind }
      if !part.isEmpty { print(row(kind.rawValue, part)) }
    }
    print(row("all", comparisons))
  }

  private static func row(_ title: String, _ part: [Comparison]) -> String {
    func mean(_ most: Int) -> String {
      let sum = part.reduce(0.0) { $0 + $1.share(within: most) }
      return percent(sum / Double(max(1, part.count)))
    }
    let worst = part.map(\.worst).max() ?? 0
    let near = part.filter { $0.worst <= 2 }.count
    return row([
      title, "\(part.count)", mean(0), mean(1), mean(2), mean(8), "\(worst)",
      percent(Double(near) / Double(max(1, part.count))),
    ])
  }

  private static func percent(_ share: Double) -> String {
    let hundredths = Int(share * 10_000 + 0.5)
    let rest = hundredths % 100
    return "\(hundredths / 100).\(rest < 10 ? "0" : "")\(rest)"
  }

  private static func row(_ cells: [String]) -> String {
    cells.enumerated().map { i, cell in
      let width = i == 0 ? 14 : 11
      let blanks = String(repeating: " ", count: max(1, width - cell.count))
      return i == 0 ? cell + blanks : blanks + cell
    }.joined()
  }
}
