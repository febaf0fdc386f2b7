// Catalogues as they were read, folder by folder. A program that follows changes keeps a reading.
// It reads changed folders again, and puts a changed asset into the merged contents without merging
// all assets again, if no other asset can be affected.

import Bytes
import Host

package struct CatalogReading: Sendable {
  private var walk: FolderWalk
  private var readings: [FolderReading]
  /// The index of each folder by its path.
  private let indices: [ByteString: Int]
  /// The indices of the folders that contain folders.
  private let parents: Set<Int>
  /// The folders that were read for this reading, and not taken from an old one.
  package let readFolders: [ByteString]

  /// Reads all folders.
  package init(_ paths: [ByteString], in tree: FileTree, jobs: Int) {
    let walk = FolderWalk(paths, in: tree, jobs: jobs)
    let readings = parallelMap(walk.folders, jobs: jobs) { readFolder($0, in: tree) }
    self.init(walk, readings, readFolders: walk.folders.map(\.path))
  }

  /// Reads the folders of `changed` again, and those that an old reading of the same catalogues
  /// did not find.
  package init(
    _ paths: [ByteString], updating old: CatalogReading, changed: Set<ByteString>,
    in tree: FileTree, jobs: Int
  ) {
    let (folders, indices) = (old.walk.folders, old.indices)
    @Sendable func known(_ path: ByteString) -> Int? {
      changed.contains(path) ? nil : indices[path]
    }
    var knownTree = tree
    knownTree.list = { (path) throws(FileError) in
      if let index = known(path), !folders[index].isUnread { return folders[index].entries }
      return try tree.list(path)
    }
    let walk = FolderWalk(paths, in: knownTree, jobs: 1)
    let oldReadings = old.readings
    let oldPlaces = walk.folders.map { folder in
      known(folder.path).flatMap { folders[$0].isReadLike(folder) ? $0 : nil }
    }
    let readings = parallelMap(Array(walk.folders.indices), jobs: jobs) { index in
      oldPlaces[index].map { oldReadings[$0] } ?? readFolder(walk.folders[index], in: tree)
    }
    let read = zip(walk.folders, oldPlaces).filter { $0.1 == nil }.map(\.0.path)
    self.init(walk, readings, readFolders: read)
  }

  private init(_ walk: FolderWalk, _ readings: [FolderReading], readFolders: [ByteString]) {
    self.walk = walk
    self.readings = readings
    self.readFolders = readFolders
    indices = Dictionary(
      walk.folders.enumerated().map { ($0.element.path, $0.offset) },
      uniquingKeysWith: { a, _ in a })
    parents = Set(walk.folders.compactMap(\.parent))
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
    // The finding about an entry says that its file is a link without a target.
    let named = readings.reduce(into: Set<ByteString>()) { $0.formUnion($1.brokenLinks) }
    contents.diagnostics = inPrintingOrder(
      walk.diagnostics.filter { $0.code != .linkLoop || !named.contains($0.file) }
        + assembly.diagnostics + merge.diagnostics
        + readings.enumerated().flatMap { index, reading in
          assembly.leftOut.contains(index) ? [] : reading.diagnostics
        })
    contents.inputCount = inputCount(of: walk.folders, readings)
    if listsInputs { contents.inputs = inputs(of: walk.folders, readings) }
    contents.missing = Set(readings.flatMap(\.missing)).sorted()
    return contents
  }

  // MARK: Single folders

  /// The part of the catalogues that a change of a folder affects.
  package enum Effect: Sendable, Hashable {
    /// The asset of the folder at most. The contents are up to date.
    case asset
    /// Perhaps other assets. The contents must be made again.
    case contents
    /// Perhaps other folders. The catalogues must be read again, with the unchanged folders.
    case folders
  }

  /// Lists folders again. Returns those whose files differ; nil if folders or links came or went,
  /// or if one of them is not known. Then nothing changed here.
  package mutating func relist(_ paths: [ByteString], in tree: FileTree) -> [ByteString]? {
    var lists: [(index: Int, entries: [FileEntry])] = []
    func isInner(_ entry: FileEntry) -> Bool { entry.kind != .file || entry.isLink }
    for path in paths {
      guard let index = indices[path], let entries = try? tree.list(path) else { return nil }
      let old = walk.folders[index]
      guard !old.isUnread, !old.isOfLinks, !old.entries.contains(where: \.isLink),
        old.entries.filter(isInner) == entries.filter(isInner)
      else { return nil }
      if old.entries != entries { lists.append((index, entries)) }
    }
    for (index, entries) in lists { walk.folders[index].entries = entries }
    return lists.map { walk.folders[$0.index].path }
  }

  /// Returns whether a folder is known.
  package func contains(_ folder: ByteString) -> Bool { indices[folder] != nil }

  /// Reads one folder again, and puts its asset into the contents if no other asset is affected.
  /// The lists of inputs and missing files in the contents stay as they are.
  package mutating func reread(
    _ path: ByteString, updating contents: inout CatalogContents, in tree: FileTree
  ) -> Effect {
    guard let index = indices[path] else { return .folders }
    let old = readings[index]
    readings[index] = readFolder(walk.folders[index], in: tree)
    guard standsAlone(index) else { return .contents }
    let new = Assembly.asset(at: index, of: walk.folders, readings)
    let oldPlace = contents.assets.firstIndex { $0.folder == path }
    switch (oldPlace, new) {
    case (let index?, let new?): contents.assets[index] = new
    case (let index?, nil):
      if isEntangled(contents.assets[index], in: contents) { return .contents }
      contents.assets.remove(at: index)
    case (nil, let new?):
      if isEntangled(new, in: contents) { return .contents }
      let next = contents.assets.firstIndex { new.name < $0.name } ?? contents.assets.count
      contents.assets.insert(new, at: next)
    case (nil, nil):
      // An asset that lost its name to another one is not among the assets.
      if contents.diagnostics.contains(where: { $0.code == .nameClash && $0.file == path }) {
        return .contents
      }
    }
    let gone = Set(old.diagnostics)
    contents.diagnostics.removeAll { $0.file.hasPrefix(path) && gone.contains($0) }
    contents.diagnostics += readings[index].diagnostics
    return .asset
  }

  /// Returns whether a folder is a set outside of other sets, without folders in it.
  private func standsAlone(_ index: Int) -> Bool {
    guard case .set = FolderRole(of: walk.folders[index]), !parents.contains(index) else {
      return false
    }
    return sequence(first: index, next: { walk.folders[$0].parent }).dropFirst().allSatisfy {
      switch FolderRole(of: walk.folders[$0]) {
      case .catalog, .group: true
      case .set, .unknown: false
      }
    }
  }

  /// Returns whether another asset has a name like that of an asset, so that the merge of names
  /// depends on both.
  private func isEntangled(_ asset: AssetSet, in contents: CatalogContents) -> Bool {
    let name = asset.name.lowercased()
    let count = name.count
    let isPlain = asset.name.isASCII
    return contents.assets.contains { other in
      guard other.folder != asset.folder else { return false }
      if !isPlain, !other.name.isASCII { return true }
      return other.name.count == count && other.name.lowercased() == name
    }
      || contents.diagnostics.contains { finding in
        finding.code == .nameClash && finding.notes.contains { $0.file == asset.folder }
      }
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
