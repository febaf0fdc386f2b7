// The pages of codes about files, folders, names and the text of JSON files.

extension DiagnosticCode {
  static let filePages: [(DiagnosticCode, CodePage)] = [
    (
      .notACatalog,
      CodePage(
        .error,
        "What was named as a catalogue cannot be read, or is a folder that does not look like one.",
        "Name a folder that ends in .xcassets, .xcstickers or .icon, or that has a Contents.json.")
    ),
    (
      .unreadableFolder,
      CodePage(
        .error, "A folder of the catalogue cannot be listed.",
        "Change its permissions, or take it out of the catalogue.")
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
        "Folders nest deeper than 32 levels, or are more than 100,000; the others were not read.",
        "Move the assets nearer to the root of the catalogue; look for links that repeat folders.")
    ),
    (
      .linkLoop,
      CodePage(
        .warning,
        "A symbolic link leads nowhere, back to a folder that it lies in, or to a folder from one "
          + "that is behind a link itself; it was not followed.",
        "Delete the link, or put what it leads to in its place.")
    ),
    (
      .linkOutsideCatalog,
      CodePage(
        .warning,
        "A symbolic link leads out of the catalogue: who copies the catalogue does not copy what "
          + "is there. Files and sets are read all the same, other folders if they have a "
          + "Contents.json.",
        "Put what it leads to into the catalogue.")
    ),
    (
      .invalidFileName,
      CodePage(
        .error, "An entry names a file by a text that no file can have as its name.",
        "Write the name of a file of the same folder.")
    ),
    (
      .missingContents,
      CodePage(
        .warning,
        "A set has no Contents.json (a layered icon no icon.json), so nothing in it is compiled.",
        "Add the file, which may have been lost on the way, or delete the folder.")
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
        .note, "The name of a group has a dot, so what follows looks like a type of asset.",
        "Rename the group, unless its name matters to you.")
    ),
    (
      .nestedSet,
      CodePage(
        .warning, "A set lies in a set that holds no sets; it is compiled as if it lay beside it.",
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
        "Nothing, where the types are looked up apart; rename one if their symbols clash.")
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
          + "letter as one character and as a letter with an accent. They are two names to Carve and to "
          + "an archive, and one to the file system of a Mac.",
        "Rename one of them; write the name of a file as the disk has it.")
    ),
    (
      .iconShadowsAppIcon,
      CodePage(
        .warning,
        "A layered icon (.icon) and an app icon set have the same name; Apple's tool "
          + "then leaves out the app icon set without a word.",
        "Rename the one that is not wanted, or delete it.")
    ),
  ]

  static let jsonPages: [(DiagnosticCode, CodePage)] = [
    (
      .jsonSyntax,
      CodePage(
        .error, "A file is not JSON, so its set is left out.",
        "Correct the place named; Xcode cannot read the file either.")
    ),
    (
      .jsonTooLarge,
      CodePage(
        .error,
        "A JSON file is larger than 4 MiB or holds more than 50,000 values; it was not read.",
        "Look at what wrote it: the largest real ones have some hundred kilobytes.")
    ),
    (
      .jsonTooDeep,
      CodePage(
        .error, "The values of a JSON file nest deeper than 64 levels; it was not read.",
        "Look at what wrote it: real ones have fewer than ten.")
    ),
    (
      .jsonEncoding,
      CodePage(
        .warning,
        "A JSON file is not UTF-8. UTF-16 with its mark is read all the same; text that "
          + "is neither is an error.",
        "Save the file as UTF-8.")
    ),
    (
      .jsonByteOrderMark,
      CodePage(
        .warning, "A JSON file starts with a byte-order mark, on which many tools stumble.",
        "Remove it: --fix does.")
    ),
    (
      .jsonTrailingComma,
      CodePage(
        .warning, "A comma stands before a closing bracket, which is not JSON.",
        "Remove it: --fix does.")
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
        "A JSON file is not formatted as Xcode formats it, so its next save changes lines "
          + "that nobody touched.",
        "Run --fix, which formats it.")
    ),
    (
      .wrongType,
      CodePage(
        .warning, "A value is of another JSON type than its key asks for; it is passed over.",
        "Write a value of the type that is named.")
    ),
    (
      .numberRange,
      CodePage(
        .warning, "A number is too large or too small to mean anything; the value is passed over.",
        "Correct the number.")
    ),
    (
      .unknownKey,
      CodePage(
        .warning, "A key is none that Carve knows; whatever it asks for is not done.",
        "Correct its spelling, or delete it.")
    ),
    (
      .misspelledKey,
      CodePage(
        .warning, "A key differs in case or hyphens from one that is known, and is read as that.",
        "Write it as it is known, for other tools: --fix does.")
    ),
    (
      .misplacedKey,
      CodePage(
        .warning, "A key stands where old versions of Xcode put it; it is read there all the same.",
        "Move it to where it belongs: --fix does.")
    ),
    (
      .missingKey,
      CodePage(
        .warning, "An entry lacks a key without which it means nothing.",
        "Add the key that is named, or delete the entry.")
    ),
    (
      .unknownValue,
      CodePage(
        .warning,
        "A value is none of those that its key can have. An entry whose variant it would tell is "
          + "not compiled; elsewhere the key counts as absent.",
        "Correct the value.")
    ),
    (
      .misspelledValue,
      CodePage(
        .warning, "A value differs in case, hyphens or type from a known one, and is read as that.",
        "Write it as it is known, for other tools: --fix does.")
    ),
    (
      .unknownVersion,
      CodePage(
        .warning, "The file says that it is of a version that Carve does not know.",
        "Look at what wrote it; the only version there is so far is 1.")
    ),
    (
      .tooManyFindings,
      CodePage(
        .note, "A file has so many findings that only the first are shown.",
        "Correct those shown, then run again.")
    ),
  ]
}
