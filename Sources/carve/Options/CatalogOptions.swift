// The options about catalogues: the target of the compilation, which has its table here, the cache
// (CacheOptions.swift) and diagnostics (DiagnosticOptions.swift). `compile` has them, and every
// command that accepts a catalogue in place of an archive.

import Builds
import Bytes
import CatalogCompiler
import CatalogModel
import CommandLineKit
import Documents
import Host
import Queries
import Traits

/// The arguments of compiling catalogues.
struct CatalogArguments: Sendable {
  var platform: String?
  var minimum: String?
  var families: [String] = []
  var appIcons: [ByteString] = []
  var includesAllIcons = false
  var cache = CacheArguments()
  var jobs: Int?
  /// The settings that the command line leaves open.
  var fromSettings = SettingsTarget()
}

/// The target by the settings of the catalogues, or by an archive with which they are compared. The
/// devices of a command come before it, because they say more about the platform.
struct SettingsTarget: Sendable {
  var platform: TargetPlatform?
  var minimum: OSVersion?
  var families: [DeviceFamily] = []
  var icons: [ByteString] = []
  var source = IconSelection.Source.settings

  init() {}

  init(_ settings: ProjectSettings) {
    platform = settings.platform.flatMap { TargetPlatform(rawValue: $0) }
    minimum = settings.minimum
    icons = settings.icons
  }

  init(_ target: CompileTarget, icons: [ByteString]) {
    (platform, minimum, families) = (target.platform, target.minimum, target.families)
    (self.icons, source) = (icons, .archive)
  }
}

/// The arguments of a command that compiles catalogues.
protocol CatalogCompiling: DiagnosticReporting, CacheUsing {
  var compiling: CatalogArguments { get set }
}

extension CatalogCompiling {
  var cache: CacheArguments {
    get { compiling.cache }
    set { compiling.cache = newValue }
  }
}

extension Option where Arguments: CatalogCompiling & Sendable {
  /// All options about catalogues.
  static var catalogOptions: [Option] {
    targetOptions + cacheOptions + [jobs] + diagnosticOptions + foldingOptions
  }

  /// The options of the target.
  static var targetOptions: [Option] {
    [
      .choice(
        "platform", "PLATFORM", of: TargetPlatform.allCases.map(\.rawValue),
        \.compiling.platform,
        help: "the platform to compile for; if not given, that of the devices, else iphoneos"),
      .text(
        "minimum-deployment-target", "VERSION", \.compiling.minimum,
        help: "the oldest system that must read the archive"),
      .list(
        "target-device", "FAMILY", of: DeviceFamily.allCases.map(\.rawValue),
        \.compiling.families,
        help: "a device family to compile for; if not given, all families of the platform"),
      .list(
        "app-icon", "NAME", \.compiling.appIcons,
        help: "an icon set to compile; those not named are left out"),
      .flag(
        "include-all-app-icons", \.compiling.includesAllIcons, help: "compile every icon set"),
    ]
  }

  static var jobs: Option {
    .number("jobs", short: "j", "N", in: 1...256, \.compiling.jobs, help: "use N processors")
  }
}

extension CatalogArguments {
  /// Returns the target for the named platform, or else for that of a device.
  func target(or platform: Traits.Platform? = nil) throws(CommandFailure) -> CompileTarget {
    let named = self.platform.flatMap { TargetPlatform(rawValue: $0) }
    var target = CompileTarget(
      platform: named ?? platform.map(TargetPlatform.init) ?? fromSettings.platform ?? .iOS,
      families: families.compactMap { DeviceFamily(rawValue: $0) })
    if families.isEmpty, target.platform == fromSettings.platform {
      target.families = fromSettings.families
    }
    if let minimum {
      target.minimum = try queried { () throws(QueryError) in
        try systemVersion(minimum, example: "15.0")
      }
    } else if let version = fromSettings.minimum, target.platform == fromSettings.platform ?? .iOS {
      target.minimum = version
    }
    if let oldest = target.tooOld {
      throw .usage(
        "archives for \(target.platform.rawValue) \(target.minimum) are not supported; "
          + "the oldest system is \(oldest)")
    }
    return target
  }

  /// The icons that options or settings name.
  var namedIcons: [ByteString] { appIcons.isEmpty ? fromSettings.icons : appIcons }

  var icons: IconSelection {
    let source = appIcons.isEmpty ? fromSettings.source : .options
    return includesAllIcons
      ? .all(with: namedIcons, by: source) : .named(namedIcons, by: source)
  }

  func options(or platform: Traits.Platform? = nil) throws(CommandFailure) -> CompileOptions {
    let target = try target(or: platform)
    if let contradiction = target.contradiction { throw .usage(contradiction) }
    var options = CompileOptions(target: target, icons: icons)
    options.isPlatformChosen =
      self.platform != nil || platform != nil || fromSettings.platform != nil
    try cache.add(to: &options)
    if let jobs { options.jobs = jobs }
    return options
  }
}

extension CatalogArguments {
  /// The options of the target that are given.
  private var givenTarget: [String] {
    [
      platform == nil ? nil : "--platform", minimum == nil ? nil : "--minimum-deployment-target",
      families.isEmpty ? nil : "--target-device", appIcons.isEmpty ? nil : "--app-icon",
      includesAllIcons ? "--include-all-app-icons" : nil,
    ].compactMap { $0 }
  }

  /// Warns if options of the target are given although all inputs are archives.
  func warnOfTarget(ofArchives inputs: [ByteString], _ terminal: Terminal) {
    let options = givenTarget
    guard !options.isEmpty,
      inputs.allSatisfy({ archiveInBundle($0) != nil || isFile($0) })
    else { return }
    let have = options.count == 1 ? "has" : "have"
    let are = inputs.count == 1 ? "is an archive" : "are archives"
    terminal.diagnose(
      terminal.tinted("warning:", .yellow)
        + onOneLine(
          " \(listed(options, joinedBy: "and")) \(have) no effect, because "
            + "\(listed(inputs.map(\.text), joinedBy: "and")) \(are)"))
  }

  private func isFile(_ path: ByteString) -> Bool {
    (try? FileTree.disk.status(path))?.kind == .file
  }

  /// Returns the settings for reading a catalogue without compiling it.
  func queryOptions() throws(CommandFailure) -> CatalogQueryOptions {
    let options = try options()
    // If no icon is named, every icon can be requested.
    var reading = CatalogQueryOptions(
      target: options.target, icons: namedIcons.isEmpty ? .all : icons, jobs: options.jobs)
    reading.followsPlatform = platform == nil
    reading.followsMinimum = minimum == nil && fromSettings.minimum == nil
    return reading
  }
}

extension CatalogCompiling {
  /// Makes the product of a build, in `whole` if that is given, and prints the findings. `source`
  /// returns the path that the user knows of a file of the build's tree. `consequence` is that of
  /// errors.
  func makeProduct(
    of build: inout Build, in whole: UnthinnedArchive? = nil, _ terminal: Terminal,
    consequence: String = "nothing was written",
    source: @escaping (ByteString) -> ByteString = { $0 }
  ) throws(CommandFailure) {
    cache.warn(about: build.options.cache, on: terminal)
    let policy = try diagnostics.policy()
    let observer = CompileObserver(
      applyPolicy: { policy.applied(to: $0.map { $0.moved(to: source) }) },
      progress: { done, all in terminal.progress("compiling \(done) of \(all)") })
    do throws(CompileError) { try build.makeProduct(in: whole, observer) } catch {
      throw CommandFailure(error)
    }
    terminal.progress("")
    terminal.warn(ofRemoteCache: build.report.cacheTrouble)
    if build.report.isRefused {
      diagnostics.printRefusal(build.report.diagnostics, terminal, consequence: consequence)
    } else {
      diagnostics.print(build.report.diagnostics, terminal)
    }
    if !build.report.isRefused, let trouble = build.trouble {
      throw CommandFailure(trouble.error, reading: source(trouble.path))
    }
  }
}
