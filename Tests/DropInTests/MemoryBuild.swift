// Runs the build step on a catalogue in memory, for the tests of its results.

import Bytes
import CatalogCompiler
import Documents
import Support
import Testing
import Traits

@testable import DropIn
@testable import Host

/// The results of a run in a folder, from a catalogue in memory.
struct BuildOutcome {
  let folder: TemporaryDirectory
  let result: BuildResult

  var list: [ByteString: PropertyValue] {
    get throws {
      try PropertyValue(propertyList: folder.read("info.plist")).dictionary ?? [:]
    }
  }

  /// The dependency records by the byte for their kind. The version has kind 0 and comes first.
  var records: [UInt8: [String]] {
    get throws {
      let all = try folder.read("deps").split(separator: 0, omittingEmptySubsequences: false)
      var records: [UInt8: [String]] = [0: [String(decoding: all[1], as: UTF8.self)]]
      for record in all.dropFirst(2) {
        guard let kind = record.first else { continue }
        records[kind, default: []].append(String(decoding: record.dropFirst(), as: UTF8.self))
      }
      return records
    }
  }

  var files: [String] {
    get throws {
      try folder.files(below: "out").map { String($0.dropFirst(4)) }.filter { $0 != ".keep" }
    }
  }
}

func built(
  _ sources: SampleSources, _ platform: TargetPlatform = .iOS, minimum: OSVersion? = nil,
  fails: Bool = false, _ change: (inout BuildRequest) -> Void
) throws -> BuildOutcome {
  let folder = try TemporaryDirectory()
  try folder.write("", to: "out/.keep")
  var request = BuildRequest(target: CompileTarget(platform: platform, minimum: minimum))
  request.documents = [sources.root]
  request.folder = ByteString(folder.path("out"))
  request.infoPlist = ByteString(folder.path("info.plist"))
  request.dependencyInfo = ByteString(folder.path("deps"))
  change(&request)
  // The output folder is on the disk, the catalogue in memory.
  let memory = FileTree.memory(sources.files)
  var tree = memory
  tree.status = { (path) throws(FileError) in
    try (path.hasPrefix("/") ? FileTree.disk : memory).status(path)
  }
  let step = BuildStep(request, in: tree, version: "test-1") { $0 }
  let result = step.run()
  #expect(
    result.report.hasErrors == fails, "\(result.report.messages) \(result.report.findings)")
  return BuildOutcome(folder: folder, result: result)
}

/// Adds an icon set whose entries have these sizes, scales and idioms.
func addIcon(
  _ name: String, _ entries: [(idiom: String, size: Double, scale: Int)],
  to sources: inout SampleSources
) {
  var rows: [String] = []
  for (idiom, size, scale) in entries {
    let file = "\(idiom)-\(size)@\(scale).png"
    let side = Int((size * Double(scale)).rounded())
    let text = size == size.rounded() ? "\(Int(size))" : "\(size)"
    rows.append(
      #"{"idiom":"\#(idiom)","size":"\#(text)x\#(text)","scale":"\#(scale)x","filename":"\#(file)"}"#
    )
    sources.files["\(sources.root)/\(name).appiconset/\(file)"] = .bytes(
      png(width: side, height: side, red: UInt8(side), green: 1))
  }
  sources.add(
    "\(name).appiconset/Contents.json", "{\"images\":[\(rows.joined(separator: ","))]}")
}
