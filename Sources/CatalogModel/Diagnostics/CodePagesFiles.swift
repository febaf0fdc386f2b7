// The pages of codes about files, folders, names and the text of JSON files.

extension DiagnosticCode {
  static let filePages: [(DiagnosticCode, CodePage)] = [
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

  static let jsonPages: [(DiagnosticCode, CodePage)] = [
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
