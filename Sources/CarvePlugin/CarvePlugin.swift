// The build plugin for other packages: each catalogue in a target's folder becomes an archive among
// the target's resources and a Swift file with ids of its assets. It asks SwiftPM for the folders
// and hands it the commands that FoundCatalog.swift makes for the tool that ToolChoice.swift
// chooses; `carve compile` reports errors in catalogues. It runs inside SwiftPM and imports no
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
    let bundle = "\(context.package.displayName)_\(module.name)"
    let isSwift = module is SwiftSourceModuleTarget
    let clashes = FoundCatalog.clashes(among: catalogs, typed: isSwift)
    for clash in clashes { Diagnostics.error(clash.message, file: clash.file) }
    if !clashes.isEmpty { return [] }
    if catalogs.isEmpty { return [] }
    let choice = ToolChoice(
      ofPackage: try? context.tool(named: "carve").url,
      installed: InstalledTool(in: ProcessInfo.processInfo.environment))
    switch choice {
    case .bundled, .installed: break
    case .built(_, let advice): Diagnostics.warning(advice)
    case .missing(let reason): Diagnostics.error(reason)
    }
    guard let tool = choice.url else { return [] }
    // All files are listed, because changes in subfolders would not be noticed with the folder
    // alone.
    return catalogs.map { catalog in
      .buildCommand(
        displayName: "Compiling \(catalog.url.lastPathComponent) by \(tool.path)", executable: tool,
        arguments: catalog.arguments(bundle: bundle, isSwift: isSwift) + choice.options,
        inputFiles: catalog.dependencies, outputFiles: catalog.outputs(isSwift: isSwift))
    }
  }
}
