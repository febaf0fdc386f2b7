// A catalogue in which every option of the tool finds something to do.

import Support

func writeOptionCatalog(to folder: TemporaryDirectory) throws {
  var catalog = OptionCatalog(folder: folder)
  try catalog.addImages()
  try catalog.addOthers()
}

private struct OptionCatalog {
  let folder: TemporaryDirectory
  private var pictureCount = 0

  init(folder: TemporaryDirectory) { self.folder = folder }

  /// A picture that is like no other.
  private mutating func addPicture(_ path: String, side: Int) throws {
    pictureCount += 1
    var samples: [UInt8] = []
    for y in 0..<side {
      for x in 0..<side {
        samples += [
          UInt8(x * 7 % 256), UInt8(y * 5 % 256), UInt8((x + y * pictureCount) % 256), 255,
        ]
      }
    }
    try folder.write(
      png(width: side, height: side, color: .rgba, samples: samples), to: "A.xcassets/\(path)")
  }

  /// Files, what they are for, and how large they are.
  private mutating func add(
    _ name: String, _ entries: [(file: String, traits: String, side: Int)], properties: String = ""
  ) throws {
    var rows: [String] = []
    for (file, traits, side) in entries {
      try addPicture("\(name)/\(file)", side: side)
      rows.append(#"{ "filename" : "\#(file)", \#(traits) }"#)
    }
    try folder.write(
      #"{ \#(properties)"images" : [ \#(rows.joined(separator: ", ")) ] }"#,
      to: "A.xcassets/\(name)/Contents.json")
  }

  mutating func addImages() throws {
    let two = #""scale" : "2x""#
    let dark = #", "appearances" : [ { "appearance" : "luminosity", "value" : "dark" } ]"#
    try add(
      "Star.imageset",
      [
        ("one.png", #""scale" : "1x""#, 10), ("two.png", two, 20),
        ("three.png", #""scale" : "3x""#, 30), ("dark.png", two + dark, 20),
        ("phone.png", two + #", "idiom" : "iphone""#, 20),
        ("pad.png", two + #", "idiom" : "ipad""#, 20),
        ("mac.png", two + #", "idiom" : "mac""#, 20),
        ("p3.png", two + #", "display-gamut" : "display-P3""#, 20),
      ])
    try add(
      "Wide.imageset",
      [
        ("any.png", two, 20), ("compact.png", two + #", "width-class" : "compact""#, 20),
        ("regular.png", two + #", "width-class" : "regular""#, 20),
      ])
    try add(
      "Word.imageset", [("word.png", two, 20), ("de.png", two + #", "locale" : "de""#, 20)],
      properties: #""properties" : { "localizable" : true }, "#)
    try add(
      "Power.imageset",
      [
        ("weak.png", two, 20), ("metal.png", two + #", "graphics-feature-set" : "apple5""#, 20),
        ("much.png", two + #", "memory" : "4GB""#, 20),
        ("tall.png", two + #", "subtype" : "2436h""#, 20),
        ("small.png", two + #", "subtype" : "retina4""#, 20),
      ])
    try add(
      "Arrow.imageset", [("arrow.png", two + #", "language-direction" : "left-to-right""#, 20)])
    try add("Large.imageset", [("large.png", two, 250)])
  }

  mutating func addOthers() throws {
    let icon = #""size" : "60x60", "scale" : "2x", "idiom" : "iphone""#
    for name in ["AppIcon", "Other"] {
      try add("\(name).appiconset", [("\(name).png", icon, 120)])
    }
    try folder.write("[1]", to: "A.xcassets/Facts.dataset/facts.json")
    try folder.write(
      #"{ "data" : [ { "filename" : "facts.json" } ] }"#,
      to: "A.xcassets/Facts.dataset/Contents.json")
    try folder.write(
      #"<svg xmlns="http://www.w3.org/2000/svg" width="4" height="4"><rect width="4"/></svg>"#,
      to: "A.xcassets/Sign.imageset/sign.svg")
    try folder.write(
      #"{ "images" : [ { "filename" : "sign.svg" } ] }"#,
      to: "A.xcassets/Sign.imageset/Contents.json")
    // Left out with a warning.
    try folder.write("{}", to: "A.xcassets/Texture.textureset/Contents.json")
    try folder.write(
      """
      <plist version="1.0"><dict><key>UIRequiresFullScreen</key><true/>
      <key>UIDeviceFamily</key><array><integer>1</integer><integer>2</integer></array>
      <key>CFBundleLocalizations</key><array><string>en</string></array></dict></plist>
      """, to: "Info.plist")
  }
}
