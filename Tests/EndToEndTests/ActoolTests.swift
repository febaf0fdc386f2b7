// Tests the results of the command lines of build systems: report, property list, dependency file,
// folder. The expected texts are under Goldens/EndToEndTests/Actool.

import Foundation
import Support
import Testing

@Suite struct ActoolTests {
  @Test(arguments: buildCalls)
  func aBuildSystemGetsWhatItExpects(call: BuildCall) throws {
    let folder = try appFolder()
    let words = call.line.split(separator: " ").map {
      $0.replacingOccurrences(of: "ROOT", with: folder.path)
    }
    let result = try runTool(words, in: folder.path, link: link("actool", in: folder))
    #expect(result.stderr.isEmpty)
    var text = "$ actool " + call.line.replacingOccurrences(of: " --", with: " \\\n    --") + "\n"
    text += "exit \(result.code)\n\n" + result.stdout
    for file in try folder.files(below: "obj") {
      text += "\n\(file):\n" + describe(try folder.read(file))
    }
    text += "\nfolder:\n"
    for file in try folder.files(below: "out") { text += file + "\n" }
    golden(
      text.replacingOccurrences(of: folder.path, with: "ROOT"), "Actool/\(call.name).txt")
    for file in try folder.files(below: "out") where file.hasSuffix(".car") {
      #expect(try runTool(["validate", folder.path(file)]).code == 0, "\(file)")
    }
  }

  /// Returns a dependency file as lines, and other files unchanged.
  private func describe(_ bytes: [UInt8]) -> String {
    guard bytes.first == 0 else { return String(decoding: bytes, as: UTF8.self) }
    return bytes.dropLast().split(separator: 0, omittingEmptySubsequences: false)
      .dropFirst().enumerated().map { place, record in
        if place == 0 { return "version \(String(decoding: record, as: UTF8.self))\n" }
        let kind = [0x10: "input", 0x11: "missing", 0x40: "output"][Int(record.first ?? 0)]
        return "\(kind ?? "?") \(String(decoding: record.dropFirst(), as: UTF8.self))\n"
      }.joined()
  }

  @Test func theVersionIsThatOfTheNameItWasCalledBy() throws {
    let folder = try TemporaryDirectory()
    for name in ["actool", "carve-actool"] {
      let result = try runTool(
        ["--version", "--output-format", "xml1"], link: link(name, in: folder))
      #expect(result.stdout.contains("<key>com.apple.\(name).version</key>"))
    }
    #expect(try runTool(["actool", "--version"]).stdout.contains("com.apple.actool.version"))
  }

  @Test func outputsThatWouldNotChangeAreNotTouched() throws {
    let folder = try appFolder()
    let words = [
      "actool", "Assets.xcassets", "--compile", "out", "--platform", "iphoneos", "--app-icon",
      "AppIcon", "--output-partial-info-plist", "obj/info.plist", "--export-dependency-info",
      "obj/deps",
    ]
    #expect(try runTool(words, in: folder.path).code == 0)
    let files = try folder.files(below: "out") + folder.files(below: "obj")
    let past = Date(timeIntervalSince1970: 1_000_000)
    for file in files {
      try FileManager.default.setAttributes(
        [.modificationDate: past], ofItemAtPath: folder.path(file))
    }
    #expect(try runTool(words, in: folder.path).code == 0)
    for file in files {
      let now = try FileManager.default.attributesOfItem(atPath: folder.path(file))
      #expect(now[.modificationDate] as? Date == past, "\(file)")
    }
    #expect(files.count == 5)
  }

  @Test func theArchiveOfRemovedAssetsIsRemoved() throws {
    let folder = try appFolder()
    let words = ["actool", "A.xcassets", "--compile", "out", "--platform", "iphoneos"]
    try folder.copy(folder.path("Assets.xcassets/Moon.imageset"), to: "A.xcassets/Moon.imageset")
    #expect(try runTool(words, in: folder.path).code == 0)
    #expect(try folder.files(below: "out") == ["out/Assets.car"])
    try FileManager.default.removeItem(atPath: folder.path("A.xcassets/Moon.imageset"))
    let again = try runTool(words, in: folder.path)
    #expect(again.code == 0)
    #expect(again.stdout.contains("<array/>"))
    #expect(try folder.files(below: "out") == [])
  }

  @Test func runsOnOneOutputEachLeaveAWholeOne() async throws {
    let folder = try appFolder()
    let words = [
      "actool", "Assets.xcassets", "--compile", "out", "--platform", "iphoneos", "--app-icon",
      "AppIcon", "--output-partial-info-plist", "obj/info.plist",
    ]
    let codes = try await withThrowingTaskGroup(of: Int32.self) { group in
      for _ in 0..<4 { group.addTask { try runTool(words, in: folder.path).code } }
      var codes: [Int32] = []
      for try await code in group { codes.append(code) }
      return codes
    }
    #expect(codes == [0, 0, 0, 0])
    #expect(try runTool(["validate", folder.path("out/Assets.car")]).code == 0)
    let left = try FileManager.default.contentsOfDirectory(atPath: folder.path("out"))
    #expect(left.count == 3, "\(left)")
  }
}
