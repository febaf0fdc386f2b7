// Writes the generated source files that a request names.

import AssetSymbols
import CatalogCompiler
import CatalogModel
import Host
import Traits

extension GeneratedSources {
  /// Adds the sources to the outputs. The caller adds the index, because it is a property list.
  func write(
    _ assets: SymbolAssets, of contents: CatalogContents, for target: CompileTarget,
    to outputs: OutputSet
  ) throws(OutputError) {
    if let swift {
      var options = options
      if contents.catalogs.contains(where: { $0.generatesSymbolExtensions == false }) {
        options.hasExtensions = false
      }
      options.definesResources = definesResources ?? target.lacksResourceTypes
      try outputs.write(Array(assets.swiftResources(options).utf8), to: swift)
    }
    if let objectiveC {
      let text = assets.objectiveCHeader(
        bundleIdentifier: bundleIdentifier, warnsOfClashes: options.warnsOfClashes)
      try outputs.write(Array(text.utf8), to: objectiveC)
    }
  }
}

extension CompileTarget {
  /// Whether the oldest target system has no `ImageResource` type.
  fileprivate var lacksResourceTypes: Bool {
    switch platform.system {
    case .macOS: minimum < OSVersion(14)
    case .iOS, .iPadOS, .tvOS: minimum < OSVersion(17)
    case .watchOS: minimum < OSVersion(10)
    case .visionOS: false
    }
  }
}
