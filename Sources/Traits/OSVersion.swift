// Versions of operating systems. Platform.swift has the generations into which archives group
// them.

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
