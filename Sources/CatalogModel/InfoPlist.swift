// Reads an app's Info.plist for the windows, languages and devices that the app supports.

import Bytes
import Documents
import Traits

extension AppTraits {
  /// Reads an Info.plist in XML or in binary form.
  package init(infoPlist bytes: [UInt8]) throws(PropertyListError) {
    let list = try PropertyValue(propertyList: bytes)
    guard let entries = list.dictionary else { throw .notADictionary }
    self.init()
    requiresFullScreen = isTrue(entries["UIRequiresFullScreen"])
    let common = orientations(entries["UISupportedInterfaceOrientations"])
    phoneOrientations = orientations(entries["UISupportedInterfaceOrientations~iphone"]) ?? common
    padOrientations = orientations(entries["UISupportedInterfaceOrientations~ipad"]) ?? common
    deviceFamilies = families(entries["UIDeviceFamily"])
    languages = localizations(entries)
  }
}

private func isTrue(_ value: PropertyValue?) -> Bool {
  switch value {
  case .boolean(let value): value
  case .integer(let value): value != 0
  case .string(let text): ["yes", "true", "1"].contains(text.lowercased())
  default: false
  }
}

private func strings(_ value: PropertyValue?) -> [String]? {
  if let text = value?.string { return [text] }
  return value?.array.map { $0.compactMap(\.string) }
}

private func orientations(_ value: PropertyValue?) -> Set<Orientation>? {
  guard let names = strings(value) else { return nil }
  var orientations: Set<Orientation> = []
  for name in names {
    if name.hasPrefix("UIInterfaceOrientationPortrait") { orientations.insert(.portrait) }
    if name.hasPrefix("UIInterfaceOrientationLandscape") { orientations.insert(.landscape) }
  }
  return orientations.isEmpty ? nil : orientations
}

private func families(_ value: PropertyValue?) -> Set<Int>? {
  let values = value?.array ?? value.map { [$0] } ?? []
  let numbers = values.compactMap { value -> Int? in
    switch value {
    case .integer(let number): number
    case .string(let text): Int(text)
    default: nil
    }
  }
  return numbers.isEmpty ? nil : Set(numbers)
}

/// Returns the languages that the app names; nil if it names none. In that case the names of its
/// folders decide, but folders are not read, so the languages stay unknown. A build setting that
/// was not replaced by its value ("$…") is left out.
private func localizations(_ entries: [ByteString: PropertyValue]) -> [String]? {
  guard let named = strings(entries["CFBundleLocalizations"]), !named.isEmpty else { return nil }
  let region = strings(entries["CFBundleDevelopmentRegion"]) ?? []
  var languages: [String] = []
  var seen: Set<ByteString> = []
  for tag in named + region
  where !tag.isEmpty && !tag.contains("$") && tag != "Base" {
    let language = languageTag(ofOlderName: tag)
    if seen.insert(ByteString(language)).inserted { languages.append(language) }
  }
  return languages.isEmpty ? nil : languages
}

/// Returns the tag of a language that has an older name in any case, as old projects and property
/// lists give it; any other name as it is.
package func languageTag(ofOlderName name: String) -> String {
  legacyLanguages[name.lowercased()] ?? name
}

private let legacyLanguages = [
  "english": "en", "french": "fr", "german": "de", "italian": "it", "spanish": "es",
  "japanese": "ja", "dutch": "nl", "portuguese": "pt", "swedish": "sv", "norwegian": "nb",
  "danish": "da", "finnish": "fi", "korean": "ko", "russian": "ru", "polish": "pl",
  "simplified chinese": "zh-Hans", "traditional chinese": "zh-Hant", "zh_cn": "zh-Hans",
  "zh_sg": "zh-Hans", "zh_tw": "zh-Hant", "zh_hk": "zh-Hant-HK", "zh-cn": "zh-Hans",
  "zh-tw": "zh-Hant",
]
