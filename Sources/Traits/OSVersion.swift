// Versions of operating systems, and the generations into which archives group them.

/// A system version such as 17.4.1.
public struct OSVersion: Sendable, Hashable, Comparable {
  public var major: UInt16
  public var minor: UInt16
  public var patch: UInt16

  public init(_ major: UInt16, _ minor: UInt16 = 0, _ patch: UInt16 = 0) {
    self.major = major
    self.minor = minor
    self.patch = patch
  }

  /// Reads one to three numbers joined by points. Returns nil for any other text.
  public init?(_ text: some StringProtocol) {
    var numbers: [UInt16] = []
    for part in text.split(separator: ".", omittingEmptySubsequences: false) {
      guard numbers.count < 3, part.utf8.allSatisfy({ $0 >= 48 && $0 <= 57 }),
        let number = UInt16(part)
      else { return nil }
      numbers.append(number)
    }
    guard let major = numbers.first else { return nil }
    self.init(major, numbers.count > 1 ? numbers[1] : 0, numbers.count > 2 ? numbers[2] : 0)
  }

  public static func < (a: OSVersion, b: OSVersion) -> Bool {
    (a.major, a.minor, a.patch) < (b.major, b.minor, b.patch)
  }
}

extension OSVersion: CustomStringConvertible {
  public var description: String {
    patch == 0 ? minor == 0 ? "\(major)" : "\(major).\(minor)" : "\(major).\(minor).\(patch)"
  }
}

public enum Platform: String, CaseIterable, Sendable, Hashable {
  case iOS, iPadOS, tvOS, watchOS, macOS, visionOS

  /// Returns the platform whose version numbers a request for this idiom uses.
  public init(of idiom: Idiom) {
    switch idiom {
    case .tv: self = .tvOS
    case .watch: self = .watchOS
    case .mac: self = .macOS
    case .vision: self = .visionOS
    case .pad: self = .iPadOS
    case .universal, .phone, .car, .marketing: self = .iOS
    }
  }

  /// The first version of each generation, from generation 1 on; nil if the platform did not exist
  /// yet. The numbers of iOS are known; those of the other platforms are their releases of the same
  /// season.
  var generationStarts: [OSVersion?] {
    typealias V = OSVersion
    return switch self {
    case .iOS, .iPadOS, .tvOS:
      [V(10), V(11), V(12), V(12, 2), V(13), V(14), V(15), V(16), V(17), V(17, 4), V(18), V(26)]
    case .watchOS:
      [V(3), V(4), V(5), V(5, 2), V(6), V(7), V(8), V(9), V(10), V(10, 4), V(11), V(26)]
    case .macOS:
      [
        V(10, 12), V(10, 13), V(10, 14), V(10, 14, 4), V(10, 15), V(11), V(12), V(13), V(14),
        V(14, 4), V(15), V(26),
      ]
    case .visionOS: [nil, nil, nil, nil, nil, nil, nil, nil, V(1), V(1, 1), V(2), V(26)]
    }
  }

  /// The newest generation that archives can store.
  public static let newestGeneration: UInt8 = 12

  /// Returns the generation of a version; 0 for systems older than generation 1.
  public func generation(of version: OSVersion) -> UInt8 {
    let starts = generationStarts
    let begun = starts.lastIndex { start in start.map { $0 <= version } ?? false }
    return begun.map { UInt8($0 + 1) } ?? 0
  }

  /// Returns the first version of a generation; nil for generation 0 and for unknown generations.
  public func start(of generation: UInt8) -> OSVersion? {
    let starts = generationStarts
    return generation == 0 || Int(generation) > starts.count ? nil : starts[Int(generation) - 1]
  }
}
