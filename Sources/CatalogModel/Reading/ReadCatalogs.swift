// Turns catalogue folders into assets; the entry point of the module. Folders are listed and then
// read, each independently of the others. Then Assembly makes assets of them, and NameMerge merges
// the catalogues.

import Bytes
import Host

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
  /// The image sets of other archives, to which layers of stacks can refer.
  package var otherImageSets: [ByteString: ImageSet] = [:]

  package init() {}
}

extension CatalogContents {
  /// Returns the finding that says why the icon of this name is not among the assets, if there is
  /// one.
  package func reason(whyMissing name: ByteString) -> Diagnostic? {
    let found = diagnostics.filter { finding in
      guard finding.severity == .error || finding.code == .missingContents else { return false }
      let folder = lastComponent(parentFolder(finding.file))
      return FolderRole.setType(pathExtension(folder)) != nil
        && withoutExtension(folder) == lastComponent(name)
    }
    return found.first { $0.severity == .error } ?? found.first
  }
}

/// Reads catalogues and merges them. The first listed catalogue wins a name.
package func readCatalogs(
  _ paths: [ByteString], in tree: FileTree, options: ReadingOptions = ReadingOptions()
) -> CatalogContents {
  let reading = CatalogReading(paths, in: tree, jobs: options.jobs)
  var contents = reading.contents(listsInputs: options.listsInputs)
  contents.diagnostics = inPrintingOrder(
    contents.diagnostics + located(checkSlots(of: contents.assets), in: tree))
  return contents
}

func inputCount(of folders: [Folder], _ readings: [FolderReading]) -> Int {
  let listed = readings.reduce(folders.count) { $0 + $1.inputs.count }
  return folders.reduce(listed) { $0 + $1.entries.count { $0.kind == .file } }
}

func inputs(of folders: [Folder], _ readings: [FolderReading]) -> [ByteString] {
  var paths = folders.map(\.path) + readings.flatMap(\.inputs)
  for folder in folders {
    for entry in folder.entries where entry.kind == .file {
      paths.append(joined(folder.path, entry.name))
    }
  }
  return paths.sorted()
}
