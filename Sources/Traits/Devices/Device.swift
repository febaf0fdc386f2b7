// The facts about one device model, which are rows of Sources/Traits/Devices/Tables/devices.tsv.
// Reach.swift computes the environments that a device can present; Window.swift has its windows.

/// A size in points, or in pixels that need not be whole. The short edge of a display that can be
/// turned comes first.
package struct PointSize: Sendable, Hashable {
  package var width: Double
  package var height: Double

  /// Reads a size such as 83.5x83.5 of a table.
  init?(_ text: some StringProtocol) {
    let edges = text.split(separator: "x").compactMap { decimal($0) }
    guard edges.count == 2 else { return nil }
    (width, height) = (edges[0], edges[1])
  }

  package init(width: Double, height: Double) {
    self.width = width
    self.height = height
  }
}

/// The newest system that a device can run.
package enum LatestSystem: Sendable, Hashable {
  case unknown, current
  case major(UInt16)
}

/// The ways in which an iPad shares its screen. A version is the first system that has the feature.
package struct Multitasking: Sendable, Hashable {
  package let slideOver: Bool
  package let splitView: Bool
  package let externalDisplay: Bool
  package let stageManager: OSVersion?
  package let freeWindows: OSVersion?
}

/// The second display of a phone that unfolds. Its windows are those of the mode `unfolded`.
package struct UnfoldedDisplay: Sendable, Hashable {
  package let points: PointSize
  package let pixels: PointSize
  package let nativeScale: String
  package let scale: UInt8
  package let gamut: Gamut

  /// Reads a field of the device table; returns nil if the device has no such display.
  fileprivate init?(_ fields: [Substring]) {
    guard fields.count == 5, let points = PointSize(fields[0]), let pixels = PointSize(fields[1]),
      let scale = UInt8(fields[3]), let gamut = Gamut(named: String(fields[4]))
    else { return nil }
    (self.points, self.pixels, self.scale, self.gamut) = (points, pixels, scale, gamut)
    nativeScale = String(fields[2])
  }
}

/// A fact that the table can suppose, because earlier models suggest it.
package enum SupposedFact: String, Sendable, Hashable {
  case subtype, gamut, memory, hosted, size
}

/// A device model. A fact that is not published is nil or an empty list. A fact that is supposed is
/// named in `supposed`: requests of one window use it, reach does not.
package struct Device: Sendable, Hashable {
  package let identifier: String
  package let name: String
  package let idiom: Idiom
  package let processor: String?
  package let platform: Platform
  package let earliest: OSVersion?
  package let latest: LatestSystem
  package private(set) var subtype: UInt16?
  /// Several scales if displays of several kinds can be attached; empty if the scales are unknown.
  package let scales: [UInt8]
  package private(set) var gamuts: [Gamut]
  /// The memory in gigabytes of each configuration sold under this model; 0 for less than one.
  package private(set) var memories: [UInt8]
  package let graphics: GraphicsSupport?
  /// The idioms that the device shows on other screens, such as a car's; nil if unknown.
  package let hosted: [Idiom]?
  /// Whether the device can also drive a screen of 1080 lines in the standard gamut.
  package let hasStandardDisplayMode: Bool
  package let points: PointSize?
  package let pixels: PointSize?
  package let nativeScale: String?
  package let multitasking: Multitasking
  package let unfolded: UnfoldedDisplay?
  package private(set) var supposed: [SupposedFact]
  let landscapeWidth: Substring

  init(row: [Substring]) {
    // The script that wrote the table checked the number and the form of the columns.
    precondition(row.count == 23, "a row of the device table has 23 columns")
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
    points = PointSize(row[14])
    pixels = PointSize(row[15])
    nativeScale = row[16] == "?" ? nil : String(row[16])
    landscapeWidth = row[17]
    let flags = Array(row[18])
    multitasking = Multitasking(
      slideOver: flags[0] == "1", splitView: flags[1] == "1", externalDisplay: flags[2] == "1",
      stageManager: OSVersion(row[19]), freeWindows: OSVersion(row[20]))
    unfolded = UnfoldedDisplay(row[21].listed)
    supposed = row[22].listed.compactMap { SupposedFact(rawValue: String($0)) }
  }
}

extension Device {
  /// Creates the model of an identifier such as iPad5,3. Returns nil if the table does not contain
  /// it.
  package init?(named identifier: String) {
    // The comparison is needed: an identifier with a semicolon would match the first fields of a
    // row.
    guard let row = TableText(text: deviceTable).rows(beginningWith: [identifier]).first,
      row[0] == identifier
    else { return nil }
    self.init(row: row)
  }

  /// Every model, in the order of the table.
  package static let all = TableText(text: deviceTable).rows().map { Device(row: $0) }

  /// Returns every model that reads archives of a platform. `archivePlatform` is the name in the
  /// archive's metadata; if it is nil, the archive is one of iOS.
  package static func all(reading archivePlatform: String?) -> [Device] {
    all.filter { $0.platform.archiveName == archivePlatform ?? Platform.iOS.archiveName }
  }

  /// Whether the system of the device always states a text size.
  var alwaysHasContentSize: Bool { idiom == .phone || idiom == .pad }

  /// The device without the facts that are only supposed.
  package var confirmed: Device { without(supposed) }

  /// Returns the device without some of the supposed facts. The idioms on other screens stay: they
  /// add requests, so they cannot hide one.
  package func without(_ facts: [SupposedFact]) -> Device {
    var device = self
    device.supposed.removeAll { facts.contains($0) }
    if facts.contains(.subtype) { device.subtype = nil }
    if facts.contains(.gamut) { device.gamuts = [] }
    if facts.contains(.memory) { device.memories = [] }
    return device
  }

  /// The axes on which the device's values are not published.
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

  /// Returns the generations of the systems that the device can run, from `minimum` on.
  package func generations(from minimum: OSVersion? = nil) -> ClosedRange<UInt8> {
    let newest =
      switch latest {
      case .unknown, .current: Platform.newestGeneration
      case .major(let major): platform.generation(of: OSVersion(major, .max, .max))
      }
    let oldest = max(minimum ?? OSVersion(0), earliest ?? OSVersion(0))
    return min(platform.generation(of: oldest), newest)...newest
  }

  /// Returns whether the device can run this system. Only whole versions count: "9" means all
  /// versions of 9, also for a device that began with 9.0.1.
  package func runs(_ version: OSVersion) -> Bool {
    if let earliest, version.major < earliest.major { return false }
    return !isTooOld(for: version)
  }

  /// Returns whether this system no longer supports the device.
  func isTooOld(for version: OSVersion) -> Bool {
    if case .major(let major) = latest { return version.major > major }
    return false
  }
}
