// Catalogue folders to assets: the entry of the module. Folders are listed, then read, each
// independently; then put together (Assembly) and merged (MergeNames).
import Bytes
import Host
import Traits

/// What the reader has to know beside the folders.
package struct ReadingOptions: Sendable, Hashable {
  package var jobs: Int
  /// Whether all files are wanted by name.
  package var listsInputs: Bool

  package init(jobs: Int = availableProcessors(), listsInputs: Bool = true) {
    self.jobs = jobs
    self.listsInputs = listsInputs
  }
}

/// One catalogue folder.
package struct CatalogFolder: Sendable, Hashable {
  package var path: ByteString
  /// What the root says about generated symbol extensions; nil where it says nothing.
  package var generatesSymbolExtensions: Bool?

  package init(path: ByteString) { self.path = path }
}

/// What several catalogues hold together.
package struct CatalogContents: Sendable {
  /// In the order given.
  package var catalogs: [CatalogFolder] = []
  /// Sorted by name, then type. Of two with one name and type, the first listed catalogue's.
  package var assets: [AssetSet] = []
  /// Sorted; with line and column.
  package var diagnostics: [Diagnostic] = []
  /// Every folder and file below the catalogues, sorted: what a change of the output can depend on.
  /// What is not there is not among them: a new file changes its folder.
  /// Empty where nobody asked.
  package var inputs: [ByteString] = []
  package var inputCount = 0
  /// Files that were looked for in vain, sorted: each would change the output if it came.
  package var missing: [ByteString] = []

  package init() {}
}

/// Reads catalogues and merges them. The first listed catalogue wins a name.
package func readCatalogs(
  _ paths: [ByteString], in tree: FileTree, options: ReadingOptions = ReadingOptions()
) -> CatalogContents {
  let walk = FolderWalk(paths, in: tree, jobs: options.jobs)
  let readings = parallelMap(walk.folders, jobs: options.jobs) { readFolder($0, in: tree) }
  let assembly = Assembly(walk.folders, readings)
  let merge = NameMerge(assembly.assets)
  var contents = CatalogContents()
  for (folder, reading) in zip(walk.folders, readings) where folder.parent == nil {
    var catalog = CatalogFolder(path: folder.path)
    catalog.generatesSymbolExtensions = reading.generatesSymbolExtensions
    contents.catalogs.append(catalog)
  }
  contents.assets = merge.assets
  let slotFindings = located(checkSlots(of: merge.assets), in: tree)
  contents.diagnostics = inPrintingOrder(
    walk.diagnostics + readings.flatMap(\.diagnostics) + assembly.diagnostics + merge.diagnostics
      + slotFindings)
  contents.inputCount = inputCount(of: walk.folders, readings)
  if options.listsInputs { contents.inputs = inputs(of: walk.folders, readings) }
  contents.missing = Set(readings.flatMap(\.missing)).sorted()
  return contents
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
