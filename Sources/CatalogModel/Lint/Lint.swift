// All checks of catalogues that look further than Contents.json: into pictures, across sets, and at
// the devices of a target. What the reader found is in CatalogContents already.
import Host
import Traits

/// For what the catalogues are meant; checks that need to know are left out where nothing is said.
package struct LintOptions: Sendable, Hashable {
  package var jobs = availableProcessors()
  package var platform: Platform?
  /// The idioms of the target devices; empty for all of the platform.
  package var idioms: [Idiom] = []
  package var minimum: OSVersion?
  /// The devices to think of; nil for all that are known.
  package var devices: [Device]?
  /// Whether files that Xcode would format otherwise are reported.
  package var checksFormat = false

  package init() {}
}

/// Everything there is to say about catalogues: the reader's findings and those of the checks.
package func lint(
  _ contents: CatalogContents, in tree: FileTree, options: LintOptions = LintOptions()
) -> [Diagnostic] {
  // Devices are thought of only where the platform is given.
  let platform = options.platform ?? platformInUse(contents.assets)
  let survey = PictureSurvey(of: contents.assets, in: tree, jobs: options.jobs)
  let perAsset = parallelMap(contents.assets, jobs: options.jobs) { asset in
    withParts(asset).flatMap { part in
      checkImageSet(part, survey, platform) + checkIcons(part, survey)
        + checkDeploymentTarget(part, survey, options)
    }
  }
  var found = perAsset.flatMap { $0 }
  found += checkPictures(of: contents.assets, survey)
  found += checkVectors(of: contents.assets, survey, in: tree, jobs: options.jobs)
  found += checkDuplicates(of: contents.assets, in: tree, jobs: options.jobs)
  found += checkReach(of: contents.assets, options)
  if options.checksFormat { found += checkFormat(contents, in: tree, jobs: options.jobs) }
  return inPrintingOrder(contents.diagnostics + located(found, in: tree))
}

/// The one platform for which variants are made, where nobody says which; nil where there are several.
private func platformInUse(_ assets: [AssetSet]) -> Platform? {
  let idioms = Set(assets.flatMap { pictures(of: $0).map(\.slot.key.idiom) })
  if !idioms.isDisjoint(with: [.phone, .pad, .car]) { return nil }
  let used: [(Idiom, Platform)] = [
    (.mac, .macOS), (.tv, .tvOS), (.watch, .watchOS), (.vision, .visionOS),
  ]
  let found = used.filter { idioms.contains($0.0) }
  return found.count == 1 ? found[0].1 : nil
}

/// Files that a next save by Xcode would change beyond what was edited.
private func checkFormat(
  _ contents: CatalogContents, in tree: FileTree, jobs: Int
) -> [Diagnostic] {
  planFixes(of: [], in: contents, tree: tree, jobs: jobs, formats: true).map { rewrite in
    Diagnostic(.jsonFormat, "the file is not formatted as Xcode formats it", file: rewrite.file)
  }
}
