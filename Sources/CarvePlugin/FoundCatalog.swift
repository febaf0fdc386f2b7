// A catalogue in a target's folder: its place, its files, and the paths of its outputs.

import Foundation

struct FoundCatalog {
  let url: URL
  /// The catalogue with every folder and file in it.
  let inputs: [URL]
  let archive: URL
  let source: URL
  let type: String
  /// The file of its options; nil if it does not exist.
  let options: URL?

  private init(_ url: URL, resources: URL) {
    let name = url.deletingPathExtension().lastPathComponent
    self.url = url
    inputs = [url] + FoundCatalog.contents(of: url)
    archive = resources.appending(path: "\(name).car")
    source = resources.appending(path: "\(name)+Carve.swift")
    let options = CatalogOptions(beside: url)
    self.options = options.file
    type = options.type ?? FoundCatalog.typeName(name)
  }

  /// Returns the catalogues below a folder at any depth, but not those inside other catalogues, in
  /// the order of their paths.
  static func all(below folder: URL, resources: URL) -> [FoundCatalog] {
    guard
      let walk = FileManager.default.enumerator(
        at: folder, includingPropertiesForKeys: nil, options: .skipsHiddenFiles)
    else { return [] }
    var found: [URL] = []
    for case let url as URL in walk where url.pathExtension == "xcassets" {
      walk.skipDescendants()
      found.append(url)
    }
    return found.sorted { $0.path < $1.path }.map { FoundCatalog($0, resources: resources) }
  }

  private static func contents(of folder: URL) -> [URL] {
    guard let walk = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
    else { return [] }
    return walk.compactMap { $0 as? URL }.sorted { $0.path < $1.path }
  }

  /// Returns a name such as "app icons-2" as the name of a type: AppIcons2.
  private static func typeName(_ name: String) -> String {
    let words = name.split { !$0.isLetter && !$0.isNumber }
    let joined = words.map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
    if joined.isEmpty { return "Assets" }
    return joined.first?.isNumber ?? false ? "_" + joined : joined
  }
}
