// Fuzz target for layered icons: the bytes are an icon.json beside pictures. The icon is read,
// checked, planned for every platform, and rewritten for Xcode 26.

import Bytes
import CatalogCompiler
import CatalogModel
import Traits
@testable import Host

extension FuzzTarget {
  static let icon = FuzzTarget("icon") { bytes in
    let tree = FileTree.icon(with: Array(bytes))
    let contents = readCatalogs(["A.icon"], in: tree, options: .init(jobs: 1))
    let platforms: [Platform] = [.iOS, .macOS, .watchOS]
    _ = planFindings(
      of: contents, for: platforms.map { CompileTarget(platform: TargetPlatform($0)) }, icons: .all,
      in: tree)
    guard let older = try? iconForXcode26("A.icon", in: tree), let text = older.text else { return }
    // A rewritten icon needs no further change. Changes above a limit are left out.
    guard older.findings.count < 5_000,
      let again = try? iconForXcode26("A.icon", in: .icon(with: text))
    else { return }
    precondition(again.text == text && again.findings.isEmpty, "the icon changes again")
  }
}

extension FileTree {
  /// Returns a tree with the icon A.icon, which has the pictures a.svg, b.svg and c.png.
  static func icon(with json: [UInt8]) -> FileTree {
    let svg =
      #"<svg xmlns="http://www.w3.org/2000/svg" width="8" height="5"><path fill="white" d="M0 0H5V5Z"/></svg>"#
    // The header of a picture is enough: planning decodes none.
    let png: [UInt8] = [
      0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52, 0, 0, 0,
      16, 0, 0, 0, 16, 8, 6, 0, 0, 0, 0x1F, 0xF3, 0xFF, 0x61,
    ]
    return .memory([
      "A.icon": .folder, "A.icon/Assets": .folder, "A.icon/icon.json": .bytes(json),
      "A.icon/Assets/a.svg": .bytes(Array(svg.utf8)),
      "A.icon/Assets/b.svg": .bytes(Array(svg.utf8)), "A.icon/Assets/c.png": .bytes(png),
    ])
  }
}
