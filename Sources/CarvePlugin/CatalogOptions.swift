// The options of a catalogue: Assets.carve beside Assets.xcassets, with one option of `carve
// compile` on each line. The tool reads them when it runs; the plugin needs only the name of the
// type.

import Foundation

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
