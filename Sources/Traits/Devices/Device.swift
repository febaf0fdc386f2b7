// One device model: the facts of the device table. What it can ever show is in Reach.swift; its
// windows are in Window.swift. The facts themselves are rows of Sources/Traits/Devices/Tables/devices.tsv.

/// A size in points or pixels, the short edge first for what can be turned.
package struct DisplaySize: Sendable, Hashable {
  package let width: Double
  package let height: Double

  init?(_ text: some StringProtocol) {
    let edges = text.split(separator: "x").compactMap { decimal($0) }
    guard edges.count == 2 else { return nil }
    (width, height) = (edges[0], edges[1])
  }

  init(width: Double, height: Double) {
    self.width = width
    self.height = height
  }
}

/// The newest system that a device takes.
package enum LatestSystem: Sendable, Hashable {
  case unknown, current
  case major(UInt16)
}

/// How an iPad shares its screen, and from which system on.
package struct Multitasking: Sendable, Hashable {
  package let slideOver: Bool
  package let splitView: Bool
  package let externalDisplay: Bool
  package let stageManager: OSVersion?
  package let freeWindows: OSVersion?
}

/// A model. What nobody has published is nil (or an empty list), and never guessed.
package struct Device: Sendable, Hashable {
  package let identifier: String
  package let name: String
  package let idiom: Idiom
  package let processor: String?
  package let platform: Platform
  package let earliest: OSVersion?
  package let latest: LatestSystem
  package let subtype: UInt16?
  /// More than one where displays of several kinds can be attached; empty where unknown.
  package let scales: [UInt8]
  package let gamuts: [Gamut]
  /// Gigabytes, 0 for less than one; one for each configuration sold under this model.
  package let memories: [UInt8]
  package let graphics: GraphicsSupport?
  /// The idioms that it shows on other screens, such as a car's; nil where unknown.
  package let hosted: [Idiom]?
  /// Whether it can also drive a screen of 1080 lines in the standard gamut.
  package let hasStandardDisplayMode: Bool
  package let points: DisplaySize?
  package let pixels: DisplaySize?
  package let nativeScale: String?
  package let multitasking: Multitasking
  let landscapeWidth: Substring

  init(row: [Substring]) {
    // The script that wrote the table checked the count and the form of every column.
    precondition(row.count == 21, "a row of the device table has 21 columns")
    identifier = String(row[0])
    name = String(row[1])
    idiom = Idiom(named: String(row[2])) ?? .universal
    processor = row[3] == "?" ? nil : String(row[3])
    platform = Platform(rawValue: String(row[4])) ?? .iOS
    earliest = OSVersion(row[5])
    latest = row[6] == "-" ? .current : UInt16(row[6]).map { .major($0) } ?? .unknown
    subtype = UInt16(row[7])
    scales = row[8].listed.compactMap { UInt8($0) }
    gamuts = row[9].listed.compactMap { Gamut(named: String($0)) }
    memories = row[10].listed.compactMap { UInt8($0) }
    graphics = UInt32(row[11], radix: 16).map { GraphicsSupport(mask: $0) }
    hosted = row[12] == "?" ? nil : row[12].listed.compactMap { Idiom(named: String($0)) }
    hasStandardDisplayMode = row[13] != "-"
    points = DisplaySize(row[14])
    pixels = DisplaySize(row[15])
    nativeScale = row[16] == "?" ? nil : String(row[16])
    landscapeWidth = row[17]
    let flags = Array(row[18])
    multitasking = Multitasking(
      slideOver: flags[0] == "1", splitView: flags[1] == "1", externalDisplay: flags[2] == "1",
      stageManager: OSVersion(row[19]), freeWindows: OSVersion(row[20]))
  }
}

extension Device {
  /// The model of this identifier, such as iPad5,3; nil where the table does not have it.
  package init?(named identifier: String) {
    // An identifier with a semicolon in it would find the beginning of a row.
    guard let row = TableText(text: deviceTable).rows(beginningWith: [identifier]).first,
      row[0] == identifier
    else { return nil }
    self.init(row: row)
  }

  /// Every model, in the order of the table.
  package static let all = TableText(text: deviceTable).rows().map { Device(row: $0) }

  /// Every model that reads archives of a platform, by the name that they state; iOS where they state none.
  package static func all(reading archivePlatform: String?) -> [Device] {
    all.filter { $0.platform.archiveName == archivePlatform ?? Platform.iOS.archiveName }
  }

  /// Whether its system always says how large text is to be.
  var alwaysHasContentSize: Bool { idiom == .phone || idiom == .pad }

  /// The axes on which nobody has published what the device asks for.
  package var unknownTraits: [Axis] {
    var axes: [Axis] = []
    if memories.isEmpty { axes.append(.memory) }
    if subtype == nil { axes.append(.subtype) }
    if graphics == nil { axes.append(.graphics) }
    if scales.isEmpty { axes.append(.scale) }
    if gamuts.isEmpty { axes.append(.gamut) }
    let windows = windows
    if windows.contains(where: { $0.widthClass == nil && $0.mode == .full }) { axes.append(.width) }
    if windows.isEmpty { axes += [.width, .height] }
    return axes
  }

  /// The generations of the systems that it can run, given the one installed or required.
  package func generations(from minimum: OSVersion? = nil) -> ClosedRange<UInt8> {
    let newest =
      switch latest {
      case .unknown, .current: Platform.newestGeneration
      case .major(let major): platform.generation(of: OSVersion(major, .max, .max))
      }
    let oldest = max(minimum ?? OSVersion(0), earliest ?? OSVersion(0))
    return min(platform.generation(of: oldest), newest)...newest
  }

  /// Whether the device takes this system at all.
  package func runs(_ version: OSVersion) -> Bool {
    if case .major(let major) = latest { return version.major <= major }
    return true
  }
}

extension Platform {
  /// The name that the metadata of its archives carries.
  package var archiveName: String {
    switch self {
    case .iOS, .iPadOS: "ios"
    case .tvOS: "atv"
    case .watchOS: "watchos"
    case .macOS: "macosx"
    case .visionOS: "vision"
    }
  }
}
