// Every option of every command does something: each has a row that sees it happen, and a test that
// there is a row. What commands do besides is in the tests of each.

import Foundation
import Support
import Testing

/// What one run of the tool left.
struct OptionRun {
  let folder: TemporaryDirectory
  let result: ToolResult

  var text: String { result.stdout + result.stderr }

  /// The renditions of an archive, in the words of `info --json`.
  func renditions(_ archive: String = "out.car") throws -> [[String: Any]] {
    let info = try runTool(["info", "--json", archive], in: folder.path)
    let list = try JSONSerialization.jsonObject(with: Data(info.output)) as? [[String: Any]]
    return list ?? []
  }

  /// The names of their files, sorted.
  func files(_ archive: String = "out.car") throws -> [String] {
    try renditions(archive).compactMap { $0["RenditionName"] as? String }
      .filter { !$0.hasPrefix("ZZZZ") }.sorted()
  }

  func header(_ archive: String = "out.car") throws -> [String: Any] {
    try renditions(archive).first ?? [:]
  }

  func has(_ path: String) -> Bool {
    FileManager.default.fileExists(atPath: folder.path(path))
  }

  func object() throws -> [String: Any] {
    try JSONSerialization.jsonObject(with: Data(result.output)) as? [String: Any] ?? [:]
  }
}

struct OptionRow: Sendable, CustomTestStringConvertible {
  /// "compile --platform"
  var option: String
  /// Command lines one after the other, of which the last is looked at.
  var lines: [[String]]
  var check: @Sendable (OptionRun) throws -> Bool

  var testDescription: String { "\(option): \(lines.last?.joined(separator: " ") ?? "")" }

  init(
    _ option: String, _ lines: String..., check: @escaping @Sendable (OptionRun) throws -> Bool
  ) {
    self.option = option
    self.lines = lines.map { $0.split(separator: " ").map(String.init) }
    self.check = check
  }
}

@Suite struct OptionTests {
  @Test(arguments: compileOptionRows + thinOptionRows + askingOptionRows + otherOptionRows)
  func theOptionDoesWhatItSays(row: OptionRow) throws {
    let folder = try TemporaryDirectory()
    try writeOptionCatalog(to: folder)
    var run: OptionRun?
    for line in row.lines {
      run = OptionRun(folder: folder, result: try runTool(line, in: folder.path))
    }
    let last = try #require(run)
    #expect(try row.check(last), "\(last.result.code) \(last.text.prefix(2000))")
  }

  /// Names of a command's own options, by its help.
  @Test func everyOptionHasARow() throws {
    let rows = compileOptionRows + thinOptionRows + askingOptionRows + otherOptionRows
    let tested = Set(rows.map(\.option))
    let commands = try runTool(["man"]).stdout.split(separator: "\n").dropFirst()
      .map { String($0.dropFirst("carve-".count)) }
    var missing: [String] = []
    for command in commands {
      for line in try runTool([command, "--help"]).stdout.split(separator: "\n") {
        guard let match = line.firstMatch(of: /^ {2,6}(-[A-Za-z], )?(--[a-z-]+)/) else { continue }
        let option = "\(command) \(match.output.2)"
        if ["--help", "--version"].contains(match.output.2) { continue }
        if !tested.contains(option) { missing.append(option) }
      }
    }
    #expect(missing == [])
  }
}

/// A catalogue in which every option finds something to do.
private func writeOptionCatalog(to folder: TemporaryDirectory) throws {
  func picture(_ path: String, side: Int, _ pixel: (Int, Int) -> [UInt8]) throws {
    let samples = (0..<side * side).flatMap { pixel($0 % side, $0 / side) }
    try folder.write(
      png(width: side, height: side, color: .rgba, samples: samples), to: "A.xcassets/\(path)")
  }
  var number = 0
  func set(_ name: String, _ entries: [(String, String, Int)], properties: String = "") throws {
    var rows: [String] = []
    for (file, traits, side) in entries {
      number += 1
      let seed = number
      try picture("\(name)/\(file)", side: side) { x, y in
        [UInt8(x * 7 % 256), UInt8(y * 5 % 256), UInt8((x + y * seed) % 256), 255]
      }
      rows.append(#"{ "filename" : "\#(file)"\#(traits.isEmpty ? "" : ", ")\#(traits) }"#)
    }
    try folder.write(
      #"{ \#(properties)"images" : [ \#(rows.joined(separator: ", ")) ] }"#,
      to: "A.xcassets/\(name)/Contents.json")
  }
  func look(_ value: String) -> String {
    #", "appearances" : [ { "appearance" : "luminosity", "value" : "\#(value)" } ]"#
  }
  let two = #""scale" : "2x""#
  try set(
    "Star.imageset",
    [
      ("one.png", #""scale" : "1x""#, 10), ("two.png", two, 20),
      ("three.png", #""scale" : "3x""#, 30), ("dark.png", two + look("dark"), 20),
      ("phone.png", two + #", "idiom" : "iphone""#, 20),
      ("pad.png", two + #", "idiom" : "ipad""#, 20),
      ("mac.png", two + #", "idiom" : "mac""#, 20),
      ("p3.png", two + #", "display-gamut" : "display-P3""#, 20),
    ])
  try set(
    "Wide.imageset",
    [
      ("any.png", two, 20), ("compact.png", two + #", "width-class" : "compact""#, 20),
      ("regular.png", two + #", "width-class" : "regular""#, 20),
    ])
  try set(
    "Word.imageset", [("word.png", two, 20), ("de.png", two + #", "locale" : "de""#, 20)],
    properties: #""properties" : { "localizable" : true }, "#)
  try set(
    "Power.imageset",
    [
      ("weak.png", two, 20), ("metal.png", two + #", "graphics-feature-set" : "apple5""#, 20),
      ("much.png", two + #", "memory" : "4GB""#, 20),
      ("tall.png", two + #", "subtype" : "2436h""#, 20),
      ("small.png", two + #", "subtype" : "retina4""#, 20),
    ])
  try set("Large.imageset", [("large.png", two, 250)])
  let icon = #""size" : "60x60", "scale" : "2x", "idiom" : "iphone""#
  for name in ["AppIcon", "Other"] {
    try set("\(name).appiconset", [("\(name).png", icon, 120)])
  }
  try folder.write("[1]", to: "A.xcassets/Facts.dataset/facts.json")
  try folder.write(
    #"{ "data" : [ { "filename" : "facts.json" } ] }"#, to: "A.xcassets/Facts.dataset/Contents.json"
  )
  // Left out with a warning.
  try folder.write("{}", to: "A.xcassets/Texture.textureset/Contents.json")
  try folder.write(
    """
    <plist version="1.0"><dict><key>UIRequiresFullScreen</key><true/>
    <key>UIDeviceFamily</key><array><integer>1</integer><integer>2</integer></array>
    <key>CFBundleLocalizations</key><array><string>en</string></array></dict></plist>
    """, to: "Info.plist")
}
