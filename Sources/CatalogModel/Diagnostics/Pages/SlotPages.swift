// The pages of the codes about the entries of a set and the files that they name.

extension CodePage {
  static let slots: [CodePage] = [
    CodePage(
      .missingFile, .warning,
      "An entry names a file that is not in its folder, so the variant is left out.",
      why: """
        The device shows the next best variant: a smaller picture is blurred, and a picture for \
        light mode is too bright in dark mode. If the set has no other variant, the app shows \
        nothing.
        """,
      remedy: """
        Add the file, or clear the entry. --fix=all writes the name that the message suggests.
        """,
      fix: .review,
      before: """
        Star.imageset/Contents.json
          { "images": [ { "filename": "star@2.png", "scale": "2x" } ] }
        Star.imageset/star@2x.png: PNG, 48 × 48
        """,
      after: """
        Star.imageset/Contents.json
          { "images": [ { "filename": "star@2x.png", "scale": "2x" } ] }
        """),
    CodePage(
      .fileCaseMismatch, .warning,
      """
      The name of a file and the entry that names it differ in case: a Mac finds the file, \
      most other systems do not. Carve uses the file.
      """,
      why: """
        Another tool on Linux, or on a Mac whose disk distinguishes case, makes an app without \
        the picture.
        """,
      remedy: "Rename the file or correct the entry; --fix writes the name of the file.",
      fix: .certain,
      before: """
        Star.imageset/Contents.json
          { "images": [ { "filename": "Star.png" } ] }
        Star.imageset/star.png: PNG, 24 × 24
        """,
      after: """
        Star.imageset/Contents.json
          { "images": [ { "filename": "star.png" } ] }
        """),
    CodePage(
      .notAFile, .warning, "An entry names a folder or a device instead of a file.",
      why: "The variant is left out, and the device shows another one or nothing.",
      remedy: "Name a file.",
      before: """
        Star.imageset/Contents.json
          { "images": [ { "filename": "star.png" } ] }
        Star.imageset/star.png/
        """,
      after: """
        Star.imageset/star.png/: removed
        Star.imageset/star.png: PNG, 24 × 24
        """),
    CodePage(
      .fileOutsideFolder, .warning,
      """
      An entry names a file by a path, not by its name in the folder of the set; the entry is \
      not compiled.
      """,
      why: "The variant is left out, and the device shows another one or nothing.",
      remedy: "Move the file into the folder of the set.",
      before: """
        Star.imageset/Contents.json
          { "images": [ { "filename": "../../shared/star.png" } ] }
        ../shared/star.png: PNG, 24 × 24
        """,
      after: """
        Star.imageset/Contents.json
          { "images": [ { "filename": "star.png" } ] }
        Star.imageset/star.png: PNG, 24 × 24
        """),
    CodePage(
      .unassignedFile, .warning,
      "A file lies in a set, or in the Assets folder of a layered icon, and no entry names it.",
      why: """
        The file is not in the archive. If it was meant for a variant, devices show another \
        variant in its place.
        """,
      remedy: "Assign the file to a slot, or delete it.",
      before: """
        Star.imageset/Contents.json
          { "images": [ { "filename": "star@2x.png", "scale": "2x" } ] }
        Star.imageset/star@2x.png: PNG, 48 × 48
        Star.imageset/star@3x.png: PNG, 72 × 72
        """,
      after: """
        Star.imageset/Contents.json
          { "images": [ { "filename": "star@2x.png", "scale": "2x" },
                        { "filename": "star@3x.png", "scale": "3x" } ] }
        """),
    CodePage(
      .unlistedPart, .warning,
      "A part lies in a set, and no entry of the set names it, so it is not compiled.",
      why: "The stack lacks the layer, or the group the picture that ARKit is to recognise.",
      remedy: "Add an entry that names the folder, or delete the folder.",
      before: """
        Poster.imagestack/Contents.json
          { "layers": [ { "filename": "Front.imagestacklayer" } ] }
        Poster.imagestack/Front.imagestacklayer/Content.imageset/Contents.json
          { "images": [ { "filename": "front.png", "idiom": "tv" } ] }
        Poster.imagestack/Front.imagestacklayer/Content.imageset/front.png: PNG, 40 × 24
        Poster.imagestack/Back.imagestacklayer/Content.imageset/Contents.json
          { "images": [ { "filename": "back.png", "idiom": "tv" } ] }
        Poster.imagestack/Back.imagestacklayer/Content.imageset/back.png: PNG, 40 × 24
        """,
      after: """
        Poster.imagestack/Contents.json
          { "layers": [ { "filename": "Front.imagestacklayer" },
                        { "filename": "Back.imagestacklayer" } ] }
        """),
    CodePage(
      .unassignedEntry, .warning,
      """
      An entry is marked as \"unassigned\": its file belongs to no slot and is not compiled. Or an \
      entry with \"no-content\", which shows nothing, has content.
      """,
      why: """
        The file is not in the archive. If it was meant for a variant, devices show another \
        variant in its place.
        """,
      remedy: "Assign the file to a slot in Xcode, or delete the file and the entry.",
      before: """
        Star.imageset/Contents.json
          { "images": [ { "filename": "star@2x.png", "scale": "2x" },
                        { "filename": "star@3x.png", "unassigned": true } ] }
        Star.imageset/star@2x.png: PNG, 48 × 48
        Star.imageset/star@3x.png: PNG, 72 × 72
        """,
      after: """
        Star.imageset/Contents.json
          { "images": [ { "filename": "star@2x.png", "scale": "2x" },
                        { "filename": "star@3x.png", "scale": "3x" } ] }
        """),
    CodePage(
      .emptyUnassignedEntry, .warning,
      "An entry is marked as unassigned and names no file: it has no effect.",
      why: "Nothing changes on devices. The entry is a leftover of Xcode.",
      remedy: "Delete the entry, or run --fix.",
      fix: .certain,
      before: """
        Star.imageset/Contents.json
          { "images": [ { "filename": "star.png" }, { "unassigned": true } ] }
        Star.imageset/star.png: PNG, 24 × 24
        """,
      after: """
        Star.imageset/Contents.json
          { "images": [ { "filename": "star.png" } ] }
        """),
    CodePage(
      .fileInSeveralSlots, .note, "One file serves several slots of a set.",
      why: """
        A bitmap has its right size at one scale only: at the others it is larger or smaller on \
        the screen.
        """,
      remedy: "If this is intended, change nothing; otherwise draw the picture once for each slot.",
      before: """
        Star.imageset/Contents.json
          { "images": [ { "filename": "star.png", "scale": "2x" },
                        { "filename": "star.png", "scale": "3x" } ] }
        Star.imageset/star.png: PNG, 48 × 48
        """,
      after: """
        Star.imageset/Contents.json
          { "images": [ { "filename": "star.png", "scale": "2x" },
                        { "filename": "star@3x.png", "scale": "3x" } ] }
        Star.imageset/star@3x.png: PNG, 72 × 72
        """),
    CodePage(
      .duplicateSlot, .error,
      """
      Two entries of a set are for the same variant. If both name the same file, or belong to \
      an icon or a reference image, this is a warning.
      """,
      why: """
        An archive holds one picture for a variant, so one of the files could never be shown, \
        and nothing says which one you want.
        """,
      remedy: "Delete one of them, or correct the traits that distinguish them.",
      before: """
        Star.imageset/Contents.json
          { "images": [ { "filename": "old.png", "scale": "2x" },
                        { "filename": "new.png", "scale": "2x" } ] }
        Star.imageset/old.png: PNG, 48 × 48
        Star.imageset/new.png: PNG, 50 × 50
        """,
      after: """
        Star.imageset/Contents.json
          { "images": [ { "filename": "new.png", "scale": "2x" } ] }
        Star.imageset/old.png: removed
        """),
    CodePage(
      .tooManyCombinations, .error,
      """
      The variants of a set name so many different traits that their combinations cannot all be \
      compared.
      """,
      why: """
        No archive is written. Thinning and the reports decide about each combination of the \
        traits; sets of apps have at most some hundred combinations, and the limit is about a \
        million.
        """,
      remedy: """
        Divide the set by the traits that belong to different uses, or leave out traits that decide \
        nothing.
        """,
      before: """
        Star.imageset/Contents.json
          { "images": [
            { "filename": "star.png", "scale": "1x", "memory": "1GB", "locale": "de",
              "graphics-feature-set": "apple1", "display-gamut": "sRGB",
              "width-class": "compact", "height-class": "regular",
              "language-direction": "left-to-right", "appearances": [
                { "appearance": "luminosity", "value": "light" } ] },
            { "filename": "star.png", "scale": "2x", "memory": "2GB", "locale": "fr",
              "graphics-feature-set": "apple2", "display-gamut": "display-P3",
              "width-class": "regular", "height-class": "regular",
              "language-direction": "left-to-right", "appearances": [
                { "appearance": "luminosity", "value": "dark" },
                { "appearance": "contrast", "value": "high" } ] },
            { "filename": "star.png", "scale": "3x", "memory": "3GB", "locale": "it",
              "graphics-feature-set": "apple4", "display-gamut": "sRGB",
              "width-class": "compact", "height-class": "compact",
              "language-direction": "left-to-right", "appearances": [
                { "appearance": "luminosity", "value": "light" } ] },
            { "filename": "star.png", "scale": "1x", "memory": "4GB", "locale": "es",
              "graphics-feature-set": "apple5", "display-gamut": "display-P3",
              "width-class": "regular", "height-class": "compact",
              "language-direction": "right-to-left", "appearances": [
                { "appearance": "luminosity", "value": "dark" },
                { "appearance": "contrast", "value": "high" } ] },
            { "filename": "star.png", "scale": "2x", "memory": "6GB", "locale": "pt",
              "graphics-feature-set": "apple6", "display-gamut": "sRGB",
              "width-class": "compact", "height-class": "regular",
              "language-direction": "right-to-left", "appearances": [
                { "appearance": "luminosity", "value": "light" } ] },
            { "filename": "star.png", "scale": "3x", "memory": "8GB", "locale": "nl",
              "graphics-feature-set": "apple7", "display-gamut": "display-P3",
              "width-class": "regular", "height-class": "regular",
              "language-direction": "right-to-left", "appearances": [
                { "appearance": "luminosity", "value": "dark" },
                { "appearance": "contrast", "value": "high" } ] },
            { "filename": "star.png", "scale": "1x", "memory": "1GB", "locale": "sv",
              "graphics-feature-set": "apple8", "display-gamut": "sRGB",
              "width-class": "compact", "height-class": "compact",
              "language-direction": "left-to-right", "appearances": [
                { "appearance": "luminosity", "value": "light" } ] } ] }
        Star.imageset/star.png: PNG, 24 × 24
        """,
      after: """
        Star.imageset/Contents.json
          { "images": [ { "filename": "star.png" } ] }
        """),
    CodePage(
      .duplicateFile, .note, "Files of different sets have the same content.",
      why: "The picture can be in the archive twice, and each device downloads both.",
      remedy: "Use one set in both places, if the pictures have the same meaning.",
      before: """
        Star.imageset/Contents.json
          { "images": [ { "filename": "star.png" } ] }
        Star.imageset/star.png: PNG, 24 × 24
        Favorite.imageset/Contents.json
          { "images": [ { "filename": "favorite.png" } ] }
        Favorite.imageset/favorite.png: a copy of Star.imageset/star.png
        """,
      after: """
        Favorite.imageset/: removed
        """),
    CodePage(
      .emptySet, .note, "A set names no file and no colour, so nothing of it is compiled.",
      why: "The app finds no asset of this name.",
      remedy: "Fill a slot, or delete the set.",
      before: """
        Star.imageset/Contents.json
          { "images": [ { "idiom": "universal", "scale": "2x" } ] }
        """,
      after: """
        Star.imageset/Contents.json
          { "images": [ { "filename": "star.png", "idiom": "universal", "scale": "2x" } ] }
        Star.imageset/star.png: PNG, 48 × 48
        """),
    CodePage(
      .emptySlot, .note,
      "Some slots of a set have no file or colour. Devices show the contents of the other slots.",
      why: """
        Devices for which the slot is meant show the next best variant: here the iPad shows the \
        universal picture.
        """,
      remedy: "Fill the slots, or delete their entries.",
      before: """
        Star.imageset/Contents.json
          { "images": [ { "filename": "star.png", "idiom": "universal", "scale": "2x" },
                        { "idiom": "ipad", "scale": "2x" } ] }
        Star.imageset/star.png: PNG, 48 × 48
        """,
      after: """
        Star.imageset/Contents.json
          { "images": [ { "filename": "star.png", "idiom": "universal", "scale": "2x" } ] }
        """),
    CodePage(
      .missingScale, .note,
      "A set has a picture for some scales and not for others that devices use.",
      why: """
        If a set has no picture for the scale of a device, the device shows the picture of the \
        nearest lower scale, or else of a higher one. An enlarged picture is blurred; a picture \
        that is too large wastes bytes and memory.
        """,
      remedy: "Add the missing picture, or a vector that serves all scales.",
      before: """
        Star.imageset/Contents.json
          { "images": [ { "filename": "star@2x.png", "scale": "2x" } ] }
        Star.imageset/star@2x.png: PNG, 48 × 48
        """,
      after: """
        Star.imageset/Contents.json
          { "images": [ { "filename": "star@2x.png", "scale": "2x" },
                        { "filename": "star@3x.png", "scale": "3x" } ] }
        Star.imageset/star@3x.png: PNG, 72 × 72
        """),
    CodePage(
      .appearanceHole, .note,
      """
      Variants for dark mode and for high contrast do not complete each other, so a device \
      with both shows a variant for only one of them, or the plain variant.
      """,
      why: """
        A device decides the style before the contrast. With dark mode and increased contrast, the \
        device in the example shows the dark colour, whose contrast is low.
        """,
      remedy: "Add the variants that the message names.",
      before: """
        Text.colorset/Contents.json
          { "colors": [
            { "color": { "color-space": "extended-gray",
                         "components": { "white": "0.3", "alpha": "1.0" } } },
            { "appearances": [ { "appearance": "luminosity", "value": "dark" } ],
              "color": { "color-space": "extended-gray",
                         "components": { "white": "0.7", "alpha": "1.0" } } },
            { "appearances": [ { "appearance": "contrast", "value": "high" } ],
              "color": { "color-space": "extended-gray",
                         "components": { "white": "0.0", "alpha": "1.0" } } } ] }
        """,
      after: """
        Text.colorset/Contents.json
          { "colors": [
            { "color": { "color-space": "extended-gray",
                         "components": { "white": "0.3", "alpha": "1.0" } } },
            { "appearances": [ { "appearance": "luminosity", "value": "dark" } ],
              "color": { "color-space": "extended-gray",
                         "components": { "white": "0.7", "alpha": "1.0" } } },
            { "appearances": [ { "appearance": "contrast", "value": "high" } ],
              "color": { "color-space": "extended-gray",
                         "components": { "white": "0.0", "alpha": "1.0" } } },
            { "appearances": [ { "appearance": "luminosity", "value": "dark" },
                               { "appearance": "contrast", "value": "high" } ],
              "color": { "color-space": "extended-gray",
                         "components": { "white": "1.0", "alpha": "1.0" } } } ] }
        """),
    CodePage(
      .unsupportedAppearance, .warning,
      "An entry is for a style and a contrast that archives cannot combine; it is left out.",
      why: "No system asks for a tinted variant with high contrast, so no device could show it.",
      remedy: "Delete the entry, or remove one of its appearances.",
      before: """
        Star.imageset/Contents.json
          { "images": [ { "filename": "star.png" },
            { "filename": "tinted.png",
              "appearances": [ { "appearance": "luminosity", "value": "tinted" },
                               { "appearance": "contrast", "value": "high" } ] } ] }
        Star.imageset/star.png: PNG, 24 × 24
        Star.imageset/tinted.png: PNG, 24 × 24
        """,
      after: """
        Star.imageset/Contents.json
          { "images": [ { "filename": "star.png" },
            { "filename": "tinted.png",
              "appearances": [ { "appearance": "luminosity", "value": "tinted" } ] } ] }
        """),
    CodePage(
      .localeNotLocalizable, .warning,
      "Entries have a locale, and the set does not say that it is localizable.",
      why: """
        Apple's tool may compile the set without its languages; people then see the same picture \
        in every language.
        """,
      remedy: "Set \"localizable\" of the set's \"properties\" to true, or remove the locales.",
      before: """
        Sign.imageset/Contents.json
          { "images": [ { "filename": "sign.png" },
                        { "filename": "sign-fr.png", "locale": "fr" } ] }
        Sign.imageset/sign.png: PNG, 24 × 24
        Sign.imageset/sign-fr.png: PNG, 24 × 24
        """,
      after: """
        Sign.imageset/Contents.json
          { "images": [ { "filename": "sign.png" },
                        { "filename": "sign-fr.png", "locale": "fr" } ],
            "properties": { "localizable": true } }
        """),
    CodePage(
      .danglingReference, .warning, "A set refers to a folder or an asset that is not there.",
      why: "The stack lacks a layer: an Apple TV or a Vision Pro shows the icon without it.",
      remedy: """
        Correct the name, or add the folder or asset. --fix=all writes the name that the message \
        suggests.
        """,
      fix: .review,
      before: """
        Poster.imagestack/Contents.json
          { "layers": [ { "filename": "Frnt.imagestacklayer" } ] }
        Poster.imagestack/Front.imagestacklayer/Content.imageset/Contents.json
          { "images": [ { "filename": "front.png", "idiom": "tv" } ] }
        Poster.imagestack/Front.imagestacklayer/Content.imageset/front.png: PNG, 40 × 24
        """,
      after: """
        Poster.imagestack/Contents.json
          { "layers": [ { "filename": "Front.imagestacklayer" } ] }
        """),
  ]
}
