// The fuzz target of the scanners of sources, and of the readers of projects.

import Bytes
import CatalogModel
import Host
import Uses

extension FuzzTarget {
  /// Looks for uses in a source. The first byte chooses the type of the file; the others are the
  /// file.
  static let uses = FuzzTarget("uses") { bytes in
    guard let choice = bytes.first else { return }
    let name = sourceNames[Int(choice) % sourceNames.count]
    let source = MemoryFile.bytes([UInt8](bytes.dropFirst()))
    var files: [ByteString: MemoryFile] = ["S/\(name)": source]
    for asset in ["star", "icon_1", "Group Red/Nested", "tab-dark"] {
      let contents = #"{"images":[{"idiom":"universal"}]}"#
      files["A.xcassets/\(asset).imageset/Contents.json"] = .bytes(Array(contents.utf8))
    }
    let tree = FileTree.memory(files)
    let options = ReadingOptions(jobs: 1, listsInputs: false)
    let contents = readCatalogs(["A.xcassets"], in: tree, options: options)
    var request = UseRequest(contents: [contents], sources: ["S"], current: "/", jobs: 1)
    if let targets = try? TargetList(projects: ["/S/\(name)"], in: tree, current: "/") {
      request.targets = targets
    }
    let report = findUses(request, in: tree)
    _ = report.diagnostics
    _ = report.uses(of: "star")
  }

  private static let sourceNames: [ByteString] = [
    "A.swift", "A.m", "A.js", "A.xib", "Info.plist", "A.json", "A.html", "A.xcconfig", "A.strings",
    "Package.swift", "A.xcodeproj/project.pbxproj", "A.py", "A.lua", "A.php", "A.rb", "A.cs",
  ]
}
