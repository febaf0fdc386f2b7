// `carve explain-build`: explains how Carve treats the actool command lines of a build, and what
// will differ from Apple's output. Judges options by the table of `carve actool`, and assets by the
// compiler's plan.

import Bytes
import CatalogCompiler
import CatalogModel
import CommandLineKit
import Documents
import Host
import Traits

struct ExplainBuildArguments: Sendable {
  var words: [String] = []
}

let explainBuildCommand = Command(
  "explain-build", summary: "Say what becomes of a build's actool command lines",
  discussion: """
    Takes the log of a build, or one command line behind '--'. For each call of actool it says what Carve \
    does with every option, and, where the catalogues are there to be read, which kinds of assets come out \
    as Apple's tool makes them, which with a difference, and which are left out.
    """,
  defaults: ExplainBuildArguments(),
  operands: [
    .many(
      .path("LOG-or-COMMAND", extensions: ["log", "txt"]), \.words,
      help: "the log of a build; or the words of a command, the first of which is actool")
  ],
  examples: [
    Example("carve explain-build build.log", "explain every call of actool in a log"),
    Example(
      "carve explain-build -- actool Assets.xcassets --compile out --platform iphoneos",
      "explain one command line"),
  ]
) { (arguments, terminal) throws(CommandFailure) in
  try runExplainBuild(arguments.words, terminal)
}

private func runExplainBuild(
  _ words: [String], _ terminal: Terminal
) throws(CommandFailure) -> ExitStatus {
  var commands: [[String]] = []
  if words.count == 1, let word = words.first {
    if let file = try? FileTree.disk.status(ByteString(word)), file.kind != .folder {
      let text = String(decoding: try readFile(ByteString(word), atMost: 1 << 30), as: UTF8.self)
      // A backslash at the end of a line continues a command; the program that wrote the log may
      // have joined such lines already.
      for line in joinedLines(text) where line.contains("actool") {
        commands += ShellWords(line).commands.compactMap(actoolWords)
      }
    } else {
      commands = ShellWords(word).commands.compactMap(actoolWords)
    }
  } else {
    commands = [actoolWords(words) ?? words]
  }
  guard !commands.isEmpty else {
    throw .input("there is no call of actool in \(onOneLine(words.joined(separator: " ")))")
  }
  var seen: Set<[ByteString]> = []
  for command in commands where seen.insert(command.map { ByteString($0) }).inserted {
    if seen.count > 1 { terminal.print("") }
    explain(command, terminal)
  }
  return .fine
}

/// Returns the words after the tool's name; nil if the command calls another tool.
private func actoolWords(_ command: [String]) -> [String]? {
  let place = command.firstIndex { word in
    let name = lastComponent(ByteString(word))
    return name == "actool" || name.hasSuffix("-actool")
  }
  return place.map { Array(command[($0 + 1)...]) }
}

private func joinedLines(_ text: String) -> [String] {
  var lines: [String] = []
  var isOpen = false
  for line in text.split(whereSeparator: \.isNewline) {
    if isOpen, let last = lines.popLast() {
      lines.append(last + " " + line)
    } else {
      lines.append(String(line))
    }
    isOpen = lines.last?.hasSuffix("\\") ?? false
    if isOpen, var last = lines.popLast() {
      last.removeLast()
      lines.append(last)
    }
  }
  return lines
}

private func explain(_ words: [String], _ terminal: Terminal) {
  let command = ActoolWords(words)
  terminal.print("actool " + words.map(onOneLine).joined(separator: " "))
  var rows: [[String]] = []
  for part in command.parts {
    guard let option = part.option else {
      let known = actoolOptions.map(\.name)
      let near = suggestion(for: String(part.name.dropFirst(2)), in: known, prefix: "--")
      rows.append([part.text, "refused: no such option\(near)"])
      continue
    }
    switch option.effect {
    case .same: rows.append([part.text, "as Apple's tool"])
    case .differs(let how): rows.append([part.text, "with a difference: \(how)"])
    case .ignored(let why): rows.append([part.text, "accepted, without effect: \(why)"])
    case .own: rows.append([part.text, "Carve does it; Apple's tool does not"])
    }
  }
  for line in alignedColumns(rows) { terminal.print("  " + line) }
  if command.documents.isEmpty { terminal.print("  no catalogue is named") }
  let there = command.documents.filter(isFolder)
  for path in command.documents where !there.contains(path) {
    terminal.print("  \(onOneLine(path)): not there, so nothing is said of its assets")
  }
  if !there.isEmpty { explainAssets(of: there, command, terminal) }
}

/// A command line that is parsed by the table of options; words that the table refuses are kept.
private struct ActoolWords {
  struct Part {
    var name: String
    var value: String?
    var option: ActoolOption?

    var text: String { name + (value.map { " " + $0 } ?? "") }
  }

  private(set) var parts: [Part] = []
  private(set) var documents: [ByteString] = []

  init(_ words: [String]) {
    var rest = words[...]
    while let word = rest.popFirst() {
      guard word.hasPrefix("--"), word.count > 2 else {
        if word != "--" { documents.append(ByteString(word)) }
        continue
      }
      let name = String(word.prefix { $0 != "=" })
      var part = Part(name: name, option: actoolOptions.first { "--" + $0.name == name })
      if word.count > name.count {
        part.value = String(word.dropFirst(name.count + 1))
      } else if let option = part.option, option.option.row.form != .none {
        part.value = rest.popFirst()
      }
      parts.append(part)
    }
  }

  func values(_ name: String) -> [String] {
    parts.filter { $0.name == "--" + name }.compactMap(\.value)
  }

  func has(_ name: String) -> Bool { parts.contains { $0.name == "--" + name } }
}

/// The outcome for one kind of set.
private struct KindOutcome {
  var count = 0
  var refused = 0
  var reasons: Set<String> = []
}

private func explainAssets(
  of documents: [ByteString], _ command: ActoolWords, _ terminal: Terminal
) {
  let contents = readCatalogs(documents, in: .disk)
  let platform = command.values("platform").last.flatMap { TargetPlatform(rawValue: $0) } ?? .iOS
  let target = CompileTarget(
    platform: platform,
    minimum: command.values("minimum-deployment-target").last.flatMap { OSVersion($0) },
    families: command.values("target-device").compactMap { DeviceFamily(rawValue: $0) })
  let names = command.values("app-icon") + command.values("alternate-app-icon")
  let plan = Plan(
    of: contents.assets, for: target,
    icons: command.has("include-all-app-icons") ? .all : .named(names.map { ByteString($0) }))
  var kinds: [SetType: KindOutcome] = [:]
  for asset in contents.assets {
    let found = plan.diagnostics.filter {
      ($0.file == asset.folder || $0.file.isInside(asset.folder))
        && $0.code != .iconNotChosen
    }
    var kind = kinds[asset.type] ?? KindOutcome()
    kind.count += 1
    if found.contains(where: { $0.code == .unsupportedSet }) {
      kind.refused += 1
    } else {
      kind.reasons.formUnion(found.map(\.code.rawValue))
      if asset.hasVectors { kind.reasons.insert("bitmaps of vectors are drawn by Carve") }
    }
    kinds[asset.type] = kind
  }
  terminal.print("  assets:")
  let rows = kinds.sorted { $0.key.rawValue < $1.key.rawValue }.map { type, kind in
    ["." + type.rawValue, "\(kind.count)", kind.verdict]
  }
  for line in alignedColumns(rows, right: [1]) { terminal.print("    " + line) }
}

extension KindOutcome {
  fileprivate var verdict: String {
    if refused == count { return "left out, and named in a warning" }
    var parts = [reasons.isEmpty ? "as Apple's tool" : ""]
    if !reasons.isEmpty { parts = ["with a note: " + reasons.sorted().joined(separator: ", ")] }
    if refused > 0 { parts.append("\(refused) left out, and named in a warning") }
    return parts.joined(separator: "; ")
  }
}

extension AssetSet {
  fileprivate var hasVectors: Bool {
    if case .images(let set) = contents {
      return set.entries.contains { $0.file?.isVector ?? false }
    }
    return false
  }
}
