// The explanation of actool command lines: the calls in the log of a build, the effect of each
// option, and what becomes of each kind of asset.

import Bytes
import CatalogCompiler
import CatalogModel
import Documents
import Host
import Traits

/// An option of Apple's actool, as the explanation needs it.
package struct BuildOption: Sendable {
  package enum Effect: Sendable, Hashable {
    /// The option has the effect that it has in Apple's tool.
    case same
    /// The option has Apple's effect with a difference, which the text names.
    case differs(String)
    /// The option is accepted and changes nothing; the text gives the reason.
    case ignored(String)
    /// The option exists only in Carve.
    case own
  }

  package var name: String
  package var takesValue: Bool
  package var effect: Effect

  package init(name: String, takesValue: Bool, effect: Effect) {
    self.name = name
    self.takesValue = takesValue
    self.effect = effect
  }
}

/// Returns the words of each call of actool in the log of a build, each call once.
package func actoolCalls(inLog text: String) -> [[String]] {
  // A backslash at the end of a line continues a command; the program that wrote the log may have
  // joined such lines already.
  each(
    joinedLines(text).filter { $0.contains("actool") }.flatMap {
      ShellWords($0).commands.compactMap(actoolWords)
    })
}

/// Returns the words of each call of actool in a line of a shell, each call once.
package func actoolCalls(inCommand text: String) -> [[String]] {
  each(ShellWords(text).commands.compactMap(actoolWords))
}

/// Returns the words of the call that a command line makes; all its words if it does not name the
/// tool.
package func actoolCall(_ words: [String]) -> [String] { actoolWords(words) ?? words }

/// Returns calls that differ in a byte.
private func each(_ calls: [[String]]) -> [[String]] {
  var seen: Set<[ByteString]> = []
  return calls.filter { seen.insert($0.map { ByteString($0) }).inserted }
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

/// The explanation of one call.
package struct BuildExplanation: Sendable {
  private let words: [String]
  private let options: [BuildOption]
  private let command: ActoolWords
  private let tree: FileTree

  package init(_ words: [String], options: [BuildOption], in tree: FileTree) {
    self.words = words
    self.options = options
    self.tree = tree
    command = ActoolWords(words, options)
  }

  package var lines: [String] {
    var lines = ["actool " + words.map(onOneLine).joined(separator: " ")]
    lines += alignedColumns(command.parts.map { [$0.text, meaning(of: $0)] }).map { "  " + $0 }
    if command.documents.isEmpty { lines.append("  no catalogue is named") }
    let there = command.documents.filter { (try? tree.status($0).kind) == .folder }
    for path in command.documents where !there.contains(path) {
      lines.append("  \(onOneLine(path)): does not exist, so its assets are not explained")
    }
    return there.isEmpty ? lines : lines + assetLines(of: there)
  }

  private func meaning(of part: ActoolWords.Part) -> String {
    switch part.option?.effect {
    case .same: return "as Apple's tool"
    case .differs(let how): return "with a difference: \(how)"
    case .ignored(let why): return "accepted, without effect: \(why)"
    case .own: return "Carve does it; Apple's tool does not"
    case nil:
      let near = suggestion(
        for: String(part.name.dropFirst(2)), in: options.map(\.name), prefix: "--")
      return "refused: no such option\(near)"
    }
  }

  private func assetLines(of documents: [ByteString]) -> [String] {
    let contents = readCatalogs(documents, in: tree)
    let platform = command.values("platform").last.flatMap { TargetPlatform(rawValue: $0) } ?? .iOS
    let target = CompileTarget(
      platform: platform,
      minimum: command.values("minimum-deployment-target").last.flatMap { OSVersion($0) },
      families: command.values("target-device").compactMap { DeviceFamily(rawValue: $0) })
    let names = command.values("app-icon") + command.values("alternate-app-icon")
    let plan = RenditionPlan(
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
    let rows = kinds.sorted { $0.key.rawValue < $1.key.rawValue }.map { type, kind in
      ["." + type.rawValue, "\(kind.count)", kind.verdict]
    }
    return ["  assets:"] + alignedColumns(rows, right: [1]).map { "    " + $0 }
  }
}

/// A command line that is parsed by the table of options; words that the table refuses are kept.
private struct ActoolWords: Sendable {
  struct Part: Sendable {
    var name: String
    var value: String?
    var option: BuildOption?

    var text: String { name + (value.map { " " + $0 } ?? "") }
  }

  private(set) var parts: [Part] = []
  private(set) var documents: [ByteString] = []

  init(_ words: [String], _ options: [BuildOption]) {
    var rest = words[...]
    while let word = rest.popFirst() {
      guard word.hasPrefix("--"), word.count > 2 else {
        if word != "--" { documents.append(ByteString(word)) }
        continue
      }
      let name = String(word.prefix { $0 != "=" })
      var part = Part(name: name, option: options.first { "--" + $0.name == name })
      if word.count > name.count {
        part.value = String(word.dropFirst(name.count + 1))
      } else if let option = part.option, option.takesValue {
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

// MARK: - Words of a command

package struct ShellWords {
  /// The commands of the text, in order.
  package private(set) var commands: [[String]] = []

  package init(_ text: some StringProtocol) {
    var rest = Array(text.unicodeScalars)[...]
    var word: String.UnicodeScalarView?
    var commands: [[String]] = [[]]
    func finish() {
      if let word { commands[commands.count - 1].append(String(word)) }
      word = nil
    }
    while let scalar = rest.popFirst() {
      switch scalar {
      case " ", "\t", "\n", "\r": finish()
      case "'":
        word = word ?? .init()
        while let inner = rest.popFirst(), inner != "'" { word?.append(inner) }
      case "\"":
        word = word ?? .init()
        while let inner = rest.popFirst(), inner != "\"" {
          let isEscape = inner == "\\" && ["\"", "\\", "$", "`"].contains(rest.first)
          if let next = isEscape ? rest.popFirst() : inner { word?.append(next) }
        }
      case "\\":
        word = word ?? .init()
        // A backslash at the end of a line joins it with the next.
        if let next = rest.popFirst(), next != "\n" { word?.append(next) }
      case ";", "|", "&", "(", ")", ">":
        finish()
        commands.append([])
      default:
        word = word ?? .init()
        word?.append(scalar)
      }
    }
    finish()
    self.commands = commands.filter { !$0.isEmpty }
  }
}
