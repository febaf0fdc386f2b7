// Compiles the archives of a run: the one in the output folder, thinned if a device is named, and
// one for each pack of on-demand resources.

import ArchiveTools
import Builds
import Bytes
import CatalogCompiler
import CatalogModel
import Documents
import Host
import Traits

/// The result of compiling all archives of a run.
struct ArchivesResult {
  var messages: [RunMessage] = []
  var findings: [Diagnostic] = []
  /// The icons with at least one compiled rendition.
  var icons: Set<ByteString> = []
  /// The first failure of the remote cache.
  var cacheTrouble: String?
  /// The sources of which at least one rendition is stored, in a trial.
  var stored: Set<ByteString> = []
}

extension BuildStep {
  /// Compiles all archives. Takes ownership of the assets, so that only the plan is in memory while
  /// pictures are encoded.
  func makeArchives(
    of contents: consuming CatalogContents, _ choice: IconChoice
  ) -> ArchivesResult {
    var made = ArchivesResult()
    guard let archive = request.archive else { return made }
    var division = PackDivision(request, consume contents, tree)
    made.messages += division.messages
    if division.messages.contains(where: { $0.severity == .error }) { return made }
    make(archive, of: division.takeMain(), choice, &made)
    for pack in division.packs {
      do throws(OutputError) {
        try build.outputs.makeFolder(pack.path)
      } catch {
        made.messages.append(RunMessage(output: error))
        return made
      }
      make(AssetPackList.archive(in: pack.path), of: pack.contents, choice, &made)
    }
    made.findings = inPrintingOrder(made.findings)
    return made
  }

  private func make(
    _ archive: ByteString, of contents: consuming CatalogContents, _ choice: IconChoice,
    _ made: inout ArchivesResult
  ) {
    var options = request.compiling
    options.listsStored = isTrial
    // A pack contains few or none of the icons. IconChoice has checked that every icon exists.
    let known = Set(contents.assets.lazy.filter { $0.kind == .icon }.map(\.name))
    options.icons = .named(choice.names.filter(known.contains))
    contents.assets.removeAll {
      $0.type == .complicationSet && $0.name != request.complication
    }
    // The tags are not needed any more, because the assets are divided.
    for index in contents.assets.indices { contents.assets[index].onDemandTags = [] }
    do throws(CompileError) {
      let reach = reach(&made)
      let whole = reach == nil ? nil : try wholeArchive()
      let report = try build.make(
        consume contents, to: whole?.destination ?? .part(of: build.outputs, archive),
        options: options, CompileObserver(judge: reported))
      made.findings += report.diagnostics
      if let reach, let whole, report.renditionCount > 0, !report.isRefused {
        thin(whole, for: reach, to: archive, &made)
      }
      made.icons.formUnion(report.iconNames)
      made.stored.formUnion(report.stored)
      if made.cacheTrouble == nil { made.cacheTrouble = report.cacheTrouble }
      // If nothing is compiled, the archive of an earlier run is removed. Otherwise it would be
      // taken for the result.
      if report.renditionCount == 0, !report.isRefused { build.outputs.remove(archive) }
    } catch {
      switch error {
      case .output(let error): made.messages.append(RunMessage(output: error))
      case .archive(let error): made.messages.append(RunMessage(.error, error.description))
      }
    }
  }

  private func wholeArchive() throws(CompileError) -> WholeArchive {
    do throws(OutputError) { return try WholeArchive() } catch { throw .output(error) }
  }

  /// Returns the environments that the device can show. Returns nil, which keeps every rendition,
  /// if no device is named or if it is not known.
  private func reach(_ made: inout ArchivesResult) -> Reach? {
    guard let model = request.filter.chosenModel else { return nil }
    func keepAll(_ reason: String) -> Reach? {
      let message = RunMessage(.note, "\(reason); nothing is left out for it.")
      if !made.messages.contains(message) { made.messages.append(message) }
      return nil
    }
    guard let device = Device(named: model) ?? Device.nearest(to: model) else {
      return keepAll("The device \"\(model)\" is not known")
    }
    if device.identifier != model {
      let warning = RunMessage(
        .warning,
        "The device \"\(model)\" is not known; it counts as the nearest known model, "
          + "\(device.identifier) (\(device.name)).")
      if !made.messages.contains(warning) { made.messages.append(warning) }
    }
    do throws(ReachError) {
      return try Reach(
        of: device, app: AppTraits(), os: request.filter.os ?? request.target.minimum)
    } catch {
      return keepAll("\(error)")
    }
  }

  private func thin(
    _ whole: WholeArchive, for reach: Reach, to archive: ByteString,
    _ made: inout ArchivesResult
  ) {
    defer { withExtendedLifetime(whole) {} }
    do throws(FileError) {
      let bytes = try whole.bytes()
      do throws(ThinningError) {
        var thinner = try Thinner(bytes)
        _ = try thinner.write(
          for: ThinningTarget([reach]), to: .part(of: build.outputs, archive))
      } catch {
        made.messages.append(RunMessage(.error, "\(error)", about: archive))
      }
    } catch {
      made.messages.append(RunMessage(.error, error.reason, about: archive))
    }
  }
}

// MARK: - Packs of on-demand resources

// Divides assets into packs of on-demand resources. The caller gives the list of packs. Assets
// whose tags have no pack stay in the archive of the app, so that every asset is in an archive.

struct AssetPack {
  /// The folder of the pack.
  var path: ByteString
  var contents: CatalogContents
}

/// The property list with the requested packs.
struct AssetPackList {
  typealias Entry = (tags: [ByteString], path: ByteString)

  /// The tags of each pack in order, and its folder; nil if the list cannot be read.
  private(set) var packs: [Entry]?
  private(set) var messages: [RunMessage] = []

  init(_ path: ByteString, _ tree: FileTree) {
    func refuse(_ reason: String) {
      messages.append(
        RunMessage(
          .error, "Failed to read the asset pack specifications.", about: path, reason: reason))
    }
    do throws(FileError) {
      let bytes = try tree.read(path, FileLimit.document)
      do throws(PropertyListError) {
        guard let entries = try PropertyValue(propertyList: bytes).array else {
          refuse("It does not hold an array.")
          return
        }
        var packs: [Entry] = []
        for entry in entries {
          guard let members = entry.dictionary, let place = members["bundle-path"]?.string,
            let tags = members["tags"]?.array
          else {
            refuse("An entry has no \"bundle-path\" or no \"tags\".")
            return
          }
          packs.append(
            (Set(tags.compactMap { $0.string.map { ByteString($0) } }).sorted(), ByteString(place)))
        }
        self.packs = packs
      } catch {
        refuse("It \(error).")
      }
    } catch {
      refuse(error.reason)
    }
  }

  /// Returns the path of the archive of a pack.
  static func archive(in folder: ByteString) -> ByteString { joined(folder, "Assets.car") }
}

struct PackDivision {
  private(set) var main: CatalogContents
  private(set) var packs: [AssetPack] = []
  private(set) var messages: [RunMessage] = []

  init(_ request: BuildRequest, _ contents: CatalogContents, _ tree: FileTree) {
    main = contents
    guard request.usesOnDemandResources, let list = request.assetPacks else { return }
    let specifications = AssetPackList(list, tree)
    messages += specifications.messages
    guard let wanted = specifications.packs else { return }
    var rest = contents.assets
    for (tags, path) in wanted {
      let own = rest.filter { sortedTags($0) == tags }
      rest.removeAll { sortedTags($0) == tags }
      if own.isEmpty { continue }
      var part = contents
      part.assets = own
      // The findings of the reader are reported once, with the archive of the app.
      part.diagnostics = []
      packs.append(AssetPack(path: path, contents: part))
    }
    main.assets = rest
    let left = Set(rest.map { sortedTags($0) }.filter { !$0.isEmpty }).sorted {
      $0.lexicographicallyPrecedes($1)
    }
    for tags in left {
      messages.append(
        RunMessage(
          .warning,
          "No asset pack has the tags \(quotedList(tags, joinedBy: "and")); their assets stay in the "
            + "app's own archive.", about: list))
    }
  }

  /// Returns the assets of the app's own archive and removes them here, so that they need not stay
  /// in memory.
  mutating func takeMain() -> CatalogContents {
    let taken = main
    main = CatalogContents()
    return taken
  }
}

// MARK: - Parts of catalogues

// Selects parts of the catalogues: variants by language, sets of tags, and the tree for a listing.

extension BuildStep {
  /// Removes the variants for languages that were not requested. Variants without a language stay.
  func keepLanguages(_ contents: inout CatalogContents) {
    if request.languages.isEmpty { return }
    let wanted = request.languages.map { $0.lowercased() }
    func isKept(_ slot: Slot) -> Bool {
      guard let locale = slot.locale?.lowercased() else { return true }
      return wanted.contains { $0 == locale || $0.isRegion(of: locale) || locale.isRegion(of: $0) }
    }
    for index in contents.assets.indices {
      contents.assets[index].contents.keep(isKept)
    }
  }

  /// Returns the different sets of tags. Xcode makes a pack for each.
  func tagCombinations(_ assets: [AssetSet]) -> [[ByteString]] {
    Set(assets.map { sortedTags($0) }.filter { !$0.isEmpty }).sorted {
      $0.lexicographicallyPrecedes($1)
    }
  }
}

extension String {
  /// Returns whether the text is a region of a language, as "pt-br" is of "pt".
  fileprivate func isRegion(of language: String) -> Bool { hasPrefix(language + "-") }
}

extension AssetContents {
  fileprivate mutating func keep(_ isKept: (Slot) -> Bool) {
    switch self {
    case .images(var set):
      set.entries.removeAll { !isKept($0.slot) }
      self = .images(set)
    case .colors(var set):
      set.entries.removeAll { !isKept($0.slot) }
      self = .colors(set)
    case .data(var set):
      set.entries.removeAll { !isKept($0.slot) }
      self = .data(set)
    case .symbols(var set):
      set.entries.removeAll { !isKept($0.slot) }
      self = .symbols(set)
    default: return
    }
  }

  /// The languages of the variants in the set.
  var locales: [String] {
    switch self {
    case .images(let set): set.entries.compactMap(\.slot.locale)
    case .colors(let set): set.entries.compactMap(\.slot.locale)
    case .data(let set): set.entries.compactMap(\.slot.locale)
    case .symbols(let set): set.entries.compactMap(\.slot.locale)
    default: []
    }
  }
}

func sortedTags(_ asset: AssetSet) -> [ByteString] { Set(asset.onDemandTags).sorted() }

/// Returns a folder of a catalogue with its contents, in the form of `--print-contents`.
func catalogTree(_ path: ByteString, in tree: FileTree, depth: Int = 0) -> PropertyValue {
  var members: [ByteString: PropertyValue] = ["filename": .name(lastComponent(path))]
  let entries = depth < 32 ? (try? tree.list(path)) ?? [] : []
  let folders = entries.filter { $0.kind == .folder && !$0.isLink && !$0.name.isHidden }
  var children = folders.map { catalogTree(joined(path, $0.name), in: tree, depth: depth + 1) }
  if let root = contentsFile(of: path, in: tree) {
    if root["properties"]?["provides-namespace"] == .bool(true) {
      members["provides-namespace"] = .boolean(true)
    }
    children += root.list("images").map { .dictionary(imageMembers($0)) }
    if let name = root["properties"]?["content-reference"]?.name("name") {
      members["contentReference"] = .name(name)
    }
  }
  if !children.isEmpty { members["children"] = .array(children) }
  return .dictionary(members)
}

private func contentsFile(of folder: ByteString, in tree: FileTree) -> JSONValue? {
  let path = joined(folder, "Contents.json")
  guard let bytes = try? tree.read(path, FileLimit.document) else { return nil }
  return try? parseJSON(bytes)
}

private func imageMembers(_ entry: JSONValue) -> [ByteString: PropertyValue] {
  var members: [ByteString: PropertyValue] = [:]
  for key: ByteString in ["filename", "scale", "idiom"] {
    if let value = entry.name(key) { members[key] = .name(value) }
  }
  return members
}
