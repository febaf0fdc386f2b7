// The build plugin for other packages: each catalogue in a target's folder becomes an archive among
// the target's resources and a Swift file with ids of its assets. It only finds catalogues and asks
// for commands; `carve compile` reports errors in them. It runs inside SwiftPM and imports no
// module of Carve.

import Foundation
import PackagePlugin

@main struct CarvePlugin: BuildToolPlugin {
  func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
    guard let module = target as? any SourceModuleTarget else { return [] }
    let folder = module.directoryURL
    let catalogs = FoundCatalog.all(below: folder, resources: context.pluginWorkDirectoryURL)
    if catalogs.isEmpty {
      Diagnostics.warning("the target \(module.name) has no .xcassets folder in \(folder.path)")
    }
    let tool = try context.tool(named: "carve").url
    let bundle = "\(context.package.displayName)_\(module.name)"
    let isSwift = module is SwiftSourceModuleTarget
    guard areDistinct(catalogs, typed: isSwift) else { return [] }
    return catalogs.map { command(for: $0, tool, bundle: bundle, isSwift: isSwift) }
  }

  private func command(
    for catalog: FoundCatalog, _ tool: URL, bundle: String, isSwift: Bool
  ) -> Command {
    var words = ["compile", catalog.url.path, "-o", catalog.archive.path]
    var outputs = [catalog.archive]
    if isSwift {
      words += ["--swift", catalog.source.path, "--bundle", bundle, "--type", catalog.type]
      outputs.append(catalog.source)
    }
    // The plugin does not read the options here: SwiftPM does not call it again if only a file's
    // contents changed.
    if let options = catalog.options { words += ["--options", options.path] }
    // All files are listed, because changes in subfolders would not be noticed with the folder
    // alone.
    return .buildCommand(
      displayName: "Compiling \(catalog.url.lastPathComponent)", executable: tool,
      arguments: words, inputFiles: catalog.inputs + [catalog.options].compactMap { $0 },
      outputFiles: outputs)
  }

  /// Returns whether the catalogues of the target have distinct archives and types.
  private func areDistinct(_ catalogs: [FoundCatalog], typed: Bool) -> Bool {
    var archives: [String: FoundCatalog] = [:]
    var types: [String: FoundCatalog] = [:]
    var isFine = true
    for catalog in catalogs {
      let name = catalog.url.lastPathComponent
      if let first = archives.updateValue(catalog, forKey: name.lowercased()) {
        Diagnostics.error(
          "two catalogues of one target are named \(name): \(first.url.path) and "
            + "\(catalog.url.path); give one of them another name", file: catalog.url.path)
        isFine = false
      } else if typed, let first = types.updateValue(catalog, forKey: catalog.type) {
        Diagnostics.error(
          "\(first.url.lastPathComponent) and \(name) would both be the type \(catalog.type); "
            + "name one of them otherwise, or by '--type NAME' in a file "
            + "\(CatalogOptions.place(beside: catalog.url).lastPathComponent) beside it",
          file: catalog.url.path)
        isFine = false
      }
    }
    return isFine
  }
}
