// The settings that affect the bytes of an object. Only objects with equal settings can be linked.

import Bytes
import CatalogModel
import Documents
import Traits

package struct ObjectSettings: Sendable, Equatable {
  /// The names of options and their values, always in the same order.
  private var values: [(name: String, value: JSONOutput)]

  package static func == (a: ObjectSettings, b: ObjectSettings) -> Bool { a.stored == b.stored }

  package init(_ options: CompileOptions) {
    let target = options.target
    func words(_ list: [String]) -> JSONOutput { .array(list.map { .string($0) }) }
    values = [
      ("platform", .string(target.platform.rawValue)),
      ("minimum-deployment-target", .string("\(target.minimum)")),
      ("target-device", words(target.families.map(\.rawValue))),
      ("app-icon", .array(options.icons.names.map { .name($0) })),
      ("include-all-app-icons", .bool(options.icons.includesAll)),
      ("optimization", .string(options.optimization.rawValue)),
      ("exact-pixels", .bool(options.keepsExactPixels)),
      ("no-packing", .bool(!options.packsSprites)),
      ("no-rasters", .bool(!options.rasterizesVectors)),
      ("keep-vectors", .bool(options.keepsVectors)),
      ("no-icon-bitmaps", .bool(!options.drawsIcons)),
      ("plain-icons", .bool(!options.drawsGlass)),
      ("allow-incomplete", words(options.allowsIncomplete.map(\.rawValue).sorted())),
    ]
  }

  /// The settings by the names of their options.
  package var stored: JSONOutput { .object(values.map { JSONOutput.Member($0.name, $0.value) }) }

  /// Returns the options with these settings; nil if a value is not valid for its option.
  package static func options(stored value: JSONValue) -> CompileOptions? {
    guard let platform = value.text("platform").flatMap(TargetPlatform.init),
      let minimum = value.text("minimum-deployment-target").flatMap({ OSVersion($0) }),
      let families = value.names("target-device")?.map(\.text),
      let optimization = value.text("optimization").flatMap(OptimizationGoal.init),
      let exact = value.flag("exact-pixels"), let unpacked = value.flag("no-packing"),
      let undrawn = value.flag("no-rasters"), let kept = value.flag("keep-vectors"),
      let stacks = value.flag("no-icon-bitmaps"),
      let incomplete = value.names("allow-incomplete")?.map(\.text),
      let icons = value.names("app-icon"), let all = value.flag("include-all-app-icons")
    else { return nil }
    let target = CompileTarget(
      platform: platform, minimum: minimum, families: families.compactMap(DeviceFamily.init))
    if target.tooOld != nil { return nil }
    var options = CompileOptions(target: target, icons: all ? .all(with: icons) : .named(icons))
    options.optimization = optimization
    options.keepsExactPixels = exact
    options.packsSprites = !unpacked
    options.rasterizesVectors = !undrawn
    options.keepsVectors = kept
    options.drawsIcons = !stacks
    // Objects of older versions do not state it.
    options.drawsGlass = value.flag("plain-icons") == false
    options.allowsIncomplete = Set(incomplete.compactMap(SetType.init))
    return options
  }

  /// Returns the first setting that differs, as it is here and there: "--platform macosx".
  func difference(from other: ObjectSettings) -> (here: String, there: String)? {
    for (own, their) in zip(values, other.values) where own.value != their.value {
      return (ObjectSettings.words(own), ObjectSettings.words(their))
    }
    return nil
  }

  /// The settings as on a command line, for messages.
  package var words: [String] {
    values.compactMap { $0.value == false || $0.value == [] ? nil : ObjectSettings.words($0) }
  }

  private static func words(_ setting: (name: String, value: JSONOutput)) -> String {
    switch setting.value {
    case .string(let text): "--\(setting.name) \(text)"
    case .bool(false), .array([]): "no --\(setting.name)"
    case .array(let list):
      list.map { item in
        if case .string(let text) = item { "--\(setting.name) \(text)" } else { "" }
      }.joined(separator: " ")
    default: "--\(setting.name)"
    }
  }
}
