// Tests that every option of `compile` distinguishes remembered runs: the same line with another
// value of the option gives the result of a run without a cache, and not the remembered answer.

import Foundation
import Support
import Testing

/// The words of two runs that differ in one option and have different outputs.
private struct RememberedOption: Sendable, CustomTestStringConvertible {
  let option: String
  let first: String
  let second: String
  /// Whether the option changes an output.
  var changesOutput = true

  var testDescription: String { option }

  init(_ option: String, _ first: String, _ second: String, changesOutput: Bool = true) {
    self.option = option
    self.first = first
    self.second = second
    self.changesOutput = changesOutput
  }
}

private let phone = "A.xcassets --device iPhone8,1"
private let icon = "Boat.icon --app-icon Boat --platform macosx"
private let solid = "Solid.xcassets --app-icon Solid --platform xros"

private let rows = [
  RememberedOption("--no-index", "A.xcassets", "A.xcassets --no-index"),
  RememberedOption(
    "--memory", "A.xcassets --memory 1", "A.xcassets --memory 9", changesOutput: false),
  RememberedOption(
    "--max-vector-pixels", "A.xcassets", "A.xcassets --max-vector-pixels 9000000",
    changesOutput: false),
  RememberedOption("--depfile", "A.xcassets --depfile one.d", "A.xcassets --depfile two.d"),
  RememberedOption("--optimization", "A.xcassets", "A.xcassets --optimization space"),
  RememberedOption("--exact-pixels", "A.xcassets", "A.xcassets --exact-pixels"),
  RememberedOption("--no-packing", "A.xcassets", "A.xcassets --no-packing"),
  RememberedOption("--no-rasters", "A.xcassets", "A.xcassets --no-rasters"),
  RememberedOption("--keep-vectors", "A.xcassets", "A.xcassets --keep-vectors"),
  RememberedOption("--no-icon-bitmaps", icon, "\(icon) --no-icon-bitmaps"),
  RememberedOption("--plain-icons", icon, "\(icon) --plain-icons"),
  RememberedOption("--allow-incomplete", solid, "\(solid) --allow-incomplete solidimagestack"),
  RememberedOption("--options", "A.xcassets", "A.xcassets --options more.carve"),
  RememberedOption("--swift", "A.xcassets --swift one.swift", "A.xcassets --swift two.swift"),
  RememberedOption(
    "--type", "A.xcassets --swift ids.swift --type One", "A.xcassets --swift ids.swift --type Two"),
  RememberedOption(
    "--usual-type", "A.xcassets --swift ids.swift --usual-type One",
    "A.xcassets --swift ids.swift --usual-type Two"),
  RememberedOption(
    "--bundle", "A.xcassets --swift ids.swift --type T --bundle one",
    "A.xcassets --swift ids.swift --type T --bundle two"),
  RememberedOption(
    "--public", "A.xcassets --swift ids.swift", "A.xcassets --swift ids.swift --public"),
  RememberedOption("--c", "A.xcassets --c one.h", "A.xcassets --c two.h"),
  RememberedOption("--prefix", "A.xcassets --c ids.h", "A.xcassets --c ids.h --prefix Other"),
  RememberedOption("--device", phone, "A.xcassets --device iPad5,3"),
  RememberedOption("--os", "\(phone) --os 15", "\(phone) --os 99"),
  RememberedOption(
    "--info-plist", "A.xcassets --device iPad16,5",
    "A.xcassets --device iPad16,5 --info-plist Info.plist"),
  RememberedOption("--language", "\(phone) --language fr", "\(phone) --language de"),
  RememberedOption("--platform", "A.xcassets", "A.xcassets --platform macosx"),
  RememberedOption(
    "--minimum-deployment-target", "A.xcassets", "A.xcassets --minimum-deployment-target 9.0"),
  RememberedOption(
    "--target-device", "A.xcassets --target-device iphone", "A.xcassets --target-device ipad"),
  RememberedOption("--app-icon", "A.xcassets --app-icon AppIcon", "A.xcassets --app-icon Other"),
  RememberedOption("--include-all-app-icons", "A.xcassets", "A.xcassets --include-all-app-icons"),
  RememberedOption("--diagnostics", "A.xcassets", "A.xcassets --diagnostics json"),
  RememberedOption("--werror", "A.xcassets", "A.xcassets --werror=unsupported-set"),
  RememberedOption("--no-warn", "A.xcassets", "A.xcassets --no-warn unsupported-set"),
  RememberedOption("--min-severity", "A.xcassets", "A.xcassets --min-severity error"),
  RememberedOption("--all", "A.xcassets", "A.xcassets --all"),
]

/// Options about the place of outputs or the way a run works, and options that make something else
/// than an archive.
private let others: Set = [
  "--output", "--touch", "--timing", "--object", "--without", "--show-tool", "--verbose",
  "--cache-verify", "--watch",
  "--cache",
  "--no-cache", "--cache-size", "--remote-cache", "--jobs", "--help", "--version",
]

@Suite struct RememberedOptionTests {
  /// The output and the files of a run.
  private struct Answer: Equatable {
    var code: Int32
    var output: String
    var errors: String
    var files: [String: [UInt8]]
  }

  private func run(_ words: String, _ cache: String, in folder: TemporaryDirectory) throws -> Answer
  {
    let line = "compile \(words) -o out.car \(cache)"
    let result = try runTool(line.split(separator: " ").map(String.init), in: folder.path)
    let names = [
      "out.car", "one.d", "two.d", "one.swift", "two.swift", "ids.swift", "one.h", "two.h", "ids.h",
    ]
    var files: [String: [UInt8]] = [:]
    for name in names { files[name] = try? folder.read(name) }
    return Answer(code: result.code, output: result.stdout, errors: result.stderr, files: files)
  }

  @Test(arguments: rows) fileprivate func anotherValueIsAnotherRun(row: RememberedOption) throws {
    let folder = try TemporaryDirectory()
    try OptionCatalog.only.write(to: folder)
    try folder.write("--no-packing\n", to: "more.carve")
    let first = try run(row.first, "--cache kept", in: folder)
    let second = try run(row.second, "--cache kept", in: folder)
    let plain = try run(row.second, "--no-cache", in: folder)
    #expect(second == plain, "\(second.errors) \(plain.errors)")
    #expect((first != second) == row.changesOutput, "the option changes nothing here")
    // The second run is remembered with its own answer.
    #expect(try run(row.second, "--cache kept", in: folder) == plain)
  }

  @Test func everyOptionIsLookedAt() throws {
    var missing: Set<String> = []
    for line in try runTool(["compile", "--help"]).stdout.split(separator: "\n") {
      guard let match = line.firstMatch(of: /^ {2,6}(-[A-Za-z], )?(--[a-z-]+)/) else { continue }
      missing.insert(String(match.output.2))
    }
    #expect(missing.subtracting(others).sorted() == rows.map(\.option).sorted())
  }
}
