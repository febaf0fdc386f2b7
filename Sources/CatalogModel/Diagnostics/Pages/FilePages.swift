// The pages of the codes about files, folders, links and names.

import Documents
import Host

extension CodePage {
  static let files: [CodePage] = [
    CodePage(
      .notACatalog, .error,
      """
      A path that was named as a catalogue cannot be read, or is a folder that does not look \
      like a catalogue.
      """,
      why: """
        The archive would lack everything that the path was meant to add, so no archive is \
        written.
        """,
      remedy: """
        Name a folder that ends in .xcassets, .xcstickers or .icon, or that has a Contents.json.
        """,
      before: """
        $ carve compile Pictures -o Assets.car
        ../Pictures/star.png: PNG, 24 × 24
        """,
      after: """
        $ carve compile Assets.xcassets -o Assets.car
        Star.imageset/Contents.json
          { "images": [ { "filename": "star.png" } ] }
        Star.imageset/star.png: PNG, 24 × 24
        """),
    CodePage(
      .unreadableFolder, .error, "A folder of the catalogue cannot be listed.",
      why: "Any assets in the folder would be missing on the device, so no archive is written.",
      remedy: "Change its permissions, or remove it from the catalogue.",
      before: """
        Icons/: a folder without permission to read
        """,
      after: """
        Icons/: removed
        """),
    CodePage(
      .unreadableFile, .error, "A file that the catalogue needs cannot be read.",
      why: "The archive would lack an asset that the app expects, so no archive is written.",
      remedy: "Change its permissions, or replace it.",
      before: """
        Star.imageset/Contents.json
          { "images": [ { "filename": "star.png" } ] }
        Star.imageset/star.png: a file without permission to read
        """,
      after: """
        Star.imageset/star.png: PNG, 24 × 24
        """),
    CodePage(
      .folderTooDeep, .error,
      """
      Folders are nested more than \(FolderDepth.read) levels deep, or there are more than \
      \(grouped(folderLimit)) folders; the remaining folders were not read.
      """,
      why: """
        Assets in the folders that were not read would be missing on the device, so no archive is \
        written.
        """,
      remedy: """
        Move the assets nearer to the root of the catalogue; look for links that repeat folders.
        """,
      before: """
        1/2/3/4/5/6/7/8/9/10/11/12/13/14/15/16/17/18/19/20/21/22/23/24/25/26/27/28/29/30/31/32/
        """,
      after: """
        1/: removed
        """),
    CodePage(
      .linkLoop, .warning,
      """
      A symbolic link was not followed: its target does not exist, the link lies in its \
      target, or it leads to a folder and is itself behind another link.
      """,
      why: """
        Assets behind the link are not in the archive. If the target exists on one machine only, \
        the app has pictures in one build and lacks them in the next.
        """,
      remedy: "Delete the link, or replace it with its target.",
      before: """
        Icons/Again -> ../Icons
        """,
      after: """
        Icons/Again: removed
        """),
    CodePage(
      .linkOutsideCatalog, .warning,
      """
      A symbolic link leads out of the catalogue, so a copy of the catalogue does not contain its \
      target. Files and sets behind the link are still read; other folders behind it are read only \
      if they have a Contents.json.
      """,
      why: "A build on a machine without the target makes an app without the picture.",
      remedy: "Put the target of the link into the catalogue.",
      before: """
        Star.imageset/Contents.json
          { "images": [ { "filename": "star.png" } ] }
        Star.imageset/star.png -> ../../shared/star.png
        ../shared/star.png: PNG, 24 × 24
        """,
      after: """
        Star.imageset/star.png: PNG, 24 × 24
        """),
    CodePage(
      .invalidFileName, .error,
      "An entry names a file by a text that cannot be the name of a file.",
      why: """
        The entry can have no picture on any device. A program with a fault probably wrote the \
        Contents.json.
        """,
      remedy: "Write the name of a file in the same folder.",
      before: """
        Star.imageset/Contents.json
          { "images": [ { "filename": ".." } ] }
        """,
      after: """
        Star.imageset/Contents.json
          { "images": [ { "filename": "star.png" } ] }
        Star.imageset/star.png: PNG, 24 × 24
        """),
    CodePage(
      .missingContents, .warning,
      """
      A set has no Contents.json, or a layered icon has no icon.json, so nothing in it is \
      compiled.
      """,
      why: """
        The app finds no asset of this name: `UIImage(named:)` returns nil, and SwiftUI shows an \
        empty place.
        """,
      remedy: """
        Add the file, which may have been lost when the folder was copied, or delete the folder.
        """,
      before: """
        Star.imageset/star.png: PNG, 24 × 24
        """,
      after: """
        Star.imageset/Contents.json
          { "images": [ { "filename": "star.png" } ] }
        """),
    CodePage(
      .unknownSetType, .warning,
      "A folder has an extension that is not a type of asset; it is left out.",
      why: """
        The app finds no asset of this name. Apple's tool also leaves such folders out, without a \
        message.
        """,
      remedy: "Correct the extension, or move the folder out of the catalogue.",
      before: """
        Star.imagest/Contents.json
          { "images": [ { "filename": "star.png" } ] }
        Star.imagest/star.png: PNG, 24 × 24
        """,
      after: """
        Star.imagest/: removed
        Star.imageset/Contents.json
          { "images": [ { "filename": "star.png" } ] }
        Star.imageset/star.png: PNG, 24 × 24
        """),
    CodePage(
      .misspelledSetType, .warning,
      """
      The extension of a folder differs from that of a type of asset in case or hyphens; it is \
      read as that type, and other tools may leave it out.
      """,
      why: "The asset is there if Carve builds the app, and may be missing if another tool does.",
      remedy: "Rename the folder.",
      before: """
        Star.ImageSet/Contents.json
          { "images": [ { "filename": "star.png" } ] }
        Star.ImageSet/star.png: PNG, 24 × 24
        """,
      after: """
        Star.ImageSet/: removed
        Star.imageset/Contents.json
          { "images": [ { "filename": "star.png" } ] }
        Star.imageset/star.png: PNG, 24 × 24
        """),
    CodePage(
      .dottedGroup, .note,
      "The name of a group has a dot, so the part after the dot looks like a type of asset.",
      why: """
        Carve compiles what is in the group. A tool that takes the end of the name for an \
        unknown type leaves all of it out.
        """,
      remedy: "Rename the group, unless its name matters to you.",
      before: """
        status.badge/Star.imageset/Contents.json
          { "images": [ { "filename": "star.png" } ] }
        status.badge/Star.imageset/star.png: PNG, 24 × 24
        """,
      after: """
        status.badge/: removed
        status-badge/Star.imageset/Contents.json
          { "images": [ { "filename": "star.png" } ] }
        status-badge/Star.imageset/star.png: PNG, 24 × 24
        """),
    CodePage(
      .nestedSet, .warning,
      """
      A set lies in a set that cannot hold sets; it is compiled as if it lay beside the outer \
      set.
      """,
      why: """
        Xcode does not show the inner set, so it is easily forgotten or deleted with the outer \
        one, and then the app lacks it.
        """,
      remedy: "Move the inner folder beside the outer one.",
      before: """
        Star.imageset/Contents.json
          { "images": [ { "filename": "star.png" } ] }
        Star.imageset/star.png: PNG, 24 × 24
        Star.imageset/Moon.imageset/Contents.json
          { "images": [ { "filename": "moon.png" } ] }
        Star.imageset/Moon.imageset/moon.png: PNG, 32 × 32
        """,
      after: """
        Star.imageset/Moon.imageset/: removed
        Moon.imageset/Contents.json
          { "images": [ { "filename": "moon.png" } ] }
        Moon.imageset/moon.png: PNG, 32 × 32
        """),
    CodePage(
      .hiddenSet, .warning,
      "The name of a set begins with a dot, so it is left out as all hidden folders are.",
      why: "The app finds no asset of this name.",
      remedy: "Rename the folder, or delete it.",
      before: """
        .Star.imageset/Contents.json
          { "images": [ { "filename": "star.png" } ] }
        .Star.imageset/star.png: PNG, 24 × 24
        """,
      after: """
        .Star.imageset/: removed
        Star.imageset/Contents.json
          { "images": [ { "filename": "star.png" } ] }
        Star.imageset/star.png: PNG, 24 × 24
        """),
    CodePage(
      .strayFile, .warning,
      "A file lies in a group or in the catalogue itself, where nothing refers to it.",
      why: "The file is not in the archive: if it was meant to be an asset, no device has it.",
      remedy: "Delete it, or move it into a set.",
      before: """
        star.png: PNG, 24 × 24
        """,
      after: """
        star.png: removed
        Star.imageset/Contents.json
          { "images": [ { "filename": "star.png" } ] }
        Star.imageset/star.png: PNG, 24 × 24
        """),
  ]

  static let names: [CodePage] = [
    CodePage(
      .nameClash, .warning,
      "Two sets of one type have the same name; the one that is read first is compiled.",
      why: """
        An app asks for an asset by its name, so it never gets the second set. The order of the \
        catalogues decides which set is the second one, so a change of the project can exchange \
        the two.
        """,
      remedy: "Rename one of them, or give one of their groups a namespace.",
      before: """
        Day/Sky.colorset/Contents.json
          { "colors": [ { "color": { "color-space": "srgb", "components":
            { "red": "0.4", "green": "0.7", "blue": "1.0", "alpha": "1.0" } } } ] }
        Night/Sky.colorset/Contents.json
          { "colors": [ { "color": { "color-space": "srgb", "components":
            { "red": "0.0", "green": "0.0", "blue": "0.2", "alpha": "1.0" } } } ] }
        """,
      after: """
        Night/Contents.json
          { "properties": { "provides-namespace": true } }
        """),
    CodePage(
      .nameSharedByTypes, .note, "Sets of different types have the same name.",
      why: """
        An app looks up pictures and colours separately, so it finds both assets. A reader of the \
        code may expect the other one.
        """,
      remedy: """
        If the symbols of the two sets clash, rename one of the sets; otherwise change nothing.
        """,
      before: """
        Star.imageset/Contents.json
          { "images": [ { "filename": "star.png" } ] }
        Star.imageset/star.png: PNG, 24 × 24
        Star.colorset/Contents.json
          { "colors": [ { "color": { "color-space": "srgb", "components":
            { "red": "1.0", "green": "0.8", "blue": "0.0", "alpha": "1.0" } } } ] }
        """,
      after: """
        Star.colorset/: removed
        StarYellow.colorset/Contents.json
          { "colors": [ { "color": { "color-space": "srgb", "components":
            { "red": "1.0", "green": "0.8", "blue": "0.0", "alpha": "1.0" } } } ] }
        """),
    CodePage(
      .nameDiffersInCase, .warning, "The names of two sets of one type differ in case only.",
      why: """
        On most disks of a Mac, the two folders are one: if the project is copied there, one of \
        the sets is lost, and devices show the other one or nothing.
        """,
      remedy: "Rename one of the sets.",
      before: """
        Star.imageset/Contents.json
          { "images": [ { "filename": "large.png" } ] }
        Star.imageset/large.png: PNG, 24 × 24
        star.imageset/Contents.json
          { "images": [ { "filename": "small.png" } ] }
        star.imageset/small.png: PNG, 12 × 12
        """,
      after: """
        star.imageset/: removed
        SmallStar.imageset/Contents.json
          { "images": [ { "filename": "small.png" } ] }
        SmallStar.imageset/small.png: PNG, 12 × 12
        """),
    CodePage(
      .equivalentNames, .warning,
      """
      Two names in one place have the same characters in two forms of Unicode: an accented letter \
      is one character, or a letter and an accent. For Carve and in archives they are two names; \
      for the file system of a Mac they are one.
      """,
      why: """
        A tool that compares names by bytes leaves the picture out, and an app that looks up an \
        asset by the other form does not find it. On a screen, the two names look the same.
        """,
      remedy: """
        Rename one of them. If an entry and a file have different forms, write the name of the \
        file as it is on disk; --fix does this.
        """,
      fix: .certain,
      before: """
        Cup.imageset/Contents.json
          { "images": [ { "filename": "caf\\u00E9.png" } ] }
        Cup.imageset/cafe\\u0301.png: PNG, 24 × 24
        """,
      after: """
        Cup.imageset/Contents.json
          { "images": [ { "filename": "cafe\\u0301.png" } ] }
        """),
    CodePage(
      .unprintableName, .warning,
      "The name of an asset begins or ends with a blank, or has a control character.",
      why: """
        An app finds the asset only by exactly this name. On a screen, the name looks like the one \
        without the character, so a lookup of that name finds nothing.
        """,
      remedy: "Rename the folder.",
      before: """
        Star .imageset/Contents.json
          { "images": [ { "filename": "star.png" } ] }
        Star .imageset/star.png: PNG, 24 × 24
        """,
      after: """
        Star .imageset/: removed
        Star.imageset/Contents.json
          { "images": [ { "filename": "star.png" } ] }
        Star.imageset/star.png: PNG, 24 × 24
        """),
    CodePage(
      .iconShadowsAppIcon, .warning,
      """
      A layered icon (.icon) and an app icon set have the same name; Apple's tool then leaves \
      out the app icon set without a message.
      """,
      why: """
        Carve compiles both: systems before those of 2025 show the set, later ones the layered \
        icon. An app that Apple's tool compiles has bitmaps of the layered icon instead of the \
        set, so it looks different on older systems.
        """,
      remedy: "Rename or delete the one that is not wanted.",
      before: """
        AppIcon.icon/icon.json
          { "fill": "automatic", "groups": [],
            "supported-platforms": { "squares": "shared" } }
        AppIcon.appiconset/Contents.json
          { "images": [ { "filename": "icon.png", "size": "1024x1024", "idiom": "universal",
            "platform": "ios" } ] }
        AppIcon.appiconset/icon.png: PNG, 1024 × 1024
        """,
      after: """
        AppIcon.appiconset/: removed
        """),
  ]
}
