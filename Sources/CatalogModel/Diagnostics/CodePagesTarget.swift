// The pages of codes about target devices and about compiling.

extension DiagnosticCode {
  static let targetPages: [(DiagnosticCode, CodePage)] = [
    (
      .olderTarget,
      CodePage(
        .warning, "Something in the catalogue needs a newer system than the deployment target.",
        "Raise --minimum-deployment-target, or add a variant that older systems can show.")
    ),
    (
      .unreachableVariant,
      CodePage(
        .note, "No device of the target shows a variant.",
        "Delete it, or correct its traits; --platform and --target-device name another target.")
    ),
    (
      .reachableHole,
      CodePage(
        .warning, "A device of the target has no variant of the asset to show.",
        "Add a variant for that device, or a universal one.")
    ),
  ]

  static let compilePages: [(DiagnosticCode, CodePage)] = [
    (
      .unsupportedSet,
      CodePage(
        .warning, "Carve does not compile this type of set; the archive lacks the asset.",
        "Compile its catalogue with Apple's tool, or delete the set. Hide the finding with "
          + "--no-warn=unsupported-set if this is intended."
      )
    ),
    (
      .unsupportedImage,
      CodePage(
        .warning, "Carve does not compile images of this kind; the archive lacks the picture.",
        "Save the image as PNG, JPEG or HEIF.")
    ),
    (
      .settingNotApplied,
      CodePage(
        .note, "The asset is compiled, but without a setting of its set or its group.",
        "Nothing, if you do not need the setting; otherwise compile the catalogue with "
          + "Apple's tool.")
    ),
    (
      .vectorNotRasterized,
      CodePage(
        .note,
        "No bitmaps were made of a PDF or SVG, because --no-rasters was given. Programs that draw bitmaps "
          + "only will not show it.",
        "Compile without --no-rasters.")
    ),
    (
      .vectorFeature,
      CodePage(
        .warning,
        "A PDF or SVG has a feature that Carve does not draw, or does not draw exactly. Its "
          + "bitmaps show the rest.",
        "Look at the bitmaps (carve extract). Save the file without the features that the "
          + "message names, with text as outlines and effects flattened."
      )
    ),
    (
      .vectorCut,
      CodePage(
        .warning,
        "An SVG has a width and a height and no viewBox, and shapes that lie outside of them: "
          + "these are cut off, although browsers may show them.",
        "Add a viewBox that holds all shapes, such as viewBox=\"0 0 48 48\".")
    ),
    (
      .unknownSystemColor,
      CodePage(
        .warning,
        "A colour set refers to a colour that Carve does not know; the entry is left out.",
        "State the colour's components.")
    ),
    (
      .iconNotChosen,
      CodePage(
        .note, "An icon that no option names is left out, as Apple's compiler does.",
        "Pass --app-icon with its name, or --include-all-app-icons.")
    ),
    (
      .missingIcon,
      CodePage(
        .error, "No catalogue holds the icon that --app-icon names.",
        "Correct the name, or add the icon set.")
    ),
    (
      .missingStoreIcon,
      CodePage(
        .warning,
        "The app icon has no picture of 1024 pixels, which the App Store requires.",
        "Add it to the set; give 'carve actool' --skip-app-store-deployment if the app is not "
          + "for a store."
      )
    ),
    (
      .emptyArchive,
      CodePage(
        .warning,
        "Nothing in the catalogues was compiled for the platform: the archive is written, and empty. "
          + "The finding is a note if no set names a file or a colour.",
        "Check the other findings about the assets, and --platform. --werror=empty-archive makes "
          + "it an error; --no-warn=empty-archive is for archives that are meant to be empty.")
    ),
    (
      .symbolClash,
      CodePage(
        .warning,
        "Two assets have names that become one identifier in generated source; the first asset "
          + "by name gets it.",
        "Rename one of them. Blanks, hyphens, underscores and a last word \"Image\" or "
          + "\"Color\" are ignored."
      )
    ),
  ]
}
