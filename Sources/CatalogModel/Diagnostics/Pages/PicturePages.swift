// The pages of the codes about picture files, icons, symbols and colours.

extension CodePage {
  static let pictures: [CodePage] = [
    CodePage(
      .brokenImage, .error,
      """
      A file is not a picture that can be decoded, or is a Git LFS pointer in place of a file. A \
      damaged vector of which something can be drawn is a warning.
      """,
      why: """
        A device would show nothing in place of the picture, so no archive is written. The parts \
        of a damaged vector that can be read are drawn.
        """,
      remedy: "Export or fetch the file again; 'git lfs pull' fetches what Git LFS left out.",
      before: """
        Star.imageset/Contents.json
          { "images": [ { "filename": "star.png" } ] }
        Star.imageset/star.png
          version https://git-lfs.github.com/spec/v1
          oid sha256:4d7a214614ab2935c943f9e0ff69d22eadbb8f32b1258daaa5e2ca24d17e2393
          size 12345
        """,
      after: """
        Star.imageset/star.png: PNG, 24 × 24
        """),
    CodePage(
      .cutImage, .error, "A picture file ends before the picture does.",
      why: "A device would show only the upper part of the picture, so no archive is written.",
      remedy: "Export or fetch the file again; look for an interrupted copy.",
      before: """
        Star.imageset/Contents.json
          { "images": [ { "filename": "star.png" } ] }
        Star.imageset/star.png: PNG, 24 × 24, cut off
        """,
      after: """
        Star.imageset/star.png: PNG, 24 × 24
        """),
    CodePage(
      .wrongContent, .warning,
      """
      The content of a file does not match its extension. A bitmap that is named as a vector \
      is an error.
      """,
      why: """
        The extension decides how a file is compiled. A bitmap with the extension of another kind \
        of bitmap keeps its pixels. A vector with the extension of a bitmap is left out, so the \
        device lacks the picture.
        """,
      remedy: "Rename the file, or convert the picture to the format of its extension.",
      before: """
        Star.imageset/Contents.json
          { "images": [ { "filename": "star.jpg" } ] }
        Star.imageset/star.jpg: PNG, 24 × 24
        """,
      after: """
        Star.imageset/Contents.json
          { "images": [ { "filename": "star.png" } ] }
        Star.imageset/star.jpg: removed
        Star.imageset/star.png: PNG, 24 × 24
        """),
    CodePage(
      .unsupportedFormat, .warning, "A picture is in a format that catalogues do not support.",
      why: "The variant is left out, and the device shows another one or nothing.",
      remedy: "Convert it to PNG, JPEG, HEIF, PDF or SVG.",
      before: """
        Star.imageset/Contents.json
          { "images": [ { "filename": "star.gif" } ] }
        Star.imageset/star.gif: GIF, 3 × 2
        """,
      after: """
        Star.imageset/Contents.json
          { "images": [ { "filename": "star.png" } ] }
        Star.imageset/star.gif: removed
        Star.imageset/star.png: PNG, 24 × 24
        """),
    CodePage(
      .optimizedPNG, .note,
      """
      A PNG was rewritten by Apple's build tools (CgBI): most programs cannot show it, and the \
      colours of transparent pixels are lost.
      """,
      why: """
        Apple's build tools multiplied the colours by the transparency: soft edges of the picture \
        can have slightly other colours than those that were drawn.
        """,
      remedy: "Use the file that the build started from.",
      before: """
        Star.imageset/Contents.json
          { "images": [ { "filename": "star.png" } ] }
        Star.imageset/star.png: PNG, 24 × 24, with a chunk CgBI
        """,
      after: """
        Star.imageset/star.png: PNG, 24 × 24
        """),
    CodePage(
      .animatedImage, .warning, "A picture holds several frames; a catalogue shows the first only.",
      why: "The picture stands still on every device.",
      remedy: "Save a still picture, or keep the file in a data set and play it yourself.",
      before: """
        Star.imageset/Contents.json
          { "images": [ { "filename": "star.png" } ] }
        Star.imageset/star.png: PNG, 24 × 24, with 3 frames
        """,
      after: """
        Star.imageset/star.png: PNG, 24 × 24
        """),
    CodePage(
      .sixteenBitImage, .note, "A picture has 16 bits in each channel.",
      why: """
        Carve stores 8 bits in each channel, except for pictures of a wide gamut, so devices do \
        not show the other bits.
        """,
      remedy: "Save it with 8 bits, unless it has a wide gamut.",
      before: """
        Star.imageset/Contents.json
          { "images": [ { "filename": "star.png" } ] }
        Star.imageset/star.png: PNG, 24 × 24, 16 bits
        """,
      after: """
        Star.imageset/star.png: PNG, 24 × 24
        """),
    CodePage(
      .wideGamutImage, .note,
      """
      A picture has a wide-gamut profile, but its slot is not for wide gamut; or the slot is, but \
      the picture has no such profile.
      """,
      why: """
        Devices without a wide gamut load the larger picture, too, and convert it. If a set has a \
        slot for sRGB beside one for P3, each device takes its own.
        """,
      remedy: "Set \"display-gamut\" of the entry, or convert the picture.",
      before: """
        Star.imageset/Contents.json
          { "images": [ { "filename": "star.png" } ] }
        Star.imageset/star.png: PNG, 24 × 24, Display P3
        """,
      after: """
        Star.imageset/Contents.json
          { "images": [ { "filename": "plain.png" },
                        { "filename": "star.png", "display-gamut": "display-P3" } ] }
        Star.imageset/plain.png: PNG, 24 × 24
        """),
    CodePage(
      .rotatedImage, .note, "A photograph is stored rotated, as its EXIF data states.",
      why: "Some systems and some views do not turn the picture, so it can lie on its side.",
      remedy: "Save the picture upright.",
      before: """
        Photo.imageset/Contents.json
          { "images": [ { "filename": "photo.jpg" } ] }
        Photo.imageset/photo.jpg: JPEG, 48 × 32, rotated
        """,
      after: """
        Photo.imageset/photo.jpg: JPEG, 48 × 32
        """),
    CodePage(
      .sizeMismatch, .warning,
      """
      The pictures of a set for different scales, or those of a layer for different looks, do \
      not have the same size in points.
      """,
      why: "The picture has different sizes on different devices, and moves the views around it.",
      remedy: "Export the picture with the wrong size again.",
      before: """
        Star.imageset/Contents.json
          { "images": [ { "filename": "star@2x.png", "scale": "2x" },
                        { "filename": "star@3x.png", "scale": "3x" } ] }
        Star.imageset/star@2x.png: PNG, 48 × 48
        Star.imageset/star@3x.png: PNG, 60 × 60
        """,
      after: """
        Star.imageset/star@3x.png: PNG, 72 × 72
        """),
    CodePage(
      .sizeOffScale, .note,
      """
      The size of a picture in pixels is not a multiple of its scale, so its size in points is \
      not whole and its edges are drawn soft.
      """,
      why: """
        Views have whole points in most layouts, so the picture is stretched by part of a pixel, \
        and its lines become blurred.
        """,
      remedy: "Export it at a multiple of the scale.",
      before: """
        Star.imageset/Contents.json
          { "images": [ { "filename": "star@2x.png", "scale": "2x" } ] }
        Star.imageset/star@2x.png: PNG, 47 × 47
        """,
      after: """
        Star.imageset/star@2x.png: PNG, 48 × 48
        """),
    CodePage(
      .insetsExceedPicture, .warning,
      "Alignment insets are larger than the picture, which is compiled without them.",
      why: "The picture is aligned by its edges, including its shadow or glow.",
      remedy: "Correct the insets; they count pixels of this picture, not points.",
      before: """
        Star.imageset/Contents.json
          { "images": [ { "filename": "star.png", "scale": "2x",
            "alignment-insets": { "left": 30, "right": 30 } } ] }
        Star.imageset/star.png: PNG, 48 × 48
        """,
      after: """
        Star.imageset/Contents.json
          { "images": [ { "filename": "star.png", "scale": "2x",
            "alignment-insets": { "left": 3, "right": 3 } } ] }
        """),
    CodePage(
      .capsExceedPicture, .warning,
      """
      The caps and the centre of a sliced picture are larger than the picture, which is \
      compiled unsliced.
      """,
      why: "The whole picture is stretched, with its corners.",
      remedy: "Correct the caps and the centre; they count pixels of this picture, not points.",
      before: """
        Button.imageset/Contents.json
          { "images": [ { "filename": "button.png", "scale": "2x", "resizing": { "mode": "9-part",
            "cap-insets": { "left": 30, "right": 30, "top": 8, "bottom": 8 } } } ] }
        Button.imageset/button.png: PNG, 48 × 48
        """,
      after: """
        Button.imageset/Contents.json
          { "images": [ { "filename": "button.png", "scale": "2x", "resizing": { "mode": "9-part",
            "cap-insets": { "left": 15, "right": 15, "top": 8, "bottom": 8 } } } ] }
        """),
  ]

  static let icons: [CodePage] = [
    CodePage(
      .iconSize, .warning,
      "The picture of an icon does not have the size in pixels that its slot asks for.",
      why: """
        The home screen scales the picture, and the icon is blurred; the App Store refuses icons \
        of a wrong size.
        """,
      remedy: "Export it in the size that the message names.",
      before: """
        AppIcon.appiconset/Contents.json
          { "images": [ { "filename": "icon.png", "size": "60x60", "scale": "2x",
            "idiom": "iphone" } ] }
        AppIcon.appiconset/icon.png: PNG, 60 × 60
        """,
      after: """
        AppIcon.appiconset/icon.png: PNG, 120 × 120
        """),
    CodePage(
      .iconUnknownSize, .warning, "An icon has a size that no device of its idiom shows.",
      why: "No device ever shows the picture; the size that it was meant for may be missing.",
      remedy: "Correct the size or the idiom.",
      before: """
        AppIcon.appiconset/Contents.json
          { "images": [ { "filename": "icon.png", "size": "61x61", "scale": "2x",
            "idiom": "iphone" } ] }
        AppIcon.appiconset/icon.png: PNG, 122 × 122
        """,
      after: """
        AppIcon.appiconset/Contents.json
          { "images": [ { "filename": "icon.png", "size": "60x60", "scale": "2x",
            "idiom": "iphone" } ] }
        AppIcon.appiconset/icon.png: PNG, 120 × 120
        """),
    CodePage(
      .iconHasAlpha, .warning,
      "The icon for the App Store has an alpha channel; the store refuses such icons.",
      why: "The upload of the app fails, after everything else was built.",
      remedy: "Save the icon without transparency.",
      before: """
        AppIcon.appiconset/Contents.json
          { "images": [ { "filename": "icon.png", "size": "1024x1024", "idiom": "universal",
            "platform": "ios" } ] }
        AppIcon.appiconset/icon.png: PNG, 1024 × 1024, with alpha
        """,
      after: """
        AppIcon.appiconset/icon.png: PNG, 1024 × 1024
        """),
    CodePage(
      .iconNeverShown, .warning,
      """
      An icon set mixes a single-size icon for dark or tinted style with sized icons; devices \
      then still show the sized icons. Or all of its icons are for such a style, and none is for \
      all appearances.
      """,
      why: "A phone in dark mode keeps the light icon; without one, it shows no icon at all.",
      remedy: "Make all icons of the set single-size, and one of them for all appearances.",
      before: """
        AppIcon.appiconset/Contents.json
          { "images": [
            { "filename": "light.png", "size": "60x60", "scale": "2x", "idiom": "iphone" },
            { "filename": "dark.png", "size": "1024x1024", "idiom": "universal", "platform": "ios",
              "appearances": [ { "appearance": "luminosity", "value": "dark" } ] } ] }
        AppIcon.appiconset/light.png: PNG, 120 × 120
        AppIcon.appiconset/dark.png: PNG, 1024 × 1024
        """,
      after: """
        AppIcon.appiconset/Contents.json
          { "images": [
            { "filename": "light.png", "size": "1024x1024", "idiom": "universal",
              "platform": "ios" },
            { "filename": "dark.png", "size": "1024x1024", "idiom": "universal", "platform": "ios",
              "appearances": [ { "appearance": "luminosity", "value": "dark" } ] } ] }
        AppIcon.appiconset/light.png: PNG, 1024 × 1024
        """),
    CodePage(
      .iconDrawnPlainly, .warning,
      """
      For systems without layered icons, Carve draws the bitmaps of a layered icon: the plate with \
      its shadow, and the layers, but not the glass that Apple's tool draws, because --plain-icons \
      is given.
      """,
      why: """
        On systems before those of 2025, the icon lacks the light edges and the shadows of layers \
        in Apple's bitmaps. Later systems draw the icon themselves and show all of it.
        """,
      remedy: """
        Leave --plain-icons out, put an icon set of the same name beside the icon, or leave the \
        bitmaps out with --no-icon-bitmaps if the oldest system is one of 2025 or later.
        """,
      before: """
        $ carve compile Assets.xcassets -o Assets.car --app-icon AppIcon --plain-icons
        AppIcon.icon/icon.json
          { "fill": { "solid": "srgb:0.2,0.4,0.9,1.0" },
            "groups": [ { "layers": [ { "name": "star", "image-name": "star.svg" } ] } ],
            "supported-platforms": { "squares": "shared" } }
        AppIcon.icon/Assets/star.svg
          <svg xmlns="http://www.w3.org/2000/svg" width="1024" height="1024">
          <path d="M512 200L800 800H224Z"/></svg>
        """,
      after: """
        $ carve compile Assets.xcassets -o Assets.car --app-icon AppIcon --no-icon-bitmaps
        """),
    CodePage(
      .iconGlassApproximated, .note,
      """
      For systems without layered icons, Carve draws the bitmaps of a layered icon, by a model of \
      the glass that Apple's tool draws. The bitmaps are close to Apple's, but not equal to them. \
      The message names the parts of this icon that are known less well.
      """,
      why: """
        On systems before those of 2025, edges and shadows of the icon can differ a little from \
        those that Apple's tool draws. Later systems draw the icon themselves.
        """,
      remedy: """
        If the icon must be Apple's own, export it from Icon Composer and put an icon set of the \
        same name beside it.
        """,
      before: """
        $ carve compile Assets.xcassets -o Assets.car --app-icon AppIcon --min-severity note
        AppIcon.icon/icon.json
          { "fill": { "solid": "srgb:0.2,0.4,0.9,1.0" },
            "groups": [ { "layers": [ { "name": "star", "image-name": "star.svg" } ] } ],
            "supported-platforms": { "squares": "shared" } }
        AppIcon.icon/Assets/star.svg
          <svg xmlns="http://www.w3.org/2000/svg" width="1024" height="1024">
          <path d="M512 200L800 800H224Z"/></svg>
        """,
      after: """
        $ carve compile Assets.xcassets -o Assets.car --app-icon AppIcon --no-icon-bitmaps
        """),
    CodePage(
      .needsXcode27, .note,
      "A layered icon uses a form of Icon Composer 2, on which Apple's tool of Xcode 26 fails.",
      why: """
        Nothing changes on devices: the archive is the same. A colleague or a service with Xcode \
        26 cannot build the app.
        """,
      remedy: """
        If Carve or Xcode 27 compiles the icon, change nothing. Otherwise, 'carve icon --for 26' \
        writes an icon that Xcode 26 takes, and says what it leaves out.
        """,
      before: """
        AppIcon.icon/icon.json
          { "features": [ "refractivity" ], "fill": "automatic", "groups": [],
            "supported-platforms": { "squares": "shared" } }
        """,
      after: """
        AppIcon.icon/icon.json
          { "fill": "automatic", "groups": [],
            "supported-platforms": { "squares": "shared" } }
        """),
    CodePage(
      .refusedByApple, .warning,
      """
      Carve compiles the layered icon, but Apple's tools refuse it, for the reason in the \
      message. A feature that no tool knows is an error.
      """,
      why: """
        Nothing changes on devices if Carve compiles the icon. Icon Composer cannot open it, and \
        Apple's compiler stops.
        """,
      remedy: "Correct the icon if Icon Composer or Apple's compiler must read it, too.",
      before: """
        AppIcon.icon/icon.json
          { "fill": { "linear-gradient": [ "srgb:0.2,0.4,0.9,1.0" ] }, "groups": [],
            "supported-platforms": { "squares": "shared" } }
        """,
      after: """
        AppIcon.icon/icon.json
          { "fill": { "linear-gradient": [ "srgb:0.2,0.4,0.9,1.0", "srgb:0.1,0.2,0.6,1.0" ] },
            "groups": [], "supported-platforms": { "squares": "shared" } }
        """),
    CodePage(
      .iconNotChosen, .note,
      "An icon that no option names is left out, as Apple's compiler does.",
      why: "The app shows the empty icon of the system if the archive lacks its icon.",
      remedy: "Pass --app-icon with its name, or --include-all-app-icons.",
      before: """
        $ carve compile Assets.xcassets -o Assets.car --platform iphoneos --min-severity note
        AppIcon.appiconset/Contents.json
          { "images": [ { "filename": "icon.png", "size": "1024x1024", "idiom": "universal",
            "platform": "ios" } ] }
        AppIcon.appiconset/icon.png: PNG, 1024 × 1024
        """,
      after: """
        $ carve compile Assets.xcassets -o Assets.car --platform iphoneos --app-icon AppIcon
        """),
    CodePage(
      .missingIcon, .error,
      """
      No catalogue holds the icon that --app-icon names. If it is there, but has no picture for the \
      platform, this is a warning; if the settings of the project name it, which may have other \
      catalogues, a note.
      """,
      why: """
        The app would show the empty icon of the system, and the App Store would refuse the app, \
        so no archive is written.
        """,
      remedy: "Correct the name, or add the icon set.",
      before: """
        $ carve lint Assets.xcassets --platform iphoneos --app-icon Appicon
        AppIcon.appiconset/Contents.json
          { "images": [ { "filename": "icon.png", "size": "1024x1024", "idiom": "universal",
            "platform": "ios" } ] }
        AppIcon.appiconset/icon.png: PNG, 1024 × 1024
        """,
      after: """
        $ carve lint Assets.xcassets --platform iphoneos --app-icon AppIcon
        """),
    CodePage(
      .missingStoreIcon, .warning,
      """
      The app icon has no picture of 1024 pixels, which the App Store requires. Only 'carve \
      actool' reports it, in Apple's words.
      """,
      why: "The app runs on every device, but the App Store refuses its upload.",
      remedy: """
        Add the picture to the set. If the app is not for a store, give 'carve actool' the option \
        --skip-app-store-deployment.
        """,
      before: """
        $ carve actool Assets.xcassets --compile . --platform iphoneos --app-icon AppIcon \\
            --minimum-deployment-target 15.0 --output-partial-info-plist Info.plist --warnings
        AppIcon.appiconset/Contents.json
          { "images": [ { "filename": "icon.png", "size": "60x60", "scale": "2x",
            "idiom": "iphone" } ] }
        AppIcon.appiconset/icon.png: PNG, 120 × 120
        """,
      after: """
        AppIcon.appiconset/Contents.json
          { "images": [ { "filename": "icon.png", "size": "60x60", "scale": "2x",
            "idiom": "iphone" }, { "filename": "store.png", "size": "1024x1024", "scale": "1x",
            "idiom": "ios-marketing" } ] }
        AppIcon.appiconset/store.png: PNG, 1024 × 1024
        """),
  ]

  static let colors: [CodePage] = [
    CodePage(
      .colorIncomplete, .warning,
      """
      A colour lacks a component. A missing alpha counts as 1, every other missing component as 0.
      """,
      why: "The device shows a darker colour than intended, or another hue.",
      remedy: "Add the component.",
      before: """
        Accent.colorset/Contents.json
          { "colors": [ { "color": { "color-space": "srgb", "components":
            { "red": "0.9", "green": "0.4", "alpha": "1.0" } } } ] }
        """,
      after: """
        Accent.colorset/Contents.json
          { "colors": [ { "color": { "color-space": "srgb", "components":
            { "red": "0.9", "green": "0.4", "blue": "0.1", "alpha": "1.0" } } } ] }
        """),
    CodePage(
      .colorOutOfRange, .warning, "A component lies outside the range of its colour space.",
      why: """
        The colour space does not contain the colour. A system may cut the component off, so that \
        the device shows another hue than the author saw.
        """,
      remedy: "Write a value from 0 to 1, or choose a space whose name begins with \"extended-\".",
      before: """
        Accent.colorset/Contents.json
          { "colors": [ { "color": { "color-space": "srgb", "components":
            { "red": "1.2", "green": "0.4", "blue": "0.1", "alpha": "1.0" } } } ] }
        """,
      after: """
        Accent.colorset/Contents.json
          { "colors": [ { "color": { "color-space": "extended-srgb", "components":
            { "red": "1.2", "green": "0.4", "blue": "0.1", "alpha": "1.0" } } } ] }
        """),
    CodePage(
      .colorNearZero, .warning,
      "The component \"1\" is a whole number, which is divided by 255: almost 0.",
      why: """
        The device shows black where full light was intended, or a colour that is almost \
        transparent.
        """,
      remedy: "Write \"1.0\" for full, or \"0x01\" if 1/255 is intended. --fix=all writes \"1.0\".",
      fix: .review,
      before: """
        Accent.colorset/Contents.json
          { "colors": [ { "color": { "color-space": "srgb", "components":
            { "red": "1", "green": "0.4", "blue": "0.1", "alpha": "1.0" } } } ] }
        """,
      after: """
        Accent.colorset/Contents.json
          { "colors": [ { "color": { "color-space": "srgb", "components":
            { "red": "1.0", "green": "0.4", "blue": "0.1", "alpha": "1.0" } } } ] }
        """),
    CodePage(
      .unknownSystemColor, .warning,
      "A colour set refers to a colour that Carve does not know; the entry is left out.",
      why: "The app finds no colour of this name, or one for another appearance.",
      remedy: "State the colour's components.",
      before: """
        Accent.colorset/Contents.json
          { "colors": [ { "color": { "platform": "ios", "reference": "systemRedishColor" } } ] }
        """,
      after: """
        Accent.colorset/Contents.json
          { "colors": [ { "color": { "platform": "ios", "reference": "systemRedColor" } } ] }
        """),
  ]
}
