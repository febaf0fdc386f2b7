// The sources with constants for the ids of assets, which a run writes beside its archive.

import AssetSymbols
import Bytes
import CatalogModel
import Documents
import Host

package struct ConstantFiles: Sendable {
  /// The Swift source; nil for none.
  package var swift: ByteString?
  /// The name of the Swift enumeration; nil for an extension of `AssetID`.
  package var type: String?
  /// The bundle of resources from which the enumeration opens the archive.
  package var bundle: String?
  package var isPublic = false
  /// The C header; nil for none.
  package var header: ByteString?
  /// The word before the names of macros; nil for ASSET.
  package var prefix: String?

  package init() {}

  package var areRequested: Bool { swift != nil || header != nil }

  /// Adds the sources to the outputs of the run, and returns findings about constants whose names
  /// differ from those of their assets.
  package func write(
    _ assets: SymbolAssets, archive: ByteString, to outputs: OutputSet
  ) throws(OutputError) -> [Diagnostic] {
    var clashes: [SymbolClash] = []
    if let swift {
      var options = SwiftIDOptions()
      options.isPublic = isPublic
      options.type = type
      options.bundle = bundle.map { ($0, archive.text) }
      let source = assets.swiftIDs(options)
      try outputs.write(Array(source.text.utf8), to: swift)
      clashes += source.clashes
    }
    if let header {
      let source = assets.headerIDs(prefix: prefix ?? "ASSET")
      try outputs.write(Array(source.text.utf8), to: header)
      clashes += source.clashes
    }
    return clashes.map(\.diagnostic)
  }
}

extension SymbolClash {
  fileprivate var diagnostic: Diagnostic {
    let reason =
      wanted.isEmpty
      ? "its name has no letter and no digit" : "\(wanted) is taken"
    return Diagnostic(
      .symbolClash, "the constant of \(quoted(asset.name)) is \(given): \(reason)",
      file: asset.folder)
  }
}
