// Tests the pictures that `carve preview --png` writes.

import Foundation
import Support
import Testing

@Suite struct PreviewPictureTests {
  /// Beside an archive, a catalogue is compiled as the archive was.
  @Test func `a catalogue is compared as its archive was compiled`() throws {
    let folder = try TemporaryDirectory()
    try folder.write(png(width: 9, height: 9, red: 7), to: "A.xcassets/Star.imageset/a.png")
    try folder.write(
      #"{"images":[{"filename":"a.png"}]}"#, to: "A.xcassets/Star.imageset/Contents.json")
    try folder.write(
      #"{"images":[{"size":"16x16","scale":"1x","idiom":"mac","filename":"a.png"}]}"#,
      to: "A.xcassets/AppIcon.appiconset/Contents.json")
    try folder.write(
      png(width: 16, height: 16, red: 9), to: "A.xcassets/AppIcon.appiconset/a.png")
    for options in [[], ["--app-icon", "AppIcon"]] {
      let compiled = try runTool(
        ["compile", "A.xcassets", "-o", "a.car", "--platform", "macosx"] + options
          + ["--minimum-deployment-target", "11.0"], in: folder.path)
      #expect(compiled.code == 0, "\(compiled.stderr)")
      for inputs in [["a.car", "A.xcassets"], ["A.xcassets", "a.car"]] {
        let diff = try runTool(["diff"] + inputs, in: folder.path)
        #expect(diff.stdout.hasPrefix("both archives show the same\n"), "\(diff.stdout)")
        #expect(diff.stdout.contains(" on Apple silicon Mac"))
        let pictures = try runTool(["preview"] + inputs + ["--png", "changes"], in: folder.path)
        #expect(pictures.stdout == "changes: 0 pictures\n", "\(pictures.stderr)")
      }
    }
  }

  /// JPEG files are drawn; HEIF files cannot be, which a note says.
  @Test func `pictures of files are drawn or named`() throws {
    let folder = try TemporaryDirectory()
    let versions: [(String, [UInt8], [UInt8])] = [
      ("Old", jpegFile("gray"), heif("heic", width: 9, height: 8)),
      ("New", jpegFile("baseline"), heif("heic", width: 8, height: 9)),
    ]
    for (version, photo, wide) in versions {
      for (name, file, bytes) in [("Photo", "a.jpg", photo), ("Wide", "a.heic", wide)] {
        let set = "\(version).xcassets/\(name).imageset"
        try folder.write(bytes, to: "\(set)/\(file)")
        try folder.write(#"{"images":[{"filename":"\#(file)"}]}"#, to: "\(set)/Contents.json")
      }
    }
    let result = try runTool(
      ["preview", "Old.xcassets", "New.xcassets", "--png", "changes"], in: folder.path)
    #expect(result.code == 0 && result.stdout == "changes: 1 picture\n", "\(result.stderr)")
    #expect(result.stderr.hasSuffix("note: --png cannot draw all pictures of \"Wide\"\n"))
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path("changes"))
    #expect(names == ["Photo, 1x.png"])
    // Three pictures of 16 by 16 pixels, and gaps of 12 pixels.
    let drawn = try folder.read("changes/Photo, 1x.png")
    #expect(Array(drawn[16..<24]) == [0, 0, 0, 96, 0, 0, 0, 40])
  }
}
