// `carve assetutil`, and a link named `assetutil`: Apple's command line for Carve's archive tools.

import Archive
import ArchiveTools
import Bytes
import CatalogModel
import CommandLineKit
import Documents
import Host
import Queries

let assetutilCommand = Command(
  dropIn: "assetutil", summary: "Apple's assetutil: describe, check and thin archives item by item",
  discussion: """
    Takes the options of Apple's tool. Thinning is item by item: a rendition is dropped if another \
    can replace it on the axes that are given; size classes, styles and languages are ignored. \
    'carve thin' thins by device, and can prove its result. Apple's tool overwrites its input if \
    -o is missing; here, -o or --in-place is required.
    """,
  options: AssetutilOption.allCases.map(\.row),
  operands: [
    OperandRow(.archive, help: "the archive; with --info the name of one asset may stand before it")
  ],
  examples: [
    Example("assetutil --info Assets.car", "describe the renditions as JSON"),
    Example(
      "assetutil --idiom phone --scale 3 --display-gamut p3 Assets.car -o thin.car",
      "thin item by item"),
  ],
  exitMeanings: [
    .usage: "a wrong command line, or an archive that --validate-file finds damaged"
  ]
) { (invocation, terminal) throws(CommandFailure) in
  try runAssetutil(try AssetutilWords(invocation.words), terminal)
}

private func runAssetutil(
  _ words: AssetutilWords, _ terminal: Terminal
) throws(CommandFailure) -> ExitStatus {
  if words.has(.version) {
    terminal.print("assetutil (carve \(carveVersion))")
    return .fine
  }
  guard let path = words.operands.last else { throw .usage("the archive is missing") }
  let isNamed = words.has(.info) && words.operands.count == 2
  guard words.operands.count == 1 || isNamed else {
    throw .usage("unexpected argument '\(words.operands[1])'")
  }
  let file = try openFile(path)
  if words.has(.validate) {
    // Apple's tool exits with 2, too.
    guard let first = Archive.validate(file.bytes).first else { return .fine }
    terminal.diagnose("assetutil: \(path): \(first)")
    return .usage
  }
  let run = AssetutilRun(words: words, path: path, bytes: file.bytes, terminal: terminal)
  if let list = words.last(.compareBatch) { return try run.compareAll(ByteString(word: list)) }
  if let pair = words.last(.compare) { return try run.compare(pair) }
  if words.has(.info) { return try run.printInfo(named: isNamed ? words.operands[0] : nil) }
  return try run.thin()
}

/// A run with the archive open.
private struct AssetutilRun {
  let words: AssetutilWords
  let path: ByteString
  let bytes: UnsafeRawBufferPointer
  let terminal: Terminal

  /// Returns the plan of the renditions that pass the filters.
  private func plan(_ filters: [ItemFilter]) throws(CommandFailure) -> (Thinner, ThinningPlan) {
    try reporting(about: path) { () throws(ThinningError) in
      let thinner = try Thinner(bytes)
      return (thinner, try thinner.plan(filters))
    }
  }

  func thin() throws(CommandFailure) -> ExitStatus {
    guard
      let output = words.last(.output).map({ ByteString(word: $0) })
        ?? (words.has(.inPlace) ? path : nil)
    else {
      throw .usage(
        "without -o Apple's tool overwrites its input; give -o ARCHIVE, or --in-place to "
          + "overwrite it here, too"
      )
    }
    let (thinner, plan) = try plan(words.filters())
    try reporting(about: path) { () throws(ThinningError) in
      _ = try thinner.opened.write(plan, to: .path(output))
    }
    return .fine
  }

  /// Prints the report. Thinning options only select what is listed; the archive is not changed.
  func printInfo(named name: ByteString?) throws(CommandFailure) -> ExitStatus {
    let filters = try words.filters()
    var keys: Set<RenditionKey>?
    if !filters.allSatisfy(\.isEmpty) {
      let (thinner, plan) = try plan(filters)
      let entries = thinner.opened.inventory.entries
      keys = Set(entries.indices.filter { plan.selection.isKept[$0] }.map { entries[$0].key })
    }
    let report: ArchiveReport
    do throws(FormatError) { report = try ArchiveReport(try Archive(bytes)) } catch {
      throw CommandFailure(error, in: path)
    }
    if let name, !report.renditions.contains(where: { $0.name == name }) {
      let known = Set(report.renditions.lazy.filter(\.hasFacet).map(\.name)).sorted()
      throw .input("\(path): there is no asset '\(name)'\(suggestion(for: name, in: known))")
    }
    let json = report.json(named: name, keys: keys, isDump: true)
    guard let output = words.last(.output) else { return print(json, of: path, on: terminal) }
    try writeFile(Array((json.output.spacedText + "\n").utf8), to: ByteString(word: output))
    return nameDamage(json.damaged, in: path, on: terminal)
  }

  /// Compares two sets of parameters, such as `idiom=phone,scale=2/idiom=phone,scale=3`.
  func compare(_ text: String) throws(CommandFailure) -> ExitStatus {
    let sides = text.split(separator: "/")
    guard sides.count == 2 else {
      throw .usage("--compare-thinning takes two sets of parameters with a slash between them")
    }
    let isSame = try isSame(filter(sides[0]), filter(sides[1]))
    terminal.print(isSame ? "same" : "different")
    return .fine
  }

  /// Compares the pairs of a JSON array of pairs of objects, and prints one line for each.
  func compareAll(_ file: ByteString) throws(CommandFailure) -> ExitStatus {
    let pairs = try thinningPairs(readFile(file, atMost: FileLimit.document), of: file)
    for (first, second) in pairs {
      let isSame = try isSame(itemFilter(first), itemFilter(second))
      terminal.print(JSONOutput.object([.init("same", .bool(isSame))]).line)
    }
    return .fine
  }

  private func isSame(_ first: ItemFilter, _ second: ItemFilter) throws(CommandFailure) -> Bool {
    let (_, left) = try plan([first])
    let (_, right) = try plan([second])
    return left.selection.isKept == right.selection.isKept
  }

  private func filter(_ text: Substring) throws(CommandFailure) -> ItemFilter {
    var pairs: [(AssetutilOption, String)] = []
    for part in text.split(separator: ",") {
      let sides = part.split(separator: "=", maxSplits: 1)
      guard sides.count == 2, let option = AssetutilOption(rawValue: String(sides[0])) else {
        throw .usage("'\(part)' is not a thinning parameter such as scale=2")
      }
      pairs.append((option, String(sides[1])))
    }
    return try itemFilter(pairs)
  }
}

private typealias Parameters = [(AssetutilOption, String)]

private func thinningPairs(
  _ bytes: [UInt8], of file: ByteString
) throws(CommandFailure) -> [(Parameters, Parameters)] {
  func parameters(_ value: JSONValue) -> Parameters? {
    guard case .object(let members) = value else { return nil }
    var pairs: Parameters = []
    for member in members {
      guard let option = AssetutilOption(rawValue: member.key.text) else { return nil }
      switch member.value {
      case .string(let text): pairs.append((option, text.text))
      case .integer(let number): pairs.append((option, "\(number)"))
      default: return nil
      }
    }
    return pairs
  }
  guard case .array(let list)? = try? parseJSON(bytes) else {
    throw .input("\(file): not a JSON array of pairs of thinning parameters")
  }
  var pairs: [(Parameters, Parameters)] = []
  for (place, value) in list.enumerated() {
    guard case .array(let sides) = value, sides.count == 2, let first = parameters(sides[0]),
      let second = parameters(sides[1])
    else {
      throw .input(
        "\(file): element \(place) is not a pair of objects such as {\"scale\": 2}")
    }
    pairs.append((first, second))
  }
  return pairs
}
