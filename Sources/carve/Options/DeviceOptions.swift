// The options that name devices, and their reach.

import ArchiveTools
import Bytes
import CatalogModel
import CommandLineKit
import Documents
import Host
import Queries
import Traits

/// `--device`, `--os`, `--info-plist` and `--language`.
struct DeviceArguments: Sendable {
  var models: [String] = []
  var os: String?
  var infoPlist: ByteString?
  var languages: [String] = []
}

protocol DeviceTargeting {
  var thinning: DeviceArguments { get set }
}

extension Option where Arguments: DeviceTargeting & Sendable {
  static var deviceOptions: [Option] {
    [
      .list(
        "device", "MODEL[,MODEL...]", listedBy: WordList.devices.words, \.thinning.models,
        help: "a device by its model or name, such as iPhone8,1 or 'iPhone 6s'; see 'carve devices'"
      ),
      .text(
        "os", "VERSION", \.thinning.os, help: "the oldest system on which the app is installed"),
      .path(
        "info-plist", "FILE", extensions: ["plist"], \.thinning.infoPlist,
        help: "the app's Info.plist: its orientations, languages, device families"),
      .list(
        "language", "TAG", separator: ",", \.thinning.languages,
        help: "a language of the app, instead of those of its Info.plist"),
    ]
  }
}

extension DeviceArguments {
  /// Whether anything except the models of devices is given.
  var saysMore: Bool { os != nil || infoPlist != nil || !languages.isEmpty }

  /// The models, each once, in the order in which they are named.
  private var differentModels: [String] {
    var seen: Set<ByteString> = []
    return models.flatMap(deviceModels).filter { seen.insert(ByteString($0)).inserted }
  }

  /// Returns the named devices, each once. Warns if one is used for a model that is not known.
  func devices(_ terminal: Terminal) throws(CommandFailure) -> [Device] {
    terminal.warnOfStandIns(differentModels)
    return try devices()
  }

  /// Returns the named devices, each once.
  func devices() throws(CommandFailure) -> [Device] {
    var devices: [Device] = []
    for model in differentModels {
      let device = try queried { () throws(QueryError) in try knownDevice(model) }
      if !devices.contains(device) { devices.append(device) }
    }
    return devices
  }

  func version() throws(CommandFailure) -> OSVersion? {
    guard let os else { return nil }
    return try queried { () throws(QueryError) in try systemVersion(os) }
  }

  /// Returns the traits of the app, which limit reach.
  func app() throws(CommandFailure) -> AppTraits {
    var app = AppTraits()
    if let infoPlist { app = try appTraits(infoPlist) }
    let tags = try tags()
    if !tags.isEmpty { app.languages = tags }
    return app
  }

  private func tags() throws(CommandFailure) -> [String] {
    try queried { () throws(QueryError) in try languageTags(languages) }
  }
}

extension Terminal {
  func warnOfStandIns(_ models: [String]) {
    for remark in remarksAboutStandIns(models) {
      diagnose("\(tinted("warning:", .yellow)) \(remark)")
    }
  }
}

extension DeviceArguments {
  /// Notes which languages of `--language` no asset of an archive has.
  func note(
    idleLanguagesFor known: [String], _ terminal: Terminal
  ) throws(CommandFailure) {
    let numbers = Set(localeChain(of: known))
    let idle = try tags().filter { numbers.isDisjoint(with: localeChain(of: [$0])) }
    if idle.isEmpty { return }
    let others =
      known.isEmpty
      ? ", or for another language"
      : "; there are variants for \(listed(known.sorted(), joinedBy: "and"))"
    terminal.diagnose(
      onOneLine("note: no asset has a variant for \(listed(idle, joinedBy: "or"))\(others)"))
  }

  /// Returns the reach of each device for an archive.
  func reaches(of devices: [Device], in thinner: Thinner) throws(CommandFailure) -> [Reach] {
    let app = try app()
    let os = try version()
    var reaches: [Reach] = []
    do throws(ReachError) {
      for device in devices { reaches.append(try thinner.reach(of: device, app: app, os: os)) }
    } catch {
      throw .usage("\(error)")
    }
    return reaches
  }
}

/// Returns the traits that an Info.plist states; throws an input error if the file is not a
/// property list.
func appTraits(_ path: ByteString) throws(CommandFailure) -> AppTraits {
  let bytes = try readFile(path, atMost: FileLimit.document)
  do throws(PropertyListError) { return try AppTraits(infoPlist: bytes) } catch {
    throw .input("\(path) \(error); give the app's Info.plist")
  }
}
