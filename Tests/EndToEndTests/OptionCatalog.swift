// A catalogue in which every option of the tool has an effect.

import Support

struct OptionCatalog: Sendable {
  private var files: [String: [UInt8]] = [:]
  private var pictureCount = 0

  /// The catalogue, made once: drawing its pictures takes longer than most tests.
  static let only = OptionCatalog()

  /// The archive of the whole catalogue, with a rendition for each file.
  static let archive = Result {
    let folder = try TemporaryDirectory()
    try only.write(to: folder)
    let result = try runTool(compiling, in: folder.path)
    guard result.code == 0 else { throw Failure(message: result.stderr) }
    return try folder.read("full.car")
  }

  /// The command line of a row that needs that archive.
  static let compiling = [
    "compile", "A.xcassets", "-o", "full.car", "--include-all-app-icons", "--no-packing",
  ]

  struct Failure: Error { var message: String }

  private init() {
    addImages()
    addOthers()
    // A catalogue of its own for a picture that is larger than a page shows it.
    files["B.xcassets/Wall.imageset/w.png"] = png(width: 700, height: 8, red: 90)
    add(
      #"{"images":[{"filename":"w.png","scale":"2x"}]}"#,
      to: "B.xcassets/Wall.imageset/Contents.json")
  }

  func write(to folder: TemporaryDirectory) throws {
    for (path, bytes) in files { try folder.write(bytes, to: path) }
  }

  private mutating func add(_ text: String, to path: String) { files[path] = Array(text.utf8) }

  /// Adds a picture that differs from all others.
  private mutating func addPicture(_ path: String, side: Int) {
    pictureCount += 1
    var samples: [UInt8] = []
    for y in 0..<side {
      for x in 0..<side {
        samples += [
          UInt8(x * 7 % 256), UInt8(y * 5 % 256), UInt8((x + y * pictureCount) % 256), 255,
        ]
      }
    }
    files["A.xcassets/\(path)"] = png(width: side, height: side, color: .rgba, samples: samples)
  }

  /// Adds a set with files, their traits and their sizes.
  private mutating func add(
    _ name: String, _ entries: [(file: String, traits: String, side: Int)], properties: String = ""
  ) {
    var rows: [String] = []
    for (file, traits, side) in entries {
      addPicture("\(name)/\(file)", side: side)
      rows.append(#"{ "filename" : "\#(file)", \#(traits) }"#)
    }
    add(
      #"{ \#(properties)"images" : [ \#(rows.joined(separator: ", ")) ] }"#,
      to: "A.xcassets/\(name)/Contents.json")
  }

  private mutating func addImages() {
    let two = #""scale" : "2x""#
    // The property has no effect, and there are more such findings than are shown individually.
    let scaling = #""properties" : { "auto-scaling" : "auto" }, "#
    let dark = #", "appearances" : [ { "appearance" : "luminosity", "value" : "dark" } ]"#
    add(
      "Star.imageset",
      [
        ("one.png", #""scale" : "1x""#, 10), ("two.png", two, 20),
        ("three.png", #""scale" : "3x""#, 30), ("dark.png", two + dark, 20),
        ("phone.png", two + #", "idiom" : "iphone""#, 20),
        ("pad.png", two + #", "idiom" : "ipad""#, 20),
        ("mac.png", two + #", "idiom" : "mac""#, 20),
        ("p3.png", two + #", "display-gamut" : "display-P3""#, 20),
      ], properties: scaling)
    add(
      "Wide.imageset",
      [
        ("any.png", two, 20), ("compact.png", two + #", "width-class" : "compact""#, 20),
        ("regular.png", two + #", "width-class" : "regular""#, 20),
      ], properties: scaling)
    add(
      "Word.imageset", [("word.png", two, 20), ("de.png", two + #", "locale" : "de""#, 20)],
      properties: #""properties" : { "localizable" : true, "auto-scaling" : "auto" }, "#)
    add(
      "Power.imageset",
      [
        ("weak.png", two, 20), ("metal.png", two + #", "graphics-feature-set" : "apple5""#, 20),
        ("much.png", two + #", "memory" : "4GB""#, 20),
        ("tall.png", two + #", "subtype" : "2436h""#, 20),
        ("small.png", two + #", "subtype" : "retina4""#, 20),
      ], properties: scaling)
    add(
      "Arrow.imageset", [("arrow.png", two + #", "language-direction" : "left-to-right""#, 20)],
      properties: #""properties" : { "on-demand-resource-tags" : [ "level1" ] }, "#)
    let strong = #", "appearances" : [ { "appearance" : "contrast", "value" : "high" } ]"#
    add(
      "Edge.imageset", [("edge.png", two, 20), ("strong.png", two + strong, 20)],
      properties: scaling)
    add("Large.imageset", [("large.png", two, 270)], properties: scaling)
  }

  private mutating func addOthers() {
    let icon = #""size" : "60x60", "scale" : "2x", "idiom" : "iphone""#
    for name in ["AppIcon", "Other"] {
      add("\(name).appiconset", [("\(name).png", icon, 120)])
    }
    add("[1]", to: "A.xcassets/Facts.dataset/facts.json")
    add(
      #"{ "data" : [ { "filename" : "facts.json" } ] }"#,
      to: "A.xcassets/Facts.dataset/Contents.json")
    add(
      #"<svg xmlns="http://www.w3.org/2000/svg" width="4" height="4"><!-- by hand --><rect width="4"/></svg>"#,
      to: "A.xcassets/Sign.imageset/sign.svg")
    add(
      #"{ "images" : [ { "filename" : "sign.svg" } ] }"#,
      to: "A.xcassets/Sign.imageset/Contents.json")
    addBuildInputs()
    add(
      #"{"fill":{"solid":"gray:0.5,1"},"groups":[],"supported-platforms":{"squares":"shared"}}"#,
      to: "Boat.icon/icon.json")
    add(#"{"features":["refractivity"],"groups":[]}"#, to: "New.icon/icon.json")
    addSolidStack()
    add(
      """
      <plist version="1.0"><dict><key>CFBundleIcons</key><dict><key>CFBundlePrimaryIcon</key><dict>
      <key>CFBundleIconFiles</key><array><string>AppIcon60x60</string></array></dict></dict></dict>
      </plist>
      """, to: "Shop.app/Info.plist")
    files["Shop.app/AppIcon60x60@2x.png"] = png(width: 120, height: 120, red: 9)
    // The compiler leaves these sets out with a warning.
    add("{}", to: "A.xcassets/Texture.textureset/Contents.json")
    add(
      """
      <plist version="1.0"><dict><key>UIRequiresFullScreen</key><true/>
      <key>UIDeviceFamily</key><array><integer>1</integer><integer>2</integer></array>
      <key>CFBundleLocalizations</key><array><string>en</string></array></dict></plist>
      """, to: "Info.plist")
  }

  /// Adds an icon of visionOS, in a catalogue of its own.
  private mutating func addSolidStack() {
    let stack = "Solid.xcassets/Solid.solidimagestack"
    let layer = "\(stack)/Back.solidimagestacklayer"
    add(#"{"layers":[{"filename":"Back.solidimagestacklayer"}]}"#, to: "\(stack)/Contents.json")
    add("{}", to: "\(layer)/Contents.json")
    add(
      #"{"images":[{"idiom":"vision","scale":"2x","filename":"b.png"}]}"#,
      to: "\(layer)/Content.imageset/Contents.json")
    files["\(layer)/Content.imageset/b.png"] = png(
      width: 4, height: 4, color: .gray, samples: [UInt8](repeating: 7, count: 16))
  }

  /// Adds the inputs of the build step in addition to the catalogue.
  private mutating func addBuildInputs() {
    // The two names become one symbol.
    for name in ["Leaf", "LeafColor"] {
      add(
        #"{ "colors" : [ { "color" : { "color-space" : "srgb", "components" : { "red" : "1.0", "#
          + #""green" : "0.5", "blue" : "0.0", "alpha" : "1.0" } } } ] }"#,
        to: "A.xcassets/\(name).colorset/Contents.json")
    }
    add(
      "Launch.launchimage",
      [
        (
          "launch.png",
          #""scale" : "2x", "idiom" : "iphone", "orientation" : "portrait", "#
            + #""extent" : "full-screen", "minimum-system-version" : "8.0", "subtype" : "667h""#, 20
        )
      ])
    add(
      """
      <plist version="1.0"><array><dict><key>bundle-id</key><string>pack</string>
      <key>tags</key><array><string>level1</string></array>
      <key>bundle-path</key><string>level1.assetpack</string></dict></array></plist>
      """, to: "packs.plist")
  }
}
