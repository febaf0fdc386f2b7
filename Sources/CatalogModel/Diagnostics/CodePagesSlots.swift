// The pages of codes about slots, pictures and colours.

extension DiagnosticCode {
  static let slotPages: [(DiagnosticCode, CodePage)] = [
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

  static let picturePages: [(DiagnosticCode, CodePage)] = [
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
        .warning, "The pictures of a set for different scales do not have the same size in points.",
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
