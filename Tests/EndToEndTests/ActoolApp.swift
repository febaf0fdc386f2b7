// Makes the folder of an app as build systems have it: catalogues for phones, the Mac and
// televisions, packs of on-demand resources, and folders for outputs.

import Foundation
import Support

/// Makes the folder of an app: its catalogues, its packs, and folders for outputs. The large
/// pictures of televisions are written only if `hasTelevision`.
func appFolder(hasTelevision: Bool = false) throws -> TemporaryDirectory {
  let folder = try TemporaryDirectory()
  let catalog = "Assets.xcassets"
  try folder.write("{}", to: "\(catalog)/Contents.json")
  try folder.copy(
    sampleCatalogs + "/AppIcon.xcassets/AppIcon.appiconset", to: "\(catalog)/AppIcon.appiconset")
  try folder.copy(
    sampleCatalogs + "/AppIcon.xcassets/AppIconSingle.appiconset",
    to: "\(catalog)/Second.appiconset")
  try folder.copy(
    sampleCatalogs + "/Colors.xcassets/Accent.colorset", to: "\(catalog)/AccentColor.colorset")
  try folder.copy(
    sampleCatalogs + "/Scales.xcassets/Moon.imageset", to: "\(catalog)/Moon.imageset")
  try folder.write(
    #"{ "properties" : { "on-demand-resource-tags" : [ "level 2", "level1" ] } }"#,
    to: "\(catalog)/Levels/Contents.json")
  try folder.copy(
    sampleCatalogs + "/Scales.xcassets/Rocket.imageset", to: "\(catalog)/Levels/Rocket.imageset")
  try folder.write(
    #"{ "images" : [ { "idiom" : "universal", "platform" : "ios", "size" : "1024x1024" } ] }"#,
    to: "\(catalog)/Begun.appiconset/Contents.json")
  try writeMacCatalog(to: folder)
  if hasTelevision { try writeTelevisionCatalog(to: folder) }
  try folder.write(
    """
    <plist version="1.0"><array><dict><key>bundle-id</key><string>com.example.pack</string>
    <key>tags</key><array><string>level1</string><string>level 2</string></array>
    <key>bundle-path</key><string>\(folder.path)/out/Packs/level.assetpack</string></dict></array>
    </plist>
    """, to: "packs.plist")
  for path in ["out", "obj"] {
    try FileManager.default.createDirectory(
      atPath: folder.path(path), withIntermediateDirectories: true)
  }
  return folder
}

/// Pictures by their size, made once: drawing them takes longer than the tests.
private let macIcons = Dictionary(
  uniqueKeysWithValues: [16, 32, 64, 128, 256, 512].map { side in
    let samples = (0..<side * side).flatMap { place -> [UInt8] in
      [UInt8(place % side * 255 / side), UInt8(place / side * 255 / side), 90, 255]
    }
    return (side, png(width: side, height: side, color: .rgba, samples: samples))
  })

/// Grey pictures by their width.
private let televisionPictures = Dictionary(
  uniqueKeysWithValues: [(400, 240), (1280, 768), (1920, 720), (2320, 720)].map { width, height in
    let samples = [UInt8](repeating: 200, count: width * height)
    return (width, png(width: width, height: height, color: .gray, samples: samples))
  })

private func writeMacCatalog(to folder: TemporaryDirectory) throws {
  var rows: [String] = []
  for size in [16, 32, 128, 256] {
    for scale in [1, 2] {
      let file = "icon-\(size)@\(scale)x.png"
      try folder.write(
        macIcons[size * scale] ?? [], to: "Mac.xcassets/AppIcon.appiconset/\(file)")
      rows.append(
        #"{ "filename" : "\#(file)", "idiom" : "mac", "scale" : "\#(scale)x", "size" : "\#(size)x\#(size)" }"#
      )
    }
  }
  try folder.write(
    "{ \"images\" : [ \(rows.joined(separator: ", ")) ] }",
    to: "Mac.xcassets/AppIcon.appiconset/Contents.json")
  try folder.write("{}", to: "Mac.xcassets/Contents.json")
}

/// Writes two brands and a stack beside them, as in the tests of .NET. A brand assets set contains
/// a small stack, a large stack and pictures for the top shelf.
private func writeTelevisionCatalog(to folder: TemporaryDirectory) throws {
  for (brand, stack) in [("AppIcons", "AppIcons"), ("AlternateBrandAssets", "AppIcon")] {
    let place = "TV.xcassets/\(brand).brandassets"
    let roles = [
      ("primary-app-icon", "1280x768", "\(stack)-AppStore.imagestack"),
      ("primary-app-icon", "400x240", "\(stack).imagestack"),
      ("top-shelf-image", "1920x720", "TopShelfImage.imageset"),
      ("top-shelf-image-wide", "2320x720", "TopShelfImageWide.imageset"),
    ]
    let rows = roles.map {
      #"{ "role" : "\#($0)", "size" : "\#($1)", "filename" : "\#($2)", "idiom" : "tv" }"#
    }
    try folder.write(
      "{ \"assets\" : [ \(rows.joined(separator: ", ")) ] }", to: "\(place)/Contents.json")
    try writeStack(to: "\(place)/\(stack).imagestack", width: 400, in: folder)
    try writeStack(to: "\(place)/\(stack)-AppStore.imagestack", width: 1280, in: folder)
    for (name, width) in [("TopShelfImage", 1920), ("TopShelfImageWide", 2320)] {
      try writeTelevisionImage(
        to: "\(place)/\(name).imageset", width: width, in: folder)
    }
  }
  try writeStack(to: "TV.xcassets/AlternateAppIcons.imagestack", width: 400, in: folder)
  try folder.write(
    #"{ "assets" : [ { "role" : "primary-app-icon", "size" : "400x240", "idiom" : "tv", "#
      + #""filename" : "None.imagestack" } ] }"#,
    to: "TV.xcassets/Begun.brandassets/Contents.json")
  try folder.write(
    #"{ "layers" : [] }"#, to: "TV.xcassets/Begun.brandassets/None.imagestack/Contents.json")
  try folder.write("{}", to: "TV.xcassets/Contents.json")
}

private func writeStack(
  to place: String, width: Int, in folder: TemporaryDirectory
) throws {
  let rows = ["Front", "Back"].map { #"{ "filename" : "\#($0).imagestacklayer" }"# }
  try folder.write(
    "{ \"layers\" : [ \(rows.joined(separator: ", ")) ] }", to: "\(place)/Contents.json")
  for layer in ["Front", "Back"] {
    try folder.write("{}", to: "\(place)/\(layer).imagestacklayer/Contents.json")
    try writeTelevisionImage(
      to: "\(place)/\(layer).imagestacklayer/Content.imageset", width: width, in: folder)
  }
}

private func writeTelevisionImage(
  to place: String, width: Int, in folder: TemporaryDirectory
) throws {
  try folder.write(
    #"{ "images" : [ { "filename" : "tv.png", "idiom" : "tv", "scale" : "1x" } ] }"#,
    to: "\(place)/Contents.json")
  try folder.write(televisionPictures[width] ?? [], to: "\(place)/tv.png")
}

/// Makes a link of that name to the tool in a folder.
func link(_ name: String, in folder: TemporaryDirectory) throws -> String {
  let path = folder.path(name)
  try FileManager.default.createSymbolicLink(
    atPath: path, withDestinationPath: productFolder + "/carve")
  return path
}
