// The report about the limits of a budget: a table of limits and what is used of them, and the
// limits that limit nothing, because their device, asset or group does not exist.

import ArchiveTools
import Bytes
import CatalogModel
import Documents
import Traits

/// The limits of a budget with their use.
package struct BudgetTable: Sendable {
  package var uses: [BudgetUse]
  /// The icons that are not compiled, because no option names them. No limit counts them.
  package var leftOutIcons: [ByteString]

  package init(_ uses: [BudgetUse] = [], leftOutIcons: [ByteString] = []) {
    self.uses = uses
    self.leftOutIcons = leftOutIcons
  }

  /// The limits that are exceeded.
  package var excesses: [BudgetUse] { uses.filter(\.isExceeded) }

  /// The rows, after a row with the heads of the columns.
  private var rows: [[String]] {
    [["budget for", "of", "limit", "used", "left"]]
      + uses.map { use in
        [
          onOneLine(use.owner), onOneLine(use.name), grouped(use.limit), grouped(use.bytes),
          (use.isExceeded ? "-" : "") + grouped(abs(use.limit - use.bytes)),
        ]
      }
  }

  private var iconLine: String? {
    if leftOutIcons.isEmpty { return nil }
    let options = leftOutIcons.map { "--app-icon \($0)" }.joined(separator: " ")
    let are = leftOutIcons.count == 1 ? "is" : "are"
    return onOneLine(
      "not counted: \(quotedList(leftOutIcons, joinedBy: "and")) \(are) compiled only with \(options)"
    )
  }

  /// The table for people; nil if there is no limit.
  package var text: String? {
    if uses.isEmpty { return nil }
    let lines = alignedColumns(rows, right: [2, 3, 4]) + [iconLine].compactMap { $0 }
    return lines.joined(separator: "\n")
  }

  /// The table in Markdown; nil if there is no limit.
  package var markdown: String? {
    if uses.isEmpty { return nil }
    let table = markdownTable(rows, right: [2, 3, 4])
    return table + (iconLine.map { "\n\($0.escapedForMarkdown)\n" } ?? "")
  }

  /// The members of `thin --report json`.
  package var members: [JSONOutput.Member] {
    var members: [JSONOutput.Member] = []
    if !uses.isEmpty {
      members.append(
        .init(
          "budget",
          .array(
            uses.map { use in
              [
                "device": use.device.isEmpty ? .null : .string(use.device),
                "kind": .string(use.kind), "name": .string(use.limitedName),
                "limit": .integer(use.limit), "used": .integer(use.bytes),
                "left": .integer(use.limit - use.bytes),
              ]
            })))
    }
    if !uses.isEmpty, !leftOutIcons.isEmpty {
      members.append(.init("leftOutIcons", .array(leftOutIcons.map { .name($0) })))
    }
    if !excesses.isEmpty {
      members.append(.init("excesses", .array(excesses.map { .string("\($0)") })))
    }
    return members
  }
}

extension BudgetUse {
  /// The device or the file that the limit is for.
  fileprivate var owner: String {
    if case .file(let path) = subject { path } else { device }
  }

  /// The name of the limited part: a file, a device, an asset or a group.
  fileprivate var limitedName: String {
    switch subject {
    case .file(let path): path
    case .pictures, .download: device
    case .asset(let name), .group(let name), .growth(let name): name.text
    }
  }

  fileprivate var kind: String {
    switch subject {
    case .file: "file"
    case .download: "download"
    case .pictures: "pictures"
    case .asset: "asset"
    case .group: "group"
    case .growth: "growth"
    }
  }

  /// The limited part, in the words of a table.
  fileprivate var name: String {
    switch subject {
    case .file: "the file"
    case .download: "all archives"
    case .pictures: "pictures"
    case .asset(let name): name.text
    case .group(let name): name.endsWithSlash ? name.text : "\(name)/"
    case .growth(let name): "\(name), as before"
    }
  }
}

// MARK: - Limits without effect

/// The names that limits of a budget may have.
package struct LimitedNames: Sendable {
  package var assets: [ByteString]
  /// The names of the assets in each folder of the catalogue, which groups may name too; nil for
  /// an archive, which has no folders.
  package var folders: [ByteString: Set<ByteString>]?
  /// The icons of the catalogue that are not compiled, because no option names them.
  package var leftOutIcons: [ByteString]

  package init(
    assets: [ByteString], folders: [ByteString: Set<ByteString>]? = nil,
    leftOutIcons: [ByteString] = []
  ) {
    self.assets = assets
    self.folders = folders
    self.leftOutIcons = leftOutIcons
  }

  /// The names in an archive, and in the catalogues of which it was compiled.
  package init(assets: [ByteString], of contents: CatalogContents) {
    let known = Set(assets)
    let icons = contents.assets.filter { $0.kind == .icon && !known.contains($0.name) }
    self.init(
      assets: assets, folders: contents.namesByFolder,
      leftOutIcons: Set(icons.map(\.name)).sorted())
  }
}

/// A limit of a name that does not exist.
package struct IdleLimit: Sendable, Hashable {
  /// The place of the limit, such as "limits.json:3:5".
  package var place: String
  package var reason: String

  package var sentence: String { "\(place): \(reason)" }
}

extension SizeBudget {
  /// Returns the reason for each limit of a name that does not exist: the name is misspelt, or the
  /// asset was deleted. Names of an earlier report count as existing, because a deleted asset has
  /// not grown.
  package func idleLimits(among names: LimitedNames) -> [IdleLimit] {
    var limits: [(name: ByteString, part: ByteString)] = []
    var reasons: [String] = []
    func add(_ name: ByteString, in part: ByteString, _ reason: String) {
      limits.append((name, part))
      reasons.append(onOneLine(reason))
    }
    for model in devices.keys.sorted() {
      do throws(QueryError) { _ = try deviceOfTable(model.text) } catch {
        add(model, in: "devices", error.message)
      }
    }
    // Reports list these two as if they were assets.
    let known = Set(names.assets + ["(atlases)", "(unnamed)"])
    var spelling = SpellingAdvice(names.assets)
    for name in assets.keys.sorted() where !known.contains(name) {
      if names.leftOutIcons.contains(name) {
        add(name, in: "assets", "the icon '\(name)' is left out; --app-icon \(name) compiles it")
        continue
      }
      add(
        name, in: "assets", "there is no asset '\(name)'\(spelling.suggestion(for: name))")
    }
    let shortGroups = Set(shortGroups(in: names.assets) + (names.folders ?? [:]).keys).sorted()
    spelling = SpellingAdvice(shortGroups)
    for group in groups.keys.sorted() {
      let prefix = group.endsWithSlash ? group : group + "/"
      let word = prefix.dropLast()
      let isFolder = names.folders?[word] != nil
      if isFolder || names.assets.contains(where: { $0.hasPrefix(prefix) }) { continue }
      let choice = groupChoice(for: word, among: shortGroups, &spelling)
      add(
        group, in: "groups",
        names.folders == nil
          ? "no namespace is called '\(word)', and an archive does not have the folders of its "
            + "catalogue\(choice)"
          : "no namespace and no folder is called '\(word)'\(choice)")
    }
    return zip(places(ofLimits: limits), reasons).map { IdleLimit(place: $0, reason: $1) }
  }
}

extension CatalogContents {
  /// The names of the assets in each folder of the catalogues, whether the folder gives them a
  /// namespace or not.
  package var namesByFolder: [ByteString: Set<ByteString>] {
    var folders: [ByteString: Set<ByteString>] = [:]
    for asset in assets {
      guard let inside = catalogs.lazy.compactMap({ asset.folder.relative(to: $0.path) }).first
      else { continue }
      let parts = inside.components.dropLast()
      for count in 0..<parts.count {
        folders[parts[...count].joined(separator: "/"), default: []].insert(asset.name)
      }
    }
    return folders
  }
}

/// Returns the most similar group, or all groups.
private func groupChoice(
  for word: ByteString, among groups: [ByteString], _ spelling: inout SpellingAdvice
) -> String {
  if groups.isEmpty { return "; there are none" }
  let near = spelling.suggestion(for: word)
  if !near.isEmpty { return near }
  let shown = groups.prefix(12).joined(separator: ", ")
  return "; there are \(shown)\(groups.count > 12 ? " and \(groups.count - 12) more" : "")"
}

/// Returns the prefixes of names up to a slash that the user could mean, sorted.
private func shortGroups(in names: [ByteString]) -> [ByteString] {
  var groups: Set<ByteString> = []
  for name in names {
    let start = name.bytes.prefix(64)
    for index in start.indices where start[index] == UInt8(ascii: "/") {
      groups.insert(ByteString(bytes: Array(start[..<index])))
    }
  }
  return groups.sorted()
}
