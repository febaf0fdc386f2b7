// `carve history`: prints the sizes of catalogues in the commits of their git repository, or writes
// a page about them.

import Bytes
import CatalogCompiler
import CommandLineKit
import Documents
import History
import Host
import Preview
import Queries
import Traits

struct HistoryArguments: Sendable, DeviceTargeting, CatalogCompiling {
  var catalogs: [ByteString] = []
  var count: Int?
  var revision: ByteString?
  var isJSON = false
  var page: ByteString?
  var thinning = DeviceArguments()
  var compiling = CatalogArguments()
  var diagnostics = DiagnosticArguments(minimum: .error)

  static let usualCount = 100

  /// All input files.
  fileprivate var inputFiles: [NamedFile?] {
    NamedFile.operands(catalogs) + [NamedFile("--info-plist", thinning.infoPlist)]
  }
}

let historyCommand = Command(
  "history", summary: "Show how the sizes of catalogues changed over commits",
  discussion: """
    Compiles the catalogues as they are in the last commits of the git repository in which they \
    lie, and thins each archive for every device. Prints the download of each device in the first \
    and in the last commit, and the commits that changed a size, with the assets that did. Devices \
    whose downloads are equal in every commit are one line. --html writes a page with a line for \
    each device. All icons are compiled if neither an option nor the settings name some.

    The catalogues are read from git's objects. The work tree is not changed, and only its present \
    settings (.carve.json) are read; they hold for every commit. At a merge, the first parent is \
    followed. Commits with the same catalogues are compiled once, and pictures are kept in the \
    user's cache, or in that of --cache. Links that lead out of a catalogue are not followed. A \
    commit that does not compile, or that has no such catalogue, is reported as a gap.
    """,
  defaults: HistoryArguments(),
  operands: [
    .many(.catalog, \.catalogs, help: "a catalogue; several are those of one app")
  ],
  options: historyOptions + Option<HistoryArguments>.deviceOptions
    + Option<HistoryArguments>.targetOptions + Option<HistoryArguments>.cacheOptions
    + [Option<HistoryArguments>.jobs],
  examples: [
    Example("carve history App/Assets.xcassets", "the last 100 commits"),
    Example(
      "carve history Assets.xcassets --commits 200 --html history.html",
      "a page with a line for each device"),
    Example(
      "carve history Assets.xcassets --from v2.1 --device iPhone17,1 --json",
      "the commits before a tag, for one device, for programs"),
  ]
) { (given, terminal) throws(CommandFailure) in
  try history(given, terminal)
}

private let historyOptions: [Option<HistoryArguments>] = [
  .number(
    "commits", short: "n", "N", in: 1...100_000, \.count, help: "the number of commits (100)"),
  .text(
    "from", "REVISION", \.revision,
    help: "the newest commit: a branch, a tag or another name of git's; HEAD if not given"),
  .flag("json", \.isJSON, help: "print JSON"),
  .path("html", "FILE", extensions: ["html"], \.page, help: "write a page with a line per device")
    .excluding("json"),
]

private func history(
  _ given: HistoryArguments, _ terminal: Terminal
) throws(CommandFailure) -> ExitStatus {
  var arguments = given
  try arguments.followSettings(of: given.catalogs, terminal)
  // Growth of an icon must not be overlooked.
  if arguments.compiling.namedIcons.isEmpty { arguments.compiling.includesAllIcons = true }
  arguments.thinning.models =
    arguments.diagnostics.settings.first.models(unless: given.thinning.models)
  try checkPlaces([NamedFile("--html", given.page)], reading: given.inputFiles)
  let places = try places(of: given.catalogs)
  let options = try arguments.historyOptions(terminal)
  let history: CatalogHistory
  do throws(GitError) {
    history = try CatalogHistory(of: places, options) { done, all in
      terminal.progress("compiling catalogue \(done) of \(all)")
    }
  } catch {
    terminal.progress("")
    if case .system(let reason) = error { throw .inputOutput(onOneLine(reason)) }
    throw .input(onOneLine("\(error)"))
  }
  terminal.progress("")
  if !history.states.isEmpty, history.states.allSatisfy({ $0 == .absent }) {
    throw .inputOutput(absence(of: given.catalogs, history.commits.count))
  }
  if history.lines.isEmpty {
    if !history.sizes.isEmpty {
      for line in history.lines(about: given.catalogs) { terminal.diagnose(line) }
    }
    throw .input(
      history.sizes.isEmpty
        ? "no commit has a catalogue that compiles"
          + (history.lastRefusal.map { "; the last one: \(onOneLine($0))" } ?? "")
        : "the catalogues compile, but no device that is asked about can run the app")
  }
  if let page = given.page {
    let document = HistoryPage(
      title: given.catalogs.map { onOneLine(lastComponent(withoutTrailingSlashes($0))) }
        .joined(separator: ", "), data: history.json(about: given.catalogs))
    try writeFile(document.bytes, to: page)
    terminal.print("\(page): \(history.summary), \(grouped(document.bytes.count)) bytes")
  } else if given.isJSON {
    terminal.print(history.json(about: given.catalogs).text)
  } else {
    for line in history.lines(about: given.catalogs) { terminal.print(line) }
  }
  return .fine
}

/// Returns the message about catalogues that no commit has, with the name that is probably meant.
private func absence(of catalogs: [ByteString], _ count: Int) -> String {
  let names = quotedList(catalogs.map(\.text))
  var hint = ""
  if catalogs.count == 1, let catalog = catalogs.first {
    let folder = parentFolder(withoutTrailingSlashes(catalog))
    let others = ((try? FileTree.disk.list(folder)) ?? []).map(\.name)
    let name = lastComponent(withoutTrailingSlashes(catalog))
    hint = others.contains(name) ? "; commit it first" : suggestion(for: name, in: others)
  }
  return count == 1
    ? "the commit has no \(names)\(hint)" : "none of \(count) commits has \(names)\(hint)"
}

/// Returns the places of catalogues, which must lie in one repository.
private func places(of catalogs: [ByteString]) throws(CommandFailure) -> [GitPlace] {
  var places: [GitPlace] = []
  for catalog in catalogs {
    let place: GitPlace
    do throws(GitError) { place = try GitPlace(of: catalog) } catch {
      throw .input(onOneLine("\(error)"))
    }
    if let first = places.first, first.top != place.top {
      throw .usage("\(catalogs[0]) and \(catalog) lie in different repositories")
    }
    if !places.contains(place) { places.append(place) }
  }
  return places
}

extension HistoryArguments {
  fileprivate func historyOptions(_ terminal: Terminal) throws(CommandFailure) -> HistoryOptions {
    let devices = try thinning.devices(terminal)
    var compiling = try self.compiling.options(or: devices.first?.platform)
    // The same pictures are needed for commit after commit.
    compiling.cache = cache.path(usually: true)
    cache.warn(about: compiling.cache, on: terminal)
    compiling.survivesPowerCut = false
    compiling.listsInputs = false
    var options = HistoryOptions(
      count: count ?? HistoryArguments.usualCount, compiling: compiling)
    options.revision = revision ?? "HEAD"
    options.app = try thinning.app()
    options.os = try thinning.version()
    options.devices = devices
    return options
  }
}
