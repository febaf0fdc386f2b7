// The request of one run of the build step, which BuildStep carries out. Most options of the tool
// set a field of the request directly; `carve actool` computes the other fields, such as versions.

import AssetSymbols
import Bytes
import CatalogCompiler
import CatalogModel
import Traits

/// The icons that are also written as files beside the archive.
package enum StandaloneIcons: String, CaseIterable, Sendable {
  case `default`, all, none
}

/// The device for which the archive is thinned.
package struct ThinningFilter: Sendable {
  package var model: String?
  /// A model, and optionally a configuration of it: "iPhone14,7" or "iPhone12,3-B".
  package var configuration: String?
  package var os: OSVersion?

  package init() {}

  /// The model to use. A configuration takes precedence over `model`.
  var chosenModel: String? {
    configuration.map { String($0.prefix { $0 != "-" }) } ?? model
  }
}

/// The source files that a run generates instead of compiling an archive.
package struct GeneratedSources: Sendable {
  package var swift: ByteString?
  package var objectiveC: ByteString?
  package var index: ByteString?
  package var bundleIdentifier: String?
  package var options = SwiftSymbolOptions()
  /// Whether the Swift source defines the resource types; nil if the oldest target system decides.
  package var definesResources: Bool?

  package init() {}

  package var isEmpty: Bool { swift == nil && objectiveC == nil && index == nil }
}

package struct BuildRequest: Sendable {
  /// The paths of the documents, each once. All paths are absolute when the request is carried out.
  package var documents: [ByteString] = []
  /// The folder to which relative paths in files of the request are relative.
  package private(set) var currentFolder: ByteString = ""
  package var folder: ByteString?
  /// The name of the archive; nil for Assets.car.
  package var archiveName: ByteString?
  package var primaryIcon: ByteString?
  package var alternateIcons: [ByteString] = []
  package var includesAllIcons = false
  package var launchImage: ByteString?
  package var accentColor: ByteString?
  package var widgetBackground: ByteString?
  package var complication: ByteString?
  package var flattenedIcon: ByteString?
  package var standaloneIcons = StandaloneIcons.default
  package var checksStore = true
  package var infoPlist: ByteString?
  package var dependencyInfo: ByteString?
  /// The files whose settings decide the severities of findings. They are inputs.
  package var settingsFiles: [ByteString] = []
  /// Whether warnings about the run are errors.
  package var warningsAreErrors = false
  package var filter = ThinningFilter()
  /// The languages to keep, with the development region; empty for all.
  package var languages: [String] = []
  package var listsLocalizations = true
  /// The list of packs for on-demand resources; nil if all assets go into one archive.
  package var assetPacks: ByteString?
  package var usesOnDemandResources = false
  package var symbols = GeneratedSources()
  package var compiling: CompileOptions
  package var listsTags = false
  package var listsContents = false

  package init(target: CompileTarget) {
    compiling = CompileOptions(target: target)
    compiling.writesEmptyArchive = false
  }
}

extension BuildRequest {
  package var target: CompileTarget {
    get { compiling.target }
    set { compiling.target = newValue }
  }

  var archive: ByteString? { folder.map { joined($0, archiveName ?? "Assets.car") } }

  /// Replaces each path by the one that `absolute` returns.
  package mutating func makePathsAbsolute(_ absolute: (ByteString) -> ByteString) {
    if assetPacks != nil { currentFolder = absolute(".") }
    // A document that is named twice is read once.
    var seen: Set<ByteString> = []
    documents = documents.map(absolute).filter { seen.insert($0).inserted }
    let others: [WritableKeyPath<BuildRequest, ByteString?>] = [
      \.folder, \.infoPlist, \.dependencyInfo, \.flattenedIcon, \.assetPacks, \.symbols.swift,
      \.symbols.objectiveC, \.symbols.index,
    ]
    for path in others { self[keyPath: path] = self[keyPath: path].map(absolute) }
  }

  /// Returns whether a device family is among the target's.
  func admits(_ family: DeviceFamily) -> Bool {
    target.families.isEmpty || target.families.contains { $0.isSame(as: family) }
  }
}

extension DeviceFamily {
  /// Returns whether two families are the same. Some have an older and a newer name.
  fileprivate func isSame(as other: DeviceFamily) -> Bool {
    func modern(_ family: DeviceFamily) -> DeviceFamily {
      family == .phone ? .iphone : family == .pad ? .ipad : family
    }
    return modern(self) == modern(other)
  }
}
