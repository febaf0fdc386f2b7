// `carve devices`: prints the device table, or the card of one model.

import ArchiveTools
import Bytes
import CatalogModel
import CommandLineKit
import Documents
import Traits

struct DevicesArguments: Sendable {
  var model: String?
  var infoPlist: ByteString?
  var os: String?
  var printsJSON = false
}

let devicesCommand = Command(
  "devices", summary: "List the device table, or tell all about one model",
  discussion: """
    The card of a model holds what its windows ask of a catalogue: its traits, its windows with \
    their size classes, and how many environments it can present. What nobody has published is \
    called unknown.
    """,
  defaults: DevicesArguments(),
  operands: [
    .optional(
      .listed("MODEL", by: WordList.devices.words), \.model,
      help: "a model identifier, such as iPad5,3")
  ],
  options: [
    .path(
      "info-plist", "FILE", extensions: ["plist"], \.infoPlist,
      help: "count the reach of this app: its full screen, orientations, languages and devices"),
    .text("os", "VERSION", \.os, help: "count the reach from this system on"),
    .flag("json", \.printsJSON, help: "print JSON"),
  ],
  examples: [
    Example("carve devices", "one line for each model"),
    Example("carve devices iPad5,3", "the traits and windows of an iPad Air 2"),
  ]
) { (arguments, terminal) throws(CommandFailure) in
  try listDevices(arguments, terminal)
}

private func listDevices(
  _ arguments: DevicesArguments, _ terminal: Terminal
) throws(CommandFailure) -> ExitStatus {
  guard let model = arguments.model else {
    guard arguments.infoPlist == nil, arguments.os == nil else {
      throw .usage("--info-plist and --os are about the reach of one MODEL; name it")
    }
    let devices = Device.all
    if arguments.printsJSON {
      let list = JSONOutput.array(devices.map { .object($0.members) })
      terminal.print(JSONOutput.object([.init("devices", list)]).text)
    } else {
      terminal.write(deviceTable(devices))
    }
    return .fine
  }
  let device = try knownDevice(model)
  let app = try arguments.infoPlist.map { (path) throws(CommandFailure) in try appTraits(path) }
  let reach = try reach(of: device, app ?? AppTraits(), os: arguments.os)
  if arguments.printsJSON {
    terminal.print(JSONOutput.object(device.members + device.cardMembers(reach)).text)
  } else {
    terminal.write(device.card(reach))
  }
  return .fine
}

/// Returns the traits that an Info.plist states; throws a usage error if the file is not a property
/// list.
func appTraits(_ path: ByteString) throws(CommandFailure) -> AppTraits {
  let bytes = try readFile(path, atMost: 1 << 24)
  do throws(PropertyListError) { return try AppTraits(infoPlist: bytes) } catch {
    throw .input("\(path) \(error); give the app's Info.plist")
  }
}

private func reach(
  of device: Device, _ app: AppTraits, os: String?
) throws(CommandFailure) -> Reach {
  var version: OSVersion?
  if let os {
    guard let parsed = OSVersion(os) else { throw .usage("'\(os)' is not a version such as 17.4") }
    version = parsed
  }
  do throws(ReachError) { return try Reach(of: device, app: app, os: version) } catch {
    throw .usage(error.description)
  }
}

// MARK: - Text

private func deviceTable(_ devices: [Device]) -> String {
  let heading = [
    "MODEL", "NAME", "IDIOM", "SCALE", "GAMUT", "MEMORY", "GRAPHICS", "SUBTYPE", "SYSTEMS",
  ]
  return aligned(
    [heading]
      + devices.map { device in
        [
          device.identifier, device.name, device.idiom.name,
          orUnknown(device.scales.map { "\($0)x" }), orUnknown(device.gamuts.map(\.name)),
          orUnknown(device.memories.map(memoryText)), device.graphics?.newest.name ?? "unknown",
          device.subtype.map { "\($0)" } ?? "unknown", device.systems,
        ]
      })
}

private func orUnknown(_ texts: [String]) -> String {
  texts.isEmpty ? "unknown" : texts.joined(separator: " or ")
}

private func memoryText(_ gigabytes: UInt8) -> String {
  gigabytes == 0 ? "under 1 GB" : "\(gigabytes) GB"
}

extension Device {
  fileprivate var systems: String {
    let first = earliest.map { "\($0)" } ?? "unknown"
    switch latest {
    case .current: return "\(platform.rawValue) \(first) and later"
    case .major(let major): return "\(platform.rawValue) \(first) to \(major)"
    case .unknown: return "\(platform.rawValue), unknown"
    }
  }

  fileprivate func card(_ reach: Reach) -> String {
    var rows: [(String, String)] = [
      ("model", identifier), ("processor", processor ?? "unknown"), ("systems", systems),
      ("idiom", idiom.name + (hosted ?? []).map { ", also shows \($0.name)" }.joined()),
      ("screen", points.map { "\(sizeText($0)) points" } ?? "unknown"),
      ("pixels", pixels.map(sizeText) ?? "unknown"),
      ("scale", orUnknown(scales.map { "\($0)x" })), ("gamut", orUnknown(gamuts.map(\.name))),
      ("subtype", subtype.map { "\($0)" } ?? "unknown"),
      ("memory", orUnknown(memories.map(memoryText))),
      ("graphics", graphics.map { $0.names.joined(separator: ", ") } ?? "unknown"),
    ]
    if hasStandardDisplayMode { rows.append(("other display", "1080 lines, 1x, sRGB")) }
    if multitasking.externalDisplay {
      rows.append(("other display", "any attached one: 1x or 2x, sRGB or P3"))
    }
    if !unknownTraits.isEmpty {
      rows.append(("unknown", unknownTraits.map(\.name).joined(separator: ", ")))
    }
    rows.append(("reach", "\(reach.count) environments"))
    let width = (rows.map(\.0.count).max() ?? 0) + 2
    var text = name + "\n"
    for (label, value) in rows {
      text += "  \(label)\(String(repeating: " ", count: width - label.count))\(value)\n"
    }
    return text + windowText
  }

  private var windowText: String {
    let windows = windows
    if windows.isEmpty { return "  windows: their size classes are unknown\n" }
    var rows = [["WINDOW", "ORIENTATION", "POINTS", "WIDTH", "HEIGHT"]]
    rows += windows.map { window in
      [
        window.mode.rawValue, window.orientation.rawValue,
        window.points.map(sizeText) ?? "any size", window.widthText,
        window.heightClass?.name ?? "unknown",
      ]
    }
    return "\n" + aligned(rows, indent: "  ")
  }
}

extension Window {
  /// The width class. A width between the largest known compact and the smallest known regular one
  /// is printed as unknown, with the likely class.
  fileprivate var widthText: String {
    if let widthClass { return widthClass.name }
    guard let points, mode.hasOneSize else { return "compact or regular" }
    guard Window.undecidedWidths.contains(points.width) else { return "unknown" }
    return "unknown (\(points.width >= Window.proposedRegularWidth ? "regular" : "compact") likely)"
  }
}

// MARK: - JSON

extension Device {
  /// Returns a list for several values, the value if there is one, and null if the value is
  /// unknown.
  private func oneOrMore(_ values: [JSONOutput]) -> JSONOutput {
    values.count == 1 ? values[0] : values.isEmpty ? .null : .array(values)
  }

  fileprivate var members: [JSONOutput.Member] {
    var last = JSONOutput.null
    if case .major(let major) = latest { last = .integer(Int(major)) }
    return [
      .init("model", .string(identifier)), .init("name", .string(name)),
      .init("idiom", .string(idiom.name)),
      .init("processor", processor.map { .string($0) } ?? .null),
      .init("platform", .string(platform.rawValue)),
      .init("earliest", earliest.map { .string($0.description) } ?? .null),
      .init("latest", last), .init("current", .bool(latest == .current)),
      .init("subtype", subtype.map { .integer(Int($0)) } ?? .null),
      .init("scale", oneOrMore(scales.map { .integer(Int($0)) })),
      .init("gamut", oneOrMore(gamuts.map { .string($0.name) })),
      .init("memory", oneOrMore(memories.map { .integer(Int($0)) })),
      .init("graphics", graphics.map { .string($0.newest.name) } ?? .null),
      .init(
        "graphicsFallbacks",
        graphics.map { .array($0.names.dropFirst().map { .string($0) }) } ?? .null),
      .init("hosted", hosted.map { .array($0.map { .string($0.name) }) } ?? .null),
      .init("points", points?.json ?? .null), .init("pixels", pixels?.json ?? .null),
      .init("unknown", .array(unknownTraits.map { .string($0.name) })),
    ]
  }

  fileprivate func cardMembers(_ reach: Reach) -> [JSONOutput.Member] {
    let windows = windows.map { window in
      JSONOutput.object([
        .init("window", .string(window.mode.rawValue)),
        .init("orientation", .string(window.orientation.rawValue)),
        .init("points", window.pointsJSON), .init("width", classJSON(window.widthClass)),
        .init("height", classJSON(window.heightClass)),
      ])
    }
    return [.init("windows", .array(windows)), .init("reach", .integer(reach.count))]
  }
}
