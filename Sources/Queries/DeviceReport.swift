// The reports about devices: the table of all, the card of one model, and the words for windows and
// sizes in all reports.

import Documents
import Traits

// MARK: - Text

/// Returns one line for each device.
package func deviceTable(_ devices: [Device]) -> String {
  let heading = [
    "MODEL", "NAME", "IDIOM", "SCALE", "GAMUT", "MEMORY", "GRAPHICS", "SUBTYPE", "SYSTEMS",
  ]
  return aligned(
    [heading]
      + devices.map { device in
        [
          device.identifier, device.name, device.idiom.name,
          orUnknown(device.scales.map { "\($0)x" }),
          orUnknown(device.gamutNames) + device.mark(.gamut),
          orUnknown(device.memories.map(memoryText)) + device.mark(.memory),
          device.graphics?.newest.name ?? "unknown",
          (device.subtype.map { "\($0)" } ?? "unknown") + device.mark(.subtype), device.systems,
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
  /// The names of the gamuts of all displays.
  fileprivate var gamutNames: [String] {
    gamuts.map(\.name) + (unfolded.map { gamuts.contains($0.gamut) ? [] : [$0.gamut.name] } ?? [])
  }

  /// The sign after a fact that is supposed, in the table of all devices.
  fileprivate func mark(_ fact: SupposedFact) -> String { supposed.contains(fact) ? "?" : "" }

  /// The words after a fact that is supposed, in the card of the device.
  private func words(_ fact: SupposedFact) -> String {
    supposed.contains(fact) ? ", not confirmed" : ""
  }

  /// The systems that the device runs, such as "iOS 8.1 to 15".
  var systems: String {
    let first = earliest.map { "\($0)" } ?? "unknown"
    switch latest {
    case .current: return "\(platform.rawValue) \(first) and later"
    case .major(let major): return "\(platform.rawValue) \(first) to \(major)"
    case .unknown: return "\(platform.rawValue), unknown"
    }
  }

  /// Returns all facts about the device, and the size of its reach.
  package func card(_ reach: Reach) -> String {
    var rows: [(String, String)] = [
      ("model", identifier), ("processor", processor ?? "unknown"), ("systems", systems),
      (
        "idiom",
        idiom.name + (hosted ?? []).map { ", also shows \($0.name)" }.joined() + words(.hosted)
      ),
      ("screen", (points.map { "\(sizeText($0)) points" } ?? "unknown") + words(.size)),
      ("pixels", (pixels.map(sizeText) ?? "unknown") + words(.size)),
      ("scale", orUnknown(scales.map { "\($0)x" })),
      ("gamut", orUnknown(gamuts.map(\.name)) + words(.gamut)),
      ("subtype", (subtype.map { "\($0)" } ?? "unknown") + words(.subtype)),
      ("memory", orUnknown(memories.map(memoryText)) + words(.memory)),
      ("graphics", graphics.map { $0.names.joined(separator: ", ") } ?? "unknown"),
    ]
    if let unfolded { rows.append(("unfolded", unfolded.text)) }
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

extension UnfoldedDisplay {
  fileprivate var text: String {
    "\(sizeText(points)) points, \(sizeText(pixels)) pixels, \(scale)x, \(gamut.name)"
  }

  fileprivate var json: JSONOutput {
    [
      "points": points.json, "pixels": pixels.json, "scale": .integer(Int(scale)),
      "gamut": .string(gamut.name),
    ]
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

  /// The members of a device in the JSON of `devices`.
  package var members: [JSONOutput.Member] {
    var last = JSONOutput.null
    if case .major(let major) = latest { last = .string("\(major)") }
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
    ] + secondaryMembers
  }

  /// The members that few devices have.
  private var secondaryMembers: [JSONOutput.Member] {
    var members: [JSONOutput.Member] = []
    if let unfolded { members.append(.init("unfolded", unfolded.json)) }
    if !supposed.isEmpty {
      members.append(.init("supposed", .array(supposed.map { .string($0.rawValue) })))
    }
    return members
  }

  /// Returns the members that only the JSON of one device has.
  package func cardMembers(_ reach: Reach) -> [JSONOutput.Member] {
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

// MARK: - Windows and sizes

func classJSON(_ sizeClass: SizeClass?) -> JSONOutput {
  sizeClass.map { .string($0.name) } ?? .null
}

extension Window {
  var pointsJSON: JSONOutput { points?.json ?? .null }
}

extension PointSize {
  var json: JSONOutput { [.number(width), .number(height)] }
}

func sizeText(_ size: PointSize) -> String {
  "\(withAllDigits(size.width))x\(withAllDigits(size.height))"
}

/// Returns rows of cells as aligned columns, two blanks apart; the first row is the heading.
func aligned(_ rows: [[String]], indent: String = "") -> String {
  alignedColumns(rows).map { "\(indent)\($0)\n" }.joined()
}
