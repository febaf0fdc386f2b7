// A catalogue in a target's folder: its place, its files, the paths of its outputs, the words of
// the command that compiles it, and its options. The file imports nothing of SwiftPM, so that
// Tests/CarvePluginTests can also compile it.

import Foundation

struct FoundCatalog {
  let url: URL
  /// The catalogue with every folder and file in it.
  let inputs: [URL]
  let archive: URL
  let source: URL
  /// The folder that keeps compressed pictures for the next build.
  let cache: URL
  let type: String
  /// The file of its options; nil if it does not exist.
  let options: URL?
  /// The nearest file with settings; nil if it does not exist.
  let settings: URL?

  private init(_ url: URL, resources: URL) {
    let name = url.deletingPathExtension().lastPathComponent
    self.url = url
    inputs = [url] + FoundCatalog.contents(of: url)
    archive = resources.appending(path: "\(name).car")
    source = resources.appending(path: "\(name)+Carve.swift")
    cache = resources.appending(path: "cache")
    let options = CatalogOptions(beside: url)
    self.options = options.file
    settings = FoundCatalog.settings(above: url)
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

  /// Returns the nearest `.carve.json` in the folder of a catalogue or above it, up to the root of
  /// the repository.
  private static func settings(above catalog: URL) -> URL? {
    var folder = catalog.deletingLastPathComponent().standardizedFileURL
    while true {
      let file = folder.appending(path: ".carve.json")
      if FileManager.default.fileExists(atPath: file.path) { return file }
      let isRoot = [".git", ".hg", ".jj"].contains {
        FileManager.default.fileExists(atPath: folder.appending(path: $0).path)
      }
      let above = folder.deletingLastPathComponent()
      if isRoot || above.path == folder.path || folder.path == "/" { return nil }
      folder = above
    }
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

// MARK: - The command

extension FoundCatalog {
  /// Returns the words of the command that makes the outputs.
  func arguments(bundle: String, isSwift: Bool) -> [String] {
    var words = ["compile", url.path, "-o", archive.path, "--cache", cache.path]
    if isSwift { words += ["--swift", source.path, "--bundle", bundle, "--usual-type", type] }
    // The plugin does not read the options here: SwiftPM does not call it again if only a file's
    // contents changed.
    if let options { words += ["--options", options.path] }
    return words
  }

  func outputs(isSwift: Bool) -> [URL] { isSwift ? [archive, source] : [archive] }

  /// The files and folders whose changes make the tool run again.
  var dependencies: [URL] { inputs + [options, settings].compactMap { $0 } }

  /// The reason why two catalogues cannot be compiled for one target.
  struct Clash: Equatable {
    let message: String
    /// The path of the second catalogue.
    let file: String
  }

  /// Returns the clashes between the catalogues of a target: two with one archive or, if `typed`
  /// is true, two with one type.
  static func clashes(among catalogs: [FoundCatalog], typed: Bool) -> [Clash] {
    var archives: [String: FoundCatalog] = [:]
    var types: [String: FoundCatalog] = [:]
    var clashes: [Clash] = []
    for catalog in catalogs {
      let name = catalog.url.lastPathComponent
      if let first = archives.updateValue(catalog, forKey: name.lowercased()) {
        clashes.append(
          Clash(
            message: "two catalogues of one target are named \(name): \(first.url.path) and "
              + "\(catalog.url.path); give one of them another name", file: catalog.url.path))
      } else if typed, let first = types.updateValue(catalog, forKey: catalog.type) {
        clashes.append(
          Clash(
            message: "\(first.url.lastPathComponent) and \(name) would both be the type "
              + "\(catalog.type); rename one of them, or write '--type NAME' into a file "
              + "\(CatalogOptions.place(beside: catalog.url).lastPathComponent) beside it",
            file: catalog.url.path))
      }
    }
    return clashes
  }
}

// MARK: - Options

// The options of a catalogue: Assets.carve beside Assets.xcassets, with one option of `carve
// compile` on each line. The tool reads them when it runs; the plugin needs only the name of the
// type.

struct CatalogOptions {
  /// The file; nil if it does not exist.
  let file: URL?
  /// The value of `--type` in the file.
  private(set) var type: String?

  static func place(beside catalog: URL) -> URL {
    catalog.deletingPathExtension().appendingPathExtension("carve")
  }

  init(beside catalog: URL) {
    let place = CatalogOptions.place(beside: catalog)
    guard FileManager.default.fileExists(atPath: place.path) else {
      file = nil
      return
    }
    file = place
    let text = (try? String(contentsOf: place, encoding: .utf8)) ?? ""
    for line in text.split(whereSeparator: \.isNewline) {
      let words = line.split { $0.isWhitespace || $0 == "=" }
      if words.count == 2, words[0] == "--type" { type = String(words[1]) }
    }
  }
}
