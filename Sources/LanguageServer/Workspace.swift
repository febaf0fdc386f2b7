// The open documents, the catalogues around them and in the folders of the editor, and their
// settings. Catalogues that lie side by side belong together, as for `carve lint`.

import Bytes
import CatalogCompiler
import CatalogModel
import Host

/// Where the server reads files, and how it learns the target of catalogues.
package struct ServerSurroundings: Sendable {
  package var tree: FileTree
  /// The words of `--platform`, for settings.
  package var platforms: [String]
  /// The pages to which the codes of findings link.
  package var pages = PageAddress.manual
  /// Returns the target of catalogues by their settings.
  package var target: @Sendable (FoundSettings?) -> Result<CatalogTarget, SettingsError>

  package init(
    tree: FileTree, platforms: [String],
    target: @escaping @Sendable (FoundSettings?) -> Result<CatalogTarget, SettingsError>
  ) {
    self.tree = tree
    self.platforms = platforms
    self.target = target
  }
}

struct Workspace {
  let texts = OpenTexts()
  let tree: FileTree
  /// The folders that are open in the editor.
  var folders: [ByteString] = []
  private let surroundings: ServerSurroundings
  var pages: PageAddress { surroundings.pages }
  private var states: [ByteString: CatalogState] = [:]
  private var finder: SettingsFinder
  /// The settings of the catalogues of a state.
  private var policies: [ByteString: DiagnosticPolicy] = [:]
  /// The groups of catalogues below `folders`, by the folders that hold them; nil before they are
  /// searched for.
  private var groups: [ByteString]?
  /// The changes since findings were published, by the folders that hold the catalogues: the sets
  /// whose findings can differ, or nil for all.
  private var changed: [ByteString: Set<ByteString>?] = [:]
  /// The documents whose texts changed and whose sets were not read again. Of several changes while
  /// one types, only the last text is read.
  private var edited: Set<ByteString> = []
  /// Faults of settings, and places that a change of a name left, that the user was not told yet.
  private(set) var troubles: [String] = []

  /// Whether all groups of catalogues are read, and kept. Otherwise, at most `mostStates` are.
  private var readsAllGroups = false

  /// The greatest number of groups of catalogues that are kept.
  private static let mostStates = 64

  init(_ surroundings: ServerSurroundings) {
    self.surroundings = surroundings
    tree = texts.tree(over: surroundings.tree)
    finder = SettingsFinder(in: tree, platforms: surroundings.platforms)
  }

  // MARK: Catalogues

  /// Returns the outermost catalogue that contains a path; nil if none does.
  static func catalog(of path: ByteString) -> ByteString? {
    var found: ByteString?
    for folder in withFoldersAround(path)
    where catalogEndings.contains(pathExtension(folder)) && folder != path {
      found = folder
    }
    return found
  }

  /// Returns the folder by which the catalogues of a path are known.
  static func group(of path: ByteString) -> ByteString? { catalog(of: path).map(parentFolder) }

  /// Returns the catalogues of a path; nil if it lies in none.
  mutating func state(of path: ByteString) -> CatalogState? {
    Workspace.group(of: path).flatMap { state(in: $0) }
  }

  /// Returns the catalogues in a folder; nil if it holds no catalogue.
  mutating func state(in group: ByteString) -> CatalogState? {
    readEdited()
    if let state = states[group] { return state }
    let catalogs = ((try? tree.list(group)) ?? []).filter { entry in
      entry.kind == .folder && catalogEndings.contains(pathExtension(entry.name))
    }.map { joined(group, $0.name) }
    if catalogs.isEmpty { return nil }
    if states.count >= Workspace.mostStates, !readsAllGroups { forget() }
    let state = CatalogState(catalogs, for: readSettings(of: catalogs, group), in: tree)
    states[group] = state
    return state
  }

  /// Forgets the catalogues without an open document.
  private mutating func forget() {
    let open = Set(texts.paths.compactMap { Workspace.group(of: $0) })
    states = states.filter { open.contains($0.key) }
    if states.count >= Workspace.mostStates { states = [:] }
    policies = policies.filter { states[$0.key] != nil }
  }

  /// Returns the folders with catalogues in the folders of the editor, and around open documents.
  /// If they are too many to be kept, returns those that come first in an order.
  mutating func allGroups(
    in isBefore: (ByteString, ByteString) -> Bool = { $0 < $1 }
  ) -> [ByteString] {
    if groups == nil {
      var found: Set<ByteString> = []
      for folder in folders {
        for catalog in catalogs(below: folder, in: tree)
        where catalogEndings.contains(pathExtension(catalog)) {
          found.insert(parentFolder(catalog))
        }
      }
      groups = found.sorted()
    }
    let open = texts.paths.compactMap { Workspace.group(of: $0) }
    let all = Set((groups ?? []) + open).sorted(by: isBefore)
    return readsAllGroups ? all : Array(all.prefix(Workspace.mostStates))
  }

  /// Makes an answer for which all catalogues are read, however many there are.
  mutating func readingAllGroups<Answer>(
    _ answer: (inout Workspace) throws(RequestError) -> Answer
  ) throws(RequestError) -> Answer {
    readsAllGroups = true
    defer {
      readsAllGroups = false
      if states.count > Workspace.mostStates { forget() }
    }
    return try answer(&self)
  }

  /// Returns the assets of all catalogues, with the contents that they belong to.
  mutating func allContents() -> [CatalogContents] {
    allGroups().compactMap { state(in: $0)?.contents }
  }

  // MARK: Changes

  /// Notes that the text of a document changed.
  mutating func change(_ path: ByteString) {
    if Workspace.group(of: path) != nil { edited.insert(path) }
  }

  /// Reads the sets again whose texts changed.
  private mutating func readEdited() {
    if edited.isEmpty { return }
    let paths = edited.sorted()
    edited = []
    for path in paths {
      guard let group = Workspace.group(of: path) else { continue }
      let folder = parentFolder(path)
      let isAlone = states[group]?.reread(folder, in: tree) ?? false
      note(isAlone ? [folder] : nil, of: group)
    }
  }

  /// Notes that findings about some sets can differ, or about all if nil is given.
  private mutating func note(_ sets: Set<ByteString>?, of group: ByteString) {
    if let sets, let known = changed[group] ?? .some([]) {
      changed[group] = .some(known.union(sets))
    } else {
      noteAll(of: group)
    }
  }

  /// Notes that all findings about the catalogues in a folder can differ.
  private mutating func noteAll(of group: ByteString) {
    changed.updateValue(nil, forKey: group)
  }

  /// Notes that files changed on disk, or that documents were opened, saved or closed.
  mutating func refresh(_ paths: [ByteString]) {
    readEdited()
    var byGroup: [ByteString: Set<ByteString>] = [:]
    for path in paths {
      if lastComponent(path) == ProjectSettings.fileName { return readEverythingAgain() }
      if catalogEndings.contains(pathExtension(path)), Workspace.catalog(of: path) == nil {
        // A catalogue came or went.
        states[parentFolder(path)] = nil
        noteAll(of: parentFolder(path))
        groups = nil
      }
      if let group = Workspace.group(of: path) { byGroup[group, default: []].insert(path) }
    }
    for (group, paths) in byGroup {
      let sets = states[group]?.refresh(paths, in: tree)
      note(sets, of: group)
    }
  }

  /// Forgets what was read, because settings changed.
  private mutating func readEverythingAgain() {
    finder = SettingsFinder(in: tree, platforms: surroundings.platforms)
    for group in states.keys { noteAll(of: group) }
    states = [:]
    policies = [:]
    groups = nil
  }

  mutating func noteFolders(_ folders: [ByteString]) {
    self.folders = folders
    groups = nil
  }

  // MARK: Findings

  private mutating func readSettings(
    of catalogs: [ByteString], _ group: ByteString
  ) -> CatalogTarget {
    var policy = DiagnosticPolicy()
    for catalog in catalogs {
      do throws(SettingsError) {
        if let found = try finder.settings(of: catalog) { policy.settings.append(found) }
      } catch {
        tell(error.message)
      }
    }
    policies[group] = policy
    switch surroundings.target(policy.settings.first) {
    case .success(let target): return target
    case .failure(let error):
      tell(error.message)
      return CatalogTarget(options: LintOptions(), targets: [], icons: .all)
    }
  }

  /// Tells the user something with the next findings.
  mutating func tell(_ trouble: String) {
    if !troubles.contains(trouble), troubles.count < 8 { troubles.append(trouble) }
  }

  mutating func takeTroubles() -> [String] {
    defer { troubles = [] }
    return troubles
  }

  /// Returns the shown findings of the catalogues in a folder; only those in some sets, if sets are
  /// given.
  mutating func findings(in group: ByteString, sets: Set<ByteString>? = nil) -> [Diagnostic] {
    guard state(in: group) != nil else { return [] }
    states[group]?.check(in: tree)
    var found = states[group]?.findings ?? []
    if let sets {
      found = found.filter { finding in
        sets.contains { finding.file == $0 || finding.file.isInside($0) }
      }
    }
    return shown(found, in: group)
  }

  /// Returns the shown findings about one file.
  mutating func findings(about path: ByteString) -> [Diagnostic] {
    guard let group = Workspace.group(of: path), state(in: group) != nil else { return [] }
    states[group]?.check(in: tree)
    let folder = parentFolder(path)
    return shown(
      (states[group]?.findings ?? []).filter { $0.file == path || $0.file == folder }, in: group
    ).filter { $0.file == path }
  }

  /// Returns the findings that the settings do not leave out. One about a folder is shown in the
  /// file of the folder, because editors show files.
  private func shown(_ findings: [Diagnostic], in group: ByteString) -> [Diagnostic] {
    let folders = states[group]?.folders ?? []
    func file(_ path: ByteString) -> ByteString {
      guard folders.contains(path) else { return path }
      return joined(path, pathExtension(path) == "icon" ? "icon.json" : "Contents.json")
    }
    let shown = (policies[group] ?? DiagnosticPolicy()).applied(to: findings).map { finding in
      var finding = finding
      finding.file = file(finding.file)
      for index in finding.notes.indices {
        finding.notes[index].file = file(finding.notes[index].file)
      }
      return finding
    }
    return inPrintingOrder(shown)
  }

  /// Returns the folders whose findings must be published, with the changed sets if only some
  /// changed, and forgets them.
  mutating func takeChanged() -> [(group: ByteString, sets: Set<ByteString>?)] {
    readEdited()
    defer { changed = [:] }
    return changed.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }

  var hasChanged: Bool { !changed.isEmpty || !edited.isEmpty }

  /// Whether checks wait until no more changes come.
  var isUnsettled: Bool { states.values.contains { $0.isUnsettled } }

  /// Makes the checks that wait until no more changes come.
  mutating func settle() {
    for group in states.keys where states[group]?.isUnsettled == true {
      if states[group]?.settle(in: tree) == true { noteAll(of: group) }
    }
  }
}
