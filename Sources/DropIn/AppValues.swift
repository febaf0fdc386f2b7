// Collects the values of the property list other than icons: colours and languages of the app.
// Warns about named colours that do not exist, and about missing icons that a store requires.

import Bytes
import CatalogCompiler
import CatalogModel
import Host

/// The idioms of pictures for the stores of other platforms.
private let storesOfOthers: Set = ["watch-marketing", "tv-marketing"]

struct AppValues {
  private(set) var accentColor: ByteString?
  private(set) var widgetBackground: ByteString?
  /// The languages in the catalogues, sorted.
  private(set) var localizations: [String] = []
  /// The set of launch images that the request names.
  private(set) var launchImages: AssetSet?
  private(set) var messages: [RunMessage] = []
  private(set) var findings: [Diagnostic] = []

  init(
    _ request: BuildRequest, _ choice: IconChoice, _ contents: CatalogContents
  ) {
    let colors = Set(contents.assets.filter { $0.type == .colorSet }.map(\.name))
    let document = request.documents.first
    func found(_ name: ByteString?, _ what: String) -> (ByteString?, RunMessage?) {
      guard let name else { return (nil, nil) }
      if colors.contains(name) { return (name, nil) }
      return (
        nil,
        RunMessage(
          .warning, "\(what) '\(name)' is not present in any asset catalogs.", about: document)
      )
    }
    let accent = found(request.accentColor, "Accent color")
    let background = found(request.widgetBackground, "Widget background color")
    accentColor = accent.0
    widgetBackground = background.0
    messages += [accent.1, background.1].compactMap { $0 }
    if request.listsLocalizations {
      localizations = Set(contents.assets.flatMap(\.locales)).sorted()
    }
    if let name = request.launchImage {
      launchImages = contents.assets.first { $0.type == .launchImage && $0.name == name }
      if launchImages == nil {
        messages.append(
          RunMessage(
            .error,
            "None of the input catalogs contained a matching launch image set named \"\(name)\".",
            about: document))
      }
    }
    if let name = request.complication,
      !contents.assets.contains(where: { $0.type == .complicationSet && $0.name == name })
    {
      messages.append(
        RunMessage(
          .warning,
          "None of the input catalogs contained a matching complication set named \"\(name)\".",
          about: document))
    }
    if request.checksStore { findings += AppValues.storeFindings(request, choice) }
  }

  /// Returns a finding if the primary icon has no picture of 1024 pixels. The App Store refuses
  /// such apps for phones.
  private static func storeFindings(_ request: BuildRequest, _ choice: IconChoice) -> [Diagnostic] {
    guard request.target.platform == .iOS else { return [] }
    return choice.primary.compactMap { asset in
      guard case .appIcons(let set) = asset.contents,
        set.entries.contains(where: { $0.file?.exists == true }),
        !set.entries.contains(where: {
          $0.size?.width == 1024 && $0.file?.exists == true && !$0.slot.isUnassigned
            && request.target.admits($0.slot) && !storesOfOthers.contains($0.slot.idiom)
        })
      else { return nil }
      // The words are Apple's.
      return Diagnostic(
        .missingStoreIcon, "A 1024x1024 app store icon is required for iOS apps",
        file: asset.folder)
    }
  }
}
