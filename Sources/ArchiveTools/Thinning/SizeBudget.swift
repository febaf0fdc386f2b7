// Limits for the size of thinned archives: for devices, for assets, for groups of assets, or the
// sizes in an earlier report.

import Bytes
import Documents
import Traits

/// An error in a budget, which cannot be read.
package enum BudgetError: Error, Sendable, Hashable {
  case notASize(String)
  case notJSON(String)
  case unknownKey(String)
  case notAnObject(String)
}

extension BudgetError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .notASize(let text):
      "'\(text)' is neither a size such as 12MB, 500KB, 1.5MiB or a number of bytes, nor a file"
    case .notJSON(let reason): "the budget is not JSON: \(reason)"
    case .unknownKey(let key):
      "'\(key)' is not a part of a budget; "
        + (nearest(to: key, in: SizeBudget.keys).map { "did you mean '\($0)'?" }
          ?? "use \(listed(SizeBudget.keys, joinedBy: "and"))")
    case .notAnObject(let key): "'\(key)' of the budget is not an object of names and sizes"
    }
  }
}

/// An error in the file of a budget, with its place.
package struct BudgetFileError: Error, Sendable, Hashable {
  package var error: BudgetError
  /// The place, such as "limits.json:3:5".
  package var place: String
}

/// A set of limits in bytes.
package struct SizeBudget: Sendable, Hashable {
  /// The limit for each file that is written.
  package var total: Int?
  /// The limit for the renditions that each device keeps.
  package var pictures: Int?
  /// The limits for the renditions that single devices keep, by device.
  package var devices: [ByteString: Int] = [:]
  package var assets: [ByteString: Int] = [:]
  /// The limits for groups of assets, by the beginning of their names up to a slash or by folders
  /// of the catalogue.
  package var groups: [ByteString: Int] = [:]
  /// The sizes of assets in an earlier report, by device.
  package var earlierAssets: [ByteString: [ByteString: Int]] = [:]
  /// The file of the limits, and its text; nil if an option states the limit.
  private var source: Source?

  private struct Source: Sendable, Hashable {
    var file: ByteString
    var bytes: [UInt8]
  }

  /// The keys of a file with limits.
  static let keys = ["file", "pictures", "devices", "assets", "groups"]

  /// Whether the limit of the file is the only one.
  package var limitsOnlyFile: Bool {
    pictures == nil && devices.isEmpty && assets.isEmpty && groups.isEmpty && earlierAssets.isEmpty
  }

  /// Returns the places of limits, such as "limits.json:3:5", by their names and the parts of the
  /// file that hold them.
  package func places(ofLimits limits: [(name: ByteString, part: ByteString)]) -> [String] {
    guard let source else { return limits.map { _ in "" } }
    return writtenPlaces(
      of: limits.map { "/\($0.part)/\(pointerToken($0.name))" }, areKeys: true, in: source.bytes,
      file: source.file)
  }

  package init(total: Int) { self.total = total }

  /// Reads a size such as `12MB`. Units are decimal, or binary if they contain an i. Nil if the
  /// text is not a size.
  package static func bytes(of size: String) -> Int? {
    let digits = size.prefix { $0.isASCII && $0.isNumber || $0 == "." }
    guard let number = Double(digits), number >= 0 else { return nil }
    let unit = size.dropFirst(digits.count).drop { $0 == " " }.lowercased()
    let factors: [String: Double] = [
      "": 1, "b": 1, "kb": 1e3, "mb": 1e6, "gb": 1e9, "k": 1e3, "m": 1e6, "g": 1e9,
      "kib": 1024, "mib": 1_048_576, "gib": 1_073_741_824,
    ]
    guard let factor = factors[unit], number * factor < 1e15 else { return nil }
    return Int((number * factor).rounded())
  }

  /// Reads a file with limits, or the JSON report of an earlier run. `file` is its path for
  /// messages.
  package init(json bytes: [UInt8], file: ByteString) throws(BudgetFileError) {
    let value: JSONValue
    do throws(JSONSyntaxError) { value = try parseJSON(bytes) } catch {
      let place = linesAndColumns(of: [error.offset], in: bytes)[error.offset]
      throw BudgetFileError(
        error: .notJSON(error.words),
        place: onOneLine(file) + (place.map { ":\($0.line):\($0.column)" } ?? ""))
    }
    do throws(Fault) { try read(value) } catch {
      throw BudgetFileError(
        error: error.error,
        place: writtenPlace(of: error.pointer, isKey: error.isKey, in: bytes, file: file))
    }
    source = Source(file: file, bytes: bytes)
  }

  /// An error at a value of the file.
  private struct Fault: Error {
    var error: BudgetError
    var pointer: ByteString
    var isKey = false
  }

  private mutating func read(_ value: JSONValue) throws(Fault) {
    guard case .object(let members) = value else {
      throw Fault(error: .notAnObject("the whole"), pointer: "")
    }
    for member in members {
      let pointer: ByteString = "/\(pointerToken(member.key))"
      switch (member.key, member.value) {
      case ("total", let limit), ("file", let limit):
        total = try SizeBudget.limit(limit, at: pointer)
      case ("pictures", let limit): pictures = try SizeBudget.limit(limit, at: pointer)
      case ("devices", .array(let earlier)): for device in earlier { readEarlier(device) }
      case ("devices", let limits): devices = try SizeBudget.limits(limits, "devices")
      case ("assets", let limits): assets = try SizeBudget.limits(limits, "assets")
      case ("groups", .array(let earlier)):
        // The first device of a group has a report, which is that of all.
        for group in earlier {
          let models = group.names("models") ?? []
          for device in group.list("devices") { readEarlier(device, of: models) }
        }
      case ("groups", let limits): groups = try SizeBudget.limits(limits, "groups")
      // These are the other members of a report.
      case ("notes", _), ("proof", _), ("archive", _), ("excesses", _), ("parts", _),
        ("budget", _), ("leftOutIcons", _), ("decisions", _):
        continue
      case (let key, _): throw Fault(error: .unknownKey(key.text), pointer: pointer, isKey: true)
      }
    }
  }

  /// Reads what one device kept. `models` are other devices that keep the same.
  private mutating func readEarlier(_ device: JSONValue, of models: [ByteString] = []) {
    guard let own = device.name("device") else { return }
    var assets: [ByteString: Int] = [:]
    for asset in device.list("assets") {
      guard let name = asset.name("asset") else { continue }
      assets[name] = asset["kept"]?["bytes"]?.wholeNumber ?? 0
    }
    for name in Set(models + [own]) {
      devices[name] = device["kept"]?["bytes"]?.wholeNumber
      earlierAssets[name] = assets
    }
  }

  private static func limits(
    _ value: JSONValue, _ key: ByteString
  ) throws(Fault) -> [ByteString: Int] {
    guard case .object(let members) = value else {
      throw Fault(error: .notAnObject(key.text), pointer: "/\(key)")
    }
    var limits: [ByteString: Int] = [:]
    for member in members {
      limits[member.key] = try limit(member.value, at: "/\(key)/\(pointerToken(member.key))")
    }
    return limits
  }

  private static func limit(
    _ value: JSONValue, at pointer: @autoclosure () -> ByteString
  ) throws(Fault) -> Int {
    if let number = value.wholeNumber, number >= 0 { return number }
    guard let text = value.text, let bytes = bytes(of: text) else {
      throw Fault(error: .notASize(value.text ?? "a value"), pointer: pointer())
    }
    return bytes
  }
}

/// A limit of a budget, and the bytes that it limits.
package struct BudgetUse: Sendable, Hashable {
  package enum Subject: Sendable, Hashable {
    /// The file that was written.
    case file(String)
    /// All archives of an app.
    case download
    /// The renditions that the device keeps.
    case pictures
    case asset(ByteString)
    case group(ByteString)
    /// An asset that is larger than in the earlier report.
    case growth(ByteString)
  }

  /// The device; empty for a file.
  package var device: String
  package var subject: Subject
  package var limit: Int
  package var bytes: Int

  package init(device: String, subject: Subject, limit: Int, bytes: Int) {
    (self.device, self.subject, self.limit, self.bytes) = (device, subject, limit, bytes)
  }

  package var isExceeded: Bool { bytes > limit }
}

extension BudgetUse: CustomStringConvertible {
  /// The sentence about a limit that is exceeded.
  package var description: String {
    let over = grouped(bytes - limit)
    switch subject {
    case .file(let path):
      return
        "\(path): the file has \(grouped(bytes)) bytes, \(over) over its budget of \(grouped(limit))"
    case .download:
      return
        "\(device): the archives take \(grouped(bytes)) bytes, \(over) over their budget of "
        + grouped(limit)
    case .pictures:
      return
        "\(device): pictures take \(grouped(bytes)) bytes, \(over) over their budget of "
        + grouped(limit)
    case .asset(let name):
      return
        "\(device): \"\(name)\" takes \(grouped(bytes)) bytes, \(over) over its budget of "
        + grouped(limit)
    case .group(let name):
      return
        "\(device): the group \"\(name)\" takes \(grouped(bytes)) bytes, \(over) over its budget of "
        + grouped(limit)
    case .growth(let name):
      return
        "\(device): \"\(name)\" grew by \(over) bytes, from \(grouped(limit)) to \(grouped(bytes))"
    }
  }
}

extension SizeBudget {
  /// Returns the use of the limit of a file that was written; nil if there is no such limit.
  package func use(ofFile path: String, byteCount: Int) -> BudgetUse? {
    total.map { BudgetUse(device: "", subject: .file(path), limit: $0, bytes: byteCount) }
  }

  /// Returns the use of each limit by each device, in the order of the devices. `twins` are devices
  /// that keep the same as the first device of the report; a twin that has a limit of its own is
  /// listed, too. `folders` contains the names of the assets in each folder of a catalogue.
  package func uses(
    in report: ThinningReport, twins: [Device] = [], folders: [ByteString: Set<ByteString>] = [:]
  ) -> [BudgetUse] {
    var devices = report.devices
    for twin in twins where self.devices[ByteString(twin.identifier)] != nil {
      guard var savings = report.devices.first, savings.identifier != twin.identifier else {
        continue
      }
      savings.identifier = twin.identifier
      devices.append(savings)
    }
    return devices.flatMap { uses(of: $0, folders) }
  }

  private func uses(
    of device: DeviceSavings, _ folders: [ByteString: Set<ByteString>]
  ) -> [BudgetUse] {
    var found: [BudgetUse] = []
    func add(_ subject: BudgetUse.Subject, bytes: Int, limit: Int?) {
      guard let limit else { return }
      found.append(
        BudgetUse(device: device.identifier, subject: subject, limit: limit, bytes: bytes))
    }
    add(
      .pictures, bytes: device.kept.bytes, limit: devices[ByteString(device.identifier)] ?? pictures
    )
    for group in groups.keys.sorted() {
      let prefix = group.endsWithSlash ? group : group + "/"
      let inFolder = folders[prefix.dropLast()] ?? []
      let members = device.assets.filter {
        $0.name.hasPrefix(prefix) || inFolder.contains($0.name)
      }
      add(.group(group), bytes: members.reduce(0) { $0 + $1.kept.bytes }, limit: groups[group])
    }
    var kept: [ByteString: Int] = [:]
    for asset in device.assets { kept[asset.name, default: 0] += asset.kept.bytes }
    let order = kept.keys.sorted { (kept[$1] ?? 0, $0) < (kept[$0] ?? 0, $1) }
    for name in order + assets.keys.filter({ kept[$0] == nil }).sorted() {
      add(.asset(name), bytes: kept[name] ?? 0, limit: assets[name])
      // Of an earlier report, only the assets that grew are listed: it has a size for each asset.
      guard let earlier = earlierAssets[ByteString(device.identifier)],
        (kept[name] ?? 0) > earlier[name] ?? 0
      else { continue }
      add(.growth(name), bytes: kept[name] ?? 0, limit: earlier[name] ?? 0)
    }
    return found
  }
}
