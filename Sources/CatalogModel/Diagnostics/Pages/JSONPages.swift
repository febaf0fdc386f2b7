// The pages of the codes about the text of JSON files: syntax, keys, values.

import Documents

extension CodePage {
  static let json: [CodePage] = [
    CodePage(
      .jsonSyntax, .error, "A file is not JSON, so its set is left out.",
      why: """
        The app would lack the asset, so no archive is written. The most common cause is a \
        conflict of a merge that was not resolved.
        """,
      remedy: "Correct the place that the message names; Xcode cannot read the file either.",
      before: """
        Star.imageset/Contents.json
          { "images": [ { "filename": "star.png" "scale": "2x" } ] }
        Star.imageset/star.png: PNG, 24 × 24
        """,
      after: """
        Star.imageset/Contents.json
          { "images": [ { "filename": "star.png", "scale": "2x" } ] }
        """),
    CodePage(
      .jsonTooLarge, .error,
      "A JSON file is larger than 4 MiB or holds more than 50,000 values; it was not read.",
      why: "The app would lack the asset, so no archive is written.",
      remedy: """
        Check the program that wrote the file: the largest files in practice have some hundred \
        kilobytes.
        """,
      before: """
        Star.imageset/Contents.json: 5 MiB of blanks
        """,
      after: """
        Star.imageset/Contents.json
          { "images": [ { "filename": "star.png" } ] }
        Star.imageset/star.png: PNG, 24 × 24
        """),
    CodePage(
      .jsonTooDeep, .error,
      "The values of a JSON file are nested more than \(jsonDepthLimit) levels deep; the file was not read.",
      why: "The app would lack the asset, so no archive is written.",
      remedy:
        "Check the program that wrote the file: files in practice have fewer than ten levels.",
      before: """
        Star.imageset/Contents.json
          [[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[
          [[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[
          ]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]
          ]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]
        """,
      after: """
        Star.imageset/Contents.json
          { "images": [ { "filename": "star.png" } ] }
        Star.imageset/star.png: PNG, 24 × 24
        """),
    CodePage(
      .jsonEncoding, .warning,
      """
      A JSON file is not UTF-8. UTF-16 with a byte-order mark is still read; any other \
      encoding is an error.
      """,
      why: """
        Tools that expect UTF-8, as the standard of JSON demands, see no asset here; names with \
        letters beyond ASCII can turn into other names.
        """,
      remedy: "Save the file as UTF-8, or run --fix if it is UTF-16.",
      fix: .certain,
      before: """
        Star.imageset/Contents.json (UTF-16)
          { "images": [ { "filename": "star.png" } ] }
        Star.imageset/star.png: PNG, 24 × 24
        """,
      after: """
        Star.imageset/Contents.json
          { "images": [ { "filename": "star.png" } ] }
        """),
    CodePage(
      .jsonByteOrderMark, .warning,
      "A JSON file starts with a byte-order mark, which many tools cannot read.",
      why: "The asset is there if Carve builds the app, and may be missing if another tool does.",
      remedy: "Remove the mark, or run --fix.",
      fix: .certain,
      before: """
        Star.imageset/Contents.json (with a byte-order mark)
          { "images": [ { "filename": "star.png" } ] }
        Star.imageset/star.png: PNG, 24 × 24
        """,
      after: """
        Star.imageset/Contents.json
          { "images": [ { "filename": "star.png" } ] }
        """),
    CodePage(
      .jsonTrailingComma, .warning, "A comma stands before a closing bracket, which is not JSON.",
      why: """
        The asset is there if Carve builds the app; a strict reader refuses the file, and the \
        app lacks the asset.
        """,
      remedy: "Remove the comma, or run --fix.",
      fix: .certain,
      before: """
        Star.imageset/Contents.json
          { "images": [ { "filename": "star.png" }, ] }
        Star.imageset/star.png: PNG, 24 × 24
        """,
      after: """
        Star.imageset/Contents.json
          { "images": [ { "filename": "star.png" } ] }
        """),
    CodePage(
      .jsonDuplicateKey, .warning,
      "Two members of an object have the same key; the last one counts.",
      why: """
        Another reader may take the first one, and the device then shows another picture, or \
        shows it for another variant.
        """,
      remedy: "Delete the wrong one.",
      before: """
        Star.imageset/Contents.json
          { "images": [ { "filename": "star.png", "scale": "1x", "scale": "2x" } ] }
        Star.imageset/star.png: PNG, 24 × 24
        """,
      after: """
        Star.imageset/Contents.json
          { "images": [ { "filename": "star.png", "scale": "2x" } ] }
        """),
    CodePage(
      .jsonFormat, .note,
      """
      A JSON file is not formatted as Xcode formats it, so the next time that Xcode saves the \
      file, it changes lines that you did not edit.
      """,
      why: "Nothing changes on devices, but changes of the file are harder to review.",
      remedy: "Run --fix=format, which formats it.",
      fix: .format,
      before: """
        $ carve lint Assets.xcassets --check-format
        Contents.json
          { "info": { "version": 1, "author": "xcode" } }
        """,
      after: """
        Contents.json
          {
            "info" : {
              "author" : "xcode",
              "version" : 1
            }
          }
        """),
    CodePage(
      .wrongType, .warning,
      "A value does not have the JSON type that its key requires; it is ignored.",
      why: """
        The asset is in the archive without the setting: in the example, the whole list of \
        pictures is ignored, and the app finds nothing.
        """,
      remedy: "Write a value of the type that the message names.",
      before: """
        Star.imageset/Contents.json
          { "images": { "filename": "star.png" } }
        """,
      after: """
        Star.imageset/Contents.json
          { "images": [ { "filename": "star.png" } ] }
        Star.imageset/star.png: PNG, 24 × 24
        """),
    CodePage(
      .numberRange, .warning,
      "A key does not allow this number, so the number is ignored or rounded.",
      why: "The picture is laid out as if the setting were not there, or with the rounded number.",
      remedy: "Correct the number.",
      before: """
        Star.imageset/Contents.json
          { "images": [ { "filename": "star.png", "scale": "2x",
            "alignment-insets": { "top": 2e99 } } ] }
        Star.imageset/star.png: PNG, 24 × 24
        """,
      after: """
        Star.imageset/Contents.json
          { "images": [ { "filename": "star.png", "scale": "2x",
            "alignment-insets": { "top": 2 } } ] }
        """),
    CodePage(
      .unknownKey, .warning, "Carve does not know a key; the key has no effect.",
      why: """
        If the key is misspelt, its setting is lost: in the example, the picture for the iPad is \
        shown on the iPhone, too.
        """,
      remedy: """
        Correct its spelling, or delete it. --fix=all writes the key that the message suggests.
        """,
      fix: .review,
      before: """
        Star.imageset/Contents.json
          { "images": [ { "filename": "star.png", "idom": "ipad" } ] }
        Star.imageset/star.png: PNG, 24 × 24
        """,
      after: """
        Star.imageset/Contents.json
          { "images": [ { "filename": "star.png", "idiom": "ipad" } ] }
        """),
    CodePage(
      .misspelledKey, .warning,
      "A key differs from a known key only in case or hyphens, and is read as the known key.",
      why: """
        Carve applies the setting; other tools may ignore it, and the device then shows the \
        picture without it.
        """,
      remedy: "Correct its spelling for other tools, or run --fix.",
      fix: .certain,
      before: """
        Star.imageset/Contents.json
          { "images": [ { "filename": "star.png", "displayGamut": "sRGB" } ] }
        Star.imageset/star.png: PNG, 24 × 24
        """,
      after: """
        Star.imageset/Contents.json
          { "images": [ { "filename": "star.png", "display-gamut": "sRGB" } ] }
        """),
    CodePage(
      .misplacedKey, .warning,
      "A key is in a place where old versions of Xcode put it; it is still read there.",
      why: """
        A tool that reads only the present place ignores the key: in the example, it draws the \
        picture in its own colours instead of the tint of the control.
        """,
      remedy: "Move the key to its present place, or run --fix.",
      fix: .certain,
      before: """
        Star.imageset/Contents.json
          { "images": [ { "filename": "star.png" } ],
            "info": { "version": 1, "template-rendering-intent": "template" } }
        Star.imageset/star.png: PNG, 24 × 24
        """,
      after: """
        Star.imageset/Contents.json
          { "images": [ { "filename": "star.png" } ],
            "info": { "version": 1 },
            "properties": { "template-rendering-intent": "template" } }
        """),
    CodePage(
      .missingKey, .warning, "A set or an entry lacks a key that it needs.",
      why: """
        The entry or the setting is not applied: in the example, the picture is stretched as a \
        whole instead of in nine parts.
        """,
      remedy: "Add the key that the message names, or delete the entry.",
      before: """
        Button.imageset/Contents.json
          { "images": [ { "filename": "button.png", "resizing":
            { "cap-insets": { "left": 8, "right": 8, "top": 8, "bottom": 8 } } } ] }
        Button.imageset/button.png: PNG, 24 × 24
        """,
      after: """
        Button.imageset/Contents.json
          { "images": [ { "filename": "button.png", "resizing": { "mode": "9-part",
            "cap-insets": { "left": 8, "right": 8, "top": 8, "bottom": 8 } } } ] }
        """),
    CodePage(
      .unknownValue, .warning,
      """
      A value is not one of the values of its key. If the value describes the variant of an \
      entry, the entry is not compiled; a reference image whose unit is not known is not \
      compiled either. Otherwise, or if the value is empty, the key is treated as absent.
      """,
      why: "The device for which the entry was meant shows another variant, or nothing.",
      remedy: "Correct the value. --fix=all writes the value that the message suggests.",
      fix: .review,
      before: """
        Star.imageset/Contents.json
          { "images": [ { "filename": "star.png", "idiom": "iphonee" } ] }
        Star.imageset/star.png: PNG, 24 × 24
        """,
      after: """
        Star.imageset/Contents.json
          { "images": [ { "filename": "star.png", "idiom": "iphone" } ] }
        """),
    CodePage(
      .misspelledValue, .warning,
      """
      A value differs from a known value only in case, hyphens or type, and is read as the \
      known value.
      """,
      why: """
        Carve compiles the entry; another tool may leave it out, and the device then shows \
        another variant.
        """,
      remedy: "Correct its spelling for other tools, or run --fix.",
      fix: .certain,
      before: """
        Star.imageset/Contents.json
          { "images": [ { "filename": "star.png", "idiom": "iPhone", "scale": 2 } ] }
        Star.imageset/star.png: PNG, 24 × 24
        """,
      after: """
        Star.imageset/Contents.json
          { "images": [ { "filename": "star.png", "idiom": "iphone", "scale": "2x" } ] }
        """),
    CodePage(
      .unknownVersion, .warning, "The file states a version that Carve does not know.",
      why: """
        Carve reads the file as version 1. Settings that only a newer version has are missing on \
        the device.
        """,
      remedy: """
        Check the program that wrote the file; the only version so far is 1. --fix=all writes \
        it.
        """,
      fix: .review,
      before: """
        Star.imageset/Contents.json
          { "images": [ { "filename": "star.png" } ], "info": { "version": 2 } }
        Star.imageset/star.png: PNG, 24 × 24
        """,
      after: """
        Star.imageset/Contents.json
          { "images": [ { "filename": "star.png" } ], "info": { "version": 1 } }
        """),
    CodePage(
      .tooManyFindings, .note, "A file has too many findings; only the first are shown.",
      why: """
        Nothing changes on devices, but a finding that is not shown may say why an asset is \
        missing.
        """,
      remedy: "Correct the findings that are shown, then run the command again.",
      before: """
        Star.imageset/Contents.json
          { "images": [ 1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,
            1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,
            1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1 ] }
        """,
      after: """
        Star.imageset/Contents.json
          { "images": [ { "filename": "star.png" } ] }
        Star.imageset/star.png: PNG, 24 × 24
        """),
  ]
}
