// Runs all checks of catalogues that need more than one Contents.json: checks of pictures, across
// sets, and for the devices of a target. CatalogContents already holds the findings of the reader.

import Host
import Traits

/// The target of the catalogues. A check that needs an unspecified value is left out.
package struct LintOptions: Sendable, Hashable {
  package var jobs = availableProcessors()
  package var platform: Platform?
  /// The idioms of the target devices; empty for all idioms of the platform.
  package var idioms: [Idiom] = []
  package var minimum: OSVersion?
  /// The target devices; nil for all known devices.
  package var devices: [Device]?
  /// Whether the checks report files that Xcode would format differently.
  package var checksFormat = false

  package init() {}
}

/// Returns all findings about catalogues: those of the reader and those of the checks.
package func lint(
  _ contents: CatalogContents, in tree: FileTree, options: LintOptions = LintOptions()
) -> [Diagnostic] {
  let assets = contents.assets
  var found = checkAlone(
    assets, in: tree, options: options, platformInUse: platformInUse(assets))
  found += checkDuplicates(of: assets, in: tree, jobs: options.jobs)
  if options.checksFormat { found += checkFormat(contents, in: tree, jobs: options.jobs) }
  return inPrintingOrder(contents.diagnostics + located(found, in: tree))
}

/// Returns the findings of those checks that need no other asset. A program that follows changes
/// checks only the changed assets. `platformInUse` is that of all assets of the catalogues. The
/// findings are not located.
package func checkAlone(
  _ assets: [AssetSet], in tree: FileTree, options: LintOptions, platformInUse: Platform?
) -> [Diagnostic] {
  // The platform of the idioms in use serves the checks of image sets. The checks of devices use
  // only `options.platform`.
  let platform = options.platform ?? platformInUse
  let survey = PictureSurvey(of: assets, in: tree, jobs: options.jobs)
  let perAsset = parallelMap(assets, jobs: options.jobs) { asset in
    withParts(asset).flatMap { part in
      checkVariants(part, survey: survey, platform: platform) + checkIcons(part, survey, options)
        + checkDeploymentTarget(part, survey: survey, options: options)
    }
  }
  return perAsset.flatMap { $0 } + checkPictures(of: assets, survey, options)
    + checkPointers(of: assets, in: tree, options)
    + checkVectors(of: assets, survey, in: tree, options)
    + checkReach(of: assets, options)
}

/// Returns the platform of the variants if they belong to a single platform; otherwise nil.
package func platformInUse(_ assets: [AssetSet]) -> Platform? {
  let idioms = idiomsInUse(assets)
  if !idioms.isDisjoint(with: [.phone, .pad, .car]) { return nil }
  let used: [(Idiom, Platform)] = [
    (.mac, .macOS), (.tv, .tvOS), (.watch, .watchOS), (.vision, .visionOS),
  ]
  let found = used.filter { idioms.contains($0.0) }
  return found.count == 1 ? found[0].1 : nil
}

/// Returns the idioms of the entries with pictures.
package func idiomsInUse(_ assets: [AssetSet]) -> Set<Idiom> {
  Set(assets.flatMap { pictures(of: $0).map(\.slot.key.idiom) })
}

/// Reports files in which the next save by Xcode would change more than the edited values.
private func checkFormat(
  _ contents: CatalogContents, in tree: FileTree, jobs: Int
) -> [Diagnostic] {
  planFixes(of: [], in: contents, tree: tree, jobs: jobs, kinds: [.format]).map { rewrite in
    Diagnostic(.jsonFormat, "the file is not formatted as Xcode formats it", file: rewrite.file)
  }
}
