// The system colours that a catalogue can name. An archive stores the name, for systems that know
// it, and the components of the light appearance for all others.

package enum SystemColor {
  /// Returns red, green, blue and alpha; nil if the platform has no colour of this name.
  package static func components(platform: String, name: String) -> [Double]? {
    let shared = rows[name]
    switch platform {
    case "osx", "macos": return macRows[name] ?? shared
    default: return shared
    }
  }

  /// The names of the colours of a platform, sorted.
  static func names(of platform: String) -> [String] {
    (Set(rows.keys).union(macRows.keys)).sorted().filter {
      components(platform: platform, name: $0) != nil
    }
  }

  private static func bytes(_ red: Int, _ green: Int, _ blue: Int, _ alpha: Double = 1) -> [Double]
  {
    // Components are rounded to thousandths, as in the archives of Apple's tool.
    let channels = [red, green, blue].map { (Double($0) / 255 * 1000).rounded() / 1000 }
    return channels + [alpha]
  }

  private static let rows: [String: [Double]] = [
    "systemRedColor": bytes(255, 59, 48),
    "systemOrangeColor": bytes(255, 149, 0),
    "systemYellowColor": bytes(255, 204, 0),
    "systemGreenColor": bytes(52, 199, 89),
    "systemMintColor": bytes(0, 199, 190),
    "systemTealColor": bytes(48, 176, 199),
    "systemCyanColor": bytes(50, 173, 230),
    "systemBlueColor": bytes(0, 122, 255),
    "systemIndigoColor": bytes(88, 86, 214),
    "systemPurpleColor": bytes(175, 82, 222),
    "systemPinkColor": bytes(255, 45, 85),
    "systemBrownColor": bytes(162, 132, 94),
    "systemGrayColor": bytes(142, 142, 147),
    "systemGray2Color": bytes(174, 174, 178),
    "systemGray3Color": bytes(199, 199, 204),
    "systemGray4Color": bytes(209, 209, 214),
    "systemGray5Color": bytes(229, 229, 234),
    "systemGray6Color": bytes(242, 242, 247),
    "labelColor": bytes(0, 0, 0),
    "secondaryLabelColor": bytes(60, 60, 67, 0.6),
    "tertiaryLabelColor": bytes(60, 60, 67, 0.3),
    "quaternaryLabelColor": bytes(60, 60, 67, 0.18),
    "placeholderTextColor": bytes(60, 60, 67, 0.3),
    "linkColor": bytes(0, 122, 255),
    "separatorColor": bytes(60, 60, 67, 0.29),
    "opaqueSeparatorColor": bytes(198, 198, 200),
    "systemBackgroundColor": bytes(255, 255, 255),
    "secondarySystemBackgroundColor": bytes(242, 242, 247),
    "tertiarySystemBackgroundColor": bytes(255, 255, 255),
    "systemGroupedBackgroundColor": bytes(242, 242, 247),
    "secondarySystemGroupedBackgroundColor": bytes(255, 255, 255),
    "tertiarySystemGroupedBackgroundColor": bytes(242, 242, 247),
    "systemFillColor": bytes(120, 120, 128, 0.2),
    "secondarySystemFillColor": bytes(120, 120, 128, 0.16),
    "tertiarySystemFillColor": bytes(118, 118, 128, 0.12),
    "quaternarySystemFillColor": bytes(116, 116, 128, 0.08),
    "darkTextColor": bytes(0, 0, 0),
    "lightTextColor": bytes(255, 255, 255, 0.6),
  ]

  private static let macRows: [String: [Double]] = [
    "controlAccentColor": bytes(0, 122, 255),
    "labelColor": bytes(0, 0, 0, 0.85),
    "secondaryLabelColor": bytes(0, 0, 0, 0.5),
    "tertiaryLabelColor": bytes(0, 0, 0, 0.26),
    "quaternaryLabelColor": bytes(0, 0, 0, 0.1),
    "linkColor": bytes(0, 104, 218),
    "separatorColor": bytes(0, 0, 0, 0.1),
    "textColor": bytes(0, 0, 0),
    "textBackgroundColor": bytes(255, 255, 255),
    "windowBackgroundColor": bytes(236, 236, 236),
    "controlBackgroundColor": bytes(255, 255, 255),
    "systemGrayColor": bytes(142, 142, 147),
  ]
}
