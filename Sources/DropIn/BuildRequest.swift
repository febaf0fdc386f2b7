// What one run of the build step is asked for, whatever the words were. Options become a request in the
// tool's own module; BuildStep carries it out.

import AssetSymbols
import Bytes
import CatalogCompiler
import CatalogModel
import Traits

/// Which icons lie beside the archive as files of their own.
package enum StandaloneIcons: String, CaseIterable, Sendable {
  case `default`, all, none
}

/// For which devices the archive is thinned.
package struct ThinningFilter: Sendable {
  package var model: String?
  /// "iPhone14,7" or "iPhone12,3-B": a model, and perhaps a configuration in which it is sold.
  package var configuration: String?
  package var os: OSVersion?

  package init() {}

  /// The model that counts; a configuration hides the other one.
  var chosenModel: String? {
    configuration.map { String($0.prefix { $0 != "-" }) } ?? model
  }
}

/// The source files that a run generates instead of compiling.
package struct SymbolRequest: Sendable {
  package var swift: ByteString?
  package var objectiveC: ByteString?
  package var index: ByteString?
  package var bundleIdentifier: String?
  package var options = SwiftSymbolOptions()
  /// Nil where the oldest system decides.
  package var definesResources: Bool?

  package init() {}

  package var isEmpty: Bool { swift == nil && objectiveC == nil && index == nil }
}

package struct BuildRequest: Sendable {
  /// Absolute paths, as all others.
  package var documents: [ByteString] = []
  package var folder: ByteString?
  package var archiveName = "Assets.car"
  package var target: CompileTarget
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
  package var filter = ThinningFilter()
  /// Languages to keep, the development region among them; empty for all.
  package var languages: [String] = []
  package var listsLocalizations = true
  /// The packs of on-demand resources; nil where everything goes into one archive.
  package var assetPacks: ByteString?
  package var usesOnDemandResources = false
  package var symbols = SymbolRequest()
  package var compiling: CompileOptions
  package var listsTags = false
  package var listsContents = false

  package init(target: CompileTarget) {
    self.target = target
    compiling = CompileOptions(target: target)
    compiling.writesEmptyArchive = false
  }
}

extension BuildRequest {
  var archive: ByteString? { folder.map { joined($0, ByteString(archiveName)) } }

  /// Whether a device of this family is among those built for.
  func admits(_ family: DeviceFamily) -> Bool {
    target.families.isEmpty || target.families.contains { $0.isSame(as: family) }
  }
}

extension DeviceFamily {
  /// The older names mean the same.
  fileprivate func isSame(as other: DeviceFamily) -> Bool {
    func modern(_ family: DeviceFamily) -> DeviceFamily {
      family == .phone ? .iphone : family == .pad ? .ipad : family
    }
    return modern(self) == modern(other)
  }
}
