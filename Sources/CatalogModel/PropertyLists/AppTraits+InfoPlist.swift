// What an app's Info.plist says about the windows, languages and devices that it is for.
import Bytes
import Documents
import Traits

extension AppTraits {
  /// Reads an Info.plist in either form.
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

/// The languages that the app names. Where it names none, they are in its folders, which are not
/// read: so they stay unknown. A setting of the build system that was not filled in is none.
private func localizations(_ entries: [ByteString: PropertyValue]) -> [String]? {
  guard let named = strings(entries["CFBundleLocalizations"]), !named.isEmpty else { return nil }
  let region = strings(entries["CFBundleDevelopmentRegion"]) ?? []
  var languages: [String] = []
  var seen: Set<ByteString> = []
  for tag in named + region
  where !tag.isEmpty && !tag.contains("$") && tag != "Base" && seen.insert(ByteString(tag)).inserted {
    languages.append(tag)
  }
  return languages.isEmpty ? nil : languages
}
