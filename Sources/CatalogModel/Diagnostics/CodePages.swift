// The page of each code: its severity, its meaning and its remedy; and the text of all pages, for
// `carve lint --list` and for the documentation.

/// The description of a code, the same for every catalogue.
package struct CodePage: Sendable, Hashable {
  /// The default severity of findings with this code.
  package var severity: Severity
  package var meaning: String
  /// The steps by which the author of the catalogue can mend the finding.
  package var remedy: String

  init(_ severity: Severity, _ meaning: String, _ remedy: String) {
    self.severity = severity
    self.meaning = meaning
    self.remedy = remedy
  }
}

extension DiagnosticCode {
  /// The page of the code. Every code has one; a test checks this.
  package var page: CodePage {
    DiagnosticCode.pages[self] ?? CodePage(.error, rawValue, "")
  }

  private static let pages: [DiagnosticCode: CodePage] = {
    let areas = [
      filePages, jsonPages, slotPages, picturePages, targetPages, compilePages, kindPages,
    ]
    var pages: [DiagnosticCode: CodePage] = [:]
    for (code, page) in areas.joined() { pages[code] = page }
    return pages
  }()
}

/// Returns Markdown: an introduction, then for each code a heading and two paragraphs, sorted by
/// code.
package func diagnosticPages() -> String {
  var text = """
    # Diagnostics of Carve

    An error prevents the compilation of a catalogue. A warning reports a result that differs from \
    what the author probably intended; a note is information. --werror turns all warnings into \
    errors, --werror=CODE all findings of a code; --no-warn=CODE hides findings that are not \
    errors.

    """
  for code in DiagnosticCode.allCases.sorted(by: { $0.rawValue < $1.rawValue }) {
    text += "\n\(code.pageText)"
  }
  return text
}

extension DiagnosticCode {
  /// The heading, the meaning and the remedy.
  package var pageText: String {
    "## \(rawValue) (\(page.severity.rawValue))\n\n\(page.meaning)\n\nWhat to do: \(page.remedy)\n"
  }
}

// MARK: - Files, folders, names and the text of JSON files

extension DiagnosticCode {
  fileprivate static let filePages: [(DiagnosticCode, CodePage)] = [
    (
      .notACatalog,
      CodePage(
        .error,
        "A path that was named as a catalogue cannot be read, or is a folder that does not look "
          + "like a catalogue.",
        "Name a folder that ends in .xcassets, .xcstickers or .icon, or that has a Contents.json.")
    ),
    (
      .unreadableFolder,
      CodePage(
        .error, "A folder of the catalogue cannot be listed.",
        "Change its permissions, or remove it from the catalogue.")
    ),
    (
      .unreadableFile,
      CodePage(
        .error, "A file that the catalogue needs cannot be read.",
        "Change its permissions, or replace it.")
    ),
    (
      .folderTooDeep,
      CodePage(
        .error,
        "Folders are nested more than 32 levels deep, or there are more than 100,000; the "
          + "others were not read.",
        "Move the assets nearer to the root of the catalogue; look for links that repeat folders.")
    ),
    (
      .linkLoop,
      CodePage(
        .warning,
        "A symbolic link was not followed: its target does not exist, the link lies in its "
          + "target, or it leads to a folder and is itself behind another link.",
        "Delete the link, or replace it with its target.")
    ),
    (
      .linkOutsideCatalog,
      CodePage(
        .warning,
        "A symbolic link leads out of the catalogue, so a copy of the catalogue does not "
          + "contain its target. Files and sets behind the link are still read, and other "
          + "folders if they have a Contents.json.",
        "Put its target into the catalogue.")
    ),
    (
      .invalidFileName,
      CodePage(
        .error, "An entry names a file by a text that cannot be the name of a file.",
        "Write the name of a file in the same folder.")
    ),
    (
      .missingContents,
      CodePage(
        .warning,
        "A set has no Contents.json (a layered icon no icon.json), so nothing in it is compiled.",
        "Add the file, which may have been lost when the folder was copied, or delete the folder.")
    ),
    (
      .unknownSetType,
      CodePage(
        .warning, "A folder has an extension that is not a type of asset; it is left out.",
        "Correct the extension, or move the folder out of the catalogue.")
    ),
    (
      .misspelledSetType,
      CodePage(
        .warning,
        "The extension of a folder differs from that of a type of asset in case or hyphens; it is "
          + "read as that type, and other tools may leave it out.",
        "Rename the folder.")
    ),
    (
      .dottedGroup,
      CodePage(
        .note,
        "The name of a group has a dot, so the part after the dot looks like a type of asset.",
        "Rename the group, unless its name matters to you.")
    ),
    (
      .nestedSet,
      CodePage(
        .warning,
        "A set lies in a set that cannot hold sets; it is compiled as if it lay beside the "
          + "outer set.",
        "Move the inner folder beside the outer one.")
    ),
    (
      .strayFile,
      CodePage(
        .warning, "A file lies in a group or in the catalogue itself, where nothing refers to it.",
        "Delete it, or move it into a set.")
    ),
    (
      .nameClash,
      CodePage(
        .warning,
        "Two sets of one type have the same name; the one that is read first is compiled.",
        "Rename one of them, or give one of their groups a namespace.")
    ),
    (
      .nameSharedByTypes,
      CodePage(
        .note, "Sets of different types have the same name.",
        "Nothing, if the types are looked up separately; rename one of the sets if their "
          + "symbols clash."
      )
    ),
    (
      .nameDiffersInCase,
      CodePage(
        .warning, "The names of two sets of one type differ in case only.",
        "Rename one of them: they are two folders on this disk and may be one on another.")
    ),
    (
      .equivalentNames,
      CodePage(
        .warning,
        "Two names in one place are the same characters in two forms of Unicode, such as an accented "
          + "letter as one character and as a letter with an accent. Carve and archives treat "
          + "them as two names, the file system of a Mac as one.",
        "Rename one of them; write the name of a file as it is on disk.")
    ),
    (
      .iconShadowsAppIcon,
      CodePage(
        .warning,
        "A layered icon (.icon) and an app icon set have the same name; Apple's tool "
          + "then leaves out the app icon set without a message.",
        "Rename or delete the one that is not wanted.")
    ),
  ]

  fileprivate static let jsonPages: [(DiagnosticCode, CodePage)] = [
    (
      .jsonSyntax,
      CodePage(
        .error, "A file is not JSON, so its set is left out.",
        "Correct the place that the message names; Xcode cannot read the file either.")
    ),
    (
      .jsonTooLarge,
      CodePage(
        .error,
        "A JSON file is larger than 4 MiB or holds more than 50,000 values; it was not read.",
        "Check the program that wrote the file: the largest files in practice have some hundred "
          + "kilobytes."
      )
    ),
    (
      .jsonTooDeep,
      CodePage(
        .error,
        "The values of a JSON file are nested more than 64 levels deep; the file was not read.",
        "Check the program that wrote the file: files in practice have fewer than ten levels.")
    ),
    (
      .jsonEncoding,
      CodePage(
        .warning,
        "A JSON file is not UTF-8. UTF-16 with a byte-order mark is still read; any other "
          + "encoding is an error.",
        "Save the file as UTF-8.")
    ),
    (
      .jsonByteOrderMark,
      CodePage(
        .warning, "A JSON file starts with a byte-order mark, which many tools cannot read.",
        "Remove it, or run --fix.")
    ),
    (
      .jsonTrailingComma,
      CodePage(
        .warning, "A comma stands before a closing bracket, which is not JSON.",
        "Remove it, or run --fix.")
    ),
    (
      .jsonDuplicateKey,
      CodePage(
        .warning, "An object has two members of one name; the last one counts.",
        "Delete the wrong one.")
    ),
    (
      .jsonFormat,
      CodePage(
        .note,
        "A JSON file is not formatted as Xcode formats it, so its next save changes lines that "
          + "you did not edit.",
        "Run --fix, which formats it.")
    ),
    (
      .wrongType,
      CodePage(
        .warning, "A value does not have the JSON type that its key requires; it is ignored.",
        "Write a value of the type that the message names.")
    ),
    (
      .numberRange,
      CodePage(
        .warning, "A number is too large or too small for its key; the value is ignored.",
        "Correct the number.")
    ),
    (
      .unknownKey,
      CodePage(
        .warning, "Carve does not know a key; the key has no effect.",
        "Correct its spelling, or delete it.")
    ),
    (
      .misspelledKey,
      CodePage(
        .warning,
        "A key differs from a known key only in case or hyphens, and is read as the known key.",
        "Correct its spelling for other tools, or run --fix.")
    ),
    (
      .misplacedKey,
      CodePage(
        .warning, "A key is in a place where old versions of Xcode put it; it is still read there.",
        "Move it to its present place, or run --fix.")
    ),
    (
      .missingKey,
      CodePage(
        .warning, "An entry lacks a key that it needs.",
        "Add the key that the message names, or delete the entry.")
    ),
    (
      .unknownValue,
      CodePage(
        .warning,
        "A value is not one of the values of its key. If the value describes the variant of an "
          + "entry, the entry is not compiled; otherwise the key is treated as absent.",
        "Correct the value.")
    ),
    (
      .misspelledValue,
      CodePage(
        .warning,
        "A value differs from a known value only in case, hyphens or type, and is read as the "
          + "known value.",
        "Correct its spelling for other tools, or run --fix.")
    ),
    (
      .unknownVersion,
      CodePage(
        .warning, "The file states a version that Carve does not know.",
        "Check the program that wrote the file; the only version so far is 1.")
    ),
    (
      .tooManyFindings,
      CodePage(
        .note, "A file has too many findings; only the first are shown.",
        "Correct those shown, then run again.")
    ),
  ]
}

// MARK: - Slots, pictures and colours

extension DiagnosticCode {
  fileprivate static let slotPages: [(DiagnosticCode, CodePage)] = [
    (
      .missingFile,
      CodePage(
        .warning, "An entry names a file that is not in its folder, so the variant is left out.",
        "Add the file, or clear the entry.")
    ),
    (
      .fileCaseMismatch,
      CodePage(
        .warning,
        "The name of a file and the entry that names it differ in case: a Mac finds the file, "
          + "most other systems do not. Carve uses the file.",
        "Rename the file or correct the entry.")
    ),
    (
      .notAFile,
      CodePage(
        .warning, "An entry names a folder or a device instead of a file.",
        "Name a file.")
    ),
    (
      .fileOutsideFolder,
      CodePage(
        .warning,
        "An entry names a file by a path, not by its name in the folder of the set; the "
          + "entry is not compiled.",
        "Move the file into the folder of the set.")
    ),
    (
      .unassignedFile,
      CodePage(
        .warning, "A file lies in a set, and no entry names it.",
        "Assign it to a slot, or delete it.")
    ),
    (
      .unassignedEntry,
      CodePage(
        .warning,
        "An entry is marked as \"unassigned\": its file belongs to no slot and is not compiled.",
        "Assign the file to a slot in Xcode, or delete the file and the entry.")
    ),
    (
      .emptyUnassignedEntry,
      CodePage(
        .warning, "An entry is marked as unassigned and names no file: it has no effect.",
        "Delete the entry, or run --fix.")
    ),
    (
      .fileInSeveralSlots,
      CodePage(
        .note, "One file serves several slots of a set.",
        "Nothing, if this is intended; a picture for several scales is sharp at one of them only.")
    ),
    (
      .duplicateSlot,
      CodePage(
        .error, "Two entries of a set are for the same variant.",
        "Delete one of them, or correct the traits that distinguish them.")
    ),
    (
      .duplicateFile,
      CodePage(
        .note, "Files of different sets have the same content.",
        "Use one set in both places, if the pictures have the same meaning.")
    ),
    (
      .emptySet,
      CodePage(
        .note, "A set names no file and no colour, so nothing of it is compiled.",
        "Fill a slot, or delete the set.")
    ),
    (
      .emptySlot,
      CodePage(
        .note, "Some slots of a set have no file. Devices show the contents of the other slots.",
        "Fill the slots, or delete their entries.")
    ),
    (
      .missingScale,
      CodePage(
        .note, "A set has a picture for some scales and not for others that devices use.",
        "Add the missing picture, or a vector that serves all scales.")
    ),
    (
      .appearanceHole,
      CodePage(
        .note,
        "Variants for dark mode and for high contrast do not complete each other, so a device "
          + "with both shows a variant for only one of them, or the plain variant.",
        "Add the variants that the message names.")
    ),
    (
      .unsupportedAppearance,
      CodePage(
        .warning,
        "An entry is for a style and a contrast that archives cannot combine; it is left out.",
        "Delete the entry, or remove one of its appearances.")
    ),
    (
      .localeNotLocalizable,
      CodePage(
        .warning, "Entries have a locale, and the set does not say that it is localizable.",
        "Set \"localizable\" of the set's \"properties\" to true, or remove the locales.")
    ),
    (
      .danglingReference,
      CodePage(
        .warning, "A set refers to a folder or an asset that is not there.",
        "Correct the name, or add the folder or asset.")
    ),
  ]

  fileprivate static let picturePages: [(DiagnosticCode, CodePage)] = [
    (
      .brokenImage,
      CodePage(
        .error, "A file is not a picture that can be decoded.",
        "Export or fetch the file again; 'git lfs pull' fetches what Git LFS left out.")
    ),
    (
      .cutImage,
      CodePage(
        .error, "A picture file ends before the picture does.",
        "Export or fetch the file again; look for an interrupted copy.")
    ),
    (
      .wrongContent,
      CodePage(
        .warning, "The content of a file does not match its extension.",
        "Rename the file, or convert the picture to the format of its extension.")
    ),
    (
      .unsupportedFormat,
      CodePage(
        .warning, "A picture is in a format that catalogues do not support.",
        "Convert it to PNG, JPEG, HEIF, PDF or SVG.")
    ),
    (
      .optimizedPNG,
      CodePage(
        .note,
        "A PNG was rewritten by Apple's build tools (CgBI): most programs cannot show it, and "
          + "the colours of transparent pixels are lost.",
        "Take the original from before the build.")
    ),
    (
      .animatedImage,
      CodePage(
        .warning, "A picture holds several frames; a catalogue shows the first only.",
        "Save a still picture, or keep the file in a data set and play it yourself.")
    ),
    (
      .sixteenBitImage,
      CodePage(
        .note,
        "A picture has 16 bits in each channel: twice the memory, and systems before "
          + "iOS 9.3 cannot show it.",
        "Save it with 8 bits, unless it has a wide gamut.")
    ),
    (
      .wideGamutImage,
      CodePage(
        .note,
        "A picture has a wide-gamut profile and its slot is not for wide gamut, or the other "
          + "way round.",
        "Set \"display-gamut\" of the entry, or convert the picture.")
    ),
    (
      .rotatedImage,
      CodePage(
        .note, "A photograph is stored rotated, as its EXIF data states.",
        "Save it upright; not every system rotates it.")
    ),
    (
      .sizeMismatch,
      CodePage(
        .warning,
        "The pictures of a set for different scales, or those of a layer for different looks, do not "
          + "have the same size in points.",
        "Export the picture with the wrong size again.")
    ),
    (
      .sizeOffScale,
      CodePage(
        .note,
        "The size of a picture in pixels is not a multiple of its scale, so its size in "
          + "points is not whole and its edges are drawn soft.",
        "Export it at a multiple of the scale.")
    ),
    (
      .insetsExceedPicture,
      CodePage(
        .warning,
        "Alignment insets are larger than the picture, which is compiled without them.",
        "Correct them; they count pixels of this picture, not points.")
    ),
    (
      .capsExceedPicture,
      CodePage(
        .warning,
        "The caps and the centre of a sliced picture are larger than the picture, which is compiled "
          + "unsliced.",
        "Correct them; they count pixels of this picture, not points.")
    ),
    (
      .iconSize,
      CodePage(
        .warning, "The picture of an icon does not have the size in pixels that its slot asks for.",
        "Export it in the size that the message names.")
    ),
    (
      .iconHasAlpha,
      CodePage(
        .warning,
        "The icon for the App Store has an alpha channel; the store refuses such icons.",
        "Save it without transparency.")
    ),
    (
      .iconUnknownSize,
      CodePage(
        .warning, "An icon has a size that no device of its idiom shows.",
        "Correct the size or the idiom.")
    ),
    (
      .iconNeverShown,
      CodePage(
        .warning,
        "An icon set mixes a single-size icon for dark or tinted style with sized icons; "
          + "devices then still show the sized icons.",
        "Make all icons of the set single-size.")
    ),
    (
      .colorIncomplete,
      CodePage(
        .warning, "A colour lacks a component; it counts as 0, alpha as 1.",
        "Add the component.")
    ),
    (
      .colorOutOfRange,
      CodePage(
        .warning, "A component lies outside the range of its colour space.",
        "Write a value from 0 to 1, or choose a space whose name begins with \"extended-\".")
    ),
    (
      .colorNearZero,
      CodePage(
        .warning, "The component \"1\" is a whole number, which is divided by 255: almost 0.",
        "Write \"1.0\" for full, or \"0x01\" if 1/255 is intended.")
    ),
  ]
}

// MARK: - Symbols

extension DiagnosticCode {
  fileprivate static let kindPages: [(DiagnosticCode, CodePage)] = [
    (
      .symbolDrawing,
      CodePage(
        .error,
        "A template of a symbol has no drawing that can be read: an element whose id names a weight and a "
          + "size, such as Regular-M, and that holds outlines.",
        "Export the symbol as a template from SF Symbols, and keep the ids of its groups.")
    ),
    (
      .symbolGuide,
      CodePage(
        .warning,
        "A template of a symbol lacks guides, so that the symbol does not stand beside text as it should.",
        "Add the guides of the template: Baseline-S, Capline-S, left-margin and the like.")
    ),
    (
      .symbolMasters,
      CodePage(
        .warning,
        "Drawings of a variable template have outlines of different points, so that nothing can be drawn "
          + "between them: other weights show the nearest drawing.",
        "Make all drawings from one drawing, so that their outlines have the same points in the "
          + "same order."
      )
    ),
    (
      .symbolMargin,
      CodePage(
        .warning, "A margin of a symbol lies beside the page of its template.",
        "Move the guide back beside its drawing.")
    ),
    (
      .iconDrawnPlainly,
      CodePage(
        .warning,
        "Carve draws the bitmaps of a layered icon, for systems without layered icons: "
          + "background, layers and shadows, without the glass that Apple's own renderer adds, "
          + "because --plain-icons asks for it.",
        "Leave --plain-icons out, put an icon set of the same name beside the icon, or leave the "
          + "bitmaps out with --no-icon-bitmaps if the oldest system is one of 2025 or later."
      )
    ),
    (
      .iconGlassApproximated,
      CodePage(
        .note,
        "Carve draws the bitmaps of a layered icon, for systems without layered icons, by a model "
          + "of the glass that Apple's tool draws. They are close to Apple's pictures and not "
          + "equal to them. The note says what is known less well for this icon.",
        "If the icon must be Apple's own, export it from Icon Composer and put an icon set of the "
          + "same name beside it."
      )
    ),
    (
      .needsXcode27,
      CodePage(
        .note,
        "A layered icon uses a form of Icon Composer 2, on which Apple's tool of Xcode 26 fails.",
        "Nothing, if Carve or Xcode 27 compiles the icon; otherwise 'carve icon --for 26' writes "
          + "an icon that Xcode 26 takes, and says what it leaves out.")
    ),
    (
      .refusedByApple,
      CodePage(
        .warning,
        "Carve compiles the layered icon, but Apple's tools refuse it, for the reason in the "
          + "message.",
        "Correct the icon if Icon Composer or Apple's compiler must read it, too.")
    ),
    (
      .carveExtension,
      CodePage(
        .warning,
        "An entry has a setting that only Carve's resolver and run time know: the text size of "
          + "the entry, or that nothing is shown.",
        "Nothing, if programs use Carve's run time; then hide the finding with "
          + "--no-warn=carve-extension. For programs that use Apple's run time, add entries "
          + "without the setting."
      )
    ),
    (
      .unprovenForm,
      CodePage(
        .warning,
        "The asset is compiled in a form that is derived from other assets: no archive of "
          + "Apple's tool confirms it.",
        "Test the archive on the oldest system that matters. Then hide the finding with "
          + "--no-warn=unproven-form."
      )
    ),
  ]
}

// MARK: - Target devices and compiling

extension DiagnosticCode {
  fileprivate static let targetPages: [(DiagnosticCode, CodePage)] = [
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

  fileprivate static let compilePages: [(DiagnosticCode, CodePage)] = [
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
