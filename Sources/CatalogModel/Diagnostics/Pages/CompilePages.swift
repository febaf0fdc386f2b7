// The pages of the codes about symbols, about the target devices, and about compiling.

extension CodePage {
  static let symbols: [CodePage] = [
    CodePage(
      .symbolDrawing, .error,
      """
      A template of a symbol has no drawing that can be read: an element whose id names a \
      weight and a size, such as Regular-M, and that holds outlines.
      """,
      why: "The app would have no symbol of this name, so no archive is written.",
      remedy: "Export the symbol as a template from SF Symbols, and keep the ids of its groups.",
      before: """
        Box.symbolset/Contents.json
          { "symbols": [ { "filename": "box.svg", "idiom": "universal" } ] }
        Box.symbolset/box.svg
          <svg xmlns="http://www.w3.org/2000/svg" width="1000" height="500">
          <g id="Guides"><line id="Baseline-M" x1="0" x2="1000" y1="250" y2="250"/>
          <line id="Capline-M" x1="0" x2="1000" y1="179.5" y2="179.5"/>
          <line id="left-margin" x1="292" x2="292" y1="0" y2="500"/>
          <line id="right-margin" x1="388" x2="388" y1="0" y2="500"/></g>
          <g id="Symbols"><g id="Drawing"><path d="M300 180H380V260H300Z"/></g></g></svg>
        """,
      after: """
        Box.symbolset/box.svg
          <svg xmlns="http://www.w3.org/2000/svg" width="1000" height="500">
          <g id="Guides"><line id="Baseline-M" x1="0" x2="1000" y1="250" y2="250"/>
          <line id="Capline-M" x1="0" x2="1000" y1="179.5" y2="179.5"/>
          <line id="left-margin" x1="292" x2="292" y1="0" y2="500"/>
          <line id="right-margin" x1="388" x2="388" y1="0" y2="500"/></g>
          <g id="Symbols"><g id="Regular-M"><path d="M300 180H380V260H300Z"/></g></g></svg>
        """),
    CodePage(
      .symbolGuide, .warning,
      """
      A template of a symbol lacks guides, so that the symbol does not stand beside text as it \
      should.
      """,
      why: """
        The symbol stands too high or too low in a line of text, or has another size than the \
        symbols beside it.
        """,
      remedy: "Add the guides of the template: Baseline-S, Capline-S, left-margin and the like.",
      before: """
        Box.symbolset/Contents.json
          { "symbols": [ { "filename": "box.svg", "idiom": "universal" } ] }
        Box.symbolset/box.svg
          <svg xmlns="http://www.w3.org/2000/svg" width="1000" height="500">
          <g id="Symbols"><g id="Regular-M"><path d="M300 180H380V260H300Z"/></g></g></svg>
        """,
      after: """
        Box.symbolset/box.svg
          <svg xmlns="http://www.w3.org/2000/svg" width="1000" height="500">
          <g id="Guides"><line id="Baseline-M" x1="0" x2="1000" y1="250" y2="250"/>
          <line id="Capline-M" x1="0" x2="1000" y1="179.5" y2="179.5"/>
          <line id="left-margin" x1="292" x2="292" y1="0" y2="500"/>
          <line id="right-margin" x1="388" x2="388" y1="0" y2="500"/></g>
          <g id="Symbols"><g id="Regular-M"><path d="M300 180H380V260H300Z"/></g></g></svg>
        """),
    CodePage(
      .symbolMasters, .warning,
      """
      The outlines in the drawings of a variable template do not have corresponding points, so \
      nothing can be drawn between them: other weights show the nearest drawing.
      """,
      why: "Beside text in medium weight, the symbol looks too thin or too bold.",
      remedy: """
        Make all drawings from one drawing, so that their outlines have the same points in the \
        same order.
        """,
      before: """
        Box.symbolset/Contents.json
          { "symbols": [ { "filename": "box.svg", "idiom": "universal" } ] }
        Box.symbolset/box.svg
          <svg xmlns="http://www.w3.org/2000/svg" width="1000" height="500">
          <g id="Notes"><text x="900" y="480">Template v.5.0</text></g>
          <g id="Guides"><line id="Baseline-S" x1="0" x2="1000" y1="100" y2="100"/>
          <line id="Capline-S" x1="0" x2="1000" y1="29.5" y2="29.5"/>
          <line id="left-margin-Ultralight-S" x1="92" x2="92" y1="0" y2="500"/>
          <line id="right-margin-Ultralight-S" x1="116" x2="116" y1="0" y2="500"/>
          <line id="left-margin-Regular-S" x1="292" x2="292" y1="0" y2="500"/>
          <line id="right-margin-Regular-S" x1="346" x2="346" y1="0" y2="500"/>
          <line id="left-margin-Black-S" x1="592" x2="592" y1="0" y2="500"/>
          <line id="right-margin-Black-S" x1="686" x2="686" y1="0" y2="500"/></g>
          <g id="Symbols"><g id="Ultralight-S"><path d="M100 30H110V110H100Z"/></g>
          <g id="Regular-S"><path d="M300 30H340V110H300Z"/></g>
          <g id="Black-S"><path d="M600 30H640V60L680 80V110H600Z"/></g></g></svg>
        """,
      after: """
        Box.symbolset/box.svg
          <svg xmlns="http://www.w3.org/2000/svg" width="1000" height="500">
          <g id="Notes"><text x="900" y="480">Template v.5.0</text></g>
          <g id="Guides"><line id="Baseline-S" x1="0" x2="1000" y1="100" y2="100"/>
          <line id="Capline-S" x1="0" x2="1000" y1="29.5" y2="29.5"/>
          <line id="left-margin-Ultralight-S" x1="92" x2="92" y1="0" y2="500"/>
          <line id="right-margin-Ultralight-S" x1="116" x2="116" y1="0" y2="500"/>
          <line id="left-margin-Regular-S" x1="292" x2="292" y1="0" y2="500"/>
          <line id="right-margin-Regular-S" x1="346" x2="346" y1="0" y2="500"/>
          <line id="left-margin-Black-S" x1="592" x2="592" y1="0" y2="500"/>
          <line id="right-margin-Black-S" x1="686" x2="686" y1="0" y2="500"/></g>
          <g id="Symbols"><g id="Ultralight-S"><path d="M100 30H110V110H100Z"/></g>
          <g id="Regular-S"><path d="M300 30H340V110H300Z"/></g>
          <g id="Black-S"><path d="M600 30H680V110H600Z"/></g></g></svg>
        """),
    CodePage(
      .symbolMargin, .warning, "A margin of a symbol lies beside the page of its template.",
      why: "The space between the symbol and the text beside it is far too wide.",
      remedy: "Move the guide back beside its drawing.",
      before: """
        Box.symbolset/Contents.json
          { "symbols": [ { "filename": "box.svg", "idiom": "universal" } ] }
        Box.symbolset/box.svg
          <svg xmlns="http://www.w3.org/2000/svg" width="1000" height="500">
          <g id="Guides"><line id="Baseline-M" x1="0" x2="1000" y1="250" y2="250"/>
          <line id="Capline-M" x1="0" x2="1000" y1="179.5" y2="179.5"/>
          <line id="left-margin-Regular-M" x1="292" x2="292" y1="0" y2="500"/>
          <line id="right-margin-Regular-M" x1="1001" x2="1001" y1="0" y2="500"/></g>
          <g id="Symbols"><g id="Regular-M"><path d="M300 180H380V260H300Z"/></g></g></svg>
        """,
      after: """
        Box.symbolset/box.svg
          <svg xmlns="http://www.w3.org/2000/svg" width="1000" height="500">
          <g id="Guides"><line id="Baseline-M" x1="0" x2="1000" y1="250" y2="250"/>
          <line id="Capline-M" x1="0" x2="1000" y1="179.5" y2="179.5"/>
          <line id="left-margin-Regular-M" x1="292" x2="292" y1="0" y2="500"/>
          <line id="right-margin-Regular-M" x1="388" x2="388" y1="0" y2="500"/></g>
          <g id="Symbols"><g id="Regular-M"><path d="M300 180H380V260H300Z"/></g></g></svg>
        """),
  ]

  static let targets: [CodePage] = [
    CodePage(
      .olderTarget, .warning,
      "Something in the catalogue needs a newer system than the deployment target.",
      why: """
        A device with an older system shows another variant, or nothing: in the example, a phone \
        with iOS 12 has no dark colour.
        """,
      remedy: "Raise --minimum-deployment-target, or add a variant that older systems can show.",
      before: """
        $ carve lint Assets.xcassets --platform iphoneos --minimum-deployment-target 12.0
        Text.colorset/Contents.json
          { "colors": [
            { "color": { "color-space": "extended-gray",
                         "components": { "white": "0.0", "alpha": "1.0" } } },
            { "appearances": [ { "appearance": "luminosity", "value": "dark" } ],
              "color": { "color-space": "extended-gray",
                         "components": { "white": "1.0", "alpha": "1.0" } } } ] }
        """,
      after: """
        $ carve lint Assets.xcassets --platform iphoneos --minimum-deployment-target 13.0
        """),
    CodePage(
      .unreachableVariant, .note, "No device of the target shows a variant.",
      why: """
        No device shows the variant, but every device downloads it unless the archive is thinned.
        """,
      remedy: """
        Delete the variant, or correct its traits; --platform and --target-device name another \
        target.
        """,
      before: """
        $ carve lint Assets.xcassets --platform iphoneos --target-device iphone \\
            --minimum-deployment-target 15.0
        Star.imageset/Contents.json
          { "images": [ { "filename": "star.png", "scale": "2x" },
                        { "filename": "watch.png", "scale": "2x", "idiom": "watch" } ] }
        Star.imageset/star.png: PNG, 48 × 48
        Star.imageset/watch.png: PNG, 24 × 24
        """,
      after: """
        Star.imageset/Contents.json
          { "images": [ { "filename": "star.png", "scale": "2x" } ] }
        Star.imageset/watch.png: removed
        """),
    CodePage(
      .reachableHole, .warning, "A device of the target has no variant of the asset to show.",
      why: """
        On that device, `UIImage(named:)` returns nil, and the place of the asset stays empty. On \
        the developer's own device, the fault may not show.
        """,
      remedy: "Add a variant for that device, or a universal one.",
      before: """
        $ carve lint Assets.xcassets --platform iphoneos --target-device iphone
        Star.imageset/Contents.json
          { "images": [ { "filename": "star.png", "scale": "2x", "idiom": "ipad" } ] }
        Star.imageset/star.png: PNG, 48 × 48
        """,
      after: """
        Star.imageset/Contents.json
          { "images": [ { "filename": "star.png", "scale": "2x", "idiom": "universal" } ] }
        """),
  ]

  static let compiling: [CodePage] = [
    CodePage(
      .unsupportedSet, .warning,
      "Carve does not compile this type of set; the archive lacks the asset.",
      why: "The app finds no asset of this name.",
      remedy: """
        Compile its catalogue with Apple's tool, or delete the set. Hide the finding with \
        --no-warn=unsupported-set if this is intended.
        """,
      before: """
        Best.gcleaderboard/Contents.json
          { "info": { "version": 1, "author": "xcode" } }
        """,
      after: """
        $ carve lint Assets.xcassets --no-warn=unsupported-set
        """),
    CodePage(
      .unsupportedImage, .error,
      "Carve does not decode pictures of this kind, and an icon, a layer or a group needs the picture.",
      why: "The device would show an icon or a stack without the layer, so no archive is written.",
      remedy: "Save the picture as PNG.",
      before: """
        $ carve compile AppIcon.icon -o Assets.car --platform iphoneos --app-icon AppIcon
        ../AppIcon.icon/icon.json
          { "fill": "automatic",
            "groups": [ { "layers": [ { "name": "star", "image-name": "star.gif" } ] } ],
            "supported-platforms": { "squares": "shared" } }
        ../AppIcon.icon/Assets/star.gif: GIF, 3 × 2
        """,
      after: """
        ../AppIcon.icon/icon.json
          { "fill": "automatic",
            "groups": [ { "layers": [ { "name": "star", "image-name": "star.png" } ] } ],
            "supported-platforms": { "squares": "shared" } }
        ../AppIcon.icon/Assets/star.gif: removed
        ../AppIcon.icon/Assets/star.png: PNG, 1024 × 1024
        """),
    CodePage(
      .settingNotApplied, .note,
      "The asset is compiled, but without a setting of its set or its group.",
      why: """
        The message names the effect: in the example, the app contains the picture from the start, \
        and does not download it later in a pack.
        """,
      remedy: """
        If you need the setting, compile the catalogue with Apple's tool; otherwise change \
        nothing.
        """,
      before: """
        Star.imageset/Contents.json
          { "images": [ { "filename": "star.png" } ],
            "properties": { "on-demand-resource-tags": [ "level-2" ] } }
        Star.imageset/star.png: PNG, 24 × 24
        """,
      after: """
        Star.imageset/Contents.json
          { "images": [ { "filename": "star.png" } ] }
        """),
    CodePage(
      .vectorNotRasterized, .note,
      """
      No bitmaps were made of a PDF or SVG, because --no-rasters was given. Programs that draw \
      bitmaps only will not show it.
      """,
      why: """
        Systems draw a vector from an archive only if its set preserves vectors; elsewhere the \
        picture is missing.
        """,
      remedy: "Compile without --no-rasters.",
      before: """
        $ carve compile Assets.xcassets -o Assets.car --no-rasters --min-severity note
        Star.imageset/Contents.json
          { "images": [ { "filename": "star.svg" } ] }
        Star.imageset/star.svg
          <svg xmlns="http://www.w3.org/2000/svg" width="24" height="24">
          <path d="M12 2L20 22H4Z"/></svg>
        """,
      after: """
        $ carve compile Assets.xcassets -o Assets.car --min-severity note
        """),
    CodePage(
      .vectorFeature, .warning,
      """
      A PDF or SVG has a feature that Carve does not draw, or does not draw exactly. Its \
      bitmaps show the rest.
      """,
      why: """
        Devices show the bitmaps, so a part of the picture is missing or looks different: here \
        the letter.
        """,
      remedy: """
        Look at the bitmaps (carve extract). Save the file without the features that the message \
        names, with text as outlines and effects flattened.
        """,
      before: """
        Star.imageset/Contents.json
          { "images": [ { "filename": "star.svg" } ] }
        Star.imageset/star.svg
          <svg xmlns="http://www.w3.org/2000/svg" width="24" height="24">
          <text x="4" y="20">A</text></svg>
        """,
      after: """
        Star.imageset/star.svg
          <svg xmlns="http://www.w3.org/2000/svg" width="24" height="24">
          <path d="M12 2L20 22H16L12 12L8 22H4Z"/></svg>
        """),
    CodePage(
      .vectorCut, .warning,
      """
      An SVG has a width and a height but no viewBox, and shapes outside of this area. Carve cuts \
      these shapes off, although browsers may show them.
      """,
      why: "Devices show only a part of the picture.",
      remedy: "Add a viewBox that holds all shapes, such as viewBox=\"0 0 48 48\".",
      before: """
        Star.imageset/Contents.json
          { "images": [ { "filename": "star.svg" } ] }
        Star.imageset/star.svg
          <svg xmlns="http://www.w3.org/2000/svg" width="24" height="24">
          <path d="M24 4L40 44H8Z"/></svg>
        """,
      after: """
        Star.imageset/star.svg
          <svg xmlns="http://www.w3.org/2000/svg" width="24" height="24" viewBox="0 0 48 48">
          <path d="M24 4L40 44H8Z"/></svg>
        """),
    CodePage(
      .emptyArchive, .warning,
      """
      No asset of the catalogues was compiled for the platform, so the archive is empty. The \
      finding is a note if no set names a file or a colour.
      """,
      why: "The app has no picture and no colour on any device.",
      remedy: """
        Check the other findings about the assets, and --platform. --werror=empty-archive makes \
        it an error; --no-warn=empty-archive is for archives that are meant to be empty.
        """,
      before: """
        $ carve compile Assets.xcassets -o Assets.car --platform iphoneos
        Star.imageset/Contents.json
          { "images": [ { "filename": "star.png", "idiom": "mac" } ] }
        Star.imageset/star.png: PNG, 24 × 24
        """,
      after: """
        $ carve compile Assets.xcassets -o Assets.car --platform macosx
        """),
    CodePage(
      .otherPlatform, .note,
      """
      No option and no setting names a platform, so iOS is compiled, and some assets have only \
      pictures or colours for other platforms.
      """,
      why: "The archive does not have these assets.",
      remedy: """
        Name the platform with --platform, or with "platform" in .carve.json; also iphoneos, if \
        the catalogues are meant for several platforms.
        """,
      before: """
        $ carve compile Assets.xcassets -o Assets.car
        Star.imageset/Contents.json
          { "images": [ { "filename": "star.png", "idiom": "universal" } ] }
        Star.imageset/star.png: PNG, 24 × 24
        Disk.imageset/Contents.json
          { "images": [ { "filename": "disk.png", "idiom": "mac" } ] }
        Disk.imageset/disk.png: PNG, 24 × 24
        """,
      after: """
        $ carve compile Assets.xcassets -o Assets.car --platform macosx
        """),
    CodePage(
      .symbolClash, .warning,
      """
      Two assets have names that become one identifier in generated source; the first asset by \
      name gets it.
      """,
      why: """
        The archive holds both. The constant of the second one gets a number, or there is no \
        constant for it, so code can show another asset than its author meant.
        """,
      remedy: """
        Rename one of them. Blanks, hyphens, underscores and a last word \"Image\" or \"Color\" \
        are ignored.
        """,
      before: """
        $ carve symbols Assets.xcassets --swift Names.swift
        Star.imageset/Contents.json
          { "images": [ { "filename": "star.png" } ] }
        Star.imageset/star.png: PNG, 24 × 24
        star-image.imageset/Contents.json
          { "images": [ { "filename": "small.png" } ] }
        star-image.imageset/small.png: PNG, 12 × 12
        """,
      after: """
        star-image.imageset/: removed
        small-star.imageset/Contents.json
          { "images": [ { "filename": "small.png" } ] }
        small-star.imageset/small.png: PNG, 12 × 12
        """),
    CodePage(
      .carveExtension, .warning,
      """
      An entry has a setting that only 'carve resolve' and Carve's run time know: a size of text, \
      or the statement that nothing is shown.
      """,
      why: "On devices, Apple's run time shows the entry as if the setting were not there.",
      remedy: """
        If programs use Carve's run time, change nothing, and hide the finding with \
        --no-warn=carve-extension. For programs that use Apple's run time, add entries without the \
        setting.
        """,
      before: """
        Star.imageset/Contents.json
          { "images": [ { "filename": "star.png" },
                        { "filename": "large.png", "content-size": "AX1" } ] }
        Star.imageset/star.png: PNG, 24 × 24
        Star.imageset/large.png: PNG, 48 × 48
        """,
      after: """
        Star.imageset/Contents.json
          { "images": [ { "filename": "star.png" } ] }
        Star.imageset/large.png: removed
        """),
    CodePage(
      .unprovenForm, .warning,
      """
      The asset is compiled in a form that is derived from other assets: no archive of Apple's \
      tool confirms it.
      """,
      why: """
        Carve's run time shows the asset. Apple's run time may expect another form and show \
        nothing.
        """,
      remedy: """
        Test the archive on the oldest system that matters. Then hide the finding with \
        --no-warn=unproven-form.
        """,
      before: """
        Sprites.spriteatlas/Contents.json
          { "info": { "version": 1, "author": "xcode" } }
        Sprites.spriteatlas/Star.imageset/Contents.json
          { "images": [ { "filename": "star.png" } ] }
        Sprites.spriteatlas/Star.imageset/star.png: PNG, 24 × 24
        """,
      after: """
        $ carve lint Assets.xcassets --no-warn=unproven-form
        """),
  ]
}
