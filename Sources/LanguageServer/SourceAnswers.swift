// Hover and definition in Swift and Objective-C sources: the asset that a string or a constant
// names, found in the catalogues of the workspace.

import AssetSymbols
import Bytes
import CatalogModel
import Documents
import Host
import Traits

extension AssetSet {
  /// Whether programs find the asset as this kind.
  fileprivate func isFound(as kind: SourceName.Kind?) -> Bool {
    switch (self.kind, kind) {
    case (.image?, .image?), (.symbol?, .image?), (.icon?, .image?), (.color?, .color?),
      (.data?, .data?), (.some, nil):
      true
    default: false
    }
  }
}

extension AssetSet {
  /// The file that an editor opens for the asset: a picture if no text describes it.
  var shownFile: ByteString {
    if case .icons(let set) = contents { return set.entries.last?.file.path ?? folder }
    return describingFile
  }
}

/// An asset that a source uses.
struct UsedAsset {
  var asset: AssetSet
  /// The part of the source that names it.
  var range: Range<Int>
}

extension Workspace {
  /// Returns the assets that a use may mean. The catalogues nearest to the source come first.
  mutating func assets(of use: SourceName, in source: ByteString) -> [UsedAsset] {
    let groups = allGroups { a, b in
      (Workspace.shared(a, source), b) > (Workspace.shared(b, source), a)
    }
    var found: [UsedAsset] = []
    for group in groups { found += state(in: group)?.assets(of: use) ?? [] }
    return found
  }

  /// Returns the number of folders that two paths have in common.
  private static func shared(_ a: ByteString, _ b: ByteString) -> Int {
    zip(a.components, b.components).prefix { $0 == $1 }.count
  }
}

extension CatalogState {
  fileprivate func assets(of use: SourceName) -> [UsedAsset] {
    switch use.name {
    case .text(let name):
      return contents.assets.filter { $0.name == name && $0.isFound(as: use.kind) }
        .map { UsedAsset(asset: $0, range: use.range) }
    case .constant(let constant):
      return symbolNames.filter { $0.objectiveC == constant }.flatMap { assets(of: $0, use.range) }
    case .swift(let path):
      let names = symbolNames.filter { name in
        (use.kind ?? name.kind.use) == name.kind.use
          && name.swift.map { path.starts(with: $0) } ?? false
      }
      return names.flatMap { name -> [UsedAsset] in
        // Members of the asset's type may follow: `.brand.opacity`.
        let rest = path.dropFirst(name.swift?.count ?? 0)
        let length = rest.reduce(0) { $0 + 1 + $1.utf8.count }
        let end = max(use.range.lowerBound, use.range.upperBound - length)
        return assets(of: name, use.range.lowerBound..<end)
      }
    }
  }

  private func assets(of name: SymbolName, _ range: Range<Int>) -> [UsedAsset] {
    contents.assets.filter { $0.folder == name.asset.folder }
      .map { UsedAsset(asset: $0, range: range) }
  }
}

extension SymbolName.Kind {
  fileprivate var use: SourceName.Kind {
    switch self {
    case .color: .color
    case .image: .image
    }
  }
}

// MARK: - Answers

extension LanguageServer {
  /// Returns the assets that a source uses at a position, and the text of the source.
  mutating func usedAssets(
    _ params: JSONValue, in path: ByteString, _ language: SourceLanguage
  ) throws(RequestError) -> (places: TextPlaces, assets: [UsedAsset]) {
    let places = try text(path, atMost: FileLimit.document)
    guard let use = assetUse(at: places.offset(params["position"]), in: places.bytes, language)
    else { return (places, []) }
    return (places, workspace.assets(of: use, in: path))
  }

  mutating func sourceDefinition(
    _ params: JSONValue, in path: ByteString, _ language: SourceLanguage
  ) throws(RequestError) -> JSONOutput {
    .array(try usedAssets(params, in: path, language).assets.map { location($0.asset.shownFile) })
  }

  mutating func sourceHover(
    _ params: JSONValue, in path: ByteString, _ language: SourceLanguage
  ) throws(RequestError) -> JSONOutput {
    let (places, assets) = try usedAssets(params, in: path, language)
    guard let first = assets.first else { return .null }
    let words = assets.map { $0.asset.hoverWords(in: workspace.tree) }
    return hoverAnswer(words.joined(separator: "\n\n---\n\n"), places.range(first.range))
  }
}

extension AssetSet {
  /// The greatest number of variants that a hover lists.
  private static let mostVariants = 12

  /// Returns what the asset is, its variants, and its picture, as Markdown.
  func hoverWords(in tree: FileTree) -> String {
    var words = "**\(name.text.escapedForMarkdown)** (.\(type.rawValue))"
    let files = slotFiles
    if case .colors(let set) = contents {
      for entry in set.entries.prefix(AssetSet.mostVariants) {
        if let value = entry.value {
          words += "\n- \(entry.slot.words.escapedForMarkdown): \(value.words)"
        }
      }
    }
    for (slot, file) in files.prefix(AssetSet.mostVariants) {
      let what = pictureWords(file.path, in: tree) ?? "the file is missing"
      words += "\n- \(slot.words.escapedForMarkdown): \(file.name.text.escapedForMarkdown), \(what)"
    }
    if files.count > AssetSet.mostVariants {
      words += "\n- and \(files.count - AssetSet.mostVariants) more"
    }
    // The last picture is usually that with the most pixels.
    let picture = files.reversed().lazy.compactMap { pictureMarkdown($0.file.path, in: tree) }.first
    return picture.map { "\(words)\n\n\($0)" } ?? words
  }
}

extension ColorDefinition {
  /// The colour in words: "#FF8000 (srgb)", with its components if they exceed a byte.
  var words: String {
    switch self {
    case .reference(let platform, let name): return "\(name) of \(platform)".escapedForMarkdown
    case .color(let color):
      let numbers = color.components.map { brief($0) }.joined(separator: " ")
      var digits = ""
      for value in color.components where (0...1).contains(value) {
        let byte = UInt8((value * 255).rounded())
        digits += (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
      }
      if color.components.count == 4, digits.count == 8 {
        let hex = digits.hasSuffix("FF") ? String(digits.dropLast(2)) : digits
        return "#\(hex) (\(color.space.rawValue)), \(numbers)"
      }
      return "\(color.space.rawValue) \(numbers)"
    }
  }
}
