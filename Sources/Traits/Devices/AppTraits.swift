// The properties of an app that limit where and how it runs. CatalogModel reads them from an
// Info.plist.

/// The app's part of reach. The default value restricts nothing.
package struct AppTraits: Sendable, Hashable {
  /// Whether the app never runs in Slide Over, Split View or free windows.
  package var requiresFullScreen = false
  /// The orientations that the app allows; nil for all.
  package var phoneOrientations: Set<Orientation>?
  package var padOrientations: Set<Orientation>?
  /// The app's localizations. Nil if they are unknown: then any language is in reach.
  package var languages: [String]?
  /// 1 phone, 2 pad, 3 TV, 4 watch, 6 Mac, 7 vision; nil if the app does not state them.
  package var deviceFamilies: Set<Int>?

  package init() {}

  func allows(_ orientation: Orientation, on idiom: Idiom) -> Bool {
    let allowed = idiom == .pad ? padOrientations : phoneOrientations
    guard orientation != .any, let allowed, !allowed.isEmpty else { return true }
    return allowed.contains(orientation)
  }

  /// Returns the idiom in which the app runs on a device of this idiom; nil if it does not run
  /// there.
  func idiom(on idiom: Idiom) -> Idiom? {
    guard let deviceFamilies, !deviceFamilies.isEmpty else { return idiom }
    switch idiom {
    case .phone: return deviceFamilies.contains(1) ? .phone : nil
    case .pad: return deviceFamilies.contains(2) ? .pad : deviceFamilies.contains(1) ? .phone : nil
    case .tv: return deviceFamilies.contains(3) ? .tv : nil
    case .watch: return deviceFamilies.contains(4) ? .watch : nil
    case .vision: return deviceFamilies.contains(7) ? .vision : nil
    case .mac, .universal, .car, .marketing: return idiom
    }
  }
}

/// Returns the direction in which a language is written, by its script or its first subtag.
package func writingDirection(ofLanguage tag: some StringProtocol) -> Direction {
  let subtags = tag.split { $0 == "-" || $0 == "_" }.map { $0.lowercased() }
  if let script = subtags.dropFirst().first(where: { $0.utf8.count == 4 }) {
    return rightToLeftScripts.contains(script) ? .rightToLeft : .leftToRight
  }
  return rightToLeftLanguages.contains(subtags.first ?? "") ? .rightToLeft : .leftToRight
}

private let rightToLeftScripts: Set<String> = [
  "arab", "aran", "hebr", "syrc", "thaa", "nkoo", "adlm", "rohg", "mand", "samr",
]

private let rightToLeftLanguages: Set<String> = [
  "ar", "arc", "ckb", "dv", "fa", "he", "iw", "ji", "ks", "lrc", "mzn", "nqo", "ps", "rhg", "sd",
  "syr", "ug", "ur", "yi",
]
