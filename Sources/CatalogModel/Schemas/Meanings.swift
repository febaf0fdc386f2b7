// The meanings of the keys of Contents.json, icon.json and .carve.json, for schemas and editors.
// Every key of a description has one; a test checks this.

let contentsMeanings: [String: String] = [
  // The file
  "info": "Facts about the file itself.",
  "author": "The program that wrote the file, such as \"xcode\".",
  "version": "The version of the format; 1 is the only one.",
  "properties": "The properties of the whole set, group or catalogue.",
  "images": "The pictures of the set: an entry for each variant.",
  "symbols": "The templates of the symbol: an entry for each variant.",
  "colors": "The colours of the set: an entry for each variant.",
  "data": "The files of the set: an entry for each variant.",
  "textures": "The textures of the set; six faces in a cube texture set.",
  "levels": "The pictures of a texture, from the largest (base) to the smallest.",
  "layers": "The layers of the stack, from front to back.",
  "assets": "The sets that this set combines: an entry for each role.",
  "stickers": "The stickers of the pack, in the order in which they are shown.",
  "frames": "The pictures of the sequence, in order.",
  "resources": "The reference images and objects of the group.",
  // The variant
  "filename": "The file in the folder of the set. An entry without one is an empty slot.",
  "idiom":
    "The kind of device; \"universal\" for every device that has no entry of its own.",
  "scale": "The pixels for each point: 1x, 2x or 3x. Vectors need none.",
  "subtype":
    "One display of the idiom: the height of a phone or tablet in points or pixels (\"2436h\"), or "
    + "the size of a watch (\"44mm\").",
  "screen-width": "The width of a watch's display in points, as a range.",
  "width-class": "The horizontal size class of the window. Since Xcode 6.",
  "height-class": "The vertical size class of the window. Since Xcode 6.",
  "language-direction":
    "The direction of the language: for one direction, or the direction in which the picture was "
    + "drawn and from which it is mirrored. Since Xcode 8.",
  "display-gamut": "The colours of the display: sRGB, or display-P3 for wide ones. Since Xcode 8.",
  "content-size": "The size of text that the user chose.",
  "memory": "The least memory of the device. Since Xcode 7.",
  "graphics-feature-set": "The least graphics processor of the device. Since Xcode 7.",
  "platform":
    "The only platform of the entry; for a reference to a colour, the platform that defines it.",
  "appearances":
    "The appearance for which the entry is made; without it, for any. Since Xcode 10, iOS 13 and "
    + "macOS 10.14; tinted icons since iOS 18.",
  "appearance": "The axis: luminosity (light, dark, tinted) or contrast (high).",
  "value": "The value on the axis.",
  "locale": "The language of the entry, such as \"de\" or \"pt-BR\"; the set must be localizable.",
  "unassigned": "Whether Xcode found no slot for the file. The entry is not compiled.",
  "no-content": "An extension of Carve: the entry deliberately shows nothing.",
  // Pictures
  "compression-type":
    "How the pictures are compressed; groups pass it on to the sets in them. Lossless if absent.",
  "color-space": "The colour space of the values, or of the picture.",
  "alignment-insets":
    "The pixels at the edges that layout ignores, such as those of a shadow. Since Xcode 6.",
  "resizing": "How the picture is resized: which parts stay, and which are stretched or repeated.",
  "mode": "The parts into which the picture is divided, or what happens to the middle.",
  "center": "The middle part.",
  "cap-insets": "The pixels at the edges that are not resized.",
  "top": "Pixels at the upper edge.", "left": "Pixels at the left edge.",
  "bottom": "Pixels at the lower edge.", "right": "Pixels at the right edge.",
  "width": "The width.", "height": "The height.",
  "template-rendering-intent":
    "Whether the picture is shown as it is (original) or as a shape in the tint colour (template).",
  "preserves-vector-representation":
    "Whether the vector is kept beside its bitmaps, so that it can be drawn at any size. Since "
    + "Xcode 9 for PDF, Xcode 12 for SVG.",
  "auto-scaling": "Whether a watch scales the picture for its display.",
  "localizable": "Whether entries may have languages. Since Xcode 11.",
  "on-demand-resource-tags": "The tags of the downloads that bring the asset. Since Xcode 7.",
  "provides-namespace":
    "Whether the names of the assets begin with that of the folder: Group/Name.",
  "generate-swift-asset-symbol-extensions":
    "Whether Xcode writes symbols as extensions of the system's types. Since Xcode 15.",
  "symbol-rendering-intent": "How the layers of the symbol are coloured if the app does not say.",
  // Icons
  "size": "The size in points, such as \"60x60\".",
  "role": "The place where the system shows the picture.",
  "matching-style": "How the name is looked up.",
  "pre-rendered": "Whether iOS 6 adds no shine.",
  "orientation": "The orientation of the device for a launch image.",
  "extent": "The part of the screen that a launch image covers.",
  "minimum-system-version": "The oldest system that shows the launch image.",
  // Colours
  "color": "The colour: components in a colour space, or a reference to a colour of the system.",
  "components":
    "The components. A string with a point (\"0.5\") is a fraction of 1; a whole (\"128\") or "
    + "hexadecimal (\"0x80\") number is divided by 255.",
  "red": "The red component.", "green": "The green component.", "blue": "The blue component.",
  "alpha": "The opacity.", "white": "The component of a grey colour space.",
  "reference": "The name of a colour of the system, such as \"systemBlueColor\".",
  // Data and textures
  "universal-type-identifier": "The type of the file, such as \"public.json\".",
  "interpretation": "What the values of the texture are: colours or data.",
  "origin": "The corner at which the texture begins; top-left if absent.",
  "pixel-format": "The format of the pixels on the graphics processor.",
  "cube-face": "The face of the cube.",
  "level-mode": "Which smaller levels are made: none, all, or only those that have a picture.",
  "mipmap-level": "The level of the picture; \"base\" is the largest.",
  // Stacks, stickers, games
  "canvasSize": "The size of the stack in points.",
  "frame-size": "The size of the layer in points.",
  "frame-center": "The centre of the layer in points of the canvas.",
  "x": "The horizontal position.", "y": "The vertical position.",
  "content-reference": "The asset that the layer or item shows.",
  "type": "The type of the asset.", "name": "The name of the asset.",
  "identifier": "The identifier of the item or pack.",
  "grid-size": "The size in which Messages shows the stickers.",
  "accessibility-label": "The words that VoiceOver reads.",
  "duration": "The time of the whole sequence in seconds, or the frames in a second.",
  "duration-type": "Whether the duration is a time (fixed) or a rate (fps).",
  "repetitions": "How often the sequence is repeated; 0 for ever.",
  // Augmented reality
  "unit": "The unit of width and height.",
  "content": "The file with what the object looks like to the camera.",
  "preview": "A picture of the object.",
  "rotation": "The rotation of the object.",
  "translation": "The position of the object.",
]

let iconMeanings: [String: String] = [
  "fill": "The background of the icon, or the colour that replaces those of a layer.",
  "solid": "One colour, such as \"srgb:1,0.5,0,1\".",
  "automatic-gradient": "The colour of which Apple's tools make a gradient.",
  "linear-gradient": "Two colours, from start to stop.",
  "orientation": "The ends of the gradient, in parts of the icon.",
  "start": "The point of the first colour.", "stop": "The point of the second colour.",
  "x": "The horizontal position.", "y": "The vertical position.",
  "groups": "The groups of layers, from front to back; at most four may be visible.",
  "supported-platforms": "The platforms for which the icon is made.",
  "squares": "The platforms with square icons: all together, or a list.",
  "circles": "The platforms with round icons.",
  "features": "The features of Icon Composer that the icon needs.",
  "color-space-for-untagged-svg-colors": "The colour space of SVG files that name none.",
  "implicit-asset-mirroring": "Whether pictures are mirrored for languages from right to left.",
  "languages": "The languages for which the icon has pictures.",
  "name": "The name in Icon Composer.",
  "hidden": "Whether the layer or group is not shown.",
  "opacity": "The opacity from 0 to 1; of a shadow up to 100.",
  "blend-mode": "How the colours combine with those behind.",
  "position": "The scale, and the translation from the centre.",
  "scale": "The scale; 1 is the size of the picture.",
  "translation-in-points": "The translation to the right and down, on a canvas of 1024 points.",
  "shadow": "The shadow of the group.",
  "kind": "The kind of the shadow: neutral, or in the colours of the layer.",
  "translucency": "Whether and how much the group lets through.",
  "enabled": "Whether the effect is on.",
  "value": "The amount of the effect, or the value for this look or platform.",
  "blur-material": "The blur of what is behind the group, from 0 to 1.",
  "specular": "The light at the edges: on, off, or its place. Places need Xcode 27.",
  "refractivity": "The refraction at the edges. It needs Xcode 27.",
  "strength": "The strength of the refraction.", "depth": "The depth of the refraction.",
  "lighting": "Whether the layers are lit individually or combined.",
  "asset-mirroring": "Whether the picture is mirrored. It needs Xcode 27.",
  "mirrorable": "Whether the picture may be mirrored.",
  "refractivity-strength": "A key of test versions of Icon Composer; it is not stored.",
  "refractivity-depth": "A key of test versions of Icon Composer; it is not stored.",
  "specular-highlight-placement": "A key of test versions of Icon Composer; it is not stored.",
  "layers": "The layers of the group, from front to back.",
  "glass": "Whether the layer is made of glass.",
  "image-name": "The picture of the layer, a file in the folder Assets.",
  "material": "A key whose meaning is not known; it is not stored.",
  "appearance": "The look to which the value belongs; \"base\" for every look.",
  "idiom": "The platform or shape to which the value belongs.",
  "localization": "A condition that Icon Composer does not read.",
  "language-direction": "A condition that Icon Composer does not read.",
]

let settingsMeanings: [String: String] = [
  "$schema": "The schema of this file. 'carve schema settings' prints it.",
  "severities":
    "The severities of codes: error, warning, note or off. What prevents a compilation stays an "
    + "error. 'carve lint --list' explains every code.",
  "ignore": "Findings that are left out. A finding that fits one entry is not shown.",
  "codes": "The codes of the findings; every code if absent.",
  "assets":
    "Patterns of names of assets, alone or with their groups: \"Star\", \"Icons/*\". * stands for "
    + "any characters, ? for one.",
  "paths":
    "Patterns of paths from the folder of this file. A pattern of a folder covers what is in it.",
  "reason": "Why the findings are left out, for those who read this file.",
  "platform": "The platform of the app, unless --platform or the devices of a command name one.",
  "minimum-deployment-target": "The oldest system of the app on this platform, such as \"15.0\".",
  "icons": "The icon sets that are compiled, unless --app-icon names some.",
  "devices":
    "The devices for which the app is made: those of thin, diff and preview if options name none, "
    + "and those whose windows lint checks.",
  "budget":
    "The limit of thinned archives, as for thin --budget: a size such as \"12MB\", or a file.",
  "sources":
    "Folders with the sources of the app, from the folder of this file. lint reports assets that "
    + "they do not use.",
  "projects":
    "Xcode projects and Package.swift files of the app, from the folder of this file, whose targets "
    + "lint tells apart.",
]
