// What an app's own description says about where and how it runs. Reading it from an Info.plist is
// left to CatalogModel.

/// The app's side of reach. The default value restricts nothing.
package struct AppTraits: Sendable, Hashable {
  /// Keeps the app out of Slide Over, Split View and free windows.
  package var requiresFullScreen = false
  /// Nil where the app may be turned any way.
  package var phoneOrientations: Set<Orientation>?
  package var padOrientations: Set<Orientation>?
  /// The app's localizations; nil where they are not known, so any may be asked for.
  package var languages: [String]?
  /// 1 phone, 2 pad, 3 TV, 4 watch, 6 Mac, 7 vision; nil where the app says nothing.
  package var deviceFamilies: Set<Int>?

  package init() {}

  func allows(_ orientation: Orientation, on idiom: Idiom) -> Bool {
    let allowed = idiom == .pad ? padOrientations : phoneOrientations
    guard orientation != .any, let allowed, !allowed.isEmpty else { return true }
    return allowed.contains(orientation)
  }

  /// The idiom in which the app runs on a device of this idiom; nil where it does not.
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

/// The direction in which a language is written, by its first subtag or its script.
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
