// Turns catalogue folders into assets; the entry point of the module. Folders are listed and then
// read, each independently of the others. Then Assembly makes assets of them, and NameMerge merges
// the catalogues.
import Bytes
import Host
import Traits

/// The options of reading catalogues.
package struct ReadingOptions: Sendable, Hashable {
  package var jobs: Int
  /// Whether the result lists all files by name.
  package var listsInputs: Bool

  package init(jobs: Int = availableProcessors(), listsInputs: Bool = true) {
    self.jobs = jobs
    self.listsInputs = listsInputs
  }
}

/// One catalogue folder.
package struct CatalogFolder: Sendable, Hashable {
  package var path: ByteString
  /// Whether the root enables generated symbol extensions; nil if it does not say.
  package var generatesSymbolExtensions: Bool?

  package init(path: ByteString) { self.path = path }
}

/// The contents of several catalogues, merged.
package struct CatalogContents: Sendable {
  /// The catalogues in the given order.
  package var catalogs: [CatalogFolder] = []
  /// The assets, sorted by name, then by type. If two assets have the same name and type, only that
  /// of the first listed catalogue is here.
  package var assets: [AssetSet] = []
  /// The findings, sorted, with lines and columns.
  package var diagnostics: [Diagnostic] = []
  /// Every folder and file below the catalogues, sorted: all paths on which the output can depend.
  /// Files that do not exist are left out; creating one changes its folder, which is in the list.
  /// Empty if the options do not ask for it.
  package var inputs: [ByteString] = []
  package var inputCount = 0
  /// The files that entries name but that do not exist, sorted. If one of them is created, the
  /// output changes.
  package var missing: [ByteString] = []

  package init() {}
}

/// Reads catalogues and merges them. The first listed catalogue wins a name.
package func readCatalogs(
  _ paths: [ByteString], in tree: FileTree, options: ReadingOptions = ReadingOptions()
) -> CatalogContents {
  let reading = CatalogReading(paths, in: tree, jobs: options.jobs)
  var contents = reading.contents(listsInputs: options.listsInputs)
  contents.diagnostics = inPrintingOrder(
    contents.diagnostics + slotFindings(about: contents.assets, in: tree))
  return contents
}

/// Returns the findings about the slots of some assets and their parts.
package func slotFindings(about assets: [AssetSet], in tree: FileTree) -> [Diagnostic] {
  located(checkSlots(of: assets), in: tree)
}

/// Catalogues that were read folder by folder. A program that follows changes makes a new reading
/// of an old one, and reads only the changed folders.
package struct CatalogReading: Sendable {
  private let walk: FolderWalk
  private let readings: [FolderReading]
  /// The folders that this reading read, and did not take from the old one.
  package let readFolders: [ByteString]

  package init(_ paths: [ByteString], in tree: FileTree, jobs: Int) {
    let walk = FolderWalk(paths, in: tree, jobs: jobs)
    readings = parallelMap(walk.folders, jobs: jobs) { readFolder($0, in: tree) }
    readFolders = walk.folders.map(\.path)
    self.walk = walk
  }

  /// Reads the folders of `changed` again, and those that an old reading of the same catalogues
  /// did not find.
  package init(
    _ paths: [ByteString], updating old: CatalogReading, changed: Set<ByteString>,
    in tree: FileTree, jobs: Int
  ) {
    var places: [ByteString: Int] = [:]
    for (place, folder) in old.walk.folders.enumerated() where !changed.contains(folder.path) {
      places[folder.path] = place
    }
    var known = tree
    let (folders, unchanged) = (old.walk.folders, places)
    known.list = { (path) throws(FileError) in
      if let place = unchanged[path], !folders[place].isUnread { return folders[place].entries }
      return try tree.list(path)
    }
    let walk = FolderWalk(paths, in: known, jobs: 1)
    let oldReadings = old.readings
    let isOld = walk.folders.map { folder in
      unchanged[folder.path].map { folders[$0].isReadLike(folder) } ?? false
    }
    readings = parallelMap(Array(walk.folders.indices), jobs: jobs) { index in
      let folder = walk.folders[index]
      if isOld[index], let place = unchanged[folder.path] { return oldReadings[place] }
      return readFolder(folder, in: tree)
    }
    readFolders = zip(walk.folders, isOld).filter { !$0.1 }.map(\.0.path)
    self.walk = walk
  }

  /// Reads one folder again whose entries did not change; nil if it is no folder of the catalogues.
  package func rereading(_ path: ByteString, in tree: FileTree) -> CatalogReading? {
    guard let place = walk.folders.firstIndex(where: { $0.path == path }) else { return nil }
    var readings = readings
    readings[place] = readFolder(walk.folders[place], in: tree)
    return CatalogReading(walk: walk, readings: readings, readFolders: [path])
  }

  private init(walk: FolderWalk, readings: [FolderReading], readFolders: [ByteString]) {
    (self.walk, self.readings, self.readFolders) = (walk, readings, readFolders)
  }

  /// Returns the merged contents, without findings about slots.
  package func contents(listsInputs: Bool = false) -> CatalogContents {
    let assembly = Assembly(walk.folders, readings)
    let merge = NameMerge(assembly.assets)
    var contents = CatalogContents()
    for (folder, reading) in zip(walk.folders, readings) where folder.parent == nil {
      var catalog = CatalogFolder(path: folder.path)
      catalog.generatesSymbolExtensions = reading.generatesSymbolExtensions
      contents.catalogs.append(catalog)
    }
    contents.assets = merge.assets
    contents.diagnostics = inPrintingOrder(
      walk.diagnostics + readings.flatMap(\.diagnostics) + assembly.diagnostics
        + merge.diagnostics)
    contents.inputCount = inputCount(of: walk.folders, readings)
    if listsInputs { contents.inputs = inputs(of: walk.folders, readings) }
    contents.missing = Set(readings.flatMap(\.missing)).sorted()
    return contents
  }
}

extension Folder {
  /// Returns whether reading this folder gives the same as reading another one at its path.
  fileprivate func isReadLike(_ other: Folder) -> Bool {
    isUnread == other.isUnread && depth == other.depth && catalog == other.catalog
      && isBehindLink == other.isBehindLink && isOfLinks == other.isOfLinks
      && entries == other.entries
  }
}

private func inputCount(of folders: [Folder], _ readings: [FolderReading]) -> Int {
  let listed = readings.reduce(folders.count) { $0 + $1.inputs.count }
  return folders.reduce(listed) { $0 + $1.entries.count { $0.kind == .file } }
}

private func inputs(of folders: [Folder], _ readings: [FolderReading]) -> [ByteString] {
  var paths = folders.map(\.path) + readings.flatMap(\.inputs)
  for folder in folders {
    for entry in folder.entries where entry.kind == .file {
      paths.append(joined(folder.path, entry.name))
    }
  }
  return paths.sorted()
}
