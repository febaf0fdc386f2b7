// The pages of the codes about sources that use assets.

extension CodePage {
  static let uses: [CodePage] = [
    CodePage(
      .unusedAsset, .warning,
      """
      No source names the asset, neither as a text, nor as a generated symbol, nor as a part of a \
      name that a program puts together. The finding needs --sources, --project, or "sources" in \
      the settings.
      """,
      why: "The asset takes space on every device, and is never shown.",
      remedy: """
        Delete the set. If it is used in a way that sources do not show, add it to "ignore" in the \
        settings. `carve lint --why NAME` prints the places that name an asset.
        """,
      before: """
        $ carve lint Assets.xcassets --sources App
        Star.imageset/Contents.json
          { "images": [ { "filename": "star.png" } ] }
        Star.imageset/star.png: PNG, 24 × 24
        Banner.imageset/Contents.json
          { "images": [ { "filename": "banner.png" } ] }
        Banner.imageset/banner.png: PNG, 48 × 24
        ../App/Sky.swift
          let star = Image("Star")
        """,
      after: """
        Banner.imageset/: removed
        """),
    CodePage(
      .missingAsset, .warning,
      """
      A call, an interface file or a generated symbol asks for an asset that no catalogue has. The \
      finding needs --sources, --project, or "sources" in the settings.
      """,
      why: "The app shows no picture there, shows a default colour, or ends.",
      remedy: "Correct the name, or add the asset.",
      before: """
        $ carve lint Assets.xcassets --sources App
        Star.imageset/Contents.json
          { "images": [ { "filename": "star.png" } ] }
        Star.imageset/star.png: PNG, 24 × 24
        ../App/Sky.swift
          let star = Image("Star")
          let same = Image("Satr")
        """,
      after: """
        ../App/Sky.swift
          let star = Image("Star")
          let same = Image("Star")
        """),
    CodePage(
      .assetInOtherTarget, .warning,
      """
      A source of a target asks for an asset that only the catalogues of other targets have. The \
      finding needs --project, or "projects" in the settings.
      """,
      why: "The bundle of the target lacks the asset, so the program shows nothing there.",
      remedy: """
        Add the catalogue to the target, move the asset into one of its catalogues, or name the \
        bundle in the call.
        """,
      before: """
        $ carve lint Assets.xcassets --project Package.swift
        Star.imageset/Contents.json
          { "images": [ { "filename": "star.png" } ] }
        Star.imageset/star.png: PNG, 24 × 24
        ../Package.swift
          let package = Package(name: "Sky", targets: [
            .executableTarget(name: "Sky", path: ".", exclude: ["Widget"]),
            .executableTarget(name: "Widget", path: "Widget"),
          ])
        ../Sky.swift
          let star = Image("Star")
        ../Widget/Widget.swift
          let star = Image("Star")
        """,
      after: """
        ../Widget/Widget.swift
          let star = Image(systemName: "star")
        """),
  ]
}
