// Chooses the program that compiles catalogues: the finished one of the package, an installed one
// of the same version, or the one that SwiftPM builds from the sources. The file imports nothing of
// SwiftPM, so that Tests/CarvePluginTests can also compile it.

import Foundation

/// The version of the tool that the plugin can run; `.ci/set-version` changes it.
let pluginVersion = "0.2.0"

enum ToolChoice: Equatable {
  /// The finished program in the package (`make artifactbundle`).
  case bundled(URL)
  /// The program that the shell also finds.
  case installed(URL)
  /// The program that SwiftPM builds from the sources; the text says how to have a fast one.
  case built(URL, advice: String)
  /// There is no program; the text says why.
  case missing(String)

  /// Chooses between the tool that the package description names, if it names one, and an
  /// installed one.
  init(ofPackage tool: URL?, installed search: @autoclosure () -> InstalledTool?) {
    if let tool, tool.pathComponents.contains(where: { $0.hasSuffix(".artifactbundle") }) {
      self = .bundled(tool)
      return
    }
    let installed = search()
    if let installed, installed.version == pluginVersion {
      self = .installed(installed.url)
    } else {
      let other = installed.map { "; \($0.url.path) is \($0.version ?? "another program")" } ?? ""
      if let tool {
        self = .built(
          tool,
          advice: "SwiftPM builds the tool carve from its sources, and a debug build of it takes "
            + "about 50 times as long to compile catalogues: install carve \(pluginVersion) in a "
            + "folder of PATH, or depend on the finished package of its release\(other)")
      } else {
        self = .missing(
          "carve \(pluginVersion) was in PATH and no longer is\(other); install it again, or run "
            + "'swift package purge-cache', and SwiftPM will build the tool from its sources")
      }
    }
  }

  /// The program; nil if it is missing.
  var url: URL? {
    switch self {
    case .bundled(let url), .installed(let url), .built(let url, _): url
    case .missing: nil
    }
  }

  /// The options with which the program tells the readers of a build's log what they cannot know
  /// otherwise: PATH decides which installed one runs.
  var options: [String] {
    if case .installed = self { ["--show-tool"] } else { [] }
  }
}

/// The program `carve` that the shell finds.
struct InstalledTool: Equatable {
  let url: URL
  /// The version that it prints; nil if it prints something else.
  let version: String?

  init(_ url: URL, version: String?) {
    self.url = url
    self.version = version
  }

  /// Searches the folders of PATH, unless CARVE_FROM_SOURCES is set. Package.swift searches in the
  /// same way, so that SwiftPM does not build a tool that the plugin will not run.
  init?(in environment: [String: String]) {
    if environment["CARVE_FROM_SOURCES"] != nil { return nil }
    let places = (environment["PATH"] ?? "").split(separator: ":").map { "\($0)/carve" }
    guard
      let place = places.first(where: { place in
        var isFolder: ObjCBool = false
        return FileManager.default.fileExists(atPath: place, isDirectory: &isFolder)
          && !isFolder.boolValue && FileManager.default.isExecutableFile(atPath: place)
      })
    else { return nil }
    self.init(URL(fileURLWithPath: place), version: InstalledTool.version(printedBy: place))
  }

  private static func version(printedBy place: String) -> String? {
    let process = Process()
    let output = Pipe()
    process.executableURL = URL(fileURLWithPath: place)
    process.arguments = ["--version"]
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    guard (try? process.run()) != nil else { return nil }
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    let words = text.split(whereSeparator: \.isWhitespace)
    return words.count == 2 && words[0] == "carve" ? String(words[1]) : nil
  }
}
