// Catalogue folders to assets: the entry of the module.
import Traits

/// What the reader has to know beside the folders.
public struct ReadingOptions: Sendable, Hashable {
  public var jobs: Int

  public init(jobs: Int = availableProcessors()) { self.jobs = jobs }
}

/// One catalogue folder.
public struct Catalog: Sendable, Hashable {
  public var path: String
  /// What the root says about generated symbol extensions; nil where it says nothing.
  public var generatesSymbolExtensions: Bool?

  public init(path: String) { self.path = path }
}

/// What several catalogues hold together.
public struct CatalogContents: Sendable {
  /// In the order given.
  public var catalogs: [Catalog] = []
  /// Sorted by name, then type. Of two with one name and type, the first listed catalogue's.
  public var assets: [AssetSet] = []
  /// Sorted; with line and column.
  public var diagnostics: [Diagnostic] = []
  /// Every folder and file below the catalogues, sorted: what a change of the output can depend on.
  public var inputs: [String] = []

  public init() {}
}

/// Reads catalogues and merges them. The first listed catalogue wins a name.
public func readCatalogs(
  _ paths: [String], in tree: FileTree, options: ReadingOptions = ReadingOptions()
) -> CatalogContents {
  CatalogContents()
}
