// Rows for the options of `preview`, which check the contents of the page.

import Foundation
import Support

extension OptionRun {
  /// Returns the data of a page.
  func page(_ path: String = "page.html") throws -> [String: Any] {
    let text = String(decoding: try folder.read(path), as: UTF8.self)
    guard let start = text.range(of: #"<script type="application/json" id="data">"#),
      let end = text.range(of: "</script>", range: start.upperBound..<text.endIndex)
    else { return [:] }
    let data = Data(text[start.upperBound..<end.lowerBound].utf8)
    return try JSONSerialization.jsonObject(with: data) as? [String: Any] ?? [:]
  }

  func list(_ key: String, _ path: String = "page.html") throws -> [[String: Any]] {
    try page(path)[key] as? [[String: Any]] ?? []
  }

  /// Returns the names of the page's assets.
  func assets(_ path: String = "page.html") throws -> [String] {
    try list("assets", path).compactMap { $0["n"] as? String }
  }

  /// Returns the files of the page's variants.
  func pageFiles() throws -> [String] {
    try list("assets").flatMap { $0["v"] as? [[String: Any]] ?? [] }.compactMap {
      $0["f"] as? String
    }
  }

  /// Returns the longest side of the page's pictures.
  func longestSide() throws -> Int {
    try list("pictures").flatMap { [$0["w"], $0["h"]] }.compactMap { $0 as? Int }.max() ?? 0
  }
}

/// Pages of one device; the row about devices checks several.
private let page = "preview A.xcassets -o page.html"
private let preview = "\(page) --devices iPhone8,1"
private let wall = "preview B.xcassets -o page.html --devices iPhone8,1"

let previewOptionRows: [OptionRow] = [
  OptionRow("preview --output", "preview A.xcassets -o other.html --devices iPhone8,1") {
    try !$0.has("page.html") && $0.assets("other.html").contains("Star")
  },
  OptionRow("preview --assets", "\(preview) --assets St*r,W?rd") {
    try $0.assets() == ["Star", "Word"]
  },
  OptionRow("preview --devices", "\(page) --devices iPhone8,1,iPad5,3") {
    try $0.list("devices").compactMap { $0["id"] as? String } == ["iPhone8,1", "iPad5,3"]
  },
  OptionRow("preview --thumbnails", "\(preview) --thumbnails") {
    try $0.longestSide() == 256
  },
  OptionRow("preview --thumbnails", preview) { try $0.longestSide() > 256 },
  OptionRow("preview --full-size", "\(wall) --full-size") {
    try $0.longestSide() > 512 && $0.list("pictures").allSatisfy { $0["o"] == nil }
  },
  OptionRow("preview --full-size", wall) { try $0.longestSide() == 512 },
  OptionRow("preview --full-size", "\(preview) --full-size --thumbnails") {
    $0.result.code == 2 && $0.text.contains("--thumbnails and --full-size exclude each other")
  },
  OptionRow("preview --timing", "\(preview) --timing") {
    ["compile: ", "read: ", "answers: ", "pictures: ", "devices: ", "write: "].allSatisfy(
      $0.result.stderr.contains)
  },
  OptionRow("preview --platform", "\(page) --platform macosx") {
    try $0.pageFiles().contains("mac.png")
      && $0.list("devices").map { $0["id"] as? String } == ["MacFamily20,1", "Mac"]
  },
  OptionRow("preview --target-device", "\(preview) --target-device ipad") {
    try $0.pageFiles().contains("pad.png") && !$0.pageFiles().contains("phone.png")
  },
  OptionRow("preview --app-icon", "\(preview) --app-icon Other") {
    try $0.assets().contains("Other") && !$0.assets().contains("AppIcon")
  },
  OptionRow("preview --app-icon", preview) {
    try $0.assets().contains("Other") && $0.assets().contains("AppIcon")
  },
  OptionRow(
    "preview --include-all-app-icons", "\(preview) --app-icon Other --include-all-app-icons"
  ) {
    try $0.assets().contains("Other") && $0.assets().contains("AppIcon")
  },
  OptionRow("preview --together", "\(preview) --together A.xcassets") {
    try $0.page()["difference"] is NSNull && $0.assets().contains("Star")
  },
  OptionRow("preview --together", "\(preview) A.xcassets A.xcassets") {
    $0.result.code == 2 && $0.result.stderr.contains("give --together")
  },
  OptionRow(
    "preview --png", OptionCatalog.compiling.joined(separator: " "),
    "compile A.xcassets -o less.car --target-device ipad", "preview less.car full.car --png changes"
  ) {
    let names = try FileManager.default.contentsOfDirectory(atPath: $0.folder.path("changes"))
    return names.count == 3 && names.contains("Star, 2x, phone.png")
  },
  // PreviewServingTests tests that pages are served.
  OptionRow("preview --serve", "\(preview) --serve") {
    $0.result.code == 2 && !$0.has("page.html")
      && $0.result.stderr.contains("--serve shows the page and --output writes it")
  },
  OptionRow("preview --port", "\(preview) --port 8080") {
    $0.result.code == 2 && !$0.has("page.html")
      && $0.result.stderr.contains("--port is the port of --serve")
  },
]
