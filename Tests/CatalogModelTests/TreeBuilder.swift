// Makes catalogues in memory with a few lines each.

import Bytes
import CatalogModel
import Support
import Traits
@testable import Host

private let fewDevices = ["iPhone14,7", "iPad13,18", "Watch6,18"].compactMap { Device(named: $0) }

struct TreeBuilder {
  private(set) var files: [ByteString: MemoryFile] = [:]
  var root = "A.xcassets"

  init() { files["A.xcassets"] = .folder }

  /// Adds a folder below the catalogue, with a Contents.json if `json` is given.
  func folder(_ path: String, _ json: String? = nil) -> TreeBuilder {
    var copy = self
    copy.files["\(root)/\(path)"] = .folder
    if let json { copy.files["\(root)/\(path)/Contents.json"] = .bytes(Array(json.utf8)) }
    return copy
  }

  func file(_ path: String, _ bytes: some Sequence<UInt8>) -> TreeBuilder {
    special(path, .bytes(Array(bytes)))
  }

  func special(_ path: String, _ file: MemoryFile) -> TreeBuilder {
    var copy = self
    copy.files["\(root)/\(path)"] = file
    return copy
  }

  /// Adds a file outside of the catalogue.
  func outside(_ path: String, _ file: MemoryFile) -> TreeBuilder {
    var copy = self
    copy.files[ByteString(path)] = file
    return copy
  }

  func picture(_ path: String, _ width: Int = 4, _ height: Int? = nil) -> TreeBuilder {
    file(path, png(width: width, height: height ?? width))
  }

  /// Adds an image set. The entries are JSON members; each gets its own picture.
  func imageSet(
    _ name: String, _ entries: [String], properties: String = "", sides: [Int] = []
  ) -> TreeBuilder {
    var copy = self
    var rows: [String] = []
    for (index, entry) in entries.enumerated() {
      let picture = "\(lastName(name))\(index).png"
      rows.append("{\"filename\":\"\(picture)\"\(entry.isEmpty ? "" : ",")\(entry)}")
      let side = sides.isEmpty ? 12 + 12 * index : sides[index]
      copy = copy.picture("\(name).imageset/\(picture)", side)
    }
    let more = properties.isEmpty ? "" : ",\"properties\":{\(properties)}"
    return copy.folder(
      "\(name).imageset", "{\"images\":[\(rows.joined(separator: ","))]\(more)}")
  }

  func colorSet(_ name: String, _ colors: [String]) -> TreeBuilder {
    folder("\(name).colorset", "{\"colors\":[\(colors.joined(separator: ","))]}")
  }

  private func lastName(_ path: String) -> String {
    path.split(separator: "/").last.map(String.init) ?? path
  }

  var tree: FileTree { .memory(files) }

  func read(_ more: String..., jobs: Int = 1) -> CatalogContents {
    readCatalogs(
      [ByteString(root)] + more.map { ByteString($0) }, in: tree,
      options: ReadingOptions(jobs: jobs))
  }

  /// Runs lint for three devices only, which is faster than for all.
  func lint(_ options: LintOptions = LintOptions()) -> [Diagnostic] {
    var options = options
    options.jobs = 1
    options.devices = options.devices ?? fewDevices
    return CatalogModel.lint(read(), in: tree, options: options)
  }

  /// Returns the findings of one code.
  func findings(_ code: DiagnosticCode, _ options: LintOptions = LintOptions()) -> [Diagnostic] {
    lint(options).filter { $0.code == code }
  }
}

extension CatalogContents {
  func asset(_ name: String) -> AssetSet? { assets.first { $0.name == name } }

  func images(_ name: String) -> ImageSet? {
    if case .images(let set)? = asset(name)?.contents { set } else { nil }
  }

  func colors(_ name: String) -> ColorSet? {
    if case .colors(let set)? = asset(name)?.contents { set } else { nil }
  }
}

/// Returns the JSON of an image set with these entries and no other members.
func images(_ entries: String) -> String { "{\"images\":[\(entries)]}" }
